"""Processes may be ended from outside at any time: one of several, or the one that began them."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from busy import until
from calls import call
from tiers import few

import patolli
from patolli.author.workspace.processes import TRIES, Lost, Pool
from patolli.language.diagnostics.fault import EngineFault
from patolli.measure.simulation import Plan, simulate
from patolli.measure.simulation import parallel as parallel_

FORK = multiprocessing.get_context("fork")


@pytest.fixture(scope="module")
def rules():
    return patolli.load("patolli")


def shot_at(number: int) -> int:
    """Square a number; number 3 ends its process."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def failing(number: int) -> int:
    return 1 // (number - 2)


def test_piece_that_no_process_survives_is_given_up():
    with Pool(FORK, 2, shot_at) as workers:
        found = dict(workers.run_pieces(range(20)))

    lost = found.pop(3)
    assert isinstance(lost, Lost)
    assert str(lost.strerror) == f"a process of this program was ended from outside {TRIES} times, at last by signal 9"
    assert found == {n: n * n for n in range(20) if n != 3}
    assert multiprocessing.active_children() == []


def test_process_that_has_nothing_to_do_may_be_ended_too():
    with Pool(FORK, 1, shot_at) as workers:
        assert dict(workers.run_pieces([1])) == {1: 1}
        multiprocessing.active_children()[0].kill()
        time.sleep(0.05)
        assert dict(workers.run_pieces([2])) == {2: 4}


@pytest.mark.parametrize("begin", [lambda: (), lambda: failing(2)])
def test_what_is_raised_travels(begin):
    with pytest.raises(EngineFault, match="ZeroDivisionError") as caught, Pool(FORK, 2, failing, begin) as workers:
        list(workers.run_pieces(range(4)))

    assert "in failing" in caught.value.trace
    assert multiprocessing.active_children() == []


@pytest.mark.deep
@pytest.mark.parametrize("shots", [1, 3])
def test_killed_process_changes_nothing(rules, shots):
    """What it had in hand is played again, and nothing is played twice."""
    plan = Plan(3, 60, seed=9)
    fired: list[int] = []

    def shoot(number: int) -> None:
        children = multiprocessing.active_children()
        if len(fired) < shots and children:
            fired.append(number)
            children[-1].kill()

    disturbed = simulate(rules, plan, 2, shoot, engine="python")

    assert len(fired) == shots
    assert disturbed.games == simulate(rules, plan).games
    assert disturbed.faults == []


def test_games_that_end_their_process_are_faults(rules, monkeypatch):
    play = parallel_.play_games

    def deadly(rules: object, plan: Plan, first: int, last: int, stopped: Callable[[], bool]) -> object:
        if first <= 17 < last:
            os.kill(os.getpid(), signal.SIGKILL)
        return play(rules, plan, first, last, stopped)

    monkeypatch.setattr(parallel_, "play_games", deadly)
    report = simulate(rules, Plan(2, 40, seed=1), 2, engine="python")

    assert [game.index for game in report.faults] == [17]
    assert f"ended from outside {TRIES} times" in report.faults[0].fault
    assert len(report.finished) == 39


# ---- whole commands

LONG = {
    "simulate": (
        ["simulate", "patolli", "--games", "1000000", "--jobs", "2", "--engine", "python"],
        "patolli.measure.simulation.games.playout",
    ),
    "test": (["test", "tic_tac_toe", "--jobs", "2"], "patolli.author.scenarios.suites._run"),
    "validate": (
        ["validate", "--no-cache", "tic_tac_toe", "connect_four", "breakthrough"],
        "patolli.author.workspace.pack_check.check_pack",
    ),
}


def asleep(target: str, beds: Path) -> None:
    """Let what processes do take for ever; two of them are used on every machine."""

    def sleep(*_: object, **__: object) -> None:
        (beds / str(os.getpid())).touch()
        time.sleep(100)

    module, _, name = target.rpartition(".")
    __import__(module)
    if hasattr(os, "sched_getaffinity"):
        os.sched_getaffinity = lambda _: {0, 1}
    module_ = __import__(module, fromlist=[name])
    setattr(module_, name, sleep)


