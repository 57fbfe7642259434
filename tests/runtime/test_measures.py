"""What is measured while no rule runs fails like a rule: with a code, and the line that could not be computed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from packmaker import spliced

from patolli.author.workspace import load
from patolli.cli import main
from patolli.kernel.budget import meter
from patolli.run.runtime import MatchError

TOO_LONG = "count(1..(200000 + coin(player_1)))"
MEASURES = [
    ("score: point + bid", f"score: {TOO_LONG}", "the score", lambda match: match.scores),
    ("score: point + bid", f"score: {TOO_LONG}", "the score", lambda match: match.value("greedy", 0)),
    ("score: point + bid", f"score: {TOO_LONG}", "the score", lambda match: match.view(0)),
    ("ties: [coin]", f'ties: [coin, "{TOO_LONG}"]', "a tie-break", lambda match: match.winners),
    (
        "ties: [coin]",
        f"ties: [coin]\ninvariants:\n  short: {TOO_LONG} > 0",
        "the invariant short",
        lambda match: match.broken(),
    ),
]


def changed(tmp_path, old, new):
    """The sample pack with another line in its rules."""
    pack, _ = spliced(tmp_path, "document: rules\n")
    path = Path(pack) / "rules.yaml"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    return pack


@pytest.mark.parametrize(("old", "new", "what", "measure"), MEASURES)
def test_measure_that_fails_is_a_fault_of_the_match(tmp_path, old, new, what, measure):
    match = load(changed(tmp_path, old, new)).start(2, 1)
    with pytest.raises(MatchError) as caught:
        measure(match)

    assert caught.value.code == "P0804"
    ((path, line, rule),) = caught.value.stack
    assert (Path(path).name, rule) == ("rules.yaml", what)
    assert TOO_LONG in Path(path).read_text().splitlines()[line - 1]


def test_simulation_counts_a_score_that_fails_as_a_fault_of_its_game(tmp_path):
    pack = changed(tmp_path, "score: point + bid", f"score: {TOO_LONG}")
    ran = CliRunner().invoke(main, ["simulate", pack, "--players", "2", "--games", "2", "--jobs", "1"])

    assert ran.exit_code == 3
    assert "P0804" in ran.output
    assert "in the score" in ran.output


def test_measures_have_steps_of_their_own(tmp_path):
    """However much was measured before, nothing of it counts."""
    long = "score: sum(1 for a in 1..1000, b in 1..1000 where a < b + point)"
    match = load(changed(tmp_path, "score: point + bid", long)).start(2, 1)
    meter.budget[:2] = [0, 0]

    assert match.value("greedy", 0) == 499_500
