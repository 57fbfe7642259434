"""Answers as numbers: the same number means the same answer in every match, and there is a proven maximum.

In:     a ruleset and a number of players.
Out:    how many actions there are, which of them can be taken at a question, and what each is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from patolli.language.diagnostics import given
from patolli.language.diagnostics.given import whole
from patolli.language.program import effects as e
from patolli.measure.environments import bounds
from patolli.measure.environments.blocks import Block, Blocks, Unbounded
from patolli.measure.observations.questions import list_questions
from patolli.measure.observations.seat_observer import SameRules, seats
from patolli.play.players import Turn
from patolli.run.compiler.asked import Question
from patolli.run.compiler.executable import Executable
from patolli.run.runtime import Match, Ruleset

Mask = NDArray[np.int8]
Encoder = Callable[[list[Any]], list[int]]
ACTION = "an action"
MOST = 1_000_000
"""The most actions of a ruleset."""


class Actions:
    """The actions of a ruleset for a number of players.

    A choice of things has a number for every combination of them; a choice from a list of ways, to pay or to gain,
    has its position in that list. Ways of all questions share one block, as which question is open is observed.

    Attributes:
        size: The number of actions.
        blocks: The ranges of actions, question by question.
    """

    def __init__(self, rules: Ruleset, players: int | None = None) -> None:
        """Number the answers.

        Args:
            rules: What is played.
            players: Without automated seats; the least allowed number when left out.

        Raises:
            Unbounded: It cannot be proved how many answers a question has at most; the message says which, and why.
            TypeError: That is no ruleset, or no number.
            ValueError: The pack cannot be played with so many players.
        """
        self.rules, self.program = rules, given.rules(rules).program(seats(rules, players))
        self._same = SameRules(rules, self.program.layout.seats)
        try:
            self.blocks, self._starts, self._ways = self._build_blocks()
        except Unbounded as error:
            raise Unbounded(f"{rules.title}: cannot number the options: {error}") from None
        self.size = max(1, sum(one.size for one in self.blocks))  # a space of no actions is none
        self._encoders: dict[tuple[int, int, int], Encoder] = {}
        self._anytime: dict[int, list[Callable[[Any], int]]] = {}

    def _build_blocks(self) -> tuple[list[Block], list[list[Block]], Block]:
        """Return all blocks, those of each question, and the one that all ways share."""
        layout, questions = self.program.layout, list_questions(self.program)
        maker, start = Blocks(layout, self.rules.prover), 0
        most, all_, by_question = 0, [], []
        for named in questions.names:
            own = list(maker.of(named))
            by_question.append(own)
            all_ += own
            if isinstance(named.question.effect, e.Pay | e.Gain):
                most = max(most, bounds.ways(self.rules.prover, named.question.effect))
        actions = [maker.anytime(number) for number in range(len(layout.model.anytime))]
        by_question.append(actions)
        ways = Block("ways", ranked=most)
        for block in (*all_, *actions, *([ways] if most else [])):
            block.start = start
            start += block.size
            if start > MOST:
                raise Unbounded(f"there are more than {MOST:,} actions, {block.size:,} of them for {block.name!r}")
        self._index = {id(self.program): (self.program, questions.index)}
        self._names = [one.name for one in questions.names]
        return [*all_, *actions, *([ways] if most else [])], by_question, ways

    # -- of a match

    def indices(self, match: Match | Turn) -> list[int]:
        """Return the action of every option of the open question, in order; empty if the match is over.

        Here and below it may be the turn of a bot as well.

        Raises:
            TypeError: It is neither.
            ValueError: It is of another ruleset or number of players.
        """
        match = self._same.match(match)
        pending = match.pending
        if pending is None:
            return []
        frame = match.frame
        key = (id(match.program), frame[0], frame[1])
        encoder = self._encoders.get(key)
        if encoder is None:
            encoder = self._encoders[key] = self._encoder(match.program, frame[0], frame[1])
        if not match.extra:
            return encoder(pending)
        regular = len(pending) - match.extra
        return encoder(pending[:regular]) + self._extra(pending[regular:], frame[1])

    def mask(self, match: Match | Turn) -> Mask:
        """Return for every action whether it is legal now: 1 or 0."""
        found = np.zeros(self.size, dtype=np.int8)
        found[self.indices(match)] = 1
        return found

    def option(self, match: Match | Turn, action: int) -> int:
        """Return the index of the option that an action chooses at the open question.

        Raises:
            TypeError: An action is a whole number.
            ValueError: It cannot be taken now.
        """
        action, found = whole(action, ACTION), self.indices(match)
        try:
            return found.index(action)
        except ValueError:
            name = self.name(action) if 0 <= action < self.size else "there is none of that number"
            words = f"action {action} ({name}) is illegal now; the mask has the {len(found)} legal actions"
            raise ValueError(words) from None

    def ids(self, match: Match | Turn) -> list[str]:
        """Return the stable names of all options of the open question, in their order; see :meth:`name`.

        A way to pay or to gain is called after what is paid or gained.
        """
        match = self._same.match(match)
        decision = match.decision
        if decision is None:
            return []
        names = [self.name(one) for one in self.indices(match)]
        if decision.question.kind in ("pay", "gain"):
            question = self._names[self._question_index(match.program)[match.frame[0]]]
            regular = len(names) - match.extra
            names[:regular] = [f"{question} = {words}" for words in decision.labels[:regular]]
        return names

    # -- about them

    def name(self, action: int) -> str:
        """Return the stable name of an action: its question and its option, as seen by the seat that takes it.

        The name says rule, kind of question and answer, so it stays the same in variants that leave these alone.

        Raises:
            TypeError: It is no whole number.
            ValueError: There is no such action.
        """
        action = whole(action, ACTION)
        if not 0 <= action < self.size:
            raise ValueError(f"there is no action {action}; actions are 0 to {self.size - 1}")
        block = next(one for one in self.blocks if one.start <= action < one.start + one.size)
        answer = block.answer(action - block.start)
        return f"{block.name} = {answer}" if answer else block.name

    def onto(self, other: Actions) -> NDArray[np.int64]:
        """Return for each action the action of *other* with the same name, or -1.

        With it, what was learned of one variant is carried to another.
        """
        known = {other.name(number): number for number in range(other.size)}
        return np.array([known.get(self.name(number), -1) for number in range(self.size)], dtype=np.int64)

    def describe(self) -> str:
        """Return the actions as a text: where each block begins, how long it is, and what it chooses."""
        head = f"{self.rules.id}: {self.size:,} actions"
        lines = [f"{one.start:>7} {one.size:>7}  {one.name}" for one in self.blocks]
        return "\n".join([head, "", f"{'start':>7} {'number':>7}  question", *lines])

    # -- encoders

    def _question_index(self, program: Executable) -> dict[int, int]:
        """Return which question as it is written each is of a program, such as one that narrates."""
        if id(program) not in self._index:
            self._index[id(program)] = program, list_questions(program).index
        return self._index[id(program)][1]

    def encoding(self, program: Executable, number: int) -> tuple[str, list[Block]]:
        """Return how the options of a question are numbered, and the blocks that their numbers are in.

        Returns:
            ``ranked``: in their order. ``value``: by themselves. ``marked``: by the second of two numbers, where the
            first one is not 0. ``menu``: a block for each line. ``first``: by the first of some values.
        """
        question: Question = program.questions[number]
        own = self._starts[self._question_index(program)[number]]
        if question.kind in ("pay", "gain"):
            return "ranked", [self._ways]
        if question.kind == "menu":
            return "menu", own
        if own[0].ranked:
            return "ranked", own
        return {"choose": "value", "order": "value", "several": "marked"}.get(question.kind, "first"), own

    @property
    def anytime(self) -> list[Block]:
        """The blocks of anytime actions."""
        return self._starts[-1]

    def _encoder(self, program: Executable, number: int, seat: int) -> Encoder:
        """Return what gives the actions of the options of a question, for a seat."""
        how, own = self.encoding(program, number)
        if how == "ranked":
            return self._in_order(own[0], program.questions[number])
        numbered = [one.make_numbering(seat) for one in own]
        if how == "menu":
            return self._menu(own, numbered)
        (one,) = numbered
        if how == "value":
            return lambda pending: [one(value) for value in pending]
        if how == "marked":
            return lambda pending: [one(value[1] if value[0] else -1) for value in pending]
        return lambda pending: [one(value[0]) for value in pending]

    def _in_order(self, block: Block, question: Question) -> Encoder:
        def encode(pending: list[Any]) -> list[int]:
            if len(pending) > block.size:
                raise AssertionError(f"{len(pending)} options of {question.rule!r}, more than the proved {block.size}")
            return list(range(block.start, block.start + len(pending)))

        return encode

    def _menu(self, own: list[Block], numbered: list[Callable[[Any], int]]) -> Encoder:
        """Return the encoder of a menu: lines without values, with one, with several, and those in their order."""

        def encode(pending: list[Any]) -> list[int]:
            found, ranks = [], [0] * len(own)
            for line, *values in pending:
                block = own[line]
                if block.ranked:
                    found.append(block.start + ranks[line])
                    ranks[line] += 1
                elif not values:
                    found.append(block.start)
                else:
                    found.append(numbered[line](values[0] if len(values) == 1 else values))
            return found

        return encode

    def _extra(self, pending: list[tuple[int, int]], seat: int) -> list[int]:
        """Return the actions of anytime actions."""
        actions = self.anytime
        if seat not in self._anytime:
            self._anytime[seat] = [one.make_numbering(seat) for one in actions]
        numbered = self._anytime[seat]
        return [
            numbered[action](value) if actions[action].digits else actions[action].start for action, value in pending
        ]


__all__ = ["Actions", "Mask", "Unbounded"]
