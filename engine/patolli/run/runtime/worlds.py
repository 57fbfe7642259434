"""Draw again what a seat cannot know: a match that might be the real one, as far as that seat knows.

In:     a match, a seat, and a source of chance.
Out:    a match in which hidden pieces lie elsewhere, hidden numbers are others, and what chance brings is other, too.

What is drawn follows from what the seat sees and what it knows (``knowledge``), never from what is hidden: of hidden
places only how many pieces lie there is looked at.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, preserve_turns
from patolli.run.compiler import Executable
from patolli.run.compiler.layout import FRAMES, SEED
from patolli.run.runtime.beliefs import Belief, look_at
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.kind_redraw import KindRedraw
from patolli.run.runtime.knowledge import Knowledge, Memory, get_memory
from patolli.run.runtime.option_matching import fit_world, rename_pieces, see_options
from patolli.run.runtime.particles import Player, Sample, ask_again
from patolli.run.runtime.visibility import Number, Piece, Visibility

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

TRIES = 150
"""How many worlds are drawn until one is possible, as far as its seat can know."""
MOST = 1_000
"""How many, where in none of them the open question can be asked."""
DRAWN_WORLDS = 120
"""From which of them on numbers are as they were last seen, or as they start."""
DRAWN, PLAYED, WEAK = "drawn", "played", "weak"
"""How a world was made: from what the seat knows, by playing, or from what it sees now alone."""


class WeakWorld(UserWarning):
    """No world was found that shows a seat all that it has seen, so that its bots know less than it could."""

    def __str__(self) -> str:
        """Return what that means for people."""
        return "bots may choose less well here: matches that they imagine may contradict what their player has seen"


def determinize_match(
    match: Match, seat: int, seed: int, program: Executable | None = None, quick: bool = False
) -> Match:
    """Return a match that might be the real one; see :meth:`Match.determinize`.

    It runs *program*, or the fast one, which takes longer to compile than a few previews take.
    """
    try:
        return _determinize_match(match, seat, seed, program, quick)
    finally:
        if program is not None:
            program.events.clear()


def _determinize_match(match: Match, seat: int, seed: int, program: Executable | None, quick: bool) -> Match:
    visibility, draw = match.ruleset.visibility(match.program), Random(f"{seed} of {seat}")
    if not visibility.hides or match.over:  # the result counts what was hidden
        return match.imagine_match(draw.getrandbits(62), seat, program)
    plan, memory = _plan_world(match, visibility, seat)
    doubt, method, played = memory.doubts[seat], DRAWN, None
    player = None
    if doubt.belief is not None and not quick:
        if seat not in memory.players:
            memory.players[seat] = prepare_player(doubt.belief, visibility)
        player = memory.players[seat]
    if player is not None and (
        doubt.frames or not doubt.slots <= memory.find_watchers().keys() or player.makes_difference()
    ):
        particle, method = player.draw_particle(draw), PLAYED
        played = particle.world.clone() if particle is not None else None
    if played is not None:
        world = match.imagine_match(draw.getrandbits(62), seat, program)
        state = played.state
        state[SEED] = world.state[SEED]
        world.state, world.pending, world.extra = state, played.pending, played.extra
    else:
        world, possible = _draw_world(match, seat, plan, draw, program)
        if memory.unknown or method == PLAYED or (doubt.belief is not None and player is None) or not possible:
            method = WEAK
    others = [memory.seats[seat] if other == seat else Knowledge() for other in range(match.players)]
    world.memory = Memory.begin_memory(world, others, known=memory)
    for other, one in enumerate(world.memory.doubts):
        if other != seat:
            one.belief, one.slots, one.frames = None, set(), set()
        elif one.belief is not None:
            one.belief = one.belief.move_to(world)
    world.memory.imagined, world.memory.method = True, method
    if method == WEAK and not memory.unknown and not quick:
        warnings.warn(WeakWorld(), stacklevel=2)
    return world


def prepare_player(belief: Belief, visibility: Visibility) -> Player | None:
    """Return what plays worlds since others may know something; None if the match cannot be played again."""
    try:
        belief.record_steps()
    except MatchError:
        return None
    origin = belief.origin_plain()
    first, plans = look_at(origin, belief.seat), dict[int, Plan]()

    def plan_after(count: int) -> Plan:
        if count not in plans:
            known = belief.look_back(visibility, count)
            plans[count] = Plan(origin, visibility, belief.seat, known, belief.unwritten, belief.beginning)
        return plans[count]

    def sample(count: int, draw: Random) -> Match | None:
        world, possible = _draw_world(origin, belief.seat, plan_after(count), draw, None)
        return world if possible and look_at(world, belief.seat) == first else None

    def sample_late(count: int) -> Sample:
        return partial(sample, count)

    def exchange(world: Match, one: Piece, other: Piece) -> bool:
        return plan_after(0).exchange_pieces(world, one, other)

    return Player(belief, sample_late, exchange, sorted(plan_after(0).redraw))


def certain(match: Match, seat: int) -> dict[int, int]:
    """Return the hidden numbers that a seat believes to know, by slot: it draws no others in any world."""
    visibility = match.ruleset.visibility(match.program)
    return dict(_plan_world(match, visibility, seat)[0].known)


def _plan_world(match: Match, visibility: Visibility, seat: int) -> tuple[Plan, Memory]:
    memory = get_memory(match)
    plan = memory.plans.get(seat)
    if plan is None:
        unwritten = memory.list_unwritten_names()
        plan = memory.plans[seat] = Plan(match, visibility, seat, memory.seats[seat], unwritten, not match.choices)
    return plan, memory


def _draw_world(match: Match, seat: int, plan: Plan, draw: Random, program: Executable | None) -> tuple[Match, bool]:
    """Draw until a world is possible; return it, and whether it is.

    If none is, a world is returned in which the open question can be asked, else the match with other draws.
    """
    found: Match | None = None
    asked = match.decider == seat
    for attempt in range(MOST):
        world = plan.world(match, draw, attempt, program)
        if world is None or not ask_again(world) or (asked and not _offers(match, world, plan, draw)):
            continue
        if _holds(world, plan.invariants):
            return world, True
        found = world
        if attempt >= TRIES:
            break
    return found or match.imagine_match(draw.getrandbits(62), seat, program), False


def _holds(world: Match, invariants: list[Callable[[State, int], bool]]) -> bool:
    try:
        return all(world._evaluate_measure(holds, 0) for holds in invariants)
    except MatchError:
        return False


def _offers(match: Match, world: Match, plan: Plan, draw: Random) -> bool:
    """Return whether a world offers its seat the same, after hidden pieces have changed places where it did not."""
    if see_options(world) == see_options(match) and world.extra == match.extra:
        return True
    return fit_world(match, world, plan.hidden, plan.exchange_pieces, ask_again, draw)


class Plan:
    """What a seat cannot know of a state, and what it may be: the part of the work that is the same for every draw."""

    def __init__(
        self, match: Match, visibility: Visibility, seat: int, knowledge: Knowledge, unwritten: frozenset[int],
        beginning: bool = False,
    ) -> None:  # fmt: skip
        """Look at where the seat cannot look, and how much lies there; nothing else of what is hidden counts.

        Numbers whose names are *unwritten* are as they start. At the *beginning* no player has chosen since the set-up.
        """
        self.unwritten, self.beginning = unwritten, beginning
        self.visibility, self.seat, self.knowledge, self.layout = visibility, seat, knowledge, visibility.layout
        watchers, state = visibility.watchers(match.state), match.state
        self.seat_visibility = sum(1 << one for one in self.layout.list_viewing_seats(match.state, seat))
        self.haunts = {piece: slots for slots, pieces in knowledge.haunts.items() for piece in pieces}
        self.hidden = {piece for piece, seats in watchers.items() if not self._sees(seats)}
        self.mentioned = _list_mentioned_pieces(match)
        self.redraws = [redraw for kind in visibility.kinds if (redraw := KindRedraw(self, kind, state)).hidden]
        self.redraw = {piece: redraw for redraw in self.redraws for piece in redraw.hidden}
        self.lying = {piece: slot for redraw in self.redraws for piece, slot in redraw.sure.items()}
        numbers = [n for n in visibility.numbers if not self._sees(visibility.number(state, n, watchers))]
        values = [(number, self._find_known_value(number)) for number in numbers]
        self.known = [(number.slot, value) for number, value in values if value is not None]
        self.numbers = [number for number, value in values if value is None]
        closed = {one.slot for one in numbers}
        self.own = [n.slot for n in visibility.numbers if n.slot not in closed] if self.numbers else []
        self.set_up: bool | None = None  # whether a set-up may give the seat what it sees
        self.invariants = [match.program.invariants[name] for name in visibility.doubted]

    def _sees(self, seats: int) -> bool:
        return bool(seats & self.seat_visibility)

    def has_hidden_carrier(self, slot: int) -> bool:
        """Return whether a place stands for pieces with a hidden one among them."""
        return not self.hidden.isdisjoint(self.visibility.carriers.get(slot, ()))

    def is_closed(self, slot: int) -> bool:
        """Return whether the seat does not see what lies in a place."""
        return not self._sees(self.visibility.seats[slot])

    def world(self, match: Match, draw: Random, attempt: int, program: Executable | None = None) -> Match | None:
        """Return a match with other hidden pieces and numbers; None if a set-up gives the seat other numbers."""
        new = match.imagine_match(draw.getrandbits(62), self.seat, program)
        parts: dict[Piece, Piece] = {}  # by hidden piece which one takes its part
        for redraw in self.redraws:
            redraw.fill(match.state, new.state, draw, parts)
        for slot, value in self.known:
            new.state[slot] = value
        begun = None
        if self.numbers and self.beginning and attempt < DRAWN_WORLDS and self._has_set_up(match):
            begun = self._set_up(match, draw)
            if begun is not None and not self._fits(match, begun):
                return None
        for number in self.numbers:
            if begun is not None:
                new.state[number.slot] = begun[number.slot]
            else:
                new.state[number.slot] = self._value(
                    number, new.state, draw, attempt >= DRAWN_WORLDS and not self.beginning
                )
        if parts:
            for frame in new.state[FRAMES]:
                rename(match, frame, lambda piece: parts.get(piece, piece))
        return new

    def _has_set_up(self, match: Match) -> bool:
        """Return whether one of some set-ups gives the seat the numbers that it sees; if not, others are drawn."""
        if self.set_up is None:
            draw = Random(f"set-up of {self.seat}")
            begun = (self._set_up(match, draw) for _ in range(DRAWN_WORLDS))
            self.set_up = any(state is not None and self._fits(match, state) for state in begun)
        return self.set_up

    def _fits(self, match: Match, begun: State) -> bool:
        return all(begun[slot] == match.state[slot] for slot in self.own)

    def _set_up(self, match: Match, draw: Random) -> State | None:
        """Return the state after another set-up."""
        other = match.ruleset.fresh(match.players, draw.getrandbits(62), narrate=False)
        try:
            with preserve_turns():
                other.begin()
        except MatchError:
            return None
        return other._state

    def exchange_pieces(self, world: Match, one: Piece, other: Piece) -> bool:
        """Let two hidden pieces change places; return whether both may lie there, as far as the seat knows."""
        redraw = self.redraw.get(one)
        if (
            redraw is None
            or redraw is not self.redraw.get(other)
            or not redraw.exchange_pieces(world.state, one, other)
        ):
            return False
        if redraw.named_in_frames:
            swapped = {one: other, other: one}
            for frame in world.state[FRAMES]:
                rename(world, frame, lambda piece: swapped.get(piece, piece))
        return True

    def is_visible(self, piece: Piece, state: State) -> bool:
        """Return whether a piece lies where a player sees it."""
        slot = state[piece]
        return not slot or self.visibility.seats[slot] != 0

    def _find_known_value(self, number: Number) -> Any:
        """Return the value that a number has in every draw: the last one seen, or its first where no player sees it."""
        if number.name in self.unwritten:
            return self.layout.initial[number.slot]
        last = self.knowledge.seen.get(number.slot)
        if last is None and any(
            piece in self.lying and self.visibility.seats.get(self.lying[piece]) == 0 for piece in number.pieces
        ):
            return self.layout.initial[number.slot]
        return last

    def _value(self, number: Number, state: State, draw: Random, as_started: bool) -> Any:
        """Return a value that a number, or the list of a field, may have.

        Where the seat never sees it and it has bounds, that is any within them. Else it is as it starts, or as others
        of its name were seen.
        """
        start = self.layout.initial[number.slot]
        if as_started or not all(self.is_visible(piece, state) for piece in number.pieces):
            return start
        if number.low is not None and number.high is not None and not self._sees(number.seats):
            return draw.randint(number.low, number.high)
        return draw.choice(sorted({start, *self.knowledge.values.get(number.name, ())}))


def _list_mentioned_pieces(match: Match) -> list[Piece]:
    """Return the pieces that variables of rules name which go on, each once, in the order of the rules."""
    found: dict[Piece, Piece] = {}
    for frame in match.state[FRAMES]:
        rename(match, frame[:], lambda piece: found.setdefault(piece, piece))
    return list(found)


def rename(match: Match, frame: list[Any], part: Callable[[Piece], Piece]) -> None:
    """Let the variables of a rule that goes on name other pieces: for each, the one that takes its part."""
    holding, layout = match.program.holding.get(frame[0]), match.program.layout
    if holding is None:
        return
    for variable, slot in holding.slots.items():
        frame[slot] = rename_pieces(layout, variable.type, frame[slot], part)
    for slot, variables in holding.items.items():
        if frame[slot].__class__ is tuple:
            types = [variable.type for variable in variables]
            frame[slot] = tuple(
                rename_pieces(layout, types[0], one, part)
                if len(types) == 1
                else tuple(rename_pieces(layout, type_, inner, part) for type_, inner in zip(types, one, strict=True))
                for one in frame[slot]
            )
