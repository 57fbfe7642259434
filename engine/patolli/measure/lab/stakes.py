"""Whether choices matter: of a choice, several options are played on to the end, and the results are compared.

All options of a choice are played on with the same random bots and the same random draws. So an option that changes
nothing leads to the same result, and only others can lead to a different one. A different result does not show that a
choice needs thought, only that something depends on it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.measure.lab.content import Content, where
from patolli.measure.lab.dominated import Effects
from patolli.measure.lab.panel_files import keep_rows, read_rows
from patolli.measure.lab.run_data import Finding
from patolli.measure.lab.statistics import Known
from patolli.measure.simulation.estimates import Z
from patolli.measure.simulation.games import game_seed
from patolli.play.players.option_names import rule_of
from patolli.run.runtime.errors import MatchError

if TYPE_CHECKING:
    from patolli.run.runtime import Match, Ruleset

FILE = "stakes.json"
OPTIONS, AGAIN = 3, 2
"""How many options of a choice are tried, and how often each is played on to the end."""
KEPT = 4
"""Choices of a question in a match that are tried at most."""
MOST = 400
"""Most matches whose choices are tried."""
COMPARING = 0.3
"""The part of the time at most in which :mod:`patolli.measure.lab.dominated` compares options with each other."""
ENOUGH = 30
"""Tries of a question from which on a report says that its options make no difference: in fewer than 1 of 10 choices,
as sure as 95 of 100."""


@dataclass(slots=True)
class Stake:
    """A question: how often it was asked, how many of these choices were tried, and in how many the results differ.

    ``worse`` has the dominated options: an option, a better one, of what it leaves less, and the number of choices.
    """

    rule: str
    prompt: str
    where: str
    asked: int = 0
    tried: int = 0
    differ: int = 0
    worse: list[list[Any]] = field(default_factory=list)


def try_choices(rules: Ruleset, players: int, seed: int, seconds: float, limit: int) -> dict[str, Stake]:
    """Try choices of random matches for so many seconds.

    Of each match it tries a choice of the question that was tried least, and several of each question that made no
    difference so far, until it was tried often enough. Such questions need more tries, and there are few.
    """
    found: dict[str, Stake] = {}
    effects: dict[str, Effects] = {}
    content = Content(rules, players)
    began, comparing = time.perf_counter(), 0.0
    end = began + seconds
    for number in range(MOST):
        if time.perf_counter() > end:
            break
        random = Random(game_seed(seed, number))
        try:
            seen = _sample_choices(rules.start(players, random.getrandbits(62)), random, limit, found)
            least = min(seen, key=lambda key: found[key].tried, default="")
            for key, choices in seen.items():
                one, before = found[key], time.perf_counter()
                if comparing <= COMPARING * (before - began):
                    compared = effects.get(key) or effects.setdefault(key, Effects(content, choices[0]))
                    for choice in choices:
                        compared.compare(choice, random)
                    comparing += time.perf_counter() - before
                for at, choice in enumerate(choices):
                    wanted = not one.differ and one.tried < ENOUGH
                    if (wanted or (key == least and not at)) and time.perf_counter() < end:
                        one.differ += _lead_apart(choice, random, limit)
                        one.tried += 1
        except MatchError:  # the run of a bot reports it
            continue
    for key, compared in effects.items():
        found[key].worse = [list(each) for each in compared.list_worse(ENOUGH)]
    return found


def _sample_choices(match: Match, random: Random, limit: int, found: dict[str, Stake]) -> dict[str, list[Match]]:
    """Play a match at random, and return of each question copies before some of its choices."""
    seen: dict[str, list[Match]] = {}
    asked: dict[str, int] = {}
    for _ in range(limit):
        pending = match.pending
        if pending is None:
            break
        if len(pending) > 1:
            question = match.program.questions[match.frame[0]]
            key = where(question.span)
            parts = match.labels.vocabulary.template(question.prompt)
            prompt = "".join(part if isinstance(part, str) else "..." for part in parts)
            stake = found.setdefault(key, Stake(rule_of(question), prompt, key))
            stake.asked += 1
            asked[key] = asked.get(key, 0) + 1
            kept = seen.setdefault(key, [])
            at = len(kept) if len(kept) < KEPT else int(random.random() * asked[key])  # a reservoir: all are as likely
            if at < KEPT:
                kept[at : at + 1] = [match.clone()]
        match.pick(int(random.random() * len(pending)))
    return seen


def _lead_apart(match: Match, random: Random, limit: int) -> bool:
    """Return whether options of a choice lead to different results."""
    assert match.pending is not None
    options = random.sample(range(len(match.pending)), min(OPTIONS, len(match.pending)))
    for seed in (random.getrandbits(62) for _ in range(AGAIN)):
        ends = {end for option in options if (end := _play_on(match.clone(), option, Random(seed), limit)) is not None}
        if len(ends) > 1:
            return True
    return False


def _play_on(match: Match, option: int, random: Random, limit: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Take an option, play on at random, and return scores and winners; None if the match does not end."""
    match.pick(option)
    for _ in range(limit):
        if match.pending is None:
            return tuple(match.scores), tuple(match.winners)
        match.pick(int(random.random() * len(match.pending)))
    return None


def keep_stakes(folder: Path, found: dict[str, Stake]) -> None:
    """Write what was found into the folder of a panel. Raises OSError: it cannot be written."""
    keep_rows(folder / FILE, found.values())


def read_stakes(folder: Path) -> list[Stake]:
    """Read what was found; empty if nothing was. Raises StoreError: the file is invalid."""
    return read_rows(folder / FILE, Stake)


def estimate_stakes(found: Sequence[Stake]) -> Known | None:
    """Return the share of choices whose options lead to different results; None if too few were tried."""
    tried = [one for one in found if one.tried]
    asked, count = sum(one.asked for one in tried), sum(one.tried for one in tried)
    if count < ENOUGH:
        return None
    value = sum(one.asked * one.differ / one.tried for one in tried) / asked
    # Two tries of each kind are added, so that a question without differences gets no error of 0.
    guesses = [(one, (one.differ + 2) / (one.tried + 4)) for one in tried]
    variance = sum((one.asked / asked) ** 2 * guess * (1 - guess) / one.tried for one, guess in guesses)
    half = Z * sqrt(variance)
    return Known(value, max(0.0, value - half), min(1.0, value + half), count)


def find_idle_choices(found: Sequence[Stake]) -> Iterator[Finding]:
    """Find questions whose options have never led to different results."""
    for one in found:
        if one.tried >= ENOUGH and not one.differ:
            prompt = f" ({one.prompt!r})" if one.prompt else ""
            text = f"the options of {one.rule}{prompt} lead to the same results: in all of {one.tried} choices, scores "
            text += f"and winners were the same with {OPTIONS} of the options, each played on {AGAIN} times"
            yield Finding("no difference", one.rule, text, one.where)


def find_dominated(found: Sequence[Stake], content: Content) -> Iterator[Finding]:
    """Find options beside which there was always a better one; the options of one line of a menu are one finding."""
    lines: dict[tuple[str, str], tuple[str, str, str, int]] = {}
    for option, other, less, tried in (each for one in found for each in one.worse):
        lines.setdefault((content.line_of(option) or option, content.line_of(other)), (option, other, less, tried))
    for option, other, less, tried in lines.values():
        text = (
            f"{option} is never better than {other}, which is offered at the same time: in {tried} choices it did the "
        )
        text += f"same, and left less {' and '.join(less)}"
        yield Finding("dominated", option, text, content.option(option))
