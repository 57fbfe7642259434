"""Refuse rules, functions and constants that use each other in too long a row, or rules that call too many others.

The resolver refuses a long row while it is inside it. If the innermost rule is declared first, it never is inside: each
rule finds the next one resolved. The passes behind it, and matches, would still go through the whole row.

Few words can imply many calls: each question allows all anytime actions, each ``do x.effect`` may carry out any effect
of a piece, and each payment may use all discounts. A thousand of each are a million calls.

Errors: P0101 a row that is too long, P0054 too many calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from patolli.language.diagnostics import Problem, Span
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.model import Constant, Function, Program, Rule
from patolli.language.program.node import declaration, walk
from patolli.language.program.setup_values import constants_by_use
from patolli.language.syntax.depth import CALLS, IMPLIED_CALLS

Entry = Rule | Function | Constant


def find_long_chains(program: Program) -> list[Problem]:
    """Return a problem for each sort of entry if more than ``CALLS`` of them use each other in a row."""
    found = [
        *_find_first("functions", program.functions.values(), _list_called_functions),
        *_find_first("rules", program.rules.values(), _list_called_rules),
    ]
    if not found and program.constants:  # what constants use is looked up through functions
        uses = constants_by_use(program)
        found += _find_first("constants", program.constants.values(), lambda constant: uses[constant.name])
    return found


def long_chain(what: str, span: Span) -> Problem:
    """Return the problem of a row that is too long; *span* is where the row begins."""
    verb = "use" if what == "constants" else "call"
    message = f"more than {CALLS} {what} {verb} each other in a row, from this one on"
    return Problem("P0101", message, span, "let one of them do the work of several, or use a loop")


def find_many_calls(program: Program) -> list[Problem]:
    """Return a problem at the effect with the most implied calls if there are more than ``IMPLIED_CALLS`` in all."""
    effects = [node for rule in program.rules.values() for node in walk(rule.block) if isinstance(node, e.Effect)]
    bodies = [one.on for one in program.discounts if one.body] + [one.on for one in program.waivers]
    payments = Counter(tag for tags in bodies for tag in tags)
    spends = sum(bool(counter.spend) for counter in program.counters.values())
    known: dict[tuple[str, str], int] = {}

    def may_ask(effect: e.Effect) -> bool:
        match declaration(effect).asks:
            case "gain" | "payment":
                assert isinstance(effect, e.Gain | e.Pay)
                plain = all(isinstance(item, e.CounterItem) for item in effect.items)
                return not plain or (isinstance(effect, e.Pay) and bool(payments or spends or program.substitutions))
            case "order":
                assert isinstance(effect, e.For)
                return effect.any_order
            case asks:
                return asks != "never"

    def count(effect: e.Effect) -> int:
        number = len(program.anytime) if program.anytime and may_ask(effect) else 0
        if isinstance(effect, e.Do):
            key = effect.kind, effect.fact
            if key not in known:
                known[key] = len(program.effect_rules(*key))
            number += known[key]
        elif isinstance(effect, e.Pay):
            number += spends + (payments[effect.tag] if effect.tag is not None else 0)
        return number

    numbers = [count(effect) for effect in effects]
    if sum(numbers) <= IMPLIED_CALLS:
        return []
    return [many_calls(effects[numbers.index(max(numbers))].span, max(numbers), IMPLIED_CALLS)]


def many_calls(span: Span, here: int, most: int) -> Problem:
    """Return the problem of rules that imply more than *most* calls; *here* of them are at *span*."""
    message = f"the rules imply more than {most:,} calls of each other; {here:,} of them are here"
    help_ = "declare fewer anytime actions, triggers, discounts or effects of pieces, or let fewer rules set them off"
    return Problem("P0054", message, span, help_)


def _list_called_functions(function: Function) -> list[str]:
    return [node.function for node in walk(function.body) if isinstance(node, x.FunctionCall)]


def _list_called_rules(rule: Rule) -> list[str]:
    nodes = walk(rule.block, rule.given)
    called = [node.rule for node in nodes if isinstance(node, e.CallRule | x.Can | x.After)]
    return called + [trigger.body for trigger in (*rule.before, *rule.after)]


def _find_first(what: str, entries: Iterable[Entry], uses: Callable[..., Iterable[str]]) -> Iterator[Problem]:
    """Yield the problem of the first entry at which a row begins that is too long.

    Entries that use themselves count once in a row: what they do has an end of its own.
    """
    spans = {entry.name: entry.span for entry in entries}
    below = {entry.name: dict.fromkeys(name for name in uses(entry) if name in spans) for entry in entries}
    lengths: dict[str, int] = {}
    for start in spans:
        open_ = {start: iter(below[start])} if start not in lengths else {}
        while open_:  # the passes that this protects are recursive, so this is not
            here = next(reversed(open_))
            inner = next((one for one in open_[here] if one not in lengths and one not in open_), None)
            if inner is not None:
                open_[inner] = iter(below[inner])
            else:
                del open_[here]
                lengths[here] = 1 + max((lengths.get(one, 0) for one in below[here]), default=0)
        if lengths[start] > CALLS + 1:
            yield long_chain(what, spans[start])
            return
