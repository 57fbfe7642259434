"""The report of a run, as plain data for the page and for other programs."""

from __future__ import annotations

from typing import Any

from patolli.measure.lab.boards import boards
from patolli.measure.lab.content import where
from patolli.measure.lab.experiments import list_experiments
from patolli.measure.lab.findings import OFTEN, Finding, Run, findings
from patolli.measure.lab.numbers import Number, numbers
from patolli.measure.lab.statistics import Effect, round_digits
from patolli.measure.lab.units import many
from patolli.measure.lab.verdict import verdict
from patolli.measure.lab.worth import Thing

WORTH = (
    "How much each use changes the final lead and the share of wins. Players who took an option more often are "
    "compared with players in the same seat who were offered it about as often. For a piece that no option names, "
    "players who took more copies are compared with players who saw it from about the same round. The intervals (95 %) "
    "take into account that uses in one match depend on each other. A star marks a result that is probably not luck: "
    "at most 5 % of the stars are expected to be wrong (false discovery rate of Benjamini and Hochberg, over all "
    "options and over all pieces)."
)
WORTH_LIMITS = (
    "An option that bots take when they already lead looks better than it is: this is not corrected. With random bots, "
    "the numbers show what an option is worth in random play."
)


def report(run: Run, against: Run | None = None, known: list[Finding] | None = None) -> dict[str, Any]:
    """Return the report of a run; *known* are its findings, if they are known already.

    Returns:
        ``about``: the setup; ``verdict``: answers to the first questions about a game; ``findings``, ``numbers``,
        ``options`` and ``pieces``: the results; ``boards``: heat maps; ``never``: options and pieces that never
        appeared; ``matches``: all example matches, with their seeds.
    """
    frame = run.frame
    found = findings(run, against) if known is None else known
    alone = found if against is None else findings(run)
    figures = numbers(run)
    data: dict[str, Any] = {
        "about": _about(run, against),
        "verdict": verdict(run, alone),
        "findings": [describe_finding(one, run if against is None else None) for one in found],
        "numbers": [one.data() for one in figures],
        "worth": {"means": WORTH, "limits": WORTH_LIMITS},
        "options": [_thing(one, run.content.option(one.name)) for one in run.options],
        "pieces": [_thing(one, run.content.piece(one.name)) for one in run.pieces if one.seen],
        "boards": boards(run),
        "never": _never(run),
    }
    data["matches"] = _matches(run, list_examples(found, figures, data))
    data["about"]["faults"] = [{"match": n, "text": text} for n, text in frame.faults[:20]]
    return data


def nothing(data: dict[str, Any]) -> str:
    """Return the sentence for a report without findings, or with too few matches."""
    about, never = data["about"], len(data["never"]["offered"])
    than = f" compared with {about['against']}" if about["against"] else ""
    said = f"nothing stands out{than}"
    if about["matches"] < OFTEN:
        few = many(about["matches"], "match is", "matches are")
        said += f" yet: {few} too few; seats are tested from {OFTEN} matches on"
    elif not about["against"] and data["verdict"]["smallest"]:
        said += f": {data['verdict']['smallest']}"
    if never and not about["against"]:
        said += f"; {never} {'line of a menu was' if never == 1 else 'lines of menus were'} never offered"
    return said


def _about(run: Run, against: Run | None) -> dict[str, Any]:
    frame = run.frame
    plan = frame.plan
    variant = next(one for one in plan["variants"] if one["name"] == frame.variant)
    return {
        "title": run.content.title, "folder": str(frame.store.folder), "variant": frame.variant,
        "pack": variant["pack"], "modules": variant["modules"], "options": variant["options"], "vary": variant["vary"],
        "players": plan["players"], "bots": plan["bots"], "seed": plan["seed"], "content": plan["content"],
        "matches": len(frame), "unfinished": frame.played - len(frame),
        "against": None if against is None else f"{against.frame.store.folder}, {against.frame.variant}",
    }  # fmt: skip


def describe_finding(one: Finding, run: Run | None, alone: bool = True) -> dict[str, Any]:
    """Return a finding as plain data, with experiments if there is a *run*; *alone* if no other bots have played."""
    tries = [each.data() for each in list_experiments(run, one, alone)] if run is not None else []
    return {
        "kind": one.kind, "name": one.name, "text": one.text, "where": one.where, "examples": one.matches,
        "try": tries,
    }  # fmt: skip


def _thing(one: Thing, at: str) -> dict[str, Any]:
    return {
        "name": one.name, "where": at, "matches": one.seen, "offered": one.offered, "taken": one.chosen,
        "used": one.used, "takers": one.takers, "score": _effect(one.score), "wins": _effect(one.wins),
        "believed": round_digits(one.believed), "examples": one.examples,
    }  # fmt: skip


def _effect(one: Effect | None) -> dict[str, Any] | None:
    if one is None:
        return None
    low, high = one.interval()
    return {
        "value": round_digits(one.value), "low": round_digits(low), "high": round_digits(high),
        "with": one.rows[0], "without": one.rows[1],
    }  # fmt: skip


def _never(run: Run) -> dict[str, Any]:
    """Return declared options and pieces that never appeared, each with its line."""
    content = run.content
    lines = {content.line_of(one.name) for one in run.options}
    offered = [{"name": name, "where": where(content.lines[name])} for name in content.menus if name not in lines]
    chosen = [
        {"name": one.name, "where": content.option(one.name), "offered": one.offered}
        for one in run.options if not one.chosen
    ]  # fmt: skip
    seen = [{"name": one.name, "where": content.piece(one.name)} for one in run.pieces if one.name in run.unseen]
    groups = {one.group for one in run.pieces if one.takers}
    taken = [
        {"name": one.name, "where": content.piece(one.name), "matches": one.seen}
        for one in run.pieces if one.seen and not one.takers and one.group in groups
    ]  # fmt: skip
    return {"offered": offered, "chosen": chosen, "seen": seen, "taken": taken}


def list_examples(found: list[Finding], figures: list[Number], data: dict[str, Any]) -> list[int]:
    """Return the numbers of all example matches."""
    numbers = {n for one in found for n in one.matches} | {n for one in figures for n in one.matches}
    return sorted(numbers | {n for key in ("options", "pieces") for one in data[key] for n in one["examples"]})


def _matches(run: Run, wanted: list[int]) -> list[dict[str, Any]]:
    frame = run.frame
    place = {int(n): at for at, n in enumerate(frame.match.tolist())}
    scores, seeds = frame.scores if frame.has_scores else None, frame.text("seed")
    found = []
    for number in wanted:
        at = place[number]
        winners = [seat + 1 for seat in range(frame.seats) if frame.wins[at, seat] > 0]
        found.append({
            "match": number, "seed": int(seeds[at]), "winners": winners,
            "scores": [int(one) for one in scores[at]] if scores is not None else [],
        })  # fmt: skip
    return found
