"""Put a base pack and its modules together.

In:     packs, each read.
Out:    a :class:`Composition`: for every section the entries by id, each with the pack that wrote it and the ones
        that changed it.
Errors: P0120 an id declared twice, P0121 a patch whose target is missing, P0122 what a patch expects is not there,
        P0123 two modules change the same thing, P0124 a patch that cannot be applied there, P0132 a patch of what
        belongs to a pack that its own does not know; and those of ``acquaintance`` and ``likeness``.

The order is total: depth of requirement, then id of the pack; files by name; operations as written. A patch is an
explicit typed operation on an entry that is named by ``section/id``; nothing is ever merged by shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from patolli.language.diagnostics import Fix, Problem, Span, instead, nearest
from patolli.language.packs.acquaintance import check_folder_name, parse_condition, strangers, switched_in_vain
from patolli.language.packs.composition import Composition, Entry
from patolli.language.packs.conflict_reports import (
    find_conflicts,
    is_removed_by_another,
    report_stranger,
    report_unexpected,
    unsettled_conflicts,
)
from patolli.language.packs.conflicts import Address, Change, covers, superseded
from patolli.language.packs.likeness import copy_keys
from patolli.language.packs.manifest import Pack
from patolli.language.packs.name_history import check_history
from patolli.language.packs.operations import list_operations, misfit
from patolli.language.packs.recovery import collect_words
from patolli.language.sources import Mapping, Node, Scalar, Sequence, plain
from patolli.language.sources.documents import SECTIONS, SINGLE
from patolli.language.sources.nodes import list_entries, scalar_at, text_at


def compose(base: Pack, modules: list[Pack], order: Iterable[Scalar] = ()) -> Composition:
    """Put packs together; *modules* stand in the order in which they apply, *order* is what the player ordered."""
    result = Composition(base, [base, *modules], order=tuple(order))
    active = {pack.id: pack for pack in result.packs}
    for pack in result.packs:
        result.problems.extend(pack.problems)
        for look in (strangers, switched_in_vain):
            result.problems.extend(look(pack, active))
        result.problems.extend(check_folder_name(pack))
        patches = []
        for document in pack.documents:
            if not _is_wanted(document.tree, result.packs):
                result.left_out.append(document.tree)
                continue
            if document.kind == "patch":
                patches.append(document)
            else:
                _add_entry(result, pack, document.kind, document.tree)
                if document.kind == "pieces" and document.tree.get("when_active") is not None:
                    result.guests.update(key.value for key, _ in list_entries(document.tree.get("pieces")))
        copy_keys(result, [entry for entry in result.all("pieces") if entry.pack == pack.id])
        for document in patches:
            _apply_patch(result, pack, document.tree)
    result.problems += unsettled_conflicts(result)
    result.problems += check_history(result)
    return result


def _is_wanted(tree: Mapping, packs: list[Pack]) -> bool:
    """Return whether the packs or roles that a document depends on are active, and those behind ``not`` are not."""
    names = tree.get("when_active")
    there = {name for pack in packs for name in (pack.id, *pack.provides)}
    wanted = (
        [parse_condition(item) for item in names.items if isinstance(item, Scalar)]
        if isinstance(names, Sequence)
        else []
    )
    return all((name in there) is active for name, active in wanted)


def _add_entry(result: Composition, pack: Pack, document: str, tree: Mapping) -> None:
    if document == "pieces":
        for key, value in list_entries(tree.get("pieces")):
            entry = Entry("pieces", key.value, key, value, pack.id)
            entry.kind, entry.of = text_at(tree, "kind"), scalar_at(tree, "kind")
            entry.place = scalar_at(tree, "place")
            _declare_entry(result, entry)
        return
    for section in SECTIONS:
        node = tree.get(section)
        if node is None:
            continue
        if section in SINGLE:
            _declare_entry(result, Entry(section, section, tree.items[section][0], node, pack.id))
            continue
        for key, value in list_entries(node):
            id_ = (
                f"{pack.id}::{key.value}" if section == "scenarios" else key.value.partition("(")[0].strip()
            )  # those are of their pack
            _declare_entry(result, Entry(section, id_, key, value, pack.id))


def _declare_entry(result: Composition, entry: Entry) -> None:
    there = result.sections[entry.section].get(entry.id)
    if there is not None:
        message = f"{entry.id!r} is declared twice in {entry.section}"
        help_ = "rename or remove one"
        if there.pack != entry.pack:
            help_ = f"a module that changes it says so in a patch: `replace: {entry.section}/{entry.id}`"
            if advice := result.advise_rename(entry.id, there.pack, entry.pack):
                message, help_ = (
                    f"{entry.pack!r} and {there.pack!r} both declare {entry.id!r} in {entry.section}",
                    advice,
                )
        where = ((there.key.span, "first declared here"),)
        result.problems.append(Problem("P0120", message, entry.key.span, help_, where))
        return
    result.sections[entry.section][entry.id] = entry


def _apply_patch(result: Composition, pack: Pack, tree: Mapping) -> None:
    changes = tree.get("change")
    replaced: dict[str, Scalar] = {}
    for operation in changes.items if isinstance(changes, Sequence) else ():
        if not isinstance(operation, Mapping):
            continue
        before = len(result.problems)
        problem = misfit(operation, SECTIONS)
        if problem is not None:
            result.problems.append(problem)
        else:
            name = list_operations(operation)[0]
            target = operation.get(name)
            if isinstance(target, Scalar):
                section, id_ = f"{target.value}/".split("/")[:2]
                if not pack.requires and id_ not in result.sections.get(section, {}):
                    _nothing_below(result, pack, target)
                    return
                if name == "replace":
                    _report_twice(result, replaced, target)
                _apply_operation(result, pack, name, target, operation)
        if len(result.problems) > before and "extend" in operation and "with" in operation:
            result.unused |= collect_words(operation.items["with"][1])


def _nothing_below(result: Composition, pack: Pack, target: Scalar) -> None:
    """Report a patch in a pack that requires none; one whose manifest is wrong was reported already."""
    if pack.whole:
        help_ = 'say in pack.yaml which pack it changes: requires: {pack: ">=1.0"}'
        message = f"a patch can change only required packs, and {pack.id!r} requires none"
        result.problems.append(Problem("P0121", message, target.span, help_))


def _report_twice(result: Composition, replaced: dict[str, Scalar], target: Scalar) -> None:
    """Report what one document replaces twice, so that the first time is lost."""
    first = replaced.setdefault(target.value, target)
    if first is not target:
        also = ((first.span, "the first time is here"),)
        message = f"{target.value!r} is replaced twice"
        result.problems.append(Problem("P0124", message, target.span, "keep one of the two", also))


def _apply_operation(result: Composition, pack: Pack, name: str, target: Scalar, operation: Mapping) -> None:
    section, _, rest = target.value.partition("/")
    id_, _, inner = rest.partition("/")
    if section in SINGLE and id_ != section:
        id_, inner = section, rest
    entry = result.sections.get(section, {}).get(id_)
    if entry is None:
        _report_missing(result, pack, name, section, id_, target)
        return
    change = Change(pack.id, name, target, operation)
    report_stranger(result, pack, entry, target)
    expects = operation.get("expects")
    there = entry.node if not inner else _find_inside(entry.node, inner.split("/"))
    if name in ("replace", "remove", "extend") and there is None:
        if name != "remove" or not is_removed_by_another(result, entry, change):
            result.problems.append(_missing_inside(result, entry, inner.split("/"), target))
        return
    earlier = result.changes.setdefault((section, id_), [])
    if expects is not None and there is not None and plain(expects) != plain(there):
        report_unexpected(result, entry, change, expects, there)
        return
    find_conflicts(result, entry, change)
    APPLY[name](result, entry, inner, change)
    if name in ("replace", "remove"):
        entry.superseded += [one.node for one in earlier if _is_after(result, change, one) and superseded(one, change)]
    entry.changed.append((pack.id, name, operation))
    earlier.append(change)
    if name == "remove" and not inner:
        result.removed[section, id_] = (pack.id, target)


def _is_after(result: Composition, later: Change, earlier: Change) -> bool:
    return later.pack == earlier.pack or earlier.pack in result.precedence.before(later.pack)


def _missing_inside(result: Composition, entry: Entry, path: list[str], target: Scalar) -> Problem:
    """Say which missing key of an entry a target names, or who took it away."""
    at = next(at for at in range(len(path)) if _find_inside(entry.node, path[: at + 1]) is None)
    here = _find_inside(entry.node, path[:at])
    keys = list(here.items) if isinstance(here, Mapping) else []
    alike = any(path[at] in other.node for other in result.all(entry.section) if isinstance(other.node, Mapping))
    near = None if alike else nearest(path[at], keys)
    whole = "/".join([entry.section, entry.id, *path[:at]])
    help_ = f"it has: {', '.join(keys)}; 'extend' adds what is not there" if keys else ""
    fixes: tuple[Fix, ...] = ()
    if near:
        help_ = f"did you mean {f'{whole}/{near}'!r}?"
        fixes = instead(target.place(len(whole) + 1, len(path[at])), near)
    taken = tuple(_report_taken(entry, target))
    if taken:
        help_, fixes = "", ()
    also = ((entry.key.span, "declared here"), *taken)
    return Problem("P0121", f"{whole!r} has no {path[at]!r}", target.span, help_, also, fixes=fixes)


def _report_taken(entry: Entry, target: Scalar) -> Iterator[tuple[Span, str]]:
    """Yield where an earlier patch took away what a new one means."""
    for pack, done, operation in entry.changed:
        place = operation.get(done) if isinstance(operation, Mapping) and done in ("remove", "replace") else None
        if isinstance(place, Scalar) and f"{target.value}/".startswith(f"{place.value}/"):
            yield place.span, f"{pack!r} {done}s {place.value!r} here"


def _report_missing(result: Composition, pack: Pack, name: str, section: str, id_: str, target: Scalar) -> None:
    if section not in SECTIONS:
        meant = [f"{one}/{section}" for one in SECTIONS if section in result.sections[one]]
        near = meant[0] if len(meant) == 1 else nearest(section, SECTIONS)
        help_ = (
            f"did you mean {near!r}?" if near else f"a target is written section/id; sections: {', '.join(SECTIONS)}"
        )
        fixes = instead(target.place(0, len(section)), near)
        result.problems.append(Problem("P0121", f"there is no section {section!r}", target.span, help_, fixes=fixes))
        return
    if not id_:
        known = next(iter(result.sections[section]), "name")
        help_ = f"a target is written section/id, such as '{section}/{known}'"
        words = f"{target.value!r} is a section, and names none of its entries"
        result.problems.append(Problem("P0121", words, target.span, help_))
        return
    gone = result.removed.get((section, id_))
    if gone is not None:
        by, taken = gone
        if name == "remove" and by != pack.id:
            return
        help_ = f"leave {by!r} out, or require it and change what it puts there instead"
        where = ((taken.span, f"{by!r} removes it here"),)
        result.problems.append(Problem("P0121", f"{section}/{id_} no longer exists", target.span, help_, where))
        return
    later = _declared_later(result, pack, section, id_)
    if later is not None:
        owner, place = later
        words = f"{section}/{id_} is not there yet: {owner!r} declares it, and applies after {pack.id!r}"
        help_ = f"name {owner!r} under 'optional' in {pack.id!r}, or leave it out there; 'order:' decides, too"
        result.problems.append(Problem("P0121", words, target.span, help_, ((place, "declared here"),)))
        return
    if section in SINGLE:
        help_ = f"write '{section}: ..' in a document of rules, which declares it; a patch changes what is there"
        words = f"no pack that {pack.id!r} builds on has {section!r}, so there is nothing to {name}"
        result.problems.append(Problem("P0121", words, target.span, help_))
        return
    near = nearest(id_, result.sections[section])
    help_ = f"did you mean '{section}/{near}'?" if near else "what does not exist is added with a document, not a patch"
    places = [result.sections[section][near].key.span] if near else []
    also = tuple((place, "declared here") for place in places)
    words = f"there is no {id_!r} in {section} to change"
    fixes = instead(target.place(len(section) + 1, len(id_)), near)
    result.problems.append(Problem("P0121", words, target.span, help_, also, fixes=fixes))


def _declared_later(result: Composition, pack: Pack, section: str, id_: str) -> tuple[str, Span] | None:
    """Return which pack that applies later declares an entry, and where."""
    later = Composition(result.base, [])
    behind = result.packs[result.packs.index(pack) + 1 :]
    for other in behind:
        for document in other.documents:
            if document.kind != "patch" and _is_wanted(document.tree, result.packs):
                _add_entry(later, other, document.kind, document.tree)
    entry = later.sections[section].get(id_)
    return (entry.pack, entry.key.span) if entry is not None else None


def _find_inside(node: Node | None, path: list[str]) -> Node | None:
    here = node
    for part in path:
        here = here.get(part) if isinstance(here, Mapping) else None
    return here


def _replace_value(result: Composition, entry: Entry, inner: str, change: Change) -> None:
    node = change.node.get("with")
    if node is None:
        return
    if not inner:
        entry.node = node
        if entry.section == "pieces":
            copy_keys(result, [entry])
        return
    entry.node = _note_change(entry.node, inner.split("/"), node)


def _remove_value(result: Composition, entry: Entry, inner: str, change: Change) -> None:
    if not inner:
        del result.sections[entry.section][entry.id]
        return
    entry.node = _note_change(entry.node, inner.split("/"), None)


def _extend_value(result: Composition, entry: Entry, inner: str, change: Change) -> None:
    there = _find_inside(entry.node, inner.split("/")) if inner else entry.node
    more = change.node.get("with")
    if isinstance(there, Sequence) and isinstance(more, Sequence):
        new: Node = Sequence([*there.items, *more.items], there.span)
    elif isinstance(there, Mapping) and isinstance(more, Mapping):
        kept = {
            name
            for name in more.items
            if name in there.items and not _overrides(result, entry, change, more.items[name][0], there.items[name][0])
        }
        new = Mapping({**there.items, **{k: v for k, v in more.items.items() if k not in kept}}, there.span)
    else:
        result.problems.append(_no_extension(change.node, there, more))
        return
    entry.node = _note_change(entry.node, inner.split("/"), new) if inner else new


def _overrides(result: Composition, entry: Entry, change: Change, key: Scalar, old: Scalar) -> bool:
    """Return whether a key that is added replaces one that is there, which a pack before this one has put there.

    Otherwise it is reported, unless the packs are unordered: then they agree, or are noted as a conflict.
    """
    by = [one for one in result.changes[entry.section, entry.id] if _puts_there(one, (*change.path, key.value))]
    if by and not result.precedence.are_ordered(by[-1].pack, change.pack):
        return False
    if by and by[-1].pack != change.pack and not result.precedence.builds_on(change.pack, by[-1].pack):
        return True
    help_ = f"{by[-1].pack!r} puts it there: use 'replace'" if by else "use 'replace' to change what exists"
    problem = Problem("P0124", f"{key.value!r} is already there", key.span, help_, ((old.span, "it is here"),))
    result.problems.append(problem)
    return False


def _puts_there(change: Change, path: Address) -> bool:
    """Return whether an earlier change wrote a value at a path inside an entry."""
    return change.operation in ("replace", "extend") and any(covers(one, path) for one in change.paths())


def _no_extension(operation: Mapping, there: Node | None, more: Node | None) -> Problem:
    """Say why one value cannot be extended by another."""
    where = ((there.span, "it is here"),) if there is not None else ()
    if not isinstance(there, Sequence | Mapping) or more is None:
        words = "only lists and mappings can be extended"
        return Problem("P0124", words, operation.items["extend"][1].span, "use 'replace'", where)
    if isinstance(there, Mapping):
        return Problem("P0124", "a mapping is extended by a mapping", more.span, "write `with: {name: value}`", where)
    words = "a list can only be extended with a list"
    single = more.value if isinstance(more, Scalar) else "one, two"
    fixes = instead(more.span, f"[{more.value}]" if isinstance(more, Scalar) else None)
    return Problem("P0124", words, more.span, f"write `with: [{single}]`", where, fixes=fixes)


def _note_change(node: Node, path: list[str], new: Node | None) -> Node:
    """Return a copy of *node* in which the value at *path* is *new*, or gone."""
    assert isinstance(node, Mapping)
    items = dict(node.items)
    key, old = items[path[0]]
    value = new if len(path) == 1 else _note_change(old, path[1:], new)
    if value is None:
        del items[path[0]]
    else:
        items[path[0]] = (key, value)
    return Mapping(items, node.span)


def _report_later(result: Composition, entry: Entry, inner: str, change: Change) -> None:
    """Leave it to the analysis, which finds the operation in ``entry.changed``."""


APPLY = {
    "replace": _replace_value,
    "remove": _remove_value,
    "extend": _extend_value,
    "adjust": _report_later,
    "before": _report_later,
    "after": _report_later,
    "instead": _report_later,
    "offer": _report_later,
}
