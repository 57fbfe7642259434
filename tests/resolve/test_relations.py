"""Graphs, and what can be asked of any relation: what can be reached, how far it is, and by which way."""

from __future__ import annotations

from itertools import product

import pytest
from packmaker import loaded, problems, trigger

from patolli.author.workspace import inspect

MODEL = """# model2.yaml
document: model
enums:
  village: [hill, mill, ford, shore, isle]
graphs:
  roads: {of: village, edges: [[hill, mill, ford], [mill, shore]]}
kinds:
  post: {facts: {onward: list of post}, fields: {shut: bool = false}}
# posts.yaml
document: pieces
kind: post
pieces:
  first: {onward: [second]}
  second: {onward: [third, first]}
  third: {onward: []}
# functions.yaml
document: rules
functions:
  friends(cell c): "[d in adjacent(c) where d.owner == c.owner]"
  dry(village): "[v in roads(village) where v != mill]"
  open_posts(post): "[p in post.onward where not p.shut]"
  far(village a, village b): "distance(a, b, roads) if distance(a, b, roads) != none else 9"
  pair(cell a, cell b): "{a, b}"
  counted(cell c): c.row
"""


def values(tmp_path, *texts):
    """Return what expressions are worth when a match begins, for player 1."""
    body = "".join(f"      set answer_{n} to {text}\n" for n, text in enumerate(texts))
    fields = "".join(f"  answer_{n}: list of int\n" for n in range(len(texts)))
    example = f"{MODEL}# table.yaml\ndocument: model\ntable:\n{fields}# rules2.yaml\ndocument: rules\n"
    example += f"triggers:\n  tested:\n    before: setup\n    do: |\n{body}"
    rules = loaded(tmp_path, example)
    match = rules.start(2, seed=1)
    slots = match.program.layout.fields
    return [match.state[slots["table", f"answer_{n}"]] for n in range(len(texts))]


def test_a_graph_gives_what_lies_beside_something(tmp_path):
    found = values(
        tmp_path, "[number(v) for v in roads(hill)]", "[number(v) for v in roads(mill)]",
        "[number(v) for v in roads(isle)]", "[number(v) for v in shore.roads]",
    )  # fmt: skip

    assert found == [(2,), (1, 3, 4), (), (2,)]


def test_what_can_be_reached_comes_nearest_first(tmp_path):
    found = values(
        tmp_path, "[number(v) for v in reachable(ford, roads)]", "[number(v) for v in reachable(isle, roads)]",
        "[number(v) for v in reachable(hill, dry)]", "[number(p) for p in reachable(first, onward)]",
        "[number(p) for p in reachable(third, open_posts)]", "[number(c) for c in reachable(a1, friends)]",
    )  # fmt: skip

    assert found == [(3, 2, 1, 4), (5,), (1,), (1, 2, 3), (3,), (1, 2, 4, 3, 5, 7, 6, 8, 9)]


def test_distances_and_ways(tmp_path):
    found = values(
        tmp_path, "{far(hill, shore), far(hill, hill), far(hill, isle)}",
        "[number(v) for v in path(hill, shore, roads)]", "[number(v) for v in path(hill, isle, roads)]",
        "[number(v) for v in path(isle, isle, roads)]", "[n in 0..9 where distance(a1, c3, adjacent) == n or distance(a1, c3, around) == n]",
        "[n in 0..9 where distance(first, third, onward) == n or distance(third, first, onward) == n]",
    )  # fmt: skip

    assert found == [(2, 0, 9), (1, 2, 4), (), (5,), (2, 4), (2,)]


