"""Every place that names something is found, and stands where the name is written."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest
from packmaker import DATA, SAMPLE

from patolli.author.lookup.mentions import document_references
from patolli.author.lookup.references import Reference, references_of
from patolli.author.lookup.rehearsals import scenario_references
from patolli.author.workspace import load


def found(pack: str) -> list[Reference]:
    model = load(pack).model
    return list(chain(document_references(model), references_of(model.uses), scenario_references(model)))


def written(reference: Reference) -> str:
    span = reference.span
    assert span.line == span.end_line
    line = Path(span.path).read_text("utf-8").split("\n")[span.line - 1]
    return line[span.column - 1 : span.end_column - 1]


def places(references: list[Reference], sort: str, id_: str) -> list[str]:
    """File and line of each place, with a star where it declares."""
    mine = [r for r in references if (r.sort, r.id) == (sort, id_)]
    marks = {f"{Path(r.span.path).stem}:{r.span.line}{'*' if r.declares else ''}" for r in mine}
    return sorted(marks)


@pytest.mark.parametrize("pack", [str(SAMPLE), "tic_tac_toe", "city_of_gods"])
def test_references_stand_where_the_name_is_written(pack):
    for reference in found(pack):
        name = reference.id.rpartition(".")[2].rpartition("'")[2].rpartition("/")[2]
        assert written(reference) == name, reference


@pytest.fixture(scope="module")
def sample() -> list[Reference]:
    return found(str(SAMPLE))


def lines(word: str, *files: str) -> list[str]:
    """The lines of the sample on which a text stands."""
    return [
        f"{file}:{number}"
        for file in files
        for number, line in enumerate((SAMPLE / f"{file}.yaml").read_text("utf-8").splitlines(), 1)
        if word in line
    ]


@pytest.mark.parametrize(
    ("sort", "id_", "expected"),
    [
        pytest.param("kind", "charm", [("charms", "kind: charm"), ("model", "  charm:")], id="kind"),
        pytest.param("counter", "nut", [("charms", "gain 2 nut"), ("model", "  nut:")], id="counter"),
        pytest.param("constant", "ladder", [("model", "  ladder:"), ("rules", "ladder[")], id="constant"),
        pytest.param("fact", "card.charge", [("model", "charge: int"), ("rules", "card.charge to")], id="field"),
        pytest.param("rule", "earn", [("charms", "after: earn"), ("rules", "  earn(int n)")], id="rule"),
        pytest.param("tag", "purchase", [("rules", "as purchase"), ("rules", "on: purchase")], id="tag"),
        pytest.param("option", "bonus", [("model", "start: bonus"), ("pack", "  bonus:")], id="option"),
        pytest.param("choice", "short", [("pack", "choices: [long, short]")], id="choice"),
    ],
)
def test_references_of_a_thing(sample, sort, id_, expected):
    there = [place.rstrip("*") for place in places(sample, sort, id_)]

    for file, text in expected:
        assert lines(text, file)[0] in there


def test_declarations_are_marked(sample):
    declared = [r for r in sample if r.declares and r.sort in ("counter", "place", "rule", "function")]

    assert {"coin", "deck", "buy", "price"} <= {r.id for r in declared}
    assert len({(r.sort, r.id) for r in declared}) == len(declared)


def test_word_for_kind_and_variable_keeps_the_other(sample):
    """``buy(card)``: a new name for the kind leaves the variable alone, and the other way round."""
    line = lines("  buy(card):", "rules")[0]
    here = [r for r in sample if f"{Path(r.span.path).stem}:{r.span.line}" == line and written(r) == "card"]

    around = {(r.sort, r.before, r.after) for r in here}
    assert {("kind", "", " card"), ("variable", "card ", "")} <= around


def test_words_of_panels_are_no_names(tmp_path):
    """Notes and explanations of signs are prose; a picture names a fact of its kind."""
    for file in (DATA / "fair").iterdir():
        (tmp_path / file.name).write_text(file.read_text())
    (tmp_path / "panels.yaml").write_text(
        "document: panels\nsymbols:\n  tile: {means: a tile of the fair, picture: {of: corners, rows: [[0, 1]]}}\n"
        "panels:\n  offer: {note: Each tile of the offer has a coin., shows: row, of: offer}\n"
    )
    named = [(r.sort, r.id) for r in found(str(tmp_path)) if Path(r.span.path).name == "panels.yaml"]

    assert sorted(named) == [("fact", "tile.corners"), ("kind", "tile"), ("place", "offer"), ("place", "offer")]
