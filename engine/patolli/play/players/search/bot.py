"""The bot that searches: it looks ahead in worlds that its seat may be in, for as long as its budget allows."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from patolli.play.players.bot_seats import BotError
from patolli.play.players.search.advice import Advice, advice_of, mixed_advice
from patolli.play.players.search.budgets import Budget
from patolli.play.players.search.engines import Engines, Lost
from patolli.play.players.search.helpers import Found, Helpers, Task
from patolli.play.players.search.matches import Fenced, Matches, Value
from patolli.play.players.search.mixed_answers import Mixing
from patolli.play.players.search.search import Search
from patolli.play.players.search.tree import Ask, Node, order
from patolli.run.compiler.layout import DRAWS
from patolli.run.runtime.option_matching import see_options

if TYPE_CHECKING:
    from patolli.play.players.strategies import Fence
    from patolli.run.runtime import Match

MANY = 1 << 40
DECISIONS = 8
"""For how many decisions a search that is kept is expected to be gone on with."""
BUDGET = Budget(simulations=1000)
"""What a decision costs where nothing is said."""


class SearchBot:
    """Takes the option that a tree search tried most, or that is proved to be best.

    Where something is hidden and the game is small, it mixes its answers instead (:meth:`mixture`).

    The tree is kept from one decision to the next, as far as what happened between them can be found in it. With a
    budget of simulations the same seed gives the same choices; with a time limit that is not certain.
    """

    fence: Fence | None = None
    """The function that returns which options it may take, if it has to do without some; it searches in Python then."""

    def __init__(
        self, seed: int, budget: Budget = BUDGET, value: Value | None = None,
        keep: bool = True, engine: str = "auto", temperature: float = 0.0,
    ) -> None:  # fmt: skip
        """Make a bot.

        Args:
            seed: Decides all that is drawn.
            budget: What one decision may cost.
            value: What a position is worth in the middle of a match, for each seat from 0 to 1; left out, what the
                pack says.
            keep: Whether the tree is kept between decisions.
            engine: What carries it out: ``python``, ``native``, or ``auto`` for the better one that is there. With a
                budget of simulations all answer alike.
            temperature: How far it is from always taking the best option: see :func:`draw_option`; 0 for never.

        Raises:
            ValueError: There is no such engine, or it is not installed.
        """
        self.budget, self.value = budget, value
        self._seed, self._keep, self._temperature = seed, keep, temperature
        self._search: Search | None = None
        self._helpers = Helpers(budget.processes - 1) if budget.processes > 1 else None
        self._past, self._engines = _Past(), Engines(engine, budget)
        self._mixing = Mixing(seed)
        self._prepared: object = None  # the program for which everything is there

    def decide(self, match: Match) -> int:
        """Return the index of the best option that was found. Raises BotError: what values positions does not fit."""
        pending = match.pending
        assert pending is not None
        if len(pending) == 1:
            self._past.note_forced(match)
            return 0
        if self.fence is not None and len(left := self.fence.list_allowed(match)) == 1:
            return left[0]
        try:
            self._prepare(match)
        except ValueError as error:
            raise BotError("mcts", match.decider, str(error), [], tuple(match.choices)) from error
        budget = self.budget
        end = perf_counter() + budget.seconds if budget.seconds else inf
        if (shares := self.mixture(match)) is not None:
            return self._mixing.draw_choice(match, shares)
        search, helped = self._search_match(match, end)
        index = rank_options(search, match, helped)[0]
        if self._temperature and not search.is_decided:
            random = Random(f"{self._seed} {len(match.choices)}")
            index = draw_option(search.root_question(match), helped, self._temperature, random)
        self._past = _Past.after(match, search, index)
        return search.game.real_index(match, index)

    def _search_match(self, match: Match, end: float) -> tuple[Search, Sequence[Found]]:
        search = self.search(match)
        try:
            search, helped = self._with_help(search, match, end)
        except Lost:
            self._engines.give_up()
            self._search = None
            search, helped = self._with_help(self.search(match), match, end)
        self._search = search
        return search, helped

    def advise(self, match: Match) -> Advice:
        """Return what the search thinks of every option of the open question, after what one decision may cost.

        Raises:
            ValueError: The match is over, or what positions are valued by does not fit.
        """
        if match.pending is None:
            raise ValueError("the match is over, so there is no decision")
        self._prepare(match)
        if (shares := self.mixture(match)) is not None:
            return mixed_advice(match, int(match.frame[1]), shares, self._mixing.simulations)
        end = perf_counter() + self.budget.seconds if self.budget.seconds else inf
        self._search = None  # a native search has taken its room
        try:
            search = self._advise_by_search(match, end)
        except Lost:
            self._engines.give_up()
            search = self._advise_by_search(match, end)
        return advice_of(search, match, search.root_question(match))

    def _advise_by_search(self, match: Match, end: float) -> Search:
        search = self._engines.search(Matches(match, value=self.value), match, self._seed)
        search.scoring = match.program.score is not None
        return self._engines.run(search, match, self.budget.simulations or MANY, end)

    def _prepare(self, match: Match) -> None:
        """See to what is needed once before a clock runs. Raises ValueError: what values positions does not fit."""
        if self._prepared is match.program:
            return
        ready = getattr(self.value, "ready", None)
        if ready is not None:
            ready(match)
        self._prepared = match.program
        if self.budget.seconds:
            self._warm_up(match)

    def _warm_up(self, match: Match) -> None:
        """Go through one simulation, and keep nothing of it."""
        if self.fence is None:
            self._mixing.prepare(match)
        try:
            self.search(match).run(1)
        except Lost:
            self._engines.give_up()
        if self._helpers is not None and self.fence is None:
            self._helpers.ask(Task(match, self._seed, 1, 0.0, self.value))
            self._helpers.answers()

    def mixture(self, match: Match) -> list[float] | None:
        """Return how often the bot gives each answer to the open question; None where it gives the best one.

        Answers are mixed where something is hidden, and the game is so small that it can be learned as a whole: who
        always does the same there is seen through. What is spent on it is the budget.
        """
        return self._mixing.mixture(match, self.budget) if self.fence is None else None

    def search(self, match: Match) -> Search:
        """Return the search of a match whose question is open: a new one, or the last one gone on with."""
        old, nodes = self._search, self._past.find_roots(match) if self._keep else None
        worth = old.game.worth if old is not None and isinstance(old.game, Matches) else None
        worth = worth if self._past.fits(match) else None
        if self.fence is not None:
            game: Matches = Fenced(match, self.fence, worth, self.value)
        else:
            game = Matches(match, worth, self.value)
        if old is None or nodes is None or self._engines.changes(old, game, match):
            return self._engines.search(game, match, self._seed + len(match.choices))
        old.go_on(game, nodes)
        return old

    def _with_help(self, search: Search, match: Match, end: float) -> tuple[Search, Sequence[Found]]:
        """Spend the budget on a search, and as much in each of the other processes; return it and what these found."""
        budget = self.budget
        if self._helpers is None or search.is_decided or self.fence is not None:
            return self._spend(search, match, end), ()
        seed = self._seed + len(match.choices)
        seconds = max(0.001, end - perf_counter()) if budget.seconds else 0.0
        self._helpers.ask(Task(match, seed, budget.simulations or MANY, seconds, self.value))
        return self._spend(search, match, end), self._helpers.answers()

    def _spend(self, search: Search, match: Match, end: float) -> Search:
        return self._engines.run(search, match, self.budget.simulations or MANY, end, DECISIONS if self._keep else 1)


def rank_options(search: Search, match: Match, helped: Sequence[Found] = ()) -> list[int]:
    """Return the indices of all options of a match, the best first, as far as a search and its helpers know."""
    bounds, seat = search.root.bounds, search.game.seat
    least = bounds[0][seat] if bounds is not None and search.is_decided else None
    return order(search.root_question(match), seat, least, helped)


def draw_option(ask: Ask, helped: Sequence[Found], temperature: float, random: Random) -> int:
    """Return the index of an option that is drawn: the more often the search tried it, the more likely.

    The probability grows with the number of visits, raised to 1 / *temperature*: near 0 the best option is drawn,
    with 1 each as often as the search tried it. So options that look nearly as good are taken, too, as people do.
    """
    visits = [
        (node.visits if node is not None else 0) + sum(one[at][0] for one in helped)
        for at, node in enumerate(ask.nodes)
    ]
    most = max(1, *visits)
    weights = [(one / most) ** (1 / temperature) for one in visits]
    return random.choices(range(len(visits)), weights if any(weights) else None)[0]


class _Past:
    """What a bot remembers of its last decision, to find the present one in the tree.

    Where nothing is hidden, the choices that were made since are followed on a copy. Where something is, the tree is
    kept only until another player has chosen. What chance has brought since is in no tree.
    """

    def __init__(self) -> None:
        self.choices: list[int] = []
        self.match: Match | None = None  # as it was; only where nothing is hidden
        self.program: object = None
        self.nodes: list[Node] = []
        self.draws: object = None

    @classmethod
    def after(cls, match: Match, search: Search, index: int) -> _Past:
        """Remember a match in which a search has decided for an option, and what it knows of it."""
        past, game = cls(), search.game
        question = game.open_question(match)
        assert question is not None
        past.program, past.draws = match.program, dict(match.state[DRAWS])
        past.choices = [*match.choices, game.real_index(match, index) if isinstance(game, Matches) else index]
        past.nodes = search.roots
        if not game.hides:
            past.match = match.imagine_match(0, question.seat)
            past.choices.pop()
        else:
            past.nodes = search.follow(match, index)
        return past

    def fits(self, match: Match) -> bool:
        """Return whether a match is the one that is remembered, gone on with."""
        return self.program is match.program and match.choices[: len(self.choices)] == self.choices

    def note_forced(self, match: Match) -> None:
        """Note that a question with one answer was answered so."""
        if self.match is None and self.fits(match) and len(match.choices) == len(self.choices):
            self.choices.append(0)

    def find_roots(self, match: Match) -> list[Node] | None:
        """Return the roots of what is known of a match; None where that is nothing."""
        if not self.fits(match) or self.draws != match.state[DRAWS]:
            return None
        since = match.choices[len(self.choices) :]
        if self.match is None:
            return self.nodes if not since and self.nodes[0].asks else None
        here, node = self.match, self.nodes[0]
        seats = here.players
        for index in since:
            pending = here.pending
            if pending is None:
                return None
            if len(pending) > 1:
                frame = here.frame
                ask = node.asks.get(frame[0] * seats + frame[1])
                behind = ask.children.get(see_options(here)[index]) if ask is not None else None
                if behind is None:
                    return None
                node = behind
            here.pick(index)
        return [node] if here.state == match.state or _alike(here, match) else None


def _alike(one: Match, other: Match) -> bool:
    return one.state[2:] == other.state[2:]
