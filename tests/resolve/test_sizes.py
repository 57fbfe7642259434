"""Grids whose size turns on options: one pack for boards of several sizes."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems, spliced, trigger

from patolli.author.workspace import load

GRID = """# model2.yaml
document: model
grids:
  field: {rows: size, columns: breadth, prefix: f_, fields: {stone: player or none}}
constants:
  breadth: {type: int, value: {by: style, wide: 7, narrow: size + 1}}
"""


@pytest.fixture
def example(tmp_path):
    """Write the sample pack with two options more and a grid that turns on them."""

    def made(effect, rest="", grid=GRID):
        spliced(tmp_path, "")
        manifest = (tmp_path / "sample" / "pack.yaml").read_text("utf-8")
        with_more = manifest.replace(
            "options:\n",
            "options:\n  size: {range: [2, 5], default: 3}\n  style: {choices: [wide, narrow], default: narrow}\n",
        )
        assert with_more != manifest
        return f"# pack.yaml\n{with_more}{grid}# rules2.yaml\n{trigger(effect)}{rest}"

    return made


USE = "for c in field: set c.stone to me"


@pytest.mark.parametrize(
    ("options", "rows", "columns"),
    [({}, 3, 4), ({"size": 5}, 5, 6), ({"size": 2, "style": "wide"}, 2, 7)],
    ids=["as it is", "larger", "wide"],
)
def test_a_grid_is_as_large_as_the_options_say(tmp_path, example, options, rows, columns):
    pack, _ = spliced(tmp_path, example(USE))
    rules = load(pack, options=options)
    layout = rules.program(2).layout

    assert rules.resolved_program.kinds["field"].grid[:2] == (rows, columns)
    assert [i.id for i in layout.instances["field"]][-1] == f"f_{'abcdefg'[columns - 1]}{rows}"
    assert layout.size("field") == rows * columns


def test_a_cell_that_some_sizes_lack_may_be_none(tmp_path, example):
    found = [p for p in problems(tmp_path, example(f"{USE}\nset f_c3.stone to me")) if p.severity == "error"]

    assert [p.code for p in found] == ["P0303"]
    assert "with size 2" in found[0].help


@pytest.mark.parametrize(
    "effect",
    ["if f_c3: set f_c3.stone to me", "if size > 2: set f_c3.stone to me", "set f_b2.stone to me"],
    ids=["tested", "the option says it", "in every size"],
)
def test_a_cell_that_is_there_is_no_matter(tmp_path, example, effect):
    assert [p for p in problems(tmp_path, example(f"{USE}\n{effect}")) if p.severity == "error"] == []


def test_proofs_count_with_every_size(tmp_path, example):
    found = problems(tmp_path, example("let c = field[5]\nset c.stone to me\nlet d = field[6]\nset d.stone to me"))

    assert [p.code for p in found if p.severity == "error"] == ["P0415"]  # two rows of three are six cells


def test_rows_and_columns_are_known_within_the_largest(tmp_path, example):
    listed = "let xs = {0, 1, 2, 3, 4}\nfor c in field: gain xs[c.row] coin"
    found = problems(tmp_path, example(listed))

    assert [p for p in found if p.severity == "error"] == []


WRONG = [
    pytest.param("rows: siez, columns: 3", "P0201", "did you mean 'size'?", id="misspelt"),
    pytest.param("rows: seats, columns: 3", "P0411", "the number of players", id="players"),
    pytest.param("rows: size - 2, columns: 3", "P0054", "", id="none at all"),
    pytest.param("rows: coin(player_1), columns: 3", "P0411", "options and constants", id="a counter"),
    pytest.param(
        "rows: size, columns: 2, facts: {light: {type: bool, map: ['..'], legend: {'.': true}}}", "P0206", "function",
        id="a map",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "code", "help_"), WRONG)
def test_mistakes_in_sizes(tmp_path, example, keys, code, help_):
    grid = (
        f"# model2.yaml\ndocument: model\ngrids:\n  field: {{{keys}, prefix: f_, fields: {{stone: player or none}}}}\n"
    )
    found = [p for p in problems(tmp_path, example(USE, grid=grid)) if p.severity == "error"]

    assert [p.code for p in found] == [code]
    assert help_ in (found[0].help or "")


def test_what_is_seen_and_saved_has_the_size(tmp_path, example):
    pack, _ = spliced(tmp_path, example(USE))
    rules = load(pack, options={"size": 2})
    match = rules.start(2, seed=1)

    assert len(match.view(0)["pieces"]["field"]) == 6
    assert rules.restore(match.to_json()).state == match.state


def test_the_same_pack_without_options_is_as_it_was(tmp_path):
    assert loaded(tmp_path, "").resolved_program.kinds["cell"].grid == (3, 3, 1, 0)


def test_a_way_to_lay_that_some_sizes_lack_is_tested_first(tmp_path, example):
    shapes = "# model3.yaml\ndocument: model\nshapes:\n  bar: ['##']\n"
    (found,) = problems(tmp_path, example("for c in bar_f_a1_0.cells: set c.stone to me", shapes))

    assert (found.code, found.help) == (
        "P0303",
        "in some sizes of the board there is no 'bar_f_a1_0': test it first, as in 'if bar_f_a1_0: ..'",
    )
