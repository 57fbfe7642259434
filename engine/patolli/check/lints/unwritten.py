"""Find fields and counters that rules look at and nothing ever sets: their value never changes.

A field or counter that begins with a value of its own is a number of the game that has a name, and is left alone, as is
what an effect that is left out here would set.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import blocks_of, conditions_outside
from patolli.check.lints.usage import WORD
from patolli.language.diagnostics import Problem
from patolli.language.program import expressions as x
from patolli.language.program.node import Location, walk
from patolli.language.sources import texts


@check("P0453")
def never_set(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what is read, but never set."""
    program = reviewed.program
    written: frozenset[Location] = frozenset().union(*(one.writes for one in reviewed.summaries.rules.values()))
    left_out = {word for tree in program.composition.left_out for text in texts(tree) for word in WORD.findall(text)}
    read = _collect_read_locations(reviewed)
    for kind in program.kinds.values():
        for name, attribute in kind.fields.items():
            if attribute.has_default or name in left_out or not reviewed.written_here(attribute.span):
                continue
            if ("field", kind.name, name) in read - written:
                text = f"the field {name!r} is read, but never set"
                help_ = f"set it in a rule, as in 'set x.{name} to ..', or give it a value to begin with"
                yield Problem("P0453", text, attribute.span, help_, (), "warning")
    for name, counter in program.counters.items():
        if counter.start is not None or name in left_out or not reviewed.written_here(counter.span):
            continue
        if ("counter", name) in read - written:
            text = f"the counter {name!r} is read, but never changes"
            yield Problem("P0453", text, counter.span, "gain it in a rule, or give it a 'start'", (), "warning")


def _collect_read_locations(reviewed: Reviewed) -> set[Location]:
    """Return the fields and counters that rules and conditions look at."""
    program = reviewed.program
    found: set[Location] = set()
    functions = (function.body for function in program.functions.values())
    for node in walk(*blocks_of(program), *conditions_outside(program), *functions):
        if isinstance(node, x.FieldOf):
            found.add(("field", node.kind, node.field))
        elif isinstance(node, x.CounterAt):
            found.add(("counter", node.counter))
    return found
