"""Golden narrations: a match of each game as people read it, with the score sheet at its end.

Read the difference as a stranger to the game would before you commit it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import golden
import pytest
from tiers import few

from patolli.author.workspace import load
from patolli.play.players import make_bot
from patolli.play.terminal.scores import rows
from patolli.run.runtime import Match

GOLDEN = Path(__file__).parent / "golden"
CONTENT = Path(__file__).parents[2] / "content"
FIRST, LAST = 150, 40
"""How many lines of a long match are kept, from its beginning and its end."""


@dataclass(frozen=True)
class Game:
    """A match that is reported: the pack with modules, how many play, and the seed; who plays, and options of the pack."""

    packs: str
    seats: int = 2
    seed: int = 1
    bot: str = "greedy"
    options: tuple[tuple[str, int], ...] = ()


GAMES = {
    "tic_tac_toe": Game("tic_tac_toe", 2, 3),
    "connect_four": Game("connect_four", 2, 1),
    "breakthrough": Game("breakthrough", 2, 1),
    "patolli": Game("patolli", 2, 1),
    "founders": Game("founders", 2, 1),
    "founders_solo": Game("founders+founders_solo", 1, 1),
    "city_of_gods": Game("city_of_gods", 2, 1),
    "city_of_gods_solo": Game("city_of_gods+solo", 1, 1),
    "expansion_period": Game("city_of_gods+obsidian+mansion+altars+empire", 2, 1),
    "allotments": Game("gallery/allotments", 3, options=(("seasons", 1),)),
    "amazons": Game("gallery/amazons", bot="random"),
    "apiaries": Game("gallery/apiaries", 3, options=(("seasons", 6),)),
    "backgammon": Game("gallery/backgammon"),
    "beacons": Game("gallery/beacons", 3),
    "battleship": Game("gallery/battleship", options=(("shots", 20),)),
    "checkers": Game("gallery/checkers", bot="random"),
    "chess": Game("gallery/chess", bot="random"),
    "curios": Game("gallery/curios", 3),
    "dots_and_boxes": Game("gallery/dots_and_boxes"),
    "drystone": Game("gallery/drystone", 3, options=(("fells", 12),)),
    "go": Game("gallery/go", options=(("size", 5),)),
    "goofspiel": Game("gallery/goofspiel", options=(("ranks", 6),)),
    "hex": Game("gallery/hex", options=(("size", 5),)),
    "high_water": Game("gallery/high_water", 3),
    "leduc_poker": Game("gallery/leduc_poker"),
    "millstream": Game("gallery/millstream", 3, options=(("rounds", 5),)),
    "nine_mens_morris": Game("gallery/nine_mens_morris", bot="random"),
    "othello": Game("gallery/othello", bot="random"),
    "packways": Game("gallery/packways", 3, options=(("weeks", 8),)),
    "pig": Game("gallery/pig", options=(("goal", 40),)),
    "promises": Game("gallery/promises", 3, options=(("rounds", 2),)),
    "skerry": Game("gallery/skerry", options=(("years", 8),)),
}


@cache
def played(name: str) -> Match:
    """Play a match with bots."""
    game = GAMES[name]
    pack, *modules = game.packs.split("+")
    pack = str(CONTENT / pack) if "/" in pack else pack
    match = load(pack, modules=modules, options=dict(game.options)).start(game.seats, game.seed, narrate=True)
    bots = [make_bot(game.bot, game.seed, seat) for seat in range(match.players)]
    while match.decision is not None:
        match.choose(bots[match.decision.player].decide(match))
    return match


def page(match: Match) -> str:
    """A match as it is read."""
    lines = [
        f"{'  ' * (line.level - (line.kind == 'heading'))}{line.words}{':' * (line.kind == 'heading')}"
        for line in match.telling()
    ]
    if len(lines) > FIRST + LAST:
        lines[FIRST:-LAST] = ["", f"({len(lines) - FIRST - LAST} lines later)", ""]
    sheet = rows(match) or [["Total", *map(str, match.scores)]]
    widths = [max(len(row[at]) for row in sheet) for at in range(len(sheet[0]))]
    lines.append("")
    for first, *others in sheet:
        cells = "  ".join(cell.rjust(width) for cell, width in zip(others, widths[1:], strict=True))
        lines.append(f"{first.ljust(widths[0])}  {cells}".rstrip())
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", few(GAMES, 0, 4))
def test_match_is_reported_as_it_should_be(name):
    golden.check(GOLDEN / f"{name}.txt", page(played(name)))


@pytest.mark.parametrize("name", few(GAMES, 0, 4, deep=8))
def test_nothing_of_the_engine_is_reported(name):
    """No id, no arrow, no signed number, no call, no name in the plural for one; and nothing twice in a row."""
    match = played(name)
    lines = [line for seat in (None, *range(match.players)) for line in match.telling(seat)]

    odd = [line.words for line in lines if re.search(r"_|->|\w\(|[+-]\d|\b1 \w+ times|\{|\}|\bnone\b", line.words)]

    assert odd == []
    assert all(line.words[:1].isupper() or line.words[:1].isdigit() for line in lines)


@pytest.mark.parametrize("name", few(GAMES, 0, 4, deep=8))
def test_parts_of_the_score_sheet_have_names(name):
    sheet = played(name).score_sheet()

    assert "Other" not in sheet.categories
    assert list(sheet.totals) == played(name).scores


def test_there_is_a_page_for_each_game_and_no_other():
    assert {folder.name for folder in (CONTENT / "gallery").iterdir() if folder.is_dir()} < set(GAMES)
    assert sorted(path.stem for path in GOLDEN.glob("*.txt")) == sorted(GAMES)


@pytest.mark.deep
def test_what_a_player_is_willing_to_pay_is_no_news():
    match = played("city_of_gods")

    assert not [line.words for seat in range(2) for line in match.telling(seat) if "willing to pay" in line.words]
