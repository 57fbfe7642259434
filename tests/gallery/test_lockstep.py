"""The games that OpenSpiel has are played as it plays them: options, turns, ends and returns, decision by decision."""

from __future__ import annotations

import lockstep
import pytest
from lockstep import NO_REFEREE, Referee, compare, openspiel, referees, their_ways, ways
from tiers import few

import patolli

R3, R2 = range(3), range(2)
MATCHES = 5
"""How many matches of a game are compared here; ``tools/referee.py`` compares 200."""


@pytest.fixture
def library():
    """OpenSpiel; the tests that need it are skipped where there is none."""
    found = openspiel()
    if found is None:
        pytest.skip(NO_REFEREE)
    return found


@pytest.mark.parametrize("judge", few(referees(), 0, 5), ids=lambda judge: judge.name)
def test_plays_like_openspiel(library, judge, record_property):
    decisions = 0
    for played in compare(judge, range(MATCHES)):
        assert played.difference is None, str(played.difference)
        decisions += played.decisions
    record_property("figure", f"{judge.name}, decisions compared with OpenSpiel: {decisions}")
    assert decisions > 20


class Upside(Referee):
    """Takes the columns for the rows."""

    pack = spiel = "tic_tac_toe"

    def key(self, action: str) -> str:
        return f"{'abc'[int(action[2])]}{int(action[4]) + 1}"


class Wrong(Upside):
    """Knows a cell by another name."""

    def key(self, action: str) -> str:
        return super().key(action).replace("c3", "d4")


class Lost(Upside):
    """Thinks that who wins loses."""

    def returns(self, match):
        return [-worth for worth in super().returns(match)]


class Longer(Upside):
    """Goes on until four are in a line."""

    spiel = "mnk(m=3,n=3,k=2)"


def parted(judge, seeds=range(6)):
    return [played.difference for played in compare(judge, seeds) if played.difference is not None]


def test_what_is_symmetrical_is_the_same(library):
    assert parted(Upside()) == []


def test_options_that_differ_are_reported_with_both_positions(library):
    found = parted(Wrong())

    assert len(found) == 6
    assert found[0].what == "only here: c3; only there: d4"
    assert "The board" in found[0].here
    assert found[0].there == "...\n...\n..."
    assert str(found[2]).startswith("seed 2: only here: c3; only there: d4\nhere:\n")


def test_returns_that_differ_are_reported(library):
    found = {difference.what for difference in parted(Lost(), range(20))}

    assert "it is worth [-1.0, 1.0] here, [1.0, -1.0] there" in found


def test_ends_that_differ_are_reported(library):
    assert {difference.what for difference in parted(Longer())} == {"it is over there, and not here"}


def test_whole_moves_of_several_questions():
    """Two bids are four questions here: each way leads where its answers do."""
    match = patolli.load("goofspiel", options={"ranks": 3}).start(2, seed=1)
    found = list(ways(match, lambda after: len(after.choices) < 4))

    assert sorted(path for path, _ in found) == [[a, b, c, d] for a in R3 for b in R3 for c in R2 for d in R2]
    for path, after in found:
        copy = match.clone()
        for index in path:
            copy.pick(index)
        assert copy == after


def test_whole_moves_of_several_actions(library):
    state = library.load_game("tic_tac_toe").new_initial_state()
    found = [path for path, _ in their_ways(state, lambda after: len(after.history()) < 2)]

    assert sorted(found) == [[one, two] for one in range(9) for two in range(9) if one != two]


def test_without_openspiel_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(lockstep, "openspiel", lambda: None)
    with pytest.raises(ImportError, match=r"patolli\[referee\]"):
        next(compare(Upside(), [0]))
