"""How near what a module says is to a problem in a required pack.

That is over how many entries one comes from the one to the other by their names.
"""

from __future__ import annotations

from patolli.language.diagnostics import Problem
from patolli.language.packs.manifest import Pack
from patolli.language.packs.statements import Statement, statements

FAR = 4
"""Steps from entry to entry after which all is equally far."""


def nearest_first(problem: Problem, packs: list[Pack], among: list[Statement]) -> list[Statement]:
    """Return statements in order: first those that touch the entry that a problem names, then its neighbors.

    An entry touches what it names, and what names it: what is never read is so because of what does not name it.
    """
    own = [statement for pack in packs for statement in statements(pack)]
    words = [(statement.ids, statement.words) for statement in own]
    here = {number for number, statement in enumerate(own) if statement.holds(problem.span)}
    reached, edge = set(here), here
    known = set[str]().union(*(own[number].ids for number in here))
    away = {statement: FAR for statement in among}
    for step in range(FAR):
        named = set[str]().union(*(words[number][1] for number in edge)) if edge else set()
        for statement in among:
            if away[statement] == FAR and (statement.ids & (known if step == 0 else known | named)):
                away[statement] = step
        edge = {
            number
            for number, (ids, held) in enumerate(words)
            if number not in reached and (ids & named or (step == 0 and held & known))
        }
        reached |= edge
        known |= named
    return sorted(among, key=lambda statement: away[statement])
