"""What a beginning demands is compiled once, however many ways lead to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from busy import calls
from packmaker import loaded

MENU = 'document: rules\nrules:\n  trade: |\n    choose one:\n      "deal": bargain()\n      "rest": nothing\n'


def offered(folder: Path, buy: str, coins: int, more: str = "") -> list[str]:
    """Return what is offered to a player with so many coins."""
    rule = "  bargain: |\n" + "".join(f"    {line}\n" for line in buy.splitlines())
    match = loaded(folder, MENU + rule + more).start(2)
    match.state[match.program.layout.counters["coin"][0]] = coins
    match.call("trade")
    return [option.label for option in match.decision.options]


def size(folder: Path, buy: str) -> int:
    """Return how many instructions a program has in which a rule begins like this."""
    rule = "  bargain: |\n" + "".join(f"    {line}\n" for line in buy.splitlines())
    space = loaded(folder, MENU + rule).program(2).space
    functions = {id(value): value for value in space.values() if hasattr(value, "__code__")}
    return sum(len(f.__code__.co_code) for f in functions.values() if f.__code__.co_filename.endswith("example.yaml"))


def branches(number: int, inside: str) -> str:
    return "let n = 0\n" + "".join(f"if coin > {i}:\n  {inside}\n" for i in range(number)) + "pay n coin"


@pytest.mark.parametrize(("coins", "possible"), [(0, True), (2, True), (3, False), (4, False)])
def test_ways_meet_again(tmp_path, coins, possible):
    """A variable that was set in a branch is looked at behind it."""
    buy = "let n = 0\nif coin > 2: set n to 9\nelse: set n to coin\npay n coin"

    assert ("deal" in offered(tmp_path, buy, coins)) == possible


@pytest.mark.parametrize(("coins", "possible"), [(0, True), (1, False), (2, False), (3, True)])
def test_choice_in_one_way_only(tmp_path, coins, possible):
    """What is behind both ways is demanded of each value of the choice, and where nothing is chosen."""
    buy = "let n = 0\nif coin > 0:\n  choose k in 3..5\n  set n to k\npay n coin"

    assert ("deal" in offered(tmp_path, buy, coins)) == possible


@pytest.mark.parametrize("inside", ["set n to n + 1", "choose k in 0..2\n  set n to n + k"], ids=["sets", "chooses"])
def test_size_grows_like_the_rule(tmp_path, inside):
    small, large = (size(tmp_path / str(n), branches(n, inside)) for n in (6, 24))

    assert large < 6 * small


def test_many_branches_start_at_once(tmp_path):
    ruleset = loaded(
        tmp_path, f"{MENU}  bargain: |\n" + "".join(f"    {x}\n" for x in branches(30, "set n to n + 1").splitlines())
    )

    assert (
        calls(lambda: ruleset.program(2)) < 1_500_000
    )  # half a million; twice as many for each further branch would never end
