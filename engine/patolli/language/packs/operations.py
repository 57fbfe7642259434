"""What a change in a patch may say: one operation, a target that it fits, and the keys that belong to it.

Out:    the first thing that is wrong with a change by itself.
Errors: P0124 a change that does not fit its operation.
"""

from __future__ import annotations

from collections.abc import Iterable

from patolli.language.diagnostics import Problem, instead
from patolli.language.sources import Mapping, Scalar

OPERATIONS = {
    "replace": "with expects",
    "remove": "expects",
    "extend": "with expects",
    "adjust": "by at_least at_most value when",
    "before": "do when",
    "after": "do when",
    "instead": "do",
    "offer": "do",
}
"""Every operation with the keys that it takes beside its target."""
_SECTION = {"adjust": "functions", "before": "rules", "after": "rules", "instead": "rules", "offer": "rules"}
_INSTEAD = {"rules": "a rule is changed by: before, after, instead, offer", "functions": "use 'adjust'"}
_DATA = "'replace', 'remove' and 'extend' change the entries of other sections"


def list_operations(change: Mapping) -> list[str]:
    """Return the operations that a change names."""
    return [key for key in change.items if key in OPERATIONS]


def misfit(change: Mapping, sections: Iterable[str]) -> Problem | None:
    """Return what is wrong with a change by itself."""
    names = list_operations(change)
    if not names:
        first = next(iter(change.items.values()), None)
        place = first[0].span if first else change.span
        return Problem("P0124", "this change names no operation", place, f"one of: {', '.join(OPERATIONS)}")
    name = names[0]
    if len(names) > 1:
        also = ((change.key(name).span, "the other one"),)
        help_ = "one change has one operation; begin another change with '- '"
        return Problem(
            "P0124", f"{names[1]!r} cannot be combined with {name!r}", change.key(names[1]).span, help_, also
        )
    takes = OPERATIONS[name].split()
    target = change.get(name)
    if isinstance(target, Scalar):
        problem = _suggest_section(name, target, sections)
        if problem is not None:
            return problem
    for key in change.items:
        if key not in (name, "text", "source", *takes):
            help_ = f"it takes: {', '.join(takes)}"
            if key == "when" and name == "instead":
                help_ = "write 'if ..: ..' in its effect, with 'else: original(..)'"
            return Problem("P0124", f"{name!r} has no key {key!r}", change.key(key).span, help_)
    return _check_adjustment(change) if name == "adjust" else None


def _suggest_section(name: str, target: Scalar, sections: Iterable[str]) -> Problem | None:
    """Report a target that lies where an operation does not reach."""
    section, *rest = target.value.split("/")
    wanted = _SECTION.get(name, section)
    if section != wanted:
        if section not in sections:
            return None  # said with the name that may be meant
        message = f"{name!r} changes an entry of {wanted!r}, this is one of {section!r}"
        return Problem("P0124", message, target.span, _INSTEAD.get(section, _DATA))
    if name == "adjust" and len(rest) > 1:
        words = "'adjust' changes what a whole function returns"
        whole = f"functions/{rest[0]}"
        return Problem("P0124", words, target.span, f"write {whole}", fixes=instead(target.span, whole))
    return None


def _check_adjustment(change: Mapping) -> Problem | None:
    """Report an adjustment that changes nothing, or that loses a part."""
    changing = [key for key in ("by", "at_least", "at_most") if key in change]
    if "value" in change and changing:
        help_ = "leave one of them out, or write two changes"
        also = ((change.key("value").span, "the other one"),)
        message = f"{changing[0]!r} has no effect beside 'value'"
        return Problem("P0124", message, change.key(changing[0]).span, help_, also)
    if "value" not in change and not changing:
        return Problem("P0124", "this adjustment changes nothing", change.key("adjust").span,
                       "it takes: by, at_least, at_most, value")  # fmt: skip
    return None
