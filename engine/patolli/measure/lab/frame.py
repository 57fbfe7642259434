"""The facts of many matches as arrays: one entry for each match, or for each thing of each match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.measure.lab.statistics import Indices, Numbers
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.lab.tables import join_tables

FLAT = (
    "match", "seed", "digest", "fault", "seconds", "choices", "forced", "offers", "turns", "rounds", "seat_score",
    "seat_won", "seat_choices", "seat_forced", "dead_turns", "course_turn", "course_score",
)  # fmt: skip

_TEXT, _MAPPING = {"type": "string"}, {"type": "object"}
_TEXTS = {"type": "array", "items": _TEXT}
_SOME = {"type": "integer", "minimum": 1}
_VARIANT = {
    "type": "object",
    "properties": {"name": _TEXT, "pack": _TEXT, "modules": _TEXTS, "options": _MAPPING, "vary": _MAPPING},
    "required": ["name", "pack", "modules", "options", "vary"],
}
_HEAD = {
    "type": "object",
    "properties": {
        "players": _SOME | {"maximum": 1000},
        "seed": {"type": "integer"},
        "bots": _TEXTS,
        "limit": _SOME,
        "variants": {"type": "array", "items": _VARIANT, "minItems": 1},
        "content": _TEXT,
        "where": _MAPPING | {"additionalProperties": _TEXT},
    },
    "required": ["players", "seed", "bots", "limit", "variants", "content"],
}
"""What is read of the plan of a run, as a JSON Schema."""
OPTION = ("id", "seat", "offered", "chosen", "first", "points")
TAKEN = ("piece", "seat", "round", "copies")
"""The columns of the tables of options, and of pieces that were taken."""
CELLS = 1 << 17
"""Things by matches whose values are added up at a time: so many are in a fast memory, and nothing is sorted."""


@dataclass(frozen=True, slots=True)
class Table:
    """Lists that stand beside each other, of all matches: which match an entry is of, and its columns."""

    match: Indices
    columns: dict[str, Any]
    names: list[str]

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]

    def sums(self, which: Indices, values: Numbers, many: int, matches: int) -> tuple[Numbers, Numbers]:
        """Return for each of *many* things what its values add up to in a match: over all matches, and squared.

        Args:
            which: By entry its thing.
            values: By entry its value.
            many: How many things there are.
            matches: How many matches there are.
        """
        total, squares = np.zeros(many), np.zeros(many)
        some = max(1, CELLS // max(1, many))
        bounds = np.searchsorted(self.match, np.arange(0, matches + some, some))  # entries are in order of matches
        for first, (low, high) in zip(range(0, matches, some), pairwise(bounds), strict=False):
            cells = (self.match[low:high] - first) * many + which[low:high]
            per = np.bincount(cells, values[low:high], some * many).reshape(some, many)
            total += per.sum(axis=0)
            squares += np.einsum("ij,ij->j", per, per)
        return total, squares


class Frame:
    """The facts of the matches of one variant that reached their end, in order; those that a run counts."""

    def __init__(self, store: Store, variant: str) -> None:
        """Read what there is. Raises StoreError: no such variant, or no match of it has ended; OSError: unreadable."""
        self.store, self.variant = store, variant
        self.plan = store.head
        self._read = store.there(variant)  # looked up once: while a run goes on there is more each time
        whole = join_tables(*self._read, FLAT, store.hash)
        if whole.num_rows == 0:
            raise StoreError(f"{store.folder} has no match of {variant!r} yet")
        counts = _plain(whole, "match") < (np.inf if store.end is None else store.end)
        ended = counts & (_plain(whole, "digest") != "")
        self.played = int(counts.sum())
        self.faults = [
            (int(n), str(text))
            for n, text, one in zip(_plain(whole, "match"), _plain(whole, "fault"), counts, strict=True)
            if text and one
        ]  # fmt: skip
        if not ended.any():
            raise StoreError(f"none of the {self.played:,} matches of {variant!r} in {store.folder} has ended")
        self._kept = ended
        self._table = self._select_ended(whole)
        self.match: Indices = _plain(self._table, "match")
        self.seats = len(self._table["seat_choices"][0])
        self._lists: dict[str, dict[str, Any]] = {}
        self._tables: dict[str, Table] = {}

    def __len__(self) -> int:
        return len(self.match)

    def column(self, name: str) -> Numbers:
        """Return a column with one number for each match."""
        found: Numbers = _plain(self._table, name).astype(float)
        return found

    def text(self, name: str) -> Any:
        """Return a column as it is."""
        return _plain(self._table, name)

    def by_seat(self, name: str) -> Numbers:
        """Return a column with a number for each seat: matches by seats."""
        values = self._table[name].combine_chunks().flatten().to_numpy(zero_copy_only=False).astype(float)
        return np.asarray(values.reshape(len(self), self.seats), dtype=float)

    @cached_property
    def wins(self) -> Numbers:
        """By match and seat the share of the win."""
        won = self.by_seat("seat_won")
        return np.asarray(won / np.maximum(1.0, won.sum(axis=1, keepdims=True)), dtype=float)

    @cached_property
    def scores(self) -> Numbers:
        """By match and seat the score at the end."""
        return self.by_seat("seat_score")

    @cached_property
    def has_scores(self) -> bool:
        """Whether scores say anything: in some games all are equal, and it counts who wins."""
        return bool(self.scores.size and self.scores.std() > 0)

    @cached_property
    def has_causes(self) -> NDArray[np.bool_]:
        """By match whether facts say which choice changed which score: of slow scores only in some."""
        table, found = self.table("option", OPTION), np.zeros(len(self), dtype=bool)
        if self.has_scores and "points" in table.columns:
            found[table.match[np.isfinite(table["points"])]] = True
        return found

    @cached_property
    def has_course(self) -> NDArray[np.bool_]:
        """By match whether scores were noted in its course."""
        return np.bincount(self.course[0], minlength=len(self)) > 0

    @cached_property
    def ahead(self) -> Numbers:
        """By match and seat, how much its score is above the mean of the others."""
        others = max(1, self.seats - 1)
        return np.asarray(self.scores - (self.scores.sum(axis=1, keepdims=True) - self.scores) / others, dtype=float)

    @cached_property
    def course(self) -> tuple[Indices, Indices, Numbers]:
        """The scores before turns that were noted: match, turn, and by seat the scores."""
        turns = self._table["course_turn"].combine_chunks()
        lengths = np.diff(turns.offsets.to_numpy())
        values = self._table["course_score"].combine_chunks().flatten().to_numpy(zero_copy_only=False)
        scores = values.reshape(-1, self.seats).astype(float)
        return np.repeat(np.arange(len(self)), lengths), turns.flatten().to_numpy().astype(np.int64), scores

    @cached_property
    def leading(self) -> tuple[Indices, Numbers, Indices]:
        """Of noted scores the match, the part of its turns that is over, and who leads alone; -1 for none."""
        match, turn, scores = self.course
        at_best = scores == scores.max(axis=1, keepdims=True)
        leads = np.where(at_best.sum(axis=1) == 1, at_best.argmax(axis=1), -1)
        return match, turn / np.maximum(1.0, self.column("turns")[match]), leads

    @cached_property
    def branching(self) -> Numbers:
        """By match how many options a choice had on average."""
        return np.asarray(self.column("offers") / np.maximum(1.0, self.column("choices")), dtype=float)

    @cached_property
    def forced_share(self) -> Numbers:
        """By match the share of the questions with one answer alone, which the program gave by itself."""
        given = self.column("forced")
        return np.asarray(given / np.maximum(1.0, self.column("choices") + given), dtype=float)

    @cached_property
    def dead(self) -> Numbers:
        """By match the share of the turns in which all answers were forced."""
        return np.asarray(self.column("dead_turns") / np.maximum(1.0, self.column("turns")), dtype=float)

    def fetch(self, **wanted: tuple[str, ...]) -> None:
        """Read several tables at once: each word with its columns, the one with names first; see :meth:`table`."""
        there = self._lists
        lacking = {word: some for word, some in wanted.items() if not {*some} <= {*there.get(word, ())}}
        if not lacking:
            return
        names = [f"{word}_{one}" for word, columns in lacking.items() for one in columns]
        whole = self._select_ended(join_tables(*self._read, names, self.store.hash))
        for word, columns in lacking.items():
            self._lists[word] = {one: whole[f"{word}_{one}"].combine_chunks() for one in columns}
            self._tables.pop(word, None)

    def _select_ended(self, whole: Any) -> Any:
        """Return the matches of a table that reached their end: mostly all, and then nothing is copied."""
        return whole if self._kept.all() else whole.filter(self._kept)

    def table(self, word: str, columns: tuple[str, ...], kept: bool = True) -> Table:
        """Return the lists whose names begin with a word; the first column holds names, and is given as their numbers.

        Where there is no list in some matches, its values are NaN; without any list the column is left out. Without
        *kept*, matches without a list of names are left out.
        """
        self.fetch(**{word: columns})
        if word not in self._tables:
            self._tables[word] = self._make_table(self._lists[word], kept)
        return self._tables[word]

    def _make_table(self, lists: dict[str, Any], kept: bool) -> Table:
        name, first = next(iter(lists.items()))
        at = np.arange(len(self))
        if not kept:
            there = first.is_valid()
            at = at[np.asarray(there.to_numpy(zero_copy_only=False))]
            lists = {one: values.filter(there) for one, values in lists.items()}
            first = lists[name]
        lengths = np.diff(first.offsets.to_numpy())
        codes = first.flatten().dictionary_encode()
        found: dict[str, NDArray[Any]] = {name: codes.indices.to_numpy().astype(np.int64)}
        for one, values in lists.items():
            if one == name or values.null_count == len(values) > 0:
                continue
            found[one] = values.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
            if values.null_count:
                there = np.repeat(np.asarray(values.is_valid().to_numpy(zero_copy_only=False)), lengths)
                numbers, found[one] = found[one], np.full(len(there), np.nan)
                found[one][there] = numbers
        return Table(np.repeat(at, lengths), found, codes.dictionary.to_pylist())


def _plain(table: Any, name: str) -> NDArray[Any]:
    return np.asarray(table[name].to_numpy())


def open_run(folder: Path) -> Store:
    """Open the folder of a run to read it. Raises StoreError: no run is kept there; OSError: it cannot be read."""
    from jsonschema import Draft202012Validator

    from patolli.measure.lab.store import read_head

    head = read_head(folder)
    for problem in Draft202012Validator(_HEAD).iter_errors(head):
        place = "/".join(map(str, problem.absolute_path)) or "the file"
        raise StoreError(f"{folder / 'plan.json'} is not the plan of a run: {place}: {problem.message[:200]}")
    return Store(folder, head)


def chosen_variant(store: Store, name: str | None) -> str:
    """Return the variant of a run that is asked for, or the first one. Raises StoreError: there is no such variant."""
    there = [str(one["name"]) for one in store.head["variants"]]
    if name is None:
        return there[0]
    if name not in there:
        raise StoreError(f"{store.folder} has no variant {name!r}; variants: {', '.join(there)}")
    return name
