"""Tools of the repository, as tests use them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[1]


def tool(name: str) -> ModuleType:
    """Return a tool by the name of its file; its folder has names that stand for others here."""
    spec = importlib.util.spec_from_file_location(f"tool_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    if spec.name not in sys.modules:
        sys.modules[spec.name] = importlib.util.module_from_spec(spec)  # where its classes look for their names
        spec.loader.exec_module(sys.modules[spec.name])
    return sys.modules[spec.name]
