"""A pack keeps the words of the version of the language that it is written in.

The tests below add one more version, with a statement, a quantifier and a fixed word.
"""

from __future__ import annotations

import re

import pytest
from packmaker import Text, spliced

from patolli.author.workspace import inspect
from patolli.language.packs.manifest import Pack, language_of
from patolli.language.syntax import parser
from patolli.language.syntax import tree as t
from patolli.language.syntax.formatter import format_text
from patolli.language.syntax.forms import FORMS, Form, Part
from patolli.language.syntax.parser import grammar_text, parse_effect, parse_expression
from patolli.language.syntax.words import NEWEST, SINCE, Words, words

LATER = Words(statements=("trade",), quantifiers=frozenset({"product"}), fixed=frozenset({"us"}))
NEXT = NEWEST + 1
NEW_LINES = f'       | trade  // since {NEXT}\n\ntrade: "trade" items [_FOR expr] -> lose  // since {NEXT}\n'
OWN = """\
document: rules
functions:
  product(bool fresh): 2 if fresh else 3
rules:
  trade(int n): gain n coin
  barter: |
    let us = product(1 in {1, 2})
    gain us point
triggers:
  fair: {after: dig, do: trade(2); barter()}
"""


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Keep the tables of the changed grammar for all tests; they take seconds to make."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def later_version(monkeypatch, tmp_path, tables):
    """Add a version of the language for one test."""
    written = parser.GRAMMAR.read_text("utf-8")
    grown = written.replace("| stop | _formed\n", f"| stop | _formed\n{NEW_LINES}", 1)
    assert grown != written
    caches = (words, parser._grammar, parser._parse_text)
    (tmp_path / "grammar.lark").write_text(grown, "utf-8")
    with monkeypatch.context() as patched:
        patched.setattr(parser, "GRAMMAR", tmp_path / "grammar.lark")
        patched.setenv("XDG_CACHE_HOME", str(tables))
        patched.setitem(SINCE, NEXT, LATER)
        for cache in caches:
            cache.cache_clear()
        yield
    for cache in caches:
        cache.cache_clear()


def codes(pack: str, modules: list[str]) -> list[str]:
    return [problem.code for problem in inspect(pack, modules).problems]


@pytest.mark.parametrize("language", range(1, NEWEST + 1))
def test_table_has_the_words_of_the_grammar(language):
    """So that a word which is only in the grammar cannot break a pack unseen."""
    found = set()
    for terminal in parser._grammar(language).terminals:
        if terminal.name not in ("NAME", "STEP", "INT", "STRING", "_NL"):
            found |= set(re.findall(r"[a-z]+", re.sub(r"\\[a-z]", " ", terminal.pattern.value)))
    known = words(language)

    assert {*known.statements, *known.joining, *known.inner} <= found
    assert found - {*known.statements, *known.joining, *known.inner} == {"true", "false", "none"}
    assert {"true", "false", "none"} <= known.fixed


@pytest.mark.parametrize("word", sorted(words(NEWEST).inner))
def test_inner_word_is_free_as_a_name(word):
    assert parse_effect(Text(f"let {word} = {word} + 1"))[1] == []


@pytest.mark.parametrize("word", sorted(words(NEWEST).joining | words(NEWEST).fixed))
def test_word_is_no_id(word, tmp_path):
    assert "P0203" in codes(*spliced(tmp_path, f"document: model\nconstants:\n  {word}: {{type: int, value: 1}}\n"))


def test_later_word_is_a_name_in_an_earlier_version(later_version):
    call, _ = parse_effect(Text("trade(2)", 1))
    let, _ = parse_effect(Text("let trade = trade + 1", 1))
    expr, _ = parse_expression(Text("product(x in hand)", 1))
    (problem,) = parse_effect(Text("trade 2 coin", 1))[1]

    assert isinstance(call[0], t.CallRule)
    assert isinstance(let[0], t.Let)
    assert isinstance(expr, t.Call)
    assert problem.message == "no effect begins with 'trade'"
    assert "trade" not in problem.help


def test_later_word_is_a_word_in_its_version(later_version):
    (effect,), problems = parse_effect(Text("trade 2 coin", NEXT))
    expr, _ = parse_expression(Text("product(x in hand)", NEXT))

    assert problems == []
    assert isinstance(effect, t.Gain)
    assert isinstance(expr, t.Quantifier)


def test_words_of_a_form_come_with_its_version(monkeypatch):
    """What a statement declares beside its node is neither grammar nor word before its version."""
    parts = (Part(("barter",)), Part((), "items", "items"), Part(("against",), "who", "expr", True))
    later = NEWEST + 1
    monkeypatch.setitem(FORMS, t.Node, Form("barter", parts, False, later, "barter x", "Trades."))
    words.cache_clear()
    before, after = words(NEWEST), words(later)
    words.cache_clear()

    assert {*after.statements} - {*before.statements} == {"barter"}
    assert after.inner - before.inner == {"against"}
    assert "barter" not in grammar_text(NEWEST)
    assert f'barter: "barter" items ["against" expr]  // since {later}\n' in grammar_text(later)


def test_pack_may_use_later_words_as_ids_and_variables(later_version, tmp_path):
    assert codes(*spliced(tmp_path, OWN)) == []


def test_pack_of_the_later_version_may_not(later_version, tmp_path, monkeypatch):
    monkeypatch.setattr(Pack, "language", NEXT)
    found = inspect(*spliced(tmp_path, OWN.replace("trade(2); ", ""))).problems

    assert [p.message for p in found if p.code == "P0203"] == [
        "'trade' is a word of the language",
        "'us' is a word of the language",
    ]


def test_module_keeps_its_words_in_a_game_of_a_later_version(later_version, tmp_path, monkeypatch):
    monkeypatch.setattr(Pack, "language", property(lambda pack: NEXT if pack.id == "sample" else 1))
    module = '# extra/pack.yaml\ndocument: pack\nid: extra\nversion: 1.0.0\nlanguage: 1\ntitle: A module\nrequires: {sample: ">=1.0"}\n'
    game = "# later.yaml\ndocument: rules\ntriggers:\n  toll: {after: dig, do: trade 1 coin}\n"

    assert codes(*spliced(tmp_path, f"{game}{module}# extra/rules.yaml\n{OWN}")) == []


def test_formatting_keeps_to_the_version(later_version):
    text = "document: rules\nrules:\n  barter: |\n    trade(2 )\n    gain  1 coin\n"

    assert format_text(text, "", 1) == "document: rules\nrules:\n  barter: |\n    trade(2)\n    gain 1 coin\n"
    assert format_text(text, "", NEXT) == "document: rules\nrules:\n  barter: |\n    lose 2\n    gain 1 coin\n"


def test_file_is_in_the_language_of_its_pack(tmp_path):
    (tmp_path / "pack.yaml").write_text("document: pack\nid: later\nlanguage: 2\n", "utf-8")
    (tmp_path / "deeper").mkdir()

    assert language_of(tmp_path / "deeper" / "rules.yaml") == 2
    assert language_of(tmp_path.parent / "rules.yaml") == 1
