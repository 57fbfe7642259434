"""Steps of worlds that are played: a choice is made in a world, and all that a seat sees is compared.

In:     a world, and what the seat saw of one choice (``beliefs``).
Out:    the choice that was made in that world, or what keeps the world from showing the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, copy_state, preserve_turns
from patolli.run.compiler.layout import DRAWS, FRAMES, SEED
from patolli.run.runtime.beliefs import LISTED, Belief, Step, list_revealed, look_at, pick_and_note
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.visibility import Piece

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

KEEP, REDRAW = -2, -1
"""In place of the rank of an option: that of before, and with other random draws."""
OTHER, FAR = 1 << 20, 1 << 30
"""The least distance of a world that does not offer what was chosen, and that of one that cannot be compared."""


@dataclass(frozen=True, slots=True)
class Pick:
    """What another seat chose in a world, and how the random streams were shifted that the seat does not see."""

    question: int  # what was asked; -1 for an anytime action
    value: Any
    rank: int  # its position among the options that the seat may have seen
    shift: int
    among: int  # of how many options, as far as the seat knows


@dataclass(frozen=True, slots=True)
class Failure:
    """A world that shows something else after a number of steps.

    Attributes:
        base: The match at the origin of the belief.
        world: The match when it differs.
        step: The step at which it does.
        swaps: Pieces that should change places, pair by pair, if that is why.
        distance: By how much it differs.
        picks: What was chosen until then.
    """

    base: Match
    world: Match
    step: int
    swaps: tuple[tuple[Piece, Piece], ...] = ()
    distance: int = FAR
    picks: tuple[Pick, ...] = ()


class StepPlayer:
    """Makes the choices of one belief in worlds."""

    def __init__(self, belief: Belief) -> None:
        self.belief, self.seat, self.steps = belief, belief.seat, belief.record_steps()
        self.seed = belief.origin._state[SEED]

    def advance(
        self, world: Match, number: int, draw: Random, given: Pick | None, rank: int = KEEP
    ) -> tuple[Pick, float] | Failure:
        """Make a choice in a world; return it, and how likely it was to be made as the seat has seen it.

        It is the choice that is *given*, or another one of some *rank*; with the rank REDRAW its draws are others.
        """
        step, pending = self.steps[number], world.pending
        if pending is None:
            return Failure(world, world, number)
        swaps = self._find_swaps(world, step) if step.shown else ()
        if swaps:
            return Failure(world, world, number, swaps)
        options = self._list_options(world, step)
        if not options:  # what is offered instead keeps others from choosing as they did
            return Failure(world, world, number, (), OTHER + len(pending))
        among = len(options) if step.index < 0 else 1
        if rank >= 0:
            index = options[rank % among]
        elif given is not None and given.value in pending and (at := pending.index(given.value)) in options:
            index = at
        elif given is not None and given.rank < len(options):  # pieces have changed places
            index = options[given.rank]
        else:
            index = options[int(draw.random() * among)]
        shift = given.shift if given is not None and rank != REDRAW else draw.getrandbits(40) << 20
        likely = 1.0 if step.index >= 0 else len(options) / len(pending)
        if step.rare and 1 < among <= LISTED:
            ways = [at for at in options if self._leads_on(world.clone(), at, step, shift)]
            if ways and index not in ways:
                index = ways[int(draw.random() * len(ways))]
            likely = len(ways) / len(pending)
        question = world.frame[0] if index < len(pending) - world.extra else -1
        pick = Pick(question, pending[index], options.index(index), shift, among)
        if not self._make_choice(world, index, step, shift):
            return Failure(world, world, number)
        seen = look_at(world, self.seat)
        if seen == step.view:
            return pick, likely
        distance = measure_distance(seen, step.view)
        if seen[1] != step.view[1]:  # a player had to choose who did not, or the other way around
            distance += len(world.pending or ())
        return Failure(world, world, number, (), distance)

    def _leads_on(self, world: Match, index: int, step: Step, shift: int) -> bool:
        return self._make_choice(world, index, step, shift) and look_at(world, self.seat) == step.view

    def _make_choice(self, world: Match, index: int, step: Step, shift: int) -> bool:
        """Make a choice in a world, with its random draws; return whether that is possible."""
        state = world._state
        state[SEED] = self.seed
        for stream in (*step.shuffled, *step.rolled):
            state[DRAWS][stream] = state[DRAWS].get(stream, 0) + shift
        try:
            revealed = list_revealed(pick_and_note(world, index), self.seat)
        except MatchError:
            return False
        if not step.lying and revealed != step.revealed:
            return False
        if (step.lying or step.numbers) and not self._rearrange(world, step):
            return False
        world._state[DRAWS] = dict(step.draws)
        return True

    def _find_swaps(self, world: Match, step: Step) -> tuple[tuple[Piece, Piece], ...]:
        """Return which pieces must change places, pair by pair, for the seat to see what it saw."""
        state, layout, found = world._state, world.program.layout, list[tuple[Piece, Piece]]()
        visibility = world.ruleset.visibility(world.program)
        for piece, slot, position, exact in step.shown:
            held, at = state[slot], layout.at[visibility.place[slot].of]
            if held.__class__ is not list:
                if held + at == piece:
                    continue
                position = -1
            elif exact:
                if position < len(held) and held[position] + at == piece:
                    continue
            elif state[piece] == slot:
                continue
            if not found:
                state = copy_state(state)
                held = state[slot]
            other = (held[position % len(held)] if held.__class__ is list and held else held) if held else -1
            if (held.__class__ is list and not held) or not isinstance(other, int) or other < 0 or not state[piece]:
                return ()  # it cannot come to lie there
            other += at
            found.append((piece, other))
            exchange_places(state, piece, other, at)
        return tuple(found)

    def _list_options(self, world: Match, step: Step) -> list[int] | range:
        """Return the indices of the options that the seat may have seen being taken."""
        pending = world.pending
        assert pending is not None
        if step.index >= 0:
            return [step.index] if step.index < len(pending) else []
        if step.wanted is None:
            return range(len(pending))
        number, describe = world.frame[0], self.belief.describe
        if step.wanted in pending and not world.extra:
            at = pending.index(step.wanted)
            if describe(world, number, pending[at], step.seen) == step.wanted:
                return [at]
        return [
            index for index, value in enumerate(pending) if describe(world, number, value, step.seen) == step.wanted
        ]

    def _rearrange(self, world: Match, step: Step) -> bool:
        """Put what the seat saw of a shuffle or a hidden roll to where it saw it, and ask the open question again."""
        state = world._state
        visibility = world.ruleset.visibility(world.program)
        changed = False
        for slot, value in step.numbers:
            if state[slot] != value:
                state[slot] = value
                changed = True
        for piece, slot, position in step.lying:
            held = state[slot]
            at = world.program.layout.at[visibility.place[slot].of]
            if held.__class__ is list and position >= len(held):
                return False
            other = (held[position] if held.__class__ is list else held) + at
            if other == piece:
                continue
            if other < at or not state[piece]:
                return False
            exchange_places(state, piece, other, at)
            changed = True
        if not changed:
            return True
        world.state = state  # what is known of it is forgotten
        return ask_again(world)


def exchange_places(state: State, one: Piece, other: Piece, at: int) -> None:
    """Let two pieces of a kind, whose first slot is *at*, change places in a state."""
    here, there = state[one], state[other]
    first = state[here].index(one - at) if state[here].__class__ is list else -1
    second = state[there].index(other - at) if state[there].__class__ is list else -1
    for slot, position, piece in ((here, first, other), (there, second, one)):
        if position < 0:
            state[slot] = piece - at
        else:
            state[slot][position] = piece - at
    state[one], state[other] = there, here


def ask_again(world: Match) -> bool:
    """Ask the open question of a world again, and return whether it is the same one."""
    if world.pending is None:
        return True
    frames, draws = [frame[:] for frame in world._state[FRAMES]], world._state[DRAWS].copy()
    try:
        with preserve_turns():
            world.run()
    except MatchError:
        return False
    return world.pending is not None and bool(world._state[FRAMES] == frames and world._state[DRAWS] == draws)


def measure_distance(one: Any, other: Any) -> int:
    """Return in how many places two sights differ."""
    if one.__class__ is other.__class__:
        if isinstance(one, dict) and one.keys() == other.keys():
            return sum(measure_distance(one[key], other[key]) for key in one if one[key] != other[key])
        if isinstance(one, list | tuple) and len(one) == len(other):
            return sum(measure_distance(a, b) for a, b in zip(one, other, strict=True) if a != b)
    return int(one != other)
