"""What a link gives away: no page shows, and no answer holds, a token that is not for its reader."""

from __future__ import annotations

import json

import pytest
from studio.browsing import browse, has
from studio.sitting_down import Client


def secrets(tokens):
    return [*tokens["seat"], tokens["host"], tokens["watch"]]


def at_moves(number):
    return f'main.table[data-moves="{number}"]'


@pytest.mark.parametrize("who", ["host", "seat"])
def test_link_to_a_moment_lets_look_on_and_gives_no_seat_away(base, page, opened, who):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    browse.played(at, 3, 1)
    own = at.tokens["host"] if who == "host" else at.tokens["seat"][1]
    page.goto(f"{browse.address(base)}/t/{at.id}#{own}")
    page.get_by_role("button", name="Previous choice").click()
    page.wait_for_selector(at_moves(2))
    page.get_by_role("button", name="Copy link to this moment").click()
    link = page.get_by_label("Link", exact=True).input_value()

    assert link == f"{browse.address(base)}/t/{at.id}#{at.tokens['watch']}@2"
    other = opened()
    other.goto(link)
    other.wait_for_selector(at_moves(2))
    other.get_by_role("button", name="Back to now").click()
    other.wait_for_selector(at_moves(3))
    has(other.locator(".choice"), 0)


def test_another_moment_in_the_address_is_gone_to(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    browse.played(at, 4, 1)
    page.goto(at.link)
    page.wait_for_selector(at_moves(4))
    for number in (1, 3):
        page.evaluate(f"location.hash = '@{number}'")
        page.wait_for_selector(at_moves(number))
    page.go_back()
    page.wait_for_selector(at_moves(1))


def test_address_shows_no_token_and_still_leads_to_the_seat(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    bare = f"{browse.address(base)}/t/{at.id}"
    page.goto(at.link)
    page.wait_for_selector(at_moves(0))

    assert page.url == bare
    page.reload()
    page.wait_for_selector(".choice")
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.locator(f'.tables a[href*="{at.id}"]').wait_for()
    assert browse.OWNER not in page.url


def test_who_looks_at_a_shared_link_keeps_the_seat_in_other_tabs(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    bare = f"{browse.address(base)}/t/{at.id}"
    page.goto(f"{bare}#{at.tokens['seat'][0]}")
    page.wait_for_selector(".choice")
    looking = page.context.new_page()
    looking.goto(f"{bare}#{at.tokens['watch']}@0")
    looking.wait_for_selector(at_moves(0))
    has(looking.locator(".choice"), 0)
    third = page.context.new_page()
    third.goto(bare)

    third.wait_for_selector(".choice")
    looking.reload()
    looking.wait_for_selector(at_moves(0))
    has(looking.locator(".choice"), 0)


def test_two_seats_in_two_tabs_stay_apart_when_they_are_read_again(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    tabs = [page, page.context.new_page()]
    for seat, tab in enumerate(tabs):
        tab.goto(f"{browse.address(base)}/t/{at.id}#{at.tokens['seat'][seat]}")
        tab.wait_for_selector(at_moves(0))
    for tab, choices in zip(tabs, (9, 0), strict=True):
        tab.reload()
        tab.wait_for_selector(at_moves(0))
        has(tab.locator(".choice"), choices)


def test_no_response_contains_a_token_that_is_not_for_the_client():
    with Client() as client:
        at = client.table("tic_tac_toe")
        for cell in ("a1", "b1", "a2", "b2", "a3"):  # after the end everything may be asked for
            at.move(cell)
        tokens = at.tokens
        doors = ["", "/at/1", "/telling", "/save", "/save?seat=", "/inspect", "/record", "/source?entry=match"]
        for who in (tokens["host"], tokens["seat"][0], tokens["watch"]):
            for door in doors:
                told = client.ask("GET", at.path + door, who).text
                assert not [one for one in secrets(tokens) if one in told], door
        for who in (tokens["seat"][0], tokens["watch"]):
            assert client.get(f"{at.path}/tokens", who) == {"watch": tokens["watch"]}
        named = client.ask("POST", f"{at.path}/seats/0", tokens["seat"][0], json={"name": "Anna"}).text
        assert not [one for one in secrets(tokens) if one in named]
        left = [None, tokens["seat"][1]]  # a player sits on the first seat now, and no other player may have that link
        assert client.get(f"{at.path}/tokens", tokens["host"]) == {**tokens, "seat": left}


@pytest.mark.deep
def test_stream_holds_no_token():
    with Client() as client:
        at = client.table("leduc_poker")
        told = json.dumps([at.state(token) for token in secrets(at.tokens)])
        assert not [one for one in secrets(at.tokens) if one in told]


def test_wrong_link_is_forgotten_and_the_tab_goes_on_as_before(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    bare = f"{browse.address(base)}/t/{at.id}"
    page.goto(f"{bare}#{at.tokens['seat'][0]}")
    page.wait_for_selector(".choice")
    page.faults.clear()
    page.goto("about:blank")
    page.goto(f"{bare}#no-such-token")
    page.get_by_text("This browser has forgotten the link.").wait_for()

    assert page.url == bare
    page.get_by_role("link", name="Continue with the link that this browser used before").click()
    page.wait_for_selector(".choice")
    page.faults = [fault for fault in page.faults if not fault.startswith("401")]


def test_where_a_wrong_link_comes_first_the_owner_may_look_on_and_a_right_one_opens(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    bare = f"{browse.address(base)}/t/{at.id}"
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.locator(".tables").wait_for()
    page.goto(f"{bare}#no-such-token")
    page.get_by_role("link", name="Watch").click()
    page.wait_for_selector(at_moves(0))
    has(page.locator(".choice"), 0)

    page.goto(f"{bare}#another")
    page.get_by_text("This browser has forgotten the link.").wait_for()
    page.goto(f"{bare}#{at.tokens['seat'][0]}")
    page.wait_for_selector(".choice")
    page.reload()
    page.wait_for_selector(".choice")
    page.faults = [fault for fault in page.faults if not fault.startswith("401")]
