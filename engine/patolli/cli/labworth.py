"""``patolli lab worth``: what strategies are worth, by bots that do without them."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.labfolders import check_libraries, connect_cluster, mistakes, playing
from patolli.cli.options import Seed, Whole, with_bot, with_modules
from patolli.cli.simulate import KIND
from patolli.cli.status import FINE

if TYPE_CHECKING:
    from patolli.measure.lab.clusters import Cluster
    from patolli.measure.lab.plans import Variant
    from patolli.measure.lab.store import Store
    from patolli.measure.lab.strategies import Worth
    from patolli.measure.simulation import Plan
    from patolli.run.runtime import Ruleset

GAMES = 300


@click.command("worth")
@click.argument("pack", shell_complete=complete_pack)
@click.option(
    "--without", "strategies", multiple=True, required=True, metavar="NAME",
    help="A strategy, by the names of its options; * matches anything, 'or' joins names; may be repeated.",
)  # fmt: skip
@with_modules
@click.option("--players", type=Whole(1), help="Number of seats (default: the game's minimum).")
@click.option("--games", type=Whole(1), default=GAMES, show_default=True, help="Number of matches of each run.")
@click.option(
    "--sure",
    is_flag=True,
    help="Stop early when it is certain whether seats win more often with the strategy. --games is then the maximum.",
)
@click.option("--seed", type=Seed(), default=0, show_default=True, help="Random seed.")
@with_bot("greedy", f"The bot for all seats: {KIND}.")
@click.option("--jobs", type=Whole(1), help="Number of processes (default: one per processor).")
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the facts.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
def strategies_worth(
    pack: str,
    strategies: tuple[str, ...],
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    players: int | None,
    games: int,
    sure: bool,
    seed: int,
    bot: str,
    jobs: int | None,
    cluster: str | None,
    out: Path,
    form: str,
) -> None:
    """Measure how much strategies of PACK are worth: seats that never use a strategy play against seats that may.

    A strategy is named by the options that belong to it. For example, --without "buy a card" measures the line of a
    menu with these words. You can also name a rule, the tag of a payment, a piece, a kind of pieces, or an anytime
    action. If a run was stopped, run the same command again to continue. A larger --games adds matches.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 4 internal error.
    """
    from patolli.cli.labplans import Wanted
    from patolli.measure.lab.plans import Variant

    with mistakes(), connect_cluster(cluster, jobs) as there:
        check_libraries()
        from patolli.measure.lab.statistics import LEAST
        from patolli.measure.lab.variant_modules import load_variant

        if games < LEAST:
            raise click.BadParameter(f"{games} is too few: the minimum is {LEAST}.", param_hint="'--games'")
        base = Variant("base", pack, modules, dict(settings))
        rules = load_variant(base, out)
        how = Wanted([base], players, games, None, seed, bot, (), None).plan(rules, games)
        sys.exit(_play_strategies(base, rules, how, strategies, jobs, there, out, form == "json", sure))


def _play_strategies(
    base: Variant, rules: Ruleset, how: Plan, strategies: tuple[str, ...], jobs: int | None, there: Cluster | None,
    out: Path, as_json: bool, sure: bool,
) -> int:  # fmt: skip
    from patolli.measure.lab.paired_runs import Side
    from patolli.measure.lab.plans import PlanError
    from patolli.measure.lab.strategies import plans, select_folders, stages, worths
    from patolli.measure.simulation.estimates import judge_in_stages
    from patolli.play.players.bots import check_kinds

    try:
        todo = plans(how, strategies)
        for plan in todo.values():
            check_kinds(plan.kinds(), rules, how.players)
    except ValueError as error:
        raise PlanError(str(error)) from None

    sides = {folder: Side([base], {"base": rules}, plan) for folder, plan in todo.items()}
    found: list[Worth] = []

    def open_folder(folder: Path) -> Store:
        return sides[folder].open(out / folder)

    with playing(jobs, there, how.games * len(todo)) as pool:

        def play(matches: int) -> None:
            for folder in select_folders(sides, found):
                with closing(open_folder(folder)) as store:
                    pool.play(store, sides[folder], matches)

        def judge(matches: int) -> list[Worth]:
            found[:] = worths(open_folder, "base", how, strategies)
            return found

        looks = stages(how.games) if sure else [how.games]
        judge_in_stages(looks, play, judge, lambda found: all(one.wins.sure for one in found))
    if as_json:
        from patolli.measure.lab.plaindata import json_text

        click.echo(json_text([one.data() for one in found]))
    else:
        click.echo(_format_text(rules, how, found, sure))
    return FINE


def _format_text(rules: Ruleset, how: Plan, found: list[Worth], sure: bool) -> str:
    bots = ", ".join(dict.fromkeys(map(str, how.kinds())))
    many = f"{'up to ' * sure}{how.games:,} matches"
    lines = [f"{rules.title}, {how.players} players, {bots}: {many} for each seat without the strategy"]
    for one in found:
        lines += ["", one.strategy, f"  wins    {_format_worth(one, points=False)}"]
        if one.points is not None:
            lines.append(f"  points  {_format_worth(one, points=True)}")
        lines.append(f"  {one.same:,} of {one.pairs:,} pairs of matches are the same with and without it")
    return "\n".join(lines)


def _format_worth(one: Worth, points: bool) -> str:
    """Say how many more wins, or points ahead, a seat has with a strategy."""
    from patolli.measure.lab.units import between, number, unit

    what = one.points if points else one.wins
    assert what is not None
    share = what.share
    mean = f"{(100 if share else 1) * what.change.value:+.2f}{unit(share)}"
    sides = f"{number(what.after.value, share)} instead of {number(what.before.value, share)}"
    return (
        f"{mean} with it ({between(what.low, what.high, share)}): {sides}{'' if what.sure else '; this may be random'}"
    )
