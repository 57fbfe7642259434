"""Run a tournament until the order is certain or all games are played."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from patolli.author.workspace.interrupts import handle_interrupts
from patolli.author.workspace.processes import Lost, Pool
from patolli.language.diagnostics import given
from patolli.language.diagnostics.given import whole
from patolli.language.program.together import together
from patolli.measure.simulation.estimates import Interrupted, judge_in_stages
from patolli.measure.simulation.games import Game, game_seed
from patolli.measure.simulation.parallel import own_context, recipe, unpack
from patolli.measure.tournaments.certainty import find_unsettled, looks
from patolli.measure.tournaments.contests import Contest, Key, play
from patolli.measure.tournaments.ledger import Ledger
from patolli.measure.tournaments.report import Standings, Terms
from patolli.measure.tournaments.schedule import LineUp, unit_size
from patolli.play.players.bots import BotKind, Kind, check_kinds, kind_of
from patolli.run.runtime import Ruleset
from patolli.run.runtime.errors import LIMIT

GAMES = 400
Piece = tuple[Key, LineUp]


def tournament(
    rules: Ruleset,
    bots: Sequence[BotKind],
    games: int = GAMES,
    players: int | None = None,
    seed: int = 0,
    jobs: int = 1,
    limit: int = LIMIT,
    save: Path | str | None = None,
    all_games: bool = False,
    report_progress: Callable[[int], None] | None = None,
) -> Standings:
    """Let bots play against each other, and return how strong they are.

    Every bot plays every seat equally often with the same seeds. The tournament ends when the order is certain
    (probability of error at most 5 %), or when all games are played. The result does not depend on the order of *bots*
    or on *jobs*.

    Args:
        rules: The ruleset.
        bots: At least two kinds of bots with different names, as for ``simulate``.
        games: The maximum number of games; they are played in whole units, at least one.
        players: The number of seats (default: the game's minimum).
        seed: The random seed.
        jobs: The number of processes.
        limit: The number of choices after which a game is abandoned.
        save: A file for finished games. If the file exists, the tournament in it continues.
        all_games: Whether to play all games, even if the order is certain earlier.
        report_progress: Called with the number of games that were finished since the last call.

    Raises:
        TypeError: An argument has the wrong type.
        ValueError: A number is too small, there are too few bots, two bots have the same name, or a bot does not exist.
        LedgerError: The file contains something else; it is a subclass of ``ValueError``.
        OSError: The file cannot be read or written.
    """
    terms = terms_of(rules, bots, games, players, seed, limit)
    jobs = whole(jobs, "the number of processes")
    if jobs < 1:
        raise ValueError(f"the number of processes must be at least 1, not {jobs}")
    rules.start(terms.players, terms.seed)  # compile before forking, so that processes share the result
    ledger = Ledger(Path(save), terms.identity_data(), terms.could_be) if save is not None else None
    began = time.perf_counter()
    try:
        with handle_interrupts() as stopped:
            run = _Run(terms, ledger, jobs, stopped, report_progress or (lambda number: None))
            certain = run.play(all_games)
            interrupted = stopped() and not run.is_spent and (all_games or not certain)
    finally:
        if ledger is not None:
            ledger.close()
    failed = ledger.failed if ledger is not None else None
    return Standings(terms, run.contests, time.perf_counter() - began, certain, interrupted, failed)


def terms_of(rules: Ruleset, bots: Sequence[BotKind], games: int, players: int | None, seed: int, limit: int) -> Terms:
    """Return the terms of a tournament, after checking them; the arguments are those of :func:`tournament`.

    Raises:
        TypeError: See :func:`tournament`.
        ValueError: See :func:`tournament`.
    """
    if not isinstance(rules, Ruleset):
        raise TypeError(f"the first argument must be a Ruleset from load(), not {rules!r}")
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        raise TypeError(f"the bots of a tournament must be a list, not {bots!r}")
    kinds = sorted(map(kind_of, bots))
    if len(kinds) < 2:
        raise ValueError(f"a tournament needs at least 2 bots, not {len(kinds)}")
    for one, other in pairwise(kinds):
        if one == other:
            raise ValueError(f"two bots have the name {str(one)!r}; rename one of them, such as other=module:Class")
    low, high = rules.players
    number = low if players is None else whole(players, "the number of players")
    if not low <= number <= high:
        wanted = str(low) if low == high else f"{low} to {high}"
        raise ValueError(f"{rules.title} is for {wanted} players, not {number}")
    if whole(games, "the number of games") < 1 or whole(limit, "the limit of choices") < 1:
        raise ValueError("the number of games and the limit of choices must be at least 1")
    check_kinds(kinds, rules, number)
    apart = number == 1 or together(rules.resolved_program)
    size = unit_size(len(kinds), number, apart)
    return Terms(rules, tuple(kinds), number, max(1, games // size), size, given.check_seed(seed), limit, apart)


class _Run:
    """The games so far, and how to play more."""

    def __init__(
        self,
        terms: Terms,
        ledger: Ledger | None,
        jobs: int,
        stopped: Callable[[], bool],
        report_progress: Callable[[int], None],
    ) -> None:
        self.terms, self.ledger, self.jobs, self.stopped, self.report_progress = (
            terms,
            ledger,
            jobs,
            stopped,
            report_progress,
        )
        self.known = dict(ledger.contests) if ledger is not None else {}
        self.contests: list[Contest] = []
        self._units = 0

    def play(self, all_games: bool) -> bool:
        """Play until the order is certain or all games are played; return whether the order is certain."""
        certain = False

        def judge(units: int) -> bool:
            nonlocal certain
            certain = not find_unsettled(Standings.fit(self.terms, self.contests), self.terms.units)
            return certain and not all_games

        with suppress(Interrupted):
            judge_in_stages(looks(self.terms.units), self._play_units, judge, bool)
        return certain

    @property
    def is_spent(self) -> bool:
        """Whether all games were played."""
        return self._units == self.terms.units

    def _play_units(self, end: int) -> None:
        """Play the next units up to, but not including, *end*. Raises Interrupted: not all games were finished."""
        wanted = [
            ((unit, number), line_up)
            for unit in range(self._units, end)
            for number, line_up in enumerate(self.terms.unit(unit))
        ]
        found = {key: self.known[key] for key, line_up in wanted if self._is_known(key, line_up)}
        self.report_progress(len(found))
        for contest in self._run_games([piece for piece in wanted if piece[0] not in found]):
            found[contest.key] = contest
            if self.ledger is not None:
                self.ledger.add(contest)
            self.report_progress(1)
        self.contests += [found[key] for key, _ in wanted if key in found]
        if len(found) < len(wanted):
            raise Interrupted
        self._units = end

    def _is_known(self, key: Key, line_up: LineUp) -> bool:
        """Return whether the result of a game is known; a game that failed is played again.

        The cause of a failure may have been fixed: in the program, the bot, or the machine. A game that was abandoned
        at its limit of choices would be the same again, so it is not repeated.
        """
        contest = self.known.get(key)
        if contest is None or (contest.game.fault and contest.game.decisions < self.terms.limit):
            return False
        return contest.line_up == line_up and contest.game.seed == self.terms.seed_of(key[0])

    def _run_games(self, pieces: list[Piece]) -> Iterator[Contest]:
        terms = self.terms
        given = (tuple(terms.kinds), terms.seed, terms.limit)
        if self.jobs <= 1 or len(pieces) <= 1:
            for piece in pieces:
                if self.stopped():
                    return
                yield _play_game(piece, terms.rules, *given)
            return
        context = own_context()
        start = (recipe(terms.rules, context), *given)
        with Pool(context, min(self.jobs, len(pieces)), _play_game, unpack, start) as pool:
            for (key, line_up), found in pool.run_pieces(pieces, self.stopped):
                yield self._record_lost_game(key, line_up, found) if isinstance(found, Lost) else found

    def _record_lost_game(self, key: Key, line_up: LineUp, lost: Lost) -> Contest:
        unit, number = key
        return Contest(unit, number, line_up, Game(number, self.terms.seed_of(unit), 0, fault=str(lost.strerror)))


def _play_game(piece: Piece, rules: Ruleset, kinds: tuple[Kind, ...], seed: int, limit: int) -> Contest:
    key, line_up = piece
    return play(rules, kinds, line_up, key, game_seed(seed, key[0]), limit)
