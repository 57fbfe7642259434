"""Ask of random positions why what is not offered is not offered, and see whether the answers are true.

Every answer has to name a condition that does not hold, with its line. Then that condition is made true in a copy of
the match: what is missing of a payment is put there, or numbers, fields and pieces that it looks at are changed until
it holds; where only facts decide, the facts are changed for that one question. It must be gone from the answer then;
and when all are gone, the option must be offered, which is not asked of the answer but of the compiled question.

    python tools/why.py city_of_gods --positions 200
    python tools/why.py tic_tac_toe founders --positions 200 --options 8
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from patolli.author.workspace import load
from patolli.kernel.faults import NoOption, RuleFault
from patolli.kernel.pieces import move
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Program
from patolli.language.program.node import declaration, walk
from patolli.run.compiler.layout import FRAMES
from patolli.run.compiler.unit import fact_table, function_name
from patolli.run.compiler.workings import free
from patolli.run.runtime import Match, Ruleset
from patolli.run.runtime.reasons import Reason

OFFERED = "all conditions made true, and offered then"
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
    facts = Facts(match)
    try:
        result = _make_true(match.clone(), label, facts, draw, report)
    finally:
        facts.back({})
    report.counts[result] += 1
    if result == OFFERED and facts.changed:
        report.counts["of these with other facts"] += 1


def _make_true(copy: Match, label: str, facts: Facts, draw: Random, report: Report) -> str:
    """Make one condition true after another; return what came of it."""
    for _ in range(ROUNDS):
        reasons = [one for one in copy.why(label).reasons if one.holds is False and not one.way]
        if not reasons:
            break
        failed = _mend(copy, label, reasons, facts, draw, report)
        if failed:
            return failed
    else:
        return "many conditions"
    if copy.decision is not None and label in [option.label for option in copy.decision.options]:
        return OFFERED
    report.wrong.append(f"{label!r} has no reason left and is not offered: {copy.choices}\n{copy.why(label)}")
    return "not offered then"


def _mend(match: Match, label: str, reasons: list[Reason], facts: Facts, draw: Random, report: Report) -> str:
    """Make one condition true; return nothing, or why that is not possible."""
    result = "it is about another value"
    for leaf in _leaves(reasons[0]):
        if leaf.node is None:
            return "a waiting question would have no answer"
        if not _made_true(match, leaf, facts, draw):
            fixed = (
                isinstance(leaf.node, x.Expr)
                and not any(facts.changes(leaf.node, {}))
                and not list(_changes(leaf.node, match))
            )
            result = result if fixed else "not made true"
            continue
        ask_again(match)
        report.counts["conditions made true"] += 1
        if any(_same(leaf, other) for other in match.why(label).failing()):
            report.wrong.append(f"{label!r} still lacks {leaf.what!r}: {match.choices}\n{match.why(label)}")
        return ""
    return result


def _leaves(reason: Reason) -> Iterator[Reason]:
    """Yield the conditions that may be made true first: of a choice each part, else the first that fails."""
    failing = [part for part in reason.parts if part.holds is False and not part.way]
    if not failing:
        yield reason
    for part in failing if reason.choice else failing[:1]:
        yield from _leaves(part)


def _same(one: Reason, other: Reason) -> bool:
    """Return whether two reasons are the same condition on the same values."""
    if one.node is not other.node or one.node is None:
        return False
    return all(one.scope.get(v) == other.scope.get(v) for v in free(one.node))


# ---- changing a state


class Facts:
    """Facts, and tables of functions that only read facts, which are changed for a while."""

    def __init__(self, match: Match) -> None:
        self.space: dict[str, Any] = match.program.workings.unit.space
        self.model = match.program.layout.model
        self.changed: dict[str, Any] = {}
        self.before: dict[str, Any] = {}

    def back(self, to: dict[str, Any]) -> None:
        """Return to certain changes; to none, all is as the pack has it."""
        self.changed = dict(to)
        self.space.update({**self.before, **to})

    def changes(self, node: Any, scope: Any) -> Iterator[Any]:
        """Yield functions that change a fact at random on which an expression depends."""
        for inner in _inside(node, self.model, set()):
            match inner:
                case x.FactOf():
                    near = [v for var, v in scope.items() if ty.strip(var.type) == ty.Ref(inner.kind) and v >= 0]
                    yield self._changing(fact_table(inner.kind, inner.fact), 1, near, inner.type)
                case x.FunctionCall() if f"T_{function_name(inner.function)}" in self.space:
                    depth = len(inner.arguments)
                    near = [v for v in scope.values() if isinstance(v, int) and v >= 0]
                    yield self._changing(f"T_{function_name(inner.function)}", depth, near, inner.type)

    def _changing(self, name: str, depth: int, near: list[int], type_: ty.AnyType) -> Any:
        def change(_: list[Any], draw: Random) -> None:
            table = self.space[name]
            self.before.setdefault(name, table)
            known = [*_leaf_values(table, depth), *self._others(type_)]
            self.changed[name] = self.space[name] = _with(table, depth, near, draw.choice(known), draw)

        return change

    def _others(self, type_: ty.AnyType) -> Sequence[Any]:
        """Return values of a type that no fact may have."""
        plain = ty.strip(type_)
        if isinstance(plain, ty.Ref):
            return range(len(self.space[f"K_{plain.kind}"]))
        return (False, True) if plain == ty.BOOL else range(8) if plain == ty.INT else ()


def _leaf_values(table: Any, depth: int) -> list[Any]:
    return [table] if not depth else [value for row in table for value in _leaf_values(row, depth - 1)]


def _with(table: Any, depth: int, near: list[int], value: Any, draw: Random) -> Any:
    """Return a table with another value in one place, mostly at one of the indices that are *near*."""
    if not depth:
        return value
    inside = [one for one in near if one < len(table)]
    at = draw.choice(inside) if inside and draw.random() < 0.8 else draw.randrange(len(table))
    return tuple(_with(row, depth - 1, near, value, draw) if i == at else row for i, row in enumerate(table))


def _made_true(match: Match, leaf: Reason, facts: Facts, draw: Random) -> bool:
    """Change a match, or where that does nothing its facts, until a condition holds; return whether it does."""
    assert leaf.node is not None
    if isinstance(leaf.node, e.Pay):
        return _paid_in(match, leaf)
    if not isinstance(leaf.node, x.Expr):
        return False
    working = match.program.workings.value(leaf.node)
    values = [leaf.scope.get(variable) for variable in working.variables]
    if None in values:
        return False
    start, kept = match.state, dict(facts.changed)
    by_state, by_facts = list(_changes(leaf.node, match)), list(facts.changes(leaf.node, leaf.scope))
    for changes in filter(None, (by_state, by_facts, [*by_state, *by_facts])):
        for number in range(TRIES):
            if number % 20 == 0:
                match.state = _copied(start)
                facts.back(kept)
            draw.choice(changes)(match.state, draw)
            try:
                if working.function(match.state, *values):
                    return True
            except (ArithmeticError, LookupError, ValueError, RuleFault):
                match.state = _copied(start)
    match.state = start
    facts.back(kept)
    return False


def _copied(state: list[Any]) -> list[Any]:
    return [
        [inner.copy() for inner in held] if slot == FRAMES else held.copy() if isinstance(held, list | dict) else held
        for slot, held in enumerate(state)
    ]


def _paid_in(match: Match, leaf: Reason) -> bool:
    """Put what is missing of a payment into the counters of the payer."""
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
    """Return whose counter a slot is, -1 without an owner."""
    name, _ = match.labels.counters[slot]
    base, sizes = match.program.layout.counters[name]
    owned = match.program.layout.model.counters[name].dims == ("player",)
    return slot - base if owned else -1 if not sizes else -2


def _inside(node: Any, program: Program, seen: set[str]) -> Iterator[Any]:
    """Yield the nodes of an expression, of the functions that it calls and of the rules that it looks into."""
    for inner in walk(node):
        yield inner
        for location in declaration(inner).reads(inner):
            if location[0] == "function" and location[1] not in seen:
                seen.add(location[1])
                yield from _inside(program.functions[location[1]].body, program, seen)
            elif location[0] == "beginning" and location[1] not in seen:
                seen.add(location[1])
                for effect in program.rules[location[1]].block:
                    yield from _inside(effect, program, seen)


def _reads(node: Any, program: Program) -> dict[tuple[Any, ...], None]:
    """Return what an expression reads of the state."""
    nodes = _inside(node, program, set())
    return dict.fromkeys(location for inner in nodes for location in declaration(inner).reads(inner))


def _changes(node: Any, match: Match) -> Iterator[Any]:
    """Yield functions that change something at random that an expression looks at."""
    layout = match.program.layout
    for location in _reads(node, layout.model):
        match location:
            case ("counter", name):
                slots = layout.slots(*layout.counters[name])
                low, high = layout.model.counters[name].low, layout.limits[name]
                yield _number(slots, list(range(low, 13 if high is None else min(12, high) + 1)))
            case ("field", kind, name):
                attribute = layout.model.kinds[kind].fields[name]
                slots = range(layout.fields[kind, name], layout.fields[kind, name] + layout.size(kind))
                yield _number(slots, _values(attribute, match))
            case ("pieces", kind):
                places = [place for place in layout.model.places.values() if place.of == kind]
                if places:
                    yield _moving(layout.at[kind], layout.size(kind), [s for p in places for s in _slots(match, p)])


def _slots(match: Match, place: Any) -> range:
    return match.program.layout.slots(*match.program.layout.places[place.name])


def _values(attribute: Any, match: Match) -> list[int]:
    """Return what a field may hold."""
    layout, type_ = match.program.layout, ty.strip(attribute.type)
    none = [-1] if isinstance(attribute.type, ty.Maybe) else []
    match type_:
        case ty.Ref():
            return [*none, *range(layout.size(type_.kind))]
        case ty.Group():
            return [*none, *(layout.counters[name][0] for name in layout.model.groups[type_.name])]
        case ty.Design():
            return [*none, *range(len(layout.model.kinds[type_.kind].designs))]
        case ty.Choice():
            return [*none, *range(len(layout.model.options[type_.option].choices))]
    if type_ == ty.BOOL:
        return [0, 1]
    return [*none, *range(attribute.low or 0, (12 if attribute.high is None else attribute.high) + 1)]


def _number(slots: range, values: list[int]) -> Any:
    def change(state: list[Any], draw: Random) -> None:
        state[draw.choice(slots)] = draw.choice(values)

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
    try:
        values = copy.program.blocks[number](copy.state, frame)
    except NoOption:
        values = []
    if values is None:  # the only answer was taken, or what happens without one
        values = [frame[copy.program.slots[number]]] if frame[0] == copy.program.questions[number].then else []
    anytime = match.program.anytime if match.program.questions[number].kind != "pay" else None
    more = anytime(copy.state, frame[1]) if anytime is not None else []
    match.pending, match.extra = [*values, *more], len(more)


def main() -> int:
    """Run the command line; the status is 1 when an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--positions", type=int, default=200, help="random positions of each pack (default 200)")
    parser.add_argument("--options", type=int, default=10, help="options of each that are asked about (default 10)")
    parser.add_argument("--with", dest="modules", action="append", default=[], help="a module; may be repeated")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    wrong = 0
    for pack in given.packs:
        report = check(load(pack, given.modules), given.positions, given.options, given.seed)
        print(f"{pack}: " + ", ".join(f"{number} {name}" for name, number in report.counts.items()))
        for one in report.wrong[:5]:
            print(one)
        print(f"{pack}: {len(report.wrong)} wrong", flush=True)
        wrong += len(report.wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
