"""``patolli play``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TextIO, cast

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import (
    NewFile,
    Seed,
    Whole,
    bot_kind,
    load_rules,
    seat_kinds,
    with_bot,
    with_modules,
    with_seats,
)
from patolli.cli.status import CALL, FINE, MATCH, in_lines, say, show_replay
from patolli.language.diagnostics.text import harmless
from patolli.language.sources.atomic_files import check_writable

if TYPE_CHECKING:
    from patolli.play.terminal.cast_recorder import Recording
    from patolli.play.terminal.session import Session
    from patolli.run.runtime import Match, Ruleset

Settings = tuple[tuple[str, Any], ...]
HUMAN = "human"
KIND = "easy, medium, hard, mcts:BUDGET, greedy, random, an installed bot, or MODULE:CLASS"


@click.command()
@click.argument("pack", shell_complete=complete_pack)
@with_modules
@click.option("--players", type=Whole(1), help="Number of seats (default: the game's minimum).")
@click.option("--seed", type=Seed(), help="Random seed (default: any number).")
@with_bot("medium", f"The bot for the seats that are not yours: {KIND}.")
@with_seats("The player of a seat: human, or a bot.")
@click.option("--save", type=NewFile(), help="Save the match to a file. If the file exists, continue that match.")
@click.option("--quiet", is_flag=True, help="Do not show what the bots do.")
@click.option("--confirm", is_flag=True, help="Ask before a choice that ends your turn.")
@click.option("--record", type=NewFile(), metavar="FILE.cast", help="Record the screen to a file for asciinema.")
@click.option("--watch", is_flag=True, help="Reload the content whenever one of its files changes.")
def play(
    pack: str,
    modules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    players: int | None,
    seed: int | None,
    bot: str,
    seats: tuple[tuple[int, str], ...],
    save: Path | None,
    quiet: bool,
    confirm: bool,
    record: Path | None,
    watch: bool,
) -> None:
    """Play PACK at the terminal.

    You play seat 1. Bots of the level 'medium' play the other seats, unless --bot or --seat names others: --bot hard,
    --seat 2=easy, --seat all=human, or --bot mybots:Careful for a class of your own. At a question, type 'help' to see
    what you can type.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 3 a match could not go on, 4 internal error.
    """
    from patolli.play.players import BotError, Kind
    from patolli.play.players.bots import check_kinds
    from patolli.play.terminal.cast_recorder import Recording
    from patolli.play.terminal.save_keeper import Keeper
    from patolli.play.terminal.screen import make_console
    from patolli.play.terminal.session import Session
    from patolli.run.runtime import read_text
    from patolli.run.runtime.errors import add_match_facts
    from patolli.run.runtime.evidence import replaying, save_evidence
    from patolli.run.runtime.invariants import BrokenInvariant

    text = read_text(save) if save is not None and save.exists() else None
    if text is not None:
        pack, modules, settings = _name_versions(pack, modules, settings, text)
    rules = load_rules(pack, modules, settings)
    for file in (save, record):
        if file is not None:
            check_writable(file)
    if text is not None and save is not None:
        match = _resume_match(rules, save, text, players, seed)
    else:
        match = _start_match(rules, players, seed)
    number = match.players - rules.model.automated
    kinds = seat_kinds(seats, number, [HUMAN, *[bot_kind(bot, "--bot")] * (number - 1)], (HUMAN,))
    try:
        check_kinds([kind for kind in kinds if isinstance(kind, Kind)], rules, number)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--bot") from None
    kinds += ["rules"] * rules.model.automated
    console = make_console()
    recording = None
    if record is not None:
        recording = Recording(record, cast(TextIO, console.file), (console.width, console.height), rules.title)
        console.file = cast(IO[str], recording)
    session = Session(rules, match, kinds, console, _read_line)
    session.keeper = Keeper(save, text) if save is not None else None
    session.quiet, session.confirm, session.in_front = quiet, confirm, sys.stdin.isatty()
    if watch:
        from patolli.cli.live_edit import ContentEdits

        session.editing = edits = ContentEdits(rules, lambda: load_rules(pack, modules, settings))
        session.read = edits.reader(_read_line)
    if recording is not None:
        session.read = recording.reader(session.read)
    names = ", ".join("you" if n == session.you else f"player {n + 1} ({kind})" for n, kind in enumerate(kinds))
    session.say(f"{rules.title}, seed {match.state[1]}: {names}")
    try:
        with add_match_facts(lambda: session.match):
            session.play()
    except (BotError, BrokenInvariant) as error:
        say(in_lines(error.text()))
        match, rules = session.match, session.rules
        choices = error.choices
        keeper = session.keeper
        if keeper is not None and not keeper.failed and not keeper.is_changed():
            say(f"see it again: {replaying(rules, keeper.path)}")
        else:
            show_replay(lambda: save_evidence(rules, match.players, match.state[1], choices))
        sys.exit(MATCH)
    sys.exit(_report_unsaved(session, recording, record))


def _report_unsaved(session: Session, recording: Recording | None, record: Path | None) -> int:
    """Say what could not be written, if anything; return the exit code."""
    keeper, code = session.keeper, FINE
    if keeper is not None and keeper.failed:
        say(harmless(f"Error: the match is not saved, because {keeper.path} cannot be written"))
        code = CALL
    if recording is not None:
        recording.close()
        if recording.failed:
            say(harmless(f"Error: {record} is incomplete: {recording.failed}"))
            code = CALL
    return code


def _read_line(prompt: str) -> str:
    if sys.stdin.isatty():
        import readline  # noqa: F401 - gives editing and history
    return harmless(input(prompt))


def _start_match(rules: Ruleset, players: int | None, seed: int | None) -> Match:
    from random import SystemRandom

    if seed is None:
        seed = SystemRandom().randrange(1_000_000)
    try:
        return rules.start(players, seed, narrate=True)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--players") from None


def _name_versions(
    pack: str, modules: tuple[str, ...], settings: Settings, text: str
) -> tuple[str, tuple[str, ...], Settings]:
    """Return the call with which a match was saved, if it needs installed versions other than the newest ones."""
    from patolli.author.workspace import requirements
    from patolli.author.workspace.kept_versions import find_kept_versions
    from patolli.run.runtime import SaveError, parse_save

    try:
        data = parse_save(text)
    except SaveError:
        return pack, modules, settings  # it is reported when the match is restored
    kept = data["pack"], tuple(data.get("modules", ()))
    options = data.get("options", {})
    if requirements(pack).base == kept[0] and {*modules} <= {*kept[1]}:
        found = find_kept_versions(*kept, options, data["content"])
        if found != kept:
            return *found, tuple(options.items())
    return pack, modules, settings


def _resume_match(rules: Ruleset, path: Path, text: str, players: int | None, seed: int | None) -> Match:
    from patolli.run.runtime import name_save

    with name_save(path):
        match = rules.restore(text, narrate=True)
    for name, given, kept in (("--players", players, match.players), ("--seed", seed, match.state[1])):
        if given is not None and given != kept:
            raise click.BadParameter(f"the match in {path} has {kept}, not {given}", param_hint=name)
    return match
