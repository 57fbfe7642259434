"""Play whole matches of every game, and look for ids in all that people read of them.

    python tools/ids.py                            # every game, five matches of each; takes half an hour
    python tools/ids.py chess skerry --matches 20
    python tools/ids.py city_of_gods --seeds 5     # other matches: those after the first five

An id that is plain English may be read; what may not is an id with an underscore or without a vowel, a place with its
index in brackets, and the id of a piece that has a number in it. A way of showing something joins by a row of ``SAID``,
``SHOWN``, ``TOLD`` or ``ASKED``; the tests read fewer matches in the same way.
"""

from __future__ import annotations

import argparse
import io
import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

from rich.console import Console

from patolli import load
from patolli.check.analysis.names import wording
from patolli.language.packs.manifest import read_manifest
from patolli.language.resolve.entries import number_of
from patolli.play.scene import things
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal import help_page, lookup
from patolli.play.terminal.prompt import Question
from patolli.play.terminal.screen import Screen
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.why import list_refused_options, why

Row = tuple[str, tuple[str, ...], int]
RULESETS: list[Row] = [
    ("tic_tac_toe", (), 2),
    ("connect_four", (), 2),
    ("breakthrough", (), 2),
    ("patolli", (), 3),
    ("city_of_gods", (), 2),
    ("city_of_gods", ("draft", "abrupt_eclipse", "random_pyramid"), 3),
    ("city_of_gods", ("obsidian", "mansion", "altars", "empire"), 2),
    ("city_of_gods", ("increased_workforce", "first_game"), 5),
    ("city_of_gods", ("solo", "bot_movement", "obsidian", "mansion", "altars", "empire"), 1),
    ("founders", (), 4),
    ("founders", ("founders_solo",), 1),
]
"""What is played: a pack, modules, and how many play."""


def _min_players(folder: Path) -> int:
    """Return how many players a pack needs; the tests collect this module, so that nothing is loaded here."""
    pack = read_manifest(folder)
    return number_of(pack and pack.manifest.get("players"), "min", 1)


GALLERY = sorted(
    folder for folder in (Path(__file__).resolve().parent.parent / "content" / "gallery").iterdir() if folder.is_dir()
)
RULESETS += [(str(folder), (), _min_players(folder)) for folder in GALLERY]
OFTEN = 60
"""After so many choices the screen is looked at."""


def called(row: Row) -> str:
    """Return a row of ``RULESETS`` in one word: pack, modules, players."""
    pack, modules, players = row
    return "+".join((Path(pack).name, *modules, str(players)))


def questions(match: Match) -> Iterator[str]:
    """Yield the question, and the choices."""
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


SAID: dict[str, Callable[[Match], Iterator[str]]] = {"questions": questions}
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
NAMING = ("counters", "kinds", "places", "rules", "functions", "enums", "constants")
"""Sections where an id without a vowel is an abbreviation, and no word."""
GLUED = re.compile(r"\b\w*[a-z0-9]_[a-z0-9]\w*")
INDEXED = re.compile(r"\b[a-z0-9_]+\([^()]*\)")


@cache
def _spoken(rules: Ruleset) -> re.Pattern[str]:
    """Return what finds ids of pieces that have a number, and ids without a vowel."""
    named = wording(rules.model.composition).pieces  # who says "mask 1" of mask_1 means these words
    pieces = {
        form
        for design in rules.model.designs.values()
        if any(letter.isdigit() for letter in design.id) and design.id.replace("_", " ") != named.get(design.id)
        for form in (design.id, design.id.replace("_", " "))
    }
    sections = rules.model.composition.sections
    short = {id_ for section in NAMING for id_ in sections[section] if len(id_) > 1 and not re.search("[aeiouy]", id_)}
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(pieces | short))) or '(?!)'})(?![\w-])")


def ids_in(rules: Ruleset, text: str) -> list[str]:
    """Return what in a text is an id and no word."""
    return [*GLUED.findall(text), *INDEXED.findall(text), *sorted(set(_spoken(rules).findall(text)))]


