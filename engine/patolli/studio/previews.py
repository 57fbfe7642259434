"""What is known of an option before it is taken; found when somebody asks, as worlds may have to be imagined for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.studio.refusals import Refused
from patolli.terminal.foresight import consequences
from patolli.terminal.hints import Hints
from patolli.terminal.scene import Scene

if TYPE_CHECKING:
    from patolli.studio.table import Table


def preview(table: Table, who: int, index: int) -> dict[str, Any]:
    """Return what an option of the open question brings: a short line, and the sentences of what follows.

    Raises:
        Refused: Somebody else decides, or there is no such option.
    """
    decision = table.match.decision
    if decision is None or table.eye(who) != decision.player:
        raise Refused(409, "you have nothing to decide now")
    if not 0 <= index < len(decision.options):
        raise Refused(404, f"there is no option {index}")
    hints = Hints(Scene(table.match, decision.player), decision)
    option = decision.options[index]
    return {
        "revision": table.revision, "index": index, "tells": hints.tell(option).plain,
        "comes": consequences(hints, option),
    }  # fmt: skip
