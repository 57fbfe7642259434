"""All kinds of bots: those of the program, and those of others, by name, by place, or as classes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract, isbuiltin, signature
from typing import TYPE_CHECKING, Any

from patolli.diagnostics import nearest
from patolli.diagnostics.given import seed as seed_of
from patolli.players.chance import RandomBot
from patolli.players.greedy import GreedyBot
from patolli.players.learning import Learning, learned_from
from patolli.players.levels import LEVELS, searching
from patolli.players.search import SearchBot
from patolli.players.seating import BotError, Player, Seated, failed
from patolli.players.strategies import WITHOUT, Without, without
from patolli.players.turn import Bot

if TYPE_CHECKING:
    from patolli.runtime import Ruleset

BOTS: dict[str, Callable[[int], Player]] = {"random": RandomBot, "greedy": GreedyBot, "mcts": SearchBot, **LEVELS}
"""Every kind of bot that belongs to the program, by name: each is made from a seed."""
TOLD_MORE: dict[str, Callable[[str], Callable[[int], Player]]] = {"mcts": searching, "learned": learned_from}
"""Kinds that take something behind a colon, as in ``mcts:2000``: what makes a maker of it."""
LEARNED = "learned"
"""The kind that needs a file for what is played, and so is not among :data:`BOTS`."""
GROUP = "patolli.bots"
"""The group of entry points in which installed packages name their bots."""
BotKind = str | Callable[[int], Bot]
"""A kind of bot: a name, ``module:Class`` with a name and ``=`` before it or without, a class below :class:`Bot`, or
whatever makes a bot from a seed."""


LONGEST = 40
"""Letters of a name that somebody gives a bot."""


class Kind(str):
    """A kind of bot by its name, with what makes one from a seed.

    ``spec`` says what stands behind the name, if that is something else: the kind as it is written.
    """

    make: Callable[[int], Any]
    spec: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it travel between processes: what makes it is found there again."""
        return (_kind, (str(self), self.make, self.spec))


def kind_of(given: BotKind) -> Kind:
    """Return the kind that is meant.

    Raises:
        TypeError: It is neither a name nor something that makes a bot.
        ValueError: There is no such kind, or it cannot be imported; the message says why.
    """
    if isinstance(given, Kind):
        return given
    if not isinstance(given, str):
        if isinstance(given, Bot):
            raise TypeError(f"a kind of bot is wanted, which makes one for each match; give the class, not {given!r}")
        called = getattr(given, "__name__", type(given).__name__)
        _shown(called)
        return _kind(called, _maker(given, getattr(given, "__qualname__", repr(given))))
    _shown(given)
    if WITHOUT in given:
        bot, *strategies = given.split(WITHOUT)
        return _kind(given, without(kind_of(bot).make, bot, strategies))
    name, sign, place = given.rpartition("=")
    if sign and not name.strip():
        raise ValueError(f"no name stands before the sign in {given!r}; write NAME={place}, or {place} alone")
    if len(name) > LONGEST:
        raise ValueError(f"the name of a bot has {LONGEST} letters at most, and this one has {len(name)}")
    if (own := _own(place)) is not None:
        return _kind(name if sign else place, own, place)
    if ":" in place:
        return _kind(name if sign else place, _maker(_imported(EntryPoint(place, place, GROUP)), place), place)
    others = {one.name: one for one in entry_points(group=GROUP)}
    if given in others:
        return _kind(given, _maker(_imported(others[given]), given))
    known = [*BOTS, LEARNED, *sorted(others)]
    near = nearest(given, known)
    hint = f"did you mean {near!r}?" if near else f"there are {', '.join(known)}, and module:Class for one of your own"
    raise ValueError(f"there is no bot {given!r}; {hint}")


def _own(place: str) -> Callable[[int], Player] | None:
    """Return what makes a bot of the program's own; None where the name is that of something else.

    Raises:
        ValueError: What stands behind the name is not what it takes.
    """
    name, sign, more = place.partition(":")
    if not sign:
        return Learning() if name == LEARNED else BOTS.get(name)
    if name in TOLD_MORE:
        return TOLD_MORE[name](more)
    if name in BOTS:
        raise ValueError(
            f"the bot {name!r} takes nothing behind its name; write {name}, and {_examples()} with a budget"
        )
    return None


def _examples() -> str:
    return " or ".join(f"{name}:1s" for name in TOLD_MORE)


def _kind(name: str, make: Callable[[int], Any], spec: str = "") -> Kind:
    found = Kind(name)
    found.make, found.spec = make, spec
    return found


def _shown(name: str) -> None:
    """See that a name can be shown in a line.

    Raises:
        ValueError: It cannot.
    """
    from patolli.diagnostics.text import harmless

    if harmless(name) != name:
        raise ValueError(f"a bot is named on one line, without control characters, not {name!r}")


def _imported(entry: EntryPoint) -> Any:
    """Import what an entry point names.

    Raises:
        ValueError: It cannot be imported; the message says where that fails.
    """
    module, _, name = entry.value.partition(":")
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise ValueError(f"there is no module {error.name!r} for the bot {entry.name!r}") from error
        raise _not_imported(module, error) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _not_imported(module, error) from error
    for part in name.split("."):
        if not hasattr(found, part):
            near = nearest(part, [known for known in dir(found) if not known.startswith("_")])
            hint = f"; did you mean {near!r}?" if near else ""
            raise ValueError(f"there is no {part!r} in {module!r}{hint}")
        found = getattr(found, part)
    return found


