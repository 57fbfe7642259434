"""Something else stands in the place of a variable; all the rest stays the same object."""

from __future__ import annotations

from patolli.language.diagnostics import Span
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.tree_rewriter import substitute

AT = {"type": ty.INT, "span": Span("here", 1, 1, 1, 1)}
ONE, TWO = x.Number(1, **AT), x.Number(2, **AT)


def variable(name: str = "n") -> x.Variable:
    return x.Variable(name, ty.INT, AT["span"])


def read(v: x.Variable) -> x.Local:
    return x.Local(v, **AT)


def test_only_the_variable_itself():
    n, other = variable(), variable()
    tree = x.Arithmetic("+", read(n), read(other), **AT)

    assert substitute(tree, {n: ONE}) == x.Arithmetic("+", ONE, read(other), **AT)


def test_what_holds_none_is_the_same_object():
    n = variable()
    kept = x.Negative(TWO, **AT)
    tree = x.Arithmetic("*", kept, x.Negative(read(n), **AT), **AT)

    assert substitute(kept, {n: ONE}) is kept
    assert substitute(tree, {n: ONE}).left is kept


def test_inside_lists_and_binders():
    n, m = variable(), variable("m")
    binder = x.Binder(m, x.ListOf((read(n), TWO), **AT), span=AT["span"])
    tree = x.Quantifier("sum", (binder,), x.Compare("<", read(m), read(n), **AT), None, None, **AT)

    found = substitute(tree, {n: ONE})

    assert found.binders[0].source.items == (ONE, TWO)
    assert found.where == x.Compare("<", read(m), ONE, **AT)


def test_what_stood_in_two_places_still_is_one_object():
    n = variable()
    middle = x.Negative(read(n), **AT)
    tree = x.Logic("and", x.Compare("<", ONE, middle, **AT), x.Compare("<", middle, TWO, **AT), **AT)

    found = substitute(tree, {n: ONE})

    assert found.left.right is found.right.left is not middle
