"""The unions of all expressions and effects name every kind, so that a match over them is complete."""

from __future__ import annotations

from typing import get_args

import pytest

from patolli.language import tree as t


@pytest.mark.parametrize(("union", "base"), [(t.AnyExpr, t.Expr), (t.AnyEffect, t.Effect)])
def test_union_names_every_kind(union, base):
    assert {kind.__qualname__ for kind in get_args(union)} == {kind.__qualname__ for kind in base.__subclasses__()}
