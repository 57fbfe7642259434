"""What is printed parses to the tree that was printed, and printing it again changes nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packmaker import Text

from patolli.language.sources import Mapping, Node, Scalar, read_yaml
from patolli.language.syntax import inline_printer
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import QUANTIFIERS, parse_cost, parse_effect, parse_expression
from patolli.language.syntax.printer import comments, print_effect, print_expression, print_naming

CONTENT = Path(__file__).resolve().parents[2] / "content"
AT = t.At(Text(""), 0, 0)


def scalars(node: Node) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield node.value
    elif isinstance(node, Mapping):
        for key, value in node.items.values():
            yield key.value
            yield from scalars(value)
    else:
        for item in node.items:
            yield from scalars(item)


@cache
def content_texts() -> list[str]:
    found: set[str] = set()
    for path in sorted(CONTENT.rglob("*.yaml")):
        node, _ = read_yaml(path.read_text("utf-8"), str(path))
        found.update(scalars(node) if node is not None else ())
    return sorted(found)


@pytest.mark.deep
def test_every_effect_of_the_content():
    count = 0
    for text in content_texts():
        tree, problems = parse_effect(Text(text))
        if tree is None or problems:
            continue
        count += 1
        with_source, alone = print_effect(tree, text), print_effect(tree)

        assert parse_effect(Text(alone)) == (tree, []), text
        assert parse_effect(Text(with_source)) == (tree, []), text
        assert print_effect(parse_effect(Text(with_source))[0], with_source) == with_source
        assert print_effect(parse_effect(Text(alone))[0]) == alone
        assert comments(with_source) == comments(text)
    assert count > 1000


@pytest.mark.deep
def test_every_expression_and_cost_of_the_content():
    for text in content_texts():
        for parse, write in (
            (parse_expression, print_expression),
            (parse_cost, lambda cost: inline_printer.items(cost.items)),
        ):
            tree, problems = parse(Text(text))
            if tree is not None and not problems:
                assert parse(Text(write(tree))) == (tree, []), text
                assert write(parse(Text(write(tree)))[0]) == write(tree)


# ---- trees of all forms

NAMES = st.sampled_from(["a", "b", "coin", "x_1", "players", "up", "one"])
LABELS = st.sampled_from(["Which one?", "a: b; c", "# no comment", ""])
FULL = st.sampled_from(["Which one?", "or none", "# no comment"])


def made(kind, *parts, **named):
    return st.builds(kind, *parts, **named, at=st.just(AT))


def is_binder(expr: t.Expr) -> bool:
    return isinstance(expr, t.Compare) and isinstance(expr.first, t.Name) and [op for op, _ in expr.rest] == ["in"]


def called(call: t.Call) -> bool:
    """Leave out what the grammar reads as a quantifier."""
    return not (call.id in QUANTIFIERS and call.arguments and all(map(is_binder, call.arguments)))


def quantified(node: t.Quantifier) -> bool:
    if node.value is None:
        if len(node.binders) > 1:
            return node.id != "list" and (node.where is not None or (node.id in QUANTIFIERS and node.by is None))
        return node.id in QUANTIFIERS or node.where is not None or node.by is not None
    return True


def wider(inner):
    binder = made(t.Binder, NAMES, inner)
    ops = st.sampled_from(["==", "!=", "<", "<=", ">", ">=", "in", "not in"])
    heads = st.sampled_from([*sorted(QUANTIFIERS)])
    return st.one_of(
        made(t.Attribute, inner, NAMES),
        made(t.Index, inner, inner),
        made(t.Call, NAMES | st.sampled_from(["any", "count"]), st.lists(inner, max_size=3)).filter(called),
        made(t.Binary, st.sampled_from(["+", "-", "*", "div", "mod"]), inner, inner),
        made(t.Negative, inner),
        made(t.Compare, inner, st.lists(st.tuples(ops, inner), min_size=1, max_size=2)),
        made(t.Not, inner),
        made(t.Logic, st.sampled_from(["and", "or"]), inner, inner),
        made(t.IfElse, inner, inner, inner),
        made(t.Listing, st.lists(inner, max_size=3)),
        made(t.SpanOf, inner, inner),
        made(
            t.Quantifier, heads, st.none() | inner, st.lists(binder, min_size=1, max_size=2), st.none() | inner, st.none() | inner
        ).filter(quantified),
    )  # fmt: skip


LEAVES = st.one_of(
    made(t.Number, st.integers(0, 99)), made(t.Truth, st.booleans()), made(t.NoValue), made(t.Name, NAMES)
)
EXPRS = st.recursive(LEAVES, wider, max_leaves=8)


def known(item: t.Item) -> bool:
    return item.thing is not None or not (item.arguments or item.mix)


THINGS = made(t.Item, EXPRS, NAMES, st.lists(EXPRS, max_size=2), mix=st.just(False))
MIXES = made(t.Item, EXPRS, NAMES, mix=st.just(True))
ITEMS = st.lists(THINGS | MIXES | made(t.Item, EXPRS), min_size=1, max_size=3)
MAYBE = st.none() | EXPRS
BINDERS = st.lists(made(t.Binder, NAMES, EXPRS), min_size=1, max_size=2)
SIMPLE = st.one_of(
    made(t.Gain, ITEMS, MAYBE, st.booleans()), made(t.Pay, ITEMS, st.none(), st.none()), made(t.Pay, ITEMS, NAMES, MAYBE), made(t.SetTo, EXPRS, EXPRS),
    made(t.Move, EXPRS, EXPRS, st.booleans()), made(t.Swap, EXPRS, EXPRS), made(t.Shuffle, EXPRS),
    made(t.Draw, EXPRS, EXPRS, EXPRS), made(t.Refill, EXPRS, EXPRS), made(t.Slide, EXPRS), made(t.Random, NAMES, EXPRS),
    made(t.Let, NAMES, EXPRS), made(t.CallRule, made(t.Call, NAMES, st.lists(EXPRS, max_size=2))), made(t.Do, EXPRS, MAYBE),
    made(t.Return, MAYBE), made(t.Return, st.none(), EXPRS, st.booleans()), made(t.Break), made(t.EndMatch),
    made(t.PassTo, EXPRS), made(t.Require, EXPRS), made(t.Pause, LABELS), made(t.Say, LABELS, st.lists(EXPRS, max_size=2)),
    made(t.Nothing), made(t.Choose, BINDERS, MAYBE, st.none() | FULL, st.none() | LABELS, st.none() | LABELS, st.none()),
)  # fmt: skip


def blocks(inner):
    block = st.lists(inner, min_size=1, max_size=3)
    option = made(t.Option, LABELS, MAYBE, st.just([]), block) | made(
        t.Option, st.none() | LABELS, MAYBE, BINDERS, block, st.none() | LABELS
    )
    return st.one_of(
        made(t.If, EXPRS, block, st.just([]) | block), made(t.For, BINDERS, MAYBE, st.booleans(), st.none(), block),
        made(t.For, BINDERS, MAYBE, st.just(True), LABELS, block),
        made(t.Repeat, EXPRS, block), made(t.Loop, block), made(t.As, EXPRS, block),
        made(t.Menu, st.none() | LABELS, st.lists(option, min_size=1, max_size=3), st.none() | block),
        made(t.UpTo, EXPRS, st.none() | LABELS, block), made(t.Simultaneously, made(t.Binder, NAMES, EXPRS), st.none() | EXPRS, block),
        made(t.Choose, BINDERS, MAYBE, st.none() | FULL, st.none() | LABELS, st.none() | LABELS, block),
    )  # fmt: skip


EFFECTS = st.lists(st.recursive(SIMPLE, blocks, max_leaves=6), min_size=1, max_size=3)


@settings(max_examples=100)
@given(EXPRS)
def test_any_expression(expr):
    text = print_expression(expr)

    assert parse_expression(Text(text)) == (expr, [])
    assert print_expression(parse_expression(Text(text))[0]) == text


@settings(max_examples=100)
@given(made(t.Naming, st.lists(made(t.Given, NAMES, EXPRS), min_size=1, max_size=3), EXPRS))
def test_any_expression_with_lines_before_it(naming):
    text = print_naming(naming)
    again, problems = parse_expression(Text(text))

    assert (again, problems) == (naming, [])
    assert print_naming(again, text) == text


@settings(max_examples=100)
@given(ITEMS)
def test_any_cost(items):
    cost = t.Cost(items, at=AT)

    assert parse_cost(Text(inline_printer.items(cost.items))) == (cost, [])


@pytest.mark.deep
@settings(max_examples=100)
@given(EFFECTS)
def test_any_effect(block):
    text = print_effect(block)
    again, problems = parse_effect(Text(text))

    assert (again, problems) == (block, [])
    assert print_effect(again) == text
    assert print_effect(again, text) == text


# ---- what an author wrote

LAYOUTS = [
    pytest.param("gain  2 coin;set x to  1", "gain 2 coin; set x to 1", id="one line stays one line"),
    pytest.param("gain 2*( 3+1 ) coin", "gain 2 * (3 + 1) coin", id="blanks round operators"),
    pytest.param("set x to ((a and b) or (c))", "set x to a and b or c", id="needless brackets"),
    pytest.param("if a: stop\nelse: nothing", "if a: stop\nelse: nothing", id="blocks on the line of their header"),
    pytest.param("if a:\n     stop", "if a:\n  stop", id="indentation"),
    pytest.param("if a: if b: stop\nelse: nothing", "if a:\n  if b: stop\n  else: nothing", id="whose else it is"),
    pytest.param("# one\nstop", "# one\nstop", id="comment above"),
    pytest.param("stop # why", "stop  # why", id="comment behind"),
    pytest.param("if a:   # why\n    stop", "if a:  # why\n  stop", id="comment behind a header"),
    pytest.param("loop:\n  # in\n  break\n  # end\n# out\nstop", "loop:\n  # in\n  break\n  # end\n# out\nstop", id="comments in their blocks"),
    pytest.param("if a:\n  stop\n# so\nelse:  # then\n  break", "if a:\n  stop\n# so\nelse:  # then\n  break", id="comments round else"),
    pytest.param("stop\n\n\n\nbreak", "stop\n\nbreak", id="one blank line at most"),
    pytest.param("choose a in b\notherwise: stop", "choose a in b\notherwise: stop", id="otherwise"),
    pytest.param("choose a in b; otherwise:\n    stop\nbreak", "choose a in b\notherwise:\n  stop\nbreak", id="otherwise on a line of its own"),
    pytest.param("pay 1 coin:\n   stop\n   break\nnothing", "pay 1 coin:\n  stop\n  break\nnothing", id="payment with a block"),
    pytest.param("pay 1 coin: pay 2 coin: stop", "pay 1 coin: pay 2 coin: stop", id="payments with blocks on one line"),
    pytest.param('may "do it": stop', 'may "do it": stop', id="may"),
    pytest.param('choose one:\n    "a" when b: stop\n    otherwise: break  # no', 'choose one:\n  "a" when b: stop\n  otherwise: break  # no', id="menu"),
    pytest.param("set x to (a +\n   b)", "set x to a + b", id="broken without need"),
    pytest.param("set x to f(a, # one\n   b)", "set x to f(a, # one\n   b)", id="comment inside brackets"),
    pytest.param('choose x in s where (a or (none)) or none', 'choose x in s where a or (none) or none', id="not the way out"),
    pytest.param("return", "stop", id="one word for leaving"),
    pytest.param("if a: stop\nelif b: stop\nelse:\n  if c: stop", "if a: stop\nelif b: stop\nelse:\n  if c: stop", id="else if is not elif"),
    pytest.param("stop # last\n# end", "stop  # last\n# end", id="comment at the end"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), LAYOUTS)
def test_layout(text, expected):
    tree, problems = parse_effect(Text(text))
    printed = print_effect(tree, text)
    again = parse_effect(Text(printed))

    assert problems == []
    assert printed == expected
    assert again == (tree, [])
    assert print_effect(again[0], printed) == printed


def test_long_effects_stay_broken_where_they_were():
    parts = [f"size(a_rather_long_name_{i})" for i in range(6)]
    text = "if a:\n      set x to (" + "\n         + ".join(parts) + ")"
    tree, _ = parse_effect(Text(text))

    assert print_effect(tree, text) == "if a:\n" + textwrap.indent("set x to (" + "\n   + ".join(parts) + ")", "  ")
