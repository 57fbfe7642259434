"""All tables of one server: who looks at them, who plays there, and where the work is done.

What touches a match is done in one thread, one thing after the other: rules share a budget of steps and the events of a
program. The loop of the network waits for it without stopping. Content is loaded in a second thread, and bots think in
processes of their own.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from dataclasses import replace
from random import SystemRandom
from secrets import choice as drawn
from typing import TYPE_CHECKING, Any, TypeVar

from patolli.compiler.layout import SEED
from patolli.diagnostics import ContentError
from patolli.players import BotError
from patolli.runtime import SaveError, parse_save
from patolli.runtime.errors import LIMIT, MatchError
from patolli.runtime.vocabulary import by_seat
from patolli.studio.acts import CHOICE, Act, Made, Setup
from patolli.studio.bots import Bots, Question, kind_for
from patolli.studio.refusals import Refused, Stale
from patolli.studio.seats import Seats
from patolli.studio.shelf import Shelf
from patolli.studio.table import Table, places

if TYPE_CHECKING:
    from patolli.runtime import Ruleset
    from patolli.studio.store import Store

Result = TypeVar("Result")
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""What the name of a table is made of: nothing that reads like something else."""
DEEP = 256 * 1024 * 1024
"""Bytes of stack for threads in which rules run and content is read, as deep as the language allows."""
LISTED = 100
"""Tables that are listed."""


