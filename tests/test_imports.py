"""Rooms import only backwards, and ``import patolli`` stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "engine" / "patolli"
GROUPS = {
    "kernel": ("kernel",),
    "language": ("diagnostics", "sources", "language", "packs", "program", "resolve"),
    "check": ("proofs", "analysis", "lints", "prose"),
    "run": ("compiler", "runtime", "native"),
    "author": ("workspace", "scenarios", "lookup"),
    "play": ("learning", "players", "terminal"),
    "measure": ("observations", "simulation", "tournaments", "training", "lab", "environments"),
    "serve": ("server", "studio"),
    "cli": ("cli",),
}
ROOMS = tuple(package for group in GROUPS.values() for package in group)
HEAVY = (
    "click", "gymnasium", "hypothesis", "jsonschema", "lark", "numpy", "pettingzoo", "psycopg", "pygls", "pyspiel",
    "pytest", "referencing", "rich", "ruamel", "starlette", "uvicorn",
)  # fmt: skip


def rooms() -> list[Path]:
    return sorted(p for p in PACKAGE.iterdir() if p.is_dir() and p.name != "__pycache__" and any(p.glob("*.py")))


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module; all tests here look at them."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """The rooms that a module imports from, inside functions and for types too, with the line."""
    for node in ast.walk(tree(path)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by dots"
            names = [node.module or ""]
            if node.module == "patolli":
                names = [f"patolli.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "patolli" and len(parts) > 1 and (PACKAGE / parts[1]).is_dir():
                yield node.lineno, parts[1]


def test_every_folder_is_a_room():
    unknown = [path.name for path in rooms() if path.name not in ROOMS]

    assert unknown == []


@pytest.mark.parametrize("room", ROOMS)
def test_room_imports_backwards(room):
    known = ROOMS[: ROOMS.index(room) + 1]
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {other}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for line, other in imported(path)
        if other not in known
    ]

    assert wrong == []


def test_one_module_composes_and_checks():
    stages = {"compose", "analyse", "declare", "select"}
    inside = {"packs", "resolve", "analysis"}  # where these functions are
    users = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in inside
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and stages & {alias.name for alias in node.names}
    }

    assert users == {"workspace/choosing.py", "workspace/inspecting.py"}


def modules() -> dict[str, Path]:
    """All modules of the package by their dotted names."""
    found = {".".join(("patolli", *p.relative_to(PACKAGE).with_suffix("").parts)): p for p in PACKAGE.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for name, path in found.items()}


def needed(path: Path, known: set[str]) -> Iterator[str]:
    """The modules that one imports when it runs: inside functions too, but not for types only."""
    whole = tree(path)
    for_types = [n for n in ast.walk(whole) if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING"]
    left_out = {id(inner) for block in for_types for inner in ast.walk(block)}
    for node in ast.walk(whole):
        if isinstance(node, ast.ImportFrom) and id(node) not in left_out:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                yield name if name in known else str(node.module)


def test_no_module_needs_itself():
    paths = modules()
    graph = {name: set(needed(path, set(paths))) & set(paths) - {name} for name, path in paths.items()}

    TopologicalSorter(graph).prepare()  # an import inside a function does not make a circle straight


def loaded(statement: str) -> set[str]:
    """The heavy packages that a statement imports in a new process."""
    program = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stdout.split()} & set(HEAVY)


def test_import_is_light():
    assert loaded("import patolli") == set()


def test_command_line_loads_what_it_needs():
    assert loaded("import patolli.cli") <= {"click"}
