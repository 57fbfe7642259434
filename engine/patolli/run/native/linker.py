"""Translate the functions of a program as they are asked for, with what these call, and put them together.

In:     a :class:`Source`: the functions of a program as Python, with what their names stand for.
Out:    the bytes of a module, and where in it the lines of the author begin.
Errors: ``Unsupported``, where something cannot be translated.
"""

from __future__ import annotations

import ast
import inspect
import json
import struct
import sys
from collections.abc import Callable, Mapping
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from patolli.kernel.library import LIBRARY
from patolli.run.native import driver, memory, support
from patolli.run.native.function_sources import (
    Source,
    driving,
    fields_of_rows,
    find_number_parameters,
    natives,
    parse_functions,
    read_annotation,
)
from patolli.run.native.heap import ENDED, LIST, NONE, TEXT, TUPLE, Statics, Unsupported, Word
from patolli.run.native.kind_inference import infer_local_kinds
from patolli.run.native.kinds import ANY, FRAME, INT, STATE, Kind, Slots, of_value
from patolli.run.native.statements import emit_block, new_writer
from patolli.run.native.wasm_text import FUNCTION, I64, MEMORY, Body, Module, assemble
from patolli.run.native.writer import NO_OPTION, Writer

ALONE = (("write_measures", 0), ("sample_rollouts", 3))
"""What a module exports that plays where no Python is, with the numbers of parameters."""
TOGETHER = (("open_batch", 1), ("reset_batch", 1), ("step_batch", 1))
"""What others export: batches."""


OVERRIDDEN = ("do_effect", "push_effect", "can_do", "anytime")
"""What the driver does instead of functions of Python."""


