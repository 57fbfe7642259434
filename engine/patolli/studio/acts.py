"""What happens at a table, as a list of acts to which is only ever added; all else about a table follows from it.

Every act has the next revision of its table, so two that are meant for the same moment cannot both be written: that
holds for two clicks as for two servers. An undone choice stays in the list. What was chosen is kept with its label and
with a sum of what was offered, so that it can be found again after the content has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from patolli.runtime.edits import Edit
from patolli.studio.seats import Seats

if TYPE_CHECKING:
    from patolli.runtime.decisions import Decision

CHOICE, UNDO, CONTENT, SEATS, WISH, EDIT = "choice", "undo", "content", "seats", "wish", "edit"
AHEAD = "ahead"


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that happened: the revision to which it leads, its kind, and the key of the request."""

    revision: int
    kind: str
    data: dict[str, Any]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """What a table plays: content by name and options, the number of players, and the seed."""

    pack: str
    modules: tuple[str, ...]
    options: dict[str, Any]
    players: int
    seed: int
    open: bool = False

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, for the store."""
        return {
            "pack": self.pack, "modules": list(self.modules), "options": dict(self.options), "players": self.players,
            "seed": self.seed, "open": self.open,
        }  # fmt: skip

    @classmethod
    def of(cls, data: dict[str, Any]) -> Setup:
        """Read what :meth:`to_data` has written."""
        return cls(**{**data, "modules": tuple(data["modules"])})


@dataclass(frozen=True, slots=True)
class Made:
    """A choice: who made it, which option it was, and the sum of the labels among which it was found.

    ``behind`` says that it was made together with the one before, and is taken back with it; ``sealed`` that others
    answer the same at the same time, for whom nothing has changed.
    """

    seat: int
    index: int
    label: str
    anytime: bool = False
    offered: str = ""
    behind: bool = False
    sealed: bool = False

    @classmethod
    def at(cls, decision: Decision, index: int, behind: bool = False) -> Made:
        """Return the choice of an option of an open question."""
        option = decision.options[index]
        return cls(decision.player, index, option.label, option.anytime, offered(decision), behind)

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data, for the store."""
        return {
            "seat": self.seat, "index": self.index, "label": self.label, "anytime": self.anytime,
            "offered": self.offered,
            **({"behind": True} if self.behind else {}), **({"sealed": True} if self.sealed else {}),
        }  # fmt: skip


def offered(decision: Decision) -> str:
    """Return a sum of what a question offers: other for other labels, and for another order of them."""
    return blake2b("\n".join(decision.labels).encode(), digest_size=6).hexdigest()


@dataclass(slots=True)
class Course:
    """Where the acts of a table have led.

    Attributes:
        line: What was chosen. Behind ``cursor`` stands what the content, as it is now, does not allow; it is gone over
            again when the content changes, and forgotten with the next choice.
        edits: What was changed by hand, at an open table. Those behind ``edited`` are treated as what stands behind
            ``cursor`` is.
        moved: The last revision that has changed the match; who has seen that one is up to date.
        own: The last revisions that have changed it only for the seat that answered.
        ahead: What seats answer at the same time as others, before they are asked: labels.
        content: The hash of the content with which the last act was made.
        wish: What somebody wants to take back that needs the others: from which choice on, who asked, who agrees.
        keys: The revision to which the request with a key has led.
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
    keys: dict[str, int] = field(default_factory=dict)
    own: dict[int, int] = field(default_factory=dict)
    ahead: dict[int, list[str]] = field(default_factory=dict)

    def take(self, act: Act) -> None:
        """Go on with the next act."""
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
                self._answered(self.line[-1])
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

    def _answered(self, made: Made) -> None:
        """Forget what was answered ahead, when it was asked: of all, when nothing more is asked at the same time."""
        labels = self.ahead.pop(made.seat, [])
        if not made.sealed:
            self.ahead.clear()
        elif labels[1:] and labels[0] == made.label:
            self.ahead[made.seat] = labels[1:]

    def _forget(self) -> None:
        """Forget what the content did not allow, and who wished what: the match goes on otherwise."""
        del self.line[self.cursor :], self.edits[self.edited :]
        self.wish = None