def read_match(rules: Ruleset, players: int, seed: int) -> dict[str, str]:
    """Play a match at random; return all that is read of it, with what says it.

    Raises:
        AssertionError: Two options of one question have the same words.
    """
    match, draw, read = rules.start(players, seed=seed, narrate=True), Random(seed), dict[str, str]()
    while match.decision is not None:
        read |= {text: what for what, said in SAID.items() for text in said(match)}
        if len(match.choices) % OFTEN == OFTEN - 1:
            read |= {text: what for what, shown in SHOWN.items() for text in shown(match)}
        words = [option.words for option in match.decision.options]
        assert len(set(words)) == len(words), f"not told apart: {words}"
        match.choose(draw.randrange(len(words)))
    return read | {text: what for what, told in {**SHOWN, **TOLD}.items() for text in told(match)}


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
    others = list(list_refused_options(match).items())
    for label, words in [*offered.items(), *others[:REASONS], *others[-REASONS:]]:
        told = why(match, label, named=True).format_lines(words, match.names[match.decision.player], places=False)
        yield from told.split("\n")


def _options(match: Match) -> Iterator[str]:
    """`?N` of the options."""
    question = Question(_screen(match), match)
    for option in match.decision.options[:PAGES]:
        yield from (line.plain for line in lookup.option_page(question, option))


def _help(match: Match) -> Iterator[str]:
    yield from (line.plain for line in help_page.page(_screen(match), match, match.decision.player))


ASKED: dict[str, Callable[[Match], Iterator[str]]] = {
    "show": _things, "rules": _rules, "why": _reasons, "?N": _options, "?": _help,
}  # fmt: skip
"""What is said when a person asks for it."""
ASKED_AT = (0, 60)
"""After so many choices a person asks for everything."""
REASONS, PAGES = 3, 8
"""Of how many options of a sort it is asked why, and of how many what they are."""


def ask_match(rules: Ruleset, players: int, seed: int) -> dict[str, str]:
    """Play the beginning of a match at random; return what is read by a person who asks for everything now and then."""
    match, draw, read = rules.start(players, seed=seed), Random(seed), dict[str, str]()
    while match.decision is not None and len(match.choices) <= ASKED_AT[-1]:
        if len(match.choices) in ASKED_AT:
            read |= {text: what for what, asked in ASKED.items() for text in asked(match)}
        match.choose(draw.randrange(len(match.decision.options)))
    return read


def wrong(rules: Ruleset, read: dict[str, str]) -> list[str]:
    """Return a line for each text that holds an id, outside of what a sentence shows of a rule in backquotes."""
    said = {text: re.sub("`[^`]*`", "", text) for text in read}
    return [f"{what}: {text!r} holds {found}" for text, what in read.items() if (found := ids_in(rules, said[text]))]


def main(arguments: list[str]) -> int:
    """Read matches, a line for each ruleset; return 1 where an id was read."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*", help="games, by their ids; all of them unless said")
    parser.add_argument("--matches", type=int, default=5, help="of each game, alone and with modules")
    parser.add_argument("--seeds", type=int, default=0, help="the first seed")
    told = parser.parse_args(arguments)
    found = 0
    for row in RULESETS:
        pack, modules, players = row
        if told.packs and Path(pack).name not in told.packs:
            continue
        rules, lines, bad, begun = load(pack, modules), 0, list[str](), time.process_time()
        for seed in range(told.seeds, told.seeds + told.matches):
            for reading in (read_match, ask_match):
                read = reading(rules, players, seed)
                lines += len(read)
                bad += wrong(rules, read)
        found += len(bad)
        spent = time.process_time() - begun
        print(
            f"{called(row)}: {told.matches} matches, {lines} texts, {len(bad)} with ids ({spent:.0f} s of CPU)",
            flush=True,
        )
        for line in dict.fromkeys(bad):
            print(f"  {line}", flush=True)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
