"""The store of tables in SQLite, with a row for each act, written before the response.

The database uses a write-ahead log (WAL), so that no confirmed act is lost if the server is killed. The setting
``synchronous=NORMAL`` is deliberate: an outage may lose the acts of the last moments, but never a table.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from patolli.serve.studio.acts import Act, Setup
from patolli.serve.studio.refusals import Gone, Stale
from patolli.serve.studio.seats import Seats

FORM = 1
"""The version of the database format."""
BUSY = 5.0
"""Seconds that a call waits for another program that writes to the store."""
CLOCK = "clock"
"""The kind of the row with revision 0, which is no act: the time that the seats have spent."""
TABLES = """
create table if not exists tables (
    id text primary key, made text not null default current_timestamp, setup text not null, seats text not null,
    content text not null
);
create table if not exists acts (
    id text not null references tables, revision integer not null, kind text not null, data text not null,
    key text not null default '', primary key (id, revision)
);
create unique index if not exists keys on acts (id, key) where key != '';
"""


class StoreError(Exception):
    """A store that cannot be used; the message has the reason."""


class Store(Protocol):
    """The interface of stores. Any thread may call it, but only one at a time.

    Attributes:
        faults: The exceptions of a store that is full, busy, or not reachable.
    """

    faults: tuple[type[Exception], ...]

    def add(self, id_: str, setup: Setup, seats: Seats, content: str, acts: list[Act]) -> None:
        """Add a table and its first acts."""

    def append(self, id_: str, act: Act) -> None:
        """Add an act. Raises Stale: there is an act with this revision; Gone: the table was deleted."""

    def setup(self, id_: str) -> tuple[Setup, Seats, str] | None:
        """Return the setup, the seats and the content hash of a table; None if there is no such table."""

    def acts(self, id_: str, after: int = 0) -> list[Act]:
        """Return the acts of a table after a revision."""

    def messages(self, id_: str, after: int = 0) -> list[Act]:
        """Return the messages of a table after so many. Their revisions are -1, -2 and so on."""

    def keep_clock(self, id_: str, spent: list[float]) -> None:
        """Store the seconds that each seat has spent, then those that others see, in place of older ones."""

    def clock(self, id_: str) -> list[float]:
        """Return these seconds; empty if none are stored."""

    def ids(self) -> list[str]:
        """Return the ids of all tables, newest first."""

    def remove(self, id_: str) -> None:
        """Delete a table and its acts."""

    def detect_change(self) -> bool:
        """Return whether another program has written since the last call."""

    def close(self) -> None:
        """Close the store."""


class Sqlite:
    """A store in a file, or in memory without a path."""

    faults: tuple[type[Exception], ...] = (sqlite3.Error,)

    def __init__(self, path: Path | None) -> None:
        """Open or create a file for its owner only: it has tokens. Raises StoreError: it is no store, or unreadable."""
        try:
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
            self._base = sqlite3.connect(
                path or ":memory:", check_same_thread=False, isolation_level=None, timeout=BUSY
            )
            try:
                self._version = self._prepare_tables(path)
            except BaseException:
                self._base.close()  # otherwise it stays open until garbage collection
                raise
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"cannot use {path} as a store: {error}") from None

    def _prepare_tables(self, path: Path | None) -> int:
        """Check the format, and create missing database tables; return the data version, which other writers change."""
        self._base.execute("pragma journal_mode=wal")
        self._base.execute("pragma synchronous=normal")
        form = self._base.execute("pragma user_version").fetchone()[0]
        if form not in (0, FORM):
            raise StoreError(f"{path} has the format of another version of Patolli (form {form}, not {FORM})")
        self._base.executescript(TABLES)
        self._base.execute(f"pragma user_version={FORM}")
        version: int = self._base.execute("pragma data_version").fetchone()[0]
        return version

    def add(self, id_: str, setup: Setup, seats: Seats, content: str, acts: list[Act]) -> None:
        """Add a table and its first acts, in one transaction."""
        row = (id_, text_of(setup.to_data()), text_of(seats.to_data()), content)
        with self._whole():
            self._base.execute("insert into tables (id, setup, seats, content) values (?, ?, ?, ?)", row)
            self._base.executemany("insert into acts values (?, ?, ?, ?, ?)", [row_of(id_, act) for act in acts])

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Run statements in one transaction; roll back on any error."""
        self._base.execute("begin immediate")
        try:
            yield
            self._base.execute("commit")
        except BaseException:
            if self._base.in_transaction:  # a full disk ends the transaction itself
                self._base.execute("rollback")
            raise

    def append(self, id_: str, act: Act) -> None:
        """Add an act. Raises Stale: there is an act with this revision or key; Gone: the table was deleted."""
        known = "insert into acts select ?, ?, ?, ?, ? where exists (select 1 from tables where id = ?)"
        try:
            written = self._base.execute(known, (*row_of(id_, act), id_)).rowcount
        except sqlite3.IntegrityError:
            if self._is_written(id_, act):
                return  # by a call that timed out
            raise Stale(act.revision) from None
        if not written:
            raise Gone

    def _is_written(self, id_: str, act: Act) -> bool:
        wanted = "select * from acts where id = ? and revision = ?"
        return bool(act.key) and self._base.execute(wanted, (id_, act.revision)).fetchone() == row_of(id_, act)

    def setup(self, id_: str) -> tuple[Setup, Seats, str] | None:
        """Return the setup, the seats and the content hash of a table; None if there is no such table."""
        row = self._base.execute("select setup, seats, content from tables where id = ?", (id_,)).fetchone()
        return None if row is None else (Setup.of(json.loads(row[0])), Seats.of(json.loads(row[1])), row[2])

    def acts(self, id_: str, after: int = 0) -> list[Act]:
        """Return the acts of a table after a revision."""
        wanted = "select revision, kind, data, key from acts where id = ? and revision > ? order by revision"
        return self._read_acts(wanted, id_, after)

    def messages(self, id_: str, after: int = 0) -> list[Act]:
        """Return the messages of a table after so many."""
        wanted = "select revision, kind, data, key from acts where id = ? and revision < ? order by revision desc"
        return self._read_acts(wanted, id_, -after)

    def _read_acts(self, wanted: str, id_: str, after: int) -> list[Act]:
        rows = self._base.execute(wanted, (id_, after)).fetchall()
        return [Act(revision, kind, json.loads(data), key) for revision, kind, data, key in rows]

    def keep_clock(self, id_: str, spent: list[float]) -> None:
        """Store the seconds that each seat of a table has spent, as the act with revision 0."""
        known = "insert or replace into acts select ?, ?, ?, ?, ? where exists (select 1 from tables where id = ?)"
        self._base.execute(known, (*row_of(id_, Act(0, CLOCK, {"spent": spent})), id_))

    def clock(self, id_: str) -> list[float]:
        """Return the seconds that each seat of a table has spent."""
        row = self._base.execute("select data from acts where id = ? and revision = 0", (id_,)).fetchone()
        return [] if row is None else json.loads(row[0])["spent"]

    def ids(self) -> list[str]:
        """Return the ids of all tables, newest first by order of creation, not by clock."""
        return [row[0] for row in self._base.execute("select id from tables order by rowid desc")]

    def remove(self, id_: str) -> None:
        """Delete a table and its acts, in one transaction."""
        with self._whole():
            self._base.execute("delete from acts where id = ?", (id_,))
            self._base.execute("delete from tables where id = ?", (id_,))

    def detect_change(self) -> bool:
        """Return whether another connection has written since the last call."""
        now = self._base.execute("pragma data_version").fetchone()[0]
        before, self._version = self._version, now
        return bool(before != now)

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def text_of(data: dict[str, Any]) -> str:
    """Return data as compact JSON, the form in which stores keep them."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def row_of(id_: str, act: Act) -> tuple[str, int, str, str, str]:
    """Return the row of an act of a table."""
    return id_, act.revision, act.kind, text_of(act.data), act.key
