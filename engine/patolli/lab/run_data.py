"""What a report tells of a run: findings, and the facts that they are looked for in."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.lab.content import Content
from patolli.lab.frame import Frame
from patolli.lab.unseen_pieces import find_unseen_pieces
from patolli.lab.worth import Thing, options_of, pieces_of

RATE = 0.01
"""False discovery rate that is allowed to each way of looking."""
OFTEN = 100
"""Matches or questions before something that never happened is told."""

TABLES = {
    "option": ("id", "seat", "offered", "chosen", "points"), "gift": ("option", "seat", "to", "times", "points"),
    "seen": ("piece", "round"), "taken": ("piece", "seat", "round"), "used": ("piece", "times"),
    "came": ("place", "times"), "source": ("id", "seat", "points"), "measure": ("id", "nth", "seat", "value"),
}  # fmt: skip


@dataclass(slots=True)
class Finding:
    """Something that stands out.

    Attributes:
        kind: ``seat``, ``dead``, ``dominant``, ``weak``, ``never chosen``, ``hardly ever chosen``, ``always chosen``,
            ``never offered`` or ``kingmaker``; against another run ``new``, ``worth more``, ``worth less``, ``longer``,
            ``shorter``, ``running away``, ``leads count less`` or ``consequence``, too.
        name: The seat, the piece or the option.
        text: What was found, in a sentence.
        where: ``path:line`` of what causes it, as far as known.
        matches: Numbers of matches that show it.
    """

    kind: str
    name: str
    text: str
    where: str = ""
    matches: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """The facts of a variant, and what is worked out of them for many questions.

    ``unseen`` has the pieces that never come up though they could; see :mod:`patolli.lab.unseen_pieces`.
    """

    frame: Frame
    content: Content
    options: list[Thing]
    pieces: list[Thing]
    unseen: frozenset[str] = frozenset()

    @classmethod
    def of(cls, frame: Frame, content: Content) -> Run:
        """Work out what options and pieces are worth."""
        frame.fetch(**TABLES)  # what all parts of a report read, at once
        options, table = options_of(frame)
        pieces = pieces_of(frame, content, table)
        return cls(frame, content, options, pieces, find_unseen_pieces(pieces, content, frame.seats))
