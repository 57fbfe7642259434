"""Make packs at random, and hold what the checker says of each against what happens when it is played.

    python tools/random_packs.py --packs 2000 --seed 1

A pack that is accepted must play without a fault, with everything in its bounds, with every number of players; one that
is refused is played all the same, to see whether it ever fails, and whether its rules do where a match begins
otherwise: then it was refused rightly. ``tests/randompacks`` makes and judges the packs. Of each sort of fault, and of
each reason to refuse what never fails, the first example is printed, as small as it gets. With ``--open`` packs leave
demands open: then a match may fail, but only at a demand that the checker has listed, or at a promise.

Exit status: 0 nothing was accepted that fails, 1 something was.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from randompacks.engine import Workshop
from randompacks.judging import Verdict, judged
from randompacks.packs import Pack, make
from randompacks.shrinking import shrunk

CHUNK = 25


def made(seed: int, open_: bool = False) -> Pack:
    """Make the pack of a seed, as one that leaves demands *open_* if wanted."""
    return make(seed).opened if open_ else make(seed)


def judge_some(seeds: range, open_: bool = False) -> list[Verdict]:
    """Make and judge some packs."""
    workshop = Workshop()
    try:
        return [judged(made(seed, open_), workshop) for seed in seeds]
    finally:
        workshop.close()


def verdicts(first: int, number: int, jobs: int, open_: bool = False) -> Iterator[Verdict]:
    """Judge packs, in order of their seeds."""
    chunks = [range(at, min(at + CHUNK, first + number)) for at in range(first, first + number, CHUNK)]
    if jobs == 1:
        for chunk in chunks:
            yield from judge_some(chunk, open_)
        return
    with ProcessPoolExecutor(jobs) as pool:
        for some in pool.map(partial(judge_some, open_=open_), chunks):
            yield from some


def smallest(seed: int, same: Callable[[Verdict], bool], open_: bool = False) -> Pack:
    """Return the smallest pack of a seed that is judged alike."""
    workshop = Workshop()
    try:
        return shrunk(made(seed, open_), lambda pack: same(judged(pack, workshop)))
    finally:
        workshop.close()


def fails_like(key: str, verdict: Verdict) -> bool:
    """Return whether a pack is accepted and fails in a certain way."""
    return verdict.unsound and verdict.fault is not None and verdict.fault.key == key


def refused_like(key: str, verdict: Verdict) -> bool:
    """Return whether a pack never fails and is refused for a certain reason, and for nothing that no path leads to."""
    return (
        verdict.refused_for_nothing
        and not (verdict.dead or verdict.lucky)
        and {reason.key for reason in verdict.reasons} == {key}
    )


def ratio(part: int, whole: int) -> str:
    """Write a share."""
    return f"{part} of {whole} ({100 * part / max(1, whole):.1f} %)"


class Report:
    """What was found in many packs."""

    def __init__(self, open_: bool = False) -> None:
        """Begin with nothing, of packs that leave demands *open* or not."""
        self.open = open_
        self.counts: Counter[str] = Counter()
        self.faults: dict[str, list[int]] = defaultdict(list)
        self.refused_faults: Counter[str] = Counter()
        self.reasons: dict[str, list[int]] = defaultdict(list)
        self.dead: dict[str, list[int]] = defaultdict(list)
        self.lucky: dict[str, list[int]] = defaultdict(list)
        self.single: dict[str, int] = {}
        self.last = 0

    def add(self, verdict: Verdict) -> None:
        """Count one pack."""
        counts = self.counts
        counts["packs"] += 1
        self.last = verdict.seed
        counts[verdict.said] += 1
        counts["states"] += verdict.walk.states
        if verdict.unsound and verdict.fault is not None:
            self.faults[verdict.fault.key].append(verdict.seed)
        elif verdict.said == "refused" and verdict.fault is not None:
            self.refused_faults[verdict.fault.key] += 1
        elif verdict.harmless:
            self._harmless(verdict)

    def _harmless(self, verdict: Verdict) -> None:
        if verdict.said == "accepted":
            self.counts["rightly accepted"] += 1
        elif verdict.refused_for_nothing:
            self.counts["lucky" if verdict.lucky else "dead" if verdict.dead else "refused for nothing"] += 1
            if verdict.lucky:
                for key in dict.fromkeys(reason.key for reason in verdict.reasons):
                    self.lucky[key].append(verdict.seed)
                return
            if verdict.dead:
                for key in dict.fromkeys(reason.key for reason in verdict.reasons if not reason.reached):
                    self.dead[key].append(verdict.seed)
                return
            for key in dict.fromkeys(reason.key for reason in verdict.reasons):
                self.reasons[key].append(verdict.seed)
                if all(reason.key == key for reason in verdict.reasons):
                    self.single.setdefault(key, verdict.seed)

    def show(self, seconds: float) -> None:
        """Print the figures."""
        counts = self.counts
        each = 1000 * seconds / counts["packs"]
        print(f"{counts['packs']} packs up to seed {self.last}, {counts['states']} states")
        print(f"{seconds:.0f} s, {each:.0f} ms a pack")
        print(f"{counts['accepted']} accepted, {counts['refused']} refused, {counts['wrong']} not well formed")
        faults = sum(map(len, self.faults.values()))
        print(f"accepted, and fail: {ratio(faults, counts['accepted'])}")
        print(f"refused, and fail: {ratio(sum(self.refused_faults.values()), counts['refused'])}")
        right, wrong = counts["rightly accepted"], counts["refused for nothing"]
        dead, lucky = counts["dead"], counts["lucky"]
        print(f"never fail on any path, and are accepted: {ratio(right, right + wrong + dead + lucky)};")
        print(f"  without those that fail as soon as a match begins otherwise: {ratio(right, right + wrong + dead)};")
        print(f"  and without those refused for a place that no path leads to: {ratio(right, right + wrong)}")

    def lists(self) -> None:
        """Print the sorts of faults and of reasons, the most frequent first."""
        for title, found in (
            ("faults of accepted packs:", self.faults),
            ("reasons to refuse what never fails:", self.reasons),
            ("reasons to refuse what fails as soon as a match begins otherwise:", self.lucky),
            ("reasons at a place that no path leads to:", self.dead),
        ):
            print(title)
            for key, seeds in sorted(found.items(), key=lambda pair: -len(pair[1])):
                print(f"  {len(seeds):5}  {key}  (seeds {', '.join(map(str, seeds[:5]))})")

    def examples(self) -> None:
        """Print the smallest pack for each sort of fault, and for each reason that stands alone."""
        for key, seeds in sorted(self.faults.items(), key=lambda pair: -len(pair[1])):
            print(f"\n=== accepted, and {key} (seed {seeds[0]})")
            slow = key.startswith("slow")
            pack = made(seeds[0], self.open) if slow else smallest(seeds[0], partial(fails_like, key), self.open)
            print(pack.text, flush=True)
        for key, seed in self.single.items():
            print(f"\n=== never fails, and is refused: {key} (seed {seed})")
            print(smallest(seed, partial(refused_like, key), self.open).text, flush=True)


def main() -> int:
    """Judge packs and print what was found."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packs", type=int, default=200, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="of the first one")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="after which no more packs are judged")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--open", action="store_true", help="leave demands open, and promise something in each")
    parser.add_argument("--figures", action="store_true", help="print no examples")
    parser.add_argument("--show", action="store_true", help="print the pack of the seed, and what is said of it")
    asked = parser.parse_args()
    if asked.show:
        return show(asked.seed, asked.open)
    began, report = time.monotonic(), Report(asked.open)
    for verdict in verdicts(asked.seed, asked.packs, asked.jobs, asked.open):
        report.add(verdict)
        if time.monotonic() - began > asked.seconds:
            break
    report.show(time.monotonic() - began)
    report.lists()
    if not asked.figures:
        report.examples()
    return 1 if report.faults else 0


def show(seed: int, open_: bool) -> int:
    """Print one pack and what is said of it."""
    pack = made(seed, open_)
    print(pack.text)
    workshop = Workshop()
    verdict = judged(pack, workshop)
    workshop.close()
    print(verdict)
    return 1 if verdict.unsound else 0


if __name__ == "__main__":
    sys.exit(main())
