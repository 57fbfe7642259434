"""The group of all commands. Each command is a row in ``COMMANDS``; its module is imported when the command runs."""

from __future__ import annotations

import sys
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.status import CALL, Commands, give_up

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("patolli.cli.play", "Play at the terminal, against bots or other people."),
    "studio": ("patolli.cli.studio", "Play games, ask about them and change them in the browser."),
    "simulate": ("patolli.cli.simulate", "Let bots play many games and report the statistics."),
    "tournament": ("patolli.cli.tournament", "Let bots play against each other, and rate them."),
    "train": ("patolli.cli.train", "Learn the worth of positions, for the bot 'learned'."),
    "lab": ("patolli.cli.lab", "Record the facts of many matches, and compare variants."),
    "validate": ("patolli.cli.validate", "Check packs and print every problem."),
    "test": ("patolli.cli.test", "Run the scenarios of packs."),
    "show": ("patolli.cli.show", "Show the content of a pack, or one entry of it."),
    "gallery": ("patolli.cli.gallery", "Write every piece of a pack as a page of cards."),
    "sheet": ("patolli.cli.sheet", "Print cards and boards as a PDF to cut out."),
    "diff": ("patolli.cli.diff", "Show what differs between two packs, in sentences."),
    "replay": ("patolli.cli.replay", "Show what happened in a saved match."),
    "new": ("patolli.cli.new", "Create a small pack or module to start from."),
    "pack": ("patolli.cli.pack", "Build, release and install archives of packs."),
    "index": ("patolli.cli.index", "Make an index that others install packs from."),
    "compat": ("patolli.cli.compat", "Check whether modules work with a new version of a pack."),
    "schema": ("patolli.cli.schema", "Write the JSON Schemas of content for editors."),
    "fmt": ("patolli.cli.fmt", "Write content files in canonical style."),
    "migrate": ("patolli.cli.migrate", "Migrate packs to the newest version of the language."),
    "explain": ("patolli.cli.explain", "Explain the code of a problem."),
    "lsp": ("patolli.cli.lsp", "Give an editor problems, completion and more."),
}
"""Name of a command: the module that holds a command of that name, and its short help."""


class _LazyGroup(Commands):
    """A group that imports the module of a command only when the command is called, so that ``--help`` is fast."""

    def main(self, *args: Any, **more: Any) -> Any:
        """Run the program. If even the error message cannot be written, report the failure by the exit code alone."""
        from patolli.cli.streams import prepare
        from patolli.language.diagnostics.memory import leave_quickly

        prepare()
        leave_quickly()
        with warnings.catch_warnings():
            warnings.simplefilter("once", UserWarning, append=True)
            warnings.showwarning = _print_warning
            try:
                return super().main(*args, **more)
            except OSError:
                give_up(sys.stderr)
                sys.exit(CALL)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(COMMANDS)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete the names of commands from the table, without importing them; options are completed as usual."""
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        from click.shell_completion import CompletionItem

        return [
            CompletionItem(name, help=words) for name, (_, words) in COMMANDS.items() if name.startswith(incomplete)
        ]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(COMMANDS[cmd_name][0]), cmd_name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command. If there is none of that name, suggest the nearest one."""
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from patolli.language.diagnostics import nearest

            near = nearest(args[0], COMMANDS)
            if near:
                raise click.UsageError(f"there is no command {args[0]!r}; did you mean {near!r}?", ctx) from None
            raise error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in COMMANDS.items()])


def _print_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning as one sentence, as people at a terminal have no use for a line of the program."""
    click.echo(f"Note: {message}", err=True)


def _print_version(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        import patolli

        click.echo(f"patolli {patolli.__version__}")
        ctx.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Print the version and exit.",
)
def main() -> None:
    """Play, check and measure board games that are declared in packs of YAML files.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 a match could not go on, 4 internal error in
    Patolli; please report it. Ctrl-C ends every command with status 130.
    """
