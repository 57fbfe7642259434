"""Playing in the page alone: equal digests at every choice, and no request once a match has begun."""

from __future__ import annotations

import json
import random

import pytest
from studio.browsing import browse

import patolli
from patolli.serve.studio.offline import package_of
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.scene import named_by, scene_of

STEPS = """async ([pack, players, seed, picks]) => {
  const { Match } = await import("/static/native.js");
  const given = await (await fetch(`/api/offline/${pack}?players=${players}`)).json();
  const match = await Match.begin(given, seed);
  const found = [];
  for (const pick of picks) {
    const { panels } = match.scene;
    found.push([match.seat, match.options.map((one) => [one.label, one.words, one.at]), await match.digest(), panels]);
    if (match.over) break;
    if (found.length % 7 === 0) match.think(5); // which changes nothing
    match.answer(pick % match.values.length);
  }
  return found;
}"""


@pytest.mark.parametrize("pack", ["tic_tac_toe", "backgammon", "chess", "dots_and_boxes", "pig"])
def test_every_step_is_that_of_the_server(base, page, pack):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    picks = [random.Random(number).randrange(1000) for number in range(60)]
    found = page.evaluate(STEPS, [pack, 2, 7, picks])

    match = patolli.load(pack).start(2, seed=7)
    for pick, (seat, labels, digest, panels) in zip(picks, found, strict=False):
        assert digest == match.digest()
        there = {panel["id"]: panel for panel in json.loads(json.dumps(scene_of(match, 0)["panels"]))}
        assert panels
        assert panels == [there[panel["id"]] for panel in panels]
        if match.over:
            break
        decision = match.decision
        named = [[option.label, option.words, named_by(match, decision.player, option)] for option in decision.options]
        assert (seat, labels) == (decision.player, named)
        match.pick(pick % len(match.pending))
    assert len(found) > 5


def at_rest(moves):
    return f'main.table[data-moves="{moves}"]:not([data-busy])'


def test_a_match_is_played_without_the_server_and_goes_on_at_a_table(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("button", name="Connect four").click()
    page.get_by_role("link", name="Play offline").click()
    page.wait_for_selector(at_rest(0))
    page.context.set_offline(True)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    for move in range(3):
        page.locator(".choice").first.click()
        page.wait_for_selector(at_rest(2 * move + 2))
    page.locator("svg.grid .cell.can").last.click()
    page.wait_for_selector(at_rest(8))
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector(at_rest(6))
    assert sent == []

    page.context.set_offline(False)
    page.get_by_role("button", name="Continue at a table on the server").click()
    page.wait_for_selector('main.table[data-revision="6"]')


def test_what_chance_has_decided_is_not_undone(base, page):
    page.goto(f"{browse.address(base)}/offline/pig?players=2#{browse.OWNER}")
    page.wait_for_selector(at_rest(0))
    page.locator(".choice", has_text="roll").click()
    page.get_by_text("something random happened since").wait_for()

    assert page.get_by_role("button", name="Undo").is_disabled()


ENDS = """async ([pack, seed]) => {
  const { Match } = await import("/static/native.js");
  const given = await (await fetch(`/api/offline/${pack}?players=2`)).json();
  const match = await Match.begin(given, seed);
  while (!match.over) match.answer(match.choices.length * 7919 % match.values.length);
  return [match.choices, match.results];
}"""


@pytest.mark.parametrize(("pack", "seed"), [("othello", 3), ("tic_tac_toe", 1), ("hex", 2), ("pig", 5)])
def test_the_page_says_who_has_won(base, page, pack, seed):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    choices, results = page.evaluate(ENDS, [pack, seed])

    match = patolli.load(pack).replay(2, seed, choices)
    assert match.over
    assert results == {"winners": list(match.winners), "scores": list(match.scores)}


WINS = """async () => {
  const { Match } = await import("/static/native.js");
  const given = await (await fetch("/api/offline/tic_tac_toe?players=2")).json();
  const match = await Match.begin(given, 1);
  for (const label of ["a1", "b1", "a2", "b2"]) match.answer(match.options.findIndex((one) => one.label === label));
  const before = await match.digest();
  const found = match.options[match.think(200)].label;
  return [found, before === await match.digest()];
}"""


def test_who_thinks_takes_the_win_that_is_there(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")

    assert page.evaluate(WINS) == ["a3", True]


@pytest.mark.parametrize(
    ("pack", "words"),
    [
        pytest.param("battleship", "secrets", id="secrets"),
        pytest.param("city_of_gods", "not played without the server", id="a large game"),
    ],
)
def test_what_cannot_be_played_so_says_why(pack, words):
    with pytest.raises(Refused) as caught:
        package_of(patolli.load(pack), 2)

    assert words in caught.value.words


def test_without_the_assembler_it_says_what_is_missing(monkeypatch):
    monkeypatch.setattr("patolli.run.native.machines.there", lambda: False)
    with pytest.raises(Refused, match=r"wasmtime is missing on the server; pip install"):
        package_of(patolli.load("tic_tac_toe"), 2)


@pytest.mark.parametrize(
    ("pack", "players", "why"),
    [
        pytest.param("connect_four", 2, "", id="it can be"),
        pytest.param("connect_four", 5, "for 2 players, not 5", id="too many"),
        pytest.param("goofspiel", 2, "it has secrets", id="seen at once"),
        pytest.param("patolli", 2, "what 'The board' shows", id="seen by drawing"),
    ],
)
def test_whether_a_game_is_played_in_the_page_is_reported_beforehand(base, pack, players, why):
    told = base.get(f"/api/offline/{pack}/may?players={players}").json()["why"]

    assert bool(told) == bool(why)
    assert why in told


def test_playing_in_the_page_is_offered_only_where_it_can_be(base, page):
    page.goto(f"{browse.address(base)}/?pack=goofspiel#{browse.OWNER}")
    page.get_by_text("More", exact=True).click()
    page.get_by_text("Offline play is not available: it has secrets").wait_for()
    assert page.get_by_role("link", name="Play offline").count() == 0
    page.goto(f"{browse.address(base)}/?pack=pig#{browse.OWNER}")
    page.get_by_role("link", name="Play offline").wait_for()
