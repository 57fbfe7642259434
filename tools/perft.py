"""Count the positions that can be reached in so many moves, as programs that play games are tested ("perft").

    python tools/perft.py chess 3 --by half_moves                         # from the beginning
    python tools/perft.py chess 3 --by half_moves --scenario kiwipete     # from where a scenario of the pack leads

Every way to come to a position counts. What one *move* is says a counter or field of the table that the pack adds to
(``--by``): several answers may be one move, and a move that was the only one is made without a question. Without it
every answer is a move.

Source:
    Numbers for chess: https://www.chessprogramming.org/Perft_Results
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "engine"))

import patolli  # noqa: E402 - the path is set first
from patolli.author.scenarios.bench import Bench  # noqa: E402
from patolli.author.scenarios.scenario_player import Play  # noqa: E402
from patolli.author.scenarios.suites import find_suite  # noqa: E402


def from_scenario(pack: str, name: str) -> patolli.Match:
    """Return the match at the end of a scenario of a pack.

    Raises:
        ContentError: there is no such pack, or it has errors.
        LookupError: it has no such scenario.
    """
    suite = find_suite(pack)
    scenario = next((one for one in suite.scenarios if one.id == name), None)
    if scenario is None:
        raise LookupError(f"{pack} has no scenario {name!r}")
    bench = Bench(suite.base, scenario)
    bound = bench.bind(scenario)
    if bench.errors or bound.problems:
        raise patolli.ContentError([*bench.errors, *bound.problems])
    play = Play(bench, bound)
    play.run()
    return play.match


def perft(match: patolli.Match, moves: int, by: str = "") -> int:
    """Return how many positions are reached in so many moves, each counted once for every way to it.

    Args:
        match: where it begins; it stays as it is.
        moves: how many moves.
        by: what counts moves on the table; every answer is one without it.
    """
    told = _slot(match, by) if by else None
    made: Callable[[patolli.Match], int] = (lambda m: m.state[told]) if told is not None else (lambda m: len(m.choices))
    return _count(match, made, made(match) + moves)


def _slot(match: patolli.Match, name: str) -> int:
    layout = match.program.layout
    slot, sizes = layout.counters.get(name, (layout.fields.get(("table", name), -1), ()))
    if sizes or slot < 0:
        raise LookupError(f"{name!r} is no counter or field of the table")
    return slot


def _count(match: patolli.Match, made: Callable[[patolli.Match], int], until: int) -> int:
    match.program.events.clear()  # it is not reported
    if made(match) >= until:
        return 1
    found = 0
    for index in range(len(match.options() or ())):
        after = match.clone()
        after.pick(index)
        found += _count(after, made, until)
    return found


def main() -> int:
    """Print a line for each number of moves."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack", help="the id of a pack, or its folder")
    parser.add_argument("moves", type=int, help="up to how many moves")
    parser.add_argument("--by", default="", metavar="NAME", help="what counts moves on the table")
    parser.add_argument("--scenario", metavar="ID", help="begin where this scenario of the pack ends")
    parser.add_argument("--players", type=int, help="how many play from the beginning; the smallest number unless said")
    given = parser.parse_args()
    if given.scenario:
        match = from_scenario(given.pack, given.scenario)
    else:
        rules = patolli.load(given.pack)
        match = rules.start(given.players or rules.players[0], 0)
    for moves in range(1, given.moves + 1):
        start = process_time()
        found = perft(match, moves, given.by)
        print(f"{moves:3} {found:14,} {process_time() - start:9.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (patolli.ContentError, LookupError) as error:
        sys.exit(str(error))
