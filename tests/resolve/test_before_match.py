"""Values that must be known before a match: every place of the language that needs one, with what it takes."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
from packmaker import loaded, problems

from patolli.language.diagnostics import Problem
from patolli.language.program import model

BASE = """# base.yaml
document: model
kinds: {token: {facts: {number: int = 0}, fields: {mark: int 0..99 = 0}}}
table: {leader: {type: player, text: Leader}}
constants:
  three: {type: int, value: 3}
# base_pieces.yaml
document: pieces
kind: token
pieces:
  acorn: {number: 1, copies: 2}
  pebble: {number: 2}
# functions.yaml
document: rules
functions:
  one_more(int n): n + 1
  played(): round + 1
  played_later(): played()
  first_number(): acorn_1.number
  heir(): {is: leader, type: player}
"""
PIECES = "document: pieces\nkind: token\npieces: {%s}\n"
MODEL = "document: model\n%s\n"
GRID = "grids: {tile: {prefix: t_, rows: 1, columns: 2, facts: {high: {type: int, map: [ab], legend: {a: %s, b: 2}}}}}"
PLACES = {
    "maximum of a counter": MODEL % "counters: {gem: {max: %s}}",
    "start of a counter": MODEL % "counters: {ore: {start: %s}}",
    "size of a row": MODEL % "places: {line: {of: token, type: row, size: %s}}",
    "copies of a piece": PIECES % "birch: {copies: %s}",
    "table of copies": PIECES % "cedar: {copies: {by: %s, 2: 3, else: 1}}",
    "fact": PIECES % "alder: {number: %s}",
    "table in a fact": PIECES % "elder: {number: {by: length, long: 1, else: %s}}",
    "copies of a kind": MODEL % "kinds: {ant: {per: player, copies: %s}}",
    "default of a fact": MODEL % "kinds: {bee: {per: player, copies: 1, facts: {worth: int = %s}}}",
    "list as the default of a fact": MODEL
    % "kinds: {cat: {per: player, copies: 1, facts: {worth: 'list of int = {%s}'}}}",
    "default of a field": MODEL % "kinds: {dog: {per: player, copies: 1, fields: {worth: int 0..99 = %s}}}",
    "list as the default of a field": MODEL
    % "kinds: {eel: {per: player, copies: 1, fields: {worth: 'list of int = {%s}'}}}",
    "field of the table": MODEL % "table: {pot: int = %s}",
    "constant": MODEL % "constants: {worth: {type: int, value: %s}}",
    "list in a constant": MODEL % "constants: {worths: {type: list of int, value: [1, %s]}}",
    "row of a table": MODEL % "constants: {premium: {type: int, value: {by: seats, 2: %s, else: 1}}}",
    "what a table is looked up by": MODEL % "constants: {prize: {type: int, value: {by: %s, 2: 3, else: 1}}}",
    "legend of a map": MODEL % GRID,
    "size of a grid": MODEL % "grids: {cube: {prefix: q_, rows: %s, columns: 2}}",
}
ACCEPTED = ("2", "bonus + 1", "three", "three * 2 - 1", "seats", "one_more(three)")
REFUSED = (
    "round", "size(deck)", "played()", "played_later()", "pebble.mark", "pebble.number", "first_number()",
    "1 if can(earn(1)) else 2", "1 if payable(rich_1.cost) else 2",
)  # fmt: skip


def _found(folder: Path, text: str) -> list[str]:
    return [p.code for p in problems(folder, BASE + text) if p.severity == "error"]


def _in_all_places(folder: Path, value: str, *without: str) -> dict[str, list[Problem]]:
    """Put a value into all places at once, each in a file of its own, and return the errors by place."""
    files = {f"place_{number}.yaml": place for number, place in enumerate(PLACES) if place not in without}
    text = "".join(f"# {name}\n{PLACES[place] % value}" for name, place in files.items())
    found: dict[str, list[Problem]] = {place: [] for place in files.values()}
    for problem in problems(folder, BASE + text):
        if problem.severity == "error":
            found.setdefault(files.get(Path(problem.span.path).name, str(problem)), []).append(problem)
    return found


@pytest.mark.parametrize("value", ACCEPTED)
def test_a_value_that_options_and_seats_decide_is_accepted(tmp_path, value):
    of_no_seats = ("size of a grid",) if value in ("seats", "one_more(three)") else ()
    found = _in_all_places(tmp_path, value, *of_no_seats)
    assert not {place: told for place, told in found.items() if told}


@pytest.mark.parametrize("value", REFUSED)
def test_a_value_that_a_match_decides_is_refused_with_a_help_text(tmp_path, value):
    for place, told in _in_all_places(tmp_path, value).items():
        assert [problem.code for problem in told] == ["P0411"], place
        assert "constants" in told[0].help


@pytest.mark.parametrize(("who", "codes"), [("player_1", []), ("leader", ["P0411"]), ("heir()", ["P0411"])])
def test_a_piece_starts_at_a_place_that_is_known(tmp_path, who, codes):
    places = MODEL % "places: {stand: {of: token, per: player, type: area}}"
    text = f"# places.yaml\n{places}# pieces.yaml\n{PIECES % f'alder: {{place: stand({who})}}'}"
    assert _found(tmp_path, text) == codes


@pytest.mark.parametrize(
    "constants",
    ["one: {type: int, value: two + 1}, two: {type: int, value: one + 1}", "one: {type: int, value: back()}"],
    ids=["by another constant", "by a function"],
)
def test_a_constant_that_is_defined_by_itself_is_refused(tmp_path, constants):
    back = "# back.yaml\ndocument: rules\nfunctions:\n  back(): one + 1\n"
    assert _found(tmp_path, f"# more.yaml\n{MODEL % f'constants: {{{constants}}}'}{back}") == ["P0411"]


def test_constants_may_be_declared_in_any_order(tmp_path):
    text = "constants: {total: {type: int, value: sum(i for i in parts)}, parts: {type: list of int, value: [2, 5]}}"
    assert loaded(tmp_path, f"{BASE}# more.yaml\n{MODEL % text}").program(2).space["C_total"] == 7


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("1 div (bonus - bonus)", "P0414"),
        ("ladder[7]", "P0415"),
        ("ladder[copy]", ""),
        ("ladder[copy + 2]", "P0415"),
        ("uneven[1][copy]", ""),
        ("uneven[0][copy]", "P0415"),
        ("{by: seats, 2: 'ladder[seats + 1]', else: 0}", ""),
        ("{by: seats, 2: 0, else: 'ladder[seats + 1]'}", "P0415"),
    ],
)
def test_a_value_that_cannot_be_computed_is_refused(tmp_path, value, code):
    uneven = MODEL % "constants: {uneven: {type: list of list of int, value: [[1], [1, 2, 3]]}}"
    value = value if value.startswith("{") else f"'{value}'"
    text = f"# more.yaml\n{uneven}# pieces.yaml\n{PIECES % f'alder: {{copies: 2, number: {value}}}'}"
    assert set(_found(tmp_path, text)) == ({code} if code else set())


def test_a_field_begins_with_what_a_function_returns(tmp_path):
    kinds = "kinds: {ant: {per: player, copies: 1, fields: {worth: int 0..99 = one_more(three), who: player or none = player_3}}}"
    rules = loaded(tmp_path, f"{BASE}# more.yaml\n{MODEL % kinds}")
    for seats, who in ((2, -1), (3, 2)):
        layout = rules.program(seats).layout
        assert layout.initial[layout.fields["ant", "worth"]] == 4
        assert layout.initial[layout.fields["ant", "who"]] == who


@pytest.mark.parametrize("copies", ["count(c in oak)", "size(oak)", "itself"])
def test_copies_that_count_their_own_kind_are_refused(tmp_path, copies):
    model = MODEL % "kinds: {oak: {}}\nconstants: {itself: {type: int, value: count(oak)}}"
    pieces = f'document: pieces\nkind: oak\npieces: {{acorns: {{copies: "{copies}"}}}}\n'
    found = problems(tmp_path, f"{BASE}# more.yaml\n{model}# oaks.yaml\n{pieces}")

    assert [p.code for p in found if p.severity == "error"] == ["P0411"]


DURING = {
    "Formula": {"body"}, "Function": {"body"}, "ReportSettings": {"heading", "cause"}, "Trigger": {"condition"},
    "Rule": {"given"}, "Anytime": {"binder", "when"}, "Substitution": {"when"}, "Discount": {"when"},
    "Waiver": {"binder", "when", "subject"}, "Measure": {"formula"}, "Kind": {"active"},
    "Program": {"active", "score", "ties", "among", "wins", "invariants", "values"},
    "Design": {"formulas"},
}  # fmt: skip
"""What is computed while a match runs, or of a match that is over."""
BEFORE = {
    "Attribute": {"default"}, "Kind": {"copies", "sides", "maps", "lines"}, "Counter": {"high", "start"},
    "Place": {"size"}, "Constant": {"value"}, "Substitution": {"give"}, "Design": {"copies", "facts", "place"},
}  # fmt: skip
"""What ``setup_values`` yields."""


def test_every_expression_of_a_program_is_known_before_a_match_or_belongs_to_it():
    for cls in vars(model).values():
        if isinstance(cls, type) and dataclasses.is_dataclass(cls) and cls.__module__ == model.__name__:
            name, kinds = cls.__name__, r"\b(Expr|Value|PlaceAt|Formula|Binder|Item|Words)\b"
            found = {field.name for field in dataclasses.fields(cls) if re.search(kinds, str(field.type))}
            assert found == DURING.get(name, set()) | BEFORE.get(name, set()), name
