"""What is known of numbers and conditions, held against every way in which the numbers may be.

Conditions, two expressions, and sometimes something that happens meanwhile are made at random over four counters with
few values. How much one expression is at least more than the other is then known by trying all values, and whether a
condition holds: the checker must never know more, and of plain sums it must know as much.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from patolli.author.workspace import inspect
from patolli.check.proofs.domain import Domain
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.intervals import Interval, Limits, exactly
from patolli.language.program import effects as e
from patolli.language.program.summaries import Summaries

BOUNDS = {"nut": (0, 5), "debt": (-2, 3), "fame": (2, 6), "dip": (-1, 2)}
VALUES = [dict(zip(BOUNDS, values, strict=True)) for values in product(*(range(a, b + 1) for a, b in BOUNDS.values()))]
SIMPLE = re.compile(r"\b[a-z]+(?: [+-] \d)? (?:[<>]=?|==) (?:[a-z]+(?: [+-] \d)?|-?\d)(?! [+(])")
"""Comparisons that stand in conditions."""
NEVER = 40
"""More than any two of the numbers lie apart."""
Values = dict[str, int]
Known = tuple[Any, Domain, Summaries]
Happening = tuple[str, str, int, int]
"""A word, the counter that it happens to, and by how much at least and at most."""


@dataclass(frozen=True)
class Question:
    """The question: how much *left* is at least more than *right*, where conditions held before something happened.

    Of two lists of *conditions* one or the other held. *asked* is a condition that is tested,
    and *then* one that is met after all.
    """

    conditions: tuple[tuple[str, ...], ...]
    left: str
    right: str
    asked: str
    happens: Happening | None = None
    plain: bool = True
    then: str = "true"

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
                f"{margin}if {self.asked}: set coin to 0",
                f"{margin}if {self.then}: set coin to 0",
            ]
            at += len(way) + 1
        return "".join(f"    {line}\n" for line in ends)

    def least(self) -> tuple[int, bool | None] | None:
        """Try everything; return by how much it is more, and the question; nothing where it can never be so."""
        left, right, ways = _python(self.left), _python(self.right), [[*map(_python, way)] for way in self.conditions]
        asked, then = _python(self.asked), _python(self.then)
        found = [
            (left(after) - right(after), bool(asked(after)))
            for values in VALUES
            if any(all(holds(values) for holds in way) for way in ways)
            for after in _after(values, self.happens)
            if then(after)
        ]
        answers = {answer for _, answer in found}
        return (min(found)[0], answers.pop() if len(answers) == 1 else None) if found else None


def _python(text: str) -> Callable[[Values], Any]:
    code = compile(text.replace(" div ", " // ").replace(" mod ", " % "), "", "eval")
    return lambda values: eval(code, {"min": min, "max": max, "true": True, "false": False, **values})


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
        f"min({one}, {two}) - {draw.randint(1, 3)}", f"({one}) mod (debt - 4)", str(draw.randint(-3, 4)), f"({one} if {_condition(draw, True)} else {two})",
    ))  # fmt: skip


def _condition(draw: Random, plain: bool) -> str:
    op = draw.choice((">=", ">", "<=", "<", ">=", "<=", "=="))
    right = _sum(draw) if draw.random() < 0.8 else str(draw.randint(-1, 4))
    return f"{_sum(draw) if plain or draw.random() < 0.7 else _number(draw)} {op} {right}"


def _composed(draw: Random) -> str:
    """Write a condition of several parts."""
    one, two, three = (_condition(draw, True) for _ in range(3))
    return draw.choice((
        f"({one}) or ({two})", f"not ({one} and {two})", f"({one}) and ({two} or {three})", f"not ({one} or {two})",
        f"({one}) if {two} else ({three})", f"({one}) if {two} else false", f"true if {one} else ({two})",
        f"not (({one}) if {two} else true)", f"false if {one} else ({two})", f"not ({one})", f"({one} or {two}) and {three}",
    ))  # fmt: skip


def _asked(draw: Random, conditions: tuple[tuple[str, ...], ...]) -> str:
    """Write a condition that is asked: mostly one that was met, or its opposite, or another way to say it."""
    one = draw.choice(draw.choice(conditions))
    return draw.choice((one, one, f"not ({one})", f"({one}) or {_condition(draw, True)}", _condition(draw, True)))


def _met(draw: Random, conditions: tuple[tuple[str, ...], ...]) -> str:
    """Write a condition that is met in the end: mostly one that settles one of several parts."""
    simple = [one for way in conditions for text in way for one in SIMPLE.findall(text)]
    one = draw.choice(simple) if simple and draw.random() < 0.7 else _condition(draw, True)
    return f"not ({one})" if draw.random() < 0.7 else one


def _happening(draw: Random) -> Happening:
    low = draw.randint(-2, 2)
    return (
        draw.choice(("changed", "changed", "forgotten", "grown")),
        draw.choice([*BOUNDS]),
        low,
        low + draw.choice((0, 0, 1)),
    )


def _made(number: int) -> Iterator[tuple[Question, tuple[int, bool | None]]]:
    draw, made = Random("differences"), 0
    while made < number:
        plain = made % 2 == 0
        ways = 2 if made % 5 == 4 else 1
        conditions = tuple(
            tuple(
                _composed(draw) if made % 4 == 3 and draw.random() < 0.7 else _condition(draw, plain)
                for _ in range(draw.randint(1, 3))
            )
            for _ in range(ways)
        )
        left, right = ((_sum if plain or made % 4 == 3 else _number)(draw) for _ in range(2))
        asked = _asked(draw, conditions)
        happens, then = _happening(draw) if made % 3 == 2 else None, _met(draw, conditions) if made % 8 > 4 else "true"
        one = Question(conditions, left, right, asked, happens, plain and then == "true", then)
        least = one.least()
        if least is not None:
            made += 1
            yield one, least


# ---- asking them


def known_program(folder: Path, questions: list[Question]) -> Known:
    """Check a pack in which every question is a rule."""
    folder.mkdir()
    counters = "".join(f"  {name}: {{min: {low}, start: {low}, max: {high}}}\n" for name, (low, high) in BOUNDS.items())
    stir = "".join(f"    set {name} to {low}\n    set {name} to {high}\n" for name, (low, high) in BOUNDS.items())
    tried = "".join(f"  tried_{at}: |\n{question.text()}" for at, question in enumerate(questions))
    (folder / "pack.yaml").write_text(
        "document: pack\nid: sums\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Sums\n"
    )
    (folder / "model.yaml").write_text(f"document: model\ncounters:\n  coin: {{min: -99}}\n{counters}")
    (folder / "rules.yaml").write_text(f"document: rules\nrules:\n  match: tried_0()\n  stir: |\n{stir}{tried}")
    found = inspect(str(folder), proofs=False)
    assert found.ruleset is not None, found.errors[:3]
    program = found.ruleset.model.program
    return program, Domain(program), Summaries(program)


def facts_of(program: Known, effect: e.Effect) -> tuple[Facts, Any, Any, Any, Any]:
    """Learn what the conditions around effects say; return that, what two work out, and the conditions of the others."""
    facts = Facts(*program[1:])
    while isinstance(effect, e.If):
        facts.learn(effect.condition)
        effect, *more = effect.then
    return facts, effect.value, more[0].value, more[1].condition, more[2].condition


def happened(program: Known, facts: Facts, happens: Happening) -> None:
    """Let facts know what happened."""
    word, name, low, high = happens
    if word == "forgotten":
        facts.forget({("counter", name)})
    elif word == "grown":
        facts.grown(name)
    else:
        least, most = BOUNDS[name]
        facts.note_change(counter_of(program[0], name), Interval(low, high), Limits(least, exactly(most)))


def counter_of(program: Any, name: str) -> Any:
    return next(one.target for one in program.rules["stir"].block if one.target.counter == name)


def proven(program: Known, question: Question, at: int) -> tuple[int | None, bool | None]:
    """Return how much is proven at most, nothing where it is nothing at all; and what is known of the question."""
    ways = [facts_of(program, effect) for effect in program[0].rules[f"tried_{at}"].block]
    (facts, left, right, asked, then), *others = ways
    for other, *_ in others:
        facts = facts.join(other)
    if question.happens is not None:
        happened(program, facts, question.happens)
    facts.learn(then)
    found = bisect(range(-NEVER, NEVER + 1), False, key=lambda least: not facts.proves(left, right, least))
    return found - NEVER - 1 if found else None, facts.decide_condition(asked)


@pytest.mark.parametrize(
    ("number", "as_before"),
    [
        pytest.param(80, ((80, 11, 29), (25, 8)), id="80"),
        pytest.param(800, ((800, 96, 261), (209, 121)), id="800", marks=pytest.mark.deep),
    ],
)
def test_no_more_is_known_than_holds(subtests, tmp_path, number, as_before):
    """Where numbers are not plain, or something happened, not all that holds is known; so much of it is."""
    questions, truth = zip(*_made(number), strict=True)
    program = known_program(tmp_path / "sums", questions)
    known = [proven(program, question, at) for at, question in enumerate(questions)]
    for at, (question, (least, answer), (found, decided)) in enumerate(zip(questions, truth, known, strict=True)):
        with subtests.test(f"{at}: {question.left} and {question.right}"):
            assert found is None or found <= least
            assert decided is None or decided == answer
            if question.plain and len(question.conditions) == 1 and question.happens is None:
                assert found == least

    short = [least - one for (least, _), (one, _) in zip(truth, known, strict=True) if one is not None]
    decided = [answer for _, answer in known]
    found = (len(short), sum(map(bool, short)), sum(short)), (decided.count(True), decided.count(False))
    assert found == as_before
