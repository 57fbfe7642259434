"""Plans of runs: variants of a pack, each with the same seeds and bots."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from patolli.language.sources import nodes
from patolli.language.sources.bounded import read_bounded
from patolli.language.sources.nodes import Mapping as Pairs
from patolli.language.sources.nodes import Node, Scalar
from patolli.language.sources.nodes import Sequence as Items
from patolli.language.sources.read import read_yaml

WHERE = "where"
"""The key of the plan of a run under which stand the folders of packs that were named by a path, by that name."""
TARGETS = "targets"
"""The key under which stand the goals that a report compares the results with; it does not change what is played."""
MOST = 64
"""Limit for the variants of a run."""
VALUES = ("vary", "parameters")
"""Keys of a plan with values of a pack, which are parsed like in the pack."""
KEYS = ("pack", "with", "set", "vary", "players", "bots", "seed", "games", "until", "limit", "targets")


class PlanError(ValueError):
    """An invalid plan; the message has the reason and the fix."""


@dataclass(frozen=True, slots=True)
class Variant:
    """A pack as it is played: ``name`` is that of its folder; ``vary`` gives values by their address."""

    name: str
    pack: str
    modules: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    vary: Mapping[str, Any] = field(default_factory=dict)

    @property
    def words(self) -> str:
        """The differences from the pack, in words."""
        return format_changes(self.vary) or "unchanged"

    def data(self) -> dict[str, Any]:
        """Return the variant as plain data."""
        return {
            "name": self.name, "pack": self.pack, "modules": list(self.modules), "options": dict(self.options),
            "vary": dict(self.vary),
        }  # fmt: skip


def folders_of(variants: Iterable[Variant]) -> dict[str, str]:
    """Return where packs and modules lie that are named by a path, by that name."""
    names = dict.fromkeys(name for one in variants for name in (one.pack, *one.modules))
    return {name: str(Path(name).resolve()) for name in names if Path(name).exists()}


def format_changes(vary: Mapping[str, Any]) -> str:
    """Return values by address, in words; empty without values."""
    return ", ".join(f"{address} = {as_text(value)}" for address, value in vary.items())


def as_text(value: Any) -> str:
    """Return a value as it is written in a pack."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def variants(
    pack: str, modules: tuple[str, ...], options: Mapping[str, str], vary: Mapping[str, list[Any]]
) -> list[Variant]:
    """Return the pack as it is, ``base``, and one variant for each combination of values: ``v1``, ``v2`` and so on.

    Raises:
        PlanError: There are more than :data:`MOST`.
    """
    combined = [dict(zip(vary, values, strict=True)) for values in product(*vary.values())] if vary else []
    if len(combined) >= MOST:
        raise PlanError(f"too many variants: {len(combined)}, and the limit is {MOST - 1}; vary fewer values")
    base = Variant("base", pack, modules, options)
    return [base, *(Variant(f"v{n}", pack, modules, options, one) for n, one in enumerate(combined, 1))]


def parse_variation(text: str) -> tuple[str, list[Any]]:
    """Read ``ADDRESS=VALUE[,VALUE..]``; quote values with commas, lists in brackets. Raises PlanError: another form."""
    address, sign, values = text.partition("=")
    if not sign or "/" not in address or not values.strip():
        raise PlanError(f"{text!r} must have the form SECTION/ID/KEY=VALUE, such as pieces/card_1/cost=2")
    tree, problems = read_yaml(f"[{values}]\n", "")
    if problems or not isinstance(tree, Items):
        raise PlanError(f"invalid values {values!r}; quote values with commas or brackets")
    return address, [nodes.plain(one) for one in tree.items]


def _texts(node: Node | None) -> Any:
    """Return a node as plain data whose scalars stay text: what they mean is decided by who reads them."""
    match node:
        case Pairs():
            return {key: _texts(value) for key, (_, value) in node.items.items()}
        case Items():
            return [_texts(one) for one in node.items]
        case Scalar():
            return node.value
    return None


def read_plan(path: Path, keys: Sequence[str] = KEYS) -> dict[str, Any]:
    """Read a plan from a YAML file: what stands on the command line, by the same names, or other *keys*.

    Raises:
        PlanError: It is none; the message begins with its place.
        OSError: It cannot be read.
    """
    text = read_bounded(path).decode("utf-8", "replace")
    if not any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines()):
        raise PlanError(f"{path}: the plan is empty; start with 'pack: ID'")
    tree, problems = read_yaml(text, str(path))
    if problems:
        first = problems[0]
        raise PlanError(f"{path}:{first.span.line}: {first.message}{f'; {first.help}' if first.help else ''}")
    if not isinstance(tree, Pairs):
        raise PlanError(f"{path}: a plan must be a mapping; start with 'pack: ID'")
    for key, (name, _) in tree.items.items():
        if key not in keys:
            raise PlanError(f"{path}:{name.span.line}: unknown key {key!r}; keys of a plan: {', '.join(keys)}")
    found: dict[str, Any] = {
        key: nodes.plain(value) if key in VALUES else _texts(value) for key, (_, value) in tree.items.items()
    }
    if not isinstance(found.get("pack"), str):
        raise PlanError(f"{path}: 'pack' is missing; give the id of a pack or a folder")
    return found
