"""Compare the numbers in a text for people with those in the effect beside it.

A text may leave numbers out, but a number that it names must stand somewhere in what the piece does: its effects,
costs, triggers and facts, the functions and constants that these use, and the rules that they call. ``one`` is mostly a
pronoun and is not counted as a number; nor is 1 where the effect does something that needs no number. A text that
lists as many amounts as its effect must list the same ones. The low end of a range (``1 to 3``) is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from patolli.analysis.declare import Table
from patolli.analysis.effects import effect_rules
from patolli.analysis.lints.check import Checked, check
from patolli.analysis.model import Design, Model
from patolli.analysis.traits import walk
from patolli.analysis.walking import nodes, sort_of
from patolli.diagnostics import Problem
from patolli.language import tree as t
from patolli.sources import Scalar

_WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = re.compile(rf"(?<![\w.,:/'-])(?:\d{{1,4}}|{'|'.join(_WORDS)})(?![\w/'%]|[.,:-]\d| to \d)", re.I)
_PLAIN = (t.Gain, t.Pay, t.SetTo, t.Nothing)


@check("P0440")
def differing_number(checked: Checked) -> Iterator[Problem]:
    """Find texts that name a number of which their piece knows nothing."""
    for entry in checked.model.composition.all("pieces"):
        text, design = entry.get("text"), checked.model.designs.get(entry.id)
        if not isinstance(text, Scalar) or design is None or not checked.looked_at(entry):
            continue
        own = list(_own(checked.model, design))
        if not any(isinstance(x, t.Effect) and not isinstance(x, t.Nothing) for tree in own for x in nodes(tree)):
            continue
        known, said = _known(checked.model, own), list(_NUMBER.finditer(text.value))
        wrong = [found for found in said if _value(found[0]) not in known]
        for found in wrong or _swapped(said, own):
            yield _problem(design, text, found, known)


def _swapped(said: list[re.Match[str]], own: list[object]) -> list[re.Match[str]]:
    """Find the one number that differs where a text lists just as many amounts as the effect."""
    effects = [e for tree in own if isinstance(tree, list) for e in walk(tree)]
    items = [i for e in effects if isinstance(e, t.Gain | t.Pay) for i in e.items]
    amounts = Counter(i.amount.value for i in items if isinstance(i.amount, t.Number))
    words = Counter(_value(found[0]) for found in said)
    if len(said) < 2 or len(said) != amounts.total() or (words - amounts).total() != 1:
        return []
    odd = next(iter(words - amounts))
    return [next(found for found in reversed(said) if _value(found[0]) == odd)]


def _problem(design: Design, text: Scalar, found: re.Match[str], known: set[int]) -> Problem:
    said = ", ".join(map(str, sorted(n for n in known if n)[:6]))
    help_ = f"the numbers there are {said}" if said else "there is no number in it"
    words = f"the text of {design.id!r} says {found[0]}, its effect does not"
    span = text.place(found.start(), found.end() - found.start())
    return Problem("P0440", words, span, help_, ((design.span, "the piece"),), "warning")


def _value(word: str) -> int:
    return int(word) if word.isdigit() else _WORDS.index(word.lower()) + 2


def _own(model: Model, design: Design) -> Iterator[object]:
    """Yield the trees of a piece: facts, effects, and triggers with their conditions."""
    for value in design.facts.values():
        yield from _trees(model, value)
    for trigger in model.triggers:
        if trigger.design is design:
            yield trigger.when
            yield model.rules[trigger.body].block


def _trees(model: Model, value: object) -> Iterator[object]:
    match value:
        case str():
            if value in model.rules:
                yield model.rules[value].block
        case Table():
            for row in value.rows.values():
                yield from _trees(model, row)
        case list():
            for item in value:
                yield from _trees(model, item)
        case _:
            yield value


def _known(model: Model, own: list[object]) -> set[int]:
    """Return the numbers of a piece."""
    known: set[int] = set()
    for tree in own:
        known.update(_numbers(tree), _repeated(tree))
        for called in _called(model, tree):
            known.update(_numbers(called))
    effects = [e for tree in own if isinstance(tree, list) for e in walk(tree)]
    if any(not isinstance(e, _PLAIN) for e in effects):
        known.add(1)
    return known


def _numbers(tree: object) -> Iterator[int]:
    """Yield the numbers in a tree, with their neighbours where they bound something."""
    for node in nodes(tree):
        if isinstance(node, t.Number):
            yield node.value
        elif isinstance(node, t.Truth | t.Nobody):
            continue
        elif isinstance(node, t.Compare):
            yield from (e.value + step for _, e in node.rest if isinstance(e, t.Number) for step in (-1, 1))
        elif isinstance(node, t.Listing):
            yield len(node.items)
        elif isinstance(node, t.Repeat | t.UpTo):
            times = node.times.value if isinstance(node.times, t.Number) else 0
            yield from (times * n.value for n in nodes(node.body) if isinstance(n, t.Number))


def _repeated(tree: object) -> Iterator[int]:
    """Yield how often effects that look the same stand in a block, and the sums of what they gain."""
    block = tree if isinstance(tree, list) else []
    for effect in block:
        times = sum(1 for other in block if other == effect)
        if times > 1:
            yield times
        yield from (times * n.value for n in nodes(effect) if isinstance(n, t.Number))
    calls = sum(1 for e in block if isinstance(e, t.CallRule))
    if calls > 1:
        yield calls
    gains = [
        i.amount.value
        for e in walk(block)
        if isinstance(e, t.Gain | t.Pay)
        for i in e.items
        if isinstance(i.amount, t.Number)
    ]
    yield sum(gains)


def _called(model: Model, tree: object) -> Iterator[object]:
    """Yield the rules that a tree calls, and all functions and constants that it or they use."""
    seen: set[str] = set()
    open_: list[tuple[object, bool]] = [(tree, True)]
    while open_:
        here, first = open_.pop()
        for node in nodes(here):
            sort, note = sort_of(node), t.note_of(node)
            names = effect_rules(model, note[1], note[2]) if isinstance(node, t.Do) and node.note else []
            names += [note[1]] if sort in ("rule", "function", "constant") else []
            for name in names:
                if name in seen or (name in model.rules and not first):
                    continue
                seen.add(name)
                for inner in _inside(model, name):
                    yield inner
                    open_.append((inner, False))


def _inside(model: Model, name: str) -> list[object]:
    if name in model.rules:
        return [model.rules[name].block]
    if name in model.functions:
        return [model.functions[name].body]
    value = model.constants[name].value
    return list(_trees(model, value)) if not isinstance(value, str) else []
