"""Number things as a seat sees them: its own come first, then those of the next seat, and so round the table.

Players are turned, and so are the pieces and members that everyone has alike; what belongs to the table keeps
its number. A policy that was learned on one seat then means the same on another.
"""

from __future__ import annotations

from patolli.language.program import types as ty
from patolli.run.compiler.layout import Instance, Layout, call_value


def number_relative(layout: Layout, kind: str, seat: int) -> list[int]:
    """Return for every instance of a kind its number as *seat* sees it.

    Args:
        layout: Of a program.
        kind: The name of a kind.
        seat: From 0.
    """
    instances, seats = layout.instances[kind], layout.seats
    if kind == "player":
        return [(number - seat) % seats for number in range(seats)]
    if kind in layout.records:
        return _number_records(layout, kind, seat)
    numbers = {_key(one, one.owner): number for number, one in enumerate(instances)}
    found = []
    for number, one in enumerate(instances):
        owner = (one.owner - seat) % seats if one.owner >= 0 else -1
        found.append(numbers.get(_key(one, owner), number))
    return found if sorted(found) == list(range(len(found))) else list(range(len(found)))


def _number_records(layout: Layout, kind: str, seat: int) -> list[int]:
    """Return the numbers of records as a seat sees them, from those of what is in their fields."""
    found = [0]
    for type_, values in _list_fields(layout, kind):
        seen = number_relative(layout, type_.kind, seat) if isinstance(type_, ty.Ref) else values
        turned = [(seen[value] if seen is not values and value >= 0 else value) - values.start for value in values]
        found = [number * len(values) + one for number in found for one in turned]
    return found


def _list_fields(layout: Layout, kind: str) -> list[tuple[ty.AnyType, range]]:
    """List the fields of a record, each with its type and its values as numbers."""
    types = [ty.strip(fact.type) for fact in layout.model.kinds[kind].facts.values()]
    return list(zip(types, layout.records[kind], strict=True))


def sources(layout: Layout, kind: str, seat: int) -> list[int]:
    """Return for every number as *seat* sees it which instance has it: the other way round."""
    found = [0] * layout.size(kind)
    for number, relative in enumerate(number_relative(layout, kind, seat)):
        found[relative] = number
    return found


def label(layout: Layout, kind: str, number: int) -> str:
    """Return what an instance is called for the seat that has number 0."""
    one = layout.instances[kind][number]
    if kind == "player":
        return seat_label(number)
    if kind in layout.records:
        return _label_record(layout, kind, number)
    return one.id if one.owner < 0 else f"{seat_label(one.owner)}.{one.id}"


def _label_record(layout: Layout, kind: str, number: int) -> str:
    """Return what a record is called, with what is in its fields as it is for the seat that has number 0."""
    words = layout.instances[kind][number].id
    if "player_" not in words:
        return words
    found = []
    for type_, values in reversed(_list_fields(layout, kind)):
        number, at = divmod(number, len(values))
        if isinstance(type_, ty.Ref) and values[at] >= 0:
            found.append(label(layout, type_.kind, values[at]))
        else:
            found.append(call_value(layout, type_, values[at]))
    return "/".join(reversed(found))


def seat_label(number: int) -> str:
    """Return what a player is called who sits so many seats further on."""
    return f"next_{number}" if number else "me"


def _key(one: Instance, owner: int) -> tuple[str, int, str, int]:
    return one.id, one.copy, one.design.id if one.design is not None else "", owner
