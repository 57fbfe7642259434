"""Check a match against its invariants: ``runtime.invariants``.

Blocks say which invariants are due (``compiler.affected``). Where one does not hold, or cannot be evaluated, the match
is given up: it is played again in Python, which names the invariant and the choice that broke it.
"""

from __future__ import annotations

from patolli.kernel.faults import RuleFault
from patolli.kernel.state import State
from patolli.run.native.driver.tables import INVARIANTS
from patolli.run.native.intrinsics import store64
from patolli.run.native.memory import DUE
from patolli.run.native.support.chance import is_due, renew


def check(s: State) -> None:
    """Evaluate the invariants that are due. Raises RuleFault: one does not hold."""
    for bit, holds in INVARIANTS:
        if is_due(bit):
            renew()
            if not holds(s, 0):
                raise RuleFault("an invariant", "")
    store64(DUE, 0)
