"""The file of a match at a terminal: written after every choice, but never over the changes of another window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patolli.language.diagnostics.text import harmless
from patolli.play.terminal.save_keeper import Keeper
from patolli.run.runtime import SaveError, parse_save, read_text
from patolli.run.runtime.saves import write_save

if TYPE_CHECKING:
    from patolli.play.terminal.session import Session
    from patolli.run.runtime import Match

OFFER = "'reload' loads the other one; 'save' replaces it; 'save FILE' saves this one elsewhere; nothing is lost"


def keep(session: Session) -> None:
    """Write the match to its file; if this fails, report it, and continue the match."""
    keeper = session.keeper
    if keeper is None or keeper.is_changed():
        return
    failed = keeper.failed
    try:
        keeper.write(session.match)
    except OSError as error:
        if not failed:
            session.warn(f"{name(keeper.path)} cannot be written: {error.strerror}; 'save FILE' saves it elsewhere")


def in_the_way(session: Session) -> bool:
    """Return whether another window has written to the file of the match."""
    return session.keeper is not None and session.keeper.is_changed()


def notice(session: Session) -> None:
    """Report that another window has continued the match, if it has."""
    if not in_the_way(session):
        return
    assert session.keeper is not None
    path, here = session.keeper.path, len(session.match.choices)
    try:
        there = len(parse_save(read_text(path))["choices"])
        session.warn(f"another window has continued {name(path)}: {there} choices there, {here} here; {OFFER}")
    except (OSError, SaveError):
        session.warn(f"something else has been written to {name(path)}; 'save FILE' saves this match elsewhere")


def reload(session: Session, rest: str) -> None:
    """Load the match of another window; save the match of this window beside it, unless the other one continues it."""
    keeper = session.keeper
    if keeper is None or not keeper.is_changed():
        session.warn("no other window has changed the file of this match")
        return
    try:
        there = Keeper(keeper.path).read_match(session.rules)
        if not _continues_as(session.match, there):
            session.say(f"your choices in this window are saved in {name(keeper.aside(session.match))}")
        session.adopt(keeper.read_match(session.rules))
    except SaveError as error:
        session.warn(str(error))
    except OSError as error:
        session.warn(f"{name(keeper.path)}: {error.strerror}")
    else:
        session.say(f"the match continues from {name(keeper.path)}")


def save(session: Session, rest: str) -> None:
    """Write the match to its file, or to another one."""
    keeper = session.keeper
    if not rest and keeper is None:
        session.warn("name a file: save FILE")
        return
    path = Path(rest) if rest or keeper is None else keeper.path
    try:
        if keeper is None:
            write_save(session.match, path)
        elif path == keeper.path:
            if keeper.is_changed():
                session.say(f"the match of the other window is saved in {name(keeper.set_aside())}")
            keeper.write(session.match)
        elif keeper.failed or keeper.is_changed():  # from now on, the match is saved there
            elsewhere = Keeper(path)
            elsewhere.write(session.match)  # if this fails, nothing has changed
            session.keeper = elsewhere
        else:
            write_save(session.match, path)
    except OSError as error:
        session.warn(f"{name(path)} cannot be written: {error.strerror}")
    else:
        session.say(f"saved to {name(path)}")


def close(session: Session) -> None:
    """Leave the match: write it, or save it beside the file of another window, and say where it is."""
    keep(session)
    keeper = session.keeper
    if keeper is None or keeper.failed:
        session.say("\nThe match ends here.")
        return
    beside = _save_beside(session, keeper) if keeper.is_changed() else None
    if beside is not None:
        session.say(
            f"\nThe match is saved in {name(beside)}; {name(keeper.path)} contains the match of the other window."
        )
    elif not keeper.failed:
        session.say(f"\nThe match is saved in {name(keeper.path)}; run the same command again to continue.")


def _save_beside(session: Session, keeper: Keeper) -> Path | None:
    """Keep what was played here, unless another window has gone on from it; return the file."""
    try:
        if _continues_as(session.match, Keeper(keeper.path).read_match(session.rules)):
            return None
    except (OSError, SaveError):
        pass  # the file does not contain this match
    try:
        return keeper.aside(session.match)
    except OSError as error:
        keeper.failed = True
        session.warn(f"{name(keeper.path)} cannot be written: {error.strerror}")
        return None


def _continues_as(match: Match, other: Match) -> bool:
    """Return whether another match is this one, gone on with."""
    made = match.choices
    return match.players == other.players and match.state[1] == other.state[1] and other.choices[: len(made)] == made


def name(path: Path) -> str:
    """Return a path as it may be printed."""
    return harmless(str(path))
