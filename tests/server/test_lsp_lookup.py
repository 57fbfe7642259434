"""The language server completes, explains and finds things."""

from __future__ import annotations

import re

import pytest
from lspclient import MODULE
from lsprotocol import types as lsp
from server.opened import LINE, POWER, power
from tiers import few

from patolli.serve.lsp.completion import offers_at
from patolli.serve.lsp.hover_text import page_at

# ---- completion


@pytest.mark.parametrize(
    ("old", "new", "wanted", "unwanted"),
    few([
        pytest.param(LINE, "set w.", {"power", "colour", "owner"}, {"gain"}, id="facts"),
        pytest.param(LINE, "ga", {"gain", "set", "ascend", "w", "if"}, {"wood"}, id="start"),
        pytest.param(
            LINE, "gain 1 wo", {"wood", "vp", "resource"}, {"ascend"}, id="counter"
        ),
        pytest.param(
            LINE,
            "let x = co",
            {"count", "cocoa", "size", "workers", "w", "me"},
            {"gain"},
            id="expression",
        ),
        pytest.param(
            LINE, "let b = place_of(w, workers)\n      move w to workers(b.",
            {"number", "main"}, {"power"}, id="facts of a variable in the text",
        ),
        pytest.param("    source: facts 18\n", "    so\n", {"source", "text", "steps"}, {"gain"}, id="key"),
        pytest.param(
            "    source: facts 18\n", "    source: facts 18\ntriggers:\n  t:\n    after: ecl", {"eclipse", "eclipse/salary", "gain"},
            {"lose", "wood"}, id="rule, step, or what happens",
        ),
        pytest.param(
            "    source: facts 18\n", "    source: facts 18\ntriggers:\n  t:\n    instead: ecl", {"eclipse"},
            {"gain", "wood"}, id="rule to replace",
        ),
        pytest.param(
            "    source: facts 18\n",
            "    source: facts 18\ntriggers:\n  t:\n    instead: power_up\n    do: ori", {"original"},
            set(), id="what was to happen",
        ),
        pytest.param(
            "document: rules\n", "document: rules\nwhen_active: [al", {"altars", "solo", "not"}, {"gain", "eclipse"},
            id="pack",
        ),
        pytest.param("document: rules", "document: r", {"rules", "pieces"}, {"gain"}, id="kind of document"),
    ], 0, 5),
)  # fmt: skip
def test_completion_offers(editor, old, new, wanted, unwanted):
    path = power(editor)
    end = editor.texts[path].index(old) + len(new.rstrip("\n"))
    editor.type(path, old, new)

    offers = editor.complete(path, end)

    assert wanted <= set(offers)
    assert not unwanted & set(offers)


@pytest.mark.deep
def test_completion_offers_facts_of_a_piece(editor):
    path = editor.open("city_of_gods/pieces/bonus.yaml")
    piece = next(line for line in editor.texts[path].splitlines() if line.startswith("  ") and "{" in line)
    start = piece[: piece.index("{") + 1]
    end = editor.texts[path].index(piece) + len(start) + 1
    editor.type(path, piece, start + "e}")

    offers = editor.complete(path, end)

    assert {"effect", "copies", "text"} <= set(offers)


@pytest.mark.deep
def test_completion_offers_fields_that_open_another_one(editor):
    path = editor.open("city_of_gods/model.yaml")
    old, new = (
        "fields: {used: bool = false}",
        "fields: {used: bool = false, x: {type: int = 0, visible: none, unless: u}}",
    )
    end = editor.texts[path].index(old) + len(new) - 2
    editor.type(path, old, new)

    offers = editor.complete(path, end)

    assert {"used"} == set(offers)


def test_completion_tells_what_an_offer_is(editor):
    path = power(editor)
    end = editor.texts[path].index(LINE) + 3
    editor.type(path, LINE, "asc")

    offer = editor.complete(path, end)["ascend"]

    assert offer.detail == "rule ascend(worker w)"
    assert "Avenue" in str(offer.documentation)


# ---- looking things up


def test_hover_shows_signature_text_and_place(editor):
    page = editor.hover(power(editor), "ascend(w)")

    assert "rule ascend(worker w)" in page
    assert "a reward, and the Calendar" in page
    assert "A rule in" in page
    assert "`power_ups.yaml`, line 31" in page or "power_ups.yaml" in page


@pytest.mark.parametrize(
    ("word", "plus", "words"),
    [
        pytest.param("w.power to", 2, "worker.power: int", id="field"),
        pytest.param("workers(space) where", 1, "place workers(space)", id="place"),
        pytest.param("palace)", 1, "space palace", id="piece"),
        pytest.param("me and w.power", 1, "acting player", id="word of the language"),
        pytest.param("set w.power to", 1, "set x.size to 3", id="word that begins an effect"),
        pytest.param("gain 5 cocoa", 2, "Adds to counters", id="another one"),
        pytest.param("w.power to", 9, "The target of a move", id="word inside an effect"),
        pytest.param("min(6, w.power", 1, "The smallest value", id="function over a list"),
        pytest.param("set w.power to", 4, "w: worker", id="type of a parameter"),
    ],
)  # fmt: skip
def test_hover(editor, word, plus, words):
    assert words in editor.hover(power(editor), word, plus)


