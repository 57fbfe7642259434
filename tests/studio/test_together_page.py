"""Several things are chosen on the page in any order; a save that does not say who plays is asked about there."""

from __future__ import annotations

import pytest
from studio.browsing import browse, has

import patolli

EVERY = ".choice:not([data-place='answer:-1'])"


@pytest.fixture
def choosing(base, page):
    """A table at which two of the hand are given away, and its page."""
    at = browse.At(base, "promises", 3, seed=3)
    page.goto(at.link)
    page.wait_for_selector("main.table, main.cover")
    if page.locator("#mine").count():
        page.click("#mine")
    page.wait_for_selector(".choice")
    return at, page


def test_the_last_of_the_hand_can_be_chosen_first(choosing):
    at, page = choosing
    decision = at.state()["decision"]
    number = len(decision["options"]) + len(decision["later"])
    has(page.locator(EVERY), number)
    last, first = page.locator(EVERY).last.inner_text(), page.locator(EVERY).first
    page.locator(EVERY).last.click()

    page.wait_for_selector("main.table[data-chosen='1']")
    has(page.locator(EVERY), number - 1)
    assert page.locator(".gathered button").inner_text()[:-2] in last
    assert at.state()["moves"] == 0
    first.click()
    page.wait_for_selector("main.table:not([data-moves='0']), main.cover")


def test_what_was_chosen_can_be_left_again(choosing):
    at, page = choosing
    number = page.locator(EVERY).count()
    page.locator(EVERY).nth(2).click()
    page.locator(".gathered button").click()

    has(page.locator(EVERY), number)
    has(page.locator(".gathered"), 0)
    assert at.state()["moves"] == 0


def test_a_save_without_bots_is_asked_about(base, page, tmp_path):
    save = tmp_path / "save.json"
    save.write_text(patolli.load("tic_tac_toe").start(players=2, seed=1).to_json())
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.locator("input[type=file]").set_input_files(save)
    page.get_by_label("player 2 is played by").select_option("bot: easy")
    page.get_by_role("button", name="Continue", exact=True).click()

    page.wait_for_selector("main.table")
    page.locator(".seats", has_text="bot").wait_for()
