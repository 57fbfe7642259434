"""The union of all expressions names every kind, so that a match over it is complete."""

from __future__ import annotations

from typing import get_args

from patolli.language.syntax import tree as t


def test_union_names_every_kind():
    named, kinds = get_args(t.AnyExpr), t.Expr.__subclasses__()

    assert {kind.__qualname__ for kind in named} == {kind.__qualname__ for kind in kinds}
