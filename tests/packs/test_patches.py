"""Every operation of a patch: what it does, and when it is refused."""

from __future__ import annotations

import pytest
from examples import module, patched
from packmaker import loaded, problems

from patolli.language.packs.operations import OPERATIONS

ANY = '{sample: ">=1.0"}'


def play(rules, *steps):
    """Start a match and answer by label; return it."""
    match = rules.start(2, 3)
    for step in ("0", "0", *steps):
        match.choose(step)
    return match


def coins(match):
    return match.view(0)["counters"]["coin"]["player_2"]  # who begins


def earned(tmp_path, change):
    """How many coins the player who begins has after earning, from one at the start and two."""
    return coins(play(loaded(tmp_path, patched(change)), "earn"))


def test_without_a_patch(tmp_path):
    assert coins(play(loaded(tmp_path, ""), "earn")) == 3


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        pytest.param("{replace: rules/earn, with: gain 2 * n coin}", 5, id="replace a rule"),
        pytest.param("{after: rules/earn, do: gain n coin}", 5, id="after"),
        pytest.param("{before: rules/earn, do: gain 7 coin}", 10, id="before"),
        pytest.param("{after: rules/earn, when: n > 5, do: gain n coin}", 3, id="after, when it is not true"),
        pytest.param("{after: rules/earn, when: size(deck) > 0, do: gain n coin}", 5, id="after, by a function"),
        pytest.param("{before: rules/earn, when: coin >= 1, do: pay 1 coin}", 2, id="before, when it can be paid"),
        pytest.param("{instead: rules/earn, do: gain 5 coin}", 6, id="instead"),
        pytest.param("{instead: rules/earn, do: original(n + 1); gain 1 coin}", 5, id="instead, with the original"),
    ],
)
def test_rule(tmp_path, change, wanted):
    assert earned(tmp_path, change) == wanted


def test_order_of_extensions_is_that_of_the_modules(tmp_path):
    change = "{after: rules/earn, do: set coin to coin * 2}"
    other = "{after: rules/earn, do: gain 1 coin}"
    one = (
        loaded(tmp_path / "one", patched(change, "a") + patched(other, "b"))
        if (tmp_path / "one").mkdir() is None
        else None
    )
    two = (
        loaded(tmp_path / "two", patched(other, "a") + patched(change, "b"))
        if (tmp_path / "two").mkdir() is None
        else None
    )

    assert coins(play(one, "earn")) == 7
    assert coins(play(two, "earn")) == 8


STEPS = (
    "# rules3.yaml\ndocument: rules\nrules:\n  twice(int n):\n    steps:\n      first: gain n coin\n      second: gain n coin\n"
    "triggers:\n  also: {after: earn, do: twice(n)}\n"
)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        pytest.param("{before: rules/twice/second, do: set coin to coin * 2}", 12, id="before a step"),
        pytest.param("{after: rules/twice/second, do: set coin to coin * 2}", 14, id="after a step"),
        pytest.param("{instead: rules/twice/second, do: nothing}", 5, id="instead of a step"),
    ],
)
def test_step_of_a_rule(tmp_path, change, wanted):
    assert coins(play(loaded(tmp_path, STEPS + patched(change)), "earn")) == wanted


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        pytest.param("do: original(); gain 1 coin", 8, id="what was there, and more"),
        pytest.param("do: original(); original()", 9, id="twice"),
        pytest.param("do: |\n      if n > 5: gain 9 coin\n      else: original()", 7, id="in a case"),
        pytest.param(
            'do: |\n      choose one:\n        "all": original()\n        "less" when n > 5: gain 1 coin',
            7,
            id="in the line of a menu",
        ),
    ],
)
def test_instead_of_a_step_has_the_original(tmp_path, change, wanted):
    operation = f"instead: rules/twice/second\n    {change}"

    assert coins(play(loaded(tmp_path, STEPS + patched(operation)), "earn")) == wanted


def test_each_instead_of_a_step_wraps_the_one_before(tmp_path):
    one = patched("{instead: rules/twice/second, do: original(); set coin to coin * 2}", "a")
    two = patched("{instead: rules/twice/second, do: original(); gain 1 coin}", "b")

    assert coins(play(loaded(tmp_path, STEPS + one + two), "earn")) == 15


@pytest.mark.parametrize(
    ("do", "code", "words"),
    [
        ("original(2)", "P0302", "what a step does takes no arguments"),
        ("let x = original()", "P0201", "unknown function 'original'"),
    ],
)
def test_original_of_a_step_used_wrongly(tmp_path, do, code, words):
    found = problems(tmp_path, STEPS + patched(f"{{instead: rules/twice/second, do: {do}}}"))

    assert (code, words) in [(p.code, p.message) for p in found]


