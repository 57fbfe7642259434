"""Problems are sorted, folded and counted; the order in which they were found does not matter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patolli.language.diagnostics.order import fold, in_order, summary
from patolli.language.diagnostics.problem import Problem, Span


def problem(code: str = "P0001", path: str = "a", line: int = 1, severity: str = "error") -> Problem:
    span = Span(path, line, 1, line, 2)
    return Problem(code, f"about {code}", span, severity="warning" if severity == "warning" else "error")


WARNING = problem("P0400", severity="warning")


@pytest.mark.parametrize(
    ("problems", "files", "text"),
    [
        ([], None, "no problems"),
        ([], 3, "no problems in 3 files"),
        ([problem()], None, "1 error in 1 file"),
        ([WARNING], None, "1 warning in 1 file"),
        ([problem(), problem(line=2), WARNING], None, "2 errors, 1 warning in 1 file"),
        ([problem(), problem(path="b"), WARNING], 3, "2 errors, 1 warning in 3 files"),
        ([problem(), problem()], None, "1 error in 1 file"),
    ],
)
def test_summary(problems: list[Problem], files: int | None, text: str) -> None:
    assert summary(problems, files) == text


def test_errors_come_before_warnings_of_one_place() -> None:
    assert in_order([problem("P0400", severity="warning"), problem("P0500")])[0].code == "P0500"


def test_repeats_fold_over_all_files() -> None:
    found = fold([problem(line=3), problem(path="b"), problem(line=1), problem(line=3), problem("P0002")])

    assert [(each.problem.code, each.problem.span.path, each.count, len(each.more)) for each in found] == [
        ("P0001", "a", 4, 2),
        ("P0002", "a", 1, 0),
    ]


def test_same_words_about_other_things_do_not_fold() -> None:
    found = fold([problem(line=3), problem(line=1), problem(line=2)], lambda span: "coin" if span.line < 3 else "card")

    assert [(each.problem.span.line, each.count) for each in found] == [(1, 2), (3, 1)]


PROBLEMS = st.builds(
    problem,
    st.sampled_from(["P0001", "P0002"]),
    st.sampled_from("ab"),
    st.integers(1, 3),
    st.sampled_from(["error", "warning"]),
)


@pytest.mark.deep
@settings(derandomize=True)
@given(problems=st.lists(PROBLEMS, max_size=8), data=st.data())
def test_order_of_finding_does_not_matter(problems: list[Problem], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(problems))

    assert in_order(shuffled) == in_order(problems)
    assert fold(shuffled) == fold(problems)
    assert summary(shuffled) == summary(problems)
