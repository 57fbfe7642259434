"""Pictures that packs bring: which are refused, and who shows them."""

from __future__ import annotations

import shutil
import struct
import time
import zlib

import pytest
from busy import within
from studio.browsing import browse
from studio.sitting_down import Client

from patolli.author.workspace import inspect, load
from patolli.language.packs.discovery import find
from patolli.language.sources.pictures import LARGEST, flaw
from patolli.serve.studio.gallery.page import gallery_of
from patolli.serve.studio.sheets.sheet import Wanted, sheets_of

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">{}</svg>'
DISC = SVG.format('<defs><linearGradient id="g"/></defs><circle cx="5" cy="5" r="4" fill="url(#g)" stroke="#a33"/>')


def png(wide=2, high=2):
    def part(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = zlib.compress((b"\0" + b"\x40\x80\xc0" * wide) * high)
    return (
        b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", wide, high, 8, 2, 0, 0, 0)) + part(b"IDAT", rows)
        + part(b"IEND", b"")
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param(DISC, "", id="a drawing"),
        pytest.param(SVG.format("<script>1</script>"), "'script'", id="script"),
        pytest.param(SVG.format('<g onclick="1"/>'), "'onclick'", id="handler"),
        pytest.param(
            SVG.format('<image href="https://example.org/a.png"/>'), "not part of a drawing", id="file from elsewhere"
        ),
        pytest.param(
            SVG.format('<image href="data:image/png;base64,AA=="/>'), "not part of a drawing", id="picture inside"
        ),
        pytest.param(SVG.format('<a href="#a"/>'), "not part of a drawing", id="link"),
        pytest.param(SVG.format('<set attributeName="x"/>'), "not part of a drawing", id="what moves"),
        pytest.param(
            SVG.format('<h:p xmlns:h="http://www.w3.org/1999/xhtml"/>'), "not part of a drawing", id="element of a page"
        ),
        pytest.param(
            SVG.format('<h:g xmlns:h="http://www.w3.org/1999/xhtml"/>'),
            "not part of a drawing",
            id="same name elsewhere",
        ),
        pytest.param(
            SVG.format('<metadata><script xmlns="http://www.w3.org/1999/xhtml"/></metadata>'),
            "not part of a drawing",
            id="script in metadata",
        ),
        pytest.param(SVG.format("<feImage href='#a'/>"), "not part of a drawing", id="picture in a filter"),
        pytest.param(SVG.format('<g xml:base="http://a.org/"/>'), "'base'", id="base of addresses"),
        pytest.param(SVG.format('<g oNload="1"/>'), "'oNload'", id="handler in capitals"),
        pytest.param(SVG.format('<g src="#a"/>'), "'src'", id="source"),
        pytest.param(SVG.format(r'<g fill="\75rl(http://a.org/a)"/>'), "backslash", id="escape in an attribute"),
        pytest.param(SVG.format(r'<g style="fill: u\72l(http://a.org/a)"/>'), "backslash", id="escape in a style"),
        pytest.param(SVG.format(r"<style>g { fill: \75rl(//a.org/a) }</style>"), "backslash", id="escape in a sheet"),
        pytest.param(
            SVG.format('<g style="mask: image-set(&quot;//a.org/a&quot; 1x)"/>'), "'image-set'", id="set of images"
        ),
        pytest.param(
            SVG.format('<g mask="-webkit-image-set(url(#a) 1x)"/>'),
            "'-webkit-image-set'",
            id="set of images as an attribute",
        ),
        pytest.param(SVG.format('<g style="fill: src(&quot;//a.org&quot;)"/>'), "'src'", id="source in a style"),
        pytest.param(SVG.format('<g fill="URL( //a.org/a )"/>'), "another file", id="url in capitals"),
        pytest.param(SVG.format('<g fill="url (//a.org/a)"/>'), "another file", id="url and a space"),
        pytest.param(SVG.format('<g fill="url(#a) url(b)"/>'), "another file", id="second url"),
        pytest.param(SVG.format('<g fill="url(\'#a"/>'), "another file", id="url without an end"),
        pytest.param(SVG.format('<g style="background: red"/>'), "'background'", id="property of a page"),
        pytest.param(SVG.format("<style>g { fill: red; behavior: x }</style>"), "'behavior'", id="property in a sheet"),
        pytest.param(SVG.format("<style>@font-face { font-family: a }</style>"), "loads", id="font"),
        pytest.param(
            SVG.format("<style>/* @import */ .a:hover, #b { fill: url(#c); font: 1px a } .d{stroke:red}</style>"),
            "",
            id="sheet",
        ),
        pytest.param(
            SVG.format(
                '<g style="fill:rgb(1,2,3);stroke-width:1" transform="translate(1) scale(2)" data-name="a(b)"/>'
            ),
            "",
            id="style",
        ),
        pytest.param(
            SVG.format('<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><rect filter="url(#f)"/>'),
            "",
            id="shadow",
        ),
        pytest.param(SVG.format('<text xml:space="preserve">a <tspan>b</tspan></text>'), "", id="words"),
        pytest.param(
            SVG.format('<symbol id="s"><path d="M0 0h1"/></symbol>' + '<use href="#s"/>' * 500), "", id="used often"
        ),
        pytest.param(SVG.format('<use href="other.svg#a"/>'), "another file", id="part of another file"),
        pytest.param(SVG.format('<g style="fill: url(http://example.org/a)"/>'), "another file", id="url in a style"),
        pytest.param(SVG.format("<style>@import 'a.css';</style>"), "loads", id="style sheet from elsewhere"),
        pytest.param(SVG.format("<foreignObject/>"), "not part of a drawing", id="a page inside"),
        pytest.param('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG, "document type", id="entities"),
        pytest.param("<svg viewBox='0 0 1 1'/>", "namespace", id="no SVG"),
        pytest.param('<svg xmlns="http://www.w3.org/2000/svg"/>', "viewBox", id="no size"),
        pytest.param("<svg", "not XML", id="no XML"),
        pytest.param(SVG.format("<g/>" * LARGEST), "bytes", id="too large"),
    ],
)
def test_what_an_svg_may_hold(text, words):
    found = flaw(text.encode(), ".svg")

    assert found == "" if not words else words in found


def doubled(begin, link):
    """Return a picture in which each part uses the one before twice."""
    parts = [begin, *(link.format(number, number - 1) for number in range(1, 30))]
    return SVG.format("".join(parts))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(doubled('<g id="a0"><rect/></g>', '<g id="a{0}"><use href="#a{1}"/><use href="#a{1}"/></g>'), id="use"),
        pytest.param(doubled('<symbol id="a0"/>', '<symbol id="a{0}"><use href="#a{1}"/><use href=" #a{1} "/></symbol>') , id="symbol"),
        pytest.param(doubled('<pattern id="a0"><rect/><rect/></pattern>', '<pattern id="a{0}"><rect fill="url(#a{1})"/><rect style="fill: url(#a{1})"/></pattern>'), id="pattern"),
        pytest.param(doubled('<mask id="a0"><rect/></mask>', '<mask id="a{0}" mask="url(#a{1})"><rect/><rect/></mask>'), id="mask"),
        pytest.param(SVG.format('<marker id="m">' + "<rect/>" * 200 + '</marker><g marker-mid="url(#m)"><path d="' + "1 " * 9000 + '"/></g>'), id="marker"),
        pytest.param(SVG.format('<pattern id="p">' + "<rect/>" * 2000 + "</pattern><style>rect{fill:url(#p)}</style>" + "<rect/>" * 2000), id="sheet"),
        pytest.param(SVG.format('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), id="circle"),
        pytest.param(SVG.format('<g id="a"><use href="#a"/></g>'), id="itself"),
        pytest.param(SVG.format("<g>" * 30_000 + "</g>" * 30_000), id="deep"),
        pytest.param(SVG.format('<g id="a0"/>' + "".join(f'<g id="a{n}"><use href="#a{n + 1}"/></g>' for n in range(1, 5000))), id="chain"),
    ],
)  # fmt: skip
def test_what_draws_without_end_is_refused(text):
    began = time.process_time()
    found = flaw(text.encode(), ".svg")

    assert "draw" in found or "deep" in found
    assert time.process_time() - began < within(2)


@pytest.mark.parametrize(
    "style", ["a" * 280_000, "a:b;" * 70_000, "{" * 280_000, "url (" * 50_000, " " * 280_000 + "a", "/*" * 140_000]
)
def test_odd_styles_are_looked_at_quickly(style):
    began = time.process_time()
    flaw(SVG.format(f'<g style="{style}"/>').encode(), ".svg")
    flaw(SVG.format(f"<style>{style}</style>").encode(), ".svg")

    assert time.process_time() - began < within(2)


def test_what_a_png_may_be():
    assert flaw(png(), ".png") == ""
    assert flaw(b"GIF89a", ".png") == "it is not a PNG"
    assert "larger than" in flaw(png(4000, 1), ".png")


@pytest.fixture
def folder(tmp_path):
    """A game with a picture of a player, one of a board, and one of cells."""
    found = tmp_path / "my_game"
    shutil.copytree(find("tic_tac_toe"), found)
    (found / "LICENSE").write_text("SPDX-License-Identifier: CC0-1.0\n", "utf-8")
    (found / "art").mkdir()
    (found / "art" / "cross.svg").write_text(DISC, "utf-8")
    (found / "art" / "board.png").write_bytes(png(30, 30))
    panels = found / "panels.yaml"
    text = panels.read_text("utf-8").replace("sign: X,", "sign: X, art: art/cross.svg,")
    panels.write_text(text.replace("show: mark}", "show: mark, art: art/board.png}"), "utf-8")
    return found


def test_missing_picture_is_a_problem_with_its_place(folder):
    assert inspect(str(folder)).problems == []
    (folder / "art" / "cross.svg").unlink()
    (folder / "art" / "board.png").write_bytes(b"nothing")

    found = {problem.message: problem for problem in inspect(str(folder)).problems}

    assert [problem.code for problem in found.values()] == ["P0507", "P0507"]
    missing = next(problem for words, problem in found.items() if "cross.svg" in words)
    assert (missing.span.line, missing.span.column) == (3, 28)
    assert "no such file" in missing.message
    assert str(folder / "art" / "cross.svg") in missing.help


@pytest.mark.parametrize("path", ["../secret.svg", "/etc/passwd.svg", "art/cross.gif", "https://a.org/a.svg"])
def test_picture_lies_in_the_folder_of_its_pack(folder, path):
    panels = folder / "panels.yaml"
    panels.write_text(panels.read_text("utf-8").replace("art/cross.svg", path), "utf-8")

    assert {problem.severity for problem in inspect(str(folder)).problems} == {"error"}


def test_table_sends_only_what_its_content_names(folder):
    with Client() as client:
        table = client.table(str(folder), seed=1)
        got = client.ask("GET", f"/art/{table.id}/symbols/player_1")
        board = client.ask("GET", f"/art/{table.id}/panels/board")

        assert (got.headers["content-type"], got.text) == ("image/svg+xml", DISC)
        assert got.headers["content-security-policy"].startswith("default-src 'none'")
        assert got.headers["x-content-type-options"] == "nosniff"
        assert board.content == png(30, 30)
        nothing = client.ask("GET", f"/art/{table.id}/symbols/player_2")
        nowhere = client.ask("GET", "/art/zzzzzzzz/symbols/player_2")
        assert (nothing.status_code, nothing.text) == (nowhere.status_code, nowhere.text)
        assert nothing.status_code == 404
        (folder / "art" / "cross.svg").write_text(SVG.format("<script/>"), "utf-8")
        assert client.ask("GET", f"/art/{table.id}/symbols/player_1").status_code == 409


def test_picture_is_on_the_board(base, page, folder):
    at = browse.At(base, str(folder), 2, seed=1)
    at.state()
    at.move(0)
    page.goto(at.link)
    page.wait_for_selector("svg.pictured image")

    piece = page.locator('.cell image[href$="/symbols/player_1"]')
    piece.wait_for()
    assert page.evaluate(
        "async (href) => { const one = new Image(); one.src = href; await one.decode(); return one.naturalWidth > 0; }",
        piece.get_attribute("href"),
    )


def test_gallery_and_sheet_show_the_picture(tmp_path):
    pytest.importorskip("reportlab")
    found = tmp_path / "cards"
    shutil.copytree(find("goofspiel"), found)
    (found / "LICENSE").write_text("SPDX-License-Identifier: CC0-1.0\n", "utf-8")
    assert b"/Subtype /Image" not in sheets_of(load(str(found)), Wanted()).data
    (found / "prize.png").write_bytes(png(60, 60))
    kind = next(kind for kind in load(str(found)).model.kinds.values() if kind.designs).name
    panels = found / "panels.yaml"
    panels.write_text(panels.read_text("utf-8").replace(f"  {kind}: {{", f"  {kind}: {{art: prize.png, "), "utf-8")
    rules = load(str(found))

    assert b"/Subtype /Image" in sheets_of(rules, Wanted()).data
    assert any(face.art is not None for group in gallery_of(rules).cards for face in group.faces)
