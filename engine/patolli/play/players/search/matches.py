"""A match as the search sees it: worlds that its seat may be in, and what their ends are worth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from patolli.kernel.budget import meter
from patolli.play.players.search.worth import Worth
from patolli.run.compiler.layout import SEED
from patolli.run.compiler.scopes import STARTS
from patolli.run.runtime.errors import MatchError
from patolli.run.runtime.option_matching import see_options

if TYPE_CHECKING:
    from patolli.play.players.strategies import Fence
    from patolli.run.runtime import Match

Payoffs = Sequence[float]
"""A number from 0 to 1 for each seat; more is better for that seat."""
Value = Callable[["Match"], Payoffs]
"""Says what a match is worth for each seat, from 0 to 1."""
UNSEEN = "unseen"
"""What others see of an answer that stays secret."""
WORLDS = 4
"""Simulations that begin in one world, each with a chance of its own, before another one is drawn."""
SHARED = 64
"""One in so many of the simulations that there were, where these are more: to draw a world takes time, too."""


class Impossible(Exception):
    """A world turned out to be one that cannot be."""


class Asked(NamedTuple):
    """A question that is open in a position.

    Attributes:
        key: Names the question and its player; it is the same wherever the question is the same.
        seat: Who answers, from 0.
        options: The answers, each a value that can be hashed; equal values mean the same in all worlds.
    """

    key: int
    seat: int
    options: Sequence[Any]


class Matches:
    """The game that goes on from a match, as the seat knows it that has to decide.

    Attributes:
        seats: How many there are.
        seat: Who searches.
        certain: Whether nothing is hidden and nothing is left to chance, so that results can be proved.
        hides: Whether some seat sees what another does not; each then has a tree of its own.
        opposed: Whether what one of two seats wins, the other loses.
        alone: Whether one seat alone is ever asked.
    """

    def __init__(self, match: Match, worth: Worth | None = None, value: Value | None = None) -> None:
        """Look at a match whose question is open; *worth* goes on with what an earlier search has seen."""
        self.seats, self.seat = match.players, match.decider
        self.worth = worth or Worth(match)
        self.outcome, self.payoff = self.worth.outcome, self.worth.payoff
        self.weigh_outcome = self.worth.weigh_outcome
        self.given = value
        self.opposed = self.worth.opposed
        self.alone = match.players - match.ruleset.model.automated == 1
        self.hides = hides(match)
        self.certain = not self.hides and not draws(match)
        self._match = match
        self.real = self.base = match.imagine_match(
            0, self.seat
        )  # the match as it is, and the world that was drawn last
        self._left = self._begun = 0
        self.weak = 0  # worlds that may contradict what the seat has seen
        self._answers = match.labels.answers
        self._unseen: dict[tuple[int, Any], bool] = {}
        self._holdings = match.ruleset.visibility(match.program).holdings() if self.hides else ()
        self._sights = _sights(match) if self.hides else []

    def world(self, draw: Random) -> Match:
        """Return a match that might be the real one."""
        if self.certain:
            return self.base.clone()
        base, seed = self.draw_world(draw)
        world = base.clone()
        world.state[SEED] = seed
        return world

    def draw_world(self, draw: Random) -> tuple[Match, int]:
        """Return a match that might be the real one, not to be changed, and the seed of what chance brings in it."""
        if not self._left:
            self.base = self._match.determinize(self.seat, draw.getrandbits(62))
            self.weak += self.base.basis == "weak"
            self._left = max(WORLDS, self._begun // SHARED)
        self._left -= 1
        self._begun += 1
        return self.base, draw.getrandbits(62)

    def copy(self, position: Match) -> Match:
        """Return a copy of a match."""
        return position.clone()

    def open_question(self, position: Match) -> Asked | None:
        """Return the open question: where the rules stand says which one it is."""
        if position.pending is None:
            return None
        options, frame = see_options(position), position.frame
        return Asked(frame[0] * self.seats + frame[1], position.decider, options)

    def real_index(self, position: Match, index: int) -> int:
        """Return the index of an option among those of the match."""
        return index

    def pick(self, position: Match, index: int) -> None:
        """Answer, and go on. Raises Impossible: the rules could not go on in this world."""
        try:
            position.pick(index)
        except MatchError as error:
            raise Impossible from error

    def count_calls(self, seat: int) -> int:
        """Return how often a seat was called upon."""
        return meter.turns[seat]

    def value(self, position: Match) -> Payoffs | None:
        """Return what the function that was given says, else what the pack values."""
        return self.given(position) if self.given is not None else self.worth.value(position)

    def score(self, position: Match) -> int:
        """Return the score of the seat that searches; see :class:`Game`."""
        try:
            return position.score(self.seat)
        except MatchError as error:
            raise Impossible from error

    def beginning(self, draw: Random) -> Match | None:
        """Return a match of the same rules after its set-up."""
        return restart_match(self._match, draw.getrandbits(62))

    def seat_view(self, position: Match, seat: int) -> Hashable:
        """Return what a seat sees on the table and in its hand: designs of pieces, and numbers."""
        state = position.state
        return tuple([
            state[slot] if designs is None
            else tuple([designs[i] for i in state[slot]]) if ordered
            else tuple(sorted([designs[i] for i in state[slot]])) if state[slot].__class__ is list
            else designs[state[slot]] if state[slot] >= 0 else None
            for slot, designs, ordered in self._sights[seat]
        ])  # fmt: skip

    def private(self, position: Match, seat: int) -> Hashable:
        """Return what only this seat sees: the designs of what it holds, and its hidden numbers."""
        held, state = self._holdings[seat], position.state
        if held is None:
            return None
        single, lying = held
        hands = [tuple(sorted([designs[piece] for piece in state[slot]])) for slot, designs in lying]
        return (*[state[slot] for slot in single], *hands)

    def visible_choice(self, position: Match, index: int) -> Any:
        """Return the answer, or that it is secret by what the rules do with it."""
        assert position.pending is not None
        value, number = see_options(position)[index], position.frame[0]
        if position.extra and index >= len(position.pending) - position.extra:
            return value
        question = position.program.questions[number]
        line = value[0] if question.kind == "menu" else 0
        known = self._unseen.get((number, line))
        if known is None:
            effect = question.effect
            known = effect is not None and self._answers.secret(effect, line)
            self._unseen[number, line] = known
        return UNSEEN if known else value

    def is_sealed(self, position: Match) -> bool:
        """Return whether the others learn the answer only when all have answered."""
        return position.secret


class Fenced(Matches):
    """The same game, in which the seat that searches does without some options: its own, at every turn to come."""

    def __init__(self, match: Match, fence: Fence, worth: Worth | None = None, value: Value | None = None) -> None:
        """Look at a match; *fence* says which options are left."""
        super().__init__(match, worth, value)
        self._fence = fence

    def open_question(self, position: Match) -> Asked | None:
        """Return the open question with the options that are left."""
        asked = super().open_question(position)
        if asked is None or asked.seat != self.seat:
            return asked
        return asked._replace(options=[asked.options[index] for index in self._fence.list_allowed(position)])

    def pick(self, position: Match, index: int) -> None:
        """Answer, and go on. Raises Impossible: the rules could not go on in this world."""
        super().pick(position, self.real_index(position, index))

    def visible_choice(self, position: Match, index: int) -> Any:
        """Return what the others see of an answer."""
        return super().visible_choice(position, self.real_index(position, index))

    def real_index(self, position: Match, index: int) -> int:
        """Return the index of an option among all of them."""
        mine = position.decider == self.seat
        return self._fence.list_allowed(position)[index] if mine else index


def hides(match: Match) -> bool:
    """Return whether some seat sees what another does not."""
    return bool(match.program.secret) or match.ruleset.visibility(match.program).hides


def draws(match: Match) -> bool:
    """Return whether anything is left to chance once a match has begun."""
    summaries = match.program.workings.preconditions.summaries
    return any(summaries.rules[name].draws for name in STARTS[:1] if name in summaries.rules) or any(
        summaries.rules[action.body].draws for action in match.program.layout.model.anytime
    )


def restart_match(match: Match, seed: int) -> Match | None:
    """Return a match as another one was after its set-up, with a seed of its own; None where the set-up fails."""
    new = match.ruleset.fresh(match.players, seed, narrate=False)
    try:
        new.begin()
    except MatchError:
        return None
    return new


def _sights(match: Match) -> list[list[tuple[int, list[str] | None, bool]]]:
    """Return for each seat the slots that it always sees; of places what each piece is, and whether order counts.

    What it sees only for a while, as of a piece that is shown, is left out: that it happened stands in its line.
    """
    visibility, layout = match.ruleset.visibility(match.program), match.program.layout
    hidden = {one.slot: 0 if one.pieces or one.opener else one.seats for one in visibility.numbers}
    found: list[list[tuple[int, list[str] | None, bool]]] = []
    for seat in range(match.players):
        mine: list[tuple[int, list[str] | None, bool]] = []
        for place in layout.model.places.values():
            designs = [one.design.id if one.design else one.id for one in layout.instances[place.of]]
            for slot in layout.slots(*layout.places[place.name]):
                if visibility.seats.get(slot, -1) >> seat & 1 and slot not in visibility.tops:
                    mine.append((slot, designs, place.type == "pile"))
        numbers = layout.list_numbers()
        mine += [(slot, None, False) for slots in numbers for slot in slots if hidden.get(slot, -1) >> seat & 1]
        found.append(mine)
    return found
