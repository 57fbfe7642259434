"""Shared code of the lab commands that read folders of runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.report_output import progress
from patolli.cli.simulate import worth
from patolli.cli.status import CALL, INTERRUPTED, in_lines, report_unwritten, say

if TYPE_CHECKING:
    from patolli.measure.lab.clusters import Cluster
    from patolli.measure.lab.findings import Run
    from patolli.measure.lab.paired_runs import MatchPool
    from patolli.measure.lab.store import Store
    from patolli.run.runtime import Ruleset

FOLDER = click.Path(file_okay=False, path_type=Path)


@contextmanager
def mistakes() -> Iterator[None]:
    """Report a mistake in a plan or a folder as a usage error."""
    from patolli.measure.lab.clusters import NoCluster
    from patolli.measure.lab.plans import PlanError
    from patolli.measure.lab.store import StoreError
    from patolli.measure.lab.tables import NoLibrary

    try:
        yield
    except (PlanError, StoreError, NoLibrary, NoCluster) as error:
        raise click.UsageError(in_lines(str(error))) from None


@contextmanager
def connect_cluster(address: str | None, jobs: int | None) -> Iterator[Cluster | None]:
    """Connect to a cluster, if named. Raises NoCluster: none answers; click.UsageError: with --jobs."""
    from patolli.measure.lab.clusters import Cluster

    if address is None:
        yield None
        return
    if jobs is not None:
        raise click.UsageError("--jobs is for this machine, but --cluster plays elsewhere: use only one of them")
    with Cluster(address) as cluster:
        yield cluster


@contextmanager
def playing(jobs: int | None, cluster: Cluster | None, matches: int | None) -> Iterator[MatchPool]:
    """Return what plays matches, with a progress bar for *matches*; interrupts and write errors end the program."""
    from patolli.measure.lab.paired_runs import MatchPool
    from patolli.measure.simulation.estimates import Interrupted

    pool = MatchPool(lambda wanted: jobs or worth(wanted), cluster)
    with ends_reported():
        try:
            if matches is None:
                yield pool
                return
            with progress(matches) as bar:
                yield replace(pool, report=lambda played: bar(1)) if bar is not None else pool
        except Interrupted:
            say("interrupted; run the same command again to continue")
            sys.exit(INTERRUPTED)


@contextmanager
def ends_reported() -> Iterator[None]:
    """Report a file that cannot be written, and end the program."""
    try:
        yield
    except OSError as error:
        if error.filename is None:  # standard output, and not a file of the run
            raise
        report_unwritten(error, "earlier results are saved; run the same command again to continue")
        sys.exit(CALL)


def check_libraries() -> None:
    """Check that the packages that read facts are installed. Raises NoLibrary: one of them is missing."""
    from importlib import import_module

    from patolli.measure.lab.tables import NoLibrary, libraries

    libraries()
    try:
        import_module("numpy")
    except ImportError:
        raise NoLibrary("the lab needs the package numpy: pip install 'patolli[lab]'") from None


def run_at(text: str) -> tuple[Path, str | None]:
    """Read ``FOLDER`` or ``FOLDER:VARIANT``."""
    folder, sign, variant = text.rpartition(":")
    if sign and not Path(text).exists() and Path(folder).exists():
        return Path(folder), variant
    return Path(text), None


def rules_of(store: Store, variant: str) -> Ruleset:
    """Load what a run has played. Raises ContentError: the pack has problems now; StoreError: it is missing."""
    from patolli.measure.lab.content import variant_of
    from patolli.measure.lab.variant_modules import load_variant

    rules = load_variant(variant_of(store.head, variant), store.folder / "variants")
    base = variant == store.head["variants"][0]["name"]
    if base and rules.content_hash != store.head["content"]:
        say(f"the pack has changed since the matches in {store.folder} were played; line numbers may differ now")
    return rules


def read_run(text: str, variant: str | None = None) -> Run:
    """Read the facts of a run, ``FOLDER`` or ``FOLDER:VARIANT``.

    Raises:
        StoreError: No run is kept there, or no such variant.
        ContentError: Its pack has problems now.
    """
    from patolli.measure.lab.content import Content
    from patolli.measure.lab.findings import Run
    from patolli.measure.lab.frame import Frame, chosen_variant, open_run

    folder, named = run_at(text)
    store = open_run(folder)
    name = chosen_variant(store, variant or named)
    frame = Frame(store, name)
    return Run.of(frame, Content(rules_of(store, name), int(store.head["players"])))
