"""The table of operation by operation: what happens if two modules change one node and nothing orders them."""

from __future__ import annotations

from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from patolli.language.packs.compose import compose
from patolli.language.packs.manifest import Document, Pack
from patolli.language.sources import read_yaml

BASE = """
document: rules
rules:
  r():
    text: A rule.
    steps:
      ask: |
        choose one:
          "one": gain 1 coin
          "two": gain 2 coin
      end: gain 1 coin
functions:
  f(): 3
"""
PANELS = """
document: panels
panels:
  p: {shows: counters, title: Goods, rows: [coin]}
"""
MENU = '{offer: rules/r, do: "choose one:\\n  \\"three\\": gain 3 coin"}'
RULE = {
    "replace": "{replace: rules/r, with: {steps: {ask: gain N coin, end: gain N coin}}}",
    "replace step": "{replace: rules/r/steps/end, with: gain N coin}",
    "replace text": "{replace: rules/r/text, with: N}",
    "remove": "{remove: rules/r}",
    "remove step": "{remove: rules/r/steps/end}",
    "extend": "{extend: rules/r/steps, with: {more_N: gain 1 coin}}",
    "before": "{before: rules/r, do: gain N coin}",
    "after step": "{after: rules/r/end, do: gain N coin}",
    "instead": "{instead: rules/r, do: gain N coin}",
    "wrap": '{instead: rules/r, do: "if coin > N: gain N coin\\nelse: original()"}',
    "instead step": "{instead: rules/r/end, do: gain N coin}",
    "wrap step": "{instead: rules/r/end, do: original(); gain N coin}",
    "instead menu": "{instead: rules/r/ask, do: gain N coin}",
    "offer": MENU,
}
FUNCTION = {
    "replace": "{replace: functions/f, with: N}",
    "remove": "{remove: functions/f}",
    "by": "{adjust: functions/f, by: N}",
    "at least 4": "{adjust: functions/f, at_least: 4}",
    "at most 2": "{adjust: functions/f, at_most: 2}",
    "at most 9": "{adjust: functions/f, at_most: 9}",
    "value": "{adjust: functions/f, value: N}",
    "value when": "{adjust: functions/f, value: N, when: coin > 3}",
}
DATA = {
    "replace": "{replace: panels/p, with: {shows: counters, rows: [N]}}",
    "replace list": "{replace: panels/p/rows, with: [N]}",
    "replace title": "{replace: panels/p/title, with: N}",
    "remove": "{remove: panels/p}",
    "remove list": "{remove: panels/p/rows}",
    "extend list": "{extend: panels/p/rows, with: [N]}",
    "extend": "{extend: panels/p, with: {more: N}}",
}
# Rows and columns in the order above. x: one change is lost (an error), o: the order matters, .: both have their effect.
TABLES = {
    "rule": (RULE, """
        x
        xx
        x.x
        xxx.
        xx...
        x..x..
        ...x...
        ...xx...
        xx.xxx.xx
        ...x....x.
        xx.xx...x.x
        ...xx...x.x.
        x..x....x...x
        ...x....x...x.
    """),
    "function": (FUNCTION, """
        x
        x.
        .x.
        .xo.
        .xox.
        .xo...
        xxxxxxx
        .xooooxo
    """),
    "data": (DATA, """
        x
        xx
        x.x
        xxx.
        xx...
        xx.xx.
        x..x..x
    """),
}  # fmt: skip


def document(text, path):
    tree, problems = read_yaml(text, path)
    assert not problems
    assert tree is not None
    return Document(tree.get("document").value, path, tree)


def pack(name, requires="", *texts, more=""):
    """Make a pack in memory."""
    head = f"document: pack\nid: {name}\nversion: 1.0.0\nlanguage: 2\ntitle: T\n"
    head += f"requires: {{{requires}}}\n" if requires else ""
    tree = document(head + more, f"{name}/pack.yaml").tree
    made = Pack(name, Path(f"{name}.zip"), tree)
    made.documents = [document(text, f"{name}/{number}.yaml") for number, text in enumerate(texts)]
    return made


