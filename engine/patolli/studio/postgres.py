"""Tables in PostgreSQL, for several servers at once: the same rows as in SQLite, with the same key.

That two servers cannot both write a revision is the work of the primary key. That one hears of what another has
written follows from the number that each row gets: a server asks now and then for the last one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from threading import RLock
from typing import Any, TypeVar

import psycopg

from patolli.studio.acts import Act, Setup
from patolli.studio.refusals import Stale
from patolli.studio.seats import Seats
from patolli.studio.store import FORM, StoreError

Result = TypeVar("Result")
EVERY = 0.05
"""Seconds in which it is not asked again whether there is something new."""
TABLES = (
    "create table if not exists patolli_form (form integer not null)",
    "create table if not exists patolli_tables (id text primary key, made timestamptz not null default now(), "
    "setup text not null, seats text not null, content text not null)",
    "create table if not exists patolli_acts (id text not null references patolli_tables, revision integer not null, "
    "kind text not null, data text not null, key text not null default '', number bigserial, "
    "primary key (id, revision))",
    "create unique index if not exists patolli_keys on patolli_acts (id, key) where key <> ''",
    "create index if not exists patolli_numbers on patolli_acts (number)",
)
INSERT = "insert into patolli_acts (id, revision, kind, data, key) values (%s, %s, %s, %s, %s)"


class Postgres:
    """Tables in a database."""

    def __init__(self, url: str) -> None:
        """Connect, and make the tables if need be.

        Raises:
            StoreError: There is no such database, or it was written by another version of this program.
        """
        self._url, self._lock = url, RLock()
        self._asked, self._last = 0.0, 0
        try:
            self._base = psycopg.connect(url, autocommit=True, connect_timeout=10)
            with self._base.transaction():
                self._base.execute("select pg_advisory_xact_lock(1885434991)")  # of two that begin at once one waits
                for statement in TABLES:
                    self._base.execute(statement)
                form = self._base.execute("select form from patolli_form").fetchone()
                if form is None:
                    self._base.execute("insert into patolli_form values (%s)", (FORM,))
            self._last = self._newest()
        except psycopg.Error as error:
            raise StoreError(f"the database cannot be used as a store: {str(error).strip()}") from None
        if form is not None and form[0] != FORM:
            raise StoreError(f"the database was written by another version of this program (form {form[0]})")

    def add(self, id_: str, setup: Setup, seats: Seats, content: str, acts: list[Act]) -> None:
        """Keep a new table, with acts with which it begins: all of it or nothing."""
        row = (id_, _text(setup.to_data()), _text(seats.to_data()), content)

        def insert() -> None:
            with self._base.transaction(), self._base.cursor() as cursor:
                cursor.execute("insert into patolli_tables (id, setup, seats, content) values (%s, %s, %s, %s)", row)
                cursor.executemany(INSERT, [_row(id_, act) for act in acts])

        self._do(insert)

    def append(self, id_: str, act: Act) -> None:
        """Keep an act.

        Raises:
            Stale: There is one with that revision, or that key.
        """

        def insert() -> None:
            try:
                found = self._base.execute(f"{INSERT} returning number", _row(id_, act)).fetchone()
            except psycopg.errors.UniqueViolation:
                if self._mine(id_, act):
                    return  # it was written before the line broke
                raise Stale(act.revision) from None
            if found is not None and found[0] == self._last + 1:
                self._last = found[0]

        self._do(insert)

    def _mine(self, id_: str, act: Act) -> bool:
        wanted = "select kind, data, key from patolli_acts where id = %s and revision = %s"
        found = self._base.execute(wanted, (id_, act.revision)).fetchone()
        return bool(act.key) and found == (act.kind, _text(act.data), act.key)

    def setup(self, id_: str) -> tuple[Setup, Seats, str] | None:
        """Return how a table began, and the hash of its content; None where there is none."""
        wanted = "select setup, seats, content from patolli_tables where id = %s"
        row = self._do(lambda: self._base.execute(wanted, (id_,)).fetchone())
        return None if row is None else (Setup.of(json.loads(row[0])), Seats.of(json.loads(row[1])), row[2])

    def acts(self, id_: str, after: int = 0) -> list[Act]:
        """Return the acts of a table behind a revision."""
        wanted = "select revision, kind, data, key from patolli_acts where id = %s and revision > %s order by revision"
        rows = self._do(lambda: self._base.execute(wanted, (id_, after)).fetchall())
        return [Act(revision, kind, json.loads(data), key) for revision, kind, data, key in rows]

    def ids(self) -> list[str]:
        """Return all tables, the newest first."""
        wanted = "select id from patolli_tables order by made desc, id"
        return [row[0] for row in self._do(lambda: self._base.execute(wanted).fetchall())]

    def remove(self, id_: str) -> None:
        """Forget a table and its acts: both or nothing."""

        def delete() -> None:
            with self._base.transaction():
                self._base.execute("delete from patolli_acts where id = %s", (id_,))
                self._base.execute("delete from patolli_tables where id = %s", (id_,))

        self._do(delete)

    def changed(self) -> bool:
        """Tell whether another server has written since the last time it was asked."""
        now = time.monotonic()
        if now - self._asked < EVERY:
            return False
        self._asked = now
        newest = self._do(self._newest)
        before, self._last = self._last, newest
        return newest != before

    def _newest(self) -> int:
        found = self._base.execute("select coalesce(max(number), 0) from patolli_acts").fetchone()
        return int(found[0]) if found is not None else 0

    def close(self) -> None:
        """Let go of the database."""
        with self._lock:
            self._base.close()

    def _do(self, work: Callable[[], Result]) -> Result:
        """Ask the database for something; once more over a new line where the old one has broken."""
        with self._lock:
            try:
                return work()
            except psycopg.OperationalError:
                self._base.close()
                self._base = psycopg.connect(self._url, autocommit=True, connect_timeout=10)
                return work()


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _row(id_: str, act: Act) -> tuple[str, int, str, str, str]:
    return id_, act.revision, act.kind, _text(act.data), act.key
