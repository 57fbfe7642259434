"""How values become numbers: as they are, or as positions among all that a value may be.

In:     a type, and a seat.
Out:    what kind of value that is, its bounds and labels, and the number that stands for each value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from patolli.language.program import types as ty
from patolli.language.program.model import Attribute, Place
from patolli.measure.observations.fields import CHOICE, LEAST, MOST, NUMBER
from patolli.measure.observations.relative import label, number_relative
from patolli.run.compiler.layout import Layout


class Values:
    """The values of one layout."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.model = layout, layout.model

    def many(self, type_: ty.AnyType) -> int:
        """Return how many things there may be in a list that are counted one by one; 0 of others."""
        of = inside(type_)
        return self.layout.size(of.kind) if isinstance(of, ty.Ref) else 0

    def what(self, type_: ty.AnyType, field: Attribute | None) -> tuple[str, int, int, tuple[str, ...]]:
        """Return what kind of value a type has, its bounds, and what its values are called."""
        inner = ty.strip(type_)
        match inner:
            case ty.Ref():
                labels = tuple(label(self.layout, inner.kind, n) for n in range(self.layout.size(inner.kind)))
            case ty.Design():
                labels = tuple(design.id for design in self.model.kinds[inner.kind].designs)
            case ty.Group():
                labels = self.model.groups[inner.name]
            case ty.Choice():
                labels = tuple(map(str, self.model.options[inner.option].choices))
            case ty.BOOL:
                return NUMBER, 0, 1, ()
            case _:
                low = field.low if field is not None and field.low is not None else LEAST
                high = field.high if field is not None and field.high is not None else MOST
                return NUMBER, low, high, ()
        return CHOICE, 0, len(labels), labels

    def table(self, type_: ty.AnyType, seat: int) -> Sequence[int]:
        """Return what is observed for each value of a type from -1 on; nothing of numbers."""
        inner = ty.strip(type_)
        match inner:
            case ty.Ref():
                return [0, *(1 + number for number in number_relative(self.layout, inner.kind, seat))]
            case ty.Design():
                return range(len(self.model.kinds[inner.kind].designs) + 1)
            case ty.Choice():
                return range(len(self.model.options[inner.option].choices) + 1)
            case ty.Group():  # a counter of a group is the slot in which it begins
                table = [0] * (len(self.layout.initial) + 1)
                for number, name in enumerate(self.model.groups[inner.name], 1):
                    table[self.layout.counters[name][0] + 1] = number
                return table
        return ()

    def places(self, place: Place) -> Iterator[str]:
        """Yield what the slots of a place are called, in the order in which a seat sees them."""
        _, sizes = self.layout.places[place.name]
        axes = (*place.dims, *("" for _ in range(len(sizes) - len(place.dims))))  # the spots of a row come last
        for number in range(prod(sizes)):
            words, rest = [], number
            for size, kind in zip(reversed(sizes), reversed(axes), strict=True):
                words.append(label(self.layout, kind, rest % size) if kind else str(rest % size))
                rest //= size
            yield f"{place.name}({', '.join(reversed(words))})" if words else place.name


def inside(type_: ty.AnyType) -> ty.AnyType:
    """Return the type of what is in a list."""
    inner = ty.strip(type_)
    return ty.strip(inner.of) if isinstance(inner, ty.Seq) else inner
