"""What conditions imply by their form, checked against every way that their parts can be."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.logic import (
    comparisons,
    conjuncts,
    disjuncts,
    is_nonempty,
    lasting,
    negate_condition,
    opposite,
    rename_variables,
    same,
    there,
)

HERE = Span("", 1, 1, 1, 1)
AT = {"type": ty.BOOL, "span": HERE}
NUM = {"type": ty.INT, "span": HERE}
CARD, CARDS = ty.Ref("card"), ty.Seq(ty.Ref("card"))


def variable(name: str, type_: ty.AnyType = ty.INT) -> x.Variable:
    return x.Variable(name, type_, HERE)


NAMES = [variable(name) for name in "abc"]
LOCALS = [x.Local(one, **NUM) for one in NAMES]


def number(value: int) -> x.Expr:
    return x.Number(value, **NUM)


def compare(op: str, left: x.Expr, right: x.Expr) -> x.Expr:
    return x.Compare(op, left, right, **AT)


sides = st.sampled_from([*LOCALS, number(0), number(1)])
leaves = st.builds(compare, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), sides, sides) | st.builds(
    lambda value: x.Truth(value, **AT), st.booleans()
)
conditions = st.recursive(
    leaves,
    lambda inner: (
        st.builds(lambda of: x.Not(of, **AT), inner)
        | st.builds(lambda op, one, two: x.Logic(op, one, two, **AT), st.sampled_from(["and", "or"]), inner, inner)
    ),
    max_leaves=6,
)


def value(expr: x.Expr, numbers: dict[x.Variable, int]) -> int:
    """Work out an expression when the variables have certain values."""
    match expr:
        case x.Number() | x.Truth():
            return int(expr.value)
        case x.Local():
            return numbers[expr.variable]
        case x.Not():
            return int(not value(expr.of, numbers))
        case x.Logic():
            both = value(expr.left, numbers), value(expr.right, numbers)
            return int(all(both) if expr.op == "and" else any(both))
        case x.Compare():
            left, right = value(expr.left, numbers), value(expr.right, numbers)
            tests = {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right}
            return int(tests.get(expr.op, left > right if expr.op == ">" else left >= right))
    raise TypeError(expr)


WAYS = [dict(zip(NAMES, ways, strict=True)) for ways in product((0, 1, 2), repeat=3)]


@given(conditions)
def test_parts_make_up_the_whole(condition):
    for way in WAYS:
        holds = bool(value(condition, way))
        assert all(value(part, way) for part in conjuncts(condition)) == holds
        assert any(value(part, way) for part in disjuncts(condition)) == holds
        assert all(value(part, way) for part in negate_condition(condition)) == (not holds)
        assert bool(value(opposite(condition), way)) == (not holds)


@given(conditions)
def test_parts_cannot_be_parted_further(condition):
    for part in conjuncts(condition):
        assert conjuncts(part) == [part]


@given(leaves)
def test_comparisons_hold_from_both_sides(condition):
    for way in WAYS:
        for left, op, right in comparisons(condition):
            assert value(compare(op, left, right), way) == value(condition, way)


HAND = x.Held("hand", "card", (), type=CARDS, span=HERE)
DECK = x.Held("deck", "card", (), type=CARDS, span=HERE)


def quantifier(op: str, name: str = "x", source: x.Expr = HAND, least: int = 3, type_: ty.AnyType = ty.BOOL) -> x.Expr:
    one = variable(name, CARD)
    fact = x.FactOf("card", "number", x.Local(one, type=CARD, span=HERE), **NUM)
    return x.Quantifier(op, (x.Binder(one, source, span=HERE),), compare(">", fact, number(least)), None, None,
                        type=type_, span=HERE)  # fmt: skip


def test_bound_variables_count_by_where_they_are_bound():
    assert same(quantifier("any"), quantifier("any", "y"))
    assert quantifier("any") != quantifier("any")
    assert not same(quantifier("any"), quantifier("all"))
    assert not same(quantifier("any"), quantifier("any", least=4))
    assert not same(quantifier("any"), quantifier("any", source=DECK))
    assert not same(LOCALS[0], LOCALS[1])
    assert same(LOCALS[0], LOCALS[1], {NAMES[0]: NAMES[1]})


def test_renamed_variables():
    condition = x.Logic("and", quantifier("any"), compare("<", LOCALS[0], LOCALS[1]), **AT)
    other = rename_variables(condition, {NAMES[0]: NAMES[2]})

    assert same(other, condition, {NAMES[2]: NAMES[0]})
    assert not same(other, condition)
    assert other.left.binders[0].variable is not condition.left.binders[0].variable


def test_lasting_conditions_look_at_nothing_that_changes():
    seats = compare(">", x.Seats(**NUM), number(2))

    assert lasting(seats)
    assert not lasting(compare(">", LOCALS[0], number(2)))
    assert not lasting(x.Logic("and", seats, x.Filled(HAND, **AT), **AT))


TOP = x.BuiltinCall("top", (HAND,), type=ty.Maybe(CARD), span=HERE)
SIZE = x.BuiltinCall("size", (HAND,), **NUM)
FIRST = quantifier("first", type_=ty.Maybe(CARD))


@pytest.mark.parametrize(
    ("proof", "some", "taken"),
    [
        pytest.param(x.Filled(HAND, **AT), True, False, id="the list"),
        pytest.param(x.Filled(DECK, **AT), False, False, id="another list"),
        pytest.param(compare(">", SIZE, number(0)), True, False, id="its size"),
        pytest.param(compare("<=", number(1), SIZE), True, False, id="its size, from the right"),
        pytest.param(compare("!=", SIZE, number(0)), True, False, id="its size is not 0"),
        pytest.param(compare(">=", SIZE, number(0)), False, False, id="any size"),
        pytest.param(compare("<", SIZE, number(1)), False, False, id="no size"),
        pytest.param(quantifier("any", "y"), True, True, id="one of it"),
        pytest.param(quantifier("any", "y", least=4), True, False, id="another one of it"),
        pytest.param(compare(">", quantifier("count", "z", type_=ty.INT), number(2)), True, True, id="some of it"),
        pytest.param(quantifier("all"), False, False, id="all of it"),
        pytest.param(x.Filled(quantifier("list", type_=CARDS), **AT), True, True, id="a part of it"),
    ],
)
def test_what_is_not_empty(proof, some, taken):
    assert is_nonempty(HAND, [proof]) is some
    assert there(TOP, [proof]) is some
    assert there(FIRST, [proof]) is taken


@pytest.mark.parametrize(
    ("proof", "shown"),
    [
        pytest.param(x.Present(TOP, **AT), True, id="it is there"),
        pytest.param(x.Not(x.Present(TOP, **AT), **AT), False, id="it is not"),
        pytest.param(compare("==", TOP, x.Instance("card", "c_1", type=CARD, span=HERE)), True, id="a certain one"),
        pytest.param(compare("==", x.Instance("card", "c_1", type=CARD, span=HERE), TOP), True, id="from the right"),
        pytest.param(
            compare("==", TOP, x.Instance("card", "c_1", type=ty.Maybe(CARD), span=HERE)), False, id="maybe one"
        ),
        pytest.param(
            compare("!=", TOP, x.Instance("card", "c_1", type=CARD, span=HERE)), False, id="not a certain one"
        ),
    ],
)
def test_what_is_there(proof, shown):
    assert there(TOP, [proof]) is shown
