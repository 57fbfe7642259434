"""Feed broken packs to the checker: it must never raise, hang, or use too much memory.

Each case is a copy of a shipped pack in which one file, or two, was broken in one to four ways (see ``mutations``). It
is checked as ``patolli validate`` does, its problems are written in every format, and its scenario files are read, all
in a child process with a limit on memory and on time. Hypothesis draws the cases and shrinks what fails.

    python tools/fuzz.py --minutes 10 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from mutations import HOW, Change, changed

from patolli.language.diagnostics.render import FORMATS, render
from patolli.language.packs.discovery import list_bundled

MEMORY = 1_000_000_000
"""Bytes of address space that one case may use, beside what the process that begins it has."""
SECONDS = 30
"""How long one case may take."""


OFTEN = [*HOW, *("word", "swap", "number", "shape") * 6]
"""What is mostly refused before anything else is looked at comes less often."""


@dataclass(frozen=True, slots=True)
class Case:
    """A pack, and what is done to which of its files."""

    pack: str
    changes: tuple[tuple[str, tuple[Change, ...]], ...]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a case ended: the exit code of the child, what it wrote, and the seconds of processor time that it took."""

    code: int
    said: str
    seconds: float

    @property
    def fine(self) -> bool:
        """Whether the checker came to its end."""
        return self.code == 0

    @property
    def reports(self) -> list[str]:
        """What was reported, as ``code:line:column``."""
        return self.said.split() if self.fine else []


def files_of(pack: str) -> list[str]:
    """Return the YAML files of a shipped pack, relative to it."""
    folder = list_bundled()[pack]
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*.yaml"))


def cases(packs: list[str]) -> st.SearchStrategy[Case]:
    """Draw a pack, one or two of its files, and changes of them."""
    spread = st.integers(0, 1_000_000).map(
        lambda number: (number * 618_034 + 333_331) % 1_000_001
    )  # small ones are drawn often
    change = st.builds(Change, st.sampled_from(OFTEN), spread, st.integers(0, 9_999), st.integers(0, 99))
    changes = st.lists(change, min_size=1, max_size=2).map(tuple)

    def within(pack: str) -> st.SearchStrategy[Case]:
        one = st.tuples(st.sampled_from(files_of(pack)), changes)
        several = st.lists(one, min_size=1, max_size=2, unique_by=lambda pair: pair[0]).map(tuple)
        return st.builds(Case, st.just(pack), several)

    return st.sampled_from(packs).flatmap(within)


class Copies:
    """Copies of packs in a folder, checked once, so that a child reads nothing again but what is broken."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def broken(self, case: Case) -> Iterator[Path]:
        """Break the copy of a pack for a while."""
        pack = self.folder / case.pack
        if not pack.exists():
            shutil.copytree(list_bundled()[case.pack], pack)
            check(pack)
        before = {pack / file: (pack / file).read_bytes() for file, _ in case.changes}
        for file, changes in case.changes:
            (pack / file).write_bytes(changed(before[pack / file], list(changes)))
        try:
            yield pack
        finally:
            for path, data in before.items():
                path.write_bytes(data)


def check(pack: Path) -> list[str]:
    """Check a pack as the commands do; return what was reported, as ``code:line:column``.

    Raises:
        AssertionError: The checker stumbled.
    """
    from patolli.author.scenarios.suites import find_suite
    from patolli.author.workspace import check_packs
    from patolli.language.diagnostics import ContentError

    problems = check_packs((str(pack),), remember=False).problems
    with contextlib.suppress(ContentError):
        find_suite(str(pack))
    for form in FORMATS:
        render(problems, form)
    crashes = [problem.message for problem in problems if problem.code >= "P0900"]
    assert not crashes, crashes[0]
    return [f"{problem.code}:{problem.span.line}:{problem.span.column}" for problem in problems]


def taken() -> int:
    """Return the bytes of address space that this process has; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


def ended(pack: Path, memory: int = MEMORY, seconds: int = SECONDS) -> Ended:
    """Check a pack in a child process with limits."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        gc.freeze()  # what the parent holds is no garbage, and looking through it would copy it
        code = 1
        try:
            most = memory + taken()
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
            signal.alarm(seconds)  # the system ends a process that does not respond
            os.write(write, " ".join(check(pack)).encode())
            code = 0
        except BaseException:
            os.write(write, traceback.format_exc()[-3_000:].encode())
        os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode(errors="replace")
    _, status, used = os.wait4(child, 0)
    code = os.waitstatus_to_exitcode(status)
    said = said or {-signal.SIGALRM: f"no answer in {seconds} seconds"}.get(
        signal.Signals(-code) if code < 0 else 0, ""
    )
    return Ended(code, said, used.ru_utime + used.ru_stime)


def warm() -> None:
    """Load in this process what every child needs, so that each begins with it."""
    check(list_bundled()["tic_tac_toe"])


def fuzz(packs: list[str], number: int, seed: int, seen: Counter[str], until: float = 0) -> None:
    """Run *number* cases, or stop at the time *until*; count in *seen* how often each code was reported.

    Raises:
        AssertionError: A case failed; the message says how, after shrinking.
    """
    warm()
    folder = tempfile.TemporaryDirectory()
    copies = Copies(Path(folder.name))

    @seeded(seed)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(cases(packs))
    def run(case: Case) -> None:
        if until and time.monotonic() > until:
            return
        with copies.broken(case) as pack:
            end = ended(pack)
        seen["cases"] += 1
        seen["slow"] += end.seconds > SECONDS / 3
        seen.update(report.partition(":")[0] for report in end.reports)
        assert end.fine, f"{case}\nended with {end.code} after {end.seconds:.1f} s: {end.said}"

    with folder:
        run()


def main() -> int:
    """Fuzz for some minutes, seed after seed, and go on after a failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*", help="shipped packs; all of them without any")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--seed", type=int, default=0)
    given_ = parser.parse_args()
    packs = given_.packs or list(list_bundled())
    until = time.monotonic() + 60 * given_.minutes
    total: Counter[str] = Counter()
    failures = 0
    seed = given_.seed
    while time.monotonic() < until:
        try:
            fuzz(packs, 300, seed, total, until)
        except (AssertionError, Flaky) as failure:
            failures += 1
            print(f"seed {seed}: {failure}\n", flush=True)
        seed += 1
        print(f"seeds up to {seed - 1}: {total['cases']} cases, {failures} failures, {total['slow']} slow", flush=True)
    codes = {code: number for code, number in sorted(total.items()) if code.startswith("P")}
    print(f"{total['cases']} cases, {failures} failures; {len(codes)} codes: {codes}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
