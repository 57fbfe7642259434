"""``patolli lab``: the facts of many matches, kept and compared."""

from __future__ import annotations

import sys
from contextlib import closing, redirect_stdout
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.completion_words import complete_bot, complete_pack
from patolli.cli.labcompare import compare
from patolli.cli.labfolders import check_libraries, connect_cluster, ends_reported, mistakes
from patolli.cli.labluck import luck
from patolli.cli.labpanel import run_panel
from patolli.cli.labprogress import so_far
from patolli.cli.labregress import regress
from patolli.cli.labreport import match, report
from patolli.cli.labtune import tune
from patolli.cli.labworth import strategies_worth
from patolli.cli.options import Seed, Whole, with_modules, with_seats
from patolli.cli.simulate import KIND, worth
from patolli.cli.status import FINE, INTERRUPTED, MATCH, Commands, in_lines, say
from patolli.measure.lab.units import many

if TYPE_CHECKING:
    from patolli.measure.lab.clusters import Cluster
    from patolli.measure.lab.run_loop import Goal
    from patolli.measure.lab.store import Store


DEFAULT = "a panel of bots; with --games, --until or --vary the bot random"


@click.group(cls=Commands)
def lab() -> None:
    """Record the facts of many matches, and compare how a change of the rules affects them."""


def _parse_shard(ctx: click.Context, param: click.Parameter, given: str | None) -> tuple[int, int]:
    """Read ``2/4``; shards count from 1."""
    if given is None:
        return 0, 1
    one, sign, all_ = given.partition("/")
    if not sign or not (one + all_).isascii() or not (one + all_).isdigit() or not 1 <= int(one) <= int(all_):
        raise click.BadParameter(f"{given!r} is not of the form I/N, with I from 1 to N")
    return int(one) - 1, int(all_)


