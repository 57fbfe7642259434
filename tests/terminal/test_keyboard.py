"""Full matches at a real terminal, by typed text alone: a player who sees no more than what is printed."""

from __future__ import annotations

import os
import re

import pytest
from ptys import Terminal, play

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of Unix")


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize(
    ("words", "sheet"),
    [
        pytest.param(["tic_tac_toe"], False, id="tic_tac_toe"),
        pytest.param(["connect_four"], False, id="connect_four"),
        pytest.param(["breakthrough"], False, id="breakthrough"),
        pytest.param(["patolli"], True, id="patolli"),
        pytest.param(["city_of_gods"], True, id="city_of_gods"),
        pytest.param(["city_of_gods", "--with", "solo"], True, id="city of gods alone"),
        pytest.param(["founders"], True, id="founders"),
        pytest.param(["founders", "--with", "founders_solo"], True, id="founders alone"),
    ],
)
def test_full_match_by_keyboard(words, sheet):
    with Terminal(["play", *words, "--seed", "2"]) as terminal:
        play(terminal, 1000)

        assert terminal.code == 0
        assert re.search(r"^(player \d wins|.* share the win|Nobody wins)\.$", terminal.text, re.M)
        assert _totals(terminal.text) == (_scores(terminal.text) if sheet else [])


def _scores(text: str) -> list[str]:
    """What stands under "score" on the last screen, by seat; nothing in a game without points."""
    last = text.rpartition("╭─ Scores ─")[2].partition("╰")[0]
    return [score for _, score in sorted(re.findall(r"^│ player (\d) .*?(-?\d+)  (?:wins)? *│", last, re.M))]


def _totals(text: str) -> list[str]:
    """The last line of the sheet that says where the points came from."""
    found = re.search(r"^│ Total +│(.*)│$", text, re.M)
    return [total.strip() for total in found[1].split("│")] if found else []


def test_turns_are_confirmed_by_keyboard():
    with Terminal(["play", "connect_four", "--seed", "2", "--confirm"]) as terminal:
        typed = play(terminal, 500)

        assert terminal.code == 0
        assert terminal.text.count("Enter ends your turn") == typed // 2


@pytest.mark.parametrize(
    ("key", "code"), [pytest.param(b"\x03", 130, id="Ctrl-C"), pytest.param(b"\x04", 0, id="Ctrl-D")]
)
def test_nothing_is_lost_when_the_match_is_left(tmp_path, key, code):
    file = tmp_path / "match.json"
    with Terminal(["play", "tic_tac_toe", "--seed", "1", "--save", file]) as terminal:
        terminal.wait()
        terminal.type("b2")
        left = terminal.press(key)

        assert terminal.code == code
        assert "The match is kept in" in left
    with Terminal(["play", "tic_tac_toe", "--save", file]) as terminal:
        assert " X " in terminal.wait()


def test_two_windows_on_one_match(tmp_path):
    file = tmp_path / "match.json"
    call = ["play", "tic_tac_toe", "--seed", "1", "--seat", "all=human", "--save", file]
    with Terminal(call) as one, Terminal(call) as two:
        one.wait()
        one.type("b2")
        two.wait()
        one.type("a1")
        shown = two.type("c3")
        assert "another window has gone on with" in " ".join(shown.split())
        assert "the match goes on as it stands" in " ".join(two.type("reload").split())
        two.type("quit")
        one.type("quit")

    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".json") == ["match-2.json", "match.json"]
