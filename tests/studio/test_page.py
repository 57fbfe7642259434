"""The page of the studio in a real browser: matches by clicks and by keys, what is read aloud, narrow screens."""

from __future__ import annotations

import gzip
import random
import re
import shutil

import pytest
from studio.browsing import ROOT, browse, has, says

import patolli
from patolli.language.packs.discovery import find

PAGE = ROOT / "engine" / "patolli" / "serve" / "studio" / "page"
LARGEST = 110_000
"""Bytes of script, as it is sent."""


# ---- what is sent


def test_script_is_small():
    scripts = [path for path in PAGE.rglob("*") if path.suffix in (".js", ".css")]

    assert sum(len(gzip.compress(path.read_bytes(), 6)) for path in scripts if path.suffix == ".js") <= LARGEST
    assert all("://" not in re.sub(r"http://www.w3.org/\S+|vscode://", "", path.read_text("utf-8")) for path in scripts)


def test_license_of_what_others_wrote_lies_beside_it():
    text = (PAGE / "preact.LICENSE.txt").read_text("utf-8")

    assert "Apache License" in text
    assert "Permission is hereby granted" in text


def test_nothing_of_a_pack_can_become_markup():
    for path in PAGE.glob("*.js"):
        text = path.read_text("utf-8")
        if path.name != "preact.js":
            assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|dangerously", text), path


# ---- whole matches


@pytest.mark.parametrize(
    ("pack", "keys"), [("tic_tac_toe", True), ("connect_four", False), ("leduc_poker", True)], ids=str
)
def test_match_ends_as_it_does_without_a_page(base, page, pack, keys):
    at = browse.At(base, pack, 2, seed=3)
    person = browse.Person(page, at, 5, keys)

    assert person.play()
    assert browse.same(at, person, pack, 2, 3) == ""
    has(page.locator("h2#ended"), 1)
    if pack != "leduc_poker":
        assert person.pointed > 2


@pytest.mark.parametrize(("pack", "choices"), [("city_of_gods", 5), ("founders", 4)])
def test_stretch_of_a_large_game(base, page, pack, choices):
    at = browse.At(base, pack, 2, seed=3, open=True)
    browse.played(at, 12, 3)
    before = at.truth()["choices"]
    person = browse.Person(page, at, 5, keys=False)
    person.play(choices)
    truth = at.truth()

    assert truth["choices"] == before + person.choices
    assert len(person.choices) == choices
    assert truth["digest"] == patolli.load(pack).replay(2, 3, truth["choices"]).digest()


# ---- what a person finds


def chess(base, page, choices=6):
    at = browse.At(base, "chess", 2, seed=1)
    browse.played(at, choices, 1)
    page.goto(at.link)
    page.wait_for_selector(f'main.table[data-moves="{choices}"]')
    return at


def test_pointing_narrows_the_answers_and_escape_ends_it(base, page):
    at = chess(base, page)
    options = at.state()["decision"]["options"]
    start = options[0]["at"][0]
    page.click(f'[data-place="{start}"]')

    has(page.locator(".choice"), sum(option["at"][0] == start for option in options))
    assert page.locator(f'[data-place="{start}"].picked').get_attribute("aria-label").endswith(", chosen")
    page.keyboard.press("Escape")
    has(page.locator(".choice"), len(options))


def test_what_an_option_names_next_is_drawn_without_a_request(base, page):
    at = browse.At(base, "backgammon", 2, seed=3)
    page.goto(at.link)
    page.wait_for_selector(".choice")
    options = at.state()["decision"]["options"]
    point, die = options[0]["at"]
    page.click(f'[data-place="{point}"]')
    page.click(f'.can[data-place="{die}"]')

    page.wait_for_selector('main.table[data-moves="1"]')


def test_another_piece_is_selected_by_a_click_and_a_wrong_target_explains_itself(base, page):
    at = chess(base, page)
    options = at.state()["decision"]["options"]
    first, second = list(dict.fromkeys(option["at"][0] for option in options))[:2]
    page.click(f'[data-place="{first}"]')
    page.click(f'[data-place="{second}"]')

    has(page.locator(".choice"), sum(option["at"][0] == second for option in options))
    has(page.locator(f'[data-place="{second}"].picked'), 1)
    wrong = next(
        f"cell:{x}{y}" for x in "abcdefgh" for y in "45" if all(f"cell:{x}{y}" not in o["at"] for o in options)
    )
    page.locator(f'[data-place="{wrong}"]').click(force=True)
    says(page.locator(".missed"), "does not go with your selection")


