"""Find out which changes of several slots leave all as it should be, whatever else is in the state.

In:     small tests of a program (``compiler.grounding``), and the slots at which each looks.
Out:    of a change whether every test that looks at one of its slots holds after it, if it held before.

That is asked of each test with all values that the other slots may have at which it looks: of fields those of their
type, of counters those within their bounds, which the rules cannot leave. Where these are many, or nobody knows them,
the answer is no. A test that did not hold before, or of which that was not known, had been noted or was open then, and
still is; so what is harmless needs no note.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from patolli.compiler.changes import Change
from patolli.compiler.layout import Layout
from patolli.compiler.located import located
from patolli.kernel.budget import renew
from patolli.program import types as ty

if TYPE_CHECKING:
    from patolli.runtime.invariants import Held

WAYS = 50
"""How many states of what does not change are tried with one test at most."""


class Harmlessness:
    """Knows the tests of one program, and what the slots may hold at which they look."""

    def __init__(self, held: Held, layout: Layout) -> None:
        """Find out who looks where."""
        self._tests: Sequence[Callable[[Any, Any], bool]] = held.tests
        self._readers: dict[int, set[int]] = defaultdict(set)  # by slot or entry of a tally, the smallest tests
        self._slots: dict[int, set[int]] = defaultdict(set)  # by test, the other way round
        for slot, tests in held.entries.items():
            for test in tests:
                for one in held.wide.get(test, (test,)):
                    self._readers[slot].add(one)
                    self._slots[one].add(slot)
        self._layout = layout
        self._locations = {slot: one for first, end, one in located(layout) for slot in range(first, end)}

    def holds_after(self, change: Change) -> bool:
        """Tell whether all that held before a change holds after it."""
        slots = change[::3]
        if len(set(slots)) < len(slots):
            return False
        before = dict(zip(slots, change[1::3], strict=True))
        after = dict(zip(slots, change[2::3], strict=True))
        tests = set[int]().union(*(self._readers.get(slot, ()) for slot in slots))
        renew()
        return all(self._kept(test, before, after) for test in tests)

    def _kept(self, test: int, before: Mapping[int, Any], after: Mapping[int, Any]) -> bool:
        """Tell whether a test that held before holds after, with all that the other slots may hold."""
        others = sorted(self._slots[test] - before.keys())
        values = [self._values(slot) for slot in others]
        if prod(map(len, values)) > WAYS or not all(values):
            return False
        holds = self._tests[test]
        try:
            for some in product(*values):
                rest = dict(zip(others, some, strict=True))
                if not holds({**rest, **after}, None) and holds({**rest, **before}, None):
                    return False
        except Exception:  # it looks at something else, or cannot be worked out
            return False
        return True

    def _values(self, slot: int) -> Sequence[int]:
        """Return all values that a slot may have; none where they are not known to be few."""
        model = self._layout.model
        match self._locations.get(slot):
            case ("field", kind, field):
                declared = model.kinds[kind].fields[field]
                inner = ty.strip(declared.type)
                if inner == ty.BOOL:
                    return (0, 1)
                if isinstance(inner, ty.Ref):
                    return range(-1, self._layout.size(inner.kind))
                if inner == declared.type == ty.INT and declared.low is not None and declared.high is not None:
                    return range(declared.low, declared.high + 1)
            case ("counter", name):
                low, high = model.counters[name].low, self._layout.limits[name]
                if high is not None:
                    return range(low, high + 1)
        return ()
