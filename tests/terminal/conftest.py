"""What tests of the terminal share."""

from __future__ import annotations

import pytest

import patolli

HEADED = """\
document: rules
rules:
  match: |
    repeat 4 times: round()
    end match
  round:
    heading: "Round {day}"
    do: |
      gain 1 day
      for p in players: as p: take()
  take: |
    choose n in 1..3 "How many?"
    gain n coin
result: {score: coin}
"""


@pytest.fixture(autouse=True)
def _screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give tests without a terminal of their own one of the usual size, wherever they run."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "25")


@pytest.fixture
def headed(tmp_path) -> patolli.Ruleset:
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: headed\nversion: 1.0.0\nlanguage: 1\ntitle: Headed\nplayers: {min: 2, max: 3}\n"
    )
    (tmp_path / "model.yaml").write_text(
        "document: model\ncounters:\n  day: {max: 9, text: Days}\n  coin: {per: player, max: 30, text: Coins, noun: [coin, coins]}\n"
    )
    (tmp_path / "rules.yaml").write_text(HEADED)
    return patolli.load(str(tmp_path))
