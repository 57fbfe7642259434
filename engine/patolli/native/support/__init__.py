"""What generated code calls for lists, memory and chance, in terms of the machine.

Every number here is one of 64 bits as it is, and what is called a word is laid out as ``heap`` says. None of this is
carried out in Python: it is translated, like the rest, with ``intrinsics`` as single instructions.
"""

from __future__ import annotations

from patolli.native.support import chance, lists, objects, telling

MODULES = (objects, lists, chance, telling)

__all__ = ["MODULES", "chance", "lists", "objects", "telling"]
