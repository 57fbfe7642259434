"""Several things that are chosen one after the other, in any order: what can be taken, and what was taken so far.

The rules ask for them in one order, each behind the one before. What a person takes is kept here until it is all, and
is then answered in that order; nothing is decided before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from patolli.language.program import effects as e
from patolli.run.compiler.asked import DONE, Question
from patolli.run.compiler.layout import SEED
from patolli.run.runtime import Match
from patolli.run.runtime.decisions import Option
from patolli.run.runtime.errors import MatchError

MOST = 400
"""Choices that are tried at most to find out whether things can be chosen together."""
END = Option(0, (0, ()), DONE, False, DONE)
"""What ends it, where it is not offered at first."""
FIRST = 24
"""Most things that are each tried for others behind them."""


class Several:
    """An open question for several things, and what is chosen so far."""

    def __init__(self, match: Match, chosen: Iterable[str] = ()) -> None:
        """Look at the question that is open in *match*; the labels of what is *chosen* are possible together."""
        assert match.decision is not None
        self.match, self.decision = match, match.decision
        self.chosen = tuple(chosen)
        self._tries = MOST

    @cached_property
    def _first_step(self) -> Step:
        """The question in a match that shows which choice is forced, such as the last of two that are left."""
        match, teller = self.match, self.match
        if not match.narrating:
            seed = match.state[SEED]
            teller = match.ruleset.replay(match.players, seed, match.choices, narrate=True, edits=match.edits)
        assert teller.decision is not None
        question = teller.decision.question
        return Step(teller, question, (), len(chosen_things(teller, question)))

    @cached_property
    def every(self) -> list[Option]:
        """All options, each at its index; behind those that come first the others, and what ends it.

        All things are worded together, so that no two of them read alike.
        """
        first, later = self.decision.options, self._later_options()
        things = [option for option in [*first, *later] if not option.anytime and option.label != DONE]
        names = self.match.naming(self.decision.player).about(self.decision.player)
        said = names.options(self.decision.question, [option.value for option in things]) if later else ()
        words = dict(zip((option.label for option in things), said, strict=False))
        ends = [] if DONE in self.decision.labels else [END]
        return [
            Option(index, option.value, option.label, option.anytime, words.get(option.label, option.words))
            for index, option in enumerate([*first, *later, *ends])
        ]

    @cached_property
    def open_options(self) -> list[Option]:
        """The options that can be taken with what is chosen."""
        return [
            option
            for option in self.every
            if option.anytime or (self.enough if option.label == DONE else self._is_subset(option.label))
        ]

    @property
    def words(self) -> list[str]:
        """What is chosen so far, for people."""
        return [option.words for label in self.chosen for option in self.every if option.label == label]

    @cached_property
    def after(self) -> Step | None:
        """The step in which exactly that is taken which is chosen so far; None where that needs more."""
        return next((step for step, _ in self._list_orders(self.chosen)), None)

    def behind(self, option: Option) -> tuple[Match, Option] | None:
        """Return a match with what is chosen so far, and an option as it is there; None where it is not there."""
        if self.after is None or not self.after.asks:
            return None
        match = self.match.clone()
        for label in self.order():
            assert match.decision is not None
            match.choose(match.decision.labels.index(label))
        assert match.decision is not None
        return next(((match, other) for other in match.decision.options if other.label == option.label), None)

    @property
    def goes_on(self) -> bool:
        """Whether more is asked behind what is chosen so far."""
        return self.after is not None and self.after.asks

    @property
    def enough(self) -> bool:
        """Whether what is chosen so far may be all."""
        return self.after is not None and (not self.after.asks or DONE in self.after.labels)

    @property
    def more(self) -> bool:
        """Whether something else can be taken, too."""
        return any(not option.anytime and option.label != DONE for option in self.open_options)

    def order(self) -> list[str]:
        """Return what is chosen in the order in which the rules ask for it; nothing where it needs more.

        What answers itself behind another one is left out.
        """
        return next((labels for _, labels in self._list_orders(self.chosen)), [])

    def possible(self, labels: Iterable[str]) -> bool:
        """Return whether things can be chosen together, perhaps with others."""
        self._tries = MOST
        return self._leads(self._first_step, frozenset(labels))

    def _is_subset(self, label: str) -> bool:
        return label not in self.chosen and (not self.chosen or self.possible([*self.chosen, label]))

    def _later_options(self) -> list[Option]:
        """Return the options that come only behind another one, such as the last of those if two are wanted."""
        known, found = set(self.decision.labels), list[Option]()
        for first in self._first_step.things[:FIRST]:
            at = self._first_step.take_label(first.label)
            while at.asks:
                things = at.things
                found += [option for option in things if option.label not in known]
                known |= {option.label for option in things}
                if not things:
                    break
                at = at.take_label(things[-1].label)
        return found

    def _list_orders(self, labels: Iterable[str]) -> Iterator[tuple[Step, list[str]]]:
        """Yield the step behind exactly these things, and in which order they are answered."""
        at, wanted, made = self._first_step, set(labels), list[str]()
        while wanted:
            label = next((option.label for option in at.things if option.label in wanted), None)
            if label is None:
                return
            at = at.take_label(label)
            made.append(label)
            if not at.got <= set(labels):
                return
            wanted -= at.got
        yield at, made

    def _leads(self, at: Step, wanted: frozenset[str]) -> bool:
        if not wanted:
            return True
        for label in sorted((option.label for option in at.things), key=lambda label: label not in wanted):
            self._tries -= 1
            if self._tries < 0:
                return False
            after = at.take_label(label)
            if self._leads(after, wanted - after.got):
                return True
        return False


class Step:
    """A match in which some of the things are chosen: ``got``; ``before`` were taken when this began."""

    def __init__(self, match: Match, question: Question, got: Iterable[str], before: int) -> None:
        """Look at a match, which may have left the *question*."""
        self.match, self.question, self.got, self.before = match, question, frozenset(got), before

    @property
    def asks(self) -> bool:
        """Whether the question is still asked, and not again: of another player, or for other things."""
        if self.match.decision is None or self.match.decision.question is not self.question:
            return False
        return len(chosen_things(self.match, self.question)) == self.before + len(self.got)

    @property
    def labels(self) -> list[str]:
        """The labels of all that can be answered."""
        return list(self.match.decision.labels) if self.match.decision is not None else []

    @property
    def things(self) -> list[Option]:
        """What can be taken next."""
        if self.match.decision is None or not self.asks:
            return []
        return [option for option in self.match.decision.options if not option.anytime and option.label != DONE]

    def take_label(self, label: str) -> Step:
        """Return the step behind one more thing, and behind all that answers itself then."""
        after = self.match.clone()
        events, got = after.program.events, {label}
        after.narrating = False  # what it reports is read here
        said = len(events)
        try:
            after.pick(self.labels.index(label))
        except MatchError:
            pass  # it is reported when it is chosen
        finally:
            came = events[said:]
            del events[said:]
        for kind, seat, *rest in came:
            if kind != "forced":
                continue
            question, value = after.program.questions[rest[0]], rest[1]
            if question.effect is not self.question.effect or value is None or not value[0]:
                break
            got.add(after.labels.option(question, value, seat))
        return Step(after, self.question, self.got | got, self.before)


def chosen_things(match: Match, question: Question) -> Sequence[Any]:
    """Return what was taken so far of the things for which an open question asks."""
    assert isinstance(question.effect, e.Choose)
    found: Sequence[Any] = match.frame[question.frame[question.effect.binders[0].variable]]
    return found
