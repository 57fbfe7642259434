"""What a designer wants of a game, in words: a measure, and between which numbers it is to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING

from patolli.language.diagnostics import nearest
from patolli.language.program.targets import OF_OPTIONS, OF_PIECES, OWN, describe_percent, parse_target
from patolli.language.program.types import BOOL
from patolli.measure.lab.facts import COLUMNS, Row
from patolli.measure.lab.measures import Measure, measure, measures
from patolli.measure.lab.plans import PlanError

if TYPE_CHECKING:
    from patolli.measure.lab.content import Content

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
_MOVE = re.compile(rf"(?:\+-|±|\+/-)?\s*(?P<move>{_NUMBER})\s*(?P<share>%)?")
PIECES = {word: column for word in OF_PIECES if (column := f"{word}_piece") in COLUMNS}
"""What may be said of a piece in a match, and the column that lists those to which it applies."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A goal: the mean of a measure is to lie between two numbers.

    ``width`` is what a miss is counted in: half of what is allowed, and where that has no end a tenth of the bound.
    """

    text: str
    measure: Measure
    low: float
    high: float

    @property
    def width(self) -> float:
        """The unit of misses, above 0."""
        if self.low > -inf and self.high < inf:
            half = (self.high - self.low) / 2
        else:
            half = abs(self.high if self.low == -inf else self.low) / 10
        return half or (0.01 if self.measure.share else 1.0)

    def miss(self, value: float) -> float:
        """Return by how many widths a value misses the goal; 0 if it does not."""
        return max(0.0, self.low - value, value - self.high) / self.width

    def least_miss(self, mean: float, half: float) -> float:
        """Return by how many widths the goal is missed at least, as far as an interval is sure."""
        return max(0.0, self.low - mean - half, mean - half - self.high) / self.width

    def verdict(self, mean: float, half: float) -> str:
        """Say whether the goal is reached, as far as an interval says."""
        if self.low <= mean - half and mean + half <= self.high:
            return "reached"
        if self.low <= mean <= self.high:
            return "probably reached"
        return "missed" if self.least_miss(mean, half) > 0 else "probably missed"


def wish(text: str, seats: int, content: Content) -> Wish:
    """Read a goal. Raises PlanError: it is not of that form, or names something that is not there."""
    try:
        target = parse_target(text)
    except ValueError as error:
        raise PlanError(str(error)) from None
    one = asked_of(target.name, seats, content)
    _percent(text, one, target.share)
    scale = 100 if one.share else 1
    low, high = target.low / scale, target.high / scale
    if one.share and (low > 1 or high < 0):
        raise PlanError(f"no share reaches {text!r}: shares are from 0 to 100 %")
    return Wish(text, one, low, high)


def agree(wishes: Sequence[Wish]) -> None:
    """See that no two goals ask of one measure what no number is. Raises PlanError: two do."""
    for one, other in combinations(wishes, 2):
        if one.measure.name == other.measure.name and (one.low > other.high or other.low > one.high):
            words = f"no value of {one.measure.name} reaches both {one.text!r} and {other.text!r}"
            raise PlanError(f"{words}; remove one of these goals")


def move(name: str, text: str, seats: int, content: Content) -> tuple[Measure, float]:
    """Read by how much a measure may move, as ``+- 1 %``. Raises PlanError: no number above 0, or no such measure."""
    one = asked_of(name, seats, content)
    found = _MOVE.fullmatch(text.strip())
    if found is None or float(found["move"]) <= 0:
        raise PlanError(f"the limit for {name!r} must be a number above 0, such as '+- 1 %' or '+- 0.5', not {text!r}")
    _percent(f"{name}: {text}", one, bool(found["share"]))
    return one, float(found["move"]) / (100 if one.share else 1)


def _percent(text: str, one: Measure, said: bool) -> None:
    if one.share != said:
        raise PlanError(f"{describe_percent(one.name, one.share)} in {text!r}")


def asked_of(name: str, seats: int, content: Content) -> Measure:
    """Return the measure of a name: of every game, of the pack, or of a piece or an option. Raises PlanError: none."""
    wanted = " ".join(name.split())
    thing, _, word = wanted.rpartition(" ")
    if word in PIECES and (thing or word):
        return _of_piece(thing, word, content)
    if word in OF_OPTIONS:
        return _of_option(thing, word, content)
    if word == "wins" and thing == "first player":
        wanted = thing
    if wanted.startswith(OWN):  # the pack's, even where every game has a number of that name
        own = _of_pack(wanted.removeprefix(OWN), content)
        if own is None:
            raise PlanError(f"the pack has no {wanted!r}")
        return replace(own, name=wanted)
    own = None if wanted in measures(seats) else _of_pack(wanted, content)
    return own or measure(wanted, seats)


def _of_pack(wanted: str, content: Content) -> Measure | None:
    """Return a measure that the pack declares, as reports call it: the last time in a match, or that of a number."""
    name, _, nth = wanted.partition(", time ")
    declared = content.model.measures.get(name.replace(" ", "_"))
    if declared is None or (nth and not nth.isdecimal()):
        return None

    def of(row: Row) -> float | None:
        reported = zip(row["measure_id"], row["measure_nth"], row["measure_value"], strict=True)
        taken = [(time, value) for id_, time, value in reported if id_ == declared.name]
        asked = int(nth) if nth else max((time for time, _ in taken), default=0)
        values = [value for time, value in taken if time == asked]
        return sum(values) / len(values) if values else None

    share = declared.formula.body.type == BOOL
    return Measure(wanted, of, ("measure_id", "measure_nth", "measure_value"), share)


def _of_piece(thing: str, word: str, content: Content) -> Measure:
    """Return whether a piece is seen, used or taken; it is taken, too, when an option is chosen that names it.

    A piece that lies in common is never anybody's: who learns it, as rules may call that, has chosen it.
    """
    piece = thing.rpartition("/")[2]
    if piece not in content.designs:
        near = nearest(piece, content.designs)
        hint = f"did you mean {near!r}?" if near else "see 'patolli show PACK' for a list"
        raise PlanError(f"unknown piece {piece!r}; {hint}")
    whole, column = f"{content.designs[piece]}/{piece}", PIECES[word]
    chosen = _option_test(whole, "option_chosen", content)
    if word != "taken":
        return Measure(f"{piece} {word}", lambda row: float(whole in row[column]), (column,), share=True)
    columns = (column, "option_id", "option_chosen")
    return Measure(f"{piece} {word}", lambda row: float(whole in row[column] or chosen(row)), columns, share=True)


def _option_test(whole: str, counts: str, content: Content) -> Callable[[Row], bool]:
    """Return a function that tests whether an option that names a piece was chosen, or offered, in a match."""
    known: dict[str, bool] = {}

    def names(option: str) -> bool:
        if option not in known:
            known[option] = whole in content.named_pieces(option)
        return known[option]

    return lambda row: any(many and names(one) for one, many in zip(row["option_id"], row[counts], strict=True))


def _of_option(thing: str, word: str, content: Content) -> Measure:
    if thing in content.designs:
        of_piece = _option_test(f"{content.designs[thing]}/{thing}", f"option_{word}", content)
        columns = ("option_id", f"option_{word}")
        return Measure(f"{thing} {word}", lambda row: float(of_piece(row)), columns, share=True)
    if not content.line_of(thing) and thing.partition(":")[0] not in content.model.rules:
        near = nearest(thing, content.lines)
        hint = f"did you mean {near!r}?" if near else "see a report for a list, in the form 'RULE: LINE'"
        raise PlanError(f"unknown option {thing!r}; {hint}")
    counts = f"option_{word}"

    def of(row: Row) -> float:
        there = zip(row["option_id"], row[counts], strict=True)
        return float(any(many and begins(name, thing) for name, many in there))

    return Measure(f"{thing} {word}", of, ("option_id", counts), share=True)


def begins(option: str, name: str) -> bool:
    """Return whether the name of an option is, or begins with the words of, another one."""
    return option == name or option.startswith((f"{name} ", f"{name}:"))
