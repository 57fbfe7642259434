"""Play a match between two browsers whose connections are cut again and again, and whose messages come twice and late.

    python tools/cuts.py                            a match of patolli, at least 100 cuts
    python tools/cuts.py connect_four --cuts 20

Each browser sits on a seat by its link. Before or just after a choice the network of one of them is taken away and
given back. Every choice is sent twice, between choices that were sent before. At the end both have to show the same as
the server, which has to have what the same choices lead to without any browser.

Exit status: 0 when all are at one, 1 when not, 2 where there is no Chromium.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import browse

import patolli

SLOW = 20.0
"""Seconds until a choice that was sent has to be there."""


class Side:
    """One of the browsers."""

    def __init__(self, running: Any, at: browse.At, seat: int, draw: Random) -> None:
        """Open the table on a seat."""
        self.at, self.draw, self.cuts, self.sent = at, draw, 0, list[str]()
        self.context = running.new_context(reduced_motion="reduce")
        self.page = self.context.new_page()
        self.page.route("**/api/tables/*/moves", self._twice)
        self.page.goto(f"{browse.address(at.client)}/t/{at.id}#{at.tokens['seat'][seat]}")
        self.page.wait_for_selector("main.table")

    def _twice(self, route: Any) -> None:
        """Send a choice twice, and one that was sent before in front of it and between."""
        body = route.request.post_data
        self.sent.append(body)
        try:
            several = (self.draw.choice(self.sent), body, self.draw.choice(self.sent), body)
            answers = [route.fetch(post_data=one) for one in several]
        except Exception:  # the line was cut meanwhile: the page shows what it would show then
            route.abort()
            return
        first, again = answers[1], answers[3]
        assert (first.status, first.json().get("revision")) == (again.status, again.json().get("revision"))
        route.fulfill(response=again)

    def cut(self) -> None:
        """Take the network away, and give it back."""
        self.context.set_offline(True)
        self.page.wait_for_timeout(self.draw.randrange(60))
        self.context.set_offline(False)
        self.cuts += 1

    def choose(self, index: int) -> None:
        """Click an answer, if it is there: what was answered before the line was cut is there no more."""
        shown = f'main.table[data-revision="{self.at.seen["revision"]}"]:not([data-busy])'
        self.page.wait_for_selector(shown, timeout=browse.SMALL)
        self.page.click(f'.choice[data-place="answer:{index}"]', timeout=browse.SMALL)

    def shows(self) -> tuple[str, str]:
        """Return what the page shows: how many choices there were, and what happened."""
        table = self.page.locator("main.table")
        return table.get_attribute("data-moves"), self.page.get_by_label("Log so far").inner_text()


def play(client: Any, running: Any, pack: str, seed: int) -> tuple[int, int, str]:
    """Play a match; return how many choices and cuts there were, and what is wrong, if anything is."""
    draw = Random(seed)
    at = browse.At(client, pack, 2, seed=seed)
    sides = [Side(running, at, seat, draw) for seat in range(2)]
    while not at.state()["over"]:
        player, moves = at.seen["decision"]["player"], at.seen["moves"]
        at.token = at.tokens["seat"][player]
        number = len(at.state()["decision"]["options"])
        side = sides[player]
        if draw.random() < 0.5:
            side.cut()
        side.choose(draw.randrange(number))
        sides[draw.randrange(2)].cut()
        end = time.monotonic() + SLOW
        while at.state()["moves"] == moves:
            if time.monotonic() > end:
                return moves, sum(one.cuts for one in sides), "a choice got lost"
            if not side.page.locator("main.table[data-busy]").count():
                break  # the line was cut before it was sent, and the page says so: it is chosen again
            side.page.wait_for_timeout(20)
    return at.seen["moves"], sum(one.cuts for one in sides), _wrong(at, sides, pack, seed)


def _wrong(at: browse.At, sides: list[Side], pack: str, seed: int) -> str:
    """Return where the browsers, the server and a match without either differ."""
    truth = at.truth()
    for side in sides:
        side.page.wait_for_selector(f'main.table[data-revision="{at.seen["revision"]}"]', timeout=browse.SMALL)
    if truth["digest"] != patolli.load(pack).replay(2, seed, truth["choices"]).digest():
        return "the server has something else than what was chosen"
    shown = [side.shows() for side in sides]
    if shown[0] != shown[1] or shown[0][0] != str(len(truth["choices"])):
        return f"the browsers differ: {shown}"
    return ""


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("pack", nargs="?", default="patolli")
    parser.add_argument("--cuts", type=int, default=100, help="matches are played until there were so many")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if not browse.chromium():
        print("there is no Chromium on this machine", file=sys.stderr)
        return 2
    with browse.studio() as client, browse.browser() as running:
        seed, all_cuts, fault = given.seed, 0, ""
        while all_cuts < given.cuts and not fault:
            choices, cuts, fault = play(client, running, given.pack, seed)
            seed, all_cuts = seed + 1, all_cuts + cuts
            print(f"{given.pack}: {choices} choices, {cuts} cuts: {fault or 'all are at one'}", flush=True)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
