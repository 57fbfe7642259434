"""What a pack knows of others, as its manifest says, and where it names more than that.

A pack knows those that it requires, those that it names under ``optional``, and what these know: after all of them it
applies. What it says of any other one is true by accident, if at all.

Errors: P0118 a misspelt name of a pack, P0127 a document that waits for what the manifest does not name, P0129 a
        switch that cannot be used, P0133 an id that is not the name of the folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from patolli.language.diagnostics import Problem, instead, nearest
from patolli.language.packs.discovery import explain_folder_name, find, installed, list_renamed, packs_in
from patolli.language.packs.manifest import Pack, read_manifest
from patolli.language.sources import Mapping as YamlMapping
from patolli.language.sources import Scalar
from patolli.language.sources.archive import SUFFIX
from patolli.language.sources.nodes import list_scalars

STANDARD = "normal"
"""The value of a switch that stands for none of the modules."""


def known_to(pack: Pack, packs: Mapping[str, Pack]) -> set[str]:
    """Return the active packs after which one applies because it says so, or one of those does."""
    found: set[str] = set()
    open_ = [pack]
    while open_:
        here = open_.pop()
        more = set(named_by(here, packs.values())) - found
        found |= more
        open_ += [packs[id_] for id_ in more]
    return found - {pack.id}


def named_by(pack: Pack, among: Iterable[Pack]) -> list[str]:
    """Return the packs of a selection that a manifest names as required or optional, by id or by a role of theirs.

    What a base names under ``optional`` puts it after nothing: it is the first one.
    """
    names = {*pack.requires, *(pack.optional if pack.requires else ())}
    return [one.id for one in among if one.id in names or (one is not pack and names.intersection(one.provides))]


def parse_condition(scalar: Scalar) -> tuple[str, bool]:
    """Return the pack or role that an item of ``when_active`` names, and whether it has to be active."""
    word = scalar.value.removeprefix("not ")
    return word, word == scalar.value


def strangers(pack: Pack, packs: Mapping[str, Pack]) -> Iterator[Problem]:
    """Find names of packs that mean nothing, or not what they seem to.

    What is not installed here may be installed elsewhere, so that of other unknown names nothing is said.
    """
    own = {pack.id, *pack.requires, *pack.optional}
    roles = {role for other in packs.values() for role in other.provides}
    named = [
        (one, key, one.value)
        for key in ("conflicts", "optional", "order")
        for one in list_scalars(pack.manifest.get(key))
    ]
    waits = [one for document in pack.documents for one in list_scalars(document.tree.get("when_active"))]
    unclear = [(one, key, name) for one, key, name in named if name not in packs and name not in roles]
    unclear += [(one, "when_active", name) for one in waits if (name := parse_condition(one)[0]) not in own]
    there = installed() if unclear else {}
    around = beside(pack) if unclear else []
    known = {*there, *packs, *(path.name for path in around), *roles}
    strange = any(name not in known for _, _, name in unclear)
    renamed = list_renamed([*around, *there.values()]) if strange else {}
    for scalar, key, name in unclear:
        holder = renamed.get(name) if name not in known else None
        if holder is not None:
            words = f"no folder of a pack is called {name!r}, so {key!r} has no effect"
            yield Problem("P0118", words, scalar.span, explain_folder_name(name, holder), severity="warning")
            continue
        near = (
            None if name in known else _find_nearest(pack, name, known, own if key == "when_active" else set(), there)
        )
        if near:
            words = f"there is no pack {name!r}, so {key!r} has no effect"
            fixes = instead(scalar.place(0, len(name)), near)
            yield Problem("P0118", words, scalar.span, f"did you mean {near!r}?", severity="warning", fixes=fixes)
        elif key == "when_active":
            yield _report_unnamed(pack, scalar, name)
    for scalar in waits:
        name, wanted = parse_condition(scalar)
        if not wanted and name in {pack.id, *pack.requires}:
            words = f"this applies only without {name!r}, but {pack.id!r} requires {name!r}"
            help_ = "remove 'not', or name a pack that may be left out"
            yield Problem("P0127", words, scalar.span, help_, severity="warning")


def _find_nearest(pack: Pack, name: str, known: set[str], own: set[str], there: Mapping[str, Path]) -> str | None:
    """Return the nearest name of a pack that may be meant; those of *own* may be. Only of near ones more is read."""
    left = known | own
    while (near := nearest(name, left)) is not None and near not in own and not _may_be_beside(pack, near, there):
        left.discard(near)
    return near


def _may_be_beside(pack: Pack, name: str, there: Mapping[str, Path]) -> bool:
    """Return whether a pack may stand in one ruleset with another: two games never do, whatever they are called."""
    folder = find(name, lambda: there)
    other = read_manifest(folder) if folder is not None else None
    return other is None or not pack.requires or bool(other.requires) or other.id in pack.requires


def _report_unnamed(pack: Pack, scalar: Scalar, name: str) -> Problem:
    words = f"this waits for {name!r}, which {pack.id!r} neither requires nor names as optional"
    help_ = f"write 'optional: [{name}]' in pack.yaml, so that this applies after it"
    also = ((pack.manifest.key("optional").span, "it is not here"),) if "optional" in pack.manifest.items else ()
    return Problem("P0127", words, scalar.span, help_, also, "warning")


def beside(pack: Pack) -> list[Path]:
    """Return the packs in the folder in which a pack lies."""
    return packs_in(pack.folder.resolve().parent)


# ---- manifests


def check_folder_name(pack: Pack) -> Iterator[Problem]:
    """Find an id that does not lead to its pack, though it lies on the search path.

    A pack that is named by its path may lie in any folder, such as one for a copy of a repository. An archive is found
    by the id in it, and an installed distribution declares the id of the package that it names.
    """
    folder = pack.folder.resolve()
    place = pack.manifest.get("id")
    if folder.name == pack.id or place is None or any(p.suffix == SUFFIX for p in (folder, folder.parent)):
        return
    there = installed()
    as_folder, as_id = (there[name].resolve() if name in there else None for name in (folder.name, pack.id))
    if as_folder == folder and as_id != folder:
        words = f"the folder of this pack is called {folder.name!r}, so it cannot be found as {pack.id!r}"
        help_ = f"rename the folder to {pack.id!r}: packs that require it look for this name"
        yield Problem("P0133", words, place.span, help_, severity="warning")


def switched_in_vain(pack: Pack, packs: Mapping[str, Pack]) -> Iterator[Problem]:
    """Find option values of a manifest that cannot be set to ask for the module."""
    options = {option.name: (option, other) for other in packs.values() for option in other.options()}
    others = {id_: one for base in pack.requires for id_, one in (switches(base) if pack.switch else {}).items()}
    others.pop(pack.id, None)
    names = {name for switch in others.values() for name in switch}
    node = pack.manifest.get("switch")
    for name, (key, scalar) in node.items.items() if isinstance(node, YamlMapping) and pack.switch else ():
        value = pack.switch.get(name, "")
        same = next((id_ for id_, switch in others.items() if switch.get(name) == value), None)
        near = nearest(name, names) if name not in names else None
        if name in options:
            option, owner = options[name]
            has = f"and {value!r} one of its values" if value in option.choices else f"which has no value {value!r}"
            words, help_ = f"{name!r} is an option of {owner.id!r} itself, {has}", "give the switch another name"
            yield Problem("P0129", words, key.span, help_, ((option.span, "the option"),), "warning")
        elif value == STANDARD:
            words = f"{STANDARD!r} means no module, so it cannot activate this one"
            yield Problem("P0129", words, scalar.span, "choose another value", severity="warning")
        elif same is not None:
            words = f"'{name}={value}' asks for {same!r} already"
            yield Problem("P0129", words, scalar.span, "choose another value", severity="warning")
        elif near:
            words = f"no other module has a switch {name!r}"
            fixes = instead(key.span, near)
            yield Problem("P0129", words, key.span, f"did you mean {near!r}?", severity="warning", fixes=fixes)


def switches(base: str) -> dict[str, dict[str, str]]:
    """Return for each installed module of a pack the option values that stand for it."""
    found = {}
    for id_, folder in installed().items():
        manifest = read_manifest(folder)
        if manifest is not None and base in manifest.requires and manifest.switch:
            found[id_] = manifest.switch
    return found
