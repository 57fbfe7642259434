"""What all that writes code of a function shares: its names, and the instructions for words and numbers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from patolli.run.native.heap import DATA, ITEMS, LEN, NONE, Unsupported
from patolli.run.native.kinds import ANY, INT, Kind
from patolli.run.native.wasm_encoder import EMPTY, I32, I64, Body

Local = tuple[int, Kind]
OVER, FAULT, NO_OPTION = range(3)
"""The tags of exceptions: the match is over; this match is played in Python; a question has no answer."""
INLINED = frozenset(
    "tick renew finish random_below two_drawn called_upon "
    "cut_off was_called node_of node_at ask_of visits_of update_offered are_same select_index promising descend_edge "
    "record_move went surely is_proved set_out taught update_spread measured_as all_level refine_levels levels_get "
    "plain_payoffs".split()
)
"""Functions of ``support`` that are less work than a call, or called from few places."""


class Writer:
    """Writes one function.

    Attributes:
        linker: Knows all other functions, tables and texts.
        names: What global names stand for.
        raw: Whether all numbers are taken as they are.
        env: The local names.
        kinds: The kinds of local names, worked out before.
    """

    def __init__(
        self, linker: Any, names: Callable[[str], Any], parameters: Iterable[tuple[str, Kind]], raw: bool
    ) -> None:
        given = list(parameters)
        self.linker, self.names, self.raw = linker, names, raw
        self.body = Body(len(given))
        self.env: dict[str, Local] = {name: (at, kind) for at, (name, kind) in enumerate(given)}
        self.kinds: dict[str, Kind] = dict(given)
        self.loops: list[tuple[int, int]] = []  # where break and continue lead
        self.end: int | None = None  # where a return leads that does not leave the function
        self.careful = True

    def fail(self, node: ast.AST | None, what: str) -> Unsupported:
        """Return that something cannot be translated."""
        text = ast.unparse(node) if node is not None else ""
        return Unsupported(f"{what}{': ' * bool(text)}{text[:120]}")

    # -- words and numbers

    def tag(self) -> None:
        """Make a number a word."""
        self.body.i64(1)
        self.body.op("i64.shl")

    def untag(self) -> None:
        """Make the word of a number that number."""
        self.body.i64(1)
        self.body.op("i64.shr_s")

    def none(self) -> None:
        """Give None."""
        self.body.i64(NONE)

    def call(self, name: str) -> None:
        """Call a function of ``support``, or write what it does; what it takes was given."""
        if name in INLINED:
            self.linker.write_out(name, self.body)
        else:
            self.body.to("call", self.linker.support(name))

    def give_up(self) -> None:
        """Leave this match to Python."""
        self.call("give_up")
        self.body.op("unreachable")

    def length(self) -> None:
        """Make a word of a list the number of its items."""
        self.body.op("i32.wrap_i64")
        self.body.memory("i64.load32_u", LEN)

    def address(self, inline: bool) -> int:
        """Make a word of a list the address of its items, less what is returned."""
        self.body.op("i32.wrap_i64")
        if inline:
            return ITEMS
        self.body.memory("i32.load", DATA)
        return 0

    def local(self, name: str) -> Local:
        """Return where a local name lies."""
        found = self.env.get(name)
        if found is None:
            kind = self.kinds.get(name)
            found = self.env[name] = (self.body.allocate_local(), ANY if kind is None else kind)
        return found

    def store(self, name: str, kind: Kind) -> None:
        """Write what was given, of a kind, into a local name."""
        at, wanted = self.local(name)
        if wanted == INT and kind != INT:
            self.untag()
        elif wanted != INT and kind == INT:
            self.tag()
        self.body.set(at)

    def items(self, kind: int, parts: list[Callable[[], object]]) -> None:
        """Give an object with items, each of which is given as a word by a function."""
        held = []
        for part in parts:
            part()
            held.append(self.body.local())
            self.body.set(held[-1])
        self.body.i64(kind)
        self.body.i64(len(parts))
        self.call("new")
        made = self.body.local()
        self.body.set(made)
        for position, one in enumerate(held):
            self.body.get(made)
            self.body.op("i32.wrap_i64")
            self.body.get(one)
            self.body.memory("i64.store", ITEMS + 8 * position)
        self.body.get(made)
        self.body.release(made, *held)


__all__ = ["EMPTY", "I32", "I64", "Local", "Writer"]
