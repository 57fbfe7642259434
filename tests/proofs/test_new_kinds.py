"""What becomes of answers in kinds of effects that no pass names: their declarations say it."""

from __future__ import annotations

import pytest
from packmaker import loaded, trigger

from patolli.check.proofs.answers import Answers
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import node
from patolli.language.program import types as ty
from patolli.language.program.effects import Block
from patolli.language.program.preconditions import Preconditions
from patolli.language.program.summaries import Summaries


@pytest.fixture
def double():
    """Declare an effect that puts a number into a counter, and one that goes through its block twice."""
    before = set(node.DECLARED)

    @node.kind(
        reads=node.nothing, writes=lambda n: (("counter", n.counter),), asks="never", draws=False, leaves="never",
        faults=(), runs=False,
    )  # fmt: skip
    class Put(e.Effect):
        counter: str
        value: x.Expr

    @node.kind(
        reads=node.nothing, writes=node.nothing, asks="never", draws=False, leaves="never", faults=(), runs=False
    )
    class Twice(e.Effect):
        how: x.Expr
        body: Block

    yield Put, Twice
    for kind in set(node.DECLARED) - before:
        del node.DECLARED[kind]


@pytest.mark.parametrize(("counter", "secret"), [("bid", True), ("coin", False)])
@pytest.mark.parametrize("inside", [False, True])
def test_what_is_made_from_an_answer_is_followed_by_declarations(tmp_path, double, counter, secret, inside):
    put, twice = double
    program = loaded(tmp_path, trigger('choose k in 1..3 "How many?"\ngain 1 coin')).resolved_program
    rule = next(one for one in program.rules.values() if any(isinstance(effect, e.Choose) for effect in one.block))
    choose, gain = next((a, b) for a, b in zip(rule.block, rule.block[1:], strict=False) if isinstance(a, e.Choose))
    answer = x.Local(choose.binders[0].variable, type=ty.INT, span=gain.span)
    one = x.Number(1, type=ty.INT, span=gain.span)
    made = put(counter, one if inside else answer, span=gain.span)
    made = twice(answer, (made,), span=gain.span) if inside else made
    rule.steps = (rule.steps[0].__class__("do", (choose, made), rule.span),)
    vars(rule).pop("block", None)

    assert Answers(program, Preconditions(Summaries(program), lambda name: True)).secret(choose) is secret
