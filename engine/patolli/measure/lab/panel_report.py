"""The report of a panel: what several bots say about a game, each question answered for all of them.

A finding says with which bots it was found. If it turns round between bots, as an option that random players should
take and searching players never choose, it is marked: then it depends on who plays.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, isfinite
from pathlib import Path
from typing import Any

import numpy as np

from patolli.measure.lab.findings import OFTEN, Finding, Run, findings
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.lead_history import ahead_wins
from patolli.measure.lab.numbers import numbers
from patolli.measure.lab.panel import SIMPLE, Panel
from patolli.measure.lab.report import describe_finding, report
from patolli.measure.lab.run_data import RATE
from patolli.measure.lab.runaway import HALF, RUNAWAY, is_caught
from patolli.measure.lab.stakes import Stake, estimate_stakes, find_dominated, find_idle_choices
from patolli.measure.lab.standouts import AWAY, correct_quantile, limit_of
from patolli.measure.lab.statistics import Known, as_normal, share
from patolli.measure.lab.trials import Suspect, Trial, choose_suspects, is_about
from patolli.measure.lab.verdict import (
    CHOICES,
    FAIR,
    FAIRNESS,
    NAMED,
    SKILL,
    UNKNOWN,
    Answer,
    answer_named,
    format_interval,
    list_answers,
    make_verdict,
)
from patolli.measure.lab.worth import Thing
from patolli.measure.simulation.estimates import Z

SIGNS = {
    "dominant": 1,
    "always chosen": 1,
    "weak": -1,
    "no effect": -1,
    "dead": -1,
    "never chosen": -1,
    "rarely chosen": -1,
}
"""Kinds of findings that say that something is good, or bad, for the player who takes it."""
TASTES = ("always chosen", "never chosen", "rarely chosen", "dead")
"""Kinds of findings that show what a bot likes. One simple bot alone says more about itself than about the game, unless
what it avoids is bad for another bot that takes it."""
COMPARED = ("Balance", "Length", "Course", "Choices")
"""Groups of numbers that the table of all bots has."""
EDGE = 0.05
"""By how much a bot wins more than its share, for the number of matches that would show it."""
DEPENDS = "depends on bots"
"""The verdict if bots differ."""
FIRM = ("yes", "no", "nearly", "reached", "missed")
"""Verdicts that the interval of a run decides."""


@dataclass(frozen=True, slots=True)
class Member:
    """A bot that has played on all seats, its run, and the findings of it."""

    bot: str
    run: Run
    found: list[Finding]

    @classmethod
    def of(cls, bot: str, run: Run) -> Member:
        """Look for the findings of a run."""
        return cls(bot, run, findings(run))


@dataclass(frozen=True, slots=True)
class Step:
    """How often a bot wins on one seat against a weaker bot on all others; ``fair`` is its share without skill."""

    better: str
    than: str
    known: Known
    fair: float

    @classmethod
    def of(cls, better: str, than: str, frames: Sequence[tuple[int, Frame]]) -> Step:
        """Take the facts of one run for each seat of the better bot."""
        won = np.concatenate([frame.wins[:, seat] for seat, frame in frames])
        fair = np.concatenate([frame.wins.mean(axis=1) for _, frame in frames])
        return cls(better, than, share(won), float(fair.mean()))

    @property
    def text(self) -> str:
        """The step in words."""
        return f"{self.better} wins {format_interval(self.known, True)} against {self.than}"


def rate_for(panel: Panel) -> float:
    """Return the false discovery rate of each bot's tests, so that a report of all has :data:`RATE`."""
    return RATE / len(panel.bots)


def report_panel(
    folder: Path, members: Sequence[Member], steps: Sequence[Step], stakes: Sequence[Stake] = (),
    trials: Sequence[Trial] = (),
) -> tuple[dict[str, Any], Run]:  # fmt: skip
    """Return the report of a panel, and the run that it shows: that of the strongest bot with enough matches."""
    enough = [one for one in members if len(one.run.frame) >= OFTEN]
    lead = enough[-1] if enough else max(members, key=lambda one: len(one.run.frame))
    data = report(lead.run, known=lead.found)
    merged = _merge_findings(members, lead)
    merged += [describe_finding(one, lead.run, alone=False) for one in find_dominated(stakes, lead.run.content)]
    merged += [describe_finding(one, None) for one in find_idle_choices(stakes)]
    merged = [*_add_trials(merged, members, lead, trials), *merged]
    data["findings"] = merged
    answers = list(_answer(members, lead, merged, steps, stakes))
    data["verdict"] = make_verdict([one["kind"] for one in merged], lead.run, answers)
    data["about"] |= {"panel": str(folder), "lead": lead.bot, "bots": [one.bot for one in members]}
    data["panel"] = {
        "bots": [_describe_member(one) for one in members],
        "numbers": _compare_numbers(members),
        "skill": [{"better": one.better, "than": one.than, "text": one.text, **one.known.data()} for one in steps],
    }
    return data, lead.run


