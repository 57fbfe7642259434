"""Every word that is on the screen of a match is explained there: by `?`, or by `show` with the words themselves.

What is left are words that everybody knows, written down here. A new one is to be explained, or to be added after a
look at where it stands: would a stranger to the game know what it means there?
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from rich.console import Console
from tiers import few

from patolli import load
from patolli.play.scene import things
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal import help_page
from patolli.play.terminal.screen import Screen
from patolli.run.runtime import Match

GAMES = {
    "tic_tac_toe": 5, "connect_four": 5, "breakthrough": 5, "patolli": 5, "city_of_gods": 5, "founders": 5,
}  # fmt: skip
"""How many matches of each game are looked at."""
GALLERY = sorted(folder for folder in (Path(__file__).parents[2] / "content" / "gallery").iterdir() if folder.is_dir())
GAMES |= {str(folder): 1 for folder in GALLERY}
OFTEN = 40
"""After so many choices the panels are looked at."""
PLAIN = (
    "after along any anywhere around as back become begin best brings brought buy by climb count decide do each "
    "exactly exchange fall first four frame free from gain get give go had in into keep kind lead left less lie "
    "lose made many may missing most move much needs no none of off often once onto other otherwise out owe owner "
    "pass past pay payment per point put quarter rare replace reward rise send sent shown sold spot stand stop "
    "stronger take than three time told top trade twice two under up where which who will yet"
)
"""Words that everybody knows."""
TOKEN = re.compile(r"[A-Za-z][a-z'-]*[a-z]")


def stems(text: str) -> set[str]:
    """Return the words of a text without their endings."""
    return {_stem(word.lower().removesuffix("'s")) for word in TOKEN.findall(text)}


def _stem(word: str) -> str:
    for ending in ("ies", "es", "s", "ed", "ing", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word.removesuffix(ending) + ("y" if ending == "ies" else "")
    return word


def screen(match: Match) -> Screen:
    console = Console(file=io.StringIO(), width=140, highlight=False, markup=False, emoji=False)
    return Screen(match.ruleset.model, console)


def explained(match: Match) -> set[str]:
    """The words that `?` holds, and those by which something can be looked up."""
    told = [line.plain for line in help_page.page(screen(match), match, 0)]
    told += [name for _, name in things.things(Scene(match, 0))]
    return {stem for text in told for stem in stems(text)}


def shown(match: Match, seed: int) -> Iterator[str]:
    """Play a match at random, and yield what stands on the screen meanwhile."""
    draw = Random(seed)
    while match.decision is not None:
        yield match.decision.prompt
        yield from (option.words for option in match.decision.options)
        if len(match.choices) % OFTEN == 5:
            drawn = screen(match)
            drawn.draw(match, match.decision.player)
            yield drawn.console.file.getvalue()  # type: ignore[attr-defined]
        match.choose(draw.randrange(len(match.decision.options)))
    for seat in range(match.players):
        yield from (line.words for line in match.telling(seat))


@pytest.mark.parametrize(
    ("pack", "matches"), few([pytest.param(*game, id=Path(game[0]).name) for game in GAMES.items()], 0, 5, deep=8)
)
def test_every_word_on_the_screen_is_explained(pack, matches):
    rules, left = load(pack), dict[str, str]()
    for seed in range(matches):
        match = rules.start(max(2, rules.players[0]), seed=seed, narrate=True)
        known = explained(match) | stems(PLAIN)
        for text in shown(match, seed):
            left |= {word: text[:120] for word in stems(text) - known}

    assert not left, "\n".join(f"{word}: {text}" for word, text in sorted(left.items()))


def test_what_nothing_explains_is_seen():
    match = load("founders").start(2, seed=1)

    assert stems("The zyggurat stands in your city") - explained(match) - stems(PLAIN) == {"zyggurat"}
