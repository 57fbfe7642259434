"""Documents that wait for other modules are checked with these modules, though no call names them."""

from __future__ import annotations

import pytest

from patolli.author.workspace import check_packs

BASE = """\
document: pack
id: base
version: 1.0.0
language: 2
title: Base
players: {min: 1, max: 2}
"""
RULES = """\
document: rules
rules:
  match: {do: earn(); end match, text: A match., category: Coins}
  earn(): {do: gain 1 coin, text: Earn., category: Coins}
result: {score: coin}
"""
MODEL = "document: model\ncounters:\n  coin: {per: player, text: Coins}\n"
MODULE = 'document: pack\nid: {0}\nversion: 1.0.0\nlanguage: 2\ntitle: T\nrequires: {{base: ">=1.0,<2.0"}}\n'
GEMS = {
    "gems/pack.yaml": MODULE.format("gems") + "provides: [treasure]\n",
    "gems/model.yaml": "document: model\ncounters:\n  gem: {per: player, text: Gems}\n",
    "gems/rules.yaml": (
        "document: rules\nrules:\n  dig(): {do: gain 1 gem, text: Dig., category: Gems}\n"
        "triggers:\n  digging: {after: earn, do: dig(), text: Digging., category: Gems}\n"
    ),
}


@pytest.fixture
def lay(tmp_path, monkeypatch):
    """Write a base, the module 'mine', and more files; return how 'mine' is checked."""
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    def write(files, manifest="optional: [gems, treasure]\n", remember=False):
        base = {"base/pack.yaml": BASE, "base/rules.yaml": RULES, "base/model.yaml": MODEL}
        for name, text in (base | {"mine/pack.yaml": MODULE.format("mine") + manifest} | files).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text, "utf-8")
        return check_packs((str(tmp_path / "mine"),), remember=remember).problems

    return write


def waiting(condition, change):
    return {"mine/with.yaml": f"document: patch\nwhen_active: [{condition}]\nchange:\n  - {change}\n"}


@pytest.mark.parametrize("condition", ["gems", "treasure", "gems, not snow"])
def test_a_document_for_a_module_is_checked_with_it(lay, condition):
    found = lay(GEMS | waiting(condition, "{after: rules/dik, do: gain 1 gem}"))
    (problem,) = (one for one in found if one.severity == "error")

    assert (problem.code, problem.span.line) == ("P0121", 4)
    assert [words for _, words in problem.also][-1] == "this is in force with 'gems'"
    assert "error" not in {one.severity for one in lay(waiting(condition, "{after: rules/dig, do: gain 1 gem}"))}


@pytest.mark.parametrize("condition", ["snow", "not gems, gems", "gems, snow"])
def test_what_cannot_be_in_force_here_is_not_checked(lay, condition):
    assert "P0121" not in {one.code for one in lay(GEMS | waiting(condition, "{after: rules/dik, do: gain 1 gem}"))}


def test_what_manifests_exclude_cannot_occur(lay):
    change = "{after: rules/dik, do: gain 1 gem}"

    assert "P0121" not in {one.code for one in lay(GEMS | waiting("gems", change), "conflicts: [gems]\n")}


def test_a_type_that_is_wrong_is_found(lay):
    found = lay(GEMS | waiting("gems", "{after: rules/dig, do: gain 1 jem}"))

    assert [(one.code, one.message) for one in found] == [("P0201", "unknown counter 'jem'")]


def test_what_breaks_the_other_module_is_reported_at_the_condition(lay, tmp_path):
    (problem,) = lay(GEMS | waiting("gems", "{remove: counters/gem}"))

    assert problem.span.path == str(tmp_path / "mine/with.yaml")
    assert problem.span.line == 2
    assert problem.message.startswith("with 'gems': ")
    assert problem.also[0][0].path == str(tmp_path / "gems/rules.yaml")


def test_what_is_wrong_with_the_other_module_alone_is_its_own_affair(lay):
    wrong = {**GEMS, "gems/rules.yaml": "document: rules\nrules:\n  dig(): gain 1 jem\n"}

    assert lay(wrong | waiting("gems", "{after: rules/dig, do: gain 1 coin}")) == []


def test_a_module_that_is_installed_later_is_noticed(lay, own_cache):
    files = waiting("gems", "{after: rules/dik, do: gain 1 gem}")

    assert lay(files, remember=True) == []
    assert [one.code for one in lay(files | GEMS, remember=True)] == ["P0121"]
    assert [
        one.code for one in lay({**GEMS, **waiting("gems", "{after: rules/dig, do: gain 1 gem}")}, remember=True)
    ] == []
