"""What lies on the search path or in the folder of a pack need not be what it seems."""

from __future__ import annotations

import json
import os
import shutil
import socket
import zipfile
from pathlib import Path

import pytest
from calls import call
from packmaker import SAMPLE

from patolli.language.packs.manifest import read_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the search path."""
    folder = tmp_path / "path"
    folder.mkdir()
    monkeypatch.setenv("PATOLLI_PATH", str(folder))
    return folder


def fill(folder: Path) -> None:
    """Put what is hard to read into a folder."""
    os.mkfifo(folder / "pipe.zip")
    os.mkfifo(folder / "pipe")
    (folder / "device.zip").symlink_to("/dev/zero")
    (folder / "circle.zip").symlink_to("circle.zip")
    (folder / "circle").symlink_to("circle")
    (folder / "folder.zip").mkdir()
    (folder / "cut.zip").write_bytes(b"PK\x03\x04" + b"\0" * 40)
    with zipfile.ZipFile(folder / "deep.zip", "w") as archive:
        archive.writestr("x/" * 30_000 + "pack.yaml", "document: pack\n")
    for name in ("piped", "linked", "bad", "brackets", "\x1b[31mred\u202e"):
        (folder / name).mkdir()
    os.mkfifo(folder / "piped" / "pack.yaml")
    (folder / "linked" / "pack.yaml").symlink_to("/etc/passwd")
    (folder / "bad" / "pack.yaml").write_bytes(b"\xff\0")
    (folder / "brackets" / "pack.yaml").write_text("document: pack\nid: " + "[" * 100_000)
    (folder / "\x1b[31mred\u202e" / "pack.yaml").write_text("document: pack\n")
    os.mkdir(os.fsencode(folder) + b"/\xff")
    with open(os.fsencode(folder) + b"/\xff/pack.yaml", "w") as file:
        file.write("document: pack\n")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.open(folder, os.O_RDONLY)
        listening.bind(f"/proc/self/fd/{here}/socket.zip")
        os.close(here)


@pytest.mark.parametrize("form", ["text", "json"])
def test_search_path_is_listed(path, form):
    fill(path)
    ended = call("pack", "list", "--format", form)

    assert (ended.code, ended.err) == (1, "")
    assert b"tic_tac_toe" in ended.out
    assert b"the archive is refused: the name 'x/x/x/" in ended.out
    if form == "text":
        shown = ended.out.decode()
        assert not [sign for sign in shown if sign != "\n" and not sign.isprintable()]
    else:
        rows = {row["id"]: row for row in json.loads(ended.out)}
        assert {"bad", "brackets", "piped", "linked", "cut", "deep", "tic_tac_toe"} <= rows.keys()
        assert rows["piped"]["problem"].endswith("contains no 'pack.yaml'")
        assert rows["linked"]["problem"] == "the file cannot be read: it is a link that leads out of the pack"


@pytest.mark.parametrize(
    "arguments", [["show", "tic_tac_toe"], ["validate", "tic_tac_toe"], ["show", "tic_tac_toe", "--matrix"]]
)
def test_search_path_is_no_hindrance(path, arguments):
    fill(path)

    assert call(*arguments).code == 0


@pytest.mark.deep
def test_folder_of_the_search_path_that_cannot_be_read(tmp_path):
    for value in ("/proc/1/root", "/dev/null", "/nowhere", str(tmp_path / "x") + "\udcff", "x" * 5_000):
        assert call("pack", "list", env={"PATOLLI_PATH": value}).code == 0, value


def test_link_that_leads_out_of_a_pack(pack, tmp_path):
    (tmp_path / "secret.yaml").write_text("document: model\ncounters: {secret: {}}\n")
    (pack / "out.yaml").symlink_to(tmp_path / "secret.yaml")
    (pack / "inside.yaml").symlink_to("model.yaml")
    problems = [problem for problem in read_pack(str(pack)).problems if problem.code == "P0010"]

    assert [Path(problem.span.path).name for problem in problems] == ["out.yaml"]
    assert "a link that leads out" in problems[0].message
    assert b"out.yaml: error[P0010]: the file cannot be read: it is a link" in (ended := call("validate", pack)).out
    assert b"secret" not in ended.out


def test_manifest_that_leads_out_of_its_pack(pack, tmp_path):
    shutil.move(pack / "pack.yaml", tmp_path / "pack.yaml")
    (pack / "pack.yaml").symlink_to(tmp_path / "pack.yaml")

    assert b"a link that leads out" in call("validate", pack).out


def test_folder_may_be_a_link_itself(pack, tmp_path):
    (tmp_path / "link").symlink_to(pack)

    assert read_pack(str(tmp_path / "link")).problems == []


def test_formatting_stays_in_the_folder(pack, tmp_path):
    text = "document:   model\n"
    (tmp_path / "outer.yaml").write_text(text)
    (pack / "out.yaml").symlink_to(tmp_path / "outer.yaml")
    os.mkfifo(pack / "pipe.yaml")
    ended = call("fmt", pack)

    assert ended.code == 0
    assert (tmp_path / "outer.yaml").read_text() == text


def test_formatting_of_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in (tmp_path / "pipe.yaml", "/dev/zero"):
        ended = call("fmt", path)
        assert (ended.code, len(ended.lines)) == (1, 1)


def test_unreadable_subfolder_is_reported(pack, monkeypatch):
    inner = pack / "inner"
    inner.mkdir()
    (inner / "more.yaml").write_text("document: model\n")
    scan = os.scandir

    def refused(path: str) -> object:
        if str(path).endswith("inner"):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refused)
    problems = read_pack(str(pack)).problems

    assert [(problem.code, problem.message, problem.span.path) for problem in problems] == [
        ("P0010", "the folder cannot be read: permission denied", str(inner))
    ]


def test_pack_whose_folder_cannot_be_read(pack):
    def nobody() -> None:
        os.chdir(pack.parent)
        if os.geteuid() == 0:
            os.setuid(65_534)

    pack.parent.chmod(0o755)
    pack.chmod(0o000)
    ended = call("validate", "./sample", first=nobody)
    pack.chmod(0o755)

    assert ended.code == 2
    assert b"the folder './sample' cannot be read: permission denied" in ended.out
