"""What is the same for every item of a loop is computed once, when the first item needs it, and not before."""

from __future__ import annotations

import pytest
from packmaker import loaded

FUNCTIONS = """\
document: rules
functions:
  slow(): "[d in cell where d.owner == none]"
  near(cell c): "[d in adjacent(c) where d.owner == none]"
rules:
  claim(cell c): set c.owner to me
  sweep: |
    for c in cell where c in slow(): set c.owner to me
"""
CASES = [
    ("count(c in cell where c in slow())", 9, 1),
    ("size([c in cell where c in slow()])", 9, 1),
    ("sum(size(slow()) for c in cell)", 81, 1),
    ("1 if any(c in cell where c not in slow()) else 0", 0, 1),
    ("size(sorted(c in cell where c in slow() by size(slow())))", 9, 2),
    ("max(size(slow()) for c in cell)", 9, 1),
    ("size(until(c in cell where c not in slow()))", 9, 1),
    ("count(c in cell where coin > 99 and c in slow())", 0, 0),
    ("count(c in [d in cell where coin > 99] where c in slow())", 0, 0),
    ("sum(count(d in adjacent(c) where d in slow()) for c in cell)", 24, 1),
    ("sum(1 for c in cell, d in slow() where c == d)", 9, 1),
    ("count(c in cell where after(claim(c), c not in slow()))", 9, 9),
    ("sum(after(claim(c), count(d in cell where d in slow())) for c in cell)", 72, 9),
    ("sum(size(near(c)) for c in cell)", 24, 0),
]


def counted(match, name):
    """Count how often a function is called; the code looks it up in its own names."""
    calls = []
    names = match.program.space[name].__globals__
    real = names[name]
    names[name] = lambda *given: (calls.append(given), real(*given))[1]
    return calls, lambda: names.__setitem__(name, real)


@pytest.mark.parametrize(("asked", "value", "times"), CASES, ids=[asked for asked, *_ in CASES])
def test_how_often(tmp_path, asked, value, times):
    match = loaded(tmp_path, f"{FUNCTIONS}values: {{asked: '{asked}'}}\n").start(2, 1)
    calls, undo = counted(match, "f_slow")
    found = match.value("asked", 0)
    undo()

    assert (found, len(calls)) == (value, times)


def test_list_of_a_loop_is_computed_once(tmp_path):
    match = loaded(tmp_path, FUNCTIONS).start(2, 1)
    calls, undo = counted(match, "f_slow")
    match.call("sweep")
    undo()

    assert len(calls) == 1
    base = match.program.layout.fields["cell", "owner"]
    assert match.state[base : base + 9] == [0] * 9
