"""Compile many mutants into one program: what is changed stands beside the original, and takes its place in turn.

In:     mutants of effects and functions, for a group of scenarios and a number of players.
Out:    which of them a scenario notices. Nothing is said about the others, nor about those to be made one by one.

To compile a program takes longer than to play hundreds of scenarios with it, so this is what makes it quick. A rule or
function is exchanged by its code: whoever calls it goes on as before. That is right when nothing else depends on what
stands in it. Of a function others know what it reads, which has to be the same; for the rest it is loose in this
program: nothing is proven with it, and it becomes no table. Of a rule, more:

- its text is part of one rule, which gives nothing back and has the same frame as before;
- it reads and writes nothing that it did not before, and does the same besides: so what stands around it is right for
  it, and demands the same, as a beginning reaches to the first change, whatever changes;
- it demands nothing at its beginning if it did not before. What it demands stands in a function of its own, which is
  made where somebody asks for that of the original.

What is proven of other rules holds for all the rules in the program, and so for the changed ones, too.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from patolli.compiler import Executable
from patolli.compiler import build as b
from patolli.compiler.asked import Question
from patolli.compiler.shortening import plainly
from patolli.compiler.unit import function_name
from patolli.program.model import Function, Program, Rule
from patolli.program.preconditions import ALWAYS
from patolli.scenarios.mutation.cells import Cell, exchanged_cell
from patolli.scenarios.mutation.mutant import Mutant

if TYPE_CHECKING:
    from patolli.compiler.unit import Unit
    from patolli.program.summaries import Summary
    from patolli.scenarios.mutation.grouping import Known


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


Made = Rule | Function | Cell
"""What a mutant changes in a program: a rule or function, under its own name, or a cell of a table."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What a mutant changes, and the scenarios that may notice it, which have so many players."""

    made: Made
    known: list[Known]
    players: int


def beside(program: Program, changed: dict[int, Made]) -> Program:
    """Return a program that also holds changed rules and functions, under names with their numbers."""
    made = copy.copy(program)
    made.rules, made.functions = dict(program.rules), dict(program.functions)
    for number, one in changed.items():
        if isinstance(one, Cell):
            continue
        named = replace(one, name=_numbered(one, number))
        if isinstance(named, Rule):
            made.rules[named.name] = named
        else:
            made.functions[named.name] = named
            made.loose |= {one.name, named.name}
    return made


def instead(program: Program, changed: Rule | Function) -> Program:
    """Return a program with a changed rule or function in the place of the original."""
    made = copy.copy(program)
    if isinstance(changed, Rule):
        made.rules = {**program.rules, changed.name: changed}
    else:
        made.functions = {**program.functions, changed.name: changed}
    return made


def _numbered(one: Rule | Function, number: int) -> str:
    return f"{one.name}~{number}"


def ask_of(executable: Executable, changed: Iterable[tuple[Made, int]]) -> None:
    """Compile what *changed* rules, given with their numbers, demand, where somebody asks for that of the originals."""
    plain, unit = executable.workings.plain, executable.workings.unit
    for one, number in changed:
        if isinstance(one, Rule) and one.name in unit.tests:
            unit.current = one.name
            plain.can(_numbered(one, number), [b.const(0) for _ in (one.me, *one.parameters)])
    with plainly():
        executable.workings.execute()


@contextmanager
def taken(executable: Executable, made: Made, number: int) -> Iterator[bool]:
    """Let what is changed take the place of the original for a while; yield whether it can."""
    if isinstance(made, Cell):
        with exchanged_cell(executable, made) as can:
            yield can
    elif exchangeable(executable, made, number):
        with exchanged(executable, made, number):
            yield True
    else:
        yield False


def exchangeable(executable: Executable, made: Rule | Function, number: int) -> bool:
    """Tell whether one that stands beside can take the place of the original, as far as the rest can tell."""
    name, other = made.name, _numbered(made, number)
    unit = executable.workings.unit
    if isinstance(made, Function):
        return unit.summaries.functions[name] == unit.summaries.functions[other]
    framed, entries = unit.framing.framed, executable.space["ENTRIES"]
    if not _no_more(unit.summaries.rules[other], unit.summaries.rules[name]):
        return False
    if (name in framed) != (other in framed) or (_demands(unit, other) and not _demands(unit, name)):
        return False
    if name not in framed:
        return True
    old, new = entries.get(name), entries.get(other)
    if old is None or new is None or old in executable.secret:
        return False
    return len(executable.space[f"PAD_{old}"]) == len(executable.space[f"PAD_{new}"])


def _no_more(changed: Summary, before: Summary) -> bool:
    """Tell whether a changed rule reads and writes nothing else than before, and does the same besides."""
    if not (changed.reads <= before.reads and changed.writes <= before.writes and changed.changes == before.changes):
        return False
    return replace(changed, reads=before.reads, writes=before.writes, faults=before.faults) == before


def _demands(unit: Unit, name: str) -> bool:
    """Tell whether a rule demands something at its beginning."""
    return unit.proven.pruned(unit.proven.preconditions.of(unit.model.rules[name].block)) is not ALWAYS


def _possible(*_: object) -> bool:
    """Stand for what tells whether a rule is possible that demands nothing."""
    return True


@contextmanager
def exchanged(executable: Executable, made: Rule | Function, number: int) -> Iterator[None]:
    """Let the original do for a while what one beside it does."""
    name, other = made.name, _numbered(made, number)
    unit, space = executable.workings.unit, executable.space
    functions: list[tuple[Any, Any]] = []
    if isinstance(made, Rule) and name in unit.tests:
        asked = unit.space[unit.tests[other]] if other in unit.tests else _possible
        functions.append((unit.space[unit.tests[name]], asked))
    old, asking = -1, None
    if isinstance(made, Function):
        functions.append((space[function_name(name)], space[function_name(other)]))
    elif name in unit.framing.framed:
        old, new = space["ENTRIES"][name], space["ENTRIES"][other]
        functions.append((executable.blocks[old], executable.blocks[new]))
        asking = _asked(executable, old, _asks(executable, new))
    else:
        ids = executable.workings.plain.rule_ids
        functions.append((space[ids[name]], space[ids[other]]))
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
