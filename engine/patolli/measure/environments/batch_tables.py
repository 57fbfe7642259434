"""The tables by which the native engine numbers options and writes observations: see ``run.native.support``.

They are made of what single environments use: the blocks of :class:`Actions`, and the tables by which
``observations.seat_observer`` gathers what a seat sees. So there is one declaration of either.

Errors: ``Unsupported``, where the native engine cannot write an observation; then environments are played in Python.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.language.program import types as ty
from patolli.measure.environments.actions import Actions
from patolli.measure.environments.blocks import Block
from patolli.measure.observations.fields import NUMBER, Field
from patolli.measure.observations.seat_observer import Observations, SeatTables
from patolli.run.compiler.seat_view import list_hideable
from patolli.run.native import memory
from patolli.run.native.batches import TablePacker
from patolli.run.native.heap import Unsupported
from patolli.run.native.support import batch_actions
from patolli.run.native.support import batch_observers as forms
from patolli.run.native.support.batch_rows import NOTHING

LONGEST = 1 << 17
"""The most values between the least and the greatest one that a table of actions has."""


class RowFormat:
    """How the observation of an environment lies in memory.

    Attributes:
        kind: The type of its numbers: the smallest that holds all of them as they are.
        size: How many there are.
        low: The least of each.
        high: The greatest of each.
    """

    def __init__(self, observations: Observations, encoding: str) -> None:
        """Lay out observations as ``features`` or ``numbers``."""
        self.observations, self.features = observations, encoding == "features"
        low: NDArray[Any]
        high: NDArray[Any]
        if self.features:
            low, high = observations.feature_bounds()
            whole = all(one.spread or one.kind == NUMBER for one in observations.fields)
        else:
            low, high = observations.low, np.maximum(observations.high, observations.low + 1)
            whole = True
        small = whole and low.min() >= -128 and high.max() <= 127
        self.kind: type[Any] = np.int8 if small else np.float32 if self.features else np.int32
        self.size = len(low)
        self.low, self.high = low.astype(self.kind), high.astype(self.kind)

    def columns(self) -> Iterator[tuple[Field, int]]:
        """Yield each field with the column of its first number."""
        at = 0
        for one in self.observations.fields:
            yield one, at
            at += one.size * (one.columns if self.features else 1)

    def convert(self, flat: NDArray[np.int32]) -> NDArray[Any]:
        """Return a flat observation as it lies in memory. Raises ValueError: a number is beyond what is declared."""
        found = self.observations.spread(flat) if self.features else flat
        if self.kind is np.int8 and (found.min() < -128 or found.max() > 127):
            raise ValueError("a number of an observation is beyond its declared bounds")
        return found.astype(self.kind, copy=False)


class BatchTables:
    """The tables of one pack for a number of players."""

    def __init__(self, packer: TablePacker, actions: Actions, layout: RowFormat) -> None:
        """Lay out the tables of all seats. Raises Unsupported: the native engine cannot write these observations."""
        self._packer, self._actions, self._format = packer, actions, layout
        self._observations = layout.observations
        self._declared, self._layout = self._observations.declared, self._observations.layout
        extra = self._declared.extra
        numeric = sum(stop - start for start, stop in extra.segments)
        self._slot_of = {position: slot for slot, position in self._declared.position.items() if position < numeric}
        self._numeric, self._conditions = numeric, extra.conditions + len(extra.variables)
        self._cleared = 8 * (extra.size - numeric)
        self.cells = self._build_cells()

    def _build_cells(self) -> dict[int, int]:
        """Return what stands in cells of memory."""
        put, seats, form = self._packer.put_numbers, range(self._layout.seats), self._format
        size = form.size * np.dtype(form.kind).itemsize
        blocks = len(self._actions.program.blocks)
        observers = put([put(self._build_observer(seat)) for seat in seats])
        extras = put(self._build_extras())
        encoders = put([one for seat in seats for one in self._build_encoders(seat, blocks)])
        zeros = bytes(max(size, self._actions.size, self._cleared, self._conditions) + 8)
        return {
            memory.OBSERVERS: observers, memory.EXTRAS: extras, memory.ENCODERS: encoders, memory.BLOCK_NUMBER: blocks,
            memory.SEEN_SIZE: size, memory.MASK_SIZE: self._actions.size, memory.ZEROS: self._packer.put_bytes(zeros),
            memory.EXTRA_AT: self._packer.put_bytes(bytes(self._cleared), shared=False),
            memory.HOLDS_AT: self._packer.put_bytes(bytes((1, 0)) + bytes(self._conditions), shared=False),
            memory.ASTRAY_AT: self._packer.put_bytes(bytes(8), shared=False),
            memory.OPEN_AT: self._packer.put_bytes(bytes(len(self._layout.initial)), shared=False),
        }  # fmt: skip

    # -- observations

    def _build_observer(self, seat: int) -> list[int]:
        tables = self._observations.tables(seat)
        state: list[tuple[int, ...]] = []
        extended: list[tuple[int, ...]] = []
        hidden: list[list[int]] = []
        conditions = dict(zip(tables.veiled.tolist(), zip(*tables.conditions, strict=True), strict=True))
        begins = dict(zip(tables.looked_up.tolist(), tables.offsets.tolist(), strict=True))
        ends = dict(
            zip(sorted({*begins.values()}), [*sorted({*begins.values()})[1:], len(tables.table) + 1], strict=True)
        )
        width = np.dtype(self._format.kind).itemsize
        flags = {one.name: column for one, column in self._format.columns() if one.is_flag}
        for field, column in self._format.columns():
            if field.is_flag:
                continue
            step = field.columns if self._format.features else 1
            for number in range(field.size):
                position, target = field.start + number, (column + number * step) * width
                table, form = self._choose_form(field, tables, begins.get(position), ends)
                source, is_extra = self._find_source(int(tables.source[position]))
                if field.flag:
                    on = [int(one) % self._conditions for one in conditions[position]]
                    flag = (flags[field.flag] + number) * width
                    hidden.append(
                        [source, is_extra, 1, table, form, target, step * width, flag, *(n for c in on for n in (c, 0))]
                    )
                else:
                    (extended if is_extra else state).append((source, 1, table, form, target, step * width))
        kinds, number, open_, slots = self._build_hideable(seat)
        unit = {np.int8: 0, np.int32: 1, np.float32: forms.FLOAT_ONE}[self._format.kind]
        put = self._packer.put_numbers
        parts: list[int] = []
        for stretches in (join_stretches(state), join_stretches(extended)):
            parts += [put([one for row in stretches for one in row]), len(stretches)]
        hidden = join_hidden(hidden, width)
        parts += [put([one for row in hidden for one in row]), len(hidden), 4 * len(hidden[0]) if hidden else 0]
        return [*parts, kinds, number, open_, slots, int(self._format.features or bool(hidden)), unit]

    def _find_source(self, position: int) -> tuple[int, int]:
        """Return where a number of the extended state lies, in bytes, and whether that is behind the state."""
        slot = self._slot_of.get(position)
        return (8 * slot, 0) if slot is not None else (8 * (position - self._numeric), 1)

    def _choose_form(
        self, field: Field, tables: SeatTables, begin: int | None, ends: dict[int, int]
    ) -> tuple[int, int]:
        """Return the address of the table of a number, which is that of the value 0, and how it is written."""
        kind = self._format.kind
        if begin is None:
            if self._format.features and field.spread:
                raise Unsupported(f"the choice {field.name} without a table")
            return 0, {np.int8: forms.NUMBER_8, np.int32: forms.NUMBER_32, np.float32: forms.NUMBER_FLOAT}[kind]
        values = tables.table[begin - 1 : ends[begin] - 1]
        form = forms.TABLE_8 if kind is np.int8 else forms.TABLE_32
        if self._format.features and field.spread:
            form = forms.COLUMN_8 if kind is np.int8 else forms.COLUMN_FLOAT
        elif kind is np.float32:
            values = (values * np.float32(field.scale)).astype(np.float32).view(np.int32)
        return self._packer.put_numbers(values) + 4, form

    def _build_hideable(self, seat: int) -> tuple[int, int, int, int]:
        """Return the table of the kinds of pieces that may be hidden, their number, and that of open slots."""
        found = list_hideable(self._layout, seat)
        if found is None:
            raise Unsupported("pieces that may be hidden and lie on each other in a circle")
        open_, kinds = found
        put, parts = self._packer.put_numbers, list[int]()
        for one in kinds:
            standing = 0
            if any(one.standing):
                pairs = [(put(slots) if slots else 0, len(slots)) for slots in one.standing]
                standing = put([number for pair in pairs for number in pair])
            parts += [
                self._layout.at[one.kind], self._layout.size(one.kind), self._declared.pieces[one.kind],
                put(one.tops) if one.tops else 0, len(one.tops), standing,
            ]  # fmt: skip
        data = bytes(map(int, open_))
        return put(parts) if parts else 0, len(kinds), self._packer.put_bytes(data), len(data)

    def _build_extras(self) -> list[int]:
        extra, put = self._declared.extra, self._packer.put_numbers

        def behind(position: int) -> int:
            return 8 * (position - self._numeric)

        lengths = [(8 * slot, behind(self._declared.position[slot])) for slot in self._layout.lists]
        lists = [(8 * slot, behind(counted), many, behind(long)) for slot, counted, many, long in extra.lists]
        piles = [(8 * slot, behind(start)) for slots, start in extra.piles for slot in slots]
        first = extra.conditions - len(extra.openers)
        openers = [(self._find_opener(one), first + number) for number, one in enumerate(extra.openers)]
        found: list[int] = []
        for table in (lengths, lists, piles, openers):
            numbers = [number for row in table for number in row]
            found += [put(numbers) if numbers else 0, len(table)]
        turn = behind(extra.turn)
        return [*found, turn, self._cleared, extra.conditions, len(extra.variables), put(self._build_questions())]

    def _find_opener(self, position: int) -> int:
        source, is_extra = self._find_source(position)
        if is_extra:
            raise Unsupported("a field that is opened by a list")
        return source

    def _build_questions(self) -> list[int]:
        """Return for each block its question, and the variables that are known there."""
        program, found = self._actions.program, list[int]()
        asking = self._declared.asking(program)
        for block in range(len(program.blocks)):
            variables = list[int]()
            for variable, slot, start, condition in asking.variables.get(block, ()):
                type_ = ty.strip(variable.type)
                of = ty.strip(type_.of) if isinstance(type_, ty.Seq) else type_
                hidden = self._declared.pieces.get(of.kind, 0) if isinstance(of, ty.Ref) else 0
                place = self._conditions - 1 - condition
                variables += [slot, 8 * (start - self._numeric), place, hidden, int(isinstance(type_, ty.Seq))]
            put = self._packer.put_numbers(variables) if variables else 0
            found += [asking.index.get(block, 0), put, len(variables) // 5]
        return found

    # -- numbers of actions

    def _build_encoders(self, seat: int, blocks: int) -> list[int]:
        """Return the addresses of the encoders of all blocks, 0 of those that ask nothing, and of anytime actions."""
        program, found = self._actions.program, list[int]()
        for block in range(blocks):
            if block not in program.questions:
                found.append(0)
                continue
            how, own = self._actions.encoding(program, block)
            if how == "menu":
                found.append(self._build_menu(own, seat))
            elif how in ("ranked", "value"):
                found.append(self._put_encoder(self._build_encoder(own[0], seat)))
            else:
                kind = batch_actions.MARKED if how == "marked" else batch_actions.FIRST
                found.append(self._put_encoder([kind, *self._build_encoder(own[0], seat)]))
        return [*found, self._build_menu(self._actions.anytime, seat)]

    def _build_menu(self, lines: Sequence[Block], seat: int) -> int:
        encoders = [self._put_encoder(self._build_encoder(one, seat)) for one in lines]
        return self._packer.put_numbers([batch_actions.MENU, len(encoders), *encoders])

    def _put_encoder(self, encoder: list[int]) -> int:
        return self._packer.put_numbers(encoder, shared=encoder[0] != batch_actions.RANKED)

    def _build_encoder(self, block: Block, seat: int) -> list[int]:
        if block.ranked:
            return [batch_actions.RANKED, block.start, block.ranked, 0]
        if not block.digits:
            return [batch_actions.CONSTANT, block.start]
        beyond = block.start + block.size - 1 if block.last else NOTHING
        digits, weight = list[int](), 1
        for one in reversed(block.digits):
            digits = [*self._build_digit(one.table(seat), weight), *digits]
            weight *= one.size
        if len(block.digits) == 1:
            return [batch_actions.ONE, block.start, *digits, beyond]
        return [batch_actions.SEVERAL, block.start, beyond, len(block.digits), *digits]

    def _build_digit(self, table: Sequence[int] | dict[int, int], weight: int) -> list[int]:
        """Return the least value of a digit, how many values there are from it on, and where is what each adds."""
        if isinstance(table, dict):
            least, most = min(table, default=0), max(table, default=0)
            if most - least >= LONGEST:
                raise Unsupported("a choice of numbers that lie far apart")
            values = [table.get(value, 0) for value in range(least, most + 1)]
        else:  # -1 stands for none, which is the last one
            least, values = -1, [table[-1], *table] if table else []
        return [least, len(values), self._packer.put_numbers([weight * value for value in values])]


def join_stretches(numbers: list[tuple[int, ...]]) -> list[list[int]]:
    """Join numbers whose sources follow each other, and which are written alike at equal distances."""
    found: list[list[int]] = []
    for source, _, table, form, target, step in numbers:
        if found:
            last = found[-1]
            count = last[1]
            follows = last[0] + 8 * count == source and last[4] + last[5] * count == target
            if follows and last[2:4] == [table, form] and last[5] == step:
                last[1] += 1
                continue
        found.append([source, 1, table, form, target, step])
    return found


def join_hidden(numbers: list[list[int]], width: int) -> list[list[int]]:
    """Join numbers that may be hidden in the same way, if their conditions are alike or follow each other."""
    found: list[list[int]] = []
    for row in numbers:
        if found:
            last = found[-1]
            count, on = last[2], range(8, len(last), 2)
            further = [row[at] - last[at] if count == 1 else last[at + 1] for at in on]
            expected = [
                last[0] + 8 * count, last[1], 1, *last[3:5], last[5] + last[6] * count, last[6],
                last[7] + width * count,
                *(n for at, by in zip(on, further, strict=True) for n in (last[at] + by * count, 0)),
            ]  # fmt: skip
            if row == expected and all(by in (0, 1) for by in further):
                last[2] += 1
                last[9::2] = further
                continue
        found.append(row)
    return found
