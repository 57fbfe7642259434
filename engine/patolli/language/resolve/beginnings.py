"""Find the types of variables that begin as none or as an empty list, from what their rule sets them to.

In:     `let x = none`, and each `set x to ..` of the same rule, as they were resolved in one pass over the rule.
Out:    the type that the variable has in the next pass, until nothing changes; a problem where nothing says it.

In the first pass such a variable may be anything. The passes are those of ``results``: what they report is forgotten,
apart from what does not depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.syntax import tree as t

PASSES = 4
"""How often a rule is gone through at most; variables that are set to each other need more than two passes."""
NO_TYPE = "set it to a value later, or name it where it has a value"


@dataclass(slots=True)
class Beginnings:
    """The variables of one rule that begin without a type, by the place of their ``let``."""

    taken: dict[int, ty.AnyType] = field(default_factory=dict)
    found: dict[int, ty.AnyType] = field(default_factory=dict)
    lets: dict[int, t.Let] = field(default_factory=dict)
    passes: int = 0
    _variables: dict[x.Variable, int] = field(default_factory=dict)

    def name(self, let: t.Let, variable: x.Variable) -> None:
        """Note a variable that begins as none or as an empty list."""
        self.lets[id(let)] = let
        self._variables[variable] = id(let)

    def type_of(self, let: t.Let, value: ty.AnyType) -> ty.AnyType:
        """Return what is taken for the type of a variable that begins with a value of a type."""
        taken = self.taken.get(id(let))
        if value == ty.NONE:
            return ty.ANY if taken is None else ty.Maybe(ty.strip(taken))
        return value if taken is None else taken

    def set(self, variable: x.Variable, value: x.Expr) -> None:
        """Note what a variable is set to; what is none says nothing."""
        let, inner = self._variables.get(variable), ty.strip(value.type)
        if isinstance(value, x.Arithmetic) and value.op != "+":  # a sum may be one of lists
            inner = ty.INT
        if let is None or ty.vague(inner) or inner == ty.NONE:
            return
        before = self.found.get(let)
        self.found[let] = inner if before is None else ty.join(before, inner) or before

    def learn(self) -> bool:
        """Take what was found for the next pass; return whether there has to be one."""
        self.passes += 1
        if self.found == self.taken or self.passes >= PASSES:
            return False
        self.taken, self.found, self._variables = self.found, {}, {}
        return True

    def unknown(self) -> list[t.Let]:
        """Return the variables that begin as none whose other values nothing says."""
        return [let for key, let in self.lets.items() if key not in self.taken and isinstance(let.value, t.NoValue)]
