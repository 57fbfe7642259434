"""Ask of random positions why what is not offered is not offered, and see whether the answers are true.

Every answer has to name a condition that does not hold, with its line. Then that condition is made true in a copy of
the match: what is missing of a payment is put there, or numbers, fields and pieces that it looks at are changed until
it holds. It must be gone from the answer then; and when all are gone, the option must be offered, which is not asked
of the answer but of the compiled question itself. What only facts decide, no state can change; that is counted apart.

    python tools/why.py city_of_gods --positions 200
    python tools/why.py tic_tac_toe founders --positions 200 --options 8
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from patolli.compiler.layout import FRAMES
from patolli.compiler.workings import free
from patolli.kernel.pieces import move
from patolli.program import effects as e
from patolli.program import expressions as x
from patolli.program import types as ty
from patolli.program.model import Program
from patolli.program.node import declaration, walk
from patolli.runtime import Match, Ruleset
from patolli.runtime.reasons import Reason
from patolli.workspace import load

TRIES, ROUNDS = 600, 12
"""How often the state is changed for one condition to hold, and how many conditions of one option are made true."""


class Report:
    """What was found: ``counts``, and what is wrong in ``wrong``."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []


def positions(rules: Ruleset, number: int, seed: int) -> Iterator[Match]:
    """Yield random positions, some from each of several matches of all numbers of players."""
    draw, found = Random(seed), 0
    while found < number:
        low, high = rules.players
        match = rules.start(draw.randint(low, high), draw.randrange(10**6))
        while match.pending is not None and found < number:
            if draw.random() < 0.08:
                found += 1
                yield match
            match.pick(draw.randrange(len(match.pending)))


def check(rules: Ruleset, number: int, options: int, seed: int = 0) -> Report:
    """Ask about *options* refused options of each of *number* positions."""
    report, draw = Report(), Random(seed)
    for match in positions(rules, number, seed):
        report.counts["positions"] += 1
        before = match.digest()
        refused = match.refused()
        report.counts["refused"] += len(refused)
        for label in draw.sample(refused, min(options, len(refused))):
            _ask(match, label, draw, report)
        for option in draw.sample(list(match.decision.options), 1) if match.decision is not None else ():
            report.counts["offered, asked about"] += 1
            answer = match.why(option.label)
            if not answer.offered or answer.failing():
                report.wrong.append(f"{option.label!r} is offered:\n{answer}")
        if match.digest() != before:
            report.wrong.append(f"asking changed the match: {match.choices}")
    return report


def _ask(match: Match, label: str, draw: Random, report: Report) -> None:
    answer = match.why(label)
    report.counts["asked about"] += 1
    failing = answer.failing()
    if answer.offered or not failing or any(one.span.line < 1 or not one.span.path for one in failing):
        report.wrong.append(f"{label!r} has no reason:\n{answer}")
        return
    report.counts["named a condition"] += 1
    copy, result = match.clone(), "not made true"
    for _ in range(ROUNDS):
        reasons = [one for one in copy.why(label).reasons if one.holds is False and not one.way]
        if not reasons:
            break
        result = _mend(copy, label, reasons, draw, report)
        if result:
            break
    else:
        result = "many conditions"
    if result:
        report.counts[f"{result}"] += 1
        return
    report.counts["all conditions made true"] += 1
    if copy.decision is not None and label in [option.label for option in copy.decision.options]:
        report.counts["offered then"] += 1
    else:
        report.wrong.append(f"{label!r} has no reason left and is not offered: {match.choices}\n{copy.why(label)}")


def _mend(match: Match, label: str, reasons: list[Reason], draw: Random, report: Report) -> str:
    """Make one condition true; return nothing, or why that is not possible."""
    result = "not made true"
    for leaf in _leaves(reasons[0]):
        if leaf.node is None:
            return "a waiting question would have no answer"
        if _lasting(leaf.node, match.program.layout.model):
            result = "decided by facts"
            continue
        if not _made_true(match, leaf, draw):
            continue
        ask_again(match)
        report.counts["conditions made true"] += 1
        if any(_same(leaf, other) for other in match.why(label).failing()):
            report.wrong.append(f"{label!r} still lacks {leaf.what!r}: {match.choices}\n{match.why(label)}")
        return ""
    return result


def _leaves(reason: Reason) -> Iterator[Reason]:
    """Yield the conditions one of which may be made true first: of a choice each part, else the first that fails."""
    failing = [part for part in reason.parts if part.holds is False and not part.way]
    if not failing:
        yield reason
    for part in failing if reason.choice else failing[:1]:
        yield from _leaves(part)


def _same(one: Reason, other: Reason) -> bool:
    """Tell whether two reasons are the same condition on the same values."""
    if one.node is not other.node or one.node is None:
        return False
    return all(one.scope.get(v) == other.scope.get(v) for v in free(one.node))


# ---- changing a state


def _made_true(match: Match, leaf: Reason, draw: Random) -> bool:
    """Change a match until a condition holds; return whether that came about."""
    assert leaf.node is not None
    if isinstance(leaf.node, e.Pay):
        return _paid_in(match, leaf)
    if not isinstance(leaf.node, x.Expr):
        return False
    working = match.program.workings.value(leaf.node)
    values = [leaf.scope.get(variable) for variable in working.variables]
    if None in values:
        return False
    changes = list(_changes(leaf.node, match))
    start = match.state
    for number in range(TRIES):
        if number % 20 == 0:
            match.state = _copied(start)
        draw.choice(changes)(match.state, draw)
        try:
            if working.function(match.state, *values):
                return True
        except (ArithmeticError, LookupError, ValueError):
            match.state = _copied(start)
    match.state = start
    return False


