"""Replays of matches of a run. The plan and the number of a match determine it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from patolli.measure.lab.facts import Row
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.lab.tables import BLOCK
from patolli.measure.simulation import playout
from patolli.measure.simulation.games import game_seed

if TYPE_CHECKING:
    from patolli.run.runtime import Match, Ruleset


def replay_match(store: Store, variant: str, rules: Ruleset, number: int) -> tuple[Match, Row]:
    """Replay a match; return it with its stored facts. Raises StoreError: no such match; MatchError: its rules fail."""
    block = store.block(variant, number // BLOCK)
    row = next((one for one in block if one["match"] == number), None)
    if row is None:
        raise StoreError(f"{store.folder} has no match {number} of {variant!r}")
    plan = store.head
    bots = None if set(plan["bots"]) == {"random"} else plan["bots"]
    match = playout(rules, int(plan["players"]), game_seed(int(plan["seed"]), number), bots, int(plan["limit"]))
    return match, row
