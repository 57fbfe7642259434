"""The payment solver against everything that could be tried: all ways, each once, none that wastes anything."""

from __future__ import annotations

from collections import Counter
from itertools import chain, product

import pytest
from busy import calls
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_payments import plain_thrifty, plain_ways

from patolli.kernel.budget import meter
from patolli.kernel.dominated_payments import drop_dominated
from patolli.kernel.faults import RuleFault
from patolli.kernel.money import Discount, Money, Substitution, Waiver
from patolli.kernel.payment_trial import leaving, may_pay
from patolli.kernel.payments import payable, ways
from patolli.kernel.splits import first_split, next_split

SEATS, ME = 3, 1
COUNTERS = (4, 7, 10, 13)  # the first seat's slot of each; every seat has one
SLOTS = tuple(base + ME for base in COUNTERS)
FEE = frozenset({"fee"})


@st.composite
def states(draw):
    return [[], 0, 0, {}, *(draw(st.integers(0, 3)) for _ in range(len(COUNTERS) * SEATS))]


@st.composite
def needs(draw):
    pairs = draw(st.lists(st.tuples(st.sampled_from(SLOTS), st.integers(-1, 3)), max_size=2))
    groups = st.sampled_from([COUNTERS[:2], COUNTERS[1:], COUNTERS[3:]])
    return tuple(pairs), tuple(draw(st.lists(st.tuples(groups, st.integers(-1, 2)), max_size=1)))


@st.composite
def rich_needs(draw):
    """Needs with several mixes that share counters, so that many paths lead to the same way."""
    pairs = draw(st.lists(st.tuples(st.sampled_from(SLOTS), st.integers(-1, 3)), max_size=3))
    groups = st.sampled_from([COUNTERS, COUNTERS[:2], (COUNTERS[2], COUNTERS[0]), COUNTERS[1:]])
    return tuple(pairs), tuple(draw(st.lists(st.tuples(groups, st.integers(-1, 3)), max_size=3)))


@st.composite
def moneys(draw):
    money = Money()
    some = st.lists(st.sampled_from(COUNTERS), min_size=1, max_size=2, unique=True)
    for _ in range(draw(st.integers(0, 2))):
        give, most = draw(st.sampled_from(COUNTERS)), draw(st.integers(1, 3))
        targets = frozenset(draw(some)) - {give}
        least = draw(st.sampled_from([1, most]))
        if targets:
            money.substitutions.append(Substitution(give, draw(st.integers(1, 2)), least, most, targets))
    for code in range(draw(st.integers(0, 2))):
        money.discounts.append(
            Discount(FEE, draw(st.integers(1, 2)), tuple(draw(some)), None, draw(st.sampled_from([0, -1 - code])))
        )
    for code in range(draw(st.integers(0, 2))):
        candidates = draw(st.sampled_from([[], [7], [7, 9]]))
        money.waivers.append(Waiver(FEE, frozenset(draw(some)), lambda s, me, c=candidates: c, -3 - code))
    money.spent = frozenset(draw(st.sets(st.sampled_from(SLOTS), max_size=2)))
    return money


# A bundle is a Counter of slots; what is paid with its side effects is a pair of frozen sets.


def owed(need):
    """Everything that may be owed: one bundle for each way to read the amounts of 'any'."""
    pairs, mixes = need
    total = Counter()
    for slot, amount in pairs:
        total[slot] += amount
    bundles = [+total]
    for bases, number in mixes:
        for _ in range(number):
            bundles = [bundle + Counter({base + ME: 1}) for bundle in bundles for base in bases]
    return bundles


def inside(bundle, slots):
    """All bundles of some slots that are part of a bundle."""
    for amounts in product(*(range(bundle[slot] + 1) for slot in slots)):
        yield Counter(dict(zip(slots, amounts, strict=True)))


def lifted(bundle, tag, money):
    """Everything that may be left of a bundle, with the side effects of leaving it out."""
    left = [(bundle, frozenset())]
    for discount in money.discounts if tag == "fee" else ():
        slots = [base + ME for base in discount.targets]
        after = []
        for rest, sides in left:
            less = min(discount.less, sum(rest[slot] for slot in slots))
            taken = [part for part in inside(rest, slots) if part.total() == less]
            used = {(discount.code, 0)} if discount.code and less else set()
            after += [(rest - part, sides | used) for part in taken]
            after += [(rest, sides)] if discount.code else []
        left = after
    for waiver in money.waivers if tag == "fee" else ():
        slots = [base + ME for base in waiver.targets]
        left += [
            (Counter({slot: n for slot, n in rest.items() if slot not in slots}), sides | {(waiver.code, candidate)})
            for rest, sides in left
            for candidate in waiver.candidates([], ME)
        ]
    return left


