"""Measure how well the search plays, and how fast it is.

    python tools/bench/search.py proofs               every position of noughts and crosses, proved
    python tools/bench/search.py spiel PACK           against OpenSpiel's MCTSBot, as many simulations each
    python tools/bench/search.py poker                how much could be won from it, through OpenSpiel
    python tools/bench/search.py greedy PACK          against greedy bots on the other seats
    python tools/bench/search.py double PACK          every budget against half of it
    python tools/bench/search.py speed                simulations a second, beside OpenSpiel's searches
    python tools/bench/search.py worlds               worlds a second

Games may be kept in a file as they end (--save); those that it holds already are not played again.

Seats are rotated: in every group of as many games as there are seats the search has each of them once, with the same
seed of the match. Shares are given with the interval in which 95 of 100 such measurements lie (Wilson, 1927). A tie is
half a victory.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from math import sqrt
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "engine")]

from lockstep import Referee, referees  # noqa: E402 - the path is set first

import patolli  # noqa: E402
from patolli.play.players import GreedyBot  # noqa: E402
from patolli.play.players.search import Budget, SearchBot  # noqa: E402

SMALL = ("tic_tac_toe", "connect_four", "breakthrough")


def interval(points: float, games: int, z: float = 1.96) -> tuple[float, float]:
    """Return between which shares of points the true one lies; *games* is at least 1."""
    share, wide = points / games, z * z / games
    middle = (share + wide / 2) / (1 + wide)
    half = z * sqrt(share * (1 - share) / games + wide / games / 4) / (1 + wide)
    return middle - half, middle + half


def told(what: str, points: float, games: int, more: str = "") -> str:
    """Return a line about a share."""
    low, high = interval(points, games)
    return f"{what:<44} {points:>6.1f} of {games:<5} {points / games:6.1%}  ({low:.1%} to {high:.1%})  {more}".rstrip()


class Kept:
    """Games that have ended, by what was measured; in a file, where one is named.

    A game is its points and, against OpenSpiel, the seconds of both.
    """

    def __init__(self, file: Path | None) -> None:
        self._file, self._games = file, dict[str, list[list[float]]]()
        for line in file.read_text("utf-8").splitlines() if file and file.exists() else ():
            what, *game = json.loads(line)
            self._games.setdefault(what, []).append(game)

    def of(self, what: str, games: int, play: Callable[[int], list[float]]) -> list[list[float]]:
        """Return so many games; missing ones are played; a game is played by its number."""
        found = self._games.setdefault(what, [])
        while len(found) < games:
            found.append(play(len(found)))
            if self._file:
                with self._file.open("a", encoding="utf-8") as out:
                    out.write(json.dumps([what, *found[-1]]) + "\n")
        return found[:games]


# -- against OpenSpiel


def spiel_bot(game: Any, simulations: int, seed: int) -> Any:
    """Return OpenSpiel's search, the one in C++, with the settings of its own examples."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, True, seed, False)


def spiel_game(judge: Referee, mine: SearchBot, theirs: Callable[[Any], int], seat: int, seed: int) -> float:
    """Play one game in lock step; return 1, 0.5 or 0 for the search on a *seat*."""
    import pyspiel

    match = patolli.load(judge.pack).start(judge.players, seed)
    state = pyspiel.load_game(judge.spiel).new_initial_state()
    while not match.over:
        there, here = judge.theirs(state, state.current_player()), judge.ours(match)
        decision = match.decision
        assert decision is not None
        if decision.player == seat:
            index = mine.decide(match)
            key = next(key for key, indices in here.items() if indices == (index,))
        else:
            action = theirs(state)
            key = next(key for key, actions in there.items() if actions == (action,))
        state.apply_action(there[key][0])
        match.pick(here[key][0])
    return 0.5 if len(match.winners) != 1 else float(match.winners[0] == seat)


