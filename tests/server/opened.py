"""Files that the tests open in the editor, and what it shows of their problems."""

from __future__ import annotations

from pathlib import Path

from lspclient import Editor
from lsprotocol import types as lsp

POWER = "rules/power_ups.yaml"
LINE = "set w.power to min(6, w.power + 1)"
RISING = "scenarios/ascension.yaml"


def power(editor: Editor) -> Path:
    path = editor.folder / "city_of_gods" / POWER
    return path if path in editor.texts else editor.open(f"city_of_gods/{POWER}")


def shown(problems: list[lsp.Diagnostic]) -> list[tuple[str, int, int, int]]:
    """Code, line, and columns from 1."""
    return [
        (str(p.code), p.range.start.line + 1, p.range.start.character + 1, p.range.end.character + 1) for p in problems
    ]


def rising(editor: Editor) -> Path:
    path = editor.folder / "city_of_gods" / RISING
    return path if path in editor.texts else editor.open(f"city_of_gods/{RISING}")
