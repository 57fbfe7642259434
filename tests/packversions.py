"""Write small packs in several versions for tests, as folders or archives; nothing is checked while they are written."""

from __future__ import annotations

from pathlib import Path

from patolli.language.packs.archive_writer import build_archive
from patolli.language.sources.atomic_files import write_whole

BASE = """\
document: pack
id: {id}
version: {version}
language: 3
proofs: full
title: Game {id}
license: CC0-1.0
players: {{min: 2, max: 3}}
"""
MODEL = "document: model\ncounters:\n  coin: {per: player, text: Coins, source: assumed}\n"
RULES = """\
document: rules
rules:
  match:
    text: Take coins in turn.
    do: |
      loop:
        choose n in 1..3 "How many?"
        earn(n)
        if coin >= 6: end match
        pass to next(me)
  earn(int n):
    text: Take coins.
    do: gain n coin
result:
  score: coin
"""
MODULE = """\
document: pack
id: {id}
version: {version}
language: 3
proofs: full
title: Module {id}
requires: {{{requires}}}
"""
CHANGES = "document: patch\nchange:\n  - {after: rules/earn, do: gain 1 coin}\n"


def write_base(folder: Path, version: str = "1.0.0", id: str = "purse", **documents: str) -> Path:
    """Write a game in a folder; return it. *documents* replace or add files by name."""
    texts = {"pack": BASE.format(id=id, version=version), "model": MODEL, "rules": RULES}
    return _write_files(folder, texts | documents)


def write_module(folder: Path, id: str, version: str, requires: str, **documents: str) -> Path:
    """Write a module in a folder; *requires* is written as in its manifest. Return the folder."""
    texts = {"pack": MODULE.format(id=id, version=version, requires=requires), "changes": CHANGES}
    return _write_files(folder, texts | documents)


def _write_files(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def pack_into(home: Path, *folders: Path) -> list[Path]:
    """Build archives of packs into a folder; return them."""
    home.mkdir(parents=True, exist_ok=True)
    built = [build_archive(str(folder)) for folder in folders]
    for one in built:
        write_whole(home / one.name, one.data)
    return [home / one.name for one in built]
