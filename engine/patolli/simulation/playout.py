"""One match between bots, as fast as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import repeat
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.compiler.layout import FRAMES
from patolli.diagnostics import given
from patolli.diagnostics.given import whole
from patolli.runtime.errors import LIMIT, told_with
from patolli.runtime.invariants import Watch

if TYPE_CHECKING:
    from patolli.players import Bot, BotKind, Player
    from patolli.runtime import Match, Ruleset

Look = Callable[["Match", int], object]
"""Is called before each choice, with the match and the index that is about to be chosen."""


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
        rules: What is played.
        players: The number of seats; the least allowed one when left out.
        seed: Decides everything, together with the bots.
        bots: A kind of bot for all seats, or a kind or a bot for each; left out, all choose at random. A kind is a
            name such as ``"greedy"``, ``"module:Class"``, or a class below :class:`Bot`. Seats that are played by
            rules have none.
        limit: The match is left after so many choices; it is not over then.
        invariants: Whether the match is checked against the declared invariants after every choice.
        look: Is called before every choice with the match, which it may not change, and the index that is chosen.
        thinking: Decides what bots make up by chance; *seed* does if left out.
        watched: Whether its program says which pieces are used, and takes measures.

    Raises:
        TypeError: Something is handed over that is neither of these.
        ValueError: The pack cannot be played with so many players, or there is no such kind of bot.
        MatchError: The content fails, or an invariant does not hold.
        BotError: A bot fails, or lacks what it needs; it is a :class:`MatchError`, too.
    """
    given.rules(rules)
    limit = whole(limit, "the limit of choices")
    match = rules.start(players, seed, watched=watched)
    check = Watch(match).check if invariants and rules.resolved.invariants else None
    if check is not None:
        check(match)
    if bots is not None and not (isinstance(bots, str) and bots == "random"):
        number = match.players - rules.model.automated
        seats = seats_of(checked(bots, rules, number), number, seed if thinking is None else thinking)
        with told_with(lambda: match):
            _decided(match, seats, limit, check, look)
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


def checked(bots: Any, rules: Ruleset, players: int) -> Any:
    """Return bots as they are given, and kinds that are named as what they are, if these have what they need.

    Raises:
        ValueError: There is no such kind.
        BotError: One lacks what it needs.
    """
    from patolli.players import BotError, Kind, kind_of
    from patolli.players.bots import check_kinds

    def known(bot: Any, seat: int) -> Any:
        if not isinstance(bot, str) or isinstance(bot, Kind):  # a kind was seen to by who has made it of a name
            return bot
        kind = kind_of(bot)
        try:
            check_kinds([kind], rules, players)
        except ValueError as error:
            raise BotError(str(kind), seat, str(error), []) from error
        return kind

    if isinstance(bots, str) or not isinstance(bots, Sequence):
        return known(bots, 0)
    return [known(bot, seat) for seat, bot in enumerate(bots)]


def seats_of(bots: Any, players: int, seed: int) -> list[Player]:
    """Return a bot for every seat: of one kind, or of a kind for each, or those that are handed over.

    Raises:
        TypeError: That is no kind of bot.
        ValueError: There is no such kind, or there are not as many as seats.
        BotError: A bot of somebody else cannot be made.
    """
    from patolli.players import make_bot, seated

    kinds = list(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else [bots] * players
    if len(kinds) != players:
        raise ValueError(f"{len(kinds)} bots for {players} seats")
    return [
        make_bot(kind, seed, seat) if isinstance(kind, str | type) or not _asked(kind) else seated(kind)
        for seat, kind in enumerate(kinds)
    ]


def _asked(bot: Any) -> bool:
    """Tell whether something is a bot, and no kind of bots."""
    return hasattr(bot, "choose") or hasattr(bot, "decide")


def _decided(
    match: Match, seats: list[Player], limit: int, check: Callable[[Match], None] | None, look: Look | None
) -> None:
    frames = match.state[FRAMES]
    for _ in repeat(None, limit):
        if match.pending is None:
            break
        answer = seats[frames[-1][1]].decide(match)
        if look is not None:
            look(match, answer)
        match.pick(answer)
        if check is not None:
            check(match)
