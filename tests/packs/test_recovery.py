"""What is left of a document with mistakes in it, and which names are lost with the rest."""

from __future__ import annotations

from pathlib import Path

import pytest
from packmaker import problems

from patolli.author.workspace import inspect
from patolli.language.packs.manifest import understand
from patolli.language.packs.recovery import recover
from patolli.language.sources import Mapping, plain

HEAD = "document: pack\nid: orchard\nversion: 1.0.0\nlanguage: 1\ntitle: The orchard\nplayers: {min: 2, max: 4}\n"
RULES = "document: rules\nrules:\n  setup: gain 1 apple; gain 1 plum\n  match: gian 1 plum\n  extra: gain 1 cherri\n"


def left(text: str) -> tuple[object, set[str]]:
    tree, _, problems = understand(text, "model.yaml")
    assert isinstance(tree, Mapping)
    kept, lost = recover(tree, problems)
    return (plain(kept) if kept is not None else None), lost


@pytest.mark.parametrize(
    ("text", "kept", "lost"),
    [
        pytest.param(
            "counters: {apple: {per: player}}\n",
            {"counters": {"apple": {"per": "player"}}},
            set(),
            id="nothing wrong",
        ),
        pytest.param(
            "counters:\n  apple: {per: player}\n  plum: {pre: player}\n  pear: {per: player}\n",
            {"counters": {"apple": {"per": "player"}, "pear": {"per": "player"}}},
            {"plum", "pre", "player"},
            id="one entry",
        ),
        pytest.param(
            "counters:\n  apple: {pre: player, mx: 9}\n  plum: {pre: player}\n  pear: {per: player}\n",
            {"counters": {"pear": {"per": "player"}}},
            {"apple", "plum", "pre", "mx", "player"},
            id="several mistakes in one entry, and another entry",
        ),
        pytest.param(
            "counter:\n  apple: {per: player}\nkinds: {basket: {}}\n",
            {"kinds": {"basket": {}}},
            {"counter", "apple", "per", "player"},
            id="a whole section",
        ),
        pytest.param(
            "counters: {apple: {per: player}}\nkinds: []\n",
            {"counters": {"apple": {"per": "player"}}},
            {"kinds"},
            id="a section of another shape",
        ),
        pytest.param(
            "counters:\n  apple: {max: 1}\n  plum: {}\n  apple: {max: 2}\n",
            {"counters": {"apple": {"max": 1}, "plum": {}}},
            {"document", "model", "counters", "apple", "plum", "max"},
            id="a key given twice: the words of both",
        ),
    ],
)
def test_recover(text, kept, lost):
    found, words = left(f"document: model\n{text}")

    assert found == {"document": "model", **kept}
    assert words == lost


def test_document_without_a_key_it_needs_is_left_out():
    tree, _, problems = understand("document: pieces\npieces:\n  small: {}\n", "pieces.yaml")
    assert isinstance(tree, Mapping)

    assert recover(tree, problems) == (None, {"document", "pieces", "small"})


def found_in(folder: Path, **files: str) -> list[tuple[str, str, int]]:
    (folder / "pack.yaml").write_text(files.pop("pack", HEAD), "utf-8")
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return [(p.code, Path(p.span.path).stem, p.span.line) for p in inspect(str(folder)).problems]


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        pytest.param("document: model\ncounters:\n  apple: {max: 9}\n  plum: {mx: 9}\n", ("P0050", 4), id="shape"),
        pytest.param("document: model\ncounters:\n  apple: {max: 9}\n  plum: {max: 9\n", ("P0035", 4), id="syntax"),
        pytest.param("document: modle\ncounters:\n  apple: {max: 9}\n  plum: {max: 9}\n", ("P0059", 1), id="kind"),
        pytest.param("document: model\ncounters:\n  apple: {max: 9}\n  plum: {max: 010}\n", ("P0020", 4), id="doubt"),
    ],
)
def test_other_files_are_checked_all_the_same(tmp_path, model, expected):
    """Problems that the broken entry causes are not reported; the mistakes of the rules are."""
    found = found_in(tmp_path, model=model, rules=RULES)

    assert found == [(expected[0], "model", expected[1]), ("P0101", "rules", 4), ("P0201", "rules", 5)]


def test_names_that_stand_in_no_document_are_lost_with_it(tmp_path):
    """Cells are named by their grid, and pieces have a design when there are any."""
    model = "document: model\nkinds: {tree: {}}\nplaces: {wood: {of: tree, type: pile}}\n"
    grids = "document: model\ngrids:\n  field: {rows: 2, columns: 2, fields: {sown: bool = false}}\n\t\n"
    trees = "document: pieces\nkind: tree\nplace: wood\npieces:\n  oak: {copies: 2}\n\t\n"
    rules = "document: rules\nrules:\n  match: |\n    set b2.sown to true\n    let t = top(wood)\n    if t and t.design == oak: move t to box\n"
    found = found_in(tmp_path, model=model, grids=grids, trees=trees, rules=rules)

    assert found == [("P0002", "grids", 4), ("P0002", "trees", 6)]


def test_small_mistake_in_the_manifest_hides_nothing(tmp_path):
    found = found_in(tmp_path, pack=HEAD.replace("The orchard", "1848"), model=RULES)

    assert ("P0052", "pack", 5) in found
    assert ("P0101", "model", 4) in found


def test_manifest_that_cannot_be_read_does_not_hide_other_files(tmp_path):
    found = found_in(
        tmp_path, pack="document: pack\nid: 'orchard\n", model="document: model\n\tcounters: {pear: {per: player}}\n"
    )

    assert found == [("P0032", "pack", 2), ("P0002", "model", 2)]


def test_file_that_cannot_be_opened_silences_names(tmp_path):
    (tmp_path / "model.yaml").symlink_to("nowhere.yaml")

    assert found_in(tmp_path, rules=RULES) == [("P0010", "model", 1)]


def test_a_tab_hides_nothing_else_in_its_file(tmp_path):
    lines = "document: rules\nrules:\n\tpolish:\n\t\tdo: gain 1 coyn\n\t\ttext:\tShine.\n\tdust: gain 1 nuut\n"
    trigger = "triggers:\n  shine: {after: dig, do: polish(); dust()}\n"

    found = problems(tmp_path, lines + trigger)

    assert [(p.code, p.span.line, p.span.column) for p in found] == [
        ("P0002", 3, 1),
        ("P0201", 4, 14),
        ("P0201", 6, 15),
    ]


def test_a_tab_is_meant_as_wide_as_the_lines_around_it_need(tmp_path):
    lines = "document: rules\nrules:\n    polish:\n\tdo: gain 1 coyn\n"

    found = problems(tmp_path, lines + "triggers:\n    shine: {after: dig, do: polish()}\n")

    assert [(p.code, p.span.line, p.span.column) for p in found] == [("P0002", 4, 1), ("P0201", 4, 13)]


def test_what_comes_with_a_grid_is_lost_with_it(tmp_path):
    """Its cells and the ways to lay a shape on it stand in no document."""
    model = (
        "document: model\nshapes: {pair: ['##']}\ngrids:\n  field: {rows: 2, columns: 2, texts: A field}\n"
        "kinds:\n  plot: {fields: {at: field_placement or none}}\n"
    )
    rules = "document: rules\nrules:\n  match: lay(a1)\n  lay(field_placement at): nothing\n"

    assert [one for one in found_in(tmp_path, model=model, rules=rules) if one[0] > "P0060"] == []
