"""What every command does when what it writes cannot be written, or not with the signs that it has."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
from pathlib import Path

import click
import pytest
from calls import Ended, call
from packmaker import SAMPLE
from tiers import few

from patolli.cli.main import main
from patolli.cli.streams import plain
from patolli.language.packs.archive_writer import build_archive
from patolli.language.packs.discovery import list_bundled

CALLS = {
    "--help": ["--help"],
    "--version": ["--version"],
    "play --help": ["play", "--help"],
    "pack --help": ["pack", "--help"],
    "play": ["play", "tic_tac_toe", "--seed", "1"],
    "play bots": ["play", "tic_tac_toe", "--seed", "1", "--seat", "all=random"],
    "simulate": ["simulate", "tic_tac_toe", "--games", "3"],
    "simulate json": ["simulate", "tic_tac_toe", "--games", "3", "--format", "json"],
    "simulate in parallel": ["simulate", "tic_tac_toe", "--games", "8", "--jobs", "2"],
    "tournament": ["tournament", "tic_tac_toe", "--bot", "greedy", "--bot", "random", "--games", "20"],
    "validate": ["validate", "tic_tac_toe"],
    "validate json": ["validate", "tic_tac_toe", "--format", "json"],
    "validate sarif": ["validate", "tic_tac_toe", "--format", "sarif"],
    "test": ["test", "tic_tac_toe"],
    "test json": ["test", "tic_tac_toe", "--format", "json"],
    "test coverage": ["test", "tic_tac_toe", "--coverage"],
    "show": ["show", "tic_tac_toe"],
    "show entry": ["show", "tic_tac_toe", "match"],
    "show layers": ["show", "tic_tac_toe", "--layers"],
    "show assumptions": ["show", "tic_tac_toe", "--assumptions"],
    "show matrix": ["show", "tic_tac_toe", "--matrix"],
    "lab": ["lab", "run", "tic_tac_toe", "--games", "2", "--jobs", "1", "--out", "HERE/facts"],
    "diff": ["diff", "tic_tac_toe", "connect_four"],
    "diff json": ["diff", "tic_tac_toe", "connect_four", "--format", "json"],
    "gallery": ["gallery", "tic_tac_toe", "--out", "HERE/cards.html"],
    "sheet": ["sheet", "tic_tac_toe", "--out", "HERE/cards.pdf"],
    "replay": ["replay", "SAVE"],
    "replay why": ["replay", "SAVE", "--why", "b2"],
    "new": ["new", "pack", "fresh", "--in", "HERE"],
    "new module": ["new", "module", "fresh", "--for", "tic_tac_toe", "--in", "HERE"],
    "compat": ["compat", "tic_tac_toe", "HERE/first"],
    "index": ["index", "build", "HERE/index"],
    "pack list": ["pack", "list"],
    "pack build": ["pack", "build", "tic_tac_toe", "--out", "HERE/built.zip"],
    "schema": ["schema", "HERE/schemas"],
    "fmt": ["fmt", "HERE/odd.yaml"],
    "migrate": ["migrate", "tic_tac_toe"],
    "explain": ["explain", "P0401"],
}
"""A call of every command that writes something, in each of the forms in which it writes."""
FIRST = """\
document: pack
id: first
version: 0.1.0
language: 2
title: A module that changes nothing
text: Nothing changes.
requires: {tic_tac_toe: ">=1.0,<2.0"}
"""
FORMS = {words[0]: name for name, words in reversed(CALLS.items())}.values()
"""The first call of each command."""
SILENT = {
    "lsp": "it speaks a protocol with an editor, over pipes",
    "studio": "it serves browsers until it is ended",
    "train": "it writes a file and tells of it on standard error",
}
RATED = ["tournament", "tic_tac_toe", "--bot", "greedy", "--bot", "random", "--games", "2"]
FILES = {
    "play": ["play", "tic_tac_toe", "--seed", "1", "--seat", "all=random", "--save", "HERE/out"],
    "play record": ["play", "tic_tac_toe", "--seed", "1", "--seat", "all=random", "--record", "HERE/out"],
    "simulate": ["simulate", "tic_tac_toe", "--games", "3", "--out", "HERE/out"],
    "tournament": [*RATED, "--out", "HERE/out"],
    "tournament save": [*RATED, "--save", "HERE/out"],
    "test": ["test", "tic_tac_toe", "--junit", "HERE/out"],
    "test html": ["test", "tic_tac_toe", "--html", "HERE/out"],
    "new": ["new", "pack", "fresh", "--in", "HERE"],
    "new schemas": ["new", "pack", "fresh", "--schemas", "--in", "HERE"],
    "pack build": ["pack", "build", "tic_tac_toe", "--out", "HERE/out"],
    "gallery": ["gallery", "tic_tac_toe", "--out", "HERE/out"],
    "sheet": ["sheet", "tic_tac_toe", "--out", "HERE/out"],
    "schema": ["schema", "HERE/out"],
    "fmt": ["fmt", "HERE/odd.yaml"],
}
"""A call of every command that writes files."""


@pytest.fixture(scope="module", autouse=True)
def _save(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match that was left after three choices."""
    import patolli

    match = patolli.load("tic_tac_toe").start(2, 1)
    for choice in (4, 0, 0):
        match.pick(choice)
    file = tmp_path_factory.mktemp("saved") / "save.json"
    file.write_text(match.to_json())
    return file


