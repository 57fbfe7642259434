"""Mistakes as people make them: each is reported where it is, once, with help."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted.mistakes import MISTAKES, PACK
from planted.planting import Mistake, Place, copied, found, planted
from tiers import few


@pytest.fixture(scope="module")
def pack(tmp_path_factory) -> Path:
    return copied(PACK, tmp_path_factory.mktemp("planted"))


@pytest.mark.parametrize(
    "mistake", few(MISTAKES, 0, 6, 12, 18, 24, 30, 36, 42, 48, 54, 60, deep=15), ids=lambda mistake: mistake.what
)
def test_mistake_is_reported_where_it_is(pack: Path, mistake: Mistake):
    with planted(pack, mistake) as place:
        problems = found(pack)

    first = problems[0]
    where = Place(str(Path(first.span.path).relative_to(pack)), first.span.line, first.span.column)
    assert (first.code, where) == (mistake.code, place), first.message
    assert mistake.help in first.help
    assert {(problem.code, problem.message) for problem in problems} == {(first.code, first.message)}
    assert len(problems) == mistake.times


def test_nothing_is_reported_without_a_mistake(pack: Path):
    assert found(pack) == []


def test_every_mistake_is_another_one():
    assert len({(m.file, m.new) for m in MISTAKES}) == len({m.what for m in MISTAKES}) == len(MISTAKES) >= 45
