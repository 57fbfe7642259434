"""A demand behind a choice that does not depend on the chosen value is evaluated once for all values."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from compiler.test_once import counted
from packmaker import loaded

from patolli.run.compiler.optimizer import plainly

ASKED = """\
document: rules
functions:
  free(): "[c in cell where c.owner == none]"
rules:
  ask: |
    choose one "What?":
      "settle": settle()
      "fill": fill()
      "leave": gain 1 coin
  settle: |
    choose c in cell where c.owner == {wanted} "Which?"
    require size(free()) {enough}
    set c.owner to me
  fill: |
    for c in cell: set c.owner to me
"""


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize(
    ("wanted", "enough", "labels", "times"),
    [
        pytest.param("none", "> 3", ["settle", "fill", "leave"], 1, id="it holds"),
        pytest.param("none", "> 9", ["fill", "leave"], 1, id="it does not"),
        pytest.param("me", "> 3", ["fill", "leave"], 0, id="no value leads on"),
    ],
)
def test_what_is_the_same_for_all_values(tmp_path, plain, wanted, enough, labels, times):
    with plainly() if plain else nullcontext():
        match = loaded(tmp_path, ASKED.format(wanted=wanted, enough=enough)).start(2, 1)
        calls, undo = counted(match, "f_free")
        match.call("ask", 0)
        assert (list(match.decision.labels), len(calls)) == (labels, times)
        if times and "settle" in labels:
            match.choose("settle")
            assert (len(match.pending), len(calls)) == (9, 2)
        undo()
