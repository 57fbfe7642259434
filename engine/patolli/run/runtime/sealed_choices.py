"""Ask others anew what they have answered under seal, while a seat has still to answer the same.

What is asked at once is asked one seat after another, and nobody sees what the others have answered. Wherever such an
answer is kept (in a counter, a hand, or a variable of the rule that goes on), it may be any that could be given. So
the match is remembered as it was before the first of them; a world is drawn there, and all but the seat answer by
chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import preserve_turns
from patolli.run.compiler.layout import DRAWS, FRAMES
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_matching import see_options

if TYPE_CHECKING:
    from patolli.run.runtime.knowledge import Memory
    from patolli.run.runtime.match import Match

TRIES = 20
"""How many worlds are tried; what others could answer may have left the seat with another question."""
MANY = 200
"""Answers under seal after which a world is given up."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """Answers that were given at once so far.

    Attributes:
        before: What was known before the first of them.
        answers: Who has answered what.
    """

    before: Memory
    answers: tuple[tuple[int, Any], ...]

    def open(self, match: Match) -> bool:
        """Tell whether a match asks for one more answer of them: nobody has a turn again once it is over."""
        if match.pending is None or not match.secret:
            return False
        seat, below = int(match.frame[1]), match.state[FRAMES][:-1]
        return below == self.before.follower.state[FRAMES][:-1] and not again([one for one, _ in self.answers], seat)


def again(seats: list[int], seat: int) -> bool:
    """Tell whether a seat that is asked under seal was asked before, and others since: then all have answered once."""
    return seat in seats and seats[-1] != seat


def sealed_with(memory: Memory, choice: int) -> Sealed | None:
    """Return what is under seal once the open question of a memory's match is answered."""
    match = memory.follower
    if match.pending is None or not match.secret or choice >= len(match.pending):
        return None
    answer = (int(match.frame[1]), match.pending[choice])
    sealed = memory.sealed
    if sealed is None or not sealed.open(match):
        return Sealed(replace(memory.copy(), sealed=None), (answer,))
    return replace(sealed, answers=(*sealed.answers, answer))


def redraw_sealed_choices(
    match: Match, seat: int, sealed: Sealed, draw: Random, drawn: Callable[[Match], Match]
) -> Match | None:
    """Return a world in which others have answered anew; None where no one else has, or none was found that fits.

    Args:
        match: The match, in which the seat is asked.
        seat: Who imagines.
        sealed: What was answered at once so far; of others only that they have answered counts.
        draw: A source of chance.
        drawn: Draws a world of the match as it was before.
    """
    if all(one == seat for one, _ in sealed.answers) or int(match.frame[1]) != seat:
        return None
    own = [answer for one, answer in sealed.answers if one == seat]
    for _ in range(TRIES):
        world = drawn(sealed.before.follower)
        try:
            with preserve_turns():
                done = _choose_until_asked(world, seat, own, draw)
        except MatchError:
            continue
        if done and _same(world, match):
            found = match.imagine_match(0, seat, world.program)
            found.state, found.pending, found.extra = world.state, world.pending, world.extra
            return found
    return None


def _choose_until_asked(world: Match, seat: int, own: list[Any], draw: Random) -> bool:
    """Answer until the seat is asked what it has not answered yet; tell whether that came about."""
    given = 0
    for _ in range(MANY):
        pending = world.pending
        if pending is None or not world.secret:
            return False
        if int(world.frame[1]) != seat:
            world.pick(draw.randrange(len(pending) - world.extra or len(pending)))
        elif given == len(own):
            return True
        elif own[given] in pending:
            world.pick(pending.index(own[given]))
            given += 1
        else:
            return False
    return False


def _same(world: Match, match: Match) -> bool:
    """Tell whether a seat is asked the same in a world; that it sees the same, the proofs of such blocks say."""
    one, other = world.state, match.state
    return (
        see_options(world) == see_options(match)
        and world.extra == match.extra
        and one[DRAWS] == other[DRAWS]
        and [frame[:2] for frame in one[FRAMES]] == [frame[:2] for frame in other[FRAMES]]
    )
