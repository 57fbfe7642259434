"""Keep the blocks and frames of the rule that is being compiled.

A rule that may ask becomes a list of block functions ``b(s, f)`` over the state and the frame. A frame is a list: the
number of the block that comes next, me, the slot of the caller that takes what the rule returns (0: none), then
parameters and variables. A block ends by setting ``f[0]`` and returning None (go on), by pushing or popping frames, or
by returning a list of options (ask).
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from patolli.language.diagnostics import Span
from patolli.language.program import effects as e
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Rule
from patolli.language.program.preconditions import ALWAYS, Demand
from patolli.run.compiler import build as b
from patolli.run.compiler import narration
from patolli.run.compiler.affected import Affected
from patolli.run.compiler.asked import Holding, Question
from patolli.run.compiler.effects import Effects
from patolli.run.compiler.unit import Context, Read, Unit

ME, HEAD = 1, 3  # next block, me, return slot
Call = tuple[str, int, str]
"""File, line and rule of a call."""


@dataclass(slots=True)
class Block:
    """A block in the making."""

    number: int
    body: list[ast.stmt] = field(default_factory=list)
    closed: bool = False


class Blocks(Effects):
    """What all parts of the compiler of asking rules share: open blocks, frames and their slots."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(unit)
        self.questions: dict[int, Question] = {}
        self.blocks: list[str] = []
        self.entries: dict[str, int] = {}
        self.jumps: dict[int, int] = {}
        self.calls: dict[int, Call] = {}
        self.rule: Rule | None = None
        self.slots: dict[Variable, int] = {}
        self.items: dict[int, tuple[Variable, ...]] = {}  # slots that hold what a loop goes through
        self.holding: dict[int, Holding] = {}
        self.free = HEAD
        self.block: Block | None = None
        self.exits: list[int | None] = []
        self.span: Span | None = None
        self.together = False  # whether others answer at the same time as what is being compiled
        self.secret: set[int] = set()  # the blocks of what no other player learns before all have chosen
        self.affected: Affected | None = None
        self.due: dict[int, int] = defaultdict(int)  # by block, the invariants that it may break
        self.demand: Demand = ALWAYS  # what is demanded from the effect on that is being compiled

    # -- blocks

    def number(self) -> int:
        """Reserve the number of a new block."""
        self.blocks.append("")
        return len(self.blocks) - 1

    def behind(self) -> int:
        """Reserve the number of the block that goes on behind a call, and keep where the call stands."""
        number = self.number()
        assert self.span is not None
        self.calls[number] = (self.span.path, self.span.line, self.unit.current)
        return number

    def open(self, number: int | None = None) -> int:
        """Start a block."""
        self.block = Block(self.number() if number is None else number)
        self.holding[self.block.number] = Holding(self.slots, self.items)
        if self.together:
            self.secret.add(self.block.number)
        return self.block.number

    def add(self, *statements: ast.stmt) -> None:
        """Add statements to the open block."""
        assert self.block is not None
        line = self.span.line if self.span is not None else 1
        for statement in statements:
            b.place(statement, line)
        if not self.block.closed:
            self.block.body.extend(statements)

    def close(self, *statements: ast.stmt) -> None:
        """End the open block."""
        assert self.block is not None
        assert self.span is not None
        self.add(*statements)
        if self.block.closed:
            return
        self.block.closed = True
        target = _jump(self.block.body)
        waits = self.together and self.block.number in self.calls  # a frame that waits says by it where it stands
        if target is not None and target != self.block.number and not waits:
            self.jumps[self.block.number] = target
            return
        id_ = self.unit.fresh("b")
        self.blocks[self.block.number] = id_
        self.unit.define(id_, ["s", "f"], self.block.body, self.span)

    def go(self, number: int) -> list[ast.stmt]:
        """Return the statements that go on with another block."""
        return [b.assign(b.item("f", 0), b.const(number)), b.give(b.const(None))]

    def landing(self, number: int) -> int:
        """Return the block in which a chain of mere jumps ends."""
        seen = {number}
        while number in self.jumps and self.jumps[number] not in seen:
            number = self.jumps[number]
            seen.add(number)
        return number

    def follow(self) -> int:
        """End the open block by going on with a new one, and open that."""
        number = self.number()
        self.close(*self.go(number))
        return self.open(number)

    # -- frames

    def slot_of(self, variable: Variable) -> int:
        """Return the slot of a variable of the rule."""
        if variable not in self.slots:
            self.slots[variable] = self.free
            self.free += 1
        return self.slots[variable]

    def temporary(self, *items: Variable) -> int:
        """Return a slot that nothing else uses; it may hold the values that a loop gives to some variables."""
        self.free += 1
        if items:
            self.items[self.free - 1] = items
        return self.free - 1

    def in_frame(self, c: Context, *variables: Variable) -> Context:
        """Return a context in which variables live in the frame."""
        return c.with_({v: slot_reader(self.slot_of(v)) for v in variables})

    def declare(self, variable: Variable, c: Context) -> Context:
        """Bring a variable into scope; it lives in the frame."""
        return self.in_frame(c, variable)

    def leave(self, value: ast.expr | None) -> list[ast.stmt]:
        """Leave the rule: its frame goes."""
        ended = narration.report_rule_end(self.unit, self.left)
        if value is None:
            return [*ended, b.do(b.method(b.item("s", 0), "pop")), b.give(b.const(None))]
        return [b.do(b.call("give_back", b.item("s", 0), b.name("f"), value)), *ended, b.give(b.const(None))]

    def break_(self) -> list[ast.stmt]:
        """Leave the innermost loop, which may have been cut into blocks."""
        exit_ = self.exits[-1] if self.exits else None
        return [ast.Break()] if exit_ is None else self.go(exit_)

    def entry(self, name: str) -> int:
        """Return the first block of an asking rule."""
        if name not in self.entries:
            self.entries[name] = self.number()
        return self.entries[name]

    def push_frame(self, rule: str, me: ast.expr, ret: int, arguments: list[ast.expr]) -> ast.stmt:
        """Return the statement that pushes the frame of a rule."""
        head = ast.List([b.const(self.entry(rule)), me, b.const(ret), *arguments], ast.Load())
        frame = ast.BinOp(head, ast.Add(), b.name(f"PAD_{self.entry(rule)}"))
        return b.do(b.method(b.item("s", 0), "append", frame))

    # -- rules

    def compile_rule(self, rule: Rule) -> None:
        """Compile one rule into blocks."""
        self.rule, self.slots, self.items, self.free, self.exits, self.together = rule, {}, {}, HEAD, [], False
        self.me, self.left = rule.me, rule.name
        c = Context(self.unit, {rule.me: slot_reader(ME)})
        c = self.in_frame(c, *rule.parameters)
        self.span = rule.block[0].span if rule.block else rule.span
        self.open(self.entry(rule.name))
        self.run(rule.block, c)
        self.close(*self.leave(None))
        self.unit.space[f"PAD_{self.entry(rule.name)}"] = [0] * (self.free - HEAD - len(rule.parameters))

    def run(self, block: e.Block, c: Context, then: Demand = ALWAYS) -> None:
        """Compile effects into the open block and those that follow; *then* is what is demanded behind them."""
        demands = self.unit.proven.preconditions.behind(block, then)
        for position, effect in enumerate(block):
            path = self.span.path if self.span is not None else ""
            if effect.span.path != path and self.block is not None and not self.block.closed:
                self.follow()
            self.span = effect.span
            if self.unit.framing.cuts(effect):
                self.demand = demands[position]
                begun, made = self.block, len(self.blocks)
                c = self.handlers["ask"][type(effect)](self, effect, demands[position + 1], c) or c
                if self.affected is not None and begun is not None:
                    self._mark_due(self.affected.by_itself(effect), (begun.number, *range(made, len(self.blocks))))
            else:
                exits = len(self.exits)
                if self.affected is not None and self.block is not None:
                    self._mark_due(self.affected.by_all_of(effect), (self.block.number,))
                c, statements = self.statement(effect, c)
                assert len(self.exits) == exits
                self.add(*statements)
                if isinstance(effect, e.Return | e.Break | e.EndMatch):
                    self.close()

    def _mark_due(self, invariants: int, blocks: Iterable[int]) -> None:
        for number in blocks if invariants else ():
            self.due[number] |= invariants


def slot_reader(slot: int) -> Read:
    """Return what reads a slot of the frame."""
    return lambda: b.item("f", slot)


def slots_in(c: Context) -> dict[Variable, int]:
    """Return in which slots of the frame the variables of a context lie."""
    found: dict[Variable, int] = {}
    for variable, read in c.variables.items():
        match read():
            case ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant(value=int(slot))):
                found[variable] = slot
    return found


def _jump(body: list[ast.stmt]) -> int | None:
    """Return where a block goes on when it does nothing else."""
    if len(body) != 2 or not isinstance(body[0], ast.Assign) or not isinstance(body[0].value, ast.Constant):
        return None
    target = body[0].targets[0]
    frame = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == "f"
    index = target.slice if isinstance(target, ast.Subscript) else None
    if frame and isinstance(index, ast.Constant) and index.value == 0 and isinstance(body[1], ast.Return):
        return int(body[0].value.value)  # type: ignore[arg-type]
    return None
