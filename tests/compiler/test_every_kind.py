"""Every kind of node has a method of the compiler, and every built-in function a row or a function of its name."""

from __future__ import annotations

import builtins

import pytest

from patolli.kernel.library import LIBRARY
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.dispatch import Dispatched, handles
from patolli.language.program.effects import Effect
from patolli.language.program.expressions import Expr, Unknown
from patolli.language.program.node import DECLARED, Node
from patolli.run.compiler.builtins import BUILT
from patolli.run.compiler.effects import Effects
from patolli.run.compiler.expressions import Expressions
from patolli.run.compiler.frames import Frames

ELSEWHERE = {"after", "can", "have", "payable"}
"""Built-in functions that are kinds of nodes of their own."""


def kinds(family: type[Node]) -> set[type[Node]]:
    return {kind for kind in DECLARED if issubclass(kind, family)}


@pytest.mark.parametrize("compiler", [Expressions, Effects, Frames])
def test_expressions(compiler):
    # What could not be resolved stands only in a program that has errors, which is never compiled.
    assert set(compiler.handlers["value"]) == kinds(Expr) - {Unknown}


@pytest.mark.parametrize("compiler", [Effects, Frames])
def test_effects_without_questions(compiler):
    asking = {kind for kind in kinds(Effect) if DECLARED[kind].asks == "always"}

    assert kinds(Effect) - set(compiler.handlers["do"]) == asking


def test_effects_that_may_ask():
    """Those that ask themselves, carry out rules, or hold other effects, cut the rule that they stand in."""
    holding = {kind for kind in kinds(Effect) if any("Block" in str(t) for t in kind.__annotations__.values())}
    asking = {kind for kind in kinds(Effect) if DECLARED[kind].asks != "never" or DECLARED[kind].runs}

    assert set(Frames.handlers["ask"]) == holding | asking


def test_built_in_functions():
    assert set(BUILTINS) - ELSEWHERE - set(BUILT) <= {*LIBRARY, *dir(builtins)}
    assert not set(BUILT) & ELSEWHERE


def test_kind_without_a_method_is_refused():
    class Family:
        pass

    class Known(Family):
        pass

    class Handler(Dispatched):
        @handles("job", Known)
        def known(self) -> None:
            pass

    Handler.complete("job", Family)
    type("Forgotten", (Family,), {})

    with pytest.raises(TypeError, match=r"no method of Handler does the job 'job' for .*Forgotten"):
        Handler.complete("job", Family)
