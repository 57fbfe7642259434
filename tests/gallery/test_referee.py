"""The table of the gallery: all games in one run, what they were compared with, and how fast both sides are."""

from __future__ import annotations

import lockstep
import pytest
import referee
from lockstep import openspiel
from own import GAMES

from patolli.language.packs.discovery import find_content_folder, packs_in

GALLERY = {folder.name for folder in packs_in(find_content_folder() / "gallery")}


def rows(text):
    """Return the rows of a table in markdown, each by its heads."""
    head, _, *lines = [[cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line]
    return {line[0]: dict(zip(head, line, strict=True)) for line in lines}


def test_every_game_of_the_gallery_is_refereed():
    assert {subject.pack for subject in referee.subjects()} >= GALLERY
    assert {game.pack for game in GAMES} == GALLERY - {judge.pack for judge in lockstep.referees()}


def test_table_in_one_run(capsys, monkeypatch):
    monkeypatch.setattr(referee, "SLICE", 0.01)
    games = ["pig", "othello", "curios"] if openspiel() is not None else ["curios"]

    assert referee.main([*games, "--matches", "2", "--markdown"]) == 0
    found = rows(capsys.readouterr().out)
    if openspiel() is not None:
        assert set(found) == {"othello", "pig", "pig 3 players", "curios"}
        assert all(float(found[name]["theirs/s"].replace(",", "")) > 0 for name in ("othello", "pig"))
        assert (found["othello"]["matches"], found["othello"]["against"]) == ("2", "OpenSpiel")
    assert (found["curios"]["against"], found["curios"]["theirs/s"]) == ("our oracle", "-")
    assert all(int(row["decisions"].replace(",", "")) > 10 and row["differences"] == "0" for row in found.values())
    assert all(float(row["ours/s"].replace(",", "")) > 0 for row in found.values())
    assert all(1 <= int(row["minutes"]) <= 60 for row in found.values())


def test_difference_is_reported_and_is_a_failure(capsys, monkeypatch):
    from curios import WORTH

    monkeypatch.setitem(WORTH, 1, 2)

    assert referee.main(["curios", "--matches", "3", "--no-speed"]) == 1
    assert "curios, seed 0: " in capsys.readouterr().out


def test_unknown_game_is_reported_with_those_that_there_are(capsys):
    with pytest.raises(SystemExit):
        referee.main(["chequers"])
    assert "no referee for chequers; there are: " in capsys.readouterr().err
