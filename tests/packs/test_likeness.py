"""A piece that is like another one has its keys, in its own pack and in modules."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems

from patolli.language.sources import plain

BASE = """\
# pack.yaml
document: pack
id: sample
version: 1.2.0
language: 3
proofs: full
title: The sample
players: {min: 2, max: 4}
options: {length: {choices: [long, short], default: long}, bonus: {range: [0, 3], default: 1}}
"""


def module(id_, requires="sample", pieces="", changes=()):
    """Write a module with pieces and with patches."""
    text = (
        f"# {id_}/pack.yaml\ndocument: pack\nid: {id_}\nversion: 1.0.0\nlanguage: 3\ntitle: More\n"
        f"requires: {{{requires}: '>=1.0'}}\n"
    )
    if pieces:
        text += f"# {id_}/cards.yaml\ndocument: pieces\nkind: card\npieces:\n  {pieces}\n"
    if changes:
        text += f"# {id_}/patch.yaml\ndocument: patch\nchange:\n" + "".join(f"  - {change}\n" for change in changes)
    return text


def cards(rules):
    """What stands in each card after all modules."""
    return {entry.id: plain(entry.node) for entry in rules.model.composition.all("pieces") if entry.kind == "card"}


def test_every_key_that_is_not_written_is_copied(tmp_path):
    pieces = "document: pieces\nkind: card\nplace: deck\npieces:\n  mild: {like: calm, number: 3}\n"
    found = cards(loaded(tmp_path, f"{pieces}  calm: {{like: rich, copies: 1}}\n{BASE}"))
    assert found["calm"] == {**found["rich"], "copies": 1}
    assert found["mild"] == {**found["calm"], "number": 3}


def test_effect_is_carried_out_for_the_copy(tmp_path):
    pieces = "document: pieces\nkind: card\npieces:\n  mild: {like: bold, copies: 1, cost: 2 coin, effect: gain it.number div 10 seed}\n"
    rules = "# rules2.yaml\ndocument: rules\ntriggers:\n  tested: {after: earn, do: 'do mild.effect'}\n"
    match = loaded(tmp_path, pieces + rules + BASE).start(2, 3)
    for step in (0, 0, "earn"):
        match.choose(step)
    assert match.view(0)["counters"]["seed"]["player_2"] == 2


def test_kind_may_have_a_fact_of_this_name(tmp_path):
    example = (
        "document: model\nkinds:\n  coat: {facts: {like: list of int = none}}\n# coats.yaml\n"
        "document: pieces\nkind: coat\npieces:\n  red: {like: [1, 2]}\n"
    )
    for folder, text in (("two", example), ("three", example + BASE)):
        assert [p for p in problems(tmp_path / folder, text) if p.severity == "error"] == []


@pytest.mark.parametrize(
    ("modules", "wanted"),
    [
        pytest.param((module("aa", pieces="proud: {like: bold}"),), {"proud": 20, "bold": 20}, id="of a required pack"),
        pytest.param(
            (module("aa", pieces="proud: {like: bold}", changes=["{replace: pieces/bold/number, with: 5}"]),),
            {"proud": 20, "bold": 5},
            id="before the patches of its own pack",
        ),
        pytest.param(
            (
                module("aa", changes=["{replace: pieces/bold/number, with: 5}"]),
                module("bb", "aa", pieces="proud: {like: bold}"),
            ),
            {"proud": 5, "bold": 5},
            id="after the patches of required packs",
        ),
        pytest.param(
            (
                module("aa", pieces="proud: {like: bold}"),
                module("bb", "aa", changes=["{replace: pieces/proud/number, with: 7}"]),
            ),
            {"proud": 7, "bold": 20},
            id="what was copied is changed",
        ),
        pytest.param(
            (module("aa", changes=["{replace: pieces/rich, with: {like: bold, number: 8}}"]),),
            {"rich": 8, "bold": 20},
            id="in a piece that a patch replaces",
        ),
        pytest.param(
            (module("aa", pieces="proud: {like: bold}"), module("bb", "aa", changes=["{remove: pieces/bold}"])),
            {"proud": 20, "bold": None},
            id="the other one is removed",
        ),
    ],
)
def test_modules(tmp_path, modules, wanted):
    found = cards(loaded(tmp_path, BASE + "".join(modules)))
    assert {id_: found.get(id_, {}).get("number") for id_ in wanted} == wanted


@pytest.mark.parametrize(
    ("modules", "code", "words"),
    [
        ((module("aa", pieces="proud: {like: clover}"),), "P0201", "unknown piece 'clover'"),
        ((module("aa", pieces="proud: {like: luck}"),), "P0202", "'proud' is a 'card', and 'luck' a 'charm'"),
        ((module("aa", pieces="proud: {like: proud}"),), "P0205", "'proud' is like 'proud'"),
        ((module("aa", changes=["{replace: pieces/bold, with: {like: bold}}"]),), "P0205", "'bold' is like 'bold'"),
    ],
)
def test_mistakes_are_reported_once(tmp_path, modules, code, words):
    found = problems(tmp_path, BASE + "".join(modules))
    assert [(p.code, p.message) for p in found] == [(code, words)]


@pytest.mark.parametrize(
    "keys",
    [
        "number: 4, effect: gain 1 coinn",
        "number: 4, effect: gain 2 coin, text: Gain 9 coins.",
        "number: red",
        "numbr: 3",
    ],
)
def test_mistake_in_what_is_copied_is_reported_once(tmp_path, keys):
    pieces = f"document: pieces\nkind: card\nplace: deck\npieces:\n  wrong: {{{keys}}}\n  again: {{like: wrong, copies: 2}}\n"
    assert len(problems(tmp_path, f"{pieces}{BASE}components: {{card: 15}}\n")) == 1


def test_long_circle_is_reported_in_one_line(tmp_path):
    rows = "".join(f"  c{i}: {{like: c{(i + 1) % 900}}}\n" for i in range(900))
    found = problems(tmp_path, f"document: pieces\nkind: card\npieces:\n{rows}{BASE}")

    (problem,) = [one for one in found if one.code == "P0205"]
    assert "and so on through 895 more, 'c899' is like 'c0'" in problem.message


def test_what_is_copied_has_a_limit(tmp_path):
    """A short line copies a long text, which is checked for each copy."""
    effect = "; ".join(["gain 1 seed"] * 400)
    rows = "".join(f"  calm{i}: {{like: calm}}\n" for i in range(60))
    text = f"document: pieces\nkind: card\npieces:\n  calm: {{like: rich, copies: 1, effect: {effect}}}\n"
    errors = [one for one in problems(tmp_path, f"{text}{rows}{BASE}") if one.severity == "error"]

    assert [(one.code, one.span.line) for one in errors] == [("P0054", 43)]
    assert "copy more than 200,000 characters" in errors[0].message
