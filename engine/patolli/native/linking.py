"""Put a program together: translate every function that is called, and what these call.

In:     a :class:`Source`: the functions of a program as Python, with what their names stand for.
Out:    the bytes of a module, and where in it the lines of the author begin.
Errors: ``Unsupported``, where something cannot be translated.
"""

from __future__ import annotations

import ast
import inspect
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from patolli.kernel import money
from patolli.kernel.library import LIBRARY
from patolli.native import driver, memory, support
from patolli.native.encoding import I64, Module
from patolli.native.heap import ENDED, LIST, TEXT, TUPLE, Statics, Unsupported, Word
from patolli.native.kinds import ANNOTATED, ANY, FRAME, INT, STATE, Kind, Slots, of_value
from patolli.native.statements import Statements
from patolli.native.writer import NO_OPTION
from patolli.program.calls import inner_first

OVERRIDDEN = ("do_effect", "push_effect", "can_do", "anytime")
"""What the driver does instead of functions of Python."""
DEEP = 100
"""How deep functions may call each other in a circle; where they go deeper, Python says whether that is too deep."""


@dataclass
class Source:
    """A program as it is translated.

    Attributes:
        functions: The functions that were generated, by name.
        space: What names stand for there.
        tables: What names in capitals of the driver stand for.
        entries: The first blocks of rules on frames.
        blocks: The functions of the blocks.
        layout: The layout of a state.
    """

    functions: Mapping[str, ast.FunctionDef]
    space: Mapping[str, Any]
    tables: Mapping[str, Any]
    entries: Mapping[str, int]
    blocks: list[str]
    layout: Any
    files: Mapping[str, str] = field(default_factory=dict)


@cache
def parsed(module: ModuleType) -> dict[str, ast.FunctionDef]:
    """Return the functions of a module of Python."""
    tree = ast.parse(inspect.getsource(module))
    return {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}


def _driving(name: str) -> Any:
    """Return a function of the driver."""
    return next(getattr(one, name) for one in driver.MODULES if name in parsed(one))


def natives() -> dict[str, Any]:
    """Return what is carried out natively instead of functions of the kernel, by their names."""
    import patolli.kernel.flat  # noqa: F401 - it enters them
    from patolli.kernel.library import NATIVE

    return NATIVE


