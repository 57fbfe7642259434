"""Calls from odd places, in odd surroundings, with odd words: each is answered in words, and soon."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from calls import Ended, call
from packmaker import SAMPLE
from tiers import few

import patolli


@pytest.fixture
def save(tmp_path: Path) -> Path:
    file = tmp_path / "save.json"
    file.write_text(patolli.load("tic_tac_toe").start(2, 1).to_json())
    return file


def fine(ended: Ended, *codes: int) -> None:
    assert ended.code in (codes or (0,)), ended
    assert "Traceback" not in ended.err


CALLS = [
    ["validate", "tic_tac_toe"],
    ["test", "tic_tac_toe"],
    ["show", "tic_tac_toe", "--assumptions"],
    ["show", "tic_tac_toe", "match"],
    ["play", "tic_tac_toe", "--seed", "1"],
    ["replay", "SAVE", "--why", "a1"],
    ["pack", "list"],
]


@pytest.mark.parametrize("arguments", CALLS, ids=" ".join)
def test_folder_of_the_call_is_not_there_any_more(arguments, save, tmp_path):
    def gone() -> None:
        os.mkdir(tmp_path / "gone")
        os.chdir(tmp_path / "gone")
        os.rmdir(tmp_path / "gone")

    fine(call(*[str(save) if word == "SAVE" else word for word in arguments], first=gone))


@pytest.mark.parametrize("arguments", [["new", "pack", "fresh"], ["schema"], ["validate", "nonsuch"]], ids=" ".join)
def test_what_needs_the_folder_of_the_call_says_so(arguments, tmp_path):
    def gone() -> None:
        os.mkdir(tmp_path / "gone")
        os.chdir(tmp_path / "gone")
        os.rmdir(tmp_path / "gone")

    ended = call(*arguments, first=gone)

    fine(ended, 2)
    assert "output" not in ended.err


def homeless(tmp_path: Path) -> Callable[[], None]:
    """Leave nothing from which a home could be known."""

    def leave() -> None:
        import pwd

        def unknown(number: int) -> object:
            raise KeyError(number)

        os.environ.pop("HOME", None)
        os.environ.pop("XDG_CACHE_HOME", None)
        os.environ.pop("XDG_DATA_HOME", None)
        pwd.getpwuid = unknown  # type: ignore[assignment]
        os.chdir(tmp_path)

    return leave


@pytest.mark.parametrize("arguments", [["validate", "tic_tac_toe"], ["pack", "list"], ["fmt", "--check"]], ids=" ".join)
def test_user_without_a_home(arguments, tmp_path):
    fine(call(*arguments, first=homeless(tmp_path)))
    assert list(tmp_path.iterdir()) == []


def test_folders_of_the_user_count_only_as_absolute_paths(tmp_path):
    fine(call("validate", "tic_tac_toe", cwd=tmp_path, env={"XDG_CACHE_HOME": "caches", "XDG_DATA_HOME": "data"}))
    assert [path.name for path in tmp_path.iterdir() if path.name != "cache"] == []


@pytest.mark.parametrize(
    "env",
    few(
        [{"TERM": "dumb"}, {"NO_COLOR": "1"}, {"COLUMNS": "1", "LINES": "1"}, {"COLUMNS": "x"}, {"TERM": "\x1b[2J"}],
        0,
        5,
    ),
)
@pytest.mark.parametrize("arguments", [["validate", "nonsuch"], ["play", "tic_tac_toe", "--seat", "all=random"]])
def test_terminal_that_can_do_little(arguments, env):
    ended = call(*arguments, env=env)

    fine(ended, 0, 2)
    assert b"\x1b" not in ended.out


def test_pack_that_is_read_only(tmp_path):
    pack = Path(shutil.copytree(SAMPLE, tmp_path / "sample"))
    for path in (pack, *pack.rglob("*")):
        path.chmod(path.stat().st_mode & ~0o222)

    fine(call("validate", pack))
    fine(call("show", pack))


@pytest.mark.parametrize("command", few(["validate", "show", "play", "simulate", "test"], 0, 5, 10, 20))
@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("FILE", "is not a pack", id="file"),
        pytest.param("/dev/null", "is not a pack", id="device"),
        pytest.param("tic_tac_toe/", "there is no pack 'tic_tac_toe/'", id="pack with a slash"),
        pytest.param("content/tic_tac_toe", "there is no folder", id="path of nothing"),
        pytest.param("", "there is no pack ''", id="nothing"),
        pytest.param("/", "contains no 'pack.yaml'", id="everything"),
        pytest.param("x" * 5_000, "there is no pack", id="long name"),
    ],
)
def test_name_that_is_no_pack(command, name, words, save, tmp_path):
    ended = call(command, str(save) if name == "FILE" else name, cwd=tmp_path)

    fine(ended, 2)
    assert words in ended.err + ended.out.decode()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulate", "tic_tac_toe", "--limit", "1" + "0" * 30], "is not in the range"),
        (["simulate", "tic_tac_toe", "--games", "1e3"], "'1e3' is not a valid integer"),
        (["simulate", "tic_tac_toe", "--seed", "9" * 5_000], "at most 1000 digits"),
        (["test", "tic_tac_toe", "-k", "(" * 9_000], "inside each other"),
    ],
)
def test_number_or_word_beyond_all_bounds(arguments, words):
    ended = call(*arguments)

    fine(ended, 2)
    assert words in ended.err


@pytest.mark.parametrize("seed", ["-1", "9" * 30])
def test_any_number_is_a_seed(seed, tmp_path):
    file = tmp_path / "match.json"

    fine(call("simulate", "tic_tac_toe", "--games", "2", "--seed", seed))
    fine(call("play", "tic_tac_toe", "--seed", seed, "--seat", "all=random", "--save", file))
    fine(call("replay", file))


def test_many_games_are_not_counted_out_before_the_first(tmp_path):
    """A list of all batches of so many games would fill the memory."""

    def first() -> None:
        from patolli.measure.simulation import parallel

        parallel._batch = lambda batch, *state: os._exit(9)  # type: ignore[assignment]

    ended = call("simulate", "tic_tac_toe", "--games", "9" * 18, "--jobs", "2", first=lambda: (first(), stop()))
    assert ended.code == 130


def stop() -> None:
    """Press Ctrl-C as soon as a second process is there."""
    import signal

    from patolli.author.workspace.processes import Child

    started = Child.start

    def pressed(*given: object) -> object:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        return started(*given)  # type: ignore[arg-type]

    Child.start = pressed  # type: ignore[assignment,method-assign]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "it is empty"),
        (b"\n", "it is empty"),
        (b'{"a":', "not JSON at line 1"),
        (b"\xff", "not text"),
        (b"[1]", "save"),
    ],
)
def test_file_that_is_no_save(content, words, tmp_path):
    file = tmp_path / "match.json"
    file.write_bytes(content)
    for arguments in (["replay", file], ["play", "tic_tac_toe", "--save", file]):
        ended = call(*arguments)
        fine(ended, 2)
        assert words in ended.err
        assert file.read_bytes() == content


def test_words_that_are_no_text_can_be_typed():
    ended = call("play", "tic_tac_toe", "--seed", "1", stdin=b"\xff\xfe\n\0\nquit\n")

    fine(ended)
    assert b"The match ends here." in ended.out


def test_lack_of_memory_is_no_internal_error(run, monkeypatch):
    def lack(*_args: object, **_named: object) -> None:
        raise MemoryError

    monkeypatch.setattr("patolli.author.workspace.pack_check.inspect", lack)

    result = run("validate", "--no-cache", "tic_tac_toe")

    assert result.exit_code == 2
    assert result.stderr.startswith("Error: there is not enough memory")
