"""Packs in zip archives and installed distributions: found, read in place, and refused when they are not to be trusted."""

from __future__ import annotations

import shutil
import stat
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from patolli.author.workspace import inspect, load
from patolli.language.diagnostics import ContentError
from patolli.language.diagnostics.text import render_text
from patolli.language.packs import discovery
from patolli.language.packs.archive_writer import build_archive, content_hash
from patolli.language.packs.manifest import read_pack
from patolli.language.sources import archive as archives

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


OF_TOOLS = {
    "macOS": [("__MACOSX/._inner", b"1"), ("__MACOSX/inner/._pack.yaml", b"\0\5"), ("inner/.DS_Store", b"\0")],
    "a folder of git": [
        ("inner/.git/pack.yaml", b"id: x\n"),
        (".gitignore", b"*"),
        ("inner/.git/zeros", bytes(900_000)),
    ],
    "a link of a tool": [("inner/.git/hook", b"/bin/sh")],
    "a file beside the folder": [("read me.txt", b"hello")],
}


@pytest.mark.parametrize("more", OF_TOOLS.values(), ids=OF_TOOLS)
def test_what_tools_put_into_an_archive_is_ignored(tmp_path, more):
    archive = load(str(packed(tmp_path / "x.zip", *map(_linked, more), top="inner/")))

    assert archive.content_hash == load(str(SMALL)).content_hash


def test_paths_with_backslashes_as_windows_writes_them(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("game\\", "")
        for file in SMALL.rglob("*.yaml"):
            archive.writestr("game\\" + str(file.relative_to(SMALL)).replace("/", "\\"), file.read_bytes())

    assert load(str(path)).content_hash == load(str(SMALL)).content_hash


def _linked(entry):
    name, data = entry
    info = special(stat.S_IFLNK)
    info.filename = info.orig_filename = name
    return (info, data) if name.endswith("hook") else entry


def test_archive_of_something_else_says_what_is_missing(tmp_path):
    packed(tmp_path / "x.zip", top="a/b/")
    with pytest.raises(ContentError, match=r"contains no 'pack.yaml', neither at its top nor in its only folder"):
        load(str(tmp_path / "x.zip"))


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


def special(kind: int, name: str = "rules2.yaml") -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.create_system = 3
    info.external_attr = (kind | 0o777) << 16
    return info


BAD = [
    pytest.param([("../out.yaml", b"x")], "leads outside", id="path to the parent"),
    pytest.param([("/etc/out.yaml", b"x")], "leads outside", id="absolute path"),
    pytest.param([("a/../../out.yaml", b"x")], "leads outside", id="path that turns round"),
    pytest.param([("..\\out.yaml", b"x")], "leads outside", id="backslash"),
    pytest.param([("a\\b.yaml", b"x"), ("a/b.yaml", b"x")], "'a/b.yaml' is there twice", id="backslash and slash"),
    pytest.param([("c:/out.yaml", b"x")], "leads outside", id="drive"),
    pytest.param([(special(stat.S_IFLNK), b"/etc/passwd")], "is a link", id="link"),
    pytest.param([("./out.yaml", b"x")], "leads outside", id="path that goes nowhere"),
    pytest.param([("a//out.yaml", b"x")], "leads outside", id="folder without a name"),
    pytest.param([("a\x1b[2Jb.yaml", b"x")], "a control character", id="escape sequence in a name"),
    pytest.param([("a\u202eb.yaml", b"x")], "a control character", id="bidirectional mark in a name"),
    pytest.param([("a\nb.yaml", b"x")], "a control character", id="line end in a name"),
    pytest.param([("More.yaml", b"x"), ("more.yaml", b"x")], "are one name to some systems", id="upper and lower case"),
    pytest.param([("\u00e4.yaml", b"x"), ("a\u0308.yaml", b"x")], "are one name to some systems", id="two ways to write"),
    pytest.param([("a.yaml", b"x"), ("a.yaml/b.yaml", b"x")], "'a.yaml' is a file, and", id="file as a folder"),
    pytest.param([("x" * 300 + ".yaml", b"x")], "more than 240 letters", id="long name"),
    pytest.param([("x/" * 20 + "a.yaml", b"x")], "more than 240 letters or 16 folders", id="deep name"),
    pytest.param([("x/" * 30_000 + "a.yaml", b"x")], "or 16 folders", id="very deep name"),
    pytest.param([(special(stat.S_IFCHR), b"x")], "is a link or a device", id="device"),
    pytest.param([(special(stat.S_IFIFO), b"x")], "is a link or a device", id="pipe"),
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


def test_list_of_an_archive_is_not_read_before_it_is_counted(tmp_path, monkeypatch):
    """An archive of the allowed size can list half a million files, and each takes memory when it is opened."""
    archive = packed(tmp_path / "x.zip", *((f"f{i}.yaml", b"") for i in range(2001)))
    monkeypatch.setattr(zipfile, "ZipFile", lambda *_: pytest.fail("it was opened"))

    with pytest.raises(archives.BadArchive, match="more than 2,000 files"):
        archives.names(archive)


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
    (copy / "rules.yaml").rename(copy / "rules.txt")
    (copy / "rules.yaml").symlink_to("rules.txt")

    assert load(str(copy)).id == "tic_tac_toe"
    with pytest.raises(archives.BadArchive, match=r"'rules\.yaml' is a link"):
        build_archive(str(copy))


def test_unreadable_archive_is_not_built(tmp_path, monkeypatch):
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
