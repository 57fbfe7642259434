"""What every command shares: exit codes, and how faults of content and of calls are told."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import patolli

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from patolli.diagnostics import Problem, Span
    from patolli.diagnostics.allowing import Allowed
    from patolli.diagnostics.fault import EngineFault

FINE, CONTENT, CALL, MATCH, ENGINE = 0, 1, 2, 3, 4

CALL_WORDS = "patolli.call"
"""Where a context keeps the call as it was typed."""
CALL_CODES = frozenset({"P0110", "P0113", "P0114", "P0115", "P0117", "P0130", "P0131"})
"""Codes that speak of the packs, modules and options that the caller chose."""


class Commands(click.Group):
    """A group whose commands end with the exit code that fits an exception of the engine."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the whole call, for reports."""
        ctx.meta.setdefault(CALL_WORDS, shlex.join(["patolli", *args]))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command and turn what it raises into words and a status."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except Exception as error:
            ctx.exit(_told(error))


def _told(error: Exception) -> int:
    """Print what was raised; return the exit code that says whose fault it is."""
    from patolli.diagnostics import ContentError

    if isinstance(error, ContentError):
        problems = relative(error.problems)
        show_problems(problems)
        return call_or_content(problems)
    from patolli.runtime import MatchError, SaveError

    if isinstance(error, MatchError):
        click.echo(error.text(), err=True)
        return MATCH
    if isinstance(error, SaveError):
        click.echo(f"Error: {error}", err=True)
        return CALL
    if isinstance(error, OSError):
        click.echo(f"Error: {error}", err=True)
        return CALL
    from patolli.diagnostics.fault import EngineFault

    return tell_faults([EngineFault.of(error)])


def tell_faults(faults: Sequence[EngineFault]) -> int:
    """Print the first fault of the program, and how many more there are; return the exit code."""
    words = click.get_current_context().meta.get(CALL_WORDS, "patolli")
    click.echo(faults[0].text(patolli.__version__, command=words), err=True)
    if len(faults) > 1:
        click.echo(f"(and {len(faults) - 1} more)", err=True)
    return ENGINE


def call_or_content(problems: Iterable[Problem]) -> int:
    """Return 2 when every error speaks of what the caller chose, else 1."""
    errors = [problem for problem in problems if problem.severity == "error"]
    return CALL if errors and all(problem.code in CALL_CODES for problem in errors) else CONTENT


def show_problems(problems: Iterable[Problem]) -> None:
    """Print problems for people on standard error."""
    from patolli.diagnostics.text import render_text

    click.echo(render_text(problems, colour=coloured(sys.stderr)), err=True, nl=False)


def coloured(stream: Any) -> bool:
    """Tell whether colours are welcome on a stream."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(stream.isatty())


def relative(problems: Iterable[Problem]) -> list[Problem]:
    """Write the paths in problems relative to the current folder where they lie below it."""
    here = Path.cwd()
    return [
        replace(p, span=_near(p.span, here), also=tuple((_near(s, here), words) for s, words in p.also))
        for p in problems
    ]


def relative_allowed(allowed: Iterable[Allowed]) -> list[Allowed]:
    """Write the paths in what comments allow relative to the current folder where they lie below it."""
    here = Path.cwd()
    return [
        replace(one, problem=relative([one.problem])[0], by=replace(one.by, span=_near(one.by.span, here)))
        for one in allowed
    ]


def _near(span: Span, here: Path) -> Span:
    path = Path(span.path)
    if path.is_absolute() and path.is_relative_to(here):
        return replace(span, path=path.relative_to(here).as_posix())
    return span
