"""``patolli test``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.mutation_command import SAMPLE, Number
from patolli.cli.mutation_command import mutate as try_mutants
from patolli.cli.options import NewFile, Real, Whole
from patolli.cli.status import CONTENT, FINE, call_or_content, relative, report_faults, use_colors
from patolli.language.diagnostics.memory import seldom_collected
from patolli.language.sources.atomic_files import check_writable, write_whole
from patolli.language.sources.home import current_folder

if TYPE_CHECKING:
    from patolli.author.scenarios import Outcome, Plan, Result
    from patolli.author.scenarios.counterexamples import Search
    from patolli.author.scenarios.coverage.measure import CoverageReport
    from patolli.author.scenarios.outcome import Change


FORMATS = ("text", "json", "junit", "github")


@click.command()
@click.argument("packs", shell_complete=complete_pack, nargs=-1, metavar="[PACK]...")
@click.option(
    "-k", "select", default="", metavar="EXPR", help="Run only scenarios whose names match: 'red and not slow'."
)
@click.option(
    "--with", "modules", multiple=True, metavar="MODULE", help="Add a module to all scenarios; may be repeated."
)
@click.option("--update", is_flag=True, help="Replace the expected values with the actual ones.")
@click.option("--coverage", is_flag=True, help="Report which lines and branches of the rules were used.")
@click.option(
    "--coverage-at-least",
    "least",
    type=Real(0, 100),
    metavar="PERCENT",
    help="Also measure coverage, and fail if fewer lines of the rules were used.",
)
@click.option(
    "--html",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Also write the coverage as HTML pages.",
)
@click.option(
    "--search",
    type=Whole(0),
    default=200_000,
    show_default=True,
    metavar="N",
    help="Make N choices in random matches to find an open demand, promise or invariant that is false.",
)
@click.option(
    "--strict",
    is_flag=True,
    help="Also fail if a demand is neither proven nor promised, or if no test reaches a promise.",
)
@click.option("--junit", type=NewFile(), metavar="FILE", help="Also write JUnit XML.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("--jobs", type=Whole(1), default=1, show_default=True, help="Processes.")
@click.option(
    "--mutate",
    type=Number(),
    is_flag=False,
    flag_value=SAMPLE,
    metavar="[N]",
    help=f"Change the rules in one place at a time, N times ({SAMPLE} by default) or in 'all' ways, and list changes "
    "that no scenario notices.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="With --mutate: random seed of the sample.")
@click.option(
    "--survivors-at-most",
    "most",
    type=Real(0, 100),
    metavar="PERCENT",
    help="With --mutate: fail if more mutants survive. Those with a comment `allow P0614` and a reason do not count.",
)
def test(
    packs: tuple[str, ...],
    select: str,
    modules: tuple[str, ...],
    update: bool,
    coverage: bool,
    least: float | None,
    html: Path | None,
    search: int,
    strict: bool,
    junit: Path | None,
    form: str,
    jobs: int,
    mutate: int | None,
    seed: int,
    most: float | None,
) -> None:
    """Run the scenarios of packs and print every difference from what they expect.

    PACK is the id of an installed pack, or the path of a folder. Without PACK, all installed packs are tested.

    A smoke run comes first, unless -k excludes it. It plays random matches to the end: with every number of players,
    with every choice of each option, and with all ranges at their minimum and at their maximum. Its name is
    PACK::smoke.

    If the rules contain something that the checker could not prove (open demands, promises, invariants), random matches
    then search for a match in which it is false. Patolli makes such a match as short as possible and prints it as a
    scenario. The last lines say what was true in all matches, what no match reached, and which `otherwise` lines were
    never used. A pack with `proofs: full` is not searched.

    With --update, the actual values are written over the expected ones. The report shows what still fails after that.

    With --mutate, the scenarios themselves are tested. Patolli makes mutants: copies of the rules in which one number,
    comparison, effect or table cell is changed. A mutant survives if all scenarios still pass. Press Ctrl-C to see the
    results so far.

    With --format github, each difference is an annotation at its line. With --format junit, JUnit XML goes to standard
    output, also if a pack does not load.

    Exit status: 0 all passed, 1 a scenario failed, the content has problems, the coverage is too small, or too many
    mutants survived, 2 usage error, 4 internal error.
    """
    if mutate is not None or most is not None:
        if form not in ("text", "json"):
            raise click.UsageError("--mutate writes text or json")
        if mutate is None or update or coverage or least is not None or html is not None or junit is not None:
            raise click.UsageError("--mutate allows only -k, --with, --jobs, --format, --seed and --survivors-at-most")
        with _report_bad_option("-k"):
            try_mutants(packs, modules, select, mutate, seed, jobs, form, most)
        return
    from patolli.author.scenarios import Plan, Result, run_scenarios
    from patolli.language.diagnostics import ContentError

    covers = coverage or html is not None or least is not None
    if strict and (select or covers):
        raise click.UsageError("--strict needs all tests, without -k and coverage")
    plan = Plan(packs, modules, select, jobs, covers, search=search, strict=strict)
    _check_coverage_package(plan)
    if junit is not None:
        check_writable(junit)
    if html is not None:
        html.mkdir(parents=True, exist_ok=True)
        check_writable(html / "index.html")
    report_progress = _show_dots(form)
    with _report_bad_option("-k"), seldom_collected():
        try:
            result = run_scenarios(plan, report_progress)
        except ContentError as error:
            if form == "text" and junit is None:
                raise
            _report_coverage(Result(problems=list(error.problems)), form, html, junit)
            sys.exit(call_or_content(error.problems))
    if report_progress is not None and (result.smoke or result.outcomes):
        click.echo(err=True)
    if select and not (result.smoke or result.outcomes or result.problems):
        raise click.BadParameter(f"no scenario matches {select!r}", param_hint="-k")
    written: dict[str, int] = {}
    if update:
        result, written = _update_files(plan, result)
    for path, number in written.items():
        click.echo(f"{_shorten_path(path)}: {number} value{'s' if number != 1 else ''} written", err=form != "text")
    percent = _report_coverage(result, form, html, junit)
    status = _exit_status(result, bool(modules))
    if least is not None and (percent or 0) < least:
        found = "no scenario ran" if percent is None else f"{percent:.1f} % of the lines were used"
        click.echo(f"{found}, but --coverage-at-least wants {least:g} %", err=True)
        status = status or CONTENT
    sys.exit(status)


@contextmanager
def _report_bad_option(option: str) -> Iterator[None]:
    """Report that the value of an option cannot be read."""
    try:
        yield
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


def _update_files(plan: Plan, result: Result) -> tuple[Result, dict[str, int]]:
    """Write what was found until nothing more can be written: a scenario goes no further than its first difference.

    Returns:
        The result after that, and the number of values written for each file.
    """
    from patolli.author.scenarios import run_scenarios
    from patolli.author.scenarios.value_writer import apply_changes

    written: dict[str, int] = {}
    found = result.searches
    before: list[Change] = []
    while changes := [change for outcome in result.outcomes for change in outcome.changes]:
        if changes == before:
            break  # the written value does not read back as the actual one
        for path, number in apply_changes(changes).items():
            written[path] = written.get(path, 0) + number
        before, result = changes, replace(run_scenarios(replace(plan, smoke=False)), smoke=result.smoke)
        result.searches = found
    return result, written


def _exit_status(result: Result, chosen: bool) -> int:
    """Return 4 for internal errors, which it reports; 2 if only the chosen modules are wrong."""
    if result.faults:
        return report_faults(result.faults)
    if result.failed_outcomes or not chosen:
        return CONTENT if result.failed_outcomes or result.problems else FINE
    return call_or_content(result.problems) if result.problems else FINE


def _check_coverage_package(plan: Plan) -> None:
    """Refuse to measure coverage without its package, or of files that it cannot name."""
    from patolli.language.diagnostics.text import harmless
    from patolli.language.packs.discovery import find
    from patolli.language.sources.archive import yaml_files
    from patolli.language.sources.folders import is_utf8

    if not plan.coverage:
        return
    if find_spec("coverage") is None:
        raise click.UsageError("--coverage needs the package coverage: pip install 'patolli[test]'")
    folders = [folder for folder in map(find, plan.packs) if folder is not None]
    odd = next((file for folder in folders for file in yaml_files(folder) if not is_utf8(file)), None)
    if odd is not None:
        raise click.UsageError(f"--coverage needs file names in UTF-8: rename {harmless(str(odd))}")


def _report_coverage(result: Result, form: str, html: Path | None, junit: Path | None) -> float | None:
    """Print the result; return the percentage of lines that were used, if it was measured."""
    from patolli.author.scenarios.scenario_report import as_github, as_json, as_junit, as_text

    problems = relative(result.problems)
    outcomes = [replace(outcome, problems=relative(outcome.problems)) for outcome in result.outcomes]
    smoke = [replace(outcome, problems=relative(outcome.problems)) for outcome in result.smoke]
    searches = [near(one) for one in result.searches]
    covered = None
    if result.marks is not None:
        from patolli.author.scenarios.coverage.measure import report_coverage

        try:
            covered = report_coverage(result.marks, html)
        except OSError as error:
            raise OSError(error.errno, error.strerror, error.filename or (html and str(html))) from None
    percent = covered.totals.line_rate * 100 if covered is not None and covered.table else None
    ran = [*smoke, *(outcome for one in searches for outcome in one.failures), *outcomes]
    if junit is not None:
        write_whole(junit, as_junit(ran, problems))
    if form == "json":
        more = {"coverage": _parse_numbers(covered)} if covered else {}
        click.echo(as_json(outcomes, problems, smoke, searches, **more), nl=False)
    elif form != "text":
        click.echo(as_junit(ran, problems) if form == "junit" else as_github(ran, problems), nl=False)
    if form != "text":
        return percent
    click.echo(as_text(outcomes, problems, smoke, use_colors(sys.stdout), searches), nl=False)
    if covered is not None:
        totals = covered.totals
        if not covered.table:
            click.echo("\nno scenario ran, so there is no coverage")
            return percent
        click.echo(f"\n{covered.table}", nl=False)
        for path, line, way in covered.missed:
            click.echo(f"{_shorten_path(path)}:{line}: {way or 'not executed'}")
        click.echo(
            f"lines {totals.lines - totals.missed} of {totals.lines} ({totals.line_rate:.1%}), ways "
            f"{totals.branches - totals.missed_branches} of {totals.branches} ({totals.branch_rate:.1%})"
        )
    return percent


def near(search: Search) -> Search:
    """Return a search with its places as seen from here."""
    demands = [replace(one, span=replace(one.span, path=_shorten_path(one.span.path))) for one in search.demands]
    failures = [replace(outcome, problems=relative(outcome.problems)) for outcome in search.failures]
    return replace(search, demands=demands, failures=failures)


def _shorten_path(path: str) -> str:
    here = current_folder()
    return str(Path(path).relative_to(here)) if here is not None and Path(path).is_relative_to(here) else path


def _parse_numbers(covered: CoverageReport) -> dict[str, Any]:
    totals = covered.totals
    return {
        "lines": totals.lines, "missed_lines": totals.missed, "branches": totals.branches,
        "missed_branches": totals.missed_branches,
        "missed": [{"path": path, "line": line, "way": way} for path, line, way in covered.missed],
    }  # fmt: skip


def _show_dots(form: str) -> Callable[[Outcome], None] | None:
    """Show a sign for each scenario on standard error when that is a terminal."""
    if form != "text" or not sys.stderr.isatty():
        return None
    return lambda outcome: click.echo("." if outcome.is_passed else "F", nl=False, err=True)
