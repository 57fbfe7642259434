"""What of the facts of a run a designer should look at: what stands out so far that chance does not explain it.

Each way of looking is a function that returns findings. All the tests of one way together are held at
:data:`~patolli.lab.found.RATE`, so that a report of a game in which there is nothing says nothing in at least 95 of 100
runs, all ways together.
"""

from __future__ import annotations

from patolli.lab.against import Changes, changed, finished, is_new, leaders, lengths
from patolli.lab.found import OFTEN, Finding, Run
from patolli.lab.gifts import kingmakers
from patolli.lab.seats import seats
from patolli.lab.standouts import dead, how_often, standing_out


def findings(run: Run, against: Run | None = None) -> list[Finding]:
    """Return all that stands out; *against* another run only what is otherwise there, so surely that it is told."""
    frame, content, options = run.frame, run.content, run.options
    found = [
        *seats(frame, content), *dead(run), *how_often(options, content),
        *(standing_out(run) if against is None else ()), *kingmakers(frame, options, content),
    ]  # fmt: skip
    if against is None:
        return found
    changes = Changes(content, against.content)
    found = [one for one in found if is_new(one, run, against)]
    found += [*changed(run, against, changes), *lengths(run, against), *leaders(run, against)]
    return finished(found, changes)


__all__ = ["OFTEN", "Finding", "Run", "findings"]
