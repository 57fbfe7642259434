"""One table: a match, its people and bots, and their permissions.

This module does not wait, and does not use the network. A request is checked, written to the journal, and then
confirmed. A repeated request with the same key does nothing and gets the same response. A request for an old revision
is refused as stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from patolli.run.compiler.layout import DRAWS
from patolli.run.runtime.edits import Edit, apply_edit
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.undo_limits import CHANCE
from patolli.run.runtime.vocabulary import name_players
from patolli.serve.studio.acts import AHEAD, CHOICE, CONTENT, EDIT, REMATCH, SEATS, UNDO, WISH, Act, Course, Made, Setup
from patolli.serve.studio.ahead import ahead_of, answer_ahead, early_choice, goes_on
from patolli.serve.studio.chat import Chat
from patolli.serve.studio.clocks import Clock, hand_back
from patolli.serve.studio.past import Past, decider, next_seat
from patolli.serve.studio.refusals import Refused, Stale
from patolli.serve.studio.replay import replay_choices
from patolli.serve.studio.seats import HOST, WATCH, Seat, Seats, token

if TYPE_CHECKING:
    from patolli.run.runtime import Match, Ruleset
    from patolli.run.runtime.decisions import Decision
    from patolli.serve.studio.replay import Carried, Lost

Journal = Callable[[str, Act], None]
"""Writes an act of a table to the store; raises :class:`Stale` if another server has written this revision."""


class Table:
    """The state and the operations of a table.

    Attributes:
        match: The current match, with narration.
        past: Its past states.
        lost: The first choice that the content does not allow any more, if there is one.
        differs: The numbers of choices whose options have changed since.
        newest: The rules of the current files, which the match may not be able to use.
        fault: The error of the rules after the last choice, if there was one.
        asked_ahead: For each seat, the revision and the result of ``studio.ahead``.
        stirred: A counter of all changes that clients can see: acts and others.
        chat: The messages of players and of spectators.
        clock: The time that the seats have spent; None without a clock.
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
        self.chat = Chat()
        self.clock = Clock([0.0] * setup.players) if setup.clock else None
        self.asked_ahead: dict[int, tuple[int, Match | None]] = {}

    # -- state

    @property
    def revision(self) -> int:
        """The number of acts."""
        return self.course.revision

    @property
    def seats(self) -> Seats:
        """The seats."""
        return self.course.seats

    def names(self) -> tuple[str, ...]:
        """Return the names of the players, with those that the rules play."""
        players = self.setup.players + self.rules.model.automated
        return name_players([seat.name for seat in self.seats.places][:players], players)

    @property
    def decider(self) -> int:
        """The acting seat; -1 when the match is over."""
        return -1 if self.match.over else decider(self.match)

    def acts_for(self, who: int, seat: int) -> bool:
        """Return whether a client plays a seat: its own, or for the host one that is not taken."""
        return who == seat if who != HOST else seat in self.seats.free()

    def seats_of(self, who: int) -> list[int]:
        """Return the seats that a client plays."""
        return [who] if who != HOST else self.seats.free()

    def sees_all(self, who: int) -> bool:
        """Return whether a client may see the whole state: after the end, or as the host of a sandbox.

        In a game without secrets and random events, the host may see it too, unless other players have joined.
        """
        open_ = self.setup.open or (self.alone and not self.secretive)
        return self.match.over or (who == HOST and open_)

    @property
    def alone(self) -> bool:
        """Whether no player has opened the link of a seat."""
        return not any(seat.taken for seat in self.seats.places)

    @property
    def secretive(self) -> bool:
        """Whether the whole state reveals more than all players see: hidden information or future random events."""
        program, summaries = self.match.program, self.rules.prover.summaries
        chance = any(one.draws for one in summaries.rules.values())
        return chance or bool(program.secret or program.layout.model.hidden_locations)

    def keeps(self, who: int) -> bool:
        """Return whether a client may save the whole match. If the host does, players who join later are notified."""
        if who == HOST and self.alone and not self.match.over and self.secretive and not self.seats.saved:
            seats = Seats.of(self.seats.to_data())
            seats.saved = True
            self.write(SEATS, seats.to_data(), "")
        return self.sees_all(who) or (who == HOST and self.alone)

    def eye(self, who: int, match: Match | None = None) -> int:
        """Return the seat whose view a client gets; :data:`WATCH` for the public view.

        The host gets the view of the acting seat if it is not taken, or else of the last such seat that acted.
        """
        if who != HOST:
            return who
        match, free = match or self.match, self.seats.free()
        if not match.over and decider(match) in free:
            return decider(match)
        made = [one.seat for one in self.course.line[: len(match.choices)] if one.seat in free]
        return made[-1] if made else free[0] if free else WATCH

    # -- operations

    def find_revision(self, key: str) -> int | None:
        """Return the revision that the request with a key has created; None for a new key."""
        return self.course.keys.get(key) if key else None

    def choose(self, who: int, revision: int, answer: int | str, key: str) -> int:
        """Choose an option of the open decision; return the new revision.

        Raises:
            Refused: The client does not decide now, or there is no such option.
            Stale: The table has changed.
        """
        if (known := self.find_revision(key)) is not None:
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
        """Record the early choices of a seat; empty labels remove them. Return the new revision."""
        self.write(AHEAD, {"seat": seat, "labels": labels}, key)
        return self.revision

    def go_on(self) -> None:
        """Make the early choice of the acting seat, if there is one."""
        if (index := early_choice(self)) is not None:
            with suppress(Refused):  # clients get the error, and the seat is asked
                self.answer(index, "")

    def question_for(self, who: int, revision: int) -> Decision:
        """Return the open decision of a client that saw *revision*. Raises Refused: not its own; Stale: too late."""
        decision = self.match.decision
        self.fresh(revision, self.seats_of(who))
        if decision is None:
            raise Refused(409, "the match is over")
        if not self.acts_for(who, decision.player):
            raise Refused(403, f"{self.match.names[decision.player]} has to decide now, not the seat of this link")
        return decision

    def choose_for_bot(self, revision: int, seat: int, index: int) -> bool:
        """Make the choice of a bot, unless the table has changed; return whether it was made."""
        if revision != self.revision or self.decider != seat or not self.seats.places[seat].bot:
            return False
        self.answer(index, "")
        return True

    def answer(self, index: int, key: str, behind: bool = False) -> None:
        """Choose an option without checking permissions; *behind* another. Raises Refused: the rules failed."""
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
        made = replace(made, sealed=asked is not None and goes_on(asked, self.match), then=next_seat(self.match))
        try:
            self.write(CHOICE, made.to_data(), key)
        except BaseException:  # a choice counts only after it is written
            self.match = self.past.at(before, self.match.choices[:before])
            raise
        self.fault, self.lost = "", None
        self.differs = [number for number in self.differs if number < before]
        if sum(self.match.state[DRAWS].values()) != drawn:
            self.past.learn(before, CHANCE)
        self.past.note(self.match)
        self.go_on()

    def edit(self, who: int, revision: int, kind: str, name: str, to: int | str, key: str) -> int:
        """Edit the state of a sandbox; return the revision. Raises Refused: not allowed, or invalid; Stale."""
        if (known := self.find_revision(key)) is not None:
            return known
        if who != HOST or not self.setup.open:
            raise Refused(403, "only the host of a sandbox can edit the state")
        self.fresh(revision)
        try:
            match = apply_edit(self.match, Edit(len(self.match.choices), kind, name, to))
        except ValueError as error:
            raise Refused(422, str(error)) from None
        self.write(EDIT, {"kind": kind, "name": name, "to": to}, key)
        self.match, self.fault, self.lost = match, "", None
        self.past.edit(match)
        return self.revision

    def go_back(self, to: int, key: str, edits: int | None = None) -> None:
        """Go back to the state after this number of choices and *edits*, without checking permissions."""
        before = self.past.edits
        self.past.edits = before[:edits]
        match = self.past.at(to, self.match.choices)
        self.past.edits = before
        self.write(UNDO, {"to": to} if edits is None else {"to": to, "edits": edits}, key)
        self.past.cut(to, edits)
        self.match, self.fault, self.lost = match, "", None

    def wish(self, wish: dict[str, Any], key: str) -> None:
        """Record a request to undo; an empty one withdraws it."""
        self.write(WISH, wish, key)

    def note_rematch(self, name: str) -> None:
        """Record the table at which the same people play again."""
        self.write(REMATCH, {"table": name}, "")

    def seat(self, who: int, number: int, data: dict[str, Any], key: str) -> None:
        """Change a seat: its ``name``, its ``bot`` (a kind), ``person`` to remove the bot, or a new ``link``.

        While a bot plays, the link of the seat is a spectator link. A new link (everyone is notified) turns
        the old one into a spectator link for good.

        Raises:
            Refused: The client may not change the seat, or the change is invalid.
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
            hand_back(self, seats, number)
            seat.bot = ""
        if data.get("link"):
            if who != HOST:
                raise Refused(403, "only the host can make a new link")
            if seat.bot:
                raise Refused(409, "a bot plays this seat; only the seat of a person has a link")
            seat.renew()
        players = self.setup.players + self.rules.model.automated
        try:
            names = name_players([one.name for one in seats.places], players)
        except ValueError as error:
            raise Refused(422, str(error)) from None
        self.write(SEATS, seats.to_data(), key)
        self.fault = ""  # another bot may work
        self._call(names)

    def came(self, who: int) -> None:
        """Record that a player has opened the link of a seat."""
        if who >= 0 and self.seats.places[who].awaits:
            seats = Seats.of(self.seats.to_data())
            seats.places[who].taken, seats.places[who].fresh = True, False
            self.write(SEATS, seats.to_data(), "")

    def stir(self) -> None:
        """Count a change that clients can see."""
        self.stirred += 1

    def _call(self, names: tuple[str, ...]) -> None:
        self.match.let_go()
        self.match.names = names

    def fresh(self, revision: int, seats: Iterable[int] | None = None) -> None:
        """Refuse a request for an old state of the match. Changes of seats do not matter.

        Nor do simultaneous choices of other seats than these *seats*; by default, all seats count.

        Raises:
            Stale: The match has changed since this revision.
        """
        own = self.course.own
        last = [own[seat] for seat in (own if seats is None else seats) if seat in own]
        if not max(self.course.moved, *last, 0) <= revision <= self.revision:
            raise Stale(self.revision)

    def write(self, kind: str, data: dict[str, Any], key: str = "") -> None:
        """Write an act to the journal, and apply it. Raises Stale, Unavailable, Gone: it cannot be written."""
        act = Act(self.revision + 1, kind, data, key)
        self.journal(self.id, act)
        self.course.take(act)
        self.stir()

    # -- restore, and update the content

    def follow(self, acts: list[Act]) -> None:
        """Apply acts of another server."""
        for act in acts:
            self.course.take(act)
            if act.kind == CHOICE:
                self.match.pick(act.data["index"])
                self.past.note(self.match)
            elif act.kind == UNDO:
                self.past.cut(act.data["to"], act.data.get("edits"))
                self.match = self.past.at(act.data["to"], self.match.choices)
            elif act.kind == EDIT:
                self.match = apply_edit(self.match, Edit(len(self.match.choices), **act.data))
                self.past.edit(self.match)
            elif act.kind == SEATS:
                self._call(self.names())
            elif act.kind == CONTENT:
                self.adopt(self.rules, journal=False)
        if acts:
            self.stir()

    def resume(self, acts: list[Act]) -> None:
        """Apply all stored acts, and replay the match."""
        for act in acts:
            self.course.take(act)
        self.adopt(self.rules, journal=False)

    def replay(self, rules: Ruleset) -> tuple[int, Carried]:
        """Replay the choices with other content as far as they are available; return the revision, and the match.

        The table does not change, so another thread can do this while it is played.

        Raises:
            MatchError: The rules failed.
            ValueError: The content does not allow this number of players.
        """
        revision, same = self.revision, rules.content_hash == self.course.content
        line = self.course.line[: self.course.cursor] if same else self.course.line[:]
        edits = self.course.edits[: self.course.edited] if same else self.course.edits[:]
        return revision, replay_choices(rules, self.setup, line, self.names(), same, edits)

    def adopt(self, rules: Ruleset, journal: bool = True, replayed: tuple[int, Carried] | None = None) -> None:
        """Switch to the current content, with the choices that are available.

        Args:
            rules: The current content.
            journal: Whether the switch is an act of its own.
            replayed: The result of :meth:`replay`, which counts if the table has not changed since.

        Raises:
            MatchError: The rules failed. The table has not changed.
            ValueError: The content does not allow this number of players. The table has not changed.
            Unavailable: The store failed. The table has not changed.
            Stale: Another server has written in the meantime.
        """
        if replayed is None or replayed[0] != self.revision:
            replayed = self.replay(rules)
        same, found = rules.content_hash == self.course.content, replayed[1]
        data: dict[str, Any] = {"content": rules.content_hash, "kept": found.kept}
        if self.course.edits:
            data["edited"] = len(found.match.edits)
        stale: Stale | None = None
        if not same and journal:
            try:
                self.write(CONTENT, data, "")
            except Stale as error:  # another server has switched already
                stale = error
        elif not same:  # the next act writes it, because a reader must not write
            self.course.content, self.course.cursor = data["content"], data["kept"]
            self.course.edited = len(found.match.edits)
        self.rules, self.match, self.past = rules, found.match, found.past
        self.newest = rules
        self.lost, self.differs, self.fault = found.lost, found.differs, ""
        if stale is not None:
            raise stale
        self.stir()


def places(kinds: list[tuple[str, str]], players: int, automated: int) -> list[Seat]:
    """Return the seats of a table, each with a name and a kind of bot; people by default."""
    found = [Seat(token(), *(kinds[number] if number < len(kinds) else ("", ""))) for number in range(players)]
    return [*found, *(Seat(token(), "", "rules") for _ in range(automated))]
