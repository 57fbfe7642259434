"""Fewer lines at a screen: what comes of one act is read at once."""

from __future__ import annotations

import re

import pytest

from patolli.play.terminal.short_log import shorten_lines
from patolli.run.runtime.match_story import Line

NAMES = ("player 1", "player 2")


def lines(*told: str) -> list[Line]:
    """Lines as they are reported: a colon behind a player makes it an answer, one at the end a heading."""
    found = []
    for at, words in enumerate(told, 1):
        answer = re.match(r"Player \d(:| has decided)", words)
        kind = "heading" if words.endswith(":") else "answer" if answer else "change"
        seat = int(words[len("Player ")]) - 1 if words.startswith("Player ") and kind != "heading" else -1
        found.append(Line(1, kind, seat, words.removesuffix(":"), at if kind == "answer" else 7))
    return found


@pytest.mark.parametrize(
    ("told", "read"),
    [
        pytest.param(
            ["Player 2: go to A1", "Player 2: 3 disks", "Player 1: pass"],
            ["Player 2: go to A1, 3 disks", "Player 1: pass"],
            id="answers of one player",
        ),
        pytest.param(
            ["Player 2: a hut, then rest", "Player 2: wood"], ["Player 2: a hut, then rest; wood"], id="with commas"
        ),
        pytest.param(
            ["Player 2: build", "Player 2: red hut", "Player 2: at d4", "Player 2 builds the red hut: bar at d4"],
            ["Player 2: build", "Player 2 builds the red hut: bar at d4"],
            id="answers that the next line says",
        ),
        pytest.param(
            ["Player 2: wood", "Player 2 gains 2 wood"], ["Player 2 gains 2 wood"], id="the only answer is said"
        ),
        pytest.param(["Player 2: d4", "Day 4:"], ["Player 2: d4", "Day 4"], id="a heading says no answer"),
        pytest.param(
            ["Player 2: dig", "Player 2 loses 1 wood", "Player 2 gains 1 stone"],
            ["Player 2: dig", "Player 2 loses 1 wood and gains 1 stone"],
            id="one for the other",
        ),
        pytest.param(
            ["Player 2 pays 1 wood for the hut", "Player 2 gains 1 stone"],
            ["Player 2 pays 1 wood for the hut", "Player 2 gains 1 stone"],
            id="what has a cause stands alone",
        ),
        pytest.param(
            ["Player 2 loses 1 wood", "Player 1 gains 1 stone"],
            ["Player 2 loses 1 wood", "Player 1 gains 1 stone"],
            id="two players",
        ),
        pytest.param(
            ["Player 2 has decided", "Player 2: hut", "Player 1 has decided", "Player 2: pass"],
            ["Player 2: hut", "Player 1 has decided", "Player 2: pass"],
            id="decided in secret, and then not",
        ),
        pytest.param([], [], id="nothing"),
    ],
)
def test_lines_are_fewer(told, read):
    assert [line.words for line in shorten_lines(lines(*told), NAMES)] == read


def test_line_of_several_answers_belongs_to_the_last():
    found = shorten_lines(lines("Player 2: dig", "Player 2: wood", "Player 1: rest"), NAMES)

    assert [(line.at, line.seat, line.kind) for line in found] == [(2, 1, "answer"), (3, 0, "answer")]
