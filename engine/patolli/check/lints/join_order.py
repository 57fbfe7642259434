"""Find what packs put at one place of a rule where their order matters, and what is put where it never happens.

At one place patches come first, then triggers, then triggers of pieces, each in the order of the packs. What takes the
place of a rule is the exception: there a later pack comes first, with the earlier ones inside ``original``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, Span
from patolli.language.packs.conflicts import Change
from patolli.language.program import effects as e
from patolli.language.program.model import Program, Rule, Step, Trigger
from patolli.language.program.node import Location, declaration, walk
from patolli.language.program.summaries import Summaries, Summary


@dataclass(frozen=True, slots=True)
class Part:
    """What one pack puts at a place of a rule: a patch, or a trigger with its name."""

    pack: str
    trigger: str
    span: Span
    does: Summary
    sets: frozenset[Location]

    @property
    def words(self) -> str:
        """How it is called where another one is reported."""
        return f"the trigger {self.trigger!r} of {self.pack!r}" if self.trigger else f"the patch of {self.pack!r}"

    def commutes(self, other: Part) -> bool:
        """Return whether the order of the two makes no difference; behind the end of a match it makes none."""
        if (self.does.ends and other.does.writes) or (other.does.ends and self.does.writes):
            return False
        touched = self.does.writes & other.does.reads | self.does.reads & other.does.writes
        return not (touched | self.sets & other.does.writes | self.does.writes & other.sets)


@check("P0125")
def order_that_matters(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what two packs do at one place, in an order that they do not know of."""
    composition = reviewed.program.composition
    order = [pack.id for pack in composition.packs]
    for where, parts, instead in _places(reviewed.program, reviewed.summaries):
        for first, second in combinations(parts, 2):
            if first.pack == second.pack or first.commutes(second):
                continue
            turned = (order.index(first.pack) > order.index(second.pack)) != instead
            if turned:
                words = f"this comes before {second.words}, and what they do to {where!r} depends on the order"
                help_ = _HELP_INSTEAD if instead else _HELP_ORDER
                also = ((second.span, "this comes second"),)
                yield Problem("P0125", words, first.span, help_, also, "warning")
            elif not composition.precedence.are_ordered(first.pack, second.pack):
                early, late = (second, first) if instead else (first, second)
                how = "before" if instead else "after"
                words = f"this comes {how} {early.words}, and what they do to {where!r} depends on the order"
                help_ = (
                    f"the order follows only the ids of the packs; if it is right, name {early.pack!r} under 'optional'"
                )
                also = ((early.span, f"this comes {'second' if instead else 'first'}"),)
                yield Problem("P0125", words, late.span, help_, also, "warning")


_HELP_ORDER = "patches come first, then triggers, then triggers of pieces, each in the order of the packs"
_HELP_INSTEAD = "triggers come first, then triggers of pieces; of each, those of the later pack"


def _places(program: Program, summaries: Summaries) -> Iterator[tuple[str, list[Part], bool]]:
    """Go through the places at which something stands, with what does, in the order in which it acts.

    The last value is true for what takes the place of a rule; what never happens there is left out. A step that is
    called by itself is a copy of the one in its rule, so what joins it is looked at there.
    """
    for rule in program.rules.values():
        if "/" in rule.name:
            continue
        instead = rule.instead[: _count_happening(rule, summaries.called_rules)]
        for joining in (instead, rule.before, rule.after[bool(rule.ordered) :]):  # what is chosen is no accident
            # what sets back comes behind all, whichever packs there are
            parts = [_of_trigger(program, summaries, one) for one in joining if not one.sets_back]
            yield rule.name.partition("'")[0], parts, joining is instead
        steps: dict[tuple[str, str], list[Part]] = {}
        for step in rule.steps:
            name, how = (*step.name.split("'"), "")[:2]
            if how:
                steps.setdefault((name, how), []).extend(_of_step(program, summaries, rule, step))
        for (name, _), parts in steps.items():
            yield f"{rule.name.partition(chr(39))[0]}/{name}", parts, False


