"""Listen to what the studio sends, and look for a byte that depends on what its receiver may not see.

    python tools/wire.py                         200 random matches of every pack that has secrets
    python tools/wire.py promises --matches 50
    python tools/wire.py city_of_gods --with mansion --with empire

At some moments of each match the answers to every seat, and to one who watches, are compared with those that they
would get in a world which differs in everything that they cannot see: states, the telling, previews, and saves.

Exit status: 0 when no byte differs, 1 when one does.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from studio.overheard import compared, opened

import patolli
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.seats import WATCH


def listen(
    pack: str, modules: tuple[str, ...], matches: int, moments: int, seconds: float = float("inf")
) -> tuple[int, int, int, str]:
    """Play matches, as long as there is time.

    Returns:
        How many there were, how many moments were looked at, how many answers were compared, and the first fault.
    """
    rules = patolli.load(pack, modules=modules)
    low, high = rules.players
    looked, answers, usual, end = 0, 0, length(rules, low), time.process_time() + seconds
    for seed in range(matches):
        if time.process_time() > end:
            return seed, looked, answers, ""
        draw = Random(f"{pack} {seed}")
        table = opened(pack, max(low, min(high, 2 + seed % 3)), seed, modules)
        at = set(draw.sample(range(usual), min(moments, usual)))
        while not table.match.over:
            if len(table.match.choices) in at:
                looked += 1
                for who in (*range(table.match.players), WATCH):
                    try:
                        answers += compared(table, who, draw)
                    except AssertionError as fault:
                        return (
                            seed + 1,
                            looked,
                            answers,
                            f"seed {seed}, choice {len(table.match.choices)}, to {who}: {fault}",
                        )
            table.choose(table.decider, table.revision, draw.randrange(len(table.match.pending or ())), "")
        usual = max(1, len(table.match.choices))
    return matches, looked, answers, ""


def length(rules: patolli.Ruleset, players: int) -> int:
    """Return how many choices a random match has."""
    match, draw = rules.start(players, 0), Random(0)
    while not match.over:
        match.pick(draw.randrange(len(match.pending or ())))
    return len(match.choices)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packs", nargs="*")
    parser.add_argument("--with", dest="modules", action="append", default=[])
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--moments", type=int, default=4, help="moments of each match at which answers are compared")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="of a processor, for each pack")
    given = parser.parse_intermixed_args()
    wrong = False
    for pack in given.packs or [one["id"] for one in catalogue()]:
        rules = patolli.load(pack, modules=given.modules)
        if not rules.program(rules.players[1]).layout.model.hidden_locations:
            print(f"{pack}: has no secrets", flush=True)
            continue
        began = time.process_time()
        matches, looked, answers, fault = listen(
            pack, tuple(given.modules), given.matches, given.moments, given.seconds
        )
        said = f"{matches} matches, {looked} moments, {answers} answers compared"
        print(f"{pack}: {said}, {time.process_time() - began:.0f} s: {fault or 'no byte differs'}", flush=True)
        wrong = wrong or bool(fault)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
