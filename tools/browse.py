"""Play matches on the page of the studio in a real browser, and take its pictures.

    python tools/browse.py play [PACK ..]      whole matches of every pack (or of some) by clicks and by keyboard
    python tools/browse.py play city_of_gods --with mansion --with empire
    python tools/browse.py play --all-modules  each pack that has modules, with as many of them as go together
    python tools/browse.py play --seconds 60   leave a match after so long; it is said which
    python tools/browse.py pictures            write docs/assets/studio_*.png

Exit status: 0 when every match ends with the digest that the same choices have without a page, 1 when one does not, 2
where there is no Chromium.

Answers are drawn by a seed. Half of those that name a place are given by pointing to it, the others in the list. The
pack decides how long a match is; City of Gods takes some minutes.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

import patolli
from patolli.cli.matrix import combinations, modules_of
from patolli.language.packs.manifest import read_pack
from patolli.serve.studio.app import make_app
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.http_server import Server, listening
from patolli.serve.studio.store import Sqlite
from patolli.serve.studio.table_registry import TableRegistry

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "docs" / "assets"
OWNER = "the-owner"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync",
    "--disable-component-update",
]  # fmt: skip
DONE = "done"
DONE_ANSWER = {"index": -1, "label": DONE, "words": DONE, "anytime": False, "at": []}
"""What ends a choice of several things on the page, where it is not offered at first."""
SMALL = 20_000
"""Milliseconds until something that was clicked has to have happened."""
PICTURES = {
    "studio_city_of_gods": ("city_of_gods", 34, (1440, 900), "light"),
    "studio_founders": ("founders", 60, (1440, 900), "light"),
    "studio_chess": ("chess", 17, (1280, 760), "dark"),
    "studio_backgammon": ("backgammon", 24, (1280, 800), "light"),
    "studio_go": ("go", 44, (1280, 760), "light"),
}
"""Pictures of the documentation: a pack, how many choices were made, the size of the screen, the colours."""


# ---- a server and a browser


@contextmanager
def studio(store: Sqlite | None = None, lab: Path | None = None) -> Iterator[httpx.Client]:
    """Serve a studio with tables that are not stored; yields a client of it."""
    import uvicorn

    class Closing(Server):
        """A server that ends the registry with itself, in the loop in which its tables were played at."""

        async def shutdown(self, sockets: Any = None) -> None:
            await super().shutdown(sockets)
            await registry.close()

    sock = listening("127.0.0.1", 0)
    ready = threading.Event()
    registry = TableRegistry(store or Sqlite(None))
    app = make_app(registry, OWNER, lab=lab)
    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=1, ws="none")
    server = Closing(config, ready.set, registry.end)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]}, daemon=True)
    thread.start()
    assert ready.wait(20), "the studio does not start"
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{sock.getsockname()[1]}", timeout=300) as client:
            yield client
    finally:
        server.should_exit = True
        thread.join(10)
        sock.close()


def chromium() -> str:
    """Return where a Chromium of this machine is; nothing where there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), "")


