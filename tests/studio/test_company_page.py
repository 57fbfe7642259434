"""What people at different screens do together in a browser: the chat, a rematch, and being called to their turn."""

from __future__ import annotations

import re

import pytest
from studio.browsing import browse, has, says

from patolli.serve.studio import clocks

pytestmark = pytest.mark.deep
MOVES = ("a1", "a2", "b1", "b2", "c1")
"""A match of tic-tac-toe that the first player wins."""
WATCHED = """
  Object.defineProperty(document, 'hidden', { get: () => Boolean(window.elsewhere) });
  window.shown = [];
  window.Notification = class {
    static permission = 'default';
    static async requestPermission() { return (Notification.permission = 'granted'); }
    constructor(title, { body }) { this.title = title; this.body = body; shown.push(this); }
    close() { this.closed = true; }
  };
  window.focus = () => { window.called = true; };
"""
"""A browser whose window lies behind others, if the test says so, and that keeps its notifications."""


def seated(base, opened, pack="tic_tac_toe", **more):
    """A table with a page for each of two players and for a spectator."""
    at = browse.At(base, pack, 2, seed=1, seats=[{"name": "Ada"}, {"name": "Bob"}], **more)
    pages = [opened() for _ in range(3)]
    for page, token in zip(pages, (*at.tokens["seat"], at.tokens["watch"]), strict=True):
        page.add_init_script(WATCHED)
        page.goto(f"{browse.address(base)}/t/{at.id}#{token}")
        page.wait_for_selector("main.table")
    return at, pages


def choose(page, cell):
    page.locator(f'[data-place="cell:{cell}"].can').click()


def test_chat_by_keyboard_between_players_and_not_for_spectators(base, opened):
    _, (ada, bob, watcher) = seated(base, opened)
    for page in (ada, watcher):
        page.locator(".chat summary").focus()
        page.keyboard.press("Enter")
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")
    assert ada.evaluate("document.activeElement.getAttribute('aria-label')") == "Message to players"
    ada.keyboard.type("u <b>first</b> & good luck")
    ada.keyboard.press("Enter")

    bob.locator(".chat .count").wait_for()
    says(bob.locator("#news"), "Ada writes: u <b>first</b> & good luck")
    assert ada.get_by_label("Message to players").input_value() == ""
    assert "writes" not in ada.locator("#news").inner_text()
    watcher.keyboard.type("who wins?")
    watcher.keyboard.press("Enter")
    watcher.locator(".chat .lines p").wait_for()
    says(watcher.locator(".chat .lines"), "Spectator: who wins?")

    bob.reload()
    bob.locator(".chat summary").click()
    has(bob.locator(".chat .lines p"), 1)
    says(bob.locator(".chat .lines"), "Ada: u <b>first</b> & good luck")
    has(bob.locator(".chat b"), 1)
    for page in (bob, watcher):
        axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
        assert [one["id"] for one in axe.run(page).response["violations"]] == []


def test_refused_message_stays_in_its_field(base, opened):
    at, (ada, *_) = seated(base, opened)
    ada.locator(".chat summary").click()
    field = ada.get_by_label("Message to players")
    for number in range(5):
        at.ask(
            "POST", f"/api/tables/{at.id}/chat", at.tokens["seat"][0], json={"words": f"{number}", "key": f"{number}"}
        )
    has(ada.locator(".chat .lines p"), 5)
    field.fill("too many")
    field.press("Enter")

    ada.get_by_text("Too many messages at once").wait_for()
    assert field.input_value() == "too many"
    ada.faults.clear()  # the browser reports the refused request


def test_alone_with_bots_there_is_no_chat(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1, seats=[{}, {"bot": "random"}])
    page.goto(at.link)
    page.wait_for_selector("main.table")
    page.locator(".choice").first.click()
    page.wait_for_selector('main.table[data-moves="2"]')  # the stream has sent several events

    has(page.locator(".chat"), 0)


