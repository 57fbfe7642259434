"""The table of operation by operation: what happens if two modules change one node and nothing orders them.

The table itself is on the page ``docs/explanation/patching.md``; each of its cells is tested here.
"""

from __future__ import annotations

import re
from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from tiers import few

from patolli.author.workspace import inspect
from patolli.language.packs.compose import compose
from patolli.language.packs.manifest import Document, Files, Pack
from patolli.language.sources import plain, read_yaml

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "patching.md"
BASE = """
document: rules
rules:
  match:
    do: |
      r()
      gain f(0) + 1000 * f(1) first
      gain f(3) second
      gain f(12) third
      end match
  r():
    text: A rule.
    steps:
      ask: |
        choose one:
          "one": gain 1 coin
          "two": gain 2 coin
      end: gain 100 coin
functions:
  f(int n): n
result: {score: coin, text: Coins., category: Score}
"""
MODEL = """
document: model
counters:
  coin: {per: player, text: Coins}
  first: {per: player, text: F}
  second: {per: player, text: S}
  third: {per: player, text: T}
constants:
  c: {value: [1, 2], text: Numbers.}
"""
PANELS = """
document: panels
panels:
  p: {shows: counters, title: Goods, rows: [coin]}
"""
RULE = {
    "replace": '{replace: rules/r, with: {steps: {ask: "choose one:\\n  \\"N\\": gain N coin", end: gain N coin}}}',
    "replace a step": "{replace: rules/r/steps/end, with: gain N coin}",
    "replace the text": "{replace: rules/r/text, with: Text N.}",
    "remove": "{remove: rules/r}",
    "remove a step": "{remove: rules/r/steps/end}",
    "add a step": "{extend: rules/r/steps, with: {more_N: gain N coin}}",
    "before": "{before: rules/r, do: gain N coin}",
    "after the step": "{after: rules/r/end, do: gain N coin}",
    "instead": "{instead: rules/r, do: gain N coin}",
    "instead, original": "{instead: rules/r, do: original(); gain N coin}",
    "instead of the step": "{instead: rules/r/end, do: gain N coin}",
    "instead of the step, original": "{instead: rules/r/end, do: original(); gain N coin}",
    "instead of the menu": "{instead: rules/r/ask, do: gain N coin}",
    "offer": '{offer: rules/r, do: "choose one:\\n  \\"give N\\": gain N coin"}',
}
FUNCTION = {
    "replace": "{replace: functions/f, with: n * N}",
    "remove": "{remove: functions/f}",
    "by": "{adjust: functions/f, by: N}",
    "at_least: 4": "{adjust: functions/f, at_least: 4}",
    "at_most: 2": "{adjust: functions/f, at_most: 2}",
    "at_most: 9": "{adjust: functions/f, at_most: 9}",
    "value": "{adjust: functions/f, value: N}",
    "value, when": "{adjust: functions/f, value: N, when: n > 3}",
}
DATA = {
    "replace": "{replace: AT, with: {LIST: [N], text: N}}",
    "replace a list": "{replace: AT/LIST, with: [N]}",
    "replace a text": "{replace: AT/TEXT, with: N}",
    "remove": "{remove: AT}",
    "remove the list": "{remove: AT/LIST}",
    "extend the list": "{extend: AT/LIST, with: [N]}",
    "add a key": "{extend: AT, with: {more: N}}",
}
NODES = {"rule": RULE, "function": FUNCTION, "data": DATA}
PARTS = (("panels/p", "rows", "title"), ("constants/c", "value", "text"))
"""Entries whose table ``data`` is tested: the target, a list in it, another part of it."""


def read_tables():
    """Return the tables of the page, each by its rows and columns. x: one change is lost, o: the order matters."""
    tables = {}
    for found in re.finditer(r"^\| (rule|function|data) \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text("utf-8"), re.M):
        columns = [cell.strip() for cell in found[0].splitlines()[0].split("|")[2:-1]]
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in found[2].splitlines()]
        assert [row[0] for row in rows] == columns
        marks = {(row[0], column): mark for row in rows for column, mark in zip(columns, row[1:], strict=True)}
        tables[found[1]] = marks
    return tables


TABLES = read_tables()


def test_the_page_has_each_operation_of_each_node():
    assert TABLES.keys() == NODES.keys()
    for node, operations in NODES.items():
        assert {one for one, _ in TABLES[node]} == operations.keys()
        assert {*TABLES[node].values()} <= {"x", "o", "."}
        assert all(TABLES[node][two, one] == mark for (one, two), mark in TABLES[node].items())


