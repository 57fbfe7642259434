"""Pieces are never made or lost, whatever moves they make."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patolli.kernel import pieces
from patolli.kernel.chance import shuffle
from patolli.kernel.faults import RuleFault
from patolli.kernel.library import LIBRARY, WRITES

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
            pieces.move(state, AT, first, second)
        case "under":
            pieces.move_under(state, AT, first, second)
        case "swap":
            pieces.swap(state, AT, first, second)
        case "draw":
            pieces.draw(state, AT, first, *second)
        case "refill":
            pieces.refill(state, AT, ROW[0], len(ROW), first)
        case "slide":
            pieces.slide(state, AT, ROW[0], len(ROW))
        case "shuffle":
            shuffle(state, first, "s")


@given(st.lists(STEPS, max_size=30))
def test_pieces_are_never_made_or_lost(steps):
    state = fresh()
    for one in steps:
        try:
            step(state, *one)
        except RuleFault:
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
        except RuleFault:
            continue
    before = [list(x) if isinstance(x, list) else x for x in state]
    pieces.swap(state, AT, first, second)
    pieces.swap(state, AT, first, second)

    assert state == before


def test_slide_keeps_the_order_and_closes_gaps():
    state = fresh()
    pieces.refill(state, AT, ROW[0], len(ROW), 4)
    kept = [state[slot] for slot in ROW]
    pieces.move(state, AT, kept[1], 5)
    pieces.slide(state, AT, ROW[0], len(ROW))

    assert [state[slot] for slot in ROW] == [kept[0], kept[2], kept[3], -1]


def test_spot_that_is_taken_is_a_fault():
    state = fresh()
    pieces.move_to_spot(state, AT, 0, 6)

    with pytest.raises(RuleFault, match="taken"):
        pieces.move_to_spot(state, AT, 1, 6)
    pieces.move_to_spot(state, AT, 0, 6)  # staying is fine
    assert state[6] == 0


@pytest.mark.parametrize(
    ("name", "state", "arguments"),
    [
        ("move_to_list", [[9], -1, [5]], (5, 0)),
        ("swap", [[4], [3]], (4, 3)),
        ("refill", [[], 7, -1, 8], (1, 3, 0)),  # the pile is empty
        ("refill", [[9, 5], -1, 7, -1], (1, 3, 0)),
        ("slide", [0, 7, 8, 9], (1, 3)),
        ("slide", [0, 7, -1, 9], (1, 3)),
        ("draw", [[], [3]], (1, 0, 1)),
        ("draw", [[4], [3]], (1, 0, 1)),
    ],
)
def test_what_moves_pieces_says_which_slots_change(name, state, arguments):
    """Slots from 10 on say where the pieces are."""
    before = [*map(lambda one: one[:] if isinstance(one, list) else one, state), *[0] * (20 - len(state))]
    for slot, held in enumerate(state):
        for piece in held if isinstance(held, list) else [held] if held > 0 else []:
            before[10 + piece] = slot
    written = set(WRITES[name](before, 10, *arguments))
    after = [one[:] if isinstance(one, list) else one for one in before]
    LIBRARY[name](after, 10, *arguments)
    assert {slot for slot in range(20) if after[slot] != before[slot]} <= written


def test_all_that_moves_pieces_says_so():
    moving = {"move", "move_to_list", "move_to_spot", "move_under", "swap", "draw", "refill", "slide"}
    assert set(WRITES) == moving
    assert moving <= set(LIBRARY)
