"""Which version number a release is due, from the names that modules and players of the old version may use.

Public is what ``show --seams`` lists (rules with steps and menus, payments, functions), every other entry that a
module can name, options, and the number of players. Each public name has a signature; what has another signature, or
is gone, breaks what uses it. Numbers, conditions and texts of rules are not public: who changes them repairs a game.

The three numbers of a version are breaking, feature, repair. Below 1.0.0 the second number stands for breaking, and
the third for the rest, as with Cargo.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patolli.author.distribution.refusal import Refusal
from patolli.author.lookup.composed import get_entry_data
from patolli.language.packs.archive_writer import content_files
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.name_history import list_old_names
from patolli.language.packs.version_ranges import parse_version
from patolli.language.program.expressions import Number
from patolli.language.resolve.addresses import own_steps, payments
from patolli.language.resolve.declare import may_be_left_out
from patolli.language.sources.archive import read_bytes
from patolli.language.sources.documents import SECTIONS
from patolli.language.syntax import tree as t
from patolli.language.syntax.printer import print_effect

if TYPE_CHECKING:
    from patolli.language.diagnostics import Span
    from patolli.language.packs.manifest import OptionSpec, Pack
    from patolli.language.program.model import Design
    from patolli.language.program.types import AnyType
    from patolli.language.resolve.model import Attribute, Kind
    from patolli.run.runtime import Ruleset

NOTHING, REPAIR, FEATURE, BREAKING = range(4)
WORDS = ("nothing", "repair", "feature", "breaking")
"""What the levels are called."""
_ADDRESS = re.compile(r"enums/\w+/\w+|\w+/\w+(/(steps|facts|fields|parameters)/\w+)?")
OWN = ("scenarios", "active", "result")
"""Sections in which no name is public."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A public name that was added, removed, renamed or changed: how much that matters, and what it was and is."""

    level: int
    change: str
    name: str
    old: str = ""
    new: str = ""

    @property
    def words(self) -> str:
        """One line for people."""
        if self.change in ("changed", "renamed"):
            old, new = (
                "common" if one == EXISTS else one for one in (self.old, self.new)
            )  # of a kind: per player or not
            return f"{self.change}: {self.name} from {old} to {new}"
        signature = self.new or self.old
        return f"{self.change}: {self.name}" + (f" {signature}" if signature != EXISTS else "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a release changes, and the smallest version number that it may have."""

    old: str
    new: str
    level: int
    due: str
    differences: tuple[Difference, ...]

    @property
    def is_enough(self) -> bool:
        """Whether the new version number is large enough."""
        return parse_version(self.new) >= parse_version(self.due)


EXISTS = "-"
"""The signature of a name that only has to be there."""
NEEDED = " that each piece must have"
"""The end of the signature of a fact without a default."""
SORTS = ("kinds", "enums", "grids", "records")
"""Sections of things that have facts or fields."""
TABLE_AND_PLAYER = ("table", "player")
"""Kinds whose fields have addresses of their own, such as ``table/sky``."""


def judge_release(old: Ruleset, new: Ruleset, pack: str) -> Verdict:
    """Compare two versions of a pack, each loaded with what it requires. Raises Refusal: they are different packs."""
    before, after = (_find_pack(rules, pack) for rules in (old, new))
    names = list(_compare_names(list_public_names(old, before), list_public_names(new, after)))
    differences = [*_join_renamed(names, old, new), *_compare_players(old, new), *_compare_manifests(before, after)]
    level = max((one.level for one in differences), default=NOTHING)
    if level == NOTHING and _read_files(before) != _read_files(after):
        level = REPAIR
    return Verdict(before.version, after.version, level, find_due_version(before.version, level), tuple(differences))


def find_due_version(old: str, level: int) -> str:
    """Return the smallest version that may follow another one with changes of a level."""
    major, minor, repair = parse_version(old)
    steps = {NOTHING: (major, minor, repair), REPAIR: (major, minor, repair + 1)}
    steps[FEATURE] = (major, minor + 1, 0) if major else (major, minor, repair + 1)
    steps[BREAKING] = (major + 1, 0, 0) if major else (major, minor + 1, 0)
    return ".".join(map(str, steps[level]))


def _find_pack(rules: Ruleset, pack: str) -> Pack:
    found = next((one for one in rules.packs if one.id == pack), None)
    if found is None:
        raise Refusal(f"{rules.packs[-1].id!r} is not an earlier version of {pack!r}")
    return found


def _read_files(pack: Pack) -> dict[str, bytes]:
    """Return all that an archive of a pack would hold, without the version number."""
    files = {path.relative_to(pack.folder).as_posix(): read_bytes(path) for path in content_files(pack.folder)}
    return files | {MANIFEST: re.sub(rb"(?m)^version:.*$", b"", files[MANIFEST])}


# ---- names


def find_undeclared(verdict: Verdict, pack: Pack) -> dict[str, dict[str, dict[str, str]]]:
    """Return what ``renamed`` and ``removed`` of ``pack.yaml`` lack, as it would be written there."""
    known = {old.address for old in list_old_names(pack)}
    found: dict[str, dict[str, dict[str, str]]] = {}
    for one in verdict.differences:
        if one.change in ("renamed", "removed") and one.name not in known and _ADDRESS.fullmatch(one.name):
            to = {"to": f"{one.name.rpartition('/')[0]}/{one.new}"} if one.change == "renamed" else {}
            found.setdefault(one.change, {})[one.name] = to | {"since": verdict.due}
    return dict(sorted(found.items(), reverse=True))


def list_public_names(rules: Ruleset, pack: Pack) -> dict[str, str]:
    """Return the public names of a pack, mostly addresses as in ``renamed``, each with its signature."""
    model, program = rules.model, rules.resolved_program
    folder = Path(pack.folder)

    def is_own(span: Span) -> bool:
        return Path(span.path).is_relative_to(folder)

    found = {
        f"{entry.section}/{entry.id}": EXISTS
        for section in SECTIONS
        if section not in OWN
        for entry in model.composition.all(section)
        if is_own(entry.key.span)
    }
    for name, function in program.functions.items():
        if f"functions/{name}" in found:
            parameters = [(one.name, _describe_type(one.type, *(one.bounds or ()))) for one in function.parameters]
            found |= _describe_call(f"functions/{name}", parameters, f": {function.type}")
    for entry in model.composition.all("rules"):
        rule = model.rules[entry.id]
        if f"rules/{entry.id}" in found:
            returns = f": {rule.returns}" if rule.returns is not None else ""
            bounds = {one.name: one.bounds or () for one in program.rules[entry.id].parameters}
            parameters = [(name, _describe_type(type_, *bounds.get(name, ()))) for name, type_ in rule.parameters]
            found |= _describe_call(f"rules/{entry.id}", parameters, returns)
        for step in own_steps(rule):
            if not is_own(step.span):
                continue
            if step.name != "do":
                found[f"rules/{entry.id}/steps/{step.name}"] = EXISTS
            if any(isinstance(one, t.Menu) and not one.may for one in step.block):
                found[f"rules/{entry.id}/steps/{step.name} (menu)"] = EXISTS
        for step_name, address, pay in payments(rule):
            if is_own(rule.span):
                found[f"payment {pay.tag or address or step_name}"] = EXISTS
    for section, entries in (("counters", program.counters), ("places", program.places)):
        found.update(
            (f"{section}/{name}", _describe_state(one)) for name, one in entries.items() if f"{section}/{name}" in found
        )
    for name, counter in program.counters.items():
        if f"counters/{name}" in found:
            found.update((f"counters/{name} called {noun}", EXISTS) for noun in counter.noun if noun != name)
    for name, constant in program.constants.items():
        if f"constants/{name}" in found:
            found[f"constants/{name}"] = str(constant.type)
    for name, kind in program.kinds.items():
        section = next((one for one in SORTS if f"{one}/{name}" in found), "")
        if name not in TABLE_AND_PLAYER and not any(name in model.composition.sections[one] for one in SORTS):
            continue  # it follows from a grid or shape
        if section:
            found.update((f"{section}/{name}/{member}", EXISTS) for member in kind.members or ())
        if section == "kinds":
            found |= {f"kinds/{name}": "per player" if kind.per_player else EXISTS}
            found |= {f"kinds/{name} (active)": EXISTS} if kind.active is not None else {}
            many = kind.copies.value if isinstance(kind.copies, Number) else 0
            found.update((f"kinds/{name}/{name}_{number + 1}", EXISTS) for number in range(many))
        if section == "records":  # its values are written with all parts, in order
            found[f"records/{name}"] = f"({', '.join(map(_describe_attribute, model.kinds[name].facts.values()))})"
        for address, attribute in _list_attributes(model.kinds[name], section or "kinds"):
            if f"graphs/{attribute.name}" in found:
                found[f"graphs/{attribute.name}"] = f"of {name}"
            elif section or is_own(attribute.span):
                is_needed = kind.placed and not attribute.mutable and not may_be_left_out(attribute)
                found[address] = _describe_attribute(attribute) + (NEEDED if is_needed else "")
        for design in kind.designs if kind.placed else ():
            if f"pieces/{design.id}" in found:
                found.update((f"pieces/{design.id}/{id_}", EXISTS) for id_ in _list_copies(design))
    for name, members in program.groups.items():
        if f"groups/{name}" in found:
            found.update((f"groups/{name}/{member}", EXISTS) for member in members)
    return found


def _describe_call(address: str, parameters: list[tuple[str, str]], returns: str) -> dict[str, str]:
    """Return the public names of a rule or function: itself, by its types, and each of its parameters."""
    types = ", ".join(type_ for _, type_ in parameters)
    return {address: f"({types}){returns}"} | {f"{address}/parameters/{name}": EXISTS for name, _ in parameters}


def _describe_type(type_: AnyType, low: int | None = None, high: int | None = None) -> str:
    """Return the words for a type; the bounds of a number belong to it."""
    return f"{type_}" + (f" from {low} to {high}" if low is not None and high is not None else "")


def _describe_attribute(one: Attribute) -> str:
    """Return the signature of a fact or field: its type, and who sees it."""
    return _describe_type(one.type, one.low, one.high) + (f", seen by {one.visible}" if one.visible != "all" else "")


def _list_attributes(kind: Kind, section: str) -> Iterator[tuple[str, Attribute]]:
    """Yield the facts and fields of a kind, each with its address."""
    for key, attribute in {**kind.facts, **kind.formulas}.items():
        yield f"{section}/{kind.name}/{'fields' if section == 'records' else 'facts'}/{key}", attribute
    for key, attribute in kind.fields.items():
        yield (
            f"{kind.name}/{key}" if kind.name in TABLE_AND_PLAYER else f"{section}/{kind.name}/fields/{key}",
            attribute,
        )


def _list_copies(design: Design) -> list[str]:
    """Return the ids of the pieces of a design; none if their number depends on the match."""
    if design.copies is not None and not isinstance(design.copies, Number):
        return []
    copies = design.copies.value if design.copies is not None else 1
    return [f"{design.id}_{number + 1}" for number in range(copies)] if copies > 1 else [design.id]


def _describe_state(one: object) -> str:
    """Return the signature of a counter or place: what it holds, for each of what, and who sees it."""
    per = " per " + " and ".join(getattr(one, "dims", ())) if getattr(one, "dims", ()) else ""
    holds = f"{getattr(one, 'type', '')} of {getattr(one, 'of', '')}" if hasattr(one, "of") else "number"
    seen = getattr(one, "visible", "all")
    return f"{holds}{per}" + (f", seen by {seen}" if seen != "all" else "")


def _compare_names(old: dict[str, str], new: dict[str, str]) -> Iterator[Difference]:
    for name, signature in old.items():
        if name in new and new[name] not in (signature, signature.removesuffix(NEEDED)):
            types = [one.removesuffix(NEEDED) for one in (signature, new[name])]
            yield Difference(BREAKING, "changed", name, *(types if types[0] != types[1] else (signature, new[name])))
        elif name not in new and not _is_inside(name, old, new):
            yield Difference(BREAKING, "removed", name, signature)
    for name, signature in new.items():
        if name not in old and not _is_inside(name, new, old):
            yield Difference(BREAKING if signature.endswith(NEEDED) else FEATURE, "added", name, "", signature)


def _is_inside(name: str, there: dict[str, str], other: dict[str, str]) -> bool:
    """Return whether a name is a part of an entry that only one of two versions has, which says enough."""
    owner = "/".join(name.split("/")[:2])
    return owner != name and owner in there and owner not in other


# ---- the manifest


def _compare_manifests(old: Pack, new: Pack) -> Iterator[Difference]:
    before, after = ({one.name: one for one in pack.options()} for pack in (old, new))
    for name in dict.fromkeys([*before, *after]):
        was, now = _list_values(before.get(name)), _list_values(after.get(name))
        if was != now:
            level = BREAKING if was and not (now and _holds(now, was)) else FEATURE
            yield _differ(level, f"options/{name}", _show_option(before.get(name)), _show_option(after.get(name)))
    for what, gone, come in (("provides", BREAKING, FEATURE), ("conflicts", FEATURE, BREAKING)):
        was_, now_ = getattr(old, what), getattr(new, what)
        yield from (_differ(gone, f"{what} {one}", EXISTS, "") for one in was_ if one not in now_)
        yield from (_differ(come, f"{what} {one}", "", EXISTS) for one in now_ if one not in was_)
    for name, value in old.switch.items():
        if new.switch.get(name) != value:
            yield _differ(BREAKING, f"switch {name}={value}", EXISTS, "")
    for id_ in dict.fromkeys([*old.requires, *new.requires]):
        if old.requires.get(id_) != new.requires.get(id_):
            level = BREAKING if id_ in old.requires and id_ not in new.requires else FEATURE
            yield _differ(level, f"requires {id_}", old.requires.get(id_, ""), new.requires.get(id_, ""))
    if old.language != new.language:
        yield _differ(FEATURE, "language", str(old.language), str(new.language))


def _differ(level: int, name: str, old: str, new: str) -> Difference:
    return Difference(level, "added" if not old else "removed" if not new else "changed", name, old, new)


def _compare_players(old: Ruleset, new: Ruleset) -> Iterator[Difference]:
    """Compare how many can play; a module may change that, too."""
    (least, most), (now_least, now_most) = old.players, new.players
    if old.players != new.players:
        level = FEATURE if now_least <= least and most <= now_most else BREAKING
        yield _differ(level, "players", f"{least} to {most}", f"{now_least} to {now_most}")


def _list_values(option: OptionSpec | None) -> tuple[str, ...] | range:
    if option is None:
        return ()
    return option.choices or range(option.low, option.high + 1)


def _holds(now: tuple[str, ...] | range, was: tuple[str, ...] | range) -> bool:
    """Return whether an option still has all values that it had."""
    if isinstance(now, range) and isinstance(was, range):
        return now.start <= was.start and was.stop <= now.stop
    return isinstance(now, tuple) and isinstance(was, tuple) and {*was} <= {*now}


def _show_option(option: OptionSpec | None) -> str:
    if option is None:
        return ""
    return ", ".join(option.choices) if option.choices else f"{option.low} to {option.high}"


# ---- renames


def _join_renamed(differences: list[Difference], old: Ruleset, new: Ruleset) -> Iterator[Difference]:
    """Report a name that is gone and one that came as renamed, if the pack says so or they hold the same."""
    come = [one for one in differences if one.change == "added"]
    here, there = ({one.name for one in differences if one.change == change} for change in ("removed", "added"))
    said = {old.address: old.new for pack in new.packs for old in list_old_names(pack)}
    renamed = {name: to for name, to in said.items() if name in here and to in there}
    for one in differences:
        if one.name in renamed or one.change != "removed" or not (content := _read_content(old, one.name)):
            continue
        same = [
            other.name
            for other in come
            if (other.new, _get_owner(other.name)) == (one.old, _get_owner(one.name))
            and other.name not in renamed.values()
            and _read_content(new, other.name) == content
        ]
        if len(same) == 1:
            renamed[one.name] = same[0]
    for one in differences:
        if one.name in renamed:
            yield Difference(
                BREAKING, "renamed", one.name, one.name.rpartition("/")[2], renamed[one.name].rpartition("/")[2]
            )
        elif one.name not in renamed.values():
            yield one


def _get_owner(name: str) -> str:
    return name.rpartition("/")[0]


def _read_content(rules: Ruleset, name: str) -> Any:
    """Return what stands at a public name; nothing for one that holds nothing of its own."""
    section, id_, *part = name.split("/") if "/" in name else (name, "")
    entry = rules.model.composition.sections.get(section, {}).get(id_)
    if entry is None:
        return None
    if not part:
        return get_entry_data(rules, entry)
    if section == "enums" and len(part) == 1:
        return "member", [*(rules.resolved_program.kinds[id_].members or ())].index(part[0])
    if part[0] == "parameters":
        of = rules.model.rules[id_].parameters if section == "rules" else rules.model.functions[id_].parameters
        return next((at, str(type_)) for at, (name, type_) in enumerate(of, 1) if name == part[1])
    if part[0] in ("facts", "fields"):
        attributes = rules.model.kinds[id_].attributes
        return next((at, str(one.type)) for at, one in enumerate(attributes.values(), 1) if one.name == part[1])
    steps = own_steps(rules.model.rules[id_]) if section == "rules" else ()
    return next((print_effect(one.block) for one in steps if one.name == part[-1]), None)
