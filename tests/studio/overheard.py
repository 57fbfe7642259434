"""What goes over the wire to a client, compared with a world that differs in what this client may not see."""

from __future__ import annotations

from copy import copy
from random import Random

from twins import twin

import patolli
from patolli.play.players import BotError
from patolli.run.runtime import Match, MatchError
from patolli.serve.studio import states
from patolli.serve.studio.acts import Setup
from patolli.serve.studio.advice_hints import describe_hint
from patolli.serve.studio.bots import rate_options
from patolli.serve.studio.past import Past
from patolli.serve.studio.previews import preview, previews
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.seats import WATCH, Seats
from patolli.serve.studio.table import Table, places
from patolli.serve.studio.wire import encode_json

ADVISER = "mcts:12"
"""The search behind a hint. A budget of seconds would not give the same result twice."""
PREVIEWED = 2
"""Options of a question that are looked at before they are taken."""


def opened(pack: str, players: int, seed: int, modules: tuple[str, ...] = ()) -> Table:
    """A table at which a client has taken every seat by its link."""
    rules = patolli.load(pack, modules=modules)
    setup = Setup(pack, modules, {}, players, seed)
    seats = Seats.new(places([], players, rules.model.automated))
    for seat in seats.places:
        seat.taken = True
    return Table("table", setup, rules, seats, lambda id_, act: None)


def with_match(table: Table, match: Match) -> Table:
    """The same table in another world."""
    other = copy(table)
    other.match, other.past, other.asked_ahead = match, Past(match), {}
    other.past._stands = dict(table.past._stands)  # what has become of earlier choices: no other world has these
    return other


def sent(table: Table, who: int) -> bytes:
    """All bytes of the answers to a client that asks for everything that may be asked for."""
    parts = [states.state_of(table, who), states.telling(table.match, table.eye(who))]
    decision = parts[0]["decision"]
    if decision is not None and decision["mine"]:
        parts.append(previews(table, who))
        parts += [preview(table, who, index) for index in range(min(PREVIEWED, len(decision["options"])))]
        if not table.match.secret:
            parts.append(hinted(table.match))
    if who >= 0:
        parts.append(table.match.to_json(who))
    return b"\n".join(map(encode_json, parts))


def hinted(match: Match) -> dict[str, object] | str:
    """The hint for who decides, or why there is none."""
    try:
        return describe_hint(rate_options(match, ADVISER))
    except Refused as error:
        return error.words
    except (BotError, MatchError, ValueError) as error:
        return str(error)


def compared(table: Table, who: int, draw: Random) -> bool:
    """Hold what one is sent against what one is sent in another world; return whether there is one.

    Raises:
        AssertionError: Something differs.
    """
    match, seat = table.match, who if who >= 0 else 0
    other = twin(match, seat, draw)
    if other.state == match.state:
        return False
    if match.decision.player == seat:
        try:
            other.run()
        except MatchError:
            return False  # such a world there cannot be
        decision = other.decision
        if decision is None or decision.player != seat or decision.question != match.decision.question:
            return False
    else:
        other.pending = match.pending
        if match.secret:  # what others are asked is looked at, too
            try:
                other.run()
            except MatchError:
                return False
    world = with_match(table, other)
    if who == WATCH and any(other.view(one) != match.view(one) for one in range(match.players)):
        return False  # a twin of one seat may be another world for the others, and so for all
    here, there = sent(table, who), sent(world, who)
    assert here == there, _differing(here, there)
    return True


def _differing(here: bytes, there: bytes) -> str:
    """Where two answers part, with what stands around it."""
    at = next((n for n, (a, b) in enumerate(zip(here, there, strict=False)) if a != b), min(len(here), len(there)))
    return f"{here[max(0, at - 120) : at + 60]!r} is {there[max(0, at - 20) : at + 60]!r} in another world"
