"""Translate loops: what they go through, with what they draw on the step budget."""

from __future__ import annotations

import ast
from typing import Any

from patolli.kernel.budget import FREE
from patolli.run.native.expression_kinds import infer_item_kind, infer_kind, read_constant
from patolli.run.native.heap import DATA, ITEMS
from patolli.run.native.items import store_item
from patolli.run.native.kinds import ANY, INT, STATE, Kind, column
from patolli.run.native.wasm_text import I32
from patolli.run.native.writer import Work, Writer


def emit_loop(
    w: Writer, target: ast.expr, source: ast.expr, work: Work, other: list[ast.stmt] | None = None, pure: bool = False
) -> None:
    """Do something with each item of a source.

    Args:
        w: The writer of the function.
        target: The names that the items get.
        source: What is gone through.
        work: Writes what is done.
        other: What is done where the loop was not left early.
        pure: Whether the body leaves the state unchanged, so that a part of it need not be copied.
    """
    w.body.open("block")
    leave = w.body.depth
    w.body.open("block")
    exhausted = w.body.depth
    _emit_loop_over(w, target, source, work, leave, exhausted, pure)
    w.body.close()
    for one in other or ():
        w.statement(one)
    w.body.close()


def _emit_loop_over(
    w: Writer, target: ast.expr, source: ast.expr, work: Work, leave: int, exhausted: int, pure: bool
) -> None:
    match source:
        case ast.Call(func=ast.Name(id="range" | "span" as name), args=arguments) if len(arguments) < 3:
            low = arguments[0] if len(arguments) == 2 else ast.Constant(0)
            first, last = w.body.local(), w.body.local()
            w.number(low)
            w.body.op(f"local.set {first}")
            w.number(arguments[-1])
            w.body.op(f"local.set {last}")
            if name == "span":
                limit_range(w, first, last)
            _emit_count_loop(w, target, first, last, work, (leave, exhausted))
            w.body.release(first, last)
            return
        case ast.Call(func=ast.Name(id="range"), args=[low_, high, step]):
            _emit_range_loop(w, target, low_, high, step, work, (leave, exhausted))
            return
        case ast.Name(id=name) if name not in w.kinds and isinstance(w.names(name), range) and w.names(name).step == 1:
            numbers = w.names(name)
            first, last = w.body.local(), w.body.local()
            w.body.op(f"i64.const {numbers.start}", f"local.set {first}", f"i64.const {numbers.stop}")
            w.body.op(f"local.set {last}")
            _emit_count_loop(w, target, first, last, work, (leave, exhausted))
            w.body.release(first, last)
            return
    _emit_list_loop(w, target, source, work, leave, exhausted, pure)


def limit_range(w: Writer, first: int, last: int) -> None:
    """Give up where a range is too long to be made a list."""
    w.body.op(f"local.get {last}", f"local.get {first}", "i64.sub", "i64.const 100000", "i64.gt_s")
    w.body.open("if")
    w.give_up()
    w.body.close()


def _emit_pass(w: Writer, work: Work, leave: int) -> None:
    """Write the work of one pass, which ``continue`` leaves."""
    w.body.open("block")
    w.loops.append((leave, w.body.depth))
    work()
    w.loops.pop()
    w.body.close()


def _emit_count_loop(
    w: Writer, target: ast.expr, first: int, last: int, work: Work, leads: tuple[int, int], step: int = 1
) -> None:
    """Go through numbers; the first one is used up."""
    leave, exhausted = leads
    top = w.body.open("loop")
    w.body.op(f"local.get {first}", f"local.get {last}", "i64.ge_s" if step > 0 else "i64.le_s")
    w.body.br_if(exhausted)
    w.body.op(f"local.get {first}")
    bind_number(w, target)
    _emit_pass(w, work, leave)
    w.body.op(f"local.get {first}", f"i64.const {step}", "i64.add", f"local.set {first}")
    w.body.br(top)
    w.body.close()


def _emit_range_loop(
    w: Writer, target: ast.expr, low: ast.expr, high: ast.expr, step: ast.expr, work: Work, leads: tuple[int, int]
) -> None:
    by = read_constant(step)
    if not isinstance(by, int) or not by:
        raise w.fail(step, "a step")
    first, last = w.body.local(), w.body.local()
    w.number(low)
    w.body.op(f"local.set {first}")
    w.number(high)
    w.body.op(f"local.set {last}")
    _emit_count_loop(w, target, first, last, work, leads, by)
    w.body.release(first, last)


