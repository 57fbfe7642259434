"""Translate comprehensions: lists that are made at the end of all objects, where nothing else is made meanwhile."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from patolli.run.compiler.purity import nodes_of
from patolli.run.native.expression_kinds import (
    bind_comprehension,
    infer_item_kind,
    infer_kind,
    name_scope,
    read_constant,
)
from patolli.run.native.heap import ITEMS, TUPLE
from patolli.run.native.kinds import ANY, INT, STATE
from patolli.run.native.loops import emit_item_address, emit_loop
from patolli.run.native.memory import HEAP, TOP
from patolli.run.native.purity import emit_all, emit_flat, is_sure
from patolli.run.native.wasm_text import I32
from patolli.run.native.writer import Work, Writer

SIFTED = 4096
"""How long a part of the state may be whose positions are found beforehand."""
ROOMY = 4096
"""Of how many items, at most, it is made sure beforehand that there is room for them."""
_PURE_CALLS = frozenset("len abs min max enumerate passes stepping zip range span check_size place_of bool".split())
_PLAIN = frozenset(("len", "abs", "bool"))
_MAKING = (ast.Tuple, ast.List, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.Lambda, ast.Set, ast.Slice)


def emit_comprehension(w: Writer, node: Any, kind: int) -> None:
    """Give a list that a comprehension makes."""
    pure = _is_pure(node)
    with name_scope(w):
        made = w.body.local()
        at = w.body.local(I32)
        item = bind_comprehension(w, node)
        flat = pure and not _makes(node)
        if flat:
            most = _count_most_items(w, node)
            _begin_list(w, made, at, most)
            roomy, w.roomy = w.roomy, most > 0
        else:
            w.body.op(f"i64.const {kind}", "i64.const 0")
            w.call("new")
            w.body.op(f"local.set {made}")

        def keep() -> None:
            if flat:
                if not w.roomy:
                    _ensure_room(w, at)
                w.body.op(f"local.get {at}")
                w.value(node.elt)
                w.body.op("i64.store", f"local.get {at}", "i32.const 8", "i32.add", f"local.set {at}")
            else:
                w.body.op(f"local.get {made}")
                w.value(node.elt)
                w.call("push")
                w.body.op("drop")

        emit_generators(w, node.generators, keep, pure, (at, node.elt) if flat else None)
        if flat:
            w.roomy = roomy
            _end_list(w, made, at, kind)
        elif kind == TUPLE:
            w.body.op(f"local.get {made}", f"i64.const {TUPLE}")
            w.call("whole_of")
            w.body.op(f"local.set {made}")
        w.body.op(f"local.get {made}")
        w.body.release(made, at)
        del item


def emit_generators(
    w: Writer, generators: list[ast.comprehension], work: Work, pure: bool, end: tuple[int, ast.expr] | None = None
) -> None:
    """Go through the sources of a comprehension, one inside the other.

    Args:
        w: The writer of the function.
        generators: The sources.
        work: Writes what is done with each combination.
        pure: Whether the body leaves the state unchanged.
        end: Where the next item is written, and what it is, of a list that is made at the end of all objects.
    """
    first, *others = generators
    tests = first.ifs

    def inside() -> None:
        if plain and end is not None:
            _emit_kept_item(w, tests, *end)
            return
        for test in tests:
            w.condition(test)
            w.body.open("if")
        if others:
            emit_generators(w, others, work, pure, end)
        else:
            work()
        for _ in tests:
            w.body.close()

    plain = not others and end is not None and bool(tests) and all(is_sure(w, one) for one in (*tests, end[1]))
    if others and end is not None and tests and _emit_filter(w, first, inside, tests):
        return
    emit_loop(w, first.target, first.iter, inside, pure=pure)


def _emit_kept_item(w: Writer, tests: list[ast.expr], at: int, item: ast.expr) -> None:
    """Write an item, and go on behind it only if it is to be kept: a jump would be guessed wrong too often."""
    if not w.roomy:
        _ensure_room(w, at)
    w.body.op(f"local.get {at}")
    w.value(item)
    w.body.op("i64.store", f"local.get {at}")
    emit_all(w, tests)
    w.body.op("i32.const 3", "i32.shl", "i32.add", f"local.set {at}")


def _emit_filter(w: Writer, first: ast.comprehension, inside: Work, tests: list[ast.expr]) -> bool:
    """Find the positions for which the first condition holds before anything is done; return whether it was possible.

    It is for a part of the state of a known length, with its positions; to find them takes no jump that depends on
    what lies there.
    """
    match first.target, first.iter:
        case ast.Tuple(elts=[ast.Name(id=index), ast.Name(id=item)]), ast.Call(
            func=ast.Name(id="enumerate"), args=[source]
        ):
            pass
        case _:
            return False
    steps = 0
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "passes":
        steps = read_constant(source.args[1])
        if not isinstance(steps, int):
            return False
        source = source.args[0]
    match source:
        case ast.Subscript(
            value=of,
            slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)), step=None),
        ):
            number = high - low
        case _:
            return False
    if infer_kind(w, of) != STATE or not 0 < number <= SIFTED or not is_sure(w, tests[0]):
        return False
    if steps:
        w.body.op(f"i64.const {number * steps}")
        w.call("tick")
        w.body.op("drop")
    cursor, end = w.body.local(I32), w.body.local(I32)
    position, state = w.body.local(), w.body.local()
    scratch = w.linker.scratch(4 * number + 4)
    w.value(of)
    w.body.op(f"local.set {state}")
    test = tests.pop(0)

    def emit_test() -> None:
        w.body.op(f"local.get {position}")
        w.store(index, INT)
        emit_item_address(w, position, state)
        w.body.op(f"i64.load offset={ITEMS + 8 * low}")
        w.store(item, ANY)

    w.body.op("i64.const 0", f"local.set {position}", f"i32.const {scratch}", f"local.set {cursor}")
    top = w.body.open("loop")
    emit_test()
    w.body.op(f"local.get {cursor}", f"local.get {position}", "i64.store32", f"local.get {cursor}")
    emit_flat(w, test)
    w.body.op("i32.const 2", "i32.shl", "i32.add", f"local.set {cursor}", f"local.get {position}", "i64.const 1")
    w.body.op("i64.add", f"local.tee {position}", f"i64.const {number}", "i64.lt_s")
    w.body.br_if(top)
    w.body.close()
    w.body.op(f"local.get {cursor}", f"local.set {end}", f"i32.const {scratch}", f"local.set {cursor}")
    done = w.body.open("block")
    top = w.body.open("loop")
    w.body.op(f"local.get {cursor}", f"local.get {end}", "i32.ge_u")
    w.body.br_if(done)
    w.body.op(f"local.get {cursor}", "i64.load32_u", f"local.set {position}")
    emit_test()
    inside()
    w.body.op(f"local.get {cursor}", "i32.const 4", "i32.add", f"local.set {cursor}")
    w.body.br(top)
    w.body.close()
    w.body.close()
    tests.insert(0, test)
    w.body.release(cursor, end, position, state)
    return True


def _count_most_items(w: Writer, node: Any) -> int:
    """Return how many items a comprehension gives at most, 0 where they may be many."""
    found = 1
    for part in node.generators:
        found *= _count_source_items(w, part.iter)
        if found > ROOMY:
            return 0
    return found


def _count_source_items(w: Writer, source: ast.expr) -> int:
    """Return how many items a source has at most, as far as that is known; else very many."""
    match source:
        case ast.Call(func=ast.Name(id="enumerate" | "passes"), args=[inner, *_]):
            return _count_source_items(w, inner)
        case ast.Subscript(slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)))):
            return max(0, high - low)
    depth = 0
    while isinstance(source, ast.Subscript):
        if isinstance(source.slice, ast.Slice):
            return ROOMY + 1
        source, depth = source.value, depth + 1
    if isinstance(source, ast.Name) and source.id not in w.kinds:
        return int(w.linker.longest(w.names(source.id), depth))
    return ROOMY + 1


def _begin_list(w: Writer, made: int, at: int, most: int) -> None:
    """Begin a list at the end of all objects, to which nothing else is added meanwhile."""
    # Room for the head, for all items whose number is known, and for one that is not kept.
    w.body.op(f"i32.const {HEAP}", "i64.load", f"i64.const {16 + 8 * most + 8}", "i64.add", f"local.tee {made}")
    w.body.op(f"i32.const {TOP}", "i64.load", "i64.gt_u")
    w.body.open("if")
    w.body.op(f"local.get {made}")
    w.call("reserve")
    w.body.op("drop")
    w.body.close()
    w.body.op(f"i32.const {HEAP}", "i64.load", "i64.const 1", "i64.add", f"local.tee {made}", "i32.wrap_i64")
    w.body.op("i32.const 15", "i32.add", f"local.set {at}")


def _ensure_room(w: Writer, at: int) -> None:
    """See that there is room for an item, and for the head before it."""
    w.body.op(f"local.get {at}", "i64.extend_i32_u", "i64.const 8", "i64.add", f"i32.const {TOP}", "i64.load")
    w.body.op("i64.gt_u")
    w.body.open("if")
    w.body.op(f"local.get {at}", "i64.extend_i32_u", "i64.const 8", "i64.add")
    w.call("reserve")
    w.body.op("drop")
    w.body.close()


def _end_list(w: Writer, made: int, at: int, kind: int) -> None:
    """Write the head of a list whose items are there."""
    w.body.op(f"local.get {made}", f"local.get {at}", "i64.extend_i32_u", f"i64.const {kind}")
    w.call("finish")
    w.body.op("drop")


def _is_pure(node: ast.AST) -> bool:
    """Return whether nothing that is carried out can change the state."""
    return not any(
        isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in _PURE_CALLS)
        for one in nodes_of(node)
    )


def _may_make_object(part: ast.AST, calls: frozenset[str], source: bool = False) -> bool:
    for one in nodes_of(part):
        if isinstance(one, ast.Slice) and source:
            if not (isinstance(one.lower, ast.Constant) and isinstance(one.upper, ast.Constant) and one.step is None):
                return True
        elif (
            isinstance(one, _MAKING)
            and not (isinstance(one, ast.Tuple) and all(isinstance(e, ast.Constant) for e in one.elts))
        ) or (isinstance(one, ast.Call) and not (isinstance(one.func, ast.Name) and one.func.id in calls)):
            return True
    return False


def _makes(node: Any) -> bool:
    """Return whether an item of a comprehension, a condition or a source may make other objects."""
    inner = [node.elt, *[test for one in node.generators for test in one.ifs]]
    return any(_may_make_object(part, _PLAIN) for part in inner) or any(
        _may_make_object(one.iter, _PURE_CALLS, True) for one in node.generators
    )


def emit_each(w: Writer, source: ast.expr, work: Callable[[ast.expr], object]) -> None:
    """Do something with each item of a list or of a generator expression."""
    if isinstance(source, ast.GeneratorExp | ast.ListComp):
        with name_scope(w):
            bind_comprehension(w, source)
            emit_generators(w, source.generators, lambda: work(source.elt), False)
        return
    name = f"#{id(source)}"
    with name_scope(w):
        w.kinds[name] = infer_item_kind(w, source)
        emit_loop(w, ast.Name(name, ast.Store()), source, lambda: work(ast.Name(name, ast.Load())))
