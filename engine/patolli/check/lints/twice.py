"""Find computations with the same on both sides: ``n - n`` is 0, and ``min(n, n)`` is ``n``.

One of the two was meant to be something else. Conditions such as ``n == n`` are reported elsewhere, see ``truths``.
Constants and numbers that are written out are there to be changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import expressions_of
from patolli.check.proofs.terms import key
from patolli.language.diagnostics import Problem
from patolli.language.program import expressions as x
from patolli.language.program.node import walk

_GIVES = {"-": "0", "div": "1", "mod": "0"}
_PLAIN = (x.Number, x.ConstantNamed, x.OptionValue)


@check("P1440")
def same_on_both_sides(reviewed: Reviewed) -> Iterator[Problem]:
    """Find differences, quotients, least and greatest of one and the same."""
    seen: set[object] = set()
    for tree in expressions_of(reviewed.program):
        for node in walk(tree):
            if node.span in seen or not reviewed.written_here(node.span):
                continue
            found = _describe_repetition(node)
            if found:
                seen.add(node.span)
                yield Problem("P1440", found, node.span, "one of them was meant to be something else", (), "warning")


def _describe_repetition(node: object) -> str:
    match node:
        case x.Arithmetic(op=op, left=left, right=right) if op in _GIVES and _same(left, right):
            return f"both sides of {op!r} are the same, so this is always {_GIVES[op]}"
        case x.BuiltinCall(builtin="min" | "max" as name, arguments=(first, second)) if _same(first, second):
            return f"this is the {'least' if name == 'min' else 'greatest'} of two equal values"
    return ""


def _same(one: x.Expr, other: x.Expr) -> bool:
    return not isinstance(one, _PLAIN) and key(one) == key(other)
