"""Write expressions by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from mazemaker.chance import Scope, Source, T


@dataclass
class Expressions:
    """Writes expressions; ``rules`` and ``functions`` are those that are there already, with their parameters."""

    source: Source
    rules: dict[str, str] = field(default_factory=dict)
    functions: dict[str, tuple[str, str]] = field(default_factory=dict)
    chips: bool = False
    names: int = 0

    def fresh(self, letter: str) -> str:
        """Return a name for a variable that nothing else has."""
        self.names += 1
        return f"{letter}{self.names}"

    def one(self, *made: Callable[[], T]) -> T:
        """Make one of several things."""
        return self.source.pick(made)()

    def number(self, scope: Scope, small: bool = False) -> str:
        """Write a whole number."""
        pick = self.source.pick
        simple: list[str] = ["1", "2", "0", "coin", "nut", "debt", *scope.ints, *scope.ints]
        simple += [f"{c}.worth" for c in scope.cards] + [f"have({g})" for g in scope.goods]
        simple += self.called("int", scope)
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
            lambda: pick((*self.called("bool", scope), "bid > 0")),
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
            lambda: f"{self.number(scope, True)} {pick(('nut', 'seed'))}",
            lambda: f"{pick((1, 2))} any good",
            lambda: f"{self.number(scope, True)} any good",
            lambda: f"1 tally({self.mood()})",
        ]
        if scope.goods:
            item.append(lambda: f"1 {pick(scope.goods)}")
        if scope.cards:
            item.append(lambda: f"{pick(scope.cards)}.price")
        if self.chips:
            item += [lambda: f"{pick((1, 2))} chip", lambda: f"{pick((1, 2))} any pot"]
        parts = [pick(item)() for _ in range(pick((1, 1, 2)))]
        return " and ".join(parts) + pick(("", "", " as fee", " as toll"))

    def items(self, scope: Scope) -> tuple[str, str]:
        """Write a list, and say what it holds."""
        pick = self.source.pick
        c = self.fresh("c")
        made: list[tuple[str, str]] = [
            ("ints", "1..2"), ("ints", f"0..{self.number(scope, True)}"), ("ints", f"1..{self.number(scope, True)}"),
            ("cards", "hand(me)"), ("cards", "card"), ("cards", f"[{c} in hand(me) where not {c}.used]"),
            ("goods", "good"), ("people", "players"), ("people", "others(me)"), ("cards", "deck"),
            ("cards", "shelf"), ("cards", "purse(me)"),
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

    def called(self, type_: str, scope: Scope) -> list[str]:
        """Write calls of the functions that were made before."""
        found = []
        for name, (parameter, returned) in self.functions.items():
            if returned == type_ and not parameter:
                found.append(f"{name}()")
            elif returned == type_ and scope.cards:
                found.append(f"{name}({self.source.pick(scope.cards)})")
        return found

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
