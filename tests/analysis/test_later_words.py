"""Reports about declarations of language version 2, and about wrong uses of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packmaker import SAMPLE, loaded, problems

MODEL = "# m.yaml\ndocument: model\n"
RULES = "# r.yaml\ndocument: rules\n"
ROADS = "graphs: {roads: {of: cell, edges: [[a1, a2]]}}\n"


def older() -> str:
    """Return the manifest of the sample pack, in the first version of the language."""
    manifest = (Path(SAMPLE) / "pack.yaml").read_text("utf-8")
    return "# pack.yaml\n" + re.sub("language: 2", "language: 1", manifest)


def told(folder, text):
    return [(p.code, p.span.line, p.message) for p in problems(folder, text)]


@pytest.mark.parametrize(
    ("declared", "what"),
    [
        ("grids:\n  hexa: {rows: 3, columns: 3, prefix: h_, form: hex}\n", "a grid of hexagons"),
        ("table: {ko: cell or none}\n", "'table'"),
        (ROADS, "a graph"),
    ],
)
def test_later_declarations_are_refused_in_the_first_version(tmp_path, declared, what):
    (found,) = problems(tmp_path / "old", older() + MODEL + declared)

    assert (found.code, found.message) == ("P0201", f"{what} comes with a later version of the language")
    assert found.help.startswith("write 'language: 2' in the pack's manifest")
    assert [p for p in problems(tmp_path / "new", MODEL + declared) if p.severity == "error"] == []


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("distance(c, coin, roads)", "'distance' expects a piece or member, found a number"),
        ("distance(c, plain_1, roads)", "no relation leads from a cell to a card"),
        ("distance(c, a2, price)", "'price' does not lead from one cell to a list of them"),
    ],
)
def test_one_wrong_argument_is_reported_once_and_where_it_stands(tmp_path, call, message):
    rules = (
        f"functions:\n  far(cell c): {call} or 99\n  near(cell c): far(c) + 1\nrules:\n  try_it: gain near(a1) coin\n"
    )

    assert [found[1:] for found in told(tmp_path, MODEL + ROADS + RULES + rules)] == [(3, message)]


def test_who_is_active_is_not_me(tmp_path):
    (found,) = problems(tmp_path, "document: rules\nactive: me\n")

    assert (found.message, found.help) == (
        "unknown name 'me'", "no player acts here; name one, by a field, a function or a number",
    )  # fmt: skip


@pytest.mark.parametrize("section", ["places:\n  table: {of: card, type: area}\n", "counters:\n  table: {text: T}\n"])
def test_nothing_else_is_called_table_beside_its_fields(tmp_path, section):
    text = f"{MODEL}{section}table: {{ko: cell or none}}\n{RULES}rules:\n  try_it: set ko to a1\n"
    (found,) = problems(tmp_path, text)

    assert (found.code, found.span.line) == ("P0203", 3)
    assert found.message == "'table' is what fields of the whole table belong to"
    assert [(span.line, words) for span, words in found.also] == [(4, "this belongs to the table")]


@pytest.mark.parametrize(
    ("value", "help_"),
    [
        ("hand(me) - shop", "write '[x in hand(me) where x not in shop]'"),
        ("hand(me) - top(hand(me))", "write '[x in hand(me) where x != top(hand(me))]'"),
    ],
)
def test_what_is_left_of_a_list_has_a_form_of_its_own(tmp_path, value, help_):
    rules = f"rules:\n  try_it: |\n    let xs = {value}\n    for c in xs: set c.used to true\n"
    (found,) = problems(tmp_path, f"document: rules\n{rules}")

    assert (found.message, found.help) == ("nothing is subtracted from a list", help_)


@pytest.mark.parametrize(
    ("noun", "told_of"), [("[coin, coins]", "coin"), ("[bit, nut]", "nut"), ("[gold piece, gold pieces]", "")]
)
def test_noun_that_is_the_id_of_another_counter(tmp_path, noun, told_of):
    text = f"{MODEL}counters:\n  gold: {{per: player, noun: {noun}, text: Gold}}\n"
    text += f"{RULES}triggers:\n  t: {{after: earn, do: 'gain 1 gold; if gold > 2: gain 1 point'}}\n"
    words = f"'{told_of}' is the id of another counter, so an effect that names it does not mean 'gold'"

    assert told(tmp_path, text) == ([("P0477", 3, words)] if told_of else [])


@pytest.mark.parametrize(
    ("lasts", "do", "is_told"),
    [
        ("dig", "after: earn, do: 'set haste to 2; if haste > 1: gain 1 nut'", True),
        ("dig", "after: earn, do: 'gain 2 haste; if haste > 1: gain 1 nut'", True),
        ("earn", "after: earn, do: 'set haste to 2; if haste > 1: gain 1 nut'", False),
        ("turn", "after: earn, do: 'set haste to 2; if haste > 1: gain 1 nut'", False),
        ("dig", "before: dig, do: 'set haste to 2; if haste > 1: gain 1 nut'", False),
        ("dig", "after: earn, do: 'if haste > 1: gain 1 nut'", False),  # nothing changes it at all
    ],
)
def test_what_lasts_is_changed_in_its_rule(tmp_path, lasts, do, is_told):
    text = f"{MODEL}counters:\n  haste: {{per: player, lasts: {lasts}, text: Haste}}\n{RULES}triggers:\n  t: {{{do}}}\n"
    words = f"'haste' lasts as long as '{lasts}', but nothing in '{lasts}' changes or reads it"

    assert [found[2] for found in told(tmp_path, text)] == ([words] if is_told else [])


def test_what_is_set_before_a_rule_may_last_as_long_as_it(tmp_path):
    text = f"{MODEL}table:\n  fee: {{type: int = 3, lasts: build}}\n{RULES}rules:\n  build: gain cost_now() nut\n"
    text += "functions:\n  cost_now(): fee + 1\ntriggers:\n  t: {after: earn, do: 'set fee to 1; build(); build()'}\n"

    assert told(tmp_path, text) == []
    match = loaded(tmp_path, "").start(2, 3)
    for label in ("0", "0", "earn"):
        match.choose(label)
    assert match.view(0)["counters"]["nut"]["player_2"] == 2 + 4


def test_what_lasts_may_be_changed_by_an_action_meanwhile(tmp_path):
    text = f"{MODEL}counters:\n  haste: {{per: player, lasts: dig, text: Haste}}\n{RULES}"
    text += "active: players[0]\nanytime:\n  hurry: {label: hurry, when: haste < 1, do: set haste to 2}\n"

    assert "P0483" not in [found[0] for found in told(tmp_path, text)]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        (["pay (c.number if c else 0) coin"], []),
        (["pay (0 if not c else c.number) coin"], []),
        (["pay (c.number if c else 1) coin"], ["P0401"]),
        (["if c: pay c.cost"], []),
        (["if c: pay c.cost", "else: pay 1 coin"], ["P0401"]),
    ],
)
def test_payment_behind_a_choice_that_may_be_declined(tmp_path, lines, codes):
    body = "".join(f"    {line}\n" for line in lines)
    rules = f'document: rules\nrules:\n  try_it: |\n    choose c in shop or none "Which?"\n{body}'

    assert [found[0] for found in told(tmp_path, rules)] == codes


@pytest.mark.parametrize("effect", ['expect coin >= 1 "why"', "reveal top(deck) to me"])
def test_statements_of_a_later_version_say_so(tmp_path, effect):
    rules = f"document: rules\nrules:\n  try_it: |\n    {effect}\n"
    word = effect.partition(" ")[0]

    assert told(tmp_path, rules)[0] == ("P0101", 4, f"{word!r} comes with a later version of the language")


@pytest.mark.parametrize(
    ("effect", "found"),
    [
        ("as me by players[0]: gain 1 coin", "'by' here"),
        ("if coin > 0:\n      as me by players[0]: gain 1 coin\n    gain 1 coin and", "'by' here"),
        ("repeat (coin + 1) times: gain 1 coin", None),
    ],
)
def test_forms_of_a_later_version_say_so_and_how_to_migrate(tmp_path, effect, found):
    """The second example has another mistake behind it."""
    (problem,) = problems(tmp_path, f"document: rules\nrules:\n  try_it: |\n    {effect}\n")[:1] or [None]

    if found is None:
        assert problem is None
        return
    assert (problem.code, problem.message) == ("P0101", f"{found} comes with a later version of the language")
    assert (
        problem.help
        == "write 'language: 3' in the pack's manifest; 'patolli migrate' does it and shows what else changes"
    )
