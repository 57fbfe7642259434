"""Files that a user names are read as far as such files go, also where they have no end."""

from __future__ import annotations

from pathlib import Path

import pytest

from patolli.language.sources.bounded import read_bounded
from patolli.measure.lab.plans import read_plan

ZERO = Path("/dev/zero")
MUCH = "it has more than 50,000,000 bytes"


def test_file_is_read_up_to_the_most(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"x" * 10)

    assert read_bounded(file, 10) == b"x" * 10
    with pytest.raises(OSError, match="it has more than 9 bytes"):
        read_bounded(file, 9)


def test_plan_without_an_end():
    with pytest.raises(OSError, match=MUCH):
        read_plan(ZERO)


def test_ratings_without_an_end():
    from patolli.author.workspace import load
    from patolli.serve.studio.gallery.ratings import NoReport, read_ratings

    with pytest.raises(NoReport) as raised:
        read_ratings(ZERO, load("tic_tac_toe"))

    assert MUCH in str(raised.value.__cause__)


def test_what_was_learned_without_an_end(monkeypatch):
    from patolli.play.learning import files

    monkeypatch.setattr(files, "LARGEST", 1000)
    with pytest.raises(files.ModelError, match="it has more than 1,000 bytes"):
        files.read_arrays(ZERO)


def test_games_of_a_tournament_without_an_end():
    from patolli.measure.tournaments.ledger import Ledger, LedgerError

    with pytest.raises(LedgerError, match="does not contain the games of a tournament"):
        Ledger(ZERO, {}, lambda contest: True)
