"""What all that writes code of a function shares: its names, and the instructions for words and numbers.

Functions of other modules write the code of one kind of syntax each. They take a :class:`Writer` and call each other;
where they would go round in a circle, they call the writer, which knows those of :class:`Emitters`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from patolli.kernel.budget import DEEPEST
from patolli.run.native.heap import DATA, ITEMS, LEN, NONE, Unsupported
from patolli.run.native.kinds import ANY, INT, Kind
from patolli.run.native.memory import DEPTH
from patolli.run.native.wasm_text import I64, Body

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


Work = Callable[[], object]
"""Writes something."""


class Emitters(NamedTuple):
    """What writes an expression as a word, as a whole number or as a condition, and what writes a statement."""

    word: Callable[[Writer, ast.expr], None]
    number: Callable[[Writer, ast.expr], None]
    condition: Callable[[Writer, ast.expr], None]
    statement: Callable[[Writer, ast.stmt], None]


SPECIAL: dict[str, Callable[[Writer, ast.Call], None]] = {}
"""What writes calls of functions that are translated by hand, by their names."""
Special = TypeVar("Special", bound=Callable[..., None])


def special(name: str) -> Callable[[Special], Special]:
    """Let a function write the calls of a function with a name."""

    def register(function: Special) -> Special:
        SPECIAL[name] = function
        return function

    return register


class Writer:
    """Writes one function.

    Attributes:
        emitters: What writes parts of the function.
        linker: Knows all other functions, tables and texts.
        names: What global names stand for.
        raw: Whether all numbers are taken as they are.
        env: The local names.
        kinds: The kinds of local names, computed before.
        loops: Where break and continue lead.
        end: Where a return leads that does not leave the function.
        careful: Whether a sum may be one of lists.
        is_block: Whether this is a block of a rule, which says by what it gives that the match is over: to throw takes
            longer.
        roomy: Whether there is room for all items of the list that is made.
        grown: The names of lists that get more items.
    """

    def __init__(
        self,
        emitters: Emitters,
        linker: Any,
        names: Callable[[str], Any],
        parameters: Iterable[tuple[str, Kind]],
        raw: bool,
    ) -> None:
        given = list(parameters)
        self.emitters, self.linker, self.names, self.raw = emitters, linker, names, raw
        self.body = Body(len(given))
        self.env: dict[str, Local] = {name: (at, kind) for at, (name, kind) in enumerate(given)}
        self.kinds: dict[str, Kind] = dict(given)
        self.loops: list[tuple[int, int]] = []
        self.end: int | None = None
        self.careful, self.is_block, self.roomy = True, False, False
        self.grown: set[str] = set()

    # -- parts of the function

    def value(self, node: ast.expr) -> None:
        """Give an expression as a word."""
        self.emitters.word(self, node)

    def number(self, node: ast.expr) -> None:
        """Give an expression as a whole number."""
        self.emitters.number(self, node)

    def condition(self, node: ast.expr) -> None:
        """Give whether an expression holds, as 0 or 1 in 32 bits."""
        self.emitters.condition(self, node)

    def choice(self, node: ast.IfExp, block: str, give: Callable[[ast.expr], None]) -> None:
        """Give one of two expressions, as *give* gives each."""
        self.condition(node.test)
        self.body.open("if", block)
        give(node.body)
        self.body.op("else")
        give(node.orelse)
        self.body.close()

    def statement(self, node: ast.stmt) -> None:
        """Translate a statement."""
        self.emitters.statement(self, node)

    def operand(self, node: ast.expr, kind: Kind) -> None:
        """Give an expression as a number where it is one, and else as a word."""
        if kind == INT:
            self.number(node)
        else:
            self.value(node)

    def name(self, name: str) -> None:
        """Give what a name stands for, as a word."""
        if name in self.kinds:
            at, kind = self.local(name)
            self.body.op(f"local.get {at}")
            if kind == INT and not self.raw:
                self.tag()
            return
        self.body.op(f"i64.const {self.linker.word(self.names(name))}")

    def fail(self, node: ast.AST | None, what: str) -> Unsupported:
        """Return that something cannot be translated."""
        text = ast.unparse(node) if node is not None else ""
        return Unsupported(f"{what}{': ' * bool(text)}{text[:120]}")

    # -- words and numbers

    def tag(self) -> None:
        """Make a number a word."""
        self.body.op("i64.const 1", "i64.shl")

    def untag(self) -> None:
        """Make the word of a number that number."""
        self.body.op("i64.const 1", "i64.shr_s")

    def none(self) -> None:
        """Give None."""
        self.body.op(f"i64.const {NONE}")

    def call(self, name: str) -> None:
        """Call a function of ``support``, or write what it does; what it takes was given."""
        if name in INLINED:
            self.linker.write_out(name, self.body)
        else:
            self.body.op(f"call {self.linker.support(name)}")

    def call_indirect(self, number: int) -> None:
        """Call the function whose place in the table was given, with so many words."""
        kind = self.linker.module.type([I64] * number, [I64])
        self.body.out.append(f"call_indirect (type {kind})")

    def give_up(self) -> None:
        """Leave this match to Python."""
        self.call("give_up")
        self.body.op("unreachable")

    def begin_call(self) -> None:
        """Count a call of what can call itself; one that is too deep is left to Python, which reports it."""
        self._deepen(1)
        self.body.op(f"i32.const {DEPTH}", "i64.load", f"i64.const {DEEPEST}", "i64.gt_s")
        self.body.open("if")
        self.give_up()
        self.body.close()

    def end_call(self) -> None:
        """Count that such a call has ended."""
        self._deepen(-1)

    def _deepen(self, by: int) -> None:
        self.body.op(f"i32.const {DEPTH}", f"i32.const {DEPTH}", "i64.load", f"i64.const {by}", "i64.add", "i64.store")

    def length(self) -> None:
        """Make a word of a list the number of its items."""
        self.body.op("i32.wrap_i64", f"i64.load32_u offset={LEN}")

    def address(self, inline: bool) -> int:
        """Make a word of a list the address of its items, less what is returned."""
        self.body.op("i32.wrap_i64")
        if inline:
            return ITEMS
        self.body.op(f"i32.load offset={DATA}")
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
        self.body.op(f"local.set {at}")

    def items(self, kind: int, parts: list[Callable[[], object]]) -> None:
        """Give an object with items that a function gives as words."""
        held = []
        for part in parts:
            part()
            held.append(self.body.local())
            self.body.op(f"local.set {held[-1]}")
        self.body.op(f"i64.const {kind}", f"i64.const {len(parts)}")
        self.call("new")
        made = self.body.local()
        self.body.op(f"local.set {made}")
        for position, one in enumerate(held):
            self.body.op(f"local.get {made}", "i32.wrap_i64", f"local.get {one}")
            self.body.op(f"i64.store offset={ITEMS + 8 * position}")
        self.body.op(f"local.get {made}")
        self.body.release(made, *held)
