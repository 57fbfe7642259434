"""What kind of value an expression has, and which names it is known of."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from typing import Any

from patolli.run.compiler.purity import nodes_of
from patolli.run.native.kinds import (
    ANY,
    COUNTING,
    DIRECT,
    FRAME,
    INT,
    LISTING,
    MATCH,
    STATE,
    Kind,
    Ranged,
    column,
    constant,
    infer_sum_kind,
    join,
)
from patolli.run.native.writer import Writer

_BUILT_IN = frozenset(
    "list tuple sorted zip enumerate isinstance passes stepping whole call_block word_at item_there at_rest".split()
)
MISSING = object()
"""What is no constant."""
BLOCKS_AT_MOST = 1 << 30
"""No program has so many."""


def infer_kind(w: Writer, node: ast.expr) -> Kind:
    """Return the kind of an expression, as far as it is known."""
    if w.raw:
        return INT
    match node:
        case ast.Constant(value=value):
            return Ranged(int(value), int(value)) if isinstance(value, int) else ANY
        case ast.Name(id=name):
            if name in w.kinds:
                return w.kinds[name]
            return w.linker.kind_of(w.names(name))
        case ast.BinOp():
            return _infer_binary_kind(w, node)
        case ast.Compare():
            return INT
        case ast.UnaryOp():
            return INT
        case ast.BoolOp(values=values):
            found: Kind = None
            for one in values:
                found = join(found, infer_kind(w, one))
            return found
        case ast.IfExp():
            return join(infer_kind(w, node.body), infer_kind(w, node.orelse))
        case ast.NamedExpr():
            return infer_kind(w, node.value)
        case ast.Subscript():
            return _infer_subscript_kind(w, node)
        case ast.List():
            return ("list", ANY)  # others may be appended
        case ast.Tuple(elts=items):
            kinds = tuple([ANY if isinstance(one, ast.Starred) else infer_kind(w, one) for one in items])
            found = None
            for kind in kinds:
                found = join(found, kind)
            if any(isinstance(one, ast.Starred) for one in items):
                return ("tuple", found)
            return ("tuple", found, kinds)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            with name_scope(w):
                for part in node.generators:
                    bind_kinds(w, part.target, infer_item_kind(w, part.iter))
                return ("list", infer_kind(w, node.elt))
        case ast.Call():
            return _infer_call_kind(w, node)
    return ANY


def _infer_binary_kind(w: Writer, node: ast.BinOp) -> Kind:
    if isinstance(node.left, ast.List) and isinstance(node.op, ast.Mult):
        return ("list", ANY)
    if isinstance(node.op, ast.Sub):
        return infer_sum_kind(infer_kind(w, node.left), infer_kind(w, node.right), minus=True)
    if not isinstance(node.op, ast.Add):
        return INT
    left, right = infer_kind(w, node.left), infer_kind(w, node.right)
    if left == INT or right == INT:
        return infer_sum_kind(left, right)
    if isinstance(left, tuple) or isinstance(right, tuple):
        found = join(left, right)
        return found if isinstance(found, tuple) else ("list", ANY)  # nothing else is added to a list
    return ANY if w.careful else INT


def _infer_subscript_kind(w: Writer, node: ast.Subscript) -> Kind:
    if isinstance(node.value, ast.Name) and node.value.id == "budget":
        return INT
    of = infer_kind(w, node.value)
    if isinstance(node.slice, ast.Slice):
        if of == STATE:
            low = node.slice.lower
            return ("list", w.linker.slots.kind(constant(low)) if low is not None else ANY)
        return ("list", of[1]) if isinstance(of, tuple) else ANY
    if of == MATCH and isinstance(node.slice, ast.Constant) and node.slice.value == 0:
        return STATE
    if of == STATE:
        known = infer_kind(w, node.slice)
        if isinstance(known, Ranged) and known.low >= 4:
            return w.linker.slots.between(known.low, known.high)
        fixed = constant(node.slice)
        if isinstance(node.slice, ast.Constant) or fixed >= 4:
            return w.linker.slots.kind(fixed)
        return ANY
    if of == FRAME and isinstance(node.slice, ast.Constant) and node.slice.value in (0, 1, 2):
        return Ranged(-1, BLOCKS_AT_MOST) if node.slice.value == 0 else INT
    if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
        return column(of, node.slice.value)
    return column(of, -1)


def _infer_call_kind(w: Writer, node: ast.Call) -> Kind:
    if isinstance(node.func, ast.Attribute):
        return INT if node.func.attr in ("index", "count") else ANY
    if not isinstance(node.func, ast.Name):
        return ANY
    name = node.func.id
    if name in w.kinds:
        return ANY
    if name in COUNTING:
        return INT
    if name in ("passes", "whole", "stepping") and node.args:
        inner = infer_kind(w, node.args[0])
        return inner if isinstance(inner, tuple) else ANY
    if name in ("list", "tuple", "sorted", "at_rest", "once") and node.args:
        inner = infer_kind(w, node.args[0])
        return ("list", inner[1] if isinstance(inner, tuple) else ANY)
    if name in ("min", "max"):
        found: Kind = None
        if len(node.args) == 1:
            inner = infer_kind(w, node.args[0])
            return inner[1] if isinstance(inner, tuple) else ANY
        for one in node.args:
            found = join(found, infer_kind(w, one))
        return INT if found == INT or any(infer_kind(w, one) == INT for one in node.args) else found
    if name in LISTING or name == "range":
        return ("list", INT)
    if name == "collect":
        return MATCH
    if name in DIRECT:
        return INT if DIRECT[name][1] == "n" else ANY
    if name in _BUILT_IN:
        return ANY
    return w.linker.result_of(w.names(name))


def infer_item_kind(w: Writer, node: ast.expr) -> Kind:
    """Return the kind of what a loop goes through."""
    match node:
        case ast.Call(func=ast.Name(id="range" | "span")):
            return INT
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner]):
            return ("pair", _infer_position_kind(inner), infer_item_kind(w, inner))
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, _]):
            return ("pair", INT, infer_item_kind(w, inner))
        case ast.Call(func=ast.Name(id="zip"), args=parts):
            return ("pair", *[infer_item_kind(w, one) for one in parts])
        case ast.Call(func=ast.Name(id="passes" | "stepping" | "whole"), args=[inner, *_]):
            return infer_item_kind(w, inner)
        case ast.IfExp():
            return infer_item_kind(w, node.body)
    return column(infer_kind(w, node), -1)


def _infer_position_kind(node: ast.expr) -> Kind:
    """Return the kind of the position in a list."""
    match node:
        case ast.Call(func=ast.Name(id="passes" | "whole"), args=[inner, *_]):
            return _infer_position_kind(inner)
        case ast.Subscript(
            slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)), step=None)
        ):
            return Ranged(0, max(0, high - low - 1))
    return INT


def bind_kinds(w: Writer, target: ast.expr, kind: Kind) -> None:
    """Note the kinds of what a loop gives names to."""
    if isinstance(target, ast.Name):
        w.kinds[target.id] = ANY if isinstance(kind, tuple) and kind[0] == "pair" else kind
    elif isinstance(target, ast.Tuple):
        for position, one in enumerate(target.elts):
            if isinstance(kind, tuple) and kind[0] == "pair":
                bind_kinds(w, one, kind[position + 1])
            else:
                bind_kinds(w, one, column(kind, position, len(target.elts)))


@contextmanager
def name_scope(w: Writer) -> Any:
    """Let names that are given inside end with it."""
    env, kinds = dict(w.env), dict(w.kinds)
    yield
    for name in [*w.kinds]:
        if name in kinds:
            w.kinds[name] = kinds[name]
        else:
            del w.kinds[name]
    for name, local in [*w.env.items()]:
        if name in env:
            w.env[name] = env[name]
        elif name in w.kinds:
            continue  # a name of the function that was first met inside
        else:
            del w.env[name]
            del local


def bind_comprehension(w: Writer, node: Any) -> Kind:
    """Bind the names of a comprehension and return the kind of its items."""
    for one in node.generators:
        _forget_names(w, one.target)
        bind_kinds(w, one.target, infer_item_kind(w, one.iter))
    return infer_kind(w, node.elt)


def _forget_names(w: Writer, target: ast.expr) -> None:
    """Let names be others than those of the same name outside."""
    for one in nodes_of(target):
        if isinstance(one, ast.Name):
            w.env.pop(one.id, None)


def read_constant(node: ast.expr) -> Any:
    """Return what a tuple of constants stands for."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = read_constant(node.operand)
        return -value if isinstance(value, int) else MISSING
    if isinstance(node, ast.Tuple):
        found = [read_constant(one) for one in node.elts]
        return MISSING if MISSING in found else tuple(found)
    return MISSING
