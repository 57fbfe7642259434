"""What generated code calls for lists, memory and chance, in terms of the machine.

Every number here is one of 64 bits as it is, and what is called a word is laid out as ``heap`` says. None of this is
carried out in Python: it is translated, like the rest, with ``intrinsics`` as single instructions.
"""

from __future__ import annotations

from importlib import import_module

MODULES = tuple(
    import_module(f"{__name__}.{name}")
    for name in (
        "objects lists text_writer keys chance state_writer arena batch_rows batch_actions batch_observers trees "
        "answer_choice ways outcome_proof worth"
    ).split()
)
