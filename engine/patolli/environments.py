"""Matches for programs that learn: PettingZoo, Gymnasium, its vector API, OpenSpiel.

    from patolli import environments

    env = environments.aec("my_game", players=3)
    env = environments.gym("my_game", seat=0, bots="greedy")
    game = environments.open_spiel("my_game")
    envs = environments.vector("my_game", 1024)

The extra ``environments`` brings NumPy, PettingZoo and Gymnasium, and ``referee`` OpenSpiel; each is imported when it
is used. With the extra ``native`` many matches take their steps in one call.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from patolli.run.runtime.errors import LIMIT

if TYPE_CHECKING:
    from patolli.measure.environments.gymnasiums import Bots, Seat
    from patolli.measure.environments.vector import Vector
    from patolli.measure.environments.zoo import Zoo
    from patolli.run.runtime import Ruleset


class Missing(ImportError):
    """A package is not installed that an environment stands on."""


def aec(
    pack: str | Ruleset, players: int | None = None, modules: Sequence[str] = (),
    options: Mapping[str, Any] | None = None, seed: int | None = None, render_mode: str | None = None, *,
    reward: str = "rank", encoding: str = "features", limit: int = LIMIT, masks: str = "info",
    illegal: str = "lose",
) -> Zoo:  # fmt: skip
    """Return a PettingZoo environment: all players of a match, one after the other.

    Args:
        pack: The id of an installed pack, the path of a folder, or a ruleset that ``patolli.load`` gave.
        players: The number of players, without seats that rules play (default: the game's minimum).
        modules: Modules to add.
        options: Options of the pack.
        seed: The seed of the matches, until ``reset`` gets another one.
        render_mode: ``ansi`` or ``human``; see the environment.
        reward: ``rank``, ``win`` or ``margin``.
        encoding: ``features``: each choice is a column for each of its values; ``numbers``: whole numbers.
        limit: The number of steps after which a match is abandoned.
        masks: Where the mask of legal actions is: in ``info`` or in ``observation``.
        illegal: The result of an action that the mask forbids: ``lose`` ends the match with -1, ``raise`` is an error.

    Raises:
        Missing: PettingZoo is not installed.
        ContentError: The pack cannot be played.
        TypeError: An argument has the wrong type.
        ValueError: An argument has an impossible value, or options cannot be numbered (``Unbounded``).
    """
    try:
        from patolli.measure.environments.table import Table, ruleset
        from patolli.measure.environments.zoo import Zoo
    except ModuleNotFoundError as error:
        raise _missing(error, "PettingZoo", "environments") from error
    table = Table(ruleset(pack, modules, options), players, reward, encoding, limit)
    return Zoo(table, render_mode, seed, masks, illegal)


def gym(
    pack: str | Ruleset, seat: int | None = 0, bots: Bots = "random", players: int | None = None,
    modules: Sequence[str] = (), options: Mapping[str, Any] | None = None, render_mode: str | None = None, *,
    reward: str = "rank", encoding: str = "features", limit: int = LIMIT, illegal: str = "lose",
) -> Seat:  # fmt: skip
    """Return a Gymnasium environment: one seat of a match, with bots on the others.

    Args:
        pack: See :func:`aec`.
        seat: The seat, from 0; None for a random seat in each match.
        bots: A kind of bot for all other seats, or a list with one for each: ``random``, ``greedy``,
            ``module:Class``, a class below ``patolli.Bot``.
        players: See :func:`aec`.
        modules: See :func:`aec`.
        options: See :func:`aec`.
        render_mode: See :func:`aec`.
        reward: See :func:`aec`.
        encoding: See :func:`aec`.
        limit: See :func:`aec`; the steps of bots count.
        illegal: See :func:`aec`.

    Raises:
        Missing: Gymnasium is not installed.
        ContentError: The pack cannot be played.
        TypeError: An argument has the wrong type, or is not a kind of bot.
        ValueError: An argument has an impossible value, or options cannot be numbered (``Unbounded``).
    """
    try:
        from patolli.measure.environments.gymnasiums import Seat, make_spec
        from patolli.measure.environments.table import Table, ruleset
    except ModuleNotFoundError as error:
        raise _missing(error, "Gymnasium", "environments") from error
    table = Table(ruleset(pack, modules, options), players, reward, encoding, limit)
    found = Seat(table, seat, bots, illegal, render_mode)
    found.spec = make_spec({
        "pack": pack, "seat": seat, "bots": bots, "players": players, "modules": modules, "options": options,
        "reward": reward, "encoding": encoding, "limit": limit, "illegal": illegal,
    })  # fmt: skip
    return found


def vector(
    pack: str | Ruleset, num_envs: int, players: int | None = None, modules: Sequence[str] = (),
    options: Mapping[str, Any] | None = None, *, reward: str = "rank", encoding: str = "features", limit: int = LIMIT,
    illegal: str = "raise", autoreset_mode: str = "next_step", engine: str = "auto", copy: bool = True,
) -> Vector:  # fmt: skip
    """Return a vector environment of Gymnasium: many matches; in each, the deciding player takes an action.

    Args:
        pack: See :func:`aec`, as of all that is not named here.
        num_envs: How many environments there are.
        players: See :func:`aec`.
        modules: See :func:`aec`.
        options: See :func:`aec`.
        reward: See :func:`aec`.
        encoding: See :func:`aec`; numbers have the smallest of the types int8, int32 and float32 that holds them.
        limit: See :func:`aec`.
        illegal: ``raise``: an action that the mask forbids is an error, and nothing happens; ``lose``: see :func:`aec`.
        autoreset_mode: When the next match begins after the end of one, as a text or as Gymnasium's ``AutoresetMode``:
            ``next_step``, ``same_step``, or ``disabled``.
        engine: ``native``, ``python``, or ``auto``: native where it can be.
        copy: Whether what is returned is the caller's; without, the next step overwrites it.

    Raises:
        Missing: Gymnasium is not installed.
        ContentError: The pack cannot be played.
        TypeError: An argument is of another type.
        ValueError: An argument makes no sense, answers cannot be numbered (``Unbounded``), or the native engine is
            requested and cannot play this; the message says why.
    """
    try:
        from patolli.measure.environments.batch_engines import make_batch
        from patolli.measure.environments.table import Table, ruleset
        from patolli.measure.environments.vector import Vector, name_autoreset
    except ModuleNotFoundError as error:
        raise _missing(error, "Gymnasium", "environments") from error
    mode = name_autoreset(autoreset_mode)
    table = Table(ruleset(pack, modules, options), players, reward, encoding, limit)
    return Vector(make_batch(table, num_envs, illegal, mode, engine), copy)


def open_spiel(
    pack: str | Ruleset, players: int | None = None, modules: Sequence[str] = (),
    options: Mapping[str, Any] | None = None, *, reward: str = "rank", encoding: str = "features",
    limit: int = LIMIT, outcomes: int = 0,
) -> Any:  # fmt: skip
    """Return an OpenSpiel game. It is registered: ``pyspiel.load_game`` knows it by its short name from then on.

    Args:
        pack: See :func:`aec`.
        players: See :func:`aec`.
        modules: See :func:`aec`.
        options: See :func:`aec`.
        reward: ``rank`` or ``win``; OpenSpiel needs a bound of the rewards, so ``margin`` is not possible.
        encoding: See :func:`aec`.
        limit: The number of steps after which a match ends with the rewards of that moment.
        outcomes: The number of equally likely outcomes that each random draw lists; 0: it is sampled.

    Raises:
        Missing: OpenSpiel is not installed.
        ContentError: The pack cannot be played.
        TypeError: An argument has the wrong type.
        ValueError: An argument has an impossible value, or options cannot be numbered (``Unbounded``).
    """
    try:
        from patolli.measure.environments.spiel import game
        from patolli.measure.environments.table import Table, ruleset
    except ModuleNotFoundError as error:
        raise _missing(error, "OpenSpiel", "referee") from error
    table = Table(ruleset(pack, modules, options), players, reward, encoding, limit)
    return game(table, outcomes)


def _missing(error: ModuleNotFoundError, what: str, extra: str) -> ImportError:
    """Return the message about a package that is not there; of one of this program, what was raised."""
    if (error.name or "").partition(".")[0] in ("", "patolli"):
        return error
    extra = "environments" if error.name == "numpy" else extra
    return Missing(f"{what} is not installed (no module {error.name!r}): pip install 'patolli[{extra}]'")


__all__ = ["Missing", "aec", "gym", "open_spiel", "vector"]
