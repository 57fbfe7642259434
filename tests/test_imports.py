"""Groups import only from groups below them, and ``import patolli`` stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "engine" / "patolli"
GROUPS = {
    "kernel": (),
    "language": ("diagnostics", "sources", "syntax", "packs", "program", "resolve"),
    "check": ("proofs", "analysis", "lints", "prose"),
    "run": ("compiler", "runtime", "native"),
    "author": ("workspace", "scenarios", "lookup", "distribution"),
    "play": ("learning", "players", "scene", "terminal"),
    "measure": ("observations", "simulation", "tournaments", "training", "lab", "environments"),
    "serve": ("lsp", "studio"),
    "cli": (),
}
"""From the lowest group to the highest, with their packages in the same order; two groups are one package each."""
PACKAGES = tuple(f"{group}/{name}".rstrip("/") for group, names in GROUPS.items() for name in names or ("",))
HEAVY = (
    "click", "gymnasium", "hypothesis", "jsonschema", "lark", "numpy", "pettingzoo", "psycopg", "pygls", "pyspiel",
    "pytest", "referencing", "resolvelib", "rich", "ruamel", "starlette", "uvicorn",
)  # fmt: skip


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module; all tests here look at them."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the packages that a module imports from, inside functions and for types too, with the line."""
    for node in ast.walk(tree(path)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports by dots"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            top, group, *rest = [*name.split("."), ""]
            if top == "patolli" and group in GROUPS:
                yield node.lineno, f"{group}/{rest[0]}" if GROUPS[group] else group


def test_every_folder_is_a_package_of_a_group():
    folders = {path.relative_to(PACKAGE).parent.as_posix() for path in PACKAGE.rglob("*.py")}
    packages = {"/".join(folder.split("/")[: 1 + bool(GROUPS.get(folder.split("/")[0]))]) for folder in folders}

    assert packages - {"."} == {*PACKAGES, *(group for group, names in GROUPS.items() if names)}


@pytest.mark.parametrize("package", PACKAGES)
def test_package_imports_backwards(package):
    known = PACKAGES[: PACKAGES.index(package) + 1]
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {other}"
        for path in sorted((PACKAGE / package).rglob("*.py"))
        for line, other in imported(path)
        if other not in known
    ]

    assert wrong == []


@pytest.mark.parametrize(("package", "never"), [("play/scene", "rich"), ("serve/studio", "rich|patolli.play.terminal")])
def test_only_the_terminal_draws_for_terminals(package, never):
    wrong = [
        f"{path.relative_to(PACKAGE)}:{node.lineno}"
        for path in sorted((PACKAGE / package).rglob("*.py"))
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (getattr(node, "module", None), *(alias.name for alias in node.names))
        if re.match(never, name or "")
    ]

    assert wrong == []


def test_one_module_composes_and_checks():
    stages = {"compose", "analyze", "declare", "select"}
    inside = {"packs", "resolve", "analysis"}  # the packages that define these functions
    users = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if inside.isdisjoint(path.relative_to(PACKAGE).parts)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ImportFrom) and stages & {alias.name for alias in node.names}
    }

    assert users == {"author/workspace/pack_choice.py", "author/workspace/inspection.py"}


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
