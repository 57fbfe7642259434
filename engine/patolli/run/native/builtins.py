"""Translate calls of what Python itself has."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from patolli.run.native.expression_kinds import Kinds
from patolli.run.native.heap import LIST, TUPLE
from patolli.run.native.kinds import ANY, INT
from patolli.run.native.wasm_encoder import I32, I64


class Builtins(Kinds):
    """Translates calls of what Python itself has."""

    def _emit_numeric_builtin(self, node: ast.Call) -> bool:
        if isinstance(node.func, ast.Attribute):
            if node.func.attr in ("index", "count") and len(node.args) == 1:
                self.value(node.func.value)
                self.value(node.args[0])
                self.call("position" if node.func.attr == "index" else "count")
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

    def _do_list(self, node: ast.Call) -> None:
        self._emit_copy(node, LIST)

    def _do_tuple(self, node: ast.Call) -> None:
        self._emit_copy(node, TUPLE)

    def _emit_copy(self, node: ast.Call, kind: int) -> None:
        match node.args:
            case []:
                self.items(kind, [])
            case [ast.GeneratorExp() | ast.ListComp() as one]:
                self.emit_comprehension(one, kind)
            case [ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[one])]:
                self.value(one)
                self.body.i64(kind)
                self.call("distinct")
            case [ast.Call(func=ast.Name(id="zip" | "enumerate" as name), args=parts) as inner]:
                names = [f"#{id(inner)}{k}" for k in range(2 if name == "enumerate" else len(parts))]
                target = ast.Tuple([ast.Name(one, ast.Store()) for one in names], ast.Store())
                item = ast.Tuple([ast.Name(one, ast.Load()) for one in names], ast.Load())
                self.emit_comprehension(ast.ListComp(item, [ast.comprehension(target, inner, [], 0)]), kind)
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

    def _do_whole(self, node: ast.Call) -> None:
        """Give a list, and draw for its items, if it has any."""
        items = self.body.local()
        self.value(node.args[0])
        self.body.tee(items)
        self.length()
        self.body.op("i64.eqz", "i32.eqz")
        self.body.open("if")
        self.body.get(items)
        self.number(node.args[1])
        self.call("whole")
        self.body.op("drop")
        self.body.close()
        self.body.get(items)
        self.body.release(items)

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
                self.emit_comprehension(ast.ListComp(key, [ast.comprehension(target, items, [], 0)]), LIST)
            case _:
                raise self.fail(node, "an order")
        self.body.i64(LIST)
        self.call("sort_by_keys")

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