def test_all_pairs_as_by_hand(tmp_path):
    """Distances on the grid are those of rows and columns together."""
    cells = [f"{letter}{number}" for number in (1, 2, 3) for letter in "abc"]
    wanted = [abs(a % 3 - b % 3) + abs(a // 3 - b // 3) for a, b in product(range(9), range(9))]
    pairs = zip(product(cells, cells), wanted, strict=True)
    texts = [f"1 if distance({one}, {two}, adjacent) == {far} else 0" for (one, two), far in pairs]
    (found,) = values(tmp_path, f"{{{', '.join(texts)}}}")

    assert found == (1,) * 81


WRONG = [
    pytest.param("reachable(hill, raods)", "P0201", "did you mean 'roads'?", id="misspelt"),
    pytest.param("reachable(hill, friends)", "P0202", "name a graph of 'village'", id="of another kind"),
    pytest.param("reachable(a1, pair)", "P0202", "", id="of two things"),
    pytest.param("reachable(a1, counted)", "P0202", "", id="a number"),
    pytest.param("reachable(a1, coin)", "P0202", "", id="a counter"),
    pytest.param("reachable(a1, 3)", "P0202", "", id="a number itself"),
    pytest.param("path(hill, a1, roads)", "P0301", "one kind", id="two kinds"),
    pytest.param("reachable(me, adjacent)", "P0202", "", id="no cell"),
    pytest.param("reachable(shift(a1, 0, 1), adjacent)", "P0303", "test it first", id="perhaps none"),
    pytest.param("reachable(hill)", "P0302", "reachable(ref, relation)", id="without a relation"),
]


@pytest.mark.parametrize(("text", "code", "help_"), WRONG)
def test_mistakes_in_use(tmp_path, text, code, help_):
    found = [
        p for p in problems(tmp_path, MODEL + f"# rules2.yaml\n{trigger(f'let xs = {text}')}") if p.severity == "error"
    ]

    assert [p.code for p in found] == [code]
    assert help_ in (found[0].help or "")


DECLARED = [
    pytest.param("{of: vilage, edges: [[hill, mill]]}", "P0201", "did you mean 'village'?", id="an unknown kind"),
    pytest.param("{of: village, edges: [[hill, mil]]}", "P0201", "did you mean 'mill'?", id="an unknown village"),
    pytest.param("{of: village, edges: [[hill, hill]]}", "P0205", "leave it out", id="joined to itself"),
    pytest.param("{of: village, edges: [[hill, mill, ford], [ford, mill]]}", "P0205", "leave it out", id="twice"),
    pytest.param("{of: village, edges: [[hill, a1]]}", "P0301", "", id="a cell"),
    pytest.param("{of: village, edges: [[hill]]}", "P0056", "", id="nothing to join"),
]


@pytest.mark.parametrize(("declared", "code", "help_"), DECLARED)
def test_mistakes_in_graphs(tmp_path, declared, code, help_):
    found = problems(tmp_path, f"{MODEL}# lanes.yaml\ndocument: model\ngraphs:\n  lanes: {declared}\n")
    found = [p for p in found if p.severity == "error"]

    assert [p.code for p in found] == [code]
    assert help_ in (found[0].help or "")


def test_a_way_that_is_not_there_must_be_looked_at(tmp_path):
    text = "gain distance(hill, isle, roads) coin"
    found = [p for p in problems(tmp_path, MODEL + f"# rules2.yaml\n{trigger(text)}") if p.severity == "error"]

    assert [p.code for p in found] == ["P0303"]


def test_the_names_stay_free_in_the_first_language(tmp_path):
    """A pack of version 1 that has a function of such a name gets no warning, and calls its own."""
    folder = tmp_path / "old"
    folder.mkdir()
    (folder / "pack.yaml").write_text(
        "document: pack\nid: old\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Old\nplayers: {min: 1, max: 1}\n"
    )
    (folder / "rules.yaml").write_text(
        "document: rules\nfunctions:\n  distance(int a, int b): abs(a - b)\n  path(int a): a * 2\n"
        "rules:\n  match: nothing\nresult:\n  score: distance(3, 5) + path(2) + seats\n"
    )

    assert {p.code for p in inspect(str(folder)).problems} <= {"P0467"}
    text = (folder / "rules.yaml").read_text().replace("path(2)", "reachable(2, 1)")
    (folder / "rules.yaml").write_text(text)
    (found,) = [p for p in inspect(str(folder)).problems if p.severity == "error"]
    assert (found.code, "language: 2" in found.help) == ("P0201", True)