def test_variables_of_a_rule_are_known_in_the_original_of_a_step(tmp_path):
    steps = STEPS.replace("first: gain n coin", "first: let m = n").replace(
        "second: gain n coin", "second: gain m coin"
    )

    assert coins(play(loaded(tmp_path, steps + patched("{instead: rules/twice/second, do: original()}")), "earn")) == 5


WORTH = "# rules3.yaml\ndocument: rules\nfunctions:\n  worth(int n): n + 1\ntriggers:\n  also: {after: earn, do: gain worth(n) coin}\n"


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        pytest.param("by: 1", 7, id="by"),
        pytest.param("at_least: 9", 12, id="at least"),
        pytest.param("at_most: 1", 4, id="at most"),
        pytest.param("value: n * n", 7, id="value"),
        pytest.param("by: 1, when: n > 5", 6, id="when it is not true"),
        pytest.param("by: 1, when: n > 1", 7, id="when it holds"),
    ],
)
def test_adjusted_function(tmp_path, change, wanted):
    rules = loaded(tmp_path, WORTH + patched(f"{{adjust: functions/worth, {change}}}"))

    assert coins(play(rules, "earn")) == wanted


def test_a_value_of_another_type_is_reported_where_it_is_written(tmp_path):
    change = "{adjust: functions/worth, value: false, when: n > 1}"
    (found,) = problems(tmp_path, WORTH + patched(change))

    assert (found.code, found.span.line) == ("P0301", 3)
    assert found.span.column == len("  - ") + change.index("false") + 1


def test_two_modules_adjust_one_function(tmp_path):
    text = (
        WORTH + patched("{adjust: functions/worth, by: 1}", "a") + patched("{adjust: functions/worth, at_most: 3}", "b")
    )

    assert coins(play(loaded(tmp_path, text), "earn")) == 6


@pytest.mark.parametrize(
    "change",
    [
        "{replace: constants/ladder/value, with: [0, 2, 4, 6]}",
        "{replace: constants/ladder/value, expects: [0, 1, 3, 6], with: [0, 2, 4, 6]}",
        "{replace: pieces/plain/effect, with: gain 1 coin}",
        "{replace: pieces/plain/text, expects: Gain 1 coin., with: Take 1 coin.}",
        "{extend: pieces/plain, with: {cost: 1 coin}}",
        "{extend: groups/good, with: [coin]}",
        "{remove: pieces/rich/cost}",
        "{remove: discounts/regular}",
        "{replace: result/result/ties, with: [nut]}",
        "{adjust: functions/price, by: 1}",
    ],
)
def test_accepted(tmp_path, change):
    assert problems(tmp_path, patched(change)) == []


@pytest.mark.parametrize(
    ("change", "code", "help_"),
    [
        ("remove: rules/digg", "P0121", "did you mean 'rules/dig'?"),
        ("remove: rulez/dig", "P0121", "did you mean 'rules'?"),
        ("{replace: pieces/plane/text, with: Gain 1 coin.}", "P0121", "did you mean 'pieces/plain'?"),
        (
            "{replace: pieces/plain/cost, with: 1 coin}",
            "P0121",
            "it has: copies, number, effect, text; 'extend' adds what is not there",
        ),
        (
            "{extend: pieces/plain/cost, with: [1]}",
            "P0121",
            "it has: copies, number, effect, text; 'extend' adds what is not there",
        ),
        ("{replace: pieces/plain/nunber, with: 3}", "P0121", "did you mean 'pieces/plain/number'?"),
        ("{after: rules/digg, do: gain 1 coin}", "P0121", "did you mean 'rules/dig'?"),
        ("{before: rules/dig/third, do: gain 1 coin}", "P0121", "its steps are: do"),
        ("{adjust: functions/prise, by: 1}", "P0121", "did you mean 'functions/price'?"),
        (
            "{replace: constants/ladder/value, expects: [1], with: [2]}",
            "P0122",
            "'sample' has changed since; compare the two, and write what is there now under 'expects'",
        ),
        ("{remove: discounts/regular, expects: {on: fee}}", "P0122", None),
        ("{extend: pieces/plain, with: {number: 4}}", "P0124", "use 'replace' to change what exists"),
        ("{extend: pieces/plain/text, with: [more]}", "P0124", "use 'replace'"),
        ("{extend: groups/good, with: {coin: 1}}", "P0124", "write `with: [one, two]`"),
        ("{extend: groups/good, with: coin}", "P0124", "write `with: [coin]`"),
        ("{extend: pieces/plain, with: cost}", "P0124", "write `with: {name: value}`"),
        ("{with: 3}", "P0124", f"one of: {', '.join(OPERATIONS)}"),
        (
            "{after: rules/dig, before: rules/buy, do: gain 1 coin}",
            "P0124",
            "one change has one operation; begin another change with '- '",
        ),
        ("{adjust: rules/dig, by: 1}", "P0124", "a rule is changed by: before, after, instead, offer"),
        ("{before: functions/price, do: gain 1 coin}", "P0124", "use 'adjust'"),
        (
            "{after: pieces/plain, do: gain 1 coin}",
            "P0124",
            "'replace', 'remove' and 'extend' change the entries of other sections",
        ),
        ("{adjust: functions/price/is, by: 1}", "P0124", "write functions/price"),
        ("{adjust: functions/price, do: gain 1 coin}", "P0124", "it takes: by, at_least, at_most, value, when"),
        ("{adjust: functions/price, text: Dearer.}", "P0124", "it takes: by, at_least, at_most, value"),
        ("{adjust: functions/price, by: 1, value: 2}", "P0124", "leave one of them out, or write two changes"),
        (
            "{instead: rules/dig, when: coin > 1, do: gain 1 coin}",
            "P0124",
            "write 'if ..: ..' in its effect, with 'else: original(..)'",
        ),
        (
            "{after: rules/dig, do: original()}",
            "P0201",
            "only an 'instead' has an original; in a step, 'original()' is an effect without a value",
        ),
    ],
)
def test_refused(tmp_path, change, code, help_):
    (found,) = problems(tmp_path, patched(change))

    assert found.code == code
    assert found.span.path.endswith("extra/change.yaml")
    assert help_ is None or found.help == help_


