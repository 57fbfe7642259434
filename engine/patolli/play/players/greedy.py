"""The bot that maximizes the value at the end of its own turn.

The value is the function ``greedy`` of the pack, or the score if the pack has no such function. An option is tried on a
match that is consistent with what the player knows (``Match.determinize``), so the bot knows no more than a person on
its seat. If the same player decides again, as after a menu, the copy is continued with random choices until another
player decides or the rules start a new turn, but for at most ``DEPTH`` decisions. The option with the best end wins.
After each round of lines, the worse half of the options is dropped. The best line is stored, and is one of the lines
that are tried at the next decision.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from patolli.kernel.budget import meter
from patolli.run.runtime.errors import MatchError

if TYPE_CHECKING:
    from patolli.play.players.strategies import Fence
    from patolli.run.runtime import Match

DEPTH = 16
"""The maximum number of the bot's own decisions in a line."""
LINES = 12
"""The number of lines per decision, in addition to the first line of each option."""
WORST = -(1 << 60)


class GreedyBot:
    """Chooses the option whose best line has the greatest value; the bot's own seed decides between equals."""

    fence: Fence | None = None
    """Filters the options that the bot may choose, if some are excluded."""
    free: GreedyBot | None = None
    """The same bot without a fence; its choice is taken if neither the choice nor its line is excluded."""

    def __init__(self, seed: int, lines: int = LINES, depth: int = DEPTH) -> None:
        """Create a bot.

        Args:
            seed: Decides between equal options, and which lines are tried.
            lines: The number of lines per decision, in addition to the first line of each option.
            depth: The number of the bot's own decisions in a line.
        """
        self._random = Random(seed)
        self._lines = lines
        self._depth = depth
        self._plan: list[int] = []
        self._next = -1  # how many choices there are when the first of the plan is to be made, or -1

    def decide(self, match: Match) -> int:
        """Return the index of the best option found."""
        pending = match.pending
        assert pending is not None
        if self.fence is not None and self.free is not None:
            choice = self.free.decide(match)
            if not self.free.line_leaves(self.fence, match, choice):
                return choice
        options = self._list_options(match)
        best, line = options[0], self._plan if self._next == len(match.choices) else []
        if len(options) > 1:
            best, line = self._search_lines(match, match.decider, options, line)
        elif self.fence is not None and line[:1] != [best]:  # only one option remains, and it is not the planned one
            line = [best]
        self._plan, self._next = line[1:], len(match.choices) + 1
        return best

    def line_leaves(self, fence: Fence, match: Match, choice: int) -> bool:
        """Return whether the line that the last decision found uses an option that a fence excludes."""
        assert match.pending is not None
        if len(match.pending) == 1:
            return False
        seat, world = match.decider, self._world.clone()
        for index in (choice, *self._plan):
            if world.pending is None or world.decider != seat or index >= len(world.pending):
                return False
            if index not in fence.list_allowed(world):
                return True
            try:
                world.pick(index)
            except MatchError:
                return False
        return False

    def _list_options(self, match: Match) -> Sequence[int]:
        assert match.pending is not None
        return range(len(match.pending)) if self.fence is None else self.fence.list_allowed(match)

    def _search_lines(self, match: Match, seat: int, options: Sequence[int], plan: list[int]) -> tuple[int, list[int]]:
        """Try lines, most of them for the most promising options; return the best option and its line."""
        values: list[float] = [WORST - 1] * (options[-1] + 1)
        lines: list[list[int]] = [[]] * (options[-1] + 1)
        order = list(options)
        self._random.shuffle(order)
        base = self._world = match.determinize(seat, self._random.getrandbits(62), quick=True)
        spare, first = self._lines, True
        open_ = order
        while open_ and (first or spare > 0):
            again = []
            tried = [self._try_line(base, seat, self._draw_line(option, plan if first else [])) for option in open_]
            for option, (value, done) in zip(open_, self._evaluate_lines(tried, seat), strict=True):
                if value > values[option]:
                    values[option], lines[option] = value, done
                if len(done) > 1:
                    again.append(option)
                spare -= not first
            first = False
            again.sort(key=lambda option: -values[option])
            open_ = again[: max(2, (len(again) + 1) // 2)]
        best = max(order, key=values.__getitem__)
        return best, lines[best]

    def _draw_line(self, option: int, plan: list[int]) -> list[int]:
        return plan if plan and plan[0] == option else [option]

    def _try_line(self, base: Match, seat: int, line: list[int]) -> tuple[Match | None, list[int]]:
        """Play a line on a copy, then continue at random; return the end, if the line is possible, and all choices."""
        match = base.clone()
        done: list[int] = []
        draw, turns = self._random.random, meter.turns
        called = turns[seat]
        try:
            while len(done) < self._depth:
                pending = match.pending
                if pending is None or match.decider != seat or turns[seat] != called:
                    break
                if len(done) < len(line):
                    index = line[len(done)]
                elif self.fence is None:
                    index = int(draw() * len(pending))
                else:
                    left = self.fence.list_allowed(match)
                    index = left[int(draw() * len(left))]
                if index >= len(pending):
                    break
                match.pick(index)
                done.append(index)
        except MatchError:
            return None, done
        return match, done

    def _evaluate_lines(
        self, tried: list[tuple[Match | None, list[int]]], seat: int
    ) -> Iterator[tuple[float, list[int]]]:
        """Yield the value of each line that was tried, with its choices."""
        values = iter(self.values([end for end, _ in tried if end is not None], seat))
        for end, done in tried:
            yield (WORST if end is None else next(values)), done

    def values(self, ends: Sequence[Match], seat: int) -> Sequence[float]:
        """Return the value of each match for a seat; greater is better."""
        return [end.value("greedy", seat) for end in ends]
