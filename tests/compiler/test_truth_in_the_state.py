"""What is stored as true or false is 1 or 0, whatever it was made of."""

from __future__ import annotations

import pytest
from packmaker import loaded, trigger

VALUES = [
    ("hand(me)", False),
    ("deck", True),
    ("top(deck)", True),
    ("top(hand(me))", False),
    ("deck and coin > 0", True),
    ("hand(me) or top(deck)", True),
    ("[c in deck where c.used]", False),
    ("any(c in deck)", True),
]


@pytest.mark.parametrize(("value", "wanted"), VALUES)
def test_field_takes_a_truth_value(tmp_path, value, wanted):
    example = trigger(f"as player_1:\n  set plain_1.used to {value}", "setup")
    match = loaded(tmp_path, example).start(2, 1)
    match.pick(0)
    match.pick(0)
    layout = match.program.layout
    slot = layout.fields["card", "used"] + layout.index["card", "plain_1"]

    assert (type(match.state[slot]), match.state[slot]) == (int, int(wanted))
