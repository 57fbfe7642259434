"""Make packs of small random rules, to compare what the checker proves with what then happens.

Nothing in a rule made here is wrong by itself: names are known and types fit. What is left to chance is what the
proofs are about: whether something can be paid, chosen or carried out where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Protocol, TypeVar

from patolli.runtime import Match, Ruleset, inspect

T = TypeVar("T")
PACK = """document: pack
id: maze
version: 1.0.0
language: 1
title: Maze
text: Rules made by chance.
players: {min: 2, max: 2}
"""
MODEL = """document: model
kinds:
  card:
    facts: {price: cost = none, worth: int = 1, effect: effect = nothing}
    fields: {used: bool = false}
  ghost: {}
counters:
  coin: {per: player, start: 1}
  nut: {per: player, start: 1}
  seed: {per: player, max: 3}
  gem: {per: player, start: 1}
  debt: {per: player, min: -2}
  tally: {per: [player, mood]}
  turn: {}
enums:
  mood: [calm, wild]
groups:
  good: [nut, seed]
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  desk: {of: card, type: spot}
  tomb: {of: ghost, type: pile}
"""
CARDS = """document: pieces
kind: card
place: deck
pieces:
  plain: {copies: 2}
  dear: {copies: 2, price: 2 coin, worth: 2}
  odd: {copies: 2, price: 1 coin and 1 any good, worth: 3}
"""
MATCH = """  setup: |
    for p in players: as p: draw 1 from deck to hand(me)
  match: |
    repeat 8 times:
      gain 1 turn
      for p in players: as p:
        choose one:
          "take": gain 1 coin and 1 nut; draw 1 from deck to hand(me)
          "drop" when hand(me) or coin > 0: lose 1 coin; lose 1 nut; for c in hand(me): move c to deck
