"""Choices of several things, in any order, as in the terminal.

The page keeps the selected things until the choice is complete. With each of them, it requests whether the choice is
complete and which options remain. Until then, nothing is chosen, and no other client is notified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from patolli.play.scene.several import Several
from patolli.run.compiler.asked import DONE
from patolli.serve.studio.ahead import ahead_of, answer_ahead
from patolli.serve.studio.refusals import Refused

if TYPE_CHECKING:
    from patolli.serve.studio.table import Table


def choose_together(
    table: Table, who: int, revision: int, labels: Sequence[str], done: bool, key: str
) -> dict[str, Any]:
    """Choose several things, if the choice is complete: with *done*, or if no option remains.

    Returns:
        ``revision``, and ``more`` if the choice is incomplete: the ``left`` labels that remain, and whether the
        selection is ``enough``.

    Raises:
        Refused: The client does not decide now, or these things cannot be chosen together.
        Stale: The table has changed.
    """
    if (known := table.find_revision(key)) is not None:
        return {"revision": known}
    before = ahead_of(table, who)
    match = before if before is not None else table.match
    decision = table.question_for(who, revision) if before is None else match.decision
    if decision is None or decision.question.kind != "several":
        raise Refused(422, "this decision takes one option, not several")
    wanted = [label for label in dict.fromkeys(labels) if label != DONE]
    if not Several(match).possible(wanted):
        raise Refused(422, "these cannot be chosen together")
    found = Several(match, wanted)
    if not (found.enough and (done or not found.more)):
        left = [option.label for option in found.open_options if option.label != DONE]
        return {"revision": table.revision, "more": {"left": left, "enough": found.enough}}
    answers = [*found.order(), *([DONE] if found.goes_on else [])]
    if before is not None:
        return {"revision": answer_ahead(table, who, revision, answers, key)}
    for number, label in enumerate(answers, 1):
        assert table.match.decision is not None
        index = table.match.decision.labels.index(label)
        table.answer(index, key if number == len(answers) else "", behind=number > 1)
    return {"revision": table.revision}
