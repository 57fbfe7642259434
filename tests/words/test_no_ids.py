"""What people read of a match holds no id of a pack or of the engine: answers, questions, and what is told.

A way of showing something joins by a row of ``SAID``. An id that is plain English may be read; what may not is an id
with an underscore, a place with its index in brackets, and the id of a piece that has a number in it.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from rich.console import Console

from patolli import load
from patolli.analysis.names import wording
from patolli.runtime import Match
from patolli.runtime.why import refused, why
from patolli.terminal import helping, lookup, things
from patolli.terminal.prompt import Question
from patolli.terminal.scene import Scene
from patolli.terminal.screen import Screen

RULESETS = [
    ("tic_tac_toe", (), 2),
    ("connect_four", (), 2),
    ("breakthrough", (), 2),
    ("patolli", (), 3),
    ("city_of_gods", (), 2),
    ("city_of_gods", (), 4),
    ("city_of_gods", ("first_game",), 3),
    ("city_of_gods", ("draft", "abrupt_eclipse", "random_pyramid"), 3),
    ("city_of_gods", ("obsidian", "mansion", "altars", "empire"), 2),
    ("city_of_gods", ("increased_workforce", "first_game"), 5),
    ("city_of_gods", ("solo",), 1),
    ("city_of_gods", ("solo", "bot_movement", "obsidian", "mansion", "altars", "empire"), 1),
    ("founders", (), 2),
    ("founders", (), 4),
    ("founders", ("founders_solo",), 1),
]
"""What is played: a pack, modules, and how many play."""
GALLERY = sorted(folder for folder in (Path(__file__).parents[2] / "content" / "gallery").iterdir() if folder.is_dir())
RULESETS += [(str(folder), (), load(str(folder)).players[0]) for folder in GALLERY]
MATCHES = 5
"""How many whole matches of a game are played; with modules it is one."""
LONG = ("amazons", "backgammon", "checkers", "chess", "go", "nine_mens_morris")
"""Games of the gallery whose matches by chance take long: of these it is one, too."""
OFTEN = 60
"""After so many choices the screen is looked at."""


def _asked(match: Match) -> Iterator[str]:
    if match.decision is not None:
        yield match.decision.prompt
        for option in match.decision.options:
            yield option.words


def _screens(match: Match) -> Iterator[str]:
    for width in (80, 140):
        console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
        screen = Screen(match.ruleset.model, console)
        seat = match.decision.player if match.decision is not None else 0
        screen.draw(match, seat)
        for line in screen.legend(match, seat):
            yield line.plain
        yield from console.file.getvalue().splitlines()  # type: ignore[attr-defined]


def _scores(match: Match) -> Iterator[str]:
    yield from match.score_sheet().categories


SAID: dict[str, Callable[[Match], Iterator[str]]] = {"questions": _asked}
"""What is said at every choice, by what says it."""
SHOWN: dict[str, Callable[[Match], Iterator[str]]] = {"panels": _screens}
"""What is shown now and then, and when the match is over."""
TOLD: dict[str, Callable[[Match], Iterator[str]]] = {
    "score sheet": _scores,
    "log": lambda match: iter(match.log),
    "log of a player": lambda match: (line for seat in range(match.players) for line in match.told(seat)),
    "telling": lambda match: (line.words for seat in range(match.players) for line in match.telling(seat)),
}
"""What is said once, when the match is over."""
GLUED = re.compile(r"\b\w*[a-z0-9]_[a-z0-9]\w*")
INDEXED = re.compile(r"\b[a-z0-9_]+\([^()]*\)")


def ids_in(match: Match, text: str) -> list[str]:
    """Return what in a text is an id and no word."""
    named = wording(match.program.layout.model.composition).pieces  # who says "mask 1" of mask_1 means these words
    pieces = {
        form
        for design in match.program.layout.model.designs.values()
        if any(letter.isdigit() for letter in design.id) and design.id.replace("_", " ") != named.get(design.id)
        for form in (design.id, design.id.replace("_", " "))
    }
    spoken = {id_ for id_ in pieces if re.search(rf"(?<![\w-]){re.escape(id_)}(?![\w-])", text)}
    return [*GLUED.findall(text), *INDEXED.findall(text), *sorted(spoken)]


@pytest.mark.parametrize(
    ("pack", "modules", "players"),
    [pytest.param(*row, id="+".join((Path(row[0]).name, *row[1], str(row[2])))) for row in RULESETS],
)
def test_nobody_reads_an_id(pack, modules, players):
    rules, read = load(pack, modules), dict[str, str]()
    for seed in range(1 if modules or Path(pack).name in LONG else MATCHES):
        match, draw = rules.start(players, seed=seed, narrate=True), Random(seed)
        while match.decision is not None:
            read |= {text: what for what, said in SAID.items() for text in said(match)}
            if len(match.choices) % OFTEN == OFTEN - 1:
                read |= {text: what for what, shown in SHOWN.items() for text in shown(match)}
            words = [option.words for option in match.decision.options]
            assert len(set(words)) == len(words), f"not told apart: {words}"
            match.choose(draw.randrange(len(words)))
        read |= {text: what for what, told in {**SHOWN, **TOLD}.items() for text in told(match)}

    wrong = [f"{what}: {text!r} holds {found}" for text, what in read.items() if (found := ids_in(match, text))]
    assert not wrong, "\n".join(wrong[:20])


def _screen(match: Match) -> Screen:
    console = Console(file=io.StringIO(), width=80, highlight=False, markup=False, emoji=False)
    return Screen(match.ruleset.model, console)


def _things(match: Match) -> Iterator[str]:
    """`show` of everything that can be looked up, once each."""
    scene = Scene(match, match.decision.player)
    found = {(entry.section, entry.id): (entry, copy) for (entry, copy), _ in things.things(scene)}
    for entry, copy in found.values():
        yield from (line.plain for line in things.about(scene, entry, copy))


def _rules(match: Match) -> Iterator[str]:
    """`rules`, and with a word that finds all of them."""
    for word in ("", "e"):
        yield from (line.plain for line in lookup.rules_page(match, match.decision, word))


def _reasons(match: Match) -> Iterator[str]:
    """`why` of some options, as a person at a terminal reads it."""
    offered = {option.label: option.words for option in match.decision.options[:REASONS]}
    others = list(refused(match).items())
    for label, words in [*offered.items(), *others[:REASONS], *others[-REASONS:]]:
        told = why(match, label, named=True).told(words, match.names[match.decision.player], places=False)
        yield from told.split("\n")


def _options(match: Match) -> Iterator[str]:
    """`?N` of the options."""
    question = Question(_screen(match), match)
    for option in match.decision.options[:PAGES]:
        yield from (line.plain for line in lookup.option_page(question, option))


def _help(match: Match) -> Iterator[str]:
    yield from (line.plain for line in helping.page(_screen(match), match, match.decision.player))


ASKED: dict[str, Callable[[Match], Iterator[str]]] = {
    "show": _things, "rules": _rules, "why": _reasons, "?N": _options, "?": _help,
}  # fmt: skip
"""What is said when a person asks for it."""
ASKED_AT = (0, 60)
"""After so many choices a person asks for everything."""
REASONS, PAGES = 3, 8
"""Of how many options of a sort it is asked why, and of how many what they are."""


@pytest.mark.parametrize(
    ("pack", "modules", "players"),
    [pytest.param(*row, id="+".join((Path(row[0]).name, *row[1], str(row[2])))) for row in RULESETS],
)
def test_nobody_reads_an_id_who_asks(pack, modules, players):
    match, draw, read = load(pack, modules).start(players, seed=2), Random(2), dict[str, str]()
    while match.decision is not None and len(match.choices) <= ASKED_AT[-1]:
        if len(match.choices) in ASKED_AT:
            read |= {text: what for what, asked in ASKED.items() for text in asked(match)}
        match.choose(draw.randrange(len(match.decision.options)))

    wrong = [f"{what}: {text!r} holds {found}" for text, what in read.items() if (found := ids_in(match, text))]
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("player_1 gains 1 bead", ["player_1"], id="player"),
        pytest.param("move to hand(player 2)", ["hand(player 2)"], id="index"),
        pytest.param("tech_5", ["tech_5", "tech_5"], id="piece"),
        pytest.param("technology of tech 5, p00", ["p00", "tech 5"], id="piece as words"),
        pytest.param("player 1's worker (the Palace), a1, 12 victory points", [], id="words"),
    ],
)
def test_an_id_is_seen(text, found):
    assert ids_in(load("city_of_gods").start(2, seed=1), text) == found


CALLED = [
    pytest.param(
        "city_of_gods", ("mansion", "obsidian", "altars", "increased_workforce"), 3, "(?i)palace", "the Mansion", id="mansion"
    ),
    pytest.param(
        "city_of_gods", ("mansion", "obsidian", "solo", "bot_movement"), 1, "(?i)palace", "the Mansion", id="mansion and solo"
    ),
    pytest.param(
        "city_of_gods", ("increased_workforce", "obsidian"), 5, "(?i)fourth|four (dice|workers)", "one more worker", id="workers"
    ),
    pytest.param(
        "founders", (), 2,
        "(?i)take the (green|red|blue)$|move this worship|second size|exact_cubes|architect.* -?[0-9] -> [0-9]",
        "take the green worship tile: ", id="founders",
    ),
]  # fmt: skip
"""What is played, what nobody may read there, and what is said instead: a module that replaces a board names it anew."""


@pytest.mark.parametrize(("pack", "modules", "players", "wrong", "right"), CALLED)
def test_things_are_called_what_they_are_in_this_game(pack, modules, players, wrong, right):
    match, draw, read = load(pack, modules).start(players, seed=1, narrate=True), Random(1), dict[str, str]()
    while match.decision is not None and len(match.choices) < 60:
        read |= {text: "questions" for text in _asked(match)}
        if len(match.choices) in (0, 59):
            read |= {text: what for what, asked in {**SHOWN, **ASKED}.items() for text in asked(match)}
        match.choose(draw.randrange(len(match.decision.options)))
    read |= {text: what for what, told in TOLD.items() for text in told(match)}

    assert any(right in text for text in read)
    assert [f"{what}: {text}" for text, what in read.items() if re.search(wrong, text)] == []