@pytest.fixture(scope="module")
def _archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive of a pack."""
    built = build_archive("tic_tac_toe")
    file = tmp_path_factory.mktemp("archives") / built.name
    file.write_bytes(built.data)
    return file


@pytest.fixture
def words(tmp_path: Path, _save: Path, _archive: Path):
    """Put files and folders of the test into the words of a call."""
    here = tmp_path / "here"
    here.mkdir()
    (here / "first").mkdir()
    (here / "first" / "pack.yaml").write_text(FIRST)
    (here / "index").mkdir()
    shutil.copy(_archive, here / "index")
    (here / "odd.yaml").write_text("document:   model\ncounters:   {coin: {}}\n")
    return lambda arguments: [a.replace("HERE", str(here)).replace("SAVE", str(_save)) for a in arguments]


def told_in_a_line(ended: Ended, *parts: str) -> None:
    assert ended.code == 2, ended
    assert len(ended.lines) == 1, ended.err
    assert ended.err.startswith("Error: ")
    assert [part for part in parts if part not in ended.err] == []


def test_every_command_is_in_the_table():
    from patolli.cli.main import COMMANDS

    assert set(COMMANDS) == {words[0] for words in CALLS.values() if words[0] in COMMANDS} | set(SILENT)


@pytest.mark.parametrize("name", few(CALLS, 0, 5, 10, 20, 30, deep=12))
def test_full_disk_behind_the_output(words, name):
    ended = call(*words(CALLS[name]), stdout="/dev/full")

    if name.startswith(("simulate", "tournament")):  # what was played is not lost
        assert (ended.code, ended.lines[0]) == (
            2, "Error: the output cannot be written: No space left on device; the report follows",
        )  # fmt: skip
        assert "digest" in ended.err or "95 % interval" in ended.err
    else:
        told_in_a_line(ended, "the output cannot be written: No space left on device")


@pytest.mark.parametrize("name", few(FORMS, 0, 5, 10, deep=12))
def test_output_that_is_not_read_is_no_error(words, name):
    ended = call(*words(CALLS[name]), stdout="pipe")

    assert (ended.code, ended.err) == (0, SAID_BESIDE.get(name, ""))


def test_status_is_that_of_the_command_where_the_output_is_not_read(words, tmp_path):
    (tmp_path / "here" / "pack.yaml").write_text("document: pack\nid: here\n")

    assert call("validate", tmp_path / "here", stdout="pipe").code == 1
    assert call("validate", tmp_path / "here", "--watch", stdout="pipe").code == 1


@pytest.mark.parametrize(
    ("colour", "wanted"),
    [
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({}, False),
    ],
)
@pytest.mark.parametrize(
    "arguments", [["validate", "HERE"], ["play", "tic_tac_toe", "--seat", "all=random"], ["show", "no_such_pack"]]
)
def test_colours_in_a_pipe_where_they_are_forced(words, tmp_path, colour, wanted, arguments):
    (tmp_path / "here" / "pack.yaml").write_text("document: pack\nid: here\n")
    ended = call(*words(arguments), env={"NO_COLOR": "", **colour})

    assert bool(re.search(r"\x1b\[(?:\d+;)*[39]\d", ended.out.decode() + ended.err)) == wanted
    assert b"\x1b[?25" not in ended.out  # no cursor is hidden, nothing is drawn over


@pytest.mark.parametrize("name", few(FORMS, 0, 5, 10, deep=12))
def test_streams_that_are_closed(words, name):
    ended = call(*words(CALLS[name]), stdout="closed", stderr="closed", stdin=None)

    assert (ended.code, ended.out, ended.err) == (0, b"", "")


@pytest.mark.parametrize(
    "arguments",
    [["show", "no_such_pack"], ["nonsense"], ["simulate"], ["play", "tic_tac_toe", "--players", "9"], ["fmt", "/none"]],
)
@pytest.mark.parametrize("stderr", ["/dev/full", "pipe", "closed"])
def test_mistake_that_cannot_be_told(arguments, stderr):
    ended = call(*arguments, stderr=stderr)

    assert (ended.code, ended.out, ended.err) == (2, b"", "")


# ---- files that cannot be written


def nobody() -> None:
    """Become a user who may write nowhere."""
    if os.geteuid() == 0:
        os.setgid(65_534)
        os.setuid(65_534)


def left(here: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in here.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", few(FILES, 0, 5, 10, deep=6))
def test_full_disk(words, tmp_path, name):
    before = left(tmp_path / "here")
    ended = call(*words(FILES[name]), stdout="/dev/null", largest=0, env={"XDG_CACHE_HOME": "/dev/null"})

    told_in_a_line(ended, "File too large")
    assert str(tmp_path / "here") in ended.err
    assert left(tmp_path / "here") == before


@pytest.mark.parametrize("name", few(FILES, 0, 5, 10, deep=6))
def test_folder_that_is_read_only(words, tmp_path, name):
    here = tmp_path / "here"
    before = left(here)
    arguments = [word.replace(str(here), ".") for word in words(FILES[name])]
    here.chmod(0o555)
    ended = call(*arguments, cwd=here, first=nobody, env={"XDG_CACHE_HOME": "/dev/null"})
    here.chmod(0o755)

    told_in_a_line(ended, "Permission denied")
    assert left(here) == before


@pytest.mark.parametrize("name", ["play", "simulate", "test", "pack build", "schema"])
def test_folder_that_is_a_file(words, tmp_path, name):
    arguments = [word.replace("/out", "/odd.yaml/out") for word in words(FILES[name])]

    told_in_a_line(call(*arguments), "Not a directory", "odd.yaml/out")
    assert [path.name for path in (tmp_path / "here").iterdir() if path.is_file()] == ["odd.yaml"]


@pytest.mark.parametrize("name", ["play", "simulate", "test"])
def test_long_work_begins_only_when_its_result_can_be_written(words, name):
    """The game is one without end: a process that begins it does not come back."""
    arguments = [str(SAMPLE) if word == "tic_tac_toe" else word for word in words(FILES[name])]
    arguments = [word.replace("HERE", "/nowhere").replace("/here/", "/nowhere/") for word in arguments]

    def play() -> None:
        import patolli.run.runtime.match

        patolli.run.runtime.match.Match.pick = lambda *_: os._exit(71)  # type: ignore[method-assign]

    told_in_a_line(call(*arguments, first=play), "No such file or directory")


def test_report_that_finds_no_room_after_all_is_printed(words, tmp_path):
    ended = call(*words(FILES["simulate"]), first=lambda: full("patolli.cli.report_output"))

    assert ended.code == 2
    assert ended.err == f"Error: {tmp_path}/here/out: No space left on device; the report follows\n"
    assert b"3 of 3 games finished" in ended.out


def full(module: str) -> None:
    """Let the disk be full when it matters."""
    import importlib

    def write(path: Path, data: object) -> None:
        raise OSError(28, "No space left on device", str(path))

    importlib.import_module(module).write_whole = write  # type: ignore[attr-defined]


def test_match_that_cannot_be_saved_goes_on(tmp_path):
    file = tmp_path / "match.json"
    arguments = ("play", "tic_tac_toe", "--seat", "all=human", "--seed", "1", "--save", file)
    ended = call(*arguments, stdin="b2\na1\nquit\n", first=lambda: full("patolli.run.runtime.saves"))

    assert (ended.code, ended.lines) == (2, [f"Error: the match is not saved, because {file} cannot be written"])
    assert " ".join(ended.out.decode().split()).count("No space left on device; 'save FILE' saves it elsewhere") == 1
    assert "Player 1 X: Which cell?" in ended.out.decode().rpartition("a1")[2]


def test_match_is_saved_elsewhere(tmp_path):
    arguments = ("play", "tic_tac_toe", "--seat", "all=human", "--seed", "1", "--save", tmp_path / "one" / "match.json")
    (tmp_path / "one").mkdir()

    def gone() -> None:
        from patolli.play.terminal.session import Session

        choose = Session.choose

        def chosen(self: Session, index: int) -> None:
            shutil.rmtree(tmp_path / "one", ignore_errors=True)
            choose(self, index)

        Session.choose = chosen  # type: ignore[method-assign]

    ended = call(*arguments, stdin=f"b2\nsave {tmp_path}/two.json\nquit\n", first=gone)

    assert json.loads((tmp_path / "two.json").read_text())["choices"] == [4]
    assert f"savedto{tmp_path}/two.json" in "".join(ended.out.decode().split())


def test_new_file_has_the_permissions_of_the_old_one(tmp_path):
    from patolli.language.sources.atomic_files import write_whole

    file, link = tmp_path / "file", tmp_path / "link"
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole(link, "new")

    assert link.is_symlink()
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_prepared_link_is_not_followed(tmp_path, monkeypatch):
    from patolli.language.sources import atomic_files
    from patolli.measure.simulation.gamesfile import GamesFile

    victim = tmp_path / "victim"
    victim.write_text("mine")
    made = [atomic_files.create_part(tmp_path / "file") for _ in range(20)]
    assert len({path for path, _ in made}) == 20
    for _, file in made:
        file.close()
    monkeypatch.setattr(atomic_files.secrets, "token_hex", lambda _: "guessed")
    for name in (".file.guessed.part", ".games.parquet.guessed.part", "games.parquet.guessed.part.jsonl"):
        (tmp_path / name).symlink_to(victim)
    for write in (
        lambda: atomic_files.write_whole(tmp_path / "file", "theirs"),
        lambda: atomic_files.check_writable(tmp_path / "file"),
        lambda: GamesFile(tmp_path / "games.parquet", []),
    ):
        with pytest.raises(FileExistsError):
            write()

    assert victim.read_text() == "mine"


def test_half_a_pack_is_not_left(tmp_path):
    def third(path: Path, data: object) -> None:
        if len(left(tmp_path / "fresh")) == 2:
            raise OSError(28, "No space left on device", str(path))
        path.write_text(str(data))

    def full_later() -> None:
        import patolli.cli.new

        patolli.cli.new.write_whole = third  # type: ignore[assignment]

    told_in_a_line(call("new", "pack", "fresh", "--in", tmp_path, first=full_later), "No space left on device")
    assert left(tmp_path / "fresh") == {}
    assert call("new", "pack", "fresh", "--in", tmp_path).code == 0


def test_long_name_is_written(tmp_path):
    from patolli.language.sources.atomic_files import write_whole

    write_whole(tmp_path / ("x" * 250), "data")

    assert (tmp_path / ("x" * 250)).read_text() == "data"


def test_device_stays_a_device(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    ended = call("simulate", "tic_tac_toe", "--games", "2", "--out", pipe)

    assert ended.code == 0
    assert b"2 of 2 games finished" in os.read(reader, 65_536)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)
    told = call("simulate", "tic_tac_toe", "--games", "2", "--out", "/dev/full")
    assert (told.code, b"digest" in told.out) == (2, True)


# ---- signs


SAID_BESIDE = {
    "fmt": "1 file formatted\n",
    "migrate": "tic_tac_toe can be migrated to language 3, 1 file would change; --write writes them\n",
}
"""What commands say on standard error where all is well."""
DRAWING = ["play bots", "replay", "show", "test"]


@pytest.mark.parametrize(
    ("name", "encoding"),
    few(
        [*((name, "ascii") for name in CALLS), *((name, code) for name in DRAWING for code in ("latin-1", "cp437"))],
        0,
        5,
        10,
        20,
        30,
    ),
)
def test_encoding_without_the_signs(words, name, encoding):
    ended = call(*words(CALLS[name]), encoding=encoding)

    assert (ended.code, ended.err) == (0, SAID_BESIDE.get(name, ""))
    assert all(byte < 128 for byte in ended.out) or encoding != "ascii"


def test_board_in_plain_signs(words):
    ended = call(*words(["replay", "SAVE"]), encoding="ascii")

    assert ended.out.decode().splitlines()[3:8] == [
        "+- The board -+",
        "|    a b c    |",
        "|  1 O X .    |",
        "|  2 . X .    |",
        "|  3 . . .    |",
    ]


@pytest.mark.parametrize("pack", list_bundled())
def test_signs_that_differ_stay_different(pack):
    """In plain signs a board tells as much as before."""
    text = "".join(path.read_text("utf-8") for path in list_bundled()[pack].glob("panels*.yaml"))
    found = {sign.strip("\"'") for sign in re.findall(r"\b(?:sign|empty): *([^ ,}]+)", text)}
    written = {"".join(map(plain, sign)) if not sign.isascii() else sign for sign in found}

    assert len(written) == len(found), (found, written)
    assert all(len("".join(map(plain, sign))) == len(sign) for sign in found if not sign.isascii())


def test_every_sign_of_a_panel_has_a_plain_one():
    signs = {sign for sign in "·○●△▲▽▼◇◆□■☆★↑↓←→░▒"}
    written = [plain(sign) for sign in signs]

    assert all(sign.isascii() and len(sign) == 1 for sign in written)
    assert [plain(sign) for sign in "─│┌┐└┘├┼╭╮╰╯═║━┃"] == [*"-|++++++++++-|-|"]
    assert [plain(sign) for sign in "é日\u0301ß…"] == ["e", "??", "", "?", "."]


def _files(command, path=()):
    """Yield every parameter of a command, and of those below it, that takes a file to be written."""
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            yield from _files(command.get_command(click.Context(command), name), (*path, name))
        return
    for one in command.params:
        if isinstance(one.type, click.Path) and not one.type.dir_okay and not one.type.exists:
            yield " ".join([*path, one.opts[0]]), one


def test_no_file_name_is_empty():
    """It would be that of the current folder."""
    found = dict(_files(main))

    assert {"tournament --save", "play --record", "simulate --games-out", "test --junit"} <= found.keys()
    for one in found.values():
        with pytest.raises(click.BadParameter, match="the name of the file is empty"):
            one.type.convert("", one, None)