def _describe_member(one: Member) -> dict[str, Any]:
    return {"bot": one.bot, "folder": str(one.run.frame.store.folder), "matches": len(one.run.frame)}


def _compare_numbers(members: Sequence[Member]) -> list[dict[str, Any]]:
    """Return numbers with the values of all bots, None for a bot without one."""
    found: dict[str, dict[str, Any]] = {}
    for at, one in enumerate(members):
        for figure in numbers(one.run):
            if figure.group in COMPARED and isfinite(figure.known.value):
                row = {"name": figure.name, "share": figure.share, "values": [None] * len(members)}
                found.setdefault(figure.name, row)["values"][at] = figure.known.data()
    return list(found.values())


# ---- findings of several bots


def _key(one: Finding, run: Run) -> tuple[str, int]:
    """Return what a finding is about, the same for all bots, and whether it is good for it: 1, -1, or 0 for neither."""
    if one.kind == "seat":
        seat = int(one.name.rpartition(" ")[2]) - 1
        sign = 1 if run.frame.wins[:, seat].mean() > run.frame.wins.mean() else -1
        return ("seat 1", -sign) if run.frame.seats == 2 and seat == 1 else (one.name, sign)
    named = run.content.named_pieces(one.name) if "/" not in one.name else []
    key = named[0] if len(named) == 1 else one.name
    return (key.rpartition("/")[2] if "/" in key else key), SIGNS.get(one.kind, 0)  # copies of a design are one thing


def _merge_findings(members: Sequence[Member], lead: Member) -> list[dict[str, Any]]:
    """Return the findings of all bots, each once: those first that turn round, then those of the strongest bots."""
    signs: dict[str, dict[int, list[str]]] = {}
    same: dict[tuple[str, str, int], list[tuple[Member, Finding]]] = {}
    for member in reversed(members):
        for one in member.found:
            key, sign = _key(one, member.run)
            signs.setdefault(key, {}).setdefault(sign, []).append(member.bot)
            there = same.setdefault((one.kind, key, sign), [])
            if all(other is not member for other, _ in there):
                there.append((member, one))
    found = [
        _describe_shared(members, lead, each, signs[key], sign)
        for (kind, key, sign), each in same.items()
        if _is_of_game(*each[0], len(each), members)
    ]
    return sorted(found, key=lambda one: not one["flips"])


def _is_of_game(member: Member, one: Finding, bots: int, members: Sequence[Member]) -> bool:
    """Return whether a finding about *member*, the strongest of so many *bots*, is true of the game itself."""
    others = [other for other in members if other is not member]
    if one.kind == "seat":
        return not any(_is_fair_for(other.run, *_key(one, member.run)) for other in others)
    if one.kind == RUNAWAY:
        return not any(is_caught(other.run) for other in others)
    if one.kind not in TASTES or bots > 1 or member.bot not in SIMPLE:
        return True
    things = [(other, thing) for other in others if (thing := _thing(one, other.run)) is not None]
    if one.kind == "dead" and not any(thing.offered or thing.chosen for _, thing in things):
        return True
    return SIGNS[one.kind] < 0 and any(_is_bad(thing, other.run, member.run) for other, thing in things)


def _is_fair_for(run: Run, name: str, sign: int) -> bool:
    """Return whether a seat wins at most :data:`FAIR` more than its share; with a negative *sign*, less."""
    if len(run.frame) < OFTEN:
        return False
    wins = run.frame.wins
    return sign * float(wins[:, int(name.rpartition(" ")[2]) - 1].mean() - wins.mean()) <= FAIR


