"""The measure of the checker: clean packs, and mistakes of every kind."""

from __future__ import annotations

from random import Random

import pytest
from recall import KINDS, SETS, measure, read

from patolli.packs.discovery import shipped


@pytest.mark.parametrize("name", ["city_of_gods", "founders"])
def test_misspelt_words_are_found(name):
    kinds = ["name misspelt", "fact or field misspelt", "word of the language misspelt", "= for =="]
    scores = dict(measure(name, 6, 2, kinds))
    assert list(scores) == kinds
    for what, score in scores.items():
        assert score.planted == score.reported == score.placed == 6, (what, score.missed)


@pytest.mark.parametrize("name", ["patolli", "breakthrough"])
def test_mistakes_in_thinking_are_found(name):
    """Small packs, in which each of them is found, as many as fit."""
    for what, score in measure(name, 2, 5, list(SETS["likely"])):
        assert score.reported == score.planted, (what, score.missed)


def test_what_is_not_reported_is_given_to_the_scenarios():
    ((_, score),) = measure("tic_tac_toe", 3, 2, ["a number one higher"], scenarios=True)

    assert (score.planted, score.reported, score.noticed) == (3, 0, 2), score.missed


def test_pack_with_a_finding_is_not_measured(tmp_path, monkeypatch):
    monkeypatch.setattr("recall.shipped", lambda: tmp_path)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "pack.yaml").write_text("document: pack\n", "utf-8")
    with pytest.raises(ValueError, match="bad is not clean"):
        next(measure("bad", 1, 1))


@pytest.mark.parametrize("what", KINDS)
def test_every_kind_changes_something(what):
    files = [
        read(path) for path in sorted((shipped() / "city_of_gods").glob("*/*.yaml")) if "scenarios" not in path.parts
    ]
    slips = [(file, slip) for file in files if (slip := KINDS[what](file, Random(3))) is not None]
    assert any(file.text[slip.start : slip.end] != slip.new for file, slip in slips)
