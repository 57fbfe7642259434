"""Translate looking up items and parts of lists."""

from __future__ import annotations

import ast
from functools import partial

from patolli.run.compiler.purity import nodes_of
from patolli.run.native.expression_kinds import infer_kind, read_constant
from patolli.run.native.heap import DATA, FUNCTION, ITEMS, LEN, LIST
from patolli.run.native.kinds import FIXED, FRAME, MATCH, STATE, Ranged
from patolli.run.native.wasm_text import I32
from patolli.run.native.writer import Work, Writer


def emit_closure(w: Writer, node: ast.Lambda) -> None:
    """Give a function with what it has captured."""
    inner = {one.arg for one in node.args.args}
    captured = sorted(
        {one.id for one in nodes_of(node.body) if isinstance(one, ast.Name) and one.id in w.kinds} - inner
    )
    position = w.linker.closure(node, [(name, w.kinds[name]) for name in captured], w)
    parts = [ast.Name(name, ast.Load()) for name in captured]
    w.items(FUNCTION, [lambda: w.body.op(f"i64.const {position * 2}"), *[partial(w.value, one) for one in parts]])


def emit_item(w: Writer, node: ast.Subscript) -> None:
    """Give an item, or a part, of a list as a word."""
    of = infer_kind(w, node.value)
    if isinstance(node.slice, ast.Slice):
        _emit_slice(w, node, LIST)
        return
    fixed = read_constant(node.slice)
    if of in FIXED and isinstance(fixed, int) and fixed >= 0:
        w.value(node.value)
        w.body.op("i32.wrap_i64", f"i64.load offset={ITEMS + 8 * fixed}")
        return
    if of in (FRAME, MATCH):
        w.value(node.value)
        w.number(node.slice)
        w.body.op("i64.const 3", "i64.shl", "i64.add", "i32.wrap_i64", f"i64.load offset={ITEMS}")
        return
    if of == STATE:
        _emit_position(w, node.slice, len_constant=w.linker.slots.size)
        where = w.body.local(I32)
        w.body.op(f"local.set {where}")
        w.value(node.value)
        w.body.op("i32.wrap_i64", f"local.get {where}", "i32.add", f"i64.load offset={ITEMS}")
        w.body.release(where)
        return
    if isinstance(node.value, ast.Name) and node.value.id not in w.kinds:
        table = w.names(node.value.id)
        if isinstance(table, tuple | range) and len(table) <= 100_000:
            _emit_position(w, node.slice, len_constant=len(table))
            w.body.op(f"i64.load offset={w.linker.word(table) - 1 + 16}")
            return
    if isinstance(of, tuple) and of[0] == "tuple":
        held, at = w.body.local(), w.body.local()
        w.value(node.value)
        w.body.op(f"local.set {held}")
        w.number(node.slice)
        w.body.op(f"local.tee {at}", f"local.get {held}")
        w.length()
        w.body.op("i64.ge_u")
        w.body.open("if")
        w.give_up()
        w.body.close()
        w.body.op(f"local.get {at}", "i64.const 3", "i64.shl", f"local.get {held}", "i64.add", "i32.wrap_i64")
        w.body.op(f"i64.load offset={ITEMS}")
        w.body.release(held, at)
        return
    if read_constant(node.slice) == -1:
        _emit_last(w, node.value)
        return
    w.value(node.value)
    w.number(node.slice)
    w.call("item")


def _emit_last(w: Writer, node: ast.expr) -> None:
    """Give the last item of a list."""
    held = w.body.local(I32)
    w.value(node)
    w.body.op("i32.wrap_i64", f"local.tee {held}", f"i32.load offset={LEN}", "i32.eqz")
    w.body.open("if")
    w.give_up()
    w.body.close()
    w.body.op(f"local.get {held}", f"i32.load offset={DATA}", f"local.get {held}", f"i32.load offset={LEN}")
    w.body.op("i32.const 3", "i32.shl", "i32.add", "i32.const 8", "i32.sub", "i64.load")
    w.body.release(held)


def _emit_position(w: Writer, index: ast.expr, len_constant: int) -> None:
    """Give how far from the first item, in bytes, an index lies that has to be below a number."""
    if isinstance(index, ast.Constant) and isinstance(index.value, int) and 0 <= index.value < len_constant:
        w.body.op(f"i32.const {index.value * 8}")
        return
    known = infer_kind(w, index)
    if isinstance(known, Ranged) and known.low >= 0 and known.high < len_constant:
        w.number(index)
        w.body.op("i32.wrap_i64", "i32.const 3", "i32.shl")
        return
    at = w.body.local()
    w.number(index)
    w.body.op(f"local.tee {at}", f"i64.const {len_constant}", "i64.ge_u")
    w.body.open("if")
    w.give_up()
    w.body.close()
    w.body.op(f"local.get {at}", "i32.wrap_i64", "i32.const 3", "i32.shl")
    w.body.release(at)


def _emit_slice(w: Writer, node: ast.Subscript, kind: int) -> None:
    """Give a part of a list as a list of its own."""
    cut = node.slice
    assert isinstance(cut, ast.Slice)
    w.value(node.value)
    if cut.step is not None:
        if cut.lower is not None or cut.upper is not None or read_constant(cut.step) != -1:
            raise w.fail(node, "a step")
        w.body.op(f"i64.const {kind}")
        w.call("backwards")
        return
    if cut.lower is None:
        w.body.op("i64.const 0")
    else:
        w.number(cut.lower)
    if cut.upper is None:
        w.body.op(f"i64.const {1 << 31}")
    else:
        w.number(cut.upper)
    w.body.op(f"i64.const {kind}")
    w.call("part")


def emit_attribute(w: Writer, node: ast.Attribute) -> None:
    """Give a field of a row of a table."""
    if node.attr == "__getitem__":
        name = f"#{id(node)}"
        item = ast.Subscript(node.value, ast.Name(name, ast.Load()), ast.Load())
        given = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
        emit_closure(w, ast.Lambda(given, item))
        return
    if isinstance(node.value, ast.Name) and node.value.id not in w.kinds:
        known = getattr(w.names(node.value.id), node.attr)
        w.body.op(f"i64.const {w.linker.word(known)}")
        return
    position = w.linker.fields.get(node.attr)
    if position is None:
        raise w.fail(node, "a field")
    w.value(node.value)
    w.body.op(f"i64.const {position}")
    w.call("item")


def store_item(w: Writer, target: ast.Subscript, value: Work) -> None:
    """Write a word, which a function gives, into an item of a list."""
    of = infer_kind(w, target.value)
    index = target.slice
    fixed = read_constant(index)
    if of in FIXED and isinstance(fixed, int) and fixed >= 0:
        w.value(target.value)
        w.body.op("i32.wrap_i64")
        value()
        w.body.op(f"i64.store offset={ITEMS + 8 * fixed}")
    elif of in (FRAME, MATCH):
        w.value(target.value)
        w.number(index)
        w.body.op("i64.const 3", "i64.shl", "i64.add", "i32.wrap_i64")
        value()
        w.body.op(f"i64.store offset={ITEMS}")
    elif of == STATE:
        _emit_position(w, index, len_constant=w.linker.slots.size)
        w.value(target.value)
        w.body.op("i32.wrap_i64", "i32.add")
        value()
        w.body.op(f"i64.store offset={ITEMS}")
    else:
        w.value(target.value)
        w.number(index)
        value()
        w.call("replace_item")
        w.body.op("drop")
