"""Compile many mutants into one program: each changed rule stands beside the original, and takes its place in turn.

In:     mutants of effects, for a group of scenarios and a number of players.
Out:    which of them a scenario notices. Nothing is said about the others, nor about those to be made one by one.

To compile a program takes longer than to play hundreds of scenarios with it, so this is what makes it quick. A rule is
exchanged by its code: whoever calls it goes on as before. That is right when nothing else depends on what stands in it:

- its text is part of one rule, which gives nothing back and has the same frame as before;
- what it reads, writes, asks and draws is the same, so everything around it is compiled alike;
- it demands something at its beginning if it did so before: what that is stands in a function of its own.

What is proven of other rules holds for all the rules in the program, and so for the changed ones, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from patolli.compiler import Executable
from patolli.compiler.asked import Question
from patolli.program.model import Program, Rule
from patolli.scenarios.mutation.mutant import Mutant

if TYPE_CHECKING:
    from patolli.program.summaries import Summaries, Summary


def rule_of(mutant: Mutant, program: Program) -> str | None:
    """Return the one rule that holds the changed effect; None where it is part of several, or gives something back."""
    text = mutant.text
    first, last = (text.line, text.column), (text.end_line, text.end_column)

    def holds(rule: Rule) -> bool:
        return any(
            effect.span.path == mutant.path and first <= (effect.span.line, effect.span.column) < last
            for effect in rule.block
        )

    found = [rule.name for rule in program.rules.values() if holds(rule)]
    return found[0] if len(found) == 1 and program.rules[found[0]].returns is None else None


def beside(rule: Rule, number: int) -> Rule:
    """Return a changed rule under a name of its own."""
    return replace(rule, name=f"{rule.name}~{number}")


def exchangeable(executable: Executable, name: str, other: str) -> bool:
    """Tell whether one rule of a program can stand in the place of another, as far as the rest of it can tell."""
    unit = executable.workings.unit
    framed, entries, blocks = unit.framing.framed, executable.space["ENTRIES"], executable.blocks
    if _outside(unit.summaries, name) != _outside(unit.summaries, other):
        return False
    if (name in framed) != (other in framed) or (name in unit.tests) != (other in unit.tests):
        return False
    if name not in framed:
        return True
    old, new = entries.get(name), entries.get(other)
    if old is None or new is None or old in executable.secret:
        return False
    alone = sum(block is blocks[old] for block in blocks) == 1
    return alone and len(executable.space[f"PAD_{old}"]) == len(executable.space[f"PAD_{new}"])


def _outside(summaries: Summaries, name: str) -> Summary:
    return replace(summaries.rules[name], faults=frozenset())


@contextmanager
def exchanged(executable: Executable, name: str, other: str) -> Iterator[None]:
    """Let one rule of a program do for a while what another does."""
    unit, space = executable.workings.unit, executable.space
    functions = []
    if name in unit.tests:
        functions.append((space[unit.tests[name]], space[unit.tests[other]]))
    if name in unit.framing.framed:
        old, new = space["ENTRIES"][name], space["ENTRIES"][other]
        functions.append((executable.blocks[old], executable.blocks[new]))
        asking = _asked(executable, old, _asks(executable, new))
    else:
        ids = executable.workings.plain.rule_ids
        functions.append((space[ids[name]], space[ids[other]]))
        old, asking = -1, None
    before = [(function, function.__code__) for function, _ in functions]
    try:
        for function, changed in functions:
            function.__code__ = changed.__code__
        yield
    finally:
        for function, code in before:
            function.__code__ = code
        if asking is not None:
            _asked(executable, old, asking)


Asking = tuple[Question | None, int, int]
"""What a block asks, where its answer goes, and which block is next."""


def _asks(executable: Executable, block: int) -> Asking:
    return executable.questions.get(block), executable.slots[block], executable.thens[block]


def _asked(executable: Executable, block: int, asking: Asking) -> Asking:
    """Let a block ask something else; return what it asked before."""
    before = _asks(executable, block)
    question, executable.slots[block], executable.thens[block] = asking
    if question is not None:
        executable.questions[block] = question
    else:
        executable.questions.pop(block, None)
    return before
