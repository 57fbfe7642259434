"""What stands on the screen at a question: the boards that matter, what happened, and the question, in that order.

All of it finds room on one screen where that can be. Where it cannot, a short list of cells gives way to marks on the
board, then other boards to the one that is pointed to; at last the boards stand on a screen of their own, before the
question. ``docs/decisions/0040-one-screen.md`` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rich.text import Text

from patolli.play.terminal.page import Page, Seen

if TYPE_CHECKING:
    from patolli.play.terminal.prompt import Question
    from patolli.play.terminal.session import Session

FEWEST, LEAST = 5, 3
"""Lines of what happened that are shown above a question, however long that is; where all is squeezed together."""
AIMING = 6
"""Lines below a board on which something is shown before it is taken."""
GOES_ON = "Enter continues> "


@dataclass(frozen=True, slots=True)
class Plan:
    """How a question finds room.

    Attributes:
        pointing: Whether cells are marked and not listed.
        page: What may be drawn.
        panels: What of it is drawn.
        above: How many lines that takes, with those that name the rest: ``named``.
        reports: How many lines are left for what happened.
        before: Whether the boards stood on a screen of their own already.
    """

    pointing: bool
    page: Page | None = None
    panels: frozenset[str] = frozenset()
    above: int = 0
    named: int = 0
    reports: int = FEWEST
    before: bool = False


class Standing:
    """Puts one question on the screen."""

    def __init__(self, session: Session, seat: int, question: Question, old: bool) -> None:
        """Look at what is to be shown; the boards on the screen are *old* where others have changed them."""
        self.session, self.seat, self.question, self.old = session, seat, question, old
        self.seen = session.seen.setdefault(seat, Seen())
        self._pages: dict[frozenset[str], Page] = {}
        targets = question.targets
        self.target = targets.panel.id if targets is not None else ""
        self.wanted = bool(self.target) and not session.shown and not question.ways_only

    def print_page(self) -> None:
        """Print everything that stands above the line that is typed, but for the question itself."""
        paper = self.session.paper
        if paper.whole is None:
            self._all()
            return
        plan, room = self._make_plan(paper.room or 0), paper.room or 0
        if plan is None and room < paper.whole and (2 * room < paper.whole or self._make_plan(paper.whole) is not None):
            paper.turn(GOES_ON)
            room = paper.room or 0
            plan = self._make_plan(room)
        if plan is None:
            plan = self._print_boards_first(room) if self.old or self.wanted else Plan(self.question.can_point)
            room = paper.room or 0
        if paper.in_front:
            self._print_above(plan, room)
        else:  # the input has ended
            self._all()

    def _all(self) -> None:
        """Print all of it, however long that is; the terminal is not interactive."""
        shown = self.session.news(self.seat, None)
        if self.old:
            self.session.print_lines(self._make_page().all_that_must(0))
        elif not self.session.shown:
            self.question.show_board(preview=False)
        self.session.print_lines(shown)

    def _make_page(self) -> Page:
        """Return the page with the cells marked as the question is asked now."""
        question, marked = self.question, self.question.marked_at_first
        if marked not in self._pages:
            screen, match = self.session.screen, self.session.match
            self._pages[marked] = Page(screen, match, self.seat, self.seen, question.concerned_panels, marked)
        return self._pages[marked]

    def _count_question_lines(self) -> int:
        """Return how many lines the question takes as it is asked now."""
        question = self.question
        return len(question.head()) + self._shows_aim() if question.ways_only else len(question.lines)

    def _shows_aim(self) -> int:
        assert self.question.targets is not None
        return len(self.session.screen.picture(self.question.scene, [self.question.targets.panel])) + AIMING

    def _count_news(self, most: int) -> int:
        return len(self.session.news(self.seat, most))

    def _make_plan(self, room: int) -> Plan | None:
        """Return how the question finds so much room; None where it does not, with a board that belongs to it."""
        for squeezed, alone in ((False, False), (False, True), (True, False), (True, True)):
            for pointing in (False, True) if self.question.can_point else (False,):
                self.question.pointing = pointing
                plan = self._try_plan(pointing, alone)
                if plan is None:
                    continue
                if not squeezed and self._count_question_lines() + self._count_news(FEWEST) + plan.above <= room:
                    return plan
                if squeezed and self.question.squeeze(room - self._count_news(LEAST) - plan.above + plan.named):
                    return replace(plan, above=plan.above - plan.named, reports=LEAST)
        return None

    def _try_plan(self, pointing: bool, alone: bool) -> Plan | None:
        """Return a plan with all the boards that belong to the question, or with one *alone*."""
        if self.question.ways_only or not (self.old or self.wanted):
            return None if alone else Plan(pointing)
        if alone and not self.wanted:
            return None
        page = self._make_page()
        panels = frozenset(page.must if self.old and not alone else ())
        panels |= frozenset([self.target] if self.wanted else ())
        hints, named = (page.hints, 1) if self.old and panels else (0, 0)
        return Plan(pointing, page, panels, page.height(panels) + hints + named, named)

    def _print_boards_first(self, room: int) -> Plan:
        """Print the boards on a screen of their own, and wait; return a plan for the question alone."""
        paper, page = self.session.paper, self._make_page()
        paper.print_lines(page.lines(room, [self.target] if self.wanted else ()))
        if not paper.asked_ahead:
            paper.turn(GOES_ON)
        return Plan(self.question.can_point, page, frozenset(page.must), before=True)

    def _print_above(self, plan: Plan, room: int) -> None:
        """Print what stands above the question by a plan."""
        question, session = self.question, self.session
        question.pointing = plan.pointing
        if not question.ways_only:
            question.fit(room - self._count_news(plan.reports))
        left = room - self._count_question_lines()
        shown = session.news(self.seat, max(min(plan.reports, left), left - plan.above))
        left -= len(shown)
        page: list[Text] = []
        if plan.page is not None and not session.paper.asked_ahead:
            whole = self.old and not plan.before
            page = plan.page.lines(left, plan.panels) if whole else plan.page.only(plan.panels, left)
        session.print_lines([*page, *shown])
