"""At a real terminal, by typed text alone: how a match is left, and two windows. ``test_recorded`` plays whole ones."""

from __future__ import annotations

import os

import pytest
from ptys import Terminal, play
from tiers import few

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of Unix")


def test_turns_are_confirmed_by_keyboard():
    with Terminal(["play", "connect_four", "--seed", "2", "--confirm"]) as terminal:
        typed = play(terminal, 500)

        assert terminal.code == 0
        assert terminal.text.count("Enter ends your turn") == typed // 2


@pytest.mark.parametrize(
    ("key", "code"), few([pytest.param(b"\x03", 130, id="Ctrl-C"), pytest.param(b"\x04", 0, id="Ctrl-D")], 0)
)
def test_nothing_is_lost_when_the_match_is_left(tmp_path, key, code):
    file = tmp_path / "match.json"
    with Terminal(["play", "tic_tac_toe", "--seed", "1", "--save", file]) as terminal:
        terminal.wait()
        terminal.type("b2")
        left = terminal.press(key)

        assert terminal.code == code
        assert "The match is saved in" in left
    with Terminal(["play", "tic_tac_toe", "--save", file]) as terminal:
        assert " X " in terminal.wait()


@pytest.mark.deep
def test_two_windows_on_one_match(tmp_path):
    file = tmp_path / "match.json"
    call = ["play", "tic_tac_toe", "--seed", "1", "--seat", "all=human", "--save", file]
    with Terminal(call) as one, Terminal(call) as two:
        one.wait()
        one.type("b2")
        two.wait()
        one.type("a1")
        shown = two.type("c3")
        assert "another window has continued" in " ".join(shown.split())
        assert "the match continues from" in " ".join(two.type("reload").split())
        two.type("quit")
        one.type("quit")

    assert sorted(path.name for path in tmp_path.iterdir() if path.suffix == ".json") == ["match-2.json", "match.json"]
