"""The pages about bots are carried out: commands are called and programs run, and the answers compared."""

from __future__ import annotations

import re
import runpy
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from tutorial import BLOCK, fits

from patolli.cli.main import main

GUIDES = Path(__file__).parents[2] / "docs" / "how-to"
PAGES = ["compare-bots.md", "train-a-bot.md"]


def carried_out(command: str) -> str:
    """Carry out a line of a console, and return what it prints."""
    program, *words = shlex.split(command)
    if program == "python":
        with redirect_stdout(StringIO()) as printed:
            runpy.run_path(words[0], run_name="__main__")
        return printed.getvalue()
    assert program == "patolli"
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_shows_is_what_happens(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    blocks = BLOCK.findall((GUIDES / page).read_text("utf-8"))
    for language, name, text in blocks:
        if language == "python" and name:
            Path(name).write_text(text, "utf-8")
    shown = [
        one
        for language, _, text in blocks
        if language == "console"
        for one in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    ]
    assert shown
    for command, answer in shown:
        found = carried_out(command)
        assert fits(answer, found), f"$ {command}\n{found}\n--- the page shows ---\n{answer}"
