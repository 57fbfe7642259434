"""Pictures that packs bring: which are refused, and who shows them."""

from __future__ import annotations

import shutil
import struct
import zlib

import pytest
from studio.browsing import browse
from studio.sitting_down import Client

from patolli.packs.discovery import find
from patolli.sources.pictures import LARGEST, flaw
from patolli.studio.gallery.page import gallery_of
from patolli.studio.sheets.sheet import Wanted, sheets_of
from patolli.workspace import inspect, load

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
        pytest.param(SVG.format('<image href="https://example.org/a.png"/>'), "another file", id="file from elsewhere"),
        pytest.param(SVG.format('<use href="other.svg#a"/>'), "another file", id="part of another file"),
        pytest.param(SVG.format('<g style="fill: url(http://example.org/a)"/>'), "another file", id="url in a style"),
        pytest.param(SVG.format("<style>@import 'a.css';</style>"), "loads", id="style sheet from elsewhere"),
        pytest.param(SVG.format("<foreignObject/>"), "no drawing", id="a page inside"),
        pytest.param('<!DOCTYPE svg [<!ENTITY a "b">]>' + SVG, "document type", id="entities"),
        pytest.param("<svg viewBox='0 0 1 1'/>", "namespace", id="no SVG"),
        pytest.param('<svg xmlns="http://www.w3.org/2000/svg"/>', "viewBox", id="no size"),
        pytest.param("<svg", "no XML", id="no XML"),
        pytest.param(SVG.format("<g/>" * LARGEST), "bytes", id="too large"),
    ],
)
def test_what_an_svg_may_hold(text, words):
    found = flaw(text.encode(), ".svg")

    assert found == "" if not words else words in found


def test_what_a_png_may_be():
    assert flaw(png(), ".png") == ""
    assert flaw(b"GIF89a", ".png") == "it is no PNG"
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
    plain = len(sheets_of(load(str(found)), Wanted()).data)
    (found / "prize.png").write_bytes(png(60, 60))
    kind = next(kind for kind in load(str(found)).model.kinds.values() if kind.designs).name
    (found / "more.yaml").write_text(f"document: panels\nsymbols:\n  {kind}: {{art: prize.png}}\n", "utf-8")
    rules = load(str(found))

    assert len(sheets_of(rules, Wanted()).data) > plain
    assert any(face.art is not None for group in gallery_of(rules).cards for face in group.faces)