def test_keys_work_while_the_page_itself_has_the_focus(base, page):
    chess(base, page)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("3")

    assert page.evaluate("document.activeElement.dataset.place") == "answer:2"


def test_preview_of_another_option_does_not_stay(base, page):
    at = browse.At(base, "patolli", 2, seed=3)
    page.goto(at.link)
    page.wait_for_selector(".choice")
    page.locator(".choice").first.hover()
    page.locator(".preview p").first.wait_for()
    page.mouse.move(5, 5)

    has(page.locator(".preview p"), 0)


def test_changes_of_bots_stay_marked_until_the_next_own_choice(base, page):
    at = browse.At(base, "patolli", 3, seed=3, seats=[{}, {"bot": "random"}, {"bot": "random"}])
    page.goto(at.link)
    page.wait_for_selector(".choice")
    told = page.locator(".story p").count()
    page.locator(".choice").first.click()
    page.wait_for_selector("main.table:not([data-moves='0']):not([data-moves='1']):not([data-moves='2']) .choice")

    page.locator(".story p.new").nth(2).wait_for(state="attached")
    page.locator(".story p").nth(told).wait_for(state="attached")


def test_host_who_plays_one_seat_is_reported_that_it_is_their_move(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=3)
    at.ask("GET", f"/api/tables/{at.id}", at.tokens["seat"][1])  # another player has opened the link
    page.goto(at.link)

    page.get_by_role("button", name="Your move").wait_for()


def test_outdated_link_of_the_studio_is_noticed_at_once(base, opened):
    page = opened()
    page.goto(f"{browse.address(base)}/#an-old-token")
    page.get_by_text("use the link that the command has printed").wait_for()
    page.faults.clear()


def test_card_of_the_hand_is_played_by_a_click(base, page):
    at = browse.At(base, "skerry", 2, seed=3)
    chance = random.Random(3)
    while not any("also" in option for option in at.state()["decision"]["options"]):
        at.move(chance.randrange(len(at.seen["decision"]["options"])))
    page.goto(at.link)
    page.click("#mine")
    twin = next(twin for option in at.seen["decision"]["options"] for twin in option.get("also", {}))
    page.locator(f'[data-place="{twin}"]').click()
    page.wait_for_selector(f'main.table:not([data-revision="{at.seen["revision"]}"])')


def test_piece_is_dragged(base, page):
    at = chess(base, page)
    start, end = at.state()["decision"]["options"][0]["at"]
    page.drag_and_drop(f'[data-place="{start}"]', f'[data-place="{end}"]')
    page.wait_for_selector('main.table[data-moves="7"]')

    has(page.locator(f'[data-place="{end}"].fresh'), 1)
    says(page.locator("#news"), at.state()["telling"][-1]["words"])


def test_piece_is_dragged_though_the_table_is_drawn_again_meanwhile(base, page):
    at = chess(base, page)
    start, end = at.state()["decision"]["options"][0]["at"]
    page.hover(f'[data-place="{start}"]')
    page.mouse.down()
    page.locator(".choice").last.focus()
    has(page.locator(".ghost").first, 1)
    page.hover(f'[data-place="{end}"]', force=True)
    page.mouse.up()

    page.wait_for_selector('main.table[data-moves="7"]')


def test_slider_and_link_show_the_past_and_undo_takes_back(base, page):
    at = chess(base, page)
    before = page.locator("svg.grid").first.inner_html()
    page.get_by_role("button", name="Previous choice").click()
    page.wait_for_selector('main.table[data-moves="5"]')

    assert page.locator("svg.grid").first.inner_html() != before
    has(page.get_by_text("Viewing choice 5 of 6."), 1)
    page.goto("about:blank")
    page.goto(f"{at.link}@2")
    page.wait_for_selector('main.table[data-moves="2"]')
    page.get_by_role("button", name="Back to now").click()
    page.wait_for_selector('main.table[data-moves="6"]')
    page.get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_selector('main.table[data-moves="5"]')
    assert at.state()["moves"] == 5


def test_workbench_says_why_and_what_a_rule_says(base, page):
    chess(base, page)
    page.get_by_text("Workbench", exact=True).click()
    page.get_by_label("A choice as written or shown").fill("a1 -> a8")
    page.get_by_role("button", name="Why?").click()

    says(page.locator("pre.why-not"), "false")
    page.get_by_label("Id of a piece, rule").fill("half_moves")
    page.get_by_role("button", name="Look up").click()
    says(page.locator("pre.yaml"), "half_moves")


