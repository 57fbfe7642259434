"""The payment solver: every way pays exactly what is needed, no way twice, and none that takes what is not there."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.kernel.faults import RuleFault
from patolli.kernel.gains import mixes
from patolli.kernel.money import Discount, Money, Substitution, Waiver
from patolli.kernel.payment_trial import apply_way
from patolli.kernel.payments import payable, ways

ME = 0
SLOTS = range(4, 9)  # five counters of one player, behind the head of the state
AMOUNTS = st.integers(0, 4)


@st.composite
def purses(draw):
    return [[], 0, 0, {}, *(draw(AMOUNTS) for _ in SLOTS)]


@st.composite
def needs(draw):
    slots = draw(st.lists(st.sampled_from(SLOTS), max_size=3, unique=True))
    pairs = tuple((slot, draw(AMOUNTS)) for slot in slots)
    groups = draw(st.lists(st.tuples(st.sampled_from([(4, 5), (5, 6, 7), (8,)]), st.integers(0, 3)), max_size=2))
    return pairs, tuple(groups)


@st.composite
def moneys(draw):
    money = Money()
    for _ in range(draw(st.integers(0, 2))):
        give = draw(st.sampled_from(SLOTS))
        targets = frozenset(draw(st.lists(st.sampled_from(SLOTS), min_size=1, max_size=3))) - {give}
        if targets:
            most = draw(st.integers(1, 3))
            least = draw(st.sampled_from([1, most]))
            money.substitutions.append(Substitution(give, draw(st.integers(1, 2)), least, most, targets))
    if draw(st.booleans()):
        bases = tuple(draw(st.lists(st.sampled_from(SLOTS), min_size=1, max_size=2, unique=True)))
        used_up = draw(st.sampled_from([0, -1]))
        money.sides.append((lambda s, me: None, False))
        money.discounts.append(Discount(frozenset({"fee"}), draw(st.integers(1, 2)), bases, None, used_up))
    if draw(st.booleans()):
        waived = frozenset(draw(st.lists(st.sampled_from(SLOTS), min_size=1, max_size=2)))
        money.sides.append((lambda s, me: None, False))
        money.waivers.append(Waiver(frozenset({"fee"}), waived, lambda s, me: [7], -len(money.sides)))
    return money


def taken(way):
    return {way[i]: way[i + 1] for i in range(0, len(way), 2) if way[i] >= 0}


@given(purses(), needs(), moneys(), st.sampled_from([None, "fee"]))
def test_ways(purse, need, money, tag):
    found = ways(purse, ME, need, tag, money)

    assert len(set(found)) == len(found)
    assert payable(purse, ME, need, tag, money) == bool(found)
    for way in found:
        after = list(purse)
        apply_way(after, ME, way, money)
        assert min(after[4:]) >= 0
        assert all(amount > 0 for amount in taken(way).values())


def plain_bundles(need):
    """All multisets that pay a need without any help, by trying everything."""
    pairs, groups = need
    bundles = [Counter({slot: n for slot, n in pairs if n})]
    for bases, number in groups:
        for _ in range(number):
            bundles = [bundle + Counter({base: 1}) for bundle in bundles for base in bases]
    return {frozenset(bundle.items()) for bundle in bundles}


@given(purses(), needs())
def test_without_help_the_ways_are_exactly_the_bundles_that_are_there(purse, need):
    wanted = {b for b in plain_bundles(need) if all(purse[slot] >= n for slot, n in b)}

    assert {frozenset(taken(way).items()) for way in ways(purse, ME, need, None, Money())} == wanted


@given(purses(), needs(), st.sampled_from(SLOTS), st.sampled_from(SLOTS))
def test_one_for_one_substitution_keeps_the_total(purse, need, give, target):
    if give == target:
        return
    money = Money(substitutions=[Substitution(give, 1, 1, 1, frozenset({target}))])
    total = sum(n for _, n in need[0]) + sum(n for _, n in need[1])

    for way in ways(purse, ME, need, None, money):
        assert sum(taken(way).values()) == total


@given(purses(), needs(), moneys())
def test_help_never_takes_a_way_away(purse, need, money):
    if payable(purse, ME, need, "fee", Money()):
        assert payable(purse, ME, need, "fee", money)


@pytest.mark.parametrize(
    ("purse", "wanted"),
    [
        pytest.param((2, 1), [(4, 2), (4, 1, 5, 1)], id="both ways"),
        pytest.param((1, 1), [(4, 1, 5, 1)], id="only with the wild one"),
        pytest.param((1, 0), [], id="not at all"),
        pytest.param((0, 2), [(5, 2)], id="wild ones alone"),
    ],
)
def test_two_of_a_good_with_a_wild_counter(purse, wanted):
    state = [[], 0, 0, {}, *purse]
    money = Money(substitutions=[Substitution(5, 1, 1, 1, frozenset({4}))])

    assert ways(state, ME, (((4, 2),), ()), None, money) == wanted


def test_mix_leaves_out_a_counter_that_is_below_nothing():
    need = ((), (((4, 5), 1),))

    assert ways([[], 0, 0, {}, 1, -1], ME, need, None, Money()) == [(4, 1)]
    assert payable([[], 0, 0, {}, 1, -1], ME, need, None, Money())
    assert not payable([[], 0, 0, {}, 0, -1], ME, need, None, Money())


def test_discount_is_taken_off_where_the_player_likes():
    state = [[], 0, 0, {}, 2, 2]
    money = Money(discounts=[Discount(frozenset({"fee"}), 1, (4, 5), None, 0)])
    need = (((4, 2), (5, 1)), ())

    assert ways(state, ME, need, "fee", money) == [(4, 1, 5, 1), (4, 2)]
    assert ways(state, ME, need, None, money) == [(4, 2, 5, 1)]


def test_discount_that_uses_something_up_may_be_kept():
    state = [[], 0, 0, {}, 2, 2]
    money = Money(discounts=[Discount(frozenset({"fee"}), 1, (4, 5), None, -1)], sides=[lambda s, me, x: None])

    assert ways(state, ME, (((4, 2),), ()), "fee", money) == [(4, 1, -1, 0), (4, 2)]
    assert ways(state, ME, (((4, 2), (5, 1)), ()), "fee", money) == [(4, 1, 5, 1, -1, 0), (4, 2, -1, 0), (4, 2, 5, 1)]


def test_kept_discount_that_saves_nothing_is_no_second_way():
    state = [[], 0, 0, {}, 2, 2]
    money = Money(discounts=[Discount(frozenset({"fee"}), 1, (5,), None, -1)], sides=[lambda s, me, x: None])

    assert ways(state, ME, (((4, 2),), ()), "fee", money) == [(4, 2)]


def test_discount_counts_for_what_the_player_picks_of_a_group():
    state = [[], 0, 0, {}, 2, 2]
    money = Money(discounts=[Discount(frozenset({"fee"}), 1, (5,), None, 0)])

    assert ways(state, ME, ((), (((4, 5), 2),)), "fee", money) == [(4, 1), (5, 1)]


def test_too_many_ways_are_a_fault():
    state = [[], 0, 0, {}, *(100 for _ in range(6))]
    need = ((), ((tuple(range(4, 10)), 12),))

    with pytest.raises(RuleFault, match="more than"):
        ways(state, ME, need, None, Money())


@given(st.integers(0, 5), st.integers(1, 4))
def test_mixes_are_all_different_and_complete(number, groups):
    found = mixes(ME, tuple(range(4, 4 + groups)), number)

    assert len(set(found)) == len(found)
    assert all(sum(way[1::2]) == number for way in found)
    from math import comb

    assert len(found) == comb(number + groups - 1, groups - 1)


def offers_that_double(number, money):
    """Fill a money with discounts and waivers that may be kept; each doubles what may be left to pay."""
    fee = frozenset({"fee"})
    for code in range(-1, -1 - number, -1):
        money.sides.append((lambda s, me: None, False))
        if code % 2:
            money.discounts.append(Discount(fee, 1, (4,), None, code))
        else:
            money.waivers.append(Waiver(fee, frozenset({5}), lambda s, me: [7], code))
    return money


def splits_of_a_discount(number, money):
    """Fill a money with a discount that can be split over many counters in many ways."""
    money.discounts.append(Discount(frozenset({"fee"}), number, tuple(SLOTS)[:4], None, 0))
    return money


@pytest.mark.parametrize(
    ("fill", "few", "many"),
    [(offers_that_double, 10, 40), (splits_of_a_discount, 9, 99)],
    ids=["discounts and waivers", "one discount"],
)
def test_amounts_that_are_left_are_limited(fill, few, many):
    state, need = [[], 0, 0, {}, *([500] * 5)], (tuple((slot, 100) for slot in tuple(SLOTS)[:4]), ())
    assert ways(state[:], ME, need, "fee", fill(few, Money()))
    with pytest.raises(RuleFault) as fault:
        ways(state[:], ME, need, "fee", fill(many, Money()))
    assert fault.value.code == "P0806"
