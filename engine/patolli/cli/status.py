"""Shared code of all commands: exit codes, and the output of content problems and usage errors."""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from dataclasses import replace
from errno import ENOENT
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import patolli
from patolli.language.sources.home import current_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from patolli.language.diagnostics import Problem, Span
    from patolli.language.diagnostics.fault import EngineFault
    from patolli.language.diagnostics.suppression import Allowed

FINE, CONTENT, CALL, MATCH, ENGINE = 0, 1, 2, 3, 4
INTERRUPTED = 130
"""The exit code that shells expect after Ctrl-C."""

CALL_WORDS = "patolli.call"
"""The key of a context for the command line as typed."""
CALL_CODES = frozenset({"P0110", "P0115", "P0117", "P0130", "P0131"})
"""Codes of problems in the packs, modules and options that the caller chose. What a manifest requires is content."""


class Commands(click.Group):
    """A group whose commands end with the exit code that fits an exception of the engine."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        """Read the call; what ``--help`` prints may find no room."""
        try:
            more.setdefault("color", True if is_forced() else None)  # otherwise click removes colors in a pipe
            return super().make_context(*args, **more)
        except OSError as error:
            sys.exit(_report_exception(error))
        except KeyboardInterrupt:
            sys.exit(_end_interrupted_line())

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember the whole call, for reports."""
        ctx.meta.setdefault(CALL_WORDS, shlex.join(["patolli", *args]))
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command and turn what it raises into words and a status."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except KeyboardInterrupt:
            ctx.exit(_end_interrupted_line())
        except Exception as error:
            ctx.exit(_report_exception(error))


def _end_interrupted_line() -> int:
    """End the line on which ``^C`` stands; return the exit code."""
    say("")
    return INTERRUPTED


def say(words: str) -> None:
    """Print a line on standard error, if that can be written."""
    try:
        click.echo(words, err=True)
    except OSError:
        give_up(sys.stderr)


def _report_exception(error: Exception) -> int:
    """Print an exception; return the exit code that fits it."""
    from patolli.language.diagnostics import ContentError

    if isinstance(error, ContentError):
        problems = relative(error.problems)
        show_problems(problems)
        return call_or_content(problems)
    missing = missing_extra(error)
    if missing:
        say(f"Error: {missing}")
        return CALL
    from patolli.run.runtime import MatchError, SaveError

    if isinstance(error, MatchError):
        say(in_lines(error.text()))
        return MATCH
    if isinstance(error, SaveError):
        say(in_lines(f"Error: {error}"))
        return CALL
    if isinstance(error, OSError):
        return report_unwritten(error)
    if isinstance(error, MemoryError):
        say("Error: there is not enough memory; close other programs, or raise the limit of this process (ulimit -v)")
        return CALL
    from patolli.language.diagnostics.fault import EngineFault

    return report_faults([EngineFault.of(error)])


EXTRAS = {
    "coverage": "test", "cryptography": "signatures", "distributed": "cluster", "gymnasium": "environments",
    "lsprotocol": "lsp", "matplotlib": "lab", "numpy": "lab", "optuna": "tune", "pettingzoo": "environments",
    "psycopg": "postgres", "pyarrow": "lab", "fontTools": "print", "pygls": "lsp", "reportlab": "print",
    "PIL": "print",
    "resolvelib": "index", "starlette": "studio", "uvicorn": "studio", "wasmtime": "native",
}  # fmt: skip
"""The optional packages, each with the extra of Patolli that installs it."""


def missing_extra(error: Exception) -> str:
    """Explain how to install a missing package of an extra; return an empty text for other errors."""
    package = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
    extra = EXTRAS.get(package)
    return f"this needs the package {package}: pip install 'patolli[{extra}]'" if extra else ""


def report_unwritten(error: OSError, then: str = "") -> int:
    """Report that something could not be written or read, and the consequence; return the exit code."""
    say(f"Error: {in_words(error)}{f'; {then}' if then else ''}")
    if error.filename is None:
        give_up(sys.stdout)
    return CALL