def _emit_list_loop(
    w: Writer, target: ast.expr, source: ast.expr, work: Work, leave: int, exhausted: int, pure: bool
) -> None:
    """Go through lists: one, or several side by side, perhaps with the position."""
    position = w.body.local()
    w.body.op("i64.const 0", f"local.set {position}")
    lists: list[tuple[ast.expr, Kind, Work, Work]] = []  # targets, kinds, what gives the length, and an item
    held: list[int] = [position]
    steps = _prepare_sources(w, target, source, position, lists, held, pure)
    top = w.body.open("loop")
    for _, _, length, _ in lists:
        w.body.op(f"local.get {position}")
        length()
        w.body.op("i64.ge_s")
        w.body.br_if(exhausted)
    if steps is not None:
        _draw_some_steps(w, position, lists[0][2], *steps)
    for one, kind, _, item in lists:
        item()
        bind_target(w, one, kind)
    if isinstance(source, ast.Call) and isinstance(source.func, ast.Name) and source.func.id == "enumerate":
        assert isinstance(target, ast.Tuple)
        w.body.op(f"local.get {position}")
        if len(source.args) > 1:
            w.number(source.args[1])
            w.body.op("i64.add")
        bind_number(w, target.elts[0])
    _emit_pass(w, work, leave)
    w.body.op(f"local.get {position}", "i64.const 1", "i64.add", f"local.set {position}")
    w.body.br(top)
    w.body.close()
    w.body.release(*held)


def _prepare_sources(
    w: Writer, target: ast.expr, source: ast.expr, position: int, lists: list[Any], held: list[int], pure: bool
) -> tuple[int, int | None] | None:
    """Work out the lists; return what is drawn as the loop goes on: steps, and a local that says whether."""
    match source, target:
        case ast.Call(func=ast.Name(id="enumerate"), args=[inner, *_]), ast.Tuple(elts=[_, second]):
            return _prepare_sources(w, second, inner, position, lists, held, pure)
        case ast.Call(func=ast.Name(id="zip"), args=parts), ast.Tuple(elts=targets):
            for one, part in zip(targets, parts, strict=True):
                _prepare_sources(w, one, part, position, lists, held, pure)
            return None
        case ast.Call(func=ast.Name(id="passes"), args=[inner, ast.Constant(value=int(steps))]), _:
            _prepare_sources(w, target, inner, position, lists, held, pure)
            _draw_steps(w, lists[-1][2], steps)
            return None
        case ast.Call(func=ast.Name(id="stepping"), args=[inner, ast.Constant(value=int(steps))]), _:
            _prepare_sources(w, target, inner, position, lists, held, pure)
            return steps, None
        case ast.IfExp(
            test=test,
            body=inner,
            orelse=ast.Call(func=ast.Name(id="passes" | "stepping" as name), args=[_, ast.Constant(value=int(steps))]),
        ), _:
            short = w.body.local(I32)
            held.append(short)
            w.condition(test)
            w.body.op(f"local.set {short}")
            _prepare_sources(w, target, inner, position, lists, held, pure)
            if name == "stepping":
                return steps, short
            w.body.op(f"local.get {short}", "i32.eqz")
            w.body.open("if")
            _draw_steps(w, lists[-1][2], steps)
            w.body.close()
            return None
    _prepare_list(w, target, source, position, lists, held, pure)
    return None


def _draw_steps(w: Writer, length: Work, steps: int) -> None:
    length()
    w.body.op(f"i64.const {steps}", "i64.mul")
    w.call("tick")
    w.body.op("drop")


