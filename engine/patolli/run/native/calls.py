"""Translate calls: of other functions, of what a value holds, of methods of lists."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from patolli.run.compiler.calm import nodes_of
from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import FUNCTION, ITEMS, LIST
from patolli.run.native.kinds import DIRECT
from patolli.run.native.wasm_encoder import I64, encode_unsigned
from patolli.run.native.writer import NO_OPTION, OVER

_METHODS: dict[str, tuple[str, str, str]] = {
    "append": ("push", "w", "n"), "insert": ("insert", "nw", "n"), "remove": ("remove", "w", "n"),
    "extend": ("extend", "w", "n"), "add": ("add", "w", "n"), "get": ("look_up", "ww", "w"),
}  # fmt: skip
_STREAMS = {"shuffle": 2, "below": 2, "draw_one": 2}
"""Which argument names a stream, and so also where what they change is noted."""


class Calls(Kinds):
    """Translates calls: of other functions, of what a value holds, of methods of lists."""

    def emit_call(self, node: ast.Call) -> None:
        """Give what a call gives, as a word."""
        if self.raw:
            self._raw_call(node)
            return
        if self._emit_numeric_builtin(node):
            self.tag()
            return
        if self.called_for_condition(node):
            self.body.op("i64.extend_i32_u")
            self.tag()
            return
        if isinstance(node.func, ast.Attribute):
            self._method(node, node.func)
            return
        if not isinstance(node.func, ast.Name):
            called = node.func
            self._call_value(lambda: self.value(called), node.args)
            return
        name = node.func.id
        if name in self.kinds:
            self._call_value(lambda: self._name(name), node.args)
            return
        special = getattr(self, f"_do_{name}", None)
        if special is not None:
            special(node)
            return
        stream = _STREAMS.get(name)
        if stream is not None:
            self.linker.note_stream(node.args[stream], self.kinds)
        if name in DIRECT:
            self._direct(node, name)
            return
        index, parameters = self.linker.function(name, self.names)
        if parameters != len(node.args) or node.keywords:
            raise self.fail(node, "a call with other arguments")
        for one in node.args:
            self.value(one)
        self.body.to("call", index)

    def called_for_number(self, node: ast.Call) -> bool:
        """Give what a call gives as a number, where that is less work; tell whether it was done."""
        if self.raw:
            self._raw_call(node)
            return True
        if self._emit_numeric_builtin(node):
            return True
        if self.called_for_condition(node):
            self.body.op("i64.extend_i32_u")
            return True
        return False

    def called_for_condition(self, node: ast.Call) -> bool:
        """Give what a call gives as a condition, where that is less work; tell whether it was done."""
        if self.raw or not isinstance(node.func, ast.Name) or node.func.id in self.kinds:
            return False
        match node.func.id, node.args:
            case "bool", [one]:
                self.condition(one)
            case ("any" | "all") as name, [one]:
                self._any(one, name == "all")
            case "isinstance", [one, classes]:
                self.of_class(one, tuple(self._classes(classes)))
            case _:
                return False
        return True

    def _direct(self, node: ast.Call, name: str) -> None:
        taken, given = DIRECT[name]
        for kind, one in zip(taken, node.args, strict=True):
            if kind == "w":
                self.value(one)
            else:
                self.number(one)
        self.call(name)
        if given == "n":
            self.tag()

    def _method(self, node: ast.Call, func: ast.Attribute) -> None:
        name, of = func.attr, func.value
        if name == "pop":
            self.value(of)
            self.number(node.args[0] if node.args else ast.Constant(-1))
            self.call("pop")
        elif name == "fromkeys" and isinstance(of, ast.Name) and of.id == "dict":
            self.value(node.args[0])
            self.body.i64(LIST)
            self.call("distinct")
        elif name == "copy" and not node.args:
            self.value(of)
            self.body.i64(LIST)
            self.call("whole_of")
        elif name == "clear" and not node.args:
            self.value(of)
            self.body.i64(0)
            self.call("shorten")
        elif name == "append" and len(node.args) == 1:
            self.value(of)
            self.value(node.args[0])
            self.linker.write_out("push", self.body)
            self.tag()
        elif name in _METHODS and len(node.args) == len(_METHODS[name][1]):
            self.value(of)
            called, taken, given = _METHODS[name]
            for kind, one in zip(taken, node.args, strict=True):
                if kind == "w":
                    self.value(one)
                else:
                    self.number(one)
            self.call(called)
            if given == "n":
                self.tag()
        else:
            self._call_value(lambda: self.attribute(func), node.args)

    def _call_value(self, function: Callable[[], object], arguments: list[ast.expr]) -> None:
        """Call what a value holds."""
        held = self.body.local()
        function()
        self.body.tee(held)
        for one in arguments:
            self.value(one)
        self.body.get(held)
        self.body.op("i32.wrap_i64")
        self.body.memory("i64.load", ITEMS)
        self.untag()
        self.body.op("i32.wrap_i64")
        self._indirect(1 + len(arguments))
        self.body.release(held)

    def _indirect(self, number: int) -> None:
        kind = self.linker.module.type([I64] * number, [I64])
        self.body.out += b"\x11" + encode_unsigned(kind) + b"\x00"

    def closure(self, node: ast.Lambda) -> None:
        """Give a function with what it has captured."""
        inner = {one.arg for one in node.args.args}
        captured = sorted(
            {one.id for one in nodes_of(node.body) if isinstance(one, ast.Name) and one.id in self.kinds} - inner
        )
        position = self.linker.closure(node, [(name, self.kinds[name]) for name in captured], self)
        parts = [ast.Name(name, ast.Load()) for name in captured]
        self.items(
            FUNCTION,
            [lambda: self.body.i64(position * 2), *[lambda one=one: self.value(one) for one in parts]],
        )

    def _emit_delayed(self, work: ast.expr) -> None:
        """Give what a delayed value is, now."""
        if isinstance(work, ast.Lambda):
            self.value(work.body)
        else:
            self._call_value(lambda: self.value(work), [])

    def _do_too_few(self, node: ast.Call) -> None:
        self._do_no_option(node)

    def _do_no_option(self, node: ast.Call) -> None:
        self.body.to("throw", NO_OPTION)

    def _do_broken_promise(self, node: ast.Call) -> None:
        self.give_up()  # the match is played again in Python, which tells

    def _do_default(self, node: ast.Call) -> None:
        other = node.args[1]
        kept = self.body.local()
        self.value(node.args[0])
        self.body.tee(kept)
        self.body.i64(0)
        self.body.op("i64.ge_s")
        self.body.open("if", I64)
        self.body.get(kept)
        self.body.op("else")
        self._emit_delayed(other)
        self.body.close()
        self.body.release(kept)

    def _do_default_list(self, node: ast.Call) -> None:
        kept = self.body.local()
        self.value(node.args[0])
        self.body.tee(kept)
        self.body.i64(-2)
        self.body.op("i64.ne")
        self.body.open("if", I64)
        self.body.get(kept)
        self.body.op("else")
        self._emit_delayed(node.args[1])
        self.body.close()
        self.body.release(kept)

    def _do_ahead(self, node: ast.Call) -> None:
        state, touched, work, value = node.args
        assert isinstance(touched, ast.Name)
        what = self.names(touched.id)
        numbers, lists = (tuple([(one.start, one.stop) for one in part]) for part in (what.numbers, what.lists))
        known = self.linker.word((numbers, lists))
        self.body.i64(what.steps)
        self.call("tick")
        self.body.op("drop")
        kept, found = self.body.local(), self.body.local()
        self.value(state)
        self.body.i64(known)
        self.body.to("call", self.linker.driver("keep"))
        self.body.set(kept)
        over = self.body.open("block")
        self.body.attempt([(OVER, over)])
        self._emit_delayed(work)
        self.body.op("drop")
        self.body.close()
        self.body.close()
        self._emit_delayed(value)
        self.body.set(found)
        self.value(state)
        self.body.i64(known)
        self.body.get(kept)
        self.body.to("call", self.linker.driver("take_back"))
        self.body.op("drop")
        self.body.get(found)
        self.body.release(kept, found)

    def _do_go_through(self, node: ast.Call) -> None:
        state, rule, me, *arguments = node.args
        assert isinstance(rule, ast.Constant)
        entry = self.linker.entries[rule.value]
        pad: Any = self.names(f"PAD_{entry}")
        parts = [ast.Constant(entry), me, ast.Constant(0), *arguments, *map(ast.Constant, pad)]
        self.value(state)
        self.value(ast.List(parts, ast.Load()))
        self.body.to("call", self.linker.driver("carried_through"))
