"""Return whether a save fits content that has changed since, and if not, which change is the reason.

A save has a hash of each entry of the rules, see :mod:`patolli.language.packs.entry_hashes`. If all are the same, in
the same order, the state has the same layout and every rule does the same, so the match goes on. What a pack has only
renamed, and says so, is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from patolli.language.packs.entry_hashes import hash_entries
from patolli.language.packs.name_history import OldName, list_old_names
from patolli.language.packs.version_ranges import parse_version
from patolli.run.compiler.layout import DRAWS

if TYPE_CHECKING:
    from patolli.run.runtime.ruleset import Ruleset

NAMED = 4
"""Changes that a refusal names; of further ones it has the number."""


def list_pack_versions(ruleset: Ruleset) -> dict[str, str]:
    """Return the version of each pack of a ruleset."""
    return {pack.id: pack.version for pack in ruleset.packs}


def find_changes(ruleset: Ruleset, data: dict[str, Any], what: str = "save") -> str:
    """Say which change of the content keeps a save from being loaded; nothing if none does."""
    if data["pack"] != ruleset.id:
        return f"the {what} is of {data['pack']!r}, this is {ruleset.id!r}"
    if data.get("modules") != ruleset.module_ids:
        return f"the {what} was made with the modules {data.get('modules')}, this is {ruleset.module_ids}"
    history = list(_list_history(ruleset, data.get("versions", {})))
    options = {old.name: old.new_name for old in history if old.new and old.address.startswith("options/")}
    if {options.get(name, name): value for name, value in data.get("options", {}).items()} != ruleset.chosen:
        return f"the {what} was made with the options {data.get('options')}, this is {ruleset.chosen}"
    if "entries" in data:
        changes = list(_compare_entries(ruleset, data, history))
        if not changes:
            return ""
    else:
        before, now = data.get("files", {}), ruleset.file_hashes
        changes = [name for name in sorted({*before, *now}) if before.get(name) != now.get(name)] or ["unknown files"]
    more = f" and {len(changes) - NAMED} more" if len(changes) > NAMED else ""
    return f"the content has changed since the {what}: {', '.join(changes[:NAMED])}{more}{_explain_way(ruleset, data)}"


def _list_history(ruleset: Ruleset, versions: dict[str, str]) -> Iterator[OldName]:
    """Yield the names that were given up after the versions of a save."""
    for pack in ruleset.packs:
        saved = parse_version(versions.get(pack.id, pack.version))
        yield from (old for old in list_old_names(pack) if parse_version(old.since) > saved)


def _compare_entries(ruleset: Ruleset, data: dict[str, Any], history: list[OldName]) -> Iterator[str]:
    """Yield what differs between the entries of a save and those of a ruleset, in words."""
    older: dict[str, str] = {}
    for old in sorted(history, key=lambda one: parse_version(one.since)):
        if old.new:
            older.setdefault(old.new_name, old.name)  # the name of the save, whatever came between
    before: dict[str, str] = data["entries"]
    now = hash_entries(ruleset.model.composition, older) if older else ruleset.entry_hashes
    gone = {old.address: old.since for old in history if not old.new}
    for address, known in before.items():
        if address not in now:
            yield f"{address} was removed" + (f" in {gone[address]}" if address in gone else "")
        elif now[address] != known:
            yield f"{address} plays differently"
    yield from (f"{address} is new" for address in now if address not in before)
    if before.keys() == now.keys() and list(before) != list(now):
        yield "the order of the entries"
    drawn = {word for stream in data["state"][DRAWS] for word in re.findall(r"\w+", stream)}
    yield from (f"{old.address} was renamed, and random numbers go by its name" for old in history if old.name in drawn)


def _explain_way(ruleset: Ruleset, data: dict[str, Any]) -> str:
    """Say how to go on with a save that does not fit."""
    now = list_pack_versions(ruleset)
    old = [f"{id_} {known}" for id_, known in data.get("versions", {}).items() if now.get(id_, known) != known]
    first = f"; it continues with {' and '.join(old)}, if that is installed as well" if old else ""
    ways = "'patolli replay SAVE --pack OLD' shows it, and 'patolli play OLD --save SAVE' continues it"
    return f"{first}; with the old files in a folder OLD, {ways}"
