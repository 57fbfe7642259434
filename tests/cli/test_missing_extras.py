"""Every command without the packages of an extra: it works without them, or ends with 2 and names the extra."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.machinery import PathFinder
from pathlib import Path

import numpy  # noqa: F401 - which, like pyarrow, cannot be imported a second time in one process
import pyarrow.parquet  # noqa: F401
import pytest
from click.testing import CliRunner
from tiers import few

from patolli.cli.main import COMMANDS
from patolli.cli.status import EXTRAS

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
DISTRIBUTIONS = {"lsprotocol": "pygls", "fontTools": "fonttools", "PIL": "pillow"}
"""What to install for the packages that are imported by another name."""
NEEDED = {
    "lab run tic_tac_toe --games 2 --jobs 1 --out F": "numpy pyarrow",
    "lab run tic_tac_toe --games 2 --out F --cluster localhost:1": "numpy pyarrow distributed",
    "lab tune plan.yaml --out F": "numpy pyarrow optuna",
    "train tic_tac_toe --games 2 --jobs 1 --out F.npz": "numpy",
    "simulate tic_tac_toe --games 2 --jobs 1 --bot learned": "numpy",
    "simulate tic_tac_toe --games 2 --jobs 1 --engine native": "wasmtime",
    "simulate tic_tac_toe --games 2 --jobs 1 --games-out F.parquet": "pyarrow",
    "play tic_tac_toe --seat all=learned": "numpy",
    "studio tic_tac_toe --port 1": "starlette uvicorn",
    "lsp": "pygls lsprotocol",
    "sheet tic_tac_toe --out F.pdf": "reportlab",
    "sheet tic_tac_toe --tabletop-simulator F": "PIL",
    "test tic_tac_toe --coverage": "coverage",
    "index build . --key F.key": "cryptography",
}
"""A call, and the packages without which it cannot be made."""
FREE = [
    "--help", "play tic_tac_toe --seat all=mcts:9", "simulate tic_tac_toe --games 2 --jobs 1", "validate tic_tac_toe",
    "tournament tic_tac_toe --bot random --bot greedy --games 2 --jobs 1", "test tic_tac_toe", "show tic_tac_toe",
    "gallery tic_tac_toe --out F.html", "diff chess checkers", "new pack fresh", "pack list", "schema F", "fmt fresh",
    "migrate tic_tac_toe", "explain P0401", "pack build tic_tac_toe", "index build .", "pack search tic --index .",
    "new module gifts --for tic_tac_toe", "compat tic_tac_toe gifts",
]  # fmt: skip
"""Calls that need nothing but the core."""


class Hiding:
    """Finds modules as Python does, but for those of some packages."""

    def __init__(self, packages: frozenset[str]) -> None:
        self.packages = packages

    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in self.packages else PathFinder.find_spec(name, path, target)


@pytest.fixture
def without(monkeypatch, tmp_path) -> Iterator[object]:
    """Return what calls the program as if some packages were not installed; modules are put back at the end."""
    known, finders, tried = dict(sys.modules), list(sys.meta_path), []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "plan.yaml").write_text("document: x\n")

    def call(words, packages):
        hidden = frozenset(packages)
        for name in list(sys.modules):
            if name.partition(".")[0] in hidden or (name.partition(".")[0] == "patolli" and hidden not in tried):
                del sys.modules[name]
        tried.append(hidden)  # what is imported from now on does without them
        plain = [one for one in finders if "pytest" not in type(one).__module__]  # that rewrites every module
        sys.meta_path[:] = [Hiding(hidden) if one is PathFinder else one for one in plain]
        main = __import__("patolli.cli", fromlist=["main"]).main
        return CliRunner().invoke(main, words.split(), catch_exceptions=False)

    yield call
    sys.meta_path[:] = finders
    sys.modules.clear()
    sys.modules.update(known)


@pytest.mark.parametrize(
    ("words", "package"), few([(words, one) for words, all_ in NEEDED.items() for one in all_.split()], 0, 4, 8, 12)
)
def test_extra_is_named(without, words, package):
    result = without(words, [package])

    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    found = re.search(r"pip install 'patolli\[([a-z,]+)\]'", " ".join(result.output.split()))
    assert found, result.output
    assert any(brings(extra, package) for extra in found[1].split(",")), result.output


@pytest.mark.deep
def test_core_needs_no_extra(without):
    for words in FREE:  # in one order: 'fmt' takes what 'new' has made
        result = without(words, [*EXTRAS, "pandas", "dask"])
        assert result.exit_code == 0, (words, result.output)


def brings(extra: str, package: str) -> bool:
    """Return whether an extra brings a package, by itself or with another extra."""
    listed = PROJECT["optional-dependencies"][extra]
    names = {re.split(r"[\[>=<]", one)[0] for one in listed}
    further = [inner for one in listed if one.startswith("patolli[") for inner in one[8:-1].split(",")]
    found = DISTRIBUTIONS.get(package, package) in names
    return found or any(brings(one, package) for one in further)


def test_every_package_of_an_extra_is_known():
    assert all(brings(extra, package) for package, extra in EXTRAS.items())
    ours = set(PROJECT["optional-dependencies"]) - {"test", "dev", "docs", "referee", "fast"}
    listed = {re.split(r"[\[>=<]", one)[0] for extra in ours for one in PROJECT["optional-dependencies"][extra]}
    assert listed - {"patolli"} <= {DISTRIBUTIONS.get(package, package) for package in EXTRAS}
    assert all(brings("all", package) for package, extra in EXTRAS.items() if extra != "test")


def test_every_command_is_in_the_table():
    assert {words.split()[0] for words in (*NEEDED, *FREE)} - {"--help"} == set(COMMANDS) - {"replay"}
