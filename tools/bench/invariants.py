"""Measure what it costs to hold the declared invariants after every choice of random matches.

One process; each match is played with and without, one right after the other and each first in every second match, so
that a slow moment of the machine meets both. What is compiled and worked out once for a ruleset is not counted. The
ratio is of the whole time with invariants to that without.

    python tools/bench/invariants.py [--seconds 4] [--only PACK]...
"""

from __future__ import annotations

import argparse
import platform
import sys
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engine"))

import patolli  # noqa: E402 - the path is set first

RULESETS = (
    ("tic_tac_toe", ()),
    ("connect_four", ()),
    ("breakthrough", ()),
    ("patolli", ()),
    ("founders", ()),
    ("city_of_gods", ()),
    ("city_of_gods", ("mansion", "altars", "obsidian", "empire")),
)


def timed(rules: patolli.Ruleset, seed: int, invariants: bool) -> tuple[float, int]:
    """Return the seconds that a match took, and its choices."""
    before = process_time()
    match = patolli.playout(rules, None, seed, invariants=invariants)
    return process_time() - before, len(match.choices)


def measured(pack: str, modules: tuple[str, ...], seconds: float) -> str:
    """Return a line of the table."""
    rules = patolli.load(pack, list(modules))
    for way in (True, False):
        patolli.playout(rules, None, 0, invariants=way)
    spent, choices, seed = {True: 0.0, False: 0.0}, 0, 0
    while sum(spent.values()) < seconds:
        for way in ((True, False), (False, True))[seed % 2]:
            took, made = timed(rules, seed, way)
            spent[way] += took
        choices, seed = choices + made, seed + 1
    without, more = spent[False] / choices * 1e6, (spent[True] - spent[False]) / choices * 1e6
    name = "+".join([pack, *modules])
    return f"{name:<44}{seed:>8}{without:>12.1f}{more:>10.1f}{spent[True] / spent[False]:>8.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--only", action="append", default=[], metavar="PACK")
    given = parser.parse_args()
    print(f"Python {platform.python_version()} on {platform.machine()}; microseconds per choice")
    print(f"{'ruleset':<44}{'matches':>8}{'without':>12}{'more':>10}{'ratio':>8}")
    for pack, modules in RULESETS:
        if not given.only or pack in given.only:
            print(measured(pack, modules, given.seconds), flush=True)


if __name__ == "__main__":
    main()
