"""Facts that names, declarations and calls imply, in one little pack: exactly those."""

from __future__ import annotations

import pytest

from patolli.author.workspace import inspect
from patolli.check.proofs.domain import Domain
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import Interval
from patolli.check.proofs.prover import Prover
from patolli.language.program import expressions as x
from patolli.language.program import preconditions as p
from patolli.language.program.summaries import Summaries

FILES = {
    "pack": "document: pack\nid: names\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Names\nplayers: {min: 2, max: 3}\n",
    "model": """document: model
enums: {spot: [north, south, west, east]}
graphs: {ways: {of: spot, edges: [[north, south], [south, west], [west, east]]}}
kinds:
  card: {fields: {rank: int 1..6 = 1}}
  scout: {per: player, copies: 2}
counters: {coin: {per: player, start: 3, max: 9}, wide: {start: seats, max: 2}, bell: {start: seats, max: 3}}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  throne: {of: card, type: spot}
  row: {of: card, type: row, size: seats}
grids: {plain: {rows: 70, columns: 70, prefix: plain_}, yard: {rows: 2, columns: 2, prefix: yard_}, dot: {rows: 1, columns: 1, prefix: dot_}}
""",
    "cards": "document: pieces\nkind: card\nplace: deck\npieces: {one: {}, two: {copies: 2}}\n",
    "rules": """document: rules
functions:
  deep(int n): {is: deep(n - 1) if n > 0 else 2, type: int}
  helped: can(helper())
rules:
  match: naming()
  naming: |
    let f = one
    let g = f
    let h = g
    if h in hand(me): set coin to 1
    set f to two_1
  asked: |
    if helped(): set coin to 2
  calls: called()
  called: nothing
  followed: bare()
  helper: require coin > 2
  bare: set coin to 3
  both: |
    helper()
    require coin > 4
  cut_off: |
    paid()
    require coin > 4
  paid: |
    require coin > 2
    set coin to 0
  numbers: |
    set coin to size(adjacent(plain_a1))
    set coin to size(adjacent(yard_a1))
    set coin to size(around(yard_a1))
    set coin to size(path(north, east, ways))
    set coin to distance(north, east, ways) or 9
    set coin to size(reachable(north, ways))
    set coin to deep(3)
    set coin to size(adjacent(dot_a1))
  told: |
    if [c in hand(me) where c.rank > 2]: set coin to 1
    if any(c.rank > 2 for c in hand(me)): set coin to 2
    if first(c in hand(me) where c.rank > 2): set coin to 3
    if [c for p in players, c in hand(p)]: set coin to 4
  sizes: |
    set coin to size(hand(me))
    set coin to count(c in hand(me) where c.rank > 2)
  found: |
    let c = first(d in hand(me) where d.rank > 2)
    if c: set coin to 1
    let d = first(hand(me))
    if d: set coin to 1
triggers:
  follow: {after: called, do: followed()}
""",
}


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names") / "names"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / f"{name}.yaml").write_text(text)
    found = inspect(str(folder), proofs=False)
    assert found.ruleset is not None, found.errors
    return found.ruleset.model.program


def block(program, rule):
    return program.rules[rule].block


def named(program):
    """Name things as the rule does, up to its condition; return what is known, the names, and the condition."""
    *lets, condition, _ = block(program, "naming")
    facts = Facts(Domain(program), Summaries(program))
    for let in lets:
        facts.name(let.variable, let.value)
    return facts, [let.variable for let in lets], condition.condition


def test_name_of_a_name_reads_all_of_them(program):
    facts, variables, condition = named(program)
    (held,) = (one for one in (condition.left, condition.right) if isinstance(one, x.Local))

    assert {("variable", one) for one in variables} <= facts.reads(held)


@pytest.mark.parametrize("number", range(3))
def test_what_is_known_of_a_name_ends_with_what_it_is_made_of(program, number):
    facts, variables, condition = named(program)
    facts.learn(condition)
    assert facts.decide_condition(condition) is True
    facts.forget({("variable", variables[number])})

    assert facts.decide_condition(condition) is None


def test_nothing_ends_without_need(program):
    facts, _, condition = named(program)
    facts.learn(condition)
    facts.forget({("counter", "coin")})

    assert facts.decide_condition(condition) is True


@pytest.mark.parametrize(
    ("at", "wanted"),
    list(enumerate([(2, 4), (2, 2), (3, 3), (0, 4), (0, 9), (1, 4), (None, None), (0, 0)])),
    ids="adjacent_in_a_large_grid adjacent around path distance reachable circle alone".split(),
)
def test_numbers(program, at, wanted):
    value = block(program, "numbers")[at].value

    assert Domain(program).number(value) == Interval(*wanted)


@pytest.mark.parametrize(("counter", "inside"), [("coin", True), ("wide", False), ("bell", True)])
def test_what_begins_within_its_bounds(program, counter, inside):
    assert Domain(program).declared.starts_inside(counter) is inside


@pytest.mark.parametrize(("place", "wanted"), [("throne", (1, 1)), ("row", (2, 3))])
def test_spots(program, place, wanted):
    assert Domain(program).declared.row(place) == Interval(*wanted)


@pytest.mark.parametrize(
    ("kind", "wanted"), [("card", (3, 3)), ("scout", (4, 6)), ("yard", (4, 4)), ("player", (2, 3))]
)
def test_instances(program, kind, wanted):
    assert Domain(program).declared.instances(kind) == Interval(*wanted)


@pytest.mark.parametrize(("rule", "then"), [("both", p.Test), ("cut_off", p.Always)])
def test_what_stands_behind_a_call_is_demanded_unless_the_call_changes_something(program, rule, then):
    demand = Prover(program, Summaries(program)).preconditions.of(block(program, rule))

    assert isinstance(demand, p.Possible)
    assert isinstance(demand.then, then)


def filled(facts):
    """Say which lists are known not to be empty: their kind, and whether it is known what some item satisfies."""
    return sorted((one.source[0].__name__, one.where is not None) for one in facts.lists)


@pytest.mark.parametrize(
    ("at", "wanted"),
    [
        (0, [("Held", True), ("Quantifier", False)]),
        (1, [("Held", True)]),
        (2, [("Held", True)]),
        (3, [("Quantifier", False)]),
    ],
    ids=["list", "any", "first", "list over two"],
)
def test_lists_that_are_not_empty(program, at, wanted):
    facts = Facts(Domain(program), Summaries(program))
    facts.learn(block(program, "told")[at].condition)

    assert filled(facts) == wanted


@pytest.mark.parametrize(("at", "compared"), [(0, 2), (2, 0)], ids=["with a condition", "without"])
def test_first_item_is_one_of_its_list(program, at, compared):
    let, condition = block(program, "found")[at : at + 2]
    facts = Facts(Domain(program), Summaries(program))
    facts.name(let.variable, let.value)
    facts.learn(condition.condition)
    words = [key[0] for key in facts.literals]

    assert ("in", ("variable", let.variable)) in [key[:2] for key in facts.literals]
    assert words.count("in") == 2
    assert words.count(">") == words.count("<") == compared
    assert ("Held", False) in filled(facts)


def test_count_is_no_more_than_there_are(program):
    facts, (whole, some) = Facts(Domain(program), Summaries(program)), block(program, "sizes")

    assert [facts.proves(whole.value, some.value, least) for least in (0, 1)] == [True, False]
