"""All tables of one server: who looks at them, who plays there, and where the work is done.

What touches a match is done in one thread, one thing after the other: rules share a budget of steps and the events of a
program. The loop of the network waits for it without stopping. Files are read in a second thread, and packs loaded in
others, so that nobody waits for the pack of another table. The store has a thread as well, and a limit to every wait.
Bots think in processes of their own.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from patolli.diagnostics import ContentError
from patolli.runtime import SaveError, parse_save
from patolli.runtime.errors import MatchError
from patolli.studio.acts import CHOICE, EDIT, Act, Course, Setup
from patolli.studio.beforehand import Beforehand
from patolli.studio.bots import Bots
from patolli.studio.catalogue import title_of
from patolli.studio.driving import Drivers
from patolli.studio.lane import ANSWER, LATER, SHOW, Lane
from patolli.studio.opening import bots_of, edit_data, line_of, names_of, told, wanted
from patolli.studio.refusals import Gone, Refused, Stale, Unavailable
from patolli.studio.renewing import Renewal
from patolli.studio.seats import NAME, Seats, new_name
from patolli.studio.shelf import Name, Shelf, name_of, thoroughly
from patolli.studio.store_access import StoreAccess
from patolli.studio.table import Table, places

if TYPE_CHECKING:
    from patolli.runtime import Ruleset
    from patolli.studio.store import Store

Result = TypeVar("Result")
LOADED = 4
"""Packs that are loaded at the same time."""
STREAMS = 50
"""Streams that may be open with one token."""
FRAMES = 5_000
"""Frames that Python may have on its stack, as ``language.depth`` wants them."""
LISTED = 100
"""Tables that are listed."""


class Hall:
    """The tables of a server.

    Args:
        store: Keeps them.
        bots: Processes in which bots think.
    """

    def __init__(self, store: Store, bots: Bots | None = None) -> None:
        self.store, self.shelf = StoreAccess(store), Shelf()
        self.tables: dict[str, Table] = {}
        self._lookers: defaultdict[str, dict[asyncio.Event, str]] = defaultdict(dict)
        self._locks: WeakValueDictionary[str | Name, asyncio.Lock] = WeakValueDictionary()
        self._drivers, self._renewal = Drivers(self, bots or Bots()), Renewal(self)
        self._beforehand = Beforehand(self)
        self.ending = False
        self.behind: set[str] = set()  # tables of which the store may know more
        # Each pass makes room on the stack and takes it away again; of two threads one would take it from the other.
        sys.setrecursionlimit(max(sys.getrecursionlimit(), FRAMES))
        self._rules, self._content, self._loading = Lane("rules"), Lane("content"), Lane("loading", LOADED)
        self._aside: Lane | None = None

    async def work(self, function: Callable[..., Result], *given: Any) -> Result:
        """Do something with matches for which somebody waits."""
        return await self._rules.do(ANSWER, function, *given)

    async def draw(self, function: Callable[..., Result], *given: Any) -> Result:
        """Do something with matches that is to be shown, when nobody waits for anything else."""
        return await self._rules.do(SHOW, function, *given)

    def later(self, function: Callable[..., Any], *given: Any) -> None:
        """Do something with matches when there is nothing else to do."""
        self._rules.submit(LATER, function, *given)

    async def load(self, setup: Setup) -> Ruleset:
        """Return what a table plays, as its files are now.

        Raises:
            Refused: It has problems, and cannot be played.
        """
        try:
            return await self.prepare(name_of(setup), self.shelf.get, setup)
        except ContentError as error:
            raise Refused(422, error.problems[0].message, problems=told(error.problems)) from None

    async def prepare(self, name: Name, function: Callable[..., Result], *given: Any) -> Result:
        """Do something with content that may take long: other content is prepared at the same time."""
        async with self._lock(name):
            return await self._loading.do(ANSWER, function, *given)

    def _lock(self, name: str | Name) -> asyncio.Lock:
        """Return the lock of a table, or of content; it is forgotten when nobody holds it or waits for it."""
        found = self._locks.get(name)
        if found is None:
            found = self._locks[name] = asyncio.Lock()
        return found

    async def read(self, function: Callable[..., Result], *given: Any) -> Result:
        """Do something with files, beside the matches."""
        return await self._content.do(ANSWER, function, *given)

    async def beside(self, function: Callable[..., Result], *given: Any) -> Result:
        """Do something that takes seconds, with content of its own, so that nothing else waits for it."""
        if self._aside is None:
            self._aside = Lane("aside")
        return await self._aside.do(LATER, function, *given)

    # -- tables

    async def listed(self) -> list[dict[str, Any]]:
        """Return the tables that there are, the newest first, with their tokens."""
        ids = (await self.store.ask(lambda store: store.ids()))[:LISTED]
        return await self.read(lambda: [row for id_ in ids if (row := self._row(id_)) is not None])

    def _row(self, id_: str) -> dict[str, Any] | None:
        """Return what is told of a table in a list; of one that is not in memory without playing its match again."""
        table, kept = self.tables.get(id_), self.store.call(lambda store: store.setup(id_))
        if kept is None:
            return None
        setup, seats, _ = kept
        course = table.course if table is not None else Course(seats)
        for act in self.store.call(lambda store: store.acts(id_)) if table is None else ():
            course.take(act)
        names = [seat.name or f"player {number}" for number, seat in enumerate(course.seats.places, 1)]
        return {
            "table": id_, "pack": setup.pack, "title": title_of(setup.pack), "moves": course.cursor, "names": names,
            "over": table.match.over if table is not None else None, "tokens": course.seats.tokens(),
        }  # fmt: skip

    async def take_in(self, data: dict[str, Any], where: dict[str, Any] | None = None) -> Table:
        """Open a table at which the match of a save goes on.

        *where* its content is, ``pack``, ``modules`` and ``options``, follows from the save unless somebody knows
        better.

        Raises:
            Refused: It is no save, or not one of the content as it is now.
        """
        text, kept = _read(data)
        setup, seats, rules = await self._kept(data, kept, where)
        number = setup.players
        line = await self.work(line_of, rules, text)
        # What was changed by hand goes on only where that is known to all.
        setup = replace(setup, open=setup.open or any(act.kind == EDIT for act in line))
        said = list(zip(names_of(kept, number), bots_of(kept, number) or [""] * number, strict=True))
        return await self.work(self._open, setup, rules, seats or said, line)

    async def unsaid(self, data: dict[str, Any]) -> list[str]:
        """Return what the players of a save are called, where neither it nor the request says who plays on.

        Raises:
            Refused: It is no save, or its content cannot be loaded.
        """
        _, kept = _read(data)
        setup, seats, _ = await self._kept(data, kept, None)
        if seats or bots_of(kept, setup.players) is not None:
            return []
        return [name or f"player {number}" for number, name in enumerate(names_of(kept, setup.players), 1)]

    async def _kept(
        self, data: dict[str, Any], kept: dict[str, Any], where: dict[str, Any] | None
    ) -> tuple[Setup, list[tuple[str, str]], Ruleset]:
        """Return what a save plays, who is to sit there if a request says so, and the rules."""
        setup, seats = wanted({
            "pack": kept["pack"], "modules": kept.get("modules", []), "options": kept.get("options", {}),
            "players": kept["players"], "seed": 0, "seats": data.get("seats", []), "open": data.get("open"),
            **(where or {}),
        }, paths=where is not None)  # fmt: skip
        rules = await self.load(setup)
        return replace(setup, players=kept["players"] - rules.model.automated, seed=kept["seed"]), seats, rules

    async def create(self, data: dict[str, Any], paths: bool = False) -> Table:
        """Open a new table; see the protocol for what *data* holds. *paths* of packs are for the owner of the studio.

        Raises:
            Refused: It cannot be; the words say what is wrong.
        """
        setup, seats = wanted(data, paths)
        rules = await self.load(setup)
        table = await self.work(self._open, setup, rules, seats, [])
        self._loading.submit(SHOW, thoroughly, rules, setup.players)
        return table

    def _open(self, setup: Setup, rules: Ruleset, seats: list[tuple[str, str]], line: list[Act]) -> Table:
        id_ = new_name()
        try:
            rules.allow(setup.players)
            table = Table(id_, setup, rules, Seats.new(places(seats, setup.players, rules.model.automated)), self.write)
            table.resume(line)
        except ValueError as error:
            raise Refused(422, str(error)) from None
        except MatchError as error:
            raise Refused(409, f"the rules failed: {error.reason}", fault=error.text()) from None
        self.store.call(lambda store: store.add(id_, setup, table.seats, rules.content_hash, line))
        self.tables[id_] = table
        return table

    async def find(self, id_: str) -> Table:
        """Return a table, from the store if it is not in memory.

        Raises:
            Refused: There is none, or its content cannot be loaded any more.
        """
        if not NAME.fullmatch(id_):
            raise Refused(404, "unknown table")
        await self.look_around()
        if id_ in self.tables and id_ not in self.behind:
            return self.tables[id_]
        async with self._lock(id_):
            if id_ in self.behind:
                await self.work(self.follow, id_)
            if id_ in self.tables:
                return self.tables[id_]
            kept = await self.store.ask(lambda store: store.setup(id_))
            if kept is None:
                raise Refused(404, "unknown table")
            rules = await self.load(kept[0])
            table = await self.work(self._resume, id_, rules, *kept)
            self._loading.submit(SHOW, thoroughly, rules, table.setup.players)
            self.stir(table)
            return table

    def _resume(self, id_: str, rules: Ruleset, setup: Setup, seats: Seats, content: str) -> Table:
        table = Table(id_, setup, rules, seats, self.write)
        table.course.content = content
        try:
            table.resume(self.store.call(lambda store: store.acts(id_)))
        except (MatchError, ValueError) as error:
            raise Refused(409, f"the match cannot continue with the current content: {error}") from None
        self.tables[id_] = table
        table.go_on()
        return table

    def write(self, id_: str, act: Act) -> None:
        """Write an act down.

        Raises:
            Stale: Another server has written that revision; the table is read again when somebody asks for it.
            Gone: The table was removed.
            Unavailable: The store fails; whether the act was kept shows when the table is read again.
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
        """Note whether another server has written to the store, so that every table may have gone on.

        A store that does not answer changes nothing: what is known here can be looked at.
        """
        with suppress(Unavailable):
            await self.store.ask(self._look_around)

    def _look_around(self, store: Store) -> None:
        if store.changed():  # told once: it is noted here, whatever has become of whoever asked
            self.behind.update(list(self.tables))

    def follow(self, id_: str) -> None:
        """Take in what the store knows more of a table; one that is gone, or cannot be followed, is let go.

        As long as the store does not answer, the table stays as it is.
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
        except Unavailable:
            self.behind.add(id_)
        except (MatchError, ValueError, IndexError):
            self.tables.pop(id_, None)

    async def fork(self, table: Table, number: int, open_: bool) -> Table:
        """Open a table at which the match goes on from what it was after so many choices of another one."""
        made = table.course.line[: table.course.cursor]
        if not 0 <= number <= len(made):
            raise Refused(422, f"there is no choice {number}; the match has {len(made)}")
        old = table.setup
        edits = [edit for edit in table.match.edits if edit.at <= number]
        setup = Setup(old.pack, old.modules, old.options, old.players, old.seed, open_ or bool(edits))
        rows = [(at, 1, CHOICE, one.to_data()) for at, one in enumerate(made[:number])]
        rows += [(edit.at, 0, EDIT, edit_data(edit)) for edit in edits]  # before the choice that came after them
        line = [Act(at, kind, data) for at, (_, _, kind, data) in enumerate(sorted(rows, key=lambda row: row[:2]), 1)]
        seats = [(seat.name, seat.bot) for seat in table.seats.places[: old.players]]
        return await self.work(self._open, setup, table.rules, seats, line)

    async def remove(self, table: Table) -> None:
        """Forget a table for good; who looks at it is let go."""
        await self.store.ask(lambda store: store.remove(table.id))
        self.tables.pop(table.id, None)
        self.behind.discard(table.id)
        self.show(table)

    # -- looking

    def stir(self, table: Table) -> None:
        """Tell all who look at a table that there is something new, and let bots decide."""
        self.show(table)
        self._drivers.wake(table)
        self._beforehand.wake(table)

    def show(self, table: Table) -> None:
        """Tell all who look at a table that there is something new."""
        for event in self._lookers.get(table.id, ()):
            event.set()

    def looked_at(self) -> list[Table]:
        """Return the tables at which somebody looks."""
        return [table for table in list(self.tables.values()) if table.id in self._lookers]

    def allow_look(self, id_: str, token: str) -> None:
        """Refuse one more stream of a table, if too many were opened with the same token.

        Raises:
            Refused: There are as many as may be.
        """
        if sum(one == token for one in self._lookers.get(id_, {}).values()) >= STREAMS:
            raise Refused(429, f"at most {STREAMS} pages can follow a table with the same link; close one")

    def look(self, id_: str, token: str) -> asyncio.Event:
        """Return what is set whenever there is something new at a table; it is set at first."""
        event = asyncio.Event()
        event.set()
        self._renewal.wake()
        self._lookers[id_][event] = token
        return event

    def look_away(self, id_: str, event: asyncio.Event) -> None:
        """End what :meth:`look` began."""
        self._lookers[id_].pop(event, None)
        if not self._lookers[id_]:
            del self._lookers[id_]

    def end(self) -> None:
        """Let those go who look at tables: the server is about to end, and would cut them off."""
        self.ending = True
        for events in self._lookers.values():
            for event in events:
                event.set()

    async def close(self) -> None:
        """End everything; what was answered is in the store. Nobody waits for content that is still being loaded."""
        self._drivers.close()
        self._beforehand.close()
        self._renewal.close()
        self._rules.close()
        self._content.close()
        self._loading.close(0)
        if self._aside is not None:
            self._aside.close(0)
        self.store.close()


def _read(data: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the text of the save that a request brings, and what stands in it.

    Raises:
        Refused: It is none.
    """
    text = data.get("save")
    text = text if isinstance(text, str) else json.dumps(text)
    try:
        return text, parse_save(text)
    except SaveError as error:
        raise Refused(422, str(error)) from None
