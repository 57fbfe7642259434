"""``patolli lab run`` and ``patolli lab report`` with a panel of bots."""

from __future__ import annotations

import sys
from contextlib import closing, redirect_stdout
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
    from patolli.measure.lab.panel import Lineup, Panel
    from patolli.run.runtime import Ruleset

MINUTES = 5
"""Minutes of a panel that names neither a time nor a number of matches."""
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
        for time, group in split_time(panel, (1 - STAKES) * seconds):
            games = None if what.games is None else max(1, what.games // len(group))
            if not _play_group(what, out, base, group, time, games, jobs):
                status = INTERRUPTED
                break
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


def read_panel_report(folder: Path, panel: Panel) -> tuple[dict[str, Any], Run]:
    """Return a panel's report and its pictures' run. Raises StoreError: no match; ContentError: pack problems."""
    from patolli.measure.lab.content import Content
    from patolli.measure.lab.findings import Run
    from patolli.measure.lab.frame import Frame, open_run
    from patolli.measure.lab.panel_report import Member, Step, rate_for, report_panel
    from patolli.measure.lab.stakes import read_stakes
    from patolli.measure.lab.store import StoreError

    def read_frame(one: Lineup) -> Frame | None:
        try:
            return Frame(open_run(folder / one.folder), "base")
        except StoreError:  # it has no match yet
            return None

    frames = [(bot, read_frame(panel.member(at))) for at, bot in enumerate(panel.bots)]
    there = [(bot, frame) for bot, frame in frames if frame is not None]
    if not there:
        raise StoreError(f"{folder} has no matches yet; run 'patolli lab run PACK --out {folder}' again")
    content = Content(rules_of(there[0][1].store, "base"), panel.seats)
    members = [Member.of(bot, Run.of(frame, content, rate_for(panel))) for bot, frame in there]
    steps = []
    for at in range(1, len(panel.bots)) if panel.seats > 1 else ():
        pairs = [(one.better, frame) for one in panel.step(at) if (frame := read_frame(one)) is not None]
        if len(pairs) == panel.seats:
            steps.append(Step.of(panel.bots[at], panel.bots[at - 1], pairs))
    return report_panel(folder, members, steps, read_stakes(folder))
