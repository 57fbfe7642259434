"""The language server gives things another name, everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from lspclient import CONTENT, MODULE, Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from server.opened import POWER, power
from tiers import few

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import inspect

# ---- renaming


@pytest.mark.parametrize(
    ("word", "plus", "name", "reason"),
    few([
        pytest.param("ascend(worker w)", 1, "gain", "word of the language", id="to a word of the language"),
        pytest.param("ascend(worker w)", 1, "power_any", "is already in use", id="to a name that is taken"),
        pytest.param("ascend(worker w)", 1, "Ascend", "is not a valid id", id="to something that is no id"),
        pytest.param("me and w.power", 1, "mine", "word of the language", id="of a word of the language"),
        pytest.param("gain 5 cocoa", 8, "w", "the variable 'w' hides", id="to a name that a variable has somewhere"),
        pytest.param("set w.power", 4, "worker", "is already in use", id="of a variable, to a kind"),
    ], 0),
)  # fmt: skip
def test_renaming_is_refused(editor, word, plus, name, reason):
    path = power(editor)

    with pytest.raises(JsonRpcException, match=reason):
        editor.rename(path, word, name, plus)


def test_renaming_is_refused_while_there_are_errors(editor):
    path = power(editor)
    editor.type(path, "power_up(w)\n  power_any", "power_upp(w)\n  power_any")

    with pytest.raises(JsonRpcException, match="fix the errors"):
        editor.rename(path, "ascend(worker w)", "rise")


# ---- renaming for good: a server of its own


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("renamed")
    for name in ("city_of_gods", MODULE):
        shutil.copytree(CONTENT / name, folder / name)
    for file in sorted((folder / "city_of_gods/scenarios").iterdir()):
        if file.stem not in ("ascension", "movement"):
            file.unlink()
    editor = Editor(folder, cache)
    yield editor
    editor.close()


@pytest.mark.deep
def test_renamed_things_leave_a_valid_pack(renamed, monkeypatch):
    """One of each sort, in turn; afterwards nothing has its old name, and nothing is wrong."""
    path = renamed.open(f"city_of_gods/{POWER}")
    names = (
        ("ascend(worker w)", "rise", 1),
        ("w.power to", "strength_of_it", 2),
        ("workers(space) where", "crew", 1),
        ("worker w", "laborer", 1),
        ("gain 5 cocoa", "bean", 8),  # a counter: in rules, facts, costs, groups, panels, scenarios and a module
    )
    for word, name, plus in names:
        places = renamed.rename(path, word, name, plus)
        assert sum(places.values()) >= 2
        renamed.client.text_document_did_close(lsp.DidCloseTextDocumentParams(renamed.document(path)))
        renamed.texts.pop(path)
        path = renamed.open(f"city_of_gods/{POWER}")
        assert renamed.told[path] == []

    monkeypatch.setenv("PATOLLI_PATH", str(renamed.folder))
    found = inspect(str(renamed.folder / "city_of_gods"), [str(renamed.folder / MODULE)])
    assert found.errors == []
    assert found.ruleset is not None
    ruleset = found.ruleset
    assert "rise" in ruleset.model.rules
    assert "ascend" not in ruleset.model.names
    assert "crew" in ruleset.model.places
    assert "bean" in ruleset.model.counters
    ran = run_scenarios(Plan((str(renamed.folder / "city_of_gods"),)))
    assert ran.outcomes
    assert [outcome for outcome in ran.outcomes if not outcome.is_passed] == []
