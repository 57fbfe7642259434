"""One table: a match, the people and bots around it, and what each of them may do.

Nothing here waits for anybody, and nothing knows of the network. A request is looked at, written to the journal, and
only then answered. One that comes twice with the same key is answered as before and does nothing; one for an older
revision is refused as stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import DRAWS
from patolli.runtime.edits import Edit, edited
from patolli.runtime.errors import MatchError
from patolli.runtime.undoing import CHANCE
from patolli.runtime.vocabulary import called
from patolli.studio.acts import AHEAD, CHOICE, CONTENT, EDIT, SEATS, UNDO, WISH, Act, Course, Made, Setup
from patolli.studio.ahead import ahead_of, answer_ahead, given, goes_on
from patolli.studio.carrying import carried
from patolli.studio.past import Past, decider
from patolli.studio.refusals import Refused, Stale
from patolli.studio.seats import HOST, WATCH, Seat, Seats, token

if TYPE_CHECKING:
    from patolli.runtime import Match, Ruleset
    from patolli.runtime.decisions import Decision
    from patolli.studio.carrying import Lost

Journal = Callable[[str, Act], None]
"""Writes an act of a table down; raises :class:`Stale` where another server has written that revision."""


class Table:
    """A table that is played at.

    Attributes:
        match: The match as it is now; it narrates.
        past: How it came to that.
        lost: The first choice that the content does not allow any more, if there is one.
        differs: The numbers of choices for which other things are offered now than when they were made.
        newest: The rules of the files as they were last, with which it may not have been possible to go on.
        fault: Why the match could not go on after the last answer to it, if it could not.
        asked_ahead: What was found out by ``studio.ahead`` for each seat, and at which revision.
        stirred: Counts what people may want to see: acts, and all else that changes what is told of the table.
    """

    def __init__(self, id_: str, setup: Setup, rules: Ruleset, seats: Seats, journal: Journal) -> None:
        self.id, self.setup, self.rules, self.journal = id_, setup, rules, journal
        self.course = Course(seats, content=rules.content_hash)
        self.match: Match = rules.start(setup.players, setup.seed, narrate=True, names=self.names())
        self.past = Past(self.match)
        self.lost: Lost | None = None
        self.differs: list[int] = []
        self.fault = ""
        self.problems: list[dict[str, Any]] = []
        self.newest = rules
        self.thinking = -1
        self.stirred = 0
        self.asked_ahead: dict[int, tuple[int, Match | None]] = {}

    # -- what it is

    @property
    def revision(self) -> int:
        """How many acts there were."""
        return self.course.revision

    @property
    def seats(self) -> Seats:
        """Who sits where."""
        return self.course.seats

    def names(self) -> tuple[str, ...]:
        """Return what the players are called, those played by rules included."""
        players = self.setup.players + self.rules.model.automated
        return called([seat.name for seat in self.seats.places][:players], players)

    @property
    def decider(self) -> int:
        """Who decides; -1 when the match is over."""
        return -1 if self.match.over else decider(self.match)

    def acts_for(self, who: int, seat: int) -> bool:
        """Tell whether somebody decides for a seat: its own, or for the host one that nobody has taken."""
        return who == seat if who != HOST else seat in self.seats.free()

    def seats_of(self, who: int) -> list[int]:
        """Return the seats for which somebody decides."""
        return [who] if who != HOST else self.seats.free()

    def sees_all(self, who: int) -> bool:
        """Tell whether somebody may see the whole truth: anybody after the end, the host of an open table before.

        Where nothing is hidden and nothing left to chance it tells the host nothing, as long as nobody else has come.
        """
        open_ = self.setup.open or (self.alone and not self.secretive)
        return self.match.over or (who == HOST and open_)

    @property
    def alone(self) -> bool:
        """Whether nobody has come to a seat by its link."""
        return not any(seat.taken for seat in self.seats.places)

    @property
    def secretive(self) -> bool:
        """Whether the whole truth tells more than all players see: something hidden, or what chance will bring."""
        program, summaries = self.match.program, self.rules.prover.summaries
        chance = any(one.draws for one in summaries.rules.values())
        return chance or bool(program.secret or program.layout.model.concealed)

    def keeps(self, who: int) -> bool:
        """Tell whether somebody may take the whole save of the match; that the host has one is told to all who come."""
        if who == HOST and self.alone and not self.match.over and self.secretive and not self.seats.saved:
            seats = Seats.of(self.seats.to_data())
            seats.saved = True
            self._write(SEATS, seats.to_data(), "")
        return self.sees_all(who) or (who == HOST and self.alone)

    def eye(self, who: int, match: Match | None = None) -> int:
        """Return with whose eyes somebody looks at the table; :data:`WATCH` for those of everybody.

        The host looks with those of the seat that decides, if nobody else has taken it, or of the one before.
        """
        if who != HOST:
            return who
        match, free = match or self.match, self.seats.free()
        if not match.over and decider(match) in free:
            return decider(match)
        made = [one.seat for one in self.course.line[: len(match.choices)] if one.seat in free]
        return made[-1] if made else free[0] if free else WATCH

    # -- what is done

    def answered(self, key: str) -> int | None:
        """Return the revision to which the request with a key has led; None for one that was not seen yet."""
        return self.course.keys.get(key) if key else None

    def choose(self, who: int, revision: int, answer: int | str, key: str) -> int:
        """Take an option of the open question; return the new revision.

        Raises:
            Refused: It is not for this person to decide, or there is no such option.
            Stale: The table has gone on.
        """
        if (known := self.answered(key)) is not None:
            return known
        before = ahead_of(self, who)
        decision = self.question_for(who, revision) if before is None else before.decision
        assert decision is not None
        try:
            index = decision.index(answer)
        except (TypeError, ValueError) as error:
            raise Refused(422, str(error)) from None
        if before is not None:
            return answer_ahead(self, who, revision, [decision.labels[index]], key)
        self.answer(index, key)
        return self.revision

    def note_ahead(self, seat: int, labels: list[str], key: str) -> int:
        """Note what a seat answers before it is asked, or with nothing that it does not; return the new revision."""
        self._write(AHEAD, {"seat": seat, "labels": labels}, key)
        return self.revision

    def go_on(self) -> None:
        """Choose what the seat that is asked now has answered ahead, if it has."""
        if (index := given(self)) is not None:
            with suppress(Refused):  # what is wrong is told to all; that seat is asked
                self.answer(index, "")

    def question_for(self, who: int, revision: int) -> Decision:
        """Return the open question, for somebody who has seen a *revision* and wants to answer it.

        Raises:
            Refused: It is not for this person to decide.
            Stale: The table has gone on.
        """
        decision = self.match.decision
        self.fresh(revision, self.seats_of(who))
        if decision is None:
            raise Refused(409, "the match is over")
        if not self.acts_for(who, decision.player):
            raise Refused(403, f"{self.match.names[decision.player]} has to decide now, not the seat of this link")
        return decision

    def choose_for_bot(self, revision: int, seat: int, index: int) -> bool:
        """Take what a bot has chosen, unless the table has gone on meanwhile; return whether it was taken."""
        if revision != self.revision or self.decider != seat or not self.seats.places[seat].bot:
            return False
        self.answer(index, "")
        return True

    def answer(self, index: int, key: str, behind: bool = False) -> None:
        """Take an option; whose turn it is, is not asked here. *behind* it goes with the choice before.

        Raises:
            Refused: The rules could not go on.
        """
        decision, before = self.match.decision, len(self.match.choices)
        assert decision is not None
        made, drawn = Made.at(decision, index, behind), sum(self.match.state[DRAWS].values())
        asked = self.match.clone() if self.match.secret else None
        try:
            self.match.pick(index)
        except MatchError as error:
            self.match = self.past.at(before, self.match.choices[:before])
            self.fault = error.text()
            self.stir()
            raise Refused(409, f"the rules failed: {error.reason}", fault=error.text()) from None
        made = replace(made, sealed=asked is not None and goes_on(asked, self.match))
        try:
            self._write(CHOICE, made.to_data(), key)
        except BaseException:  # what is not written down has not happened
            self.match = self.past.at(before, self.match.choices[:before])
            raise
        self.fault, self.lost = "", None
        self.differs = [number for number in self.differs if number < before]
        if sum(self.match.state[DRAWS].values()) != drawn:
            self.past.learn(before, CHANCE)
        self.past.note(self.match)
        self.go_on()

    def edit(self, who: int, revision: int, kind: str, name: str, to: int | str, key: str) -> int:
        """Change the state by hand, at an open table; return the new revision.

        Raises:
            Refused: This person may not, or the state cannot be so.
            Stale: The table has gone on.
        """
        if (known := self.answered(key)) is not None:
            return known
        if who != HOST or not self.setup.open:
            raise Refused(403, "only the host of a sandbox can edit the state")
        self.fresh(revision)
        try:
            match = edited(self.match, Edit(len(self.match.choices), kind, name, to))
        except ValueError as error:
            raise Refused(422, str(error)) from None
        self._write(EDIT, {"kind": kind, "name": name, "to": to}, key)
        self.match, self.fault, self.lost = match, "", None
        self.past.edit(match)
        return self.revision

    def go_back(self, to: int, key: str, edits: int | None = None) -> None:
        """Go back to what the match was after so many choices, and *edits*; whether that may be is not asked here."""
        before = self.past.edits
        self.past.edits = before[:edits]
        match = self.past.at(to, self.match.choices)
        self.past.edits = before
        self._write(UNDO, {"to": to} if edits is None else {"to": to, "edits": edits}, key)
        self.past.cut(to, edits)
        self.match, self.fault, self.lost = match, "", None

    def wish(self, wish: dict[str, Any], key: str) -> None:
        """Note what somebody wants to take back, or with nothing that it is not wanted any more."""
        self._write(WISH, wish, key)

    def seat(self, who: int, number: int, data: dict[str, Any], key: str) -> None:
        """Change who sits on a seat: ``name``, ``bot`` (a kind), ``person`` to give it back, or a new ``link``.

        The link of a seat lets look on while a bot plays there, and opens the seat again when a person is to. Where the
        host makes a new link, which all are told of, the one before lets look on for good.

        Raises:
            Refused: It is not for this person to say, or cannot be.
        """
        if not 0 <= number < self.setup.players:
            raise Refused(404, f"there is no seat {number}; seats are 0 to {self.setup.players - 1}")
        if who not in (HOST, number):
            raise Refused(403, "only the host and the player of a seat can change it")
        seats = Seats.of(self.seats.to_data())
        seat = seats.places[number]
        if "name" in data:
            seat.name = data["name"]
        if "bot" in data:
            seat.bot = data["bot"]
        elif data.get("person"):
            seat.bot = ""
        if data.get("link"):
            if who != HOST:
                raise Refused(403, "only the host can make a new link")
            if seat.bot:
                raise Refused(409, "a bot plays this seat; only the seat of a person has a link")
            seat.renew()
        players = self.setup.players + self.rules.model.automated
        try:
            names = called([one.name for one in seats.places], players)
        except ValueError as error:
            raise Refused(422, str(error)) from None
        self._write(SEATS, seats.to_data(), key)
        self.fault = ""  # another bot may do what this one could not
        self._call(names)

    def came(self, who: int) -> None:
        """Note that somebody has come to a seat by its link."""
        if who >= 0 and self.seats.places[who].awaits:
            seats = Seats.of(self.seats.to_data())
            seats.places[who].taken, seats.places[who].fresh = True, False
            self._write(SEATS, seats.to_data(), "")

    def stir(self) -> None:
        """Note that those who look at the table want to look again."""
        self.stirred += 1

    def _call(self, names: tuple[str, ...]) -> None:
        self.match.let_go()
        self.match.names = names

    def fresh(self, revision: int, seats: Iterable[int] | None = None) -> None:
        """Refuse what was meant for another question; that somebody has sat down since does not matter.

        Nor does what others have answered at the same time as these *seats*; all of them count, when left out.

        Raises:
            Stale: The match has gone on since that revision.
        """
        own = self.course.own
        last = [own[seat] for seat in (own if seats is None else seats) if seat in own]
        if not max(self.course.moved, *last, 0) <= revision <= self.revision:
            raise Stale(self.revision)

    def _write(self, kind: str, data: dict[str, Any], key: str) -> None:
        act = Act(self.revision + 1, kind, data, key)
        self.journal(self.id, act)
        self.course.take(act)
        self.stir()

    # -- coming back, and going on with other content

    def follow(self, acts: list[Act]) -> None:
        """Take in what another server has written down meanwhile."""
        for act in acts:
            self.course.take(act)
            if act.kind == CHOICE:
                self.match.pick(act.data["index"])
                self.past.note(self.match)
            elif act.kind == UNDO:
                self.past.cut(act.data["to"], act.data.get("edits"))
                self.match = self.past.at(act.data["to"], self.match.choices)
            elif act.kind == EDIT:
                self.match = edited(self.match, Edit(len(self.match.choices), **act.data))
                self.past.edit(self.match)
            elif act.kind == SEATS:
                self._call(self.names())
            elif act.kind == CONTENT:
                self.adopt(self.rules, journal=False)
        self.stir()

    def resume(self, acts: list[Act]) -> None:
        """Go through all acts that were written down before; the match stands where they led."""
        for act in acts:
            self.course.take(act)
        self.adopt(self.rules, journal=False)

    def adopt(self, rules: Ruleset, journal: bool = True) -> None:
        """Go on with the content as it is now: what was chosen is chosen again, as far as it is offered.

        Raises:
            MatchError: The content fails on the way; nothing has changed then.
            ValueError: It is not for so many players; nothing has changed then.
            Unavailable: The store fails; nothing has changed then.
            Stale: Another server has written meanwhile.
        """
        same = rules.content_hash == self.course.content
        line = self.course.line[: self.course.cursor] if same else self.course.line
        edits = self.course.edits[: self.course.edited] if same else self.course.edits
        found = carried(rules, self.setup, line, self.names(), same, edits)
        data: dict[str, Any] = {"content": rules.content_hash, "kept": found.kept}
        if self.course.edits:
            data["edited"] = len(found.match.edits)
        stale: Stale | None = None
        if not same and journal:
            try:
                self._write(CONTENT, data, "")
            except Stale as error:  # another server goes on with it already
                stale = error
        elif not same:  # it is written with the next act: who only looks changes nothing
            self.course.content, self.course.cursor = data["content"], data["kept"]
            self.course.edited = len(found.match.edits)
        self.rules, self.match, self.past = rules, found.match, found.past
        self.newest = rules
        self.lost, self.differs, self.fault = found.lost, found.differs, ""
        if stale is not None:
            raise stale
        self.stir()


def places(kinds: list[tuple[str, str]], players: int, automated: int) -> list[Seat]:
    """Return seats for so many players: each with a name and a kind of bot, people where nothing is said."""
    found = [Seat(token(), *(kinds[number] if number < len(kinds) else ("", ""))) for number in range(players)]
    return [*found, *(Seat(token(), "", "rules") for _ in range(automated))]
