"""Worlds that were really played: what is hidden is drawn where it was not used yet, and the match is played on.

In:     what a seat has seen since then (``beliefs``), and a way to sample what was hidden at that moment.
Out:    matches in which the seat has seen the same after every choice.

In a world the seat chooses as it has chosen, and others choose as the seat has seen them choose. What they chose in
secret is chosen at random. Worlds are carried along, all at the same pace. One that shows something else is discarded.
If too few are left, they are drawn from those that survive, and each copy is played again: from another sample, or with
one hidden thing changed. Hidden pieces change places at once if it is clear which ones keep a world from going on.

A world counts for as much as it is likely that the others, who choose at random, choose as they did.

Source:
    D. Silver, J. Veness, "Monte-Carlo planning in large POMDPs", NeurIPS 2010; W. Gilks, C. Berzuini, "Following a
    moving target: Monte Carlo inference for dynamic Bayesian models", 2001 (resample-move).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from math import exp, log
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, copy_state, preserve_turns
from patolli.language.program import types as ty
from patolli.run.compiler.layout import DRAWS, FRAMES, SEED
from patolli.run.runtime.beliefs import LISTED, Belief, Step, list_revealed, look_at, pick_and_note
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_matching import list_offered_pieces, rename_pieces, see_option
from patolli.run.runtime.visibility import Piece

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

KEEP, REDRAW = -2, -1
"""In place of the rank of an option: that of before, and with other random draws."""
OTHER, FAR = 1 << 20, 1 << 30
"""The least distance of a world that does not offer what was chosen, and that of one that cannot be compared."""
SAMPLES, SINGLE = 32, 12
"""How many samples show whether worlds are drawn one by one, and how many steps one world may take then."""
PILOT, EFFORT = 8, 4
"""How many other samples are tried first, and how many one world may take, before one thing is changed instead."""
FEW = 8
"""If fewer worlds survive, others are changed until they fit."""
REPAIRS = 6
"""How often pieces that the seat came to see are put where they lay, in one sample."""
MANY, ENOUGH = 64, 32
"""How many worlds are carried along, and how many of them are enough. If half of these count, no more are made."""
SCOUTS = 12
"""How many are carried along to notice whether anything hidden makes a difference."""
IMPROVED, MENDED, TRIED, AGAIN = 100, 8, 1200, 4
"""If all worlds have died: how many changes of one are tried, how many are mended, with how many tries in all, and
after how many steps that is tried again."""
Change = tuple[int, int, int]
"""A step, the rank of the option that is chosen in it, and 0; or -1 and two pieces that change places."""
Sample = Callable[[Random], "Match | None"]
"""Draws a match as it may have been at the origin of a belief."""
Exchange = Callable[["Match", Piece, Piece], bool]
"""Lets two pieces of such a match change places; returns whether the seat can believe that they lay so."""


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


@dataclass(frozen=True, slots=True)
class Particle:
    """A world that was played from its origin.

    Attributes:
        base: The match at the origin of the belief.
        world: The match now; not to be changed.
        picks: What was chosen and drawn since.
        likely: How likely it is that the others choose as the seat has seen (logarithm).
        weight: How often it counts among the worlds that are carried along (logarithm).
    """

    base: Match
    world: Match
    picks: tuple[Pick, ...]
    likely: float
    weight: float = 0.0


@dataclass(slots=True)
class Cloud:
    """What is known of the worlds of a belief.

    Attributes:
        carried: The worlds that are carried along, after *steps* steps.
        scouts: A few more, after *scouted* steps; none once what is hidden has made a difference.
    """

    carried: list[Particle] | None = None
    steps: int = 0
    scouts: list[Particle] | None = None
    scouted: int = 0

    def copy(self) -> Cloud:
        """Return a copy that can go on with other steps."""
        return replace(self)


class Player:
    """Plays worlds of one belief."""

    def __init__(
        self, belief: Belief, sample_late: Callable[[int], Sample], exchange: Exchange, hidden: list[Piece]
    ) -> None:
        """Prepare; *sample_late* samples with what the seat knows after some steps, and *hidden* may change places."""
        self.belief, self.seat, self.steps = belief, belief.seat, belief.record_steps()
        self.seed = belief.origin._state[SEED]
        self.sample_late, self.exchange, self.hidden = sample_late, exchange, hidden
        self.sample = sample_late(0)
        self.barred = set[tuple[Piece, int]]()  # pieces that in some world lay where they kept it from going on
        self.first = look_at(belief.origin, belief.seat)
        if belief.cloud is None:
            belief.cloud = Cloud()
        self.cloud = belief.cloud

    def draw_particle(self, draw: Random) -> Particle | None:
        """Return a world in which the seat has seen the same; None if none was found."""
        with preserve_turns():
            for _ in range(SAMPLES if self.greatest is not None else 0):
                found = self._attempt(self.sample_late(len(self.steps)), draw, len(self.steps))
                if found is not None and draw.random() <= exp(min(0.0, found.likely - (self.greatest or 0.0))):
                    return found
            carried = self._carry()
            return draw.choices(carried, weigh(carried))[0] if carried else None

    @cached_property
    def greatest(self) -> float | None:
        """How likely the likeliest sample is that survives all steps; None if worlds are better carried along."""
        draw, late = Random(f"samples of {self.seat}"), self.sample_late(len(self.steps))
        if len(self.steps) > SINGLE:
            return None
        found = [self._attempt(late, draw, len(self.steps)) for _ in range(SAMPLES)]
        likely = [one.likely for one in found if one is not None]
        greatest = max(likely, default=0.0)
        return greatest if sum(exp(one - greatest) for one in likely) * SINGLE >= SAMPLES * len(self.steps) else None

    def _attempt(self, sample: Sample, draw: Random, count: int) -> Particle | None:
        """Sample, and play so many steps; put pieces that the seat came to see where they lay."""
        base = sample(draw)
        played = self._play(base, draw, count) if base is not None else None
        return played if isinstance(played, Particle) else None

    def _swap(self, base: Match, swaps: tuple[tuple[Piece, Piece], ...]) -> bool:
        """Let pieces of a sample change places; return whether the seat still sees the same."""
        if not all([self.exchange(base, one, other) for one, other in swaps]):
            return False
        return ask_again(base) and look_at(base, self.seat) == self.first

    def _rename_pieces(self, picks: tuple[Pick, ...], swaps: tuple[tuple[Piece, Piece], ...]) -> tuple[Pick, ...]:
        """Return choices in which pieces that change places stand for each other."""
        program = self.belief.origin.program
        now: dict[Piece, Piece] = {}
        for one, other in swaps:
            now[one], now[other] = now.get(other, other), now.get(one, one)

        def see(type_: ty.AnyType, value: Any) -> Any:
            return rename_pieces(program.layout, type_, value, lambda piece: now.get(piece, piece))

        return tuple(
            pick if pick.question < 0 or not pick.among > 1
            else replace(pick, value=see_option(program.questions[pick.question], pick.value, see))
            for pick in picks
        )  # fmt: skip

    # -- playing

    def _play(
        self,
        base: Match,
        draw: Random,
        count: int,
        given: tuple[Pick, ...] = (),
        change: Change | None = None,
        mender: Random | None = None,
    ) -> Particle | Failure:
        """Play so many steps from a sample; what is *given* stays, apart from one change.

        Pieces that the seat came to see are put where they lay. With a *mender*, those that it should not have seen
        are put elsewhere, too.
        """
        state = draw.getstate()
        for _ in range(REPAIRS):
            played = self._play_once(base, draw, count, given, change)
            if isinstance(played, Particle):
                return played
            swaps = played.swaps or (self._replace_wrong_pieces(played, mender) if mender is not None else ())
            base = base.clone()
            if not swaps or not self._swap(base, swaps):
                return played
            given = self._rename_pieces(given, swaps)
            draw.setstate(state)
        return played

    def _replace_wrong_pieces(self, failure: Failure, draw: Random) -> tuple[tuple[Piece, Piece], ...]:
        """Return which pieces should change places, since one lies where it keeps the seat from seeing what it saw.

        They are offered to a player who chose something else, or the seat sees them too early. They may be all that is
        in the way: who does not follow suit holds none of it.
        """
        step, world, state = self.steps[failure.step], failure.world, failure.base._state
        visibility, hidden = world.ruleset.visibility(world.program), set(self.hidden) - step.seen
        watchers = visibility.watchers(world._state)
        wrong = [piece for piece in sorted(hidden) if watchers[piece] >> self.seat & 1]
        wrong = wrong or [piece for piece in list_offered_pieces(world) if piece in hidden]
        self.barred.update((one, state[one]) for one in wrong if visibility.place[state[one]].type != "pile")
        taken, found = set(wrong), list[tuple[Piece, Piece]]()
        for piece in wrong:
            here = state[piece]
            others = [
                other
                for other in self._list_alike(world, piece)
                if other in hidden and other not in taken
                and (state[other] != here or visibility.place[here].type == "pile")
            ]  # fmt: skip
            free = [one for one in others if not {(one, here), (piece, state[one])} & self.barred]
            if not others:
                return ()
            other = draw.choice(free or others)
            taken.add(other)
            found.append((piece, other))
        return tuple(found)

    def _play_once(
        self, base: Match, draw: Random, count: int, given: tuple[Pick, ...], change: Change | None
    ) -> Particle | Failure:
        world, picks, likely = base.clone(), list[Pick](), 0.0
        for number in range(count):
            pick = given[number] if number < len(given) else None
            rank = change[1] if change is not None and change[0] == number else KEEP
            advanced = self.advance(world, number, draw, pick, rank)
            if isinstance(advanced, Failure):
                return Failure(base, world, number, advanced.swaps, advanced.distance, tuple(picks))
            picks.append(advanced[0])
            likely += advanced[1]
        return Particle(base, world, tuple(picks), likely)

    # -- worlds that are carried along

    def _carry(self) -> list[Particle]:
        """Return worlds that were carried along until now; none if all have died."""
        cloud = self.cloud
        if cloud.carried is None:
            cloud.carried = self._begin(MANY)
        while cloud.steps < len(self.steps):
            draw = Random(f"{cloud.steps} of {self.seat}")
            alive = self._follow_step(cloud.carried, cloud.steps, draw, ENOUGH)
            if len(alive) < FEW and (cloud.carried or cloud.steps % AGAIN == 0):
                alive += self._mend(cloud.carried, cloud.steps, draw)
                alive = [replace(one, weight=one.likely) for one in alive]
            cloud.steps += 1
            cloud.carried = self._refill(alive, cloud.steps, draw) if alive else []
        return cloud.carried

    def makes_difference(self) -> bool:
        """Return whether what was hidden has made a difference to what the seat saw, or to what others could choose."""
        cloud = self.cloud
        with preserve_turns():
            if cloud.scouts is None:
                cloud.scouts = self._begin(SCOUTS)
            while cloud.scouted < len(self.steps) and cloud.scouts:
                draw = Random(f"{cloud.scouted} of {self.seat}")
                alive = self._follow_step(cloud.scouts, cloud.scouted, draw, SCOUTS)
                alike = len(alive) == SCOUTS and len({one.likely for one in alive}) == 1
                cloud.scouts = alive if alike else []
                cloud.scouted += 1
        return not cloud.scouts

    def _begin(self, number: int) -> list[Particle]:
        draw = Random(f"origin of {self.seat}")
        bases = (self.sample(draw) for _ in range(number))
        return [Particle(base, base, (), 0.0) for base in bases if base is not None]

    def _follow_step(self, particles: list[Particle], number: int, draw: Random, enough: int) -> list[Particle]:
        """Return the worlds that survive one more step; of those that must be played again, only until it is enough."""
        alive, again = list[Particle](), list[tuple[Particle, Failure]]()
        for one in particles:
            world = one.world.clone()
            advanced = self.advance(world, number, draw, None)
            if not isinstance(advanced, Failure):
                pick, likely = advanced
                picks = (*one.picks, pick)
                alive.append(Particle(one.base, world, picks, one.likely + likely, one.weight + likely))
            elif advanced.swaps:
                again.append((one, advanced))
        for one, failure in again:
            if len(alive) >= enough:
                break
            base = one.base.clone()
            picks = self._rename_pieces(one.picks, failure.swaps)
            played = self._play(base, draw, number + 1, picks) if self._swap(base, failure.swaps) else None
            if isinstance(played, Particle):
                alive.append(replace(played, weight=one.weight + played.likely - one.likely))
        return alive

    def _refill(self, alive: list[Particle], count: int, draw: Random) -> list[Particle]:
        """Return as many worlds as there were, each as often as it is likely; what is there twice is changed."""
        weights = weigh(alive)
        total = sum(weights)
        if total * total / sum(weight * weight for weight in weights) > ENOUGH / 2:
            return alive
        found, at, step, passed = list[Particle](), draw.random(), total / MANY, 0.0
        late, tried, fitted = self.sample_late(count), 0, 0
        for one, weight in zip(alive, weights, strict=True):
            passed += weight
            first = True
            while at * step < passed:
                changed = None
                if not first and tried <= PILOT + EFFORT * fitted:
                    changed, tried = self._attempt(late, draw, count), tried + 1
                    fitted += changed is not None
                elif not first:
                    changed = self._change_one_thing(one, count, draw)
                # Metropolis: any other world is accepted if it is as likely.
                moves = changed is not None and draw.random() <= exp(min(0.0, changed.likely - one.likely))
                found.append(replace(changed if changed is not None and moves else one, weight=0.0))
                first = False
                at += 1
        return found

    def _change_one_thing(self, one: Particle, count: int, draw: Random) -> Particle | None:
        changes = self._list_changes(one)
        changed = self._change(one, count, draw, draw.choice(changes)) if changes else None
        return changed if isinstance(changed, Particle) else None

    def _list_changes(self, one: Particle | Failure) -> list[Change]:
        """Return all changes of one hidden thing in a world."""
        found: list[Change] = [
            (number, rank, 0)
            for number, pick in enumerate(one.picks)
            for rank in range(pick.among if pick.among > 1 else 0)
        ]
        found += [
            (number, REDRAW, 0)
            for number, step in enumerate(self.steps[: len(one.picks)])
            if step.shuffled or step.rolled
        ]
        for piece in self._list_used(one):
            found += [(-1, piece, other) for other in self._list_alike(one.base, piece) if other != piece]
        return found

    def _change(self, one: Particle | Failure, count: int, draw: Random, change: Change) -> Particle | Failure | None:
        """Play a world again with one change."""
        if change[0] >= 0:
            return self._play(one.base, draw, count, one.picks, change)
        base = one.base.clone()
        swaps = (change[1:],)
        picks = self._rename_pieces(one.picks, swaps)
        return self._play(base, draw, count, picks) if self._swap(base, swaps) else None

    def _list_used(self, one: Particle | Failure) -> list[Piece]:
        """Return the hidden pieces of a world that another player sees or saw; all of them if there are none."""
        visibility = one.base.ruleset.visibility(one.base.program)
        then, now, seats, mine = one.base._state, one.world._state, visibility.seats, 1 << self.seat
        return [
            piece
            for piece in self.hidden
            if seats.get(then[piece]) or (seats.get(now[piece]) and not seats[now[piece]] & mine)
        ] or self.hidden

    def _list_alike(self, base: Match, piece: Piece) -> list[Piece]:
        """Return the hidden pieces of the same kind."""
        visibility = base.ruleset.visibility(base.program)
        kind = next(pieces for pieces in visibility.pieces.values() if piece in pieces)
        return [other for other in self.hidden if other in kind]

    def _mend(self, particles: list[Particle], number: int, draw: Random) -> list[Particle]:
        """Change worlds in which the seat sees something else until it sees the same; return those that do.

        Half of them are drawn from the beginning, with what the seat has come to know by this step.
        One hidden thing is changed after another, as long as that makes them more alike.
        """
        found, failed, tried, late = list[Particle](), list[Failure](), 0, self.sample_late(number + 1)
        self.barred.clear()  # worlds do not depend on when they are drawn
        dead, mender = draw.sample(particles, len(particles)), Random(draw.getrandbits(62))
        for turn in range(MANY):
            fresh = turn % 2 == 0 or not dead
            base, picks = (late(draw), ()) if fresh else (dead[turn % len(dead)].base, dead[turn % len(dead)].picks)
            played = self._play(base, draw, number + 1, picks, None, mender) if base is not None else None
            if isinstance(played, Particle):
                found.append(played)
            elif played is not None:
                failed.append(played)
            if len(found) == MENDED:
                break
        failed.sort(key=lambda one: (-one.step, one.distance))
        for failure in failed if len(found) < FEW // 2 else ():
            if len(found) == MENDED or tried > (TRIED // 2 if found else TRIED):
                break
            improved, tries = self._improve(failure, number + 1, draw)
            tried += tries
            found += [improved] if improved is not None else []
        return found

    def _improve(self, here: Failure, count: int, draw: Random) -> tuple[Particle | None, int]:
        """Change one thing after another while more steps succeed or less differs; also return the tries."""
        tried, improving = 0, True
        while improving:
            improving = False
            changes = self._list_changes(here)
            draw.shuffle(changes)
            offered = set(list_offered_pieces(here.world))  # what the seat did not see being offered has to go
            first = [one for one in changes if one[0] < 0 and not offered.isdisjoint(one[1:])]
            for change in dict.fromkeys((*first, *changes)):
                if tried == IMPROVED:
                    return None, tried
                changed, tried = self._change(here, count, draw, change), tried + 1
                if isinstance(changed, Particle):
                    return changed, tried
                if changed is not None and (changed.step, -changed.distance) > (here.step, -here.distance):
                    here, improving = changed, True
                    break
        return None, tried

    # -- steps: a choice is made in a world, and all that the seat sees is compared

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
        likely = 0.0 if step.index >= 0 else log(len(options) / len(pending))
        if step.rare and 1 < among <= LISTED:
            ways = [at for at in options if self._leads_on(world.clone(), at, step, shift)]
            if ways and index not in ways:
                index = ways[int(draw.random() * len(ways))]
            likely = log(max(1, len(ways)) / len(pending))
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


def weigh(particles: list[Particle]) -> list[float]:
    """Return how often each world counts; the greatest weight is 1."""
    greatest = max(one.weight for one in particles)
    return [exp(one.weight - greatest) for one in particles]


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