class Hall:
    """The tables of a server.

    Args:
        store: Keeps them.
        bots: Processes in which bots think.
    """

    def __init__(self, store: Store, bots: Bots | None = None) -> None:
        self.store, self.bots, self.shelf = store, bots or Bots(), Shelf()
        self.tables: dict[str, Table] = {}
        self._lookers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._coming: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._drivers: dict[str, asyncio.Task[None]] = {}
        before = threading.stack_size(DEEP)
        self._rules = ThreadPoolExecutor(1, "rules")
        self._content = ThreadPoolExecutor(1, "content")
        for pool in (self._rules, self._content):
            pool.submit(int).result()  # its thread is made while the stack is set
        threading.stack_size(before)

    async def work(self, function: Callable[..., Result], *given: Any) -> Result:
        """Do something with matches, when it is its turn."""
        return await asyncio.get_running_loop().run_in_executor(self._rules, function, *given)

    async def load(self, setup: Setup) -> Ruleset:
        """Return what a table plays, as its files are now.

        Raises:
            Refused: It has problems, and cannot be played.
        """
        given = setup.pack, setup.modules, setup.options, setup.players
        try:
            return await asyncio.get_running_loop().run_in_executor(self._content, self.shelf.get, *given)
        except ContentError as error:
            raise Refused(422, str(error.problems[0].message), problems=told(error)) from None

    async def read(self, function: Callable[..., Result], *given: Any) -> Result:
        """Do something with files, beside the matches."""
        return await asyncio.get_running_loop().run_in_executor(self._content, function, *given)

    # -- tables

    async def listed(self) -> list[dict[str, Any]]:
        """Return the tables that there are, the newest first, with their tokens; those that cannot go on say why."""
        found: list[dict[str, Any]] = []
        for id_ in (await self.work(self.store.ids))[:LISTED]:
            try:
                table = await self.find(id_)
            except Refused as error:
                found.append({"table": id_, "error": error.words})
                continue
            found.append({
                "table": id_, "pack": table.rules.id, "title": table.rules.title, "moves": len(table.match.choices),
                "over": table.match.over, "names": list(table.match.names), "tokens": table.seats.tokens(),
            })  # fmt: skip
        return found

    async def take_in(self, data: dict[str, Any]) -> Table:
        """Open a table at which the match of a save goes on.

        Raises:
            Refused: It is no save, or not one of the content as it is now.
        """
        text = data.get("save")
        text = text if isinstance(text, str) else json.dumps(text)
        try:
            kept = parse_save(text)
        except SaveError as error:
            raise Refused(422, str(error)) from None
        setup, seats = wanted({
            "pack": kept["pack"], "modules": kept.get("modules", []), "options": kept.get("options", {}),
            "players": kept["players"], "seed": 0, "seats": data.get("seats", []), "open": data.get("open"),
        })  # fmt: skip
        rules = await self.load(setup)
        number = kept["players"] - rules.model.automated
        setup = replace(setup, players=number, seed=kept["seed"])
        line = await self.work(_line, rules, text)
        names = list(kept.get("names", []))
        usual = by_seat(kept["players"])
        seats = seats or [("" if name == usual[at] else name, "") for at, name in enumerate(names[:number])]
        return await self.work(self._open, setup, rules, seats, line)

    async def create(self, data: dict[str, Any]) -> Table:
        """Open a new table; see the protocol for what *data* holds.

        Raises:
            Refused: It cannot be; the words say what is wrong.
        """
        setup, seats = wanted(data)
        rules = await self.load(setup)
        return await self.work(self._open, setup, rules, seats, [])

    def _open(self, setup: Setup, rules: Ruleset, seats: list[tuple[str, str]], line: list[Act]) -> Table:
        id_ = "".join(drawn(LETTERS) for _ in range(8))
        try:
            rules.allow(setup.players)
            table = Table(id_, setup, rules, Seats.new(places(seats, setup.players, rules.model.automated)), self.write)
            table.resume(line)
        except ValueError as error:
            raise Refused(422, str(error)) from None
        except MatchError as error:
            raise Refused(409, f"the rules could not go on: {error.reason}", fault=error.text()) from None
        self.store.add(id_, setup, table.seats, rules.content_hash, line)
        self.tables[id_] = table
        return table

    async def find(self, id_: str) -> Table:
        """Return a table, from the store if it is not in memory.

        Raises:
            Refused: There is none, or its content cannot be loaded any more.
        """
        if id_ in self.tables:
            return self.tables[id_]
        async with self._coming[id_]:
            if id_ in self.tables:
                return self.tables[id_]
            kept = await self.work(self.store.setup, id_)
            if kept is None:
                raise Refused(404, "there is no such table")
            rules = await self.load(kept[0])
            table = await self.work(self._resume, id_, rules, *kept)
            self.stir(table)
            return table

    def _resume(self, id_: str, rules: Ruleset, setup: Setup, seats: Seats, content: str) -> Table:
        table = Table(id_, setup, rules, seats, self.write)
        table.course.content = content
        try:
            table.resume(self.store.acts(id_))
        except (MatchError, ValueError) as error:
            raise Refused(409, f"the table cannot go on with the content as it is now: {error}") from None
        self.tables[id_] = table
        return table

    def write(self, id_: str, act: Act) -> None:
        """Write an act down.

        Raises:
            Stale: Another server has written that revision; the table is read again when somebody asks for it.
        """
        try:
            self.store.append(id_, act)
        except Stale:
            self.tables.pop(id_, None)
            raise

    async def fork(self, table: Table, number: int, open_: bool) -> Table:
        """Open a table at which the match goes on from what it was after so many choices of another one."""
        made = table.course.line[: table.course.cursor]
        if not 0 <= number <= len(made):
            raise Refused(422, f"the match has {len(made)} choices, and no {number}")
        old = table.setup
        setup = Setup(old.pack, old.modules, old.options, old.players, old.seed, open_)
        line = [Act(at, CHOICE, one.to_data()) for at, one in enumerate(made[:number], 1)]
        seats = [(seat.name, seat.bot) for seat in table.seats.places[: old.players]]
        return await self.work(self._open, setup, table.rules, seats, line)

    # -- looking

    def stir(self, table: Table) -> None:
        """Tell all who look at a table that there is something new, and let bots decide."""
        for event in self._lookers[table.id]:
            event.set()
        driver = self._drivers.get(table.id)
        if (driver is None or driver.done()) and _bot(table):
            self._drivers[table.id] = asyncio.get_running_loop().create_task(self._drive(table))

    def look(self, id_: str) -> asyncio.Event:
        """Return what is set whenever there is something new at a table; it is set at first."""
        event = asyncio.Event()
        event.set()
        self._lookers[id_].add(event)
        return event

    def look_away(self, id_: str, event: asyncio.Event) -> None:
        """End what :meth:`look` began."""
        self._lookers[id_].discard(event)

    # -- bots

    async def _drive(self, table: Table) -> None:
        """Let bots decide as long as it is theirs to decide."""
        alone = 0
        while _bot(table) and self.tables.get(table.id) is table and alone < LIMIT:
            question = await self.work(_question, table)
            if question is None:
                return
            table.thinking, revision = question.seat, table.revision
            try:
                index = await self.bots.decide(question)
                await self.work(table.choose_for_bot, revision, question.seat, index)
            except (BotError, BrokenExecutor, MatchError, Refused) as error:
                table.fault = error.words if isinstance(error, Refused) else str(error)
                return
            finally:
                table.thinking = -1
                table.stir()
                for event in self._lookers[table.id]:
                    event.set()
            alone = alone + 1 if not table.seats.people() else 0

    async def close(self) -> None:
        """End everything; what was answered is in the store."""
        for driver in self._drivers.values():
            driver.cancel()
        self.bots.close()
        self._rules.shutdown(wait=True, cancel_futures=True)
        self._content.shutdown(wait=False, cancel_futures=True)
        self.store.close()