def test_screen_is_covered_where_people_share_it_and_have_secrets(base, page):
    at = browse.At(base, "leduc_poker", 2, seed=1)
    page.goto(at.link)
    page.wait_for_selector("main.cover")

    has(page.locator("main.table"), 0)
    assert page.evaluate("document.activeElement.id") == "mine"
    page.keyboard.press("Enter")
    page.wait_for_selector("main.table")


def test_friends_and_who_watches_see_what_happens(base, opened):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    first, second, watcher = (opened() for _ in range(3))
    for page, token in ((first, at.tokens["seat"][0]), (second, at.tokens["seat"][1]), (watcher, at.tokens["watch"])):
        page.goto(f"{browse.address(base)}/t/{at.id}#{token}")
        page.wait_for_selector('main.table[data-moves="0"]')

    for seen, number in ((first, 9), (second, 0), (watcher, 0)):
        has(seen.locator(".choice"), number)
    first.locator('[data-place="cell:b2"]').click()
    for page in (second, watcher):
        page.wait_for_selector('main.table[data-moves="1"]')
        says(page.locator("#news"), "b2")
        has(page.locator('[data-place="cell:b2"].fresh'), 1)
    has(second.locator(".choice"), 8)


def test_page_goes_on_when_the_connection_comes_back(base, opened):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    page = opened()
    page.goto(f"{browse.address(base)}/t/{at.id}#{at.tokens['seat'][1]}")
    page.wait_for_selector("main.table")
    page.evaluate(CUT)
    page.get_by_text("Connection lost.").wait_for()
    at.state()
    base.post(
        f"/api/tables/{at.id}/moves", headers={"authorization": f"Bearer {at.tokens['seat'][0]}"},
        json={"revision": at.seen["revision"], "label": "a1", "key": "while it was gone"},
    )  # fmt: skip
    page.evaluate("fetch = whole")
    page.wait_for_selector('main.table[data-moves="1"]')

    has(page.get_by_text("Connection lost."), 0)


CUT = """() => {
  window.whole = fetch;
  window.fetch = () => Promise.reject(new TypeError('cut'));
  dispatchEvent(new Event('offline'));
}"""
"""Lets nothing through any more, and says so as a browser does."""


