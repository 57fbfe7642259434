"""Measure what it costs to hold the declared invariants after every choice of random matches.

One process, CPU time. In every round each ruleset plays the same matches with and without, one right after the other
and each first in every second round, so that a slow moment of the machine meets both. What is compiled and computed
once for a ruleset is not counted. A ratio is the median of those of the rounds: of the time with invariants to that
without, of bare matches (``playout``), and of all that ``simulate`` does with a game in Python, and natively.

    python tools/bench/invariants.py [--rounds 25] [--milliseconds 20] [--only PACK]... [--only-work natively]
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engine"))

import patolli  # noqa: E402 - the path is set first
from patolli.measure.simulation.games import Plan, play_games  # noqa: E402
from patolli.measure.simulation.natively import play_natively  # noqa: E402

MODULES = (
    "abrupt_eclipse", "altars", "draft", "empire", "first_game", "increased_workforce", "mansion", "obsidian",
    "random_pyramid",
)  # fmt: skip
GALLERY = ("amazons", "curios", "dots_and_boxes", "high_water", "leduc_poker")
"""Games of the gallery that declare invariants; without any, nothing is held."""
RULESETS = (
    ("tic_tac_toe", ()),
    ("connect_four", ()),
    ("breakthrough", ()),
    ("patolli", ()),
    ("founders", ()),
    ("founders", ("founders_solo",)),
    ("city_of_gods", ()),
    ("city_of_gods", ("mansion", "altars", "obsidian", "empire")),
    ("city_of_gods", ("solo",)),
    ("city_of_gods", ("solo", "bot_movement")),
    ("city_of_gods", ("solo", "mansion", "altars", "obsidian", "empire")),
    *(("city_of_gods", (module,)) for module in MODULES),
    *((f"{ROOT}/content/gallery/{game}", ()) for game in GALLERY),
)
WARM = 0.3
"""Seconds that a ruleset plays both ways before it is measured."""
Work = Callable[[range, bool], int]
"""Plays the matches of some seeds, with invariants or without, and returns how many choices were made."""


def playing(rules: patolli.Ruleset) -> Work:
    """Return what plays bare matches."""

    def play(seeds: range, held: bool) -> int:
        return sum(len(patolli.playout(rules, None, seed, invariants=held).choices) for seed in seeds)

    return play


def simulating(rules: patolli.Ruleset) -> Work:
    """Return what plays matches as ``simulate`` does in one process."""

    def play(seeds: range, held: bool) -> int:
        plan = Plan(rules.players[0], seeds.stop, invariants=held)
        return sum(game.decisions for game in play_games(rules, plan, seeds.start, seeds.stop, lambda: False))

    return play


def natively(rules: patolli.Ruleset) -> Work:
    """Return what plays matches as ``simulate`` does natively; both ways are made ready."""

    def play(seeds: range, held: bool) -> int:
        plan = Plan(rules.players[0], seeds.stop, invariants=held)
        return sum(game.decisions for game in play_natively(rules, plan, seeds.start, seeds.stop, lambda: False))

    for held in (True, False):
        play(range(1), held)
    return play


def timed(work: Work, seeds: range, held: bool) -> tuple[float, int]:
    """Return the seconds of CPU time that matches took, and their choices."""
    before = process_time()
    choices = work(seeds, held)
    return process_time() - before, choices


def measured(work: Work, rounds: int, seconds: float) -> tuple[float, float, float]:
    """Return the microseconds of a choice without invariants, what they take more, and the ratio."""
    seed, spent = 0, 0.0
    while spent < WARM:
        spent += sum(timed(work, range(seed, seed + 1), held)[0] for held in (True, False))
        seed += 1
    size = max(1, round(seconds * 2 * seed / spent))
    without, more, ratios = [], [], []
    for number in range(rounds):
        found = {
            held: timed(work, range(seed, seed + size), held) for held in ((True, False), (False, True))[number % 2]
        }
        (slow, choices), (fast, _) = found[True], found[False]
        without.append(fast / choices * 1e6)
        more.append((slow - fast) / choices * 1e6)
        ratios.append(slow / fast)
        seed += size
    return median(without), median(more), median(ratios)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument(
        "--milliseconds", type=float, default=20, help="about how long a round takes without invariants"
    )
    parser.add_argument("--only", action="append", default=[], metavar="PACK")
    parser.add_argument("--only-work", choices=("matches", "simulate", "natively"))
    given = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}; microseconds per choice; {given.rounds} rounds")
    works = {"matches": playing, "simulate": simulating, "natively": natively}
    if given.only_work:
        works = {given.only_work: works[given.only_work]}
    print(f"{'':<44}{''.join(name.center(28) for name in works)}")
    print(f"{'ruleset':<44}{('without' + 'more'.rjust(10) + 'ratio'.rjust(9)).rjust(28) * len(works)}")
    for pack, modules in RULESETS:
        if not given.only or Path(pack).name in given.only:
            rules = patolli.load(pack, list(modules))
            print(f"{'+'.join([Path(pack).name, *modules]):<44}", end="")
            for make in works.values():
                without, more, ratio = measured(make(rules), given.rounds, given.milliseconds / 1000)
                print(f"{without:>9.2f}{more:>10.3f}{ratio:>9.3f}", end="", flush=True)
            print()


if __name__ == "__main__":
    main()
