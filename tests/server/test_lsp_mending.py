"""The language server offers to mend problems; ``diagnostics/test_fixes.py`` holds every golden case to it."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp
from server.opened import LINE, power
from tiers import few


@pytest.mark.parametrize(
    ("new", "word", "titles"),
    few([
        pytest.param("set w.pover to 6", "pover", ["Replace 'pover' with 'power'"], id="misspelt fact"),
        pytest.param("gain 2 wod", "wod", ["Replace 'wod' with 'wood'"], id="misspelt counter"),
        pytest.param("if w.power > 1 gain 1 wood", "gain 1 wood", ["Add ':'"], id="missing colon"),
        pytest.param("if w.power > 1 && me == me: gain 1 wood", "&&", ["Replace '&&' with 'and'"], id="sign"),
        pytest.param("if me == me: gain 1\u00a0wood", "\u00a0", ["Write a plain blank"], id="no-break space"),
        pytest.param("gain 1 wood", "gain 1 wood", [], id="nothing to mend"),
        pytest.param("gain 1 zzzzz", "zzzzz", [], id="nothing that is near"),
    ], 0),
)  # fmt: skip
def test_problems_can_be_mended(editor, new, word, titles):
    path = power(editor)
    editor.type(path, LINE, new)
    before = [one for one in editor.told[path] if one.severity == lsp.DiagnosticSeverity.Error]

    actions = editor.actions(path, word, only=["quickfix"])

    assert [action.title for action in actions] == titles
    for action in actions:
        assert action.is_preferred
        assert [one.message for one in action.diagnostics] == [one.message for one in before]
        mended = editor.mended(path, action)
        assert [one.message for one in editor.type(path, editor.texts[path], mended) if one in before] == []


def test_of_two_ways_to_mend_neither_is_preferred(editor):
    path = power(editor)
    editor.type(path, "    source: facts 18\n", "    source: yes\n")

    actions = editor.actions(path, "source: yes", len("source: "))

    assert [(one.title, one.is_preferred) for one in actions] == [
        ("Replace 'yes' with 'true'", False), ("Replace 'yes' with '\"yes\"'", False)
    ]  # fmt: skip


def test_all_that_is_sure_is_mended_at_once(editor):
    path = power(editor)
    editor.type(path, LINE, "if w.power > 1 && me == me: gain 1\u00a0wod")

    (action,) = editor.actions(path, "document", only=["source.fixAll"])

    assert "if w.power > 1 and me == me: gain 1\u00a0wod" in editor.mended(path, action)


def test_nothing_is_offered_elsewhere(editor):
    path = power(editor)
    editor.type(path, LINE, "gain 2 wod")

    assert editor.actions(path, "document") == []
