"""The file of a match that is open in two windows: nothing that either has played is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sitting import Sat, sit

import patolli
from patolli.play.terminal.save_keeper import Keeper
from patolli.run.runtime import write_save


@pytest.fixture(scope="module")
def ticks() -> patolli.Ruleset:
    return patolli.load("tic_tac_toe")


class Windows:
    """Two windows on one match of two people: the other one plays while this one waits for a line."""

    def __init__(self, rules: patolli.Ruleset, folder: Path) -> None:
        self.rules, self.file = rules, folder / "match.json"
        self.match = rules.start(2, 1)
        self.text = write_save(self.match, self.file)

    def other(self, *labels: str) -> None:
        """Let the other window go on."""
        match = self.rules.restore(self.file.read_text())
        for label in labels:
            match.choose(label)
            write_save(match, self.file)

    def sit(self, *typed: str | tuple[str, ...]) -> Sat:
        """Play here; where labels stand in a tuple, the other window plays them before the next line is typed."""

        def lines() -> object:
            for line in typed:
                if isinstance(line, tuple):
                    self.other(*line)
                else:
                    yield line

        keeper = Keeper(self.file, self.text)
        return sit(self.rules, lines(), "human human", match=self.match, keeper=keeper)  # type: ignore[arg-type]

    def played(self, name: str = "match.json") -> str:
        """What was chosen in the match of a file."""
        again, labels = self.rules.start(2, 1), []
        for choice in json.loads(self.file.with_name(name).read_text())["choices"]:
            labels.append(again.decision.options[choice].label)
            again.choose(choice)
        return " ".join(labels)


@pytest.fixture
def windows(ticks, tmp_path) -> Windows:
    return Windows(ticks, tmp_path)


def test_one_window_alone_is_never_told_of_another(windows):
    sat = windows.sit("a1", "b1", "c1", "save", "c2")

    assert "another window" not in sat.text
    assert windows.played() == "a1 b1 c1 c2"
    assert sorted(path.name for path in windows.file.parent.iterdir()) == ["match.json"]


def test_what_the_other_window_has_written_is_not_written_over(windows):
    sat = windows.sit("a1", ("b2", "c3"), "b1")

    assert windows.played() == "a1 b2 c3"
    told = sat.text.partition("another window has continued")[2]
    assert ": 3 choices there, 2 here; 'reload' loads the other one" in " ".join(told.split())
    assert windows.played("match-2.json") == "a1 b1"  # kept when this window was closed
    assert "match-2.json" in "".join(sat.text.rpartition("The match is saved in")[2].split())  # paths may be broken


def test_it_is_noticed_before_anything_is_chosen(windows):
    sat = windows.sit("a1", ("b2",), "show board", "reload")

    assert "another window has continued" in sat.asked[2]
    assert len(sat.session.match.choices) == 2
    assert sorted(path.name for path in windows.file.parent.iterdir()) == ["match.json"]


def test_going_on_with_the_other_keeps_what_was_played_here(windows):
    sat = windows.sit("a1", ("b2",), "b1", "reload", "c3")

    assert windows.played() == "a1 b2 c3"
    assert windows.played("match-2.json") == "a1 b1"
    assert len(sat.session.match.choices) == 3


def test_saving_over_the_other_keeps_it(windows):
    windows.sit("a1", ("b2",), "b1", "save", "c1")

    assert windows.played() == "a1 b1 c1"
    assert windows.played("match-2.json") == "a1 b2"


def test_saving_elsewhere_keeps_it_there_from_then_on(windows):
    other = windows.file.with_name("other.json")
    windows.sit("a1", ("b2",), "b1", f"save {other}", "c1")

    assert windows.played() == "a1 b2"
    assert windows.played("other.json") == "a1 b1 c1"


def test_saving_elsewhere_that_fails_changes_nothing(windows):
    sat = windows.sit("a1", ("b2",), "b1", f"save {windows.file.parent / 'none' / 'other.json'}", "reload", "c3")

    assert "cannot be written" in sat.text
    assert "no other window has changed" not in sat.text
    assert windows.played() == "a1 b2 c3"
    assert windows.played("match-2.json") == "a1 b1"


def test_window_that_was_only_left_behind_leaves_the_other_alone(windows):
    sat = windows.sit("a1", ("b2",))

    assert windows.played() == "a1 b2"
    assert sorted(path.name for path in windows.file.parent.iterdir()) == ["match.json"]
    assert "run the same command again" in " ".join(sat.text.split())


def test_file_that_is_no_match_any_more_is_not_lost(windows):
    def lines():
        yield "a1"
        windows.file.write_text("notes")
        yield "b1"
        yield "reload"

    sat = sit(windows.rules, lines(), "human human", match=windows.match, keeper=Keeper(windows.file, windows.text))

    assert "something else has been written to" in sat.text
    assert "this is not a save" in " ".join(sat.text.split())
    assert windows.file.read_text() == "notes"
    assert windows.played("match-2.json") == "a1 b1"


def test_file_that_is_gone_is_written_again(windows):
    def lines():
        yield "a1"
        windows.file.unlink()
        yield "b1"

    sit(windows.rules, lines(), "human human", match=windows.match, keeper=Keeper(windows.file, windows.text))

    assert windows.played() == "a1 b1"


def test_nothing_to_reload(windows):
    assert "no other window has changed the file of this match" in windows.sit("reload").text
