"""Pictures of packs that are SVG, as shapes for paper."""

from __future__ import annotations

import shutil
from math import hypot

import pytest

from patolli.author.workspace import load
from patolli.language.packs.discovery import find
from patolli.serve.studio.drawing.vectors import Undrawable, picture_of, trace_path
from patolli.serve.studio.sheets.sheet import Wanted, sheets_of

pytest.importorskip("PIL")
pytest.importorskip("fontTools")
SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">{}</svg>'
MANY = '<rect id="a0" width="1" height="1"/>' + "".join(
    f'<g id="a{n}">{f"""<use href="#a{n - 1}"/>""" * 10}</g>' for n in range(1, 12)
)


def shapes(text):
    return picture_of(SVG.format(text).encode()).shapes


def ends(steps):
    return [(kind, tuple(round(one, 6) for one in points[-1]) if points else ()) for kind, points in steps]


@pytest.mark.parametrize(
    ("path", "same"),
    [
        pytest.param("M1 2 3 4H5V6Z", "M1,2L3,4L5,4L5,6Z", id="straight lines"),
        pytest.param("m1 2l2 2h2v2z", "M1 2L3 4L5 4L5 6z", id="from where the pen is"),
        pytest.param("M0 0L1-1.5.5.5", "M0 0L1 -1.5L.5 .5", id="numbers without anything between"),
        pytest.param("M0 0C1 1 2 1 3 0S5-1 6 0", "M0 0C1 1 2 1 3 0C4 -1 5 -1 6 0", id="handle turned around"),
        pytest.param("M0 0Q3 3 6 0", "M0 0C2 2 4 2 6 0", id="quadratic curve"),
        pytest.param("M0 0Q3 3 6 0T12 0", "M0 0C2 2 4 2 6 0C8 -2 10 -2 12 0", id="quadratic curve that goes on"),
        pytest.param("M0 0a2 2 0 014 0", "M0 0a2 2 0 0 1 4 0", id="flags without anything between"),
        pytest.param("M0 0a2 2 0 0\n1\n4 0", "M0 0a2 2 0 0 1 4 0", id="flags in lines of their own"),
        pytest.param("M1 1zl1 1", "M1 1zM1 1L2 2", id="on from where a part began"),
    ],
)
def test_paths_that_are_the_same(path, same):
    one, other = trace_path(path), trace_path(same)
    flat = [[round(x, 9) for point in points for x in point] for _, points in one]
    assert flat == [[round(x, 9) for point in points for x in point] for _, points in other]


def test_points_of_an_arc_lie_on_its_ellipse():
    for path, (x, y), radius, quarters in [
        ("M0 0A5 5 0 0 1 10 0", (5, 0), 5, 2), ("M5 0A5 5 0 1 0 0 5", (0, 0), 5, 3), ("M0 0A1 1 0 0 0 0 8", (0, 4), 4, 2),
    ]:  # fmt: skip
        steps = trace_path(path)
        assert len(steps) == 1 + quarters, path
        for _, points in steps:
            assert hypot(points[-1][0] - x, points[-1][1] - y) == pytest.approx(radius)
    (shape,) = shapes('<ellipse cx="1" cy="2" rx="3" ry="4"/>')
    assert {tuple(map(round, points[-1])) for kind, points in shape.steps if kind == "C"} == {
        (1, 6), (-2, 2), (1, -2), (4, 2),
    }  # fmt: skip


@pytest.mark.parametrize("path", ["L1 1", "M1", "M1 1X2 2", "M1 1z 3", "M1 1A1 1 0 2 0 3 3", "M1 1L1e"])
def test_path_that_is_none_is_refused(path):
    with pytest.raises(ValueError, match=r"[Pp]ath|coordinates|command"):
        trace_path(path)


