"""How long a move takes at many tables at once: scripted players on the loopback, each with a stream of its own.

    python tools/bench/tables.py --tables 50 --players 4 --seconds 20

A server is started as the command starts it, with a store in a file. Every player waits until the stream says that it
is its turn, thinks for a moment, and moves. It is measured how long an answer takes, and how long it takes until all
players of the table have seen the move. What the clients themselves need is in it: they share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import httpx

ENGINE = Path(__file__).resolve().parents[2] / "engine"
LINK = re.compile(r"(http://[^/\s]+)/\S*#(\S+)")


class Server:
    """A server in a process of its own."""

    def __init__(self, store: Path | str, *more: str) -> None:
        """Start it, and wait until it can be reached."""
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ENGINE), os.environ.get("PYTHONPATH", "")])}
        call = [sys.executable, "-m", "patolli", "studio", "--no-browser", "--store", str(store), *more]
        began = time.perf_counter()
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True, env=env)
        assert self.process.stdout is not None
        found = LINK.search(self.process.stdout.readline())
        if found is None:
            self.kill()
            raise RuntimeError("the server does not say where it is")
        self.url, self.owner = found[1], found[2]
        self.started = time.perf_counter() - began

    def kill(self) -> None:
        """End it at once, as kill -9 does."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def spent(self) -> float:
        """Return how many seconds of a core it has needed so far, where the system tells that."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, method: str, path: str, token: str = "", data: Any = None) -> httpx.Response:
        """Ask for something."""
        headers = {"authorization": f"Bearer {token or self.owner}"}
        return httpx.request(method, self.url + path, headers=headers, json=data, timeout=60)

    def table(self, pack: str, players: int, **more: Any) -> dict[str, Any]:
        """Open a table; return its name and tokens."""
        made = self.ask("POST", "/api/tables", data={"pack": pack, "players": players, **more})
        found: dict[str, Any] = made.raise_for_status().json()
        return found


@contextmanager
def serving(store: Path | str, *more: str) -> Any:
    """Serve as long as a ``with`` lasts."""
    server = Server(store, *more)
    try:
        yield server
    finally:
        server.kill()


async def states(client: httpx.AsyncClient, table: str, token: str) -> AsyncIterator[dict[str, Any]]:
    """Yield the states of a stream."""
    headers = {"authorization": f"Bearer {token}"}
    async with client.stream("GET", f"/api/tables/{table}/events", headers=headers) as answer:
        answer.raise_for_status()
        kind = ""
        async for line in answer.aiter_lines():
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: ") and kind == "state":
                yield json.loads(line[6:])


class Measured:
    """What was measured, in seconds."""

    def __init__(self) -> None:
        self.answers: list[float] = []
        self.seen: list[float] = []
        self.moves: dict[tuple[str, int], float] = {}
        self.spent = self.took = 0.0

    def row(self) -> str:
        """Return it in a line."""
        parts = [f"{len(self.answers)} moves"]
        for what, times in (("answered", self.answers), ("seen by all", self.seen)):
            parts.append(f"{what}: median {quantile(times, 0.5):.0f} ms, p95 {quantile(times, 0.95):.0f} ms")
        share = f"the server had {100 * self.spent / self.took:.0f} % of a core" if self.took else ""
        return "; ".join([*parts, share])


def quantile(times: list[float], part: float) -> float:
    """Return a quantile in milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


async def sit(
    client: httpx.AsyncClient, made: dict[str, Any], seat: int, end: asyncio.Event, think: float, found: Measured
) -> None:
    """Play on one seat until it is time."""
    draw, token, table = Random(f"{made['table']} {seat}"), made["tokens"]["seat"][seat], made["table"]
    async for state in states(client, table, token):
        key = (table, state["moves"])
        if key in found.moves:
            found.seen.append(time.perf_counter() - found.moves[key])
        if state["over"] or end.is_set():
            return
        if not state["decision"]["mine"]:
            continue
        await asyncio.sleep(draw.random() * 2 * think)
        index = draw.randrange(len(state["decision"]["options"]))
        data = {"revision": state["revision"], "index": index, "key": f"{seat} {state['revision']}"}
        began = found.moves[table, state["moves"] + 1] = time.perf_counter()
        headers = {"authorization": f"Bearer {token}"}
        answer = await client.post(f"/api/tables/{table}/moves", headers=headers, json=data)
        if answer.status_code == 409:
            continue  # the state that came next was made before this move, and answered again
        answer.raise_for_status()
        found.answers.append(time.perf_counter() - began)


async def play(
    server: Server, pack: str, tables: int, players: int, seconds: float, think: float, warm_up: float = 0.0
) -> Measured:
    """Let scripted players play at so many tables; what happens while they warm up is not counted."""
    made = [await asyncio.to_thread(server.table, pack, players) for _ in range(tables)]
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits) as client:
        now, end = Measured(), asyncio.Event()
        tasks = [
            asyncio.ensure_future(sit(client, one, seat, end, think, now)) for one in made for seat in range(players)
        ]
        await asyncio.sleep(warm_up)
        now.answers, now.seen = [], []
        began, spent = time.perf_counter(), server.spent()
        await asyncio.sleep(seconds)
        now.spent, now.took = server.spent() - spent, time.perf_counter() - began
        end.set()
        for task in tasks:
            task.cancel()
        for failed in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(failed, Exception):
                raise failed
    return now


def main() -> None:
    """Measure, and print a line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--pack", default="patolli")
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a player thinks, on the average")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder) / "studio.db") as server:
        found = asyncio.run(play(server, given.pack, given.tables, given.players, given.seconds, given.think, 5))
        print(f"{given.pack}, {given.tables} tables of {given.players}, started in {server.started:.1f} s")
        print(found.row())


if __name__ == "__main__":
    main()
