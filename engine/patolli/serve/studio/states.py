"""States of a table for clients: the only place where data of a match leaves the server.

All data follows from the view of one seat (``Match.view``, ``telling`` and ``score_sheet`` of that seat), or from the
public view for spectators.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from patolli.play.scene.several import Several, chosen_things
from patolli.run.compiler.asked import DONE
from patolli.run.runtime.last_tricks import find_last_tricks
from patolli.run.runtime.seat_visibility import EVERYBODY
from patolli.run.runtime.views import scores
from patolli.serve.studio.ahead import ahead_of
from patolli.serve.studio.clocks import clock_data
from patolli.serve.studio.past import decider
from patolli.serve.studio.scene import scene_of
from patolli.serve.studio.scene.aims import Aims
from patolli.serve.studio.seats import HOST
from patolli.serve.studio.undo_rules import glance

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patolli.run.runtime import Match, Ruleset
    from patolli.run.runtime.decisions import Decision, Option
    from patolli.run.runtime.match_story import Line
    from patolli.serve.studio.table import Table

Data = dict[str, Any]
LAST_LINES = 100
"""Lines of the log in a state. A separate request returns all of them."""


def state_of(table: Table, who: int, token: str = "") -> Data:
    """Return the current state of a table for a client. The *token* identifies former players."""
    match, eye = table.match, table.eye(who)
    state = _common(table, match, eye)
    return {
        **state,
        "revision": table.revision,
        "stirred": table.stirred,
        "host": who == HOST,
        "away": table.seats.away(token),
        "all": table.sees_all(who),
        "shared": who == HOST and len(table.seats.free()) > 1 and bool(match.program.layout.model.hidden_locations),
        "decision": _find_decision(table, who, eye),
        "clock": clock_data(table, who),
        "undo": glance(table, who),
        "thinking": table.thinking if table.thinking >= 0 else None,
        "content": _content(table, who),
    }


def state_at(table: Table, who: int, number: int) -> Data:
    """Return the state of a table for a client after this number of choices."""
    match = table.past.at(number, table.match.choices)
    # The acting player sits at a shared screen now, even if another one chose then.
    eye = table.eye(who) if table.secretive and not table.match.over else table.eye(who, match)
    return {**_common(table, match, eye), "revision": table.revision, "decision": _decision(match, eye, False)}


def _common(table: Table, match: Match, eye: int) -> Data:
    shown = match.telling(None if eye == EVERYBODY else eye)
    return {
        "table": table.id,
        "pack": {
            "id": table.rules.id,
            "title": table.rules.title,
            "modules": table.rules.module_ids,
            "text": " ".join(table.rules.packs[0].text("text").split()),
            "points": _list_categories(table.rules),
        },
        "seat": eye if eye >= 0 else None,
        "players": match.players,
        "names": list(match.names),
        "bots": [seat.bot for seat in table.seats.places],
        "taken": [seat.taken for seat in table.seats.places],
        "links": [len(seat.former) for seat in table.seats.places],
        "saved": table.seats.saved,
        "open": table.setup.open,
        "over": match.over,
        "moves": len(match.choices),
        "of": len(table.match.choices),
        "rematch": table.course.rematch,
        "scores": scores(match, eye),
        "results": _results(match),
        "sheet": sheet(match, eye),
        "telling": [_line(line) for line in shown[-LAST_LINES:]],
        "told": len(shown),
        "scene": scene_of(match, eye, find_last_tricks(match)),
    }


def _list_categories(rules: Ruleset) -> list[str]:
    """Return all categories of points that the rules and kinds of pieces declare."""
    program = rules.resolved_program
    declared = [kind.category for kind in program.kinds.values()]
    declared += [rule.report_settings.category for rule in program.rules.values()]
    return [one for one in dict.fromkeys(declared) if one]


def telling(match: Match, eye: int) -> list[Data]:
    """Return all lines of the log of a view."""
    return [_line(line) for line in match.telling(None if eye == EVERYBODY else eye)]


def _line(line: Line) -> Data:
    return {"level": line.level, "kind": line.kind, "seat": line.seat, "words": line.words, "at": line.at}


def sheet(match: Match, eye: int) -> Data:
    """Return the score sheet of a view."""
    # After the end, everything is public, so spectators get the whole sheet, too.
    found = match.score_sheet(None if match.over else eye) if match.over or eye != EVERYBODY else None
    if found is None:
        return {"categories": [], "points": [[] for _ in range(match.players)], "totals": scores(match, eye)}
    return {
        "categories": list(found.categories), "points": [list(row) for row in found.points],
        "totals": list(found.totals),
    }  # fmt: skip


def _results(match: Match) -> Data | None:
    if not match.over:
        return None
    return {"winners": match.winners, "ranks": match.ranks, "scores": match.scores}


def _find_decision(table: Table, who: int, eye: int) -> Data | None:
    """Return the decision of a client, which may be simultaneous, or else only the acting player."""
    ahead = ahead_of(table, who)
    if ahead is not None:
        shown = _decision(ahead, eye, True)
        return shown if shown is None else {**shown, "ahead": len(table.course.ahead.get(eye, ()))}
    decision = _decision(table.match, eye, table.acts_for(who, eye))
    if decision is None or not (table.course.ahead.get(eye) and table.acts_for(who, eye)):
        return decision
    return {**decision, "answered": True}


def _decision(match: Match, eye: int, mine: bool) -> Data | None:
    """Return the open decision; prompt and options only for the view of the acting seat."""
    if match.over:
        return None
    seat = decider(match)
    if seat != eye:
        return {"player": seat, "prompt": "", "simultaneous": match.secret, "mine": False, "options": []}
    decision = match.decision
    assert decision is not None
    aims = Aims(match, seat)
    every = Several(match).every if decision.question.kind == "several" else decision.options
    options = [_option(option, aims) for option in every[: len(decision.options)]]
    acting = "" if decision.acts == seat else f"For {match.names[decision.acts]}: "
    return {
        "player": seat, "prompt": f"{acting}{decision.prompt}", "simultaneous": decision.simultaneous, "mine": mine,
        "options": options, "rule": _text_of(match, decision),
        **_several(match, decision, aims, every[len(decision.options) :]),
    }  # fmt: skip


def _text_of(match: Match, decision: Decision) -> str:
    """Return what the pack says about the rule that asks; empty without a text."""
    rule = match.ruleset.resolved_program.rules.get(decision.question.rule.partition("#")[0])
    return "" if rule is None else rule.text


def _several(match: Match, decision: Decision, aims: Aims, others: Sequence[Option]) -> Data:
    """Return the things chosen so far, if the decision takes several, and the options that come after others."""
    question = decision.question
    if question.kind != "several":
        return {"several": False, "chosen": [], "later": []}
    names = match.naming(decision.player).about(decision.player)
    later = [_option(option, aims) for option in others if option.label != DONE]
    words = names.options(question, [(1, one) for one in chosen_things(match, question)])
    return {"several": True, "chosen": words, "later": later}


def _option(option: Option, aims: Aims) -> Data:
    twins = aims.twins(option)
    return {
        "index": option.index, "label": option.label, "words": option.words, "anytime": option.anytime,
        "at": aims.places(option), **({"also": twins} if twins else {}),
    }  # fmt: skip


def _content(table: Table, who: int) -> Data:
    """Return problems and effects of edited content, for the host only."""
    lost = table.lost
    shown: Data = {"lost": None, "differs": [], "problems": [], "fault": ""}
    if who != HOST:
        return shown
    shown["differs"], shown["problems"], shown["fault"] = table.differs, table.problems, table.fault
    if lost is not None and lost.seat in (-1, table.eye(who), *table.seats.free()):
        shown["lost"] = {"number": lost.number, "seat": lost.seat, "label": lost.label, "why": lost.why}
    return shown
