"""What a seat observes of a match, as numbers in a fixed order.

In:     a ruleset and a number of players.
Out:    a layout that says what stands where, and for a match and a seat a NumPy array, or tables of such.

The layout follows from the declarations alone, so it is the same in every match, on every machine. All seats have the
same one: each sees itself first (``relative``). What the seat cannot see by the declarations (``visible:``) is 0, and
its flag is 0; for one state and one seat, it is what :meth:`Match.view` shows, and in addition what was chosen so far
in the rule that asks the seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from patolli.language.diagnostics import given
from patolli.language.program import types as ty
from patolli.measure.observations.declared_parts import ALWAYS, Asking, Declared, Ints, Part
from patolli.measure.observations.fields import LEAST, MOST, NUMBER, Field
from patolli.run.compiler.layout import FRAMES
from patolli.run.compiler.seat_view import Glance, compile_glance
from patolli.run.runtime import Match, Ruleset


class Turned(Protocol):
    """A turn of a bot: what its seat observes may be asked of it as of the match."""

    @property
    def seat(self) -> int:
        """The seat that decides."""
        ...

    def _open(self) -> Match: ...


Numbers = NDArray[np.int32]
Features = NDArray[np.float32]


class Observations:
    """The observations of a ruleset for a number of players.

    Attributes:
        fields: The parts, in the order of the flat observation.
        size: The number of numbers in the flat observation.
        low: The minimum of each number, by the declarations.
        high: The maximum of each number.
        masked: Whether what the seat cannot see is left out.
    """

    def __init__(self, rules: Ruleset, players: int | None = None, masked: bool = True) -> None:
        """Lay out the observations.

        Args:
            rules: What is played.
            players: Without automated seats; the least allowed number when left out.
            masked: Whether what a seat cannot see is left out. Without, every seat observes everything.

        Raises:
            TypeError: That is no ruleset, or no number.
            ValueError: The pack cannot be played with so many players.
        """
        self.program = given.rules(rules).program(seats(rules, players))
        self.rules, self.masked = rules, masked
        self._same = SameRules(rules, self.program.layout.seats)
        self.layout = self.program.layout
        self.declared = Declared(self.program)
        self.fields = _place_fields(self.declared.parts)
        self.size = self.fields[-1].start + self.fields[-1].size
        self.low, self.high = (
            np.repeat(np.array([getattr(one, name) for one in self.fields]), [one.size for one in self.fields]).astype(
                np.int32
            )
            for name in ("low", "high")
        )
        self.questions = tuple(one.name for one in self.declared.asked.names)
        self._seats: dict[int, SeatTables] = {}
        self._spread: _Spread | None = None

    # -- of a match

    def flat(self, match: Match | Turned, seat: int | None = None) -> Numbers:
        """Return what a seat observes, as one array of ``size`` whole numbers.

        Args:
            match: Of the same ruleset, with as many players; or the turn of a bot.
            seat: From 0, automated ones included; of a turn it is that of the bot, and left out.

        Raises:
            TypeError: That is no match, or no number of a seat.
            ValueError: The match is of something else, there is no such seat, or a bot would see what is hidden.
        """
        match, seat = self._resolve_seat(match, seat)
        return self.tables(seat).look(match)

    def tables(self, seat: int) -> SeatTables:
        """Return how the observation of a seat is gathered."""
        if seat not in self._seats:
            self._seats[seat] = SeatTables(self.declared, self.fields, seat, self.masked)
        return self._seats[seat]

    def named(self, match: Match | Turned, seat: int | None = None) -> dict[str, Numbers]:
        """Return what a seat observes by the names of the fields; flags end with a question mark."""
        return self.unflatten(self.flat(match, seat))

    def _resolve_seat(self, match: Match | Turned, seat: int | None) -> tuple[Match, int]:
        """Return the match, and who looks at it."""
        if isinstance(match, Match):
            if seat is None:
                raise ValueError("to observe a match, give a seat, from 0")
            return self._same.match(match), match.seat(seat)
        opened = self._same.match(match)
        if not self.masked or seat not in (None, match.seat):
            raise ValueError(
                "a bot may observe only what its own seat sees; Observations(..., masked=False) show everything"
            )
        return opened, match.seat

    def unflatten(self, flat: Numbers) -> dict[str, Numbers]:
        """Return the fields of a flat observation by their names, in their shapes; they share its memory."""
        return {one.name: flat[one.start : one.start + one.size].reshape(one.shape) for one in self.fields}

    def features(self, match: Match | Turned, seat: int | None = None) -> Features:
        """Return what a seat observes for a model that learns: each choice is a column for each of its values.

        Numbers stay as they are. What is hidden, or none, is 0 throughout. A choice of more than
        :data:`patolli.measure.observations.fields.SPREAD` values is one column, from 0 to 1.
        """
        return self.spread(self.flat(match, seat))

    def spread(self, flat: Numbers) -> Features:
        """Return the features of a flat observation; see :meth:`features`."""
        return self._columns.features(flat)

    @property
    def _columns(self) -> _Spread:
        if self._spread is None:
            self._spread = _Spread(self.fields)
        return self._spread

    @property
    def feature_count(self) -> int:
        """The number of features."""
        return self._columns.size

    def feature_bounds(self) -> tuple[Features, Features]:
        """Return the minimum and the maximum of every feature."""
        low, high = np.zeros(self.feature_count, dtype=np.float32), np.ones(self.feature_count, dtype=np.float32)
        at = 0
        for one in self.fields:
            count = one.size * one.columns
            if one.kind == NUMBER:
                low[at : at + count], high[at : at + count] = one.low, max(one.high, one.low + 1)
            at += count
        return low, high

    def feature_names(self) -> list[str]:
        """Return the names of all features: ``field[index]``, with ``=value`` where it is one of a choice."""
        found = []
        for one in self.fields:
            for index in np.ndindex(one.shape):
                name = f"{one.name}[{','.join(map(str, index))}]" if index else one.name
                found += [f"{name}={value}" for value in one.labels] if one.spread else [name]
        return found

    # -- about them

    def describe(self) -> str:
        """Return the layout as a text: where each field begins, its name, its shape, its bounds, and what it means.

        A question mark behind a name says that there is a flag for it.
        """
        veiled, seats = sum(bool(one.flag) for one in self.fields), self.layout.seats
        head = f"{self.rules.id} with {seats} seat{'s' * (seats != 1)}: {self.size:,} numbers"
        lines = [line for one in self.fields if not one.is_flag for line in one.lines()]
        tail = [
            "",
            f"Each field marked ? ({veiled}) is followed by a flag of the same shape:",
            "1 where it is seen, 0 where not.",
        ]
        title = f"{'start':>6}  {'field':<38} {'shape':>7}  bounds"
        return "\n".join([head + f", {self.feature_count:,} features", "", title, *lines, *(tail if veiled else [])])


class SameRules:
    """Sees that matches are of one ruleset with one number of seats, as what is numbered for it fits no other."""

    def __init__(self, rules: Ruleset, seats: int) -> None:
        """Take the ruleset, and how many seats there are with automated ones."""
        self._rules, self._seats = rules, seats
        self._last = rules  # what is loaded again has the same content

    def match(self, match: Match | Turned) -> Match:
        """Return a match, or that of the turn of a bot, if it is one of these.

        Raises:
            TypeError: It is neither.
            ValueError: It is of another ruleset or number of players; the message says which.
        """
        found = match if isinstance(match, Match) else match._open() if hasattr(match, "_open") else None
        if not isinstance(found, Match):
            raise TypeError(f"give a match or the turn of a bot, not {match!r}")
        if found.ruleset is not self._last or found.program.layout.seats != self._seats:
            self._look(found)
        return found

    def _look(self, match: Match) -> None:
        wanted, rules = self._rules, match.ruleset
        if match.program.layout.seats != self._seats or rules.id != wanted.id:
            ours, theirs = f"{wanted.title} with {self._seats} seats", f"{rules.title} with {match.players}"
            raise ValueError(f"expected a match of {ours}, not of {theirs}")
        if rules.content_hash != wanted.content_hash:
            raise ValueError(f"the match has different content, modules, or options of {wanted.title}")
        self._last = rules


def seats(rules: Ruleset, players: int | None) -> int:
    """Return how many seats there are with a number of players, automated ones included.

    Raises:
        ValueError: The pack cannot be played with so many.
    """
    low, high = rules.players
    if players is not None and (type(players) is not int or not low <= players <= high):
        rules.start(players)  # which says what is wrong
    return (low if players is None else players) + rules.model.automated


def _place_fields(parts: Iterable[Part]) -> tuple[Field, ...]:
    """Return the fields of all parts, with their flags behind them, each at its place."""
    found, start = [], 0
    for part in parts:
        flag = f"{part.name}?" if part.hidden else ""
        # What is hidden counts as 0.
        low, high = (min(part.low, 0), max(part.high, 0)) if part.hidden else (part.low, part.high)
        one = Field(part.name, part.shape, part.kind, low, high, part.labels, part.about, flag, start, part.axes)
        found.append(one)
        start += one.size
        if flag:
            found.append(
                Field(flag, part.shape, NUMBER, 0, 1, (), f"whether {part.name} is seen", "", start, part.axes)
            )
            start += one.size
    return tuple(found)


class _Spread:
    """Makes a column of each value of a choice."""

    def __init__(self, fields: Iterable[Field]) -> None:
        numbers, choices, columns, starts, scales = [], [], [], [], []
        at = 0
        for one in fields:
            for position in range(one.start, one.start + one.size):
                if one.spread:
                    choices.append(position)
                    starts.append(at - 1)
                else:
                    numbers.append(position)
                    columns.append(at)
                    scales.append(one.scale)
                at += one.columns
        self.size = at
        self._scales = np.array(scales, dtype=np.float32)
        self._numbers, self._columns = np.array(numbers, dtype=np.intp), np.array(columns, dtype=np.intp)
        self._choices, self._starts = np.array(choices, dtype=np.intp), np.array(starts, dtype=np.intp)

    def features(self, flat: Numbers) -> Features:
        found = np.zeros(self.size, dtype=np.float32)
        found[self._columns] = flat[self._numbers] * self._scales
        values = flat[self._choices]
        found[(self._starts + values)[values > 0]] = 1
        return found


class SeatTables:
    """Gathers what one seat observes, by lists of indices that were computed before."""

    def __init__(self, declared: Declared, fields: Iterable[Field], seat: int, masked: bool) -> None:
        self.declared, self.extra, self.seat, self.masked = declared, declared.extra, seat, masked
        self.layout = declared.layout
        self.first_list = self.layout.lists[0] if self.layout.lists else len(self.layout.initial)
        self.glance: Glance = compile_glance(self.layout, seat)
        self.pieces = declared.extra.conditions - 2 - len(declared.extra.openers)
        self.openers = np.array(declared.extra.openers, dtype=np.intp)
        self.turns = [0, *range(self.layout.seats)]
        self._gather_tables({part.name: part for part in declared.parts}, list(fields))

    def _gather_tables(self, parts: dict[str, Part], fields: list[Field]) -> None:
        size = fields[-1].start + fields[-1].size
        self.source = np.zeros(size, dtype=np.intp)
        tables, begins, offset = [], {}, 0
        looked_up, offsets, veiled, flags, conditions = [], [], [], [], []
        for one in fields:
            part = parts.get(one.name)
            if part is None:
                continue  # a flag
            rows = part.rows(self.seat)
            span = np.arange(one.start, one.start + one.size)
            self.source[span] = rows.source
            if len(rows.table):
                key = tuple(rows.table)
                if key not in begins:
                    begins[key] = offset
                    tables.append(np.array(key, dtype=np.int32))
                    offset += len(key)
                looked_up.append(span)
                offsets.append(np.full(one.size, begins[key] + 1))
            if one.flag:
                veiled.append(span)
                flags.append(span + one.size)
                conditions.append(rows.conditions)
        self.table = np.concatenate(tables)
        self.looked_up, self.offsets = _join_arrays(looked_up), _join_arrays(offsets)
        self.veiled, self.flags = _join_arrays(veiled), _join_arrays(flags)
        self.most = max(map(len, conditions), default=0)
        self.conditions = _stack_conditions(conditions, veiled, self.most)

    def look(self, match: Match) -> Numbers:
        """Return the flat observation."""
        state = match.state
        raw: list[Any] = []
        for start, stop in self.extra.segments:
            raw += state[start:stop]
        raw += map(len, state[self.first_list :])
        raw += repeat(0, self.extra.size - len(raw))
        known = [False] * len(self.extra.variables)
        self._fill(match, raw, known)
        numbers = _array(raw)
        found = numbers[self.source]
        if len(self.looked_up):
            found[self.looked_up] = self.table[self.offsets + found[self.looked_up]]
        if len(self.veiled):
            seen = self._find_seen(state, numbers, known)
            found[self.veiled] *= seen
            found[self.flags] = seen
        return found

    def _find_seen(self, state: list[Any], numbers: Numbers, known: list[bool]) -> NDArray[np.bool_]:
        """Return of everything that may be hidden whether it is seen."""
        if self.masked:
            held = [True, False]
            for flags in self.glance(state):
                held += flags
            opened = (numbers[self.openers] != 0).tolist() if len(self.openers) else []
        else:
            held, opened = [True] * (2 + self.pieces), [True] * len(self.openers)
        holds = np.array(held + opened + known[::-1], dtype=np.bool_)
        found: NDArray[np.bool_] = holds[self.conditions[0]]
        for more in self.conditions[1:]:
            found &= holds[more]
        return found

    def _fill(self, match: Match, raw: list[Any], known: list[bool]) -> None:
        """Compute what the state does not contain in the observed form."""
        state, extra = match.state, self.extra
        for slot, counted, many, long in extra.lists:
            value = state[slot]
            raw[long] = len(value)
            for one in value if many else ():
                if one >= 0:
                    raw[counted + one] += 1
        for slots, start in extra.piles:
            for slot in slots:
                for position, piece in enumerate(reversed(state[slot]), 1):
                    raw[start + piece] = position
        turn = extra.turn
        raw[turn], raw[turn + 1] = -1, self.seat
        raw[turn + 2] = -1
        if match.pending is not None:
            frame = state[FRAMES][-1]
            raw[turn] = match.decider
            if match.decider == self.seat:
                asking = self.declared.asking(match.program)
                raw[turn + 2] = asking.index[frame[0]]
                self._put_variables(asking, state, frame, raw, known)

    def _put_variables(
        self, asking: Asking, state: list[Any], frame: list[Any], raw: list[Any], known: list[bool]
    ) -> None:
        """Write the variables of the rule that asks; a piece that the seat does not see now is left out."""
        seen: dict[str, list[bool]] | None = None
        for variable, slot, start, condition in asking.variables[frame[0]]:
            value, type_ = frame[slot], ty.strip(variable.type)
            of = ty.strip(type_.of) if isinstance(type_, ty.Seq) else type_
            kind = of.kind if isinstance(of, ty.Ref) else ""
            hidden: list[bool] | None = None
            if self.masked and kind in self.layout.model.hidden_kinds:
                if seen is None:
                    seen = dict(zip(sorted(self.layout.model.hidden_kinds), self.glance(state), strict=True))
                hidden = seen[kind]
            if isinstance(type_, ty.Seq):
                if not isinstance(value, tuple | list):
                    continue
                known[condition] = True
                for one in value:
                    if one >= 0 and (hidden is None or hidden[one]):
                        raw[start + one] += 1
            elif isinstance(value, int) and (hidden is None or value < 0 or hidden[value]):
                known[condition] = True
                raw[start] = value


def _join_arrays(parts: list[Any]) -> Ints:
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, dtype=np.int64)


def _stack_conditions(conditions: list[tuple[Ints, ...]], spans: list[Ints], most: int) -> list[Ints]:
    """Return the conditions of all numbers that may be hidden, as many lists as one of them has at most."""
    found = []
    for at in range(max(most, 1)):
        found.append(
            _join_arrays([
                own[at] if at < len(own) else np.full(len(span), ALWAYS)
                for own, span in zip(conditions, spans, strict=True)
            ])
        )  # fmt: skip
    return found


def _array(raw: list[Any]) -> Numbers:
    """Return numbers as an array; those that are too large for it are given as the largest."""
    try:
        return np.array(raw, dtype=np.int32)
    except OverflowError:
        return np.array([min(max(one, LEAST), MOST) for one in raw], dtype=np.int32)
