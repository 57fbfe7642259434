"""Find what goes to me though the text says that it goes to others.

``for p in others(me) where has(p): gain 3 point`` gives me three points for each of them, which may well be meant; but
where the text says that ``the others score 3``, ``for p`` was forgotten. Reported is only a loop over players that
looks at its variable to choose them, and not inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.lints.trees import read_by
from patolli.language.diagnostics import Problem
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import types as ty
from patolli.language.program.expressions import Variable
from patolli.language.program.model import Rule
from patolli.language.program.node import children

_OTHERS = r"others|(?:other|all|the) players|opponents?|(?:each|every) (?:other )?(?:player|opponent)|every(?:body|one)"
_GET = r"score|gain|get|receiv\w+|earn|take|collect|win|lose|pay"
_SAID = re.compile(
    rf"(?<!\bfor )(?<!\bfrom )(?<!\bthan )(?<!\bof )\b(?:{_OTHERS})\b(?: else)?"
    rf"(?: (?:who|with|whose|in|on|at|that) [^,;.:]*?)?(?: each| all| then| also)* (?:{_GET})s?\b",
    re.I,
)


@check("P0475")
def others_by_the_text(reviewed: Reviewed) -> Iterator[Problem]:
    """Find loops over other players that give to me what the text gives to them."""
    program = reviewed.program
    for entry, text in reviewed.list_texts("rules"):
        rule = program.rules.get(entry.id)
        if rule is None:
            continue
        said = _SAID.search(text.value)
        for item, name in _mine(rule.block, rule, None) if said is not None else ():
            if said is not None and reviewed.written_here(item.span):
                words = "the text says that others do this, but the effect is for the acting player"
                place = text.place(said.start(), said.end() - said.start())
                yield Problem("P0475", words, item.span, f"add 'for {name}'", ((place, "the text"),), "warning")


def _mine(block: e.Block, rule: Rule, among: Variable | None) -> Iterator[tuple[e.CounterItem, str]]:
    """Yield what I gain or lose in loops over players whose variable is not read there."""
    for effect in block:
        inner = among
        match effect:
            case e.As() | e.Simultaneously():
                continue
            case e.For(binders=(binder,), where=where) if ty.strip(binder.variable.type) == ty.Ref("player"):
                chosen = where is not None and binder.variable in read_by(where)
                inner = binder.variable if chosen and binder.variable not in read_by(effect.body) else None
            case e.Gain() if among is not None:
                for item in effect.items:
                    if isinstance(item, e.CounterItem) and _is_mine(item, rule):
                        yield item, among.name
        nested = [child for child in children(effect) if isinstance(child, e.Effect)]
        yield from _mine(tuple(nested), rule, inner)


def _is_mine(item: e.CounterItem, rule: Rule) -> bool:
    return any(isinstance(index, x.Local) and index.variable is rule.me for index in item.indices[:1])