class Linker:
    """Translates functions as they are asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.module = Module()
        self.module.tags = NO_OPTION + 1
        self.slots = Slots(source.layout)
        self.entries = source.entries
        self.indices: dict[Any, int] = {}
        self.queue: list[tuple[int, Callable[[], Statements]]] = []
        self.bodies: dict[int, bytes] = {}
        self.known: dict[int, Kind] = {}
        self.results: dict[Any, Kind] = {}
        self.prepared: dict[Any, Statements] = {}
        self.streams: set[str] = set()
        self.all_streams = False
        self.places: dict[int, tuple[str, str, list[tuple[int, int]]]] = {}
        self.blocks = frozenset(source.blocks)
        called = {one.name: _called(one) for one in source.functions.values()}
        self.circular = frozenset(inner_first(called)[1])
        self.statics = Statics(memory.STATICS, self.in_table)
        self.fields = _fields()
        self.natives = natives()
        self.tables = {
            **source.tables,
            "ENDED": Word(ENDED),
            "BLOCKS": tuple(self._block(name) for name in source.blocks),
        }

    # -- what translated code asks for

    def word(self, value: Any) -> int:
        """Return the word for what no match changes."""
        return self.statics.word(value)

    def scratch(self, size: int) -> int:
        """Return where so many bytes are that one comprehension may use, which calls nothing meanwhile."""
        at = self.statics.end
        self.statics.data += bytes(size + 7 & -8)
        return at

    def kind_of(self, value: Any) -> Kind:
        """Return the kind of what no match changes."""
        return of_value(value, self.known)

    def is_list(self, kind: Kind) -> bool:
        """Tell whether a kind is one of lists."""
        return isinstance(kind, tuple) and kind[0] in ("list", "tuple")

    def streamed(self, node: ast.expr, local: Mapping[str, Kind]) -> None:
        """Note from which stream is drawn."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.streams.add(node.value)
            self.word(node.value)

    def support(self, name: str) -> int:
        """Return the number of a function of ``support``."""
        key = ("support", name)
        if key not in self.indices:
            module = next(one for one in support.MODULES if name in parsed(one))
            function = parsed(module)[name]
            self._enter(key, len(function.args.args), lambda: self._raw(function, module))
        return self.indices[key]

    def driver(self, name: str) -> int:
        """Return the number of a function of the driver."""
        return self._python(_driving(name))[0]

    def function(self, name: str, names: Callable[[str], Any]) -> tuple[int, int]:
        """Return the number of a function by its name, and how many arguments it takes."""
        if name in OVERRIDDEN:
            return self._python(_driving(name))
        return self._number(names(name))

    def _number(self, value: Any) -> tuple[int, int]:
        if self._is_generated(value):
            return self._generated(value.__name__)
        value = inspect.unwrap(value)
        return self._python(self.natives.get(value.__name__, value))

    def _is_generated(self, value: Any) -> bool:
        return isinstance(value, FunctionType) and value.__globals__ is self.source.space

    def result_of(self, value: Any) -> Kind:
        """Return the kind of what a function gives."""
        if self._is_generated(value):
            name = value.__name__
            if name not in self.results:
                self.results[name] = ANY  # for those that call themselves
                self._prepare(name)
            return self.results[name]
        if isinstance(value, FunctionType):
            return INT if value.__annotations__.get("return") in ("int", "bool") else ANY
        return ANY

    # -- functions

    def _enter(self, key: Any, parameters: int, make: Callable[[], Statements]) -> int:
        index = self.indices[key] = len(self.module.functions)
        self.module.functions.append(self.module.type([I64] * parameters, [I64]))
        self.queue.append((index, make))
        return index

    def _generated(self, name: str) -> tuple[int, int]:
        function = self.source.functions[name]
        number = len(function.args.args)
        if name not in self.indices:
            if name in self.circular:
                self._enter(name, number, lambda: self._counting(name, number))
            else:
                self._enter(name, number, lambda: self._written(name))
        return self.indices[name], number

    def _counting(self, name: str, number: int) -> Statements:
        """Write what calls a function that may call itself, and counts how deep that goes: Python goes no deeper either."""
        inner = self._enter(("inner", name), number, lambda: self._written(name))
        writer = Statements(self, self._global, [(f"#{k}", INT) for k in range(number)], raw=True)
        body, result = writer.body, writer.body.local()
        self._deeper(writer, 1)
        body.i32(memory.DEPTH)
        body.memory("i64.load")
        body.i64(DEEP)
        body.op("i64.gt_s")
        body.open("if")
        writer.give_up()
        body.close()
        for k in range(number):
            body.get(k)
        body.to("call", inner)
        body.set(result)
        self._deeper(writer, -1)
        body.get(result)
        return writer

    def _deeper(self, writer: Statements, by: int) -> None:
        writer.body.i32(memory.DEPTH)
        writer.body.i32(memory.DEPTH)
        writer.body.memory("i64.load")
        writer.body.i64(by)
        writer.body.op("i64.add")
        writer.body.memory("i64.store")

    def _prepare(self, name: str) -> Statements:
        if name not in self.prepared:
            function = self.source.functions[name]
            kinds = [(one.arg, {"s": STATE, "f": FRAME}.get(one.arg, ANY)) for one in function.args.args]
            writer = Statements(self, self._global, kinds, raw=False)
            writer.careful = False
            writer.is_block = name in self.blocks
            self.prepared[name] = writer
            numbers = _counted(function, {one for one, kind in kinds if kind == ANY})
            writer.kinds.update(dict.fromkeys(numbers, INT))
            self.results[name] = writer.infer(function)
        return self.prepared[name]

    def _global(self, name: str) -> Any:
        try:
            return self.source.space[name]
        except KeyError:
            raise Unsupported(f"the name {name}") from None

    def _written(self, name: str) -> Statements:
        function, writer = self.source.functions[name], self._prepare(name)
        return self._body(writer, function)

    def _body(self, writer: Statements, function: ast.FunctionDef) -> Statements:
        for position, one in enumerate(function.args.args):
            if writer.kinds[one.arg] == INT and not writer.raw:
                writer.body.get(position)
                writer.env[one.arg] = (writer.body.named(), INT)
                writer.untag()
                writer.body.set(writer.env[one.arg][0])
            else:
                writer.env[one.arg] = (position, writer.kinds[one.arg])
        writer.block(function.body)
        writer.none()
        return writer

    def _raw(self, function: ast.FunctionDef, module: ModuleType) -> Statements:
        known = vars(module)

        def names(name: str) -> Any:
            return known[name]

        writer = Statements(self, names, [(one.arg, INT) for one in function.args.args], raw=True)
        writer.infer(function)
        return self._body(writer, function)

    def _python(self, value: Any) -> tuple[int, int]:
        if not isinstance(value, FunctionType):
            raise Unsupported(f"the function {getattr(value, '__name__', value)}")
        module = inspect.getmodule(value)
        assert module is not None
        function = parsed(module).get(value.__name__)
        if function is None:
            raise Unsupported(f"the function {value.__name__} inside another one")
        key = (module.__name__, value.__name__)
        if key not in self.indices:
            self._enter(key, len(function.args.args), lambda: self._kernel(value, function))
        return self.indices[key], len(function.args.args)

    def _kernel(self, value: FunctionType, function: ast.FunctionDef) -> Statements:
        tables = self.tables

        def names(name: str) -> Any:
            if name in tables and value.__module__.startswith(driver.__name__):
                return tables[name]
            if name in value.__globals__:
                return value.__globals__[name]
            if name in LIBRARY:
                return LIBRARY[name]
            raise Unsupported(f"the name {name} in {value.__name__}")

        kinds = [(one.arg, _annotated(one.annotation)) for one in function.args.args]
        writer = Statements(self, names, kinds, raw=False)
        try:
            writer.infer(function)
            return self._body(writer, function)
        except Unsupported as error:
            raise Unsupported(f"{value.__name__}: {error}") from None

    # -- functions as values

    def in_table(self, value: Any) -> int:
        """Return where a function stands in the table, as one that takes itself as an object before all else."""
        key = ("table", value.__name__ if self._is_generated(value) else inspect.unwrap(value))
        if key not in self.indices:
            index, parameters = self._number(value)

            def make() -> Statements:
                writer = Statements(self, self._global, [(f"#{k}", ANY) for k in range(parameters + 1)], raw=False)
                for k in range(parameters):
                    writer.body.get(k + 1)
                writer.body.to("call", index)
                return writer

            self.module.elements.append(self._enter(key, parameters + 1, make))
            self.indices["at", key] = len(self.module.elements) - 1
        return self.indices["at", key]

    def closure(self, node: ast.Lambda, captured: list[tuple[str, Kind]], outer: Statements) -> int:
        """Return where the function of a lambda stands in the table."""
        given = [one.arg for one in node.args.args]

        def make() -> Statements:
            kinds: list[tuple[str, Kind]] = [("#self", ANY), *[(name, ANY) for name in given]]
            writer = Statements(self, outer.names, kinds, raw=False)
            writer.careful = outer.careful
            for position, (name, kind) in enumerate(captured):
                writer.kinds[name] = kind
                writer.body.get(0)
                writer.body.op("i32.wrap_i64")
                writer.body.memory("i64.load", 15 + 8 * (position + 1))
                writer.store(name, ANY)
            writer.value(node.body)
            return writer

        index = self._enter(("lambda", len(self.indices)), 1 + len(given), make)
        self.module.elements.append(index)
        return len(self.module.elements) - 1

    def _block(self, name: str) -> int:
        """Return where a block stands in the table; -1 for one that was never compiled."""
        if name not in self.source.functions:
            return -1
        index, _ = self._generated(name)
        key = ("block", name)
        if key not in self.indices:
            self.module.elements.append(index)
            self.indices[key] = len(self.module.elements) - 1
        return self.indices[key]

    # -- the module

    def link(self) -> bytes:
        """Translate everything that can be reached and return the module."""
        begun, play = self.support("begun"), self.driver("match")
        self._export_match(begun, play)
        while self.queue:
            self._translate(*self.queue.pop())
        self._translate(*self.last)  # when all streams are known
        self._finish()
        self.module.bodies = [self.bodies[index] for index in range(len(self.module.functions))]
        return self.module.encoded()

    def _translate(self, index: int, make: Callable[[], Statements]) -> None:
        writer = make()
        self.bodies[index] = writer.body.encoded()
        if writer.body.lines:
            self.places[index] = ("", "", writer.body.lines)

    def _export_match(self, begun: int, play: int) -> None:
        """Export what plays matches, each up to so many choices: their seeds and the keys of their streams are given."""

        def make() -> Statements:
            given = [(name, INT) for name in ("at", "number", "limit")]
            writer = Statements(self, self._global, given, raw=True)
            body = writer.body
            top = body.open("loop")
            for k, name in enumerate(self._streams()):
                body.i32(memory.KEYS + 8 * self.statics.texts[name])
                body.get(0)
                body.op("i32.wrap_i64")
                body.memory("i64.load", 8 + 8 * k)
                body.memory("i64.store")
            for called in (begun, play):
                body.get(0)
                body.op("i32.wrap_i64")
                body.memory("i64.load")
                if called == play:
                    writer.tag()
                    body.get(2)
                    writer.tag()
                body.to("call", called)
                body.op("drop")
            body.get(0)
            body.i64(8 + 8 * len(self._streams()))
            body.op("i64.add")
            body.set(0)
            body.get(1)
            body.i64(1)
            body.op("i64.sub")
            body.tee(1)
            body.i64(0)
            body.op("i64.gt_s")
            body.br_if(top)
            body.close()
            body.i32(memory.FLOOR)
            body.memory("i64.load")
            return writer

        for name, parameters in (("opened", 1), ("answered", 1), ("told", 0), ("rolled_out", 3)):
            self._export_step(name, parameters, begun)
        self.last = self._enter(("export", "matches"), 3, make), make
        self.queue.pop()
        self.module.exports += [("memory", 2, 0), ("matches", 0, self.last[0])]

    def _export_step(self, name: str, parameters: int, begun: int) -> None:
        """Export a function of the driver that takes and gives whole numbers; the first one makes all ready."""
        called = self.driver(name)

        def make() -> Statements:
            writer = Statements(self, self._global, [(f"#{k}", INT) for k in range(parameters)], raw=True)
            if name in ("opened", "rolled_out"):
                writer.body.get(0)
                writer.body.to("call", begun)
                writer.body.op("drop")
            for k in range(parameters):
                writer.body.get(k)
                writer.tag()
            writer.body.to("call", called)
            writer.untag()
            return writer

        self.module.exports.append((name, 0, self._enter(("export", name), parameters, make)))

    def _streams(self) -> dict[str, int]:
        """Return the streams of chance, in the order in which their keys are given, with the numbers of their texts."""
        return {name: self.statics.texts[name] for name in sorted(self.streams)}

    def _finish(self) -> None:
        """Lay out what is known only now, and write the fixed places."""
        statics = self.statics
        number = len(statics.texts)
        if number > memory.TEXTS:
            raise Unsupported("so many streams of chance")
        draws = statics.put(LIST, [-2] * number)
        names = []
        for name in sorted(self.streams):
            letters = [2 * ord(letter) for letter in _quoted(name)]
            names.append(statics.put(TEXT, [2 * statics.texts[name], *letters]))
        named = statics.put(TUPLE, names)
        streamed = statics.put(TUPLE, [2 * text for text in self._streams().values()])
        end = statics.end + 7 & -8
        self.module.pages = (end >> 16) + 17
        cells = {
            memory.WHOLE: 199, memory.HEAP: end, memory.TOP: self.module.pages << 16, memory.FLOOR: end,
            memory.LIMIT: support.objects.LEAST, memory.DRAWN: draws, memory.NAMED: named,
            memory.STREAMED: streamed,
        }  # fmt: skip
        self.module.data += [(at, struct.pack("<q", value)) for at, value in cells.items()]
        self.module.data += [(memory.SEEDED, _seeded()), (statics.base, bytes(statics.data))]
        self.floor = end


