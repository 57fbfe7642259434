"""Findings: results of a run that a designer should look at, because they are statistically significant.

Each kind of test is a function that returns findings. All tests of one kind together have the false discovery rate
:data:`~patolli.measure.lab.run_data.RATE`. So for a game without findings, at least 95 of 100 reports have none.
"""

from __future__ import annotations

from patolli.measure.lab.kingmaking import kingmakers
from patolli.measure.lab.run_data import OFTEN, Finding, Run
from patolli.measure.lab.run_differences import Changes, find_changes, is_new, leaders, lengths, order_findings
from patolli.measure.lab.runaway import find_runaway
from patolli.measure.lab.seats import seats
from patolli.measure.lab.standouts import dead, how_often, idle, standing_out


def findings(run: Run, against: Run | None = None) -> list[Finding]:
    """Return all that stands out; *against* another run only what is otherwise there, so surely that it is reported."""
    frame, content, options = run.frame, run.content, run.options
    found = [
        *seats(frame, content, run.rate), *dead(run), *how_often(options, content, run.rate),
        *(standing_out(run) if against is None else ()), *idle(run), *kingmakers(frame, content),
        *(find_runaway(run) if against is None else ()),
    ]  # fmt: skip
    if against is None:
        return found
    changes = Changes(content, against.content)
    found = [one for one in found if is_new(one, run, against)]
    found += [*find_changes(run, against, changes), *lengths(run, against), *leaders(run, against)]
    return order_findings(found, changes)


__all__ = ["OFTEN", "Finding", "Run", "findings"]
