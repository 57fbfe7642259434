"""Print the test files that a change can reach, to run only these.

    .venv/bin/pytest -m "not deep" $(.venv/bin/python tools/affected.py [REVISION])

The change is what differs from REVISION (default: HEAD), with files that git does not track yet. A test file reaches a
package of the engine if it, or a module of the tests that it imports, imports the package or one that is built on it.
It reaches a content pack, a schema, a page or a tool if it names it, or goes through all of its folder. What all tests
share (``pyproject.toml``, ``tests/conftest.py``) reaches everything: then nothing is printed, and pytest runs all.
"""

from __future__ import annotations

import argparse
import ast
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENGINE, TESTS = ROOT / "engine" / "patolli", ROOT / "tests"
ALONE = {"kernel", "cli"}
"""Groups of packages that are one package."""

EVERYTHING = {"pyproject.toml", "tests/conftest.py"}
WHOLE_FOLDERS = {
    "content": r"installed\(|list_bundled\(|\bCONTENT\b|\"content\"|find_content_folder\(",
    "schemas": r"\"schemas\"",
    "docs": r"\"docs\"",
    "tools": r"\"tools\"",
}
"""How a test file shows that it goes through a whole folder."""


def main(revision: str) -> None:
    """Print the files, one a line."""
    changed = changed_files(revision)
    if not changed & EVERYTHING:
        print(*(path.relative_to(ROOT) for path in test_files() if reaches(path, changed)), sep="\n")


def changed_files(revision: str) -> set[str]:
    """Return what differs from a revision, as paths from the root."""
    differing = ["git", "diff", "--name-only", "--relative", revision]
    untracked = ["git", "ls-files", "--others", "--exclude-standard"]
    found = set[str]()
    for one in (differing, untracked):
        done = subprocess.run(one, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"git cannot tell what changed: {done.stderr.strip()}")
        found |= set(done.stdout.splitlines())
    return found


def test_files() -> list[Path]:
    """Return the files that pytest collects tests from."""
    return sorted(TESTS.rglob("test_*.py"))


def reaches(test: Path, changed: set[str]) -> bool:
    """Return whether a change can make a difference to a test file."""
    helpers = tests_imported(test)
    packages = {above for file in helpers for name in packages_imported(file) for above in (name, *below(name))}
    text = "".join(file.read_text("utf-8") for file in helpers)
    for name in changed:
        top, *parts = Path(name).parts
        if name in {file.relative_to(ROOT).as_posix() for file in helpers}:
            return True
        if top == "engine" and (len(parts) == 2 or package_of(parts[1:]) in packages):
            return True
        if top == "tests" and Path(name).suffix != ".py" and (ROOT / name).parent.is_relative_to(test.parent):
            return True
        if top in WHOLE_FOLDERS and (re.search(WHOLE_FOLDERS[top], text) or mentioned(parts, text)):
            return True
        if top == "tests" and parts[:1] == ["data"] and mentioned(parts[1:], text):
            return True
    return False


def mentioned(parts: list[str], text: str) -> bool:
    """Return whether a text names a file, or one of the folders that it is in."""
    return any(re.search(rf"\b{re.escape(Path(part).stem)}\b", text) for part in parts if part != "gallery")


@cache
def tests_imported(test: Path) -> frozenset[Path]:
    """Return a test file, with the modules of the tests that it imports, and the ``conftest`` files above it."""
    found, open_ = set[Path](), [test, *(folder / "conftest.py" for folder in test.parents if folder != TESTS)]
    while open_:
        path = open_.pop()
        if path.exists() and path not in found and path.is_relative_to(TESTS):
            found.add(path)
            for name in imported(path):
                below_tests = Path(*name.split("."))
                open_ += [TESTS / below_tests.with_suffix(".py"), TESTS / below_tests / "__init__.py"]
                open_ += [folder / below_tests.with_suffix(".py") for folder in (TESTS / "gallery", TESTS / "lab")]
    return frozenset(found)


@cache
def packages_imported(path: Path) -> frozenset[str]:
    """Return the packages of the engine that a file imports; ``patolli`` alone, or a command, may need all of them."""
    names = [name.split(".") for name in imported(path) if name.split(".")[0] == "patolli"]
    found = {package_of(parts[1:]) for parts in names if len(parts) > 1} - {""}
    if ["patolli"] in names or "patolli" in re.findall(r"-m\W+(\w+)", path.read_text("utf-8")):
        found |= {"author/workspace", "play/players"}
    return frozenset(found)


@cache
def below(package: str) -> frozenset[str]:
    """Return the packages that one is built on."""
    found, open_ = set[str](), [package]
    while open_:
        for path in (ENGINE / open_.pop()).rglob("*.py"):
            names = [name.split(".")[1:] for name in imported(path) if name.startswith("patolli.")]
            new = {package_of(name) for name in names} - found - {""}
            found |= new
            open_ += new
    return frozenset(found)


def package_of(parts: Sequence[str]) -> str:
    """Return the package in which a module lies, such as ``run/compiler``; nothing where that is none or a group."""
    found = [*parts[:1]] if parts and parts[0] in ALONE else [*parts[:2]]
    return "/".join(found) if len(parts) >= len(found) > 0 and ENGINE.joinpath(*found).is_dir() else ""


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules that a file imports, inside functions too."""
    found = set[str]()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision", metavar="REVISION", nargs="?", default="HEAD", help="default: HEAD")
    main(parser.parse_args().revision)
