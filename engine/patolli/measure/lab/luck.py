"""How much each source of chance decides: matches are replayed with one source drawn again, and all else the same.

Chance is drawn by name, so that one shuffle can be another one while all others, and the bots, stay as they
were. How far the result moves then, held against how far results differ at all, is the part that this source has a hand
in (its total effect). Sources act together, so that the parts may add up to more than one.

Source: M. J. W. Jansen, "Analysis of variance designs for model output", Comput. Phys. Commun. 117 (1999) 35.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from patolli.kernel.chance import draw_again
from patolli.language.sources.atomic_files import write_whole
from patolli.language.sources.bounded import read_bounded
from patolli.measure.lab.statistics import Known, Numbers
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.simulation import playout
from patolli.measure.simulation.estimates import Z, points_ahead
from patolli.measure.simulation.games import game_seed
from patolli.run.compiler.layout import DRAWS
from patolli.run.runtime.errors import MatchError

if TYPE_CHECKING:
    from patolli.run.runtime import Match, Ruleset

BOTS = "what bots draw"
"""What bots make up at random, as a source beside those of the game."""
FEWEST = 20
"""Matches below which nothing is said."""


def replay_luck(
    store: Store, rules: Ruleset, matches: int, report_progress: Callable[[int], object] = lambda played: None
) -> dict[str, Any]:
    """Play the first matches of a run with each source of chance drawn again, and return how far the results moved.

    Args:
        store: The run.
        rules: The variant that is played.
        matches: How many; each is played once for each source that it draws from, and once as it was.
        report_progress: Called after each match.

    Returns:
        ``results``: of each match how far the first seat was ahead; ``moved``: by source how far it moved in each.
    """
    plan = store.head
    seats = int(plan["players"])
    bots = None if set(plan["bots"]) == {"random"} else plan["bots"]
    results: list[float] = []
    moved: dict[str, list[float]] = {}

    def play(number: int, again: str = "") -> Match | None:
        seed = game_seed(int(plan["seed"]), number)
        thinking = game_seed(seed, 1) if again == BOTS else None
        try:
            with draw_again("" if again == BOTS else again):
                match = playout(rules, seats, seed, bots, int(plan["limit"]), thinking=thinking)
        except MatchError:
            return None
        return match if match.over else None

    for number in range(matches):
        match = play(number)
        if match is None:
            continue
        first = _ahead(match)
        for source in (BOTS, *sorted(match.state[DRAWS])):
            other = play(number, source)
            known = moved.setdefault(source, [0.0] * len(results))
            known += [0.0] * (len(results) - len(known))  # matches that did not draw from it
            known.append(_ahead(other) - first if other is not None else 0.0)
        results.append(first)
        report_progress(number + 1)
    return {"results": results, "moved": {k: [*v, *[0.0] * (len(results) - len(v))] for k, v in moved.items()}}


def _ahead(match: Match) -> float:
    """Return how far the first seat is ahead of the mean of the others, or its part of the win without scores."""
    scores, seats = match.scores, match.players
    if len(set(scores)) > 1 and seats > 1:
        return points_ahead(scores, 0)
    return 1 / len(match.winners) if 0 in match.winners else 0.0


def shares(found: Mapping[str, Any]) -> dict[str, Known]:
    """Return by source the part of the variance that it has a hand in, with its interval; the largest first."""
    results = np.asarray(found["results"], dtype=float)
    if len(results) < FEWEST or not results.std():
        return {}
    known = {source: _share(results, np.asarray(moved, dtype=float)) for source, moved in found["moved"].items()}
    return dict(sorted(known.items(), key=lambda pair: -pair[1].value))


def _share(results: Numbers, moved: Numbers) -> Known:
    """Estimate a ratio of means, and its error by linearizing it."""
    spread = (results - results.mean()) ** 2
    value = float((moved**2).mean() / (2 * spread.mean()))
    rest = moved**2 / 2 - value * spread
    half = Z * float(rest.std(ddof=1) / (len(results) ** 0.5 * spread.mean()))
    low, high = max(0.0, value - half), min(1.0, value + half)
    return Known(min(1.0, value), min(1.0, low), high, len(results))  # a part is never more than the whole


def keep(store: Store, variant: str, found: Mapping[str, Any]) -> Path:
    """Write what was found beside the facts of a run. Raises OSError: it cannot be written."""
    path = _path(store, variant)
    path.parent.mkdir(exist_ok=True)
    write_whole(path, json.dumps({"plan": store.hash, **found}) + "\n")
    return path


def read_found(store: Store, variant: str) -> dict[str, Any] | None:
    """Read what was found before; None where nothing was. Raises StoreError: it is of another run, or damaged."""
    path = _path(store, variant)
    try:
        found: Any = json.loads(read_bounded(path))
    except FileNotFoundError:
        return None
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("plan") != store.hash or not _whole(found):
        raise StoreError(f"{path} belongs to another run; delete it, and run 'patolli lab luck' again")
    return found


def _whole(found: Mapping[str, Any]) -> bool:
    results, moved = found.get("results"), found.get("moved")
    if not isinstance(results, list) or not isinstance(moved, dict):
        return False
    lists: Sequence[Any] = [results, *moved.values()]
    return all(isinstance(one, list) and len(one) == len(results) for one in lists)


def _path(store: Store, variant: str) -> Path:
    return store.folder / "luck" / f"{variant}.json"
