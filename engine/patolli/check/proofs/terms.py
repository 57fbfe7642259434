"""Compare and rewrite expressions: equal up to the names of bound variables, with variables replaced.

In:     expressions of a program.
Out:    keys, which are equal where two expressions mean the same for certain, and expressions with variables replaced.
"""

from __future__ import annotations

import dataclasses as dc
from collections.abc import Hashable, Mapping

from patolli.language.program import expressions as x
from patolli.language.program.node import Node, walk

Aliases = Mapping[x.Variable, x.Expr]
NONE: Aliases = {}


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(cls: type) -> tuple[str, ...]:
    if cls not in _FIELDS:
        _FIELDS[cls] = tuple(f.name for f in dc.fields(cls) if f.name not in ("span", "type"))
    return _FIELDS[cls]


def key(node: object, aliases: Aliases = NONE, bound: Mapping[x.Variable, int] | None = None) -> Hashable:
    """Return what two nodes have in common that mean the same.

    Args:
        node: An expression, or what stands in a field of one.
        aliases: What variables stand for.
        bound: The variables that the expression itself binds, with their numbers.
    """
    return _key(node, aliases, bound or {})


def _key(node: object, aliases: Aliases, bound: Mapping[x.Variable, int]) -> Hashable:
    cls = node.__class__
    if cls in _SIMPLE:
        return node
    if isinstance(node, x.Local):
        if node.variable in bound:
            return ("bound", bound[node.variable])
        meant = aliases.get(node.variable)
        return key(meant, aliases) if meant is not None else ("variable", node.variable)
    if isinstance(node, x.Quantifier):
        inner, sources = dict(bound), []
        for binder in node.binders:
            sources.append(_key(binder.source, aliases, inner))
            inner[binder.variable] = len(inner)
        rest = [_key(part, aliases, inner) for part in (node.where, node.value, node.by)]
        return (x.Quantifier, node.op, *sources, *rest)
    if isinstance(node, x.Cut):
        source = _key(node.binder.source, aliases, bound)
        return (x.Cut, node.through, source, _key(node.where, aliases, {**bound, node.binder.variable: len(bound)}))
    if isinstance(node, x.Naming):
        inner, sources = dict(bound), []
        for given in node.given:
            sources.append(_key(given.source, aliases, inner))
            inner[given.variable] = len(inner)
        return (x.Naming, *sources, _key(node.value, aliases, inner))
    if isinstance(node, x.After):
        before = [_key(part, aliases, bound) for part in (node.me, node.arguments, *(g.source for g in node.given))]
        behind = {**bound, **{one.variable: len(bound) + n for n, one in enumerate(node.given)}}
        return (x.After, node.rule, *before, _key(node.value, aliases, behind))
    if isinstance(node, Node):
        return (cls, *[_key(getattr(node, name), aliases, bound) for name in _fields(cls)])
    if isinstance(node, tuple):
        return tuple([_key(one, aliases, bound) for one in node])
    return node


_SIMPLE = frozenset({str, int, bool, type(None)})


def substitute_variables(node: x.Expr, given: Aliases) -> x.Expr:
    """Return an expression in which free variables are replaced by others' values."""
    if not given:
        return node
    found = _replace_locals(node, given)
    assert isinstance(found, x.Expr)
    return found


LARGE = 400
"""Nodes that an expression may consist of when what it names is written out."""


def spelt_out(node: x.Expr) -> x.Expr:
    """Return an expression with what its lines name in the places of the names, where that is not too long."""
    if not isinstance(node, x.Naming):
        return node
    given: dict[x.Variable, x.Expr] = {}
    sizes: dict[x.Variable, int] = {}

    def size(part: x.Expr) -> int:
        return sum(sizes.get(one.variable, 1) if isinstance(one, x.Local) else 1 for one in walk(part))

    for one in node.given:
        sizes[one.variable] = size(one.source)
        if sizes[one.variable] > LARGE:
            return node
        given[one.variable] = substitute_variables(one.source, given)
    return substitute_variables(node.value, given) if size(node.value) <= LARGE else node


MEANT = 40
"""Nodes that the value of a variable may consist of, when other variables in it are written out."""


def is_large(node: x.Expr, *meanings: Aliases) -> bool:
    """Return whether an expression is too long when all that its variables stand for is written out."""
    nodes, open_ = 0, [node]
    while open_:
        for part in walk(open_.pop()):
            nodes += 1
            if nodes > MEANT:
                return True
            if isinstance(part, x.Local):
                open_ += [known[part.variable] for known in meanings if part.variable in known]
    return False


def _replace_locals(node: object, given: Aliases) -> object:
    if isinstance(node, x.Local):
        return given.get(node.variable, node)
    if isinstance(node, Node):
        old = {name: getattr(node, name) for name in _fields(type(node))}
        new = {name: _replace_locals(value, given) for name, value in old.items()}
        changed = {name: value for name, value in new.items() if value is not old[name]}
        if changed and isinstance(node, x.FactOf) and isinstance(new["of"], x.RecordOf):
            return new["of"].get_value(node.fact)
        return dc.replace(node, **changed) if changed else node  # type: ignore[arg-type]
    if isinstance(node, tuple):
        items = tuple(_replace_locals(one, given) for one in node)
        return items if any(a is not b for a, b in zip(items, node, strict=True)) else node
    return node
