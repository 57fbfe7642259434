"""The same bytes play the same matches in a browser."""

from __future__ import annotations

import shutil
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

import patolli
from patolli.kernel.budget import meter
from patolli.measure.simulation import playout
from patolli.run.native import memory
from patolli.run.native.linker import Linker
from patolli.run.native.program import source_of

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PLAYER = Path(__file__).with_name("player.js")
PLACES = ("FLOOR", "WHOLE", "TOP")


@pytest.fixture(scope="module")
def page():
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=[*flags, "--disable-component-update"])
        page = browser.new_page()
        page.route("**/*", lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
        page.goto("https://player.test/")  # hashes are for pages that came safely
        page.add_script_tag(content=PLAYER.read_text("utf-8"))
        yield page
        browser.close()


def given(rules: patolli.Ruleset, seats: int) -> dict[str, Any]:
    linker = Linker(source_of(rules, seats))
    module = b64encode(linker.link()).decode()
    places = {name: getattr(memory, name) for name in PLACES}
    return {
        "module": module, "floor": linker.floor, "streams": list(linker.streams()), "memory": places,
        "whole": meter.whole[1],
    }  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize(
    ("pack", "players", "games"),
    [("connect_four", 2, 20), ("patolli", 3, 10), ("curios", 3, 10), ("city_of_gods", 2, 4)],
)
def test_matches_are_the_same_in_a_browser(page, pack, players, games):
    rules = patolli.load(pack)
    seats = players + rules.model.automated
    found = page.evaluate(
        "([given, seeds, limit]) => playAll(given, seeds, limit)", [given(rules, seats), list(range(games)), 10_000]
    )
    for seed, (status, choices, measures, digest) in enumerate(found):
        match = playout(rules, players, seed)
        assert (status, choices, digest) == (1, len(match.choices), match.digest())
        assert measures[:seats] == match.scores
    assert len(found) == games


@pytest.mark.deep
def test_match_that_is_left_says_so(page):
    rules = patolli.load("patolli")
    ((status, choices, measures, digest),) = page.evaluate(
        "([given, seeds, limit]) => playAll(given, seeds, limit)", [given(rules, 2), [3], 5]
    )
    assert (status, choices, measures) == (0, 5, [])
    assert digest == playout(rules, 2, 3, limit=5).digest()