def _copied(state: list[Any]) -> list[Any]:
    return [
        [inner.copy() for inner in held] if slot == FRAMES else held.copy() if isinstance(held, list | dict) else held
        for slot, held in enumerate(state)
    ]


def _paid_in(match: Match, leaf: Reason) -> bool:
    """Put what is missing of a payment into the counters of whoever pays."""
    pay, program = leaf.node, match.program
    assert isinstance(pay, e.Pay)
    working = program.workings.value(pay.who)
    who = working.function(match.state, *(leaf.scope[variable] for variable in working.variables))
    named = {match.labels.counters[slot][0]: slot for slot in match.labels.counters if _of(match, slot) in (-1, who)}
    for name, number in leaf.missing:
        group = program.layout.model.groups.get(name.removeprefix("any "), ()) if name.startswith("any ") else (name,)
        slot = next((named[one] for one in group if one in named), None)
        if slot is None:
            return False
        match.state[slot] += number
    return bool(leaf.missing)


def _of(match: Match, slot: int) -> int:
    """Return whose counter a slot is, -1 for nobody's."""
    name, _ = match.labels.counters[slot]
    base, sizes = match.program.layout.counters[name]
    owned = match.program.layout.model.counters[name].dims == ("player",)
    return slot - base if owned else -1 if not sizes else -2


def _lasting(node: Any, program: Program) -> bool:
    return isinstance(node, x.Expr) and not list(_reads(node, program, set()))


def _reads(node: Any, program: Program, seen: set[str]) -> Iterator[tuple[Any, ...]]:
    """Yield what an expression reads of the state, with the functions that it calls and the rules it looks into."""
    for inner in walk(node):
        for location in declaration(inner).reads(inner):
            if location[0] == "function" and location[1] not in seen:
                seen.add(location[1])
                yield from _reads(program.functions[location[1]].body, program, seen)
            elif location[0] == "beginning" and location[1] not in seen:
                seen.add(location[1])
                for effect in program.rules[location[1]].block:
                    yield from _reads(effect, program, seen)
            elif location[0] in ("counter", "field", "pieces"):
                yield location


def _changes(node: Any, match: Match) -> Iterator[Any]:
    """Yield functions that change something at random that an expression looks at."""
    layout = match.program.layout
    for location in dict.fromkeys(_reads(node, layout.model, set())):
        match location:
            case ("counter", name):
                slots = layout.slots(*layout.counters[name])
                high = layout.limits[name]
                yield _number(slots, layout.model.counters[name].low, 12 if high is None else min(12, high))
            case ("field", kind, name):
                attribute = layout.model.kinds[kind].fields[name]
                slots = range(layout.fields[kind, name], layout.fields[kind, name] + layout.size(kind))
                yield _number(slots, *_bounds(attribute, match))
            case ("pieces", kind):
                places = [place for place in layout.model.places.values() if place.of == kind]
                if places:
                    yield _moving(layout.at[kind], layout.size(kind), [s for p in places for s in _slots(match, p)])


def _slots(match: Match, place: Any) -> range:
    return match.program.layout.slots(*match.program.layout.places[place.name])


def _bounds(attribute: Any, match: Match) -> tuple[int, int]:
    type_ = ty.strip(attribute.type)
    low = -1 if isinstance(attribute.type, ty.Maybe) else 0
    if isinstance(type_, ty.Ref):
        return low, match.program.layout.size(type_.kind) - 1
    if type_ == ty.BOOL:
        return 0, 1
    return attribute.low or 0, attribute.high if attribute.high is not None else 12


def _number(slots: range, low: int, high: int) -> Any:
    def change(state: list[Any], draw: Random) -> None:
        state[draw.choice(slots)] = draw.randint(low, max(low, high))

    return change


def _moving(base: int, number: int, slots: list[int]) -> Any:
    def change(state: list[Any], draw: Random) -> None:
        piece, slot = draw.randrange(number), draw.choice([0, *slots])
        held = state[slot] if slot else None
        if isinstance(held, int) and held >= 0:
            move(state, base, held, 0)
        move(state, base, piece, slot)

    return change


# ---- what is offered


def ask_again(match: Match) -> None:
    """Let the compiled question list its options on the state as it is now."""
    copy = match.clone()
    frame = copy.state[FRAMES][-1]
    number = frame[0]
    values = copy.program.blocks[number](copy.state, frame)
    if values is None:  # the only answer was taken
        values = [frame[copy.program.slots[number]]]
    anytime = match.program.anytime if match.program.questions[number].kind != "pay" else None
    more = anytime(copy.state, frame[1]) if anytime is not None else []
    match.pending, match.extra = [*values, *more], len(more)


def main() -> int:
    """Run the command line; the status is 1 when an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--positions", type=int, default=200, help="random positions of each pack (default 200)")
    parser.add_argument("--options", type=int, default=10, help="options of each that are asked about (default 10)")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    wrong = 0
    for pack in given.packs:
        report = check(load(pack), given.positions, given.options, given.seed)
        print(f"{pack}: " + ", ".join(f"{number} {name}" for name, number in report.counts.items()))
        for one in report.wrong[:5]:
            print(one)
        print(f"{pack}: {len(report.wrong)} wrong", flush=True)
        wrong += len(report.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