def test_added_twice_by_a_module(tmp_path):
    text = module("extra", ANY) + "# extra/model.yaml\ndocument: model\ncounters:\n  coin: {per: player}\n"
    (found,) = problems(tmp_path, text)

    assert (found.code, found.help) == (
        "P0120",
        "a module that changes it says so in a patch: `replace: counters/coin`",
    )
    assert [words for _, words in found.also] == ["first declared here"]


def test_two_modules_replace_the_same(tmp_path):
    text = patched("{replace: rules/dig, with: gain 1 point}") + patched(
        "{replace: rules/dig, with: gain 1 nut}", "other"
    )
    found = problems(tmp_path, text)

    assert [p.code for p in found] == ["P0123"]
    assert "'extra'" in found[0].message
    assert "'other'" in found[0].message


def test_two_modules_replace_parts_of_one_entry(tmp_path, subtests):
    """A whole and its part meet, whichever comes first; two parts, or two names that begin alike, do not."""
    whole = "discounts/regular", "{on: purchase, less: 2 of coin}"
    less, when = ("discounts/regular/less", "2 of coin"), ("discounts/regular/when", "coin > 3")
    cases = [(whole, less, ["P0123"]), (less, whole, ["P0123"]), (less, when, []), (when, less, [])]
    for number, (one, other, wanted) in enumerate(cases):
        first, second = (f"{{replace: {target}, with: {value}}}" for target, value in (one, other))
        folder = tmp_path / str(number)
        folder.mkdir()
        with subtests.test(one=one[0], other=other[0]):
            found = problems(folder, patched(first) + patched(second, "other"))
            assert [p.code for p in found] == wanted


def test_module_that_knows_both_settles_it(tmp_path):
    text = patched("{replace: rules/dig, with: gain 1 point}") + patched(
        "{replace: rules/dig, with: gain 1 nut}", "other"
    )
    text = text.replace('id: other\nversion: 1.0.0\nlanguage: 1\ntitle: A module\nrequires: {sample: ">=1.0"}',
                        'id: other\nversion: 1.0.0\nlanguage: 1\ntitle: A module\nrequires: {sample: ">=1.0", extra: ">=1.0"}')  # fmt: skip

    assert problems(tmp_path, text) == []


def test_problem_in_a_patched_node_is_at_the_line_of_the_patch(tmp_path):
    (found,) = problems(tmp_path, patched("{replace: rules/earn, with: gain 1 coyn}"))

    assert found.code == "P0201"
    assert found.span.path.endswith("extra/change.yaml")


def test_history_of_an_entry(tmp_path):
    rules = loaded(tmp_path, patched("{replace: rules/dig, with: gain 1 point}"))
    entry = rules.model.composition.sections["rules"]["dig"]

    assert (entry.pack, [(pack, operation) for pack, operation, _ in entry.changed]) == (
        "sample",
        [("extra", "replace")],
    )


def test_module_never_changes_the_files_of_the_pack_below(tmp_path):
    rules = loaded(tmp_path, patched("{replace: constants/ladder/value, with: [0, 9, 9, 9]}"))
    again = loaded(tmp_path, "")

    assert rules.content_hash != again.content_hash
    assert play(again, "earn").digest() == play(loaded(tmp_path, ""), "earn").digest()
