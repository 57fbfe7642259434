"""The laws that hold at every decision of every match; used by the tests of all packs."""

from __future__ import annotations

import json
from random import Random

from patolli.run.runtime import Match, Ruleset


def play_by_the_laws(rules: Ruleset, players: int, seed: int, decisions: int = 400, stride: int = 7) -> Match:
    """Play a random match to its end, or up to a number of decisions, and check everything on the way.

    Every *stride*-th decision is also saved, restored and copied; all copies are kept, and their digests are compared
    again at the end.
    """
    match = rules.start(players, seed)
    draw = Random(seed * 7919 + players)
    kept: list[tuple[Match, str]] = []
    count = 0
    while match.pending is not None and count < decisions:
        assert not match.broken(), f"after {count} decisions of seed {seed}: {match.broken()}"
        assert match.pending, "a question without an option"
        if count % stride == 0:
            kept.append(_examine(rules, match))
        match.pick(draw.randrange(len(match.pending)))
        count += 1
    assert not match.broken()
    if match.over:
        assert match.digest() == rules.replay(match.players, seed, match.choices).digest()
    for copy, digest in kept:
        assert copy.digest() == digest, "a copy changed when its original went on"
    return match


def _examine(rules: Ruleset, match: Match) -> tuple[Match, str]:
    digest = match.digest()
    labels = [option.label for option in match.decision.options]
    assert len(set(labels)) == len(labels), f"two options read the same: {labels}"
    cut = len(match.pending) - match.extra
    for values in (match.pending[:cut], match.pending[cut:]):
        assert len({json.dumps(v) for v in values}) == len(values)
    copy = match.clone()
    assert copy == match
    assert copy.digest() == digest
    assert not {id(x) for x in _lists(copy)} & {id(x) for x in _lists(match)}, "a copy shares a list"
    again = rules.restore(match.to_json())
    assert again == match
    assert again.digest() == digest
    assert [option.label for option in again.decision.options] == labels
    index = len(match.pending) // 2
    one, two = match.clone(), again
    one.pick(index)
    two.pick(index)
    assert one.digest() == two.digest()
    assert one.pending == two.pending
    back = match.clone()
    back.choose(index)
    if back.undo():
        assert (back.digest(), back.pending, back.choices) == (digest, match.pending, match.choices), "undone is undone"
    assert match.digest() == digest, "a copy changed its original"
    return copy, digest


def _lists(match: Match) -> list[object]:
    lists = [x for x in match.state if isinstance(x, list | dict)]
    return [match.state, *lists, *match.state[0]]


def views_keep_secrets(rules: Ruleset, players: int, seed: int, decisions: int) -> None:
    """Exchange what a player cannot see, and check that the player's view stays the same."""
    match = rules.start(players, seed)
    draw = Random(seed)
    for _ in range(decisions):
        if match.pending is None:
            return
        for player in range(players):
            before = json.dumps(match.view(player))
            other = match.clone()
            _mix_hidden(other, player, draw)
            other.pending = match.pending
            assert json.dumps(other.view(player)) == before, f"player {player + 1} sees something hidden"
        match.pick(draw.randrange(len(match.pending)))


def _mix_hidden(match: Match, player: int, draw: Random) -> None:
    """Permute the pieces of a kind among all places that *player* cannot look into."""
    layout = match.program.layout
    for kind in layout.at:
        slots = []
        for place in layout.model.places.values():
            if place.of != kind or place.type not in ("pile", "area"):
                continue
            base, sizes = layout.places[place.name]
            for slot in layout.slots(base, sizes):
                owner = (slot - base) // max(1, len(layout.slots(base, sizes[1:])))
                if place.visible == "none" or (place.visible == "owner" and owner != player):
                    slots.append(slot)
        pieces = [p for slot in slots for p in match.state[slot]]
        draw.shuffle(pieces)
        for slot in slots:
            number = len(match.state[slot])
            match.state[slot][:] = pieces[:number]
            for piece in pieces[:number]:
                match.state[layout.at[kind] + piece] = slot
            del pieces[:number]
