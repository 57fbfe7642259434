"""Let others referee packs: random matches in lock step, every decision compared, and how fast both are.

    python tools/referee.py                       # all games that have a referee
    python tools/referee.py othello --matches 200
    python tools/referee.py pig --seed 17         # one match, the one of a difference
    python tools/referee.py --markdown            # the table for a page

OpenSpiel referees what it has; the games of our own are held against rules that were written a second time, in
``tests/gallery``. A line for each game: lines of the pack (without scenarios), minutes of a match, matches and
decisions compared, differences, and random matches per second of one core, ours and OpenSpiel's driven from Python,
measured in turns in this run, by the time that the processor takes. The exit status is 1 when there is a difference.
It needs OpenSpiel: pip install 'patolli[referee]'.

Minutes are those of people, all of them together, for as many choices as a random match has: 3 seconds to answer, and 2
more for each time that the number of options doubles. That is a guess, the same for all games; who plays well may need
many more or fewer choices than chance.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "engine"), str(ROOT / "tests" / "gallery")]

import lockstep  # noqa: E402 - the path is set first
from lockstep import NO_REFEREE, Referee, compare, openspiel, referees  # noqa: E402
from own import GAMES, Own  # noqa: E402

import patolli  # noqa: E402
from patolli.language.packs.discovery import find  # noqa: E402

ROUNDS, SLICE = 5, 0.4
ANSWER, DOUBLING = 3, 2
"""Seconds that a person takes for an answer, and for each doubling of what there is to choose from."""
GUESSED = 7
"""Random matches; the minutes are their median."""
HEAD = ("game", "against", "lines", "minutes", "matches", "decisions", "differences", "ours/s", "theirs/s")
COLUMNS = "{:23} {:10} {:>5} {:>7} {:>7} {:>9} {:>11} {:>8} {:>9}"


@dataclass(frozen=True, slots=True)
class Subject:
    """A game with who referees it.

    ``played`` plays a match of a seed, and returns how many decisions were compared and what was not the same; ``ours``
    and ``theirs`` play a random match of one side alone.
    """

    name: str
    pack: str
    against: str
    rules: Callable[[], patolli.Ruleset]
    players: int
    played: Callable[[Sequence[int]], Iterator[tuple[int, str]]]
    theirs: Callable[[], Callable[[int], None]] | None


def subjects() -> list[Subject]:
    """Return all games that have a referee."""
    return [*map(_refereed, referees()), *map(_own, GAMES)]


def _refereed(judge: Referee) -> Subject:
    def played(seeds: Sequence[int]) -> Iterator[tuple[int, str]]:
        for one in compare(judge, seeds):
            yield one.decisions, str(one.difference or "")

    def theirs() -> Callable[[int], None]:
        game: Any = openspiel().load_game(judge.spiel)
        return lambda seed: lockstep.their_match(game, seed)

    options = dict(judge.options)
    return Subject(
        judge.name,
        judge.pack,
        "OpenSpiel",
        lambda: patolli.load(judge.pack, options=options),
        judge.players,
        played,
        theirs,
    )


def _own(game: Own) -> Subject:
    def played(seeds: Sequence[int]) -> Iterator[tuple[int, str]]:
        for seed in seeds:
            try:
                yield game.play(seed), ""
            except AssertionError as parted:
                yield 0, f"{game.pack}, seed {seed}: {parted}"

    def rules() -> patolli.Ruleset:
        return patolli.load(game.pack, options=dict(game.options[0]))

    return Subject(game.pack, game.pack, "our oracle", rules, game.players[0], played, None)


def lines_of(pack: str) -> int:
    """Return how many lines a pack has, without its scenarios."""
    folder = find(pack)
    assert folder is not None
    files = [file for file in folder.rglob("*.yaml") if "scenarios" not in file.relative_to(folder).parts]
    return sum(len(file.read_text("utf-8").splitlines()) for file in files)


def minutes(rules: patolli.Ruleset, players: int) -> float:
    """Return for how many minutes people answer in a match, as the text at the top has it."""
    return median(_seconds(rules, players, seed) for seed in range(GUESSED)) / 60


def _seconds(rules: patolli.Ruleset, players: int, seed: int) -> float:
    draw, match, seconds = Random(seed).random, rules.start(players, seed), 0.0
    while (legal := match.options()) is not None:
        seconds += ANSWER + DOUBLING * log2(len(legal))
        match.pick(int(draw() * len(legal)))
    return seconds


def rates(subject: Subject, rules: patolli.Ruleset) -> tuple[float, float | None]:
    """Return random matches per second, ours and theirs: medians of rounds in which both have a turn."""
    plays = [lambda seed: lockstep.our_match(rules, subject.players, seed)]
    plays += [subject.theirs()] if subject.theirs is not None else []
    found: list[list[float]] = [[] for _ in plays]
    for round_ in range(ROUNDS):
        for play, rate in zip(plays, found, strict=True):
            played, start = 0, process_time()
            while (spent := process_time() - start) < SLICE or not played:
                play(1000 * round_ + played)
                played += 1
            rate.append(played / spent)
    return median(found[0]), median(found[1]) if len(found) > 1 else None


def row(subject: Subject, seeds: Sequence[int], speed: bool) -> tuple[tuple[object, ...], list[str]]:
    """Compare a game; return a line of the table, and what was not the same."""
    rules = subject.rules()
    played = list(subject.played(seeds))
    parted = [difference for _, difference in played if difference]
    ours, theirs = rates(subject, rules) if speed else (None, None)
    told = ["-" if rate is None else f"{rate:,.0f}" if rate >= 10 else f"{rate:.1f}" for rate in (ours, theirs)]
    counts = (len(played), f"{sum(decisions for decisions, _ in played):,}", len(parted))
    about = (lines_of(subject.pack), f"{minutes(rules, subject.players):.0f}")
    return (subject.name, subject.against, *about, *counts, *told), parted


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare, and print a table."""
    known = subjects()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="ids of packs; all that have a referee without any")
    parser.add_argument("--matches", type=int, default=200, help="random matches a game (200)")
    parser.add_argument("--seed", type=int, help="one match, of this seed")
    parser.add_argument("--no-speed", action="store_true", help="measure no speed")
    parser.add_argument("--markdown", action="store_true", help="print the table for a page")
    given = parser.parse_args(arguments)
    packs = list(dict.fromkeys(subject.pack for subject in known))
    if unknown := set(given.games) - {*packs}:
        parser.error(f"no referee for {', '.join(sorted(unknown))}; there are: {', '.join(packs)}")
    wanted = [subject for subject in known if not given.games or subject.pack in given.games]
    if openspiel() is None and any(subject.theirs is not None for subject in wanted):
        print(NO_REFEREE, file=sys.stderr)
        return 2
    seeds = range(given.matches) if given.seed is None else [given.seed]
    form = " | ".join(["{}"] * len(HEAD)).join(("| ", " |")) if given.markdown else COLUMNS
    print(form.format(*HEAD))
    if given.markdown:
        print(form.format(*(["---"] * len(HEAD))))
    differences: list[str] = []
    for subject in wanted:
        line, parted = row(subject, seeds, not given.no_speed)
        print(form.format(*line), flush=True)
        differences += parted[:3]
    for difference in differences:
        print(f"\n{difference}")
    return int(bool(differences))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except patolli.ContentError as error:
        sys.exit(str(error))
