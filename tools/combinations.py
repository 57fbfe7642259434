"""Play random matches of every valid combination of a pack's modules, at every number of players.

The combinations come from the manifests. Each match is played to its end, and after every choice the declared
invariants are checked, and that no question goes to a seat that the rules play themselves. Finished combinations are
reported as they come; the last line counts them.

    python tools/combinations.py city_of_gods --games 3 --jobs 2
    python tools/combinations.py founders --sample 20
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from random import Random

from patolli.author.workspace import load
from patolli.cli.matrix import combinations, modules_of
from patolli.language.diagnostics import ContentError
from patolli.language.packs.manifest import read_pack
from patolli.run.runtime import MatchError
from patolli.run.runtime.errors import LIMIT, asked_of_rules, endless


def valid(pack: str) -> list[tuple[str, ...]]:
    """Return all valid combinations of a pack's modules, in a fixed order."""
    base = read_pack(pack)
    return list(combinations(base, modules_of(base)))


def sample(pack: str, number: int, seed: int = 0) -> list[tuple[str, ...]]:
    """Return *number* of the valid combinations, always the same ones; all to which nothing can be added come first."""
    found = valid(pack)
    if number >= len(found):
        return found
    full = [modules for modules in found if not any(set(modules) < set(others) for others in found)][:number]
    rest = [modules for modules in found if modules not in full]
    return [*full, *Random(seed).sample(rest, number - len(full))]


def faults(pack: str, modules: tuple[str, ...], games: int) -> Iterator[str]:
    """Play *games* random matches at every number of players and tell what went wrong."""
    try:
        rules = load(pack, modules)
    except ContentError as error:
        yield from (f"{problem.code} {problem.message}" for problem in error.problems)
        return
    for players in range(rules.players[0], rules.players[1] + 1):
        for seed in range(games):
            where = f"{players} players, seed {seed}"
            try:
                match, draw = rules.start(players, seed), Random(seed)
                while match.pending is not None and len(match.choices) < LIMIT:
                    if asked := asked_of_rules(match):
                        yield f"{where}: {asked.reason}, after {len(match.choices)} choices"
                        break
                    match.pick(draw.randrange(len(match.pending)))
                    if broken := match.broken():
                        yield f"{where}: {', '.join(broken)} after {len(match.choices)} choices"
                        break
                else:
                    if not match.over:
                        yield f"{where}: {endless(match, LIMIT).reason}"
            except MatchError as error:
                yield f"{where}: {error.reason}"


def report(task: tuple[str, tuple[str, ...], int]) -> tuple[tuple[str, ...], list[str]]:
    """Try one combination; for a process of a pool."""
    pack, modules, games = task
    return modules, list(faults(pack, modules, games))


def main() -> int:
    """Run the command line; the status is 1 when something went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack")
    parser.add_argument("--games", type=int, default=3, help="random matches per number of players (default 3)")
    parser.add_argument("--sample", type=int, default=0, help="play so many combinations instead of all")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    given = parser.parse_args()
    chosen = sample(given.pack, given.sample) if given.sample else valid(given.pack)
    tasks = [(given.pack, modules, given.games) for modules in chosen]
    bad = 0
    with ProcessPoolExecutor(given.jobs) as pool:
        for number, (modules, found) in enumerate(pool.map(report, tasks), 1):
            bad += bool(found)
            print(
                f"{number}/{len(tasks)} {' + '.join(modules) or 'the base alone'}: {'; '.join(found) or 'fine'}",
                flush=True,
            )
    print(f"{len(tasks) - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
