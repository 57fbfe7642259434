"""Acts of a table: an append-only log from which the whole state of a table follows.

Each act has the next revision of its table, so of two acts for the same moment only one can be written. This holds for
two clicks as well as for two servers. An undone choice stays in the log. A choice is stored with its label and a hash
of the options, so that it can be found after the content has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from patolli.run.runtime.edits import Edit
from patolli.serve.studio.seats import Seats

if TYPE_CHECKING:
    from patolli.run.runtime.decisions import Decision

CHOICE, UNDO, CONTENT, SEATS, WISH, EDIT = "choice", "undo", "content", "seats", "wish", "edit"
AHEAD, REMATCH = "ahead", "rematch"


@dataclass(frozen=True, slots=True)
class Act:
    """One entry of the log: the revision that it creates, its kind, and the key of the request."""

    revision: int
    kind: str
    data: dict[str, Any]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """The setup of a table: packs, options, players, seed, and the seconds of each seat and of each choice."""

    pack: str
    modules: tuple[str, ...]
    options: dict[str, Any]
    players: int
    seed: int
    open: bool = False
    clock: tuple[int, int] | None = None

    def to_data(self) -> dict[str, Any]:
        """Return the value as plain data for the store."""
        return {
            "pack": self.pack, "modules": list(self.modules), "options": dict(self.options), "players": self.players,
            "seed": self.seed, "open": self.open, **({"clock": list(self.clock)} if self.clock else {}),
        }  # fmt: skip

    @classmethod
    def of(cls, data: dict[str, Any]) -> Setup:
        """Read the data of :meth:`to_data`."""
        clock = tuple(data["clock"]) if "clock" in data else None
        return cls(**{**data, "modules": tuple(data["modules"]), "clock": clock})


@dataclass(frozen=True, slots=True)
class Made:
    """A choice: its seat, its option, and the hash of all options.

    ``behind`` says that the choice belongs to the one before, and is undone with it. ``sealed`` says that other
    players choose at the same time, and that nothing has changed for them. ``then`` is the seat that decides next, or
    -1 after the end, so that a list of tables needs no replay; None in acts that older versions have written.
    """

    seat: int
    index: int
    label: str
    anytime: bool = False
    offered: str = ""
    behind: bool = False
    sealed: bool = False
    then: int | None = None

    @classmethod
    def at(cls, decision: Decision, index: int, behind: bool = False) -> Made:
        """Return the choice of an option of the open decision."""
        option = decision.options[index]
        return cls(decision.player, index, option.label, option.anytime, hash_options(decision), behind)

    def to_data(self) -> dict[str, Any]:
        """Return the value as plain data for the store."""
        return {
            "seat": self.seat, "index": self.index, "label": self.label, "anytime": self.anytime,
            "offered": self.offered,
            **({"behind": True} if self.behind else {}), **({"sealed": True} if self.sealed else {}),
            **({} if self.then is None else {"then": self.then}),
        }  # fmt: skip


def hash_options(decision: Decision) -> str:
    """Return a hash of the labels of a decision, in order."""
    return blake2b("\n".join(decision.labels).encode(), digest_size=6).hexdigest()


@dataclass(slots=True)
class Course:
    """The state of a table that follows from its acts.

    Attributes:
        line: The choices. The current content does not allow those after ``cursor``. They are tried again when the
            content changes, and dropped with the next choice.
        edits: The edits of the state in a sandbox. Those after ``edited`` are treated like choices after ``cursor``.
        moved: The last revision that changed the match. A client with this revision is up to date.
        own: By seat, the last revision that changed the match only for that seat.
        ahead: By seat, labels of choices that it made before the rules asked for them.
        content: The hash of the content of the last act.
        wish: A request to undo that needs other players: back to which choice, by whom, and who agrees.
        rematch: The table at which the same people play again; empty without one.
        keys: The revision that the request with a key has created.
        reached: The greatest number of choices so far.
        earned: By seat, how many of these choices its player has made, without those that replace undone ones.
    """

    seats: Seats
    line: list[Made] = field(default_factory=list)
    cursor: int = 0
    edits: list[Edit] = field(default_factory=list)
    edited: int = 0
    revision: int = 0
    moved: int = 0
    content: str = ""
    wish: dict[str, Any] | None = None
    rematch: str = ""
    keys: dict[str, int] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    ahead: dict[int, list[str]] = field(default_factory=dict)
    reached: int = 0
    earned: dict[int, int] = field(default_factory=dict)

    @property
    def next_seat(self) -> int | None:
        """The seat that decides after the last choice, -1 after the end; None if the acts do not say it."""
        return self.line[self.cursor - 1].then if self.cursor and self.edited == 0 else None

    def take(self, act: Act) -> None:
        """Apply the next act."""
        self.revision = act.revision
        if act.kind == AHEAD or (act.kind == CHOICE and act.data.get("sealed")):
            self.own[act.data["seat"]] = act.revision
        elif act.kind in (CHOICE, UNDO, CONTENT, EDIT):
            self.moved = act.revision
        if act.kind in (UNDO, CONTENT, EDIT):
            self.ahead.clear()
        if act.key:
            self.keys[act.key] = act.revision
        match act.kind:
            case "choice":
                self._forget()
                self.line.append(Made(**act.data))
                self.cursor += 1
                self._drop_early(self.line[-1])
                self._count(self.line[-1])
            case "ahead":
                self.ahead[act.data["seat"]] = list(act.data["labels"])
            case "edit":
                self._forget()
                self.edits.append(Edit(self.cursor, **act.data))
                self.edited += 1
            case "undo":
                self.cursor = act.data["to"]
                most = act.data.get("edits", self.edited)
                self.edited = sum(edit.at <= self.cursor for edit in self.edits[: min(most, self.edited)])
                self._forget()
            case "content":
                self.cursor, self.content = act.data["kept"], act.data["content"]
                self.edited = act.data.get("edited", len(self.edits))
            case "seats":
                self.seats = Seats.of(act.data)
            case "wish":
                self.wish = act.data or None
            case "rematch":
                self.rematch = act.data["table"]

    def _drop_early(self, made: Made) -> None:
        """Drop the early choice that was used; drop all of them after the last simultaneous choice."""
        labels = self.ahead.pop(made.seat, [])
        if not made.sealed:
            self.ahead.clear()
        elif labels[1:] and labels[0] == made.label:
            self.ahead[made.seat] = labels[1:]

    def _count(self, made: Made) -> None:
        if self.cursor > self.reached:
            self.reached = self.cursor
            counts = not made.behind and not self.seats.places[made.seat].bot
            self.earned[made.seat] = self.earned.get(made.seat, 0) + counts

    def _forget(self) -> None:
        """Drop choices and edits that the content did not allow, and a request to undo."""
        del self.line[self.cursor :], self.edits[self.edited :]
        self.wish = None