def test_hover_says_in_english_what_a_rule_does(editor):
    page = editor.hover(power(editor), "power_up(w)")

    raised, ascending = "Raise the power of that worker by 1 to at most 6", "the power of that worker is 6"
    assert f"> {raised}, then if {ascending}, ascend with that worker." in page


def test_hover_says_after_a_mistake_what_other_rules_do(editor):
    path = power(editor)
    editor.type(path, LINE, "gain 1 woood\n")

    assert "\n> 1. avenue: " in editor.hover(path, "ascend(worker w)")
    assert "\n> " not in editor.hover(path, "power_up(w)")  # it is unknown what it does now


def test_hover_over_prose_shows_nothing(editor):
    assert editor.hover(power(editor), "grows stronger") == ""


WORDS = """\
document: rules
rules:
  turn:
    text: A turn.
    do: gain 1 coin; if coin > 3: stop
"""


@pytest.mark.parametrize("word", ["document", "rules", "text", "do", "gain", "if", "stop"])
def test_hover_is_about_the_whole_word(word):
    """From its first letter to its last one, and up to the end of it, an editor marks this word and no other letter."""
    lines = WORDS.split("\n")
    line, found = next((at, found) for at, text in enumerate(lines, 1) if (found := re.search(rf"\b{word}\b", text)))
    start = found.start() + 1
    for column in (start, start + 1, start + len(word) - 1):
        page, span = page_at(None, None, "rules.yaml", lines, (line, column))
        assert page
        assert (span.path, span.line, span.column) == ("rules.yaml", line, start)
        assert (span.end_line, span.end_column) == (line, start + len(word))


@pytest.mark.parametrize(
    "text", ["", "document: rules", "document: rules\n", "document: rules\nrules:\n  r():\n    do: |\n"]
)
def test_nothing_stands_behind_the_end_of_a_file(text):
    lines = text.split("\n") if text else []
    for line in (len(lines) + 1, len(lines) + 2, len(lines) + 100, 2**31):
        for column in (1, 80, 2**31):
            assert page_at(None, None, "rules.yaml", lines, (line, column)) is None
            assert isinstance(list(offers_at(lines, line, column, None)), list)


@pytest.mark.parametrize("further", [0, 1, 100, 2**31 - 2_000])
def test_question_behind_the_end_of_a_file_is_answered(editor, further):
    path = power(editor)
    document = editor.document(path)
    at = lsp.Position(editor.texts[path].count("\n") + further, 2**31 - 1)
    client, context = editor.client, lsp.ReferenceContext(include_declaration=True)

    assert editor.wait(client.text_document_hover_async(lsp.HoverParams(document, at))) is None
    assert not editor.wait(client.text_document_definition_async(lsp.DefinitionParams(document, at)))
    assert not editor.wait(client.text_document_references_async(lsp.ReferenceParams(context, document, at)))
    assert editor.wait(client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document, at))) is None
    assert editor.wait(client.text_document_rename_async(lsp.RenameParams(document, at, "name"))) is None
    assert editor.wait(client.text_document_completion_async(lsp.CompletionParams(document, at))) is not None


def test_definition_in_another_file(editor):
    path = power(editor)
    model = (editor.folder / "city_of_gods/model.yaml").read_text("utf-8").splitlines()
    line = 1 + next(number for number, text in enumerate(model) if "power: {type: int 1..6" in text)

    assert editor.define(path, "w.power to", 2) == [("city_of_gods/model.yaml", line)]


def test_definition_of_a_variable(editor):
    path = power(editor)
    line = editor.position(path, "power_up(worker w)").line + 1

    assert editor.define(path, "set w.power", 4) == [(f"city_of_gods/{POWER}", line)]


def test_references_in_rules_scenarios_and_modules(editor):
    found = editor.references(power(editor), "workers(space) where")

    files = {name for name, _ in found}
    assert {"city_of_gods/model.yaml", f"city_of_gods/{POWER}"} <= files
    assert any(name.startswith("city_of_gods/scenarios/") for name in files)
    assert any(name.startswith(f"{MODULE}/") for name in files)
    for name, line in found:
        assert "workers" in (editor.folder / name).read_text("utf-8").splitlines()[line - 1]


def test_symbols_of_a_document(editor):
    rules = {symbol.name: symbol for symbol in editor.symbols(power(editor))}["rules"]

    inner = {symbol.name: symbol for symbol in rules.children}
    assert "power_up(worker w)" in inner
    assert {step.name for step in inner["ascend(worker w)"].children} >= {"avenue", "die"}


def test_symbols_of_the_workspace(editor):
    found = {(symbol.name, symbol.container_name) for symbol in editor.search("ascen")}

    assert ("ascend(worker w)", "city_of_gods") in found


def test_formatting_leaves_alone_what_is_not_there(editor):
    assert not editor.format(editor.folder / "gone.yaml")
    assert not editor.format(editor.folder)


def test_formatting_puts_blanks_right(editor):
    path = power(editor)
    editor.type(path, LINE, "set w.power to min(6,w.power+1)")

    edits = editor.format(path)

    assert LINE in edits[0].new_text


def test_completion_offers_all_parts_of_a_result(editor):
    path = editor.open("city_of_gods/rules/eclipse.yaml")
    before = "result:\n  "
    end = editor.texts[path].index(before) + len(before) + 1
    editor.type(path, "result:\n  score: vp\n", "result:\n  w\n")

    assert {"score", "among", "wins"} <= set(editor.complete(path, end))
