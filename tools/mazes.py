"""Compare what the checker proves with what happens, on rules made by chance.

Usage: python tools/mazes.py [--mazes N] [--seed S]

Prints one line per maze that passes the checker and then cannot go on, and a summary. ``tests/rulemaker.py`` makes
the mazes; the tests play a few of them, this many.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import rulemaker

from patolli.runtime import MatchError


def main() -> int:
    """Make and play mazes; return 1 when one of them got stuck."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mazes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    kept, stuck = 0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.seed, asked.seed + asked.mazes):
            for name, extras in rulemaker.EXTRAS.items():
                maze = rulemaker.Maker(rulemaker.Dice(Random(seed))).maze(14, 4, extras)
                ruleset = rulemaker.sound_part(Path(folder), maze)
                kept += len(maze.rules)
                for draw in range(6) if ruleset is not None else ():
                    try:
                        rulemaker.play(ruleset, draw)
                    except (MatchError, AssertionError) as error:
                        what = str(error).splitlines()[-1]
                        stuck[what] += 1
                        print(f"seed {seed} {name or 'plain'}, match {draw}: {what}")
                        break
    print(f"{kept} rules passed the checker; stuck: {dict(stuck) or 'none'}")
    return 1 if stuck else 0


if __name__ == "__main__":
    sys.exit(main())
