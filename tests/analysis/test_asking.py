"""What has to be known before it can be known is refused; what comes to an end is not."""

from __future__ import annotations

import pytest
from examples import rules
from packmaker import DATA, problems

from patolli.author.workspace import load
from patolli.run.runtime import Ruleset

FUNCTIONS = [
    ("f(int n): {is: f(n) + 1, type: int}", ["f"]),
    ("f(int n): {is: f(n - 1) + 1, type: int}", ["f"]),
    ("f: {is: f + 1 if coin > 3 else 0, type: int}", ["f"]),  # coin is the same in every round
    ("f(int n): {is: f(n) if n > 3 else 0, type: int}", ["f"]),  # n is handed on as it is
    ("f(int n): {is: f(n - 1) + 1 if n > 0 else 0, type: int}", []),
    ("f(int n): {is: n > 0 and f(n - 1), type: bool}", []),
    ("f(int n): {is: f(n - 1) and n > 0, type: bool}", ["f"]),  # the call comes first
    ("f: {is: sum(f for p in players), type: int}", ["f"]),
    ("f(cell): {is: any(f(c) for c in adjacent(cell)), type: bool}", []),  # another cell each time
    ("f(int n): {is: g(n), type: int}\n  g(int n): {is: f(n), type: int}", ["f"]),
    ("f(int n): {is: g(n), type: int}\n  g(int n): {is: 0 if n == 0 else f(n - 1), type: int}", []),
    ("f: {is: 'after(earn(1), f)', type: int}", []),  # of another state, which a round has changed
]


@pytest.mark.parametrize(("functions", "told"), FUNCTIONS)
def test_functions(tmp_path, functions, told):
    found = [p for p in problems(tmp_path, rules(f"functions:\n  {functions}\n")) if p.code == "P0441"]

    assert [p.message.split("'")[1] for p in found] == told
    assert all(p.message.startswith("the function") for p in found)


BEGINNINGS = [
    ("require can(a())", ["a"]),
    ("require coin > 2 and can(a())", ["a"]),
    ("if coin > 2: require can(a())", ["a"]),
    ("require can(b())", ["a"]),
    ("require helps", ["helps"]),
    ('choose one:\n  for k in 1..3 where can(a()) "k": gain k coin', ["a"]),
    ('choose k in 1..3 where can(a()) "Which?"\ngain k coin', ["a"]),
    ("gain 1 coin\nif can(a()): gain 1 coin", []),  # behind a change it is no part of the beginning
    ("require can(sure(3))", []),
    ("pay 1 coin\nrequire can(dig())", []),
]
OTHERS = """  b: require can(a())
  sure(int n): |
    require n == 0 or can(sure(n - 1))
functions:
  helps: can(a())
"""


@pytest.mark.parametrize(("beginning", "told"), BEGINNINGS)
def test_beginnings_of_rules(tmp_path, beginning, told):
    body = "".join(f"    {line}\n" for line in beginning.splitlines())
    found = [p for p in problems(tmp_path, rules(f"rules:\n  a: |\n{body}{OTHERS}")) if p.code == "P0441"]

    assert [p.message.split("'")[1] for p in found] == told


_COSTS = (
    "# more.yaml\ndocument: pieces\nkind: card\nplace: deck\npieces:\n  odd: {{number: 1, cost: '{}', text: A card.}}\n"
)
PAYMENTS = [
    ("substitutions:\n  swap: {give: 1 seed, for: 2 coin, when: payable(rich_1.cost)}\n", ["the substitution 'swap'"]),
    ("substitutions:\n  swap: {give: 1 seed, for: 2 coin, when: can(buy(rich_1))}\n", ["the substitution 'swap'"]),
    ("substitutions:\n  swap: {give: 1 seed, for: 2 coin, when: rich_me}\nfunctions:\n  rich_me: payable(rich_1.cost)\n",
     ["the substitution 'swap'"]),
    ("substitutions:\n  swap: {give: 1 seed, for: 2 coin, when: coin > 2 and payable(rich_1.cost)}\n",
     ["the substitution 'swap'"]),
    ("substitutions:\n  swap: {give: 1 seed, for: 2 coin, when: coin >= 2}\n", []),
    ("discounts:\n  more: {on: purchase, less: 1 of coin, when: can(buy(rich_1))}\n", ["the discount 'more'"]),
    ("discounts:\n  more: {on: purchase, less: 1 of coin, when: payable(rich_1.cost)}\n", []),  # that has no tag
    ("discounts:\n  more: {on: purchase, less: 1 of coin, when: payable(rich_1.cost)}\n"
     "substitutions:\n  swap: {give: 1 seed, for: 2 coin, when: can(buy(rich_1))}\n", ["the substitution 'swap'", "the discount 'more'"]),
    ("waivers:\n  gift: {on: purchase, of: coin, when: can(buy(rich_1)), do: lose 1 seed}\n", ["the waiver 'gift'"]),
    (_COSTS.format("(2 if payable(odd.cost) else 1) coin"), ["this cost"]),
    (_COSTS.format("(2 if payable(rich_1.cost) else 1) coin"), []),
    (_COSTS.format("(2 if any(payable(c.cost) for c in shop) else 1) coin"), ["this cost"]),
    (_COSTS.format("(2 if payable(odd.cost) else 1) coin").replace("odd.cost", "even.cost")
     + "  even: {number: 1, cost: '(2 if payable(odd.cost) else 1) coin', text: A card.}\n", ["this cost"]),
]  # fmt: skip


@pytest.mark.parametrize(("payments", "told"), PAYMENTS)
def test_what_counts_for_payments(tmp_path, payments, told):
    found = problems(tmp_path, payments if payments.startswith("#") else rules(payments))
    circles = [p for p in found if p.code == "P0441"]

    assert [p.message.partition(" depends")[0] for p in circles] == told


@pytest.mark.parametrize("name", ["sample", "lab"])
def test_packs_without_circles(name):
    assert isinstance(load(str(DATA / name)), Ruleset)


def test_many_pieces_on_one_circle_are_one_problem(tmp_path):
    """Each of the costs asks for all, and each of the effects calls the rule that carries out all."""
    head = "# more.yaml\ndocument: pieces\nkind: card\nplace: deck\npieces:\n"
    cost = "(2 if any(payable(c.cost) for c in shop) else 1) coin"
    costs = head + "".join(f"  odd{n}: {{number: 1, cost: '{cost}', text: A card.}}\n" for n in range(9))
    effects = head + "".join(f"  odd{n}: {{number: 1, effect: hub(), text: A card.}}\n" for n in range(9))
    hub = "".join(f"    do odd{n}.effect\n" for n in range(9))
    for number, text in enumerate((costs, f"{effects}# r.yaml\ndocument: rules\nrules:\n  hub: |\n{hub}")):
        found = problems(tmp_path / str(number), text)
        assert [p.code for p in found if p.severity == "error"] == ["P0441"], text
