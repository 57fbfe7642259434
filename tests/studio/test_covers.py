"""Covers of games, meters, levels of maps, and hints: what the page gets of them."""

from __future__ import annotations

import shutil

import pytest

import patolli
from patolli.language.packs.discovery import find
from patolli.play.players import Advice, Considered, adviser
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene
from patolli.serve.studio import covers
from patolli.serve.studio.advice_hints import describe_hint
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.covers import draw_cover, find_cover
from patolli.serve.studio.previews import Outcomes
from patolli.serve.studio.scene import scene_of


def panel_of(match, name):
    return next(panel for panel in scene_of(match, 0)["panels"] if panel["id"] == name)


def test_cover_is_the_declared_panel_of_a_match_that_is_the_same_each_time(subtests):
    for pack, panel in {
        "tic_tac_toe": "board",
        "patolli": "board",
        "goofspiel": "hand",
        "high_water": "villages",
    }.items():
        with subtests.test(pack=pack):
            rules = patolli.load(pack)
            scene = draw_cover(rules)
            assert [one["id"] for one in scene["panels"]] == [panel]
            assert draw_cover(rules) == scene


def test_cover_is_drawn_again_only_if_the_files_of_its_game_change(tmp_path, monkeypatch):
    folder = tmp_path / "my_game"
    shutil.copytree(find("tic_tac_toe"), folder)
    monkeypatch.setattr(covers, "load", lambda pack: loads.append(pack) or patolli.load(folder))
    monkeypatch.setattr(covers, "_covers", {})
    loads = []
    first = find_cover("my_game")
    assert find_cover("my_game") is first
    assert len(loads) == 1

    panels = folder / "panels.yaml"
    panels.write_text(panels.read_text("utf-8") + "# edited\n", "utf-8")
    assert find_cover("my_game") == first
    assert len(loads) == 2


def test_no_cover_for_what_cannot_be_loaded():
    assert find_cover("no_such_game") == {"scene": None}
    assert find_cover("../content/chess") == {"scene": None}


def test_list_of_games_says_how_long_and_how_hard():
    games = {one["id"]: one for one in catalogue()}
    assert (games["chess"]["minutes"], games["chess"]["weight"]) == (40, 3)
    assert all("minutes" in one and "weight" in one for one in games.values())


def test_meter_takes_its_limit_from_an_option():
    for floods in (10, 12):
        match = patolli.load("high_water", options={"floods": floods}).start(2, 1)
        items = {item["id"]: item for item in panel_of(match, "state")["items"]}
        assert items["counter:flood"]["limit"] == {"at": floods, "end": "lost", "reason": "The marsh is under water."}
        assert "limit" not in items["counter:action"]


def test_map_says_which_fact_fills_its_places():
    panel = panel_of(patolli.load("high_water").start(2, 1), "villages")
    assert panel["level"] == {"fact": "water", "most": 3, "colour": "blue"}
    assert panel["rim"] == "shore"


@pytest.fixture
def outcomes():
    def of(pack, choices):
        match = patolli.load(pack).start(2, 4)
        for label in choices:
            match.choose(label)
        assert match.decision is not None
        found = Outcomes(Hints(Scene(match, match.decision.player), match.decision))
        return {option.words: found.of(option) for option in match.decision.options}

    return of


def test_outcome_of_an_option_is_what_will_lie_in_the_places_that_it_names(outcomes):
    moved = outcomes("chess", ["e2 -> e4"])["b8 to c6"]
    assert [(place, marks[0]["id"]) for place, marks in moved.items()] == [("cell:c6", "man:black_knight")]
    assert outcomes("tic_tac_toe", ["b2"])["a1"]["cell:a1"][0]["owner"] == 1


def test_outcome_says_nothing_that_only_some_worlds_have(outcomes):
    turned = outcomes("drystone", [0])
    assert all(marks[0]["tile"] for lies in turned.values() for marks in lies.values())
    assert len({str(lies) for lies in turned.values() if lies}) == len(turned) > 1
    fired = outcomes("battleship", [0] * 12)
    assert len(fired) > 4
    assert not any(fired.values()), "whether a shot hits is not known before"


def test_hint_names_the_best_option_and_why():
    match = patolli.load("tic_tac_toe").start(2, 1)
    for cell in ("a1", "b1", "a2", "b2"):
        match.choose(cell)
    told = describe_hint(match.advice(adviser("mcts:200")))
    assert match.decision.options[told["index"]].label == "a3"
    assert told["reason"] == "It wins for certain."

    rated = [Considered(n, word, word, 50, value, None, "", ()) for n, word, value in ((1, "b", 0.6), (0, "a", 0.4))]
    assert describe_hint(Advice(0, 100, tuple(rated))) == {
        "index": 1, "words": "b", "reason": "It is worth 60 % of a win in 50 imagined matches; a: 40 %.",
    }  # fmt: skip
