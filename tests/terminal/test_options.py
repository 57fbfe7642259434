"""Lines of options that are longer than the screen is wide."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from sitting import sit

import patolli

WORDS = "worship for the Discovery tile of waived cocoa at the worship space of the Gold Deposits"
RULES = f"""\
document: rules
rules:
  match: |
    choose one "What now?":
      "{WORDS}": gain 1 coin
      "nothing": gain 2 coin
    end match
result: {{score: coin}}
"""


@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_word_of_an_option_is_lost(tmp_path, width):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: long\nversion: 1.0.0\nlanguage: 1\ntitle: Long\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters:\n  coin: {per: player, max: 9, text: Coins}\n")
    (tmp_path / "rules.yaml").write_text(RULES)
    shown = sit(patolli.load(str(tmp_path)), [], "human", width=width).asked[0]
    listed = shown.partition("What now?\n")[2].partition("\n  2 ")[0]

    assert " ".join(listed.split()) == f"1 {WORDS} +1 coins"
    assert max(map(cell_len, shown.splitlines())) <= width