def _draw_some_steps(w: Writer, position: int, length: Work, steps: int, short: int | None) -> None:
    """Draw for the passes that come next, some at a time."""
    together = max(1, FREE // steps)
    if short is not None:
        w.body.op(f"local.get {short}", "i32.eqz")
        w.body.open("if")
    w.body.op(f"local.get {position}", f"i64.const {together}", "i64.rem_u", "i64.eqz")
    w.body.open("if")
    w.body.op(f"i64.const {together}")
    length()
    w.body.op(f"local.get {position}", "i64.sub")
    left = w.body.local()
    w.body.op(f"local.tee {left}", f"local.get {left}", f"i64.const {together}", "i64.gt_s", "select")
    w.body.release(left)
    w.body.op(f"i64.const {steps}", "i64.mul")
    w.call("tick")
    w.body.op("drop")
    w.body.close()
    if short is not None:
        w.body.close()


def _prepare_list(
    w: Writer, target: ast.expr, source: ast.expr, position: int, lists: list[Any], held: list[int], pure: bool
) -> None:
    """Work out one list."""
    match source:
        case ast.Subscript(
            slice=ast.Slice(lower=ast.Constant(value=int(low)), upper=ast.Constant(value=int(high)), step=None)
        ) if pure and infer_kind(w, source.value) == STATE:
            state = w.body.local()
            held.append(state)
            w.value(source.value)
            w.body.op(f"local.set {state}")
            kind = w.linker.slots.kind(low)

            def slot() -> None:
                emit_item_address(w, position, state)
                w.body.op(f"i64.load offset={ITEMS + 8 * low}")

            lists.append((target, kind, lambda: w.body.op(f"i64.const {max(0, high - low)}"), slot))
            return
        case ast.Name(id=name) if name not in w.kinds and isinstance(w.names(name), tuple):
            table = w.names(name)
            word = w.linker.word(table)
            known = infer_kind(w, source)

            def row() -> None:
                w.body.op(f"local.get {position}", "i64.const 3", "i64.shl", "i32.wrap_i64")
                w.body.op(f"i64.load offset={word + ITEMS}")

            lists.append((target, known[1], lambda: w.body.op(f"i64.const {len(table)}"), row))
            return
    kind = infer_kind(w, source)
    word_ = w.body.local()
    held.append(word_)
    w.value(source)
    w.body.op(f"local.set {word_}")
    inline = isinstance(kind, tuple) and kind[0] == "tuple"

    if inline:
        number = w.body.local()
        held.append(number)
        w.body.op(f"local.get {word_}")
        w.length()
        w.body.op(f"local.set {number}")

    def length() -> None:
        if inline:
            w.body.op(f"local.get {number}")
            return
        w.body.op(f"local.get {word_}")
        w.length()

    def item() -> None:
        if inline:
            emit_item_address(w, position, word_)
            w.body.op(f"i64.load offset={ITEMS}")
            return
        w.body.op(f"local.get {word_}", "i32.wrap_i64", f"i32.load offset={DATA}", f"local.get {position}")
        w.body.op("i32.wrap_i64", "i32.const 3", "i32.shl", "i32.add", "i64.load")

    lists.append((target, infer_item_kind(w, source), length, item))


def emit_item_address(w: Writer, position: int, word: int) -> None:
    """Give where an item of a list is."""
    w.body.op(f"local.get {word}", f"local.get {position}", "i64.const 3", "i64.shl", "i64.add", "i32.wrap_i64")


def bind_target(w: Writer, target: ast.expr, kind: Kind) -> None:
    """Give names to the word that was given."""
    match target:
        case ast.Name(id=name):
            w.store(name, ANY)
        case ast.Tuple(elts=targets):
            inline = isinstance(kind, tuple) and kind[0] == "tuple"
            word = w.body.local()
            w.body.op(f"local.set {word}")
            for position, one in enumerate(targets):
                w.body.op(f"local.get {word}")
                offset = w.address(inline)
                w.body.op(f"i64.load offset={offset + 8 * position}")
                bind_target(w, one, column(kind, position, len(targets)))
            w.body.release(word)
        case ast.Subscript():
            store_item(w, target, _save_value(w))
        case _:
            raise w.fail(target, "no target")


def _save_value(w: Writer) -> Work:
    kept = w.body.local()
    w.body.op(f"local.set {kept}")
    return lambda: w.body.op(f"local.get {kept}")


def bind_number(w: Writer, target: ast.expr) -> None:
    """Give a name to the number that was given."""
    if isinstance(target, ast.Name):
        w.store(target.id, INT)
    else:
        w.tag()
        bind_target(w, target, INT)
