"""The site builds without a warning, every page can be reached, and each reads well in a browser."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PHONE = 360
SCREENS = {"telephone, dark": (PHONE, "dark"), "screen, light": (1280, "light")}
STYLES = (".", "learn/first-game", "reference/cli", "python/match")
"""Pages that have what few others have: pictures, output of commands, tables, signatures."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(ROOT / "docs", folder / "docs")
    shutil.copy(ROOT / "mkdocs.yml", folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


@pytest.mark.deep
def test_site_builds_strictly(site: Path) -> None:
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    missing = [page for page in pages if not _built(site, page).exists()]
    assert missing == []


def _built(site: Path, page: Path) -> Path:
    folder = page.parent if page.stem in ("index", "README") else page.with_suffix("")
    return site / folder / "index.html"


@pytest.mark.deep
def test_nothing_is_fetched_from_elsewhere(site: Path) -> None:
    page = (site / "index.html").read_text("utf-8")
    assert 'src="http' not in page
    assert '<link rel="stylesheet" href="http' not in page


def test_every_page_is_in_the_menu_or_on_a_list() -> None:
    lists = [
        ROOT / "mkdocs.yml",
        *(ROOT / "docs" / name for name in ("index.md", "decisions/README.md", "gallery/index.md")),
    ]
    reached = "".join(file.read_text("utf-8") for file in lists)
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    assert [str(page) for page in pages if page.name not in reached] == []


# ---- in a browser


class Quiet(SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, format: str, *args: Any) -> None:
        return


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the site is served."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser of this machine; the tests that need one are skipped where there is none."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    sync_api = pytest.importorskip("playwright.sync_api")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"]
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=program, args=[*flags, "--disable-component-update"])
        yield running
        running.close()


@pytest.mark.deep
@pytest.mark.parametrize(("width", "scheme"), SCREENS.values(), ids=SCREENS)
def test_pages_in_a_browser(browser: Any, address: str, site: Path, width: int, scheme: str) -> None:
    """No page is too wide for a phone, and axe looks at some pages: all have the same theme."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page, plain = context.new_page(), context.new_page()
    plain.route("**/*.js", lambda route: route.abort())  # the width is that of the texts: without scripts it takes half
    found: list[str] = []
    for number, file in enumerate(sorted(site.rglob("index.html"))):
        name = file.parent.relative_to(site).as_posix()
        if name.startswith(("decisions/", "gallery/")) and number % 10:
            continue
        looked = name in STYLES or (width == PHONE and number % 12 == 1)
        if not looked and width > PHONE:
            continue
        shown = page if looked else plain
        shown.goto(f"{address}/{'' if name == '.' else name + '/'}", wait_until="load")
        if shown.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"):
            found.append(f"{name}: wider than {width} pixels")
        if not looked:
            continue
        for violation in axe.run(page).response["violations"]:
            places = {node["target"][0] if node["target"] else "" for node in violation["nodes"]}
            found.append(f"{name}: {violation['id']}: {violation['help']}: {sorted(map(str, places))[:3]}")
    context.close()
    assert found == []
