"""Compare what two packs change in one entry when no order between them is declared.

Two changes commute, or the result depends on their order (P0125), or one is lost (P0123). The table of all pairs
of operations is on the page ``docs/explanation/patching.md``. It is symmetric: ids of packs decide nothing.

An *address* is a path inside an entry. In a rule, ``body`` stands for what it does and ``body/step`` for one step, so
that data (``rules/r/steps/s``) and statements (``rules/r/s``) that mean the same step meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from patolli.language.sources import Mapping, Node, Scalar, plain
from patolli.language.sources.documents import SINGLE
from patolli.language.sources.nodes import scalar_at
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import parse_effect
from patolli.language.syntax.syntax_walk import nodes

Address = tuple[str, ...]
DATA = ("replace", "remove", "extend")
LOST, ORDER = "P0123", "P0125"


@dataclass(frozen=True, slots=True)
class Change:
    """One operation of a patch on an entry."""

    pack: str
    operation: str
    target: Scalar
    node: Mapping

    @property
    def path(self) -> Address:
        """What is written behind the id."""
        section, *rest = self.target.value.split("/")
        return tuple(rest if section in SINGLE and rest[:1] != [section] else rest[1:])

    @property
    def section(self) -> str:
        """The section of the entry."""
        return self.target.value.partition("/")[0]

    def get(self, key: str) -> Scalar | None:
        """Return a text of the operation."""
        return scalar_at(self.node, key)

    def paths(self) -> list[Address]:
        """Return the paths inside the entry that it changes: what is added to a mapping has one for each key."""
        more = self.node.get("with")
        added = self.operation == "extend" and isinstance(more, Mapping)
        return [(*self.path, key) for key in more.items] if added and isinstance(more, Mapping) else [self.path]

    def addresses(self) -> tuple[Address, ...]:
        """Return what the operation writes."""
        paths = self.paths()
        if self.section == "rules":
            data = self.operation in DATA
            return tuple(_body_address(path) if data else ("body", *path) for path in paths)
        if self.section == "functions":
            return tuple(("body",) if path[:1] == ("is",) else path for path in paths)
        return tuple(paths)

    @property
    def block(self) -> t.Block:
        """The effect of the operation; empty when it cannot be read, which is reported elsewhere."""
        text = self.get("do")
        return (parse_effect(text)[0] or []) if text is not None else []

    @property
    def discards(self) -> bool:
        """Whether it does something else altogether: ``instead`` without ``original``, a value in every case."""
        if self.operation == "instead":
            return not any(isinstance(node, t.Call) and node.id == "original" for node in nodes(self.block))
        return self.operation == "adjust" and "value" in self.node and "when" not in self.node

    @property
    def is_total(self) -> bool:
        """Whether it decides alone what is at its address, so that a pack that knows both sides settles a conflict."""
        return self.operation in ("replace", "remove", "instead") or self.discards


def _body_address(path: Address) -> Address:
    if path[:1] == ("steps",):
        return ("body", *path[1:])
    return ("body",) if path[:1] == ("do",) else path


def covers(outer: Address, inner: Address) -> bool:
    """Return whether one address is another one, or holds it."""
    return inner[: len(outer)] == outer


def _overlap(one: Address, two: Address) -> bool:
    return covers(one, two) or covers(two, one)


def compare(first: Change, second: Change, entry: Node) -> str | None:
    """Return what is wrong with two changes of one entry that nothing orders: a code, or None if they commute."""
    found = {_compare_once(first, second, entry), _compare_once(second, first, entry)}
    return LOST if LOST in found else ORDER if ORDER in found else None


def _compare_once(first: Change, second: Change, entry: Node) -> str | None:
    if first.operation in DATA:
        return _compare_data(first, second)
    if first.operation == "adjust" and second.operation == "adjust":
        return _compare_adjustments(first, second)
    if first.operation == "instead" and first.discards and second.operation not in DATA:
        return _compare_instead(first, second, entry)
    if first.operation == second.operation == "offer" and all(_has_otherwise(one) for one in (first, second)):
        return LOST
    return None


def _compare_data(first: Change, second: Change) -> str | None:
    """Compare a change of data with any other one."""
    if first.operation == second.operation == "remove":
        return None
    if second.operation in DATA:
        if first.target.value == second.target.value and _agree(first, second):
            return None
        pairs = ((one, two) for one in first.addresses() for two in second.addresses())
        return LOST if any(_overlap(one, two) for one, two in pairs) else None
    (there,) = second.addresses() if second.section == "rules" else (("body",),)
    for here in first.addresses():
        gone = first.operation == "remove" and covers(here, there)
        if gone and (there != ("body",) or here == () or first.section == "functions"):
            return LOST
        if second.discards and _overlap(here, there):
            return LOST
    return None


def _agree(first: Change, second: Change) -> bool:
    """Return whether two changes of the same value do the same, or both add to a list."""
    if first.operation != second.operation:
        return False
    more, other = first.node.get("with"), second.node.get("with")
    if more is None or other is None:
        return more is other
    both_lists = first.operation == "extend" and not isinstance(more, Mapping) and not isinstance(other, Mapping)
    return both_lists or plain(more) == plain(other)


def _compare_adjustments(first: Change, second: Change) -> str | None:
    if "value" in first.node:
        other = second.node.get("value")
        if other is not None and plain(other) == plain(first.node.items["value"][1]):
            return None
        return LOST if first.discards else ORDER
    if "value" in second.node:
        return None  # found in the other direction
    if "by" in first.node:
        bounded = {"at_least", "at_most"} & {*first.node.items, *second.node.items}
        return ORDER if bounded and not _fall_alike(first, second) else None
    if "at_least" not in first.node or "at_most" not in second.node:
        return None
    low, high = _number(first.get("at_least")), _number(second.get("at_most"))
    if low is None or high is None:
        return ORDER
    if low <= high:
        return None
    return LOST if "when" not in first.node and "when" not in second.node else ORDER


def _fall_alike(first: Change, second: Change) -> bool:
    """Return whether both lower a number down to the same bound, or both raise it up to the same."""
    for bound, sign in (("at_least", -1), ("at_most", 1)):
        numbers = [(_number(one.get("by")), _number(one.get(bound))) for one in (first, second)]
        only = all(({"at_least", "at_most"} & {*one.node.items}) == {bound} for one in (first, second))
        if (
            only
            and numbers[0][1] == numbers[1][1] is not None
            and all(by is not None and by * sign > 0 for by, _ in numbers)
        ):
            return True
    return False


def _number(text: Scalar | None) -> int | None:
    value = plain(text) if text is not None else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _compare_instead(first: Change, second: Change, entry: Node) -> str | None:
    """Compare what does something else altogether with a statement at the same rule."""
    (here,), (there,) = first.addresses(), second.addresses()
    if second.operation in ("before", "after"):
        return LOST if len(there) > len(here) else None  # a step that never comes; what is around the rule stays
    if second.operation == "offer" and there == ("body",):
        step = _step_of_menu(entry)
        there = ("body", step) if step else there
    if second.operation == "instead" and not second.discards and len(there) < len(here):
        return None  # it goes around the rule, with the step inside
    return LOST if _overlap(here, there) else None


def _step_of_menu(entry: Node) -> str | None:
    """Return the step of a rule that holds its first menu; None in a rule without steps."""
    steps = entry.get("steps") if isinstance(entry, Mapping) else None
    for key, text in steps.items.values() if isinstance(steps, Mapping) else ():
        if isinstance(text, Scalar) and any(isinstance(effect, t.Menu) for effect in parse_effect(text)[0] or []):
            return key.value
    return None


def _has_otherwise(change: Change) -> bool:
    return any(isinstance(effect, t.Menu) and effect.otherwise is not None for effect in change.block)


def settles(change: Change, address: Address) -> bool:
    """Return whether a change decides what is at an address, whatever others did there."""
    if change.operation == "adjust":
        return change.discards
    return change.is_total and any(covers(here, address) for here in change.addresses())


def superseded(earlier: Change, later: Change) -> bool:
    """Return whether a later change of data puts an earlier statement out of force."""
    if later.operation not in ("replace", "remove") or earlier.operation in DATA:
        return False
    there = earlier.addresses()[0] if earlier.section == "rules" else ("body",)
    covered = any(covers(here, there) for here in later.addresses())
    return covered and (earlier.discards or (later.operation == "remove" and there != ("body",)))


def contested(first: Change, second: Change) -> Iterator[Address]:
    """Yield the addresses that two changes both write."""
    for one in _written(first):
        for two in _written(second):
            if _overlap(one, two):
                yield one if covers(two, one) else two


def _written(change: Change) -> tuple[Address, ...]:
    return (("body",),) if change.section == "functions" and change.operation == "adjust" else change.addresses()
