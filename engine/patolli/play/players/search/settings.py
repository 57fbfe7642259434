"""How a search goes about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Settings:
    """How a search goes about it.

    Attributes:
        exploration: How much is tried that does not look best, in standard deviations of what a seat got; without
            *scaled* in payoffs.
        surely: The same where *ahead* looks for ends of the match, as less of what comes out is random then.
        scaled: Whether exploration follows how far results lie apart.
        proofs: Whether results are proved where they can be.
        ahead: Whether a new question tries each answer for an end of the match; only where results can be proved.
        history: Whether answers that were not tried yet are tried in the order of what they did elsewhere.
        guided: Whether answers beyond the tree are those that did well elsewhere; only with *history*, and only where
            *ahead* is not.
        among: Among how many answers, drawn at random, that one is the best by what it did; only with *guided*.
        margin: Whether a result also says, a little, how far a seat is ahead, where the pack has a score.
        smooth: Where something is hidden, how often others do what they usually did, and not what looks best: who
            cannot see what a player does must not be able to follow it (Heinrich and Silver, Smooth UCT, 2015).
        mixed: Whether answers are mixed where something is hidden and the game is small (``regret``).
        wide: Answers to one question that are tried without more; of further ones there come more with the visits.
        rounds: Rounds after which a simulation is cut off, if there is an estimate of what the position is worth, and
            the turn after them. A round is a turn for each seat, and a turn is over when another seat is asked, or the
            rules call upon the same one again. All are cut off alike: what a position seems to be worth may depend on
            whose turn is over. None plays to the end.
        alone: The same where one seat alone decides, and rules play the others, if any: no other player has to be
            searched for, so a simulation looks further.
    """

    exploration: float = 1.2
    surely: float = 0.7
    scaled: bool = True
    proofs: bool = True
    ahead: bool = True
    history: bool = True
    guided: bool = True
    among: int = 4
    margin: bool = True
    smooth: float = 0.5
    mixed: bool = True
    wide: int = 24
    rounds: int | None = 1
    alone: int | None = 2

    def exploration_rate(self, looking: bool) -> float:
        """Return how much is tried that does not look best, *looking* for ends of the match or not."""
        return self.surely if looking else self.exploration

    def turns(self, seats: int, alone: bool) -> int | None:
        """Return after how many turns a simulation is cut off; None where it goes on to the end."""
        rounds = self.alone if alone else self.rounds
        return None if rounds is None else rounds * seats + 1


USUAL = Settings()
PLAIN = Settings(
    1.0, scaled=False, ahead=False, history=False, margin=False, mixed=False, wide=1_000_000, rounds=None, alone=None
)
"""The search of the textbooks, to compare with."""
