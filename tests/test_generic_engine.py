"""The engine knows no game: what packs declare must not be a word in ``engine/`` or ``schemas/``.

Every id that a shipped pack declares is looked for as a whole token in every file of the engine, comments
and messages included. Ordinary English words, which the engine needs for itself, stand in ``ORDINARY``;
before you add one there, ask whether the engine has learned something about a game. Words of themes
are looked for on their own, inside compound names and in the plural too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from patolli.language.sources import Mapping, Node, Scalar, Sequence, read_yaml

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
SEARCHED = (("engine/patolli", ("*.py", "*.lark", "*.md")), ("schemas", ("*.json",)))

# Declared by some pack, and needed by the engine all the same: words of the language, words for any game on a
# table, the names of the bots and of the engine itself, plain English, and what libraries for learning call things.
ORDINARY = frozenset(
    """
    cell cells icon icons choose column cost effect first go level match move next number pay place player players
    distance position reachable refill row setup shape space step turn turns
    board goods hand home mark marks point points ring slot square track
    greedy patolli everywhere moving roll
    acting action advance ahead answers begin beside bonus build category claim closing collect colour colours
    discovery due end enter extra far final finish frame full give good height kept landing lay lower main
    moment more never now open owns pair passes plain ready resource support used waiting
    arm blue boards draft green learn marker printed red yellow
    area at base built common costs exchange free offers passed placed plan pool reached region regions round second shown
    side site size stack value major stands_for
    hex loose throw receive icon stake
    reward rewards mask masks action_masks action_spaces reset
    display figure ground phase
    cluster clusters directions
    tile tiles north east south west price
    promises promised claims arrived discarded strength leader locked starting explore cover reveal idle favor
    """.split()
)

THEME = frozenset(
    """
    alchemy altar architect ascension avenue bead bean cocoa decoration disc district eclipse empire forest
    gold mansion maize noble obsidian palace pawn priest pyramid quarry runner stone technology temple
    teotibot teotihuacan warrior wood worker worship
    battleship flagship goofspiel jack king leduc othello queen submarine
    amazon amazons backgammon bishop castling checkers chess gammon knight ko morris promotion rook superko trump
    """.split()
)

NAMED = """
    enums kinds counters groups places grids graphs table constants functions rules triggers anytime substitutions
    discounts waivers invariants values pieces panels options
""".split()


def inside(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Mapping) else None


def keys(node: Node | None) -> Iterator[str]:
    """The ids of a mapping, without parameters."""
    for key in node.items if isinstance(node, Mapping) else ():
        yield key.partition("(")[0].strip()


def entries(node: Node | None) -> Iterator[Node]:
    for _, value in node.items.values() if isinstance(node, Mapping) else ():
        yield value


def words(node: Node | None) -> Iterator[str]:
    for item in node.items if isinstance(node, Sequence) else ():
        if isinstance(item, Scalar):
            yield item.value


def declared_in(document: Node, small: bool = False) -> Iterator[str]:
    """All ids that one document declares.

    A *small* game is about plain things, which the engine may speak of in its comments: only its name counts, and what
    it is about stands among the words of themes.
    """
    name = inside(document, "id")
    if isinstance(name, Scalar):
        yield name.value
    if small:
        return
    for section in NAMED:
        yield from keys(inside(document, section))
    for members in entries(inside(document, "enums")):
        yield from words(members)
    for option in entries(inside(document, "options")):
        yield from words(inside(option, "choices"))
    for section in ("kinds", "grids"):
        for kind in entries(inside(document, section)):
            yield from keys(inside(kind, "facts"))
            yield from keys(inside(kind, "fields"))
    for rule in entries(inside(document, "rules")):
        yield from keys(inside(rule, "steps"))


@cache
def declared() -> dict[str, str]:
    """Every id of the shipped packs with the file that declares it; single letters are left out."""
    found: dict[str, str] = {}
    for path in sorted(CONTENT.rglob("*.yaml")):
        document, problems = read_yaml(path.read_text(encoding="utf-8"), str(path))
        assert document is not None, problems
        for id_ in declared_in(document, "gallery" in path.parts):
            if len(id_) > 1:
                found.setdefault(id_, path.relative_to(ROOT).as_posix())
    return found


@cache
def tokens() -> tuple[tuple[str, str, int], ...]:
    """Every token of the engine and the schemas in lower case, with file and line."""
    found = []
    for folder, patterns in SEARCHED:
        for path in sorted(p for pattern in patterns for p in (ROOT / folder).rglob(pattern)):
            lines = path.read_text(encoding="utf-8").splitlines()
            for number, line in enumerate(lines, 1):
                found += [
                    (w, path.relative_to(ROOT).as_posix(), number)
                    for w in re.findall(r"[a-z_][a-z0-9_]*", line.lower())
                ]
    return tuple(found)


def test_engine_uses_no_id_of_a_pack():
    ids = declared()
    seen = {}
    for token, path, line in tokens():
        if token in ids and token not in ORDINARY:
            seen.setdefault(token, f"{path}:{line} uses {token!r}, which {ids[token]} declares")

    assert not seen, "\n".join(sorted(seen.values()))


def test_engine_uses_no_word_of_a_theme():
    forms = THEME | {f"{word}s" for word in THEME} | {f"{word[:-1]}ies" for word in THEME if word.endswith("y")}
    seen = [f"{path}:{line} {token}" for token, path, line in tokens() if forms.intersection(token.split("_"))]

    assert not seen, "\n".join(seen)


def test_every_ordinary_word_is_declared_by_a_pack():
    assert sorted(ORDINARY - declared().keys()) == []


def test_search_finds_what_is_declared():
    assert {"tic_tac_toe", "shaft", "can_go", "crossing", "thrown"} <= declared().keys()


@pytest.mark.parametrize("folder", [folder for folder, _ in SEARCHED])
def test_search_covers(folder):
    assert any(path.startswith(folder) for _, path, _ in tokens())
