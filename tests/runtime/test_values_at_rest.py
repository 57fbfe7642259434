"""What a frame holds comes back from a save as it was: equal, of the same kind, and with the same hash."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from packmaker import loaded, trigger

import patolli
from patolli.kernel.values import at_rest
from patolli.run.compiler.layout import FRAMES

RULES = patolli.load("tic_tac_toe")

PLAIN = st.one_of(st.integers(-(10**15), 10**15), st.booleans(), st.just(-1))
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=20)


@given(st.lists(VALUES, max_size=6))
def test_every_value_of_a_frame_survives_a_save(values):
    match = RULES.start(2, 1)
    match.state[FRAMES][0].extend(values)
    again = RULES.restore(match.to_json())

    assert again == match
    assert again.digest() == match.digest()
    for frame, other in zip(match.state[FRAMES], again.state[FRAMES], strict=True):
        assert other.__class__ is list
        assert hash(tuple(other)) == hash(tuple(frame))
        assert list(map(repr, other)) == list(map(repr, frame))


def test_row_in_a_frame_is_kept_as_it_was(tmp_path):
    """A list of the language is one value: what lies in the place later is another."""
    example = trigger(
        "as player_1:\n"
        "  let before = reverse(hand(me))\n"
        "  let lists = {before, take(hand(me), 1)}\n"
        "  draw 1 from deck to hand(me)\n"
        '  choose n in 1..2 "Which?"\n'
        "  if position(lists, take(hand(me), 1)) == 1: gain n coin",
        "setup",
    )
    rules = loaded(tmp_path, example)
    match = rules.start(2, 1)
    for _ in range(2):  # the bids, behind which the example stands
        match.pick(0)
    frames = match.state[FRAMES]

    assert match.decision.prompt == "Which?"
    assert all(at_rest(frame) == tuple(frame) for frame in frames)
    again = rules.restore(match.to_json())
    assert again == match
