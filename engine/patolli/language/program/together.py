"""Return whether all who play win or lose together, as a pack declares its result."""

from __future__ import annotations

from patolli.language.program.model import Program
from patolli.language.program.tree_rewriter import free


def together(program: Program) -> bool:
    """Return whether what decides the result is the same for every seat, because none of it asks whose result it is."""
    deciding = (program.wins,) if program.wins is not None else (program.score, *program.ties, program.among)
    return all(one is None or one.me not in free(one.body) for one in deciding)