def covering(state, bundle, money):
    """Every bundle that is there and covers what is owed, by trying all numbers of each substitution.

    What could be kept, because the rest covers everything without it, is not paid.
    """
    uses = [(sub, base + ME) for sub in money.substitutions for base in sub.targets if bundle[base + ME]]
    ranges = [range(min(bundle[slot], state[sub.give + ME] // sub.number) + 1) for sub, slot in uses]
    for times in product(*ranges):
        given = Counter()
        least, most = Counter(), Counter()
        for (sub, slot), n in zip(uses, times, strict=True):
            given[sub.give + ME] += n * sub.number
            least[slot] += n * sub.least
            most[slot] += n * sub.most
        for direct in inside(bundle, list(bundle)):
            paid = direct + given
            rest = bundle - direct
            fits = all(least[slot] <= rest[slot] <= most[slot] for slot in bundle)
            superfluous = any(direct[slot] and most[slot] > rest[slot] for slot in bundle) or any(
                n and most[slot] - sub.most >= rest[slot] for (sub, slot), n in zip(uses, times, strict=True)
            )
            if fits and not superfluous and all(state[slot] >= n for slot, n in paid.items()):
                yield paid


def wasteful(way, others, spent):
    """Return whether another way takes no more and uses up no more, where no rule carries out what is paid."""
    paid, sides = dict(way[0]), way[1]
    for other_paid, other_sides in others:
        other = dict(other_paid)
        less = all(n <= paid.get(slot, 0) for slot, n in other.items()) and other_sides <= sides
        wanted = any(paid[slot] > other.get(slot, 0) for slot in paid if slot in spent)
        if less and not wanted and (other_paid, other_sides) != way:
            return True
    return False


def everything(state, need, tag, money):
    found = {
        (frozenset(paid.items()), sides)
        for bundle in owed(need)
        for left, sides in lifted(bundle, tag, money)
        for paid in covering(state, left, money)
    }
    return {way for way in found if not wasteful(way, found, money.spent)}


def as_sets(way):
    pairs = list(zip(way[::2], way[1::2], strict=True))
    return frozenset(p for p in pairs if p[0] >= 0), frozenset(p for p in pairs if p[0] < 0)


@pytest.mark.deep
@settings(max_examples=300)
@given(states(), needs(), moneys(), st.sampled_from(["fee", "fee", None]))
def test_all_ways_and_no_other(state, need, money, tag):
    meter.budget[0] = 10**9
    before = list(state)
    found = ways(state, ME, need, tag, money)

    assert {as_sets(way) for way in found} == everything(state, need, tag, money)
    assert len({as_sets(way) for way in found}) == len(found), "a way twice"
    assert payable(state, ME, need, tag, money) == bool(found)
    assert state == before
    assert found == ways(state, ME, need, tag, money)
    for way in found:
        slots = [slot for slot in way[::2] if slot >= 0]
        assert slots == sorted(slots)
        assert all(n > 0 for slot, n in zip(way[::2], way[1::2], strict=True) if slot >= 0)


@pytest.mark.deep
@settings(max_examples=600)
@given(states(), rich_needs(), moneys(), st.sampled_from(["fee", "fee", None]))
def test_short_cuts_leave_the_ways_and_their_order(state, need, money, tag):
    meter.budget[0] = 10**9
    try:
        wanted = plain_ways(state, ME, need, tag, money)
    except RuleFault:
        with pytest.raises(RuleFault, match="more than"):
            ways(state, ME, need, tag, money)
        return

    assert ways(state, ME, need, tag, money) == wanted
    assert payable(state, ME, need, tag, money) == bool(wanted)


SIDES = st.lists(st.sampled_from([(-1, 0), (-2, 7), (-2, 9), (-3, 7)]), max_size=3, unique=True).map(sorted)
BUNDLES = st.dictionaries(st.sampled_from(range(4, 9)), st.integers(1, 3), max_size=4)
BUNDLE_WAYS = st.builds(lambda paid, sides: tuple(chain.from_iterable([*sorted(paid.items()), *sides])), BUNDLES, SIDES)


@pytest.mark.deep
@settings(max_examples=600)
@given(
    st.lists(BUNDLE_WAYS, min_size=1, max_size=30, unique=True), st.frozensets(st.sampled_from(range(4, 9)), max_size=3)
)
def test_thrift_leaves_what_comparing_all_with_all_leaves(found, spent):
    assert drop_dominated(found, spent) == plain_thrifty(found, spent)


@given(st.integers(-1, 6), st.lists(st.integers(0, 4), max_size=5))
def test_splits_are_all_and_come_in_order(total, limits):
    wanted = sorted((x for x in product(*(range(n + 1) for n in limits)) if sum(x) == total), reverse=True)

    parts, found = [0] * len(limits), []
    more = first_split(parts, total, limits)
    while more:
        found.append(tuple(parts))
        more = next_split(parts, limits)
    assert found == wanted


FIVE = (4, 7, 10, 13, 16)


@pytest.mark.parametrize(
    ("money", "need", "number"),
    [
        pytest.param(Money(discounts=[Discount(FEE, 1, FIVE)]), ((), ((FIVE, 13),)), 1820, id="a discount"),
        pytest.param(
            Money(discounts=[Discount(FEE, 3, FIVE, None, -1), Discount(FEE, 2, FIVE, None, -2)]),
            ((), ((FIVE, 8),)),
            866,
            id="discounts that are used up",
        ),
        pytest.param(
            Money(substitutions=[Substitution(16, 1, 1, 1, frozenset(FIVE[:3]))]),
            ((), ((FIVE, 10),)),
            1001,
            id="a wild one",
        ),
        pytest.param(
            Money(
                waivers=[
                    Waiver(FEE, frozenset({4}), lambda s, me: list(range(40)), -1),
                    Waiver(FEE, frozenset({7}), lambda s, me: list(range(40)), -2),
                ]
            ),
            (((5, 2), (8, 2)), ()),
            1681,
            id="waivers",
        ),
    ],
)
def test_hundreds_of_ways_are_not_compared_with_each_other(money, need, number):
    """Comparing all with all called three to ten times as many functions, and took seconds."""
    meter.budget[0] = 10**9
    state = [[], 0, 0, {}, *([12] * 15)]
    found = []

    assert calls(lambda: found.extend(ways(state, ME, need, "fee", money))) < 700 * number
    assert len(found) == number


@settings(max_examples=100)
@given(states(), needs(), moneys())
def test_what_is_owed_itself_comes_first(state, need, money):
    meter.budget[0] = 10**9
    owe = owed(need)[0]
    if need[1] or any(state[slot] < n for slot, n in owe.items()):
        return

    assert as_sets(ways(state, ME, need, None, money)[0]) == (frozenset(owe.items()), frozenset())


def test_nothing_stands_for_what_is_given():
    chain = Money(
        substitutions=[
            Substitution(COUNTERS[1], 1, 1, 1, frozenset({COUNTERS[0]})),
            Substitution(COUNTERS[2], 1, 1, 1, frozenset({COUNTERS[1]})),
        ]
    )
    state = [[], 0, 0, {}, *([0] * 6), 3, 3, 3, 0, 0, 0]

    assert not payable(state, ME, (((SLOTS[0], 1),), ()), None, chain)
    assert payable(state, ME, (((SLOTS[1], 1),), ()), None, chain)


@pytest.mark.parametrize(
    ("least", "owe", "wanted"),
    [
        pytest.param(1, 1, [(SLOTS[0], 1), (SLOTS[1], 1)], id="up to two for one"),
        pytest.param(1, 2, [(SLOTS[0], 2), (SLOTS[1], 1)], id="nothing beside what would do alone"),
        pytest.param(2, 1, [(SLOTS[0], 1)], id="two, not one"),
        pytest.param(2, 3, [(SLOTS[0], 3), (SLOTS[0], 1, SLOTS[1], 1)], id="two of three"),
    ],
)
def test_how_much_one_thing_stands_for(least, owe, wanted):
    money = Money(substitutions=[Substitution(COUNTERS[1], 1, least, 2, frozenset({COUNTERS[0]}))])
    state = [[], 0, 0, {}, *([3] * 12)]

    assert ways(state, ME, (((SLOTS[0], owe),), ()), None, money) == wanted


def test_two_waivers_lift_two_parts():
    money = Money(
        waivers=[
            Waiver(FEE, frozenset({COUNTERS[0]}), lambda s, me: [5], -1),
            Waiver(FEE, frozenset({COUNTERS[1]}), lambda s, me: [6], -2),
        ]
    )
    state = [[], 0, 0, {}, *([1] * 12)]
    one, two = (SLOTS[0], 1), (SLOTS[1], 1)

    assert ways(state, ME, ((one, two), ()), "fee", money) == [
        (*one, *two),
        (*two, -1, 5),
        (*one, -2, 6),
        (-1, 5, -2, 6),
    ]


def test_waiver_that_lifts_nothing_is_no_way():
    """What a discount has taken off already needs no waiver."""
    money = Money(
        discounts=[Discount(FEE, 1, (COUNTERS[0],))],
        waivers=[Waiver(FEE, frozenset({COUNTERS[0]}), lambda s, me: [5], -1)],
    )

    assert ways([[], 0, 0, {}, *([1] * 12)], ME, (((SLOTS[0], 1),), ()), "fee", money) == [()]


def test_more_of_a_counter_that_a_rule_takes_is_another_way():
    """Two of the second stand for one of the first; where they stand on a board, a player may want them off."""
    money = Money(substitutions=[Substitution(COUNTERS[1], 2, 1, 1, frozenset({COUNTERS[0]}))])
    state = [[], 0, 0, {}, *([2] * 12)]
    need = ((), ((COUNTERS[:2], 1),))

    assert ways(state, ME, need, None, money) == [(SLOTS[0], 1), (SLOTS[1], 1)]
    money.spent = frozenset({SLOTS[1]})
    assert ways(state, ME, need, None, money) == [(SLOTS[0], 1), (SLOTS[1], 2), (SLOTS[1], 1)]


@given(states(), st.lists(st.integers(0, 5), max_size=4), moneys())
def test_trying_the_ways_leaves_the_state_alone(state, pieces, money):
    """What a side effect does while a payment is tried, is undone."""
    at = len(state)
    state.append(list(pieces))
    money.sides = [(lambda s, me, x: s[at].append(x), True)] * 4
    meter.budget[0] = 10**9
    found = ways(state, ME, (((SLOTS[0], 1),), ((COUNTERS, 2),)), "fee", money)
    before, inside = list(state), list(pieces)
    seen = []

    def follows():
        seen.append((list(state[:at]), list(state[at])))
        return len(seen) % 2 == 1

    left = leaving(state, ME, found, money, follows)

    assert left == found[::2]
    assert state == before
    assert state[at] == inside
    for way, (after, pieces_then) in zip(found, seen, strict=True):
        pairs = list(zip(way[::2], way[1::2], strict=True))
        assert pieces_then == [*inside, *(x for code, x in pairs if code < 0)]
        assert all(before[slot] - n == after[slot] for slot, n in pairs if slot >= 0)
    assert may_pay(state, ME, found, money, lambda: True) == bool(found)


BIG = 10**14


@pytest.fixture
def few_steps():
    meter.budget[0], before = 20_000_000, meter.budget[0]
    yield
    meter.budget[0] = before


@pytest.mark.parametrize(
    ("have", "need", "payable_"),
    [
        pytest.param(3, ((), ((COUNTERS[:3], BIG),)), False, id="any of three, far too many"),
        pytest.param(3, ((), ((COUNTERS[:3], 5),) * 3), False, id="more than there is, three times"),
        pytest.param(BIG, (((SLOTS[0], BIG),), ()), True, id="exactly all"),
        pytest.param(5000, (((SLOTS[0], 9000),), ()), True, id="thousands of substitutes"),
        pytest.param(3, (((SLOTS[0], BIG),), ()), False, id="a price beyond all means"),
    ],
)
def test_large_amounts_are_decided_soon(few_steps, have, need, payable_):
    money = Money(substitutions=[Substitution(COUNTERS[3], 1, 1, 1, frozenset(COUNTERS[:1]))])
    state = [[], 0, 0, {}, *([have] * 12)]

    assert payable(state, ME, need, None, money) == payable_


@pytest.mark.deep
def test_search_without_an_end_is_a_fault(few_steps):
    state = [[], 0, 0, {}, *([BIG] * 9), 0, 0, 0]
    need = (((SLOTS[3], 1),), ((COUNTERS[:3], BIG),))

    with pytest.raises(RuleFault, match="too long"):
        payable(state, ME, need, None, Money(waivers=[Waiver(FEE, frozenset(COUNTERS[:1]), lambda s, me: [0], -1)]))
