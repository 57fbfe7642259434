"""Parameters of a game for tuning: values of a pack by address, and options, each with its allowed values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from patolli.language.sources import Mapping as Pairs
from patolli.language.sources import plain
from patolli.language.sources.documents import SINGLE
from patolli.measure.lab.plans import PlanError, Variant, as_text
from patolli.run.runtime import Ruleset

_RANGE = re.compile(r"(-?[0-9]+)\s+to\s+(-?[0-9]+)(?:\s+by\s+([1-9][0-9]*))?")
Setting = tuple[int, ...]
"""A setting of all parameters: the position of each among its values."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    Attributes:
        name: The address of a value, as in a patch, or the name of an option.
        values: The allowed values; numbers are in order.
        ordered: Whether the values are numbers.
        before: The value in the pack.
    """

    name: str
    values: tuple[Any, ...]
    ordered: bool
    before: Any

    @property
    def is_option(self) -> bool:
        """Whether it is an option of the pack, which needs no patch."""
        return "/" not in self.name

    def measure_distance(self, at: int) -> float:
        """Return the distance of a position from the pack: 0 for equal, 1 for the maximum."""
        if format_value(self.values[at]) == format_value(self.before):
            return 0.0
        if not self.ordered or not _whole(self.before):
            return 1.0
        low, high = min(self.values[0], int(self.before)), max(self.values[-1], int(self.before))
        return float(abs(self.values[at] - int(self.before)) / (high - low))


class Space:
    """The space of all parameters."""

    def __init__(self, parameters: Sequence[Parameter]) -> None:
        self.parameters = tuple(parameters)

    @property
    def size(self) -> int:
        """The number of settings."""
        return prod(len(one.values) for one in self.parameters)

    @property
    def home(self) -> Setting | None:
        """The setting of the unchanged pack; None if it is not among the allowed values."""
        there = [[format_value(value) for value in one.values] for one in self.parameters]
        if any(format_value(one.before) not in values for one, values in zip(self.parameters, there, strict=True)):
            return None
        return tuple(values.index(format_value(one.before)) for one, values in zip(self.parameters, there, strict=True))

    def every(self) -> list[Setting]:
        """Return all settings, nearest to the pack first."""
        return sorted(
            product(*(range(len(one.values)) for one in self.parameters)),
            key=lambda at: (self.measure_distance(at), at),
        )

    def measure_distance(self, setting: Setting) -> float:
        """Return the distance of a setting from the pack, summed over the parameters."""
        return sum(parameter.measure_distance(at) for parameter, at in zip(self.parameters, setting, strict=True))

    def list_changes(self, setting: Setting) -> Iterator[tuple[Parameter, Any]]:
        """Yield the parameters that differ from the pack, with their values."""
        for parameter, at in zip(self.parameters, setting, strict=True):
            if parameter.measure_distance(at):
                yield parameter, parameter.values[at]

    def variant(self, base: Variant, name: str, setting: Setting) -> Variant:
        """Return the pack with a setting."""
        turned = list(self.list_changes(setting))
        options = {parameter.name: as_text(value) for parameter, value in turned if parameter.is_option}
        vary = {parameter.name: value for parameter, value in turned if not parameter.is_option}
        return Variant(name, base.pack, base.modules, {**base.options, **options}, vary)


def space_of(given: Mapping[str, Any], rules: Ruleset) -> Space:
    """Parse parameters: ``0 to 6``, ``0 to 60 by 10``, or a list. Raises PlanError: one is invalid or unknown."""
    if not given:
        raise PlanError("'parameters' is empty; list the values to change, such as pieces/card_1/cost: 1 to 4")
    return Space([_parameter(name, value, rules) for name, value in given.items()])


def _parameter(name: str, given: Any, rules: Ruleset) -> Parameter:
    before = _before(name, rules)
    found = _RANGE.fullmatch(given.strip()) if isinstance(given, str) else None
    if found is not None:
        low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
        values: tuple[Any, ...] = tuple(range(low, high + 1, step))
    elif isinstance(given, list):
        values = tuple(given)
    else:
        raise PlanError(f"the parameter {name!r} needs 'LOW to HIGH', 'LOW to HIGH by STEP', or a list of values")
    if len(values) < 2:
        raise PlanError(f"the parameter {name!r} needs at least two values")
    if len({format_value(one) for one in values}) < len(values):
        raise PlanError(f"the parameter {name!r} lists a value twice")
    ordered = all(map(_whole, values))
    if ordered:
        values = tuple(sorted(map(int, values)))
    return Parameter(name, values, ordered, before)


def format_value(value: Any) -> str:
    """Return a value on one line, by which it is compared and shown."""
    return "; ".join(as_text(value).strip().splitlines())


def _whole(value: Any) -> bool:
    return bool(re.fullmatch(r"-?[0-9]+", as_text(value)))


def _before(name: str, rules: Ruleset) -> Any:
    """Return the value of a parameter in the pack."""
    if "/" not in name:
        options = {option.name: option.default for pack in rules.packs for option in pack.options()}
        if name not in options:
            known = f"options of the pack: {', '.join(options)}" if options else "the pack has no options"
            raise PlanError(
                f"unknown option {name!r}; {known}; write a value as an address, such as pieces/card_1/cost"
            )
        return rules.chosen.get(name, options[name])
    there, inner, node = _find_entry(name, rules)
    if there is None:
        raise PlanError(f"unknown entry {inner!r} of the parameter {name!r}")
    if node is None:
        raise PlanError(f"{there!r} has no {inner!r}; add it in a module first")
    return plain(node)


def _find_entry(address: str, rules: Ruleset) -> tuple[str | None, str, Any]:
    """Return the entry of an address, the rest of it, and what stands there; in place of an entry None and its name."""
    section, _, rest = address.partition("/")
    id_, _, inner = rest.partition("/")
    if section in SINGLE and id_ != section:
        id_, inner = section, rest
    entry = rules.model.composition.sections.get(section, {}).get(id_)
    if entry is None:
        return None, f"{section}/{id_}", None
    node: Any = entry.node
    for part in inner.split("/") if inner else ():
        node = node.get(part) if isinstance(node, Pairs) else None
    return f"{section}/{id_}", inner, node


def changes_nothing(variant: Variant, rules: Ruleset) -> bool:
    """Return whether each value of a variant is already that of the pack."""
    nodes = [(_find_entry(address, rules)[2], value) for address, value in variant.vary.items()]
    return bool(nodes) and all(
        node is not None and format_value(plain(node)) == format_value(value) for node, value in nodes
    )
