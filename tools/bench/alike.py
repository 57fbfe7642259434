"""Ask bots what they would do in twins of a match: states that differ only in what the seat cannot see.

    python tools/bench/alike.py [--pairs 10000] [--bot mcts:8] [--seconds 600] [PACK..]

In random matches of every pack in which something is hidden, the player who has to decide gets a twin of the match, as
``tests/twins.py`` makes them, and two bots of one seed decide in both. Twins in which the question has other answers or
which the rules cannot have, are not counted.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "tests")]

from twins import twin  # noqa: E402 - the path is set first

import patolli  # noqa: E402
from patolli.play.players import make_bot  # noqa: E402
from patolli.run.runtime import Match, MatchError  # noqa: E402

PACKS = ("city_of_gods", "founders", *(f"content/gallery/{name}" for name in (
    "battleship", "curios", "goofspiel", "high_water", "leduc_poker", "promises", "skerry",
)), "tests/data/kuhn")  # fmt: skip


def pair(match: Match, draw: Random) -> Match | None:
    """Return a twin for the seat that has to decide; None where there is none that is asked the same."""
    decision = match.decision
    assert decision is not None
    other = twin(match, decision.player, draw)
    if other.state == match.state:
        return None
    other.pending = match.pending
    try:
        other.run()
    except MatchError:
        return None
    same = other.decision is not None and other.decision.player == decision.player
    return other if same and other.pending == match.pending and other.extra == match.extra else None


def pairs(pack: str, seed: int) -> Iterator[tuple[Match, Match]]:
    """Play random matches of a pack, and go through all of their twins, for as long as asked."""
    draw = Random(seed)
    rules = patolli.load(str(ROOT / pack) if "/" in pack else pack)
    low, high = rules.players
    while True:
        match = rules.start(draw.randint(low, high), draw.getrandbits(30))
        while match.pending is not None:
            if len(match.pending) > 1 and (other := pair(match, draw)) is not None:
                yield match, other
            match.pick(draw.randrange(len(match.pending)))


def compared(packs: list[str], kind: str, number: int, seconds: float) -> Iterator[tuple[str, int, int]]:
    """Return for each pack how many pairs were compared, and in how many the bots did not decide alike."""
    for place, pack in enumerate(packs):
        wanted, end = number // len(packs) + (place < number % len(packs)), perf_counter() + seconds / len(packs)
        done = unlike = 0
        for one, other in pairs(pack, place):
            if done >= wanted or perf_counter() > end:
                break
            assert one.decision is not None
            seat = one.decision.player
            unlike += len({make_bot(kind, done, seat).decide(match) for match in (one, other)}) > 1
            done += 1
        yield pack, done, unlike


def main() -> None:
    """Compare as many pairs as are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*", default=list(PACKS))
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--bot", default="mcts:8")
    parser.add_argument("--seconds", type=float, default=600.0)
    a = parser.parse_args()
    whole = [0, 0]
    for pack, done, unlike in compared(a.packs, a.bot, a.pairs, a.seconds):
        print(f"{pack:<32} {done:>6} pairs, {unlike} unlike", flush=True)
        whole = [whole[0] + done, whole[1] + unlike]
    print(f"{'all':<32} {whole[0]:>6} pairs, {whole[1]} unlike")
    sys.exit(1 if whole[1] else 0)


if __name__ == "__main__":
    main()
