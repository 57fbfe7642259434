"""Hold twins of many matches against each other: what a seat reads, and what bots decide, has to be the same.

Twins differ only in what the seat cannot know. All is compared that ``tests/twins.py`` compares: views, saves, scores,
names, reasons, labels, the log, worlds, and decisions. ``tools/bench/alike.py`` is about decisions alone, and quicker.

    python tools/peeking.py                               10,000 states of all packs and modules that hide something
    python tools/peeking.py --states 500 --only leduc_poker --bot mcts:200 --bot greedy

Exit status: 0 all was alike, 1 something was not: it says what, with the seed, and goes on with other matches.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "tests")]

from twins import told_the_same  # noqa: E402 - the path is set first

from patolli.author.workspace import load  # noqa: E402
from patolli.language.packs.discovery import installed  # noqa: E402
from patolli.language.packs.manifest import read_pack  # noqa: E402
from patolli.run.runtime import Ruleset  # noqa: E402

DECISIONS, STRIDE, FRUITLESS = 120, 3, 3
"""Of one match: how many answers, and how many of them lie between two that are looked at; and after how many matches
without anything hidden a ruleset is left."""


def rulesets(only: list[str]) -> Iterator[tuple[str, Ruleset]]:
    """Yield packs, and modules with the packs that they need."""
    packs = {name: read_pack(name) for name in installed()}
    for name, pack in packs.items():
        if only and name not in only:
            continue
        base = next((other for other in pack.requires if not packs[other].requires), None)
        modules = [other for other in pack.requires if other != base]
        yield name, load(base, [*modules, name]) if base else load(name)


def main() -> int:
    """Compare until there are as many states as are asked for."""
    reader = argparse.ArgumentParser(prog="peeking", description=__doc__.partition("\n")[0])
    reader.add_argument("--states", type=int, default=10_000, metavar="N", help="how many states (10,000)")
    reader.add_argument("--bot", action="append", metavar="KIND", help="who is asked (greedy and mcts:20)")
    reader.add_argument("--only", action="append", default=[], metavar="PACK", help="only these packs and modules")
    reader.add_argument("--seed", type=int, default=0, metavar="S", help="the seed of the first matches")
    args = reader.parse_args()
    open_, found, fruitless = list(rulesets(args.only)), dict[str, Counter[str]](), Counter[str]()
    began, differences = process_time(), list[str]()
    for seed in count(args.seed):
        for name, rules in list(open_):
            least, most = rules.players
            players = least + seed % (most - least + 1)
            try:
                told = told_the_same(
                    rules, players, seed, DECISIONS, STRIDE, 1 << 60, args.bot or ("greedy", "mcts:20")
                )
            except AssertionError as error:
                differences.append(f"{name}, {players} players, seed {seed}: {error}")
                print(differences[-1], flush=True)
                continue
            found.setdefault(name, Counter()).update(told)
            fruitless[name] = 0 if told["options"] else fruitless[name] + 1
            if fruitless[name] == FRUITLESS:
                open_.remove((name, rules))
            if sum(one["options"] for one in found.values()) >= args.states:
                open_ = []
                break
        if not open_:
            break
    for name, told in sorted(found.items(), key=lambda one: -one[1]["options"]):
        if told["options"]:
            print(f"{name:<20} {told['options']:>6} states, {told['bots']:>6} decisions of bots")
    total = sum(found.values(), Counter[str]())
    alike = f"{len(differences)} matches with a difference" if differences else "all alike"
    print(f"{total['options']} twin states, {total['bots']} decisions, {alike}; {process_time() - began:.0f} s")
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
