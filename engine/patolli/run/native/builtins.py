"""Translate calls of what Python itself has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from patolli.run.native.comprehensions import emit_comprehension, emit_each
from patolli.run.native.expression_kinds import infer_kind
from patolli.run.native.heap import LIST, TUPLE
from patolli.run.native.kinds import ANY, INT
from patolli.run.native.loops import limit_range
from patolli.run.native.wasm_text import I32, I64
from patolli.run.native.writer import Writer, special


def emit_numeric_builtin(w: Writer, node: ast.Call) -> bool:
    """Give what a built-in of Python gives as a number; return whether it is one of those."""
    if isinstance(node.func, ast.Attribute):
        if node.func.attr in ("index", "count") and len(node.args) == 1:
            w.value(node.func.value)
            w.value(node.args[0])
            w.call("position" if node.func.attr == "index" else "count")
            return True
        return False
    if not isinstance(node.func, ast.Name) or node.func.id in w.kinds:
        return False
    name = node.func.id
    match name, node.args:
        case "len", [one]:
            w.value(one)
            w.length()
        case "abs", [one]:
            kept = w.body.local()
            w.body.op("i64.const 0")
            w.number(one)
            w.body.op(f"local.tee {kept}", "i64.sub", f"local.get {kept}", f"local.get {kept}", "i64.const 0")
            w.body.op("i64.lt_s", "select")
            w.body.release(kept)
        case "int", [one]:
            w.number(one)
        case (("min" | "max"), [first, *others]) if others:
            if w.careful and infer_kind(w, node) != INT:
                return False
            _emit_number_extreme(w, name, first, others)
        case "sum", [one]:
            _emit_sum(w, one)
        case "load64", [one]:
            w.number(one)
            w.body.op("i32.wrap_i64", "i64.load")
        case _:
            return False
    return True


def _emit_number_extreme(w: Writer, name: str, first: ast.expr, others: list[ast.expr]) -> None:
    best, next_ = w.body.local(), w.body.local()
    w.number(first)
    w.body.op(f"local.set {best}")
    for one in others:
        w.number(one)
        w.body.op(f"local.set {next_}", f"local.get {best}", f"local.get {next_}", f"local.get {best}")
        w.body.op(f"local.get {next_}", "i64.lt_s" if name == "min" else "i64.gt_s", "select", f"local.set {best}")
    w.body.op(f"local.get {best}")
    w.body.release(best, next_)


def _emit_sum(w: Writer, source: ast.expr) -> None:
    total = w.body.local()
    w.body.op("i64.const 0", f"local.set {total}")

    def work(item: ast.expr) -> None:
        w.body.op(f"local.get {total}")
        w.number(item)
        w.body.op("i64.add", f"local.set {total}")

    emit_each(w, source, work)
    w.body.op(f"local.get {total}")
    w.body.release(total)


def list_classes(w: Writer, node: ast.expr) -> Iterator[str]:
    """Return the names of the classes that an expression stands for."""
    if isinstance(node, ast.Name) and node.id in ("list", "tuple", "range"):
        yield node.id
    elif isinstance(node, ast.Name) and isinstance(known := w.names(node.id), tuple):
        yield from (one.__name__ for one in known)
    elif isinstance(node, ast.BinOp):
        yield from list_classes(w, node.left)
        yield from list_classes(w, node.right)
    elif isinstance(node, ast.Tuple):
        for one in node.elts:
            yield from list_classes(w, one)
    else:
        raise w.fail(node, "a class")


def emit_any(w: Writer, source: ast.expr, all_: bool) -> None:
    """Give whether a condition holds of one item of a source, or of all."""
    found = w.body.local(I32)
    w.body.op(f"i32.const {1 if all_ else 0}", f"local.set {found}")
    out = w.body.open("block")

    def work(item: ast.expr) -> None:
        w.condition(item)
        if all_:
            w.body.op("i32.eqz")
        w.body.open("if")
        w.body.op(f"i32.const {0 if all_ else 1}", f"local.set {found}")
        w.body.br(out)
        w.body.close()

    emit_each(w, source, work)
    w.body.close()
    w.body.op(f"local.get {found}")
    w.body.release(found)


@special("list")
def _emit_list(w: Writer, node: ast.Call) -> None:
    _emit_copy(w, node, LIST)


@special("tuple")
def _emit_tuple(w: Writer, node: ast.Call) -> None:
    _emit_copy(w, node, TUPLE)


def _emit_copy(w: Writer, node: ast.Call, kind: int) -> None:
    match node.args:
        case []:
            w.items(kind, [])
        case [ast.GeneratorExp() | ast.ListComp() as one]:
            emit_comprehension(w, one, kind)
        case [ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[one])]:
            w.value(one)
            w.body.op(f"i64.const {kind}")
            w.call("distinct")
        case [ast.Call(func=ast.Name(id="zip" | "enumerate" as name), args=parts) as inner]:
            names = [f"#{id(inner)}{k}" for k in range(2 if name == "enumerate" else len(parts))]
            target = ast.Tuple([ast.Name(one, ast.Store()) for one in names], ast.Store())
            item = ast.Tuple([ast.Name(one, ast.Load()) for one in names], ast.Load())
            emit_comprehension(w, ast.ListComp(item, [ast.comprehension(target, inner, [], 0)]), kind)
        case [one]:
            w.value(one)
            w.body.op(f"i64.const {kind}")
            w.call("whole_of")


@special("range")
def _emit_range(w: Writer, node: ast.Call) -> None:
    if len(node.args) > 2:
        raise w.fail(node, "a step")
    w.number(node.args[0] if len(node.args) == 2 else ast.Constant(0))
    w.number(node.args[-1])
    w.call("numbers")


@special("span")
def _emit_span(w: Writer, node: ast.Call) -> None:
    low, high = w.body.local(), w.body.local()
    w.number(node.args[0])
    w.body.op(f"local.set {low}")
    w.number(node.args[1])
    w.body.op(f"local.set {high}")
    limit_range(w, low, high)
    w.body.op(f"local.get {low}", f"local.get {high}")
    w.call("numbers")
    w.body.release(low, high)


@special("whole")
def _emit_whole(w: Writer, node: ast.Call) -> None:
    """Give a list, and draw for its items, if it has any."""
    items = w.body.local()
    w.value(node.args[0])
    w.body.op(f"local.tee {items}")
    w.length()
    w.body.op("i64.eqz", "i32.eqz")
    w.body.open("if")
    w.body.op(f"local.get {items}")
    w.number(node.args[1])
    w.call("whole")
    w.body.op("drop")
    w.body.close()
    w.body.op(f"local.get {items}")
    w.body.release(items)


@special("passes")
def _emit_passes(w: Writer, node: ast.Call) -> None:
    items = w.body.local()
    w.value(node.args[0])
    w.body.op(f"local.tee {items}")
    w.length()
    w.number(node.args[1])
    w.body.op("i64.mul")
    w.call("tick")
    w.body.op("drop", f"local.get {items}")
    w.body.release(items)


@special("sorted")
def _emit_sorted(w: Writer, node: ast.Call) -> None:
    name = f"#{id(node)}"
    w.kinds[name] = ANY
    w.value(node.args[0])
    w.store(name, ANY)
    items: ast.expr = ast.Name(name, ast.Load())
    w.value(items)
    match node.keywords:
        case []:
            w.value(items)
        case [ast.keyword(arg="key", value=ast.Lambda(args=ast.arguments(args=[one]), body=key))]:
            target = ast.Name(one.arg, ast.Store())
            emit_comprehension(w, ast.ListComp(key, [ast.comprehension(target, items, [], 0)]), LIST)
        case _:
            raise w.fail(node, "an order")
    w.body.op(f"i64.const {LIST}")
    w.call("sort_by_keys")


@special("min")
def _emit_min(w: Writer, node: ast.Call) -> None:
    _emit_extreme(w, node, least=True)


@special("max")
def _emit_max(w: Writer, node: ast.Call) -> None:
    _emit_extreme(w, node, least=False)


def _emit_extreme(w: Writer, node: ast.Call, least: bool) -> None:
    """Give the least or the greatest item, the first of equal ones."""
    source = node.args[0] if len(node.args) == 1 else ast.Tuple(node.args, ast.Load())
    best, item = w.body.local(), w.body.local()
    w.none()
    w.body.op(f"local.set {best}")

    def work(one: ast.expr) -> None:
        w.value(one)
        w.body.op(f"local.set {item}", f"local.get {best}")
        w.none()
        w.body.op("i64.eq")
        w.body.open("if")
        w.body.op(f"local.get {item}", f"local.set {best}", "else", f"local.get {item if least else best}")
        w.body.op(f"local.get {best if least else item}")
        w.call("less")
        w.body.op("i32.wrap_i64")
        w.body.open("if")
        w.body.op(f"local.get {item}", f"local.set {best}")
        w.body.close()
        w.body.close()

    emit_each(w, source, work)
    w.body.op(f"local.get {best}")
    w.none()
    w.body.op("i64.eq")
    w.body.open("if", I64)
    match node.keywords:
        case [ast.keyword(arg="default", value=other)]:
            w.value(other)
        case _:
            w.give_up()
    w.body.op("else", f"local.get {best}")
    w.body.close()
    w.body.release(best, item)


def emit_class_test(w: Writer, node: ast.expr, names: tuple[str, ...]) -> None:
    """Give whether a value is a list of one of some classes of Python."""
    kept = w.body.local()
    w.value(node)
    w.body.op(f"local.tee {kept}", "i64.const 1", "i64.and", "i32.wrap_i64")
    w.body.open("if", I32)
    w.body.op(f"local.get {kept}")
    bits = sum(1 << {"list": 0, "tuple": 1, "range": 2, "dict": 6}[name] for name in names)
    w.body.op(f"i64.const {bits}")
    w.call("is_of")
    w.body.op("i32.wrap_i64", "else", "i32.const 0")
    w.body.close()
    w.body.release(kept)
