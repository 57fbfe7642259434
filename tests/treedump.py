"""Write a syntax tree on one line."""

from __future__ import annotations

from patolli.language.syntax import tree as t


def dump(node: object) -> str:
    """Expressions with all brackets; effects as ``class(part, part)``, empty parts left out."""
    match node:
        case None:
            return "-"
        case list() | tuple():
            return "[" + "; ".join(map(dump, node)) + "]"
        case t.Number() | t.Truth():
            return str(node.value).lower()
        case t.NoValue():
            return "none"
        case t.Name():
            return node.id
        case t.Attribute():
            return f"{dump(node.of)}.{node.name}"
        case t.Index():
            return f"{dump(node.of)}[{dump(node.index)}]"
        case t.Call():
            return f"{node.id}({', '.join(map(dump, node.arguments))})"
        case t.Binder():
            return f"{node.id} in {dump(node.source)}"
        case t.Quantifier():
            parts = [dump(node.value) if node.value is not None else "", ", ".join(map(dump, node.binders))]
            parts += [f"where {dump(node.where)}"] if node.where is not None else []
            parts += [f"by {dump(node.by)}"] if node.by is not None else []
            return f"{node.id}<{' | '.join(p for p in parts if p)}>"
        case t.Binary() | t.Logic():
            return f"({dump(node.left)} {node.op} {dump(node.right)})"
        case t.Negative():
            return f"-{dump(node.of)}"
        case t.Compare():
            return f"({dump(node.first)}{''.join(f' {op} {dump(e)}' for op, e in node.rest)})"
        case t.Not():
            return f"not {dump(node.of)}"
        case t.IfElse():
            return f"({dump(node.then)} if {dump(node.condition)} else {dump(node.other)})"
        case t.Listing():
            return "{" + ", ".join(map(dump, node.items)) + "}"
        case t.Naming():
            return "; ".join([*(f"let {one.id} = {dump(one.value)}" for one in node.given), dump(node.value)])
        case t.SpanOf():
            return f"{dump(node.low)}..{dump(node.high)}"
        case t.Item():
            words = [dump(node.amount), "any" if node.mix else "", node.thing or ""]
            return " ".join(w for w in words if w) + (dump(node.arguments) if node.arguments else "")
        case t.Return() if node.condition is not None:
            return f"stop({'unless' if node.negated else 'if'} {dump(node.condition)})"
        case t.Node():
            slots = [s for c in reversed(type(node).__mro__) for s in getattr(c, "__slots__", ())]
            values = [getattr(node, s) for s in slots if s != "at"]
            return f"{type(node).__name__.lower()}({', '.join(dump(v) for v in values if v not in (None, False, []))})"
    return repr(node) if isinstance(node, str) else str(node).lower()
