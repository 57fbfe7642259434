"""Make one function of all that has to be held in a small pack, since calling many takes longer than what they do.

In:     the parts of invariants as functions in Python, and where values are counted.
Out:    a function that begins to hold a match; see :data:`Begin`.

It counts what was noted and works out at once all parts that look at what is counted; the others, with a call, only
where something else was noted. For that it pays to be asked too often: the parts are few.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable
from typing import Any

from patolli.kernel.state import State

Begin = Callable[[list[Any], list[int], set[int], Callable[[], None]], Callable[[State, Iterable[int]], None]]
"""Takes the values of the slots that are counted, as they were when the tallies were made, the tallies, the tests that
are open, and what is called when some test fails or cannot be worked out; returns what holds a state after a choice,
given what was noted. Values and tallies are kept up to date in place."""
FEW = 8
"""How many tests may stand in one function."""
_TEMPLATE = """
def begin(seen, tally, again, failed):
    def hold(s, noted):
        others = again
        try:
            for slot in noted:
                if {first} <= slot < {end}:
                    old = seen[slot]
                    seen[slot] = new = s[slot]
                    if old >= {least}:
                        tally[old + {base}] -= 1
                    if new >= {least}:
                        tally[new + {base}] += 1
                else:
                    others = True
            if {condition}:
                pass
        except Exception:
            pass
        failed()
    return hold
"""


def fused(
    counted: ast.FunctionDef,
    other: str,
    tallies: dict[int, tuple[int, ...]],
    asked: Container[int],
    space: dict[str, Any],
) -> Begin | None:
    """Return what begins to hold a match; None where the slots that are counted do not stand in one row.

    Args:
        counted: The function that tells whether all parts hold that look at what is counted.
        other: The name of the one that does so for the others; empty where there are none.
        tallies: By slot, the entries that count 0 in the tallies in which its value counts.
        asked: The slots and entries at which some part looks. Mostly nobody asks how many fields hold nothing; who
            looks at the fields themselves may, as he asks for a value that is found out then.
        space: What the functions see.
    """
    first, end = min(tallies), max(tallies) + 1
    if len(tallies) != end - first or len(set(tallies.values())) != 1 or len(tallies[first]) != 1:
        return None
    (base,) = tallies[first]
    condition = f"not others or {other}(s, tally)" if other else "True"
    least = -1 if any(one in asked for one in (base - 1, *tallies)) else 0
    tree = ast.parse(_TEMPLATE.format(first=first, end=end, base=base, least=least, condition=condition))
    inside = next(node for node in ast.walk(tree) if isinstance(node, ast.If) and isinstance(node.body[0], ast.Pass))
    *before, last = counted.body
    assert isinstance(last, ast.Return)
    assert last.value is not None
    inside.body = [*before, ast.copy_location(ast.If(last.value, [ast.copy_location(ast.Return(), last)], []), last)]
    made: dict[str, Begin] = {}
    exec(compile(ast.fix_missing_locations(tree), "<invariants>", "exec"), space, made)
    return made["begin"]