def show_replay(call: Callable[[], str]) -> None:
    """Print the command that replays a match, if the match can be saved."""
    try:
        say(in_lines(f"see it again: {call()}"))
    except OSError as error:
        say(f"the match cannot be saved for a replay: {in_words(error)}")


def in_lines(text: str) -> str:
    """Return a text of several lines, each without what could make a terminal do more than show letters."""
    from patolli.language.diagnostics.text import harmless

    return "\n".join(map(harmless, text.split("\n")))


def in_words(error: OSError) -> str:
    """Say which file could not be read or written, and why; one without a name is a standard stream."""
    from patolli.language.diagnostics.text import harmless

    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None and error.errno == ENOENT:  # a folder that has no name: the current or a temporary one
        return reason if current_folder() is not None else "the current folder does not exist any more"
    if error.filename is None:
        return reason if error.errno in (None, 0) else f"the output cannot be written: {reason}"
    return harmless(f"{os.fsdecode(error.filename)}: {reason}")


def give_up(stream: Any) -> None:
    """Discard the rest of a stream that cannot be written, because Python would fail again at exit."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def report_faults(faults: Sequence[EngineFault]) -> int:
    """Print the first internal error, and how many more there are; return the exit code."""
    words = click.get_current_context().meta.get(CALL_WORDS, "patolli")
    say(in_lines(faults[0].text(patolli.__version__, command=words)))
    if len(faults) > 1:
        say(f"(and {len(faults) - 1} more)")
    return ENGINE


def call_or_content(problems: Iterable[Problem]) -> int:
    """Return 2 if every error is about the packs, modules and options that the caller chose; otherwise 1."""
    errors = [problem for problem in problems if problem.severity == "error"]
    return CALL if errors and all(problem.code in CALL_CODES for problem in errors) else CONTENT


def show_problems(problems: Iterable[Problem]) -> None:
    """Print problems for people on standard error."""
    from patolli.language.diagnostics.text import render_text

    say(render_text(problems, colour=use_colors(sys.stderr)).removesuffix("\n"))


def use_colors(stream: Any) -> bool:
    """Return whether to use colors on a stream: at a terminal, unless ``NO_COLOR`` or ``FORCE_COLOR`` is set."""
    if os.environ.get("NO_COLOR"):
        return False
    return is_forced() or (os.environ.get("TERM") != "dumb" and bool(stream.isatty()))


def is_forced() -> bool:
    """Return whether colors are forced; ``NO_COLOR`` takes precedence.

    Source:
        https://force-color.org and https://no-color.org
    """
    return bool(os.environ.get("FORCE_COLOR")) and not os.environ.get("NO_COLOR")


def relative(problems: Iterable[Problem]) -> list[Problem]:
    """Write the paths in problems relative to the current folder where they lie below it."""
    here = current_folder()
    return [_make_relative(problem, here) for problem in problems]


def _make_relative(problem: Problem, here: Path | None) -> Problem:
    also = tuple((_relative_span(span, here), words) for span, words in problem.also)
    edits = [[replace(edit, span=_relative_span(edit.span, here)) for edit in fix.edits] for fix in problem.fixes]
    fixes = tuple(replace(fix, edits=tuple(found)) for fix, found in zip(problem.fixes, edits, strict=True))
    return replace(problem, span=_relative_span(problem.span, here), also=also, fixes=fixes)


def relative_allowed(allowed: Iterable[Allowed]) -> list[Allowed]:
    """Write the paths in what comments allow relative to the current folder where they lie below it."""
    here = current_folder()
    return [
        replace(one, problem=relative([one.problem])[0], by=replace(one.by, span=_relative_span(one.by.span, here)))
        for one in allowed
    ]


def _relative_span(span: Span, here: Path | None) -> Span:
    path = Path(span.path)
    if here is not None and path.is_absolute() and path.is_relative_to(here):
        return replace(span, path=path.relative_to(here).as_posix())
    return span