def children(pid: int) -> list[int]:
    with suppress(OSError):
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def alive(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@pytest.mark.deep
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="tells which processes there are")
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize(
    "number",
    few(
        [signal.SIGKILL, signal.SIGTERM, signal.SIGINT],
    ),
    ids=lambda number: number.name,
)
def test_no_player_is_left(name, number, tmp_path):
    """However the program is ended, and in the middle of what it does, its processes end with it."""
    arguments, target = LONG[name]
    pid = os.fork()
    if pid == 0:
        ended = call(*arguments, first=lambda: asleep(target, tmp_path))
        os._exit(ended.code % 256)
    try:
        assert until(lambda: len(children(pid)) == 1)
        program = children(pid)[0]
        assert until(lambda: len(list(tmp_path.iterdir())) == 2)
        workers = [int(bed.name) for bed in tmp_path.iterdir()]
        os.kill(program, number)
        if number == signal.SIGINT and name == "simulate":
            time.sleep(0.3)
            os.kill(program, number)  # the first one lets them finish what they have in hand
        gone = until(lambda: not any(map(alive, [program, *workers])))
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    finally:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    assert gone
    assert code == (130 if number == signal.SIGINT else 256 - number)


def interrupted(target: str) -> None:
    """Press Ctrl-C when something is called."""
    module, _, name = target.rpartition(".")
    owner = (
        __import__(module, fromlist=[name]) if module.count(".") and not module.split(".")[-1][0].isupper() else None
    )
    if owner is None:
        module, _, cls = module.rpartition(".")
        owner = getattr(__import__(module, fromlist=[cls]), cls)

    def press(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(5)

    setattr(owner, name, press)


INTERRUPTED = {
    "play": (["play", "tic_tac_toe", "--seat", "all=random"], "patolli.run.runtime.match.Match.choose"),
    "play at a question": (["play", "tic_tac_toe"], "patolli.cli.play.harmless"),
    "play with a save": (["play", "tic_tac_toe", "--save", "SAVE"], "patolli.play.terminal.save_keeper.write_save"),
    "simulate alone": (["simulate", "tic_tac_toe", "--engine", "python"], "patolli.run.runtime.ruleset.Ruleset.start"),
    "validate": (["validate", "tic_tac_toe", "--no-cache"], "patolli.author.workspace.inspection.analyze"),
    "test": (["test", "tic_tac_toe"], "patolli.author.scenarios.suites.judge"),
    "test coverage": (
        ["test", "tic_tac_toe", "--coverage"],
        "patolli.author.scenarios.coverage.measure.report_coverage",
    ),
    "show": (["show", "tic_tac_toe"], "patolli.author.workspace.inspection.compose"),
    "show matrix": (["show", "city_of_gods", "--matrix"], "patolli.cli.matrix.combinations"),
    "replay": (["replay", "SAVE"], "patolli.run.runtime.ruleset.Ruleset.restore"),
    "pack list": (["pack", "list"], "patolli.language.packs.manifest.read_pack"),
    "pack build": (["pack", "build", "tic_tac_toe"], "patolli.language.packs.archive_writer.build_archive"),
    "new": (["new", "pack", "fresh", "--in", "HERE"], "patolli.cli.new.write_whole"),
    "schema": (["schema", "HERE/schemas"], "patolli.cli.schema.write_whole"),
    "fmt": (["fmt", "HERE"], "patolli.cli.fmt.files"),
}


@pytest.mark.parametrize("name", few(INTERRUPTED, 0, 6, 12))
def test_interrupted(name, tmp_path):
    arguments, target = INTERRUPTED[name]
    save = tmp_path / "save.json"
    save.write_text(patolli.load("tic_tac_toe").start(2, 1).to_json())
    before = save.read_text()
    words = [word.replace("HERE", str(tmp_path)).replace("SAVE", str(save)) for word in arguments]
    ended = call(*words, stdin="b2\n", first=lambda: interrupted(target))

    assert (ended.code, ended.err) == (130, "\n")
    assert json.loads(save.read_text()) == json.loads(before)
    assert [path for path in tmp_path.rglob("*") if path.name.endswith(".part")] == []


def warn(piece):
    warnings.warn("one thing", UserWarning, stacklevel=1)
    return piece


def test_warnings_of_other_processes_are_given_by_this_one():
    with pytest.warns(UserWarning, match="one thing") as given, Pool(FORK, 1, warn) as workers:
        assert sorted(result for _, result in workers.run_pieces([1, 2, 3])) == [1, 2, 3]

    assert len(given) == 1
