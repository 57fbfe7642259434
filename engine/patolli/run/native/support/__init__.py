"""What generated code calls for lists, memory and chance, in terms of the machine.

Every number here is one of 64 bits as it is, and what is called a word is laid out as ``heap`` says. None of this is
carried out in Python: it is translated, like the rest, with ``intrinsics`` as single instructions.
"""

from __future__ import annotations

from patolli.run.native.support import (
    answer_choice,
    arena,
    batch_actions,
    batch_observers,
    batch_rows,
    chance,
    keys,
    lists,
    objects,
    outcome_proof,
    state_writer,
    text_writer,
    trees,
    ways,
    worth,
)

MODULES = (
    objects,
    lists,
    text_writer,
    keys,
    chance,
    state_writer,
    arena,
    batch_rows,
    batch_actions,
    batch_observers,
    trees,
    answer_choice,
    ways,
    outcome_proof,
    worth,
)

__all__ = ["MODULES", "objects"]
