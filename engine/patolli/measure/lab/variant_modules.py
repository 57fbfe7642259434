"""Make a variant of a pack: a module that puts values in the place of others, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from patolli.author.workspace import load
from patolli.language.sources.atomic_files import write_whole
from patolli.measure.lab.plans import Variant
from patolli.run.runtime import Ruleset


def load_variant(variant: Variant, folder: Path) -> Ruleset:
    """Load a variant; its module below *folder* is for people. Raises ContentError: a mistake; OSError: no writing."""
    if not variant.vary:
        return load(variant.pack, variant.modules, variant.options)
    base = load(variant.pack, variant.modules, variant.options)
    home = folder / f"lab_{variant.name}"
    write_module(home, base, variant.vary, f"Variant {variant.name}", variant.words)
    return load(variant.pack, [*variant.modules, home], variant.options)


def write_module(
    home: Path, base: Ruleset, vary: Mapping[str, Any], title: str, text: str, expects: Mapping[str, Any] | None = None
) -> None:
    """Write a module that gives values by their address; its id is the name of its folder.

    Args:
        home: The folder; it is made.
        base: What it changes.
        vary: The new values.
        title: Its title.
        text: What it says of itself; the end of a long one is left out.
        expects: What stands there now: where that changes, the module is refused and not applied to something else.

    Raises:
        OSError: It cannot be written.
    """
    home.mkdir(parents=True, exist_ok=True)
    needs = {pack.id: ">=0.0" for pack in base.packs}
    changes = [
        {"replace": address, "with": value} | ({"expects": expects[address]} if expects is not None else {})
        for address, value in vary.items()
    ]
    language = max(pack.language for pack in base.packs)
    head = {"document": "pack", "id": home.name, "version": "1.0.0", "language": language, "title": title}
    head |= {"authors": ["patolli lab"], "text": text[:200]}
    write_whole(home / "pack.yaml", _yaml(head) + f"requires: {json.dumps(needs)}\n")
    write_whole(home / "changes.yaml", _yaml({"document": "patch"}) + f"change: {json.dumps(changes)}\n")


def _yaml(pairs: dict[str, object]) -> str:
    """Write a mapping; what JSON writes is YAML, too."""
    return "".join(f"{key}: {value if key == 'document' else json.dumps(value)}\n" for key, value in pairs.items())