def _is_bad(thing: Thing, run: Run, avoiding: Run) -> bool:
    """Return whether something is surely worse than what another run takes, which avoids it, and by a medium effect."""
    effect, all_ = thing.main, "pieces" if "/" in thing.name else "options"
    if effect is None or effect.error <= 0:
        return False
    worth = {each.name: each.main for each in getattr(run, all_) if each.group == thing.group}
    taken = [
        (each.chosen, known.value)
        for each in getattr(avoiding, all_)
        if each.name != thing.name and (known := worth.get(each.name)) is not None
    ]
    if not (many := sum(chosen for chosen, _ in taken)):
        return False
    loss = sum(chosen * value for chosen, value in taken) / many - effect.value
    medium = thing.uses * loss > limit_of(run, AWAY)
    return medium and as_normal(loss / effect.error, effect.freedom) > correct_quantile(1)


def _describe_shared(
    members: Sequence[Member], lead: Member, same: Sequence[tuple[Member, Finding]],
    signs: Mapping[int, Sequence[str]], sign: int,
) -> dict[str, Any]:  # fmt: skip
    member, one = same[0]
    against = [bot for bot in signs.get(-sign, ()) if sign and bot != member.bot]
    data = describe_finding(one, member.run, alone=False)
    data |= {
        "bots": [each.bot for each, _ in same], "flips": bool(against), "against": against,
        "each": [text for each in members if (text := _describe_thing(one, each))],
    }  # fmt: skip
    if member is not lead:  # matches of another run have no row on the page
        data |= {"examples": [], "elsewhere": {"folder": str(member.run.frame.store.folder), "matches": one.matches}}
    return data


def _describe_thing(one: Finding, member: Member) -> str:
    """Say of a seat, a piece or an option how it does with a bot; empty if it was not there."""
    run = member.run
    if one.kind == "seat":
        seat = int(one.name.rpartition(" ")[2]) - 1
        return f"{member.bot}: {format_interval(share(run.frame.wins[:, seat]), True)}"
    if one.kind == RUNAWAY:
        known = share(ahead_wins(run.frame, HALF))
        return f"{member.bot}: {format_interval(known, True)}" if known.count else ""
    thing = _thing(one, run)
    if thing is None or not thing.offered:
        return ""
    return f"{member.bot}: chosen in {100 * thing.chosen / thing.offered:.0f} % of offers{_describe_worth(thing)}"


def _thing(one: Finding, run: Run) -> Thing | None:
    """Return the piece or the option that a finding is about; None if it was not there."""
    things = run.pieces if "/" in one.name else run.options
    return next((each for each in things if each.name == one.name), None)


def _describe_worth(thing: Thing) -> str:
    effect = thing.main
    if effect is None or not isfinite(effect.error):
        return ""
    low, high = effect.interval()
    scale, what = (1, "points") if thing.score is not None else (100, "pp of the wins")
    return f", worth {scale * effect.value:+.1f} {what} ({scale * low:+.1f} to {scale * high:+.1f})"


TRIED = ("dominant", "always chosen", "weak", "never chosen", "rarely chosen", "no effect")
"""Kinds of findings whose options are tried; the most important first."""


def list_suspects(members: Sequence[Member], seconds: float, jobs: int) -> list[Suspect]:
    """Return the options to try in so many seconds: see :mod:`patolli.measure.lab.trials`."""
    content, merged = members[0].run.content, _merge_findings(members, members[-1])
    names = [one["name"] for kind in TRIED for one in merged if one["kind"] == kind]
    options = [name if "/" in name else content.line_of(name) or name for name in names]
    return choose_suspects([(one.bot, one.run) for one in members if one.bot in SIMPLE], options, seconds, jobs)


def _add_trials(
    merged: Sequence[dict[str, Any]], members: Sequence[Member], lead: Member, trials: Sequence[Trial]
) -> list[dict[str, Any]]:
    """Add trials to the findings that they are about; return findings of lines that crowd others and win by it."""
    found = []
    for one in trials:
        about = [each for each in merged if each["kind"] in TRIED and is_about(one, each["name"], lead.run.content)]
        for each in about:
            each["text"] += f"; {one.text}"
        member = next((each for each in members if each.bot == one.bot), None)
        strong = any(each["kind"] in TRIED[:2] for each in about)
        if member is None or strong or not one.share or not one.is_decisive(len(trials), member.run.rate):
            continue
        text = f"{one.option} is chosen in {100 * one.share:.0f} % of the choices of {one.option.partition(':')[0]}, "
        text += f"although other lines are offered; {one.text}"
        new = Finding("dominant", one.option, text, lead.run.content.option(one.option))
        found.append(describe_finding(new, member.run, alone=False) | {"bots": [one.bot], "flips": False, "each": []})
    return found


# ---- answers of several bots