def test_setup_of_a_table(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("button", name="Tic-tac-toe").click()
    page.get_by_label("Name of player 1").fill("Anna")
    page.get_by_label("Player 2 is played by").select_option("")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("main.table")

    assert page.locator(".seats").inner_text().split("\n")[1] == "Anna"
    assert page.get_by_role("heading", name="Where do you play?").count() + page.locator(".choice").count() >= 9


def test_who_asks_to_take_back_waits_and_the_others_are_asked(base, opened):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    first, second, watcher = (opened(viewport={"width": 360, "height": 700}) for _ in range(3))
    for page, token in ((first, at.tokens["seat"][0]), (second, at.tokens["seat"][1]), (watcher, at.tokens["watch"])):
        page.goto(f"{browse.address(base)}/t/{at.id}#{token}")
        page.wait_for_selector('main.table[data-moves="0"]')
    for moves, (page, cell) in enumerate(((first, "b2"), (second, "a1")), 1):
        page.locator(f'[data-place="cell:{cell}"].can').click()
        for each in (first, second, watcher):
            each.wait_for_selector(f'main.table[data-moves="{moves}"]')
    first.get_by_role("button", name="Ask everyone to undo").click()
    for page in (first, second, watcher):
        page.wait_for_selector(".notices .wish")

    says(first.locator(".wish"), "You ask")
    has(first.locator(".wish button"), 1)
    says(first.locator(".wish button"), "Withdraw")
    has(second.locator(".wish button"), 2)
    says(second.locator(".wish"), "Refuse")
    has(watcher.locator(".wish button"), 0)
    says(second.locator("#news"), "asks to go back")
    assert second.locator(".wish").bounding_box()["y"] < second.locator("svg.grid").bounding_box()["y"]
    second.get_by_role("button", name="Agree").click()
    for page in (first, second, watcher):
        page.wait_for_selector('main.table[data-moves="0"]')
        has(page.locator(".wish"), 0)


def test_tables_stand_before_the_games_and_a_seed_is_shown_as_it_is(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=2**53 - 1, open=True)
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    link = page.locator(f'.tables a[href*="{at.id}"]')
    link.wait_for()

    assert link.bounding_box()["y"] < page.locator(".game").first.bounding_box()["y"]
    link.click()
    page.get_by_text("Workbench", exact=True).click()
    page.get_by_text("State", exact=True).click()
    says(page.locator(".inspect .quiet").first, f"seed {2**53 - 1}")


def test_fields_of_people_do_not_overlap(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    page.goto(at.link)
    page.get_by_text("People", exact=True).click()
    name, kind = (page.locator(f".people .seat {tag}").first.bounding_box() for tag in ("input", "select"))

    assert name["x"] + name["width"] <= kind["x"] or name["y"] + name["height"] <= kind["y"]


def test_module_decides_how_many_play_and_brings_its_options(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("button", name="Founders of").click()
    page.get_by_label("Founders alone").check()

    has(page.get_by_label("Name of player 2"), 0)
    page.get_by_label("How much the rival scores").fill("2")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("main.table")
    has(page.locator(".seats li"), 2)


def test_gallery_and_tables_lead_to_each_other(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("link", name="Gallery").click()
    page.get_by_role("link", name="To the tables").click()
    page.wait_for_selector(".game")
    page.goto(f"{browse.address(base)}/gallery/founders?modules=founders_solo")
    page.get_by_role("link", name="Play it").click()
    page.wait_for_selector("form.setup")
    assert page.get_by_label("Founders alone").is_checked()
    has(page.get_by_label("Name of player 2"), 0)
    page.get_by_role("link", name="All pieces").click()
    page.wait_for_selector("article")
    assert page.url.endswith("/gallery/founders?modules=founders_solo")


def test_edited_files_with_an_error_are_reported_and_the_match_goes_on(base, page, tmp_path):
    folder = tmp_path / "my_game"
    shutil.copytree(find("tic_tac_toe"), folder)
    at = browse.At(base, str(folder), 2, seed=1)
    page.goto(at.link)
    page.wait_for_selector("main.table")
    rules = folder / "rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("gain 1 point", "gain 1 pint"), "utf-8")

    page.get_by_text("the match uses the previous content").wait_for()
    says(page.locator(".content"), "pint")
    page.locator('[data-place="cell:b2"]').click()
    page.wait_for_selector('main.table[data-moves="1"]')


def test_browser_goes_back_from_a_game_to_all_of_them(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("button", name="Hex").click()
    page.wait_for_selector("form.setup")
    page.go_back()
    page.wait_for_selector(".game")
    page.go_forward()
    page.wait_for_selector("form.setup")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector("main.table")
    page.go_back()
    page.wait_for_selector("form.setup")
    says(page.locator("h1"), "Hex")


def test_modules_that_exclude_each_other_and_large_groups(base, page):
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_role("button", name="City of Gods").click()
    page.get_by_label("Increased Workforce").check()

    has(page.get_by_role("checkbox", name="Alone against Teotibot", disabled=True), 1)
    page.get_by_label("5", exact=True).check()
    has(page.get_by_label(re.compile("Name of player")), 5)
    page.get_by_label("Increased Workforce Three").uncheck()
    has(page.get_by_label(re.compile("Name of player")), 4)
    page.get_by_role("button", name="Another game").click()
    page.get_by_role("button", name="Pig").click()
    page.get_by_label("10", exact=True).check()
    has(page.get_by_label(re.compile("Name of player")), 10)


# ---- for everybody


@pytest.mark.parametrize(("width", "scheme"), [(360, "dark"), (1280, "light")])
def test_no_barrier_and_no_sideways_scrolling(base, opened, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(viewport={"width": width, "height": 800}, color_scheme=scheme)
    found = []

    def look(name):
        for violation in axe.run(page).response["violations"]:
            places = [str(node["target"]) for node in violation["nodes"]][:3]
            found.append(f"{name}: {violation['id']}: {places} {violation['nodes'][0].get('failureSummary')}")
        page.evaluate(f"document.documentElement.style.fontSize = '{200 if width > 400 else 100}%'")
        if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"):
            found.append(f"{name}: wider than {width} pixels")
        page.evaluate("document.documentElement.style.fontSize = ''")

    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.wait_for_selector(".game")
    look("start")
    page.get_by_role("button", name="City of Gods").click()
    look("setup")
    for pack, choices in (("city_of_gods" if width < 400 else "skerry", 25), ("tic_tac_toe", 9)):
        at = browse.At(base, pack, 2, seed=2)
        browse.played(at, choices, 2)
        page.goto(at.link)
        page.wait_for_selector("main.table, main.cover")
        if page.locator("#mine").count():
            page.click("#mine")
        page.wait_for_selector("main.table")
        look(pack)
    assert found == []


def test_script_in_texts_is_only_text(base, page, tmp_path):
    folder = tmp_path / "my_game"
    shutil.copytree(find("tic_tac_toe"), folder)
    evil = "<img src=x onerror=document.title=1>"
    for file, old in (("pack.yaml", "title:"), ("panels.yaml", "title:")):
        text = (folder / file).read_text("utf-8")
        (folder / file).write_text(re.sub(rf"{old} [^,}}\n]*", f'{old} "{evil}"', text, count=1), "utf-8")
    at = browse.At(base, str(folder), 2, seed=1)
    page.goto(at.link)
    page.wait_for_selector("main.table")

    has(page.locator("img[src=x]"), 0)
    says(page.locator("h2").first, evil)
    assert "onerror" in page.title()


# ---- whose screen it is


def test_slider_uncovers_no_other_hand(base, page):
    at = browse.At(base, "promises", 3, seed=3, seats=[{"name": name} for name in ("Ada", "Bob", "Cleo")])
    page.goto(at.link)
    page.get_by_role("button", name="I am Ada").click()
    page.wait_for_selector("main.table")
    page.locator(".choice").first.click()
    page.wait_for_selector('main.table[data-chosen="1"]')
    page.locator(".choice").first.click()
    page.get_by_role("button", name="I am Bob").click()
    page.wait_for_selector("main.table")
    page.get_by_label("Moment of the match").fill("0")
    page.wait_for_selector('main.table[data-moves="0"]')

    has(page.locator(".choice"), 0)
    says(page.locator(".seats .me .who"), "Bob")


def test_who_loses_a_seat_is_reported_and_watches(base, opened):
    at = browse.At(base, "tic_tac_toe", 2, seed=1, seats=[{"name": "Ada"}, {"name": "Berta"}])
    host, berta = opened(), opened()
    berta.goto(f"{browse.address(base)}/t/{at.id}#{at.tokens['seat'][1]}")
    berta.wait_for_selector("main.table")
    host.goto(at.link)
    host.get_by_text("People", exact=True).click()
    host.get_by_role("button", name="Make a new link for Berta").wait_for()
    has(host.get_by_role("button", name="Copy the link of Berta"), 0)
    played = host.get_by_label("Berta is played by")
    played.select_option(label="bot: random")
    berta.get_by_text("A bot plays for Berta now, so you are a spectator.").wait_for()
    played.select_option(label="a person")
    berta.get_by_text("A bot plays for Berta now").wait_for(state="detached")
    says(berta.locator(".seats .me .who"), "Berta")
    host.get_by_role("button", name="Make a new link for Berta").click()

    berta.get_by_text("There is a new link for Berta, so you are a spectator now.").wait_for()
    has(berta.locator(".seats .me"), 0)
    host.get_by_role("button", name="Copy the link of Berta").wait_for()


def test_what_is_said_is_seen_from_below_and_goes_when_the_line_is_back(base, opened):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    page = opened(viewport={"width": 360, "height": 500})
    # A response to a request from before the failure comes late: it does not show that the line is back.
    page.add_init_script(
        """{ const asked = fetch; window.fetch = async (path, ...more) => {
        const answer = await asked(path, ...more);
        if (path.endsWith("/previews")) await new Promise((go) => { window.late = go; });
        return answer;
        }; }"""
    )
    page.goto(at.link)
    page.wait_for_function("() => window.late")
    page.evaluate("() => { window.whole = fetch; window.fetch = () => Promise.reject(new TypeError('cut')); }")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.get_by_role("button", name="Save").click()
    words = page.get_by_text("Cannot reach the server.")
    words.wait_for()
    page.evaluate("async () => { late(); await new Promise((go) => setTimeout(go, 50)); }")
    box = words.bounding_box(timeout=1000)

    assert 0 <= box["y"] < 500
    page.evaluate("() => { fetch = whole; }")
    base.post(
        f"/api/tables/{at.id}/moves", headers={"authorization": f"Bearer {at.token}"},
        json={"revision": at.state()["revision"], "label": "a1", "key": "x"},
    )  # fmt: skip
    page.wait_for_selector('main.table[data-moves="1"]')
    has(words, 0)
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.wait_for_selector(".game")
    page.set_input_files("input[type=file]", {"name": "a.json", "mimeType": "application/json", "buffer": b"{}"})
    fault = page.locator(".fault")
    fault.wait_for()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert 0 <= fault.bounding_box()["y"] < 500
    page.faults = [one for one in page.faults if "/api/import" not in one]


def test_tables_are_found_and_removed_on_the_first_page(base, page):
    names = [f"Zoe{letter}" for letter in "abcde"]
    tables = [browse.At(base, "tic_tac_toe", 2, seats=[{"name": name}]) for name in names]
    page.goto(f"{browse.address(base)}/?pack=nosuch#{browse.OWNER}")
    page.get_by_text("There is no game nosuch.").wait_for()
    has(page.locator(".tables li"), 4)
    page.get_by_role("button", name=re.compile("Show all")).click()
    page.get_by_label("Find a table").fill("zoec")
    has(page.locator(".tables li"), 1)
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete the table with Zoec").click()
    page.get_by_text("No table matches.").wait_for()
    page.get_by_label("Find a table").fill("zoe")

    has(page.locator(".tables li"), 4)
    assert tables[2].id not in page.locator(".tables").inner_html()


def test_list_of_tables_is_asked_for_again_if_the_server_is_busy(base, page):
    browse.At(base, "tic_tac_toe", 2, seats=[{"name": "Zola"}])
    answers = []

    def answer(route):
        answers.append(route.request.url)
        if len(answers) == 1:
            route.fulfill(status=503, json={"error": "the store does not respond; reload the table in a moment"})
        else:
            route.continue_()

    page.route("**/api/tables", answer)
    page.goto(f"{browse.address(base)}/#{browse.OWNER}")
    page.get_by_text("Zola").first.wait_for()

    assert len(answers) == 2


def test_names_with_gaps_are_filled_in_the_workbench(base, page):
    at = browse.At(base, "promises", 3, seed=1, open=True)
    page.goto(at.link)
    page.locator("#mine").click()
    page.get_by_text("Workbench", exact=True).click()
    page.get_by_label("Id of a piece, rule").fill("card")
    page.get_by_role("button", name="Look up").click()
    page.locator(".entry h4").wait_for()

    assert "{" not in page.locator(".entry h4").inner_text()
    says(page.locator(".entry h4"), " of ")


def test_panels_that_find_no_room_are_folded_and_remembered(base, opened):
    at = browse.At(base, "founders", 2, seed=4)
    page = opened(viewport={"width": 1280, "height": 900})
    page.goto(at.link)
    page.wait_for_selector("main.table, main.cover")
    if page.locator("#mine").count():
        page.click("#mine")
    page.locator("section.folds details:not([open])").first.wait_for()
    closed = (
        page.locator("section.folds details:not([open])").first.locator("xpath=..").get_attribute("aria-labelledby")
    )
    costs = page.locator(f"section[aria-labelledby={closed}] details")

    costs.locator("summary").click()
    page.locator(f"section[aria-labelledby={closed}] details[open] > summary + *").wait_for()  # drawn, and so kept
    page.reload()
    page.wait_for_selector("main.table, main.cover")
    if page.locator("#mine").count():
        page.click("#mine")
    page.locator(f"section[aria-labelledby={closed}] details[open]").wait_for()


def test_panel_to_which_an_answer_points_is_open(base, opened):
    at = browse.At(base, "city_of_gods", 2, seed=4)
    page = opened(viewport={"width": 360, "height": 800})
    page.goto(at.link)
    page.click("#mine")
    page.wait_for_selector(".choice")
    places = {id_ for one in at.state()["decision"]["options"] for id_ in one["at"]}

    assert places
    assert all(page.locator(f'.panel [data-place="{id_}"]').first.is_visible() for id_ in places)


def test_marks_of_what_changed_survive_a_reload(base, opened):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    first, second, watcher = (opened() for _ in range(3))
    marks = ({"cell:b2", "cell:a1"}, {"cell:a1"}, {"cell:a1"})
    for page, token in ((first, at.tokens["seat"][0]), (second, at.tokens["seat"][1]), (watcher, at.tokens["watch"])):
        page.goto(f"{browse.address(base)}/t/{at.id}#{token}")
        page.wait_for_selector('main.table[data-moves="0"]')
    for page, cell, number in ((first, "b2", 1), (second, "a1", 2)):
        page.locator(f'[data-place="cell:{cell}"].can').click()
        first.wait_for_selector(f'main.table[data-moves="{number}"]')
    for page, places in zip((first, second, watcher), marks, strict=True):
        page.reload()
        has(page.locator(".fresh[data-place]"), len(places))
        assert {one.get_attribute("data-place") for one in page.locator(".fresh[data-place]").all()} == places
    says(first.locator(".recap"), "a1")