def spiel(pack: str, simulations: int, games: int, mine: Budget, kept: Kept) -> Iterator[str]:
    """Play against OpenSpiel's search."""
    import pyspiel

    judge = next(judge for judge in referees() if judge.pack == pack)
    game = pyspiel.load_game(judge.spiel)

    def play(number: int) -> list[float]:
        bot, spent = spiel_bot(game, simulations, number), 0.0

        def theirs(state: Any) -> int:
            nonlocal spent
            began = process_time()
            action: int = bot.step(state)
            spent += process_time() - began
            return action

        began = process_time()
        searching = SearchBot(number, mine)
        points = spiel_game(judge, searching, theirs, number % 2, number // 2)
        return [points, process_time() - began - spent, spent]

    what = f"{pack}, {mine} against {simulations}"
    played = kept.of(what, games, play)
    points, ours, others = (sum(column) for column in zip(*played, strict=True))
    more = f"{ours / len(played):.2f} s a game, theirs (C++) {others / len(played):.2f} s"
    yield told(what, points, len(played), more)


# -- noughts and crosses


def perfect(state: Any, known: dict[str, list[float]]) -> list[float]:
    """Return what is certain in a state of OpenSpiel for both players."""
    key = str(state)
    if key not in known:
        player = state.current_player()
        after = [] if state.is_terminal() else [perfect(state.child(a), known) for a in state.legal_actions()]
        known[key] = max(after, key=lambda one: one[player]) if after else list(state.returns())
    return known[key]


def proofs(games: int) -> Iterator[str]:
    """Prove all positions of noughts and crosses, and play against the search of OpenSpiel and a perfect player."""
    import pyspiel

    judge = next(judge for judge in referees() if judge.pack == "tic_tac_toe")
    game, known, rules = pyspiel.load_game("tic_tac_toe"), dict[str, list[float]](), patolli.load("tic_tac_toe")
    perfect(game.new_initial_state(), known)
    wrong, number, most, seen = 0, 0, 0, {""}
    open_ = [(game.new_initial_state(), rules.start(2, 1))]
    while open_:
        state, match = open_.pop()
        if len(match.options() or ()) > 1:
            bot = SearchBot(1, Budget(100_000))
            search = bot.search(match)
            search.run(100_000)
            sure = tuple((one + 1) / 2 for one in known[str(state)])
            wrong += search.root.bounds != (sure, sure)
            number, most = number + 1, max(most, search.simulations)
        if not match.over:
            there = judge.theirs(state, state.current_player())
            for key, indices in judge.ours(match).items():
                copy = match.clone()
                copy.pick(indices[0])
                after = state.child(there[key][0])
                if str(after) not in seen:
                    seen.add(str(after))
                    open_.append((after, copy))
    yield f"tic_tac_toe: {number} positions, {wrong} not proved or proved wrong, {most} simulations at most"
    for name in ("OpenSpiel", "perfect play"):
        lost, draw = 0, Random(1)
        for seed in range(games):
            bot = spiel_bot(game, 1000, seed)

            def best(state: Any) -> int:
                player = state.current_player()
                best_ = known[str(state)][player]
                return draw.choice([a for a in state.legal_actions() if known[str(state.child(a))][player] == best_])  # noqa: B023

            theirs = bot.step if name == "OpenSpiel" else best
            lost += spiel_game(judge, SearchBot(seed, Budget(1000)), theirs, seed % 2, seed // 2) == 0
        yield f"tic_tac_toe: {lost} of {games} games lost against {name}"


# -- poker


def policy_of(rules: Any, state: Any, player: int, bot: SearchBot, known: dict[Any, dict[str, float]]) -> Any:
    """Return how often the bot gives each answer, by label, where a player of OpenSpiel's poker stands.

    It learns the whole game from the beginning, whatever it is asked. So it learns once, with its whole budget, and
    says then what it does at each information set.
    """
    deals, line = [], []
    for one in state.full_history():
        (deals if one.player < 0 else line).append(one.action)
    ranks = 2 if len(state.get_game().new_initial_state().chance_outcomes()) > 3 else 1
    words = _labels(state)
    own, common = deals[player] // ranks, deals[2] // ranks if len(deals) > 2 else -1
    if (key := (player, own, common, tuple(words))) not in known:
        match = _dealt(rules, player, own, common, words)
        shares = bot.mixture(match)
        bot.budget = Budget(2)
        if shares is None:
            shares = [1.0] * len(match.options() or ())  # it almost never comes there
        decision = match.decision
        assert decision is not None
        known[key] = dict(zip(decision.labels, shares, strict=True))
    return known[key]


def _labels(state: Any) -> list[str]:
    again, found = state.get_game().new_initial_state(), []
    for one in state.full_history():
        if one.player >= 0:
            found.append(again.action_to_string(one.player, one.action).lower())
        again.apply_action(one.action)
    return found


def _dealt(rules: Any, player: int, own: int, common: int, words: list[str]) -> Any:
    """Return a match in which a player holds a card, with the common card and the bets so far."""
    names = "jack", "queen", "king"
    for seed in count():
        match = rules.start(2, seed)
        if not match.view(player)["places"]["hand"][f"player_{player + 1}"][0].startswith(names[own]):
            continue
        for word in words:
            match.choose(word)
        if common < 0 or match.view(player)["places"]["common"][0].startswith(names[common]):
            return match
    raise AssertionError


POKER = {"kuhn_poker": "tests/data/kuhn", "leduc_poker": "content/gallery/leduc_poker"}


def exploited(name: str, pack: str, simulations: int, seed: int) -> tuple[float, float]:
    """Return what a best answer wins from the bot in a game of OpenSpiel, and what it wins from chance."""
    import pyspiel
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import exploitability

    game = pyspiel.load_game(name)
    table, known = policies.TabularPolicy(game), dict[Any, dict[str, float]]()
    rules, bot = patolli.load(pack), SearchBot(seed, Budget(simulations))
    chance = exploitability.exploitability(game, table)
    for state, row in zip(table.states, table.action_probability_array, strict=True):
        player = state.current_player()
        shares = policy_of(rules, state, player, bot, known)
        for action in range(len(row)):
            row[action] = shares.get(state.action_to_string(player, action).lower(), 0.0) * (row[action] > 0)
        row /= row.sum()
    return exploitability.exploitability(game, table), chance


def poker(simulations: int, seed: int) -> Iterator[str]:
    """Measure what a best answer wins from the search in Kuhn and Leduc poker, beside chance."""
    for name, pack in POKER.items():
        found, chance = exploited(name, str(ROOT / pack), simulations, seed)
        times = f"{chance / found:.1f} times"
        yield f"{name}: {found:.3f} can be won from {simulations} simulations, {chance:.3f} from chance ({times})"


# -- packs


def rotated(pack: str, players: int, mine: Any, others: Any, seed: int = 0) -> Callable[[int], list[float]]:
    """Return what plays a game by its number; *mine* has one seat, which goes round. A shared victory is shared."""
    name, *modules = pack.split("+")
    rules = patolli.load(name, modules)

    def play(number: int) -> list[float]:
        seat = number % players
        bots = [mine if one == seat else others for one in range(players)]
        match = patolli.playout(rules, players, seed + number // players, bots)
        return [(seat in match.winners) / max(1, len(match.winners))]

    return play


def won(what: str, games: int, play: Callable[[int], list[float]], kept: Kept) -> str:
    """Play games, and return the line about how much of them was won."""
    return told(what, sum(points for (points,) in kept.of(what, games, play)), games)


def greedy(pack: str, players: int, budget: Budget, games: int, seed: int, kept: Kept) -> Iterator[str]:
    """Play a search against greedy bots."""
    play = rotated(pack, players, partial(SearchBot, budget=budget), GreedyBot, seed)
    yield won(f"{pack}, {players} players, {budget} against greedy", games, play, kept)


def double(pack: str, players: int, least: Budget, rungs: int, games: int, kept: Kept) -> Iterator[str]:
    """Play every budget against half of it."""
    for rung in range(rungs):
        whole, half = (
            replace(least, simulations=least.simulations * much, seconds=least.seconds * much)
            for much in (2 << rung, 1 << rung)
        )
        mine, others = (partial(SearchBot, budget=budget) for budget in (whole, half))
        what = f"{pack}, {players} players, {whole} against {half}"
        yield won(what, games, rotated(pack, players, mine, others), kept)


# -- speed


def speed(seconds: float) -> Iterator[str]:
    """Count simulations a second from the beginning of games, in turns with OpenSpiel's searches."""
    import pyspiel

    for pack in SMALL:
        judge = next(judge for judge in referees() if judge.pack == pack)
        match, game = patolli.load(pack).start(2, 1), pyspiel.load_game(judge.spiel)
        searching = {**_ours(match), **_theirs(game)}
        spent, done = dict.fromkeys(searching, 0.0), dict.fromkeys(searching, 0)
        while min(spent.values()) < seconds:
            for name, search in searching.items():
                run = search(done[name])
                began = process_time()
                done[name] += run()
                spent[name] += process_time() - began
        rates = {name: done[name] / spent[name] for name in done}
        yield f"{pack}: " + ", ".join(f"{name} {rate:,.0f}/s" for name, rate in rates.items())


LONG = (10_000, 50_000)
"""Simulations at a time, natively."""
Run = Callable[[], int]
"""Searches, and returns how many simulations there were."""


def _ours(match: Any) -> dict[str, Callable[[int], Run]]:
    """Return our searches of a match by name: what makes one ready with a seed."""
    found: dict[str, Callable[[int], Run]] = {}
    for engine, slice_ in (("python", 400), *(("native", number) for number in LONG)):
        bots = SearchBot(1, Budget(slice_), keep=False, engine=engine)

        def ready(seed: int, bot: SearchBot = bots, slice_: int = slice_) -> Run:
            return partial(bot.search(match).run, slice_)

        found[f"{engine}, {slice_} at a time"] = ready
    return found


def _theirs(game: Any) -> dict[str, Callable[[int], Run]]:
    """Return OpenSpiel's searches of a game, the one in Python and the one in C++, for as many as ours at a time."""
    from open_spiel.python.algorithms import mcts

    state = game.new_initial_state()

    def python(seed: int) -> Run:
        bot = mcts.MCTSBot(game, 2.0, 400, mcts.RandomRolloutEvaluator(1), solve=True)
        return lambda: bot.mcts_search(state) and 400

    def compiled(number: int, seed: int) -> Run:
        bot = spiel_bot(game, number, seed)
        return lambda: bot.mcts_search(state).explore_count

    found = {f"OpenSpiel, C++, {number} at a time": partial(compiled, number) for number in LONG}
    return {"OpenSpiel, Python, 400 at a time": python, **found}


def worlds(seconds: float) -> Iterator[str]:
    """Count worlds a second in the middle of random matches."""
    for pack, players in (
        ("connect_four", 2),
        ("leduc_poker", 2),
        ("city_of_gods", 2),
        ("city_of_gods", 4),
        ("founders", 2),
    ):
        rules = patolli.load(str(ROOT / "content/gallery" / pack) if pack == "leduc_poker" else pack)
        draw, match, number = Random(1), rules.start(players, 1), 0
        while (
            (options := match.options()) is not None
            and len(match.choices) < 60
            and (pack[0] != "l" or not match.choices)
        ):
            match.pick(draw.randrange(len(options)))
        match = match if not match.over else rules.start(players, 1)
        match.determinize(0, 1)
        began = process_time()
        while process_time() - began < seconds:
            number += 1
            match.determinize(0, number)
        yield f"{pack}, {players} players: {number / (process_time() - began):.0f} worlds a second"


BUDGETED = "spiel", "greedy", "double"
"""What takes a budget that is no number of simulations."""


def budgeted(text: str) -> Budget:
    """Return the budget that a text names.

    Raises:
        ArgumentTypeError: It names none.
    """
    try:
        found = Budget.of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if found is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no budget; one is 2000, 300ms, 1s or 2000x2")
    return found


def main() -> None:
    """Measure the requested searches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("proofs", "spiel", "poker", "greedy", "double", "speed", "worlds"))
    parser.add_argument("pack", nargs="?", default="connect_four", help="a pack, with +MODULE behind it")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--simulations", type=int, default=1000)
    words = f"of the search, such as 1s, where it is not the number of simulations: of {', '.join(BUDGETED)}"
    parser.add_argument("--budget", type=budgeted, help=words)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="where games are kept, to go on with them")
    parser.add_argument("--rungs", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=2.0)
    a = parser.parse_args()
    if a.budget is not None and a.what not in BUDGETED:
        parser.error(f"{a.what} takes no --budget; {', '.join(BUDGETED)} do")
    kept, budget = Kept(a.save), a.budget or Budget(a.simulations)
    lines = {
        "proofs": lambda: proofs(a.games),
        "spiel": lambda: spiel(a.pack, a.simulations, a.games, budget, kept),
        "poker": lambda: poker(a.simulations, a.seed),
        "greedy": lambda: greedy(a.pack, a.players, budget, a.games, a.seed, kept),
        "double": lambda: double(a.pack, a.players, budget, a.rungs, a.games, kept),
        "speed": lambda: speed(a.seconds),
        "worlds": lambda: worlds(a.seconds),
    }
    for line in lines[a.what]():
        print(line, flush=True)


if __name__ == "__main__":
    main()
