"""The measure of the checker: clean packs, and mistakes of every kind."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest
from no_mistakes import NO_MISTAKES, why_no_mistake
from recall import KINDS, SETS, main, measure, read

from patolli.author.workspace import inspect
from patolli.language.packs.discovery import find_content_folder

pytestmark = pytest.mark.deep


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

    assert (score.planted, score.reported, score.noticed) == (3, 1, 2), score.missed


def test_table_says_what_the_checker_finds_and_what_the_scenarios_find_besides(capsys, monkeypatch):
    call = "recall tic_tac_toe breakthrough --each 3 --seed 2 --kind".split()
    monkeypatch.setattr("sys.argv", [*call, "a number one higher", "--scenarios"])

    main()

    out = capsys.readouterr().out
    assert "| by the checker | with scenarios |" in out
    assert "| a number one higher | 3 | 1 (33%) | 3 (100%) | 1 (33%) | 1 (33%) | 0 |" in out
    assert "all packs, 3 of each kind" in out


@pytest.mark.parametrize("one", NO_MISTAKES, ids=lambda one: f"{one.pack}: {one.new.strip()}")
def test_what_is_no_mistake_is_in_the_content_and_accepted(one, tmp_path):
    """What it is about is there just once, and the checker has nothing to say of what it becomes."""
    text = (find_content_folder() / one.pack / one.file).read_text("utf-8")
    assert text.count(one.old) == 1
    assert why_no_mistake(one.pack, one.file, text, text.replace(one.old, one.new)) == one.why
    assert why_no_mistake(one.pack, one.file, text, text.replace(one.old, one.new + "x")) == ""
    pack = Path(shutil.copytree(find_content_folder() / one.pack, tmp_path / one.pack))
    (pack / one.file).write_text(text.replace(one.old, one.new), "utf-8")
    assert inspect(str(pack)).problems == []


def test_what_is_no_mistake_is_counted_apart(monkeypatch):
    text = (find_content_folder() / "tic_tac_toe" / "rules.yaml").read_text("utf-8")
    monkeypatch.setattr("recall.why_no_mistake", lambda pack, file, before, after: "so it is" if before == text else "")

    ((_, score),) = measure("tic_tac_toe", 4, 1, ["name misspelt"])

    assert (score.planted + score.harmless, score.reported) == (4, score.planted)
    assert len(score.reasons) == score.harmless > 0
    assert all(words.endswith("=> so it is") for words in score.reasons)


def test_pack_with_a_finding_is_not_measured(tmp_path, monkeypatch):
    monkeypatch.setattr("recall.find_content_folder", lambda: tmp_path)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "pack.yaml").write_text("document: pack\n", "utf-8")
    with pytest.raises(ValueError, match="bad is not clean"):
        next(measure("bad", 1, 1))


@pytest.fixture(scope="module")
def files():
    paths = sorted((find_content_folder() / "city_of_gods").glob("*/*.yaml"))
    return [read(path) for path in paths if "scenarios" not in path.parts]


@pytest.mark.parametrize("what", KINDS)
def test_every_kind_changes_something(files, what):
    slips = [(file, slip) for file in files if (slip := KINDS[what](file, Random(3))) is not None]
    assert any(file.text[slip.start : slip.end] != slip.new for file, slip in slips)
