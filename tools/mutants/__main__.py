"""Weaken what the checker rests on, one entry at a time, and count how many changes the tests notice.

    python tools/mutants                          everything, which takes hours
    python tools/mutants --family declarations    what kinds of nodes and built-ins declare
    python tools/mutants --family sources --sample 150 --seed 1
    python tools/mutants --only "Move: writes" --tests tests/program

Each entry of a declaration is removed or weakened in the live objects; the modules of the summary, the precondition and
the domain are changed by general operators on their syntax trees, so mutants need no list. Survivors are
printed with their place. ``equivalents`` names those that nothing can notice, with reasons; they do not count.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from math import inf
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "tools")]

from mutants import declared, sources  # noqa: E402
from mutants.equivalents import EQUIVALENT  # noqa: E402
from mutants.judging import Memory, Verdict, judge  # noqa: E402
from mutants.mutant import Mutant  # noqa: E402
from patolli.language.syntax import parser, words  # noqa: E402

TESTS = """tests/program tests/proofs tests/compiler tests/diagnostics/test_golden.py tests/resolve tests/analysis
tests/runtime tests/kernel tests/test_random_packs.py tests/test_small_packs.py tests/scenarios""".split()
"""Files and folders of tests, those that notice most in the least time first."""
MEMORY = ROOT / "build" / "mutants.json"


def arguments() -> argparse.Namespace:
    """Read the command line."""
    reader = argparse.ArgumentParser(prog="mutants", description=__doc__.partition("\n")[0])
    reader.add_argument("--family", choices=("declarations", "sources"), help="only these")
    reader.add_argument("--only", default="", metavar="TEXT", help="only mutants whose line has TEXT")
    reader.add_argument("--sample", type=int, metavar="N", help="only N of them, at random")
    reader.add_argument("--seed", type=int, default=1, help="the chance of the sample")
    reader.add_argument("--jobs", type=int, default=2, help="processes at once (2)")
    reader.add_argument("--least", type=float, default=95, metavar="PERCENT", help="fail below this share (95)")
    reader.add_argument("--tests", nargs="+", default=TESTS, metavar="PATH", help="the tests to judge with")
    reader.add_argument("--module", nargs="+", default=sources.MODULES, help="other modules to change")
    reader.add_argument("--memory", type=Path, default=MEMORY, metavar="FILE", help="what was found out before")
    reader.add_argument(
        "--within", type=float, default=inf, metavar="SECONDS",
        help="what is not noticed after so much processor time counts as surviving; --survivors goes on with it",
    )  # fmt: skip
    reader.add_argument("--survivors", action="store_true", help="only those that survived last time")
    reader.add_argument("--list", action="store_true", help="only list the mutants")
    reader.add_argument("--quiet", action="store_true", help="only the figures and the survivors")
    return reader.parse_args()


def chosen(args: argparse.Namespace) -> list[Mutant]:
    """Return the mutants that are asked for."""
    found: list[Mutant] = []
    if args.family != "sources":
        found += declared.mutants()
    if args.family != "declarations":
        found += sources.mutants(tuple(args.module))
    found = [one for one in found if args.only in str(one) and one.key not in EQUIVALENT]
    if args.survivors:
        last = set(Memory(args.memory).survived)
        found = [one for one in found if one.key in last]
    if args.sample is not None and args.sample < len(found):
        found = Random(args.seed).sample(found, args.sample)
    return found


def main() -> int:
    """Judge mutants, and print what became of them."""
    args = arguments()
    os.chdir(ROOT)
    mutants = chosen(args)
    if args.list:
        print(*mutants, sep="\n")
        print(f"{len(mutants)} mutants")
        return 0
    for language in range(1, words.NEWEST + 1):
        parser._grammar(language)  # ready before the first fork
    verdicts: list[Verdict] = []
    began = time.monotonic()

    def tell(verdict: Verdict) -> None:
        verdicts.append(verdict)
        if not args.quiet or verdict.by is None:
            said = f"noticed by {verdict.by}" if verdict.by else "SURVIVES"
            at = f"{len(verdicts)}/{len(mutants)} {time.monotonic() - began:.0f} s"
            print(f"[{at}] {verdict.mutant}\n    {said}", flush=True)

    fast = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # tests write many little files
    with tempfile.TemporaryDirectory(prefix="mutants-", dir=fast) as folder:
        judge(mutants, args.tests, Memory(args.memory), args.jobs, tell, Path(folder), args.within)
    return summary(verdicts, args.least)


def summary(verdicts: list[Verdict], least: float) -> int:
    """Print the figures and the survivors; return 1 when too few were noticed."""
    survivors = [v.mutant for v in verdicts if v.by is None]
    missed = Counter(mutant.family for mutant in survivors)
    print("\nsurvivors:" if survivors else "\nno survivors")
    for mutant in sorted(survivors, key=str):
        print(f"  {mutant}")
    for family, number in sorted(Counter(v.mutant.family for v in verdicts).items()):
        print(f"{family}: {number - missed[family]} of {number} mutants noticed, {share(number, missed[family]):.1f} %")
    print(f"{len(EQUIVALENT)} are listed as equivalent and were left out")
    return int(share(len(verdicts), len(survivors)) < least)


def share(number: int, missed: int) -> float:
    """Return how many of a number were noticed, in per cent."""
    return 100 * (number - missed) / number if number else 100.0


if __name__ == "__main__":
    sys.exit(main())
