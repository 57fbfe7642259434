"""Translate calls: of other functions, of what a value holds, of methods of lists."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from patolli.run.native.builtins import emit_any, emit_class_test, emit_numeric_builtin, list_classes
from patolli.run.native.heap import ITEMS, LIST
from patolli.run.native.items import emit_attribute
from patolli.run.native.kinds import DIRECT
from patolli.run.native.machine_words import emit_machine_word
from patolli.run.native.memory import DEPTH
from patolli.run.native.wasm_text import I64
from patolli.run.native.writer import NO_OPTION, OVER, SPECIAL, Writer, special

_METHODS: dict[str, tuple[str, str, str]] = {
    "append": ("push", "w", "n"), "insert": ("insert", "nw", "n"), "remove": ("remove", "w", "n"),
    "extend": ("extend", "w", "n"), "add": ("add", "w", "n"), "get": ("look_up", "ww", "w"),
}  # fmt: skip
_STREAMS = {"shuffle": 2, "below": 2, "draw_one": 2}
"""Which argument names a stream, and so also where what they change is noted."""


def emit_call(w: Writer, node: ast.Call) -> None:
    """Give what a call gives, as a word."""
    if w.raw:
        emit_machine_word(w, node)
        return
    if emit_numeric_builtin(w, node):
        w.tag()
        return
    if emit_call_as_condition(w, node):
        w.body.op("i64.extend_i32_u")
        w.tag()
        return
    if isinstance(node.func, ast.Attribute):
        _emit_method_call(w, node, node.func)
        return
    if not isinstance(node.func, ast.Name):
        called = node.func
        _emit_value_call(w, lambda: w.value(called), node.args)
        return
    name = node.func.id
    if name in w.kinds:
        _emit_value_call(w, lambda: w.name(name), node.args)
        return
    if name in SPECIAL:
        SPECIAL[name](w, node)
        return
    stream = _STREAMS.get(name)
    if stream is not None:
        w.linker.note_stream(node.args[stream], w.kinds)
    if name in DIRECT:
        _emit_direct_call(w, node, name)
        return
    index, parameters = w.linker.function(name, w.names)
    if parameters != len(node.args) or node.keywords:
        raise w.fail(node, "a call with other arguments")
    for one in node.args:
        w.value(one)
    w.body.op(f"call {index}")


def emit_call_as_number(w: Writer, node: ast.Call) -> bool:
    """Give what a call gives as a number, where that is less work; return whether it was done."""
    if w.raw:
        emit_machine_word(w, node)
        return True
    if emit_numeric_builtin(w, node):
        return True
    if emit_call_as_condition(w, node):
        w.body.op("i64.extend_i32_u")
        return True
    return False


def emit_call_as_condition(w: Writer, node: ast.Call) -> bool:
    """Give what a call gives as a condition, where that is less work; return whether it was done."""
    if w.raw or not isinstance(node.func, ast.Name) or node.func.id in w.kinds:
        return False
    match node.func.id, node.args:
        case "bool", [one]:
            w.condition(one)
        case ("any" | "all") as name, [one]:
            emit_any(w, one, name == "all")
        case "isinstance", [one, classes]:
            emit_class_test(w, one, tuple(list_classes(w, classes)))
        case _:
            return False
    return True


def _emit_direct_call(w: Writer, node: ast.Call, name: str) -> None:
    _emit_typed_call(w, name, *DIRECT[name], node.args)


def _emit_typed_call(w: Writer, name: str, taken: str, given: str, arguments: list[ast.expr]) -> None:
    """Call a function that takes and gives words (``w``) and numbers (``n``)."""
    for kind, one in zip(taken, arguments, strict=True):
        if kind == "w":
            w.value(one)
        else:
            w.number(one)
    w.call(name)
    if given == "n":
        w.tag()


def _emit_method_call(w: Writer, node: ast.Call, func: ast.Attribute) -> None:
    name, of = func.attr, func.value
    if name == "pop":
        w.value(of)
        w.number(node.args[0] if node.args else ast.Constant(-1))
        w.call("pop")
    elif name == "fromkeys" and isinstance(of, ast.Name) and of.id == "dict":
        w.value(node.args[0])
        w.body.op(f"i64.const {LIST}")
        w.call("distinct")
    elif name == "copy" and not node.args:
        w.value(of)
        w.body.op(f"i64.const {LIST}")
        w.call("whole_of")
    elif name == "clear" and not node.args:
        w.value(of)
        w.body.op("i64.const 0")
        w.call("shorten")
    elif name == "append" and len(node.args) == 1:
        w.value(of)
        w.value(node.args[0])
        w.linker.write_out("push", w.body)
        w.tag()
    elif name in _METHODS and len(node.args) == len(_METHODS[name][1]):
        w.value(of)
        _emit_typed_call(w, *_METHODS[name], node.args)
    else:
        _emit_value_call(w, lambda: emit_attribute(w, func), node.args)


def _emit_value_call(w: Writer, function: Callable[[], object], arguments: list[ast.expr]) -> None:
    """Call what a value holds."""
    held = w.body.local()
    function()
    w.body.op(f"local.tee {held}")
    for one in arguments:
        w.value(one)
    w.body.op(f"local.get {held}", "i32.wrap_i64", f"i64.load offset={ITEMS}")
    w.untag()
    w.body.op("i32.wrap_i64")
    w.call_indirect(1 + len(arguments))
    w.body.release(held)


def _emit_delayed(w: Writer, work: ast.expr) -> None:
    """Give what a delayed value is, now."""
    if isinstance(work, ast.Lambda):
        w.value(work.body)
    else:
        _emit_value_call(w, lambda: w.value(work), [])


@special("too_few")
@special("no_option")
def _emit_no_option(w: Writer, node: ast.Call) -> None:
    w.body.op(f"throw {NO_OPTION}")


@special("broken_promise")
def _emit_broken_promise(w: Writer, node: ast.Call) -> None:
    w.give_up()  # the match is played again in Python, which reports


@special("default")
def _emit_default(w: Writer, node: ast.Call) -> None:
    other = node.args[1]
    kept = w.body.local()
    w.value(node.args[0])
    w.body.op(f"local.tee {kept}", "i64.const 0", "i64.ge_s")
    w.body.open("if", I64)
    w.body.op(f"local.get {kept}", "else")
    _emit_delayed(w, other)
    w.body.close()
    w.body.release(kept)


@special("default_list")
def _emit_default_list(w: Writer, node: ast.Call) -> None:
    kept = w.body.local()
    w.value(node.args[0])
    w.body.op(f"local.tee {kept}", f"i64.const {-2}", "i64.ne")
    w.body.open("if", I64)
    w.body.op(f"local.get {kept}", "else")
    _emit_delayed(w, node.args[1])
    w.body.close()
    w.body.release(kept)


@special("ahead")
def _emit_ahead(w: Writer, node: ast.Call) -> None:
    state, touched, work, value = node.args
    assert isinstance(touched, ast.Name)
    what = w.names(touched.id)
    numbers, lists = (tuple([(one.start, one.stop) for one in part]) for part in (what.numbers, what.lists))
    known = w.linker.word((numbers, lists))
    w.body.op(f"i64.const {what.steps}")
    w.call("tick")
    w.body.op("drop")
    kept, found, depth = w.body.local(), w.body.local(), w.body.local()
    w.value(state)
    w.body.op(f"i64.const {known}", f"call {w.linker.driver('keep')}", f"local.set {kept}")
    w.body.op(f"i32.const {DEPTH}", "i64.load", f"local.set {depth}")
    over = w.body.open("block")
    w.body.attempt([(OVER, over)])
    _emit_delayed(w, work)
    w.body.op("drop")
    w.body.close()
    w.body.close()
    w.body.op(f"i32.const {DEPTH}", f"local.get {depth}", "i64.store")  # the end of a match leaves calls without an end
    _emit_delayed(w, value)
    w.body.op(f"local.set {found}")
    w.value(state)
    w.body.op(f"i64.const {known}", f"local.get {kept}", f"call {w.linker.driver('take_back')}", "drop")
    w.body.op(f"local.get {found}")
    w.body.release(kept, found, depth)


@special("go_through")
def _emit_go_through(w: Writer, node: ast.Call) -> None:
    state, rule, me, *arguments = node.args
    assert isinstance(rule, ast.Constant)
    entry = w.linker.entries[rule.value]
    pad: Any = w.names(f"PAD_{entry}")
    parts = [ast.Constant(entry), me, ast.Constant(0), *arguments, *map(ast.Constant, pad)]
    w.begin_call()
    w.value(state)
    w.value(ast.List(parts, ast.Load()))
    w.body.op(f"call {w.linker.driver('carried_through')}")
    w.end_call()
