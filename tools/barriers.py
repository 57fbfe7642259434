"""Look for barriers on every page of the studio: axe, and whether anything makes a page wider than the screen.

    python tools/barriers.py                 all pages, tables of all packs
    python tools/barriers.py chess founders  the common pages, and tables of these
    python tools/barriers.py --common        the common pages alone

Screens: a telephone of 360 pixels in the dark, and one of 1280 pixels at a zoom of 200 per cent, in the light. A table
is looked at in the middle of a match and at its end, with everything unfolded.

Exit status: 0 when nothing was found, 1 when something was, 2 where there is no Chromium or no axe.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import browse

from patolli.serve.studio.catalogue import catalogue

SCREENS: dict[str, dict[str, Any]] = {
    "360 pixels, dark": {"viewport": {"width": 360, "height": 740}, "color_scheme": "dark"},
    "1280 pixels at 200 %": {
        "viewport": {"width": 640, "height": 450}, "device_scale_factor": 2, "color_scheme": "light",
    },
}  # fmt: skip
WIDE = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width + 1) return '';
  const out = [...document.querySelectorAll('body *')].find((one) => one.getBoundingClientRect().right > width + 1);
  return out ? `${out.tagName.toLowerCase()}.${out.getAttribute('class')}` : 'something';
}"""
"""What is wider than the screen; nothing where all is within."""
UNFOLD = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
MIDDLE = 40
"""Choices until a match is in its middle."""


def look(page: Any) -> list[str]:
    """Return the barriers on a page as it is now."""
    from axe_playwright_python.sync_playwright import Axe

    found = []
    for violation in Axe().run(page).response["violations"]:
        places = [" ".join(map(str, node["target"])) for node in violation["nodes"]][:3]
        found.append(f"{violation['id']}: {', '.join(places)}: {violation['nodes'][0].get('failureSummary', '')}")
    wide = page.evaluate(WIDE)
    return [*found, *([f"wider than the screen: {wide}"] if wide else [])]


def common(client: Any) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Yield the pages that are not tables: what each is called, and how to get there."""
    base = browse.address(client)
    at = browse.At(client, "tic_tac_toe", 2, seed=1)
    secret = browse.At(client, "leduc_poker", 2, seed=1)

    def go(path: str, ready: str) -> Callable[[Any], None]:
        def there(page: Any) -> None:
            page.goto(f"{base}{path}")
            page.wait_for_selector(ready)

        return there

    yield "all games", go(f"/#{browse.OWNER}", ".game")
    yield "setting up", go(f"/?pack=city_of_gods#{browse.OWNER}", "form.setup")
    yield "gallery", go("/gallery", "main")
    yield "gallery of a pack", go("/gallery/founders", "article")
    yield "gallery with a module", go("/gallery/city_of_gods?modules=mansion", "article")
    yield "gallery of nothing", go("/gallery/no_such_pack", "body")
    yield "no such page", go("/nowhere", "body")
    yield "a link that opens nothing", go(f"/t/{at.id}#wrong", ".fault")
    yield "hand over", go(f"/t/{secret.id}#{secret.token}", "main.cover")

    def looked_up(page: Any) -> None:
        page.goto(at.link)
        page.wait_for_selector("main.table")
        page.evaluate(UNFOLD)
        page.get_by_label("Id of a piece, rule").fill("match")
        page.get_by_role("button", name="Look up").click()
        page.wait_for_selector("pre.yaml")
        page.get_by_label("A choice as written or shown").fill("z9")
        page.get_by_role("button", name="Why?").click()
        page.wait_for_selector("pre.why-not")
        page.get_by_role("button", name="Copy link to this moment").click()
        page.wait_for_selector("input.link")

    yield "workbench", looked_up
    free = browse.At(client, "tic_tac_toe", 2, seed=1, open=True)

    def changing(page: Any) -> None:
        page.goto(free.link)
        page.wait_for_selector("main.table")
        page.evaluate(UNFOLD)
        page.get_by_label("Id of a piece, rule").fill("match")
        page.get_by_role("button", name="Look up").click()
        page.wait_for_selector("pre.yaml")
        page.evaluate(UNFOLD)
        for there in (".edits li", ".coverage table", ".source-lines"):
            page.wait_for_selector(there)

    yield "workbench of an open table", changing
    yield "a match in the page alone", go("/offline/connect_four?players=2", "main.table")

    def studied(page: Any) -> None:
        page.goto("about:blank")
        page.goto(f"{base}/lab#{browse.OWNER}")
        page.wait_for_selector("form.plan", state="attached")
        page.evaluate(UNFOLD)  # the form is folded while there are runs
        page.get_by_label("Game").select_option("Pig")
        page.get_by_label("Matches", exact=True).fill("40")
        page.get_by_role("button", name="Start").click()
        page.get_by_role("status").filter(has_text="done").wait_for(timeout=120_000)
        page.locator(".figures tbody tr").first.wait_for(state="attached")
        page.evaluate(UNFOLD)
        page.get_by_role("button", name="View match").first.wait_for()

    yield "lab", studied


def table(at: Any) -> Callable[[Any], None]:
    """Return how to get to a table, with everything unfolded."""

    def go(page: Any) -> None:
        page.goto("about:blank")
        page.goto(at.link)
        page.wait_for_selector("main.table, main.cover")
        if page.locator("#mine").count():
            page.click("#mine")
        page.wait_for_selector("main.table")
        page.evaluate(UNFOLD)
        page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")

    return go


def tables(client: Any, packs: list[str]) -> Iterator[tuple[str, Callable[[Any], None]]]:
    """Yield tables of packs in the middle of a match and at its end."""
    known = {pack["id"]: pack["players"] for pack in catalogue()}
    for pack in packs:
        players = max(known[pack]["min"], min(3, known[pack]["max"]))
        at = browse.At(client, pack, players, seed=4)
        browse.played(at, MIDDLE, 4)
        yield pack, table(at)
        browse.played(at, 5_000, 4)
        yield f"{pack}, at the end", table(at)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packs", nargs="*")
    parser.add_argument("--common", action="store_true", help="only the pages that are not tables")
    given = parser.parse_args()
    try:
        import axe_playwright_python  # noqa: F401
    except ImportError:
        print("axe is not installed: pip install axe-playwright-python", file=sys.stderr)
        return 2
    if not browse.chromium():
        print("there is no Chromium on this machine", file=sys.stderr)
        return 2
    from playwright.sync_api import TimeoutError

    wrong = looked = 0
    with TemporaryDirectory() as lab, browse.studio(lab=Path(lab)) as client, browse.browser() as running:
        pages = {
            name: running.new_context(reduced_motion="reduce", **more).new_page() for name, more in SCREENS.items()
        }
        packs = [] if given.common else given.packs or [pack["id"] for pack in catalogue()]
        for page in pages.values():
            page.set_default_timeout(30_000)
        for what, go in chain(common(client), tables(client, packs)):  # a table plays on after it was looked at
            for screen, page in pages.items():
                try:
                    go(page)
                    faults = look(page)
                except TimeoutError as error:
                    faults = [f"cannot be reached: {error}"]
                looked, wrong = looked + 1, wrong + len(faults)
                print(f"{what}, {screen}: {'; '.join(faults) or 'fine'}", flush=True)
    print(f"{looked} pages, {wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
