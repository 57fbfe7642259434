"""Measure what loading a pack costs, alone and with modules.

Every load is a process of its own, as on the command line; in each round every selection is loaded once, so that
a slow moment of the machine meets all of them. Tables of the parser that were made before are used, as they are
from the second call on. The ratio is the median of the ratios within the rounds.

    python tools/bench/loading.py [PACK] [--with M[,M]...]... [--rounds 9]

Without ``--with`` the selections are the pack alone, and the widest sets of its modules that fit together.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "engine"))

from patolli.cli.matrix import combinations, modules_of  # noqa: E402 - the path is set first
from patolli.language.packs.manifest import read_pack  # noqa: E402

PROGRAM = """
import sys
from time import perf_counter
start = perf_counter()
import patolli
patolli.load(sys.argv[1], modules=sys.argv[2:])
print(perf_counter() - start)
"""


def seconds(pack: str, modules: tuple[str, ...]) -> float:
    """Load a ruleset in a new process.

    Raises:
        subprocess.CalledProcessError: It does not load.
    """
    call = [sys.executable, "-c", PROGRAM, pack, *modules]
    path = os.pathsep.join(filter(None, [str(ROOT / "engine"), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(call, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True)
    return float(done.stdout)


def widest(pack: str) -> list[tuple[str, ...]]:
    """Return the sets of modules that fit together and to which no other module can be added."""
    base = read_pack(pack)
    sets = [frozenset(modules) for modules in combinations(base, modules_of(base))]
    return sorted(tuple(sorted(s)) for s in sets if not any(s < other for other in sets))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack", nargs="?", default="city_of_gods")
    parser.add_argument("--with", dest="sets", action="append", default=[], metavar="M[,M]...")
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    sets = [(), *([tuple(s.split(",")) for s in args.sets] or widest(args.pack))]
    seconds(args.pack, ())
    rounds = [[seconds(args.pack, modules) for modules in sets] for _ in range(args.rounds)]
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores, {args.rounds} rounds")
    print(f"{'median s':>9} {'of the pack alone':>18}  modules")
    for column, modules in enumerate(sets):
        took = median(row[column] for row in rounds)
        ratio = median(row[column] / row[0] for row in rounds)
        print(f"{took:>9.3f} {ratio:>18.2f}  {', '.join(modules) or 'none'}")


if __name__ == "__main__":
    main()
