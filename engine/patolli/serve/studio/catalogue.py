"""The list of games: installed packs with their modules and options, from their manifests only."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from patolli.language.packs.discovery import find, installed
from patolli.language.packs.manifest import OptionSpec, Pack, read_manifest
from patolli.language.packs.selection_file import is_selection, read_selection
from patolli.language.sources import Mapping, plain

Data = dict[str, Any]


def catalogue(*more: str) -> list[Data]:
    """Return all installed games by title, after the packs *more*, which have their path as ``id``."""
    known: dict[str, Pack] = {}
    for folder in installed().values():
        manifest = read_manifest(folder)
        if manifest is not None:
            known[manifest.id] = manifest
    games = [pack for pack in known.values() if not pack.requires]
    found = sorted((describe_pack(pack, known) for pack in games), key=lambda one: (one["title"].casefold(), one["id"]))
    selected = {name: read_selection(name).pack.value for name in more if is_selection(name)}
    places = {name: find(selected.get(name, name)) for name in more if name not in known}
    own = [(name, read_manifest(at)) for name, at in places.items() if at is not None]
    described = [{**describe_pack(pack, known), "id": name} for name, pack in own if pack is not None]
    for one in described:
        if one["id"] in selected:  # the file says all of it
            one |= {"title": f"{one['title']} ({Path(one['id']).stem})", "modules": [], "options": []}
    return [*described, *found]


def title_of(name: str) -> str:
    """Return the title of a pack by its id or path, from its manifest."""
    folder = find(name)
    manifest = read_manifest(folder) if folder is not None else None
    return manifest.text("title", name) if manifest is not None else name


def describe_pack(pack: Pack, known: dict[str, Pack]) -> Data:
    """Return the manifest of a pack as data, and the *known* modules for it."""
    modules = [one for one in known.values() if one.requires and pack.id in _below(one, known)]
    return {
        "id": pack.id,
        "title": pack.text("title", pack.id),
        "text": " ".join(pack.text("text").split()),
        "players": _players(pack),
        **_ratings(pack),
        "modules": [
            {
                "id": one.id, "title": one.text("title", one.id), "text": " ".join(one.text("text").split()),
                "requires": [name for name in one.requires if name != pack.id], "conflicts": one.conflicts,
                "players": _players(one) if "players" in one.manifest else None,
                "options": [_option(option) for option in one.options()], **_ratings(one),
            }
            for one in sorted(modules, key=lambda one: one.id)
        ],
        "options": [_option(option) for option in pack.options()],
    }  # fmt: skip


def _ratings(pack: Pack) -> dict[str, int]:
    """Return how many minutes a game takes, and how hard it is to learn, as far as its pack says so."""
    return {key: int(said) for key in ("minutes", "weight") if (said := pack.text(key)).isdecimal()}


def _below(pack: Pack, known: dict[str, Pack]) -> set[str]:
    """Return the packs that a pack requires, directly or indirectly."""
    found: set[str] = set()
    left = list(pack.requires)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += known[name].requires if name in known else ()
    return found


def _players(pack: Pack) -> Data:
    said = pack.manifest.get("players")
    data = plain(said) if isinstance(said, Mapping) else None
    numbers = [data[key] for key in ("min", "max") if isinstance(data.get(key), int)] if isinstance(data, dict) else []
    return {"min": numbers[0], "max": numbers[-1]} if numbers else {"min": 1, "max": 1}


def _option(option: OptionSpec) -> Data:
    data: Data = {"id": option.name, "text": option.text, "default": option.default}
    return {**data, "values": list(option.choices)} if option.choices else {**data, "range": [option.low, option.high]}
