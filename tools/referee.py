"""Let OpenSpiel referee packs: random matches in lock step, every decision compared, and how fast both are.

    python tools/referee.py                       # all games that have a referee
    python tools/referee.py othello --matches 200
    python tools/referee.py pig --seed 17         # one match, the one of a difference

A line for each game: lines of the pack (without scenarios), matches and decisions compared, differences, and random
matches per second of one core, ours and OpenSpiel's driven from Python, measured in turns in this run. The exit status
is 1 when there is a difference. It needs OpenSpiel: pip install 'patolli[referee]'.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "engine")]

import lockstep  # noqa: E402 - the path is set first
from lockstep import NO_REFEREE, Difference, Referee, compare, openspiel, referees  # noqa: E402

import patolli  # noqa: E402
from patolli.packs.discovery import find  # noqa: E402

ROUNDS, SLICE = 5, 0.4
COLUMNS = "{:22} {:>5} {:>8} {:>10} {:>11} {:>9} {:>10}"


def lines_of(pack: str) -> int:
    """Return how many lines a pack has, without its scenarios."""
    folder = find(pack)
    assert folder is not None
    files = [file for file in folder.rglob("*.yaml") if "scenarios" not in file.relative_to(folder).parts]
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def rates(judge: Referee) -> tuple[float, float]:
    """Return random matches per second, ours and theirs: medians of rounds in which both have a turn."""
    rules, game = patolli.load(judge.pack, options=dict(judge.options)), openspiel().load_game(judge.spiel)
    subjects = (lambda seed: lockstep.our_match(judge, rules, seed), lambda seed: lockstep.their_match(game, seed))
    found: tuple[list[float], list[float]] = ([], [])
    for round_ in range(ROUNDS):
        for play, rate in zip(subjects, found, strict=True):
            played, start = 0, process_time()
            while (spent := process_time() - start) < SLICE or not played:
                play(1000 * round_ + played)
                played += 1
            rate.append(played / spent)
    return median(found[0]), median(found[1])


def main() -> int:
    """Compare, and print a table."""
    judges = referees()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="ids of packs; all that have a referee without any")
    parser.add_argument("--matches", type=int, default=200, help="random matches a game (200)")
    parser.add_argument("--seed", type=int, help="one match, of this seed")
    parser.add_argument("--no-speed", action="store_true", help="measure no speed")
    given = parser.parse_args()
    if unknown := set(given.games) - {judge.pack for judge in judges}:
        parser.error(f"no referee for {', '.join(sorted(unknown))}; there are: {', '.join(j.pack for j in judges)}")
    if openspiel() is None:
        print(NO_REFEREE, file=sys.stderr)
        return 2
    seeds = range(given.matches) if given.seed is None else [given.seed]
    print(COLUMNS.format("game", "lines", "matches", "decisions", "differences", "ours/s", "theirs/s"))
    differences: list[Difference] = []
    for judge in (judge for judge in judges if not given.games or judge.pack in given.games):
        played = list(compare(judge, seeds))
        parted = [one.difference for one in played if one.difference is not None]
        speed = ("-", "-") if given.no_speed else [f"{rate:,.0f}" for rate in rates(judge)]
        counts = (len(played), f"{sum(one.decisions for one in played):,}", len(parted))
        print(COLUMNS.format(judge.name, lines_of(judge.pack), *counts, *speed), flush=True)
        differences += parted[:3]
    for difference in differences:
        print(f"\n{difference}")
    return int(bool(differences))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except patolli.ContentError as error:
        sys.exit(str(error))
