"""Play a pack and the same game of OpenSpiel side by side, and compare them at every decision.

Who has to move, what may be done, when it ends and what it is worth has to be the same in both. Our engine draws the
dice and the cards; OpenSpiel gets the same outcomes. What the two call the same move stands in one file a game in
``referee_games``, as a subclass of ``Referee``; those of its ``REFEREES`` are played.

Source:
    M. Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", arXiv:1908.09453.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from rich.console import Console

import patolli
from patolli.kernel import chance
from patolli.play.terminal.screen import Screen, Seen

GAMES = Path(__file__).parent / "referee_games"
NO_REFEREE = "OpenSpiel is not installed here: pip install 'patolli[referee]' (Python 3.11 or later, Linux or macOS)"
ENOUGH = 100_000  # decisions after which a match is thought to go round in circles


class Referee:
    """What the two have to know of each other to play one game; a subclass says what differs from this.

    A *key* is what both call a move: for each, here and there, it says how the move is made.
    """

    pack = ""
    variant = ""
    """What is said behind the id of the pack, where several sizes or numbers of players are played."""
    spiel = ""
    """What OpenSpiel loads: a name, or one with parameters such as ``hex(board_size=5)``."""
    players = 2
    options: Mapping[str, Any] = {}

    @property
    def name(self) -> str:
        """The pack and the variant."""
        return f"{self.pack} {self.variant}".rstrip()

    def seat(self, player: int) -> int:
        """Return the seat here of a player there; in most games the first one begins in both."""
        return player

    def ours(self, match: patolli.Match) -> Mapping[Hashable, Sequence[int]]:
        """Return the moves of the deciding player, each with the indices of the options that make it."""
        return {label: (index,) for index, label in enumerate(match.decision.labels)}

    def theirs(self, state: Any, player: int) -> Mapping[Hashable, Sequence[int]]:
        """Return the same of OpenSpiel, each with the actions that make it."""
        actions = self.legal(state, player)
        return {self.key(state.action_to_string(player, action)): (action,) for action in actions}

    def legal(self, state: Any, player: int) -> list[int]:
        """Return the actions of OpenSpiel that are moves here, too."""
        found: list[int] = state.legal_actions(player)
        return found

    def key(self, action: str) -> Hashable:
        """Return what an action of OpenSpiel is called here; most games call their options by themselves."""
        return action

    def outcome(self, state: Any, match: patolli.Match, draws: list[tuple[int, int]]) -> int:
        """Return the outcome of chance of OpenSpiel that is what happened here.

        Args:
            state: a node of chance with more than one outcome.
            match: ours, in which all of it has happened.
            draws: what was drawn here since the start of the match, and not taken from the list yet: the index of what
                was drawn, and among how many. Shuffled places are looked up in the match.
        """
        raise NotImplementedError(f"{self.pack} says nothing about chance")

    def returns(self, match: patolli.Match) -> list[float]:
        """Return what a finished match is worth to each player: winners share 1, the others pay it."""
        winners, players = match.winners, match.players
        if len(winners) in (0, players):
            return [0.0] * players
        return [1 / len(winners) if seat in winners else -1 / (players - len(winners)) for seat in range(players)]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the two are not the same: what of it, the seed of the match, and how it stands in both."""

    what: str
    seed: int
    here: str
    there: str

    def __str__(self) -> str:
        return f"seed {self.seed}: {self.what}\nhere:\n{self.here}\nOpenSpiel:\n{self.there}"


@dataclass(frozen=True, slots=True)
class Played:
    """One match: how many decisions were compared, and where the two parted, if they did."""

    decisions: int
    difference: Difference | None


class _Parted(Exception):
    """The two are not the same any more."""


