"""Each entry of a declaration, looked at by itself: what stands inside a kind, its variables, ways to fail, and so on."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from program.test_declarations import BESIDE, TRIED, written

from patolli.author.workspace import inspect, load
from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.node import DECLARED, Declaration, Node, children, nothing, walk
from patolli.language.program.summaries import Summaries, Summary

HERE = Span("here", 1, 1, 1, 1)


# ---- what stands inside a kind


def number() -> x.Number:
    return x.Number(0, type=ty.INT, span=HERE)


def made(type_: str) -> Any:
    """Make a value of a field, as its type says."""
    if type_.startswith(("Block", "tuple[")) and type_ != "tuple[str, ...]":
        return (number(), number())
    if type_.split(" | ")[0] in ("Expr", "PlaceAt", "Binder"):
        return number()
    return object()


def test_everything_inside_is_a_child(subtests):
    for kind in DECLARED:
        with subtests.test(kind.__name__):
            types = {f.name: str(f.type) for f in fields(kind)}
            node = kind(**{name: made(type_) for name, type_ in types.items()})
            inside = [value for name in types for value in as_list(getattr(node, name))]

            assert [id(child) for child in children(node)] == [id(value) for value in inside]


def as_list(value: object) -> list[Node]:
    if isinstance(value, tuple):
        return list(value)
    return [value] if isinstance(value, Node) else []


# ---- variables


VARIABLES = {
    "let n = 1\ngain n coin": {"n"},
    "let n = 1\nset n to 2\ngain n coin": {"n"},
    "set coin to 2": set(),
    "random n in 1..2\ngain n coin": {"n"},
    "let v = worth_of(plain_1)\ngain v coin": {"v"},
    "pass to next(me)\ngain 1 coin": {"me"},
    "as next(me): gain 1 coin": {"me"},
    "for p in players, c in hand(p): set c.used to true": {"p", "c"},
    "choose c in hand(me), g in good\notherwise: nothing\nif c: set c.used to true\nif g: gain 1 g": {"c", "g"},
    'choose one:\n  for c in hand(me), g in good "x": set c.used to true; gain 1 g\n  "y": nothing': {"c", "g"},
    'simultaneously for p in players:\n  choose n in 1..2 "How much?"\n  set bid(p) to n': {"p", "me", "n"},
}


@pytest.mark.parametrize("tried", VARIABLES)
def test_variables_that_are_written(tmp_path, tried):
    program = load(written(tmp_path, tried)).model.program
    summary = Summaries(program).of(program.rules["tried"].block)
    names = [location[1].name for location in summary.writes if location[0] == "variable"]

    assert set(names) == VARIABLES[tried]


# ---- leaving, carrying out, failing


@pytest.mark.parametrize("leaving", ["stop", "return 1", "end match", "break"])
def test_nothing_is_reached_behind_what_leaves(tmp_path, leaving):
    looped = (
        "loop:\n  gain 1 coin\n  if coin > 5:\n    break\n    gain 1 nut"
        if leaving == "break"
        else f"if coin > 1:\n  {leaving}\n  gain 1 nut\n{'return 2' if '1' in leaving else 'nothing'}"
    )
    found = inspect(written(tmp_path, looped)).problems

    assert "P0448" in [problem.code for problem in found]


@pytest.mark.parametrize(
    ("tried", "beside", "runs"),
    [
        pytest.param("if nut > 0: sell()", "", {"sell"}, id="a call"),
        pytest.param("let v = worth_of(plain_1)\ngain v coin", "", {"worth_of"}, id="a call for a value"),
        pytest.param("do plain_1.effect", "", {"plain.effect"}, id="the effect of a piece"),
        pytest.param(*BESIDE["a payment is left to a rule"], {"take"}, id="a payment"),
        pytest.param(*BESIDE["a payment of some is left to a rule"], {"take"}, id="a payment of some"),
        pytest.param(*BESIDE["a discount"], {"discount d"}, id="a discount"),
    ],
)
def test_rules_that_are_carried_out(tmp_path, tried, beside, runs):
    program = load(written(tmp_path, tried, beside)).model.program

    assert Summaries(program).runs_itself(program.rules["tried"]) == runs


FAILING = {
    "division": ("P0414", "gain 3 div coin coin", "if coin > 0: gain 3 div coin coin"),
    "rest": ("P0414", "gain 3 mod coin coin", "if coin > 0: gain 3 mod coin coin"),
    "item": ("P0415", "gain hand(me)[1].worth coin", "if size(hand(me)) > 1: gain hand(me)[1].worth coin"),
    "spot of a row": ("P0415", "if shelf(coin): gain 1 coin", "if coin < 3 and shelf(coin): gain 1 coin"),
    "spot as a target": (
        "P0415 P0416",
        "if deck: move deck[0] to shelf(coin)",
        "if deck and coin < 3 and not shelf(coin): move deck[0] to shelf(coin)",
    ),
    "taken": ("P0416", "if deck: move deck[0] to throne", "if deck and not throne: move deck[0] to throne"),
    "range of a field": ("P0417", "set plain_1.rank to coin", "set plain_1.rank to min(coin, 9)"),
    "no number to draw from": (
        "P0418",
        "random n in 5..coin\ngain n nut",
        "if coin > 4:\n  random n in 5..coin\n  gain n nut",
    ),
    "the only one": (
        "P0491",
        "gain only(hand(me)).worth coin",
        "if size(hand(me)) == 1: gain only(hand(me)).worth coin",
    ),
    "look ahead": (
        "P0486",
        "if after(sell(), coin > 2): gain 1 nut",
        "if nut > 0 and after(sell(), coin > 2): gain 1 nut",
    ),
    "too often": ("P0419", "repeat 99999999999 times: gain 1 coin", "repeat 9 times: gain 1 coin"),
}


@pytest.mark.parametrize("name", FAILING)
def test_what_may_fail_is_refused(tmp_path, name):
    codes, fails, holds = FAILING[name]

    assert [problem.code for problem in inspect(written(tmp_path, fails)).errors] == codes.split()
    assert not inspect(written(tmp_path, holds)).errors


@pytest.mark.parametrize(
    ("tried", "faults"),
    [
        ("gain 1 coin", set()),
        ("if coin > 0: gain 3 div coin coin", {"division"}),
        ("if size(hand(me)) > 1: gain hand(me)[1].worth coin", {"index"}),
        ("if deck and not throne: move deck[0] to throne", {"index", "spot"}),
        ("set plain_1.rank to min(coin, 9)", {"bounds"}),
        ("let all = 1..coin\ngain size(all) nut", {"length"}),
        ("repeat coin times: gain 1 nut", {"length"}),
        ("random n in 1..9\ngain n coin", {"empty", "length"}),
        ("if nut > 0: sell()", set()),
        ("if nut > 0 and after(sell(), coin > 2): gain 1 nut", {"ahead"}),
        ("sharing()", {"division"}),
    ],
)
def test_summary_says_how_a_rule_may_fail(tmp_path, tried, faults):
    beside = "rules:\n  sharing: |\n    if coin > 0: gain 3 div coin coin\n" if "sharing" in tried else ""
    program = load(written(tmp_path, tried, beside)).model.program

    assert Summaries(program).rules["tried"].faults == faults


def declares(declared: Declaration) -> bool:
    """Return whether a kind declares anything but ways to fail."""
    acts = (declared.reads, declared.writes, declared.asks, declared.leaves) != (nothing, nothing, "never", "never")
    return acts or declared.draws or declared.runs


@pytest.mark.deep
def test_every_kind_that_declares_something_is_played(tmp_path):
    seen = set()
    for name in (*TRIED, *BESIDE):
        program = load(written(tmp_path, *BESIDE.get(name, (TRIED.get(name, ""), "")))).model.program
        seen |= {type(node) for rule in program.rules.values() for node in walk(rule.block)}

    assert {kind.__name__ for kind, declared in DECLARED.items() if declares(declared) and kind not in seen} == set()


def test_variable_that_is_set_is_written(tmp_path):
    program = load(written(tmp_path, "let n = 1\nset n to 2\ngain n coin")).model.program
    named, changed, _ = program.rules["tried"].block

    assert Summaries(program).of(changed).writes == {("variable", named.variable)}


def test_joined_summaries_say_all_that_either_says():
    one = Summary(
        frozenset({("chance",)}), frozenset({("over",)}), True, True, True, frozenset({"spot"}), frozenset({"r"})
    )

    assert one.merge_with(Summary()) == Summary().merge_with(one) == one.merge_with(one) == one
    assert Summary().merge_with(Summary()) == Summary()
