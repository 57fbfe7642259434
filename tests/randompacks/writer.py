"""Write texts from the table, at random."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from randompacks import effects, idioms, questions, values
from randompacks.scope import Scope
from randompacks.templates import Filling, Template

TABLES = (
    values.VALUES, values.GROUPS, values.CARDS, values.BOARDS, effects.ITEMS, effects.PLAIN, effects.RANDOM,
    effects.NAMING, effects.BLOCKS, questions.QUESTIONS, questions.HEADS, questions.SECRETS, idioms.SAID, idioms.TESTED,
)  # fmt: skip
DEEPEST, INNERMOST = 2, 3
"""How deep expressions stand in each other, and blocks."""
FAVOUR = (0.2, 0.5, 1.0, 1.0, 2.0, 5.0)
INNER = ("@block", "@rounds", "@option", "@gap", "@answer", "@ending", "@leaving", "@decided")


class NothingFits(Exception):
    """A sort that this pack does not have."""


class Writer:
    """Writes texts for one pack; ``left`` says how many effects it may still have."""

    def __init__(self, random: Random, features: Iterable[str], left: int) -> None:
        """Take what the pack can use from the table."""
        self.random, self.left, self.names = random, left, 0
        self.favour: dict[str, float] = {}
        self.table: dict[str, list[Template]] = {}
        known = set(features)
        for part in TABLES:
            for sort, templates in part.items():
                fitting = [template for template in templates if known.issuperset(template.needs)]
                self.table.setdefault(sort, []).extend(fitting)

    def add(self, sort: str, text: str, weight: float = 1.0) -> None:
        """Add a template that only this pack has."""
        self.table.setdefault(sort, []).append(Template(text, weight))

    def fresh(self, name: str) -> str:
        """Return a name for a variable that nothing else has."""
        self.names += 1
        return f"{name}_{self.names}"

    def chance(self, part: float) -> bool:
        """Return at random whether to do something."""
        return self.random.random() < part

    def write(self, sort: str, scope: Scope) -> str:
        """Write a text of a sort."""
        block = getattr(self, f"_{sort}", None)
        if block is not None:
            return str(block(scope))
        return self._chosen(sort, scope, self._candidates(sort, scope))[0]

    # -- one of the table

    def _candidates(self, sort: str, scope: Scope) -> list[Template]:
        named = scope.named(sort)
        found = [Template(name, 5 / len(named)) for name in named]
        found += [template for template in self.table.get(sort, ()) if template.fits(scope)]
        if scope.depth >= DEEPEST:
            simple = [template for template in found if template.leaf]
            found = simple or sorted(found, key=lambda template: template.text.count("@"))[:2]
        return found

    def _weight(self, template: Template) -> float:
        """Return how often a template comes in this pack: each has its favourites, so that they differ."""
        if template.text not in self.favour:
            self.favour[template.text] = self.random.choice(FAVOUR) * (2.0 if template.needs else 1.0)
        return template.weight * self.favour[template.text]

    def _chosen(self, sort: str, scope: Scope, found: list[Template]) -> tuple[str, Scope]:
        """Fill in one of some templates; another one where that is not possible."""
        if scope.depth > 3 * DEEPEST:
            raise NothingFits(sort)
        found = list(found)
        while found:
            template = self.random.choices(found, [self._weight(one) for one in found])[0]
            before = self.left
            try:
                return Filling(template, scope, self.write, self.fresh).filled()
            except NothingFits:
                self.left = before
                found.remove(template)
        raise NothingFits(sort)

    # -- blocks

    def effect(self, scope: Scope) -> tuple[str, Scope]:
        """Write one effect; return the scope behind it."""
        found = [template for template in self.table["do"] if template.fits(scope)]
        self.left -= 1
        if self.left < 0 or scope.nested > INNERMOST:
            found = [template for template in found if not any(word in template.text for word in INNER)]
        return self._chosen("do", scope, found)

    def effects(self, scope: Scope, most: int, least: int = 1) -> tuple[str, Scope]:
        """Write effects one after another; return the scope behind them."""
        lines = []
        for number in range(self.random.randint(least, most)):
            if number and self.left < 0:
                break
            text, scope = self.effect(scope)
            lines.append(text)
        return "\n".join(lines), scope

    def _block(self, scope: Scope) -> str:
        return self.effects(scope.inside(), 2)[0]

    def _rounds(self, scope: Scope) -> str:
        return self.effects(scope.inside("loop"), 2)[0]

    def _decided(self, scope: Scope) -> str:
        """Write what one player does and another decides: it is not left early."""
        return self.effects(scope.inside("together", less=("loop",)), 2)[0]

    def _gap(self, scope: Scope) -> str:
        return "" if self.chance(0.6) else self.effects(scope.inside(), 1)[0]

    def _option(self, scope: Scope) -> str:
        """Write what an option does: its beginning is looked at before it is offered."""
        return self.beginning(scope.inside(less=() if self.chance(0.8) else ("loop",)), 2)[0]

    def _answer(self, scope: Scope) -> str:
        inner = scope.inside("together", less=("loop",))
        return self._chosen("answer", inner, self._candidates("answer", inner))[0]

    def beginning(self, scope: Scope, most: int) -> tuple[str, Scope]:
        """Write effects, and perhaps before them what has to be possible."""
        head = ""
        if self.chance(0.4):
            head, scope = self._chosen("head", scope, self._candidates("head", scope))
        body, scope = self.effects(scope, most)
        return "\n".join(part for part in (head, body) if part), scope