def _bot(table: Table) -> bool:
    """Tell whether a bot has to decide at a table, and the rules can go on."""
    return not table.match.over and not table.fault and bool(table.seats.places[table.decider].bot)


def _question(table: Table) -> Question | None:
    if not _bot(table):
        return None
    match, seat = table.match, table.decider
    return Question(
        table.id,
        table.rules,
        match.players,
        match.state[SEED],
        tuple(match.choices),
        table.seats.places[seat].bot,
        seat,
    )


def _line(rules: Ruleset, text: str) -> list[Act]:
    """Return the choices of a save as acts.

    Raises:
        Refused: It was made with other content, or its choices lead elsewhere.
    """
    line: list[Act] = []
    try:
        kept = rules.restore(text)
        match = rules.start(kept.players - rules.model.automated, kept.state[SEED])
        for at, index in enumerate(kept.choices, 1):
            decision = match.decision
            if decision is None or not 0 <= index < len(decision.options):
                raise SaveError("the save is damaged: its choices are not offered")
            line.append(Act(at, CHOICE, Made.at(decision, index).to_data()))
            match.pick(index)
        if match.state != kept.state:
            raise SaveError("the choices of the save do not lead to its state; it cannot be a table")
    except (SaveError, MatchError, ValueError) as error:
        raise Refused(422, str(error)) from None
    return line


def wanted(data: dict[str, Any]) -> tuple[Setup, list[tuple[str, str]]]:
    """Return what a request for a new table asks for.

    Raises:
        Refused: It has not the form of one.
    """
    pack, modules, options = data.get("pack"), data.get("modules", []), data.get("options", {})
    players, seed, seats = data.get("players"), data.get("seed"), data.get("seats", [])
    if not isinstance(pack, str) or not pack:
        raise Refused(422, "say what is played: 'pack' is the id of an installed pack")
    if not isinstance(modules, list) or not all(isinstance(one, str) for one in modules):
        raise Refused(422, "'modules' is a list of ids")
    if not isinstance(options, dict) or not all(isinstance(one, str | int) for one in options.values()):
        raise Refused(422, "'options' has a number or a text for each name")
    if type(players) is not int:
        raise Refused(422, "'players' is the number of players")
    if seed is None:
        seed = SystemRandom().randrange(1 << 62)
    if type(seed) is not int or abs(seed) >= 1 << 62:
        raise Refused(422, "'seed' is a whole number below 2 to the power of 62")
    if not isinstance(seats, list) or len(seats) > players or not all(isinstance(one, dict) for one in seats):
        raise Refused(422, "'seats' has an entry for each player at most, with 'name' or 'bot'")
    kinds = [(str(one.get("name") or ""), kind_for(one["bot"]) if one.get("bot") else "") for one in seats]
    return Setup(pack, tuple(modules), options, players, seed, bool(data.get("open"))), kinds


def told(error: ContentError) -> list[dict[str, Any]]:
    """Return the problems of content as data."""
    return [
        {
            "code": one.code, "severity": one.severity, "message": one.message, "help": one.help,
            "file": one.span.path, "line": one.span.line,
        }
        for one in error.problems
    ]  # fmt: skip
