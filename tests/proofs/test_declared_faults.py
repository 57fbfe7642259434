"""What a kind of node declares of its faults: a part that it has, and a proof for each."""

from __future__ import annotations

import pytest

from patolli.check.proofs import faults
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program import node
from patolli.language.program.node import DECLARED, Bounds, Empty, Index, Length, Spot, nothing


def _declare(*ways: node.Fault):
    """Declare a kind of effect that moves a piece to a place, with some faults."""

    @node.kind(reads=nothing, writes=nothing, asks="never", draws=False, leaves="never", faults=ways, runs=False)
    class Push(node.Node):
        what: x.Expr
        to: e.PlaceAt

    return Push


@pytest.fixture
def undeclared():
    """Forget the kinds that a test declares."""
    before = set(DECLARED)
    yield
    for kind in set(DECLARED) - before:
        del DECLARED[kind]


@pytest.mark.usefixtures("undeclared")
@pytest.mark.parametrize("way", [Spot("to"), Index("to"), Bounds("what"), Empty("what")])
def test_a_fault_without_a_proof_is_refused(way):
    push = _declare(way)

    with pytest.raises(TypeError, match=r"Push has no proof"):
        faults.see_that_all_have_proofs()
    faults.proves(way, push)(lambda *_: None)
    try:
        faults.see_that_all_have_proofs()
    finally:
        del faults.PROOFS[push, way]


@pytest.mark.usefixtures("undeclared")
def test_a_length_is_left_to_the_step_budget():
    _declare(Length("what"))
    faults.see_that_all_have_proofs()


def test_a_fault_of_a_part_that_a_kind_does_not_have_is_refused():
    with pytest.raises(TypeError, match="'from'"):
        _declare(Spot("from"))


def test_a_proof_that_no_kind_needs_is_refused():
    faults.proves(Spot("to"), e.Swap)(lambda *_: None)
    try:
        with pytest.raises(TypeError, match="Swap is proved, but not declared"):
            faults.see_that_all_have_proofs()
    finally:
        del faults.PROOFS[e.Swap, Spot("to")]
