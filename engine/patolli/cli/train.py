"""``patolli train``."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import NewFile, Real, Seed, Whole, load_rules, with_modules
from patolli.cli.report_output import check_players
from patolli.cli.status import FINE, INTERRUPTED, MATCH, say
from patolli.language.sources.atomic_files import check_writable

if TYPE_CHECKING:
    from patolli.measure.training.course import Course

MINUTES = 10.0
CHECKED = 20
"""Number of games against another bot, now and then."""


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@with_modules
@click.option("--players", type=Whole(1), help="Number of seats (default: the game's minimum).")
@click.option(
    "--games",
    type=Whole(1),
    help="Total number of games. Training always finishes its last round.",
)
@click.option("--minutes", type=Real(0, min_open=True), help="Minutes to train (default: 10, unless --games is given).")
@click.option("--seed", type=Seed(), default=0, show_default=True, help="Random seed.")
@click.option("--jobs", type=Whole(1), default=1, show_default=True, help="Processes.")
@click.option("--out", type=NewFile(), help="The file to write (default: the file that the bot 'learned' reads).")
@click.option("--check/--no-check", default=True, help="Play against greedy bots now and then to measure progress.")
def train(
    pack: str,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    players: int | None,
    games: int | None,
    minutes: float | None,
    seed: int,
    jobs: int,
    out: Path | None,
    check: bool,
) -> None:
    """Learn how much positions of PACK are worth, by playing it.

    The bot 'learned' then uses the result. Each finished game and the result of each round are saved. If training was
    stopped, run the same command again to continue. The result is valid for one number of players, this content and
    these options.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 no game ended, 4 internal error.
    """
    from importlib.util import find_spec

    from patolli.play.players.learned_bot import NEEDS

    if find_spec("numpy") is None:
        raise click.UsageError(NEEDS)
    from patolli.measure.training.course import ANOTHER, DELETE, Course, read_course
    from patolli.play.learning.files import ModelError, place

    rules = load_rules(pack, modules, settings)
    number = check_players(rules, players)
    try:
        path = out or place(rules, number)
    except ModelError as error:
        raise click.BadParameter(str(error), param_hint="--out") from None
    if out is None:
        path.parent.mkdir(parents=True, exist_ok=True)
    check_writable(path)
    try:
        course = read_course(path, rules, number, seed) if path.exists() else Course(rules, number, seed)
        if games is not None and course.played >= games:
            say(_describe_enough(path, course.played))
            sys.exit(FINE)
        course.recall(path)
    except ModelError as error:
        raise click.BadParameter(f"{error.why}; {DELETE if error.damaged else ANOTHER}", param_hint="--out") from None
    if course.played:
        say(f"{path} has learned from {course.played:,} games; training continues")
    seconds = 60 * (minutes if minutes is not None else MINUTES if games is None else float("inf"))
    sys.exit(_run_training(course, path, games, seconds, jobs, check))


def _describe_enough(path: Path, played: int) -> str:
    return (
        f"{path} has learned from {played:,} games, so nothing is left to do; "
        "use more --games, or only --minutes, to continue"
    )


def _run_training(course: Course, path: Path, games: int | None, seconds: float, jobs: int, check: bool) -> int:
    """Play and learn until there is enough, and write after every round; return the exit status."""
    from patolli.author.workspace.interrupts import handle_interrupts

    began = time.perf_counter()
    with handle_interrupts() as stopped:
        while (games is None or course.played < games) and time.perf_counter() - began < seconds:
            before = course.rounds
            if not course.go_on(jobs, stopped, path):
                say(f"interrupted; {path} has learned from {course.played:,} games, games of this round are saved")
                return INTERRUPTED
            if course.judge is None:
                say("no game ended, so there is nothing to learn; 'patolli simulate' shows why")
                return MATCH
            course.write(path)
            say(f"{course.played:>7,} games  error {course.loss:.4f}")
            if check and _is_time_to_check(before, course.rounds):
                _check_strength(course)
    say(f"{path} has learned from {course.played:,} games")
    return FINE


def _is_time_to_check(before: int, rounds: int) -> bool:
    """Return whether to measure the strength now: after 3, 6, 12, 24, ... times the games of the first round."""
    mark = 3
    while mark <= before:
        mark *= 2
    return mark <= rounds


def _check_strength(course: Course) -> None:
    """Return how it does against greedy bots."""
    from patolli.measure.simulation.estimates import wilson
    from patolli.measure.training.strength_test import measure_judge

    assert course.judge is not None
    found = measure_judge(course.rules, course.players, course.judge, "greedy", CHECKED, course.seed)
    if found.won is None:
        score = sum(found.scores) / max(1, found.game_count)
        say(f"        {found.game_count} games{found.beside} end with a score of {score:.1f} on average")
        return
    low, high = wilson(found.won, found.game_count)
    chance = f"{100 * low:.0f} to {100 * high:.0f} % in the long run"
    say(f"        {found.who} {found.won:g} of {found.game_count} games{found.beside}: {chance}")
