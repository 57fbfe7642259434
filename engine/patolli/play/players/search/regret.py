"""How often to give each answer where something is hidden: a search that begins with the match and learns by regret.

Who always gives the answer that looks best can be seen through. So this search goes through the match from its
beginning, with everything that is hidden drawn for everybody again, and keeps for each information set of each seat
(the question, what the seat saw happen, and what it sees) how much it regrets not to have given each answer. Answers
are tried as often as they are regretted, and what was tried on average over time comes close to an equilibrium of two
seats that are opposed (Zinkevich and others, Regret Minimization in Games with Incomplete Information, 2007).

In a traversal one seat learns, in turns. All answers of that seat are followed as long as the traversal may branch,
and one of everybody else's (external sampling; Lanctot and others, Monte Carlo Sampling for Regret Minimization,
2009). Then one of its own is followed, too, and the others are taken to be worth what they were on average, corrected
for how likely it was to follow that one (Schmid and others, Variance Reduction in Monte Carlo CFR, 2019). Regret does
not fall below zero, and later traversals count for more in the average (Tammelin, CFR+, 2014).

Nothing that was learned belongs to one position: what a decision has taught, the next one goes on with. It serves games
that are small enough to meet the same information sets again and again; ``small`` finds out whether this one is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import inf
from random import Random
from time import perf_counter
from typing import Any

from patolli.play.players.search.matches import Asked, Impossible, Matches
from patolli.run.runtime import Match
from patolli.run.runtime.decisions import is_asked_again

BRANCHES = 64.0
"""Ends of the match to which one traversal may lead, about."""
CURIOUS = 0.4
"""How often an answer is followed just to see, where only one is."""
PROBE = 40
"""Single lines that are played to find out whether a game is small."""
KNOWN = 1 / 3
"""The share of the questions in them that must have been met before."""
LONG = 100
"""Questions in one line beyond which a game is not small."""
MET = 3
"""How often an information set must have been met for its average to count."""
TRACE = 0.02
"""A share of an average below which an answer was only given before anything was known."""
Line = int
"""What one seat saw happen so far, by number."""


class Information:
    """What was learned at one information set: by answer its regret, how often it was given, and what it brought."""

    __slots__ = ("counts", "given", "means", "met", "regrets")

    def __init__(self, number: int) -> None:
        self.regrets = [0.0] * number
        self.given = [0.0] * number
        self.means = [0.5] * number
        self.counts = [0] * number
        self.met = 0

    def policy(self) -> list[float]:
        """Return how often to try each answer now: in proportion to its regret."""
        whole = sum(self.regrets)
        if whole <= 0:
            return [1 / len(self.regrets)] * len(self.regrets)
        return [one / whole for one in self.regrets]

    def average(self) -> list[float]:
        """Return how often each answer was given over time: what the regrets come to; traces are left out."""
        whole = sum(self.given)
        if whole <= 0:
            return self.policy()
        least = whole * min(TRACE, 0.5 / len(self.given))  # of many answers, each may be given seldom
        given = [one if one >= least else 0.0 for one in self.given]
        whole = sum(given)
        return [one / whole for one in given]

    def regret(self, values: Sequence[float], expected: float) -> None:
        """Take in what each answer would have been worth, where a seat could expect so much."""
        self.regrets = [max(0.0, one + value - expected) for one, value in zip(self.regrets, values, strict=True)]

    def note(self, index: int, value: float) -> None:
        """Take in what an answer brought."""
        self.counts[index] += 1
        self.means[index] += (value - self.means[index]) / min(self.counts[index], 100)


class RegretSearch:
    """What is known of a whole game about how often to give each answer; it can be asked for more at any time."""

    def __init__(self, game: Matches, seed: int) -> None:
        self.game, self.random = game, Random(seed)
        self.simulations = self.traversals = 0
        self.sets: dict[Hashable, Information] = {}
        self._lines: dict[tuple[Line, int, Any], Line] = {}
        self._questions = self._known = 0
        self._question_limit: int | None = None  # the question at which a line is given up

    # -- asking for more

    def small(self) -> bool:
        """Return whether the game is so small that single lines soon meet what they have met before."""
        for number in range(PROBE):
            self._question_limit = self._questions + LONG
            if not self._traversal(1.0) or self._questions > self._question_limit:
                return False
            if number >= PROBE // 4 and self._known < KNOWN / 4 * self._questions:
                return False
        self._question_limit = None
        return self._known >= KNOWN * self._questions

    def run(self, simulations: int, end: float = inf, clock: Callable[[], float] = perf_counter) -> int:
        """Go through the game until so many ends were met, or a clock shows *end*; return how many were met."""
        before = self.simulations
        while self.simulations - before < simulations:
            self._traversal(BRANCHES)
            if end < inf and clock() >= end:
                break
        return self.simulations - before

    def find_information(self, history: Match, choices: Sequence[int], now: Match) -> Information | None:
        """Return what is known of the open question of a position; None where it was rarely met.

        Args:
            history: The game at its beginning; it is changed. Of its past only what the seat saw counts.
            choices: The answers that were given since, by index.
            now: The position.
        """
        game, lines, late = self.game, [0] * self.game.seats, list[tuple[int, int, Any]]()
        for index in choices:
            asked = game.open_question(history)
            if asked is None or index >= len(asked.options):
                return None
            self._reveal(lines, late, history, asked.seat)
            self._pass(lines, late, history, asked, index)
            game.pick(history, index)
        here, asked = game.open_question(history), game.open_question(now)
        if here is None or asked is None or here.key != asked.key:
            return None
        self._reveal(lines, late, history, asked.seat)
        if game.seat_view(history, asked.seat) != game.seat_view(now, asked.seat):
            return None  # the position was put together by hand
        found = self.sets.get((asked.key, lines[asked.seat], game.seat_view(now, asked.seat)))
        return found if found is not None and found.met >= MET and len(found.given) == len(asked.options) else None

    # -- one traversal

    def _traversal(self, branches: float) -> bool:
        """Let one seat learn; return whether the game could be gone through."""
        game = self.game
        position = game.beginning(self.random)
        if position is None:
            return False
        taught, self.traversals = self.traversals % game.seats, self.traversals + 1
        try:
            self._walk(position, [0] * game.seats, [], taught, branches)
        except Impossible:
            self.simulations += 1
        return True

    def _walk(
        self, position: Match, lines: list[Line], late: list[tuple[int, int, Any]], taught: int, branches: float
    ) -> float:
        """Go on from a position to the end; return what the seat gets that is taught, as far as it is known."""
        game = self.game
        while (asked := game.open_question(position)) is not None:
            self._reveal(lines, late, position, asked.seat)
            index = 0
            if len(asked.options) > 1:
                found = self._information(asked, lines, position)
                if asked.seat == taught:
                    return self._learn(found, asked, position, lines, late, branches)
                index = self._sample_policy(found)
            self._pass(lines, late, position, asked, index)
            game.pick(position, index)
        self.simulations += 1
        return game.weigh_outcome(position, game.outcome(position))[taught]

    def _learn(
        self, found: Information, asked: Asked, position: Match, lines: list[Line],
        late: list[tuple[int, int, Any]], branches: float,
    ) -> float:  # fmt: skip
        """Follow the answers of the seat that is taught, and let it regret."""
        policy, number = found.policy(), len(asked.options)

        def follow(index: int, position: Match, branches: float) -> float:
            after, later = lines[:], late[:]
            self._pass(after, later, position, asked, index)
            self.game.pick(position, index)
            value = self._walk(position, after, later, asked.seat, branches)
            found.note(index, value)
            return value

        if branches >= number:
            values = [follow(index, self.game.copy(position), branches / number) for index in range(number)]
        else:
            values = found.means[:]
            chances = [(1 - CURIOUS) * one + CURIOUS / number for one in policy]
            index = self._draw_index(chances)
            values[index] += (follow(index, position, branches) - values[index]) / chances[index]
        expected = sum(one * value for one, value in zip(policy, values, strict=True))
        found.regret(values, expected)
        return expected

    def _sample_policy(self, found: Information) -> int:
        """Return the choice of a player who does not learn now, and count how often each is made."""
        policy = found.policy()
        for index, one in enumerate(policy):
            found.given[index] += self.traversals * one
        return self._draw_index(policy)

    def _draw_index(self, chances: Sequence[float]) -> int:
        left = self.random.random()
        for index, one in enumerate(chances):
            left -= one
            if left < 0:
                return index
        return max(range(len(chances)), key=chances.__getitem__)

    # -- what seats know

    def _information(self, asked: Asked, lines: list[Line], position: Match) -> Information:
        key = (asked.key, lines[asked.seat], self.game.seat_view(position, asked.seat))
        found = self.sets.get(key)
        self._questions += 1
        if found is None or len(found.given) != len(asked.options):
            found = self.sets[key] = Information(len(asked.options))
        else:
            self._known += 1
        found.met += 1
        if self._question_limit is not None and self._questions > self._question_limit:
            raise Impossible
        return found

    def _pass(
        self, lines: list[Line], late: list[tuple[int, int, Any]], position: Match, asked: Asked, index: int
    ) -> None:
        """Note an answer in what each seat saw happen: its own as it is, those of others as they are shown."""
        shown = self.game.visible_choice(position, index)
        if self.game.is_sealed(position):
            late.append((asked.key, asked.seat, shown))
        else:
            self._send(lines, asked.key, asked.seat, shown)
        lines[asked.seat] = self._after(lines[asked.seat], asked.key, asked.options[index])

    def _reveal(self, lines: list[Line], late: list[tuple[int, int, Any]], position: Match, asked: int) -> None:
        """Let all learn what was answered at once, when all have answered and a seat is asked something else."""
        if late and (not self.game.is_sealed(position) or is_asked_again([one for _, one, _ in late], asked)):
            for key, seat, shown in late:
                self._send(lines, key, seat, shown)
            late.clear()

    def _send(self, lines: list[Line], key: int, seat: int, shown: Any) -> None:
        for other, line in enumerate(lines):
            if other != seat:
                lines[other] = self._after(line, key, shown)

    def _after(self, line: Line, key: int, shown: Any) -> Line:
        return self._lines.setdefault((line, key, shown), len(self._lines) + 1)
