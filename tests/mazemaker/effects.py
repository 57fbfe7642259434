"""Write effects by chance."""

from __future__ import annotations

from dataclasses import replace

from mazemaker.chance import Scope
from mazemaker.expressions import Expressions


class Effects(Expressions):
    """Writes effects, one to a line."""

    def run(self, scope: Scope, most: int = 3) -> tuple[list[str], Scope]:
        """Write effects, one after another, as lines; return the scope behind them."""
        lines: list[str] = []
        for _ in range(self.source.pick(range(1, most + 1))):
            more, scope = self.effect(scope)
            lines += more
        return lines, scope

    def block(self, scope: Scope, most: int = 3) -> list[str]:
        """Write effects, one after another, as lines."""
        return self.run(scope, most)[0]

    def inner(self, head: str, scope: Scope, most: int = 2) -> list[str]:
        """Write a header and its block."""
        return [f"{head}:", *(f"  {line}" for line in self.block(scope, most))]

    def effect(self, scope: Scope) -> tuple[list[str], Scope]:
        """Write an effect; return the scope behind it."""
        pick = self.source.pick
        kinds = ["pay", "change", "stop", "let", "choose", "require", "call", "set", "proven"]
        if scope.depth < 3:
            kinds += [
                "if",
                "if",
                "may",
                "menu",
                "as",
                "up to",
                "for",
                "repeat",
                "loop",
                "pass",
                "simultaneously",
                "proven",
                "proven",
            ]
        return getattr(self, f"_{pick(kinds).replace(' ', '_')}")(scope)  # type: ignore[no-any-return]

    def _pay(self, scope: Scope) -> tuple[list[str], Scope]:
        return [f"pay {self.cost(scope)}"], scope

    def _change(self, scope: Scope) -> tuple[list[str], Scope]:
        pick = self.source.pick
        made = [
            "gain 1 coin", "gain 1 nut", "lose 1 coin", "lose 2 nut", "draw 1 from deck to hand(me)", "gain 1 any good",
            "set coin to 0", f"gain 1 tally({self.mood()})", f"lose 1 coin for {self.who(scope)}", "nothing",
            'say "so"', "lose 1 debt", "shuffle deck", "refill shelf from deck", "slide shelf", "gain 1 gem",
            f"gain {self.number(scope, True)} seed", 'pause "wait"', "if turn > 6: end match",
        ]  # fmt: skip
        made += [f"move {c} to {pick(('hand(me)', 'deck', 'purse(me)', 'deck bottom'))}" for c in scope.cards]
        made += [f"if not desk: move {c} to desk" for c in scope.cards]
        made += [f"swap {c} with {pick(scope.cards)}" for c in scope.cards]
        if self.chips:
            made += ["gain 1 chip", "lose 1 chip", "gain 1 any pot"]
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

    def _proven(self, scope: Scope) -> tuple[list[str], Scope]:
        """Write what a test has shown to be possible, perhaps with something between the test and that."""
        pick = self.source.pick
        amount, counter, name = pick((1, 2)), pick(("coin", "nut", "seed", "gem")), self.fresh("x")
        n = pick(("1", "2", *scope.ints))
        ways = [
            (f"{counter} >= {amount}", [f"pay {amount} {counter}"]),
            (f"{counter} > {n}", [f"pay {n} {counter}"]),
            (f"{n} <= {counter}", [f"pay {n} {counter}"]),
            ("hand(me)", [f"choose {name} in hand(me)"]),
            ("size(hand(me)) > 0", [f"choose {name} in hand(me)"]),
            ("any(h in hand(me) where h.used)", [f"choose {name} in hand(me) where {name}.used"]),
            (f"{counter} >= {amount} and nut >= 1", [f"pay {amount} {counter} and 1 nut"]),
            (f"{counter} == {amount} or turn < 0", [f"pay {amount} {counter}"]),
            (f"{counter} != 0", [f"pay 1 {counter}"]),
            (f"1 <= {counter} <= 9", [f"pay 1 {counter}"]),
            (f"{counter} > 0", [f"choose {name} in 1..{counter}", f"pay {name} {counter}"]),
            (f"{n} != 0", [f"let {name} = min({counter}, {n})", f"pay {name} {counter}"]),
            (f"{counter} > 0", [f"choose {name} in 1..min({counter}, 2)", f"gain 1 coin; pay {name} {counter}"]),
            ("size(hand(me)) != 0", [f"choose {name} in hand(me)"]),
            ("count(h in hand(me) where h.used) > 0", [f"choose {name} in hand(me) where {name}.used"]),
            ("[h in hand(me) where h.used]", [f"move first({name} in hand(me) where {name}.used) to deck"]),
            ("any(h in hand(me) where payable(h.price))", [
                f"choose {name} in hand(me) where payable({name}.price)", f"pay {name}.price",
            ]),
            ("size(deck) > 0", ["move top(deck) to hand(me)"]),
            ("deck", ["move top(deck) to purse(me)"]),
            ("desk", ["move desk to hand(me)"]),
            ("hand(me)", [f"move highest({name} in hand(me) by {name}.worth) to deck"]),
            ("turn > 0", [f"choose {name} in others(me)"]),
            ("turn > 0", [f"choose {name} in players where {name} != me"]),
            ("turn > 0", [f"choose {name} in players where {name} == me or {name}.coin > {amount}"]),
            ("turn > 0", [f"choose {name} in 1..max(1, {counter})"]),
        ]  # fmt: skip
        ways += [(f"payable({c}.price)", [f"pay {c}.price"]) for c in scope.cards]
        ways += [(f"have({g}) >= {amount}", [f"pay {amount} {g}"]) for g in scope.goods]
        if self.rules and scope.depth < 4:
            call = self.call(scope)
            ways += [(f"can({call})", [call])] * 4
        test, then = pick(ways)
        between: list[str] = []
        if scope.depth < 3 and pick((False, True)):
            between, _ = self.effect(scope.deeper())
        shape = pick(("if", "stop", "else", "if", "leave", "other", "anew"))
        if shape == "other":
            return [f"stop unless {test}", f"as {self.who(scope)}:", *(f"  {x}" for x in (*between, *then))], scope
        if shape == "anew":
            other = self.fresh("n")
            again = f"set {other} to {pick((1, 2, 9))}"
            tested = [f"if {other} <= {counter}:", f"  {again}", f"  pay {other} {counter}"]
            return [f"let {other} = {n}", *between, *tested], scope
        if shape == "leave":
            leaving = pick(("stop", "end match", *(("break",) if scope.loop else ())))
            return [f"if not ({test}): {leaving}", *between, *then], scope
        if shape == "stop":
            return [f"stop unless {test}", *between, *then], scope
        if shape == "else":
            return [
                f"if not ({test}): {pick(('stop', 'nothing'))}",
                "else:",
                *(f"  {x}" for x in (*between, *then)),
            ], scope
        return [f"if {test}:", *(f"  {line}" for line in (*between, *then))], scope

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
            behind = pick((f"stop unless {name}", f"if not {name}: stop", f"if {name} == none: stop", "if"))
            if behind == "if":
                return [*lines, *self.inner(f"if {name}", replace(after.deeper(), depth=scope.depth + 1))], scope
            return [*lines, behind], after
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

    def _simultaneously(self, scope: Scope) -> tuple[list[str], Scope]:
        pick = self.source.pick
        name, taken = self.fresh("b"), self.fresh("c")
        parts = [
            [f"choose {name} in 0..2", f"set bid to {name}"],
            [f"choose {name} in 0..coin or none", f"if {name}: gain 1 bid"],
            [f"choose {taken} in purse(me)", "otherwise: nothing", f"if {taken}: move {taken} to purse(me)"],
            ["lose 1 bid"],
            [f"if {self.truth(scope)}: gain 1 bid"],
            [f"set bid to {self.number(scope, True)}"],
        ]
        lines = [line for part in (pick(parts), *(() if pick((True, False)) else (["gain 1 bid"],))) for line in part]
        return [f"simultaneously for {self.fresh('q')} in players:", *(f"  {line}" for line in lines)], scope

    def _loop(self, scope: Scope) -> tuple[list[str], Scope]:
        lines = self.inner("loop", scope.deeper(loop=True))
        return [*lines, "  break"], scope
