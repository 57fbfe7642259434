"""Why something is possible or not: conditions with their present values, as data and as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from patolli.language.diagnostics import Span
from patolli.language.program.expressions import Truth, Variable
from patolli.language.program.node import Node
from patolli.language.sources.home import current_folder

MARKS = {True: "true", False: "false", None: "not asked"}
WAY, HIDDEN = "since", "hidden"
"""What stands before each condition; it says everything without colors."""
WIDE = max(map(len, (*MARKS.values(), WAY, HIDDEN)))


@dataclass(frozen=True, slots=True)
class Reason:
    """One condition on the way to something.

    Attributes:
        holds: Whether it holds; None where that is not looked at, because something before it does not hold, or is not
            shown, because it depends on what the player cannot see.
        what: The condition in English.
        span: Where it stands.
        values: What it looks at, in words, with how it is now.
        parts: What it is made of. Of a choice these are the values that were tried; one would be enough.
        missing: Of a payment, what would have to be there besides, after everything that may stand for it.
        way: Whether it is no condition but says why the rule goes on as it does.
        choice: Whether one of its parts is enough.
        hidden: Whether it depends on what the player cannot see, and is not shown for that reason.
        node: What it stands for in the program, with the values of the variables there: ``scope``.
    """

    holds: bool | None
    what: str
    span: Span
    values: tuple[tuple[str, str], ...] = ()
    parts: tuple[Reason, ...] = ()
    missing: tuple[tuple[str, int], ...] = ()
    way: bool = False
    choice: bool = False
    hidden: bool = False
    node: Node | None = field(default=None, compare=False, repr=False)
    scope: Mapping[Variable, Any] = field(default_factory=dict, compare=False, repr=False)

    def lines(self, places: bool = True) -> Iterator[str]:
        """Yield the lines that show it, with the *places* where it stands in the packs."""
        mark = WAY if self.way else HIDDEN if self.hidden else MARKS[self.holds]
        yield f"{mark:<{WIDE}}  {self.what}{_behind(self.span, places)}"
        for name, value in self.values:
            yield f"{'':<{WIDE}}    {name}: {value}"
        if self.missing:
            yield f"{'':<{WIDE}}    missing: {', '.join(f'{number} {name}' for name, number in self.missing)}"
        for part in self.parts:
            yield from (f"{'':<{WIDE}}  {line}" for line in part.lines(places))

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        found: dict[str, Any] = {
            "holds": self.holds, "what": self.what, "path": self.span.path, "line": self.span.line,
            "column": self.span.column, "values": dict(self.values),
        }  # fmt: skip
        found.update((name, True) for name in ("way", "choice", "hidden") if getattr(self, name))
        if self.missing:
            found["missing"] = dict(self.missing)
        if self.parts:
            found["parts"] = [part.data() for part in self.parts]
        return found


@dataclass(frozen=True, slots=True)
class Why:
    """The answer to the question why something is offered or not.

    Attributes:
        asked: The option or the call that the question was about.
        player: Whose option it would be, counted from 0.
        offered: Whether it is offered; of a call, whether it would be possible. None where that depends on what the
            player cannot see.
        call: Whether it is a call of a rule and no option.
        span: Where the question or the rule stands.
        reasons: Every condition on the way, in order.
    """

    asked: str
    player: int
    offered: bool | None
    call: bool
    span: Span
    reasons: tuple[Reason, ...]

    def failing(self) -> list[Reason]:
        """Return the innermost conditions that do not hold; where nothing ever does, also what led there."""
        return list(_innermost(self.reasons))

    def __str__(self) -> str:
        return self.format_lines(self.asked, f"player_{self.player + 1}")

    def format_lines(self, asked: str, who: str, places: bool = True) -> str:
        """Say it in lines, with what people call that which was asked about, and whose option it would be.

        With *places* it is said where each condition stands in the packs, which is for their authors.
        """
        word = "possible" if self.call else "offered"
        how = {True: f"is {word} to", False: f"is not {word} to", None: f"may or may not be {word} to"}[self.offered]
        how = how.replace("possible to", "possible for")
        head = f"{asked!r} {how} {who}{_behind(self.span, places)}"
        return "\n".join([head, *(f"  {line}" for reason in self.reasons for line in reason.lines(places))])

    def to_json(self) -> str:
        """Return it as JSON."""
        found = {
            "asked": self.asked, "player": self.player, "offered": self.offered, "call": self.call,
            "path": self.span.path, "line": self.span.line, "reasons": [reason.data() for reason in self.reasons],
        }  # fmt: skip
        return json.dumps(found)


def met(reasons: Iterable[Reason]) -> bool | None:
    """Return whether conditions hold together; None if that is unknown."""
    found = [reason.holds for reason in reasons if not reason.way]
    return False if False in found else None if None in found else True


def number_failing(reasons: Sequence[Reason]) -> int:
    """Return how many conditions do not hold, those that are not known counted as well."""
    open_ = [reason for reason in reasons if reason.holds is not True and not reason.way]
    return sum(1 if one.choice else max(1, number_failing(one.parts)) for one in open_)


def _innermost(reasons: Sequence[Reason]) -> Iterator[Reason]:
    ways: list[Reason] = []
    for reason in reasons:
        if reason.way:
            ways.append(reason)
        elif reason.holds is False:
            yield from (list(_innermost(reason.parts)) or [reason])
            if isinstance(reason.node, Truth):
                yield from ways


def _behind(span: Span, places: bool) -> str:
    return f"  ({_place(span)})" if places else ""


def _place(span: Span) -> str:
    """Return file and line of a place, from the current folder on where it lies below it, or else from its pack on."""
    path, here = Path(span.path), current_folder()
    below = here is not None and path.is_absolute() and path.is_relative_to(here)
    if here is not None and below:
        return f"{path.relative_to(here).as_posix()}:{span.line}"
    pack = next((folder for folder in path.parents if (folder / "pack.yaml").is_file()), None)
    near = path.relative_to(pack.parent).as_posix() if pack is not None and path.is_absolute() else span.path
    return f"{near}:{span.line}"
