"""Which packs go together: versions, conflicts, circles, order."""

from __future__ import annotations

from pathlib import Path

import pytest
from examples import module
from hypothesis import given
from hypothesis import strategies as st
from packmaker import spliced

from patolli.language.diagnostics import ContentError
from patolli.language.packs.selection import select
from patolli.language.packs.version_ranges import in_range

ANY = '{sample: ">=1.0"}'


def chosen(folder, *modules):
    pack, paths = spliced(folder, "".join(modules))
    return select(pack, paths)


def codes(folder, *modules):
    with pytest.raises(ContentError) as caught:
        chosen(folder, *modules)
    return [problem.code for problem in caught.value.problems]


def test_order_is_depth_then_id(tmp_path):
    _, order = chosen(
        tmp_path,
        module("a_late", '{sample: ">=1.0", z_early: ">=1.0"}'),
        module("z_early", ANY),
        module("m_early", ANY),
        module("b_last", '{a_late: ">=1.0"}'),
    )

    assert [pack.id for pack in order] == ["m_early", "z_early", "a_late", "b_last"]


def test_naming_a_module_twice_is_once(tmp_path):
    pack, (path,) = spliced(tmp_path, module("extra", ANY))
    _, order = select(pack, [path, path])

    assert [p.id for p in order] == ["extra"]


@pytest.mark.parametrize(
    ("modules", "wanted"),
    [
        pytest.param([module("extra", '{sample: ">=2.0"}')], ["P0114"], id="version"),
        pytest.param([module("extra", '{sample: ">=1.0", gone: ">=1.0"}')], ["P0113"], id="missing"),
        pytest.param(
            [module("extra", '{sample: "<1.0", gone: ">=1.0"}')],
            ["P0114", "P0113"],
            id="all reasons are reported",
        ),
        pytest.param([module("extra", ANY, "conflicts: [other]\n"), module("other", ANY)], ["P0115"], id="conflict"),
        pytest.param(
            [module("extra", ANY), module("other", ANY, "conflicts: [extra]\n")],
            ["P0115"],
            id="conflict from the other side",
        ),
        pytest.param(
            [module("extra", ANY, "conflicts: [other]\n"), module("other", ANY, "conflicts: [extra]\n")],
            ["P0115"],
            id="conflict from both sides is reported once",
        ),
        pytest.param(
            [
                module("extra", '{sample: ">=1.0", other: ">=1.0"}'),
                module("other", '{sample: ">=1.0", extra: ">=1.0"}'),
            ],
            ["P0116"],
            id="circle",
        ),
        pytest.param([module("extra", '{sample: ">=1.0", extra: ">=1.0"}')], ["P0116"], id="circle of one"),
        pytest.param([module("extra", "")], ["P0117"], id="no module"),
        pytest.param([module("other", ""), module("extra", '{other: ">=1.0"}')], ["P0117"], id="of another game"),
    ],
)
def test_refused(tmp_path, modules, wanted):
    assert codes(tmp_path, *modules) == wanted


@pytest.mark.parametrize(
    ("version", "wanted", "good"),
    [
        ("1.0.0", ">=1.0", True),
        ("1.0.0", ">=1.0.1", False),
        ("1.2.0", ">=1.0,<2.0", True),
        ("2.0.0", ">=1.0,<2.0", False),
        ("2.0.0", ">=1.0, <=2.0", True),
        ("1.2.3", "1.2.3", True),
        ("1.2.3", "==1.2", False),
        ("1.2.0", "==1.2", True),
        ("1.2.3", "!=1.2.3", False),
        ("10.0.0", ">9.9.9", True),
        ("1.2.3", "*", True),
        ("1.2.3", "newest", False),
        ("1.2.3", "", False),
    ],
)
def test_range(version, wanted, good):
    assert in_range(version, wanted) is good


def test_module_of_another_game_is_reported_at_its_own_line(tmp_path):
    pack, (extra, other) = spliced(tmp_path, module("extra", '{other: ">=1.0"}') + module("other", ""))
    with pytest.raises(ContentError) as caught:
        select(pack, [extra, other])

    (problem,) = caught.value.problems
    assert problem.message == "'extra' is a module of 'other', not of 'sample'"
    assert Path(problem.span.path).parent.name == "extra"


VERSIONS = st.tuples(*(st.integers(0, 12) for _ in range(3)))


def written(version):
    return ".".join(map(str, version))


@given(VERSIONS, VERSIONS)
def test_range_orders_versions_as_numbers(one, two):
    first, second = written(one), written(two)

    assert in_range(first, f">={second}") is (one >= two)
    assert in_range(first, f"<{second}") is (one < two)
    assert in_range(first, f"=={second}") is (one == two)
    assert in_range(first, f">={second},<={second}") is (one == two)
    assert in_range(first, f">{second}") is not in_range(first, f"<={second}")


@given(VERSIONS, st.text(alphabet="0123456789.,<>=!~* ", max_size=12))
def test_no_range_breaks(version, wanted):
    assert in_range(written(version), wanted) in (True, False)


@given(VERSIONS, VERSIONS)
def test_compatible_release(one, two):
    """``~=1.2`` is at least 1.2 and still 1; ``~=1.2.3`` is at least that and still 1.2."""
    assert in_range(written(one), f"~={two[0]}.{two[1]}") is (one >= (*two[:2], 0) and one[0] == two[0])
    assert in_range(written(one), f"~={written(two)}") is (one >= two and one[:2] == two[:2])


@pytest.mark.parametrize(
    ("first", "second", "wanted"),
    [
        pytest.param("optional: [b]\n", "optional: [a]\n", ["a", "b"], id="both name each other"),
        pytest.param(
            "optional: [two]\nprovides: [one]\n", "optional: [one]\nprovides: [two]\n", ["a", "b"], id="roles"
        ),
        pytest.param("optional: [b]\n", "", ["b", "a"], id="one names the other"),
        pytest.param("order: [b, a]\n", "optional: [a]\n", ["b", "a"], id="an order is stronger than optional"),
    ],
)
def test_optional_packs_make_no_circle(tmp_path, first, second, wanted):
    _, order = chosen(tmp_path, module("a", ANY, first), module("b", ANY, second))

    assert [pack.id for pack in order] == wanted


def test_an_order_against_a_requirement_is_a_circle(tmp_path):
    assert codes(tmp_path, module("a", '{sample: ">=1.0", b: ">=1.0"}'), module("b", ANY, "order: [a, b]\n")) == [
        "P0116"
    ]
