"""Where a seat has its points from: all that it is ahead by comes from somewhere."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from tiers import few

from patolli.cli.main import main
from patolli.measure.lab import seats
from patolli.measure.lab.frame import Frame, open_run


@pytest.mark.parametrize("words", few([["content/gallery/pig", "--players", "3"], ["founders", "--players", "2"]], 0))
def test_sources_add_up_to_what_a_seat_is_ahead_by(tmp_path, words):
    """Also where rules give points to all at the end of the turn of one of them, or at the end of the match."""
    done = CliRunner().invoke(
        main, ["lab", "run", *words, "--games", "30", "--seed", "4", "--jobs", "1", "--out", str(tmp_path / "run")]
    )
    assert done.exit_code == 0, done.output
    frame = Frame(open_run(tmp_path / "run"), "base")

    for seat in range(frame.seats):
        found = seats._sources(frame, seat)
        assert len(found) > 2
        assert sum(points for _, points, _ in found) == pytest.approx(frame.ahead[:, seat].mean())


def test_where_no_player_counts_what_options_give_no_rest_is_reported(monkeypatch):
    class Even:
        """A run in which the first seat wins all, by three points."""

        wins = np.tile([1.0, 0.0], (50, 1))
        ahead = np.tile([3.0, -3.0], (50, 1))

    monkeypatch.setattr(seats, "_sources", lambda frame, seat: [(seats.START, 0.0, 0.0)])

    assert seats._reason(Even(), None, 0) == ("", "")