def _called(function: ast.FunctionDef) -> list[str]:
    """Return what a function may call: all that it names."""
    return sorted({one.id for one in ast.walk(function) if isinstance(one, ast.Name)})


def _quoted(name: str) -> str:
    import json

    return json.dumps(name)


@cache
def _seeded() -> bytes:
    """Return the numbers of the generator before they are seeded."""
    numbers = [19650218]
    for at in range(1, 624):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + at & 0xFFFFFFFF)
    return struct.pack("<624I", *numbers)


def _annotated(node: ast.expr | None) -> Kind:
    return ANNOTATED.get(node.id, ANY) if isinstance(node, ast.Name) else ANY


@cache
def _fields() -> dict[str, int]:
    """Return where the fields of rows of tables stand, as far as all agree."""
    found: dict[str, set[int]] = {}
    for one in vars(money).values():
        if isinstance(one, type) and (is_dataclass(one) or hasattr(one, "_fields")):
            names = [f.name for f in fields(one)] if is_dataclass(one) else list(one._fields)
            for position, name in enumerate(names):
                found.setdefault(name, set()).add(position)
    return {name: min(places) for name, places in found.items() if len(places) == 1}


def _counted(function: ast.FunctionDef, parameters: set[str]) -> set[str]:
    """Return the parameters that are surely numbers, as something is counted or looked up with them."""
    numbers: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(function):
        match node:
            case ast.BinOp(left=left, right=right):
                numbers.update(one.id for one in (left, right) if isinstance(one, ast.Name))
            case ast.Subscript(value=of, slice=index):
                numbers.update(one.id for one in (index,) if isinstance(one, ast.Name))
                others.update(one.id for one in (of,) if isinstance(one, ast.Name))
            case ast.Assign(targets=targets):
                for target in targets:
                    others.update(
                        one.id
                        for one in ast.walk(target)
                        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
                    )
    return (numbers & parameters) - others