def document(text, path):
    tree, problems = read_yaml(text, path)
    assert not problems
    assert tree is not None
    return Document(tree.get("document").value, path, tree)


def pack(name, requires="", *texts, more=""):
    """Make a pack in memory."""
    head = f"document: pack\nid: {name}\nversion: 1.0.0\nlanguage: 2\ntitle: T\n"
    head += f"requires: {{{requires}}}\n" if requires else "players: {min: 1, max: 1}\n"
    tree = document(head + more, f"{name}/pack.yaml").tree
    made = Pack(name, Path(f"{name}.zip"), tree)
    made.documents = [document(text, f"{name}/{number}.yaml") for number, text in enumerate(texts)]
    return made


BELOW = pack("base", "", BASE, MODEL, PANELS)
ON_BASE = 'base: ">=1.0"'


def changing(name, change, requires=ON_BASE, more="", number=None):
    """Make a module with one change in which N is a number of its own."""
    number = number or {"aa": "5", "bb": "6", "cc": "7"}[name]
    return pack(name, requires, f"document: patch\nchange:\n  - {change.replace('N', number)}\n", more=more)


def found(*modules):
    return compose(BELOW, list(modules)).problems


class Shelf(Files):
    """Packs in memory."""

    def __init__(self, *packs):
        self.packs = {one.id: one for one in packs}

    def find(self, name):
        return self.packs[name].folder if name in self.packs else None

    def pack(self, name):
        return self.packs[name]


def play(*modules):
    """Return all ends of a match, each with the texts of its options, and what the rule says of itself."""
    found = inspect("base", [one.id for one in modules], files=Shelf(BELOW, *modules), proofs=False, warnings=False)
    assert found.ruleset is not None, found.problems
    rule = found.model.composition.sections["rules"]["r"]
    return sorted(_ends(found.ruleset.start(1, 0), ())), plain(rule.get("text")) if rule.get("text") else None


def _ends(match, said):
    if match.decision is None:
        counters = match.view(0)["counters"]
        yield said, tuple(counters[name]["player_1"] for name in ("coin", "first", "second", "third"))
        return
    for number, option in enumerate(match.decision.options):
        copy = match.clone()
        copy.choose(number)
        yield from _ends(copy, (*said, option.words))


def mark_of(problems):
    codes = {one.code for one in problems}
    assert codes <= {"P0123", "P0125", "P0121"}, codes
    for one in problems:
        files = {one.span.path, *(span.path for span, _ in one.also)}
        assert {"aa/0.yaml", "bb/0.yaml"} <= files, one  # both places are named
    return "x" if codes & {"P0123", "P0121"} else "o" if codes else "."


def cells(node):
    """Go through the cells of a table, each once, with the two changes."""
    for two, one in combinations_with_replacement(NODES[node], 2):
        for part in PARTS if node == "data" else (("", "", ""),):
            changes = (_place(NODES[node][name], *part) for name in (one, two))
            yield (f"{one} x {two}", TABLES[node][one, two], *changes)


def _place(change, at, items, text):
    return change.replace("AT", at).replace("LIST", items).replace("TEXT", text)


@pytest.mark.parametrize("node", NODES)
def test_every_pair_of_operations(subtests, node):
    """Each cell of the table, whichever of the two modules has the earlier id."""
    for name, wanted, one, two in cells(node):
        for first, second in ((one, two), (two, one)):
            with subtests.test(f"{name}: {first}, {second}"):
                assert mark_of(found(changing("aa", first), changing("bb", second))) == wanted


def check_played(one, two):
    """Play a cell in which two changes commute: ids decide nothing, and each change has its effect."""
    aa, bb = changing("aa", one), changing("bb", two)
    both = play(aa, bb)

    assert both == play(changing("aa", two, number="6"), changing("bb", one, number="5"))
    alone = play(aa), play(bb)
    assert play() not in alone
    if (one != two or "N" in one) and not (
        "at_most" in one and "at_most" in two
    ):  # these agree, or the lower one holds
        assert both not in alone


@pytest.mark.deep
@pytest.mark.parametrize("node", ["rule", "function"])
def test_what_commutes_has_both_effects(subtests, node):
    for name, mark, one, two in cells(node):
        if mark == "." and not {f"{{remove: {at}}}" for at in ("rules/r", "functions/f")} & {one, two}:
            with subtests.test(name):
                check_played(one, two)


