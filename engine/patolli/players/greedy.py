"""The bot that takes what looks best at the end of its own turn.

What looks best is the value function ``greedy`` of the pack, or the score where a pack has none. An option is tried out
on a match that the player may believe in (``Match.determinize``), so the bot knows no more than a person at its place.
Where the same player is asked again, as after a menu, the copy is played on by chance until somebody else decides or
the rules call upon the player anew, which is a new turn; at most ``DEPTH`` questions. The best end that was met counts.
Options that look bad after one such line are dropped, half of them at a time. The best line is remembered, and is one
of the lines that are tried at the next question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from patolli.kernel.state import turns
from patolli.runtime.errors import MatchError

if TYPE_CHECKING:
    from patolli.players.strategies import Fence
    from patolli.runtime import Match

DEPTH = 16
"""Questions of its own that a line is played on."""
LINES = 12
"""Lines that are tried per question beyond the first of each option."""
WORST = -(1 << 60)


class GreedyBot:
    """Takes the option whose best line has the greatest value; equals are decided by the bot's own seed."""

    fence: Fence | None = None
    """What tells which options it may take, if it has to do without some."""

    def __init__(self, seed: int, lines: int = LINES, depth: int = DEPTH) -> None:
        """Make a bot.

        Args:
            seed: Decides between equals and which lines are tried.
            lines: Lines per question beyond the first of each option.
            depth: Questions of its own that a line is played on.
        """
        self._random = Random(seed)
        self._lines = lines
        self._depth = depth
        self._plan: list[int] = []
        self._next = -1  # how many choices there are when the first of the plan is to be made, or -1

    def decide(self, match: Match) -> int:
        """Return the index of the best option that was found."""
        pending = match.pending
        assert pending is not None
        options = self._options(match)
        best, line = options[0], self._rest(match)
        if len(options) > 1:
            best, line = self._search(match, match.frame[1], options, line)
        elif self.fence is not None and line[:1] != [best]:  # the only one that is left, and not the one that was meant
            line = [best]
        self._plan, self._next = line[1:], len(match.choices) + 1
        return best

    def _options(self, match: Match) -> Sequence[int]:
        assert match.pending is not None
        return range(len(match.pending)) if self.fence is None else self.fence.allowed(match)

    def _rest(self, match: Match) -> list[int]:
        """Return what is left of the remembered line, where nobody else has decided since."""
        return self._plan if self._next == len(match.choices) else []

    def _search(self, match: Match, seat: int, options: Sequence[int], plan: list[int]) -> tuple[int, list[int]]:
        """Try lines, most of them for the options that look best, and return the best option and its line."""
        values: list[float] = [WORST - 1] * (options[-1] + 1)
        lines: list[list[int]] = [[]] * (options[-1] + 1)
        order = list(options)
        self._random.shuffle(order)
        base = match.determinize(seat, self._random.getrandbits(62))
        spare, first = self._lines, True
        open_ = order
        while open_ and (first or spare > 0):
            again = []
            tried = [self._try(base, seat, self._line(option, plan if first else [])) for option in open_]
            for option, (value, done) in zip(open_, self._valued(tried, seat), strict=True):
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

    def _line(self, option: int, plan: list[int]) -> list[int]:
        return plan if plan and plan[0] == option else [option]

    def _try(self, base: Match, seat: int, line: list[int]) -> tuple[Match | None, list[int]]:
        """Play a line on a copy and go on by chance; return where it ends, if it can be played, and all its choices."""
        match = base.clone()
        done: list[int] = []
        draw, called = self._random.random, turns[seat]
        try:
            while len(done) < self._depth:
                pending = match.pending
                if pending is None or match.frame[1] != seat or turns[seat] != called:
                    break
                if len(done) < len(line):
                    index = line[len(done)]
                elif self.fence is None:
                    index = int(draw() * len(pending))
                else:
                    left = self.fence.allowed(match)
                    index = left[int(draw() * len(left))]
                if index >= len(pending):
                    break
                match.pick(index)
                done.append(index)
        except MatchError:
            return None, done
        return match, done

    def _valued(self, tried: list[tuple[Match | None, list[int]]], seat: int) -> Iterator[tuple[float, list[int]]]:
        """Yield the value of each line that was tried, with its choices."""
        values = iter(self.values([end for end, _ in tried if end is not None], seat))
        for end, done in tried:
            yield (WORST if end is None else next(values)), done

    def values(self, ends: Sequence[Match], seat: int) -> Sequence[float]:
        """Return what each of some matches is worth to a seat: the greater, the better."""
        return [end.value("greedy", seat) for end in ends]


__all__ = ["DEPTH", "LINES", "GreedyBot"]
