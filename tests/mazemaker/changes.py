"""Write the changes of a module by chance."""

from __future__ import annotations

from mazemaker.chance import Scope
from mazemaker.rules import SCOPES, Rules, indented


class Changes(Rules):
    """Writes operations of a patch on the functions and rules that were made before."""

    def keep(self, left: set[str]) -> None:
        """Forget what is not there any more."""
        self.rules = {name: parameter for name, parameter in self.rules.items() if name in left}
        self.functions = {name: types for name, types in self.functions.items() if name in left}
        self.steps = {name: steps for name, steps in self.steps.items() if name in left}
        self.menus &= left

    def change(self) -> list[str]:
        """Write one operation."""
        pick = self.source.pick
        sorts = ["adjust", "adjust"] if self.functions else []
        sorts += ["instead", "before", "after", "beside", "beside"]
        if self.menus:
            sorts.append("offer")
        return getattr(self, f"_{pick(sorts)}")()  # type: ignore[no-any-return]

    def _known(self, name: str) -> tuple[dict[str, str], Scope]:
        """Leave only the rules that stand before one, so that nothing goes round in circles; return what was there."""
        before, names = self.rules, list(self.rules)
        self.rules = {n: before[n] for n in names[: names.index(name)]}
        return before, SCOPES[before[name]]

    def _adjust(self) -> list[str]:
        pick = self.source.pick
        name = pick(list(self.functions))
        parameter, returned = self.functions[name]
        rules, functions, scope = self.rules, self.functions, SCOPES[parameter]
        self.rules, self.functions = {}, {}
        if returned == "bool":
            how = [f"value: 'not ({self.truth(Scope(cards=scope.cards, depth=4))})'"]
        else:
            how = pick(
                (
                    [f"by: '{self.number(scope, True)}'"],
                    [f"at_least: {pick((0, 1, 2))}"],
                    [f"at_most: '{self.number(scope, True)}'"],
                    ["at_least: 0", "at_most: 2"],
                    [f"value: '{self.number(scope, True)}'"],
                )
            )
        when = [f"when: {self.condition(scope)}"] if pick((False, True)) else []
        self.rules, self.functions = rules, functions
        return [f"adjust: functions/{name}", *how, *when]

    def _do(self, operation: str, name: str, target: str, most: int = 2) -> list[str]:
        """Write an operation with a block."""
        before, scope = self._known(name)
        block = self.block(scope, most)
        when = []
        if operation != "instead" and self.source.pick((False, True)):
            when = [f"when: {self.condition(scope)}"]
        self.rules = before
        return [f"{operation}: {target}", *when, "do: |", *indented(block, 2)]

    def _before(self) -> list[str]:
        name = self.source.pick(list(self.rules))
        return self._do("before", name, f"rules/{name}")

    def _after(self) -> list[str]:
        name = self.source.pick(list(self.rules))
        return self._do("after", name, f"rules/{name}")

    def _beside(self) -> list[str]:
        """Write what happens before or after a step, or instead of the last one."""
        pick = self.source.pick
        if not self.steps:
            return self._after()
        name = pick(list(self.steps))
        step = pick(self.steps[name])
        operations = ["before", "after"] + (["instead"] if step == self.steps[name][-1] else [])
        return self._do(pick(operations), name, f"rules/{name}/{step}")

    def _instead(self) -> list[str]:
        pick = self.source.pick
        name = pick(list(self.rules))
        parameter = self.rules[name]
        lines = self._do("instead", name, f"rules/{name}", 1)
        original = f"original({parameter.split()[-1] if parameter else ''})"
        if name.startswith("give"):
            return [*lines, f"  return {pick((original, '1'))}"]
        way = pick(("none", "first", "last", "branch"))
        at = next(i for i, line in enumerate(lines) if line == "do: |")
        head, block = lines[: at + 1], lines[at + 1 :]
        return {
            "none": lines,
            "first": [*head, f"  {original}", *block],
            "last": [*lines, f"  {original}"],
            "branch": [*head, f"  if turn mod 2 == 0: {original}", "  else:", *indented(block, 2)],
        }[way]

    def _offer(self) -> list[str]:
        name = self.source.pick(sorted(self.menus))
        before, scope = self._known(name)
        block = self.block(scope.deeper(), 2)
        self.rules = before
        return [
            f"offer: rules/{name}",
            "do: |",
            "  choose one:",
            f'    "{self.fresh("offered_")}":',
            *indented(block, 6),
        ]
