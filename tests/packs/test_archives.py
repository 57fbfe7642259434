"""Packs in zip archives and installed distributions: found, read in place, and refused when they are not to be trusted."""

from __future__ import annotations

import shutil
import stat
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from patolli.diagnostics import ContentError
from patolli.diagnostics.text import render_text
from patolli.packs import discovery
from patolli.packs.archiving import build_archive, content_hash
from patolli.packs.manifest import read_pack
from patolli.sources import archive as archives
from patolli.workspace import inspect, load

CONTENT = Path(__file__).resolve().parents[2] / "content"
SMALL = CONTENT / "tic_tac_toe"


def packed(path: Path, *more: tuple[zipfile.ZipInfo | str, bytes], top: str = "") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(SMALL.rglob("*.yaml")):
            archive.write(file, top + file.relative_to(SMALL).as_posix())
        for name, data in more:
            archive.writestr(name, data)
    return path


def test_archive_plays_like_its_folder(tmp_path):
    folder, archive = load(str(SMALL)), load(str(packed(tmp_path / "x.zip")))

    assert archive.content_hash == folder.content_hash
    assert archive.start(2, 3).digest() == folder.start(2, 3).digest()


def test_archive_with_one_folder_in_it(tmp_path):
    assert load(str(packed(tmp_path / "x.zip", top="inner-1.0/"))).id == "tic_tac_toe"


def test_found_by_id_on_the_search_path(tmp_path, monkeypatch):
    packed(tmp_path / "any_name.zip")
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    assert discovery.find("tic_tac_toe") == tmp_path / "any_name.zip"
    assert load("tic_tac_toe").packs[0].folder == tmp_path / "any_name.zip"


def test_folder_comes_before_archive(tmp_path, monkeypatch):
    packed(tmp_path / "tic_tac_toe.zip")
    (tmp_path / "tic_tac_toe").mkdir()
    (tmp_path / "tic_tac_toe" / "pack.yaml").write_text((SMALL / "pack.yaml").read_text())
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    assert discovery.find("tic_tac_toe") == tmp_path / "tic_tac_toe"


def test_problem_in_an_archive_shows_its_line(tmp_path):
    archive = packed(
        tmp_path / "x.zip", ("more.yaml", b"document: rules\nfunctions:\n  f(cell): cell.row + nothing_here\n")
    )
    problems = [p for p in inspect(str(archive)).problems if p.severity == "error"]

    assert problems[0].span.path == str(archive / "more.yaml")
    assert "3 |   f(cell): cell.row + nothing_here" in render_text(problems)