@pytest.mark.parametrize("names", [("before", "offer"), ("instead, original", "after the step")])
def test_two_changes_that_commute_are_played(names):
    check_played(*(RULE[name] for name in names))


def test_what_commutes_in_data_has_both_effects(subtests):
    for name, mark, one, two in cells("data"):
        if mark != ".":
            continue
        with subtests.test(f"{name}: {one}"):
            both, turned, *alone = (
                {place: plain(entry.node) for place, entry in _entries(*modules).items()}
                for modules in (
                    (changing("aa", one), changing("bb", two)),
                    (changing("bb", one, number="5"), changing("aa", two, number="6")),
                    (changing("aa", one),),
                    (changing("bb", two),),
                )
            )
            assert _sort_lists(both) == _sort_lists(turned)
            assert one == two or "remove" in one + two or both not in alone


def _entries(*modules):
    sections = compose(BELOW, sorted(modules, key=lambda one: one.id)).sections
    return {
        f"{section}/{id_}": entry for section in ("panels", "constants") for id_, entry in sections[section].items()
    }


def _sort_lists(value):
    if isinstance(value, dict):
        return {key: _sort_lists(one) for key, one in value.items()}
    return sorted(value, key=str) if isinstance(value, list) else value


@pytest.mark.parametrize("node", NODES)
def test_a_declared_order_or_a_third_module_settles_each(subtests, node):
    """What is an order is no conflict; nor is what a module decides that requires both."""
    at = PARTS[0]
    total = _place({"rule": RULE["replace"], "function": FUNCTION["value"], "data": DATA["replace"]}[node], *at)
    requires = f'{ON_BASE}, aa: ">=1.0", bb: ">=1.0"'
    for two, one in combinations_with_replacement(NODES[node], 2):
        if "remove" in one + two:
            continue  # what is gone cannot be changed by anybody
        with subtests.test(f"{one} x {two}"):
            first, second = (_place(NODES[node][name], *at) for name in (one, two))
            aa, bb = changing("aa", first), changing("bb", second)
            after = changing("bb", second, f'{ON_BASE}, aa: ">=1.0"')
            codes = {p.code for p in found(aa, after)}
            assert codes <= {"P0124"}, codes  # a key that is there already is refused in any order
            assert not {p.code for p in found(aa, bb, changing("cc", total, requires))} & {"P0123", "P0125"}


def test_a_third_pack_may_order_two():
    aa, bb = changing("aa", RULE["instead"]), changing("bb", RULE["instead"])
    order = pack("cc", f'{ON_BASE}, aa: ">=1.0", bb: ">=1.0"', more="order: [bb, aa]\n")

    assert found(bb, aa, order) == []


@pytest.mark.parametrize(("order", "value"), [("aa, bb", 6), ("bb, aa", 5)])
def test_of_two_keys_that_are_added_the_later_counts(order, value):
    add = "{extend: constants/c, with: {more: N}}"
    aa, bb = changing("aa", add), changing("bb", add)
    third = pack("cc", f'{ON_BASE}, aa: ">=1.0", bb: ">=1.0"', more=f"order: [{order}]\n")
    same = changing("bb", add, number="5")

    composition = compose(BELOW, [one for name in order.split(", ") for one in (aa, bb) if one.id == name] + [third])
    assert composition.problems == []
    assert plain(composition.sections["constants"]["c"].get("more")) == value
    assert found(aa, same, third) == []  # the same twice is no conflict, whatever the order
    assert found(aa, changing("bb", add, more="optional: [aa]\n")) == []


def test_what_another_module_took_away_names_it():
    removed = changing("aa", RULE["remove a step"])
    expecting = changing("bb", "{replace: constants/c, expects: 1, with: 3}")
    base = pack("base", "", BASE, "document: model\nconstants: {c: 1}\n")
    other = changing("aa", "{replace: constants/c, with: 2}")

    (gone,) = found(removed, changing("bb", RULE["after the step"]))
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


@pytest.mark.parametrize(("operation", "code"), [("offer", "P0124"), ("after the step", "P0121")])
@pytest.mark.parametrize("turned", [False, True])
def test_what_a_replaced_rule_has_no_more_names_who_replaced_it(operation, code, turned):
    """The sibling is named and not the base, even if a step that is left has a similar name."""
    changes = [RULE[operation], "{replace: rules/r, with: {steps: {ends: gain 7 coin}}}"]
    aa, bb = map(changing, ("aa", "bb"), reversed(changes) if turned else changes)
    (wrong,) = inspect("base", ["aa", "bb"], files=Shelf(BELOW, aa, bb), warnings=False).errors

    assert (wrong.code, "any more" in wrong.message) == (code, True)
    assert {"aa/0.yaml", "bb/0.yaml"} <= {wrong.span.path, *(place.path for place, _ in wrong.also)}


