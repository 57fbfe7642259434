"""A missing ``|`` of a text of several lines is reported, however YAML stumbles over it."""

from __future__ import annotations

import pytest

from patolli.author.workspace import inspect

HEAD = "document: pack\nid: p\nversion: 1.0.0\nlanguage: 2\ntitle: P\n"
FORGOTTEN = {
    "lines of a rule": ("P0101", "  match:\n    gain 1 coin\n    end match\n"),
    "lines of do": ("P0101", "  match:\n    do:\n      gain 1 coin\n      end match\n"),
    "a loop": ("P0052", '  match:\n    do:\n      loop:\n        choose one:\n          "end": end match\n'),
    "an if": ("P0052", "  match:\n    do:\n      if coin > 2: gain 1 coin\n"),
    "a block, then a line": ("P0038", "  match:\n    do:\n      for p in players: gain 1 coin\n      end match\n"),
    "a line, then a block": ("P0031", "  match:\n    do:\n      gain 1 coin\n      for p in players: gain 1 coin\n"),
}


@pytest.mark.parametrize(("code", "rule"), FORGOTTEN.values(), ids=FORGOTTEN)
def test_forgotten_bar(tmp_path, code, rule):
    (tmp_path / "pack.yaml").write_text(HEAD)
    (tmp_path / "model.yaml").write_text("document: model\ncounters: {coin: {per: player}}\n")
    (tmp_path / "rules.yaml").write_text(f"document: rules\nresult: {{score: coin}}\nrules:\n{rule}")
    found = inspect(str(tmp_path)).problems

    assert [problem.code for problem in found] == [code]
    assert "write '|' after the colon" in (found[0].help or "")


def test_a_value_on_the_line_of_its_key_needs_no_bar(tmp_path):
    (tmp_path / "pack.yaml").write_text(HEAD.replace("title: P", "title: P: Q"))
    found = inspect(str(tmp_path)).problems

    assert "'|'" not in (found[0].help or "")
