"""Translate calls: of other functions, of what a value holds, of methods of lists, and of what Python itself has."""

from __future__ import annotations

import ast
import struct
from collections.abc import Callable, Iterator
from typing import Any

from patolli.native.encoding import I32, I64, unsigned
from patolli.native.heap import FUNCTION, ITEMS, LIST, NONE, TUPLE
from patolli.native.kinds import ANY, DIRECT, INT, Kind
from patolli.native.loops import Loops
from patolli.native.writer import NO_OPTION, OVER

_METHODS: dict[str, tuple[str, str, str]] = {
    "append": ("push", "w", "n"), "insert": ("insert", "nw", "n"), "remove": ("remove", "w", "n"),
    "index": ("position", "w", "n"), "count": ("count", "w", "n"), "extend": ("extend", "w", "n"), "add": ("add", "w", "n"),
    "get": ("look_up", "ww", "w"),
}  # fmt: skip
_LOADS = {"load8": "i32.load8_u", "load32": "i64.load32_u", "load64": "i64.load"}
_STORES = {"store8": "i32.store8", "store32": "i64.store32", "store64": "i64.store"}
_STREAMS = {"shuffle": 2, "below": 2, "drawn": 2}
"""Which argument names a stream."""


class Calls(Loops):
    """Translates calls, and what is handed on to be called."""

    def called(self, node: ast.Call) -> None:
        """Give what a call gives, as a word."""
        if self.raw:
            self._raw_call(node)
            return
        if self._numbered(node):
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
        if name in _STREAMS:
            self.linker.streamed(node.args[_STREAMS[name]], self.kinds)
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
        if self._numbered(node):
            return True
        if self.called_for_condition(node):
            self.body.op("i64.extend_i32_u")
            return True
        return False

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

    # -- what gives a number

    def _numbered(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in ("index", "count") and len(node.args) == 1:
                self.value(node.func.value)
                self.value(node.args[0])
                self.call(_METHODS[node.func.attr][0])
                return True
            return False
        if not isinstance(node.func, ast.Name) or node.func.id in self.kinds:
            return False
        name = node.func.id
        match name, node.args:
            case "len", [one]:
                self.value(one)
                self.length()
            case "abs", [one]:
                kept = self.body.local()
                self.body.i64(0)
                self.number(one)
                self.body.tee(kept)
                self.body.op("i64.sub")
                self.body.get(kept)
                self.body.get(kept)
                self.body.i64(0)
                self.body.op("i64.lt_s", "select")
                self.body.release(kept)
            case "int", [one]:
                self.number(one)
            case (("min" | "max"), [first, *others]) if others:
                if self.careful and self.kind(node) != INT:
                    return False
                self._extreme_of_numbers(name, first, others)
            case "sum", [one]:
                self._sum_of(one)
            case "load64", [one]:
                self.number(one)
                self.body.op("i32.wrap_i64")
                self.body.memory("i64.load")
            case _:
                return False
        return True

    def _extreme_of_numbers(self, name: str, first: ast.expr, others: list[ast.expr]) -> None:
        best, next_ = self.body.local(), self.body.local()
        self.number(first)
        self.body.set(best)
        for one in others:
            self.number(one)
            self.body.set(next_)
            self.body.get(best)
            self.body.get(next_)
            self.body.get(best)
            self.body.get(next_)
            self.body.op("i64.lt_s" if name == "min" else "i64.gt_s", "select")
            self.body.set(best)
        self.body.get(best)
        self.body.release(best, next_)

    def each(self, source: ast.expr, work: Callable[[ast.expr], object]) -> None:
        """Do something with each item of a list or of a generator expression."""
        if isinstance(source, ast.GeneratorExp | ast.ListComp):
            with self.scope():
                self.kind_of_comprehension(source)
                self.generate(source.generators, lambda: work(source.elt), False)
            return
        name = f"#{id(source)}"
        with self.scope():
            self.kinds[name] = self.kind_of_items(source)
            self.iterate(ast.Name(name, ast.Store()), source, lambda: work(ast.Name(name, ast.Load())))

    def _sum_of(self, source: ast.expr) -> None:
        total = self.body.local()
        self.body.i64(0)
        self.body.set(total)

        def work(item: ast.expr) -> None:
            self.body.get(total)
            self.number(item)
            self.body.op("i64.add")
            self.body.set(total)

        self.each(source, work)
        self.body.get(total)
        self.body.release(total)

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

    def _classes(self, node: ast.expr) -> Iterator[str]:
        if isinstance(node, ast.Name) and node.id in ("list", "tuple", "range"):
            yield node.id
        elif isinstance(node, ast.Name) and isinstance(known := self.names(node.id), tuple):
            yield from (one.__name__ for one in known)
        elif isinstance(node, ast.BinOp):
            yield from self._classes(node.left)
            yield from self._classes(node.right)
        elif isinstance(node, ast.Tuple):
            for one in node.elts:
                yield from self._classes(one)
        else:
            raise self.fail(node, "a class")

    def _any(self, source: ast.expr, all_: bool) -> None:
        found = self.body.local(I32)
        self.body.i32(1 if all_ else 0)
        self.body.set(found)
        out = self.body.open("block")

        def work(item: ast.expr) -> None:
            self.condition(item)
            if all_:
                self.body.op("i32.eqz")
            self.body.open("if")
            self.body.i32(0 if all_ else 1)
            self.body.set(found)
            self.body.br(out)
            self.body.close()

        self.each(source, work)
        self.body.close()
        self.body.get(found)
        self.body.release(found)

    # -- what Python has

    def _do_list(self, node: ast.Call) -> None:
        self._copied(node, LIST)

    def _do_tuple(self, node: ast.Call) -> None:
        self._copied(node, TUPLE)

    def _copied(self, node: ast.Call, kind: int) -> None:
        match node.args:
            case []:
                self.items(kind, [])
            case [ast.GeneratorExp() | ast.ListComp() as one]:
                self.collected(one, kind)
            case [ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[one])]:
                self.value(one)
                self.body.i64(kind)
                self.call("distinct")
            case [ast.Call(func=ast.Name(id="zip" | "enumerate" as name), args=parts) as inner]:
                names = [f"#{id(inner)}{k}" for k in range(2 if name == "enumerate" else len(parts))]
                target = ast.Tuple([ast.Name(one, ast.Store()) for one in names], ast.Store())
                item = ast.Tuple([ast.Name(one, ast.Load()) for one in names], ast.Load())
                self.collected(ast.ListComp(item, [ast.comprehension(target, inner, [], 0)]), kind)
            case [one]:
                self.value(one)
                self.body.i64(kind)
                self.call("whole_of")

    def _do_range(self, node: ast.Call) -> None:
        if len(node.args) > 2:
            raise self.fail(node, "a step")
        self.number(node.args[0] if len(node.args) == 2 else ast.Constant(0))
        self.number(node.args[-1])
        self.call("numbers")

    def _do_span(self, node: ast.Call) -> None:
        low, high = self.body.local(), self.body.local()
        self.number(node.args[0])
        self.body.set(low)
        self.number(node.args[1])
        self.body.set(high)
        self._short_enough(low, high)
        self.body.get(low)
        self.body.get(high)
        self.call("numbers")
        self.body.release(low, high)

    def _do_passes(self, node: ast.Call) -> None:
        items = self.body.local()
        self.value(node.args[0])
        self.body.tee(items)
        self.length()
        self.number(node.args[1])
        self.body.op("i64.mul")
        self.call("tick")
        self.body.op("drop")
        self.body.get(items)
        self.body.release(items)

    def _do_sorted(self, node: ast.Call) -> None:
        name = f"#{id(node)}"
        self.kinds[name] = ANY
        self.value(node.args[0])
        self.store(name, ANY)
        items: ast.expr = ast.Name(name, ast.Load())
        self.value(items)
        match node.keywords:
            case []:
                self.value(items)
            case [ast.keyword(arg="key", value=ast.Lambda(args=ast.arguments(args=[one]), body=key))]:
                target = ast.Name(one.arg, ast.Store())
                self.collected(ast.ListComp(key, [ast.comprehension(target, items, [], 0)]), LIST)
            case _:
                raise self.fail(node, "an order")
        self.body.i64(LIST)
        self.call("arranged")

    def _do_min(self, node: ast.Call) -> None:
        self._extreme(node, least=True)

    def _do_max(self, node: ast.Call) -> None:
        self._extreme(node, least=False)

    def _extreme(self, node: ast.Call, least: bool) -> None:
        """Give the least or the greatest item, the first of equal ones."""
        source = node.args[0] if len(node.args) == 1 else ast.Tuple(node.args, ast.Load())
        best, item = self.body.local(), self.body.local()
        self.none()
        self.body.set(best)

        def work(one: ast.expr) -> None:
            self.value(one)
            self.body.set(item)
            self.body.get(best)
            self.none()
            self.body.op("i64.eq")
            self.body.open("if")
            self.body.get(item)
            self.body.set(best)
            self.body.op("else")
            self.body.get(item if least else best)
            self.body.get(best if least else item)
            self.call("less")
            self.body.op("i32.wrap_i64")
            self.body.open("if")
            self.body.get(item)
            self.body.set(best)
            self.body.close()
            self.body.close()

        self.each(source, work)
        self.body.get(best)
        self.none()
        self.body.op("i64.eq")
        self.body.open("if", I64)
        match node.keywords:
            case [ast.keyword(arg="default", value=other)]:
                self.value(other)
            case _:
                self.give_up()
        self.body.op("else")
        self.body.get(best)
        self.body.close()
        self.body.release(best, item)

    # -- what rules call in a way of its own

    def _do_no_option(self, node: ast.Call) -> None:
        self.body.to("throw", NO_OPTION)

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
        self._delayed(other)
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
        self._delayed(node.args[1])
        self.body.close()
        self.body.release(kept)

    def _delayed(self, work: ast.expr) -> None:
        """Give what a delayed value is, now."""
        if isinstance(work, ast.Lambda):
            self.value(work.body)
        else:
            self._call_value(lambda: self.value(work), [])

    def _do_ahead(self, node: ast.Call) -> None:
        state, touched, work, value = node.args
        assert isinstance(touched, ast.Name)
        what = self.names(touched.id)
        stretches = lambda parts: tuple((one.start, one.stop) for one in parts)  # noqa: E731
        known = self.linker.word((stretches(what.numbers), stretches(what.lists)))
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
        self._delayed(work)
        self.body.op("drop")
        self.body.close()
        self.body.close()
        self._delayed(value)
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

    # -- methods, functions as values, fields

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
        self.body.out += b"\x11" + unsigned(kind) + b"\x00"

    def closure(self, node: ast.Lambda) -> None:
        """Give a function with what it has captured."""
        inner = {one.arg for one in node.args.args}
        captured = sorted(
            {one.id for one in ast.walk(node.body) if isinstance(one, ast.Name) and one.id in self.kinds} - inner
        )
        position = self.linker.closure(node, [(name, self.kinds[name]) for name in captured], self)
        parts = [ast.Name(name, ast.Load()) for name in captured]
        self.items(
            FUNCTION,
            [lambda: self.body.i64(position * 2), *[lambda one=one: self.value(one) for one in parts]],  # type: ignore[misc]
        )

    def attribute(self, node: ast.Attribute) -> None:
        """Give a field of a row of a table."""
        if node.attr == "__getitem__":
            name = f"#{id(node)}"
            item = ast.Subscript(node.value, ast.Name(name, ast.Load()), ast.Load())
            given = ast.arguments([], [ast.arg(name)], None, [], [], None, [])
            self.closure(ast.Lambda(given, item))
            return
        if isinstance(node.value, ast.Name) and node.value.id not in self.kinds:
            known = getattr(self.names(node.value.id), node.attr)
            self.body.i64(self.linker.word(known))
            return
        position = self.linker.fields.get(node.attr)
        if position is None:
            raise self.fail(node, "a field")
        self.value(node.value)
        self.body.i64(position)
        self.call("item")

    # -- the machine

    def _raw_call(self, node: ast.Call) -> None:
        assert isinstance(node.func, ast.Name)
        name, given = node.func.id, node.args
        if name in _LOADS:
            offset = self._address(given[0])
            self.body.memory(_LOADS[name], offset)
            if name == "load8":
                self.body.op("i64.extend_i32_u")
        elif name in _STORES:
            offset = self._address(given[0])
            self.number(given[1])
            if name == "store8":
                self.body.op("i32.wrap_i64")
            self.body.memory(_STORES[name], offset)
            self.body.i64(0)
        elif name == "copy":
            for one in given:
                self.number(one)
                self.body.op("i32.wrap_i64")
            self.body.out += b"\xfc\x0a\x00\x00"
            self.body.i64(0)
        elif name == "grow":
            self.number(given[0])
            self.body.op("i32.wrap_i64")
            self.body.out += b"\x40\x00"
            self.body.op("i64.extend_i32_s")
        elif name in ("shifted", "quotient", "less_unsigned"):
            self.number(given[0])
            self.number(given[1])
            self.body.op({"shifted": "i64.shr_u", "quotient": "i64.div_u", "less_unsigned": "i64.lt_u"}[name])
            if name == "less_unsigned":
                self.body.op("i64.extend_i32_u")
        elif name == "scaled":
            self.number(given[0])
            self.body.op("f64.convert_i64_s")
            self.body.out += b"\x44" + struct.pack("<d", 2.0**-53)
            self.body.op("f64.mul")
            self.number(given[1])
            self.body.op("f64.convert_i64_s", "f64.mul", "i64.trunc_f64_s")
        elif name == "fail":
            self.body.to("throw", 1)
            self.body.i64(0)
        else:
            for one in given:
                self.number(one)
            self.call(name)

    def _address(self, node: ast.expr) -> int:
        """Give an address; return the constant that is added to it."""
        match node:
            case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value=int(offset))) if offset >= 0:
                self.number(left)
                self.body.op("i32.wrap_i64")
                return offset
        self.number(node)
        self.body.op("i32.wrap_i64")
        return 0

    def _do_call_block(self, node: ast.Call) -> None:
        number, state, frame = node.args
        self.value(state)
        self.value(frame)
        self.number(number)
        self.body.op("i32.wrap_i64")
        self._indirect(2)

    def _do_store64(self, node: ast.Call) -> None:
        self.number(node.args[0])
        self.body.op("i32.wrap_i64")
        self.number(node.args[1])
        self.body.memory("i64.store")
        self.none()

    def _do_put_word(self, node: ast.Call) -> None:
        self.number(node.args[0])
        self.body.op("i32.wrap_i64")
        self.value(node.args[1])
        self.body.memory("i64.store")
        self.none()

    def _do_word_at(self, node: ast.Call) -> None:
        self.number(node.args[0])
        self.body.op("i32.wrap_i64")
        self.body.memory("i64.load")


Captured = list[tuple[str, Kind]]
__all__ = ["NONE", "Calls", "Captured"]
