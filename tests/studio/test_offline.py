"""Playing in the page alone: equal digests at every choice, and no request once a match has begun."""

from __future__ import annotations

import random

import pytest
from studio.browsing import browse

import patolli
from patolli.studio.offline import package_of
from patolli.studio.refusals import Refused
from patolli.studio.scene import named_by

STEPS = """async ([pack, players, seed, picks]) => {
  const { Match } = await import("/static/native.js");
  const given = await (await fetch(`/api/offline/${pack}?players=${players}`)).json();
  const match = await Match.begin(given, seed);
  const found = [];
  for (const pick of picks) {
    found.push([match.seat, match.options.map((one) => [one.label, one.at]), await match.digest()]);
    if (match.over) break;
    match.answer(pick % match.values.length);
  }
  return found;
}"""


@pytest.mark.parametrize("pack", ["tic_tac_toe", "connect_four", "chess", "go"])
def test_every_step_is_that_of_the_server(base, page, pack):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    picks = [random.Random(number).randrange(1000) for number in range(60)]
    found = page.evaluate(STEPS, [pack, 2, 7, picks])

    match = patolli.load(pack).start(2, seed=7)
    for pick, (seat, labels, digest) in zip(picks, found, strict=False):
        assert digest == match.digest()
        if match.over:
            break
        decision = match.decision
        named = [[option.label, named_by(match, decision.player, option)] for option in decision.options]
        assert (seat, labels) == (decision.player, named)
        match.pick(pick % len(match.pending))
    assert len(found) > 5


def test_a_match_is_played_without_the_server_and_goes_on_at_a_table(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("button", name="Connect four").click()
    page.get_by_role("link", name="Play in this page alone").click()
    page.wait_for_selector("main.table")
    page.context.set_offline(True)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    for move in range(3):
        page.locator(".choice").first.click()
        page.wait_for_selector(f'main.table[data-moves="{2 * move + 2}"]')
    page.locator("svg.grid .cell.can").last.click()
    page.wait_for_selector('main.table[data-moves="8"]')
    assert sent == []

    page.context.set_offline(False)
    page.get_by_role("button", name="Go on at a table").click()
    page.wait_for_selector('main.table[data-revision="8"]')


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
