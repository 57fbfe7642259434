"""A loop that goes round without a question is named with its line, whatever it does meanwhile."""

from __future__ import annotations

import pytest
from packmaker import loaded, trigger

from patolli.kernel.budget import scarce
from patolli.run.runtime import MatchError

LOOP = """loop:
  turning()
  if point > 9: break
"""
SILENT = """  turning(): |
    choose one "What?":
      "buy": buying()
      otherwise: nothing
  buying(): |
    choose k in 1..6 where k > 6 + coin "Which?"
    gain 1 point
"""


def _earn(match) -> None:
    for step in ("0", "0", "earn"):
        match.choose(step)


def _fault(folder, effect: str, rules: str) -> MatchError:
    match = loaded(folder, f"{trigger(effect)}rules:\n{rules}").start(2, 3)
    with scarce(2_000_000), pytest.raises(MatchError) as caught:
        _earn(match)
    return caught.value


@pytest.mark.parametrize(
    ("effect", "line"),
    [
        (LOOP, 6),
        (f"gain 1 nut\n{LOOP}", 7),
        (f"for p in players:\n  {LOOP.replace(chr(10), chr(10) + '  ').rstrip()}\n", 7),
        ("repeat 90000 times:\n  turning()\n", 6),
    ],
    ids=["a loop", "behind something else", "inside another one", "a loop that is counted"],
)
def test_a_loop_without_a_question_is_named(tmp_path, effect, line):
    fault = _fault(tmp_path, effect, SILENT)

    assert fault.code == "P0801"
    assert fault.loop is not None
    assert fault.loop[0][1] == line
    assert f"this loop goes round without a question:\n  {fault.loop[0][0]}:{line}: in " in fault.text()


def test_work_outside_a_loop_names_none(tmp_path):
    heavy = 'choose k in 1..9 where sum(a * b for a in 1..900, b in 1..900, c in 1..9) < 0 "Which?"\notherwise: gain 1 nut\n'
    fault = _fault(tmp_path, heavy, SILENT)

    assert fault.code == "P0801"
    assert fault.loop is None
