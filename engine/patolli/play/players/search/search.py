"""Monte Carlo tree search over what a seat may know.

Each simulation begins in a world that the seat may be in, goes down the tree by upper confidence bounds among the
answers that this world allows, adds one node, plays on at random, and teaches every node on its way what the seat got
that answered there. Chance is what it is in the world, and a node stands for what was answered, not for a state; so
dice and shuffles need no nodes (Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, 2012). Where
something is hidden, each seat has a tree of its own, which distinguishes only what that seat sees.

Where nothing is hidden and nothing left to chance, results are proved on the way (Winands, Björnsson and Saito,
Monte-Carlo Tree Search Solver, 2008), and a search ends when there is nothing left to learn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, log, sqrt
from random import Random
from time import perf_counter
from typing import Any

from patolli.play.players.search.history import History
from patolli.play.players.search.matches import Asked, Impossible, Matches, Payoffs
from patolli.play.players.search.tree import Ask, Bounds, Node, prove_bounds
from patolli.run.runtime import Match
from patolli.run.runtime.decisions import is_asked_again

LONG = 4_000
"""Answers after which a simulation ends in any case."""
EXPLORATION, SURELY = 1.2, 0.7
"""How much is tried that does not look best, in standard deviations of what a seat got; and the same where ends of the
match are looked for, as less of what comes out is random then."""
WIDE = 24
"""Answers to one question that are tried without more; of further ones there come more with the visits."""
AMONG = 4
"""Beyond the tree, among how many answers that are drawn the best one is given, where ends are not looked for."""
SMOOTH = 0.5
"""Where something is hidden, how often others do what they usually did, and not what looks best: who cannot see what
a player does must not be able to follow it (Heinrich and Silver, Smooth UCT, 2015)."""
ROUNDS, ALONE = 1, 2
"""Rounds after which a simulation is cut off, if the position has an estimated worth, and the turn after them.

