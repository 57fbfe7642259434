"""Make a variant of a pack: a module that puts values in the place of others, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

from patolli.lab.plans import Variant
from patolli.runtime import Ruleset
from patolli.sources.writing import write_whole
from patolli.workspace import load


def loaded(variant: Variant, folder: Path) -> Ruleset:
    """Load a variant; its module is written below *folder*, where people can read and use it.

    Raises:
        ContentError: The pack or the change has a mistake.
        OSError: The module cannot be written.
    """
    if not variant.vary:
        return load(variant.pack, variant.modules, variant.options)
    base = load(variant.pack, variant.modules, variant.options)
    home = folder / f"lab_{variant.name}"
    home.mkdir(parents=True, exist_ok=True)
    needs = {pack.id: ">=0.0" for pack in base.packs}
    changes = [{"replace": address, "with": value} for address, value in variant.vary.items()]
    head = {"document": "pack", "id": home.name, "version": "1.0.0", "language": 1, "title": f"Variant {variant.name}"}
    head |= {"authors": ["patolli lab"], "text": variant.words[:200]}
    write_whole(home / "pack.yaml", _yaml(head) + f"requires: {json.dumps(needs)}\n")
    write_whole(home / "changes.yaml", _yaml({"document": "patch"}) + f"change: {json.dumps(changes)}\n")
    return load(variant.pack, [*variant.modules, home], variant.options)


def _yaml(pairs: dict[str, object]) -> str:
    """Write a mapping; what JSON writes is YAML, too."""
    return "".join(f"{key}: {value if key == 'document' else json.dumps(value)}\n" for key, value in pairs.items())
