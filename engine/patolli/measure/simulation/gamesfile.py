"""A file with one row per game and seat, written during the simulation: CSV, JSON Lines or Parquet.

Each game is written as soon as it is finished, so an interrupted run keeps its games. A Parquet file has its table of
contents at its end and cannot be read without it. Therefore the rows are first written to a file of JSON Lines beside
it (``NAME.RANDOM.part.jsonl``), and converted at the end.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from patolli.language.sources.atomic_files import create_part
from patolli.measure.simulation.games import Game
from patolli.measure.simulation.rows import COLUMNS, Row, rows_of

FORMS = (".csv", ".jsonl", ".parquet")
GROUP = 50_000
"""The number of rows in memory while a Parquet file is written."""


class GamesFile:
    """A file of games. After a write error, the error is stored and the games continue without the file.

    ``wanted`` is the requested path, and ``path`` is where the rows are now. ``written`` counts games, and ``failed``
    is the first error.
    """

    def __init__(self, path: Path, bots: Sequence[str]) -> None:
        """Create the file; an existing file is replaced.

        Raises:
            ValueError: The suffix of the name is not one of :data:`FORMS`.
            ImportError: A Parquet file is requested, but the package that writes it is not installed.
            OSError: The file cannot be opened.
        """
        form = path.suffix.lower()
        if form not in FORMS:
            raise ValueError(f"the ending of {path.name!r} says how rows are written: {', '.join(FORMS)}")
        if form == ".parquet":
            _import_parquet()
        self.wanted, self.bots = path, list(bots)
        if form == ".parquet":
            self.path, lines = create_part(path, "{}.{}.part.jsonl")
        else:
            self.path, lines = path, path.open("wb")
        self.written = 0
        self.failed: OSError | None = None
        self._file: TextIO = TextIOWrapper(lines, encoding="utf-8", newline="")
        self._table = csv.DictWriter(self._file, list(COLUMNS), lineterminator="\n") if form == ".csv" else None
        if self._table is not None:
            self._table.writeheader()

    def add(self, game: Game) -> None:
        """Write the rows of another game."""
        if self.failed is not None:
            return
        try:
            for row in rows_of(game, self.bots):
                if self._table is not None:
                    self._table.writerow({name: _format_cell(value) for name, value in row.items()})
                else:
                    self._file.write(json.dumps(row, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            self.failed = OSError(error.errno, error.strerror, str(self.path))
            return
        self.written += 1

    def close(self) -> None:
        """Close the file; a Parquet file is written now."""
        with suppress(OSError):  # the caller has already reported what could not be written
            self._file.close()
        if self.path == self.wanted or self.failed is not None:
            return
        part: Path | None = None
        try:
            part, target = create_part(self.wanted)
            with target:
                _convert_to_parquet(self.path, target)
            part.replace(self.wanted)
            self.path.unlink()
            self.path = self.wanted
        except OSError as error:
            self.failed = OSError(error.errno, error.strerror or str(error), str(self.wanted))
            with suppress(OSError):
                if part is not None:
                    part.unlink(missing_ok=True)


def _format_cell(value: Any) -> Any:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def _import_parquet() -> tuple[Any, Any]:
    """Import the package that writes Parquet files; other formats do not need it."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError as error:
        raise ImportError("a .parquet file needs the package pyarrow: pip install 'patolli[parquet]'") from error


def _convert_to_parquet(source: Path, target: BinaryIO) -> None:
    """Convert a file of JSON Lines to a Parquet file."""
    tables, parquet = _import_parquet()
    kinds = {int: tables.int64(), bool: tables.bool_(), str: tables.string()}
    schema = tables.schema([(name, kinds[kind]) for name, kind in COLUMNS.items()])
    with source.open(encoding="utf-8") as lines, parquet.ParquetWriter(target, schema) as writer:
        for rows in _group_rows(lines):
            writer.write_table(tables.Table.from_pylist(rows, schema=schema))


def _group_rows(lines: TextIO) -> Iterator[list[Row]]:
    while rows := [json.loads(line) for line in islice(lines, GROUP)]:
        yield rows
