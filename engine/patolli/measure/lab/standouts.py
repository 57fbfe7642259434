"""Pieces and options that stand out among those they are chosen beside: never taken, always taken, worth far more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import hypot, pi, sqrt
from statistics import NormalDist, median

from patolli.measure.lab.content import Content
from patolli.measure.lab.run_data import OFTEN, RATE, Finding, Run
from patolli.measure.lab.statistics import (
    FELLOWS,
    Effect,
    as_normal,
    believed_of,
    never,
    outlier,
    rare,
    two_sided_p,
)
from patolli.measure.lab.units import POINTS, many
from patolli.measure.lab.worth import Thing
from patolli.measure.simulation.estimates import Z, wilson

RARE = 0.01
"""Share of its offers below which something is rarely chosen; above one less it is always."""
FEW = 3
"""Things of a kind that are needed to hold one against the next of them."""
APART = 0.6
"""How far something has to be from the next of its kind, in standard deviations of how far seats are ahead."""
AWAY, TIMES = 0.25, 3
"""The same from the middle of its kind, if it is also so many times as far from there as any other. Such a lead makes
60 % of the wins out of 50 %."""
CERTAINTY = NormalDist().inv_cdf(0.8)
"""Standard errors beyond the limit of a test at which 8 of 10 runs find an effect."""
REPEATED = 1.5
"""Uses of a thing in a match, by which players who use it often are ahead of others, from which on they are shown."""
WINS = 0.1
"""How much more or less of the wins it has to bring besides: what a designer would care about."""


def groups(things: list[Thing], least: int) -> list[list[Thing]]:
    """Return things by kind or rule, where there are so many at least."""
    found: dict[str, list[Thing]] = {}
    for one in things:
        found.setdefault(one.group, []).append(one)
    return [group for group in found.values() if len(group) >= least]


def list_pieceless(options: list[Thing], content: Content) -> list[Thing]:
    """Return the options that name no piece: what names one is judged with the piece."""
    return [one for one in options if not content.named_pieces(one.name)]


def place(one: Thing, content: Content) -> str:
    """Return ``path:line`` of a piece or an option; if this names one piece, of the piece."""
    named = content.named_pieces(one.name) if "/" not in one.name else [one.name]
    return content.piece(named[0]) if len(named) == 1 else content.option(one.name)


# ---- how often


def dead(run: Run) -> Iterator[Finding]:
    """Find pieces that are seen and rarely taken, though others of their kind are, and some never seen."""
    content = run.content
    for group in groups(run.pieces, FELLOWS + 1):
        shares = [one.taken / one.seen for one in group if one.seen >= OFTEN]
        rates = [one.chosen / one.offered for one in group if one.offered >= OFTEN]
        usual, wanted = (min(1.0, median(some)) if some else 0.0 for some in (shares, rates))
        sighted, tests = median([one.seen for one in group]), len(run.pieces)
        for one in group:
            if one.name in content.beginning_elsewhere:
                continue
            # What is rarely offered is dear or comes late; whether players would take it is not known.
            refused = not one.offered or _is_rare(one.chosen, one.offered, wanted, tests, run.rate)
            if one.seen >= OFTEN and refused and _is_rare(one.taken, one.seen, usual, tests, run.rate):
                there = f"offered {one.offered:,} times, in" if one.offered else "seen in"
                done = f"taken in {one.taken:,} of these" if one.taken else "never taken"
                if not one.offered and rates:  # its price or its condition was never met
                    done += " nor offered"
                text = f"{one.name} was {there} {one.seen:,} matches, and {done}; others of its kind are taken in "
                text += f"{_percent(usual)} of their matches"
                yield Finding("dead", one.name, text, content.piece(one.name), one.examples)
            elif one.name in run.unseen and sighted >= OFTEN:
                text = f"{one.name} was never seen; others of its kind were seen in {sighted:,.0f} matches"
                yield Finding("dead", one.name, text, content.piece(one.name))


def _is_rare(chosen: int, offered: int, usual: float, tests: int, rate: float) -> bool:
    """Return whether so few were surely chosen: a tenth of what is usual at most, and rarely if at all."""
    if not chosen:
        return never(offered) < usual / 10
    high = wilson(chosen, offered, correct_quantile(tests, rate))[1]
    return high < min(usual / 10, RARE)


def correct_quantile(tests: int, rate: float = RATE) -> float:
    """Return how many standard errors an interval has to reach, for all of so many to hold together."""
    return NormalDist().inv_cdf(1 - rate / (2 * max(1, tests)))


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def how_often(options: list[Thing], content: Content, rate: float = RATE) -> Iterator[Finding]:
    """Find options that are offered and never chosen, rarely or always, and lines that are never offered."""
    by_rule = {one[0].group: one for one in groups(options, 1)}
    lines: dict[str, list[Thing]] = {}
    for one in options:
        lines.setdefault(content.line_of(one.name) or one.name, []).append(one)
    for name, things in lines.items():
        chosen, offered = sum(one.chosen for one in things), sum(one.offered for one in things)
        usual = _usual(things, by_rule)
        if name in content.declines:  # declining is rare if all else is better, as it should be
            continue
        if offered >= OFTEN and _is_rare(chosen, offered, usual, len(lines), rate):
            shown = name.rstrip(":") or things[0].name
            done = f"chosen {chosen:,} times" if chosen else "never chosen"
            text = f"{shown} was offered {offered:,} times and {done}; "
            text += f"other options beside it are chosen in {_percent(usual)}"
            kind = "rarely chosen" if chosen else "never chosen"
            yield Finding(kind, shown, text, content.option(things[0].name), things[0].examples)
    yield from _always(options, by_rule, content, rate)
    for name, rule in content.menus.items():
        asked = sum(one.seen for one in by_rule.get(rule, ()))
        if name not in lines and rule != "anytime" and asked >= OFTEN:
            most = max(one.seen for one in by_rule[rule])
            text = f"{name} was never offered, though {rule} asked in {most:,} matches"
            yield Finding("never offered", name, text, content.option(name))


def _usual(things: list[Thing], by_rule: dict[str, list[Thing]]) -> float:
    """Return the share of its offers in which what the same rule offers besides is chosen."""
    rest = [one for one in by_rule[things[0].group] if one not in things]
    return sum(one.chosen for one in rest) / max(1, sum(one.offered for one in rest))


def _always(options: list[Thing], by_rule: dict[str, list[Thing]], content: Content, rate: float) -> Iterator[Finding]:
    """Find options that are (nearly) always chosen where they can be, though what is beside them is chosen, too."""
    z = correct_quantile(len(options), rate)
    for one in options:
        if not _always_taken(one) or not (content.named_pieces(one.name) or content.line_of(one.name) in content.menus):
            continue  # what has no name of its own stands for all that is offered there
        usual = _usual([one], by_rule)
        if RARE < usual < wilson(one.chosen, one.offered, z)[0] - WINS:
            text = f"{one.name} is nearly always chosen when offered: {one.chosen:,} of {one.offered:,} times; other "
            text += f"options beside it are chosen in {_percent(usual)}"
            yield Finding("always chosen", one.name, text, place(one, content), one.examples)


def _always_taken(one: Thing) -> bool:
    return one.offered >= OFTEN and one.chosen >= (1 - RARE) * one.offered


# ---- how much it is worth


def idle(run: Run) -> Iterator[Finding]:
    """Find pieces whose effect changes nothing, unless they are surely worth more than others for another reason."""
    for name, (key, where) in run.content.idle_effects.items():
        id_ = name.rpartition("/")[2]
        things = [one for one in run.pieces if one.name.rpartition("/")[2] == id_]
        if any(_is_better(one, run.pieces) for one in things):
            continue
        used = max((one.used for one in things), default=0)
        what = f"{key!r} of {id_} changes nothing" if key else f"{id_} only costs something, and gives nothing"
        text = f"{what}, although {'it does of others' if key else 'others'} of its kind{'' if key else ' do'}; "
        text += f"it was carried out in {many(used)}" if used else f"{id_} was chosen {_count_chosen(things)}"
        yield Finding("no effect", name, text, where, next((one.examples for one in things if one.examples), []))


def _is_better(one: Thing, all_: list[Thing]) -> bool:
    """Return whether something is surely worth more than most of its kind."""
    others = [other.main.value for other in all_ if other.group == one.group and other is not one and other.main]
    return bool(others) and one.main is not None and one.main.interval()[0] > median(others)


def _count_chosen(things: list[Thing]) -> str:
    return many(max((one.chosen for one in things), default=0), "time", "times")


@dataclass(frozen=True, slots=True)
class Judged:
    """A thing, how rare such a distance would be at random, whether for the better, and what is said of it."""

    thing: Thing
    chance: float
    better: bool
    text: str


def standing_out(run: Run) -> Iterator[Finding]:
    """Find pieces that are worth far more or less than others of their kind, and options than others of their rule.

    An option that names a piece counts if it is better: a good card to play may be a bad one to discard, and what is
    said of the piece is about both. That it is bad to discard a good card is no finding.
    """
    judged: list[Judged] = []
    declines = run.content.declines
    for group, known in _judged_groups(run):
        # What is always taken may be better, and what never is worse, than everything with a known worth.
        ends = not any(map(_always_taken, group)), all(one.takers for one in group)
        compare = partial(_compare, run, ends=ends)
        judged += [one for one in compare(known) if one.better == (one.thing.name in declines)]
        acts = [pair for pair in known if pair[0].name not in declines]
        for some in _split_by_score(acts, run.content):
            judged += [one for one in compare(some) if one.better]
    named = {one.name: run.content.named_pieces(one.name) for one in run.options}
    judged = [one for one in judged if not (pieces := named.get(one.thing.name)) or (one.better and len(pieces) == 1)]
    found: dict[str, Finding] = {}
    for one, sure in zip(judged, believed_of([one.chance for one in judged], run.rate), strict=True):
        if sure:
            name, kind = one.thing.name, "dominant" if one.better else "weak"
            text = one.text + _cause(one, run.options)
            (piece,) = named.get(name) or (name,)
            found.setdefault(piece, Finding(kind, name, text, place(one.thing, run.content), one.thing.examples))
    return iter(found.values())


def _compare(run: Run, known: Known, ends: tuple[bool, bool]) -> list[Judged]:
    """Hold things against each other in all ways; *ends* says whether the best and the worst are among the known."""
    return [*_unlike(known), *_ends(known, limit_of(run, APART), *ends), *_away(known, limit_of(run, AWAY), *ends)]


def _split_by_score(known: Known, content: Content) -> tuple[Known, Known]:
    """Return what has to do with pieces that count for the score, and all else.

    Who has no plan scores with the former alone. That these are better than the latter is no finding.
    """
    scoring = [pair for pair in known if content.scoring & {pair[0].name, *content.named_pieces(pair[0].name)}]
    return scoring, [pair for pair in known if pair not in scoring]


def _cause(one: Judged, options: list[Thing]) -> str:
    """Say what an option gives at once and the others of its rule give, where that explains what it is worth."""
    name, mine = one.thing.name, one.thing.points
    others = [other for other in options if other.group == one.thing.group and other.name != name]
    known = [(other.points, other.chosen) for other in others if other.points is not None]
    if mine is None or not known:
        return ""
    usual = sum(points * chosen for points, chosen in known) / sum(chosen for _, chosen in known)
    if (mine > usual) != one.better or abs(mine - usual) < 0.05:
        return ""
    return f"; it changes the own score by {mine:+.1f} points at once, the others by {usual:+.1f}"


Known = list[tuple[Thing, Effect]]


def _judged_groups(run: Run) -> Iterator[tuple[list[Thing], Known]]:
    """Yield things that are compared with each other, and those of them whose worth is known.

    An option that names a piece is here for the sake of the others of its rule, such as "rest" beside "buy silk".
    """
    for group in [*groups(run.pieces, FEW), *groups(run.options, FEW)]:
        yield group, [(one, one.main) for one in group if one.main is not None and one.main.error > 0]


def limit_of(run: Run, apart: float) -> float:
    """Return how far a thing has to be from others, of so many standard deviations of how far seats are ahead."""
    return apart * float(run.frame.ahead.std()) if run.frame.has_scores else WINS


def find_smallest(run: Run, certainty: float) -> tuple[float, float] | None:
    """Return how far the best or worst of a kind must be from the next one to be found, and by how much of the wins.

    So far that it is found with an estimate *certainty* standard errors below the truth, for the median of all errors.
    None if nothing is judged.
    """
    kinds = [known for _, known in _judged_groups(run) if len(known) >= FEW]
    things = [pair for known in kinds for pair in known]
    errors = [one.uses * one.wins.error for one, _ in things if one.wins is not None]
    if not things or not errors:
        return None
    z = correct_quantile(len(things) + 4 * len(kinds), run.rate) + certainty
    apart = z * sqrt(2) * median([one.uses * effect.error for one, effect in things])
    return limit_of(run, APART) + apart, WINS + z * median(errors)


def _unlike(known: Known) -> Iterator[Judged]:
    """Hold each against the spread that the others of its kind have among themselves."""
    for one, effect in known:
        others = [(other.value, other.error) for thing, other in known if thing is not one]
        if len(others) >= FELLOWS:
            z = outlier(effect.value, effect.error, others)
            middle = sum(value for value, _ in others) / len(others)
            text = (
                f"{one.name} {worth(one, effect)}; others of its kind {amount(one, middle)} on average "
                f"(p-value of the difference: {rare(two_sided_p(z))})"
            )
            yield Judged(one, two_sided_p(z), z > 0, text)


def _ends(known: Known, apart: float, best: bool, worst: bool) -> Iterator[Judged]:
    """Hold the *best* of a kind against the next, and the *worst* against the next worst: of few no spread is known.

    It has to be so far *apart* from the next, and to bring or cost :data:`WINS` of the wins; either may be chance. What
    counts is the sum for a player who uses it as often as its users do: a small loss at each of many uses is large.
    """
    ranked = sorted(known, key=lambda one: one[1].value)
    if len(ranked) < FEW:
        return
    pairs = [(*ranked[-1], *ranked[-2], 1)] * best + [(*ranked[0], *ranked[1], -1)] * worst
    for one, effect, next_, other, sign in pairs:
        wins = one.wins
        if sign * effect.value <= 0 or wins is None or wins.error <= 0:
            continue
        gap = abs(effect.value - other.value) - apart / one.uses
        error = sqrt(effect.error**2 + other.error**2)
        chance = max(_beyond(gap / error), _beyond((sign * wins.value - WINS / one.uses) / wins.error))
        side = "best" if sign > 0 else "worst"
        text = f"{one.name} {worth(one, effect)}{_describe_uses(one)}; "
        text += f"the next {side} of its kind, {next_.name}, {amount(next_, other.value)}"
        yield Judged(one, chance, sign > 0, text)


def _away(known: Known, apart: float, best: bool, worst: bool) -> Iterator[Judged]:
    """Hold the *best* or *worst* of a kind, whichever is farther off, against the middle of all others.

    It has to be so far *apart* from there and :data:`TIMES` as far as any other, and to bring or cost :data:`WINS` of
    the wins more than they do; either may be chance. Of others counts by how much they are surely off. So neither
    another one with few observations nor a spread that such a thing has caused itself hides it.
    """
    if len(known) < FELLOWS:
        return
    sums = [(one.uses * effect.value, one.uses * effect.error) for one, effect in known]
    middle = median([value for value, _ in sums])
    sure = [max(0.0, abs(value - middle) - Z * error) for value, error in sums]
    at = max(range(len(known)), key=sure.__getitem__)
    (one, effect), (value, error), sign = known[at], sums[at], 1 if sums[at][0] > middle else -1
    wins = one.wins
    if not (best if sign > 0 else worst) or wins is None or wins.error <= 0 or sign * effect.value <= 0:
        return
    most = max(far for number, far in enumerate(sure) if number != at)
    usual = median([thing.uses * thing.wins.value for thing, _ in known if thing.wins is not None])
    gap = abs(value - middle) - max(apart, TIMES * most)
    more = sign * (one.uses * wins.value - usual) - WINS
    zs = gap / hypot(error, _error_of_median([error for _, error in sums])), more / (one.uses * wins.error)
    freedom = min(effect.freedom, wins.freedom)
    text = (
        f"{one.name} {worth(one, effect)}{_describe_uses(one)}; a player gains {amount(one, value)} by using it often "
    )
    text += f"in a match, with others of its kind {amount(one, middle)} (median)"
    yield Judged(one, max(_beyond(as_normal(z, freedom)) for z in zs), sign > 0, text)


def _error_of_median(errors: list[float]) -> float:
    """Return the standard error of a median, of numbers with such errors and a normal distribution."""
    return sqrt(pi / 2) * median(errors) / sqrt(len(errors))


def _describe_uses(one: Thing) -> str:
    """Say how many uses more those have who use something often; empty if about one."""
    return f", with {one.uses:.1f} uses more in a match by players who use it often" if one.uses >= REPEATED else ""


def _beyond(z: float) -> float:
    """Return how often a standard normal number is so large."""
    return two_sided_p(z) / 2 if z > 0 else 1.0


def worth(one: Thing, effect: Effect) -> str:
    """Say what something is worth, with the interval."""
    low, high = effect.interval()
    ends = f"{low:+.1f} to {high:+.1f}" if one.score is not None else f"{100 * low:+.1f} to {100 * high:+.1f}"
    return f"is worth {amount(one, effect.value)} ({ends}) per use"


def amount(one: Thing, value: float) -> str:
    """Write a worth of something with its unit."""
    return f"{value:+.1f} points" if one.score is not None else f"{100 * value:+.1f} {POINTS} of the wins"
