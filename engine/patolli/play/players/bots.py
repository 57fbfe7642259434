"""All kinds of bots: built-in ones, installed ones, and ``module:Class``, by name or as classes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import isabstract, isbuiltin, signature
from typing import Any

from patolli.language.diagnostics import nearest
from patolli.language.diagnostics.given import check_seed as seed_of
from patolli.play.players.bot_seats import BotError, Player, Seated, make_bot_error
from patolli.play.players.chance import RandomBot
from patolli.play.players.greedy import GreedyBot
from patolli.play.players.learned_bot import Learning, learned_from
from patolli.play.players.levels import LEVELS, searching
from patolli.play.players.search import SearchBot
from patolli.play.players.strategies import WITHOUT, Without, without
from patolli.play.players.turn import Bot
from patolli.run.runtime import Ruleset

BOTS: dict[str, Callable[[int], Player]] = {"random": RandomBot, "greedy": GreedyBot, "mcts": SearchBot, **LEVELS}
"""The built-in kinds of bots by name; each function creates a bot from a seed."""
WITH_BUDGET: dict[str, Callable[[str], Callable[[int], Player]]] = {"mcts": searching, "learned": learned_from}
"""Kinds that take something behind a colon, as in ``mcts:2000``: what makes a maker of it."""
LEARNED = "learned"
"""The kind that needs a file for the ruleset, and so is not in :data:`BOTS`."""
GROUP = "patolli.bots"
"""The group of entry points in which installed packages name their bots."""
BotKind = str | Callable[[int], Bot]
"""A kind of bot: a name, ``module:Class``, also with a name and ``=`` before it, a class below :class:`Bot`, or
whatever makes a bot from a seed."""


LONGEST = 40
"""The maximum length of a bot's name."""


class Kind(str):
    """A kind of bot: its name, what creates a bot from a seed, and ``spec``, the user's text, if it differs."""

    make: Callable[[int], Any]
    spec: str = ""

    def __reduce__(self) -> tuple[Any, ...]:
        """Allow a kind to be sent to another process, which looks up the function by name."""
        return (_make_kind, (str(self), self.make, self.spec))


def kind_of(given: BotKind) -> Kind:
    """Return the kind for a name, a class or a function.

    Raises:
        TypeError: The argument is neither a name nor something that creates a bot.
        ValueError: There is no such kind, or it cannot be imported; the message says why.
    """
    if isinstance(given, Kind):
        return given
    if not isinstance(given, str):
        if isinstance(given, Bot):
            raise TypeError(f"pass a kind of bot, which creates one for each match, not {given!r}")
        called = getattr(given, "__name__", type(given).__name__)
        _check_name(called)
        return _make_kind(called, _check_maker(given, getattr(given, "__qualname__", repr(given))))
    _check_name(given)
    if WITHOUT in given:
        bot, *strategies = given.split(WITHOUT)
        return _make_kind(given, without(kind_of(bot).make, bot, strategies))
    name, sign, place = given.rpartition("=")
    if sign and not name.strip():
        raise ValueError(f"the name before '=' is missing in {given!r}; write NAME={place}, or only {place}")
    if len(name) > LONGEST:
        raise ValueError(f"the name of a bot may have {LONGEST} characters; this one has {len(name)}")
    if (own := _find_builtin(place)) is not None:
        return _make_kind(name if sign else place, own, place)
    if ":" in place:
        return _make_kind(
            name if sign else place, _check_maker(_import_entry(EntryPoint(place, place, GROUP)), place), place
        )
    others = {one.name: one for one in entry_points(group=GROUP)}
    if given in others:
        return _make_kind(given, _check_maker(_import_entry(others[given]), given))
    known = [*BOTS, LEARNED, *sorted(others)]
    near = nearest(given, known)
    hint = f"did you mean {near!r}?" if near else f"use {', '.join(known)}, or module:Class for your own bot"
    raise ValueError(f"there is no bot {given!r}; {hint}")


def _find_builtin(place: str) -> Callable[[int], Player] | None:
    """Return the maker of a built-in bot; None for other names. Raises ValueError: the text behind is invalid."""
    name, sign, more = place.partition(":")
    if not sign:
        return Learning() if name == LEARNED else BOTS.get(name)
    if name in WITH_BUDGET:
        return WITH_BUDGET[name](more)
    if name in BOTS:
        raise ValueError(
            f"the bot {name!r} takes nothing after its name; write {name}, or {_format_examples()} with a budget"
        )
    return None


def _format_examples() -> str:
    return " or ".join(f"{name}:1s" for name in WITH_BUDGET)


def _make_kind(name: str, make: Callable[[int], Any], spec: str = "") -> Kind:
    found = Kind(name)
    found.make, found.spec = make, spec
    return found


def _check_name(name: str) -> None:
    """Check that a name can be shown on one line. Raises ValueError: it cannot."""
    from patolli.language.diagnostics.text import harmless

    if harmless(name) != name:
        raise ValueError(f"the name of a bot must be one line without control characters, not {name!r}")


def _import_entry(entry: EntryPoint) -> Any:
    """Import the object that an entry point names. Raises ValueError, which says where the import fails."""
    module, _, name = entry.value.partition(":")
    try:
        found = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and f"{module}.".startswith(f"{error.name}."):
            raise ValueError(f"there is no module {error.name!r} for the bot {entry.name!r}") from error
        raise _describe_import_error(module, error) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _describe_import_error(module, error) from error
    for part in name.split("."):
        if not hasattr(found, part):
            near = nearest(part, [known for known in dir(found) if not known.startswith("_")])
            hint = f"; did you mean {near!r}?" if near else ""
            raise ValueError(f"there is no {part!r} in {module!r}{hint}")
        found = getattr(found, part)
    return found