BELOW = pack("base", "", BASE, PANELS)
ON_BASE = 'base: ">=1.0"'


def changing(name, change, requires=ON_BASE, more=""):
    """Make a module with one change in which N is a number of its own."""
    number = {"aa": "5", "bb": "6", "cc": "7"}[name]
    return pack(name, requires, f"document: patch\nchange:\n  - {change.replace('N', number)}\n", more=more)


def found(*modules):
    return compose(BELOW, list(modules)).problems


def mark_of(problems):
    codes = {one.code for one in problems}
    assert codes <= {"P0123", "P0125", "P0121"}, codes
    for one in problems:
        files = {one.span.path, *(span.path for span, _ in one.also)}
        assert {"aa/0.yaml", "bb/0.yaml"} <= files, one  # both places are named
    return "x" if codes & {"P0123", "P0121"} else "o" if codes else "."


@pytest.mark.parametrize("node", TABLES)
def test_every_pair_of_operations(subtests, node):
    """Each cell of the table, whichever of the two modules has the earlier id."""
    operations, table = TABLES[node]
    names = list(operations)
    cells = {(names[i], names[j]): mark for i, row in enumerate(table.split()) for j, mark in enumerate(row)}
    for two, one in combinations_with_replacement(names, 2):
        wanted = cells[one, two]
        for first, second in ((one, two), (two, one)):
            with subtests.test(f"{first} x {second}"):
                modules = changing("aa", operations[first]), changing("bb", operations[second])
                assert mark_of(found(*modules)) == wanted


@pytest.mark.parametrize("node", TABLES)
def test_a_declared_order_or_a_third_module_settles_each(subtests, node):
    """What is an order is no conflict; nor is what a module decides that requires both."""
    operations, _ = TABLES[node]
    total = {"rule": RULE["replace"], "function": FUNCTION["value"], "data": DATA["replace"]}[node]
    requires = f'{ON_BASE}, aa: ">=1.0", bb: ">=1.0"'
    for two, one in combinations_with_replacement(operations, 2):
        if "remove" in one + two:
            continue  # what is gone cannot be changed by anybody
        with subtests.test(f"{one} x {two}"):
            aa, bb = changing("aa", operations[one]), changing("bb", operations[two])
            after = changing("bb", operations[two], f'{ON_BASE}, aa: ">=1.0"')
            codes = {p.code for p in found(aa, after)}
            assert codes <= {"P0124"}, codes  # a key that is there already is refused in any order
            assert not {p.code for p in found(aa, bb, changing("cc", total, requires))} & {"P0123", "P0125"}


def test_a_third_pack_may_order_two():
    aa, bb = changing("aa", RULE["instead"]), changing("bb", RULE["instead"])
    order = pack("cc", f'{ON_BASE}, aa: ">=1.0", bb: ">=1.0"', more="order: [bb, aa]\n")

    assert found(bb, aa, order) == []


def test_what_another_module_took_away_names_it():
    removed = changing("aa", RULE["remove step"])
    expecting = changing("bb", "{replace: constants/c, expects: 1, with: 3}")
    base = pack("base", "", BASE, "document: model\nconstants: {c: 1}\n")
    other = changing("aa", "{replace: constants/c, with: 2}")

    (gone,) = found(removed, changing("bb", RULE["after step"]))
    (changed,) = compose(base, [other, expecting]).problems

    assert gone.message == (
        "'bb' comes after 'rules/r/end', 'aa' removes 'rules/r/steps/end': one of the two changes is lost"
    )
    assert (changed.code, changed.also[0][0].path) == ("P0122", "aa/0.yaml")
    assert changed.message.endswith("'aa' has changed it")


def test_a_later_replacement_puts_what_discards_out_of_force():
    """Who requires a module and replaces a step means it, whatever statement stood there."""
    after = changing("bb", RULE["replace"], f'{ON_BASE}, aa: ">=1.0"')
    composition = compose(BELOW, [changing("aa", RULE["instead"]), after])

    assert [name for _, name, _ in composition.sections["rules"]["r"].in_force] == ["replace"]
