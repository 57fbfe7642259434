"""What was parsed for one ruleset serves the next: it stays as it was parsed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest

from patolli.author.workspace import Request, check_pack, check_packs
from patolli.language.diagnostics import Problem
from patolli.language.diagnostics.order import in_order
from patolli.language.packs.manifest import Kept, understand
from patolli.language.resolve.texts import _expression
from patolli.language.sources import Mapping, Scalar, Sequence
from patolli.language.sources.nodes import Node
from patolli.language.syntax.parser import parse_cost, parse_effect

PARSERS = {"parse_effect": parse_effect, "parse_cost": parse_cost, "_expression": _expression}


def scalars(node: Node) -> Iterator[Scalar]:
    match node:
        case Scalar():
            yield node
        case Sequence():
            for item in node.items:
                yield from scalars(item)
        case Mapping():
            for key, value in node.items.values():
                yield key
                yield from scalars(value)


@pytest.fixture(scope="module")
def files() -> Kept:
    """The files of modules that wrap rules, add to menus, put steps between others, and adjust functions."""
    files = Kept()
    for pack in ("altars", "solo"):
        check_pack(Request(pack), files)
    return files


@pytest.mark.deep
def test_no_ruleset_changes_what_was_read(files: Kept) -> None:
    seen = 0
    for pack in ("city_of_gods", "obsidian", "altars", "solo"):
        for document in files.pack(pack).documents:
            for text in scalars(document.tree):
                for name, found in (text.readings or {}).items():
                    seen += 1
                    assert found == PARSERS[name](text), text
    assert seen > 1000


@pytest.mark.deep
def test_a_text_is_read_once(files: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    def parse_effect(text: object) -> None:
        raise AssertionError(text)

    monkeypatch.setattr("patolli.language.resolve.texts.parse_effect", parse_effect)
    assert check_pack(Request("solo"), files).problems == []
    understand.cache_clear()
    assert [problem.code for problem in check_pack(Request("solo")).problems] == ["P0900"]


def test_mistakes_are_reported_in_every_ruleset_that_reads_them(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "pack.yaml").write_text(
        "document: pack\nid: base\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Base\ntext: A game.\nplayers: {min: 1, max: 2}\n"
    )
    (tmp_path / "base" / "rules.yaml").write_text(
        "document: rules\nrules:\n  setup: {do: nothing}\n  match: {do: 'gain 1 2'}\n"
    )
    files = Kept()
    first = check_pack(Request(str(tmp_path / "base")), files).problems
    assert [problem.code for problem in first] == ["P0101"]
    assert check_pack(Request(str(tmp_path / "base")), files).problems == first


@pytest.mark.deep
def test_shared_reading_changes_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs with mistakes: together in several processes, and each alone with everything read again."""
    content = Path(__file__).parents[2] / "content"
    for pack in ("founders", "founders_solo"):
        copytree(content / pack, tmp_path / pack)
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    chance = random.Random(4)
    for _ in range(3):
        _damage(
            chance.choice(sorted(tmp_path.glob("*/*.yaml")) + sorted(tmp_path.glob("founders/rules/*.yaml"))), chance
        )
    names = ("founders", "founders_solo", "tic_tac_toe")
    together = check_packs(names, remember=False)
    alone: list[Problem] = []
    for name in names:
        understand.cache_clear()
        alone += check_pack(Request(name)).problems
    assert together.problems == in_order(alone)
    assert together.problems


def _damage(path: Path, chance: random.Random) -> None:
    """Leave out a word of a file, somewhere behind its head."""
    words = re.findall(r"\s+|[^\s]+", path.read_text())
    at = chance.randrange(20, len(words))
    path.write_text("".join(words[:at] + words[at + 1 :]))
