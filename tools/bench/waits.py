"""How long a user waits in the studio: for the first page, the first move, an edited file, an answer to why.

    python tools/bench/waits.py [--rounds 5]

The studio is started as the command starts it. ``first paint`` and ``first move`` count from the start of the process;
the first move is made by clicks, from the list of games on (it needs Chromium and Playwright). ``saved`` is from the
moment a file is written until the state of a table with the new content is answered; ``why`` asks about answers that
were offered before. Behind times of the clock stands what the server itself has needed of a processor
meanwhile, which counts where the machine has other things to do.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any
from urllib.parse import quote

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import browse

from patolli.language.packs.discovery import find
from tables import Server, serving

EDITS = {
    "tic_tac_toe": ("gain 1 point", "gain 2 point"),
    "city_of_gods": ("gain 1 cocoa", "gain 2 cocoa"),
}
"""What is edited: it stands in a file of the pack, and becomes the other."""
PAINT = "performance.getEntriesByType('paint').find((one) => one.name === 'first-contentful-paint')?.startTime"
LONGEST = 60.0


class Times:
    """What was measured of one thing, in seconds: by the clock, and of the server."""

    def __init__(self) -> None:
        self.took: list[float] = []
        self.spent: list[float] = []

    def row(self) -> str:
        """Return it in a line."""
        took, spent = (sorted(1000 * one for one in times) for times in (self.took, self.spent))
        return f"median {median(took):.0f} ms, worst {took[-1]:.0f} ms; of the processor {median(spent):.0f} ms"

    def measure(self, server: Server, work: Callable[[], Any]) -> None:
        """Do something once."""
        spent, began = server.spent(), time.perf_counter()
        work()
        self.took.append(time.perf_counter() - began)
        self.spent.append(server.spent() - spent)


def started(folder: Path, running: Any) -> tuple[float, float]:
    """Return how long it takes from the start to the first paint, and to the first move."""
    began = time.perf_counter()
    with serving(folder / "first.db") as server:
        page = running.new_page(reduced_motion="reduce")
        opened = time.perf_counter()
        page.goto(f"{server.url}/#{server.owner}")
        page.wait_for_function(f"() => {PAINT} !== undefined")
        paint = opened - began + page.evaluate(PAINT) / 1000
        page.get_by_role("button", name="Tic-tac-toe").click()
        page.get_by_role("button", name="Start").click()
        page.locator(".choice").first.click()
        page.wait_for_selector('main.table:not([data-moves="0"])')
        moved = time.perf_counter() - began
        page.close()
    return paint, moved


def saved(server: Server, folder: Path, pack: str, rounds: int) -> Times:
    """Return how long it takes until a table shows what was edited."""
    before, after = EDITS[pack]
    place = folder / pack
    shutil.copytree(find(pack), place)
    file = next(one for one in sorted(place.rglob("*.yaml")) if before in one.read_text("utf-8"))
    made, times = played(server, str(place), 6), Times()
    with looking(server, made):
        for _ in range(rounds):
            known = state(server, made)["revision"]
            text = file.read_text("utf-8")
            new = text.replace(before, after) if before in text else text.replace(after, before)

            def work(new: str = new, known: int = known) -> None:
                file.write_text(new, "utf-8")
                end = time.perf_counter() + LONGEST
                while state(server, made)["revision"] <= known and time.perf_counter() < end:
                    time.sleep(0.02)

            times.measure(server, work)
    return times


@contextmanager
def looking(server: Server, made: dict[str, Any]) -> Iterator[None]:
    """Look at a table as long as a ``with`` lasts, as a page does: otherwise the new content would not be needed."""
    headers = {"authorization": f"Bearer {made['tokens']['host']}"}
    path = f"/api/tables/{made['table']}/events"
    with httpx.Client(base_url=server.url, timeout=60) as client, client.stream("GET", path, headers=headers):
        yield


def played(server: Server, pack: str, choices: int) -> dict[str, Any]:
    """Open a table and make choices there; ``labels`` of what it gives were offered on the way."""
    made, draw = server.table(pack, 2, seed=3), Random(3)
    made["labels"] = {}
    for _ in range(choices):
        now = state(server, made)
        if not now["over"]:
            options = now["decision"]["options"]
            made["labels"] |= dict.fromkeys(option["label"] for option in options)
            data = {"revision": now["revision"], "index": draw.randrange(len(options))}
            server.ask("POST", f"/api/tables/{made['table']}/moves", made["tokens"]["host"], data).raise_for_status()
    return made


def state(server: Server, made: dict[str, Any]) -> Any:
    """Return the state of a table."""
    return server.ask("GET", f"/api/tables/{made['table']}", made["tokens"]["host"]).raise_for_status().json()


def asked(server: Server, pack: str, rounds: int) -> Times:
    """Return how long it takes to say why something is not offered that was before."""
    made, times = played(server, pack, 40), Times()
    words, path = Random(3).choices(list(made["labels"]), k=rounds), f"/api/tables/{made['table']}/why"
    for text in words:
        times.measure(server, lambda text=text: server.ask("GET", f"{path}?text={quote(text)}", made["tokens"]["host"]))
    return times


def main() -> None:
    """Measure, and print a line for each thing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--without-page", action="store_true", help="leave out what needs a browser")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if browse.chromium() and not given.without_page:
            with browse.browser() as running:
                found = [started(folder, running) for _ in range(given.rounds)]
            for what, times in zip(("first paint", "first move"), zip(*found, strict=True), strict=True):
                print(f"{what}: median {1000 * median(times):.0f} ms, worst {1000 * max(times):.0f} ms", flush=True)
        with serving(folder / "tables.db") as server:
            for pack in EDITS:
                print(f"saved, {pack}: {saved(server, folder, pack, given.rounds).row()}", flush=True)
            for pack in ("chess", "city_of_gods", "founders"):
                print(f"why, {pack}: {asked(server, pack, 3 * given.rounds).row()}", flush=True)


if __name__ == "__main__":
    main()
