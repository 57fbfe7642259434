"""Check the bounds that are written as numbers: of options, players, counters, and what is assigned.

Errors: P0054 bounds that leave nothing between them, or a start beyond them, P0474 a default that an option cannot
        have, P0301 a number beyond the bounds of what it is assigned to.
"""

from __future__ import annotations

from patolli.language.diagnostics import Problem, instead, nearest
from patolli.language.packs.manifest import OptionSpec, Pack
from patolli.language.program import expressions as x
from patolli.language.resolve.model import Attribute, Counter, Model
from patolli.language.sources import Mapping, Sequence, plain
from patolli.language.sources.nodes import value_at
from patolli.language.syntax import tree as t


def check_options(model: Model, pack: Pack) -> None:
    """Check the options that a pack declares."""
    declared = pack.manifest.get("options")
    for option in pack.options():
        node = declared.get(option.name) if isinstance(declared, Mapping) else None
        bounds, default = value_at(node, "range"), value_at(node, "default")
        if isinstance(bounds, Sequence) and option.low > option.high:
            message = f"the lowest value of {option.name!r} is {option.low}, its highest {option.high}"
            model.problems.append(Problem("P0054", message, bounds.span, "write the lowest value first"))
        elif default is not None and not can_be(option, plain(default)):
            help_, near = f"a number from {option.low} to {option.high}", None
            if option.choices:
                near = nearest(str(plain(default)), option.choices)
                help_ = f"did you mean {near!r}?" if near else f"one of {', '.join(option.choices)}"
            message = f"the default of {option.name!r} is not one of its values"
            model.problems.append(Problem("P0474", message, default.span, help_, fixes=instead(default.span, near)))


def can_be(option: OptionSpec, value: object) -> bool:
    """Return whether an option has a value."""
    if option.choices:
        return str(value) in option.choices
    return str(value).lstrip("-").isdigit() and option.low <= int(str(value)) <= option.high


MOST_PLAYERS = 16
"""The largest number of players of any game, as in the schema of manifests."""


def check_players(model: Model) -> None:
    """Check that some number of players is allowed."""
    low, high = model.players
    node = next((n for pack in reversed(model.composition.packs) if (n := pack.manifest.get("players"))), None)
    if low > high and node is not None:
        message = f"at least {low} players are needed, and at most {high} allowed"
        model.problems.append(Problem("P0054", message, node.span, "write the smaller number at 'min'"))


def check_counter(model: Model, counter: Counter) -> None:
    """Check the bounds and the start of a counter, where they are written as numbers."""
    low, high, start = counter.low, _number(counter.high), _number(counter.start)
    if high is not None and counter.high is not None and high < low:
        message = f"{counter.name!r} is at least {low} and at most {high}"
        model.problems.append(Problem("P0054", message, counter.high.span, f"write a number from {low}"))
    elif start is not None and counter.start is not None and not low <= start <= (start if high is None else high):
        help_ = f"write a number from {low}" + ("" if high is None else f" to {high}")
        message = f"{counter.name!r} starts at {start}, beyond its bounds"
        model.problems.append(Problem("P0054", message, counter.start.span, help_))


def beyond(model: Model, target: x.CounterAt | x.FieldOf, value: x.Expr) -> Problem | None:
    """Return the problem of a number that its target can never hold."""
    low: int | None
    if isinstance(target, x.FieldOf):
        attribute: Attribute = model.kinds[target.kind].fields[target.field]
        name, low, high = target.field, attribute.low, attribute.high
    else:
        counter = model.counters[target.counter]
        name, low, high = target.counter, counter.low, _number(counter.high)
    number = _number(value)
    if number is None or low is None or (high is not None and high < low):
        return None
    if low <= number <= (number if high is None else high):
        return None
    least = f"from {low}" + ("" if high is None else f" to {high}")
    return Problem("P0301", f"{name!r} goes {least}, found {number}", value.span, f"write a number {least}")


def _number(expr: t.Expr | x.Expr | None) -> int | None:
    """Return the number that is written, also with a sign."""
    if isinstance(expr, t.Negative | x.Negative):
        inner = _number(expr.of)
        return None if inner is None else -inner
    return expr.value if isinstance(expr, t.Number | x.Number) else None
