"""The table on a screen: what needs no scrolling, how cards and effects look, what a phone shows, what the recap tells."""

from __future__ import annotations

import re

import pytest
from studio.browsing import at_rest, browse, has

DESKTOP, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}
FITS = """() => ['html', '.stage'].map((one) => document.querySelector(one)).every((one) => one.scrollHeight <= one.clientHeight + 2)"""
"""Whether neither the page nor the table scrolls."""


def table(base, page, pack, players, choices, seed=3, **more):
    at = browse.At(base, pack, players, seed=seed, **more)
    browse.played(at, choices, seed)
    look(at, page)
    return at


def look(at, page):
    page.goto("about:blank")
    page.goto(at.link)
    page.wait_for_selector("main.table, main.cover")
    if page.locator("#mine").count():
        page.click("#mine")
    page.wait_for_selector("main.table")


@pytest.mark.parametrize(
    ("pack", "players", "scheme", "number"),
    [
        ("city_of_gods", 2, "light", 0),
        ("city_of_gods", 4, "dark", 90),
        ("founders", 2, "light", 30),
        ("founders", 4, "dark", 60),
    ],
)
def test_large_games_need_no_scrolling_and_have_no_barrier(base, opened, pack, players, scheme, number):
    page = opened(viewport=DESKTOP, color_scheme=scheme)
    table(base, page, pack, players, number)
    at_rest(page)
    assert page.evaluate(FITS)
    box = page.locator(".ask").bounding_box()
    assert box["y"] + box["height"] <= DESKTOP["height"]
    assert barriers(page) == []


