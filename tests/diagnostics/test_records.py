"""Classes of plain data are those of ``dataclasses`` in everything but the guard against changes."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

import patolli
from patolli.diagnostics.records import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """What is looked at here, made in the quicker way."""

    x: int
    names: tuple[str, ...] = ()
    aside: int = dataclasses.field(default=0, compare=False, repr=False)


Ours = Point


@dataclasses.dataclass(frozen=True, slots=True)
class Point:  # type: ignore[no-redef]  # it has to have the same name to be told in the same words
    """The same, by ``dataclasses``."""

    x: int
    names: tuple[str, ...] = ()
    aside: int = dataclasses.field(default=0, compare=False, repr=False)


Theirs = Point


@pytest.mark.parametrize("given", [(1,), (1, ("a",)), (1, ("a",), 3), (2, ())])
def test_equal_hash_and_words(given: Any) -> None:
    ours, theirs = Ours(*given), Theirs(*given)
    assert repr(ours) == repr(theirs)
    assert hash(ours) == hash(theirs)
    assert ours == Ours(*given[:2])
    assert ours != Ours(3, *given[1:])
    assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert dataclasses.replace(ours, x=5) == Ours(5, *given[1:])
    assert not hasattr(ours, "__dict__")


def test_what_holds_itself_is_told() -> None:
    @dataclass(slots=True)
    class Ring:
        of: list[Any]

    ring = Ring([1])
    ring.of.append(ring)
    assert repr(ring).endswith("Ring(of=[1, ...])")


def test_own_words_own_hash_and_none() -> None:
    @dataclass(frozen=True, slots=True)
    class Told:
        x: int

        def __repr__(self) -> str:
            return "told"

        def __hash__(self) -> int:
            return 7

    @dataclass(slots=True)
    class Changing:
        x: int

    @dataclass(frozen=True, eq=False)
    class Single:
        x: int

    assert (repr(Told(1)), hash(Told(1)), Told(1) == Told(1)) == ("told", 7, True)
    with pytest.raises(TypeError):
        hash(Changing(1))
    assert Single(1) != Single(1)
    assert len({Single(1), Single(1)}) == 2


def test_a_pickle_holds_every_field() -> None:
    from patolli.diagnostics import Problem, Span

    problem = Problem("P0001", "words", Span("a.yaml", 1, 2, 3, 4), "help", ((Span("b.yaml", 1, 1, 1, 1), "there"),))
    assert pickle.loads(pickle.dumps(problem)) == problem


PUBLIC = [one for name in patolli.__all__ if dataclasses.is_dataclass(one := getattr(patolli, name))]


@pytest.mark.parametrize("public", PUBLIC, ids=lambda one: one.__name__)
def test_what_users_are_given_cannot_be_changed_by_mistake(public: Any) -> None:
    made = public.__new__(public)
    for field in dataclasses.fields(public):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, field.name, 1)
