"""A store in PostgreSQL, for several servers: the same rows as in SQLite, with the same key.

The primary key prevents that two servers write the same revision. To notice writes of other servers, a server polls the
number of the last row and the count of deleted tables. Each wait has a limit: the database ends slow statements, and
the network ends dead connections.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, LiteralString, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from patolli.serve.studio.acts import Act, Setup
from patolli.serve.studio.refusals import Gone, Stale
from patolli.serve.studio.seats import Seats
from patolli.serve.studio.store import CLOCK, FORM, StoreError, row_of, text_of

Result = TypeVar("Result")
EVERY = 0.05
"""Minimum seconds between two polls."""
LIMITS = {
    "connect_timeout": 5, "tcp_user_timeout": 5000,
    "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3,
    "options": "-c statement_timeout=5s -c lock_timeout=5s -c idle_in_transaction_session_timeout=10s",
}  # fmt: skip
"""Timeouts for connections, statements and locks. Values in the URL take precedence."""
TABLES = (
    "create table if not exists patolli_form (form integer not null)",
    "alter table patolli_form add column if not exists removed bigint not null default 0",
    "create table if not exists patolli_tables (id text primary key, made timestamptz not null default now(), "
    "setup text not null, seats text not null, content text not null)",
    "create table if not exists patolli_acts (id text not null references patolli_tables, revision integer not null, "
    "kind text not null, data text not null, key text not null default '', number bigserial, "
    "primary key (id, revision))",
    "create unique index if not exists patolli_keys on patolli_acts (id, key) where key <> ''",
    "create index if not exists patolli_numbers on patolli_acts (number)",
)
ADD = "insert into patolli_tables (id, setup, seats, content) values (%s, %s, %s, %s) on conflict do nothing"
INSERT = "insert into patolli_acts (id, revision, kind, data, key) values (%s, %s, %s, %s, %s)"
KEEP_CLOCK = f"{INSERT} on conflict (id, revision) do update set data = excluded.data"


class Postgres:
    """A store in a database."""

    faults: tuple[type[Exception], ...] = (psycopg.Error,)

    def __init__(self, url: str) -> None:
        """Connect, and create missing tables. Raises StoreError: no connection, or the format of another version."""
        self._url, self._asked, self._last = url, 0.0, (0, 0)
        try:
            self._base = self._connect()
            with self._base.transaction():
                self._base.execute(
                    "select pg_advisory_xact_lock(1885434991)"
                )  # serializes servers that start at the same time
                for statement in TABLES:
                    self._base.execute(statement)
                form = self._base.execute("select form from patolli_form").fetchone()
                if form is None:
                    self._base.execute("insert into patolli_form (form) values (%s)", (FORM,))
            self._last = self._newest()
        except psycopg.Error as error:
            raise StoreError(f"cannot use the database as a store: {str(error).strip()}") from None
        if form is not None and form[0] != FORM:
            raise StoreError(f"the database has the format of another version of Patolli (form {form[0]})")

    def _connect(self) -> psycopg.Connection[TupleRow]:
        said = conninfo_to_dict(self._url)
        more: dict[str, Any] = {name: limit for name, limit in LIMITS.items() if name not in said}
        return psycopg.connect(make_conninfo(self._url, **more), autocommit=True)

    def add(self, id_: str, setup: Setup, seats: Seats, content: str, acts: list[Act]) -> None:
        """Add a table and its first acts, in one transaction."""
        row = (id_, text_of(setup.to_data()), text_of(seats.to_data()), content)

        def insert() -> None:
            with self._base.transaction(), self._base.cursor() as cursor:
                if cursor.execute(ADD, row).rowcount:  # zero if it was written before the connection broke
                    cursor.executemany(INSERT, [row_of(id_, act) for act in acts])

        self._do(insert)

    def append(self, id_: str, act: Act) -> None:
        """Add an act. Raises Stale: there is an act with this revision or key; Gone: the table was deleted."""

        def insert() -> None:
            try:
                found = self._base.execute(f"{INSERT} returning number", row_of(id_, act)).fetchone()
            except psycopg.errors.UniqueViolation:
                if self._is_written(id_, act):
                    return  # it was written before the connection broke, or by a call that timed out
                raise Stale(act.revision) from None
            except psycopg.errors.ForeignKeyViolation:
                raise Gone from None
            if found is not None and found[0] == self._last[0] + 1:
                self._last = (found[0], self._last[1])

        self._do(insert)

    def _is_written(self, id_: str, act: Act) -> bool:
        wanted = "select kind, data, key from patolli_acts where id = %s and revision = %s"
        found = self._base.execute(wanted, (id_, act.revision)).fetchone()
        return bool(act.key) and found == (act.kind, text_of(act.data), act.key)

    def setup(self, id_: str) -> tuple[Setup, Seats, str] | None:
        """Return the setup, the seats and the content hash of a table; None if there is no such table."""
        wanted = "select setup, seats, content from patolli_tables where id = %s"
        row = self._do(lambda: self._base.execute(wanted, (id_,)).fetchone())
        return None if row is None else (Setup.of(json.loads(row[0])), Seats.of(json.loads(row[1])), row[2])

    def acts(self, id_: str, after: int = 0) -> list[Act]:
        """Return the acts of a table after a revision."""
        wanted = "select revision, kind, data, key from patolli_acts where id = %s and revision > %s order by revision"
        return self._read_acts(wanted, id_, after)

    def messages(self, id_: str, after: int = 0) -> list[Act]:
        """Return the messages of a table after so many."""
        wanted = (
            "select revision, kind, data, key from patolli_acts where id = %s and revision < %s order by revision desc"
        )
        return self._read_acts(wanted, id_, -after)

    def _read_acts(self, wanted: LiteralString, id_: str, after: int) -> list[Act]:
        rows = self._do(lambda: self._base.execute(wanted, (id_, after)).fetchall())
        return [Act(revision, kind, json.loads(data), key) for revision, kind, data, key in rows]

    def keep_clock(self, id_: str, spent: list[float]) -> None:
        """Store the seconds that each seat of a table has spent, as the act with revision 0."""
        with suppress(psycopg.errors.ForeignKeyViolation):  # the table was deleted
            self._do(lambda: self._base.execute(KEEP_CLOCK, row_of(id_, Act(0, CLOCK, {"spent": spent}))))

    def clock(self, id_: str) -> list[float]:
        """Return the seconds that each seat of a table has spent."""
        wanted = "select data from patolli_acts where id = %s and revision = 0"
        row = self._do(lambda: self._base.execute(wanted, (id_,)).fetchone())
        return [] if row is None else json.loads(row[0])["spent"]

    def ids(self) -> list[str]:
        """Return the ids of all tables, newest first."""
        wanted = "select id from patolli_tables order by made desc, id"
        return [row[0] for row in self._do(lambda: self._base.execute(wanted).fetchall())]

    def remove(self, id_: str) -> None:
        """Delete a table and its acts, in one transaction."""

        def delete() -> None:
            with self._base.transaction():
                self._base.execute("delete from patolli_acts where id = %s", (id_,))
                self._base.execute("delete from patolli_tables where id = %s", (id_,))
                self._base.execute("update patolli_form set removed = removed + 1")

        self._do(delete)

    def detect_change(self) -> bool:
        """Return whether another server has written since the last call."""
        now = time.monotonic()
        if now - self._asked < EVERY:
            return False
        self._asked = now
        newest = self._do(self._newest)
        before, self._last = self._last, newest
        return newest != before

    def _newest(self) -> tuple[int, int]:
        """Return the number of the last act, and the number of deleted tables."""
        wanted = "select coalesce((select max(number) from patolli_acts), 0), removed from patolli_form limit 1"
        found = self._base.execute(wanted).fetchone()
        return (int(found[0]), int(found[1])) if found is not None else (0, 0)

    def close(self) -> None:
        """Close the connection."""
        self._base.close()

    def _do(self, work: Callable[[], Result]) -> Result:
        """Run a query; reconnect and retry once if the connection is broken."""
        try:
            return work()
        except psycopg.OperationalError:
            if not self._base.closed:
                raise  # the database responded: it is full or too slow
            self._base = self._connect()
            return work()
