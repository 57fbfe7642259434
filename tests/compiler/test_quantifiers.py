"""Every quantifier gives what it says, over a whole list and with variables of its own."""

from __future__ import annotations

from itertools import product

import pytest
from packmaker import loaded, problems, trigger

from patolli.language.syntax.words import QUANTIFIERS

NUMBERS, OTHERS = (3, 1, 2, 1), (5, 2)
TRUTHS = {"any", "all"}
CUTS = {"until", "through", "only"}
"""Those that cut a list off, or want one item; they have their own tests."""
ORDERED = {"lowest", "highest", "sorted"}

FORMS = {
    "whole": ("{3, 1, 2, 1}", list(NUMBERS)),
    "one": ("n in {3, 1, 2, 1}", list(NUMBERS)),
    "where": ("n in {3, 1, 2, 1} where n > 1", [3, 2]),
    "value": ("10 - n for n in {3, 1, 2, 1}", [7, 9, 8, 9]),
    "value where": ("10 - n for n in {3, 1, 2, 1} where n > 1", [7, 8]),
    "two": ("n + m for n in {3, 1, 2, 1}, m in {5, 2}", [n + m for n, m in product(NUMBERS, OTHERS)]),
    "two where": (
        "n + m for n in {3, 1, 2, 1}, m in {5, 2} where n > 1 and n < m",
        [n + m for n, m in product(NUMBERS, OTHERS) if 1 < n < m],
    ),
    "nothing": ("n in {3, 1, 2, 1} where n > 3", []),
}
ASKED = {
    "whole": ("{true, true, false}", [True, True, False]),
    "whole of one": ("{true, true}", [True, True]),
    "whole of none": ("{false, false}", [False, False]),
    "value": ("n > 1 for n in {3, 1, 2, 1}", [n > 1 for n in NUMBERS]),
    "value where": ("n > 1 for n in {3, 1, 2, 1} where n != 1", [True, True]),
    "two": ("n < m for n in {3, 1, 2, 1}, m in {5, 2}", [n < m for n, m in product(NUMBERS, OTHERS)]),
    "two where": ("n < m for n in {3, 1, 2, 1}, m in {5, 2} where m > 2", [n < 5 for n in NUMBERS]),
    "where": ("n in {3, 1, 2, 1} where n > 0", [True]),
    "where not": ("n in {3, 1, 2, 1} where n > 3", [False]),
    "whole of nothing": ("{}", []),
}
GIVES = {
    "count": len,
    "sum": sum,
    "min": lambda items: min(items, default=0),
    "max": lambda items: max(items, default=0),
    "first": lambda items: (*items, None)[0],
    "lowest": lambda items: min(items, default=None),
    "highest": lambda items: max(items, default=None),
    "sorted": sorted,
    "distinct": lambda items: list(dict.fromkeys(items)),
    "list": list,
    "any": any,
    "all": all,
}


def spelt(value):
    if isinstance(value, list):
        return f"{{{', '.join(map(str, value))}}}"
    return {None: "none"}.get(value, str(value).lower())


def holds(tmp_path, condition):
    """Return whether a condition is true behind the set-up of the sample pack."""
    example = trigger(f"as player_1:\n  set coin to 0\n  if {condition}: gain 1 coin", "setup")
    match = loaded(tmp_path, example).start(2, 1)
    match.pick(0)
    match.pick(0)
    return match.view(0)["counters"]["coin"]["player_1"] == 1


def test_every_quantifier_is_looked_at():
    assert GIVES.keys() == QUANTIFIERS - CUTS


@pytest.mark.parametrize("op", sorted(QUANTIFIERS - TRUTHS - CUTS))
def test_quantifier(tmp_path, op):
    """All forms at once: one match is enough for a conjunction."""
    parts = [f"{op}({text}) == {spelt(GIVES[op](items))}" for text, items in FORMS.values()]

    assert holds(tmp_path, " and ".join(parts))


@pytest.mark.parametrize("op", sorted(TRUTHS))
def test_quantifier_of_truth_values(tmp_path, op):
    parts = [f"({op}({text})) == {spelt(GIVES[op](items))}" for text, items in ASKED.values()]

    assert holds(tmp_path, " and ".join(parts))


@pytest.mark.parametrize("op", sorted(ORDERED))
def test_quantifier_by_a_key(tmp_path, op):
    parts = []
    for text, items in (("n in {3, 1, 2, 1}", NUMBERS), ("n in {3, 1, 2, 1} where n < 3", (1, 2, 1))):
        key = {n: (n * n) % 4 for n in items}  # 3 and 1 are equal: the first one counts, and order is kept
        found = {"sorted": sorted, "lowest": min, "highest": max}[op](items, key=key.get)
        parts.append(f"{op}({text} by n * n mod 4) == {spelt(found)}")

    assert holds(tmp_path, " and ".join(parts))


@pytest.mark.parametrize("text", ["all(players)", "all(x in players)", "all({{1}})"])
def test_all_without_anything_that_could_be_false(tmp_path, text):
    found = problems(tmp_path, trigger(f"if {text}: gain 1 coin"))

    assert [(p.code, p.message) for p in found] == [("P0302", "'all' needs a condition")]
    assert found[0].help.startswith("write all(x in ")
