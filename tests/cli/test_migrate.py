"""A pack is lifted to a later version of the language: what that takes as a word gets another name, everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import patolli
from patolli.cli.main import main
from patolli.language.packs.discovery import find_content_folder
from patolli.language.syntax import words as vocabulary

TAKEN = ("ahead", "pawns", "a", "point")
"""Names of a function, a counter, a variable and the score, taken as if the new version brought them as words."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of a shipped pack, in a version of the language that takes some of its names."""
    there = tmp_path / "breakthrough"
    shutil.copytree(find_content_folder() / "breakthrough", there)
    known = vocabulary.SINCE.get(2, vocabulary.Words())
    monkeypatch.setitem(vocabulary.SINCE, 2, known._replace(quantifiers=known.quantifiers | set(TAKEN)))
    vocabulary.words.cache_clear()
    yield there
    monkeypatch.undo()
    vocabulary.words.cache_clear()


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["migrate", *map(str, arguments)])


def texts(folder: Path) -> dict[str, str]:
    return {str(file.relative_to(folder)): file.read_text() for file in sorted(folder.rglob("*.yaml"))}


def played(folder: Path) -> list[object]:
    """Three matches by a fixed way to choose: what was chosen and how they ended."""
    ruleset = patolli.load(str(folder))
    found: list[object] = []
    for seed in range(3):
        match = ruleset.start(seed=seed)
        while (decision := match.decision) is not None:
            found.append(decision.labels)
            match.choose(decision.labels[seed * 7 % len(decision.labels)])
        found.append(match.scores)
    return found


def test_the_change_is_shown_and_nothing_written(folder: Path):
    before = texts(folder)
    result = call(folder)
    assert result.exit_code == 0, result.output
    assert "-language: 1\n+language: 3\n" in result.output
    assert "ahead is ahead_ now" in result.output
    assert texts(folder) == before


def test_what_is_a_word_now_has_another_name_everywhere(folder: Path):
    comments = [line.partition("#")[2] for text in texts(folder).values() for line in text.splitlines() if "#" in line]
    before = played(folder)
    result = call(folder, "--write")
    assert result.exit_code == 0, result.output
    after = texts(folder)
    assert "language: 3" in after["pack.yaml"]
    assert "choose a_ in cell, b in ahead_(me, a_) where a_.pawn == me" in after["rules.yaml"]
    assert "pawns_(player_2): 15" in after["scenarios/moves.yaml"]
    assert "score: point_" in after["rules.yaml"]
    assert comments == [line.partition("#")[2] for text in after.values() for line in text.splitlines() if "#" in line]
    assert played(folder) == before
    assert "already uses language 3" in call(folder).output


def test_ends_of_lines_stay(folder: Path):
    for file in folder.rglob("*.yaml"):
        file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert call(folder, "--write").exit_code == 0
    data = (folder / "rules.yaml").read_bytes()
    assert b"ahead_(" in data
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_pack_with_errors_is_not_lifted(folder: Path):
    rules = folder / "rules.yaml"
    rules.write_text(rules.read_text().replace("end match", "ende match", 1))
    before = texts(folder)
    result = call(folder, "--write")
    assert result.exit_code == 1
    assert "fix its errors first" in result.output
    assert "rules.yaml, line " in result.output
    assert texts(folder) == before


def test_what_stands_beside_the_pack_is_renamed_with_it(folder: Path, tmp_path: Path):
    module = tmp_path / "fewer"
    module.mkdir()
    manifest = (
        "document: pack\nid: fewer\nversion: 1.0.0\nlanguage: 1\ntitle: Fewer\nrequires: {breakthrough: '>=1.0'}\n"
    )
    (module / "pack.yaml").write_text(manifest)
    patch = "document: patch\nchange:\n  - adjust: functions/ahead\n    value: '[b in cell where false]'\n    when: pawns == 1\n"
    (module / "patch.yaml").write_text(patch)
    result = call(folder, "--write")
    assert result.exit_code == 0, result.output
    assert "functions/ahead_\n" in (module / "patch.yaml").read_text()
    assert "when: pawns_ == 1" in (module / "patch.yaml").read_text()
    assert "language: 1" in (module / "pack.yaml").read_text()


def test_a_folder_without_a_pack(folder: Path):
    result = call(folder.parent / "nothing")
    assert result.exit_code == 2
    assert "no folder of a pack" in result.output