@contextmanager
def browser() -> Iterator[Any]:
    """Run a Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        yield running
        running.close()


def address(client: httpx.Client) -> str:
    """Return the address of a studio."""
    return str(client.base_url).rstrip("/")


class At:
    """A table of a studio, asked directly."""

    def __init__(self, client: httpx.Client, pack: str, players: int, **more: Any) -> None:
        """Make a table at which people sit on all seats; the host sees what the deciding player sees."""
        self.client = client
        body = {"pack": pack, "players": players, "seats": [{} for _ in range(players)], **more}
        made = self.ask("POST", "/api/tables", OWNER, json=body)
        self.id, self.token = made["table"], made["tokens"]["host"]
        self.tokens = made["tokens"]
        self.seen: dict[str, Any] = {}
        self.setup = (pack, more.get("modules", ()), players, more.get("seed"))
        self.match: patolli.Match | None = None

    @property
    def link(self) -> str:
        """The address of the table for its host."""
        return f"{address(self.client)}/t/{self.id}#{self.token}"

    def ask(self, method: str, path: str, token: str = "", **more: Any) -> Any:
        """Ask the server; what is refused is a fault."""
        answer = self.client.request(method, path, headers={"authorization": f"Bearer {token or self.token}"}, **more)
        assert answer.is_success, f"{method} {path}: {answer.text}"
        return answer.json()

    def state(self) -> dict[str, Any]:
        """Return the state as the host sees it."""
        self.seen = self.ask("GET", f"/api/tables/{self.id}")
        return self.seen

    def move(self, index: int) -> None:
        """Take an option without a page."""
        body = {"revision": self.seen["revision"], "index": index, "key": f"{self.id} {self.seen['revision']}"}
        self.seen["revision"] = self.ask("POST", f"/api/tables/{self.id}/moves", json=body)["revision"]

    def truth(self) -> dict[str, Any]:
        """Return all that the match holds, which is open after the end."""
        return self.ask("GET", f"/api/tables/{self.id}/inspect")


# ---- a person at the page


class Person:
    """A person who plays at a page; keys or the mouse are how."""

    def __init__(self, page: Any, at: At, seed: int, keys: bool) -> None:
        """Open the table."""
        self.page, self.at, self.keys = page, at, keys
        self.random = random.Random(seed)
        self.choices: list[int | tuple[str, ...]] = []  # an answer, or the labels of several that were chosen together
        self.pointed = 0  # how many answers were given on a board
        page.goto(at.link)
        page.wait_for_selector("main.table, main.cover")

    def play(self, choices: int = 100_000, until: float = float("inf")) -> bool:
        """Answer questions; return whether the match is over."""
        for _ in range(choices):
            state = self.at.state()
            if state["over"]:
                break
            if time.monotonic() > until:
                return False
            self._answer(state)
        self._settled(self.at.state())
        return bool(self.at.seen["over"])

    def _settled(self, state: dict[str, Any]) -> None:
        """Wait until the page shows a revision; the deciding player takes the screen."""
        shown = f'main.table[data-revision="{state["revision"]}"]:not([data-busy])'
        self.page.wait_for_selector(f"{shown}, main.cover", timeout=SMALL)
        if self.page.locator("main.cover").count():
            self._press("Enter") if self.keys else self.page.click("#mine")
            self.page.wait_for_selector(shown, timeout=SMALL)

    def _answer(self, state: dict[str, Any]) -> None:
        self._settled(state)
        options = state["decision"]["options"]
        if state["decision"]["several"]:
            self._answer_several(state)
            return
        option = self.random.choice(options)
        if not (option["at"] and self.random.random() < 0.5 and self._point(state, options, option)):
            self._list(option)
        self.choices.append(option["index"])
        self._after(state)

    def _answer_several(self, state: dict[str, Any]) -> None:
        """Choose several things, in any order, until it is enough or there are no more."""
        chosen: list[str] = []
        while True:
            left = self._listed(state)
            option = self.random.choice(left)
            self._list(option)
            if option["anytime"]:
                self.choices.append(option["index"])
            else:
                chosen += [option["label"]] if option["label"] != DONE else []
            if option["anytime"] or option["label"] == DONE:
                break
            now = f'main.table:not([data-revision="{state["revision"]}"]), main.table[data-chosen="{len(chosen)}"]'
            self.page.wait_for_selector(f"{now}:not([data-busy]), main.cover", timeout=SMALL)
            if not self.page.locator(f'main.table[data-revision="{state["revision"]}"]').count():
                break
        if not option["anytime"]:
            self.choices.append(tuple(chosen))
        self._after(state)

    def _listed(self, state: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the answers that the page lists now, of those to a question for several things."""
        show = self.page.get_by_role("button", name="Show all")
        if show.count():
            show.click()
        ids = self.page.locator(".choice").evaluate_all("all => all.map(one => one.dataset.place)")
        every = [*state["decision"]["options"], *state["decision"]["later"], DONE_ANSWER]
        return [one for one in every if f"answer:{one['index']}" in ids]

    def _after(self, state: dict[str, Any]) -> None:
        now = f'main.table:not([data-revision="{state["revision"]}"]), main.cover'
        self.page.wait_for_selector(now, timeout=SMALL)

    def _point(self, state: dict[str, Any], options: list[Any], option: Any) -> bool:
        """Give an answer by pointing to its places, as long as one of them can be pointed to."""
        for _ in range(len(option["at"]) + 1):
            left = [id_ for id_ in option["at"] if self._place(id_).count()]
            done = self.page.locator(f'main.table[data-revision="{state["revision"]}"]:not([data-busy])').count() == 0
            if done or not left:
                break
            if not self._reach(self._place(left[0]).first):
                break
        busy = self.page.locator("main.table[data-busy]").count()
        gone = self.page.locator(f'main.table[data-revision="{state["revision"]}"]').count() == 0
        self.pointed += bool(busy or gone)
        return bool(busy or gone)

    def _place(self, id_: str) -> Any:
        quoted = id_.replace('"', '\\"')
        return self.page.locator(f'.can[data-place="{quoted}"]:not([aria-pressed="true"])')

    def _list(self, option: Any) -> None:
        self._press("Escape") if self.keys else None
        button = self.page.locator(f'.choice[data-place="answer:{option["index"]}"]')
        if not button.count() and self.page.get_by_role("button", name="Clear selection").count():
            self.page.get_by_role("button", name="Clear selection").click()
        if not button.count():
            self._reach(self.page.get_by_role("button", name="Show all"))
        assert self._reach(button), f"no way to the answer {option['words']!r}"

    def _reach(self, where: Any) -> bool:
        """Go to a place and choose it; return whether that can be."""
        if not self.keys:
            where.click(timeout=SMALL)
            return True
        return self._walk(where.element_handle(timeout=SMALL)) and (self._press("Enter") or True)

    def _press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def _walk(self, goal: Any) -> bool:
        """Go to an element by Tab and the arrow keys alone."""
        for _ in range(120):
            if goal.evaluate(WITHIN):
                break
            self._press("Tab")
        for _ in range(200):
            step = goal.evaluate(STEP)
            if not step:
                return bool(goal.evaluate("goal => goal === document.activeElement"))
            self._press(step)
        return False


