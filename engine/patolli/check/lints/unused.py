"""Find what is declared and never used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from patolli.check.lints.check import Reviewed, check
from patolli.language.diagnostics import Problem, Span, instead, nearest
from patolli.language.program.model import FIELDS, Design
from patolli.language.sources import Scalar, Sequence

_REMOVE = "remove it, or use it"


def _warning(code: str, message: str, span: Span, help_: str = _REMOVE, *also: tuple[Span, str]) -> Problem:
    return Problem(code, message, span, help_, also, "warning")


_UNUSED = {
    "P0430": (("rules", "rule", "carries out the rule"),),
    "P0432": (("functions", "function", "uses the function"), ("graphs", "function", "uses the graph")),
    "P0434": (("places", "place", "uses the place"),),
    "P0435": (("constants", "constant", "uses the constant"),),
    "P0437": (("groups", "group", "uses the group"),),
    "P0438": tuple((section, "kind", "uses the kind") for section in ("kinds", "grids", "enums", "records")),
}
"""What nothing uses, by the code that reports it: sections, the sort of use, and what nothing does."""


def _report_unused(reviewed: Reviewed, code: str) -> Iterator[Problem]:
    """Report the entries of the sections of a code that nothing uses."""
    for section, sort, words in _UNUSED[code]:
        for entry in reviewed.program.composition.all(section):
            if reviewed.may_report_unused(section, entry.id) and not reviewed.usage.uses(sort, entry.id):
                yield _warning(code, f"nothing {words} {entry.id!r}", reviewed.program.spans[entry.id])


for _code in ("P0432", "P0434", "P0435", "P0437", "P0438"):
    check(_code)(partial(_report_unused, code=_code))


@check("P0430")
def unused_rule(reviewed: Reviewed) -> Iterator[Problem]:
    """Find rules that nothing reaches from ``setup``, ``match`` and what may happen in between."""
    rules = reviewed.program.rules
    lacking = [name for name in ("setup", "match") if name not in rules]
    for problem in _report_unused(reviewed, "P0430"):
        if lacking:
            first = " and ".join(map(repr, lacking))
            help_ = f"Patolli calls only 'setup' and 'match' by itself; this game has no {first}"
            yield replace(problem, help=help_)
        else:
            yield problem
    for name in rules:
        if name in reviewed.usage.tried and reviewed.may_report_unused("rules", name):
            help_ = "call it in a rule, or remove it; a scenario may carry out effects without a rule of their own"
            yield _warning("P0430", f"only scenarios call the rule {name!r}", reviewed.program.spans[name], help_)


@check("P0431")
def unread_counter(reviewed: Reviewed) -> Iterator[Problem]:
    """Find counters that effects change and nothing reads."""
    for name, counter in reviewed.program.counters.items():
        there = reviewed.usage.changed.get(name)
        if there is not None and name not in reviewed.usage.read and reviewed.may_report_unused("counters", name):
            text = f"counter {name!r} is changed but never read"
            help_ = "read it in a rule, the result or a panel, or remove it"
            yield _warning("P0431", text, counter.span, help_, (there, "it is changed here"))


@check("P0433")
def unused_counter(reviewed: Reviewed) -> Iterator[Problem]:
    """Find counters that nothing reads or changes."""
    for name, counter in reviewed.program.counters.items():
        known = reviewed.usage.changed.keys() | reviewed.usage.read
        if name not in known and reviewed.may_report_unused("counters", name):
            yield _warning("P0433", f"nothing uses the counter {name!r}", counter.span)


@check("P0452")
def unread_field(reviewed: Reviewed) -> Iterator[Problem]:
    """Find fields of the table, or of players, that nothing reads."""
    for section, whose in zip(FIELDS, ("the table", "a player"), strict=True):
        for entry in reviewed.program.composition.all(section):
            if reviewed.may_report_unused(section, entry.id) and not reviewed.usage.uses("field", entry.id):
                help_ = "read it in a rule, the result or a panel, or remove it"
                text = f"nothing reads {entry.id!r}, a field of {whose}"
                yield _warning("P0452", text, entry.key.span, help_)


@check("P0436")
def unused_option(reviewed: Reviewed) -> Iterator[Problem]:
    """Find options on which nothing depends."""
    program = reviewed.program
    base, *modules = program.composition.packs
    for pack in modules or [base]:
        for option in pack.options():
            if not reviewed.usage.uses("option", option.name):
                text = f"nothing depends on the option {option.name!r}"
                yield _warning("P0436", text, option.span)


@check("P0439")
def unused_piece(reviewed: Reviewed) -> Iterator[Problem]:
    """Find pieces that can never come into play: they start in the box, and nothing names them or all of their kind."""
    program, usage = reviewed.program, reviewed.usage
    found: dict[tuple[str, str], list[Design]] = {}
    for entry in program.composition.all("pieces"):
        design = program.designs.get(entry.id)
        if design is None or design.place is not None or design.kind in usage.all or usage.uses("piece", entry.id):
            continue
        if usage.uses("kind", design.kind) and reviewed.may_report_unused("pieces", entry.id):
            found.setdefault((design.kind, design.span.path), []).append(design)
    for (kind, _), designs in found.items():
        yield _never_in_play(kind, designs)


def _never_in_play(kind: str, designs: list[Design]) -> Problem:
    """Report the pieces of one kind in one file, which mostly have the same left out."""
    if len(designs) == 1:
        help_ = f"give it a 'place', or name it or all of {kind!r} in a rule"
        return _warning("P0439", f"the piece {designs[0].id!r} never comes into play", designs[0].span, help_)
    listed = ", ".join(repr(design.id) for design in designs[:3]) + (" ..." if len(designs) > 3 else "")
    message = f"{len(designs)} pieces of the kind {kind!r} never come into play: {listed}"
    help_ = f"give the document a 'place', or name all of {kind!r} in a rule"
    return _warning("P0439", message, designs[0].span, help_)


@check("P0454")
def unread_copies(reviewed: Reviewed) -> Iterator[Problem]:
    """Find kinds that say how many there are, although a document lists their pieces."""
    for kind in reviewed.program.kinds.values():
        listed = next((design for design in kind.designs if design.span != kind.span), None)
        if kind.copies is not None and listed is not None and reviewed.written_here(kind.copies.span):
            text = f"nothing reads the copies of {kind.name!r}, since a document lists its pieces"
            also = (listed.span, "listed here")
            yield _warning("P0454", text, kind.copies.span, "leave it out, and give each piece its 'copies'", also)


@check("P0444")
def unknown_tag(reviewed: Reviewed) -> Iterator[Problem]:
    """Find discounts and waivers that no payment names."""
    for section, found in (("discounts", reviewed.program.discounts), ("waivers", reviewed.program.waivers)):
        for less in found:
            named = [tag for tag in _tags(reviewed, section, less.name) if "/" not in tag.value]
            missing = [tag for tag in named if tag.value not in reviewed.usage.tags]
            for tag in missing if reviewed.may_report_unused(section, less.name) else ():
                known = sorted(tag for tag in reviewed.usage.tags if "/" not in tag)
                near = nearest(tag.value, known)
                there = f"payments have the tags: {', '.join(known)}" if known else "write 'pay .. as tag' at a payment"
                help_ = f"did you mean {near!r}?" if near else there
                text = f"no payment has the tag {tag.value!r} of {less.name!r}"
                fixes = instead(tag.span, near)
                yield Problem("P0444", text, tag.span, help_, severity="warning", fixes=fixes)


def _tags(reviewed: Reviewed, section: str, name: str) -> list[Scalar]:
    """Return the tags that a discount or waiver names, with their places."""
    node = reviewed.program.composition.sections[section][name].get("on")
    items = node.items if isinstance(node, Sequence) else [node]
    return [item for item in items if isinstance(item, Scalar)]
