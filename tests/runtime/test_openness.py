"""What everybody sees is known at once, and what is looked into is looked into once; the answers are as before."""

from __future__ import annotations

from random import Random

import pytest
from packmaker import DATA, LAB, SAMPLE, loaded
from tiers import few

from patolli.author.workspace import load
from patolli.run.runtime import Match
from patolli.run.runtime.hidden_reads import HiddenReads
from patolli.run.runtime.openness import Openness

DEEP = 4
NESTED = "\n".join(
    [
        "document: rules",
        "functions:",
        "  deep_0(cell c): bid > 5 and not c.owner",
        *(f"  deep_{n}(cell c): any(d in cell where d != c and deep_{n - 1}(d))" for n in range(1, DEEP + 1)),
        "rules:",
        "  ask: |",
        '    choose one "What now?":',
        f'      "rise" when any(c in cell where deep_{DEEP}(c)): gain 1 point',
        '      "leave": nothing',
        '      "stay": nothing',
        "",
    ]
)


def answers(match: Match, draw: Random) -> list[str]:
    """Why some of what is not offered is not, and what is offered is."""
    labels = match.refused()
    asked = [*draw.sample(labels, min(5, len(labels))), *[one.label for one in match.decision.options][:2]]
    return [str(match.why(label)) for label in asked]


class Counted:
    """How often it is looked whether something is hidden."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls, hides = 0, HiddenReads.hides

        def count(*given: object) -> bool:
            self.calls += 1
            return hides(*given)

        monkeypatch.setattr(HiddenReads, "hides", count)


@pytest.mark.parametrize(
    "pack",
    few([LAB, str(SAMPLE), str(DATA / "mosaic"), str(DATA / "hunt"), "patolli", "founders", "city_of_gods"], 0, 1),
)
def test_answers_are_those_of_looking_at_everything(pack, monkeypatch):
    """Each question is asked twice; the second time nothing is known beforehand, and nothing is remembered."""
    rules = load(pack)
    told = 0
    for seed in range(1 if pack == "founders" else 4):
        match, draw = rules.start(None, seed), Random(seed)
        for number in range(40):
            if match.pending is None:
                break
            if number % 7 == 3:
                found = answers(match, Random(number))
                with monkeypatch.context() as patch:
                    patch.setattr(Openness, "read_by", lambda self, node: None)
                    patch.setattr(HiddenReads, "_key", lambda self, name, values: None)
                    plain = answers(match, Random(number))
                assert found == plain
                told += len(found)
            match.pick(draw.randrange(len(match.pending)))

    assert told


def test_conditions_that_everybody_sees_are_not_gone_through(monkeypatch):
    """It took half a minute to say why this space cannot be visited, and four million looks."""
    match, draw, counted = load("founders").start(2, 4), Random(4), Counted(monkeypatch)
    for _ in range(36):
        match.pick(draw.randrange(len(match.pending)))

    assert match.why("go to b_2").offered is False
    assert counted.calls < 20_000


def test_functions_in_functions_are_looked_into_once_for_each_argument(tmp_path, monkeypatch):
    match, counted = loaded(tmp_path, NESTED).start(2, 1), Counted(monkeypatch)
    match.call("ask", 0)

    assert match.why("rise").offered is False
    assert counted.calls < 5_000
