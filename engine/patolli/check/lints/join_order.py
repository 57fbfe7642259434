"""Find what packs put at one place of a rule where their order matters, and what joins a step that never comes.

At one place patches come first, then triggers, then triggers of pieces, each in the order of the packs; but of several
patches after a step the last one stands nearest to it, and comes first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, Span
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
    for where, parts in _places(reviewed.program, reviewed.summaries):
        for first, second in combinations(parts, 2):
            if first.pack == second.pack or first.commutes(second):
                continue
            if second.trigger and order.index(first.pack) > order.index(second.pack):
                words = f"this comes before {second.words}, and what they do to {where!r} depends on the order"
                help_ = "patches come first, then triggers, then triggers of pieces, each in the order of the packs"
                also = ((second.span, "this comes second"),)
                yield Problem("P0125", words, first.span, help_, also, "warning")
            elif not composition.precedence.are_ordered(first.pack, second.pack):
                early, late = sorted((first, second), key=lambda part: order.index(part.pack))
                how = "after" if late is second else "before"
                words = f"this comes {how} {early.words}, and what they do to {where!r} depends on the order"
                help_ = (
                    f"the order follows only the ids of the packs; if it is right, name {early.pack!r} under 'optional'"
                )
                also = ((early.span, f"this comes {'first' if late is second else 'second'}"),)
                yield Problem("P0125", words, late.span, help_, also, "warning")


def _places(program: Program, summaries: Summaries) -> Iterator[tuple[str, list[Part]]]:
    """Go through the places at which something stands, with what does, in the order in which it acts.

    A step that is called by itself is a copy of the one in its rule, so what joins it is looked at there.
    """
    for rule in program.rules.values():
        if "/" in rule.name:
            continue
        for joining in (rule.instead, rule.before, rule.after[bool(rule.ordered) :]):  # what is chosen is no accident
            # what sets back comes behind all, whichever packs there are
            parts = [_of_trigger(program, summaries, one) for one in joining if not one.sets_back]
            yield rule.name.partition("'")[0], parts
        steps: dict[tuple[str, str], list[Part]] = {}
        for step in rule.steps:
            name, how = (*step.name.split("'"), "")[:2]
            if how:
                steps.setdefault((name, how), []).extend(_of_step(program, summaries, rule, step))
        for (name, _), parts in steps.items():
            yield f"{rule.name.partition(chr(39))[0]}/{name}", parts


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
def step_that_never_comes(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what joins a step of a rule in whose place a module does something else altogether."""
    program, summaries = reviewed.program, reviewed.summaries
    called = {name for rule in program.rules.values() for name in summaries.runs_itself(rule)}
    for rule in program.rules.values():
        if "'" not in rule.name or "/" in rule.name or rule.name in called:
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
