"""What a rule returns that uses its own value: found from what does not depend on it, or reported."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems

from patolli.language.program import effects as e
from patolli.language.program import types as ty
from patolli.language.program.node import walk

CARD = ty.Maybe(ty.Ref("card"))
USE = "let x = find(1)\n      "
FOUND = {
    "stops first": ("if n > 0:\n        let x = find(n - 1)\n        return x\n      return top(deck)", CARD),
    "uses first": ("if n > 0:\n        return find(n - 1)\n      return top(deck)", CARD),
    "number": ("if n > 0:\n        let x = find(n - 1)\n        return x + 1\n      return 0", ty.INT),
    "list": ("if n > 0:\n        return find(n - 1)\n      return hand(me)", ty.Seq(ty.Ref("card"))),
    "empty list": (
        "if n > 0:\n        return find(n - 1)\n      if n < 0: return {}\n      return hand(me)",
        ty.Seq(ty.Ref("card")),
    ),
    "may end": ("if n > 0:\n        let x = find(n - 1)\n        return x\n      if n == 0: return plain_1", CARD),
}


def example(body, *more):
    rules = "".join(f"  {head}: |\n      {text}\n" for head, text in (("find(int n)", body), *more))
    return f"document: rules\nrules:\n{rules}"


def codes(folder, text):
    return [(p.code, p.span.line) for p in problems(folder, text) if p.severity == "error"]


def returned(folder, text):
    """Return what the rules of an example return, and the types of what their calls give."""
    program = loaded(folder, text).model.program
    called = [node for rule in program.rules.values() for node in walk(rule.block) if isinstance(node, e.CallRule)]
    results = {node.into.type for node in called if node.rule == "find" and node.into is not None}
    return program.rules["find"].returns, results


@pytest.mark.parametrize(("body", "type_"), FOUND.values(), ids=FOUND)
def test_result_comes_from_what_does_not_use_it(tmp_path, body, type_):
    assert returned(tmp_path, example(body)) == (type_, {type_})


def test_result_of_itself_is_no_longer_anything(tmp_path):
    body = "if n > 0:\n        let x = find(n - 1)\n        move x to hand(me)\n        return x\n      return top(hand(me))"

    assert codes(tmp_path, example(body)) == [("P0303", 6)]


NOTHING = {
    "only itself": ("return find(n - 1)", "P0305"),
    "only itself, named": ("let x = find(n - 1)\n      return x", "P0305"),
    "no value at all": ("let x = find(n - 1)\n      stop if n > 3", "P0301"),
    "an empty list": ("if n > 0: return find(n - 1)\n      return {}", "P0305"),
}


@pytest.mark.parametrize(("body", "code"), NOTHING.values(), ids=NOTHING)
def test_result_that_nothing_tells_is_reported(tmp_path, body, code):
    found = codes(tmp_path, example(body))

    assert found[0] == (code, 4)


def test_rules_that_use_each_other(tmp_path):
    even = "if n > 0:\n        return other(n - 1)\n      return top(deck)"
    other = "let x = find(n - 1)\n      stop unless x\n      return x"

    assert returned(tmp_path, example(even, ("other(int n)", other))) == (CARD, {CARD})


def test_rules_that_only_use_each_other(tmp_path):
    found = codes(tmp_path, example("return other(n)", ("other(int n)", "return find(n)")))

    assert [code for code, _ in found] == ["P0305"]


def test_what_others_do_wrong_is_reported_once(tmp_path):
    body = "wrong()\n      if n > 0: return find(n - 1)\n      return top(deck)"

    assert codes(tmp_path, example(body, ("wrong()", "gain 1 coyn"))) == [("P0201", 8)]


def test_many_rules_that_use_all_others(tmp_path):
    """Going through each of them again for each around it would never end."""
    count = 25
    rules = [
        (
            f"r{i}(int n)",
            "\n      ".join([*(f"if n > {j}: return r{j}(n - 1)" for j in range(count)), "return top(deck)"]),
        )
        for i in range(count)
    ]

    assert codes(tmp_path, example("return r0(n)", *rules)) == []


def test_rules_in_a_row_that_use_themselves(tmp_path):
    count = 60
    rules = [
        (f"r{i}(int n)", f"if n > 0: return r{i}(n - 1)\n      let b = r{i + 1}(n)\n      return b")
        for i in range(count)
    ]

    assert codes(tmp_path, example("return r0(n)", *rules, (f"r{count}(int n)", "return top(deck)"))) == []


def test_what_returns_none_alone_has_no_type(tmp_path):
    text = example("return none", ("probe", "let x = find(1)\n      if x: gain 1 coin"))

    assert codes(tmp_path, text) == [("P0301", 6)]
