"""The gallery in a browser, with and without its script, and as the studio serves it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from packmaker import loaded, spliced
from studio.sitting_down import Client
from studio.test_gallery import FEAST, LOOKS, Page

from patolli.serve.studio.gallery.differences import base_of
from patolli.serve.studio.gallery.page import gallery_of, page
from patolli.serve.studio.guard import POLICY

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCREENS = {"telephone, dark": (360, "dark"), "screen, light": (1280, "light")}
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser of this machine; the tests that need one are skipped where there is none."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=[*FLAGS, "--disable-component-update"])
        yield running
        running.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where a gallery was written."""
    folder = tmp_path_factory.mktemp("gallery")
    rules = loaded(folder, "# looks.yaml\n" + LOOKS + FEAST)
    file = folder / "cards.html"
    file.write_text(page(gallery_of(rules, base_of(rules))), "utf-8")
    return file.as_uri()


@pytest.mark.parametrize(("width", "scheme"), SCREENS.values(), ids=SCREENS)
def test_gallery_can_be_read_by_all(browser, address, width, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    shown = context.new_page()
    faults: list[str] = []
    shown.on("pageerror", lambda error: faults.append(str(error)))
    shown.goto(address)
    shown.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    violations = [(one["id"], one["nodes"][0]["target"]) for one in axe.run(shown).response["violations"]]
    wide = shown.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    context.close()

    assert (violations, wide, faults) == ([], 0, [])


def test_filters_work_at_once(browser, address):
    shown = browser.new_page()
    shown.goto(address)
    cards, count = shown.locator("article:visible"), shown.get_by_role("status")
    assert (cards.count(), count.inner_text()) == (6, "6 cards")

    shown.get_by_label("Kind").select_option("Charm")
    assert (cards.count(), count.inner_text()) == (2, "2 of 6 cards")
    shown.get_by_label("Kind").select_option("")
    shown.get_by_label("From").select_option(label="The sample")
    assert cards.count() == 5
    shown.get_by_label("Words").fill("score points")
    assert shown.locator("article:visible h3").all_inner_texts() == ["Bold"]
    shown.get_by_label("Words").fill("nothing like this")
    assert shown.get_by_text("No card matches.").is_visible()
    assert shown.locator("section:visible").count() == 0
    shown.close()


def test_all_is_there_without_a_script(browser, address):
    context = browser.new_context(java_script_enabled=False)
    shown = context.new_page()
    shown.goto(address)

    assert shown.locator("article:visible").count() == 6
    assert not shown.get_by_role("search").is_visible()  # it would get no response
    context.close()


# ---- as it is served


@pytest.fixture(scope="module")
def client():
    with Client() as found:
        yield found


def test_games_are_listed(client):
    found = client.ask("GET", "/gallery")

    assert found.status_code == 200
    assert 'action="/gallery/skerry"' in found.text
    assert found.headers["content-security-policy"] == POLICY.replace("form-action 'none'", "form-action 'self'")


def test_a_game_is_served_filtered(client):
    found = client.ask("GET", "/gallery/promises?kind=card&text=gold")
    shown = Page(found.text)
    whole = Page(client.ask("GET", "/gallery/promises").text)

    assert found.status_code == 200
    cards, all_ = (len([tag for tag, _ in one.tags if tag == "article"]) for one in (shown, whole))
    assert f"{cards} of {all_} cards" in found.text
    assert [attrs["src"] for tag, attrs in shown.tags if tag == "script"] == ["/gallery/files/gallery.js"]
    for tag, attrs in shown.tags:
        if tag in ("script", "link"):
            assert client.ask("GET", attrs.get("src") or attrs["href"]).status_code == 200


def test_modules_are_served_with_their_game(client, tmp_path, monkeypatch):
    spliced(tmp_path, FEAST)
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    found = client.ask("GET", "/gallery/sample?modules=feast")

    assert "With A module." in found.text
    assert '<input type="hidden" name="modules" value="feast">' in found.text
    assert 'href="/gallery/sample/sheet.pdf?modules=feast"' in found.text
    assert 'href="/?pack=sample&amp;modules=feast"' in found.text
    assert "Changes by the modules" in found.text


def test_a_sheet_is_served(client):
    found = client.ask("GET", "/gallery/leduc_poker/sheet.pdf")

    assert (found.status_code, found.headers["content-type"]) == (200, "application/pdf")
    assert found.content.startswith(b"%PDF")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/gallery/nothing", 404),
        ("/gallery/promises?modules=nothing", 404),
        ("/gallery/promises?modules=mansion", 422),
        ("/gallery/files/../page.py", 404),
        ("/gallery/files/%2e%2e/page.py", 404),
    ],
)
def test_what_is_not_there_is_reported(client, path, status):
    found = client.ask("GET", path)

    assert found.status_code == status
    assert list(found.json()) in (["error"], ["error", "problems"])


@pytest.mark.parametrize(
    "path", ["/gallery/nothing", "/nowhere", "/gallery/%3Cscript%3Ealert(1)%3C%2Fscript%3E", "/static/x"]
)
def test_what_is_not_there_is_a_page_for_people(client, path):
    found = client.ask("GET", path, headers={"accept": "text/html,*/*"})

    assert (found.status_code, found.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert '<html lang="en">' in found.text
    assert "<h1>Page not available</h1>" in found.text
    assert "<script" not in found.text


@pytest.mark.parametrize("path", ["/gallery", "/gallery/promises", "/gallery/promises/sheet.pdf"])
def test_no_other_player_sees_it(path):
    with Client(host="0.0.0.0") as abroad:
        assert abroad.ask("GET", path).status_code == 403
