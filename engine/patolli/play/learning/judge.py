"""What a network says of matches: a value for each seat, from 0 to 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from patolli.play.learning.features import features_of
from patolli.play.learning.network import Network
from patolli.play.learning.outcomes import Yardstick, outcomes

if TYPE_CHECKING:
    from patolli.run.runtime import Match


@dataclass(frozen=True, slots=True)
class Judge:
    """A network with what its results are measured by; for matches of one ruleset and number of seats.

    It looks at nothing that is hidden from the seat for which it judges, and takes the rest as it is: who is to judge
    fairly hands over a match that ``determinize`` drew.
    """

    network: Network
    measured: Yardstick

    def values(self, matches: Sequence[Match], seat: int) -> list[float]:
        """Return what each of some matches is worth to a seat; of one that is over, what its end is worth."""
        found = {n: outcomes(match, self.measured)[seat] for n, match in enumerate(matches) if match.over}
        going = [match for match in matches if not match.over]
        if going:
            reported = iter(self.network.values(features_of(going[0]).of(going, seat)).tolist())
            found.update((n, next(reported)) for n, match in enumerate(matches) if not match.over)
        return [found[n] for n in range(len(matches))]

    def by_seat(self, match: Match) -> list[float]:
        """Return what a match is worth to each seat, for leaves of a search; automated seats get what players leave."""
        if match.over:
            return outcomes(match, self.measured)
        features, players = features_of(match), match.players - match.ruleset.model.automated
        columns = features.columns([match])
        found = [float(self.network.values(features.extract_features(columns, seat))[0]) for seat in range(players)]
        return [*found, *[1.0 - sum(found) / players] * match.ruleset.model.automated]
