"""What generated code calls for lists, memory and chance, in terms of the machine.

Every number here is one of 64 bits as it is, and what is called a word is laid out as ``heap`` says. None of this is
carried out in Python: it is translated, like the rest, with ``intrinsics`` as single instructions.
"""

from __future__ import annotations

from patolli.run.native.support import (
    arena,
    chance,
    choosing,
    keys,
    lists,
    objects,
    proving,
    telling,
    trees,
    ways,
    worth,
    writing,
)

MODULES = (objects, lists, writing, keys, chance, telling, arena, trees, choosing, ways, proving, worth)

__all__ = ["MODULES", "objects"]
