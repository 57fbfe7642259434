"""``patolli lab luck``: how much of the results each source of chance decides."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from patolli.cli.labfolders import FOLDER, mistakes, needed, rules_of
from patolli.cli.options import Whole
from patolli.cli.reporting import progress
from patolli.cli.status import FINE


@click.command()
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option("--variant", metavar="NAME", help="Which variant of the run; the pack as it is if left out.")
@click.option("--games", type=Whole(20), default=200, show_default=True, help="How many matches of the run are used.")
def luck(folder: Path, variant: str | None, games: int) -> None:
    """Tell how much each shuffle and draw decides, and how much what bots make up by chance.

    The first matches of a run are played again, each once for every source of chance: that source is drawn anew, and
    all others stay as they were. The part of the variance of the result is told that a source has a hand in; sources
    act together, so the parts may add up to more than 100 %. 'lab report' shows it, too.

    Exit status: 0 fine, 1 the content has problems, 2 the call was wrong, 4 this program failed itself.
    """
    with mistakes():
        needed()
        from patolli.lab.frame import chosen_variant, opened
        from patolli.lab.luck import keep, played_anew, shares

        store = opened(folder)
        name = chosen_variant(store, variant)
        rules = rules_of(store, name)
        with progress(games) as tell:
            found = played_anew(store, rules, games, lambda played: tell(1) if tell is not None else None)
        keep(store, name, found)
        known = shares(found)
    click.echo(f"{rules.title}: {len(found['results']):,} matches, each played again with one source drawn anew")
    for source, one in known.items():
        interval = f"{100 * one.low:.1f} to {100 * one.high:.1f}"
        click.echo(f"  {source:<34}{100 * one.value:>7.1f} %  {interval}")
    if not known:
        click.echo("  all of them ended alike, or too few came to an end, so nothing can be told")
    sys.exit(FINE)
