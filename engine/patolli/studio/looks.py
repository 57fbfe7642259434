"""How the panels of a game follow from the numbers of its state, as tables that a page can look up.

In:     a match, and which of its panels are to be shown without a server.
Out:    groups of slots with what changes in the panels for each of their values; see :class:`Looks`.
Errors: none; a panel that does not follow from such groups alone is not among ``panels``.

It is found by drawing. What a group changes is seen in scenes in which only its slots have other values; the groups of
all things of one kind are set together then, as they look alike. Whether that is all is not proved but looked at:
matches are played at random, and what the tables say is held against the scene at every moment.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import TYPE_CHECKING, Any

from patolli.kernel.faults import RuleFault
from patolli.program import types as ty
from patolli.runtime.byhand import texts_of
from patolli.studio.scene import scene_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from patolli.program.model import Attribute
    from patolli.runtime import Match

Data = dict[str, Any]
Path = tuple[str | int, ...]
MOST = 64
"""Values that a group of slots may have together, at most; of more a panel that shows them is left to the server."""
LARGE = 1_234_567
"""A number that stands in no text by itself."""
WHOLE = frozenset({"marks", "ground", "mark"})
"""What is changed as a whole."""
DRAWN = 2_000
"""Scenes that are drawn for the things of one kind, at most: a page should not wait for long."""
TRIED, LONG = 3, 60
"""Matches that are played to see whether the tables are right, and choices of each."""
GONE = -1
"""Stands for what is not there."""


@dataclass(frozen=True, slots=True)
class Group:
    """Slots that change the same places of a scene together.

    Attributes:
        slots: Their numbers.
        paths: The places, each as keys and numbers from the panels on.
        looks: For the values of the slots, with commas between them, what stands at each path: numbers of ``pool``.
            Of a number without narrow bounds there is one row, ``*``: ``number``, ``text`` or ``marks``.
    """

    slots: tuple[int, ...]
    paths: tuple[Path, ...]
    looks: dict[str, list[Any]]


class Looks:
    """The tables of a match.

    Attributes:
        panels: The ids of the panels that they tell rightly.
        groups: Groups of slots.
        pool: What stands in scenes.
        base: The panels from which all begins.
    """

    def __init__(self, match: Match, wanted: Sequence[str]) -> None:
        self.match = match
        self.wanted = list(wanted)
        self.pool: list[Any] = []
        self.groups: list[Group] = []
        self._numbers: dict[str, int] = {}
        self.base = self._drawn({})
        self._at: dict[int, int] = {}
        for kind in self._kinds():
            self.groups += self._of_kind(*kind)
        self.groups += self._of_numbers()
        self.panels = self._sound()
        self._keep()

    # -- drawing

    def _drawn(self, changed: dict[int, int]) -> list[Any]:
        """Return the panels as they are with other values in some slots."""
        other = self.match.clone()
        for slot, value in changed.items():
            other.state[slot] = value
        return _panels(other, self.wanted)

    def _number(self, value: Any) -> int:
        text = json.dumps(value, sort_keys=True)
        if text not in self._numbers:
            self._numbers[text] = len(self.pool)
            self.pool.append(value)
        return self._numbers[text]

    # -- fields of things

    def _kinds(self) -> Iterator[tuple[list[int], list[tuple[int, ...]]]]:
        """Yield of each kind with fields the first slots of those, and which values they may have together."""
        layout = self.match.program.layout
        for kind in layout.model.kinds.values():
            possible = {
                layout.fields[kind.name, one.name]: values
                for one in kind.fields.values()
                if (values := _values(self.match, one)) is not None
            }
            if possible and _number_of(possible.values()) <= MOST:
                yield list(possible), list(product(*possible.values()))

    def _of_kind(self, slots: list[int], combinations: list[tuple[int, ...]]) -> list[Group]:
        layout = self.match.program.layout
        kind = next(kind for (kind, _), slot in layout.fields.items() if slot == slots[0])
        things = range(layout.size(kind))
        if len(things) * (len(combinations) if len(slots) > 1 else 2) + len(combinations) > DRAWN:
            return []
        try:
            below = [self._changed_by([slot + one for slot in slots], combinations) for one in things]
            every = [
                self._drawn({slot + one: value for one in things for slot, value in zip(slots, values, strict=True)})
                for values in combinations
            ]
        except (RuleFault, LookupError):
            return []
        found = []
        for one, place in zip(things, below, strict=True):
            if place is not None:
                paths = sorted({path for panels in every for path in _differing(self.base, panels, place)}, key=str)
                looks = {
                    ",".join(map(str, values)): [self._there(panels, path) for path in paths]
                    for values, panels in zip(combinations, every, strict=True)
                }
                found.append(Group(tuple(slot + one for slot in slots), tuple(paths), looks))
        return found

    def _changed_by(self, slots: list[int], combinations: list[tuple[int, ...]]) -> Path | None:
        """Return the place in which a scene changes with some slots; None where it does not."""
        enough = combinations if len(slots) > 1 else [combinations[0], combinations[-1]]
        drawn = (self._drawn(dict(zip(slots, values, strict=True))) for values in enough)
        paths = [path for panels in drawn for path in _differing(self.base, panels, ())]
        return _common(paths) if paths else None

    def _there(self, panels: Any, path: Path) -> int:
        value = _at(panels, path)
        return GONE if value is None else self._number(value)

    # -- counters, and fields that hold any number

    def _of_numbers(self) -> Iterator[Group]:
        layout, labels = self.match.program.layout, self.match.labels
        for slot, (name, _) in labels.counters.items():
            low, high = layout.model.counters[name].low, layout.limits[name]
            if high is not None and high - low < MOST:
                yield from self._small(slot, range(low, high + 1))
            else:
                yield from self._large(slot, low, LARGE if high is None else high)
        for slot, (kind, name, _) in labels.fields.items():
            field = layout.model.kinds[kind].fields[name]
            if field.type == ty.INT and (field.low is None or field.high is None or field.high - field.low >= MOST):
                yield from self._large(slot, field.low or 0, field.high or LARGE)

    def _small(self, slot: int, values: Iterable[int]) -> Iterator[Group]:
        drawn = {str(value): self._drawn({slot: value}) for value in values}
        paths = sorted({path for panels in drawn.values() for path in _differing(self.base, panels, ())}, key=str)
        if paths:
            looks = {value: [self._there(panels, path) for path in paths] for value, panels in drawn.items()}
            yield Group((slot,), tuple(paths), looks)

    def _large(self, slot: int, low: int, high: int) -> Iterator[Group]:
        """Yield a group for what is written as a number, in whatever place."""
        paths = sorted(_differing(self.base, self._drawn({slot: high}), ()), key=str)
        if not paths:
            return
        panels = self._drawn({slot: high})
        forms = [next((form for form, made in FORMS.items() if made(high) == _at(panels, path)), "") for path in paths]
        for value in (low, low + 1, low + 7):
            panels = self._drawn({slot: value})
            if any(form and FORMS[form](value) != _at(panels, path) for form, path in zip(forms, paths, strict=True)):
                return
        if all(forms):
            yield Group((slot,), tuple(paths), {"*": forms})

    # -- whether it is right

    def told(self, match: Match) -> list[Any]:
        """Return the panels of a match as the tables tell them."""
        panels: list[Any] = json.loads(json.dumps(self.base))
        for group in self.groups:
            values = [int(match.state[slot]) for slot in group.slots]
            row = group.looks.get(",".join(map(str, values)))
            for n, path in enumerate(group.paths):
                if "*" in group.looks:
                    _put(panels, path, FORMS[group.looks["*"][n]](values[0]))
                elif row is not None:
                    _put(panels, path, None if row[n] == GONE else self.pool[row[n]])
        return panels

    def _sound(self) -> list[str]:
        """Return the ids of the panels that were told rightly at all moments of some matches."""
        right = set(self.wanted)
        for seed in range(TRIED):
            match, draw = self.match.ruleset.start(self.match.players, seed=seed), Random(seed)
            for _ in range(LONG):
                truth = _panels(match, self.wanted)
                right -= {one["id"] for one, told in zip(truth, self.told(match), strict=True) if one != told}
                if match.over or not right:
                    break
                match.pick(draw.randrange(len(match.pending or ())))
        return [id_ for id_ in self.wanted if id_ in right]

    def _keep(self) -> None:
        """Leave out what changes other panels."""
        kept = {at: number for number, at in enumerate(n for n, id_ in enumerate(self.wanted) if id_ in self.panels)}
        groups = []
        for group in self.groups:
            ours = [n for n, path in enumerate(group.paths) if path[0] in kept]
            paths = tuple((kept[int(group.paths[n][0])], *group.paths[n][1:]) for n in ours)
            looks = {values: [row[n] for n in ours] for values, row in group.looks.items()}
            groups += [Group(group.slots, paths, looks)] if paths else []
        self.groups, self.base = groups, [panel for panel in self.base if panel["id"] in self.panels]

    def to_data(self) -> Data:
        """Return the tables as a page gets them."""
        groups = [{"slots": one.slots, "paths": one.paths, "looks": one.looks} for one in self.groups]
        return {"pool": self.pool, "groups": groups}


FORMS: dict[str, Callable[[int], Any]] = {"number": lambda n: n, "text": str, "marks": lambda n: [{"text": str(n)}]}
"""How a number stands in a scene."""


def _panels(match: Match, wanted: Sequence[str]) -> list[Any]:
    shown = {panel["id"]: panel for panel in scene_of(match, 0)["panels"]}
    found: list[Any] = json.loads(json.dumps([shown[id_] for id_ in wanted]))
    return found


def _values(match: Match, attribute: Attribute) -> list[int] | None:
    """Return what a field may hold; None where that is no short list of numbers."""
    texts = texts_of(match.program.layout, attribute.type)
    if texts is not None:
        return sorted(set(texts.values()))
    low, high = attribute.low, attribute.high
    bounded = ty.strip(attribute.type) == ty.INT and low is not None and high is not None
    return list(range(low, high + 1)) if bounded and low is not None and high is not None else None


def _number_of(values: Iterable[Sequence[int]]) -> int:
    number = 1
    for one in values:
        number *= len(one)
    return number


def _differing(before: Any, now: Any, within: Path, at: Path = ()) -> Iterator[Path]:
    """Yield where two scenes differ, as far in as that can be told, within a part of them."""
    if before == now or not (at[: len(within)] == within[: len(at)] or at[: len(within)] == within):
        return
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted({*before, *now}):
            one, other = before.get(key), now.get(key)
            if key in WHOLE or one is None or other is None:
                if one != other and (*at, key)[: len(within)] == within:
                    yield (*at, key)
            else:
                yield from _differing(one, other, within, (*at, key))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _differing(one, other, within, (*at, number))
    elif at[: len(within)] == within:
        yield at


def _common(paths: Sequence[Path]) -> Path:
    """Return what paths begin with."""
    first, last = min(paths, key=_order), max(paths, key=_order)
    same = 0
    while same < min(len(first), len(last)) and all(path[: same + 1] == first[: same + 1] for path in paths):
        same += 1
    return first[:same]


def _order(path: Path) -> list[str]:
    return [str(one) for one in path]


def _at(panels: Any, path: Path) -> Any:
    for key in path:
        if isinstance(panels, dict):
            panels = panels.get(key)
        elif isinstance(panels, list) and isinstance(key, int) and key < len(panels):
            panels = panels[key]
        else:
            return None
    return panels


def _put(panels: Any, path: Path, value: Any) -> None:
    for key in path[:-1]:
        panels = panels[key]
    if value is None and isinstance(panels, dict):
        panels.pop(path[-1], None)
    else:
        panels[path[-1]] = value
