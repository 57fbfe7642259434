"""What may be chosen of several at once is what a list of all sets says, and each set is chosen in one way."""

from __future__ import annotations

from itertools import combinations

from busy import calls
from hypothesis import given
from hypothesis import strategies as st

from patolli.kernel.several import several, some_of

ITEMS = st.lists(st.integers(0, 3), max_size=6)
NUMBERS = st.integers(-1, 7)


def sets(items: list[int], least: int, most: int, wanted: int | None) -> set[tuple[int, ...]]:
    """All sets in which equal items are one, written in the order in which values come first; by definition."""
    order = {value: place for place, value in reversed([*enumerate(items)])}
    found = {
        tuple(sorted(one, key=lambda value: order[value]))
        for number in range(max(0, least), min(most, len(items)) + 1)
        for one in combinations(items, number)
    }
    return {one for one in found if wanted is None or sum(one) == wanted}


def ways(items: list[int], least: int, most: int, wanted: int | None) -> list[tuple[int, ...]]:
    """All ways through the question, by what was chosen in the end."""
    test = None if wanted is None else (lambda chosen: sum(chosen) == wanted)
    found, open_ = [], [()]
    while open_:
        chosen = open_.pop()
        options = several(items, chosen, least, most, test)
        assert options or not chosen, "what is offered leads somewhere"
        for done, value in options:
            if done == 0:
                assert value == chosen
                found.append(chosen)
            else:
                open_.append((*chosen, value))
    return found


@given(ITEMS, NUMBERS, NUMBERS, st.none() | st.integers(0, 8))
def test_every_set_in_one_way(items: list[int], least: int, most: int, wanted: int | None):
    found = ways(items, least, most, wanted)
    assert len(found) == len(set(found))
    assert set(found) == sets(items, least, most, wanted)
    test = None if wanted is None else (lambda chosen: sum(chosen) == wanted)
    assert some_of(items, least, most, test) == bool(found)


def test_far_into_a_long_list():
    """Each further thing costs what the list is long, not its square."""
    items, chosen = range(600), tuple(range(0, 300, 2))
    found = []

    number = calls(lambda: found.extend(several(items, chosen, 300, 300, None)))
    assert [value for _, value in found] == list(range(299, 451))
    assert number < 20 * len(items)
