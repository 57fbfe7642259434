"""Problems can be pickled, and what users of the library get cannot be changed."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

import patolli


def test_a_pickle_holds_every_field() -> None:
    from patolli.language.diagnostics import Problem, Span

    problem = Problem("P0001", "words", Span("a.yaml", 1, 2, 3, 4), "help", ((Span("b.yaml", 1, 1, 1, 1), "there"),))
    assert pickle.loads(pickle.dumps(problem)) == problem


PUBLIC = [one for name in patolli.__all__ if dataclasses.is_dataclass(one := getattr(patolli, name))]


@pytest.mark.parametrize("public", PUBLIC, ids=lambda one: one.__name__)
def test_what_users_are_given_cannot_be_changed_by_mistake(public: Any) -> None:
    made = public.__new__(public)
    for field in dataclasses.fields(public):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, field.name, 1)
