"""``patolli lab luck``: how much of the results each source of chance decides."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from patolli.cli.labfolders import FOLDER, check_libraries, mistakes, rules_of
from patolli.cli.options import Whole
from patolli.cli.report_output import progress
from patolli.cli.status import FINE


@click.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--variant", metavar="NAME", help="Variant of the run (default: the unchanged pack).")
@click.option("--games", type=Whole(20), default=200, show_default=True, help="Number of matches of the run to use.")
def luck(folder: Path, variant: str | None, games: int) -> None:
    """Show how much luck decides: each shuffle, each draw, and the random choices of bots.

    The first matches of a run are played again, once for every source of luck: this source gets other random numbers,
    and everything else stays the same. A share of 30 % means that 30 % of the variance of the results depends on this
    source. Sources act together, so the shares may add up to more than 100 %. 'lab report' shows the same table.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 4 internal error.
    """
    with mistakes():
        check_libraries()
        from patolli.measure.lab.frame import chosen_variant, open_run
        from patolli.measure.lab.luck import keep, replay_luck, shares

        store = open_run(folder)
        name = chosen_variant(store, variant)
        rules = rules_of(store, name)
        with progress(games) as report_progress:
            found = replay_luck(
                store, rules, games, lambda played: report_progress(1) if report_progress is not None else None
            )
        keep(store, name, found)
        known = shares(found)
    click.echo(f"{rules.title}: {len(found['results']):,} matches, each played again with one source drawn again")
    for source, one in known.items():
        interval = f"{100 * one.low:.1f} to {100 * one.high:.1f}"
        click.echo(f"  {source:<34}{100 * one.value:>7.1f} %  {interval}")
    if not known:
        click.echo("  no result: all matches ended alike, or too few ended")
    sys.exit(FINE)
