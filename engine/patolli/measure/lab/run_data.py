"""Data of a run for reports: findings, and the facts behind them."""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.measure.lab.content import Content
from patolli.measure.lab.frame import OPTION, TAKEN, Frame
from patolli.measure.lab.unseen_pieces import find_unseen_pieces
from patolli.measure.lab.worth import Thing, options_of, pieces_of

RATE = 0.01
"""The false discovery rate of each kind of test in a report."""
OFTEN = 100
"""The minimum number of matches or decisions to report that something never happened."""

TABLES = {
    "option": OPTION, "gift": ("option", "seat", "to", "times", "points"),
    "seen": ("piece", "round"), "taken": TAKEN, "used": ("piece", "times"),
    "came": ("place", "times"), "source": ("id", "seat", "points"), "measure": ("id", "nth", "seat", "value"),
}  # fmt: skip


@dataclass(slots=True)
class Finding:
    """A significant result.

    Attributes:
        kind: ``seat``, ``dead``, ``dominant``, ``weak``, ``no effect``, ``never chosen``, ``rarely chosen``,
            ``always chosen``, ``never offered``, ``dominated``, ``no difference``, ``kingmaker`` or ``runaway leader``;
            against another run ``new``, ``worth more``, ``worth less``, ``longer``, ``shorter``, ``running away``,
            ``leads count less``, ``changed`` or ``consequence``, too.
        name: The seat, the piece or the option.
        text: The result in one sentence.
        where: ``path:line`` of its cause, if known.
        matches: Numbers of example matches.
    """

    kind: str
    name: str
    text: str
    where: str = ""
    matches: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Run:
    """The facts of a variant, and values that several parts of a report need.

    ``unseen`` has the pieces that are never seen; see :mod:`patolli.measure.lab.unseen_pieces`. ``rate`` is the false
    discovery rate of each kind of test: less than :data:`RATE` if a report covers several runs.
    """

    frame: Frame
    content: Content
    options: list[Thing]
    pieces: list[Thing]
    unseen: frozenset[str] = frozenset()
    rate: float = RATE

    @classmethod
    def of(cls, frame: Frame, content: Content, rate: float = RATE) -> Run:
        """Compute the worth of options and pieces."""
        frame.fetch(**TABLES)  # read the columns of all parts of a report at once
        options, table = options_of(frame)
        pieces = pieces_of(frame, content, table)
        return cls(frame, content, options, pieces, find_unseen_pieces(pieces, content, frame.seats), rate)
