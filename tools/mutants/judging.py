"""Judge mutants: run the tests on each in a process of its own, until one fails.

Tests are collected once, and everything is imported once; each mutant is a fork of that. It begins with the test that
noticed it last time, then with those that noticed others of the same function or file. Where it is known which tests
run the place that is changed (``reaching``), these follow, the quick ones first, and no others; else all do, by the
folders in the order in which they were named. Tests that fail without any mutant do not count; the first run finds out
which these are, how long each takes, and what it runs. A mutant that crashes, or needs many times the processor time of
a test, is noticed.

Nothing on disk is believed: every process has caches and folders of its own.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import shutil
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from math import inf
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol
from hypothesis import settings

from mutants.mutant import Mutant
from mutants.reaching import Reach, Watch
from patolli.language.sources.atomic_files import write_whole

MEMORY = 4 << 30
"""Bytes that a process may use; a mutant may ask for any number."""
TIME_FACTOR, LEAST = 10, 10
"""How many times its usual processor time a test may need, and how many seconds more."""
FROZEN = 50
"""After so many tests that are measured what is there then is left out of collections."""


@dataclass(frozen=True)
class Verdict:
    """Whether a mutant was noticed; ``by`` is the test, or what happened instead."""

    mutant: Mutant
    by: str | None


class Memory:
    """What is known from earlier runs: how long tests take, which fail, which noticed which mutant, what survived."""

    def __init__(self, path: Path) -> None:
        """Read it, where there is one."""
        self.path = path
        known = json.loads(path.read_text("utf-8")) if path.exists() else {}
        self.seconds: dict[str, float] = known.get("seconds", {})
        self.failing: list[str] = known.get("failing", [])
        self.noticed: dict[str, str] = known.get("noticed", {})
        self.survived: list[str] = known.get("survived", [])
        self._reach = path.with_name(f"{path.name}.reach")  # megabytes, which change seldom
        self.reach = Reach.from_data(json.loads(self._reach.read_text("utf-8"))) if self._reach.exists() else Reach()

    def write(self) -> None:
        """Keep it for the next run."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        known = {name: getattr(self, name) for name in ("failing", "seconds", "noticed", "survived")}
        write_whole(self.path, json.dumps(known, indent=1))

    def write_reach(self) -> None:
        """Keep which tests run which lines for the next run."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._reach, json.dumps(self.reach.data()))

    def promising(self, mutant: Mutant) -> list[str]:
        """Return the tests that noticed this mutant, others of its function, of its file, and any."""
        file, owner = mutant.key.partition(" ")[0], mutant.key.partition(":")[0]
        ranks: Counter[str] = Counter()
        for key, test in self.noticed.items():
            near = 1_000 * key.startswith(f"{file} ") + 1_000_000 * key.startswith(f"{owner}:")
            ranks[test] += 1 + near + 1_000_000_000 * (key == mutant.key)
        return [test for test, _ in sorted(ranks.items(), key=lambda one: (-one[1], one[0]))]


class Failures:
    """A plugin of pytest that counts subtests that fail, since the test around them does not fail for that."""

    def __init__(self) -> None:
        """Begin with none."""
        self.number = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count one."""
        self.number += report.failed


def fails(item: pytest.Item, following: pytest.Item | None) -> bool:
    """Run a test and return whether it, or a subtest of it, fails."""
    failures = Failures()
    item.config.pluginmanager.register(failures)
    try:
        return any(one.failed for one in runtestprotocol(item, log=False, nextitem=following)) or failures.number > 0
    finally:
        item.config.pluginmanager.unregister(failures)