def _not_imported(module: str, error: BaseException) -> ValueError:
    """Say where and why a module cannot be imported."""
    if isinstance(error, SyntaxError):
        where, reason = f"{error.filename}:{error.lineno}: ", f"{type(error).__name__}: {error.msg}"
    else:
        told = failed(module, 0, error)
        own = [place for place in told.stack if not place[0].startswith(("<frozen ", sys.base_prefix))]
        where, reason = f"{own[-1][0]}:{own[-1][1]}: " if own else "", told.reason
    return ValueError(f"the module {module!r} cannot be imported: {where}{reason}")


def _maker(found: Any, name: str) -> Callable[[int], Any]:
    """Return what makes bots, if it may be one.

    Raises:
        TypeError: It makes none.
    """
    if not callable(found):
        raise TypeError(f"{name} is no kind of bot, but {_article(found)}; a class below patolli.Bot is wanted")
    asked = any(callable(getattr(found, method, None)) for method in ("choose", "decide"))
    if isinstance(found, type) and (isabstract(found) or not asked):
        raise TypeError(f"the class {name} is no kind of bot: it lacks the method 'choose(self, turn)'")
    if isbuiltin(found):  # it is not tried, as who knows what it does with a number
        raise TypeError(f"{name} is no kind of bot, but a function of Python; a class below patolli.Bot is wanted")
    if not _takes_a_seed(found):
        raise TypeError(f"{name} is no kind of bot: it cannot be made from a seed alone, as in {name}(7)")
    if not isinstance(found, type):
        _tried(found, name)
    maker: Callable[[int], Any] = found
    return maker


def _takes_a_seed(found: Any) -> bool:
    """Tell whether something can be called with a seed, as far as that can be known before."""
    try:
        signature(found).bind(0)
    except TypeError:
        return False
    except ValueError:  # it is not written in Python
        return True
    return True


def _tried(found: Any, name: str) -> None:
    """Make a bot with what is no class: only so can it be known before play that it makes bots.

    Raises:
        TypeError: It makes none.
    """
    try:
        bot = found(0)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        told = failed(name, 0, error)
        raise TypeError(f"{name} is no kind of bot: with a seed it raises {told.reason}") from error
    if not any(callable(getattr(bot, method, None)) for method in ("choose", "decide")):
        raise TypeError(f"{name} is no kind of bot: it makes {_article(bot)}, which lacks the method 'choose'")


def _article(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def make_bot(kind: BotKind, seed: int, seat: int) -> Player:
    """Make a bot for a seat of a match with this seed.

    Raises:
        TypeError: That is no kind of bot.
        ValueError: There is no such kind.
        BotError: A bot of somebody else cannot be made.
    """
    found = kind_of(kind)
    if found.make in BOTS.values() or getattr(found.make, "func", None) is SearchBot:
        player: Player = found.make(seat_seed(seed, seat))
        return player
    try:
        return seated(found.make(seat_seed(seed, seat)), str(found), seat)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise error if isinstance(error, BotError) else failed(str(found), seat, error) from error


def adviser(kind: BotKind = "medium", seed: int = 0) -> SearchBot:
    """Return a bot that says what it thinks of every option: for ``match.advice(adviser)``.

    Args:
        kind: A kind of bot that searches: a level (``easy``, ``medium``, ``hard``), ``mcts``, or ``mcts:2000``.
        seed: Decides what it draws; with a budget of simulations the same seed gives the same advice.

    Raises:
        TypeError: That is no kind of bot.
        ValueError: There is no such kind, or it gives no advice.
    """
    made = kind_of(kind).make(seed_of(seed))
    if not isinstance(made, SearchBot):
        raise ValueError(f"the bot {kind!r} gives no advice; mcts does, as in mcts:2000 or mcts:1s, and so do levels")
    return made


def check_kinds(kinds: Iterable[Kind], rules: Ruleset, players: int) -> None:
    """See, before anything is played, that bots have what they need for it.

    Raises:
        ValueError: One has not; the message says what to do.
    """
    for kind in kinds:
        if isinstance(kind.make, Learning | Without):
            kind.make.check(rules, players)


def fingerprints(kinds: Iterable[Kind], rules: Ruleset, players: int) -> dict[str, str]:
    """Return, of those kinds that play by what was learned, a hash of that, by their names.

    Raises:
        OSError: It cannot be read.
    """
    learned = {str(kind): kind.make for kind in kinds if isinstance(kind.make, Learning | Without)}
    found = {name: make.fingerprint(rules, players) for name, make in learned.items()}
    return {name: print_ for name, print_ in found.items() if print_}


def seated(bot: Any, name: str = "", seat: int = -1) -> Player:
    """Return a bot as one that can be asked, whoever has written it.

    Raises:
        TypeError: It cannot be asked.
    """
    if callable(getattr(bot, "decide", None)):
        player: Player = bot
        return player
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(f"{bot!r} is no bot: it lacks the method 'choose(self, turn)'")
    return Seated(bot, name or type(bot).__name__, seat)


def is_bot(kind: str) -> bool:
    """Tell whether a bot sits where this is said to sit; else it is a person, or a seat that is played by rules."""
    return isinstance(kind, Kind) or kind in BOTS or kind.partition(":")[0] in TOLD_MORE


def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of the bot on a seat: a hash, so that neighbouring seeds share nothing."""
    text = f"seat {seat} of {seed}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
