"""The tool that measures the search takes a budget where it uses one, and nowhere else."""

from __future__ import annotations

import sys

import pytest

import search


def called(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["search.py", *words])
    search.main()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("double tic_tac_toe --budget 4 --rungs 2", ["8 against 4", "16 against 8"]),
        ("double tic_tac_toe --budget 2ms --rungs 2", ["4ms against 2ms", "8ms against 4ms"]),
        ("double tic_tac_toe --simulations 4 --rungs 1", ["8 against 4"]),
        ("greedy tic_tac_toe --budget 2ms", ["2ms against greedy"]),
    ],
)
def test_a_budget_is_what_is_measured(monkeypatch, capsys, words, said):
    called(monkeypatch, *words.split(), "--games", "1")
    lines = capsys.readouterr().out.splitlines()

    assert len(lines) == len(said)
    assert all(f" {part} " in line for part, line in zip(said, lines, strict=True))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        *((f"{what} --budget 1s", f"{what} takes no --budget") for what in ("proofs", "poker", "speed", "worlds")),
        ("greedy --budget 1x", "'1x' is no budget"),
        ("greedy --budget 0", "a search needs a budget"),
    ],
)
def test_a_budget_that_would_not_be_used_is_refused(monkeypatch, capsys, words, said):
    with pytest.raises(SystemExit) as ended:
        called(monkeypatch, *words.split())

    assert ended.value.code == 2
    assert said in capsys.readouterr().err
