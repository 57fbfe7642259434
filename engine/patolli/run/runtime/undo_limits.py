"""Return whether choices may be undone: not after a random draw, nor after a player has learned from them.

In:     a match, and how far back a player wants to go.
Out:    what stands in the way of it: that a seat sees now what it did not see before, that what happened depended on
        something hidden, or that something was random.

What is seen is compared. What was looked at is found out by making the choice again: on a state that notes which hidden
numbers the rules read, and in worlds that the player might have believed in, which must lead to the same view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from patolli.kernel.state import State, preserve_turns
from patolli.run.compiler.layout import DRAWS, SEED
from patolli.run.runtime.beliefs import pick_and_note
from patolli.run.runtime.errors import MatchError, SaveError
from patolli.run.runtime.narration import Teller, is_covered
from patolli.run.runtime.visibility import Visibility
from patolli.run.runtime.worlds import certain

if TYPE_CHECKING:
    from patolli.run.runtime.match import Match

WORLDS = 12
"""How many worlds are tried."""
CHANCE, LEARNED = "chance has taken part", "a player has learned something"
"""What stands in the way of taking a choice back."""


class Past:
    """The choices of a match, and what it was before each of them.

    Nothing is known of a world that a bot imagines, or of a save that was changed: they have no past of their own.

    Args:
        match: The match as it is now.
        first: The first choice that may be undone, counted from 0.
    """

    def __init__(self, match: Match, first: int = 0) -> None:
        self.match, self.first = match, first
        self._before: list[Match] = []
        self._stands: dict[tuple[int, bool], str] = {}
        try:
            again = match.ruleset.replay(
                match.players, match.state[SEED], match.choices, match.narrating, self._keep, match.names, match.edits
            )
            self.known = again.digest() == match.digest()
        except (MatchError, SaveError):
            self.known = False

    def _keep(self, match: Match) -> None:
        if len(match.choices) >= self.first:
            self._before.append(match.clone())

    def __len__(self) -> int:
        return len(self.match.choices) if self.known else 0

    def before(self, number: int) -> Match:
        """Return the match as it was before a choice, counted from 0."""
        return self._before[number - self.first]

    def seat(self, number: int) -> int:
        """Return who made a choice."""
        return self.before(number).decider

    def stands(self, number: int, own: bool = True) -> str:
        """Return what stands in the way of taking back a choice, were it the last one; see :func:`standing`."""
        if (number, own) not in self._stands:
            before, after = self.before(number), self.before(number + 1)
            self._stands[number, own] = standing(before, after, self.match.choices[number], own)
        return self._stands[number, own]


def standing(before: Match, after: Match, choice: int, own: bool = True) -> str:
    """Return what stands in the way of taking back a choice that was made last; nothing where it may be.

    Args:
        before: The match as it was before.
        after: The match as it is now.
        choice: The index that was chosen.
        own: Whether the player who chose reads it. Others read nothing that follows from what is hidden: whatever
            might be otherwise in another world stands in the way then, in all of them.
    """
    if not own and _private(before, after, choice):
        return LEARNED
    drawn = sum(before.state[DRAWS].values()) != sum(after.state[DRAWS].values())
    return CHANCE if drawn else LEARNED if reveals(before, after, choice) else ""


def reveals(before: Match, after: Match, choice: int) -> bool:
    """Return whether a choice has revealed something to a player, or turned up what no player had seen."""
    visibility = before.ruleset.visibility(before.program)
    if not visibility.hides:
        return False
    before, after = _silent(before), _silent(after)
    with preserve_turns():
        return (
            bool(pick_and_note(before.clone(), choice))
            or _has_seen_more(visibility, before, after)
            or _looked_at(visibility, before, after, choice)
            or _depends(before, after, choice)
        )


def _silent(match: Match) -> Match:
    """Return a copy without its story: every world would copy all of it, and it is never read there."""
    new = match.clone()
    new._story = new._replayed = None
    return new


def _has_seen_more(visibility: Visibility, before: Match, after: Match) -> bool:
    """Return whether a seat sees what it did not see, or the player moved what that player could not see."""
    mine = 1 << before.decider
    old, new = visibility.watchers(before.state), visibility.watchers(after.state)
    for piece, seats in old.items():
        if new[piece] & ~seats or (before.state[piece] != after.state[piece] and not seats & mine):
            return True
    return any(
        visibility.number(after.state, number, new) & ~visibility.number(before.state, number, old)
        for number in visibility.numbers
    )


def _private(before: Match, after: Match, choice: int) -> bool:
    """Return whether a choice may have been another one, or have led to something else, unknown to every other player.

    What rules do follows from the choice and from what they read. Where others read the choice, and nothing was
    read that some of them cannot see, all of it is the same in each world that they believe in. What is changed counts
    as well: a choice that changes only hidden things is reported as one that was made.
    """
    visibility = before.ruleset.visibility(before.program)
    if before.secret:
        return True
    if not visibility.hides:
        return False
    before, after = _silent(before), _silent(after)
    with preserve_turns():
        if _is_covered(before, after, choice):
            return True
        read, seen = _trace_read_slots(before, choice), visibility.watchers(before.state)
        hidden = [
            *_hidden(visibility, before, seen),
            *(piece for piece, seats in seen.items() if seats != visibility.everybody),
        ]
        return read is None or any(slot in read or before.state[slot] != after.state[slot] for slot in hidden)


def _is_covered(before: Match, after: Match, choice: int) -> bool:
    """Return whether spectators read of a choice only that it was made."""
    assert before.pending is not None
    value, (number, me, *_) = before.pending[choice], before.frame
    anytime = choice >= len(before.pending) - before.extra
    answer = ("anytime", me, *value) if anytime else ("chosen", me, number, value)
    return is_covered(Teller(after.naming()).fact(*answer, False, before.state))


def _hidden(visibility: Visibility, match: Match, seen: dict[int, int]) -> dict[int, int]:
    """Return by slot who sees a number, of those that not everybody sees; *seen* says who sees the pieces."""
    numbers = {number.slot: visibility.number(match.state, number, seen) for number in visibility.numbers}
    return {slot: seats for slot, seats in numbers.items() if seats != visibility.everybody}


def _trace_read_slots(before: Match, choice: int) -> set[int] | None:
    """Return which slots rules read when a choice is made again; None where they fail."""
    again = before.imagine_match(before.state[1], before.decider)
    state = again.state = _RecordingState(again.state)
    asked = again.ruleset.plain(again.program)  # in which what asks does nothing else
    blocks: list[Callable[..., Any]] = [_mute_questions(state, block) for block in asked.blocks]
    anytime = _mute_notes(state, asked.anytime) if asked.anytime is not None else None
    again.program = replace(asked, blocks=blocks, anytime=anytime)
    try:
        again.pick(choice)
    except MatchError:
        return None
    finally:
        asked.events.clear()
    return state.noted


def _looked_at(visibility: Visibility, before: Match, after: Match, choice: int) -> bool:
    """Return whether rules have read a number that the player cannot see, or that others cannot and then noticed."""
    mine, noted = 1 << before.decider, _trace_read_slots(before, choice)
    if noted is None:
        return True
    hidden = _hidden(visibility, before, visibility.watchers(before.state))
    read = {slot: _aware(before, slot, seats) for slot, seats in hidden.items() if slot in noted}
    if any(not seats & mine for seats in read.values()):
        return True
    unaware = visibility.everybody & ~min(read.values(), default=visibility.everybody)
    return bool(unaware) and any(
        old != new and slot not in hidden and not isinstance(old, list)
        for slot, (old, new) in enumerate(zip(before.state, after.state, strict=True))
        if slot in before.labels.counters or slot in before.labels.fields
    )


def _aware(match: Match, slot: int, seats: int) -> int:
    """Return which seats know a number, besides those who see it: what no seat sees is unchanged."""
    for seat in range(match.players):
        if not seats >> seat & 1 and certain(match, seat).get(slot) == match.state[slot]:
            seats |= 1 << seat
    return seats


def _depends(before: Match, after: Match, choice: int) -> bool:
    """Return whether what the player sees of it would be other, if what that player cannot see were other."""
    seat = before.decider
    seen = after.view(seat)
    for seed in range(WORLDS):
        world = before.determinize(seat, seed, quick=True)
        if world.pending is None or choice >= len(world.pending):
            return True
        try:
            world.pick(choice)
        except MatchError:
            return True
        if world.view(seat) != seen:
            return True
    return False


class _RecordingState(list[Any]):
    """A state that notes which slots are read."""

    def __init__(self, state: State) -> None:
        super().__init__(state)
        self.noted: set[int] = set()

    def __getitem__(self, where: Any) -> Any:
        if where.__class__ is int:
            self.noted.add(where)
        elif where != slice(None):  # what is copied as a whole is not looked at
            self.noted.update(range(*where.indices(len(self))))
        return super().__getitem__(where)


def _mute_questions(state: _RecordingState, block: Callable[..., Any]) -> Callable[..., Any]:
    """Let a block note nothing where it asks: what others may answer is their own business."""

    def run(s: State, frame: list[Any]) -> Any:
        noted = state.noted.copy()
        options = block(s, frame)
        if options is not None:
            state.noted = noted
        return options

    return run


def _mute_notes(state: _RecordingState, function: Callable[..., Any]) -> Callable[..., Any]:
    def run(*given: Any) -> Any:
        noted = state.noted.copy()
        found = function(*given)
        state.noted = noted
        return found

    return run
