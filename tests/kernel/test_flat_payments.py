"""The payment solver that is translated does the same as the one of Python, draw by draw."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kernel.twins import alike

from patolli.kernel.faults import RuleFault
from patolli.kernel.money import Discount, Money, Substitution, Surcharge, Waiver
from patolli.kernel.payment_trial import leaving, may_pay
from patolli.kernel.payments import payable, ways
from patolli.kernel.thrift import thrifty

SEATS, ME = 3, 1
COUNTERS = (4, 7, 10, 13)  # the first seat's slot of each; every seat has one
SLOTS = tuple(base + ME for base in COUNTERS)
TAGS = ("fee", "toll")

amounts = st.integers(-1, 4)
some = st.lists(st.sampled_from(COUNTERS), min_size=1, max_size=3, unique=True)
tags = st.sets(st.sampled_from(TAGS), min_size=1).map(frozenset)
states = st.lists(st.integers(-2, 4), min_size=len(COUNTERS) * SEATS, max_size=len(COUNTERS) * SEATS).map(
    lambda counters: [[], 0, 0, {}, *counters, [1, 2]]
)
needs = st.tuples(
    st.lists(st.tuples(st.sampled_from(SLOTS), amounts), max_size=3).map(tuple),
    st.lists(st.tuples(some.map(tuple), amounts), max_size=2).map(tuple),
)


def holds(which):
    """A condition: none, or one that looks at the state."""
    return None if which is None else (lambda s, me: s[COUNTERS[which] + me] > 0)


@st.composite
def moneys(draw):
    """What makes a money of its own each time, whose functions are heard."""
    whens = st.none() | st.integers(0, 3)
    substitutions = draw(
        st.lists(st.tuples(st.sampled_from(COUNTERS), st.integers(1, 2), st.booleans(), some, whens), max_size=2)
    )
    most = draw(st.integers(1, 3))
    discounts = draw(st.lists(st.tuples(tags, st.integers(1, 3), some, whens, st.booleans()), max_size=2))
    surcharges = draw(st.lists(st.tuples(tags, st.integers(1, 2), some, whens), max_size=1))
    waivers = draw(st.lists(st.tuples(tags, some, st.sampled_from([[], [7], [7, 9]])), max_size=2))
    spent = draw(st.sets(st.sampled_from(SLOTS), max_size=2).map(frozenset))

    def made(heard):
        def when(name, which):
            return None if which is None else heard.of(name, holds(which))

        money = Money(spent=spent)
        for give, number, whole, targets, which in substitutions:
            if set(targets) - {give}:
                money.substitutions.append(
                    Substitution(
                        give, number, most if whole else 1, most, frozenset(targets) - {give}, when("give", which)
                    )
                )
        for on, less, targets, which, used in discounts:
            code = -1 - len(money.sides) if used else 0
            money.sides.append((heard.of("used", lambda s, me: s[-1].append(3)), False))
            money.discounts.append(Discount(on, less, tuple(targets), when("less", which), code))
        for on, more, targets, which in surcharges:
            money.surcharges.append(Surcharge(on, more, tuple(targets), when("more", which)))
        for on, targets, candidates in waivers:
            find = heard.of("candidates", lambda s, me, found=candidates: found)
            money.waivers.append(Waiver(on, frozenset(targets), find, -1 - len(money.sides)))
            money.sides.append((heard.of("waived", lambda s, me, x: s[-1].append(x)), True))
        return money

    return made


tagged = st.none() | st.sampled_from(TAGS)


@given(states, needs, tagged, moneys())
def test_whether_something_can_be_paid(state, need, tag, money):
    alike(payable, lambda heard: (state[:], ME, need, tag, money(heard)))


@given(states, needs, tagged, moneys())
def test_all_ways(state, need, tag, money):
    alike(ways, lambda heard: (state[:], ME, need, tag, money(heard)))


@given(states, needs, tagged, moneys(), st.integers(1, 4))
def test_ways_that_leave_something_possible(state, need, tag, money, each):
    def given_(heard):
        own, wanted = [*state[:-1], state[-1][:]], money(heard)
        try:
            found = ways(own, ME, need, tag, wanted)
        except RuleFault:
            found = []
        heard.calls.clear()
        asked = []

        def follows():
            asked.append((own[:], own[-1][:]))
            return len(asked) % each == 0

        return own, ME, found, wanted, heard.of("follows", follows)

    alike(leaving, given_)
    alike(may_pay, given_)


@given(
    st.lists(
        st.tuples(
            st.dictionaries(st.sampled_from(SLOTS), st.integers(1, 3), max_size=3),
            st.sets(st.tuples(st.sampled_from([-3, -2, -1]), st.integers(0, 1)), max_size=2),
        ),
        min_size=1,
        max_size=12,
    ),
    st.sets(st.sampled_from(SLOTS), max_size=2).map(frozenset),
)
def test_thrift(found, spent):
    made = dict.fromkeys(
        (*(x for pair in sorted(paid.items()) for x in pair), *(x for side in sorted(sides) for x in side))
        for paid, sides in found
    )
    alike(thrifty, lambda heard: (list(made), spent))


@pytest.mark.parametrize("number", [30, 70])
def test_many_ways_are_a_fault_in_both(number):
    state = [[], 0, 0, {}, *([number] * 12)]
    need = ((), ((COUNTERS[:3], number),))
    whole = alike(ways, lambda heard: (state[:], ME, need, None, Money()))
    assert (whole[0] == "fault") == (number == 70)


def offers_that_double(number, money):
    """Fill a money with discounts and waivers that may be kept; each doubles what may be left to pay."""
    fee = frozenset({"fee"})
    for code in range(-1, -1 - number, -1):
        money.sides.append((lambda s, me: None, False))
        if code % 2:
            money.discounts.append(Discount(fee, 1, (COUNTERS[0],), None, code))
        else:
            money.waivers.append(Waiver(fee, frozenset({COUNTERS[1]}), lambda s, me: [7], code))
    return money


def splits_of_a_discount(number, money):
    """Fill a money with a discount that can be split over many counters in many ways."""
    money.discounts.append(Discount(frozenset({"fee"}), number, COUNTERS, None, 0))
    return money


@pytest.mark.parametrize(
    ("fill", "few", "many"),
    [(offers_that_double, 10, 40), (splits_of_a_discount, 9, 99)],
    ids=["discounts and waivers", "one discount"],
)
def test_amounts_that_are_left_are_limited_in_both(fill, few, many):
    state = [[], 0, 0, {}, *([500] * 12)]
    need = (tuple((slot, 100) for slot in SLOTS), ())

    for number in (few, many):
        whole = alike(ways, lambda heard, number=number: (state[:], ME, need, "fee", fill(number, Money())))
        assert (whole[:2] == ("fault", "P0806")) == (number == many)


def test_long_searches_remember_what_they_met():
    money = Money(
        substitutions=[
            Substitution(COUNTERS[1], 1, 1, 1, frozenset({COUNTERS[0]})),
            Substitution(COUNTERS[2], 1, 1, 2, frozenset({COUNTERS[0], COUNTERS[3]})),
        ],
        discounts=[Discount(frozenset({"fee"}), 3, COUNTERS[:2], None, -1)],
    )
    state = [[], 0, 0, {}, *([5] * 12)]
    need = (((SLOTS[3], 2),), ((COUNTERS[:3], 4), (COUNTERS[:2], 2)))
    found = alike(ways, lambda heard: (state[:], ME, need, "fee", money))[0]
    assert len(found) > 30