WITHIN = """goal => goal === document.activeElement || Boolean(goal.closest('[data-rove]') &&
  goal.closest("[data-rove]").contains(document.activeElement) &&
  document.activeElement.matches('[data-place], [data-about]'))"""
"""Whether the focus is at a place of the same board or list."""
STEP = """goal => {
  const now = document.activeElement;
  if (goal === now) return '';
  const all = [...goal.closest('[data-rove]').querySelectorAll('[data-place], [data-about]')];
  const open = all.filter(one => one.matches('.can, .can *, .choice'));
  if (open.includes(goal) && open.includes(now) && open.indexOf(goal) > open.indexOf(now)) return 'PageDown';
  if (open.includes(goal)) return now === all[0] ? 'PageDown' : open.includes(now) ? 'PageUp' : 'Home';
  return '';
}"""
"""The key that leads nearer to a place; nothing where none does."""


def same(at: At, person: Person, pack: str, players: int, seed: int, modules: tuple[str, ...] = ()) -> str:
    """Return what is wrong with a match that was played at a page; nothing where it is as without one."""
    truth = at.truth()
    match = patolli.load(pack, modules=modules).start(players=players, seed=seed)
    for choice in person.choices:
        if isinstance(choice, int):
            match.choose(choice)
        else:
            together(match, choice)
    if truth["choices"] != list(match.choices):
        return f"{pack}: other choices than those that were clicked"
    return "" if truth["digest"] == match.digest() else f"{pack}: another digest than without a page"


def together(match: Any, labels: tuple[str, ...]) -> None:
    """Choose several things in the order in which the rules ask for them."""
    (question, seat), wanted = asked(match), list(labels)
    while asked(match) == (question, seat):
        label = next((one for one in match.decision.labels if one in wanted), None)
        if label is None and DONE not in match.decision.labels:
            return
        match.choose(DONE if label is None else label)
        if label is None:
            return
        wanted.remove(label)
        if not wanted and (asked(match) != (question, seat) or DONE not in match.decision.labels):
            return


def asked(match: Any) -> tuple[Any, int]:
    """Return the open question of a match, and whom it is asked."""
    return (match.decision.question, match.decision.player) if match.decision is not None else (None, -1)


# ---- commands


def play(games: list[tuple[str, tuple[str, ...]]], seconds: float) -> int:
    """Play a match of each pack, with some modules, by clicks, and one by keys; return the exit status."""
    wrong = 0
    with studio() as client, browser() as running:
        for pack, modules in games:
            for keys in (False, True):
                wrong += _played(client, running, pack, modules, keys, seconds)
    return 1 if wrong else 0


def fullest(pack: str) -> list[tuple[str, ...]]:
    """Return the combinations of a pack's modules to which none can be added; nothing where it has no modules."""
    base = read_pack(pack)
    valid = list(combinations(base, modules_of(base)))
    return [one for one in valid if one and not any(set(one) < set(other) for other in valid)]


