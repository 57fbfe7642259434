"""The verdict of a report: what a designer asks first, each question with its answer, interval and fair line.

An answer says UNKNOWN where the facts do not say it, and how many matches would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, inf, isfinite, sqrt
from typing import Any

import numpy as np

from patolli.measure.lab.frame import Frame
from patolli.measure.lab.goals import wish
from patolli.measure.lab.lead_history import ahead_wins, find_decision_points
from patolli.measure.lab.measures import Estimate
from patolli.measure.lab.plans import TARGETS
from patolli.measure.lab.run_data import OFTEN, Finding, Run
from patolli.measure.lab.runaway import runaway_line
from patolli.measure.lab.standouts import CERTAINTY, correct_quantile, find_smallest
from patolli.measure.lab.statistics import Known, mean, share
from patolli.measure.lab.units import POINTS, many
from patolli.measure.simulation.estimates import Z

FAIR = 0.025
"""A seat may win so much more or less than its share in a game that counts as fair."""
NAMED = {
    "Too strong": ("dominant", "always chosen"),
    "Too weak": ("weak", "no effect", "dominated"),
    "Unused": ("dead", "never chosen", "rarely chosen", "never offered"),
}
"""Questions that are answered with the names of findings, and the kinds of these."""
GRADED, LARGE = ("Too strong", "Too weak"), 0.35
"""Questions about how much something is worth; if smaller effects on the wins are not seen, they are not answered."""
FAIRNESS, SKILL, CHOICES = "Fair", "Skill", "Real choices"
UNKNOWN = "not known"
MOST = 1_000_000
"""Matches beyond which a report does not say how many would decide."""
SHOWN = 3
"""Names in an answer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: a word or two, the reason, and the number behind it, which is a share if *share*."""

    question: str
    verdict: str
    text: str
    known: Known | None = None
    share: bool = False

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        number = {"known": self.known.data(), "share": self.share} if self.known is not None else {}
        return {"question": self.question, "verdict": self.verdict, "text": self.text, **number}


def verdict(run: Run, found: Sequence[Finding]) -> dict[str, Any]:
    """Return the headline, the smallest effects and the answers; *found* are the findings of the run alone."""
    return make_verdict([one.kind for one in found], run, list_answers(run, found))


def make_verdict(kinds: Sequence[str], run: Run, answers: Sequence[Answer]) -> dict[str, Any]:
    """Return a verdict as plain data; *kinds* are those of its findings, *run* says how small an effect is seen."""
    return {
        "headline": _headline(kinds), "smallest": _describe_smallest(run),
        "answers": [one.data() for one in answers],
    }  # fmt: skip


def list_answers(run: Run, found: Sequence[Finding]) -> list[Answer]:
    """Return the answers of a run; *found* are its findings."""
    return [
        *_answer_targets(run),
        _answer_fair(run.frame, found), _answer_length(run.frame), _answer_skill(run.frame),
        *(_answer_names(question, found, kinds, run) for question, kinds in NAMED.items()),
        *_answer_course(run.frame), _answer_choices(run.frame),
    ]  # fmt: skip


def _answer_targets(run: Run) -> Iterator[Answer]:
    """Compare the run with each of its targets; the plan of a run names them, or else its pack."""
    texts = run.frame.plan.get(TARGETS) or run.content.targets
    wishes = [wish(text, run.frame.seats, run.content) for text in texts]
    if not wishes:
        return
    columns = sorted({column for one in wishes for column in one.measure.columns} | {"digest"})
    rows = run.frame.store.rows(run.frame.variant, int(run.frame.match[-1]) + 1, columns)
    ended = [row for row in rows if row["digest"]]
    for one in wishes:
        known = Estimate.over(one.measure, ended)
        question = f"Target: {one.text}"
        if not known.count:
            yield Answer(question, UNKNOWN, "no match has this measure")
            continue
        low, high = known.mean - known.half, known.mean + known.half
        if one.measure.share and known.count > 1:
            low, high = max(0.0, low), min(1.0, high)
        shown = Known(known.mean, low, high, known.count)
        text = format_interval(shown, one.measure.share)
        verdict = one.verdict(known.mean, known.half)
        bound = min(abs(known.mean - end) for end in (one.low, one.high))
        if verdict.startswith("probably") and bound and isfinite(known.half):
            needed = ceil(known.count * (known.half / bound) ** 2 / 50) * 50
            text += f"; {needed:,} matches would decide" if needed <= MOST else "; too near to a bound to decide"
        yield Answer(question, verdict, text, shown, one.measure.share)


def _headline(kinds: Sequence[str]) -> str:
    """Return the number of findings and their kinds; empty without findings."""
    if not kinds:
        return ""
    things = "1 thing stands" if len(kinds) == 1 else f"{len(kinds)} things stand"
    return f"{things} out: {', '.join(dict.fromkeys(kinds))}"


def _describe_smallest(run: Run) -> str:
    """Say what effects would have been seen in 8 of 10 such runs; empty with too few matches."""
    said = []
    if (seat := _smallest_seat(run.frame, run.rate)) < inf:
        said.append(f"a seat that wins {100 * seat:.1f} {POINTS} more or less than its share")
    if (least := find_smallest(run, CERTAINTY)) is not None:
        points = f"{least[0]:.1f} points and " if run.frame.has_scores else ""
        wins = f"{100 * least[1]:.0f} {POINTS} of the wins"
        said.append(f"an option or a piece that brings {points}{wins} more or less than the next of its kind")
    return f"8 of 10 such runs would have found {' and '.join(said)}" if said else ""


def _smallest_seat(frame: Frame, rate: float) -> float:
    if len(frame) < OFTEN or frame.seats < 2 or len(set(frame.plan["bots"])) > 1:
        return inf
    tests = frame.seats * (2 if frame.has_scores else 1)
    return (correct_quantile(tests, rate) + CERTAINTY) * float(frame.wins.std(axis=0).max()) / sqrt(len(frame))


def _answer_fair(frame: Frame, found: Sequence[Finding]) -> Answer:
    question = FAIRNESS
    if frame.seats < 2:
        return Answer(question, "no question", "there is one seat")
    if len(set(frame.plan["bots"])) > 1:
        return Answer(question, UNKNOWN, "different bots play the seats; play a run with the same bot on all")
    fair = float(frame.wins.mean())
    if not fair:
        return Answer(question, "no question", "no seat has won")
    worst = int(np.abs(frame.wins.mean(axis=0) - fair).argmax())
    known = share(frame.wins[:, worst])
    text = f"seat {worst + 1} wins {format_interval(known, True)}; fair: {100 * fair:.1f} %"
    apart = max(known.low - fair, fair - known.high)
    if apart > 0 and any(one.kind == "seat" for one in found):
        return Answer(question, "no" if apart > FAIR else "nearly", text, known, True)
    if known.low >= fair - FAIR and known.high <= fair + FAIR:
        return Answer(question, "yes", text, known, True)
    # Either the interval lies between the bounds, or it does not contain the fair share: what takes fewer matches.
    off = abs(known.value - fair)
    needed = ceil((Z * float(frame.wins[:, worst].std()) / max(off, FAIR - off)) ** 2 / 50) * 50
    few = f"about {max(needed, OFTEN):,} matches in all would decide whether it is fair to {100 * FAIR:g} {POINTS}"
    return Answer(question, UNKNOWN, f"{text}; {few}", known, True)


def _answer_length(frame: Frame) -> Answer:
    turns = frame.column("turns")
    known = mean(turns)
    low, high = np.quantile(turns, (0.05, 0.95))
    choices = mean(frame.column("choices"))
    usual = f"9 of 10 matches {low:,.0f} to {high:,.0f}"
    text = f"{format_interval(known, False)} turns; {usual}; {choices.value:,.0f} choices"
    return Answer("Length", f"{known.value:,.0f} turns", text, known)


def _answer_skill(frame: Frame) -> Answer:
    bots = list(frame.plan["bots"])
    kinds = sorted(set(bots))
    if frame.seats < 2 or len(kinds) < 2:
        each = f"the bot {kinds[0]} plays all seats"
        return Answer(SKILL, UNKNOWN, f"{each}; play a run with a stronger bot on one seat (--seat 1=greedy)")
    best: tuple[float, str, Known, float] | None = None
    for kind in kinds:
        seats = [seat for seat, one in enumerate(bots) if one == kind]
        known, fair = share(frame.wins[:, seats].sum(axis=1)), float(frame.wins.mean()) * len(seats)
        if best is None or known.value - fair > best[0]:
            best = known.value - fair, kind, known, fair
    assert best is not None
    _, kind, known, fair = best
    verdict = "yes" if known.low > fair else UNKNOWN
    text = f"{kind} wins {format_interval(known, True)}; without skill: {100 * fair:.1f} %, if the seats are fair"
    return Answer(SKILL, verdict, text, known, True)


def _answer_names(question: str, found: Sequence[Finding], kinds: Sequence[str], run: Run) -> Answer:
    if names := list(dict.fromkeys(one.name for one in found if one.kind in kinds)):
        return answer_named(question, names)
    if len(run.frame) < OFTEN:
        return Answer(question, UNKNOWN, "too few matches")
    least = find_smallest(run, CERTAINTY) if question in GRADED else None
    if least is None or least[1] <= LARGE:
        return Answer(question, "nothing", "nothing stands out")
    text = f"too few matches: only effects of at least {100 * least[1]:.0f} {POINTS} of the wins can be found"
    return Answer(question, UNKNOWN, text)


def answer_named(question: str, names: Sequence[str]) -> Answer:
    """Answer with the names of things."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return Answer(question, many(len(names), "thing", "things"), ", ".join(names[:SHOWN]) + more)