def openspiel() -> Any:
    """Return the module of OpenSpiel, or None where it is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError:
        return None


def referees() -> list[Referee]:
    """Return all referees, in the order of their games."""
    files = sorted(file.stem for file in GAMES.glob("*.py"))
    return [judge for file in files for judge in import_module(f"referee_games.{file}").REFEREES]


def frame(match: patolli.Match, width: int = 100) -> str:
    """Return a match as the player who decides, or the first one, sees it."""
    console = Console(file=io.StringIO(), width=width, height=60, highlight=False, markup=False, emoji=False)
    decision = match.decision
    Screen(match.ruleset.model, console).page(match, decision.player if decision is not None else 0, Seen())
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().rstrip()


@contextmanager
def _noted() -> Iterator[list[tuple[int, int]]]:
    """Note what our engine draws, until the end of the block."""
    draws: list[tuple[int, int]] = []
    below = chance.below

    def record_draw(s: Any, number: int, stream: str) -> int:
        found = below(s, number, stream)
        draws.append((found, number))
        return found

    chance.below = record_draw
    try:
        yield draws
    finally:
        chance.below = below


class _Match:
    """One match in both, and how far they have come together."""

    def __init__(self, judge: Referee, rules: patolli.Ruleset, game: Any, seed: int) -> None:
        self.judge, self.seed, self.random = judge, seed, Random(seed)
        self.compared = 0
        self.state = game.new_initial_state()
        with _noted() as self.draws:
            self.match = rules.start(judge.players, seed)

    def play(self) -> Played:
        """Play to the end, or to the first difference."""
        try:
            while self._step():
                if self.compared > ENOUGH:
                    raise _Parted("the match does not end")
        except _Parted as parted:
            there = str(self.state)
            return Played(self.compared, Difference(str(parted), self.seed, frame(self.match), there))
        return Played(self.compared, None)

    def _step(self) -> bool:
        """Go on by one decision; return whether the match goes on."""
        self._settle()
        if self.state.is_terminal() or self.match.over:
            self._compare_ends()
            return False
        if self.state.is_simultaneous_node():
            self.state.apply_actions([self._action(player) for player in range(self.judge.players)])
        else:
            for action in self._decide(self.state.current_player()):
                self.state.apply_action(action)
        return True

    def _settle(self) -> None:
        """Let OpenSpiel go on to its next question: chance is what it was here, and a single action is no question."""
        while not self.state.is_terminal() and not self.state.is_simultaneous_node():
            chance_node = self.state.is_chance_node()
            asked = self.state.current_player()
            legal = self.state.legal_actions() if chance_node else self.judge.legal(self.state, asked)
            if len(legal) > 1 and not chance_node:
                return
            if len(legal) == 1:
                self.state.apply_action(legal[0])
                continue
            outcome = self.judge.outcome(self.state, self.match, self.draws)
            if outcome not in legal:
                raise _Parted(f"what chance has brought here cannot be there: {outcome} is not in {legal}")
            self.state.apply_action(outcome)

    def _action(self, player: int) -> int:
        """Return what a player does in a node where all decide at once."""
        legal = self.judge.legal(self.state, player)
        return legal[0] if len(legal) == 1 else self._decide(player)[0]

    def _decide(self, player: int) -> Sequence[int]:
        """Compare a decision, make it here, and return the actions that make it there."""
        seat = self.judge.seat(player)
        if self.match.decision is None:
            raise _Parted(f"no player is asked here; there it is player {seat + 1}'s turn")
        if self.match.decision.player != seat:
            raise _Parted(f"here it is player {self.match.decision.player + 1}'s turn, there player {seat + 1}'s")
        ours, theirs = self.judge.ours(self.match), self.judge.theirs(self.state, player)
        if ours.keys() != theirs.keys():
            here, there = sorted(map(str, ours.keys() - theirs.keys())), sorted(map(str, theirs.keys() - ours.keys()))
            raise _Parted(f"only here: {', '.join(here) or '-'}; only there: {', '.join(there) or '-'}")
        self.compared += 1
        key = self.random.choice(list(ours))
        with _noted() as draws:
            for index in ours[key]:
                self.match.pick(index)
        self.draws += draws
        return theirs[key]

    def _compare_ends(self) -> None:
        if not self.match.over:
            raise _Parted("it is over there, and not here")
        if not self.state.is_terminal():
            raise _Parted("it is over here, and not there")
        here, returns = self.judge.returns(self.match), self.state.returns()
        there = [0.0] * len(returns)
        for player, worth in enumerate(returns):
            there[self.judge.seat(player)] = worth
        if any(abs(one - other) > 1e-9 for one, other in zip(here, there, strict=True)):
            raise _Parted(f"it is worth {here} here, {there} there")


def compare(judge: Referee, seeds: Sequence[int]) -> Iterator[Played]:
    """Play a match for each seed, and say how each went.

    Raises:
        ImportError: OpenSpiel is not installed.
    """
    library = openspiel()
    if library is None:
        raise ImportError(NO_REFEREE)
    rules, game = patolli.load(judge.pack, options=dict(judge.options)), library.load_game(judge.spiel)
    for seed in seeds:
        yield _Match(judge, rules, game, seed).play()


def ways(match: patolli.Match, goes_on: Callable[[patolli.Match], bool]) -> Iterator[tuple[list[int], patolli.Match]]:
    """Yield all ways to answer several questions that are one move in OpenSpiel, each with the match after it.

    *goes_on* says of a match after an answer whether the move is not complete yet.
    """
    begun: list[tuple[list[int], patolli.Match]] = [([], match)]
    while begun:
        path, before = begun.pop()
        for index in range(len(before.options() or ())):
            after = before.clone()
            after.pick(index)
            whole = [*path, index]
            if after.decision is not None and goes_on(after):
                begun.append((whole, after))
            else:
                yield whole, after


def their_ways(state: Any, goes_on: Callable[[Any], bool]) -> Iterator[tuple[list[int], Any]]:
    """Yield the same of OpenSpiel, where several of its actions are one move here, each with the state after it."""
    begun: list[tuple[list[int], Any]] = [([], state)]
    while begun:
        path, before = begun.pop()
        for action in before.legal_actions():
            after = before.child(action)
            whole = [*path, action]
            if not after.is_terminal() and goes_on(after):
                begun.append((whole, after))
            else:
                yield whole, after


# ---- how fast both are


def our_match(rules: patolli.Ruleset, players: int, seed: int) -> None:
    """Play a random match of ours."""
    draw = Random(seed).random
    match = rules.start(players, seed)
    options, pick = match.options, match.pick
    while (legal := options()) is not None:
        pick(int(draw() * len(legal)))


def their_match(game: Any, seed: int) -> None:
    """Play a random match of OpenSpiel from Python."""
    random = Random(seed)
    draw, state = random.random, game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(random.choices(outcomes, chances)[0])
        elif state.is_simultaneous_node():
            legals = [state.legal_actions(player) for player in range(game.num_players())]
            state.apply_actions([legal[int(draw() * len(legal))] for legal in legals])
        else:
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
