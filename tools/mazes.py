"""Compare what the checker proves with what happens, on rules made by chance.

Usage: python tools/mazes.py [--mazes N] [--seed S] [--laws]

Prints one line per maze that passes the checker and then cannot go on, and a summary. ``tests/mazemaker`` makes the
mazes; the tests play a few of them, this many. With ``--laws`` copies, saves, replays, views and undo are checked, too.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from laws import play_by_the_laws, views_keep_secrets
from mazemaker.chance import Dice
from mazemaker.changes import Changes
from mazemaker.maze import make
from mazemaker.playing import ends_of_its_own, play_or_stop

from patolli.runtime import MatchError, Ruleset

SORTS = {"rules": (14, 0, 0), "payments": (14, 4, 0), "module": (14, 4, 8)}


def main() -> int:
    """Make and play mazes; return 1 when one of them got stuck."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mazes", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--laws", action="store_true")
    asked = parser.parse_args()
    kept, stuck = 0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(asked.seed, asked.seed + asked.mazes):
            for name, size in SORTS.items():
                try:
                    maze = make(Changes(Dice(Random(seed))), *size)
                    ruleset = maze.sound_part(Path(folder) / f"{name}_{seed}")
                    kept += len(maze.sections["rules"]) + len(maze.changes)
                    if ruleset is not None:
                        walk(ruleset, seed, asked.laws)
                except (MatchError, AssertionError) as error:
                    what = str(error).splitlines()[-1]
                    stuck[what] += 1
                    print(f"seed {seed} {name}: {what}", flush=True)
    print(f"{kept} rules and changes passed the checker; stuck: {dict(stuck) or 'none'}")
    return 1 if stuck else 0


def walk(ruleset: Ruleset, seed: int, laws: bool) -> None:
    """Play some matches."""
    for draw in range(6):
        play_or_stop(ruleset, draw)
    with ends_of_its_own():
        if laws:
            play_by_the_laws(ruleset, 2, seed, decisions=60, stride=6)
            views_keep_secrets(ruleset, 2, seed, decisions=15)


if __name__ == "__main__":
    sys.exit(main())