@pytest.mark.parametrize("pack", ["city_of_gods", "promises", "high_water", "chess"])
def test_question_is_reached_on_a_phone_without_scrolling(base, opened, pack):
    page = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    table(base, page, pack, 3 if pack == "promises" else 2, 9)
    first = page.locator(".choice").first.bounding_box()

    assert first["y"] >= 0
    assert first["y"] + first["height"] <= PHONE["height"]
    assert min(one.bounding_box()["height"] for one in page.locator(".choice").all()[:12]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth + 1")


def test_map_stands_above_the_question_on_a_phone(base, opened):
    page = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    table(base, page, "high_water", 2, 0, seed=4)
    page.get_by_role("button", name="Got it").tap()
    has(page.locator(".guide"), 0)
    covered = page.locator(".ask").bounding_box()["y"]
    below = [one for one in page.locator(".disc").all() if one.bounding_box()["y"] > covered]
    assert len(below) <= 1, "with a long choice in the list, a place may stand below it"


def test_trick_keeps_its_places_before_the_first_card(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "promises", 3, 0)
    while not at.state()["decision"]["prompt"].startswith("Which card do you play"):
        at.move(0)
    look(at, page)
    has(page.locator(".laid .gap"), 3)
    has(page.get_by_text("your card"), 1)


def test_focused_choice_shows_what_it_lays(base, opened):
    page = opened(viewport=DESKTOP)
    table(base, page, "drystone", 2, 1)
    choice = page.locator(".choice").first
    has(choice.locator(".sided"), 1)
    choice.hover()
    has(page.locator(".cell.ghost .sided"), 1)
    page.mouse.move(0, 0)
    has(page.locator(".cell.ghost"), 0)


def test_click_on_the_side_of_a_tile_sends_a_piece_there(base, opened):
    page = opened(viewport=DESKTOP)
    at = browse.At(base, "drystone", 2, seed=3)
    while not any(id_.startswith("side:") for id_ in at.state()["decision"]["options"][0]["at"]):
        at.move(0)
    look(at, page)
    side = at.state()["decision"]["options"][0]["at"][-1]
    page.locator(f'.side.can[data-place="{side}"]').click()
    page.click("#mine")
    has(page.locator(f'.side[data-place="{side}"] .piece'), 1)


def test_first_touch_shows_what_a_choice_does_and_the_second_makes_it(base, opened):
    page = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    at = table(base, page, "chess", 2, 0)
    page.locator(".choice").first.tap()
    page.get_by_text("tap again to choose").wait_for()
    assert at.state()["moves"] == 0
    page.locator(".choice").first.tap()
    page.wait_for_selector('main.table[data-moves="1"]')


def test_phone_shows_own_goods_and_one_part_of_the_table_at_a_time(base, opened):
    page = opened(viewport=PHONE, has_touch=True, is_mobile=True)
    table(base, page, "city_of_gods", 4, 60)
    tabs = page.get_by_role("tab")
    assert tabs.first.get_attribute("aria-selected") == "true"
    assert page.locator(".own-goods dd").count() > 4
    assert page.locator(".overview button").count() == 8
    pyramid = page.get_by_role("tab", name="Pyramid")
    pyramid.tap()
    page.wait_for_selector(".tabbed svg.grid")
    assert page.locator(".overview").count() == 0
    assert min(one.bounding_box()["height"] for one in tabs.all()) >= 44
    page.keyboard.press("ArrowLeft")
    page.wait_for_selector(".overview")


def test_plates_show_a_row_whose_numbers_are_those_of_the_score_by_chance(base, opened):
    page = opened(viewport=DESKTOP)
    table(base, page, "promises", 3, 0)

    rows = page.locator(".plate").first.locator("dt")
    has(rows, 3)
    assert rows.all_inner_texts() == ["Points", "Promised", "Taken"]


def test_guide_comes_with_the_first_choice_in_a_game_and_stays_away_afterwards(base, opened):
    page = opened(viewport=PHONE)
    table(base, page, "high_water", 2, 0)
    guide = page.get_by_role("region", name="New to this game?")
    assert "All together against the water" in guide.inner_text()
    assert re.search(
        r"The end: .*\d: all is lost\. .*\d: you all win\.", guide.text_content()
    )  # a phone shows the first lines
    guide.get_by_role("button", name="Rules").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    guide.get_by_role("button", name="Got it").click()
    has(guide, 0)
    table(base, page, "high_water", 2, 0, seed=4)
    page.locator(".choice").first.wait_for()
    has(guide, 0)

    at = table(base, page, "chess", 2, 0)
    assert "Now: Move a man." in guide.text_content()
    at.state()
    at.move(0)
    page.wait_for_selector('main.table[data-moves="1"]')
    has(guide, 0)
    page.reload()
    page.locator(".choice").first.wait_for()
    has(guide, 0)


def test_lighter_variant_is_suggested_before_the_first_match(base, opened):
    page = opened(viewport=DESKTOP)
    page.goto(f"{browse.address(base)}/?pack=city_of_gods#{browse.OWNER}")
    page.get_by_role("button", name="Play First Game").click()

    assert page.get_by_role("checkbox", name=re.compile("^First Game")).is_checked()
    has(page.get_by_role("button", name="Play First Game"), 0)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_selector("main.table, main.cover")
    page.goto(f"{browse.address(base)}/?pack=founders#{browse.OWNER}")
    page.locator(".setup").wait_for()
    has(page.locator(".suggested"), 0)


def test_start_page_draws_pictures_and_finds_games_by_time_and_weight(base, opened):
    page = opened(viewport=DESKTOP)
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.wait_for_selector(".game-cover svg.grid")
    every = page.locator(".game").count()
    page.get_by_role("button", name="heavy").click()
    assert 0 < page.locator(".game").count() < every
    page.get_by_role("button", name="≤ 15 min").click()
    has(page.locator(".game"), 0)


def test_hint_is_drawn_on_the_board_with_its_reason(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "tic_tac_toe", 2, 0)
    for label in ("a1", "b1", "a2", "b2"):
        at.move(next(one["index"] for one in at.state()["decision"]["options"] if one["label"] == label))
    page.wait_for_selector('main.table[data-moves="4"]')
    page.keyboard.press("h")
    page.locator(".advice", has_text="It wins for certain.").wait_for()
    has(page.locator('.cell.hint[data-place="cell:a3"]'), 1)
    assert "a3" in page.locator(".choice.advised").inner_text()


def test_choices_show_what_they_cost_and_give(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "city_of_gods", 2, 34)
    told = at.ask("GET", f"/api/tables/{at.id}/previews")["options"]
    index, option = next(
        (index, one) for index, one in told.items() if any(change.get("icon") for change in one["changes"])
    )
    page.locator(f'[data-place="answer:{index}"] .change').first.wait_for()

    for change in option["changes"]:
        kind = "gain" if change["amount"] > 0 else "loss"
        words = re.compile(rf"\D{abs(change['amount'])}\b")
        assert page.locator(f'[data-place="answer:{index}"] .{kind}').filter(has_text=words).count()


def test_cards_look_like_cards_and_those_that_may_be_played_stand_out(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "promises", 4, 20)
    scene = at.state()["scene"]
    hand = next(panel for panel in scene["panels"] if panel["id"] == "hand")["groups"][0]["items"]
    options = at.seen["decision"]["options"]

    has(page.locator(".fan .face"), len(hand))
    has(page.locator(".fan .card.show"), len(options))
    ranks = [item["mark"]["card"]["rank"]["text"] for item in hand]
    shown = page.locator(".fan .corner b").all_inner_texts()
    assert sorted(shown) == sorted(ranks)
    assert page.locator(".fan .card").first.locator(".pips .icon").count() == int(shown[0])
    page.locator(".fan .card.show").first.click()
    page.wait_for_selector('main.table:not([data-moves="20"]), main.cover')


def test_recap_tells_what_others_did_and_watching_shows_it(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "patolli", 3, 0, seats=[{}, {"bot": "random"}, {"bot": "random"}])
    for _ in range(9):
        before = at.state()["moves"]
        page.locator(".choice").first.click()
        page.wait_for_selector(f'main.table:not([data-moves="{before}"])')
        while not at.state()["decision"]["mine"]:
            page.wait_for_timeout(50)
        page.wait_for_selector(f'main.table[data-revision="{at.seen["revision"]}"] .choice')
        if page.locator(".recap").count():
            break
    text = page.locator(".recap").inner_text().lower()

    assert "player 2" in text
    assert "player 3" in text
    at.ask("POST", f"/api/tables/{at.id}/seats/0", json={"name": "Ada", "key": "a name"})  # nothing that was chosen
    page.get_by_text("Ada", exact=True).first.wait_for()
    has(page.locator(".recap"), 1)
    page.get_by_role("button", name="Watch").click()
    page.get_by_text("Viewing choice").wait_for()
    page.keyboard.press("x")
    page.get_by_text("Viewing choice").wait_for(state="detached")
    assert at.state()["moves"] >= 3


def test_rules_open_by_their_key_and_escape_closes_them(base, opened):
    page = opened(viewport=DESKTOP)
    table(base, page, "chess", 2, 2)
    page.keyboard.press("r")
    page.locator("dialog[open]").wait_for()

    assert "white men" in page.locator("dialog").inner_text()
    page.keyboard.press("Escape")
    has(page.locator("dialog[open]"), 0)


def test_end_says_who_won_by_how_much_and_where_points_came_from(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "goofspiel", 2, 400)
    results = at.state()["results"]
    text = page.locator(".results").inner_text()

    assert f"wins with {max(results['scores'])} points." in text
    assert f"{abs(results['scores'][0] - results['scores'][1])} ahead of" in text
    assert "The last event" in text
    page.get_by_text("How it went").click()
    has(page.locator(".curve polyline"), 2)
    assert re.search(r"has led since about choice \d+ of \d+\.", page.locator(".curve").inner_text())
    assert page.locator(".curve svg[role=img]").get_attribute("aria-label").startswith("Points during the match.")
    assert barriers(page) == []


@pytest.mark.parametrize(
    ("pack", "players", "choices", "scheme"),
    [("promises", 4, 20, "light"), ("high_water", 3, 400, "light"), ("skerry", 2, 30, "dark")],
)
def test_no_barrier_at_a_table(base, opened, pack, players, choices, scheme):
    page = opened(viewport=DESKTOP, color_scheme=scheme)
    table(base, page, pack, players, choices)
    assert barriers(page) == []


def barriers(page):
    """What axe finds on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    at_rest(page)
    return [
        f"{one['id']}: {[str(node['target']) for node in one['nodes']][:3]} {one['nodes'][0].get('failureSummary')}"
        for one in axe.run(page).response["violations"]
    ]


def test_walk_on_a_map_by_a_click_on_a_place(base, opened):
    page = opened(viewport=DESKTOP)
    at = table(base, page, "high_water", 2, 0)
    options = [option for option in at.state()["decision"]["options"] if option["at"]]
    links = page.locator(".place-map .link").count()
    place = options[0]["at"][0]
    page.locator(f'.place-map .thing.show [data-place="{place}"]').click()

    page.wait_for_selector('main.table:not([data-moves="0"]), main.cover')
    assert links > 10