def _describe_import_error(module: str, error: BaseException) -> ValueError:
    """Describe where and why a module cannot be imported."""
    if isinstance(error, SyntaxError):
        where, reason = f"{error.filename}:{error.lineno}: ", f"{type(error).__name__}: {error.msg}"
    else:
        reported = make_bot_error(module, 0, error)
        own = [place for place in reported.stack if not place[0].startswith(("<frozen ", sys.base_prefix))]
        where, reason = f"{own[-1][0]}:{own[-1][1]}: " if own else "", reported.reason
    return ValueError(f"the module {module!r} cannot be imported: {where}{reason}")


def _check_maker(found: Any, name: str) -> Callable[[int], Any]:
    """Check an object, and return it as a function that creates bots. Raises TypeError: it does not create bots."""
    if not callable(found):
        raise TypeError(f"{name} is not a kind of bot, but {_with_article(found)}; use a subclass of patolli.Bot")
    asked = any(callable(getattr(found, method, None)) for method in ("choose", "decide"))
    if isinstance(found, type) and (isabstract(found) or not asked):
        raise TypeError(f"the class {name} is not a kind of bot: it lacks the method 'choose(self, turn)'")
    if isbuiltin(found):  # do not call it: calling an unknown function with a number may have side effects
        raise TypeError(f"{name} is not a kind of bot, but a function of Python; use a subclass of patolli.Bot")
    if not _takes_a_seed(found):
        raise TypeError(f"{name} is not a kind of bot: it cannot be created from a seed alone, as in {name}(7)")
    if not isinstance(found, type):
        _try_maker(found, name)
    maker: Callable[[int], Any] = found
    return maker


def _takes_a_seed(found: Any) -> bool:
    """Return whether an object can be called with a seed, as far as its signature says."""
    try:
        signature(found).bind(0)
    except TypeError:
        return False
    except ValueError:  # it is implemented in C
        return True
    return True


def _try_maker(found: Any, name: str) -> None:
    """Create a bot with an object that is no class: only a call shows what it creates. Raises TypeError: no bot."""
    try:
        bot = found(0)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        reported = make_bot_error(name, 0, error)
        raise TypeError(f"{name} is not a kind of bot: with a seed it raises {reported.reason}") from error
    if not any(callable(getattr(bot, method, None)) for method in ("choose", "decide")):
        raise TypeError(
            f"{name} is not a kind of bot: it creates {_with_article(bot)}, which lacks the method 'choose'"
        )


def _with_article(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def make_bot(kind: BotKind, seed: int, seat: int) -> Player:
    """Create a bot for a seat of a match with this seed.

    Raises:
        TypeError: *kind* is not a kind of bot.
        ValueError: There is no such kind.
        BotError: A bot from another package cannot be created.
    """
    found = kind_of(kind)
    if found.make in BOTS.values() or getattr(found.make, "func", None) is SearchBot:
        player: Player = found.make(seat_seed(seed, seat))
        return player
    try:
        return wrap_bot(found.make(seat_seed(seed, seat)), str(found), seat)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise error if isinstance(error, BotError) else make_bot_error(str(found), seat, error) from error


def adviser(kind: BotKind = "medium", seed: int = 0) -> SearchBot:
    """Return a bot that rates every option: for ``match.advice(adviser)``.

    Args:
        kind: A kind of bot that searches: a level (``easy``, ``medium``, ``hard``), ``mcts``, or ``mcts:2000``.
        seed: The random seed; with a budget of simulations, the same seed gives the same advice.

    Raises:
        TypeError: *kind* is not a kind of bot.
        ValueError: There is no such kind, or it does not give advice.
    """
    made = kind_of(kind).make(seed_of(seed))
    if not isinstance(made, SearchBot):
        raise ValueError(f"the bot {kind!r} gives no advice; use a level, or mcts such as mcts:2000 or mcts:1s")
    return made


def check_kinds(kinds: Iterable[Kind], rules: Ruleset, players: int) -> None:
    """Check before a match that bots have what they need for it. Raises ValueError, which says what to do."""
    for kind in kinds:
        if isinstance(kind.make, Learning | Without):
            kind.make.check(rules, players)


def fingerprints(kinds: Iterable[Kind], rules: Ruleset, players: int) -> dict[str, str]:
    """Return, by name, a hash of the learned value of each kind that uses one. Raises OSError: it is unreadable."""
    learned = {str(kind): kind.make for kind in kinds if isinstance(kind.make, Learning | Without)}
    found = {name: make.fingerprint(rules, players) for name, make in learned.items()}
    return {name: print_ for name, print_ in found.items() if print_}


def wrap_bot(bot: Any, name: str = "", seat: int = -1) -> Player:
    """Return a bot as a :class:`Player`; bots from other packages are wrapped.

    Raises:
        TypeError: The object is not a bot.
    """
    if callable(getattr(bot, "decide", None)):
        player: Player = bot
        return player
    if not callable(getattr(bot, "choose", None)):
        raise TypeError(f"{bot!r} is not a bot: it lacks the method 'choose(self, turn)'")
    return Seated(bot, name or type(bot).__name__, seat)


def is_bot(kind: str) -> bool:
    """Return whether this name of a player belongs to a bot, and not to a person or to a seat that rules play."""
    return isinstance(kind, Kind) or kind in BOTS or kind.partition(":")[0] in WITH_BUDGET


def seat_seed(seed: int, seat: int) -> int:
    """Return the seed of the bot on a seat: a hash, so that seeds of neighboring seats are unrelated."""
    text = f"seat {seat} of {seed}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
