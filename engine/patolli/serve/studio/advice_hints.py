"""Hints: what a search would choose in place of the acting player, with its reason.

``GET /api/tables/TABLE/hint``: ``{revision, index, words, reason}``. The search runs in a process of the bots, and uses
only what the acting player knows.
"""

from __future__ import annotations

from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Any

from patolli.play.players import BotError
from patolli.run.compiler.layout import SEED
from patolli.run.runtime.errors import MatchError
from patolli.serve.studio.bots import Question, advise
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.wire import answer, at_table, wire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.play.players import Advice
    from patolli.serve.studio.table import Table

ADVISER = "mcts:2s"
"""The search behind a hint."""


async def hint(request: Request) -> Response:
    """``GET hint``."""
    table, who = await at_table(request)
    registry = wire(request).registry
    question, revision = await registry.work(ask_for, table, who), table.revision
    try:
        advice = await registry.bots.ask(advise, question)
    except (BotError, BrokenExecutor, MatchError, ValueError) as error:
        raise Refused(409, f"no hint: {error}") from None
    return answer({"revision": revision, **describe_hint(advice)})


def ask_for(table: Table, who: int) -> Question:
    """Return the question to the bot. Raises Refused: another player decides, or everyone decides at once."""
    match = table.match
    if match.over or not table.acts_for(who, table.eye(who)) or table.eye(who) != table.decider:
        raise Refused(409, "it is not your turn")
    if match.secret or match.decision is None:
        raise Refused(409, "there is no hint while everyone chooses secretly")
    choices, seed = tuple(match.choices), match.state[SEED]
    return Question(table.id, table.rules, match.players, seed, choices, ADVISER, table.decider, match.edits)


def describe_hint(advice: Advice) -> dict[str, Any]:
    """Return the best option of an advice, and one sentence why.

    Raises:
        Refused: The search imagined worlds that contradict what the player has seen. One of them may be the real one.
    """
    if advice.weak:
        raise Refused(409, "no hint: what is hidden here cannot be guessed from what you have seen")
    best, *others = advice.options
    index = best.index
    if best.proved:
        reason = {"win": "It wins for certain.", "draw": "It draws for certain.", "loss": "Every choice loses."}[
            best.proved
        ]
    elif best.value is None:
        reason = f"It is best to vary: take it {100 * best.visits / max(1, advice.simulations):.0f} % of the time."
    else:
        matches = "match" if best.visits == 1 else "matches"
        reason = f"It is worth {100 * best.value:.0f} % of a win in {best.visits:,} imagined {matches}"
        second = next((one for one in others if one.value is not None), None)
        reason += f"; {second.words}: {100 * second.value:.0f} %." if second and second.value is not None else "."
    return {"index": index, "words": best.words, "reason": reason}
