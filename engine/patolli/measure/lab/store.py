"""The folder of a run: what was planned, and the facts of the matches that are played.

    plan.json                      what is played; its hash stands in every other file
    facts/VARIANT/00000000.parquet the matches 0 to 249 of a variant, when all of them are played
    facts/VARIANT/00000000.jsonl   those of them that are played so far, one line for each
    facts/VARIANT/00000250.rest.parquet  the last matches of a run that came to its end, fewer than 250
    end.json                       of how many matches of each variant the run consists; none while it goes on

On a cluster whose processes reach the folder, a process that has played a whole block writes the block's file itself
(:class:`Shared`): the name of the file says which matches it holds, so the folder is the ledger, and a block that is
written twice is the same block.

Lines are written every two seconds, and when the run ends. When a block is whole, its Parquet file is written whole or
not at all, and then its lines are deleted; so are those of the last block when the run comes to its end, and what reads
a folder of Parquet files reads all. So a run that is killed loses two seconds of matches. As the files of different
blocks have different names, the folders of several shards are joined by copying one into another.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from errno import ENOENT
from hashlib import sha256
from math import inf
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.lines import Lines, whole_lines
from patolli.measure.lab.facts import COLUMNS, UNHASHED, Row, fingerprint
from patolli.measure.lab.plans import TARGETS, WHERE
from patolli.measure.lab.tables import BLOCK, Damaged, read_about, read_rows, write_rows
from patolli.measure.lab.tables import StoreError as StoreError  # of those who only know this room

FORM = "patolli lab"
VERSION = 4
REST = ".rest.parquet"
END = "end.json"
NUMBER = "[0-9]" * 8
"""How the names of the files of blocks begin, as a pattern; other files in the folder, such as copies, do not count."""
PANEL = "panel.json"
"""The file that makes a folder of runs a panel of bots."""
UNHASHED_KEYS = (FORM, WHERE, TARGETS)
"""What a plan says besides what is played: where the packs lie, and what a report compares the results with."""


MARK = ".shared-"
"""How the name of the file begins by which processes elsewhere recognize the folder."""
SECONDS = 2.0
"""Lines are not written more often: a block that is whole sooner needs none."""
LATE = 60.0
"""Seconds after which a file that another machine has written must be visible here."""


@dataclass(frozen=True, slots=True)
class Shared:
    """The folder of a run, for a process that may be on another machine: ``mark`` is a file that only this folder has.

    Only a process that sees the mark sees the folder of the run, and not another folder at the same path.
    """

    mark: str
    plan: str

    def write(self, variant: str, rows: Sequence[Row]) -> bool:
        """Write the file of a whole block; return whether that was possible here."""
        facts = Path(self.mark).parent
        try:
            if not Path(self.mark).exists():
                return False
            (facts / variant).mkdir(exist_ok=True)
            path = facts / variant / f"{rows[0]['match']:08d}.parquet"
            _write_block(path, variant, self.plan, rows, [fingerprint(row) for row in rows])
        except OSError:  # the caller gets the rows, and reports why it cannot write them either
            return False
        return True


def _write_block(path: Path, variant: str, plan: str, rows: Sequence[Row], prints: Sequence[str]) -> None:
    """Write the Parquet file of a block or of a part of it, completely or not at all."""
    about = {FORM: str(VERSION), "plan": plan, "variant": variant, "fingerprints": " ".join(prints)}
    write_rows(path, rows, about)


class Store:
    """The folder of one run."""

    def __init__(self, folder: Path, head: dict[str, Any]) -> None:
        """Open a folder, or begin it for *head*. Raises StoreError: it holds something else; OSError: writing fails."""
        self.folder, self.head = folder, head
        self.hash = hash_of(head)
        folder.mkdir(parents=True, exist_ok=True)
        plan = folder / "plan.json"
        begun = (folder / "facts").exists()
        if plan.exists() and begun:
            there = read_head(folder)
            if hash_of(there) == self.hash:
                if any(there.get(name) != head.get(name) for name in (WHERE, TARGETS)):
                    self._write(plan)
            else:
                differs = next(
                    (
                        name
                        for name in {**there, **head}
                        if name not in UNHASHED_KEYS and there.get(name) != head.get(name)
                    ),
                    "something",
                )
                if differs == "content":
                    raise StoreError(f"{folder} has a run of an older version of the pack; use another folder")
                differs = "variants or options" if differs == "variants" else differs
                raise StoreError(f"{folder} has another run, with different {differs}; use another folder")
        elif begun or any(one.name not in ("plan.json", "variants", END) for one in folder.iterdir()):
            raise StoreError(f"{folder} is not empty and has no run; use another folder")
        else:
            self._write(plan)
        self._open: dict[tuple[str, int], Lines] = {}
        self._rows: dict[tuple[str, int], dict[int, Row]] = {}
        self._good: dict[tuple[str, int], int] = {}  # so many bytes of the lines that were read are whole lines
        self._prints: dict[tuple[str, int], dict[int, str]] = {}  # of these rows; to compute one takes a while
        self._unwritten: dict[tuple[str, int], list[Row]] = {}  # rows whose lines are due
        self._written = -inf  # when lines were last written

    def _write(self, plan: Path) -> None:
        write_whole(plan, json.dumps({FORM: VERSION, **self.head}, indent=2, ensure_ascii=False) + "\n")

    def list_played(self, variant: str, block: int) -> set[int]:
        """Return the numbers of the played matches of a block. Raises StoreError: the block is of another run."""
        path = self._path(variant, block, ".parquet")
        if path.exists():
            if read_about(path).get("plan") != self.hash:
                raise StoreError(f"{path} belongs to another run; move it out of the folder")
            return set(range(block * BLOCK, (block + 1) * BLOCK))
        return set(self._lines(variant, block))

    def add(self, variant: str, row: Row) -> None:
        """Keep the facts of one more match. Raises OSError: they cannot be written; what was there before still is."""
        block = row["match"] // BLOCK
        rows = self._lines(variant, block)
        key = (variant, block)
        rows[row["match"]] = row
        self._prints[key][row["match"]] = fingerprint(row)
        self._unwritten.setdefault(key, []).append(row)
        if len(rows) == BLOCK:
            self._finish(key)
        elif monotonic() - self._written > SECONDS:
            self._write_lines()

    def _write_lines(self) -> None:
        """Write the lines that are due. Raises OSError: they cannot be written; those before them are."""
        for key, rows in self._unwritten.items():
            if key not in self._open:
                path = self._path(*key, ".jsonl")
                path.parent.mkdir(parents=True, exist_ok=True)
                self._open[key] = Lines(path, self._good[key])
            while rows:
                facts = {name: value for name, value in rows[0].items() if name != UNHASHED}
                text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"))
                self._open[key].add(f"{text}\t{rows[0][UNHASHED]}\t{self.hash}\n".encode())
                rows.pop(0)
        self._unwritten.clear()
        self._written = monotonic()

    @contextmanager
    def share(self) -> Iterator[Shared]:
        """Let processes elsewhere write whole blocks while the ``with`` lasts. Raises OSError: writing fails."""
        facts = self.folder.resolve() / "facts"
        facts.mkdir(exist_ok=True)
        for left in facts.glob(f"{MARK}*"):  # of a caller that was killed
            left.unlink(missing_ok=True)
        mark = facts / f"{MARK}{secrets.token_hex(8)}"
        mark.touch()
        try:
            yield Shared(str(mark), self.hash)
        finally:
            mark.unlink(missing_ok=True)

    def note_block(self, variant: str, block: int) -> None:
        """Note that a process elsewhere has written a block.

        Raises:
            StoreError: The file belongs to another run.
            OSError: The file is not there, even after :data:`LATE` seconds.
        """
        end = monotonic() + LATE
        while not self._path(variant, block, ".parquet").exists() and monotonic() < end:
            sleep(0.1)  # a network file system shows new files of other machines late
        if len(self.list_played(variant, block)) != BLOCK:
            why = "a process of the cluster has written this file, but it is missing"
            raise FileNotFoundError(ENOENT, why, str(self._path(variant, block, ".parquet")))
        for kept in (self._rows, self._prints, self._unwritten):
            kept.pop((variant, block), None)

    def close(self) -> None:
        """Write what is not written yet, and close what is open. Raises OSError: writing fails."""
        self._write_lines()
        for file in self._open.values():
            file.close()
        self._open.clear()

    def rows(self, variant: str, matches: int, columns: Sequence[str] = ()) -> Iterator[Row]:
        """Yield the facts of the first *matches* matches of a variant that are played, in order; see :meth:`block`."""
        for block in range(-(-matches // BLOCK)):
            yield from (row for row in self.block(variant, block, columns) if row["match"] < matches)

    def there(self, variant: str) -> tuple[list[Path], list[Row]]:
        """Return the files of whole blocks, in order, and the matches of all others, while a run may still go on."""
        folder = self.folder / "facts" / variant
        # Lines first: a block whose file is written meanwhile is then there twice, and not missing.
        begun = {
            int(path.name[:8]) // BLOCK for ending in (".jsonl", REST) for path in folder.glob(f"{NUMBER}{ending}")
        }
        begun |= {block for name, block in self._unwritten if name == variant}
        left = {block: [row for _, row in sorted(self._lines(variant, block).items())] for block in sorted(begun)}
        files = sorted(folder.glob(f"{NUMBER}.parquet"))
        whole = {int(path.stem) // BLOCK for path in files}
        return files, [row for block, rows in left.items() if block not in whole for row in rows]

    def block(self, variant: str, block: int, columns: Sequence[str] = ()) -> list[Row]:
        """Return the facts of the matches of a block that are played, in order: all columns, or at least some."""
        path = self._path(variant, block, ".parquet")
        if path.exists():
            return read_rows(path, ["match", *columns] if columns else None)
        lines = self._lines(variant, block)
        return [lines[number] for number in sorted(lines)]

    def digest(self, variant: str, matches: int) -> str:
        """Return a hash of the facts of the first *matches* matches that are played, whatever way they were played."""
        whole = sha256()
        for block in range(-(-matches // BLOCK)):
            path = self._path(variant, block, ".parquet")
            if path.exists():
                prints = read_about(path).get("fingerprints", "").split()
            else:
                self._lines(variant, block)
                prints = [one for _, one in sorted(self._prints[variant, block].items())]
            for one in prints[: matches - block * BLOCK]:
                whole.update(f"{one}\n".encode())
        return whole.hexdigest()

    # -- files

    def _path(self, variant: str, block: int, ending: str) -> Path:
        return self.folder / "facts" / variant / f"{block * BLOCK:08d}{ending}"

    def _lines(self, variant: str, block: int) -> dict[int, Row]:
        """Return the matches of a block that is not whole, by number, without a line that is cut off."""
        key = (variant, block)
        if key in self._rows:
            return self._rows[key]
        rows, prints = self._rows.setdefault(key, {}), self._prints.setdefault(key, {})
        self._read_rest(key)
        good, path = 0, self._path(variant, block, ".jsonl")
        with suppress(FileNotFoundError):
            for number, line in enumerate(whole_lines(path), 1):
                row = self._parse_line(line, path, number)
                rows[row["match"]], prints[row["match"]] = row, fingerprint(row)
                good += len(line)
        self._good[key] = good
        return rows

    def _parse_line(self, line: bytes, path: Path, number: int) -> Row:
        try:
            text, seconds, plan = line.decode().rstrip("\n").split("\t")
            row: Row = {**json.loads(text), UNHASHED: float(seconds)}
        except (ValueError, TypeError, RecursionError):
            row, plan = {}, self.hash
        if plan != self.hash:
            raise StoreError(f"{path} belongs to another run; move it out of the folder")
        first = int(path.stem)
        if not (COLUMNS.keys() <= row.keys() and row["match"] in range(first, first + BLOCK)):
            raise StoreError(f"{path}:{number}: this line is not a match; delete it")
        return row

    def _read_rest(self, key: tuple[str, int]) -> None:
        path = self._path(*key, REST)
        if not path.exists():
            return
        about = read_about(path)
        if about.get("plan") != self.hash:
            raise StoreError(f"{path} belongs to another run; move it out of the folder")
        found = read_rows(path)
        prints = about.get("fingerprints", "").split()
        if len(prints) != len(found) or not all(COLUMNS.keys() <= row.keys() for row in found):
            raise Damaged(path)
        self._rows[key].update((row["match"], row) for row in found)
        self._prints[key].update(zip((row["match"] for row in found), prints, strict=True))

    def conclude(self, matches: int) -> None:
        """End a run of so many matches per variant; lines become Parquet. Raises OSError: writing fails."""
        self._write_lines()
        for path in sorted(self.folder.glob(f"facts/*/{NUMBER}.jsonl")):
            key = (path.parent.name, int(path.stem) // BLOCK)
            self._lines(*key)
            self._finish(key, REST)
        write_whole(self.folder / END, json.dumps({"matches": matches}) + "\n")

    def go_on(self) -> None:
        """Say that the run does not end where an earlier one did. Raises OSError: the folder cannot be written."""
        (self.folder / END).unlink(missing_ok=True)

    @property
    def end(self) -> int | None:
        """Of how many matches of each variant the run consists; None for all that are there.

        Several processes play beyond the end that an interval finds. Such matches are kept for a longer run.
        """
        try:
            return int(json.loads((self.folder / END).read_text(encoding="utf-8"))["matches"])
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            raise StoreError(f"{self.folder / END} is invalid; delete it") from None

    def _finish(self, key: tuple[str, int], ending: str = ".parquet") -> None:
        """Make a Parquet file of a block, and delete its lines."""
        rows = self._rows[key]
        if not rows:
            return
        prints = [one for _, one in sorted(self._prints[key].items())]
        path = self._path(*key, ending)
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_block(path, key[0], self.hash, [rows[number] for number in sorted(rows)], prints)
        self._unwritten.pop(key, None)
        if key in self._open:
            self._open.pop(key).close()
        self._path(*key, ".jsonl").unlink(missing_ok=True)
        if ending != REST:
            self._path(*key, REST).unlink(missing_ok=True)
        del self._rows[key], self._prints[key]

    def finish_left(self, variant: str, block: int) -> None:
        """Make the Parquet file of a block whose lines are whole, if the program was ended before it did."""
        if len(self._lines(variant, block)) == BLOCK:
            self._finish((variant, block))


def hash_of(head: dict[str, Any]) -> str:
    """Return the hash of what is played."""
    kept = {name: value for name, value in head.items() if name not in UNHASHED_KEYS}
    return sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:32]


def read_head(folder: Path) -> dict[str, Any]:
    """Read what the run in a folder plays. Raises StoreError: no run is kept there; OSError: it cannot be read."""
    try:
        found = json.loads((folder / "plan.json").read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        if (folder / PANEL).is_file():
            there = ", ".join(sorted(str(path.parent) for path in folder.glob("*/plan.json")))
            raise StoreError(f"{folder} has a panel of bots; name one of its runs: {there}") from None
        raise StoreError(f"{folder} has no run; create one with 'patolli lab run PACK --out {folder}'") from None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or FORM not in found:
        raise StoreError(f"{folder / 'plan.json'} is not the plan of a run; use another folder")
    if found[FORM] != VERSION:
        raise StoreError(f"{folder} has the format of another version of Patolli (form {found[FORM]})")
    return found