def link(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


BAD = [
    pytest.param([("../out.yaml", b"x")], "leads outside", id="path to the parent"),
    pytest.param([("/etc/out.yaml", b"x")], "leads outside", id="absolute path"),
    pytest.param([("a/../../out.yaml", b"x")], "leads outside", id="path that turns round"),
    pytest.param([("..\\out.yaml", b"x")], "leads outside", id="backslash"),
    pytest.param([("c:/out.yaml", b"x")], "leads outside", id="drive"),
    pytest.param([(link("rules2.yaml"), b"/etc/passwd")], "is a link", id="link"),
    pytest.param([("big.yaml", b"#" * 2_100_000)], "more than 2,000,000 bytes", id="one large file"),
    pytest.param([("bomb.yaml", b"\0" * 1_900_000)], "swells", id="bomb"),
    pytest.param([(f"f{i}.yaml", b"") for i in range(2001)], "more than 2,000 files", id="many files"),
    pytest.param([(f"f{i}.yaml", bytes(range(256)) * 7000) for i in range(30)], "more than 50,000,000", id="much in all"),
]  # fmt: skip


@pytest.mark.parametrize(("more", "words"), BAD)
def test_archive_is_refused(more, words, tmp_path):
    archive = packed(tmp_path / "x.zip", *more)
    with pytest.raises(ContentError) as caught:
        load(str(archive))

    assert caught.value.code == "P0112"
    assert words in caught.value.problems[0].message


def test_name_given_twice_is_refused(tmp_path):
    with pytest.warns(UserWarning, match="Duplicate name"):
        archive = packed(tmp_path / "x.zip", ("pack.yaml", b"document: pack\n"))
    with pytest.raises(ContentError, match="is there twice"):
        load(str(archive))


@pytest.mark.parametrize("data", [b"", b"no archive", b"PK\x03\x04" + b"\0" * 40])
def test_damaged_archive_is_refused(data, tmp_path):
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(ContentError, match="P0112"):
        read_pack(str(tmp_path / "x.zip"))


def test_archive_that_swells_differently_than_it_says_is_cut(tmp_path):
    """What is read from an archive ends at the limit, whatever its directory says."""
    archive = packed(tmp_path / "x.zip", ("a.yaml", b"x" * 1000))

    assert len(archives.read_bytes(archive / "a.yaml", 10)) == 10
    with pytest.raises(FileNotFoundError):
        archives.read_bytes(archive / "b.yaml")


def test_bad_archive_on_the_search_path_hides_nothing(tmp_path, monkeypatch):
    (tmp_path / "broken.zip").write_bytes(b"no")
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    assert {"broken", "tic_tac_toe"} <= discovery.installed().keys()
    assert load("tic_tac_toe").id == "tic_tac_toe"


def test_built_archive_is_the_same_every_time(tmp_path):
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    for file in reversed(sorted(SMALL.rglob("*.yaml"))):
        target = copy / file.relative_to(SMALL)
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(file.read_bytes())
    one, two = build_archive(str(SMALL)), build_archive(str(copy))

    assert one.data == two.data
    assert one.hash == two.hash
    assert one.name == "tic_tac_toe-1.0.0.zip"


def test_pack_with_a_link_is_not_built(tmp_path):
    copy = tmp_path / "pack"
    shutil.copytree(SMALL, copy)
    (tmp_path / "rules.yaml").write_bytes((copy / "rules.yaml").read_bytes())
    (copy / "rules.yaml").unlink()
    (copy / "rules.yaml").symlink_to(tmp_path / "rules.yaml")

    assert load(str(copy)).id == "tic_tac_toe"
    with pytest.raises(archives.BadArchive, match=r"'rules\.yaml' is a link"):
        build_archive(str(copy))


def test_archive_that_nobody_could_read_is_not_built(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "BOUNDS", replace(archives.BOUNDS, files=2))
    with pytest.raises(archives.BadArchive, match="more than 2 files"):
        build_archive(str(SMALL))


def test_archive_of_an_archive_is_the_same(tmp_path):
    one = build_archive(str(SMALL))
    (tmp_path / one.name).write_bytes(one.data)

    assert build_archive(str(tmp_path / one.name)).data == one.data
    assert load(str(tmp_path / one.name)).content_hash == load(str(SMALL)).content_hash


def test_hash_depends_on_names_and_contents():
    assert content_hash({"a": b"1", "b": b"2"}) == content_hash({"b": b"2", "a": b"1"})
    assert content_hash({"a": b"12"}) != content_hash({"a": b"1"}) != content_hash({"b": b"1"})


def test_distribution_is_found_by_its_entry_point(tmp_path, monkeypatch):
    package = tmp_path / "my_game_data"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('nothing of a pack is run')\n")
    for file in SMALL.glob("*.yaml"):
        text = file.read_text().replace("id: tic_tac_toe", "id: distributed")
        (package / file.name).write_text(text)
    info = tmp_path / "my_game-2.5.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-game\nVersion: 2.5\n")
    (info / "entry_points.txt").write_text("[patolli.packs]\ndistributed = my_game_data\ngone = no_such_package\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    discovery._entries.cache_clear()
    try:
        found = {pack.id: pack for pack in discovery.found_packs()}
        assert found["distributed"].origin == "distribution my-game 2.5"
        assert "gone" not in found
        assert load("distributed").start(2, 1).decision is not None
    finally:
        discovery._entries.cache_clear()