A round is a turn for each seat, and a turn is over when another seat is asked, or the rules call upon the same one
again. All are cut off alike: what a position seems to be worth may depend on whose turn is over. Where one seat alone
decides, a simulation looks further, as no other player has to be searched for."""


class _Way:
    """One simulation on its way: where it is in each tree, and what was answered.

    ``late`` are answers that others will learn when all have given theirs, ``seat`` is who was asked last, ``called``
    how often that seat had been called upon when it answered, and ``turns`` how many turns have begun.
    """

    __slots__ = ("called", "late", "moves", "nodes", "seat", "steps", "turns")

    def __init__(self, nodes: list[Node]) -> None:
        self.nodes = nodes
        self.steps: list[tuple[Ask, Node, int]] = []
        self.moves: list[tuple[int, int, Any]] = []
        self.late: list[tuple[int, int, Any]] = []
        self.seat, self.called, self.turns = -1, 0, 0


class Search:
    """A search of one position, which can be asked at any time; ``run(n)`` twice is the same as ``run(2 * n)``."""

    def __init__(self, game: Matches, seed: int) -> None:
        self.game, self.seed = game, seed
        self.random = Random(seed)
        self.worlds = Random(f"worlds of {seed}")  # apart, so that many can be drawn at once
        self.history = History()
        self.roots = [Node() for _ in range(game.seats if game.hides else 1)]
        self.simulations = 0
        self.scoring = False  # whether scores are added up where simulations end
        self._most = (ALONE if game.alone else ROUNDS) * game.seats + 1
        self._seen = [0.0] * game.seats  # what each seat got: the mean, and the sum of squared distances from it
        self._spread = [0.0] * game.seats
        self._exploration = SURELY if game.certain else EXPLORATION
        self._scale = [self._exploration * 0.5] * game.seats

    # -- asking for more

    def run(self, simulations: int, end: float = inf, clock: Callable[[], float] = perf_counter) -> int:
        """Run simulations until the outcome is proved or *clock* reaches *end*; return how many there were."""
        done = 0
        while done < simulations and not self.is_decided:
            self.simulate()
            done += 1
            if end < inf and clock() >= end:
                break
        return done

    def go_on(self, game: Matches, roots: list[Node]) -> None:
        """Go on from another position with *roots* that stand for what is known, and with all that was learned."""
        self.game, self.roots = game, roots

    def follow(self, position: Match, index: int) -> list[Node]:
        """Return the roots that stand for what is known after an answer to the open question of a position."""
        return self.step(self.roots, position, index)

    def step(self, nodes: list[Node], position: Match, index: int) -> list[Node]:
        """Return the nodes behind an answer to the open question of a position, one for each tree."""
        asked, nodes = self.game.open_question(position), nodes[:]
        assert asked is not None
        many = len(nodes) > 1
        own = asked.seat if many else 0
        ask = nodes[own].ask(asked.key, self.game.private(position, asked.seat) if many else None)
        mine = ask.children.get(asked.options[index]) or Node()
        if many and not self.game.is_sealed(position):
            _pass(nodes, asked.key, asked.seat, self.game.visible_choice(position, index))
        nodes[own] = mine
        return nodes

    def root_question(self, position: Match) -> Ask:
        """Return what is known of the open question of the real position."""
        question = self.game.open_question(position)
        assert question is not None
        held = self.game.private(position, question.seat) if len(self.roots) > 1 else None
        ask = self.root.ask(question.key, held)
        if ask.options != question.options:
            ask.offer(question.options)
            ask.since -= 1
        return ask

    def likely(self, nodes: list[Node], position: Match, asked: Asked, least: int) -> int | None:
        """Return the index of the answer that was tried most in a position; None where fewer than *least* tried any."""
        many = len(nodes) > 1
        own = nodes[asked.seat if many else 0]
        ask = own.ask(asked.key, self.game.private(position, asked.seat) if many else None)
        tried = [(node.visits if node is not None else 0) for node in map(ask.children.get, asked.options)]
        most = max(tried)
        return tried.index(most) if most >= least else None

    @property
    def root(self) -> Node:
        """Where the tree of the seat begins that searches."""
        return self.roots[self.game.seat % len(self.roots)]

    @property
    def is_decided(self) -> bool:
        """Whether the outcome is proved for the seat that searches."""
        bounds, seat = self.root.bounds, self.game.seat
        return bounds is not None and bounds[0][seat] == bounds[1][seat]

    # -- one simulation

    def simulate(self) -> None:
        """Run one simulation; of one that runs into a world that cannot be, nothing is learned."""
        way = _Way(self.roots[:])
        try:
            position = self.game.world(self.worlds)
            payoffs = self._descend(way, position)
            score = self.game.score(position) if self.scoring else 0
        except Impossible:
            self.simulations += 1
        else:
            self._teach(way, payoffs)
            if way.steps:
                way.steps[0][1].scores += score

    def _descend(self, way: _Way, position: Match) -> Payoffs:
        """Go down the tree, add a node, and play on; return what the seats get."""
        game, nodes, many = self.game, way.nodes, len(way.nodes) > 1
        while (asked := game.open_question(position)) is not None:
            key, seat, options = asked
            if (seat != way.seat or game.count_calls(seat) != way.called) and (
                worth := self._begin_turn(position, way, seat)
            ) is not None:
                return worth
            if len(options) == 1:
                way.called = game.count_calls(seat)
                game.pick(position, 0)
                continue
            if (
                many
                and way.late
                and (not game.is_sealed(position) or is_asked_again([one for _, one, _ in way.late], seat))
            ):
                self._reveal(way)
            own = seat if many else 0
            ask = nodes[own].ask(key, game.private(position, seat) if many else None)
            ask.offer(options)
            if game.certain and not ask.visits and self._look_ahead(position, ask):
                self._spread_proof(ask, seat, way)
                if (known := _proven_payoffs(nodes[0])) is not None:
                    return known
            index, new = self._select(ask, key, seat, nodes[own].bounds)
            node = ask.nodes[index]
            assert node is not None
            way.steps.append((ask, node, seat))
            way.moves.append((key, seat, options[index]))
            if many:
                self._advance_others(way, position, asked, index)
            nodes[own] = node
            way.called = game.count_calls(seat)  # only now, as answers may have been tried on copies
            game.pick(position, index)
            if node.bounds is not None and (known := _proven_payoffs(node)) is not None:
                return known
            if new:
                break
        return self._finish(position, way)

    def _advance_others(self, way: _Way, position: Match, asked: Asked, index: int) -> None:
        """Go down the trees of the seats that only watch: now, or when all have made a simultaneous choice."""
        shown = self.game.visible_choice(position, index)
        if self.game.is_sealed(position):
            way.late.append((asked.key, asked.seat, shown))
        else:
            _pass(way.nodes, asked.key, asked.seat, shown)

    def _reveal(self, way: _Way) -> None:
        for key, seat, shown in way.late:
            _pass(way.nodes, key, seat, shown)
        way.late.clear()

    def _select(self, ask: Ask, key: int, seat: int, bounds: Bounds | None) -> tuple[int, bool]:
        """Return the index of the answer to try, and whether it was never tried before."""
        if ask.untried:
            tried = len(ask.options) - len(ask.untried)
            if tried < WIDE or tried < WIDE + 2 * sqrt(ask.visits):
                index = self.history.best(key, ask.options, ask.untried, self.random)
                ask.grow(index)
                return index, True
        if self.game.hides and seat != self.game.seat and self.random.random() < SMOOTH:
            index = self._usual(ask)
        else:
            index = self._promising(ask, seat, 0.0 if bounds is None else bounds[0][seat])
        node = ask.nodes[index]
        return index, node is not None and not node.visits

    def _usual(self, ask: Ask) -> int:
        """Return the index of a tried answer at random, each as likely as it was tried so far."""
        visits = [node.visits if node is not None else 0 for node in ask.nodes]
        left = self.random.random() * sum(visits)
        for index, number in enumerate(visits):
            left -= number
            if left < 0:
                return index
        return next(index for index, node in enumerate(ask.nodes) if node is not None)

    def _promising(self, ask: Ask, seat: int, least: float) -> int:
        """Return the index of the tried answer with the greatest upper confidence bound, of equals any at random.

        The first of them would be tried more often all over the tree, for no reason but where it stands. What is proved
        to be no better than the *least* that the seat has anyway is only tried where nothing else is.
        """
        scale, since, changed = self._scale[seat], ask.since, ask.changed
        lead = scale * sqrt(log(ask.visits + 1))
        best, most, equals = -1, -1.0, 1
        spare, spared = -1, -1.0
        for index, node in enumerate(ask.nodes):
            if node is None:
                continue
            if changed:
                lead = scale * sqrt(log(node.available + since))
            bound = node.mean + lead * node.rare
            if node.bounds is not None and node.bounds[1][seat] <= least:
                if bound > spared:
                    spare, spared = index, bound
            elif bound > most:
                best, most, equals = index, bound, 1
            elif bound == most:
                equals += 1
                if self.random.random() * equals < 1:
                    best = index
        return best if best >= 0 else spare

    # -- beyond the tree

    def _finish(self, position: Match, way: _Way) -> Payoffs:
        """Play on at random until the match is over, or it is cut off; return what the seats get."""
        game, asked = self.game, self.game.open_question(position)
        if asked is None:
            return self._evaluate_end(position, way)
        moves, played = way.moves, 0
        while asked is not None:
            key, seat, options = asked
            if (seat != way.seat or game.count_calls(seat) != way.called) and (
                worth := self._begin_turn(position, way, seat)
            ) is not None:
                return worth
            index = 0
            if len(options) > 1:
                index = self._guess(key, options)
                moves.append((key, seat, options[index]))
            way.called = game.count_calls(seat)
            game.pick(position, index)
            played += 1
            if played >= LONG:
                return game.value(position) or [0.5] * game.seats
            asked = game.open_question(position)
        return game.payoff(position, game.outcome(position))

    def _guess(self, key: int, options: Sequence[Any]) -> int:
        """Return the index of the answer that a simulation gives where it remembers no positions."""
        draw = self.random.random
        return int(draw() * len(options)) if self.game.certain else self.history.guess(key, options, draw, AMONG)

    def _begin_turn(self, position: Match, way: _Way, seat: int) -> Payoffs | None:
        """Note that a turn begins; return what the position is worth where a simulation is cut off."""
        way.seat = seat
        way.turns += 1
        return self.game.value(position) if way.turns > self._most else None

    def _evaluate_end(self, position: Match, way: _Way) -> Payoffs:
        """Return what the seats get at the end of a match that was reached inside of the tree."""
        outcome = self.game.outcome(position)
        if self.game.certain and way.steps:
            ask, node, seat = way.steps.pop()
            node.bounds = (tuple(outcome), tuple(outcome))
            self._spread_proof(ask, seat, way)
            way.steps.append((ask, node, seat))
        return self.game.payoff(position, outcome)

    def _teach(self, way: _Way, payoffs: Payoffs) -> None:
        """Let everything on the way know what came of it."""
        for ask, node, seat in way.steps:
            ask.visits += 1
            node.visits = visits = node.visits + 1
            node.total = total = node.total + payoffs[seat]
            node.mean = total / visits
            node.rare = 1 / sqrt(visits)
        note = self.history.note
        for key, seat, answer in way.moves:
            note(key, answer, payoffs[seat])
        self.simulations += 1
        self._measure(payoffs)

    def _measure(self, payoffs: Payoffs) -> None:
        """Follow how far apart the results of each seat lie (Welford, 1962)."""
        number = self.simulations
        for seat, payoff in enumerate(payoffs):
            away = payoff - self._seen[seat]
            self._seen[seat] += away / number
            self._spread[seat] += away * (payoff - self._seen[seat])
            if number > 8:
                self._scale[seat] = self._exploration * max(0.05, sqrt(self._spread[seat] / number))

    # -- proofs

    def _look_ahead(self, position: Match, ask: Ask) -> bool:
        """Try every answer to a new question, and write down which end the match, and how; return whether any does."""
        game, found = self.game, False
        for index in range(len(ask.options)):
            trial = game.copy(position)
            game.pick(trial, index)
            if game.open_question(trial) is None:
                outcome = tuple(game.outcome(trial))
                ask.grow(index).bounds = (outcome, outcome)
                found = True
        return found

    def _spread_proof(self, ask: Ask, seat: int, way: _Way) -> None:
        """Compute the consequences for the nodes above a question, from below, as long as something does."""
        steps = way.steps
        for depth in range(len(steps), -1, -1):
            above = steps[depth - 1][1] if depth else self.roots[0]
            bounds = prove_bounds(ask, seat, self.game.seats, self.game.opposed)
            if not _says_more(bounds, above.bounds):
                break
            above.bounds = bounds
            if depth:
                ask, _, seat = steps[depth - 1]


def _proven_payoffs(node: Node) -> Payoffs | None:
    """Return the outcome of a node if it is proved for all seats."""
    if node.bounds is None:
        return None
    low, high = node.bounds
    return low if low == high else None


def _pass(nodes: list[Node], key: int, seat: int, shown: Any) -> None:
    """Replace the nodes of all seats but one, which has answered, by those behind what they see of it."""
    for other, node in enumerate(nodes):
        if other != seat:
            ask = node.ask(key, None)
            behind = ask.children.get(shown)
            if behind is None:
                behind = ask.children[shown] = Node()
            nodes[other] = behind


def _says_more(new: Bounds, old: Bounds | None) -> bool:
    """Return whether bounds say more than others, or than nothing at all."""
    if old is None:
        return any(low > 0 for low in new[0]) or any(high < 1 for high in new[1])
    return new != old