class Linker:
    """Translates everything that matches need, and lays out a module.

    Attributes:
        floor: Where what comes next in memory may lie, when all is linked.
        written: What was written of each function, for a reader.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.module = Module()
        self.module.tags = NO_OPTION + 1
        self.slots = Slots(source.layout)
        self.entries = source.entries
        self.indices: dict[Any, int] = {}
        self.queue: list[tuple[int, Callable[[], Writer]]] = []
        self.bodies: dict[int, str] = {}
        self.known: dict[int, Kind] = {}
        self.results: dict[Any, Kind] = {}
        self.prepared: dict[Any, Writer] = {}
        self.drawn: set[str] = set()
        self.lengths: dict[tuple[int, int], int] = {}
        self.blocks = frozenset(source.blocks)
        self.statics = Statics(memory.STATICS, self.in_table)
        self.fields = fields_of_rows()
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

    def longest(self, table: Any, depth: int) -> int:
        """Return how many items those lists of a table have at most that stand so deep in it."""
        key = (id(table), depth)
        if key not in self.lengths:
            rows = [table]
            for _ in range(depth):
                rows = [one for row in rows if isinstance(row, tuple) for one in row]
            known = all(isinstance(row, tuple | range) for row in rows)
            self.lengths[key] = max(map(len, rows), default=0) if known else sys.maxsize
        return self.lengths[key]

    def is_list(self, kind: Kind) -> bool:
        """Return whether a kind is one of lists."""
        return isinstance(kind, tuple) and kind[0] in ("list", "tuple")

    def note_stream(self, node: ast.expr, local: Mapping[str, Kind]) -> None:
        """Note from which stream is drawn."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            self.drawn.add(node.value)
            self.word(node.value)

    def support(self, name: str) -> int:
        """Return the number of a function of ``support``."""
        key = ("support", name)
        if key not in self.indices:
            module, function = _supporting(name)
            self._enter(key, len(function.args.args), lambda: self._raw(function, module))
        return self.indices[key]

    def write_out(self, name: str, body: Body) -> None:
        """Write what a function of ``support`` does where it would be called; its end is a return."""
        module, function = _supporting(name)
        given = [one.arg for one in function.args.args]
        writer = new_writer(self, vars(module).__getitem__, [(one, INT) for one in given], raw=True)
        infer_local_kinds(writer, function)
        writer.body = body
        writer.env = {one: (body.local(), INT) for one in writer.kinds}
        for one in reversed(given):
            body.op(f"local.set {writer.env[one][0]}")
        *statements, last = function.body
        assert isinstance(last, ast.Return)
        assert last.value is not None
        early = any(isinstance(node, ast.Return) for one in statements for node in ast.walk(one))
        if early:
            writer.end = body.open("block", I64)
        emit_block(writer, statements)
        writer.number(last.value)
        if early:
            body.close()
        body.release(*(at for at, _ in writer.env.values()))

    def driver(self, name: str) -> int:
        """Return the number of a function of the driver."""
        return self._python(driving(name))[0]

    def function(self, name: str, names: Callable[[str], Any]) -> tuple[int, int]:
        """Return the number of a function by its name, and how many arguments it takes."""
        if name in OVERRIDDEN:
            return self._python(driving(name))
        return self._number(names(name))

    def _number(self, value: Any) -> tuple[int, int]:
        if self._is_generated(value):
            return self._enter_generated(value.__name__)
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

    def _enter(self, key: Any, parameters: int, make: Callable[[], Writer]) -> int:
        index = self.indices[key] = len(self.module.functions)
        self.module.functions.append(self.module.type([I64] * parameters, [I64]))
        self.queue.append((index, make))
        return index

    def _enter_generated(self, name: str) -> tuple[int, int]:
        function = self.source.functions[name]
        number = len(function.args.args)
        if name not in self.indices:
            if name in self.source.circular:
                self._enter(name, number, lambda: self._counting(name, number))
            else:
                self._enter(name, number, lambda: self._write_function(name))
        return self.indices[name], number

    def _counting(self, name: str, number: int) -> Writer:
        """Write what calls a function that may call itself, and counts how deep that goes, see ``call_depth``."""
        inner = self._enter(("inner", name), number, lambda: self._write_function(name))
        writer = new_writer(self, self._global, [(f"#{k}", INT) for k in range(number)], raw=True)
        body, result = writer.body, writer.body.local()
        writer.begin_call()
        for k in range(number):
            body.op(f"local.get {k}")
        body.op(f"call {inner}", f"local.set {result}")
        writer.end_call()
        body.op(f"local.get {result}")
        return writer

    def _prepare(self, name: str) -> Writer:
        if name not in self.prepared:
            function = self.source.functions[name]
            kinds = [(one.arg, {"s": STATE, "f": FRAME}.get(one.arg, ANY)) for one in function.args.args]
            writer = new_writer(self, self._global, kinds, raw=False)
            writer.careful = False
            writer.is_block = name in self.blocks
            self.prepared[name] = writer
            numbers = find_number_parameters(function, {one for one, kind in kinds if kind == ANY})
            writer.kinds.update(dict.fromkeys(numbers, INT))
            self.results[name] = infer_local_kinds(writer, function)
        return self.prepared[name]

    def _global(self, name: str) -> Any:
        try:
            return self.source.space[name]
        except KeyError:
            raise Unsupported(f"the name {name}") from None

    def _write_function(self, name: str) -> Writer:
        function, writer = self.source.functions[name], self._prepare(name)
        return self._body(writer, function)

    def _body(self, writer: Writer, function: ast.FunctionDef) -> Writer:
        for position, one in enumerate(function.args.args):
            if writer.kinds[one.arg] == INT and not writer.raw:
                writer.body.op(f"local.get {position}")
                writer.env[one.arg] = (writer.body.allocate_local(), INT)
                writer.untag()
                writer.body.op(f"local.set {writer.env[one.arg][0]}")
            else:
                writer.env[one.arg] = (position, writer.kinds[one.arg])
        emit_block(writer, function.body)
        writer.none()
        return writer

    def _raw(self, function: ast.FunctionDef, module: ModuleType) -> Writer:
        known = vars(module)

        def names(name: str) -> Any:
            return known[name]

        writer = new_writer(self, names, [(one.arg, INT) for one in function.args.args], raw=True)
        infer_local_kinds(writer, function)
        return self._body(writer, function)

    def _python(self, value: Any) -> tuple[int, int]:
        if not isinstance(value, FunctionType):
            raise Unsupported(f"the function {getattr(value, '__name__', value)}")
        module = inspect.getmodule(value)
        assert module is not None
        function = parse_functions(module).get(value.__name__)
        if function is None:
            raise Unsupported(f"the function {value.__name__} inside another one")
        key = (module.__name__, value.__name__)
        if key not in self.indices:
            self._enter(key, len(function.args.args), lambda: self._kernel(value, function))
        return self.indices[key], len(function.args.args)

    def _kernel(self, value: FunctionType, function: ast.FunctionDef) -> Writer:
        tables = self.tables

        def names(name: str) -> Any:
            if name in tables and value.__module__.startswith(driver.__name__):
                return tables[name]
            if name in value.__globals__:
                return value.__globals__[name]
            if name in LIBRARY:
                return LIBRARY[name]
            raise Unsupported(f"the name {name} in {value.__name__}")

        kinds = [(one.arg, read_annotation(one.annotation)) for one in function.args.args]
        writer = new_writer(self, names, kinds, raw=False)
        try:
            infer_local_kinds(writer, function)
            return self._body(writer, function)
        except Unsupported as error:
            raise Unsupported(f"{value.__name__}: {error}") from None

    # -- functions as values

    def in_table(self, value: Any) -> int:
        """Return where a function stands in the table, as one that takes itself as an object before all else."""
        key = ("table", value.__name__ if self._is_generated(value) else inspect.unwrap(value))
        if key not in self.indices:
            index, parameters = self._number(value)

            def make() -> Writer:
                writer = new_writer(self, self._global, [(f"#{k}", ANY) for k in range(parameters + 1)], raw=False)
                for k in range(parameters):
                    writer.body.op(f"local.get {k + 1}")
                writer.body.op(f"call {index}")
                return writer

            self.module.elements.append(self._enter(key, parameters + 1, make))
            self.indices["at", key] = len(self.module.elements) - 1
        return self.indices["at", key]

    def closure(self, node: ast.Lambda, captured: list[tuple[str, Kind]], outer: Writer) -> int:
        """Return where the function of a lambda stands in the table."""
        given = [one.arg for one in node.args.args]

        def make() -> Writer:
            kinds: list[tuple[str, Kind]] = [("#self", ANY), *[(name, ANY) for name in given]]
            writer = new_writer(self, outer.names, kinds, raw=False)
            writer.careful = outer.careful
            for position, (name, kind) in enumerate(captured):
                writer.kinds[name] = kind
                writer.body.op("local.get 0", "i32.wrap_i64", f"i64.load offset={15 + 8 * (position + 1)}")
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
        index, _ = self._enter_generated(name)
        key = ("block", name)
        if key not in self.indices:
            self.module.elements.append(index)
            self.indices[key] = len(self.module.elements) - 1
        return self.indices[key]

    floor = 0
    written: dict[int, Body] | None = None

    def link(self, searching: bool = False, alone: bool = False) -> bytes:
        """Return the module of :meth:`write_module`. Raises ImportError: the extra ``native`` is not installed."""
        return assemble(self.write_module(searching, alone))

    def write_module(self, searching: bool = False, alone: bool = False) -> str:
        """Translate everything that can be reached and return the module: one that plays matches, or searches them.

        One that is *alone* also says what a match is worth, and tries options: there is no other code for that.
        """
        if searching:
            self._export_step("run_simulations", 2, 0)
            self.module.exports.append(("memory", MEMORY, 0))
        else:
            self._export_match(self.support("prepare_match"), self.driver("match"))
            for name, parameters in ALONE if alone else TOGETHER:
                self._export_step(name, parameters, self.support("prepare_match"))
        while self.queue:
            self._translate(*self.queue.pop())
        if not searching:
            self._translate(*self.last)  # when all streams are known
        self._finish()
        self.module.bodies = [self.bodies[index] for index in range(len(self.module.functions))]
        return self.module.to_text()

    def _translate(self, index: int, make: Callable[[], Writer]) -> None:
        writer = make()
        self.bodies[index] = writer.body.to_text()
        if self.written is not None:
            self.written[index] = writer.body

    def _export_match(self, begun: int, play: int) -> None:
        """Export what plays matches, each up to so many choices; seeds and keys of their streams are given."""

        def make() -> Writer:
            given = [(name, INT) for name in ("at", "number", "limit")]
            writer = new_writer(self, self._global, given, raw=True)
            body = writer.body
            top = body.open("loop")
            for k, name in enumerate(self.streams()):
                body.op(f"i32.const {memory.KEYS + 8 * self.statics.texts[name]}", "local.get 0", "i32.wrap_i64")
                body.op(f"i64.load offset={8 + 8 * k}", "i64.store")
            for called in (begun, play):
                body.op("local.get 0", "i32.wrap_i64", "i64.load")
                if called == play:
                    writer.tag()
                    body.op("local.get 2")
                    writer.tag()
                body.op(f"call {called}", "drop")
            body.op("local.get 0", f"i64.const {8 + 8 * len(self.streams())}", "i64.add", "local.set 0")
            body.op("local.get 1", "i64.const 1", "i64.sub", "local.tee 1", "i64.const 0", "i64.gt_s")
            body.br_if(top)
            body.close()
            body.op(f"i32.const {memory.FLOOR}", "i64.load")
            return writer

        for name, parameters in (
            ("begin_match", 1),
            ("take_option", 1),
            ("write_state", 0),
            ("write_options", 0),
            ("rolled_out", 3),
        ):
            self._export_step(name, parameters, begun)
        self.last = self._enter(("export", "matches"), 3, make), make
        self.queue.pop()
        self.module.exports += [("memory", MEMORY, 0), ("matches", FUNCTION, self.last[0])]

    def _export_step(self, name: str, parameters: int, begun: int) -> None:
        """Export a function of the driver that takes and gives whole numbers; the first one makes all ready."""
        called = self.driver(name)

        def make() -> Writer:
            writer = new_writer(self, self._global, [(f"#{k}", INT) for k in range(parameters)], raw=True)
            if name in ("begin_match", "rolled_out", "open_batch"):
                writer.body.op("local.get 0", f"call {begun}", "drop")
            for k in range(parameters):
                writer.body.op(f"local.get {k}")
                writer.tag()
            writer.body.op(f"call {called}")
            writer.untag()
            return writer

        self.module.exports.append((name, FUNCTION, self._enter(("export", name), parameters, make)))

    def streams(self) -> dict[str, int]:
        """Return the streams of chance, in the order in which their keys are given, with the numbers of their texts."""
        return {name: self.statics.texts[name] for name in sorted(self.drawn)}

    def _finish(self) -> None:
        """Lay out what is known only now, and write the fixed places."""
        statics = self.statics
        number = len(statics.texts)
        if number > memory.TEXTS:
            raise Unsupported("so many streams of chance")
        draws = statics.lay_out_object(LIST, [-2] * number)
        names = []
        for name in sorted(self.drawn):
            letters = [2 * ord(letter) for letter in json.dumps(name)]
            names.append(statics.lay_out_object(TEXT, [2 * statics.texts[name], *letters]))
        named = statics.lay_out_object(TUPLE, names)
        letters_of = {statics.texts[name]: [2 * letter for letter in name.encode()] for name in self.drawn}
        spelled = statics.lay_out_object(
            TUPLE, [statics.lay_out_object(TUPLE, letters_of[k]) if k in letters_of else NONE for k in range(number)]
        )
        streamed = statics.lay_out_object(TUPLE, [2 * text for text in self.streams().values()])
        end = statics.end + 7 & -8
        self.module.pages = (end >> 16) + 17
        cells = {
            memory.WHOLE: 199, memory.HEAP: end, memory.TOP: self.module.pages << 16, memory.FLOOR: end,
            memory.LIMIT: support.objects.LEAST, memory.DRAWN: draws, memory.NAMED: named,
            memory.STREAMED: streamed, memory.SPELLED: spelled,
        }  # fmt: skip
        self.module.data += [(at, struct.pack("<q", value)) for at, value in cells.items()]
        self.module.data += [
            (memory.SEEDED, _make_generator_state()),
            (memory.SHA, _hashing()),
            (statics.base, bytes(statics.data)),
        ]
        self.floor = end

    # -- the module


def _supporting(name: str) -> tuple[ModuleType, ast.FunctionDef]:
    """Return a function of ``support``, with the module in which it stands."""
    module = next(one for one in support.MODULES if name in parse_functions(one))
    return module, parse_functions(module)[name]


@cache
def _make_generator_state() -> bytes:
    """Return the numbers of the generator before they are seeded."""
    numbers = [19650218]
    for at in range(1, 624):
        numbers.append(1812433253 * (numbers[-1] ^ numbers[-1] >> 30) + at & 0xFFFFFFFF)
    return struct.pack("<624I", *numbers)


@cache
def _hashing() -> bytes:
    """Return the numbers of SHA-256: of the roots of primes, the first 32 bits behind the point."""
    primes = [n for n in range(2, 312) if all(n % k for k in range(2, n))]
    thirds = [_root(prime << 96, 3) & 0xFFFFFFFF for prime in primes]
    halves = [_root(prime << 64, 2) & 0xFFFFFFFF for prime in primes[:8]]
    return struct.pack("<72I", *thirds, *halves)


def _root(value: int, exponent: int) -> int:
    """Return a root, rounded down."""
    low, high = 0, 1 << 48
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**exponent <= value else (low, middle - 1)
    return low


__all__ = ["Linker", "Source"]
