"""Search the same positions in Python and natively, and tell where the trees differ.

Of every pack some positions are searched with so many simulations. All that is remembered has to be equal to the last
bit: visits, sums, bounds, which answers were met, and how far seats were ahead.

    python tools/searches.py                                   all packs, 200 simulations from 2 positions of each
    python tools/searches.py city_of_gods --players 4 --simulations 5000 --choices 0 40 80

Exit status: 0 everything is equal, 1 something is not, or cannot be translated.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "engine")]

import patolli  # noqa: E402 - the path is set first
from patolli.play.players.search import Search  # noqa: E402
from patolli.play.players.search.matches import Matches  # noqa: E402
from patolli.play.players.search.native import NativeSearch  # noqa: E402
from patolli.play.players.search.tree import Node  # noqa: E402
from patolli.run.native.heap import Unsupported  # noqa: E402
from patolli.run.native.machines import prepare_search  # noqa: E402
from patolli.run.native.searches import Searcher  # noqa: E402
from patolli.run.runtime import Match, Ruleset  # noqa: E402


def tree(node: Node) -> Any:
    """Return all that is known below a node, as plain data."""
    asks = {
        _plain(key): (
            ask.visits, ask.since, ask.changed, _plain(ask.options),
            {_plain(value): tree(child) for value, child in ask.children.items()},
        )
        for key, ask in node.asks.items()
    }  # fmt: skip
    return (node.visits, node.total, node.available, _plain(node.bounds or ()), node.scores, asks)


def _plain(value: Any) -> Any:
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value


def first_difference(one: Any, other: Any, path: str = "") -> str:
    """Return where two trees differ first; nothing where they are equal."""
    if one == other:
        return ""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            if key not in one or key not in other:
                return f"{path}/{key}: only in {'Python' if key in one else 'the module'}"
            if found := first_difference(one[key], other[key], f"{path}/{key}"):
                return found
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for position, pair in enumerate(zip(one, other, strict=True)):
            if found := first_difference(*pair, f"{path}.{position}"):
                return found
    return f"{path}: {str(one)[:60]} in Python, {str(other)[:60]} in the module"


def position(rules: Ruleset, players: int, choices: int, seed: int) -> Match | None:
    """Return a match after so many choices at random, in which there is something to choose; None where it is over."""
    match, draw = rules.start(players, seed), Random(seed)
    while (pending := match.pending) is not None and (len(match.choices) < choices or len(pending) < 2):
        match.pick(draw.randrange(len(pending)))
    return None if match.over else match


def both(match: Match, seed: int) -> tuple[Search, NativeSearch]:
    """Return two searches of a match, the one in Python and the one in a module."""
    searcher = Searcher(prepare_search(match.ruleset, match.players), match.players)
    found = Search(Matches(match), seed), NativeSearch(Matches(match), seed, searcher)
    for search in found:
        search.scoring = True
    return found


def difference(one: Search, other: Search[Match]) -> str:
    """Return what two searches differ in; nothing where they are equal."""
    if one.simulations != other.simulations:
        return f"{one.simulations} simulations in Python, {other.simulations} in the module"
    assert isinstance(one.game, Matches)
    assert isinstance(other.game, Matches)
    if one.game.worth.leads != other.game.worth.leads:
        return "how far seats were ahead"
    for seat, (mine, theirs) in enumerate(zip(one.roots, other.roots, strict=True)):
        if found := first_difference(tree(mine), tree(theirs), f"tree {seat}"):
            return found
    return ""


def compared(match: Match, simulations: int, seed: int = 1) -> tuple[str, float, float]:
    """Search a match in both, in two parts; return how they differ, and how much time each has taken."""
    spent, searches = [0.0, 0.0], both(match, seed)
    for _ in range(2):
        for number, search in enumerate(searches):
            began = process_time()
            search.run(simulations // 2)
            spent[number] += process_time() - began
    return difference(*searches), spent[0], spent[1]


def shipped() -> Iterator[str]:
    """Yield all packs that can be played alone."""
    for folder in (ROOT / "content", ROOT / "content/gallery"):
        for pack in sorted(folder.iterdir()):
            try:
                patolli.load(str(pack))
            except (ValueError, patolli.ContentError):
                continue
            yield str(pack)


def reports(packs: Sequence[str], given: argparse.Namespace) -> Iterator[tuple[bool, str]]:
    """Yield whether each search is equal, with a line about it."""
    for pack in packs:
        rules = patolli.load(pack)
        players = given.players or rules.players[0]
        for choices in given.choices:
            what = f"{Path(pack).name}, {players} players, after {choices} choices"
            match = position(rules, players, choices, given.seed)
            if match is None:
                continue
            try:
                differs, python, native = compared(match, given.simulations, given.seed)
            except Unsupported as error:
                yield False, f"{what}: not translated: {error}"
                continue
            yield not differs, f"{what}: {differs or f'equal, {python / max(native, 1e-9):.1f} times as fast'}"


def main() -> None:
    """Compare the requested searches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*")
    parser.add_argument("--players", type=int, default=0)
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--choices", type=int, nargs="+", default=[0, 24])
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    fine = True
    for equal, line in reports(given.packs or [*shipped()], given):
        print(line, flush=True)
        fine = fine and equal
    sys.exit(not fine)


if __name__ == "__main__":
    main()
