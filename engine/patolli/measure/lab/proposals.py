"""Which setting to try next: a neighbor of the best one so far, or one of the optimizer (Optuna).

Two things are to be small: by how much the goals are missed, and how far the game is from the pack. The optimizer looks
for settings that cannot be better in one without being worse in the other. Every second setting is a neighbor of the
one that misses least. Neither keeps a state of its own, so a search that was ended goes on as if it had not been.

Source: tree-structured Parzen estimators for several objectives, Y. Ozaki and others, J. Artif. Intell. Res. 73 (2022)
1209.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from importlib import import_module
from random import Random
from typing import Any

from patolli.measure.lab.parameters import Setting, Space
from patolli.measure.lab.tables import NoLibrary

STARTS = 8
"""Settings that are tried at random before anything is learned from them."""
ASKS = 16
"""How often the optimizer is asked again when it names what was tried; then one is drawn."""
Tried = tuple[Setting, tuple[float, float] | None]
"""A setting, and by how much it misses the goals and how far it is from the pack; None where it cannot be played."""


def library() -> Any:
    """Import the optimizer: only who tunes needs it. Raises NoLibrary: it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            optuna = import_module("optuna")
    except ImportError:
        raise NoLibrary("lab tune needs optuna: pip install 'patolli[lab,tune]'") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    return optuna


def propose_setting(space: Space, tried: Sequence[Tried], trials: int, seed: int) -> Setting | None:
    """Return the setting to try next; None when all were tried.

    Args:
        space: What may be turned.
        tried: What was tried so far, in order.
        trials: How many there are to be: where there are no more settings than that, all are tried in turn.
        seed: Decides what is drawn, with how many were tried.
    """
    known = {setting for setting, _ in tried}
    if space.size <= trials:
        return next((setting for setting in space.every() if setting not in known), None)
    if len(tried) >= STARTS and len(tried) % 2 and (near := find_neighbor(space, tried)) is not None:
        return near
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the sampler may change one day
        found = _ask_optuna(space, tried, seed)
    if found not in known:
        return found
    draw = Random(f"{len(tried)} of {seed}")
    while found in known:  # there are more settings than trials, so there is one
        found = tuple(draw.randrange(len(parameter.values)) for parameter in space.parameters)
    return found


def find_neighbor(space: Space, tried: Sequence[Tried]) -> Setting | None:
    """Return a setting that is one step from the one that misses least; None if all were tried.

    Goals are narrow, and a near hit is often one step away. The optimizer looks everywhere.
    """
    done = [(values, setting) for setting, values in tried if values is not None]
    if not done:
        return None
    known, best = {setting for setting, _ in tried}, min(done)[1]
    for at, parameter in enumerate(space.parameters):
        steps = (best[at] - 1, best[at] + 1) if parameter.ordered else range(len(parameter.values))
        for value in steps:
            near = (*best[:at], value, *best[at + 1 :])
            if 0 <= value < len(parameter.values) and near not in known:
                return near
    return None


def _ask_optuna(space: Space, tried: Sequence[Tried], seed: int) -> Setting:
    optuna = library()
    shapes = {
        str(at): optuna.distributions.IntDistribution(0, len(parameter.values) - 1)
        if parameter.ordered
        else optuna.distributions.CategoricalDistribution(range(len(parameter.values)))
        for at, parameter in enumerate(space.parameters)
    }
    number = Random(f"{len(tried)} of {seed}").getrandbits(31)
    sampler = optuna.samplers.TPESampler(n_startup_trials=STARTS, multivariate=True, seed=number)
    study = optuna.create_study(directions=["minimize", "minimize"], sampler=sampler)
    for setting, values in tried:
        params = {str(at): value for at, value in enumerate(setting)}
        state = optuna.trial.TrialState.COMPLETE if values is not None else optuna.trial.TrialState.FAIL
        study.add_trial(optuna.trial.create_trial(state=state, params=params, distributions=shapes, values=values))
    known = {setting for setting, _ in tried}
    for _ in range(ASKS):
        asked = study.ask(shapes)
        found = tuple(int(asked.params[str(at)]) for at in range(len(space.parameters)))
        if found not in known:
            break
        study.tell(
            asked, dict(tried)[found] or None, state=None if dict(tried)[found] else optuna.trial.TrialState.FAIL
        )
    return found
