"""What happened since a player looked last: one compact block above the question."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from sitting import sit

import patolli
from patolli.play.terminal.short_log import shorten_lines
from patolli.run.compiler.layout import SEED


@pytest.fixture(scope="module")
def city() -> patolli.Ruleset:
    return patolli.load("city_of_gods", ["first_game"])


def screen(asked: str, height: int) -> str:
    """The last screenful."""
    return "\n".join(asked.split("\n")[-height:])


def test_bots_have_a_block_each(headed):
    sat = sit(headed, ["a"], "human greedy greedy")

    assert (
        "    You gain 1 coin\n"
        "    Player 2 gains 3 coins\n"
        "    Player 3 gains 3 coins\n"
        "  Round 1\n    Days rise to 2\n\nYou "
    ) in sat.asked[1]


def test_what_came_before_the_first_question_is_reported(headed):
    sat = sit(headed, ["a"])

    assert "  Round 0\n    Days rise to 1\n\nYou " in sat.asked[0]


def test_bots_alone_are_reported_as_in_the_log(headed):
    """Every line stands as far in as its headings say, no matter who decided."""
    sat = sit(headed, [], "greedy greedy")
    told = headed.replay(2, sat.session.match.state[SEED], sat.session.match.choices, narrate=True).telling()

    lines = shorten_lines(told, sat.session.match.names)
    assert "\n".join("  " * (line.level + (line.kind != "heading")) + line.words for line in lines) in sat.text


def test_what_came_first_is_left_out_where_there_is_no_room():
    """Short turns one after the other: the last of them are reported, and no heading stands alone."""
    sat = sit(patolli.load("patolli"), ["1"] * 12, in_front=True, height=16)
    cut = [asked for asked in sat.asked if "  ... earlier: 'log'\n" in asked]

    assert cut
    for asked in cut:
        told = asked.partition("  ... earlier: 'log'\n")[2].partition("\nYou ")[0].rstrip().split("\n")
        heads = [line.endswith("'s turn") for line in told]
        assert not heads[-1]
        assert not any(one and other for one, other in pairwise(heads))
        assert "... 1 more" not in asked


def test_quiet_tells_nothing_of_bots(headed):
    sat = sit(headed, ["a"], "human greedy greedy", quiet=True)

    assert "You gain 1 coin" in sat.text
    assert "Player 2" not in sat.text
    assert "Player 3" not in sat.text


@pytest.mark.deep
@pytest.mark.parametrize("height", [16, 24])
def test_what_changed_and_what_is_asked_are_on_the_last_screenful(city, height):
    sat = sit(city, ["1"] * 30, "human greedy greedy", in_front=True, height=height)
    long = [asked for asked in sat.asked[1:] if "... " in asked]

    assert long
    for asked in sat.asked[1:]:
        if asked.endswith("Enter continues> "):
            continue  # the boards on a screen of their own; the question comes next
        last = screen(asked, height)
        assert "You " in last, last
        assert re.search("Player|You", last.partition("\n\nYou ")[0]) or "\n\nYou " not in last, last


@pytest.mark.deep
def test_what_finds_no_room_is_found_by_log(city):
    sat = sit(city, ["1"] * 30, "human greedy greedy", in_front=True, height=16)
    cut = [line.strip() for asked in sat.asked for line in asked.split("\n") if line.endswith(": 'log'")]

    assert cut
    assert all(line.startswith("... ") for line in cut)
