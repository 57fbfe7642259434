"""Every step of the tutorial is carried out: files are written, edits made, commands run, answers compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "learn" / "first-game.md"
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
USED = {"validate", "explain", "play", "show", "test", "simulate", "fmt"}


def _environment(folder: Path) -> dict[str, str]:
    """Put a program named ``patolli`` on the path that runs this tree."""
    program = folder / "bin" / "patolli"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m patolli "$@"\n', "utf-8")
    program.chmod(0o755)
    own = {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT / "engine"), "XDG_CACHE_HOME": str(folder / "cache")}
    return os.environ | own | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}


def _edit(path: Path, diff: str) -> None:
    lines = diff.splitlines(keepends=True)
    old = "".join(line[1:] for line in lines if line[0] in " -")
    new = "".join(line[1:] for line in lines if line[0] in " +")
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"{path.name}: found {text.count(old)} times:\n{old}"
    path.write_text(text.replace(old, new), "utf-8")


def _fits(shown: str, found: str) -> bool:
    """Compare an answer with what the page shows; three dots stand for anything, and nothing shown fits nothing."""
    pattern = re.escape(shown.strip()).replace(r"\.\.\.", ".*")
    return re.fullmatch(pattern.replace(".*\\\n", r".*\s*"), found.strip(), re.DOTALL) is not None


def _steps(console: str) -> list[tuple[str, str]]:
    parts = re.split(r"^\$ (.*)\n", console, flags=re.MULTILINE)
    assert not parts[0]
    return list(zip(parts[1::2], parts[2::2], strict=True))


def test_steps_of_the_tutorial_lead_to_a_game(tmp_path):
    environment = _environment(tmp_path)
    folder = tmp_path / "work"
    folder.mkdir()
    used = set()
    for language, name, text in BLOCK.findall(PAGE.read_text("utf-8")):
        if language == "diff":
            _edit(folder / name, text)
        elif name:
            (folder / name).write_text(text, "utf-8")
        else:
            assert language == "console"
            for command, shown in _steps(text):
                used.update(command.split()[1:2])
                done = subprocess.run(
                    command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=60
                )
                found = done.stdout + done.stderr
                assert _fits(shown, found), f"$ {command}\n{found}\n--- the page shows ---\n{shown}"
                if os.environ.get("PATOLLI_TUTORIAL"):
                    print(f"$ {command}\n{found}")
    assert used >= USED


def test_dots_stand_for_anything():
    assert _fits("a\n...\nc\n", "a\nb\nb\nc\n")
    assert _fits("2 games in ...\n", "2 games in 1.5 s\n")
    assert not _fits("a\n", "a\nb\n")
    assert not _fits("", "something")
