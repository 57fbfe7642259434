"""A promise is relied on behind it, and checked by every match, in both engines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packmaker import spliced, trigger

from patolli.author.workspace import inspect
from patolli.check import prose
from patolli.check.prose import expressions
from patolli.check.prose.words import Speech
from patolli.language.syntax.formatter import format_text
from patolli.run.native.machines import machine
from patolli.run.runtime import MatchError


def put(folder: Path, text: str, more: str = "", proofs: str = "open", language: int = 3):
    """Inspect the sample pack, in some version of the language, with an effect behind the set-up."""
    pack, modules = spliced(folder, trigger(text, "setup") + more)
    manifest = Path(pack) / "pack.yaml"
    changed = re.sub("proofs: .*", f"proofs: {proofs}", manifest.read_text("utf-8"))
    manifest.write_text(changed.replace("language: 2", f"language: {language}"), "utf-8")
    return inspect(pack, modules)


def codes(found):
    """Return code and severity of all that was found."""
    return [(p.code, p.severity) for p in found.problems]


KEPT = {
    "a payment": "as player_1:\n  expect coin > 0\n  pay 1 coin",
    "a spot": "expect not throne\nmove plain_1 to throne",
    "what may be none": "let t = top(deck)\nexpect t\nif not throne: move t to throne",
    "an index": "let n = size(deck) - 1\nexpect n >= 0 and n < size(deck)\nif not throne: move deck[n] to throne",
    "a division": "as player_1:\n  expect coin > 0\n  gain 4 div coin nut",
    "a choice": 'expect deck\nas player_1: choose c in deck "Which?"\nmove plain_1 to box',
    "a rule": "as player_1:\n  expect can(fee())\n  fee()",
}
FEE = "rules:\n  fee: |\n    require coin > 0\n    gain 1 coin\n"


@pytest.mark.parametrize("name", KEPT)
def test_what_follows_from_a_promise_is_proven(tmp_path, name):
    more = FEE if "fee" in KEPT[name] else ""
    found = put(tmp_path, KEPT[name], more)

    assert [one for one in codes(found) if one[1] != "warning"] == []
    without = "\n".join(line for line in KEPT[name].splitlines() if "expect" not in line)
    assert [code for code, severity in codes(put(tmp_path, without, more)) if severity != "warning"]


BROKEN = {
    "with its reason and values": (
        'as player_1:\n  let n = size(hand(me))\n  expect n > 7 and coin < 2 "all are rich"',
        "this was promised, but is not true: all are rich (n is 0)",
    ),
    "what is missing": ("let t = first(c in deck where c.number > 99)\nexpect t\nmove t to box", ""),
    "at the beginning of an option": (
        'as player_1:\n  choose one "?":\n    "a":\n      let t = first(c in deck where c.number > 99)\n'
        '      expect t "one is large"\n      require t.number > 100\n      gain 1 coin\n    "b": gain 1 nut',
        "one is large",
    ),
    "ahead": ("as player_1: if after(risk(), coin) > 3: gain 1 coin", "coin is 1"),
    "in a function's rule": ("as player_1: risk()", "coin is 1"),
}
RISK = "rules:\n  risk: |\n    expect coin > 7\n    gain 1 coin\n"


@pytest.mark.parametrize("name", BROKEN)
def test_broken_promise_ends_the_match_in_both_engines(tmp_path, name):
    text, said = BROKEN[name]
    found = put(tmp_path, text, RISK if "risk" in text else "")

    assert found.ruleset is not None, found.problems
    with pytest.raises(MatchError) as caught:
        play(found)
    assert caught.value.code == "P0820"
    assert said in caught.value.reason
    (played,) = machine(found.ruleset, 2 + found.ruleset.model.automated).play([1], 50)
    assert played.status == 2


def play(found):
    """Take the first option again and again."""
    match = found.ruleset.start(2, 1)
    for _ in range(20):
        match.pick(0)


def test_promise_ends_when_what_it_reads_is_written(tmp_path):
    found = put(tmp_path, "expect not throne\nif deck: move deck[0] to throne\nif deck: move deck[0] to throne")

    assert [p.span.line for p in found.problems if p.code == "P0416"] == [8]


def test_needless_and_impossible_promises(tmp_path):
    assert ("P0490", "warning") in codes(put(tmp_path, "if size(deck) > 3: expect size(deck) > 2"))
    assert ("P0489", "error") in codes(put(tmp_path, "expect size(deck) > 900"))
    assert ("P0488", "error") in codes(put(tmp_path, "expect deck", proofs="full"))


def test_promise_may_be_a_name_in_older_packs(tmp_path):
    found = put(tmp_path, "as player_1: expect(3)", "rules:\n  expect(int n): gain n coin\n", language=2)

    assert codes(found) == []


FUNCTION = 'functions:\n  worth(card): |\n    let n = card.charge - 1\n    expect n > {0} "it is charged"\n    let m = 12 div n\n    m + 1\n'


def test_promise_before_the_value_of_a_function(tmp_path):
    text = "set plain_1.charge to 3\nas player_1: gain worth(plain_1) nut"
    found = put(tmp_path, text, FUNCTION.format(0))

    assert codes(found) == []
    match = found.ruleset.start(2, 1)
    while match.state[match.program.layout.counters["nut"][0]] == 0:
        match.pick(0)
    assert match.state[match.program.layout.counters["nut"][0]] == 7
    without = FUNCTION.format(0).replace('    expect n > 0 "it is charged"\n', "")
    assert [(p.code, p.severity) for p in put(tmp_path, text, without).problems] == [("P0414", "open")]


def test_broken_promise_of_a_function_ends_the_match_in_both_engines(tmp_path):
    found = put(tmp_path, "as player_1: gain worth(plain_1) nut", FUNCTION.format(0))

    with pytest.raises(MatchError) as caught:
        play(found)
    assert (caught.value.code, "it is charged (n is 0)" in caught.value.reason) == ("P0820", True)
    (played,) = machine(found.ruleset, 2 + found.ruleset.model.automated).play([1], 50)
    assert played.status == 2


def test_promises_of_functions_are_looked_at(tmp_path):
    assert ("P0489", "error") in codes(put(tmp_path, "as player_1: gain worth(plain_1) nut", FUNCTION.format(7)))
    assert ("P0490", "warning") in codes(put(tmp_path, "as player_1: gain worth(plain_1) nut", FUNCTION.format(-3)))
    full = put(tmp_path, "as player_1: gain worth(plain_1) nut", FUNCTION.format(0), proofs="full")
    assert ("P0488", "error") in codes(full)


def test_function_with_a_promise_is_formatted_and_said(tmp_path):
    text = f"document: rules\n{FUNCTION.format(0)}"

    assert format_text(text, "x.yaml", 3) == text
    crowded = text.replace('expect n > 0 "it is charged"', 'expect   n>0   "it is charged"  # as it was')
    assert 'expect n > 0 "it is charged"  # as it was\n' in format_text(crowded, "x.yaml", 3)
    program = put(tmp_path, "as player_1: gain worth(plain_1) nut", FUNCTION.format(0)).model.program
    body = program.functions["worth"].body
    assert "it is relied on that it is charged" in expressions.value(body, Speech(program))
    assert prose.describe_entry(program, "functions", "worth")[0][1].startswith("See the rule: line ")