def _answer_course(frame: Frame) -> Iterator[Answer]:
    if frame.seats < 2 or not frame.has_scores or not (frame.leading[2] >= 0).any():
        why = "the game has no scores that change during a match"
        yield Answer("Decided when", UNKNOWN, why)
        yield Answer("Runaway leader", UNKNOWN, why)
        return
    known = mean(find_decision_points(frame))
    text = f"the later winner leads for good after {format_interval(known, True)} of a match"
    yield Answer("Decided when", f"after {100 * known.value:.0f} %", text, known, True)
    kept = share(ahead_wins(frame, 0.5))
    if not kept.count:
        yield Answer("Runaway leader", UNKNOWN, "no seat leads alone at half time")
        return
    fair, line = 1 / frame.seats, runaway_line(frame.seats)
    lines = f"chance: {100 * fair:.0f} %, runaway: {100 * line:.0f} %"
    text = f"the leader at half time wins {format_interval(kept, True)}; {lines}"
    word = "yes" if kept.low > line else "no" if kept.high < line else UNKNOWN
    yield Answer("Runaway leader", word, text, kept, True)


def _answer_choices(frame: Frame) -> Answer:
    """Answer from what is recorded: a turn with one option only is no choice; a turn with several may still be none."""
    known = mean(1 - frame.dead)
    options = f"{frame.branching.mean():.1f} options"
    text = f"a player has a choice in {format_interval(known, True)} of the turns, on average among {options}"
    limit = "run a panel of bots to see whether these options lead to different results"
    return Answer(CHOICES, f"at most {100 * known.value:.0f} %", f"{text}; {limit}", known, True)


def format_interval(known: Known, is_share: bool) -> str:
    """Write a number with its interval."""
    scale, unit = (100, " %") if is_share else (1, "")
    if not (isfinite(known.low) and isfinite(known.high)):
        return f"{scale * known.value:,.1f}{unit} (too few matches for an interval)"
    return f"{scale * known.value:,.1f}{unit} ({scale * known.low:,.1f} to {scale * known.high:,.1f})"
