"""``patolli validate``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import with_modules
from patolli.cli.status import (
    CONTENT,
    FINE,
    call_or_content,
    relative,
    relative_allowed,
    report_faults,
    say,
    use_colors,
)

if TYPE_CHECKING:
    from patolli.author.workspace import ValidationReport
    from patolli.language.diagnostics import Problem

FORMATS = ("text", "json", "sarif", "github")


@click.command()
@click.argument("packs", shell_complete=complete_pack, nargs=-1, metavar="[PACK]...")
@with_modules
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("--strict", is_flag=True, help="Also fail on warnings and open demands.")
@click.option("--open", "show_open", is_flag=True, help="Show the demands that could not be proven.")
@click.option("--no-cache", is_flag=True, help="Check everything, even what has not changed.")
@click.option("--fix", is_flag=True, help="Apply safe fixes (such as whitespace) to the files of PACK, then check.")
@click.option("--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
def validate(
    packs: tuple[str, ...],
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    form: str,
    strict: bool,
    show_open: bool,
    no_cache: bool,
    fix: bool,
    watch: bool,
) -> None:
    """Check packs and print every problem.

    PACK is the id of an installed pack, or the path of a folder. A module is checked together with the packs that it
    requires. Without PACK, all installed packs are checked. The scenarios of each PACK are checked but not played, each
    with the modules that it names.

    A demand is a condition that must be true at a place of the rules: for example, a piece needs a free spot. If a
    demand cannot be proven, it is open: each match checks it. The report counts open demands; --open shows them. The
    other formats always contain them.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 4 internal error.
    """
    if modules and not packs:
        raise click.UsageError("--with needs a PACK to add the modules to")

    if fix and not packs:
        raise click.UsageError("--fix needs a PACK whose files it may write")

    def once() -> int:
        if fix:
            _apply_fixes(packs, modules, dict(settings))
        return _check_and_print(packs, modules, dict(settings), How(form, strict, show_open, not no_cache))

    if watch:
        _watch_files(packs, modules, once)
    sys.exit(once())


def _apply_fixes(packs: tuple[str, ...], modules: tuple[str, ...], options: dict[str, Any]) -> None:
    """Carry out the fixes that are sure, and say on the other stream in which files."""
    from patolli.author.workspace import check_packs
    from patolli.cli.fix_writer import mend
    from patolli.language.diagnostics.text import harmless

    found: list[Problem] = []

    def check() -> list[Problem]:
        found[:] = check_packs(packs, modules, options, False).problems
        return found

    done = mend(packs, check)
    for file, edits in done.items():
        say(harmless(f"{file}: {edits} {'edit' if edits == 1 else 'edits'}"))
    for path in sorted({problem.span.path for problem in found if problem.code == "P0002" and problem.fixes}):
        say(harmless(f"{path}: nothing was fixed, because the file contains tabs and their width is unclear"))


class How(NamedTuple):
    """How packs are checked: the format, whether warnings fail, whether open demands are shown, whether notes count."""

    form: str
    strict: bool
    show_open: bool
    remember: bool


def _check_and_print(packs: tuple[str, ...], modules: tuple[str, ...], options: dict[str, Any], how: How) -> int:
    """Check and print; return the exit code."""
    from patolli.author.workspace import check_packs
    from patolli.language.diagnostics.order import summary

    checked = check_packs(packs, modules, options, how.remember)
    problems = relative(checked.problems)
    allowed = relative_allowed(checked.allowed)
    with_open = how.show_open or how.strict or how.form != "text"
    shown = [problem for problem in problems if with_open or problem.severity != "open"]
    if shown or how.form != "text":
        from patolli.language.diagnostics.render import render

        click.echo(render(shown, how.form, colour=use_colors(sys.stdout), allowed=allowed), nl=False)
    else:
        silenced = f" ({len(allowed)} allowed by comments)" if allowed else ""
        click.echo(f"{checked.summary}: {summary(shown)}{silenced}")
    if how.form == "text":
        _count_demands(checked, len(packs) == 1, with_open)
    if checked.faults:
        return report_faults(checked.faults)
    if any(problem.severity == "error" for problem in problems):
        return call_or_content(problems) if packs else CONTENT
    return CONTENT if problems and how.strict else FINE


def _count_demands(checked: ValidationReport, alone: bool, shown: bool) -> None:
    """Print how many demands could not be proven, of each ruleset that has some."""
    for name, (left, number) in zip(checked.rulesets, checked.demands, strict=True):
        if left:
            whose = "" if alone else f"{name}: "
            where = "" if shown else "; --open shows where"
            click.echo(f"{whose}{left} of {max(left, number)} demands not proven, matches check them{where}")


def _watch_files(packs: tuple[str, ...], modules: tuple[str, ...], once: Callable[[], int]) -> NoReturn:
    """Check, wait for a change, clear the screen, and again, until Ctrl-C."""
    from patolli.author.workspace.file_watch import Watch, folders_of
    from patolli.cli.streams import is_unread
    from patolli.language.packs.discovery import installed

    while True:
        watch = Watch(folders_of([*(packs or installed()), *modules]))  # before the check, so that no change is missed
        status = once()
        if is_unread():
            sys.exit(status)
        watch.wait()
        click.clear()
