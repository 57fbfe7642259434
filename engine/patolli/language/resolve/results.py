"""Find out what rules return that use their own values, directly or through each other.

In:     what such rules were found to return in one pass over them.
Out:    what is to be taken for it in the next pass, until nothing changes.

In the first pass such a value may be anything, and what does not depend on it says what the rule returns. Each further
pass takes what the one before has found. Only the last one counts: what the others reported is forgotten, except for
rules that were resolved meanwhile and do not depend on it. Only the outermost of the rules goes through them again, so
the work grows with their number, not with the ways through them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from patolli.language.diagnostics import Problem
from patolli.language.program import types as ty
from patolli.language.resolve.model import Model, Rule
from patolli.language.resolve.uses import Uses
from patolli.language.syntax import tree as t


@dataclass(frozen=True, slots=True)
class Mark:
    """How much was known when a rule was begun."""

    problems: int
    unclear: int
    uses: int
    done: frozenset[str]


@dataclass(slots=True)
class Kept:
    """What was found when a rule was resolved that depends on none around it, and those that it calls."""

    rules: frozenset[str]
    problems: list[Problem]
    unclear: list[t.Attribute]
    uses: list[Callable[[], None]] = field(default_factory=list)


class Results:
    """What rules return whose value is used before they are resolved."""

    def __init__(self, model: Model, uses: Uses) -> None:
        self.model = model
        self.uses = uses
        self.used: set[str] = set()
        self.last = False  # whether nothing more can be learned, so that what is still unknown is reported
        self._taken: dict[str, ty.AnyType | None] = {}
        self._kept: dict[str, Kept] = {}
        self._passes = 0

    def of_open(self, rule: Rule) -> ty.AnyType | None:
        """Return what a rule is taken to return that is not resolved yet; None while it is unknown."""
        self.used.add(rule.name)
        return self._taken.get(rule.name)

    def learn(self) -> bool:
        """Take what was found for the next pass; return whether there has to be one."""
        found = {name: _find_known_type(self.model.rules[name].returns) for name in self.used}
        if found != self._taken and self._passes <= len(found) + 2:
            self._taken = found
            self._passes += 1
            return True
        unknown, self.last = None in found.values() and not self.last, True
        return unknown

    def end(self) -> None:
        """Begin again: what the rules return is clear."""
        self.used, self.last, self._taken, self._passes = set(), False, {}, 0

    # -- passes that count, and those that do not

    def mark(self, done: set[str]) -> Mark:
        """Note how much is known."""
        return Mark(len(self.model.problems), len(self.model.unclear), len(self.uses), frozenset(done))

    def keep(self, name: str, before: Mark, done: set[str]) -> None:
        """Note what belongs to a rule that is resolved whatever those around it return."""
        rules = done - before.done
        for inner in rules & self._kept.keys():
            del self._kept[inner]
        uses = self.uses.cut(before.uses)
        self.uses.restore_notes(uses)
        problems, unclear = self.model.problems[before.problems :], self.model.unclear[before.unclear :]
        self._kept[name] = Kept(frozenset(rules), problems, unclear, uses)

    def forget(self, before: Mark, done: set[str]) -> set[str]:
        """Forget what was found since a mark, apart from what is kept; return the rules that are resolved then."""
        del self.model.problems[before.problems :], self.model.unclear[before.unclear :]
        self.uses.cut(before.uses)
        still = set(before.done)
        for kept in [one for one in self._kept.values() if one.rules <= done - before.done]:
            still |= kept.rules
            self.model.problems += kept.problems
            self.model.unclear += kept.unclear
            self.uses.restore_notes(kept.uses)
        for name in done - still:
            rule = self.model.rules[name]
            rule.returns = ty.ANY if name in self.model.unread else None
        return still


def _find_known_type(returns: ty.AnyType | None) -> ty.AnyType | None:
    return None if returns is None or ty.vague(returns) else returns
