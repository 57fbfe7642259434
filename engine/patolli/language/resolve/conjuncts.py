"""Split a condition at its ``and`` into parts about one thing and about another."""

from __future__ import annotations

from patolli.language.syntax import tree as t
from patolli.language.syntax.syntax_walk import nodes


def reads_it(when: t.Expr | None) -> bool:
    """Return whether a condition looks at what is paid for."""
    return when is not None and "it" in read_names(when)


def read_names(when: t.Expr) -> set[str]:
    """Return the names that stand in a condition."""
    return {node.id for node in nodes([when]) if isinstance(node, t.Name)}


def split_condition(when: t.Expr | None) -> tuple[t.Expr | None, t.Expr | None]:
    """Return the part of the condition of a waiver that looks at what it takes, and the part about what is paid for."""
    if not isinstance(when, t.Logic) or when.op != "and" or not reads_it(when):
        return (None, when) if reads_it(when) else (when, None)
    parts = [split_condition(when.left), split_condition(when.right)]
    own, subject = ([one for one in side if one is not None] for side in zip(*parts, strict=True))
    return _join(own, when.at), _join(subject, when.at)


def _join(parts: list[t.Expr], at: t.At) -> t.Expr | None:
    return t.Logic("and", *parts, at=at) if len(parts) > 1 else parts[0] if parts else None
