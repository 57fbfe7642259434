"""Hold the environments against the tests of PettingZoo, Gymnasium and OpenSpiel, with warnings as errors.

    python tools/environment_checks.py                 # every shipped pack and module, every number of players
    python tools/environment_checks.py city_of_gods    # one, or several

A line for each says how many numbers are observed, how many actions there are, and how long that took.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "engine"))

import patolli  # noqa: E402 - the path is set first
from patolli import environments  # noqa: E402
from patolli.language.packs.manifest import read_pack  # noqa: E402
from patolli.measure.environments.actions import Actions  # noqa: E402
from patolli.run.runtime import Ruleset  # noqa: E402

LIMIT = 400
"""Steps after which a match is broken off, so that long ones take no longer."""


def rulesets(names: list[str]) -> Iterator[tuple[str, Ruleset]]:
    """Yield the rulesets of packs, and of modules with all that they need."""
    bases = {name for name in patolli.installed() if not read_pack(name).requires}
    for name in names or list(patolli.installed()):
        wanted = read_pack(name).requires
        base = next((one for one in wanted if one in bases), None)
        modules = [*(one for one in wanted if one != base), name] if base else []
        yield name, patolli.load(base or name, modules=modules)


def aec(rules: Ruleset, players: int, cycles: int = 100) -> None:
    """See that PettingZoo is content: its tests of the interface, of seeds and of rendering.

    Raises:
        AssertionError: It is not.
        Warning: It would not do it so.
    """
    with warnings.catch_warnings():  # where pygame is installed, its module imports games with a warning of its own
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test, render_test, seed_test

    def made(**more: Any) -> Any:
        return environments.aec(rules, players, limit=LIMIT, **more)

    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("error")
        api_test(made(), num_cycles=cycles)
        seed_test(made, num_cycles=cycles)
        render_test(made)


def gym(rules: Ruleset, players: int) -> None:
    """See that Gymnasium is content, for the first seat and the last.

    Raises:
        AssertionError: It is not.
        Warning: It would not do it so.
    """
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("error")
        for seat in {0, players - 1}:
            check_env(environments.gym(rules, seat, players=players, limit=LIMIT))


def open_spiel(rules: Ruleset, players: int, matches: int = 2) -> None:
    """See that OpenSpiel is content: its simulation at random, with chance sampled and listed, and what is observed.

    Raises:
        AssertionError: It is not.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    for outcomes in (0, 4):
        game = environments.open_spiel(rules, players, limit=LIMIT, outcomes=outcomes)
        # A game of Python cannot hand over its random numbers, which OpenSpiel writes where chance is sampled.
        sampled = game.get_type().chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
        with redirect_stdout(StringIO()):
            pyspiel.random_sim_test(game, num_sims=matches, serialize=not sampled, verbose=False)
    observing, recalling = (
        make_observation(game),
        make_observation(game, pyspiel.IIGObservationType(perfect_recall=True)),
    )
    state, draw = game.new_initial_state(), Random(0)
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw.choice(state.chance_outcomes())[0])
            continue
        seat = state.current_player()
        observing.set_from(state, seat)
        assert observing.tensor.tolist() == list(state.observation_tensor(seat))
        assert observing.string_from(state, seat) == state.observation_string(seat)
        assert recalling.string_from(state, seat) == state.information_state_string(seat)
        copy, action = state.clone(), draw.choice(state.legal_actions())
        assert copy.information_state_string(seat) == state.information_state_string(seat)
        assert copy.legal_actions() == state.legal_actions()
        state.apply_action(action)
    assert len(state.returns()) == players


def numbered(rules: Ruleset, players: int, seed: int, choices: int = LIMIT) -> int:
    """See in a match at random that all answers to a question have numbers, and no two the same; return how many."""
    actions, match, draw, number = Actions(rules, players), rules.start(players, seed), Random(seed), 0
    for _ in range(choices):
        if match.pending is None:
            break
        found = actions.indices(match)
        assert len(found) == len(set(found)) == len(match.pending)
        assert all(0 <= one < actions.size for one in found)
        number += len(found)
        match.pick(draw.randrange(len(found)))
    return number


def main() -> int:
    """Check all that is named."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("names", nargs="*", help="packs and modules; all that are installed, when left out")
    failed = 0
    for name, rules in rulesets(parser.parse_args().names):
        for players in range(rules.players[0], rules.players[1] + 1):
            begun = time.perf_counter()
            try:
                for check in (aec, gym, open_spiel):
                    check(rules, players)
                for seed in range(3):
                    numbered(rules, players, seed)
            except Exception as error:
                failed += 1
                print(f"{name} {players}: {type(error).__name__}: {error}", flush=True)
                continue
            table = environments.aec(rules, players).table
            size, actions = table.observations.size, table.actions.size
            took = time.perf_counter() - begun
            print(f"{name:<20} {players:>2} players {size:>6} numbers {actions:>6} actions {took:6.1f} s", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