"""


class Source(Protocol):
    """Where chance comes from: a generator of random numbers, or what hypothesis draws."""

    def pick(self, items: Sequence[T]) -> T:
        """Return one of some items; simple ones stand first."""
        ...


@dataclass
class Dice:
    """Chance from a seed."""

    random: Random

    def pick(self, items: Sequence[T]) -> T:
        """Return one of some items."""
        return self.random.choice(items)


@dataclass(frozen=True)
class Scope:
    """The variables by type, what kind of loop stands around, and how deep."""

    ints: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    goods: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    loop: bool = False
    depth: int = 0
    ends: bool = True

    def deeper(self, **changes: object) -> Scope:
        """Return the scope of an inner block."""
        return replace(self, depth=self.depth + 1, **changes)  # type: ignore[arg-type]


@dataclass
class Maker:
    """Writes the rules; each knows those before it."""

    source: Source
    rules: dict[str, str] = field(default_factory=dict)
    names: int = 0

    def fresh(self, letter: str) -> str:
        """Return a name for a variable that nothing else has."""
        self.names += 1
        return f"{letter}{self.names}"

    def one(self, *made: Callable[[], T]) -> T:
        """Make one of several things."""
        return self.source.pick(made)()

    # -- expressions

    def number(self, scope: Scope, small: bool = False) -> str:
        """Write a whole number."""
        pick = self.source.pick
        simple: list[str] = ["1", "2", "0", "coin", "nut", "debt", *scope.ints, *scope.ints]
        simple += [f"{c}.worth" for c in scope.cards] + [f"have({g})" for g in scope.goods]
        if small or pick((True, True, False)):
            return pick(simple)
        return self.one(
            lambda: "count(hand(me))",
            lambda: f"min({pick(simple)}, {pick(simple)})",
            lambda: f"max(0, {pick(simple)} - 1)",
            lambda: f"coin({self.who(scope)})",
            lambda: f"({pick(simple)} if {self.truth(scope)} else {pick(simple)})",
            lambda: f"tally({self.mood()})",
        )

    def mood(self) -> str:
        """Write a member of an enumeration."""
        return self.source.pick(("calm", "wild"))

    def who(self, scope: Scope) -> str:
        """Write a player."""
        return self.source.pick(("next(me)", "me", *scope.people))

    def truth(self, scope: Scope) -> str:
        """Write a condition."""
        pick = self.source.pick
        op = pick((">=", ">", "==", "<", "<="))
        made: list[Callable[[], str]] = [
            lambda: f"{pick(('coin', 'nut', 'seed', 'gem'))} {op} {self.number(scope, True)}",
            lambda: f"{pick(('coin', 'nut', 'seed', 'gem'))} >= {pick((1, 2))}",
            lambda: "hand(me)",
            lambda: "any(h in hand(me) where h.used)",
            lambda: f"size({pick(('hand(me)', 'deck', 'tomb'))}) > 0",
            lambda: "turn mod 2 == 0",
            lambda: f"{self.number(scope, True)} {op} {self.number(scope, True)}",
        ]
        if self.rules and scope.depth < 4:
            made.append(lambda: f"can({self.call(scope)})")
            made.append(lambda: f"not can({self.call(scope)})")
        if scope.cards:
            made.append(lambda: f"payable({pick(scope.cards)}.price)")
            made.append(lambda: f"{pick(scope.cards)}.used")
        if scope.goods:
            made.append(lambda: f"have({pick(scope.goods)}) >= {pick((1, 2))}")
        if scope.depth < 3:
            inner = replace(scope, depth=scope.depth + 2)
            made.append(lambda: f"({self.truth(inner)} {pick(('and', 'or'))} {self.truth(inner)})")
        return pick(made)()

    def cost(self, scope: Scope) -> str:
        """Write what is paid."""
        pick = self.source.pick
        item: list[Callable[[], str]] = [
            lambda: f"{pick((1, 2))} {pick(('coin', 'nut', 'seed', 'gem'))}",
            lambda: f"{self.number(scope, True)} coin",
            lambda: f"{pick((1, 2))} any good",
            lambda: f"1 tally({self.mood()})",
        ]
        if scope.goods:
            item.append(lambda: f"1 {pick(scope.goods)}")
        if scope.cards:
            item.append(lambda: f"{pick(scope.cards)}.price")
        parts = [pick(item)() for _ in range(pick((1, 1, 2)))]
        return " and ".join(parts) + pick(("", "", " as fee"))

    def items(self, scope: Scope) -> tuple[str, str]:
        """Write a list, and say what it holds."""
        pick = self.source.pick
        c = self.fresh("c")
        made: list[tuple[str, str]] = [
            ("ints", "1..2"), ("ints", f"0..{self.number(scope, True)}"), ("ints", f"1..{self.number(scope, True)}"),
            ("cards", "hand(me)"), ("cards", "card"), ("cards", f"[{c} in hand(me) where not {c}.used]"),
            ("goods", "good"), ("people", "players"), ("people", "others(me)"), ("cards", "deck"),
        ]  # fmt: skip
        return pick(made)

    def test_of(self, sort: str, name: str, scope: Scope) -> str:
        """Write a condition about a variable that is being chosen."""
        pick = self.source.pick
        inner = replace(scope, **{sort: (*getattr(scope, sort), name)})
        own = {
            "ints": f"{name} <= coin",
            "cards": pick((f"payable({name}.price)", f"{name}.used", f"{name}.worth > 1")),
            "goods": f"have({name}) > 0",
            "people": f"coin({name}) > 0",
        }[sort]
        return self.one(lambda: own, lambda: self.truth(replace(inner, depth=3)))

    def call(self, scope: Scope) -> str:
        """Write the call of a rule that was made before."""
        pick = self.source.pick
        name = pick(list(self.rules))
        arguments = {
            "": lambda: "",
            "int n": lambda: self.number(scope, True),
            "card": lambda: pick((*scope.cards, "dear_1", "odd_1")),
            "good g": lambda: pick((*scope.goods, "nut")),
        }[self.rules[name]]()
        return f"{name}({arguments})"

    # -- effects

    def block(self, scope: Scope, most: int = 3) -> list[str]:
        """Write effects, one after another, as lines."""
        lines: list[str] = []
        for _ in range(self.source.pick(range(1, most + 1))):
            more, scope = self.effect(scope)
            lines += more
        return lines

    def inner(self, head: str, scope: Scope, most: int = 2) -> list[str]:
        """Write a header and its block."""
        return [f"{head}:", *(f"  {line}" for line in self.block(scope, most))]

    def effect(self, scope: Scope) -> tuple[list[str], Scope]:
        """Write an effect; return the scope behind it."""
        pick = self.source.pick
        kinds = ["pay", "change", "stop", "let", "choose", "require", "call", "set"]
        if scope.depth < 3:
            kinds += ["if", "if", "may", "menu", "as", "up to", "for", "repeat", "loop", "pass"]
        return getattr(self, f"_{pick(kinds).replace(' ', '_')}")(scope)  # type: ignore[no-any-return]

    def _pay(self, scope: Scope) -> tuple[list[str], Scope]:
        return [f"pay {self.cost(scope)}"], scope

    def _change(self, scope: Scope) -> tuple[list[str], Scope]:
        pick = self.source.pick
        made = [
            "gain 1 coin", "gain 1 nut", "lose 1 coin", "lose 2 nut", "draw 1 from deck to hand(me)", "gain 1 any good",
            "set coin to 0", f"gain 1 tally({self.mood()})", f"lose 1 coin for {self.who(scope)}", "nothing",
            'say "so"', "lose 1 debt",
        ]  # fmt: skip
        made += [f"move {c} to {pick(('hand(me)', 'deck'))}" for c in scope.cards]
        made += [f"set {c}.used to true" for c in scope.cards] + [f"do {c}.effect" for c in scope.cards]
        made += [f"gain 1 {g}" for g in scope.goods]
        return [pick(made)], scope

    def _stop(self, scope: Scope) -> tuple[list[str], Scope]:
        made = [f"stop if {self.truth(scope)}", f"stop unless {self.truth(scope)}"]
        if scope.loop:
            made.append(f"if {self.truth(scope)}: break")
        return [self.source.pick(made)], scope

    def _let(self, scope: Scope) -> tuple[list[str], Scope]:
        name = self.fresh("n")
        value = self.number(scope)
        givers = [r for r in self.rules if r.startswith("give")]
        if givers and self.source.pick((True, False)):
            value = f"{self.source.pick(givers)}()"
        return [f"let {name} = {value}"], replace(scope, ints=(*scope.ints, name))

    def _set(self, scope: Scope) -> tuple[list[str], Scope]:
        own = [n for n in scope.ints if n.startswith("n") and n != "n"]
        if not own:
            return self._let(scope)
        return [f"set {self.source.pick(own)} to {self.number(scope)}"], scope

    def _require(self, scope: Scope) -> tuple[list[str], Scope]:
        return [f"require {self.truth(scope)}"], scope

    def _call(self, scope: Scope) -> tuple[list[str], Scope]:
        return ([self.call(scope)] if self.rules else ["nothing"]), scope

    def _choose(self, scope: Scope) -> tuple[list[str], Scope]:
        pick = self.source.pick
        sort, items = self.items(scope)
        name = self.fresh("x")
        where = f" where {self.test_of(sort, name, scope)}" if pick((False, True)) else ""
        after = replace(scope, **{sort: (*getattr(scope, sort), name)})
        lines = [f"choose {name} in {items}{where}"]
        way = pick(("", "", "or none", "otherwise", "stopping"))
        if way == "or none":
            lines[0] += " or none"
            lines += [f"stop unless {name}"] if pick((True, False)) else [f"if {name}: nothing"]
            return lines, (after if lines[1].startswith("stop") else scope)
        if way == "otherwise":
            return [*lines, *self.inner("otherwise", scope.deeper())], scope
        if way == "stopping":
            return [*lines, "otherwise: stop"], after
        return lines, after

    def _if(self, scope: Scope) -> tuple[list[str], Scope]:
        pick = self.source.pick
        lines = self.inner(f"if {self.truth(scope)}", scope.deeper())
        if pick((False, False, True)):
            lines.append("  stop")
        if pick((False, True)):
            lines += self.inner("else", scope.deeper())
        return lines, scope

    def _may(self, scope: Scope) -> tuple[list[str], Scope]:
        return self.inner('may "do it"', scope.deeper()), scope

    def _menu(self, scope: Scope) -> tuple[list[str], Scope]:
        pick = self.source.pick
        lines = ["choose one:"]
        for label in "ab"[: pick((1, 2))]:
            when = f" when {self.truth(scope)}" if pick((False, True)) else ""
            if pick((True, False)):
                lines += [f"  {x}" for x in self.inner(f'"{label}"{when}', scope.deeper())]
                continue
            sort, items = self.items(scope)
            name = self.fresh("x")
            where = f" where {self.test_of(sort, name, scope)}" if pick((False, True)) else ""
            inner = scope.deeper(**{sort: (*getattr(scope, sort), name)})
            lines += [f"  {x}" for x in self.inner(f'for {name} in {items}{where} "{label}"', inner)]
        if pick((False, True)):
            lines += [f"  {x}" for x in self.inner("otherwise", scope.deeper())]
        return lines, scope

    def _as(self, scope: Scope) -> tuple[list[str], Scope]:
        return self.inner(f"as {self.who(scope)}", scope.deeper()), scope

    def _pass(self, scope: Scope) -> tuple[list[str], Scope]:
        return [f"pass to {self.who(scope)}"], scope

    def _up_to(self, scope: Scope) -> tuple[list[str], Scope]:
        return self.inner(f"up to {self.number(scope, True)} times", scope.deeper(loop=True)), scope

    def _repeat(self, scope: Scope) -> tuple[list[str], Scope]:
        return self.inner(f"repeat {self.source.pick((2, 1))} times", scope.deeper(loop=True)), scope

    def _for(self, scope: Scope) -> tuple[list[str], Scope]:
        sort, items = self.items(scope)
        name = self.fresh("y")
        order = self.source.pick(("", "", " in any order"))
        return self.inner(
            f"for {name} in {items}{order}", scope.deeper(loop=True, **{sort: (*getattr(scope, sort), name)})
        ), scope

    def _loop(self, scope: Scope) -> tuple[list[str], Scope]:
        lines = self.inner("loop", scope.deeper(loop=True))
        return [*lines, "  break"], scope

    # -- whole rules

    def rule(self) -> list[str]:
        """Write a rule as lines; later ones may call it."""
        pick = self.source.pick
        number = len(self.rules) + 1
        if pick((False, False, False, True)):
            name, parameter = f"give_{number}", ""
        else:
            name, parameter = f"rule_{number}", pick(("", "", "int n", "card", "good g"))
        scope = {
            "": Scope(), "int n": Scope(ints=("n",)), "card": Scope(cards=("card",)), "good g": Scope(goods=("g",)),
        }[parameter]  # fmt: skip
        lines = self.block(scope, 4)
        if name.startswith("give"):
            lines.append(f"return {self.number(Scope())}")
        self.rules[name] = parameter
        return [f"  {name}({parameter}): |" if parameter else f"  {name}: |", *(f"    {line}" for line in lines)]

    def trigger(self) -> list[str]:
        """Write a trigger of some rule."""
        name = self.source.pick(list(self.rules))
        parameter = self.rules[name].split()
        scope = {"int": Scope(ints=("n",)), "card": Scope(cards=("card",)), "good": Scope(goods=("g",))}
        lines = [f"    {self.source.pick(('after', 'before'))}: {name}", "    do: |"]
        return lines + [f"      {x}" for x in self.block(scope.get(parameter[0] if parameter else "", Scope()), 2)]

    def maze(self, rules: int, triggers: int = 0, extras: str = "") -> Maze:
        """Write a whole document."""
        made = [self.rule() for _ in range(rules)]
        written = dict(zip(self.rules, made, strict=True))
        return Maze(written, dict(self.rules), {f"hook_{i}": self.trigger() for i in range(triggers)}, extras)


@dataclass
class Maze:
    """Rules and triggers as lines, by name; in its match each rule may be chosen."""

    rules: dict[str, list[str]]
    parameters: dict[str, str]
    triggers: dict[str, list[str]]
    extras: str = ""

    def lines(self) -> list[tuple[str, str]]:
        """Return the document line by line, each with the name of what it belongs to."""
        found = [("", line) for line in ("document: rules", "rules:", *MATCH.splitlines())]
        for name in self.rules:
            binder = {"int n": "k in 1..3", "card": "k in card", "good g": "k in good"}.get(self.parameters[name])
            line = f'for {binder} "{name}": {name}(k)' if binder else f'"{name}": {name}()'
            found.append(("", f"          {line}"))
        found += [(name, line) for name, lines in self.rules.items() for line in lines]
        if self.triggers:
            found.append(("", "triggers:"))
        for name, lines in self.triggers.items():
            found += [(name, line) for line in (f"  {name}:", *lines)]
        return found + [("", line) for line in self.extras.splitlines()]

    def text(self) -> str:
        """Return the document."""
        return "".join(f"{line}\n" for _, line in self.lines())

    def drop(self, bad: set[str]) -> None:
        """Take rules and triggers out, with those that mention them."""
        both = {**self.rules, **self.triggers}
        while more := {n for n, lines in both.items() if n not in bad and bad & set(re.findall(r"\w+", str(lines)))}:
            bad |= more
        self.rules = {name: lines for name, lines in self.rules.items() if name not in bad}
        self.triggers = {name: lines for name, lines in self.triggers.items() if name not in bad}


EXTRAS = {
    "": "",
    "money": """substitutions:
  wild: {give: 1 gem, for: 1 good}
  change: {give: 2 coin, for: up to 2 seed, when: nut > 0}
