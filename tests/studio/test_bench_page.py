"""The workbench in a real browser: changing the state at an open table, and which rules were reached."""

from __future__ import annotations

import pytest
from studio.browsing import browse, has


def opened_table(base, page, pack="tic_tac_toe", **more):
    at = browse.At(base, pack, 2, seed=1, open=True, **more)
    page.goto(at.link)
    page.wait_for_selector("main.table, main.cover")
    if page.locator("#mine").count():
        page.click("#mine")
    page.get_by_text("Workbench", exact=True).click()
    return at


def test_state_is_changed_and_undone(base, page):
    at = opened_table(base, page)
    page.get_by_text("Edit the state", exact=True).click()
    page.get_by_label("Find a counter, field or piece").fill("b2.mark")
    has(page.locator(".edits li"), 1)
    page.get_by_label("b2.mark", exact=True).select_option("player_2")

    page.locator(".story", has_text="The state was changed by hand.").wait_for()
    page.locator(".changed", has_text="b2.mark = player_2").wait_for()
    assert "b2" not in [option["label"] for option in at.state()["decision"]["options"]]
    page.get_by_label("Acting player").select_option("player_2")
    page.locator(".changed", has_text="player_2 acts").wait_for()
    assert at.state()["decision"]["player"] == 1
    page.get_by_role("button", name="Undo", exact=True).click()
    has(page.locator(".changed li"), 1)
    page.get_by_role("button", name="Undo", exact=True).click()
    has(page.locator(".changed li"), 0)
    assert len(at.state()["decision"]["options"]) == 9


def test_number_outside_its_bounds_is_refused_with_words(base, page):
    opened_table(base, page, "city_of_gods")
    page.get_by_text("Edit the state", exact=True).click()
    page.get_by_label("Find a counter, field or piece").fill("cocoa(player_1)")
    has(page.locator(".edits li"), 1)
    field = page.get_by_label("cocoa(player_1)", exact=True)
    field.fill("4")
    field.press("Enter")
    page.locator(".changed", has_text="cocoa(player_1) = 4").wait_for()

    page.faults.clear()
    field.fill("-4")
    field.press("Enter")
    page.get_by_text("cannot be -4").wait_for()
    page.faults = [fault for fault in page.faults if not fault.startswith("422")]


def test_lines_of_a_rule_say_whether_they_were_reached(base, page):
    at = opened_table(base, page)
    at.state()
    at.move(0)
    page.get_by_label("Id of a piece, rule").fill("match")
    page.get_by_role("button", name="Look up").click()
    page.get_by_text("Lines that this match has reached").click()

    row = page.locator(".source-lines tr", has_text="gain 1 point")
    row.wait_for()
    assert "missed" in row.get_attribute("class")
    page.get_by_text("Rules that this match has reached").click()
    page.locator(".coverage", has_text="of the rule lines").wait_for()


def test_closed_table_has_no_editor(base, page):
    at = browse.At(base, "tic_tac_toe", 2, seed=1)
    page.goto(at.link)
    page.wait_for_selector("main.table")
    page.get_by_text("Workbench", exact=True).click()
    page.get_by_text("Record", exact=True).wait_for()

    has(page.locator("details.editor"), 0)


@pytest.mark.parametrize("width", [360, 1280])
def test_workbench_has_no_barrier_and_fits(base, opened, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(viewport={"width": width, "height": 800})
    opened_table(base, page)
    page.get_by_text("Edit the state", exact=True).click()
    page.get_by_text("Rules that this match has reached").click()
    page.get_by_label("Id of a piece, rule").fill("match")
    page.get_by_role("button", name="Look up").click()
    page.get_by_text("Lines that this match has reached").click()
    page.locator(".source-lines").wait_for()
    page.locator(".edits").wait_for()

    found = [f"{one['id']}: {one['nodes'][0].get('target')}" for one in axe.run(page).response["violations"]]
    assert found == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")


def test_run_of_the_lab_leads_to_a_match(opened, tmp_path):
    pytest.importorskip("pyarrow")
    with browse.studio(lab=tmp_path) as client:
        page = opened()
        page.goto(f"{browse.address(client)}/lab#{browse.OWNER}")
        page.get_by_label("Game").select_option("Pig")
        page.get_by_label("Matches", exact=True).fill("40")
        page.get_by_role("button", name="Start").click()
        page.get_by_role("status").filter(has_text="done").wait_for(timeout=60_000)
        page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        page.locator(".figures tbody tr").first.wait_for()
        page.locator(".examples button, .report li button").first.click()
        page.wait_for_selector("main.table .results, main.cover")