def test_parts_are_moved_and_have_the_looks_of_the_whole():
    (shape,) = shapes(
        '<g transform="translate(2 3) scale(2)" fill="#A30" stroke="blue" stroke-width="1.5" opacity=".5">'
        '<g transform="rotate(90)"><rect width="1" height="2" style="fill-opacity: 50%; fill-rule: evenodd"/></g></g>'
    )
    assert ends(shape.steps) == [("M", (2, 3)), ("L", (2, 5)), ("L", (-2, 5)), ("L", (-2, 3)), ("L", (2, 3)), ("Z", ())]
    assert (shape.fill, shape.edge, shape.thick, shape.clear, shape.odd) == ("#aa3300", "#0000ff", 3, (0.25, 0.5), True)


def test_what_is_used_again_and_gradients():
    one, other = shapes(
        '<defs><linearGradient id="g"><stop stop-color="#000"/><stop style="stop-color: #204060"/></linearGradient>'
        '<linearGradient id="h" xlink:href="#g"/><circle id="c" r="1"/></defs>'
        '<use href="#c" x="4" y="5" fill="url(#h)"/><polygon points="0,0 1,0 1,1"/>'
    )
    assert one.fill == "#102030"
    assert ends(one.steps)[0] == ("M", (5, 5))
    assert [kind for kind, _ in other.steps] == ["M", "L", "L", "Z"]
    assert shapes('<rect width="3" height="0"/><path d="M0 0h2" fill="none"/><title>none</title>') == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("<text>a</text>", "'text'", id="letters"),
        pytest.param('<image href="#a"/>', "'image'", id="picture inside"),
        pytest.param('<g mask="url(#m)"/>', "a mask", id="mask"),
        pytest.param('<rect width="2em" height="1"/>', "'2em'", id="length in another measure"),
        pytest.param('<rect width="2" height="1" fill="url(#p)"/>', "no gradient", id="pattern"),
        pytest.param('<rect width="2" height="1" fill="sky"/>', "'sky'", id="unknown colour"),
        pytest.param('<use href="#b"/>', "not there", id="nothing to use"),
        pytest.param('<g id="b"><use href="#b"/></g>', "too deep", id="in a circle"),
        pytest.param('<g transform="warp(1)"/>', "'warp'", id="unknown move"),
        pytest.param("<style>a{fill:red}</style>", "'style'", id="style sheet"),
        pytest.param('<path d="0"/>', "Path", id="path"),
        pytest.param('<path d="M1 1L1e300 2"/>', "too far", id="far away"),
        pytest.param(MANY, "more than 5,000 shapes", id="many shapes in few bytes"),
    ],
)
def test_what_is_left_to_browsers(text, words):
    with pytest.raises(Undrawable, match=words):
        shapes(text)


@pytest.mark.parametrize(
    ("inside", "drawn"),
    [
        pytest.param('<path d="M1 1C3 1 9 4 9 9z" fill="#123456"/>', True, id="drawn"),
        pytest.param('<path d="M1 1C3 1 9 4 9 9z" fill="#123456"/><text>a</text>', False, id="the sign instead"),
    ],
)
def test_printed_card_shows_the_picture(tmp_path, inside, drawn):
    pytest.importorskip("reportlab")
    pypdf = pytest.importorskip("pypdf")
    found = tmp_path / "cards"
    shutil.copytree(find("goofspiel"), found)
    (found / "LICENSE").write_text("SPDX-License-Identifier: CC0-1.0\n", "utf-8")
    (found / "prize.svg").write_text(SVG.format(inside), "utf-8")
    kind = next(kind for kind in load(str(found)).model.kinds.values() if kind.designs).name
    panels = found / "panels.yaml"
    panels.write_text(panels.read_text("utf-8").replace(f"  {kind}: {{", f"  {kind}: {{art: prize.svg, "), "utf-8")
    (tmp_path / "sheet.pdf").write_bytes(sheets_of(load(str(found)), Wanted(kinds=(kind,))).data)

    page = pypdf.PdfReader(tmp_path / "sheet.pdf").pages[0].get_contents().get_data().decode("latin-1")
    assert (".070588 .203922 .337255 rg" in page) == drawn
