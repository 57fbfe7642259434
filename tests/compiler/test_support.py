"""What generated code calls: pieces are never made or lost, chance is a function of seed, stream and count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.compiler import support as su

PIECES = 8
AT = 20  # where the places of the pieces are kept
LISTS, SPOTS, ROW = (4, 5), (6, 7), range(8, 12)


def fresh():
    """A state in which all pieces lie in the first list."""
    state = [[], 1, 0, {}, list(range(PIECES)), [], -1, -1, -1, -1, -1, -1]
    state += [0] * (AT - len(state)) + [4] * PIECES
    return state


def whereabouts(state):
    """Every piece with the slot that holds it."""
    found = {}
    for slot in (*LISTS, *SPOTS, *ROW):
        held = state[slot] if isinstance(state[slot], list) else [state[slot]] if state[slot] >= 0 else []
        for piece in held:
            assert piece not in found, "a piece in two places"
            found[piece] = slot
    return found


PIECE = st.integers(0, PIECES - 1)
STEPS = st.one_of(
    st.tuples(st.just("move"), PIECE, st.sampled_from([0, *LISTS, *SPOTS])),
    st.tuples(st.just("under"), PIECE, st.sampled_from(LISTS)),
    st.tuples(st.just("swap"), PIECE, PIECE),
    st.tuples(st.just("draw"), st.integers(-1, 9), st.sampled_from([(4, 5), (5, 4)])),
    st.tuples(st.just("refill"), st.sampled_from(LISTS), st.just(0)),
    st.tuples(st.just("slide"), st.just(0), st.just(0)),
    st.tuples(st.just("shuffle"), st.sampled_from(LISTS), st.just(0)),
)


def step(state, kind, first, second):
    match kind:
        case "move":
            su.move(state, AT, first, second)
        case "under":
            su.move_under(state, AT, first, second)
        case "swap":
            su.swap(state, AT, first, second)
        case "draw":
            su.draw(state, AT, first, *second)
        case "refill":
            su.refill(state, AT, ROW[0], len(ROW), first)
        case "slide":
            su.slide(state, AT, ROW[0], len(ROW))
        case "shuffle":
            su.shuffle(state, first, "s")


@given(st.lists(STEPS, max_size=30))
def test_pieces_are_never_made_or_lost(steps):
    state = fresh()
    for one in steps:
        try:
            step(state, *one)
        except su.RuleFault:
            assert one[0] == "move"  # onto a spot that is taken
        found = whereabouts(state)
        for piece in range(PIECES):
            assert found.get(piece, 0) == state[AT + piece]


@given(st.lists(STEPS, max_size=12), PIECE, PIECE)
def test_swapping_twice_changes_nothing(steps, first, second):
    state = fresh()
    for one in steps:
        try:
            step(state, *one)
        except su.RuleFault:
            continue
    before = [list(x) if isinstance(x, list) else x for x in state]
    su.swap(state, AT, first, second)
    su.swap(state, AT, first, second)

    assert state == before


def test_slide_keeps_the_order_and_closes_gaps():
    state = fresh()
    su.refill(state, AT, ROW[0], len(ROW), 4)
    kept = [state[slot] for slot in ROW]
    su.move(state, AT, kept[1], 5)
    su.slide(state, AT, ROW[0], len(ROW))

    assert [state[slot] for slot in ROW] == [kept[0], kept[2], kept[3], -1]


def test_spot_that_is_taken_is_a_fault():
    state = fresh()
    su.move_to_spot(state, AT, 0, 6)

    with pytest.raises(su.RuleFault, match="taken"):
        su.move_to_spot(state, AT, 1, 6)
    su.move_to_spot(state, AT, 0, 6)  # staying is fine
    assert state[6] == 0


@given(st.integers(0, 2**32), st.integers(0, 12))
def test_shuffle_is_a_permutation_that_depends_on_the_seed_alone(seed, number):
    one = [[], seed, 0, {}, list(range(number))]
    two = [[], seed, 0, {}, list(range(number))]
    su.shuffle(one, 4, "s")
    su.shuffle(two, 4, "s")

    assert sorted(one[4]) == list(range(number))
    assert one == two


def test_shuffle_reaches_every_order_about_equally_often():
    found: dict[tuple[int, ...], int] = {}
    for seed in range(6000):
        state = [[], seed, 0, {}, [0, 1, 2]]
        su.shuffle(state, 4, "s")
        found[tuple(state[4])] = found.get(tuple(state[4]), 0) + 1

    assert len(found) == 6
    assert all(850 < count < 1150 for count in found.values())


@given(st.integers(0, 99), st.integers(0, 5), st.integers(1, 9))
def test_streams_do_not_shift_each_other(seed, others, number):
    alone, mixed = [[], seed, 0, {}], [[], seed, 0, {}]
    for _ in range(others):
        su.below(mixed, 6, "dice")

    assert [su.below(alone, number, "shuffle.deck") for _ in range(9)] == [
        su.below(mixed, number, "shuffle.deck") for _ in range(9)
    ]


@given(st.integers(0, 2**64), st.integers(1, 1000))
def test_draws_lie_below_the_bound(seed, number):
    state = [[], seed, 0, {}]

    assert all(0 <= su.below(state, number, "s") < number for _ in range(20))
    assert state[3] == {"s": 20}


@given(st.lists(st.integers(), max_size=9), st.integers(-12, 12))
def test_rotate_turns_the_list(items, number):
    turned = list(su.rotate(items, number))

    assert sorted(turned) == sorted(items)
    assert all(turned[(i + number) % len(items)] == item for i, item in enumerate(items))
    assert list(su.rotate(turned, -number)) == items


@given(st.lists(st.integers(0, 5), max_size=9), st.integers(-3, 12))
def test_list_functions(items, number):
    assert su.distinct(items) == sorted(set(items), key=items.index)
    assert su.reverse(su.reverse(items)) == items
    assert su.take(items, number) == items[: max(0, number)]
    assert su.whole_first(items) == (items[0] if items else -1)
    for item in items:
        assert items[su.position(items, item)] == item
    assert su.position(items, 77) == -1


@pytest.mark.parametrize("index", [-1, 3, 99])
def test_item_outside_a_list_is_a_fault(index):
    with pytest.raises(su.RuleFault, match="there is no item"):
        su.item_of([1, 2, 3], index)


def test_endless_range_is_a_fault():
    with pytest.raises(su.RuleFault, match="too long"):
        su.span(0, su.LONGEST + 1)
