"""Kill a run of the lab at random moments, and see that nothing is lost and the facts are those of a run left alone.

A run is started, killed (SIGKILL) after a random time, and started again, as often as wanted; then it is finished. At
each kill it is counted how many matches are kept, and from the pace how much work is lost: what was in hand.

    python tools/kills.py city_of_gods --games 500 --kills 20 --jobs 2
"""

from __future__ import annotations

import argparse
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

LONGEST = 4.0
"""Seconds after the first new match until which a run is killed."""


def kept(folder: Path) -> int:
    """Return how many matches are on the disk; a line that was cut off is none."""
    lines = sum(path.read_bytes().count(b"\n") for path in folder.glob("facts/base/*.jsonl"))
    return int(lines + 250 * len(list(folder.glob("facts/base/*.parquet"))))


def digest_of(text: str) -> str:
    """Return the digest that a run has printed."""
    return next(line.split()[1] for line in text.splitlines() if line.strip().startswith("digest"))


def main(words: Sequence[str] | None = None) -> int:
    """Kill, finish, compare; 0 when nothing was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pack")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args(words)
    call = [sys.executable, "-m", "patolli", "lab", "run", given.pack, "--games", str(given.games), "--seed", "1"]
    random, there, lost = Random(given.seed), 0, 0
    home = Path(tempfile.mkdtemp())
    folder, whole = home / "killed", home / "whole"
    killed = 0
    while killed < given.kills:
        one = subprocess.Popen(
            [*call, "--jobs", str(given.jobs), "--out", str(folder)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while one.poll() is None and kept(folder) == there:
            time.sleep(0.02)
        time.sleep(LONGEST * random.random() ** 2)
        if one.poll() is not None:
            break  # the run was over before
        one.send_signal(signal.SIGKILL)
        one.wait()
        killed += 1
        now = kept(folder)
        lost += now < there
        print(f"kill {killed}: {there} -> {now} matches", flush=True)
        there = now
    ends = [
        subprocess.run([*call, "--jobs", jobs, "--out", str(out)], capture_output=True, text=True, check=True).stdout
        for jobs, out in ((str(given.jobs), folder), ("1", whole))
    ]
    same = digest_of(ends[0]) == digest_of(ends[1])
    print(f"{killed} kills; kept matches were lost {lost} times; the digest is {'the same' if same else 'ANOTHER'}")
    shutil.rmtree(home)
    return 0 if same and not lost and killed == given.kills else 1


if __name__ == "__main__":
    sys.exit(main())
