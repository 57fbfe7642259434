"""The register of codes is complete and well-formed."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

import patolli
from patolli.language.diagnostics.codes import CODES, FAMILIES, explain, read_family

ENGINE = Path(patolli.__file__ or "").parent


def test_entry(subtests: pytest.Subtests) -> None:
    for code in CODES.values():
        with subtests.test(code.code):
            assert re.fullmatch(r"P\d{4}", code.code)
            assert code.title
            assert not code.title.endswith(".")
            assert code.meaning.endswith(".")
            assert code.why.endswith(".")
            assert bool(code.wrong) == bool(code.right)
            assert code.wrong != code.right or not code.wrong


def test_codes_stand_in_order() -> None:
    assert list(CODES) == sorted(CODES)


def test_ranges_of_families_do_not_meet() -> None:
    ranges = sorted(tuple(one.split("-")) for family in FAMILIES for one in family.ranges)

    assert all(re.fullmatch(r"P\d{4}", end) for ends in ranges for end in ends)
    assert all(first <= last for first, last in ranges)
    assert all(before[1] < after[0] for before, after in pairwise(ranges))


def test_every_family_has_a_free_number() -> None:
    """Who adds a code needs no new range first."""
    numbers = {family.title: [f"P{n:04}" for n in range(10_000) if f"P{n:04}" in family] for family in FAMILIES}

    assert [family.title for family in FAMILIES if set(numbers[family.title]) <= set(CODES)] == []


SECTION = "## P0440: a title (warning)\n\nWhat was found.\n\nWhy.\n\n"


@pytest.mark.parametrize(
    ("sections", "error"),
    [
        (SECTION + SECTION, "P0440 is defined twice"),
        (SECTION.replace("P0440", "P0001"), "P0001 does not belong to the family 'Habits'"),
        (SECTION.replace("Why.\n\n", ""), "P0440 needs what it means and why"),
        (SECTION + "Wrong:\n\n```yaml\na: b\n```\n", "P0440 needs .* two examples or none"),
    ],
)
def test_incomplete_section_is_refused(sections: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        read_family("# Habits\n\nP0440-P0449, P0460-P0479\n\n" + sections)


def test_explain_shows_all_parts() -> None:
    text = explain("P0003")
    code = CODES["P0003"]

    assert text.startswith("P0003: key given twice (error)\n")
    for part in (code.meaning, code.why, "Wrong:", "Right:", "    coin: {max: 9}"):
        assert part in text
    assert "Wrong:" not in explain("P0010")


@pytest.mark.parametrize("room", ["diagnostics", "sources"])
def test_every_code_that_is_reported_is_registered(room: str) -> None:
    written = "".join(path.read_text("utf-8") for path in (ENGINE / "language" / room).glob("*.py"))
    used = set(re.findall(r'"(P\d{4})"', written))

    assert used <= set(CODES)


def test_every_code_of_reading_is_reported_somewhere() -> None:
    written = "".join(path.read_text("utf-8") for path in (ENGINE / "language" / "sources").glob("*.py"))
    used = set(re.findall(r'"(P\d{4})"', written))

    assert {code for code in CODES if code < "P0100"} <= used
