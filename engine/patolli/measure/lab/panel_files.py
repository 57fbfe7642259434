"""Small files in the folder of a panel: what was found beside its matches, as a list of JSON objects."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.bounded import read_bounded
from patolli.measure.lab.store import StoreError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def keep_rows(path: Path, rows: Iterable[DataclassInstance]) -> None:
    """Write rows to a file. Raises OSError: it cannot be written."""
    write_whole(path, json.dumps([asdict(one) for one in rows], indent=1) + "\n")


def read_rows(path: Path, kind: type[Row]) -> list[Row]:
    """Read the rows of a file; empty without a file. Raises StoreError: it is invalid."""
    if not path.is_file():
        return []
    try:
        return [kind(**one) for one in json.loads(read_bounded(path))]
    except (ValueError, TypeError):
        raise StoreError(f"{path} is invalid; delete it, and run 'patolli lab run' again") from None
