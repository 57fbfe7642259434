"""What is proven of differences of numbers, held against every way in which the numbers may be.

Conditions, two expressions, and sometimes something that happens meanwhile are made by chance over four counters with
few values. How much one expression is at least more than the other is then known by trying all values: the checker must
never prove more, and of plain sums it must prove as much.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Any

import pytest

from patolli.program import effects as e
from patolli.program.summaries import Summaries
from patolli.proofs.domain import Domain
from patolli.proofs.facts import Facts
from patolli.proofs.intervals import Interval, Limits, exactly
from patolli.workspace import inspect

BOUNDS = {"nut": (0, 5), "debt": (-2, 3), "fame": (2, 6), "dip": (-1, 2)}
VALUES = [dict(zip(BOUNDS, values, strict=True)) for values in product(*(range(a, b + 1) for a, b in BOUNDS.values()))]
NEVER = 40
"""More than any two of the numbers lie apart."""
MADE = 400
Values = dict[str, int]
Known = tuple[Any, Domain, Summaries]
Happening = tuple[str, str, int, int]
"""A word, the counter that it happens to, and by how much at least and at most."""


@dataclass(frozen=True)
class Question:
    """What is asked: how much *left* is at least more than *right*, where conditions held before something happened.

    Of two lists of *conditions* one or the other held.
    """

    conditions: tuple[tuple[str, ...], ...]
    left: str
    right: str
    happens: Happening | None = None
    plain: bool = True

    def text(self) -> str:
        """Write it as effects that are never carried out."""
        lines = [f"{'  ' * n}if {c}:" for way in self.conditions for n, c in enumerate(("true", *way))]
        margins = ["  " * (len(way) + 1) for way in self.conditions]
        ends, at = [], 0
        for way, margin in zip(self.conditions, margins, strict=True):
            ends += [
                *lines[at : at + len(way) + 1],
                f"{margin}set coin to {self.left}",
                f"{margin}set coin to {self.right}",
            ]
            at += len(way) + 1
        return "".join(f"    {line}\n" for line in ends)

    def least(self) -> int | None:
        """Try everything; nothing where it can never be so."""
        left, right, ways = _python(self.left), _python(self.right), [[*map(_python, way)] for way in self.conditions]
        found = [
            left(after) - right(after)
            for values in VALUES
            if any(all(holds(values) for holds in way) for way in ways)
            for after in _after(values, self.happens)
        ]
        return min(found, default=None)


def _python(text: str) -> Callable[[Values], Any]:
    code = compile(text.replace(" div ", " // ").replace(" mod ", " % "), "", "eval")
    return lambda values: eval(code, {"min": min, "max": max, **values})


def _after(values: Values, happens: Happening | None) -> Iterator[Values]:
    """Yield all that may be after something happened."""
    if happens is None:
        yield values
        return
    word, name, low, high = happens
    least, most = BOUNDS[name]
    for by in range(low, high + 1) if word == "changed" else range(most - least + 1):
        new = min(most, max(least, values[name] + by)) if word == "changed" else least + by
        if word != "grown" or new >= values[name]:
            yield {**values, name: new}


# ---- making questions


def _sum(draw: Random) -> str:
    by = draw.choice((0, 0, 1, 2, 3, -1, -2))
    return draw.choice([*BOUNDS]) + (f" + {by}" if by > 0 else f" - {-by}" if by < 0 else "")


def _number(draw: Random, deep: int = 1) -> str:
    """Write a number that is not plain."""
    one, two = (_number(draw, deep - 1) if deep and draw.random() < 0.2 else _sum(draw) for _ in range(2))
    divisor = draw.choice(("fame", "(nut + 1)", "3", "(fame - 1)"))
    return draw.choice((
        f"min({one}, {two})", f"max({one}, {two})", f"({one}) mod {divisor}", f"({one}) div {divisor}",
        f"({one}) + ({two})", f"({one}) - ({two})", f"max({one}, {two}) + {draw.randint(1, 3)}",
        f"min({one}, {two}) - {draw.randint(1, 3)}", f"({one}) mod (debt - 4)", str(draw.randint(-3, 4)),
    ))  # fmt: skip


def _condition(draw: Random, plain: bool) -> str:
    op = draw.choice((">=", ">", "<=", "<", ">=", "<=", "=="))
    right = _sum(draw) if draw.random() < 0.8 else str(draw.randint(-1, 4))
    return f"{_sum(draw) if plain or draw.random() < 0.7 else _number(draw)} {op} {right}"


def _happening(draw: Random) -> Happening:
    low = draw.randint(-2, 2)
    return (
        draw.choice(("changed", "changed", "forgotten", "grown")),
        draw.choice([*BOUNDS]),
        low,
        low + draw.choice((0, 0, 1)),
    )


def _made() -> Iterator[tuple[Question, int]]:
    draw, made = Random("differences"), 0
    while made < MADE:
        plain = made % 2 == 0
        ways = 2 if made % 5 == 4 else 1
        conditions = tuple(tuple(_condition(draw, plain) for _ in range(draw.randint(1, 3))) for _ in range(ways))
        left, right = ((_sum if plain else _number)(draw) for _ in range(2))
        one = Question(conditions, left, right, _happening(draw) if made % 3 == 2 else None, plain)
        least = one.least()
        if least is not None:
            made += 1
            yield one, least


QUESTIONS, LEAST = zip(*_made(), strict=True)


# ---- asking them


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Known:
    folder = tmp_path_factory.mktemp("sums") / "sums"
    folder.mkdir()
    counters = "".join(f"  {name}: {{min: {low}, start: {low}, max: {high}}}\n" for name, (low, high) in BOUNDS.items())
    stir = "".join(f"    set {name} to {low}\n    set {name} to {high}\n" for name, (low, high) in BOUNDS.items())
    body = "".join(question.text() for question in QUESTIONS)
    (folder / "pack.yaml").write_text("document: pack\nid: sums\nversion: 1.0.0\nlanguage: 1\ntitle: Sums\n")
    (folder / "model.yaml").write_text(f"document: model\ncounters:\n  coin: {{min: -99}}\n{counters}")
    (folder / "rules.yaml").write_text(
        f"document: rules\nrules:\n  match: tried()\n  stir: |\n{stir}  tried: |\n{body}"
    )
    found = inspect(str(folder), proofs=False)
    assert found.ruleset is not None, found.errors[:3]
    program = found.ruleset.model.program
    return program, Domain(program), Summaries(program)


def facts_of(program: Known, effect: e.Effect) -> tuple[Facts, Any, Any]:
    """Learn what the conditions around two effects say; return that, and what the two work out."""
    facts = Facts(*program[1:])
    while isinstance(effect, e.If):
        facts.learn(effect.condition)
        effect, *more = effect.then
    return facts, effect.value, more[0].value


def happened(program: Known, facts: Facts, happens: Happening) -> None:
    """Let facts know what happened."""
    word, name, low, high = happens
    if word == "forgotten":
        facts.forget({("counter", name)})
    elif word == "grown":
        facts.grown(name)
    else:
        least, most = BOUNDS[name]
        facts.changed(counter_of(program[0], name), Interval(low, high), Limits(least, exactly(most)))


def counter_of(program: Any, name: str) -> Any:
    return next(one.target for one in program.rules["stir"].block if one.target.counter == name)


def proven(program: Known, at: int) -> int | None:
    """Return how much is proven at most; nothing where it is nothing at all."""
    question, begun = QUESTIONS[at], sum(len(one.conditions) for one in QUESTIONS[:at])
    ways = [facts_of(program, program[0].rules["tried"].block[begun + n]) for n in range(len(question.conditions))]
    (facts, left, right), *others = ways
    for other, *_ in others:
        facts = facts.join(other)
    if question.happens is not None:
        happened(program, facts, question.happens)
    found = bisect(range(-NEVER, NEVER + 1), False, key=lambda least: not facts.proves(left, right, least))
    return found - NEVER - 1 if found else None


@pytest.mark.parametrize("at", range(MADE), ids=[f"{one.left} and {one.right} {n}" for n, one in enumerate(QUESTIONS)])
def test_no_more_is_proven_than_holds(program, at):
    least, found = LEAST[at], proven(program, at)

    assert found is None or found <= least
    if QUESTIONS[at].plain and len(QUESTIONS[at].conditions) == 1 and QUESTIONS[at].happens is None:
        assert found == least


def test_as_much_is_proven_as_before(program):
    """Where numbers are not plain, or something happened, not all that holds is proven; so much of it is."""
    found = [proven(program, at) for at in range(MADE)]
    short = [least - one for least, one in zip(LEAST, found, strict=True) if one is not None]

    assert (len(short), sum(map(bool, short)), sum(short)) == (400, 81, 216)
