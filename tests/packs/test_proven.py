"""What was proved once is not proved again, and whatever changes is."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import patolli
from patolli.author.workspace import cache, check_packs, inspect
from patolli.author.workspace.inspection import load
from patolli.check.analysis import check
from patolli.language.diagnostics import ContentError

FAULTY = "\nrules:\n  late():\n    do: |\n      gain 1 point\n      require count(c in cell where c.mark == me) > 2\n"
SHIPPED = Path(__file__).parents[2] / "content"


@pytest.fixture(autouse=True)
def notes(own_cache: Path) -> Path:
    """Keep notes in a folder of their own."""
    return own_cache / "patolli" / "checks"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A small pack that may be changed."""
    return Path(shutil.copytree(SHIPPED / "tic_tac_toe", tmp_path / "tic_tac_toe"))


@pytest.fixture
def proved(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every program that is proved from now on."""
    found: list[Any] = []
    real = check.prove

    def prove(program: Any, summaries: Any) -> Any:
        found.append(program)
        return real(program, summaries)

    monkeypatch.setattr(check, "prove", prove)
    return found


def test_a_second_load_proves_nothing_and_plays_the_same(pack: Path, proved: list[Any]) -> None:
    def played() -> list[str]:
        match, draw, said = load(pack).start(seed=3), random.Random(1), []
        while match.pending is not None:
            said.append(str(match.pending[draw.randrange(len(match.pending))]))
            match.pick(draw.randrange(len(match.pending)))
        return said

    first = played()
    assert len(proved) == 1
    assert played() == first
    assert len(proved) == 1


def test_validate_asks_no_note_and_leaves_none(pack: Path, notes: Path, proved: list[Any]) -> None:
    check_packs((str(pack),), remember=False)
    assert not notes.exists()
    load(pack)
    assert [file.suffix for file in notes.iterdir()] == [".proven"]
    before = len(proved)
    check_packs((str(pack),), remember=False)
    assert len(proved) == before + 1


def test_what_is_faulty_is_never_noted(pack: Path, notes: Path, proved: list[Any]) -> None:
    (pack / "more.yaml").write_text(f"document: rules\n{FAULTY}")
    for _ in range(2):
        with pytest.raises(ContentError) as told:
            load(pack)
        assert {problem.code for problem in told.value.problems} == {"P0403"}
    assert len(proved) == 2
    assert not notes.exists()


def test_a_mistake_made_after_a_note_is_found(pack: Path) -> None:
    load(pack)
    (pack / "more.yaml").write_text(f"document: rules\n{FAULTY}")
    with pytest.raises(ContentError):
        load(pack)
    (pack / "more.yaml").unlink()
    load(pack)


@pytest.mark.deep
def test_options_modules_and_program_count(proved: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    load("city_of_gods")
    load("city_of_gods", ["solo"])
    assert len(proved) == 2
    load("city_of_gods", ["solo"])
    assert len(proved) == 2
    load("go")
    load("go", options={"size": 5})
    assert len(proved) == 4
    monkeypatch.setattr("patolli.author.workspace.proven.program_hash", lambda: "another program")
    load("go")
    assert len(proved) == 5


def test_odd_notes_and_folders_that_cannot_be_written(pack: Path, notes: Path, proved: list[Any]) -> None:
    load(pack)
    (note,) = notes.iterdir()
    note.unlink()
    note.mkdir()
    load(pack)
    assert len(proved) == 2
    shutil.rmtree(notes)
    notes.write_text("no folder")
    load(pack)
    assert len(proved) == 3


def test_the_oldest_notes_go(pack: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "KEPT", 3)
    text = (pack / "rules.yaml").read_text()
    for number in range(5):
        (pack / "rules.yaml").write_text(f"{text}# {number}\n")
        load(pack)
    assert len(list(notes.glob("*.proven"))) == 3


def edits(folder: Path, draw: random.Random) -> Iterator[None]:
    """Change one word, number or line of a file at a time; each change stays for one step."""
    files = [file for file in sorted(folder.rglob("*.yaml")) if "scenarios" not in file.parts]
    while True:
        file = draw.choice(files)
        text = file.read_text("utf-8")
        if draw.random() < 0.3:
            lines = text.splitlines(keepends=True)
            del lines[draw.randrange(len(lines))]
            new = "".join(lines)
        else:
            found = draw.choice(list(re.finditer(r"\w+", text)))
            word = draw.choice([str(draw.randrange(4)), *re.findall(r"\w+", text)])
            new = text[: found.start()] + word + text[found.end() :]
        file.write_text(new, "utf-8")
        yield
        file.write_text(text, "utf-8")


@pytest.mark.deep
@pytest.mark.parametrize("id_", ["tic_tac_toe", "connect_four", "patolli", "gallery/goofspiel"])
def test_whatever_is_edited_the_errors_are_those_of_a_fresh_run(id_: str, tmp_path: Path) -> None:
    pack = Path(shutil.copytree(SHIPPED / id_, tmp_path / Path(id_).name))
    patolli.load(pack)
    changes, wrong, sound = edits(pack, random.Random(id_)), 0, 0
    for _ in range(25):
        next(changes)
        fresh = inspect(str(pack), warnings=False).errors
        for _ in range(2):
            assert inspect(str(pack), warnings=False, remember=True).errors == fresh
        wrong, sound = wrong + bool(fresh), sound + (not fresh)
    assert wrong
    assert sound