class Judge:
    """A plugin of pytest that runs the collected tests on mutants, instead of once."""

    def __init__(
        self,
        mutants: list[Mutant],
        memory: Memory,
        jobs: int,
        tell: Callable[[Verdict], None],
        folder: Path,
        within: float = inf,
    ) -> None:
        """Take the mutants, whom to tell of each as soon as it is judged, and a folder for what tests write.

        A mutant that is not noticed *within* so many seconds of processor time counts as one that survives.
        """
        self.mutants, self.memory, self.jobs, self.tell, self.folder = mutants, memory, jobs, tell, folder
        self.within = within
        self.problem = ""
        self.sound: set[str] = set()  # tests that pass without a mutant, as was seen in this run

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge all mutants; called when all tests have been collected."""
        if not session.items:
            self.problem = "there are no tests"
            return True
        if session.testsfailed:
            print("some files of tests cannot be read, and are left out")
        settings.register_profile("mutants", database=None, deadline=None)
        settings.load_profile("mutants")
        gc.freeze()  # what was collected and imported stays: no fork has to look through it, nor to copy it
        failing = set(self.memory.failing)
        known = self.memory.seconds.keys() - failing  # what failed may have been mended since
        reach = self.memory.reach = self.memory.reach.refreshed(self.mutants)
        if reach.texts:
            known &= set(reach.tests)
        self._measure([item for item in session.items if item.nodeid not in known])
        failing = set(self.memory.failing)
        items = {item.nodeid: item for item in session.items if item.nodeid not in failing}
        open_, running, numbers = list(reversed(self.mutants)), dict[int, tuple[Mutant, Path]](), count()
        while open_ or running:
            while open_ and len(running) < self.jobs:
                mutant, answer = open_.pop(), self.folder / f"{next(numbers)}"
                running[_forked(lambda: self._judge(mutant, items, answer), answer)] = mutant, answer  # noqa: B023
            pid, status = os.wait()
            mutant, answer = running.pop(pid)
            test = answer.read_text("utf-8") if status and answer.exists() else ""
            if test and not (test in items and self._sound(items[test])):
                print(f"left out, since it fails without a mutant: {test}")
                items.pop(test, None)
                open_.append(mutant)
            else:
                self._judged(mutant, test, status)
        return True

    def _sound(self, item: pytest.Item) -> bool:
        """Return whether a test that failed with a mutant passes without one; it may have changed since it was run."""
        if item.nodeid not in self.sound:
            answer = self.folder / f"sound-{len(self.sound)}"
            _, status = os.waitpid(_forked(lambda: self._run([item], answer), answer), 0)
            if status:
                self.memory.failing.append(item.nodeid)
                return False
            self.sound.add(item.nodeid)
        return True

    def _judged(self, mutant: Mutant, test: str, status: int) -> None:
        """Return what became of a mutant, and remember it."""
        self.memory.noticed.pop(mutant.key, None)
        self.memory.survived = [key for key in self.memory.survived if key != mutant.key] + [mutant.key] * (not status)
        if test:
            self.memory.noticed[mutant.key] = test
        self.memory.write()
        signaled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        what = "no end: " if signaled == signal.SIGPROF else f"signal {signaled}: " if signaled else ""
        self.tell(Verdict(mutant, what + (test or "it cannot be made") if status else None))

    def _judge(self, mutant: Mutant, items: dict[str, pytest.Item], answer: Path) -> int:
        """Run the tests on a mutant, in its own process; return 1 when one fails, whose name is in *answer*."""
        mutant.apply()
        return self._run([items[name] for name in self._order(mutant, list(items)) if name in items], answer)

    def _order(self, mutant: Mutant, all_: list[str]) -> list[str]:
        """Return the names of the tests for a mutant, those first that may notice it soonest."""
        first = [name for name in all_ if f"[{mutant.owner}]" in name or f"[{mutant.owner}-" in name]
        first += self.memory.promising(mutant)
        if mutant.spot is None:
            return list(dict.fromkeys([*first, *all_]))
        running, beside = self.memory.reach.of(mutant.spot)
        running.sort(key=lambda name: self.memory.seconds.get(name, 0.0))
        reached = {*running, *beside}
        return list(dict.fromkeys([*(name for name in first if name in reached), *running, *beside]))

    def _run(self, order: list[pytest.Item], answer: Path) -> int:
        """Run tests until one fails, or the time is over; the name of the one that fails is left in *answer*."""
        end = time.process_time() + self.within
        for item, after in zip(order, [*order[1:], None], strict=True):
            if time.process_time() > end:
                return 0
            answer.write_text(item.nodeid, "utf-8")
            signal.setitimer(signal.ITIMER_PROF, TIME_FACTOR * self.memory.seconds[item.nodeid] + LEAST)
            if fails(item, after):
                return 1
        return 0

    def _measure(self, items: list[pytest.Item]) -> None:
        """Run tests without a mutant, and note their time and whether they fail."""
        if not items:
            return
        print(f"{len(items)} tests are run without a mutant, to know which fail anyway and how long each takes")
        answer, reached = self.folder / "measured", self.folder / "reached"

        def work() -> int:
            watch = Watch(self.memory.reach.texts)
            with answer.open("w", encoding="utf-8") as lines:
                for number, (item, after) in enumerate(zip(items, [*items[1:], None], strict=True)):
                    if number % FROZEN == 0:  # what is watched grows, and tests that collect would look through it
                        gc.collect()
                        gc.freeze()
                    began = time.process_time()
                    with watch.during(item.nodeid):
                        failed = fails(item, after)
                    print(json.dumps([item.nodeid, round(time.process_time() - began, 3), failed]), file=lines)
            reached.write_text(json.dumps(watch.lines()), "utf-8")
            return 0

        _, status = os.waitpid(_forked(work, answer), 0)
        if status:
            raise RuntimeError(f"the tests end with {status}, without any mutant")
        for line in answer.read_text("utf-8").splitlines():
            name, seconds, failed = json.loads(line)
            self.memory.seconds[name] = seconds
            self.memory.failing = [other for other in self.memory.failing if other != name] + [name] * failed
        found = json.loads(reached.read_text("utf-8"))
        lines = {file: {int(line): by for line, by in of.items()} for file, of in found.items()}
        self.memory.reach.add([item.nodeid for item in items], lines)
        self.memory.write_reach()
        self.memory.write()


def _forked(work: Callable[[], int], answer: Path) -> int:
    """Do some work in another process, with caches and folders of its own; what it returns is the exit status."""
    own = answer.with_name(f"{answer.name}.tmp")
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    status = 3
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        (own / "cache").mkdir(parents=True, exist_ok=True)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.environ |= {"PYTEST_DEBUG_TEMPROOT": str(own), "XDG_CACHE_HOME": str(own / "cache")}
        status = work()
        shutil.rmtree(own, ignore_errors=True)
    finally:
        os._exit(status)


def judge(
    mutants: list[Mutant],
    tests: list[str],
    memory: Memory,
    jobs: int,
    tell: Callable[[Verdict], None],
    folder: Path,
    within: float = inf,
) -> None:
    """Judge mutants with the tests of some files and folders, each *within* so many seconds.

    Raises:
        RuntimeError: The tests cannot be run.
    """
    judging = Judge(mutants, memory, jobs, tell, folder, within)
    options = ["-q", "-p", "no:cacheprovider", "-p", "xdist", "-n", "0", "--capture=sys", "--assert=plain"]
    options += ["--continue-on-collection-errors", *tests]
    pytest.main(options, plugins=[judging])
    if judging.problem:
        raise RuntimeError(judging.problem)
