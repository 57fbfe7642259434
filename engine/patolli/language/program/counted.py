"""Return which expressions ask only how many pieces lie somewhere: everybody sees that, also of what lies hidden."""

from __future__ import annotations

from patolli.language.program import expressions as x
from patolli.language.program.node import Node


def find_counted_place(node: Node) -> x.Held | None:
    """Return the place if a node asks only how much lies there, which can always be seen."""
    match node:
        case (
            x.BuiltinCall(builtin="size", arguments=(x.Held() as held,))
            | x.Filled(of=x.Held() as held)
            | x.Whole(op="count" | "any", of=x.Held() as held)
            | x.Present(of=x.BuiltinCall(builtin="top", arguments=(x.Held() as held,)))
        ):
            return held
    return None
