"""Read a selection file: a game for one table, with the modules, their order and the options that a player wants.

In:     names of packs, modules and selection files, and options.
Out:    plain names and options. The order of modules becomes the option ``modules.order``, so that saves, tables and
        plans keep it as they keep every option.
Errors: P0117 a selection of another game, P0118 an order of modules that are not active; those of reading a document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patolli.language.diagnostics import ContentError, Problem, Span, nearest
from patolli.language.packs.discovery import MANIFEST
from patolli.language.packs.manifest import DISK, Files, report_no_pack, understand
from patolli.language.packs.version_ranges import split_named
from patolli.language.sources import Mapping as YamlMapping
from patolli.language.sources import Node, Scalar, plain
from patolli.language.sources.nodes import list_texts

ORDER = "modules.order"
"""The option that says in which order modules apply: their ids with commas. No pack can declare one of this name."""


@dataclass(frozen=True, slots=True)
class SelectionFile:
    """What a selection file says: a base pack, modules, and options, the order of modules among them."""

    pack: Scalar
    modules: tuple[str, ...]
    options: Mapping[str, Any]


def is_selection(name: str) -> bool:
    """Return whether a name is that of a selection file and not of a pack."""
    path = Path(name)
    return path.suffix in (".yaml", ".yml") and path.name != MANIFEST


def read_selection(name: str, files: Files = DISK) -> SelectionFile:
    """Read a selection file. Raises ContentError: it cannot be read, or it is no selection."""
    text, problems = files.text(name)
    tree: Node | None = None
    if text is not None:
        kind = understand(text, name)[1]
        if kind not in ("selection", None):
            raise ContentError((report_no_pack(name),))
        tree, _, problems = understand(text, name, "selection")
    errors = [problem for problem in problems if problem.severity == "error"]
    pack = tree.get("pack") if isinstance(tree, YamlMapping) else None
    if errors or not isinstance(tree, YamlMapping) or not isinstance(pack, Scalar):
        raise ContentError(tuple(errors))
    options = tree.get("options")
    chosen: dict[str, Any] = {}
    for key, (_, value) in options.items.items() if isinstance(options, YamlMapping) else ():
        chosen[key] = plain(value)
    order = list_texts(tree.get("order"))
    if order:
        chosen[ORDER] = ",".join(order)
    return SelectionFile(pack, tuple(list_texts(tree.get("modules"))), chosen)


def expand_selections(
    pack: str, modules: Iterable[str], options: Mapping[str, Any], files: Files = DISK
) -> tuple[str, list[str], dict[str, Any]]:
    """Replace selection files among names by their content; *options* win. Raises ContentError: one does not fit."""
    base, found, chosen = pack, [], {}
    if is_selection(pack):
        selected = read_selection(pack, files)
        base, found, chosen = selected.pack.value, list(selected.modules), dict(selected.options)
    for name in modules:
        if not is_selection(name):
            found.append(name)
            continue
        selected = read_selection(name, files)
        if split_named(selected.pack.value)[0] != (split_named(base)[0] or Path(base).name):
            words = f"this selection is for {selected.pack.value!r}, not for {base!r}"
            raise ContentError((Problem("P0117", words, selected.pack.span, "leave it out, or load its game"),))
        found += selected.modules
        chosen |= selected.options
    return base, list(dict.fromkeys(found)), {**chosen, **options}


def list_ordered(options: Mapping[str, Any]) -> list[Scalar]:
    """Return the modules that the option ``modules.order`` names, in their order."""
    names = [name.strip() for name in str(options.get(ORDER, "")).split(",")]
    return [Scalar(name, Span("options", 1, 1, 1, 1)) for name in names if name]


def check_order(ordered: Iterable[Scalar], packs: Collection[str]) -> list[Problem]:
    """Report ordered modules that are not active."""
    found = []
    for one in ordered:
        if one.value not in packs:
            near = nearest(one.value, packs)
            help_ = f"did you mean {near!r}?" if near else "add it to the modules, or leave it out of the order"
            words = f"{one.value!r} is put in an order and is not active"
            found.append(Problem("P0118", words, one.span, help_))
    return found
