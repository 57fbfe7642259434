"""One match after another at one table: what all environments do alike.

In:     a ruleset, a number of players, and how observations and rewards are made.
Out:    who decides, what that seat observes, which actions it has; and what an action leads to.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from copy import copy
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.author.workspace import load
from patolli.language.diagnostics.given import whole
from patolli.measure.environments.actions import ACTION, Actions, Mask
from patolli.measure.environments.rewards import check, rewards
from patolli.measure.observations.seat_observer import seats
from patolli.observations import Observations
from patolli.run.runtime import Match
from patolli.run.runtime.errors import LIMIT
from patolli.run.runtime.ruleset import Ruleset

ENCODINGS = ("features", "numbers")
OVER = "the match is over; reset() begins another one"
NONE_YET = "there is no match yet; reset() begins one"
WIDTH = 80
"""How wide a table is drawn."""
Observed = NDArray[np.float32] | NDArray[np.int32]


def ruleset(pack: str | Ruleset, modules: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Ruleset:
    """Return what is played: a ruleset as it is, or the one of a pack with modules and options.

    Raises:
        TypeError: An argument is of another type, such as one text for all modules.
        ValueError: A ruleset has its modules and options already.
        ContentError: The pack cannot be played.
    """
    if isinstance(pack, Ruleset):
        if modules or options:
            raise ValueError("a loaded ruleset already has modules and options; give the name of the pack instead")
        return pack
    return load(pack, modules, options)


class Table:
    """Plays matches of one ruleset, with a number of players."""

    def __init__(
        self, rules: Ruleset, players: int | None = None, reward: str = "rank", encoding: str = "features",
        limit: int = LIMIT,
    ) -> None:  # fmt: skip
        """Prepare a table.

        Args:
            rules: What is played.
            players: Without automated seats; the least allowed number when left out.
            reward: ``rank``, ``win`` or ``margin``; see ``rewards``.
            encoding: ``features``: choices as a column for each value, 32-bit floats; ``numbers``: as whole numbers.
            limit: After so many steps the match is broken off.

        Raises:
            TypeError: The limit or the number of players is no whole number.
            ValueError: An argument is none of these, or answers cannot be numbered.
        """
        check(rules, reward)
        limit = whole(limit, "the limit of steps")
        if limit < 1:
            raise ValueError(f"the limit of steps must be at least 1, not {limit}")
        if encoding not in ENCODINGS:
            raise ValueError(f"unknown encoding {encoding!r}; use one of {', '.join(ENCODINGS)}")
        self.players = seats(rules, players) - rules.model.automated
        self.rules, self.reward, self.encoding, self.limit = rules, reward, encoding, limit
        self.observations = Observations(rules, self.players)
        self.actions = Actions(rules, self.players)
        self.match: Match = rules.start(self.players)
        self.steps = 0
        self._indices: list[int] | None = None

    def copy_empty(self) -> Table:
        """Return another table of the same kind, which shares what does not change; it has no match of its own yet."""
        found = copy(self)
        found._indices = None
        return found

    # -- playing

    def begin(self, seed: int) -> None:
        """Begin another match."""
        self.match, self.steps = self.rules.start(self.players, seed), 0
        self._answer_alone()

    @property
    def seat(self) -> int:
        """Who decides; there has to be a question."""
        return self.match.decider

    @property
    def over(self) -> bool:
        """Whether the match has ended by its rules."""
        return self.match.pending is None

    @property
    def broken_off(self) -> bool:
        """Whether there were as many steps as there may be, and the match is not over."""
        return not self.over and self.steps >= self.limit

    def take(self, action: int) -> None:
        """Take an action for the seat that decides.

        Raises:
            TypeError: An action is a whole number.
            ValueError: It cannot be taken now, or the match is over.
        """
        self.pick(self.option(action))

    def option(self, action: int) -> int:
        """Return the index of the option that an action takes.

        Raises:
            TypeError: An action is a whole number.
            ValueError: It cannot be taken now, or the match is over.
        """
        action = whole(action, ACTION)
        if self.match.pending is None:
            raise ValueError(OVER)
        try:
            return self.indices.index(action)
        except ValueError:
            return self.actions.option(self.match, action)

    def pick(self, index: int) -> None:
        """Take an option by its index."""
        self.match.pick(index)
        self.steps += 1
        self._answer_alone()

    def _answer_alone(self) -> None:
        self._indices = None
        answered_alone(self.match, self.limit)

    # -- looking

    @property
    def indices(self) -> list[int]:
        """The action of each option of the open question."""
        if self._indices is None:
            self._indices = self.actions.indices(self.match)
        return self._indices

    def mask(self) -> Mask:
        """Return which actions the seat has that decides."""
        found = np.zeros(self.actions.size, dtype=np.int8)
        found[self.indices] = 1
        return found

    def observe_seat(self, seat: int) -> Observed:
        """Return what a seat observes."""
        flat = self.observations.flat(self.match, seat)
        return self.observations.spread(flat) if self.encoding == "features" else flat

    def rewards(self) -> list[float]:
        """Return what the match is worth to each player, as it is now."""
        return rewards(self.match, self.reward)[: self.players]

    @property
    def bounds(self) -> tuple[Observed, Observed]:
        """The least and the greatest of every number of an observation."""
        if self.encoding == "numbers":
            return self.observations.low, np.maximum(self.observations.high, self.observations.low + 1)
        return self.observations.feature_bounds()

    # -- drawing

    def draw_table(self, seat: int) -> str:
        """Return the table as a seat sees it, as it is drawn at a terminal."""
        from rich.console import Console

        from patolli.play.terminal.screen import Screen

        page = StringIO()
        console = Console(file=page, width=WIDTH, color_system=None, force_terminal=False, highlight=False)
        Screen(self.rules.model, console).draw(self.match, seat)
        return page.getvalue()

    def show(self, mode: str | None, seat: int) -> str | None:
        """Draw the table in a mode of rendering: ``ansi`` returns a text, ``human`` prints it."""
        if mode is None:
            return None
        text = self.draw_table(seat)
        if mode == "ansi":
            return text
        sys.stdout.write(text)
        return None


def answered_alone(match: Match, most: int = LIMIT) -> Match:
    """Give the only answers that there are, *most* of them; return the match.

    A match asks where there is a choice. Where all others would leave a question that waits without an answer, though,
    there may be one alone.
    """
    for _ in range(most):
        if match.pending is None or len(match.pending) != 1:
            break
        match.pick(0)
    return match


def check_seed(seed: int | None) -> int | None:
    """Return a seed as Gymnasium takes it. Raises TypeError: it is no whole number; ValueError: it is less than 0."""
    if seed is None:
        return None
    seed = whole(seed, "a seed")
    if seed < 0:
        raise ValueError(f"the seed of an environment must be at least 0, not {seed}")
    return seed


def check_mode(mode: str | None) -> None:
    """See that there is such a mode of rendering. Raises ValueError: there is none."""
    if mode not in (None, "ansi", "human"):
        raise ValueError(f"unknown render mode {mode!r}; use 'ansi' or 'human'")


def check_illegal(illegal: str) -> None:
    """See that it is known what to do about an action that cannot be taken. Raises ValueError: it is not."""
    if illegal not in ("lose", "raise"):
        raise ValueError(f"'illegal' must be 'lose' or 'raise', not {illegal!r}")
