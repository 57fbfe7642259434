"""Order the packs of a ruleset, and know which part of this order a pack has declared.

A pack applies after those that it requires, after those that it names under ``optional``, and as any active pack says
under ``order``, or the player in a selection. Where ``optional`` alone makes a circle, it orders nothing there: two
packs may well name each other. What is left to the ids is no declared order, and two changes that depend on it are a
conflict.

Errors: P0116 packs that require each other in a circle, or are ordered in one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from patolli.language.diagnostics import Problem, Span
from patolli.language.packs.acquaintance import known_to, named_by
from patolli.language.packs.manifest import Pack
from patolli.language.sources import Scalar, Sequence


class Precedence:
    """Which of some packs apply after which, as they declare it."""

    def __init__(self, packs: Mapping[str, Pack], order: Iterable[Scalar] = ()) -> None:
        """Take the active packs by id, and the *order* of some of them that the player wants."""
        self._packs = packs
        self._next: dict[str, list[str]] = {}
        self._before: dict[str, frozenset[str]] = {}
        self._known: dict[str, set[str]] = {}
        self._ordered: dict[tuple[str, str], Scalar] = {}
        nodes = [pack.manifest.get("order") for pack in packs.values()]
        declared = [node.items for node in nodes if isinstance(node, Sequence)]
        for several in (order, *declared):
            listed = [one for one in several if isinstance(one, Scalar)]
            for early, late in pairwise([one for one in listed if one.value in packs]):
                self._ordered.setdefault((early.value, late.value), late)

    def known(self, pack: str) -> set[str]:
        """Return the packs that one knows: those that it names, and those that these know."""
        if pack not in self._known:
            self._known[pack] = known_to(self._packs[pack], self._packs)
        return self._known[pack]

    def next_before(self, pack: str) -> list[str]:
        """Return the packs after which one applies because it names them, or another pack orders them."""
        if pack not in self._next:
            here = self._packs[pack]
            ordered = [early for early, late in self._ordered if late == pack]
            self._next[pack] = list(dict.fromkeys([*(one for one in here.requires if one in self._packs), *ordered]))
            soft = [one for one in named_by(here, self._packs.values()) if one not in self._next[pack]]
            self._next[pack] += [one for one in soft if not self._leads_back(pack, one)]
        return self._next[pack]

    def _leads_back(self, pack: str, other: str) -> bool:
        """Return whether *other* comes after *pack* by any declaration: then it is needless to name it as optional."""
        seen, open_ = {other}, [other]
        while open_:
            here = open_.pop()
            ordered = (early for early, late in self._ordered if late == here)
            for one in (*named_by(self._packs[here], self._packs.values()), *ordered):
                if one == pack:
                    return True
                if one not in seen:
                    seen.add(one)
                    open_.append(one)
        return False

    def before(self, pack: str) -> frozenset[str]:
        """Return all packs after which one applies by declaration."""
        if pack not in self._before:
            found: set[str] = set()
            open_ = [pack]
            while open_:
                more = set(self.next_before(open_.pop())) - found
                found |= more
                open_ += more
            self._before[pack] = frozenset(found - {pack})
        return self._before[pack]

    def are_ordered(self, first: str, second: str) -> bool:
        """Return whether one of two packs applies after the other by declaration."""
        return first == second or first in self.before(second) or second in self.before(first)

    def builds_on(self, pack: str, other: str) -> bool:
        """Return whether a pack is never active without another one."""
        needed, open_ = set[str](), [pack]
        while open_:
            more = {one for one in self._packs[open_.pop()].requires if one in self._packs} - needed
            needed |= more
            open_ += more
        return other in needed

    def depths(self, problems: list[Problem]) -> dict[str, int]:
        """Return for each pack how many must come before it; a circle is reported in *problems*."""
        found: dict[str, int] = {}

        def depth(pack: str, path: list[str]) -> int:
            if pack in path:
                if not any(one.code == "P0116" for one in problems):
                    problems.append(self._circle([*path[path.index(pack) :], pack]))
                return 0
            if pack not in found:
                found[pack] = 1 + max((depth(one, [*path, pack]) for one in self.next_before(pack)), default=-1)
            return found[pack]

        for pack in self._packs:
            depth(pack, [])
        return found

    def _circle(self, circle: list[str]) -> Problem:
        steps = [self._step(one, two) for one, two in pairwise(circle)]
        verb = (
            "are ordered" if any((two, one) in self._ordered for one, two in pairwise(circle)) else "require each other"
        )
        words = f"the packs {verb} in a circle: {' -> '.join(circle)}"
        return Problem("P0116", words, steps[0][0], "remove one of these requirements", tuple(steps[1:]))

    def _step(self, pack: str, other: str) -> tuple[Span, str]:
        """Return where it is declared that a pack applies after another one, with words."""
        here = self._packs[pack]
        if other in here.requires:
            return here.place_of("requires", other), f"{pack!r} needs {other!r}"
        return self._ordered[other, pack].span, f"{pack!r} is put after {other!r} here"