def test_rematch_by_clicks_brings_everyone_to_the_new_table(base, opened):
    at, pages = seated(base, opened)
    ada, bob, watcher = pages
    for number, cell in enumerate(MOVES):
        choose((ada, bob)[number % 2], cell)
    for page in pages:
        page.locator(".play-again").wait_for()
    has(watcher.get_by_role("button", name="Rematch"), 0)
    bob.get_by_role("button", name="Rematch").click()
    bob.wait_for_selector('main.table[data-moves="0"]')
    ada.get_by_role("button", name="Join the rematch").click()
    watcher.get_by_role("button", name="Watch the rematch").click()
    for page in (ada, watcher):
        page.wait_for_selector('main.table[data-moves="0"]')

    assert len({page.url.split("#")[0] for page in pages}) == 1
    assert at.id not in ada.url
    has(bob.locator(".choice"), 9)
    has(ada.locator(".choice"), 0)
    choose(bob, "b2")
    ada.wait_for_selector('main.table[data-moves="1"]')
    has(ada.locator(".choice"), 8)


def test_notification_calls_to_the_turn_and_leads_back(base, opened):
    _, (ada, bob, _) = seated(base, opened)
    bob.locator("details.people summary").click()
    bob.get_by_role("checkbox", name="Notification").click()
    has(bob.locator("details.people .pick input:checked"), 1)
    choose(ada, "a1")
    bob.wait_for_selector('main.table[data-moves="1"]')
    assert bob.evaluate("shown.length") == 0, "who looks at the table needs no call"
    choose(bob, "a2")
    bob.evaluate("window.elsewhere = true")
    choose(ada, "b1")
    bob.wait_for_selector('main.table[data-moves="3"]')
    assert bob.evaluate("shown.length") == 1

    assert bob.evaluate("[shown[0].title, shown[0].body]") == [
        "Tic-tac-toe: your move",
        bob.locator("#asked").inner_text(),
    ]
    assert re.match("● ", bob.title())
    bob.evaluate("shown[0].onclick()")
    assert bob.evaluate("[window.called, shown[0].closed]") == [True, True]
    assert ada.evaluate("shown.length") == 0, "only people who asked for it are called"


def test_bot_takes_over_for_who_leaves_and_hands_back(base, opened):
    at, (ada, bob, _) = seated(base, opened)
    host = opened()
    host.goto(at.link)
    host.locator("details.people summary").click()
    choose(ada, "a1")
    bob.wait_for_selector('main.table[data-moves="1"]')
    host.get_by_label("Bob is played by").select_option("random")
    for page in (ada, bob):
        page.wait_for_selector('main.table[data-moves="2"]')
    has(ada.locator(".choice"), 7)
    has(bob.locator(".choice"), 0)
    bob.get_by_role("button", name="Take over from the bot").click()
    has(bob.get_by_role("button", name="Take over from the bot"), 0)
    ada.locator(".choice").first.click()
    bob.wait_for_selector('main.table[data-moves="3"]')

    has(bob.locator(".choice"), 6)
    host.get_by_label("Bob is played by").select_option("random")
    for page in (ada, bob):
        page.wait_for_selector('main.table[data-moves="4"]')
    host.get_by_label("Bob is played by").select_option("")
    has(bob.get_by_role("button", name="Take over from the bot"), 0)


def test_a_clock_ticks_on_the_page_and_a_player_whose_time_was_up_comes_back(base, opened, monkeypatch):
    moment = clocks.now
    at, (ada, bob, watcher) = seated(base, opened, clock={"seconds": 600, "increment": 5})
    choose(ada, "a1")
    choose(bob, "b1")
    times = watcher.locator(".left")
    has(watcher.locator(".left.runs"), 1)
    before = times.all_inner_texts()
    assert before[1] == "10:05"
    asked = []
    watcher.on("request", lambda request: asked.append(request.url))
    watcher.wait_for_function("before => document.querySelector('.left').textContent !== before", arg=before[0])
    assert asked == [], "the page counts down without the server"
    assert watcher.get_by_role("timer", name="Time of Ada").count() == 1

    monkeypatch.setattr(clocks, "now", lambda: moment() + 600)
    at.state()
    ada.reload()
    has(ada.locator(".left.low"), 1)
    monkeypatch.setattr(clocks, "now", lambda: moment() + 700)
    says(ada.locator(".banner"), "Time is up for Ada, so a bot plays now.")
    has(bob.locator(".status.mine"), 1)
    ada.get_by_text("Take over from the bot").click()
    has(ada.locator(".left.low"), 1)
    choose(bob, "c3")
    has(ada.locator(".status.mine"), 1)
