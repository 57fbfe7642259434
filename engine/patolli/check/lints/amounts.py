"""Compare the numbers in a text for people with those in the effect beside it.

A text may leave numbers out, but a number that it names must stand somewhere in what the piece does: its effects,
costs, triggers and facts, the functions and constants that these use, and the rules that they call; one that only the
costs hold counts where the text does not give it to another counter. ``one`` is mostly a
pronoun and is not counted as a number; nor is 1 where the effect does something that needs no number. A text that
lists as many amounts as its effect must list the same ones. The low end of a range (``1 to 3``) is left out. Of a rule,
trigger or anytime action only numbers before a counter are looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.node_names import list_named_things
from patolli.check.lints.nouns import named_counter
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.model import Design, Items, Program, Table, Value
from patolli.language.program.node import Node, walk
from patolli.language.sources import Scalar

WORDS = "two three four five six seven eight nine ten eleven twelve".split()
_NUMBER = re.compile(rf"(?<![\w.,:/'-])(?:\d{{1,4}}|{'|'.join(WORDS)})(?![\w/'%]|[.,:-]\d| to \d)", re.I)
_PLAIN = (e.Gain, e.Pay, e.Set, e.Nothing)
_SORTS = {"rules": "the rule", "anytime": "the anytime action", "triggers": "the trigger"}
Tree = x.Expr | e.Block
"""An expression of a piece, or the block of one of its effects."""


@check("P0440")
def differing_number(reviewed: Reviewed) -> Iterator[Problem]:
    """Find texts that name a number that does not occur in their piece or rule."""
    yield from {problem.span: problem for problem in reversed([*_of_pieces(reviewed)])}.values()  # a copied text once
    yield from _of_rules(reviewed)


def _of_pieces(reviewed: Reviewed) -> Iterator[Problem]:
    program = reviewed.program
    for design, text in reviewed.list_piece_texts():
        added = (tree for tree in _of_triggers(program, design) if _known_to(program, text, tree))
        own = [*_of_facts(program, design), *added]
        if all(isinstance(effect, e.Nothing) for effect in _effects(own)):
            continue
        known, said = _collect_piece_numbers(program, own), list(_NUMBER.finditer(text.value))
        free, costs = _without_costs(program, own)
        wrong = [
            found
            for found in said
            if (value := value_of(found[0])) not in known
            or (value not in free and _of_others(program, text.value[found.end() :], costs))
        ]
        for found in wrong or _find_swapped_amount(said, own):
            yield _problem(design, text, found, free)


def _of_rules(reviewed: Reviewed) -> Iterator[Problem]:
    """Find texts of rules that give a number to a counter which the rule changes by another one.

    A text of a rule says more than its effects do, about things and players that are no numbers there. So only such a
    number counts that stands before a counter, and only where all that the rule does with this counter is written out.
    """
    program = reviewed.program
    for section, name, block in _list_described_effects(program):
        entry = program.composition.sections.get(section, {}).get(name)
        text = entry.get("text") if entry is not None and reviewed.looked_at(entry) else None
        if not isinstance(text, Scalar) or entry is None:
            continue
        for found in _NUMBER.finditer(text.value):
            own = _written_out(block, named_counter(program, text.value[found.end() :]))
            if own and value_of(found[0]) not in {*own, sum(own), *_besides(program, block)}:
                words = f"the text of {name!r} says {found[0]}, its effect does not"
                span = text.place(found.start(), found.end() - found.start())
                help_ = f"the numbers there are {', '.join(map(str, sorted({*own})))}"
                yield Problem("P0440", words, span, help_, ((entry.key.span, _SORTS[section]),), "warning")


def _list_described_effects(program: Program) -> Iterator[tuple[str, str, e.Block]]:
    """Yield what may have a text that says what it does: section, id, and block."""
    yield from (("rules", rule.name, rule.block) for rule in program.rules.values() if not rule.hidden)
    yield from (("anytime", action.name, program.rules[action.body].block) for action in program.anytime)
    for trigger in program.all_triggers:
        if trigger.design is None:
            yield "triggers", trigger.name, program.rules[trigger.body].block


def _besides(program: Program, block: e.Block) -> set[int]:
    """Return the numbers that play a part in a rule, but for the amounts of counters in its own effects."""
    items = [node for node in walk(block) if isinstance(node, e.CounterItem)]
    amounts = {id(item.amount) for item in items}
    known = {node.value for node in walk(block) if isinstance(node, x.Number) and id(node) not in amounts}
    if any(isinstance(node, e.Repeat | e.UpTo) for node in walk(block)):
        known.update(_numbers(block))
    return known.union(*(_numbers(called) for called in _follow_calls(program, block)))


def _written_out(block: e.Block, counters: set[str]) -> list[int]:
    """Return the amounts of some counters in a block, none where one of them is not written as a number."""
    items = [node for node in walk(block) if isinstance(node, e.CounterItem | e.MemberItem | e.MixItem)]
    mine = [item for item in items if not isinstance(item, e.CounterItem) or item.counter in counters]
    if any(not isinstance(item, e.CounterItem) or not isinstance(item.amount, x.Number) for item in mine):
        return []
    return [item.amount.value for item in mine if isinstance(item.amount, x.Number)]


def _known_to(program: Program, text: Scalar, tree: Tree) -> bool:
    """Return whether a text can speak of what is added to its piece: by its own pack, or by one that this requires."""
    span = tree[0].span if isinstance(tree, tuple) and tree else tree.span if isinstance(tree, Node) else text.span
    packs = {pack.id: pack for pack in program.composition.packs}
    teller = next((pack for pack in packs.values() if pack.holds(text.span.path)), None)
    open_, seen = [teller], set[str]()
    while open_:
        pack = open_.pop()
        if pack is None or pack.holds(span.path):
            return True
        seen.add(pack.id)
        open_ += [packs[id_] for id_ in pack.requires if id_ in packs and id_ not in seen]
    return False


def _without_costs(program: Program, own: list[Tree]) -> tuple[set[int], set[str]]:
    """Return the numbers of a piece without those of what it costs, and the counters that it costs."""
    rest = [tree for tree in own if not isinstance(tree, e.CostOf)]
    costs = {counter for tree in own if isinstance(tree, e.CostOf) for item in tree.items for counter in _of(item)}
    return _collect_piece_numbers(program, rest), costs


def _of(item: e.Item) -> tuple[str, ...]:
    counters: tuple[str, ...] = getattr(item, "counters", ())
    return counters


def _of_others(program: Program, behind: str, counters: set[str]) -> bool:
    """Return whether the words after a number name a counter, and none of those."""
    meant = named_counter(program, behind)
    return bool(meant) and not meant & counters


def _effects(trees: Iterable[Tree]) -> list[e.Effect]:
    return [node for node in walk(*trees) if isinstance(node, e.Effect)]


def _amounts(*roots: Node | Iterable[Node]) -> list[int]:
    """Return the amounts that some effects give and take, where they are written as numbers."""
    amounts = (node.amount for node in walk(*roots) if isinstance(node, e.CounterItem | e.MemberItem | e.MixItem))
    return [amount.value for amount in amounts if isinstance(amount, x.Number)]


def _find_swapped_amount(said: list[re.Match[str]], own: list[Tree]) -> list[re.Match[str]]:
    """Find the one number that differs where a text lists just as many amounts as the effect."""
    amounts = Counter(_amounts(*(tree for tree in own if isinstance(tree, tuple))))
    words = Counter(value_of(found[0]) for found in said)
    if len(said) < 2 or len(said) != amounts.total() or (words - amounts).total() != 1:
        return []
    odd = next(iter(words - amounts))
    return [next(found for found in reversed(said) if value_of(found[0]) == odd)]


def _problem(design: Design, text: Scalar, found: re.Match[str], known: set[int]) -> Problem:
    said = ", ".join(map(str, sorted(n for n in known if n)[:6]))
    help_ = f"the numbers there are {said}" if said else "there is no number in it"
    words = f"the text of {design.id!r} says {found[0]}, its effect does not"
    span = text.place(found.start(), found.end() - found.start())
    return Problem("P0440", words, span, help_, ((design.span, "the piece"),), "warning")


def value_of(word: str) -> int:
    """Return a number that is written as digits or as a word."""
    return int(word) if word.isdigit() else WORDS.index(word.lower()) + 2


def own_trees(program: Program, design: Design) -> Iterator[Tree]:
    """Yield the trees of a piece: facts, effects, and triggers with their conditions."""
    yield from _of_facts(program, design)
    yield from _of_triggers(program, design)


def _of_facts(program: Program, design: Design) -> Iterator[Tree]:
    for value in design.facts.values():
        yield from _trees(program, value)
    yield from (formula.body for formula in design.formulas.values())


def _of_triggers(program: Program, design: Design) -> Iterator[Tree]:
    for trigger in program.triggers_of(design):
        body = program.rules[trigger.body]
        if body.given is not None:
            yield body.given
        yield body.block


def _trees(program: Program, value: Value) -> Iterator[Tree]:
    match value:
        case str():
            if value in program.rules:
                yield program.rules[value].block
        case Table():
            for row in value.rows.values():
                yield from _trees(program, row)
        case Items():
            for item in value:
                yield from _trees(program, item)
        case x.Expr():
            yield value


def _collect_piece_numbers(program: Program, own: list[Tree]) -> set[int]:
    """Return the numbers of a piece; what it has none of may be said of any."""
    known = {0}
    for tree in own:
        known.update(_numbers(tree))
        if isinstance(tree, tuple):
            known.update(_count_repeats(tree))
        for called in _follow_calls(program, tree):
            known.update(_numbers(called))
    if any(not isinstance(effect, _PLAIN) for effect in _effects(own)):
        known.add(1)
    return known


def _numbers(tree: Node | Iterable[Node]) -> Iterator[int]:
    """Yield the numbers in a tree, with their neighbors where they bound something."""
    for node in walk(tree):
        match node:
            case x.Number() if node.type == ty.INT:
                yield node.value
            case x.Compare(right=x.Number(value=bound)):
                yield from (bound - 1, bound + 1)
            case x.ListOf():
                yield len(node.items)
            case e.Repeat(times=x.Number(value=times)) | e.UpTo(times=x.Number(value=times)):
                yield from (times * number for number in _list_numbers(node.body))


def _list_numbers(tree: Node | Iterable[Node]) -> Iterator[int]:
    return (node.value for node in walk(tree) if isinstance(node, x.Number))


def _count_repeats(block: e.Block) -> Iterator[int]:
    """Yield how often effects that look the same stand in a block, and the sums of what they gain."""
    looks = [repr(effect) for effect in block]  # variables of one name look alike
    for effect, look in zip(block, looks, strict=True):
        times = looks.count(look)
        if times > 1:
            yield times
        yield from (times * number for number in _list_numbers(effect))
    calls = sum(isinstance(effect, e.CallRule) for effect in block)
    if calls > 1:
        yield calls
    yield sum(_amounts(block))


def _follow_calls(program: Program, tree: Tree) -> Iterator[Tree]:
    """Yield the rules that a tree calls, and all functions and constants that it or they use."""
    seen: set[str] = set()
    open_: list[tuple[Tree, bool]] = [(tree, True)]
    while open_:
        here, first = open_.pop()
        for name in _names(program, here, first):
            if name in seen:
                continue
            seen.add(name)
            for inner in _inside(program, name):
                yield inner
                open_.append((inner, False))


def _names(program: Program, tree: Tree, with_rules: bool) -> Iterator[str]:
    """Yield the functions and constants that a tree names, and the rules, too, if they are wanted."""
    wanted = ("rule", "function", "constant") if with_rules else ("function", "constant")
    for node in walk(tree):
        yield from (id_ for sort, id_ in list_named_things(node) if sort in wanted)
        if with_rules and isinstance(node, e.Do):
            yield from program.effect_rules(node.kind, node.fact)


def _inside(program: Program, name: str) -> list[Tree]:
    if name in program.rules:
        rule = program.rules[name]
        return [rule.block, *([program.rules[rule.original].block] if rule.original else [])]
    if name in program.functions:
        return [program.functions[name].body]
    value = program.constants[name].value
    return list(_trees(program, value)) if not isinstance(value, str) else []
