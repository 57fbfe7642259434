"""Every step of the tutorial is carried out: files are written, edits made, commands run, answers compared."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner
from tutorial import BLOCK, PAGE, edit, fits

from patolli.cli.main import main

USED = {"validate", "explain", "play", "show", "test", "simulate", "fmt"}


def _run(command: str) -> str:
    """Carry out a line of a console: ``mkdir``, or the program itself."""
    program, *arguments = shlex.split(command)
    if program == "mkdir":
        for name in arguments:
            Path(name).mkdir()
        return ""
    assert program == "patolli"
    if arguments[0] == "simulate":
        arguments += ["--jobs", "1"]  # the report is the same for any number
    done = CliRunner().invoke(main, arguments)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.output


def _steps(console: str) -> list[tuple[str, str]]:
    before, *parts = re.split(r"^\$ (.*)\n", console, flags=re.MULTILINE)
    assert not before
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_steps_of_the_tutorial_lead_to_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    used = set()
    for language, name, text in BLOCK.findall(PAGE.read_text("utf-8")):
        if language == "diff":
            edit(Path(name), text)
        elif name:
            Path(name).write_text(text, "utf-8")
        else:
            assert language == "console"
            for command, shown in _steps(text):
                used.update(command.split()[1:2])
                found = _run(command)
                assert fits(shown, found), f"$ {command}\n{found}\n--- the page shows ---\n{shown}"
    assert used >= USED


def test_dots_stand_for_anything() -> None:
    assert fits("a\n...\nc\n", "a\nb\nb\nc\n")
    assert fits("2 games in ...\n", "2 games in 1.5 s\n")
    assert not fits("a\n", "a\nb\n")
    assert not fits("", "something")
