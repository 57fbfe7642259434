"""A rule that may be left early: the effects after that are still part of its beginning."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load

PACK = "document: pack\nid: small\nversion: 1.0.0\nlanguage: 1\ntitle: S\nauthors: [x]\ntext: x\nplayers: {min: 1, max: 1}\n"
MODEL = "document: model\ncounters:\n  coin: {per: player, text: Coins}\n  flag: {text: Flag}\n  point: {per: player, text: P}\n"
RULES = """document: rules
rules:
  match: |
    loop:
      choose one:
        "buy": buy()
        "wait": gain 1 point
        "end": end match
  buy: |
    {early}
    pay 1 coin
    gain 1 point
invariants:
  solvent: all(coin(p) >= 0 for p in players)
"""


@pytest.mark.parametrize(
    "early",
    ["if flag == 1: stop", "stop if flag == 1", "if flag == 0: nothing\n    else: stop", "stop unless flag == 0"],
)
def test_payment_behind_an_early_end_is_looked_at(tmp_path, early):
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", RULES.replace("{early}", early))):
        (folder / f"{name}.yaml").write_text(text)
    match = load(str(folder)).start(1)
    assert [option.label for option in match.decision.options] == ["wait", "end"]
