"""Hold a match against whole invariants: what is played with one program only now and then is soonest held like this.

In:     a match, as ``runtime.invariants`` takes it.
Out:    the same verdicts. To take invariants apart pays where thousands of choices follow; a mutant sees a few.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from patolli.kernel.budget import renew
from patolli.runtime.errors import MatchError, fail
from patolli.runtime.invariants import BrokenInvariant

if TYPE_CHECKING:
    from patolli.runtime import Match


class Whole:
    """Watches one match, as ``runtime.invariants.Watch`` does."""

    def __init__(self, match: Match, when: Callable[[Match], str]) -> None:
        """Begin; *when* says after what something does not hold."""
        self._invariants = match.program.invariants
        self._asleep: set[str] = set()
        self._when = when

    def spare(self, match: Match) -> None:
        """Look away from what does not hold now, or cannot be said."""
        for name in self._invariants:
            try:
                held = self._holds(match, name)
            except MatchError:
                held = False
            if not held:
                self._asleep.add(name)

    def check(self, match: Match) -> None:
        """Hold a match against its invariants.

        Raises:
            BrokenInvariant: One does not hold.
        """
        broken = [name for name in self._invariants if name not in self._asleep and not self._holds(match, name)]
        if broken:
            raise BrokenInvariant(match, broken, self._when(match))

    def _holds(self, match: Match, name: str) -> bool:
        renew()
        try:
            return self._invariants[name](match.state, 0)
        except Exception as error:
            fail(match, error)


__all__ = ["Whole"]
