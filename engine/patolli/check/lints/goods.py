"""Find a text that names another counter than the effect beside it: ``Gain 2 plums`` beside ``gain 2 apple``.

Only what leaves no doubt is reported: the effect gives a number to a counter that the text does not name, and the text
gives it to one that the piece does not name at all; or both list just as many amounts, and all others agree.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from patolli.check.lints.amounts import WORDS, Tree, own_trees, value_of
from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.nouns import named_counter, nouns
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Program
from patolli.language.program.node import walk
from patolli.language.program.summaries import Summaries
from patolli.language.sources import Scalar

_COUNTED = re.compile(rf"(?<![\w.,:/'-])(?:(\d{{1,4}}|{'|'.join(WORDS)})|(an?|one))(?= [a-z])", re.I)


@check("P0464")
def other_counter(reviewed: Reviewed) -> Iterator[Problem]:
    """Find texts that name another counter than their piece does."""
    program = reviewed.program
    for design, text in reviewed.list_piece_texts():
        trees = list(own_trees(program, design))
        known, changed = _counters(program, reviewed.summaries, trees), _amounts(trees)
        listed = [one for one in _find_amounts(program, text.value) if one.counters]
        for one in listed:
            others = {counter for counter, number in changed if number == one.number}
            wrong = [counter for counter in sorted(others) if not _speaks_of(program, text.value, counter)]
            if wrong and (not one.counters & known or _alone(one, listed, changed)):
                yield _problem(text, one.found, sorted(one.counters)[0], wrong[0], design.id)


@dataclass(frozen=True, slots=True)
class _Listed:
    """A number in a text, and the counters that it may be given to."""

    found: re.Match[str]
    number: int
    counters: set[str]


def _find_amounts(program: Program, text: str) -> Iterator[_Listed]:
    for found in _COUNTED.finditer(text):
        number = value_of(found[1]) if found[1] else 1
        yield _Listed(found, number, named_counter(program, text[found.end() :]))


def _alone(odd: _Listed, listed: list[_Listed], changed: list[tuple[str, int]]) -> bool:
    """Return whether a text lists as many amounts as the effect does, and all but this one agree, at least one."""
    left = list(changed)
    for one in listed:
        same = next((given for given in left if given[1] == one.number and given[0] in one.counters), None)
        if one is odd:
            if same is not None:
                return False
        elif same is None:
            return False
        else:
            left.remove(same)
    return len(listed) > 1 and [number for _, number in left] == [odd.number]


def _problem(text: Scalar, found: re.Match[str], said: str, meant: str, piece: str) -> Problem:
    end = re.match(r" [\w'-]+", text.value[found.end() :])
    span = text.place(found.start(), len(found[0]) + (len(end[0]) if end is not None else 0))
    words = f"the text of {piece!r} names {said!r}, but its effect changes {meant!r}"
    return Problem("P0464", words, span, "correct the one that is wrong", (), "warning")


def _counters(program: Program, summaries: Summaries, trees: list[Tree]) -> set[str]:
    """Return all counters that a piece reads or changes, and those that it costs."""
    found: set[str] = set()
    for tree in trees:
        if isinstance(tree, tuple):
            reads = summaries.of(tree).reads | summaries.of(tree).writes
        else:
            reads = summaries.read_by(tree)
        found |= {location[1] for location in reads if location[0] == "counter"}
        for node in walk(tree):
            found |= set(getattr(node, "counters", ()))
            found |= set(program.groups.get(getattr(node, "group", ""), ()))
            if isinstance(node, x.CounterNamed):
                found.add(node.counter)
    return found


def _amounts(trees: Iterable[Tree]) -> list[tuple[str, int]]:
    """Return what the effects of a piece give or take where both counter and number are written out."""
    items = (
        node for tree in trees if isinstance(tree, tuple) for node in walk(tree) if isinstance(node, e.CounterItem)
    )
    return [(item.counter, item.amount.value) for item in items if isinstance(item.amount, x.Number)]


def _speaks_of(program: Program, text: str, counter: str) -> bool:
    return any(re.search(rf"\b{re.escape(noun)}\b", text, re.I) for noun in nouns(program.counters[counter]))
