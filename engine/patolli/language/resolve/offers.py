"""Declare anytime actions, and what may stand for a payment: substitutions, discounts and waivers.

Errors: P0051 a discount that says neither less nor more, P0058 one that says too much, P0201 an unknown counter,
        P0202 one that not every player has.
"""

from __future__ import annotations

import re

from patolli.language.diagnostics import Span, instead, nearest
from patolli.language.packs.composition import Entry
from patolli.language.program import types as ty
from patolli.language.resolve.addresses import resolve_addresses, with_tags
from patolli.language.resolve.conjuncts import split_condition
from patolli.language.resolve.entries import everyones, scalars
from patolli.language.resolve.model import Anytime, Discount, Model, Rule, Step, Substitution, Waiver
from patolli.language.resolve.report_settings import read_report_settings
from patolli.language.resolve.texts import Reader
from patolli.language.sources import Mapping, Node, Scalar
from patolli.language.sources.nodes import scalar_at, text_at
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import parse_expression

_NAMES = r"(?P<names>\w+(\s+or\s+\w+)*)\s*"
_STANDS_FOR = re.compile(rf"\s*(?P<up_to>up\s+to\s+)?((?P<number>[1-9][0-9]*)\s+)?((any|of)\s+)?{_NAMES}")
_LESS = re.compile(rf"\s*(?P<number>[1-9][0-9]*)\s+(of\s+)?{_NAMES}")


def declare_anytime(model: Model, reader: Reader, entry: Entry) -> None:
    """Declare one anytime action."""
    node = entry.node
    binder = _binder(model, node)
    label = text_at(node, "label") or entry.id.replace("_", " ")
    body = _body(model, reader, f"anytime {entry.id}", node, binder)
    when = model.rules[body].given = reader.expression(scalar_at(node, "when"))
    model.anytime.append(Anytime(entry.id, entry.key.span, binder, when, label, body, scalar_at(node, "as")))


def declare_payments(model: Model, reader: Reader) -> None:
    """Declare substitutions, discounts and waivers."""
    for entry in model.composition.all("substitutions"):
        give, stands = reader.cost(scalar_at(entry.node, "give")), scalar_at(entry.node, "for")
        found = _STANDS_FOR.fullmatch(stands.value) if stands else None
        if give is None or stands is None or found is None:
            continue
        most = int(found["number"] or 1)
        targets = tuple(x for x in _targets(model, reader, _words(stands, found)) if x != give.items[0].thing)
        when = reader.expression(scalar_at(entry.node, "when"))
        least = 1 if found["up_to"] else most
        model.substitutions.append(
            Substitution(entry.id, entry.key.span, give.items[0], least, most, targets, when, _on(model, reader, entry))
        )
    for entry in model.composition.all("discounts"):
        less, more = scalar_at(entry.node, "less"), scalar_at(entry.node, "more")
        said = less or more
        found = _LESS.fullmatch(said.value) if said else None
        if not _either(reader, entry, less, more) or said is None or found is None:
            continue
        number = int(found["number"]) if said is less else -int(found["number"])
        body = _body(model, reader, f"discount {entry.id}", entry.node, None) if scalar_at(entry.node, "do") else None
        model.discounts.append(
            Discount(entry.id, entry.key.span, _on(model, reader, entry), number,
                     _targets(model, reader, _words(said, found)),
                     reader.expression(scalar_at(entry.node, "when")), body)
        )  # fmt: skip
    for entry in model.composition.all("waivers"):
        binder = _binder(model, entry.node)
        body = _body(model, reader, f"waiver {entry.id}", entry.node, binder)
        of = [(x.value, x.span) for x in scalars(entry.get("of"))]
        when, subject = split_condition(reader.expression(scalar_at(entry.node, "when")))
        model.waivers.append(
            Waiver(entry.id, entry.key.span, _on(model, reader, entry), _targets(model, reader, of), binder, when,
                   subject, body)
        )  # fmt: skip
    for substitution in model.substitutions:
        substitution.on = with_tags(substitution.on, model)
    for discount in model.discounts:
        discount.on = with_tags(discount.on, model)
    for waiver in model.waivers:
        waiver.on = with_tags(waiver.on, model)


def _either(reader: Reader, entry: Entry, less: Scalar | None, more: Scalar | None) -> bool:
    """See that a discount says either what is less or what is more; what is more cannot be kept for later."""
    node = entry.node
    if less is None and more is None:
        if isinstance(node, Mapping) and not {"less", "more"} & node.items.keys():
            help_ = "'less: 1 of ..' makes payments cheaper, 'more: 1 ..' more expensive"
            reader.problem("P0051", "missing key 'less' or 'more'", entry.key.span, help_)
        return False
    beside = less if more is not None and less is not None else scalar_at(node, "do") if more is not None else None
    if beside is not None and isinstance(node, Mapping):
        key = "less" if beside is less else "do"
        help_ = "write two entries" if key == "less" else "'more' has no effects; write them in a trigger"
        also = (node.key("more").span, "the other one")
        reader.problem("P0058", f"{key!r} has no meaning beside 'more'", node.key(key).span, help_, also)
    return beside is None


def _on(model: Model, reader: Reader, entry: Entry) -> tuple[str, ...]:
    """Return the tags of payments, and the addresses of those that are named by their place."""
    found: list[str] = []
    for text in scalars(entry.get("on")):
        found += resolve_addresses(model, reader, text) if "/" in text.value else [text.value]
    return tuple(found)


def _words(text: Scalar, found: re.Match[str]) -> list[tuple[str, Span]]:
    """Return the names of counters and groups in a text, with their places."""
    start = found.start("names")
    return [(m[0], text.place(start + m.start(), len(m[0]))) for m in re.finditer(r"\b(?!or\b)\w+", found["names"])]


def _targets(model: Model, reader: Reader, words: list[tuple[str, Span]]) -> tuple[str, ...]:
    """Turn names of counters and groups into counters."""
    found: list[str] = []
    for word, span in words:
        if word in model.groups:
            found.extend(model.groups[word])
        elif word in model.counters:
            found.append(word)
            everyones(model, word, span)
        else:
            near = nearest(word, [*model.counters, *model.groups])
            help_ = f"did you mean {near!r}?" if near else ""
            reader.problem("P0201", f"unknown counter {word!r}", span, help_, fixes=instead(span, near), missing=word)
    return tuple(dict.fromkeys(found))


def _binder(model: Model, node: Node | None) -> t.Binder | None:
    text = scalar_at(node, "each")
    if text is None:
        return None
    expr, problems = parse_expression(text)
    model.problems.extend(problems)
    if (
        isinstance(expr, t.Compare)
        and isinstance(expr.first, t.Name)
        and len(expr.rest) == 1
        and expr.rest[0][0] == "in"
    ):
        return t.Binder(expr.first.id, expr.rest[0][1], at=expr.at)
    return None


def _body(model: Model, reader: Reader, name: str, node: Node, binder: t.Binder | None) -> str:
    do = scalar_at(node, "do")
    parameters: list[tuple[str, ty.AnyType]] = [(binder.id, ty.ANY)] if binder else []
    block = reader.effect(do) or []
    model.rules[name] = Rule(
        name, do.span if do else node.span, parameters, [Step("do", block, node.span)], hidden=True
    )
    model.rules[name].used, model.rules[name].report_settings = True, read_report_settings(reader, node)
    return name
