"""Write a module that changes a pack, at random."""

from __future__ import annotations

from randompacks.rules import Rules
from randompacks.scope import Scope

MANIFEST = """document: pack
id: module
version: 1.0.0
language: 2
proofs: full
title: Module
requires: {base: ">=1.0"}
"""


class Changes:
    """Writes the operations of one patch on what a maker has made."""

    def __init__(self, maker: Rules) -> None:
        """Begin with nothing changed."""
        self.maker, self.writer, self.random = maker, maker.writer, maker.random
        self.data = [["remove: rules/setup"], ["replace: counters/round/max", "with: 4"]]
        self.data += [
            [f"replace: counters/{name}", "with: {per: player, start: 1, max: 3}"] for name in ("wood", "gold")
        ]
        if maker.ground.has("group"):
            members = ", ".join(maker.ground.names["member"])
            again = ["replace: groups/good", f"expects: [{members}]", "with: [gold, wood]"]
            self.data.append(self.random.choice((["extend: groups/good", "with: [spare]"], again)))

    def files(self, number: int) -> dict[str, str]:
        """Return the files of the module."""
        sorts = ["_before", "_after", "_instead"] if self.maker.parameters else []
        sorts += ["_adjust"] * 4 if self.maker.functions else []
        sorts += ["_beside"] * 2 if self.maker.steps else []
        sorts += ["_offer"] if self.maker.lines else []
        sorts += ["_data"] * 3
        lines = ["document: patch", "change:"]
        for _ in range(number):
            change = getattr(self, self.random.choice(sorts))()
            lines += [f"  {'- ' if first else '  '}{line}" for first, line in _numbered("\n".join(change))]
        return {"module/pack.yaml": MANIFEST, "module/patch.yaml": "\n".join(lines) + "\n"}

    def _do(self, operation: str, target: str, scope: Scope) -> list[str]:
        body = self.writer.effects(scope.inside("apart"), 2)[0]
        when = (
            [f"when: {self.maker.value('cond', scope)}"] if operation != "instead" and self.writer.chance(0.4) else []
        )
        return [f"{operation}: {target}", *when, "do: |", *(f"  {line}" for line in body.split("\n"))]

    def _rule(self) -> tuple[str, Scope]:
        name = self.random.choice(list(self.maker.parameters))
        return name, self.maker.scope_of(name)

    def _before(self) -> list[str]:
        name, scope = self._rule()
        return self._do("before", f"rules/{name}", scope)

    def _after(self) -> list[str]:
        name, scope = self._rule()
        return self._do("after", f"rules/{name}", scope)

    def _beside(self) -> list[str]:
        name = self.random.choice(list(self.maker.steps))
        steps = self.maker.steps[name]
        step = self.random.choice(steps)
        sort = self.random.choice(("before", "after", "instead") if step == steps[-1] else ("before", "after"))
        return self._do(sort, f"rules/{name}/{step}", self.maker.scope_of(name))

    def _instead(self) -> list[str]:
        name, scope = self._rule()
        original = f"original({', '.join(variable for variable, _ in scope.variables[1:])})"
        head, do, *body = self._do("instead", f"rules/{name}", scope)
        way = self.random.choice(("none", "first", "last", "branch"))
        if way == "branch":
            body = [f"  if {self.writer.write('cond', scope)}: {original}", "  else:", *(f"  {line}" for line in body)]
        first, last = [f"  {original}"] * (way == "first"), [f"  {original}"] * (way == "last")
        return [head, do, *first, *body, *last]

    def _adjust(self) -> list[str]:
        name = self.random.choice(list(self.maker.functions))
        scope, sort = self.maker.functions[name]
        number = self.writer.write("digit", scope)
        ways = [
            *[[f"by: '{number}'"]] * 3,
            [f"at_least: {number}"],
            [f"at_most: '{number}'"],
            ["at_least: 0", "at_most: 2"],
        ]
        how = [f"value: '{number}'"] if self.writer.chance(0.25) else self.random.choice(ways)
        if sort == "bool":
            how = ["value: 'wood > 0'"]
        when = ["when: 'wood > 0'"] if self.writer.chance(0.4) else []
        return [f"adjust: functions/{name}", *how, *when]

    def _offer(self) -> list[str]:
        body = self.writer.beginning(Scope((("me", "player"),)).inside("apart"), 2)[0]
        lines = ["choose one:", '  "more":', *(f"    {line}" for line in body.split("\n"))]
        return ["offer: rules/match", "do: |", *(f"  {line}" for line in lines)]

    def _data(self) -> list[str]:
        """Change what is declared; nothing twice."""
        return self.data.pop(self.random.randrange(len(self.data)))


def _numbered(text: str) -> list[tuple[bool, str]]:
    return [(number == 0, line) for number, line in enumerate(text.split("\n"))]
