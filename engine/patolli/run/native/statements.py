"""Translate statements of a function, after the kinds of its names were computed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from patolli.run.native.conditions import emit_condition
from patolli.run.native.expression_kinds import infer_kind
from patolli.run.native.expressions import emit_number, emit_word
from patolli.run.native.heap import ENDED
from patolli.run.native.items import store_item
from patolli.run.native.kinds import INT, Kind
from patolli.run.native.loops import bind_target, emit_loop
from patolli.run.native.memory import BUDGET, DUE
from patolli.run.native.writer import FAULT, NO_OPTION, OVER, Emitters, Writer


def emit_block(w: Writer, body: list[ast.stmt]) -> None:
    """Translate statements one after another."""
    for one in body:
        w.statement(one)


def emit_statement(w: Writer, node: ast.stmt) -> None:
    """Translate a statement."""
    if not w.raw and hasattr(node, "lineno"):
        w.body.lines.append((len(w.body.out), node.lineno))
    match node:
        case ast.Assign():
            _emit_assignment(w, node.targets, node.value)
        case ast.AnnAssign(target=target, value=value):
            if value is not None:
                _emit_assignment(w, [target], value)
        case ast.AugAssign():
            _emit_augmented_assignment(w, node)
        case ast.If():
            _emit_if(w, node)
        case ast.For():
            emit_loop(w, node.target, node.iter, lambda: emit_block(w, node.body), node.orelse)
        case ast.While():
            _emit_while(w, node)
        case ast.Return():
            if node.value is None:
                w.none()
            else:
                w.value(node.value)
            if w.end is None:
                w.body.op("return")
            else:
                w.body.br(w.end)
        case ast.Raise():
            _emit_raise(w, node)
        case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert():
            pass
        case ast.Expr():
            _emit_expression(w, node.value)
        case ast.Break():
            w.body.br(w.loops[-1][0])
        case ast.Continue():
            w.body.br(w.loops[-1][1])
        case ast.Delete():
            _emit_delete(w, node)
        case ast.Try():
            _emit_try(w, node)
        case _:
            raise w.fail(node, "a statement")


def _emit_expression(w: Writer, node: ast.expr) -> None:
    """Carry out a call and forget what it gives; an own call is done for its effect alone."""
    if isinstance(node, ast.IfExp):
        w.condition(node.test)
        w.body.open("if")
        _emit_expression(w, node.body)
        w.body.op("else")
        _emit_expression(w, node.orelse)
        w.body.close()
        return
    w.value(node)
    w.body.op("drop")


def _emit_if(w: Writer, node: ast.If) -> None:
    known = _follows(w, node.test)
    if known is not None:
        emit_block(w, node.body if known else node.orelse)
        return
    w.condition(node.test)
    w.body.open("if")
    emit_block(w, node.body)
    if node.orelse:
        w.body.op("else")
        emit_block(w, node.orelse)
    w.body.close()


def _follows(w: Writer, test: ast.expr) -> bool | None:
    """Return whether a condition holds that follows from a number in a table of the driver, and else None."""
    match test:
        case ast.Name(id=name) if name.isupper() and name not in w.kinds:
            number = w.names(name)
            return bool(number) if isinstance(number, int) else None
        case ast.BoolOp(op=ast.And(), values=[first, *_]) if _follows(w, first) is False:
            return False
    return None


def _emit_while(w: Writer, node: ast.While) -> None:
    leave = w.body.open("block")
    exhausted = w.body.open("block")
    top = w.body.open("loop")
    w.condition(node.test)
    w.body.op("i32.eqz")
    w.body.br_if(exhausted)
    w.loops.append((leave, top))
    emit_block(w, node.body)
    w.loops.pop()
    w.body.br(top)
    w.body.close()
    w.body.close()
    emit_block(w, node.orelse)
    w.body.close()


def _emit_raise(w: Writer, node: ast.Raise) -> None:
    raised = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    name = raised.id if isinstance(raised, ast.Name) else ""
    tag = {"MatchOver": OVER, "NoOption": NO_OPTION}.get(name, FAULT)
    if tag == OVER and w.is_block:
        w.body.op(f"i64.const {ENDED}", "return")
    elif w.raw or tag == FAULT:
        w.give_up()
    else:
        w.body.op(f"throw {tag}")


def _emit_try(w: Writer, node: ast.Try) -> None:
    tags = {"MatchOver": OVER, "NoOption": NO_OPTION, "RuleFault": FAULT}
    if len(node.handlers) != 1 or node.finalbody or node.orelse or node.handlers[0].name:
        raise w.fail(node, "a try of this form")
    handler = node.handlers[0]
    assert isinstance(handler.type, ast.Name)
    done = w.body.open("block")
    caught = w.body.open("block")
    w.body.attempt([(tags[handler.type.id], caught)])
    emit_block(w, node.body)
    w.body.close()
    w.body.br(done)
    w.body.close()
    emit_block(w, handler.body)
    w.body.close()


def _emit_delete(w: Writer, node: ast.Delete) -> None:
    match node.targets:
        case [ast.Subscript(value=of, slice=ast.Slice(lower=low, upper=None, step=None))]:
            w.value(of)
            if low is None:
                w.body.op("i64.const 0")
            else:
                w.number(low)
            w.call("shorten")
        case [ast.Subscript(value=of, slice=index)] if not isinstance(index, ast.Slice):
            w.value(of)
            w.number(index)
            w.call("pop")
        case _:
            raise w.fail(node, "a deletion")
    w.body.op("drop")


def _emit_assignment(w: Writer, targets: list[ast.expr], value: ast.expr) -> None:
    match targets, value:
        case [ast.Name(id=name)], _:
            kind = infer_kind(w, value)
            w.operand(value, kind)
            w.store(name, kind)
        case [ast.Tuple(elts=some)], ast.Tuple(elts=others) if len(some) == len(others) and not any(
            isinstance(one, ast.Starred) for one in (*some, *others)
        ):
            _assign_side_by_side(w, some, others)
        case [ast.Tuple()], _:
            w.value(value)
            bind_target(w, targets[0], infer_kind(w, value))
        case [ast.Subscript() as target], _:
            if isinstance(target.slice, ast.Slice):
                _replace_slice(w, target, value)
            else:
                _emit_item_assignment(w, target, value)
        case _:
            kind = infer_kind(w, value)
            w.operand(value, kind)
            kept = w.body.local()
            w.body.op(f"local.set {kept}")
            for one in targets:
                _assign_local(w, one, kept, kind)
            w.body.release(kept)


def _assign_side_by_side(w: Writer, targets: list[ast.expr], values: list[ast.expr]) -> None:
    held = []
    for value in values:
        kind = infer_kind(w, value)
        w.operand(value, kind)
        kept = w.body.local()
        w.body.op(f"local.set {kept}")
        held.append((kept, kind))
    for target, (kept, kind) in zip(targets, held, strict=True):
        _assign_local(w, target, kept, kind)
    w.body.release(*(kept for kept, _ in held))


def _assign_local(w: Writer, target: ast.expr, kept: int, kind: Kind) -> None:
    """Write what a local holds, of a kind, into a target."""

    def word() -> None:
        w.body.op(f"local.get {kept}")
        if kind == INT and not w.raw:
            w.tag()

    match target:
        case ast.Name(id=name):
            w.body.op(f"local.get {kept}")
            w.store(name, kind)
        case ast.Subscript():
            store_item(w, target, word)
        case ast.Tuple():
            word()
            bind_target(w, target, kind)
        case _:
            raise w.fail(target, "no target")


def _emit_item_assignment(w: Writer, target: ast.Subscript, value: ast.expr) -> None:
    if _is_budget(target):
        assert isinstance(target.slice, ast.Constant)
        assert isinstance(target.slice.value, int)
        w.body.op(f"i32.const {BUDGET + 8 * target.slice.value}")
        w.number(value)
        w.body.op("i64.store")
        return
    if isinstance(value, ast.Constant | ast.Name):
        store_item(w, target, lambda: w.value(value))
        return
    kept = w.body.local()
    w.value(value)
    w.body.op(f"local.set {kept}")
    store_item(w, target, lambda: w.body.op(f"local.get {kept}"))
    w.body.release(kept)


def _is_budget(target: ast.expr) -> bool:
    return isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and target.value.id == "budget"


def _replace_slice(w: Writer, target: ast.Subscript, value: ast.expr) -> None:
    cut = target.slice
    assert isinstance(cut, ast.Slice)
    items = w.body.local()
    w.value(value)
    w.body.op(f"local.set {items}")
    w.value(target.value)
    if cut.lower is None:
        w.body.op("i64.const 0")
    else:
        w.number(cut.lower)
    w.body.op(f"local.get {items}")
    w.call("replace" if cut.lower is not None or cut.upper is not None else "become")
    w.body.op("drop")
    w.body.release(items)


def _emit_augmented_assignment(w: Writer, node: ast.AugAssign) -> None:
    target = node.target
    if isinstance(target, ast.Name):
        read = ast.Name(target.id, ast.Load())
        if isinstance(w.kinds.get(target.id), tuple) and w.linker.is_list(w.kinds[target.id]):
            w.value(read)
            w.value(node.value)
            w.call("extend")
            w.body.op("drop")
            return
        _emit_assignment(w, [target], ast.BinOp(read, node.op, node.value))
        return
    assert isinstance(target, ast.Subscript)
    if isinstance(target.value, ast.Name) and target.value.id == "turns":
        w.number(target.slice)  # no part of a match, but of the search that looks for ends of turns
        w.call("called_upon")
        w.body.op("drop")
        return
    if isinstance(target.value, ast.Name) and target.value.id == "due":
        w.body.op(f"i32.const {DUE}", f"i32.const {DUE}", "i64.load")
        w.number(node.value)
        w.body.op("i64.or", "i64.store")
        return
    if _is_budget(target):
        _emit_item_assignment(
            w, target, ast.BinOp(ast.Subscript(target.value, target.slice, ast.Load()), node.op, node.value)
        )
        return
    if isinstance(target.slice, ast.Constant):
        read_ = ast.Subscript(target.value, target.slice, ast.Load())
        _emit_item_assignment(w, target, ast.BinOp(read_, node.op, node.value))
        return
    name = f"#{id(node)}"
    w.kinds[name] = INT
    w.number(target.slice)
    w.store(name, INT)
    index = ast.Name(name, ast.Load())
    once = ast.Subscript(target.value, index, ast.Load())
    _emit_item_assignment(w, once, ast.BinOp(ast.Subscript(target.value, index, ast.Load()), node.op, node.value))


_EMITTERS = Emitters(emit_word, emit_number, emit_condition, emit_statement)


def new_writer(linker: Any, names: Callable[[str], Any], parameters: Iterable[tuple[str, Kind]], raw: bool) -> Writer:
    """Return what writes a function with some parameters; see :class:`Writer`."""
    return Writer(_EMITTERS, linker, names, parameters, raw)
