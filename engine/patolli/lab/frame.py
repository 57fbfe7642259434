"""The facts of many matches as arrays: one entry for each match, or for each thing of each match."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.lab.statistics import Indices, Numbers
from patolli.lab.store import Store, StoreError
from patolli.lab.tables import joined

FLAT = (
    "match", "seed", "digest", "fault", "seconds", "choices", "forced", "offers", "turns", "rounds", "seat_score",
    "seat_won", "seat_choices", "seat_forced", "course_turn", "course_score",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """Lists that stand beside each other, of all matches: which match an entry is of, and its columns."""

    match: Indices
    columns: dict[str, Any]
    names: list[str]

    def __getitem__(self, column: str) -> Any:
        return self.columns[column]


class Frame:
    """The facts of the matches of one variant that reached their end, in order."""

    def __init__(self, store: Store, variant: str) -> None:
        """Read what there is.

        Raises:
            StoreError: There are no matches of such a variant, or none that reached its end.
            OSError: A file cannot be read.
        """
        self.store, self.variant = store, variant
        self.plan = store.head
        whole = joined(store.files(variant), store.left(variant), FLAT)
        if whole.num_rows == 0:
            raise StoreError(f"{store.folder} keeps no match of {variant!r} yet")
        ended = _plain(whole, "digest") != ""
        self.played = int(whole.num_rows)
        self.faults = [
            (int(n), str(text))
            for n, text in zip(_plain(whole, "match"), _plain(whole, "fault"), strict=True)
            if text
        ]  # fmt: skip
        if not ended.any():
            raise StoreError(f"none of the {whole.num_rows:,} matches of {variant!r} in {store.folder} reached its end")
        self._kept = ended
        self._table = whole.filter(ended)
        self.match: Indices = _plain(self._table, "match")
        self.seats = len(self._table["seat_choices"][0])

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
    def scored(self) -> bool:
        """Whether scores say anything: in some games all are equal, and it counts who wins."""
        return bool(self.scores.size and self.scores.std() > 0)

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
        """Of noted scores the match, the part of its turns that is over, and who leads alone; -1 for nobody."""
        match, turn, scores = self.course
        at_best = scores == scores.max(axis=1, keepdims=True)
        leads = np.where(at_best.sum(axis=1) == 1, at_best.argmax(axis=1), -1)
        return match, turn / np.maximum(1.0, self.column("turns")[match]), leads

    def table(self, word: str, columns: tuple[str, ...], name: str, kept: bool = True) -> Table:
        """Return the lists whose names begin with a word; *name* is the one that holds names, as their numbers.

        Where there is no list in some matches, these columns are left out; without *kept* these matches are.
        """
        wanted = [f"{word}_{one}" for one in columns]
        whole = joined(self.store.files(self.variant), self.store.left(self.variant), wanted).filter(self._kept)
        first = whole[f"{word}_{name}"].combine_chunks()
        at = np.arange(len(self))
        if not kept:
            there = np.asarray(first.is_valid().to_numpy(zero_copy_only=False))
            whole, at = whole.filter(there), at[there]
            first = whole[f"{word}_{name}"].combine_chunks()
        lengths = np.diff(first.offsets.to_numpy())
        codes = first.flatten().dictionary_encode()
        found: dict[str, NDArray[Any]] = {name: codes.indices.to_numpy().astype(np.int64)}
        for one in columns:
            if one != name:
                values = whole[f"{word}_{one}"].combine_chunks()
                if values.null_count == 0:
                    found[one] = values.flatten().to_numpy(zero_copy_only=False).astype(np.int64)
        return Table(np.repeat(at, lengths), found, codes.dictionary.to_pylist())


def _plain(table: Any, name: str) -> NDArray[Any]:
    return np.asarray(table[name].to_numpy())


def opened(folder: Path) -> Store:
    """Open the folder of a run to read it.

    Raises:
        StoreError: No run is kept there.
        OSError: It cannot be read.
    """
    from patolli.lab.store import read_head

    return Store(folder, read_head(folder))


def chosen_variant(store: Store, name: str | None) -> str:
    """Return the variant of a run that is asked for; the first one if none is named.

    Raises:
        StoreError: There is no such variant.
    """
    there = [str(one["name"]) for one in store.head["variants"]]
    if name is None:
        return there[0]
    if name not in there:
        raise StoreError(f"{store.folder} has no variant {name!r}; it has {', '.join(there)}")
    return name
