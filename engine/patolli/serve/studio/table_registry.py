"""The registry of all tables of a server, with its event streams, threads, and processes.

One thread runs all work on matches in sequence, because rules share the step budget and the events of a program. The
event loop awaits it without blocking. A second thread reads files, and others load packs, so that no table waits for
the pack of another. The store has its own thread, with a limit for each wait. Bots run in separate processes.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from patolli.author.workspace.kept_versions import find_kept_versions
from patolli.language.diagnostics import ContentError
from patolli.language.syntax.depth import keep_room
from patolli.run.runtime import SaveError, parse_save
from patolli.run.runtime.errors import MatchError
from patolli.serve.studio.acts import CHOICE, EDIT, Act, Course, Setup
from patolli.serve.studio.bot_tasks import Drivers
from patolli.serve.studio.bots import Bots
from patolli.serve.studio.catalogue import title_of
from patolli.serve.studio.clocks import ClockTasks
from patolli.serve.studio.content_updates import Renewal
from patolli.serve.studio.past import next_seat
from patolli.serve.studio.priority_queue import ANSWER, LATER, SHOW, WorkQueue
from patolli.serve.studio.refusals import Gone, Refused, Stale, Unavailable
from patolli.serve.studio.seats import NAME, Seats, new_name, seat_again
from patolli.serve.studio.shelf import Name, Shelf, compile_world_programs, name_of
from patolli.serve.studio.store_access import StoreAccess
from patolli.serve.studio.table import Table, places
from patolli.serve.studio.table_requests import SEEDS, bots_of, edit_data, line_of, names_of, parse_setup, problems_data
from patolli.serve.studio.undo_checks import UndoChecks

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset
    from patolli.serve.studio.store import Store

Result = TypeVar("Result")
LOADED = 4
"""Packs that load at the same time."""
STREAMS = 50
"""Limit for open event streams per table and token."""
LISTED = 100
"""Limit for tables in the list."""


class TableRegistry:
    """The registry of the tables of a server.

    Args:
        store: The database.
        bots: The processes of bots.
    """

    def __init__(self, store: Store, bots: Bots | None = None) -> None:
        self.store, self.shelf = StoreAccess(store), Shelf()
        self.tables: dict[str, Table] = {}
        self._lookers: defaultdict[str, dict[asyncio.Event, str]] = defaultdict(dict)
        self._locks: WeakValueDictionary[str | Name, asyncio.Lock] = WeakValueDictionary()
        self.bots = bots or Bots()
        self._drivers, self._renewal = Drivers(self, self.bots), Renewal(self)
        self._beforehand = UndoChecks(self)
        self._clocks = ClockTasks(self)
        self.ending = False
        self.behind: set[str] = set()  # tables that may have new acts in the store
        keep_room()
        self._rules, self._content, self._loading = (
            WorkQueue("rules"),
            WorkQueue("content"),
            WorkQueue("loading", LOADED),
        )
        self._aside: WorkQueue | None = None
        self._shown: dict[Hashable, Future[Any]] = {}
        self._compiled: WeakKeyDictionary[Ruleset, dict[int, Future[None]]] = WeakKeyDictionary()

    async def work(self, function: Callable[..., Result], *given: Any) -> Result:
        """Run work on matches that a client waits for."""
        return await self._rules.do(ANSWER, function, *given)

    async def work_with_worlds(self, table: Table, function: Callable[..., Result], *given: Any) -> Result:
        """Run work on matches that samples worlds. What it needs is compiled before, in another thread."""
        await asyncio.shield(asyncio.wrap_future(self.compile_for_worlds(table)))
        return await self.work(function, *given)

    def compile_for_worlds(self, table: Table) -> Future[None]:
        """Compile what sampled worlds of a table need; return the future, which tables with the same rules share."""
        made, players = self._compiled.setdefault(table.rules, {}), table.setup.players
        if players not in made:
            made[players] = self._loading.submit(SHOW, compile_world_programs, table.rules, players)
        return made[players]

    async def draw(self, function: Callable[..., Result], *given: Any) -> Result:
        """Run work on matches that is only shown, with lower priority. Equal requests share work that has not begun."""
        key = (function, *given)
        shown = self._shown.get(key)
        if shown is None or shown.running() or shown.done():
            shown = self._shown[key] = self._rules.submit(SHOW, function, *given)
        try:
            found: Result = await asyncio.shield(asyncio.wrap_future(shown))
        finally:
            if self._shown.get(key) is shown:
                del self._shown[key]
        return found

    def later(self, function: Callable[..., Any], *given: Any) -> None:
        """Run work on matches in idle time."""
        self._rules.submit(LATER, function, *given)

    async def load(self, setup: Setup) -> Ruleset:
        """Return the current rules of a table. Raises Refused: the content has errors."""
        try:
            return await self.prepare(name_of(setup), self.shelf.get, setup)
        except ContentError as error:
            raise Refused(422, error.problems[0].message, problems=problems_data(error.problems)) from None

    async def prepare(self, name: Name, function: Callable[..., Result], *given: Any) -> Result:
        """Run slow work on content. Work on other content can run at the same time."""
        async with self.lock(name):
            return await self._loading.do(ANSWER, function, *given)

    async def begin(self, function: Callable[..., Result], *given: Any) -> Result:
        """Begin or replay a match, or look into rules. Other tables go on meanwhile: a set-up may be long."""
        return await self._loading.do(ANSWER, function, *given)

    def lock(self, name: str | Name) -> asyncio.Lock:
        """Return the lock of a table or of content. Unused locks are dropped."""
        found = self._locks.get(name)
        if found is None:
            found = self._locks[name] = asyncio.Lock()
        return found

    async def run_in_thread(self, function: Callable[..., Result], *given: Any) -> Result:
        """Run work on files, in a thread of its own."""
        return await self._content.do(ANSWER, function, *given)

    async def beside(self, function: Callable[..., Result], *given: Any) -> Result:
        """Run work that takes seconds and has its own content, in a thread of its own."""
        if self._aside is None:
            self._aside = WorkQueue("aside")
        return await self._aside.do(LATER, function, *given)

    # -- tables

    async def list_tables(self) -> list[dict[str, Any]]:
        """Return all tables with their tokens, newest first."""
        ids = (await self.store.ask(lambda store: store.ids()))[:LISTED]
        rows = await self.run_in_thread(lambda: [row for id_ in ids if (row := self._row(id_)) is not None])
        return await self.work(lambda: [{**row, "latest": _latest(self.tables.get(row["table"]))} for row in rows])

    def _row(self, id_: str) -> dict[str, Any] | None:
        """Return the list entry of a table. A match that is not in memory is not replayed."""
        table, kept = self.tables.get(id_), self.store.call(lambda store: store.setup(id_))
        if kept is None:
            return None
        setup, seats, _ = kept
        course = table.course if table is not None else Course(seats)
        for act in self.store.call(lambda store: store.acts(id_)) if table is None else ():
            course.take(act)
        names = [seat.name or f"player {number}" for number, seat in enumerate(course.seats.places, 1)]
        then = course.next_seat if table is None else next_seat(table.match)
        return {
            "table": id_, "pack": setup.pack, "title": title_of(setup.pack), "moves": course.cursor, "names": names,
            "over": None if then is None else then < 0, "next": None if then is None or then < 0 else then,
            "yours": then in course.seats.free(), "tokens": course.seats.tokens(),
        }  # fmt: skip

    async def take_in(self, data: dict[str, Any], where: dict[str, Any] | None = None) -> Table:
        """Create a table from a save.

        The save names its content, unless *where* has other values for ``pack``, ``modules`` and ``options``.

        Raises:
            Refused: The save is invalid, or belongs to other content.
        """
        text, kept = await self.run_in_thread(_read_save, data)
        setup, seats, rules = await self._parse_save(data, kept, where)
        number = setup.players
        line = await self.begin(line_of, rules, text)
        # Edits are allowed only in a sandbox, where everyone knows about them.
        setup = replace(setup, open=setup.open or any(act.kind == EDIT for act in line))
        said = list(zip(names_of(kept, number), bots_of(kept, number) or [""] * number, strict=True))
        return await self.begin(self._open, setup, rules, seats or said, line)

    async def unsaid(self, data: dict[str, Any]) -> list[str]:
        """Return the players of a save if neither it nor the request names who plays. Raises Refused: it is invalid."""
        _, kept = await self.run_in_thread(_read_save, data)
        setup, seats, _ = await self._parse_save(data, kept, None)
        if seats or bots_of(kept, setup.players) is not None:
            return []
        return [name or f"player {number}" for number, name in enumerate(names_of(kept, setup.players), 1)]

    async def _parse_save(
        self, data: dict[str, Any], kept: dict[str, Any], where: dict[str, Any] | None
    ) -> tuple[Setup, list[tuple[str, str]], Ruleset]:
        """Return the setup of a save, the seats that the request names, and the rules."""
        setup, seats = parse_setup({
            "pack": kept["pack"], "modules": kept.get("modules", []), "options": kept.get("options", {}),
            "players": kept["players"], "seed": 0, "seats": data.get("seats", []), "open": data.get("open"),
            **(where or {}),
        }, paths=where is not None)  # fmt: skip
        setup = await self.run_in_thread(_name_versions, setup, kept["content"])
        rules = await self.load(setup)
        return replace(setup, players=kept["players"] - rules.model.automated, seed=kept["seed"]), seats, rules

    async def create(self, data: dict[str, Any], paths: bool = False) -> Table:
        """Create a table from protocol *data*; *paths* are for the studio's owner. Raises Refused: it is invalid."""
        setup, seats = parse_setup(data, paths)
        rules = await self.load(setup)
        table = await self.begin(self._open, setup, rules, seats, [])
        self.compile_for_worlds(table)
        return table

    def _open(
        self, setup: Setup, rules: Ruleset, seats: list[tuple[str, str]], line: list[Act], kept: Seats | None = None
    ) -> Table:
        id_ = new_name()
        try:
            rules.allow(setup.players)
            new = kept or Seats.new(places(seats, setup.players, rules.model.automated))
            table = Table(id_, setup, rules, new, self.write)
            table.resume(line)
        except ValueError as error:
            raise Refused(422, str(error)) from None
        except MatchError as error:
            raise Refused(409, f"the rules failed: {error.reason}", fault=error.text()) from None
        self.store.call(lambda store: store.add(id_, setup, table.seats, rules.content_hash, line))
        self.tables[id_] = table
        return table

    async def find(self, id_: str) -> Table:
        """Return a table, from the store if needed. Raises Refused: it is unknown, or its content cannot be loaded."""
        if not NAME.fullmatch(id_):
            raise Refused(404, "unknown table")
        await self.look_around()
        if id_ in self.tables and id_ not in self.behind:
            return self.tables[id_]
        async with self.lock(id_):
            if id_ in self.behind:
                await self.work(self.follow, id_)
            if id_ in self.tables:
                return self.tables[id_]
            kept = await self.store.ask(lambda store: store.setup(id_))
            if kept is None:
                raise Refused(404, "unknown table")
            setup = await self.run_in_thread(_name_versions, kept[0], kept[2])
            rules = await self.load(setup)
            table = await self.begin(self._resume, id_, rules, setup, *kept[1:])
            self.compile_for_worlds(table)
            self.stir(table)
            return table

    def _resume(self, id_: str, rules: Ruleset, setup: Setup, seats: Seats, content: str) -> Table:
        table = Table(id_, setup, rules, seats, self.write)
        table.course.content = content
        try:
            table.resume(self.store.call(lambda store: store.acts(id_)))
            table.chat.take(self.store.call(lambda store: store.messages(id_)))
            self._read_clock(table)
        except (MatchError, ValueError) as error:
            raise Refused(409, f"the match cannot continue with the current content: {error}") from None
        self.tables[id_] = table
        table.go_on()
        return table

    def write(self, id_: str, act: Act) -> None:
        """Write an act to the store.

        Raises:
            Stale: Another server has written this revision. The next request reads the table again.
            Gone: The table was deleted.
            Unavailable: The store failed. The next read of the table shows whether the act was written.
        """
        try:
            self.store.call(lambda store: store.append(id_, act))
        except (Stale, Unavailable):
            self.behind.add(id_)
            raise
        except Gone:
            self.tables.pop(id_, None)
            raise

    async def look_around(self) -> None:
        """If another server has written to the store, mark all tables as outdated; without a response they stay."""
        with suppress(Unavailable):
            await self.store.ask(self._look_around)

    def _look_around(self, store: Store) -> None:
        if (
            store.detect_change()
        ):  # the store reports a change once, so it is recorded here, even if the request was cancelled
            self.behind.update(list(self.tables))

    def follow(self, id_: str) -> None:
        """Apply new acts from the store to a table; drop a table that was deleted or cannot be updated.

        While the store does not respond, the table does not change.
        """
        self.behind.discard(id_)
        table = self.tables.get(id_)
        if table is None:
            return
        try:
            acts = self.store.call(lambda store: None if store.setup(id_) is None else store.acts(id_, table.revision))
            if acts is None:
                raise IndexError(id_)
            table.follow(acts)
            table.chat.take(self.store.call(lambda store: store.messages(id_, table.chat.total)))
            self._read_clock(table)
        except Unavailable:
            self.behind.add(id_)
        except (MatchError, ValueError, IndexError):
            self.tables.pop(id_, None)

    def _read_clock(self, table: Table) -> None:
        if table.clock is not None and (spent := self.store.call(lambda store: store.clock(table.id))):
            table.clock.learn(spent)

    async def fork(self, table: Table, number: int, open_: bool) -> Table:
        """Create a table that branches from another one after this number of choices."""
        made = table.course.line[: table.course.cursor]
        if not 0 <= number <= len(made):
            raise Refused(422, f"there is no choice {number}; the match has {len(made)}")
        old = table.setup
        edits = [edit for edit in table.match.edits if edit.at <= number]
        setup = Setup(old.pack, old.modules, old.options, old.players, old.seed, open_ or bool(edits))
        rows = [(at, 1, CHOICE, one.to_data()) for at, one in enumerate(made[:number])]
        rows += [(edit.at, 0, EDIT, edit_data(edit)) for edit in edits]  # edits come before the next choice
        line = [Act(at, kind, data) for at, (_, _, kind, data) in enumerate(sorted(rows, key=lambda row: row[:2]), 1)]
        seats = [(seat.name, seat.bot) for seat in table.seats.places[: old.players]]
        return await self.begin(self._open, setup, table.rules, seats, line)

    async def rematch(self, table: Table) -> str:
        """Return the table at which the people of a finished one play again; create it at the first request.

        Everyone keeps the link, so the host sends no links. The player of the second seat begins.

        Raises:
            Refused: The match is not over.
        """
        async with self.lock(f"rematch {table.id}"):
            if not table.match.over:
                raise Refused(409, "a rematch is possible after the end of a match")
            name = table.course.rematch
            kept = await self.store.ask(lambda store: store.setup(name)) if name else None
            if kept is not None:
                return name
            setup = replace(table.setup, seed=SystemRandom().randrange(SEEDS), open=False)
            new = await self.begin(self._open, setup, table.rules, [], [], seat_again(table.seats, setup.players))
            await self.work(table.note_rematch, new.id)
            self.stir(table)
            self.stir(new)
            return new.id

    async def remove(self, table: Table) -> None:
        """Delete a table, and end its event streams."""
        await self.store.ask(lambda store: store.remove(table.id))
        self.tables.pop(table.id, None)
        self.behind.discard(table.id)
        self.show(table)

    # -- event streams

    def stir(self, table: Table) -> None:
        """Notify the clients of a table of a change, and wake its bots, unless the server ends."""
        self.show(table)
        if self.ending:
            return
        self._drivers.wake(table)
        self._beforehand.wake(table)
        self._clocks.wake(table)

    def show(self, table: Table) -> None:
        """Notify the clients of a table of a change."""
        for event in self._lookers.get(table.id, ()):
            event.set()

    def looked_at(self) -> list[Table]:
        """Return the tables with event streams."""
        return [table for table in list(self.tables.values()) if table.id in self._lookers]

    def allow_look(self, id_: str, token: str) -> None:
        """Refuse another event stream of a table. Raises Refused: too many are open with the same token."""
        if sum(one == token for one in self._lookers.get(id_, {}).values()) >= STREAMS:
            raise Refused(429, f"at most {STREAMS} pages can follow a table with the same link; close one")

    def look(self, id_: str, token: str) -> asyncio.Event:
        """Return an event that is set after each change of a table, and at the start."""
        event = asyncio.Event()
        event.set()
        self._renewal.wake()
        self._lookers[id_][event] = token
        return event

    def look_away(self, id_: str, event: asyncio.Event) -> None:
        """Unregister an event of :meth:`look`."""
        self._lookers[id_].pop(event, None)
        if not self._lookers[id_]:
            del self._lookers[id_]

    def end(self) -> None:
        """End all event streams, and start no more work, before the server shuts down."""
        self.ending = True
        for events in self._lookers.values():
            for event in events:
                event.set()

    async def close(self) -> None:
        """End all threads and processes. Confirmed acts are in the store. Loading packs are not waited for."""
        self.end()
        await self._drivers.close()
        await self._clocks.close()
        self._beforehand.close()
        self._renewal.close()
        self._rules.close()
        self._content.close()
        self._loading.close(0)
        if self._aside is not None:
            self._aside.close(0)
        self.store.close()


def _latest(table: Table | None) -> str:
    """Return the last line of the log that everyone may read; empty if the match is not in memory."""
    shown = table.match.telling() if table is not None and not table.match.over else []
    return next((line.words for line in reversed(shown) if line.kind != "heading"), "")


def _name_versions(setup: Setup, content: str) -> Setup:
    """Return a setup that names the installed versions with some content, if newer ones have come meanwhile."""
    pack, modules = find_kept_versions(setup.pack, setup.modules, setup.options, content)
    return replace(setup, pack=pack, modules=modules)


def _read_save(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the save of a request, as text and parsed. Raises Refused: the save is invalid."""
    text = data.get("save")
    text = text if isinstance(text, str) else json.dumps(text)
    try:
        return text, parse_save(text)
    except SaveError as error:
        raise Refused(422, str(error)) from None
