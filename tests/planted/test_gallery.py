"""Mistakes of a person in the games of the gallery: the checker tells them well, or else a scenario fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tiers import few

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import inspect
from patolli.language.packs.discovery import find_content_folder

MISTAKES = YAML(typ="safe").load((Path(__file__).parent / "gallery.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    "mistake",
    few(MISTAKES, 0, 7, 14, 21, 28, 35, 42, 49, 56, 63, deep=20),
    ids=lambda one: f"{one['file'].partition('/')[0]}: {one['what']}",
)
def test_mistake_is_found(mistake, tmp_path):
    pack = mistake["file"].partition("/")[0]
    shutil.copytree(find_content_folder() / "gallery" / pack, tmp_path / pack)
    file = tmp_path / mistake["file"]
    text = file.read_text("utf-8")
    assert mistake["old"] in text
    file.write_text(text.replace(mistake["old"], mistake["new"], 1), "utf-8")

    found = inspect(str(tmp_path / pack)).problems
    if "fails" in mistake:
        assert [(one.code, one.message) for one in found] == []
        result = run_scenarios(Plan((str(tmp_path / pack),), smoke=False))
        assert mistake["fails"] in {outcome.name.partition("::")[2] for outcome in result.failed_outcomes}
    else:
        first = found[0]
        assert (first.code, first.message, first.help) == (mistake["code"], mistake["says"], mistake["helps"])


def test_there_are_many_and_each_is_another_one():
    assert len({(one["file"], one["old"], one["new"]) for one in MISTAKES}) == len(MISTAKES) >= 60
    assert len({one["file"].partition("/")[0] for one in MISTAKES}) >= 9
