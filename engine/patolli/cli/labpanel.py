"""``patolli lab run`` and ``patolli lab report`` with a panel of bots."""

from __future__ import annotations

import sys
from contextlib import closing, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.labfolders import ends_reported, rules_of
from patolli.cli.labprogress import format_estimate, so_far
from patolli.cli.simulate import worth
from patolli.cli.status import FINE, INTERRUPTED, MATCH, say
from patolli.measure.lab.units import many

if TYPE_CHECKING:
    from patolli.cli.labplans import Wanted
    from patolli.measure.lab.findings import Run
    from patolli.measure.lab.frame import Frame
    from patolli.measure.lab.panel import Lineup, Panel
    from patolli.measure.lab.panel_report import Member
    from patolli.measure.lab.trials import Suspect, Trial
    from patolli.run.runtime import Ruleset

MINUTES = 5
"""Minutes of a panel that names neither a time nor a number of matches."""
TRIALS = 0.2
"""The part of the time in which suspicious options are tried, see :mod:`patolli.measure.lab.trials`."""
STAKES = 0.08
"""The part of the time in which choices are tried, see :mod:`patolli.measure.lab.stakes`."""
SHOWN = ("seat 1 wins", "turns", "choices")
"""Measures in the table that a panel prints."""


def run_panel(what: Wanted, out: Path, minutes: int | None, jobs: int | None) -> int:
    """Play the runs of a panel, and return the status of the program.

    Raises:
        ContentError: The pack has problems.
        PlanError: Something makes no sense.
        StoreError: A folder has something else.
    """
    from patolli.measure.lab.panel import MOST, Panel, choose_bots, open_panel, split_time
    from patolli.measure.lab.stakes import keep_stakes, try_choices
    from patolli.measure.simulation import LIMIT

    base, players = what.load_panel(out)
    seconds, jobs = 60.0 * (minutes or MINUTES), jobs or worth(MOST)
    wanted = what.panel or ()
    panel, status = open_panel(out, wanted, players), FINE
    with ends_reported(), redirect_stdout(sys.stderr):  # keep the output of bots out of the table
        if panel is None:
            bots = wanted or choose_bots(base, players, seconds, jobs, what.limit or LIMIT)
            panel = Panel(tuple(bots), players)
            panel.keep(out)
        say(f"bots: {', '.join(panel.bots)}")
        keep_stakes(out, try_choices(base, players, what.seed, STAKES * seconds, what.limit or LIMIT))
        trials = 0.0 if what.games is not None else TRIALS * seconds
        for time, group in split_time(panel, (1 - STAKES) * seconds - trials):
            games = None if what.games is None else max(1, what.games // len(group))
            if not _play_group(what, out, base, group, time, games, jobs):
                status = INTERRUPTED
                break
        if status == FINE and trials and players > 1 and not _play_trials(what, out, base, panel, trials, jobs):
            status = INTERRUPTED
    faults = _print_table(out, panel)
    click.echo(f"\nthe verdict: patolli lab report {out} --out {out}.html")
    if status == INTERRUPTED:
        say("interrupted; run the same command again to continue")
    return MATCH if faults else status


def _play_group(
    what: Wanted, out: Path, base: Ruleset, group: list[Lineup], seconds: float, games: int | None, jobs: int
) -> bool:
    """Play the same number of matches in each run of a group; return False if the user stopped it."""
    from patolli.measure.lab.run_loop import Goal, fit_matches, run
    from patolli.measure.simulation.estimates import Interrupted

    rules, goal = {"base": base}, None if games is None else Goal(games)
    for one in group:
        plan, store = what.open_run(out / one.folder, base, one.bots)
        with closing(store):
            if goal is None:
                there = store.end or 0
                store.go_on()
                try:
                    goal = Goal(there + fit_matches(store, rules, plan, seconds / len(group), jobs, there, one.most))
                except Interrupted:
                    return False
            store.go_on()
            with so_far(store, rules, goal, plan.players) as each:
                done = run(store, rules, plan, goal, min(jobs, worth(goal.matches)), each=each)
            if done.interrupted:
                return False
            store.conclude(done.matches)
    return True


def _play_trials(what: Wanted, out: Path, base: Ruleset, panel: Panel, seconds: float, jobs: int) -> bool:
    """Try suspicious options; if there are none, the strongest bot plays on. Return False if the user stopped it."""
    from patolli.measure.lab.panel_report import list_suspects
    from patolli.measure.lab.trials import keep_trials, read_trials

    members = read_members(out, panel)
    suspects = list_suspects(members, seconds, jobs) if members else []
    if not suspects:
        return _play_group(what, out, base, [panel.member(len(panel.bots) - 1)], seconds, None, jobs)
    found = {one.option: one for one in read_trials(out)}
    for one in suspects:
        before = found.get(one.option)
        suspect = one if before is None else replace(one, bot=before.bot)  # of one bot there are more pairs
        there = 0 if before is None else before.pairs
        trial = _try_option(what, out, base, suspect, there, seconds / len(suspects), jobs)
        if trial is None:
            return False
        found[one.option] = trial
        keep_trials(out, list(found.values()))
    return True


def _try_option(
    what: Wanted, out: Path, base: Ruleset, one: Suspect, there: int, seconds: float, jobs: int
) -> Trial | None:
    """Play pairs of matches with and without an option, beyond those that are there; None if the user stopped it."""
    from contextlib import ExitStack
    from time import perf_counter

    from patolli.measure.lab.paired_runs import Side
    from patolli.measure.lab.run_loop import Goal, run
    from patolli.measure.lab.strategies import FREE, plans
    from patolli.measure.lab.trials import FEWEST, PAIRS, Trial

    began, more = perf_counter(), FEWEST
    how = replace(what, seed=what.seed + 1, bot=one.bot, seats=()).plan(base, FEWEST)
    sides = {
        path: Side(what.variants[:1], {"base": base}, plan)
        for path, plan in plans(how, [one.strategy]).items()
        if path != Path(FREE)
    }
    with ExitStack() as open_:
        stores = [open_.enter_context(closing(side.open(out / one.folder / path))) for path, side in sides.items()]
        for _ in range(2):  # the first ones show how many fit
            games = there + more
            for store, side in zip(stores, sides.values(), strict=True):
                if run(store, side.rules, side.plan, Goal(games), min(jobs, worth(games))).interrupted:
                    return None
            more = max(more, min(PAIRS, int(more * seconds / (perf_counter() - began))))
        return Trial.of(one, stores)


def _print_table(out: Path, panel: Panel) -> int:
    """Print what is known of each bot; return how many matches could not go on."""
    from patolli.measure.lab.frame import open_run
    from patolli.measure.lab.measures import Estimate, measures
    from patolli.measure.lab.run_loop import MOST

    known = measures(panel.seats)
    shown = [known[name] for name in SHOWN]
    columns = sorted({column for one in shown for column in one.columns} | {"fault"})
    width = max(map(len, panel.bots)) + 2
    click.echo(f"{'':<{width}}{'matches':>9}" + "".join(f"{one.name:>20}" for one in shown))
    faults = 0
    for at, bot in enumerate(panel.bots):
        folder = out / panel.member(at).folder
        if not (folder / "plan.json").is_file():
            continue
        store = open_run(folder)
        rows = list(store.rows("base", store.end or MOST, columns))
        failed = [row for row in rows if row["fault"]]
        faults += len(failed)
        texts = [_format(Estimate.over(one, rows), one.share) for one in shown]
        click.echo(f"{bot:<{width}}{len(rows):>9,}" + "".join(f"{text:>20}" for text in texts))
        if failed:
            say(f"{bot}: {many(len(failed))} failed; the first is match {failed[0]['match']}: {failed[0]['fault']}")
    return faults


def _format(found: Any, is_share: bool) -> str:
    return format_estimate(found.mean, found.half, is_share) if found.count > 1 else "not known"


def read_members(folder: Path, panel: Panel) -> list[Member]:
    """Return the bots of a panel that have matches, with their findings. Raises ContentError: pack problems."""
    from patolli.measure.lab.content import Content
    from patolli.measure.lab.findings import Run
    from patolli.measure.lab.panel_report import Member, rate_for

    frames = [(bot, _read_frame(folder, panel.member(at))) for at, bot in enumerate(panel.bots)]
    there = [(bot, frame) for bot, frame in frames if frame is not None]
    if not there:
        return []
    content = Content(rules_of(there[0][1].store, "base"), panel.seats)
    return [Member.of(bot, Run.of(frame, content, rate_for(panel))) for bot, frame in there]


def _read_frame(folder: Path, one: Lineup) -> Frame | None:
    """Return the matches of a run of a panel; None if it has none yet."""
    from patolli.measure.lab.frame import Frame, open_run
    from patolli.measure.lab.store import StoreError

    try:
        return Frame(open_run(folder / one.folder), "base")
    except StoreError:
        return None


def read_panel_report(folder: Path, panel: Panel) -> tuple[dict[str, Any], Run]:
    """Return a panel's report and its pictures' run. Raises StoreError: no match; ContentError: pack problems."""
    from patolli.measure.lab.panel_report import Step, report_panel
    from patolli.measure.lab.stakes import read_stakes
    from patolli.measure.lab.store import StoreError
    from patolli.measure.lab.trials import read_trials

    members = read_members(folder, panel)
    if not members:
        raise StoreError(f"{folder} has no matches yet; run 'patolli lab run PACK --out {folder}' again")
    steps = []
    for at in range(1, len(panel.bots)) if panel.seats > 1 else ():
        pairs = [(one.better, frame) for one in panel.step(at) if (frame := _read_frame(folder, one)) is not None]
        if len(pairs) == panel.seats:
            steps.append(Step.of(panel.bots[at], panel.bots[at - 1], pairs))
    return report_panel(folder, members, steps, read_stakes(folder), read_trials(folder))
