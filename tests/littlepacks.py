"""Lay little packs of a few lines, and see that matches of them are the same in both engines."""

from __future__ import annotations

from pathlib import Path

import pytest
from tools_by_name import tool as tool_of

from patolli.author.workspace import inspect, load
from patolli.language.syntax.words import NEWEST

HEAD = "document: pack\nid: little\nversion: 1.0.0\nlanguage: {}\nproofs: full\ntitle: Little\nplayers: {{min: 2, max: 3}}\n"


def lay(folder: Path, model: str, rules: str, language: int = NEWEST, **documents: str) -> str:
    """Write a pack with a model, rules and perhaps more documents; return its folder."""
    texts = {"pack": HEAD.format(language), "model": f"document: model\n{model}", "rules": f"document: rules\n{rules}"}
    for name, text in (texts | documents).items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return str(folder)


def told(folder: str) -> list[str]:
    """Return what is found in a pack, each with its code and message."""
    return [f"{one.code}: {one.message}" for one in inspect(folder).problems]


def scores(folder: str, *choices: str, players: int = 2) -> list[int]:
    """Return what players score when these are the choices."""
    match = load(folder).start(players, 1)
    for choice in choices:
        match.choose(choice)
    assert match.decision is None
    return list(match.scores)


def see_same_natively(folder: str) -> None:
    """Play random matches in both engines, choice for choice."""
    pytest.importorskip("wasmtime", reason="the extra native is not installed")
    found = tool_of("native").compared(load(folder), 2, range(3), steps=1)
    assert found.fine, str(found)
