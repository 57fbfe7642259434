"""Changes that leave everything as it should be are not noted, and all others are; rows are noted once."""

from __future__ import annotations

import ast
import shutil
from pathlib import Path
from random import Random

import pytest

import patolli
from patolli.compiler.changes import Harmless
from patolli.compiler.noting import Noting
from patolli.kernel.indexes import OF
from patolli.runtime.harmlessness import Harmlessness
from patolli.runtime.invariants import Watch
from patolli.simulation.playout import playout


def playing(pack: str, seed: int = 1) -> tuple[patolli.Match, Watch]:
    """Return a match that notes, and what watches it."""
    match = patolli.load(pack).start(None, seed, noting=True)
    watch = Watch.quickly(match)
    match.program.written.clear()
    return match, watch


def shaft(match: patolli.Match) -> tuple[int, int]:
    """Return the slots of the lowest disc of the first column, and of its height."""
    fields = match.program.layout.fields
    return fields["cell", "disc"], fields["shaft", "height"]


def test_a_change_that_needs_nothing_else_is_harmless_and_no_other():
    match, watch = playing("connect_four")
    harmlessness = Harmlessness(watch._held, match.program.layout)
    disc, height = shaft(match)
    assert harmlessness.holds_after((disc, -1, 0, height, 0, 1))
    assert not harmlessness.holds_after((disc, -1, 0, height, 0, 2))  # a disc is missing
    assert not harmlessness.holds_after((disc + 7, -1, 0, height, 0, 1))  # it hangs
    assert not harmlessness.holds_after((disc + 1, -1, 0, height, 0, 1))  # it lies in another column
    assert not harmlessness.holds_after((disc, -1, 0, disc, 0, -1))  # one slot twice


def test_drops_are_not_noted_once_they_are_known():
    match, watch = playing("connect_four")
    noted: list[list[int]] = []
    for seed in range(60):
        match = match.ruleset.start(None, seed, noting=True)
        random = Random(seed)
        while match.pending is not None and len(match.choices) < 6:
            match.pick(random.randrange(len(match.pending)))
            noted.append(match.program.written[:])
            match.program.written.clear()
    assert len(noted[0]) == 2
    assert sum(map(bool, noted[-60:])) < 6
    watch.done()


def test_nothing_is_harmless_any_more_where_a_test_stays_open():
    harmless = Harmless(lambda slot: None)
    harmless.judge = lambda change: True
    harmless.missing((1, 0, 1))
    assert (1, 0, 1) in harmless
    harmless.doubt()
    harmless.missing((1, 0, 1))
    assert not harmless


def test_it_is_given_up_where_most_has_to_be_noted():
    noted: list[int] = []
    harmless = Harmless(noted.append)
    harmless.judge = lambda change: False
    for value in range(500):
        harmless.missing((7, value, 0, 9, 0, value))
    assert harmless.judge is None
    assert noted == [7, 9] * 500


def noted(text: str, **space: object) -> str:
    """Return a function after what notes its changes was put in; all fields of Breakthrough's cells are looked at."""
    layout = patolli.load("breakthrough").program(2).layout
    noting = Noting(layout, {("field", "cell", "pawn")}, dict(space))
    function = ast.parse(text).body[0]
    assert isinstance(function, ast.FunctionDef)
    noting.note([function])
    return ast.unparse(function)


def test_a_row_is_noted_once_and_only_where_the_row_says_which_slots_these_are():
    loop = "def r(s, me):\n    for v in {}:\n        {}\n"
    first = patolli.load("breakthrough").program(2).layout.fields["cell", "pawn"]
    write = f"s[v + {first}] = me"
    assert f"note(rows[{first}, T[me]])" in noted(loop.format("T[me]", write), T=((1, 2), (3,)))
    assert "rows" not in noted(loop.format("T[me]", write), T=((1, (2,)), (3,)))  # no numbers
    assert "rows" not in noted(loop.format("T[f(s)]", write), T=((1, 2), (3,)))  # asked twice, it may differ
    assert "rows" not in noted(loop.format("[v for v in K if s[v] > 1]", write), K=(1, 2))  # the state decides
    assert "rows" not in noted(loop.format("K if len(Q) <= 3 else Q", write), K=(1, 2), Q=(3, 4))  # an author's own
    assert "rows" not in noted(loop.format("K", f"v = 5; {write}"), K=(1, 2))  # it is another slot then
    assert "is not s[" in noted(loop.format("T[f(s)]", write), T=((1, 2), (3,)))  # only what gets another value


def test_a_watch_begins_again_with_another_match():
    match, watch = playing("tic_tac_toe")
    match.pick(0)
    watch.hold(match.state, match.program.written)
    watch.done()
    other = match.ruleset.start(None, 2, noting=True)
    assert Watch.quickly(other) is watch
    other.program.written.clear()
    for choice in (3, 2, 1):
        other.pick(choice)
        watch.hold(other.state, other.program.written)
        other.program.written.clear()
    assert Watch.quickly(match.ruleset.start(None, 3, noting=True)) is not watch  # this one is not done


def test_nothing_is_looked_for_where_all_matches_begin_alike(monkeypatch):
    """Otherwise it is: what the set-up has drawn, the invariants are asked about."""
    looked: list[str] = []
    differing = Watch._differing
    monkeypatch.setattr(
        Watch, "_differing", lambda self, *given: looked.append(self._match.ruleset.id) or differing(self, *given)
    )
    for pack in ("breakthrough", "founders"):
        match, watch = playing(pack)
        watch.done()
        assert Watch.quickly(match.ruleset.start(None, 2, noting=True)) is watch
    assert looked == ["founders"]


def test_what_is_kept_up_of_a_match_outlasts_its_being_watched():
    match, watch = playing("breakthrough")
    watch.done()
    again = match.ruleset.start(None, 2, noting=True)
    (index,) = again.program.indexes
    assert Watch.quickly(again) is watch
    assert index[OF] is watch.state is again._state


@pytest.mark.parametrize("pack", ["tic_tac_toe", "connect_four", "breakthrough", "amazons", "patolli"])
def test_who_is_watched_plays_the_same(pack):
    rules = patolli.load(pack)
    for seed in range(4):
        alone, watched = (playout(rules, None, seed, invariants=held) for held in (False, True))
        assert alone.choices == watched.choices
        assert alone.digest() == watched.digest()


def test_what_holds_nothing_is_counted_where_somebody_asks(tmp_path):
    """In tic-tac-toe nobody does; with one more invariant somebody does."""
    folder = tmp_path / "tic_tac_toe"
    shutil.copytree(Path(__file__).parents[2] / "content" / "tic_tac_toe", folder)
    rules = folder / "rules.yaml"
    same = "count(c in cell where c.mark == some.mark) == size([c in cell where c.mark == some.mark])"
    empty = f"  counted_alike: {{always: 'all({same} for some in cell where some.row == 0)', text: Both ways to count agree.}}\n"
    rules.write_text(rules.read_text() + empty)
    match = patolli.load(str(folder)).start(None, 1, noting=True)
    watch, written = Watch.quickly(match), match.program.written
    written.clear()
    while match.pending is not None:
        match.pick(0)
        watch.hold(watch.state, written)
        written.clear()
    first = match.program.layout.fields["cell", "mark"]
    counts = watch._known.tally[watch._held.counts]
    marks = match.state[first : first + 9]
    assert counts == [marks.count(value) for value in (-1, 0, 1)]