@lab.command()
@click.argument("pack", shell_complete=complete_pack, metavar="PACK|PLAN.yaml")
@with_modules
@click.option(
    "--vary",
    "vary",
    multiple=True,
    metavar="KEY=VALUE",
    help="Also play variants: 'constants/prize/value=3,4' plays one with 3 and one with 4. May be repeated.",
)
@click.option("--players", type=Whole(1), help="Number of seats (default: the game's minimum).")
@click.option("--games", type=Whole(1), help="Number of matches of each variant (default 1000).")
@click.option(
    "--minutes", type=Whole(1, 10_000), help="Play as many matches as fit in about this time (default for a panel: 5)."
)
@click.option(
    "--until",
    "wanted",
    metavar="GOAL",
    help="Stop at this precision: 'first player +- 1 %'. 'patolli explain P1442' lists the measures.",
)
@click.option("--seed", type=Seed(), default=0, show_default=True, help="Random seed.")
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="GOAL",
    help="What you want, such as 'turns 40 to 60'. The report says whether it is reached.",
)
@click.option(
    "--bot",
    metavar="KIND[,KIND...]",
    shell_complete=complete_bot,
    help=f"The bot for all seats: {KIND}. Several bots, with commas between them, make a panel (default: {DEFAULT}).",
)
@with_seats("A different bot for one seat.")
@click.option("--limit", type=Whole(1, 10**9), help="Abandon a match after N choices (default 10,000).")
@click.option("--jobs", type=Whole(1), help="Number of processes (default: one per processor).")
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster.")
@click.option(
    "--shard", callback=_parse_shard, metavar="I/N", help="Play part I of N; the folders can be joined later."
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the facts.")
@click.pass_context
def run(
    ctx: click.Context,
    pack: str,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    vary: tuple[str, ...],
    players: int | None,
    games: int | None,
    minutes: int | None,
    wanted: str | None,
    seed: int,
    targets: tuple[str, ...],
    bot: str | None,
    seats: tuple[tuple[int, str], ...],
    limit: int | None,
    jobs: int | None,
    cluster: str | None,
    shard: tuple[int, int],
    out: Path,
) -> None:
    """Play many matches of PACK, and of variants of it, and record the facts of each.

    Without --bot, --games, --until and --vary, a panel of bots plays: a random one, a greedy one, and two that search.
    Each has its own folder in DIR, and 'lab report DIR' compares them.

    All variants use the same seeds. If a run was stopped, run the same command again to continue. A larger --games adds
    matches. The digest is a short code for all recorded facts. It does not depend on --jobs, or on whether you play the
    run in parts with --shard.

    A file PLAN.yaml contains the same settings under the same names. With it, only the options --jobs, --cluster,
    --shard and --out are allowed.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 a match could not go on, 4 internal error.
    """
    from patolli.cli.labplans import Wanted

    given: dict[str, Any] = {
        "pack": pack, "with": list(modules), "set": dict(settings), "vary": list(vary), "players": players,
        "games": games, "until": wanted, "seed": seed, "bot": bot, "seats": seats, "limit": limit,
        "targets": targets, "cluster": cluster, "shard": shard != (0, 1),
    }  # fmt: skip
    with mistakes():
        check_libraries()
        what = Wanted.of(ctx, given)
        with connect_cluster(cluster, jobs) as there:
            if minutes is not None and (what.games or what.until or cluster or shard != (0, 1)):
                raise click.UsageError(
                    "--minutes decides how many matches are played: remove games, until, shard or cluster"
                )
            if what.panel is not None:
                sys.exit(run_panel(what, out, minutes, jobs))
            rules, plan, goal, store = what.prepare_run(out)
            if minutes is not None:
                goal = _fit_goal(store, rules, plan, minutes, jobs)
            sys.exit(_run(store, rules, plan, goal, jobs, shard, there))


def _fit_goal(store: Store, rules: Any, plan: Any, minutes: int, jobs: int | None) -> Goal:
    """Play some matches here; return how many fit into the time, with those of a run that goes on."""
    from patolli.measure.lab.run_loop import MOST, Goal, fit_matches
    from patolli.measure.simulation.estimates import Interrupted

    with ends_reported(), redirect_stdout(sys.stderr):
        there = store.end or 0
        store.go_on()
        try:
            matches = there + fit_matches(store, rules, plan, 60.0 * minutes, jobs or worth(MOST), there)
        except Interrupted:
            say("interrupted; run the same command again to continue")
            sys.exit(INTERRUPTED)
    say(f"{many(matches)} of each variant fit in about {many(minutes, 'minute', 'minutes')}")
    return Goal(matches)


def _run(
    store: Store, rules: Any, plan: Any, goal: Goal, jobs: int | None, shard: tuple[int, int], there: Cluster | None
) -> int:
    from patolli.measure.lab.run_loop import run as play

    quiet = redirect_stdout(sys.stderr)  # keep the output of bots out of the report
    with ends_reported(), closing(store):
        store.go_on()
        with so_far(store, rules, goal, plan.players) as each, quiet:
            done = play(store, rules, plan, goal, jobs or worth(goal.matches), shard, cluster=there, each=each)
        if not done.interrupted:
            store.conclude(done.matches)
    faults = 0
    for variant, one in zip(store.head["variants"], rules, strict=True):
        faults += _print_variant(store, one, variant, done.matches, plan.players)
    speed = f"{many(done.played)} played now, in {done.seconds:.1f} s"
    click.echo(f"{speed}; facts are in {store.folder}")
    if done.beyond:
        click.echo(f"{many(done.beyond, 'more match is', 'more matches are')} saved for a longer run")
    if done.open is not None and shard[1] == 1 and not done.interrupted:
        click.echo(_describe_precision(goal, done.open))
    if done.interrupted:
        say("interrupted; run the same command again to continue")
    return MATCH if faults else INTERRUPTED if done.interrupted else FINE


def _print_variant(store: Store, name: str, variant: dict[str, Any], matches: int, players: int) -> int:
    """Print what is known of a variant; return how many of its matches could not go on."""
    from patolli.measure.lab.measures import Estimate, measures
    from patolli.measure.lab.plans import format_changes

    shown = [one for one in measures(players).values() if one.name != "first player"]
    columns = sorted({column for one in shown for column in one.columns} | {"fault"})
    sums = {one.name: Estimate() for one in shown}
    faults: list[tuple[int, str]] = []
    there = 0
    for row in store.rows(name, matches, columns):
        there += 1
        if row["fault"]:
            faults.append((row["match"], row["fault"]))
        for one in shown:
            sums[one.name].add(one.of(row))
    words = format_changes(variant["vary"]) or variant["pack"]
    click.echo(f"{name}: {words}, {there:,} match{'es' * (there != 1)}")
    for one in shown:
        found = sums[one.name]
        if found.count:
            sure = (
                f"+- {_format_number(found.half, one.share)}" if isfinite(found.half) else "(of one match: no interval)"
            )
            click.echo(f"  {one.name:<18}{_format_number(found.mean, one.share):>11}  {sure}")
    click.echo(f"  digest {store.digest(name, matches)}\n")
    if faults:
        say(f"match {faults[0][0]} of {name}, the first of {len(faults)} that failed:")
        say(in_lines(faults[0][1]))
    return len(faults)


def _describe_precision(goal: Goal, half: float) -> str:
    """Say that matches did not suffice to know something so surely."""
    assert goal.measure is not None
    share = goal.measure.share
    reached, wanted = _format_number(half, share), _format_number(goal.half, share)
    words = f"{goal.measure.name} is known to +- {reached}, not yet to +- {wanted}"
    return f"{words}: use a larger --games to continue"


def _format_number(value: float, share: bool) -> str:
    return f"{100 * value:.1f} %" if share else f"{value:,.2f}"


lab.add_command(report)
lab.add_command(match)
lab.add_command(luck)
lab.add_command(compare)
lab.add_command(tune)
lab.add_command(regress)
lab.add_command(strategies_worth)
