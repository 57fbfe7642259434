"""How long a search thinks, as it is written behind the name of a bot: ``2000``, ``1s``, ``300ms``, ``2000x2``."""

from __future__ import annotations

import re
from dataclasses import dataclass

FORM = re.compile(r"([0-9]+)(?:\.([0-9]{1,3}))?(ms|s)?(?:x([0-9]+))?")
LONGEST, MOST = 3600.0, 999_999_999
"""Seconds, and simulations, that one decision may take."""
PROCESSES = 64


@dataclass(frozen=True, slots=True)
class Budget:
    """What one decision may cost: so many *simulations*, and so many *seconds*; 0 is no limit.

    In several *processes* each gets the whole budget, and what they found is added up.
    """

    simulations: int = 0
    seconds: float = 0.0
    processes: int = 1

    def __str__(self) -> str:
        spent = str(self.simulations)
        if not self.simulations:
            whole = self.seconds == int(self.seconds)
            spent = f"{int(self.seconds)}s" if whole else f"{round(self.seconds * 1000)}ms"
        return spent + (f"x{self.processes}" if self.processes > 1 else "")

    @classmethod
    def of(cls, text: str) -> Budget | None:
        """Return the budget of a text; None where it has another form. Raises ValueError: it cannot be spent."""
        found = FORM.fullmatch(text)
        if found is None or (found[2] and not found[3]):
            return None
        processes = _whole(found[4] or "1")
        if not 1 <= processes <= PROCESSES:
            raise ValueError(f"a search runs in 1 to {PROCESSES} processes, not {found[4][:20]}")
        if _whole(found[1]) > MOST and not found[3]:
            raise ValueError(f"a search takes {MOST:,} simulations at most for one decision, not {text[:40]}")
        number = float(f"{_whole(found[1])}.{found[2] or 0}")
        if not number:
            raise ValueError("a search needs a budget: a number of simulations, or a time such as 300ms or 1s")
        if not found[3]:
            return cls(int(number), 0.0, processes)
        seconds = number / 1000 if found[3] == "ms" else number
        if seconds > LONGEST:
            raise ValueError(f"a search takes an hour at most for one decision, not {text[:40]}")
        return cls(0, seconds, processes)


def _whole(digits: str) -> int:
    """Return a number, or one that is too large for anything: Python reads none of thousands of digits."""
    return int(digits.lstrip("0")[:12] or 0)
