"""The first turns of every shipped game as they were recorded at a real terminal, narrow and wide.

A stranger should be able to follow them. ``PATOLLI_GOLDEN=write`` keeps them anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from calls import call
from ptys import Terminal, frames, play

FRAMES = Path(__file__).parent / "frames"
SIZES = ((80, 24), (140, 50))
GAMES = {
    "tic_tac_toe": (["tic_tac_toe"], 8),
    "connect_four": (["connect_four"], 5),
    "breakthrough": (["breakthrough"], 4),
    "patolli": (["patolli"], 5),
    "city_of_gods": (["city_of_gods", "--with", "first_game", "--players", "3"], 7),
    "city_of_gods_solo": (["city_of_gods", "--with", "solo", "--with", "first_game"], 6),
    "founders": (["founders"], 8),
}
"""For each game: the call, and how often something is typed."""


@pytest.fixture(autouse=True)
def _own_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of Unix")
@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_match_looks_as_it_was_recorded(tmp_path, game, width, height):
    words, number = GAMES[game]
    file = tmp_path / "match.cast"
    with Terminal(["play", *words, "--seed", "1", "--record", file], width, height) as terminal:
        play(terminal, number, 7)
        if terminal.code is None:
            terminal.type("quit")
        assert terminal.code == 0
    found, golden = frames(file), FRAMES / f"{game}-{width}x{height}.txt"
    if os.environ.get("PATOLLI_GOLDEN") == "write":
        golden.write_text(found, "utf-8")

    assert max(map(len, found.splitlines())) <= width
    assert found == golden.read_text("utf-8")


def test_recording_has_all_that_was_printed_and_typed(tmp_path):
    file = tmp_path / "match.cast"
    ended = call("play", "tic_tac_toe", "--seed", "1", "--record", file, stdin="b2\nlog\n")
    head, *events = map(json.loads, file.read_text("utf-8").splitlines())

    assert head == {"version": 2, "width": 80, "height": 25, "title": "Tic-tac-toe"}
    assert [text for _, kind, text in events if kind == "i"] == ["b2\r\n", "log\r\n"]
    printed = "".join(text for _, kind, text in events if kind == "o").replace("\r\n", "\n")
    assert printed.replace("> b2\n", "> ").replace("> log\n", "> ") == ended.out.decode()
    assert [time for time, _, _ in events] == sorted(time for time, _, _ in events)


def test_recording_that_cannot_be_begun(tmp_path):
    ended = call("play", "tic_tac_toe", "--record", tmp_path / "nowhere" / "match.cast")

    assert ended.code == 2
    assert "match.cast" in ended.lines[-1]


def test_match_goes_on_when_its_recording_cannot(tmp_path):
    file = tmp_path / "match.cast"
    ended = call(
        "play",
        "tic_tac_toe",
        "--seed",
        "1",
        "--record",
        file,
        stdin="b2\nlog\n" * 40,
        stdout=os.devnull,
        largest=10_000,
    )

    assert ended.code == 2
    assert ended.lines == [f"Error: {file} cannot be written to the end: File too large"]
