"""Parquet files of facts: one file per block of matches, one row per match."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from patolli.language.sources.atomic_files import write_whole
from patolli.measure.lab.facts import COLUMNS, Row

BLOCK = 250
"""Limit for matches per file."""
VALUES, BYTES = 10_000_000, 200_000_000
"""Values of one column, and bytes of a file before and after it is decompressed, at most."""


class StoreError(ValueError):
    """A folder without the expected data; the message has the reason and the fix."""


class Damaged(StoreError):
    """A damaged file of facts; its matches can be replayed."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} is damaged; delete it, and repeat the command of this run to replay its matches")


class NoLibrary(ImportError):
    """A missing package that the lab needs."""


def libraries() -> tuple[Any, Any]:
    """Import what reads and writes Parquet files, only when facts are kept. Raises NoLibrary: it is not installed."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise NoLibrary("the lab needs pyarrow: pip install 'patolli[lab]'") from None


def schema() -> Any:
    """Return the columns as pyarrow knows them."""
    pyarrow, _ = libraries()

    def kind(name: str) -> Any:
        one = getattr(pyarrow, {"bool": "bool_"}.get(name.rstrip("*"), name.rstrip("*")))()
        return pyarrow.list_(one) if name.endswith("*") else one

    return pyarrow.schema([(name, kind(what)) for name, (what, _) in COLUMNS.items()])


def write_rows(path: Path, rows: Sequence[Row], about: dict[str, str]) -> None:
    """Write a file with one row group and metadata *about*. Raises OSError: writing fails; there is no file then."""
    pyarrow, parquet = libraries()
    table = pyarrow.Table.from_pydict({name: [row[name] for row in rows] for name in COLUMNS}, schema=schema())
    sink = pyarrow.BufferOutputStream()
    # Statistics of the values are of no use in files that are read whole, and take a fifth of the time.
    parquet.write_table(
        table.replace_schema_metadata(about), sink, compression="zstd", write_page_checksum=True, write_statistics=False
    )
    write_whole(path, sink.getvalue().to_pybytes())


def read_rows(path: Path, columns: Sequence[str] | None = None) -> list[Row]:
    """Read a file, or some columns of it. Raises OSError: it cannot be read; Damaged: it is no such file."""
    pyarrow, _ = libraries()
    try:
        found: list[Row] = _open_file(path).read(columns=columns, use_threads=False).to_pylist()
    except (pyarrow.ArrowException, UnicodeDecodeError, OSError) as error:
        raise _why(error, path) from None
    return found


def _open_file(path: Path) -> Any:
    """Open a file, unless it says that more is in it than the lab writes: a small one may unpack to any size.

    Raises:
        OSError: It cannot be read.
        Damaged: More is said to be in it.
    """
    if path.stat().st_size > BYTES:
        raise Damaged(path)
    pyarrow, parquet = libraries()
    file = parquet.ParquetFile(
        pyarrow.BufferReader(path.read_bytes()), page_checksum_verification=True
    )  # a path may hold what pyarrow takes for an address
    about = file.metadata
    groups = [about.row_group(at) for at in range(min(about.num_row_groups, BLOCK + 1))]
    columns = [group.column(at) for group in groups for at in range(group.num_columns)]
    values = max((one.num_values for one in columns), default=0)
    unpacked = sum(one.total_uncompressed_size for one in columns)
    if about.num_rows > BLOCK or len(groups) > BLOCK or values > VALUES or unpacked > BYTES:
        raise Damaged(path)
    return file


def _why(error: Exception, path: Path) -> Exception:
    """Return what to raise for a file that cannot be read: what its system says, or that it is damaged."""
    return error if isinstance(error, OSError) and error.errno else Damaged(path)


def join_tables(paths: Sequence[Path], rows: Sequence[Row], columns: Sequence[str], plan: str = "") -> Any:
    """Return columns of files, and of rows behind them, as one pyarrow table.

    Raises:
        OSError: A file cannot be read.
        Damaged: It is no such file.
        StoreError: It is of another run than that of the *plan*.
    """
    pyarrow, _ = libraries()
    fields = pyarrow.schema([schema().field(name) for name in columns])
    found = [pyarrow.Table.from_pydict({name: [row[name] for row in rows] for name in columns}, schema=fields)]
    for path in paths:
        try:
            file = _open_file(path)
            about = file.schema_arrow.metadata or {}
            one = file.read(columns=list(columns), use_threads=False).select(columns)
            found.append(one if one.schema.equals(fields) else one.cast(fields))
        except (pyarrow.ArrowException, KeyError, UnicodeDecodeError, OSError) as error:
            raise _why(error, path) from None
        if plan and about.get(b"plan") != plan.encode():
            raise StoreError(f"{path} belongs to another run; move it out of the folder")
    return pyarrow.concat_tables([*found[1:], found[0]]).combine_chunks()


def read_about(path: Path) -> dict[str, str]:
    """Read the metadata of a file. Raises OSError: it cannot be read; Damaged: it is no such file."""
    pyarrow, _ = libraries()
    try:
        found = _open_file(path).schema_arrow.metadata or {}
        return {name.decode(): value.decode() for name, value in found.items()}
    except (pyarrow.ArrowException, UnicodeDecodeError, OSError) as error:
        raise _why(error, path) from None
