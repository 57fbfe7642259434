"""Find rows of tables for which no match asks: for more players than may play, or what an option cannot be.

The numbers of players of a required pack count as well: a module for one player leaves the rows for others unchanged.
``else`` may wait for modules.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem
from patolli.language.program.model import Program
from patolli.language.sources import Mapping, Node, Scalar, Sequence, plain

_SECTIONS = ("constants", "counters", "kinds", "places", "pieces")


@check("P0480")
def row_of_no_match(reviewed: Reviewed) -> Iterator[Problem]:
    """Find the rows of tables by ``seats`` or an option that are never looked up."""
    program = reviewed.program
    for section in _SECTIONS:
        for entry in program.composition.all(section):
            for table in _tables(entry.node) if reviewed.looked_at(entry) else ():
                by = table.get("by")
                assert isinstance(by, Scalar)
                possible, words = _possible(program, by.value)
                for name in table.items:
                    span = table.key(name).span
                    if possible and name not in (*possible, "by", "else") and reviewed.written_here(span):
                        yield Problem("P0480", f"no match looks up the row {name!r}", span, words, (), "warning")


def _tables(node: Node) -> Iterator[Mapping]:
    """Yield all tables in what an entry says."""
    match node:
        case Mapping():
            if isinstance(node.get("by"), Scalar):
                yield node
            for _, value in node.items.values():
                yield from _tables(value)
        case Sequence():
            for item in node.items:
                yield from _tables(item)


def _possible(program: Program, by: str) -> tuple[tuple[str, ...], str]:
    """Return what the rows of a table may be called, and what to say of others; nothing where that is not known."""
    if by == "seats":
        low, high = _seats(program)
        return tuple(map(str, range(low, high + 1))), f"a match has {low} to {high} seats"
    option = program.options.get(by)
    if option is None:
        return (), ""
    if option.choices:
        return tuple(option.choices), f"{by!r} is one of: {', '.join(option.choices)}"
    return tuple(map(str, range(option.low, option.high + 1))), f"{by!r} goes from {option.low} to {option.high}"


def _seats(program: Program) -> tuple[int, int]:
    """Return the fewest and the most seats that one of the packs lets play."""
    low, high = program.players
    for pack in program.composition.packs:
        players = pack.manifest.get("players")
        ends = [players.get(key) for key in ("min", "max")] if isinstance(players, Mapping) else []
        numbers = [number for end in ends if end is not None and isinstance(number := plain(end), int)]
        low, high = min([low, *numbers]), max([high, *numbers])
    return low, high + program.automated
