"""A value that stands behind ``or`` is looked at only where the one before it is none."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import MatchError

PACK = "document: pack\nid: small\nversion: 1.0.0\nlanguage: 1\ntitle: S\nauthors: [x]\ntext: x\nplayers: {min: 1, max: 1}\n"
MODEL = "document: model\nkinds:\n  tile: {text: Tile}\nplaces:\n  here: {of: tile, type: area}\n  there: {of: tile, type: area}\n"
PIECES = "document: pieces\nkind: tile\nplace: {place}\npieces:\n  red_tile: {{text: Red}}\n"
RULES = """document: rules
rules:
  match: |
    let found = first(x in here) or first(x in there where size([n in 1..9000000]) > 0)
    say "found" found
    end match
"""


def play(tmp_path, place):
    folder = tmp_path / "small"
    folder.mkdir()
    documents = (("pack", PACK), ("model", MODEL), ("pieces", PIECES.format(place=place)), ("rules", RULES))
    for name, text in documents:
        (folder / f"{name}.yaml").write_text(text)
    return load(str(folder)).start(1)


def test_second_value_is_not_looked_at_when_there_is_a_first_one(tmp_path):
    assert play(tmp_path, "here").over


def test_second_value_is_looked_at_otherwise(tmp_path):
    with pytest.raises(MatchError, match="too long"):
        play(tmp_path, "there")
