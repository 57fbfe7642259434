"""Options that are drawn: as pictures side by side, or in a list."""

from __future__ import annotations

from random import Random

import pytest
from sitting import sit
from tiers import few

import patolli


@pytest.fixture(scope="module")
def drawn() -> patolli.Ruleset:
    return patolli.load("founders")


def asked_about(rules: patolli.Ruleset, flat: bool) -> tuple[patolli.Match, int]:
    """Return a match with a question about pieces that have pictures, *flat* ones or not, and how many there are."""
    rng, match = Random(1), rules.start(2, 3)
    while True:
        labels = match.decision.labels
        shapes = [str(size) not in "123" or size == "3" for label in labels for size in label[-1]]
        if match.decision.prompt.startswith("Which building") and len(labels) > 1 and any(shapes) != flat:
            return match, len(labels)
        match.choose(rng.randrange(len(labels)))


@pytest.mark.parametrize("width", few([60, 80, 100], 0))
def test_pictures_of_one_row_stand_in_a_list(drawn, width):
    match, number = asked_about(drawn, flat=True)
    listed = sit(drawn, [], "human human", match=match, width=width).asked[0].rpartition("?\n")[2]

    assert len(listed.splitlines()) == number + 1  # and the line that is typed
    assert "#" in listed


@pytest.mark.parametrize("width", [80, 100])
def test_pictures_use_the_width_that_there_is(drawn, width):
    """Words are broken only where another picture needs the room."""
    match, number = asked_about(drawn, flat=False)
    listed = sit(drawn, [], "human human", match=match, width=width).asked[0].rpartition("?\n")[2].splitlines()[:-1]

    assert len(listed) < 5 * -(-number // 3) + 1
    assert max(map(len, listed)) > width * 2 // 3
