"""Two threads of one process play and check at the same time, as each would alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import TypeVar

import pytest
from packmaker import loaded, trigger

import patolli
from patolli.author.workspace.inspection import inspect
from patolli.kernel import budget as steps
from patolli.kernel.chance import draw_again, stream_key
from patolli.language.syntax.depth import room
from patolli.play.players import make_bot
from patolli.run.compiler.optimizer import plainly, shortens
from patolli.run.runtime import MatchError

Result = TypeVar("Result")
CONTENT = Path(__file__).resolve().parents[2] / "content"


@pytest.fixture(autouse=True)
def fast_switches() -> Iterator[None]:
    """Let threads take turns much more often than usual."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def run_together(*works: Callable[[], Result]) -> list[Result]:
    """Run functions in threads that begin at the same moment; return what they return."""
    ready = Barrier(len(works))

    def run(work: Callable[[], Result]) -> Result:
        ready.wait()
        return work()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def play(pack: str, bot: str, seeds: range) -> list[str]:
    """Play matches and return the digests of their ends."""
    rules, digests = patolli.load(pack), []
    for seed in seeds:
        match = rules.start(2, seed=seed)
        bots = [make_bot(bot, seed, seat) for seat in range(2)]
        while match.decision is not None:
            match.pick(bots[match.decision.player].decide(match))
        digests.append(match.digest())
    return digests


def test_matches_of_two_games():
    works = [lambda: play("connect_four", "greedy", range(4)), lambda: play("patolli", "greedy", range(1))]

    assert run_together(*works) == [work() for work in works]


def test_matches_of_one_game():
    works = [lambda: play("breakthrough", "random", range(20)), lambda: play("breakthrough", "random", range(20, 40))]

    assert run_together(*works) == [work() for work in works]


def test_two_packs_are_checked():
    def check(pack: str) -> list[str]:
        return [str(problem) for problem in inspect(CONTENT / pack).problems]

    works = [lambda: check("patolli"), lambda: check("connect_four")]

    assert run_together(*works) == [work() for work in works]


def test_rules_end_while_another_thread_plays(tmp_path):
    effect = "gain sum(1 for a in 1..900, b in 1..900, c in 1..9) nut"
    match = loaded(tmp_path, f"{trigger(effect)}rules: {{}}\n").start(2, 3)
    for step in ("0", "0"):
        match.choose(step)

    done = Event()

    def run_long() -> str | None:
        try:
            with steps.scarce(2_000_000), pytest.raises(MatchError) as caught:
                match.choose("earn")
        finally:
            done.set()
        return caught.value.code

    def renew_often() -> str | None:
        while not done.is_set():
            steps.renew()
        return None

    assert run_together(run_long, renew_often) == ["P0801", None]


def test_each_thread_has_a_whole_budget():
    def draw() -> None:
        steps.renew()
        for _ in range(20_000):
            steps.tick(steps.BUDGET // 30_000)

    assert run_together(draw, draw) == [None, None]


def test_turns_of_another_thread_do_not_count():
    def play_turns(seats: range) -> list[int]:
        before = steps.meter.turns.copy()
        rules = patolli.load("tic_tac_toe")
        for seed in seats:
            match = rules.start(2, seed=seed)
            for _ in range(5):
                match.pick(0)
        return [now - was for now, was in zip(steps.meter.turns, before, strict=True)]

    works = [lambda: play_turns(range(200)), lambda: play_turns(range(300))]

    assert run_together(*works) == [work() for work in works]


def test_one_thread_does_not_take_the_stack_of_another():
    usual = sys.getrecursionlimit()
    one, other = room(), room()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    deep = sys.getrecursionlimit()
    other.__exit__(None, None, None)

    assert deep >= 5_000
    assert sys.getrecursionlimit() == usual


@pytest.mark.parametrize(
    ("changed", "read"),
    [
        pytest.param(lambda: draw_again("dice"), lambda: stream_key(5, "dice"), id="a random stream"),
        pytest.param(plainly, shortens, id="optimizer passes"),
    ],
)
def test_what_one_thread_changes_for_a_while_is_as_before_in_others(changed, read):
    """A match whose dice are drawn again is beside others, and so is a program that is compiled without passes."""
    before = read()
    with ThreadPoolExecutor(1) as other, changed():
        assert read() != before
        assert other.submit(read).result() == before
    assert read() == before


def test_a_match_reports_nothing_of_one_that_another_thread_plays():
    rules = patolli.load("goofspiel")
    alone = [line.words for line in rules.start(2, seed=7, narrate=True).telling()]
    match = rules.start(2, seed=8, narrate=True)
    reported = match.program.events
    reported.append(("said", -1, "in the middle of a choice", ()))  # as when threads take turns
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(lambda: [line.words for line in rules.start(2, seed=7, narrate=True).telling()]).result()

    assert beside == alone
    assert [event[2] for event in reported] == ["in the middle of a choice"]
