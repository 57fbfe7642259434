"""What a search thinks of a decision: how often each option was tried, what it is worth, and what would come next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from patolli.play.players.search.matches import Impossible, Matches
from patolli.play.players.search.search import Search
from patolli.play.players.search.tree import Ask, Node, order
from patolli.run.runtime import Match

LINE = 6
"""Answers of a main line, at most."""
THIN = 8
"""Simulations behind an answer below which nothing is said about what would come next."""


@dataclass(frozen=True, slots=True)
class Considered:
    """One option with the results of a search.

    Attributes:
        index: The position among the options, from 0.
        label: The text that is typed and compared.
        words: The name for people.
        visits: The simulations that took it. If the bot mixes options (:meth:`SearchBot.mixture`), its share of them.
        value: The mean result of the seat in them, from 0 to 1; None if it was never tried.
        score: The mean score of the seat at their end, or where they are cut off. None if the pack declares no score,
            or it was never tried.
        proved: ``"win"``, ``"draw"`` or ``"loss"`` if that is certain, else nothing.
        line: The choices that are likely to follow, in words and with their players: first the option itself.
    """

    index: int
    label: str
    words: str
    visits: int
    value: float | None
    score: float | None
    proved: str
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """How a search rates the options of the open question.

    Attributes:
        seat: The seat that chooses, from 0.
        simulations: The number of simulations, including those of earlier decisions that are still useful.
        options: All options, the best first.
        weak: The number of simulated worlds that may contradict what the seat has seen; see :attr:`Match.basis`.
    """

    seat: int
    simulations: int
    options: tuple[Considered, ...]
    weak: int = 0

    @property
    def best(self) -> Considered:
        """The option that the bot would choose."""
        return self.options[0]

    def __str__(self) -> str:
        """Return a table of it for people, the best option first."""
        return self.table()

    def table(self, most: int | None = None) -> str:
        """Return a table for people of the best *most* options, or of all."""
        lines = [f"{'tried':>8}  {'value':>5}  {'score':>6}  option, and what is likely to follow"]
        for one in self.options[:most]:
            value = one.proved or ("" if one.value is None else f"{one.value:.2f}")
            score = "" if one.score is None else f"{one.score:.1f}"
            lines.append(f"{one.visits:>8}  {value:>5}  {score:>6}  {one.words}")
            lines += [f"{'':25}{step}" for step in one.line[1:]]
        if self.weak:
            lines.append(f"{self.weak} of the imagined matches may contradict what the player has seen")
        return "\n".join(line.rstrip() for line in lines)


def advice_of(search: Search, match: Match, ask: Ask) -> Advice:
    """Return what a search thinks of a match."""
    decision, seat = match.decision, search.game.seat
    assert decision is not None
    bounds = search.root.bounds
    least = bounds[0][seat] if bounds is not None and search.is_decided else None
    found = []
    for index in order(ask, seat, least):
        node, option = ask.nodes[index], decision.options[index]
        visits = node.visits if node is not None else 0
        found.append(
            Considered(
                index, option.label, option.words, visits,
                node.total / visits if node is not None and visits else None,
                node.scores / visits if node is not None and visits and search.scoring else None,
                _describe_proof(node, seat),
                _line(search, option.index, option.words),
            )
        )  # fmt: skip
    weak = search.game.weak
    return Advice(seat, ask.visits, tuple(found), weak)


def mixed_advice(match: Match, seat: int, shares: Sequence[float], simulations: int) -> Advice:
    """Return what is known of a match in which answers are mixed: how often to give each, of so many simulations."""
    decision = match.decision
    assert decision is not None
    found = [
        Considered(one.index, one.label, one.words, round(share * simulations), None, None, "", (one.words,))
        for one, share in zip(decision.options, shares, strict=True)
    ]
    return Advice(seat, simulations, tuple(sorted(found, key=lambda one: -one.visits)))


def _describe_proof(node: Node | None, seat: int) -> str:
    if node is None or node.bounds is None or node.bounds[0][seat] != node.bounds[1][seat]:
        return ""
    outcome = node.bounds[0][seat]
    return "win" if outcome >= 1 else "loss" if outcome <= 0 else "draw"


def _line(search: Search, index: int, words: str) -> tuple[str, ...]:
    """Return what was tried most after an option, in a world that the seat may be in."""
    game, nodes, line = search.game, search.roots[:], [words]
    assert isinstance(game, Matches)
    try:
        world = game.world(Random(0))
        while len(line) <= LINE:
            nodes = search.step(nodes, world, index)
            game.pick(world, index)
            while (asked := game.open_question(world)) is not None and len(asked.options) == 1:
                game.pick(world, 0)
            if asked is None:
                break
            following = search.likely(nodes, world, asked, THIN)
            if following is None:
                break
            index = following
            decision = world.decision
            assert decision is not None
            line.append(f"{world.names[asked.seat]}: {decision.options[index].words}")
    except Impossible:
        pass
    return tuple(line)