def test_a_step_that_no_pack_ever_had_is_misspelled():
    replaced = changing("aa", "{replace: rules/r, with: {steps: {finish: gain 7 coin}}}")
    wrong = changing("bb", "{after: rules/r/finsh, do: gain 1 coin}")
    (one,) = inspect("base", ["aa", "bb"], files=Shelf(BELOW, replaced, wrong), warnings=False).errors

    assert one.help == "did you mean 'finish'?"


# ---- triggers

DOES = {"aa": "set coin to coin * 2", "bb": "gain 6 coin"}
TRIGGERS = {
    "before / after": ("before: r, do: DOES", "after: r, do: DOES"),
    "before / after the step": ("before: r/end, do: DOES", "after: r/end, do: DOES"),
    "instead": ("instead: r, do: DOES",),
    "instead, original / when": ("instead: r, do: original(); DOES", "instead: r, when: coin > 0, do: DOES"),
}
PATCHES = {
    "patch: before / after": ("{before: rules/r, do: DOES}", "{after: rules/r, do: DOES}"),
    "patch: before / after the step": ("{before: rules/r/end, do: DOES}", "{after: rules/r/end, do: DOES}"),
    "patch: instead, original": ("{instead: rules/r, do: original(); DOES}",),
    "patch: instead": ("{instead: rules/r, do: DOES}",),
    "patch: replace": (RULE["replace"],),
    "patch: replace / instead of the step": (RULE["replace a step"], RULE["instead of the step"]),
    "patch: remove a step": (RULE["remove a step"],),
    "patch: remove": (RULE["remove"],),
}
COLUMNS = TRIGGERS | PATCHES


def read_table_of_triggers():
    """Return the mark of each cell of the page, by row and column."""
    found = re.search(r"^\| trigger \|.*\n\|[-|]+\n((?:\|.*\n)+)", PAGE.read_text("utf-8"), re.M)
    columns = [cell.strip() for cell in found[0].splitlines()[0].split("|")[2:-1]]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in found[1].splitlines()]
    return {(row[0], column): mark for row in rows for column, mark in zip(columns, row[1:], strict=True)}


def joining(name, does, requires=ON_BASE):
    """Make a module with a trigger or a patch."""
    does = does.replace("DOES", DOES[name])
    if does.startswith("{"):
        return changing(name, does, requires, number={"aa": "5", "bb": "6"}[name])
    return pack(name, requires, f"document: rules\ntriggers:\n  {name}_does: {{{does}}}\n")


def find_joined(*modules):
    return inspect("base", [one.id for one in modules], files=Shelf(BELOW, *modules))


def joined_mark_of(one, two):
    """Return the mark of two changes of modules that nothing orders."""
    found = [
        p for p in find_joined(joining("aa", one), joining("bb", two)).problems if p.code not in ("P0432", "P0446")
    ]
    codes = {p.code for p in found}
    assert codes <= {"P0125", "P0126", "P0121", "P0201"}, codes
    files = [{problem.span.path, *(span.path for span, _ in problem.also)} for problem in found]
    assert not codes or any({"aa/0.yaml", "bb/0.yaml"} <= one for one in files), found  # both places are named
    return "x" if codes & {"P0126", "P0121", "P0201"} else "o" if codes else "."


def cell_of(row, column):
    """Return the marks of the operations of a cell; of both orders of the ids the worse one counts."""
    return {
        max(joined_mark_of(one, two), joined_mark_of(two, one), key=".ox".index)
        for one in TRIGGERS[row]
        for two in COLUMNS[column]
    }


def test_the_page_has_each_cell_of_triggers():
    assert read_table_of_triggers().keys() == {(row, column) for row in TRIGGERS for column in COLUMNS}


@pytest.mark.parametrize("row", few(TRIGGERS, "instead"))
def test_each_cell_of_triggers(subtests, row):
    for column in COLUMNS:
        with subtests.test(column):
            mark = read_table_of_triggers()[row, column]
            moments_differ = {"."} if mark == "o" and "before" in row else set()  # before and after never meet
            assert cell_of(row, column) == {mark} | moments_differ
