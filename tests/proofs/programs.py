"""Small rules at random, and every way in which they can go: what the checker takes for proven must hold in all.

A program is one rule, ``tried``, with a rule ``helper`` that it may call and sometimes an anytime action. Whatever
may fail in it stands on a line of its own. ``Run`` goes through it in plain Python, from many states and with every
answer. Where something fails, the checker must have said so at that line; such a run ends there, because later
lines may rely on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

PACK = "document: pack\nid: tiny\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Tiny\nplayers: {min: 2, max: 3}\ncomponents: {card: 3}\n"
MODEL = """document: model
kinds:
  card: {fields: {charge: int 1..3 = 1}}
counters:
  coin: {per: player}
  nut: {per: player, max: 3}
  debt: {per: player, min: -2}
  bell: {per: player, max: seats}
  pot: {}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  throne: {of: card, type: spot}
constants:
  ladder: {type: list of int, value: [0, 1, 3, 6]}
"""
CARDS = "document: pieces\nkind: card\nplace: deck\npieces:\n  plain: {copies: 3}\n"
LIMITS = {"coin": (0, None), "nut": (0, 3), "debt": (-2, None), "bell": (0, 2), "pot": (0, None)}
"""Least and most of each counter in a match of two, which is what is played; the checker looks at three as well."""
LADDER = (0, 1, 3, 6)
STIR = [
    "  stir: |",
    "    for p in players:",
    *(f"      set {name}(p) to 0" for name in ("coin", "nut", "debt", "bell")),
    "    set pot to 0",
    "    for c in deck: set c.charge to 2",
]
"""A rule that is never carried out. As it writes all that there is, programs are proven from any state."""
COUNTERS = ("coin", "coin", "nut", "debt", "bell", "pot")
STEPS = 4_000
"""How many effects all runs of one program may take."""

Expr = tuple[Any, ...]
Block = list["Step"]


@dataclass(eq=False)
class Step:
    """One effect: its word, what belongs to it, and the line where it was written."""

    word: str
    parts: tuple[Any, ...] = ()
    blocks: tuple[Block, ...] = ()
    line: int = 0


@dataclass(frozen=True)
class State:
    """All there is: counters by name and player, cards by place, the charge of each, and the variables."""

    counters: dict[tuple[str, int], int]
    places: dict[tuple[str, int], tuple[int, ...]]
    charges: tuple[int, ...]
    variables: dict[str, Any] = field(default_factory=dict)

    def but(self, **changes: Any) -> State:
        """Return the same with something else."""
        return replace(self, **changes)


# ---- writing


def written(expr: Expr) -> str:
    """Write an expression."""
    match expr:
        case ("number", value):
            return f"({value})" if value < 0 else str(value)
        case ("counter", "pot", _):
            return "pot"
        case ("counter", name, who):
            return name if who == "me" else f"{name}({'next(me)' if who == 'next' else who})"
        case ("variable", name):
            return str(name)
        case ("size", place):
            return f"size({place})"
        case ("charge", name):
            return f"{name}.charge"
        case ("ladder", index):
            return f"ladder[{written(index)}]"
        case ("min" | "max" as word, one, two):
            return f"{word}({written(one)}, {written(two)})"
        case ("over", word, name):
            return f"{word}({name}(q) for q in players)"
        case ("either", condition, one, two):
            return f"({written(one)} if {condition_of(condition)} else {written(two)})"
    word, one, two = expr
    return f"({written(one)} {word} {written(two)})"


def condition_of(condition: Expr) -> str:
    """Write a condition."""
    match condition:
        case ("not", of):
            return f"not ({condition_of(of)})"
        case ("and" | "or" as word, one, two):
            return f"({condition_of(one)} {word} {condition_of(two)})"
        case ("hand",):
            return "hand(me)"
        case ("throne",):
            return "throne"
        case ("some", op, name, than):
            return f"any({name}(q) {op} {written(than)} for q in players)"
        case ("can", amount):
            return f"can(helper({written(amount)}))"
    op, one, two = condition
    return f"{written(one)} {op} {written(two)}"


def whose(name: str, who: str) -> str:
    """Write for whom something is gained or lost."""
    return "" if who == "me" or name == "pot" else f" for {'next(me)' if who == 'next' else who}"


HEADS: dict[str, Callable[..., str]] = {
    "gain": lambda amount, name, who: f"gain {written(amount)} {name}{whose(name, who)}",
    "lose": lambda amount, name, who: f"lose {written(amount)} {name}{whose(name, who)}",
    "pay": lambda amount, name: f"pay {written(amount)} {name}",
    "set": lambda name, who, value: f"set {written(('counter', name, who))} to {written(value)}",
    "let": lambda name, value: f"let {name} = {written(value)}",
    "change": lambda name, value: f"set {name} to {written(value)}",
    "charge": lambda card, value: f"set {card}.charge to {written(value)}",
    "require": lambda condition: f"require {condition_of(condition)}",
    "stop": lambda condition: f"stop if {condition_of(condition)}",
    "quit": lambda: "stop",
    "break": lambda condition: f"if {condition_of(condition)}: break",
    "random": lambda name, low, high: f"random {name} in {written(low)}..{written(high)}",
    "call": lambda amount: f"helper({written(amount)})",
    "draw": lambda: "draw 1 from deck to hand(me)",
    "crown": lambda card: f"move {card} to throne",
    "unseat": lambda: "if throne: move throne to deck",
    "if": lambda condition: f"if {condition_of(condition)}:",
    "repeat": lambda times: f"repeat {written(times)} times:",
    "for": lambda name, low, high, where: f"for {name} in {written(low)}..{written(high)} where {condition_of(where)}:",
    "each": lambda name: f"for {name} in players:",
    "hands": lambda name: f"for {name} in hand(me):",
    "loop": lambda: "loop:",
    "as": lambda: "as next(me):",
    "upto": lambda times: f'up to {written(times)} times "more":',
    "may": lambda: 'may "yes":',
    "menu": lambda condition: 'choose one "what":',
    "choose": lambda name, low, high, where, way: (
        f"choose {name} in {written(low)}..{written(high)} where {condition_of(where)}{' or none' if way == 'none' else ''}"
    ),
    "pick": lambda name: f"choose {name} in hand(me)",
}  # fmt: skip


def lines_of(block: Block, depth: int, lines: list[str]) -> None:
    """Write a block, and remember in each step the line where it stands."""
    pad = "  " * depth
    for step in block or [Step("nothing")]:
        if step.word == "nothing":
            lines.append(f"{pad}nothing")
            continue
        lines.append(pad + HEADS[step.word](*step.parts))
        step.line = len(lines)
        if step.word in ("choose", "pick") and step.blocks:
            lines.append(f"{pad}otherwise:")
        elif step.word == "menu":
            for label, inner in zip(("one", "two", "otherwise"), step.blocks, strict=False):
                when = f" when {condition_of(step.parts[0])}" if label == "two" else ""
                lines.append(f'{pad}  "{label}"{when}:' if label != "otherwise" else f"{pad}  otherwise:")
                lines_of(inner, depth + 2, lines)
            continue
        for number, inner in enumerate(step.blocks):
            if number == 1:
                lines.append(f"{pad}else:")
            lines_of(inner, depth + 1, lines)


@dataclass
class Program:
    """What is tried: the rule, the rule that it may call, and whether there is an anytime action."""

    tried: Block
    helper: Block
    anytime: bool = False

    def text(self) -> str:
        """Write the document of rules; the lines of the steps are known from then on."""
        lines = ["document: rules", "rules:", "  match: tried()", "  helper(int n): |"]
        lines_of(self.helper, 2, lines)
        lines.append("  tried: |")
        lines_of(self.tried, 2, lines)
        lines += STIR
        if self.anytime:
            lines += [
                "active: players[0]",
                "anytime:",
                "  sell:",
                "    label: sell",
                "    when: coin > 0",
                "    do: lose 1 coin; gain 1 nut",
            ]
        return "\n".join([*lines, "result: {score: coin}", ""])


# ---- made at random


def names_in(expr: Expr) -> set[str]:
    """Return the variables that an expression names."""
    if expr[0] in ("variable", "charge"):
        return {expr[1]}
    own = {expr[2]} - {"me", "next"} if expr[0] == "counter" else set()
    return own.union(*(names_in(part) for part in expr if isinstance(part, tuple)))


def everything(block: Block) -> Iterator[Step]:
    """Yield every effect of a block, those inside others too."""
    for step in block:
        yield step
        for inner in step.blocks:
            yield from everything(inner)


@dataclass
class Maker:
    """Makes programs; ``names`` are the variables that can be read."""

    draw: Random
    names: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    said: list[Expr] = field(default_factory=list)
    made: int = 0
    helping: bool = False

    def fresh(self) -> str:
        self.made += 1
        return f"v{self.made}"

    def number(self, depth: int = 2) -> Expr:
        """Make a number."""
        draw = self.draw
        kind = draw.randrange(14 if depth else 9)
        if kind < 3:
            return ("number", draw.choice((0, 1, 1, 2, 3, -1)))
        if kind < 6 or (kind < 8 and not self.names):
            name = draw.choice(COUNTERS)
            return ("counter", name, self.who())
        if kind < 8:
            return ("variable", draw.choice(self.names))
        if kind == 8:
            choices: list[Expr] = [
                ("size", draw.choice(("hand(me)", "deck"))),
                ("over", draw.choice(("sum", "max", "min")), "coin"),
            ]
            return draw.choice([*choices, *(("charge", card) for card in self.cards for _ in (1, 2))])
        if kind < 12:
            return (draw.choice(("+", "+", "-", "-", "*")), self.number(depth - 1), self.number(depth - 1))
        if kind == 12:
            return (draw.choice(("min", "max")), self.number(depth - 1), self.number(depth - 1))
        return ("either", self.condition(0), self.number(depth - 1), self.number(depth - 1))

    def who(self) -> str:
        """Make a player."""
        return self.draw.choice(("me", "me", "me", "next", *self.people, *self.people))

    def amount(self, least: int = 0) -> Expr:
        """Make an amount: one below 0 that is written as a number would be refused."""
        found = self.number(self.draw.choice((0, 0, 1)))
        return ("number", max(least, found[1])) if found[0] == "number" else found

    def small(self) -> Expr:
        """Make a number that is mostly plain."""
        return self.number(self.draw.choice((0, 0, 1)))

    def condition(self, depth: int = 1) -> Expr:
        """Make a condition, often one that stood before, or that says less: there is something to prove then."""
        before = [one for one in self.said if names_in(one) <= {*self.names, *self.people, *self.cards}]
        if before and self.draw.random() < 0.4:
            found = self.weaker(self.draw.choice(before))
        else:
            found = self.new_condition(depth)
        self.said.append(found)
        return found

    def weaker(self, condition: Expr) -> Expr:
        """Return a condition, or one that follows from it."""
        draw = self.draw
        match condition:
            case (">=" | ">" as op, one, two) if draw.random() < 0.5:
                return (
                    (">=", one, two) if draw.random() < 0.5 else (op, one, ("-", two, ("number", draw.choice((1, 2)))))
                )
            case ("==", one, two) if draw.random() < 0.5:
                return (draw.choice((">=", "<=")), one, two)
            case ("and", one, two) if draw.random() < 0.5:
                return draw.choice((one, two))
        return condition

    def new_condition(self, depth: int) -> Expr:
        """Make another condition."""
        draw = self.draw
        kind = draw.randrange(10)
        if kind == 0 and depth:
            return ("not", self.new_condition(depth - 1))
        if kind < 4 and depth:
            return (draw.choice(("and", "or")), self.new_condition(depth - 1), self.new_condition(depth - 1))
        if kind == 4:
            return draw.choice([("hand",), ("throne",), ("some", draw.choice((">", "<=")), "coin", self.small())])
        op = draw.choice((">=", ">", "<=", "<", "==", "!="))
        return (op, self.small(), self.small())

    def block(self, depth: int, most: int = 4) -> Block:
        """Make a block; what it names is not known behind it."""
        known, said = list(self.names), list(self.said)
        found: Block = []
        for _ in range(self.draw.randint(1, most)):
            found += self.steps(depth)
        self.names = known
        self.said = said + self.said[len(said) :][:3]  # what was said inside may be tried behind it, too
        return found

    def steps(self, depth: int) -> Block:
        """Make an effect, sometimes with one more that may fail because of it."""
        draw = self.draw
        kind = draw.randrange(34 if depth else 20)
        name, who = draw.choice(COUNTERS), self.who()
        if kind < 4:
            return [Step(draw.choice(("gain", "lose")), (self.amount(), name, who))]
        if kind < 7:
            amount, name = self.amount(), draw.choice(("coin", "coin", "nut", "debt"))
            self.said.append((">=", ("counter", name, "me"), amount))
            return [Step("pay", (amount, name))]
        if kind == 7:
            return [Step("set", (name, who, self.amount()))]
        if kind < 10:
            value, new = self.number(), self.fresh()
            self.names.append(new)
            self.said.append((draw.choice(("==", ">=", "<=")), ("variable", new), value))
            return [Step("let", (new, value))]
        if kind == 10 and [n for n in self.names if n.startswith("v")]:
            return [Step("change", (draw.choice([n for n in self.names if n.startswith("v")]), self.number(1)))]
        if kind < 15:
            return [Step("require", (self.condition(),))]
        if kind == 15:
            new = self.fresh()
            value = (draw.choice(("div", "mod")), self.small(), self.small())
            return [Step("let", (new, value))]
        if kind == 16:
            return [Step("let", (self.fresh(), ("ladder", self.small())))]
        if kind == 17:
            low, high, new = self.small(), self.small(), self.fresh()
            self.names.append(new)
            return [Step("random", (new, low, high))]
        if kind == 18:
            return [Step("call", (self.small(),))] if not self.helping else [Step("stop", (self.condition(),))]
        if kind == 19:
            return [draw.choice([Step("draw"), Step("unseat")])]
        return self.blocks(kind - 20, depth - 1)

    def blocks(self, kind: int, depth: int) -> Block:
        """Make an effect with blocks inside."""
        draw = self.draw
        if kind < 4:
            condition = self.condition()
            return [
                Step("if", (condition,), (self.block(depth), *([self.block(depth)] if draw.random() < 0.4 else [])))
            ]
        if kind == 4:
            return [Step("repeat", (self.small(),), (self.block(depth, 3),))]
        if kind == 5:
            low, high, new = self.small(), self.small(), self.fresh().replace("v", "k")
            self.names.append(new)
            where, body = self.condition(), self.block(depth, 3)
            self.names.remove(new)
            return [Step("for", (new, low, high, where), (body,))]
        if kind == 6:
            return [
                Step("loop", (), ([*self.block(depth, 2), Step("break", (self.condition(0),)), *self.block(depth, 2)],))
            ]
        if kind == 7 and draw.random() < 0.5:
            return [Step("as", (), (self.block(depth),))]
        if kind == 7:
            new = self.fresh().replace("v", "p")
            self.people.append(new)
            body = self.block(depth)
            self.people.remove(new)
            return [Step("each", (new,), (body,))]
        if kind == 8:
            return [Step("upto", (self.small(),), (self.block(depth, 3),))]
        if kind == 9:
            return [Step("may", (), (self.block(depth, 3),))]
        if kind == 10:
            condition = self.condition()
            bodies = [self.block(depth, 3) for _ in range(draw.choice((2, 3)))]
            return [Step("menu", (condition,), tuple(bodies))]
        if kind < 13:
            return self.choice(depth)
        card = self.fresh().replace("v", "card_")
        self.cards.append(card)
        inner = [*self.block(depth, 2), Step("charge", (card, self.amount(1))), *self.block(0, 2)]
        inner += [Step("crown", (card,))] if draw.random() < 0.5 else []
        self.cards.remove(card)
        if draw.random() < 0.5:
            return [Step("hands", (card,), (inner,))]
        return [Step("pick", (card,), ([Step("quit")],)), *inner]

    def choice(self, depth: int) -> Block:
        """Make a choice among numbers: it may be empty, be declined, or have another way."""
        low, high, new = self.small(), self.small(), self.fresh().replace("v", "k")
        way = self.draw.choice(("", "", "none", "otherwise"))
        self.names.append(new)
        where = self.condition()
        self.names.remove(new)
        if way == "none":
            return [Step("choose", (new, low, high, where, way))]
        if way:
            other = [*self.block(depth, 2), Step("quit")]
            if self.draw.random() < 0.5:
                return [Step("choose", (new, low, high, where, way), (other[:-1],))]
            self.names.append(new)
            return [Step("choose", (new, low, high, where, way), (other,))]
        self.names.append(new)
        return [Step("choose", (new, low, high, where, way))]

    def program(self) -> Program:
        """Make a program; what is tried begins with a change, so that nothing is asked before it."""
        self.helping, self.names = True, ["n"]
        helper = self.block(1, 3)
        self.helping, self.names, self.said = False, [], []
        tried = [Step("gain", (("number", 1), "pot", "me")), *self.block(2, 6)]
        return Program(tried, helper, self.draw.random() < 0.3)
