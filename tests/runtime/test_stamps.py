"""A save is stamped with the content that was loaded, whatever stands on the disk by now."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import pytest

import patolli
from patolli.language.packs.archive_writer import build_archive
from patolli.run.runtime.saves import SaveError

SMALL = Path(__file__).parents[2] / "content" / "tic_tac_toe"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return copytree(SMALL, tmp_path / "tic_tac_toe")


def edited(file: Path) -> None:
    file.write_text(file.read_text() + "# another rule\n")


def test_a_rule_is_edited_while_a_match_is_open(pack):
    rules = patolli.load(str(pack))
    match, before = rules.start(2, 1), rules.content_hash
    rules_file = pack / "rules.yaml"
    rules_file.write_text(rules_file.read_text().replace("gain 1 point", "gain 0 point"))
    match.choose(0)
    save = match.to_json()

    assert rules.content_hash == before == json.loads(save)["content"]
    assert rules.restore(save) == match
    with pytest.raises(SaveError, match=r"the content has changed since the save: rules/match plays differently"):
        patolli.load(str(pack)).restore(save)


@pytest.mark.parametrize("change", ["new", "gone", "manifest"])
def test_other_changes_on_the_disk(pack, change):
    rules = patolli.load(str(pack))
    save = rules.start(2, 1).to_json()
    if change == "new":
        (pack / "more.yaml").write_text("document: rules\nfunctions: {more(): 1}\n")
    elif change == "gone":
        (pack / "rules.yaml").unlink()
    else:
        edited(pack / "pack.yaml")

    assert rules.start(2, 1).to_json() == save
    assert rules.restore(save).to_json() == save


def test_an_archive_that_is_replaced(pack, tmp_path):
    packed = build_archive(str(pack))
    archive = tmp_path / packed.name
    archive.write_bytes(packed.data)
    rules, folder = patolli.load(str(archive)), patolli.load(str(pack))
    save = rules.start(2, 1).to_json()
    archive.unlink()

    assert rules.content_hash == folder.content_hash
    assert rules.restore(save).to_json() == save


def test_what_only_shows_does_not_count(pack):
    before = patolli.load(str(pack)).content_hash
    panels = [file for file in pack.rglob("*.yaml") if "document: panels" in file.read_text()]
    assert panels
    edited(panels[0])
    assert patolli.load(str(pack)).content_hash == before
    edited(pack / "rules.yaml")
    assert patolli.load(str(pack)).content_hash != before
