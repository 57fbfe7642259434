"""Find what is declared and never used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from patolli.analysis.lints.check import Checked, check
from patolli.diagnostics import Problem, Span, nearest
from patolli.sources import Scalar, Sequence

_REMOVE = "remove it, or use it"


def _warning(code: str, message: str, span: Span, help_: str = _REMOVE, *also: tuple[Span, str]) -> Problem:
    return Problem(code, message, span, help_, also, "warning")


def _unused(checked: Checked, code: str, section: str, sort: str, ids: Iterable[str], words: str) -> Iterator[Problem]:
    """Report the ids of a section that nothing uses; ``words`` say so, with ``{}`` for the id."""
    for id_ in ids:
        if checked.blamed(section, id_) and not checked.usage.uses(sort, id_):
            yield _warning(code, words.format(repr(id_)), checked.model.spans[id_])


@check("P0430")
def unused_rule(checked: Checked) -> Iterator[Problem]:
    """Find rules that nothing reaches from ``setup``, ``match`` and what may happen in between."""
    rules = checked.model.rules
    lacking = [name for name in ("setup", "match") if name not in rules]
    for problem in _unused(checked, "P0430", "rules", "rule", rules, "nothing carries out the rule {}"):
        if lacking:
            first = " and ".join(map(repr, lacking))
            help_ = f"carried out by themselves are 'setup' and 'match'; this game has no {first}"
            yield replace(problem, help=help_)
        else:
            yield problem


@check("P0431")
def unread_counter(checked: Checked) -> Iterator[Problem]:
    """Find counters that effects change and nothing reads."""
    for name, counter in checked.model.counters.items():
        place = checked.usage.changed.get(name)
        if place is not None and name not in checked.usage.read and checked.blamed("counters", name):
            text = f"counter {name!r} is changed but never read"
            help_ = "read it in a rule, the result or a panel, or remove it"
            yield _warning("P0431", text, counter.span, help_, (place.span, "it is changed here"))


@check("P0432")
def unused_function(checked: Checked) -> Iterator[Problem]:
    """Find functions that nothing asks for."""
    yield from _unused(
        checked, "P0432", "functions", "function", checked.model.functions, "nothing uses the function {}"
    )


@check("P0433")
def unused_counter(checked: Checked) -> Iterator[Problem]:
    """Find counters that nothing reads or changes."""
    for name, counter in checked.model.counters.items():
        known = checked.usage.changed.keys() | checked.usage.read
        if name not in known and checked.blamed("counters", name):
            yield _warning("P0433", f"nothing uses the counter {name!r}", counter.span)


@check("P0434")
def unused_place(checked: Checked) -> Iterator[Problem]:
    """Find places to which nothing goes and at which nothing looks."""
    yield from _unused(checked, "P0434", "places", "place", checked.model.places, "nothing uses the place {}")


@check("P0435")
def unused_constant(checked: Checked) -> Iterator[Problem]:
    """Find constants that nothing reads."""
    yield from _unused(
        checked, "P0435", "constants", "constant", checked.model.constants, "nothing uses the constant {}"
    )


@check("P0436")
def unused_option(checked: Checked) -> Iterator[Problem]:
    """Find options on which nothing depends."""
    model = checked.model
    base, *modules = model.composition.packs
    for pack in modules or [base]:
        for option in pack.options():
            if not checked.usage.uses("option", option.name):
                text = f"nothing depends on the option {option.name!r}"
                yield _warning("P0436", text, option.span)


@check("P0437")
def unused_group(checked: Checked) -> Iterator[Problem]:
    """Find groups that nothing names."""
    yield from _unused(checked, "P0437", "groups", "group", checked.model.groups, "nothing uses the group {}")


@check("P0438")
def unused_kind(checked: Checked) -> Iterator[Problem]:
    """Find kinds, grids and enumerations that nothing names."""
    for section in ("kinds", "grids", "enums"):
        ids = [entry.id for entry in checked.model.composition.all(section)]
        yield from _unused(checked, "P0438", section, "kind", ids, "nothing uses the kind {}")


@check("P0439")
def unused_piece(checked: Checked) -> Iterator[Problem]:
    """Find pieces that can never come into play: they start in the box, and nothing names them or all of their kind."""
    model, usage = checked.model, checked.usage
    for entry in model.composition.all("pieces"):
        design = model.designs.get(entry.id)
        if design is None or design.place is not None or design.kind in usage.all or usage.uses("piece", entry.id):
            continue
        if usage.uses("kind", design.kind) and checked.blamed("pieces", entry.id):
            help_ = f"give it a 'place', or name it or all of {design.kind!r} in a rule"
            yield _warning("P0439", f"the piece {entry.id!r} never comes into play", design.span, help_)


@check("P0444")
def unknown_tag(checked: Checked) -> Iterator[Problem]:
    """Find discounts and waivers that no payment names."""
    for section, found in (("discounts", checked.model.discounts), ("waivers", checked.model.waivers)):
        for less in found:
            missing = [tag for tag in _tags(checked, section, less.name) if tag.value not in checked.usage.tags]
            for tag in missing if checked.blamed(section, less.name) else ():
                known = sorted(checked.usage.tags)
                near = nearest(tag.value, known)
                there = f"payments have the tags: {', '.join(known)}" if known else "write 'pay .. as tag' at a payment"
                help_ = f"did you mean {near!r}?" if near else there
                text = f"no payment has the tag {tag.value!r} of {less.name!r}"
                yield _warning("P0444", text, tag.span, help_)


def _tags(checked: Checked, section: str, name: str) -> list[Scalar]:
    """Return the tags that a discount or waiver names, with their places."""
    node = checked.model.composition.sections[section][name].get("on")
    items = node.items if isinstance(node, Sequence) else [node]
    return [item for item in items if isinstance(item, Scalar)]
