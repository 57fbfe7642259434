"""Return what a module causes where the module says it.

In:     a composition, and what was found in it.
Out:    the same problems; one in a required pack that is not there without a module is reported at the line of the
        module that causes it, with the place in the required pack as its second one.

Cause means: without it, the problem is not there. Which module causes a problem is found by composing the packs one by
one. Which of its lines does is known where the problem names a line of the module itself; else the lines are left out
one by one, the nearest first, until one is found without which the problem is gone and nothing else is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeAlias

from patolli.author.workspace.nearness import nearest_first
from patolli.language.diagnostics import Problem, Span
from patolli.language.packs.composition import Composition
from patolli.language.packs.manifest import Pack
from patolli.language.packs.statements import Statement, statements

Look: TypeAlias = Callable[[list[Pack]], tuple[Composition, list[Problem]]]
Key: TypeAlias = tuple[str, Span]
MOST = 32
"""Lines of a module that are left out in turn before the nearest one is taken for the cause."""
_EXTEND = "'replace' leaves only what it gives; 'extend' adds to what is there"
_COMPONENTS = "say in the 'components' of {!r} what it adds, below zero for what it removes"
_NAMES = "P0401"
"""Problems with codes below are reported even beside others, so other mistakes do not hide them."""


def attribute_problems(composition: Composition, problems: list[Problem], look: Look) -> list[Problem]:
    """Return *problems*, each at the place of its cause.

    Args:
        composition: What they were found in.
        problems: What was found.
        look: Composes other packs, the base first, and finds their problems.
    """
    packs = composition.packs
    own = {id(problem) for problem in composition.problems}
    open_ = [p for p in problems if id(p) not in own and 0 <= _owner_of(packs, p.span) < len(packs) - 1]
    if not open_:
        return problems
    reported: dict[Key, Statement] = {}
    before: set[Key] = set()
    waiting: set[int] = set()
    for number in range(min(_owner_of(packs, p.span) for p in open_), len(packs)):
        there, found = look(packs[: number + 1]) if number < len(packs) - 1 else (composition, problems)
        new = [
            p
            for p in open_
            if _problem_key(p) in _problem_keys(found) - before - reported.keys() and _owner_of(packs, p.span) < number
        ]
        if new:
            reported.update(_Causes(there, waiting, found, look).of(new))
        before |= _problem_keys(found)
        waiting = {id(tree) for tree in there.left_out}
    return _move_problems(packs, problems, reported)


def _owner_of(packs: list[Pack], span: Span) -> int:
    """Return the number of the pack that holds a place, or -1."""
    return next((number for number, pack in enumerate(packs) if pack.holds(span.path)), -1)


def _problem_key(problem: Problem) -> Key:
    return problem.code, problem.span


def _problem_keys(problems: Iterable[Problem]) -> set[Key]:
    return {_problem_key(problem) for problem in problems}


class _Causes:
    """Finds the lines of the last of some packs that cause problems in the packs that it requires."""

    def __init__(self, there: Composition, waiting: set[int], found: list[Problem], look: Look) -> None:
        """Take what was found in *there*; documents that are *waiting* were left out without its last pack."""
        self.packs = packs = there.packs
        self.found = _problem_keys(found)
        self.look = look
        self._without: dict[Statement, tuple[set[Key], set[Key]]] = {}
        left_out = {id(tree) for tree in there.left_out}
        self.statements = [
            statement
            for pack in packs[1:]
            for statement in statements(pack)
            if (pack is packs[-1] or id(statement.document) in waiting) and id(statement.document) not in left_out
        ]

    def of(self, problems: list[Problem]) -> dict[Key, Statement]:
        """Return the cause of each problem; of one without a line, that of the whole module."""
        reported: dict[Key, Statement] = {}
        for problem in problems:
            named = self._line_named_by(problem)
            if named is not None:
                reported[_problem_key(problem)] = named
        for problem in problems:
            if _problem_key(problem) not in reported:
                open_ = {_problem_key(p) for p in problems} - reported.keys()
                reported.update(self._try_lines(problem, open_))
        return reported

    def _line_named_by(self, problem: Problem) -> Statement | None:
        """Return the line that a problem names itself as one of its places."""
        places = [span for span, _ in problem.also]
        return next((s for place in places for s in self.statements if s.holds(place)), None)

    def _try_lines(self, problem: Problem, open_: set[Key]) -> dict[Key, Statement]:
        """Leave out one line after the other; return the problems that each line turns out to cause."""
        ranked = nearest_first(problem, self.packs, self.statements)
        for statement in ranked:
            if statement not in self._without and len(self._without) == MOST:
                continue
            found, errors = self._find_without_line(statement)
            gone, more = open_ - found, errors - self.found
            if _problem_key(problem) in gone and (not more or problem.code < _NAMES):
                sure = gone if not more else {key for key in gone if key[0] < _NAMES}
                return dict.fromkeys(sure, statement)
        return {_problem_key(problem): ranked[0] if ranked else Statement.of_all(self.packs[-1])}

    def _find_without_line(self, statement: Statement) -> tuple[set[Key], set[Key]]:
        """Return all that is found, and the errors of it, when a line is left out."""
        if statement not in self._without:
            packs = [statement.left_out() if pack is statement.pack else pack for pack in self.packs]
            _, found = self.look(packs)
            self._without[statement] = _problem_keys(found), _problem_keys(p for p in found if p.severity == "error")
        return self._without[statement]


def _move_problems(packs: list[Pack], problems: list[Problem], reported: dict[Key, Statement]) -> list[Problem]:
    """Return the problems at the places of their causes; what one line causes in several places is one problem."""
    from patolli.language.diagnostics.codes import UNUSED  # the register is read when it is needed

    found: list[Problem] = []
    joined: dict[tuple[str, str, Span], int] = {}
    for problem in problems:
        cause = reported.get(_problem_key(problem))
        if cause is None:
            found.append(problem)
        if cause is None or problem.code in UNUSED:  # a module may take away what used something
            continue
        there = (problem.span, f"here, in {packs[_owner_of(packs, problem.span)].id!r}")
        key = (problem.code, problem.message, cause.span)
        if key in joined:
            first = found[joined[key]]
            found[joined[key]] = replace(first, also=(*first.also, there))
            continue
        joined[key] = len(found)
        also = (there, *(place for place in problem.also if place[0] != cause.span))
        made = replace(problem, message=f"because of this: {problem.message}", span=cause.span, also=also)
        if problem.code == "P0201" and cause.replaces:
            made = replace(made, help=_EXTEND, also=(there,), fixes=())  # no name near it is meant
        if problem.code == "P0410":
            made = replace(made, help=_COMPONENTS.format(cause.pack.id))
        found.append(made)
    return found