def _of_trigger(program: Program, summaries: Summaries, trigger: Trigger) -> Part:
    sections, body = program.composition.sections, program.rules[trigger.body]
    does = summaries.rules[body.name].merge_with(Summary(reads=summaries.reads(trigger.condition)))
    if trigger.design is not None:
        pack, name = sections["pieces"][trigger.design.id].pack, trigger.design.id
    elif trigger.name in sections["triggers"]:
        pack, name = sections["triggers"][trigger.name].pack, trigger.name
    else:
        pack, name = trigger.name.split("'")[1], ""
    return Part(pack, name, trigger.span, does, _sets(body.block))


def _of_step(program: Program, summaries: Summaries, rule: Rule, step: Step) -> list[Part]:
    """Return what was put before or after a step: one patch, or all triggers that join it."""
    joint = program.rules.get(f"{rule.name.partition(chr(39))[0]}/{step.name}")
    if joint is not None:
        return [_of_trigger(program, summaries, trigger) for trigger in (*joint.before, *joint.after)]
    return [Part(step.name.split("'")[2], "", step.span, summaries.of(step.block).outside(), _sets(step.block))]


def _sets(block: e.Block) -> frozenset[Location]:
    """Return what a block sets to a value, whatever it was before; what is gained or lost in any order is the same."""
    sets = (node for node in walk(block) if isinstance(node, e.Set))
    return frozenset(location for node in sets for location in declaration(node).writes(node))


@check("P0126")
def what_never_happens(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what joins a rule, or a step of it, in whose place a module does something else altogether."""
    program, summaries = reviewed.program, reviewed.summaries
    yield from _find_replaced(program, summaries)
    for rule in program.rules.values():
        if "'" not in rule.name or "/" in rule.name or rule.name in summaries.called_rules:
            continue
        name = rule.name.partition("'")[0]
        if name not in program.rules:
            continue
        for step in rule.steps:
            own, how = (*step.name.split("'"), "")[:2]
            for part in _of_step(program, summaries, rule, step) if how else ():
                words = f"the step {own!r} of {name!r} never happens, so this is never done"
                help_ = "without original(..), the triggers of the steps never happen"
                also = ((program.rules[name].steps[0].span, "this is done instead"),)
                yield Problem("P0126", words, part.span, help_, also, "warning")


def _find_replaced(program: Program, summaries: Summaries) -> Iterator[Problem]:
    """Find what other packs do to a rule in whose place a trigger does something else in every case."""
    before, called = program.composition.precedence.before, summaries.called_rules
    for rule in program.rules.values():
        happening, was = _count_happening(rule, called), program.rules.get(f"{rule.name}'0")
        if was is None or (happening == len(rule.instead) and (was.name in called or not rule.instead)):
            continue
        by = _of_trigger(program, summaries, rule.instead[happening - 1])
        joining = (*was.before, *was.after[bool(was.ordered) :], *was.ordered)
        lost = [one for one in (*rule.instead[happening:], *joining) if not one.sets_back]
        places = [(part.pack, part.span) for part in (_of_trigger(program, summaries, one) for one in lost)]
        places += [(one.pack, one.target.span) for one in _find_rewritten(program, rule)]
        for pack, span in places:
            if pack != by.pack and pack not in before(by.pack):
                words = f"the rule {rule.name!r} never happens, so this is never done"
                help_ = (
                    f"without original(..), only {by.words} happens; name {pack!r} under 'optional' if that is right"
                )
                yield Problem("P0126", words, span, help_, ((by.span, "this is done instead"),), "warning")


def _find_rewritten(program: Program, rule: Rule) -> Iterator[Change]:
    """Yield the changes in force that decide what a rule does; what comes before and after it is found elsewhere."""
    entry = program.composition.sections["rules"].get(rule.name)
    changes = program.composition.changes.get(("rules", rule.name), ())
    for change in changes:
        (here, *_) = change.addresses()
        what_it_does = here[:1] in ((), ("body",)) and change.operation not in ("before", "after")
        if what_it_does and entry and not any(change.node is one for one in entry.superseded):
            yield change


def _count_happening(rule: Rule, called: frozenset[str]) -> int:
    """Return how many of the triggers that take the place of a rule may happen: up to the first that goes nowhere."""
    stages = [f"{rule.name}'{number}" for number in range(2, len(rule.instead) + 1)]
    return next((n for n, stage in enumerate(stages, 1) if stage not in called), len(rule.instead))