def _played(
    client: httpx.Client, running: Any, pack: str, modules: tuple[str, ...], keys: bool, seconds: float
) -> bool:
    start, (low, high) = time.monotonic(), patolli.load(pack, modules=modules).players
    players = max(low, min(2, high))
    at = At(client, pack, players, seed=7, modules=list(modules))
    page = running.new_page(reduced_motion="reduce")
    person = Person(page, at, 11 + keys, keys)
    try:
        over = person.play(until=start + seconds)
        fault = same(at, person, pack, players, 7, modules) if over else "left"
    except Exception as error:  # whatever it is, the other packs are played, too
        over, fault = True, f"fault: {error}"
    page.close()
    how = "by keys" if keys else "by clicks"
    said = f"{len(person.choices)} choices, {person.pointed} on boards, {time.monotonic() - start:.0f} s"
    name = " + ".join((pack, *modules))
    print(f"{name:18} {how:9} {said}: {fault or 'the same digest'}", flush=True)
    return bool(fault and over)


def pictures() -> int:
    """Write the pictures of the documentation."""
    with TemporaryDirectory() as lab, studio(lab=Path(lab)) as client, browser() as running:
        for name, (width, height), show in (
            ("studio_lab", (1280, 900), show_lab),
            ("studio_workbench", (1000, 2600), show_workbench),
        ):
            page = running.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
            write_picture(name, show(client, page))
            page.close()
        for name, (pack, choices, (width, height), scheme) in PICTURES.items():
            at = At(client, pack, 2, seed=4)
            played(at, choices, 4)
            context = running.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            page.goto(at.link)
            page.wait_for_selector("main.table, main.cover")
            if page.locator("#mine").count():
                page.click("#mine")
            page.wait_for_selector("main.table")
            page.mouse.move(0, 0)
            page.evaluate("document.activeElement.blur()")
            page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))")
            write_picture(name, page)
            context.close()
    return 0


def write_picture(name: str, part: Any) -> None:
    """Write a picture of a page, or of a part of it."""
    path = ASSETS / f"{name}.png"
    part.screenshot(path=path)
    shrink(path)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


def show_lab(client: httpx.Client, page: Any) -> Any:
    """Play some matches in the lab; return its page."""
    page.goto(f"{address(client)}/lab#{OWNER}")
    page.get_by_label("Game").select_option("Pig")
    page.get_by_label("Matches", exact=True).fill("400")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("status").filter(has_text="done").wait_for(timeout=300_000)
    page.locator(".verdict li").first.wait_for()
    return page


def show_workbench(client: httpx.Client, page: Any) -> Any:
    """Open the workbench of a table that can be edited; return it."""
    at = At(client, "pig", 2, seed=1, open=True)
    played(at, 6, 1)
    page.goto(at.link)
    page.get_by_text("Workbench", exact=True).click()
    for summary in ("State", "Coverage"):
        if page.locator(".bench").get_by_text(summary, exact=True).count():
            page.locator(".bench").get_by_text(summary, exact=True).click()
    page.get_by_label("Id of a piece, rule").fill("turn")
    page.get_by_role("button", name="Look up").click()
    page.wait_for_selector("pre.yaml")
    return page.locator(".bench")


def played(at: At, choices: int, seed: int) -> None:
    """Make the first choices at a table without a page, or further ones, drawn by a seed.

    A second match says how many options there are, because a state of the studio takes longer than a choice.
    """
    pack, modules, players, chance = *at.setup[:3], random.Random(seed)
    at.match = at.match or patolli.load(pack, modules=modules).start(players, at.setup[3])
    at.state()
    for _ in range(choices):
        if at.match.decision is None:
            return
        index = chance.randrange(len(at.match.decision.options))
        at.move(index)
        at.match.choose(index)


def shrink(path: Path) -> None:
    """Write a picture again with a palette, where that can be done."""
    try:
        from PIL import Image
    except ImportError:
        return
    with Image.open(path) as image:
        small = image.convert("RGB").quantize(192, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=["play", "pictures"])
    parser.add_argument("packs", nargs="*")
    parser.add_argument("--with", dest="modules", action="append", default=[], help="a module, again and again")
    parser.add_argument("--all-modules", action="store_true", help="with as many modules as go together")
    parser.add_argument("--seconds", type=float, default=900)
    asked = parser.parse_intermixed_args()
    if not chromium():
        print("there is no Chromium on this machine", file=sys.stderr)
        return 2
    if asked.what == "pictures":
        return pictures()
    packs = asked.packs or [pack["id"] for pack in catalogue()]
    if asked.all_modules:
        return play([(pack, modules) for pack in packs for modules in fullest(pack)], asked.seconds)
    return play([(pack, tuple(asked.modules)) for pack in packs], asked.seconds)


if __name__ == "__main__":
    sys.exit(main())
