"""One match between bots, as fast as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from random import Random
from typing import Any

from patolli.language.diagnostics import given
from patolli.language.diagnostics.given import whole
from patolli.play.players import Bot, BotKind, Player
from patolli.run.compiler.layout import FRAMES
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.errors import LIMIT, add_match_facts
from patolli.run.runtime.invariants import Watch

Look = Callable[["Match", int], object]
"""Called before each choice, with the match and the index of the choice."""


def playout(
    rules: Ruleset,
    players: int | None = None,
    seed: int = 0,
    bots: Sequence[BotKind | Bot | Player] | BotKind | Bot | Player | None = None,
    limit: int = LIMIT,
    invariants: bool = False,
    look: Look | None = None,
    watched: bool = False,
    thinking: int | None = None,
) -> Match:
    """Play one match and return it.

    Args:
        rules: The ruleset.
        players: The number of seats (default: the game's minimum).
        seed: The random seed; together with the bots it decides everything.
        bots: A kind of bot for all seats, or a kind or a bot for each seat (default: all choose at random). A kind is a
            name such as ``"greedy"``, ``"module:Class"``, or a subclass of :class:`Bot`. Seats that rules play have no
            bot.
        limit: The number of choices after which the match is abandoned; it is not over then.
        invariants: Whether the declared invariants are checked after every choice.
        look: Called before every choice with the match, which it must not change, and the index of the choice.
        thinking: The random seed of the bots (default: *seed*).
        watched: Whether the program records which pieces are used, and takes measures.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: The pack does not allow this number of players, or there is no such kind of bot.
        MatchError: The content fails, or an invariant is broken.
        BotError: A bot fails, or lacks something that it needs; it is a subclass of :class:`MatchError`.
    """
    given.rules(rules)
    limit = whole(limit, "the limit of choices")
    match = rules.start(players, seed, watched=watched)
    check = Watch(match).check if invariants and rules.resolved_program.invariants else None
    if check is not None:
        check(match)
    if bots is not None and not (isinstance(bots, str) and bots == "random"):
        number = match.players - rules.model.automated
        seats = seats_of(resolve_bots(bots, rules, number), number, seed if thinking is None else thinking)
        with add_match_facts(lambda: match):
            _decide_index(match, seats, limit, check, look)
        return match
    draw = Random(seed if thinking is None else thinking).random
    pick = match.pick
    pending = match.pending
    for _ in repeat(None, limit):
        if pending is None:
            break
        answer = int(draw() * len(pending))
        if look is not None:
            look(match, answer)
        pick(answer)
        if check is not None:
            check(match)
        pending = match.pending
    return match


def resolve_bots(bots: Any, rules: Ruleset, players: int) -> Any:
    """Resolve and check the names of kinds; bots stay. Raises ValueError: unknown kind; BotError: it needs more."""
    from patolli.play.players import BotError, Kind, kind_of
    from patolli.play.players.bots import check_kinds

    def resolve_kind(bot: Any, seat: int) -> Any:
        if not isinstance(bot, str) or isinstance(bot, Kind):  # the code that resolved the name has checked the kind
            return bot
        kind = kind_of(bot)
        try:
            check_kinds([kind], rules, players)
        except ValueError as error:
            raise BotError(str(kind), seat, str(error), []) from error
        return kind

    if isinstance(bots, str) or not isinstance(bots, Sequence):
        return resolve_kind(bots, 0)
    return [resolve_kind(bot, seat) for seat, bot in enumerate(bots)]


def seats_of(bots: Any, players: int, seed: int) -> list[Player]:
    """Return a bot for every seat: of one kind, of a kind for each seat, or the given bots.

    Raises:
        TypeError: An argument is not a kind of bot.
        ValueError: There is no such kind, or the number of kinds differs from the number of seats.
        BotError: A bot from another package cannot be created.
    """
    from patolli.play.players import make_bot, wrap_bot

    kinds = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots] * players
    if len(kinds) != players:
        raise ValueError(f"{len(kinds)} bots for {players} seats")
    return [
        make_bot(kind, seed, seat) if isinstance(kind, str | type) or not _is_bot(kind) else wrap_bot(kind)
        for seat, kind in enumerate(kinds)
    ]


def _is_bot(bot: Any) -> bool:
    """Return whether an object is a bot, and not a kind of bot."""
    return hasattr(bot, "choose") or hasattr(bot, "decide")


def _decide_index(
    match: Match, seats: list[Player], limit: int, check: Callable[[Match], None] | None, look: Look | None
) -> None:
    frames, shared = match.state[FRAMES], match.ruleset.visibility(match.program).deciders
    for _ in repeat(None, limit):
        if match.pending is None:
            break
        answer = seats[match.decider if shared else frames[-1][1]].decide(match)
        if look is not None:
            look(match, answer)
        match.pick(answer)
        if check is not None:
            check(match)
