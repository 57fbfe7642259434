"""``patolli lab regress``: whether measures of a game have moved by more than they may."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.labfolders import check_libraries, connect_cluster, mistakes, playing
from patolli.cli.options import NewFile, Whole
from patolli.cli.status import CONTENT, FINE, MATCH

if TYPE_CHECKING:
    from patolli.measure.lab.clusters import Cluster
    from patolli.measure.lab.comparison import Difference
    from patolli.measure.lab.plans import Variant
    from patolli.measure.lab.regression import Allowed, Found
    from patolli.measure.simulation import Plan
    from patolli.run.runtime import Ruleset

UNKNOWN = MATCH
"""The exit code if a measure is not known."""
KEYS = ("pack", "with", "set", "players", "bots", "seed", "games", "limit", "allow")
GAMES, PLANNED = 2000, 10_000
"""Pairs of matches, and at most so many if they will decide what is not known, where the plan says nothing."""


@click.command()
@click.argument("plan", metavar="PLAN.yaml", type=NewFile())
@click.option("--against", required=True, metavar="COMMIT|FOLDER", help="The commit or folder to compare with.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the facts.")
@click.option("--strict", is_flag=True, hidden=True, help="No effect: what is not known always has status 3.")
@click.option("--jobs", type=Whole(1), help="Number of processes (default: one per processor).")
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
def regress(
    plan: Path, against: str, out: Path, strict: bool, jobs: int | None, cluster: str | None, form: str
) -> None:
    """Fail if a measure of a game has moved by more than PLAN.yaml allows.

    Two versions of the pack are played with the same seeds: the current one, and the one of another commit or another
    folder. The command stops when every measure is decided, or after the games of the plan. If the plan gives no
    number, there are 2,000 pairs of games. There are up to 10,000 if the additional games would probably decide the
    open measures. If no measure has moved, at most 5 of 100 calls report by mistake that one has.

    PLAN.yaml names the pack, and under 'allow' how far each measure may move: allow: {first player: +- 2 %, turns: +-
    3}. The page 'Tune a game' of the documentation shows a whole plan.

    Exit status: 0 success, 1 a measure has moved or the content has problems, 2 usage error, 3 not decided: more games
    are needed for at least one measure, 4 internal error.
    """
    with mistakes(), connect_cluster(cluster, jobs) as there:
        check_libraries()
        sys.exit(_compare_versions(plan, against, out, jobs, there, form == "json"))


def _compare_versions(
    path: Path, against: str, out: Path, jobs: int | None, there: Cluster | None, as_json: bool
) -> int:
    from patolli.measure.lab.paired_runs import Side
    from patolli.measure.lab.plans import PlanError
    from patolli.measure.lab.regression import find_regressions
    from patolli.measure.lab.variant_modules import load_variant
    from patolli.measure.lab.versions import earlier

    base, rules, how, allowed, planned = read_allowed(path, out)
    before = earlier(base, rules, against, out / "variants")
    old = load_variant(before, out / "variants")
    try:
        old.allow(how.players)
    except ValueError as error:
        raise PlanError(f"{against}: {error}") from None
    if old.content_hash == rules.content_hash:
        return _report_result([], [], f"{rules.title}: its content equals that of {against}", as_json)
    played = {"now": rules, "before": old}
    side = Side([replace(base, name="now"), before], played, how, {"before": old.content_hash})
    with playing(jobs, there, 2 * how.games) as pool, closing(side.open(out)) as store:
        found = find_regressions(
            store, ("before", "now"), allowed, how.games, lambda pairs: pool.play(store, side, pairs), planned
        )
    pairs = max(one.difference.change.count for one in found)
    words = f"{rules.title} against {against}: {pairs:,} pairs of matches with the same seeds"
    return _report_result(found, [f"patolli lab match {out} {{}}"], words, as_json)


def read_allowed(path: Path, out: Path) -> tuple[Variant, Ruleset, Plan, list[Allowed], int]:
    """Read a plan and load its pack; return the most pairs to play, too. Raises PlanError; ContentError: problems."""
    from patolli.cli.labplans import Wanted, from_plan, kind_in
    from patolli.measure.lab.content import Content
    from patolli.measure.lab.goals import move
    from patolli.measure.lab.plans import PlanError, read_plan
    from patolli.measure.lab.regression import Allowed
    from patolli.measure.lab.variant_modules import load_variant

    found = read_plan(path, KEYS)
    what = Wanted.from_options(from_plan(path, found))
    rules = load_variant(what.variants[0], out)
    how = what.plan(rules, what.games or GAMES)
    content = Content(rules, how.players)
    moves = kind_in(path, found, "allow", dict, "a mapping of measures, each with its limit")
    try:
        allowed = [Allowed(*move(name, str(text), how.players, content)) for name, text in moves.items()]
    except PlanError as error:
        raise PlanError(f"{path}: {error}") from None
    if not allowed:
        raise PlanError(f"{path}: 'allow' is empty: declare limits, such as first player: +- 2 %")
    return what.variants[0], rules, how, allowed, what.games or PLANNED


def _report_result(found: list[Found], show: list[str], words: str, as_json: bool) -> int:
    """Print what came of it; return the exit code."""
    from patolli.measure.lab.regression import MOVED, OPEN

    verdicts = [one.verdict for one in found]
    failed = MOVED in verdicts
    status = CONTENT if failed else UNKNOWN if OPEN in verdicts else FINE
    if as_json:
        data: dict[str, Any] = {"words": words, "failed": failed, "measures": [one.data() for one in found]}
        from patolli.measure.lab.plaindata import json_text

        click.echo(json_text(data))
        return status
    click.echo(words)
    for one in found:
        click.echo(_format_line(one))
        for number in one.shown[:1]:
            numbers = ", ".join(map(str, one.shown))
            click.echo(f"    matches {numbers} show it: {show[0].format(number)} --variant before, or now")
    if OPEN in verdicts:
        click.echo(_describe_need(found))
    return status


def _describe_need(found: list[Found]) -> str:
    """Say how many pairs will decide what is not known."""
    from patolli.measure.lab.regression import OPEN

    needed = [one.needed for one in found if one.verdict == OPEN]
    known = [one for one in needed if one is not None]
    if len(known) < len(needed):
        return "for a measure that is not known, play more games or allow a larger move"
    pairs = float(f"{max(known):.2g}")
    return f"for what is not known, about {pairs:,.0f} pairs will do: set 'games' in the plan, or allow a larger move"


def _format_line(one: Found) -> str:
    from patolli.measure.lab.regression import IDENTICAL, KEPT, MOVED
    from patolli.measure.lab.units import number

    what, share = one.difference, one.difference.share
    before, after = (number(n.value, share) for n in (what.before, what.after))
    mark = {MOVED: "MOVED", KEPT: "kept", IDENTICAL: "identical"}.get(one.verdict, "not known")
    most = f"{(100 if share else 1) * one.allowed.most:g} {'are' if share else 'is'} allowed"
    return f"{mark:<10} {what.name}: {before} before, {after} now; {_describe_move(what)}, and {most}"


def _describe_move(what: Difference) -> str:
    """Say by how much a measure has moved, as far as that is known."""
    from patolli.measure.lab.units import between, unit

    share, pairs, alike = what.share, what.change.count, what.alike
    step = f"{(100 if share else 1) * what.common:+,.2f}{unit(share)}"
    if what.uniform:
        return f"it moved by {step} in each of {pairs:,} pairs" if what.common else f"the same in all {pairs:,} pairs"
    if not isinf(what.low):
        return f"it moved by {between(what.low, what.high, share)}{unit(share)}"
    by = f" moved by {step}" if what.common else " are the same"
    return f"too few pairs for an interval: {alike:,} of {pairs:,}{by}"