def _answer(
    members: Sequence[Member],
    lead: Member,
    merged: Sequence[Mapping[str, Any]],
    steps: Sequence[Step],
    stakes: Sequence[Stake],
) -> Iterator[Answer]:
    """Yield the answers of the panel, in the order of those of a run."""
    by_bot = {one.bot: {each.question: each for each in list_answers(one.run, one.found)} for one in members}
    for question in by_bot[lead.bot]:
        if question == SKILL:
            yield _answer_skill(by_bot[lead.bot][question], steps)
        elif question in NAMED:
            yield _answer_names(by_bot[lead.bot][question], merged)
        elif question == CHOICES and (known := estimate_stakes(stakes)) is not None:
            yield _answer_choices(by_bot[lead.bot][question], known, stakes)
        else:
            answer = _combine([(bot, there[question]) for bot, there in by_bot.items()], lead, members)
            unfair = question == FAIRNESS and answer.verdict in ("no", "nearly")
            if unfair and not any(one["kind"] == "seat" for one in merged):
                answer = replace(answer, verdict=DEPENDS)
            yield answer
    if flips := list(dict.fromkeys(one["name"] for one in merged if one.get("flips"))):
        yield answer_named("Depends on bots", flips)


def _combine(each: Sequence[tuple[str, Answer]], lead: Member, members: Sequence[Member]) -> Answer:
    """Return the answer of the strongest bot whose matches decide it, with the numbers of the others."""
    decided = [(bot, one) for bot, one in each if one.verdict in FIRM]
    bot, one = decided[-1] if decided else next(pair for pair in each if pair[0] == lead.bot)
    verdict = one.verdict
    if len({other.verdict for _, other in decided}) > 1:
        verdict = DEPENDS
    if one.known is None:
        return one
    if one.question == FAIRNESS:
        known = [(other.bot, share(other.run.frame.wins[:, 0])) for other in members]
        words = "; seat 1 by bot: "
    else:
        known = [(name, other.known) for name, other in each if other.known is not None and name != bot]
        words = "; " if known else ""
    others = ", ".join(f"{name} {format_interval(value, one.share)}" for name, value in known)
    return Answer(one.question, verdict, f"with {bot}, {one.text}{words}{others}", one.known, one.share)


def _answer_skill(alone: Answer, steps: Sequence[Step]) -> Answer:
    """Say how often each bot beats the one before it: what it gains by looking farther."""
    if not steps:
        return Answer(SKILL, alone.verdict, "no bot has played against another one yet") if alone.known else alone
    sure = [one for one in steps if one.known.low > one.fair]
    text = "; ".join(one.text for one in steps) + f"; without skill: {100 * steps[-1].fair:.1f} %"
    last = steps[-1]
    if sure and last not in sure and last.known.low <= last.fair:
        text += f"; whether more search than {last.than} is better is {UNKNOWN}"
    if last.known.low <= last.fair <= last.known.high:
        needed = ceil((Z / EDGE) ** 2 * last.fair * (1 - last.fair) / 50) * 50
        if needed > last.known.count:
            text += f"; with {needed:,} matches of {last.better} against {last.than}"
            text += f" we could detect {100 * EDGE:.0f} points"
    return Answer(SKILL, "yes" if sure else UNKNOWN, text, (sure or steps)[-1].known, True)


def _answer_choices(alone: Answer, known: Known, stakes: Sequence[Stake]) -> Answer:
    """Say how many choices matter, and which questions never do."""
    text = f"the options of {format_interval(known, True)} of the choices lead to different results in random play"
    if idle := [one.name for one in find_idle_choices(stakes)]:
        text += f"; never in {', '.join(idle)}"
    return Answer(alone.question, f"{100 * known.value:.0f} %", f"{text}; {alone.text.partition(';')[0]}", known, True)


def _answer_names(alone: Answer, merged: Sequence[Mapping[str, Any]]) -> Answer:
    """Name the findings of all bots, each with its bots."""
    kinds = NAMED[alone.question]
    bots: dict[str, list[str]] = {}
    for one in merged:
        if one["kind"] in kinds:
            bots.setdefault(one["name"], []).extend(one.get("bots", SIMPLE[:1]))
    names = [f"{name} ({', '.join(dict.fromkeys(there))})" for name, there in bots.items()]
    if names or alone.verdict in (UNKNOWN, "nothing"):
        return answer_named(alone.question, names) if names else alone
    return Answer(alone.question, "nothing", "nothing stands out")  # only a taste of the strongest bot
