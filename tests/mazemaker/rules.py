"""Write whole rules, functions and triggers by chance, and what a pack says about payments."""

from __future__ import annotations

from dataclasses import dataclass, field

from mazemaker.chance import Scope
from mazemaker.effects import Effects

SCOPES = {
    "": Scope(),
    "int n": Scope(ints=("n",)),
    "card": Scope(cards=("card",)),
    "good g": Scope(goods=("g",)),
}


def indented(lines: list[str], by: int) -> list[str]:
    """Move lines to the right."""
    return [" " * by + line for line in lines]


@dataclass
class Rules(Effects):
    """Writes the entries of rule documents; ``steps`` are the names of the steps of each rule that has some."""

    steps: dict[str, list[str]] = field(default_factory=dict)
    menus: set[str] = field(default_factory=set)

    def function(self) -> tuple[str, list[str]]:
        """Write a function; later ones, and rules, may call it."""
        pick = self.source.pick
        name, parameter, returned = (
            f"fun_{len(self.functions) + 1}",
            pick(("", "", "card")),
            pick(("int", "int", "bool")),
        )
        scope = SCOPES[parameter]
        body = self.number(scope) if returned == "int" else self.truth(Scope(cards=scope.cards, depth=3))
        self.functions[name] = (parameter, returned)
        signature = f"{name}({parameter})" if parameter else name
        return name, [f"{signature}: {{is: '{body}', type: {returned}}}"]

    def rule(self) -> tuple[str, list[str]]:
        """Write a rule; later ones may call it."""
        pick = self.source.pick
        number = len(self.rules) + 1
        if pick((False, False, False, True)):
            name, parameter = f"give_{number}", ""
        else:
            name, parameter = f"rule_{number}", pick(("", "", "int n", "card", "good g"))
        head = f"{name}({parameter}):" if parameter else f"{name}:"
        if name.startswith("rule") and pick((False, False, True)):
            lines = [head, "  steps:"]
            scope = SCOPES[parameter]
            self.steps[name] = ["dawn", "noon", "dusk"][: pick((2, 3))]
            for step in self.steps[name]:
                block, scope = self.run(scope, 2)
                lines += [f"    {step}: |", *indented(block, 6)]
        else:
            block = self.block(SCOPES[parameter], 4)
            if name.startswith("give"):
                block.append(f"return {self.number(Scope())}")
            if "choose one:" in block:
                self.menus.add(name)
            lines = [f"{head} |", *indented(block, 2)]
        self.rules[name] = parameter
        return name, lines

    def trigger(self, number: int) -> tuple[str, list[str]]:
        """Write a trigger of some rule."""
        pick = self.source.pick
        name = pick(list(self.rules))
        scope = SCOPES[self.rules[name]]
        when = [f"when: '{self.truth(scope)}'"] if pick((False, False, True)) else []
        lines = [f"{pick(('after', 'before'))}: {name}", *when, "do: |", *indented(self.block(scope, 2), 2)]
        return f"hook_{number}", [f"hook_{number}:", *indented(lines, 2)]

    def condition(self, scope: Scope = SCOPES[""]) -> str:
        """Write a condition without a rule in it, in quotes for YAML."""
        return f"'{self.truth(Scope(cards=scope.cards, depth=4))}'"

    def anytime(self, number: int) -> tuple[str, list[str]]:
        """Write an anytime action."""
        pick = self.source.pick
        name = f"action_{number}"
        scope = SCOPES[pick(("", "card"))]
        each = ["each: card in hand(me)"] if scope.cards else []
        lines = [f"label: {name}", *each, f"when: {self.condition(scope)}", "do: |", *indented(self.block(scope, 2), 2)]
        return name, [f"{name}:", *indented(lines, 2)]

    def aid(self, number: int) -> tuple[str, str, list[str]]:
        """Write a substitution, discount or waiver; return its section first."""
        pick = self.source.pick
        sort = pick(("substitutions", "discounts", "waivers"))
        name = f"{sort[:-1]}_{number}"
        given = [f"when: {self.condition()}"] if pick((False, True)) else []
        things = ["coin", "nut", "seed", "gem", "good", "nut or coin", *(("chip", "pot") if self.chips else ())]
        if sort == "substitutions":
            stands = f"{pick(('', 'up to '))}{pick((1, 2, 3))} {pick(things)}"
            lines = [f"give: {pick((1, 2))} {pick(('coin', 'nut', 'gem', 'debt'))}", f"for: {stands}", *given]
        elif sort == "discounts":
            lines = [f"on: {pick(('fee', 'toll'))}", f"less: {pick((1, 2))} of {pick(things)}", *given]
            lines += pick(
                ([], ["do: set seed to 0"], [f"do: {pick(('gain 1 debt', 'set debt to 0 - 1', 'lose 1 nut'))}"])
            )
        else:
            each = pick((False, True))
            scope = SCOPES["card" if each else ""]
            lines = ["each: card in hand(me)"] if each else []
            of = pick([thing for thing in things if " " not in thing])
            lines += [f"on: {pick(('fee', '[fee, toll]'))}", f"of: {of}", f"when: {self.condition(scope)}"]
            used = "set card.used to true" if each else "lose 1 gem"
            lines += pick(([], [f"do: {used}"], ["do: |", *indented(self.block(scope, 2), 2)]))
        return sort, name, [f"{name}:", *indented(lines, 2)]

    def effect_of_a_card(self) -> list[str]:
        """Write the effect that a card holds; it calls no rule, so that no rule goes round in circles."""
        rules, self.rules = self.rules, {}
        block = self.block(Scope(cards=("it",), depth=2), 2)
        self.rules = rules
        return block
