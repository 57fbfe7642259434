"""Report which changes of two packs do not go together, and what a change expects and does not find.

In:     a composition so far, and a change that is about to be applied.
Out:    conflicts, noted in the composition; those that no pack settles become problems at the end.
Errors: P0122 what a patch expects is not there, P0123 and P0125 of ``conflicts``, P0132 a patch of what belongs to a
        pack that its own does not know.
"""

from __future__ import annotations

from collections.abc import Iterator

from patolli.language.diagnostics import Problem
from patolli.language.packs.composition import Composition, Conflict, Entry
from patolli.language.packs.conflicts import DATA, LOST, Change, compare, contested, settles
from patolli.language.packs.manifest import Pack
from patolli.language.sources import Node, Scalar


def find_conflicts(result: Composition, entry: Entry, change: Change) -> None:
    """Note with which earlier changes of an entry one does not go together, unless packs are ordered."""
    for earlier in result.changes[entry.section, entry.id]:
        if earlier.pack == change.pack or result.precedence.are_ordered(earlier.pack, change.pack):
            continue
        code = compare(earlier, change, entry.node)
        if code is not None:
            problem = (_report_lost if code == LOST else _report_order)(change, earlier)
            _note_conflict(result, entry, earlier, change, problem)
            if "remove" in (earlier.operation, change.operation):  # a statement at what is gone is reported here only
                entry.superseded += [one.node for one in (earlier, change) if one.operation not in DATA]


def unsettled_conflicts(result: Composition) -> Iterator[Problem]:
    """Yield the conflicts that no pack settles which knows both sides."""
    for conflict in result.conflicts:
        changes = result.changes[conflict.entry]
        if not any(
            set(conflict.packs) <= result.precedence.before(one.pack)
            and all(settles(one, address) for address in conflict.addresses)
            for one in changes
        ):
            yield conflict.problem


def _note_conflict(result: Composition, entry: Entry, earlier: Change, change: Change, problem: Problem) -> None:
    addresses = tuple(dict.fromkeys(contested(earlier, change)))
    result.conflicts.append(Conflict((entry.section, entry.id), addresses, (earlier.pack, change.pack), problem))


def _order_help(one: str, two: str) -> str:
    return (
        f"name {one!r} under 'optional' in {two!r}, or write 'order: [{one}, {two}]' in a pack that requires both or in"
        " a selection file"
    )


def _report_lost(change: Change, earlier: Change) -> Problem:
    ours, theirs = change.pack, earlier.pack
    base, verb = _VERBS[change.operation]
    if change.operation == earlier.operation and change.target.value == earlier.target.value:
        words = f"{ours!r} and {theirs!r} both {base} {change.target.value!r}"
        if change.operation != "replace":
            words += ", and only one of the changes has an effect"
    else:
        same = change.target.value == earlier.target.value
        other = "it" if same else repr(earlier.target.value)
        words = (
            f"{ours!r} {verb} {change.target.value!r}, {theirs!r} {_VERBS[earlier.operation][1]} {other}:"
            " one of the two changes is lost"
        )
    place = ((earlier.target.span, f"{theirs!r} does it here"),)
    return Problem(LOST, words, change.target.span, f"{_order_help(theirs, ours)}, or change it in such a pack", place)


def _report_order(change: Change, earlier: Change) -> Problem:
    words = (
        f"{change.pack!r} and {earlier.pack!r} both adjust {change.target.value!r}, and the result depends on the order"
    )
    place = ((earlier.target.span, f"{earlier.pack!r} does it here, first"),)
    return Problem("P0125", words, change.target.span, _order_help(earlier.pack, change.pack), place, "warning")


def report_unexpected(result: Composition, entry: Entry, change: Change, expects: Node, there: Node) -> None:
    """Report what a patch expects and does not find: a required pack is new, or another module has changed it."""
    words = f"{change.target.value!r} is not what this patch expects"
    others = [one for one in result.changes[entry.section, entry.id] if one.pack != change.pack]
    cause = next((one for one in reversed(others) if next(contested(one, change), None) is not None), None)
    if cause is None:
        help_ = f"{entry.pack!r} has changed since; compare the two, and write what is there now under 'expects'"
        problem = Problem("P0122", words, expects.span, help_, ((there.span, "this is its value now"),))
        result.problems.append(problem)
        return
    words = f"{words}: {cause.pack!r} has changed it"
    also = ((cause.target.span, f"{cause.pack!r} changes it here"),)
    if result.precedence.are_ordered(cause.pack, change.pack):
        help_ = f"{change.pack!r} applies after {cause.pack!r}: expect what that one puts there"
        result.problems.append(Problem("P0122", words, expects.span, help_, also))
        return
    help_ = _order_help(change.pack, cause.pack)
    _note_conflict(result, entry, cause, change, Problem("P0122", words, expects.span, help_, also))


def is_removed_by_another(result: Composition, entry: Entry, change: Change) -> bool:
    """Return whether another pack has removed the same thing, so that both have what they want."""
    earlier = result.changes.get((entry.section, entry.id), ())
    return any(
        one.operation == "remove"
        and one.pack != change.pack
        and f"{change.target.value}/".startswith(f"{one.target.value}/")
        for one in earlier
    )


def report_stranger(result: Composition, pack: Pack, entry: Entry, target: Scalar) -> None:
    """Report a change of what belongs to a pack that the one which changes it does not know."""
    if entry.pack != pack.id and entry.pack not in result.precedence.known(pack.id):
        words = f"{target.value!r} is of {entry.pack!r}, which {pack.id!r} neither requires nor names as optional"
        help_ = f"write 'when_active: [{entry.pack}]' in this file, and 'optional: [{entry.pack}]' in pack.yaml"
        where = ((entry.key.span, "declared here"),)
        result.problems.append(Problem("P0132", words, target.span, help_, where, "warning"))


_VERBS = {
    "replace": ("replace", "replaces"),
    "remove": ("remove", "removes"),
    "extend": ("extend", "extends"),
    "adjust": ("adjust", "adjusts"),
    "before": ("come before", "comes before"),
    "after": ("come after", "comes after"),
    "instead": ("replace", "replaces"),
    "offer": ("add a line to", "adds a line to"),
}
