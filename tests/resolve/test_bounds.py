"""Bounds that are written as numbers, and what would lie beyond them."""

from __future__ import annotations

import shutil

import pytest
from packmaker import SAMPLE, problems, trigger

from patolli.author.workspace import inspect

MANIFEST = (SAMPLE / "pack.yaml").read_text("utf-8")
MODEL = "document: model\n"
USED = "# rules2.yaml\n" + trigger("set gem to 1\nif gem > 0: nothing")


@pytest.mark.parametrize(
    ("option", "code", "column", "help_"),
    [
        ("{choices: [short_one, long_one], default: shortone}", "P0474", 54, "did you mean 'short_one'?"),
        ("{choices: [short_one, long_one], default: 3}", "P0474", 54, "one of short_one, long_one"),
        ("{range: [0, 3], default: 9}", "P0474", 37, "a number from 0 to 3"),
        ("{range: [0, 3], default: many}", "P0474", 37, "a number from 0 to 3"),
        ("{range: [5, 1]}", "P0054", 20, "write the lowest value first"),
        ("{range: [5]}", "P0056", 20, None),
        ("{range: 5}", "P0052", 20, None),
    ],
)
def test_option(tmp_path, option, code, column, help_):
    pack = shutil.copytree(SAMPLE, tmp_path / "sample")
    (pack / "pack.yaml").write_text(MANIFEST.replace("options:\n", f"options:\n  another: {option}\n"), "utf-8")

    first = next(p for p in inspect(str(pack)).problems if p.severity == "error")

    assert (first.code, first.span.column) == (code, column)
    assert help_ in (None, first.help)


@pytest.mark.parametrize(("players", "column"), [("min: 4, max: 2", 10), ("min: 2, max: 60", 24)])
def test_players(tmp_path, players, column):
    pack = shutil.copytree(SAMPLE, tmp_path / "sample")
    (pack / "pack.yaml").write_text(MANIFEST.replace("min: 2, max: 4", players), "utf-8")
    assert [(p.code, p.span.column) for p in inspect(str(pack)).problems] == [("P0054", column)]


@pytest.mark.parametrize(
    ("counter", "column"),
    [
        ("{per: player, min: 5, max: 2}", 35),
        ("{per: player, max: -1}", 27),
        ("{per: player, max: 2, start: 5}", 37),
        ("{per: player, start: -5}", 29),
        ("{per: player, min: -5, max: 5, start: -5}", None),
        ("{per: player, max: seats, start: 1}", None),
    ],
)
def test_counter(tmp_path, counter, column):
    found = problems(tmp_path, f"{MODEL}counters:\n  gem: {counter}\n{USED}")
    assert [(p.code, p.span.column) for p in found] == ([] if column is None else [("P0054", column)])


@pytest.mark.parametrize(
    ("type_", "found"),
    [
        ("int 6..1 = 3", [("P0103", 23)]),
        ("int 0..-1 = 0", [("P0103", 23)]),
        ("int 1..6 = 7", [("P0301", 30)]),
        ("int -3..-1 = -2", []),
    ],
)
def test_type(tmp_path, type_, found):
    reported = problems(tmp_path, f"{MODEL}kinds:\n  k: {{fields: {{f: {type_}}}}}\n")
    assert [(p.code, p.span.column) for p in reported if p.severity == "error"] == found


@pytest.mark.parametrize(
    ("type_", "column"),
    [
        ("effect = nothing", None),
        ("effect = gain 1 coin", 27),
        ("cost = none", None),
        ("cost = nonl", 25),
        ("cost = 1 coin", 25),
    ],
)
def test_default_of_an_effect_or_cost(tmp_path, type_, column):
    found = problems(tmp_path, f"{MODEL}kinds:\n  k: {{facts: {{f: {type_}}}}}\n")
    assert [(p.code, p.span.column) for p in found] == ([] if column is None else [("P0103", column)])


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        (["[1, 2]"] * 4, None),
        (["[1, 2]", "[1, 2]", "[1, 2]", "[1]"], 11),
        (["[1, 2]", "[1, 2]", "[1]"], None),
        (["[1, 2]", "[1, 2]", "[1]", "[1]"], None),
        (["[1, 2]", "[1, 2]", "[1, 2]", "[1, 2, 3]"], None),
    ],
)
def test_list_of_another_length_than_the_others(tmp_path, rows, column):
    pieces = "".join(f"  r{i}: {{f: {row}}}\n" for i, row in enumerate(rows))
    model = f"{MODEL}kinds:\n  rank: {{facts: {{f: list of int}}}}\n# ranks.yaml\ndocument: pieces\nkind: rank\npieces:\n{pieces}"
    found = problems(tmp_path, model)
    assert [(p.code, p.span.column) for p in found] == ([] if column is None else [("P0442", column)])


@pytest.mark.parametrize(
    ("effect", "column"),
    [
        ("set card.charge to 7", 26),
        ("set card.charge to 0", 26),
        ("set card.charge to 6", None),
        ("set coin to -1", 19),
        ("gain -1 coin", 12),
        ("lose -1 coin", 12),
        ('may "pay": pay -1 coin', 22),
        ("gain 0 coin", None),
    ],
)
def test_number_beyond_its_bounds(tmp_path, effect, column):
    found = [p for p in problems(tmp_path, trigger(effect, "buy")) if p.code != "P0460"]  # to gain 0 changes nothing
    assert [(p.code, p.span.column) for p in found] == ([] if column is None else [("P0301", column)])
