"""Faults that were found in content: spots beyond a row, and a moved piece that reads differently afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import load
from patolli.language.diagnostics import ContentError

PACK = "document: pack\nid: small\nversion: 1.0.0\nlanguage: 1\ntitle: S\nauthors: [x]\ntext: x\nplayers: {min: 1, max: 1}\n"
MODEL = """document: model
kinds:
  card: {facts: {number: int}}
counters:
  point: {per: player, text: Points}
places:
  deck: {of: card, type: pile}
  shelf: {of: card, type: row, size: 3}
  other: {of: card, type: row, size: 3}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 6, number: copy}\n"


def small(tmp_path: Path, rules: str):
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in (
        ("pack", PACK),
        ("model", MODEL),
        ("cards", PIECES),
        ("rules", f"document: rules\nrules:\n{rules}"),
    ):
        (folder / f"{name}.yaml").write_text(text)
    return load(str(folder))


@pytest.mark.parametrize("index", [3, 5, -1])
def test_spot_beyond_a_row_is_refused(tmp_path, index):
    text = f"  match: |\n    let i = 0 + {index}\n    let n = i\n    let c = top(deck)\n    if c and not shelf(n): move c to shelf(n)\n"
    with pytest.raises(ContentError) as caught:
        small(tmp_path, text)

    assert [(p.code, p.span.line, p.span.column) for p in caught.value.problems] == [("P0415", 7, 24), ("P0415", 7, 44)]


@pytest.mark.parametrize("index", [3, 5, -1])
def test_spot_beyond_a_row_is_a_fault_where_nothing_is_proven(tmp_path, index):
    """What a scenario gives is typed, and that is all."""
    small(tmp_path, "  match: |\n    choose n in 1..2\n    gain n point\n")
    scenario = f"  far: {{call: 'move card_1 to shelf(point + {index})', fails: no spot {index} in a row of 3}}\n"
    (tmp_path / "small" / "scenarios.yaml").write_text(f"document: scenarios\nscenarios:\n{scenario}")

    assert [outcome.is_passed for outcome in run_scenarios(Plan((str(tmp_path / "small"),))).outcomes] == [True]


def test_narration_names_the_piece_that_was_moved(tmp_path):
    rules = small(
        tmp_path,
        "  match: |\n    if top(deck) and not shelf(0): move top(deck) to shelf(0)\n    choose n in 1..2\n    gain n point\n",
    )
    assert rules.start(1, narrate=True).log == ["Card 6 goes to the shelf, spot 1"]