discounts:
  regular: {on: fee, less: 1 of coin, when: count(hand(me)) >= 2, do: set seed to 0}
waivers:
  free: {each: c in hand(me), when: not c.used, on: fee, of: nut, do: set c.used to true}
""",
    "anytime": """anytime:
  spend: {label: spend, when: coin > 0, do: pay 1 coin; gain 1 seed}
  throw: {each: c in hand(me), label: throw, do: move c to deck}
""",
}


def sound_part(folder: Path, maze: Maze) -> Ruleset | None:
    """Take out of a maze what the checker refuses, and what calls that; load the rest, None when there is none."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("pack", PACK), ("model", MODEL), ("cards", CARDS)):
        (folder / f"{name}.yaml").write_text(text)
    while maze.rules:
        (folder / "rules.yaml").write_text(maze.text())
        ruleset, problems = inspect(str(folder))
        errors = [p for p in problems if p.severity == "error"]
        if not errors:
            return ruleset
        assert {p.code[:3] for p in errors} == {"P04"}, [(p.code, p.message) for p in errors]
        lines = maze.lines()
        bad = {lines[p.span.line - 1][0] for p in errors}
        assert bad != {""}, [p.message for p in errors]
        maze.drop(bad - {""})
    return None


def play(ruleset: Ruleset, seed: int, most: int = 60) -> Match:
    """Play by chance; nobody ever runs out of options, and nothing that is paid was not there."""
    match = ruleset.start(2, seed)
    draw = Random(seed)
    for _ in range(most):
        check(match)
        if match.pending is None:
            return match
        assert match.pending, "a question without an option"
        match.pick(draw.randrange(len(match.pending)))
    return match


def check(match: Match) -> None:
    """See that no counter is below its least."""
    for counter in match.ruleset.model.counters.values():
        base, sizes = match.program.layout.counters[counter.name]
        number = 1
        for size in sizes:
            number *= size
        for slot in range(base, base + number):
            assert match.state[slot] >= counter.low, f"{counter.name} is {match.state[slot]}"
