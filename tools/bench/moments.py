"""How long it takes at a table of the studio to look at a moment of the match, and to undo.

    python tools/bench/moments.py --choices 450 city_of_gods founders chess go

A match goes on at random until it is over or so many choices were made. Every third moment is drawn for its host; at
every ninth choice it is asked whether it may be undone, which looks at worlds in which the player may be; and all
is undone in steps. What is compiled once, when a table is opened, is done before. Times are those of the processor,
in milliseconds.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Any

import patolli
from patolli.serve.studio import states
from patolli.serve.studio.acts import Setup
from patolli.serve.studio.seats import HOST, Seats
from patolli.serve.studio.shelf import compile_world_programs
from patolli.serve.studio.table import Table, places

STEP, ASKED, BACK = 3, 9, 37
"""Every how manieth moment is drawn, and asked about, and how many choices are undone at once."""


def opened(pack: str, players: int, seed: int) -> Table:
    """Return a table that are not stored, at which the host sits alone."""
    rules = patolli.load(pack)
    compile_world_programs(rules, players)
    seats = Seats.new(places([], players, rules.model.automated))
    return Table("bench", Setup(pack, (), {}, players, seed, True), rules, seats, lambda id_, act: None)


def timed(times: list[float], work: Callable[..., Any], *given: Any) -> None:
    """Do something, and note how long it took."""
    began = time.thread_time()
    work(*given)
    times.append(1000 * (time.thread_time() - began))


def measure(pack: str, players: int, choices: int, seed: int) -> dict[str, list[float]]:
    """Play a match and go back and forth over it; return what was measured."""
    table, draw = opened(pack, players, seed), Random(seed)
    states.state_of(table, HOST)
    found: dict[str, list[float]] = {"asked": [], "looked at": [], "undone": []}
    while not table.match.over and len(table.match.choices) < choices:
        table.choose(HOST, table.revision, draw.randrange(len(table.match.pending or ())), "")
        made = len(table.match.choices)
        if made % ASKED == 0:
            timed(found["asked"], table.past.stands, table.match, made - 1)
    for number in range(0, len(table.match.choices), STEP):
        timed(found["looked at"], states.state_at, table, HOST, number)
    for number in range(len(table.match.choices) - 1, 0, -BACK):
        timed(found["undone"], lambda to=number: (table.go_back(to, ""), states.state_of(table, HOST)))
    return found


def row(what: str, times: list[float]) -> str:
    """Return measured times as words."""
    ordered = sorted(times)
    middle, high = ordered[len(ordered) // 2], ordered[int(0.95 * len(ordered))]
    return f"{what} {middle:.0f} / {high:.0f} / {ordered[-1]:.0f}"


def main() -> None:
    """Measure, and print a line for each pack."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packs", nargs="*", default=["city_of_gods", "founders", "chess", "go"])
    parser.add_argument("--choices", type=int, default=450)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    print("median / p95 / worst, in milliseconds")
    for pack in given.packs:
        players = patolli.load(pack).players[1]
        found = measure(pack, players, given.choices, given.seed)
        print(f"{pack}, {players} players: {'; '.join(row(*one) for one in found.items() if one[1])}", flush=True)


if __name__ == "__main__":
    main()
