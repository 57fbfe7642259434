"""What tests of the command line share: a runner, and a small pack that can be broken."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from patolli.cli import main
from patolli.language.packs import discovery

MANIFEST = """\
document: pack
id: purse
version: 1.0.0
language: 1
proofs: full
title: Purse
authors: [Tests]
text: Players fill their purses.
players: {min: 2, max: 3}
options:
  goal: {range: [1, 9], default: 6, text: Coins that end the match.}
"""
MODEL = "document: model\ncounters:\n  coin: {per: player, text: Coins, source: assumed}\n"
RULES = """\
document: rules
rules:
  match:
    text: Take coins in turn.
    do: |
      loop:
        choose n in 1..3 "How many?"
        gain n coin
        if coin >= goal: end match
        pass to next(me)
result:
  score: coin
"""

Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    """Run ``patolli`` with some arguments."""

    def call(*arguments: str, input: str | None = None) -> Result:
        return CliRunner().invoke(main, [str(a) for a in arguments], input=input, catch_exceptions=False)

    return call


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder for packs of a user who has none yet; no pack comes with the program."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("PATOLLI_PATH", raising=False)
    monkeypatch.setattr(discovery, "find_content_folder", lambda: tmp_path / "bundled")
    return tmp_path / "data" / "patolli" / "packs"


@pytest.fixture
def purse(tmp_path: Path) -> Path:
    """Write a small pack without problems and return its folder."""
    folder = tmp_path / "purse"
    folder.mkdir()
    (folder / "pack.yaml").write_text(MANIFEST)
    (folder / "model.yaml").write_text(MODEL)
    (folder / "rules.yaml").write_text(RULES)
    return folder


@pytest.fixture
def fragile(purse: Path) -> Path:
    """The same pack; its rules fail during a match."""
    (purse / "rules.yaml").write_text(RULES.replace("gain n coin", "gain n + size([x in 1..4000000 * coin]) coin"))
    return purse
