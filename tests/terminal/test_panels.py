"""Panels: what is drawn, that nothing hidden is in it, and what the checker says about names in them."""

from __future__ import annotations

import io
import re
from pathlib import Path
from random import Random

import pytest
from packmaker import loaded
from rich.console import Console
from tiers import few

import patolli
from patolli.author.workspace import inspect
from patolli.play.terminal.boards import _loop, cross, edge
from patolli.play.terminal.prompt import find, tags
from patolli.play.terminal.screen import Screen, default_panels

GOLDEN = Path(__file__).parent / "golden"
PACKS = ("tic_tac_toe", "connect_four", "breakthrough", "patolli", "city_of_gods", "founders")


def drawn(match: patolli.Match, seat: int = 0, only: str = "", width: int = 80) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, highlight=False, markup=False, emoji=False)
    Screen(match.ruleset.model, console).draw(match, seat, only)
    return out.getvalue()


def later(pack: str, players: int, choices: int, seed: int = 1) -> patolli.Match:
    match = patolli.load(pack).start(players, seed)
    draw = Random(seed)
    for _ in range(choices):
        if match.pending is None:
            break
        match.pick(draw.randrange(len(match.pending)))
    return match


@pytest.mark.deep
def test_facts_of_pieces_stand_in_one_column_whether_there_are_several_or_one():
    ends = (drawn(later("city_of_gods", 2, 10_000, seed), only="hand") for seed in range(1, 40))
    text = next(text for text in ends if "2x " in text)
    told = {line: [found.end() for found in re.finditer(r"  (?=[A-Z])", line)][-1] for line in text.splitlines()[1:]}

    assert any("2x " not in line for line in told)
    assert len(set(told.values())) == 1, text


@pytest.mark.parametrize("pack", few(PACKS, 0, 5, 9))
@pytest.mark.parametrize("choices", [0, 30, 10_000])
def test_everything_fits_into_80_columns(pack, choices):
    match = later(pack, 2, choices)
    for seat in range(2):
        text = drawn(match, seat)
        assert max(map(len, text.splitlines())) <= 80
        assert "\x1b" not in text


@pytest.mark.parametrize("pack", few(PACKS, 0, 1))
def test_pack_without_panels_gets_some(pack):
    match = later(pack, 2, 20)
    screen = Screen(match.ruleset.model, Console(file=io.StringIO(), width=80))
    screen.panels = {panel.id: panel for panel in default_panels(match.ruleset.model)}

    assert screen.panels
    screen.draw(match, 1)


@pytest.mark.deep
def test_nothing_hidden_is_drawn():
    """Exchange what a player cannot see: the picture stays the same."""
    match = patolli.load("city_of_gods").start(3, 4)
    draw = Random(4)
    for number in range(15):
        for seat in range(3) if number % 5 == 4 else ():
            other = match.determinize(seat, draw.getrandbits(32))
            assert drawn(other, seat) == drawn(match, seat)
        match.pick(draw.randrange(len(match.pending)))


def test_colours_only_where_they_are_wanted(monkeypatch):
    match = later("connect_four", 2, 8)

    def coloured() -> bool:
        out = io.StringIO()
        Screen(match.ruleset.model, Console(file=out, force_terminal=True, color_system="standard")).draw(match, 0)
        return "\x1b[9" in out.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert coloured()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not coloured()


# ---- geometry


@pytest.mark.parametrize(("number", "expected"), [(4, (2, 2)), (8, (3, 3)), (10, (4, 3)), (12, (4, 4))])
def test_frame_of_few_things(number, expected):
    assert _loop(number) == expected


def test_frame_holds_all_in_a_circle(subtests):
    for number in range(3, 80):
        with subtests.test(str(number)):
            cells = edge(*_loop(number))

            assert number <= len(cells) <= number + 2
            assert len(set(cells)) == len(cells)
            assert all(
                abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in zip(cells, [*cells[1:], cells[0]], strict=True)
            )


@pytest.mark.parametrize("number", [12, 20, 52])
def test_cross_is_a_closed_way(number):
    cells = cross(number)

    assert len(set(cells)) == len(cells) == number
    assert all(abs(a - c) + abs(b - d) == 1 for (a, b), (c, d) in zip(cells, [*cells[1:], cells[0]], strict=True))


# ---- answers


def options(*labels: str) -> list[patolli.Option]:
    return [patolli.Option(i, i, label, False) for i, label in enumerate(labels)]


@pytest.mark.parametrize(
    ("labels", "typed", "index"),
    [
        pytest.param(("wood", "gold"), "2", 1, id="number"),
        pytest.param(("wood", "gold"), "gold", 1, id="label"),
        pytest.param(("wood", "gold"), "G", 1, id="beginning"),
        pytest.param(("go", "gold"), "go", 0, id="label that begins another"),
        pytest.param(("1", "2", "3"), "1", 0, id="label that is a number"),
        pytest.param(("1", "2", "3"), "b", 1, id="letter"),
        pytest.param(("a -> b", "c"), " a  ->  b ", 0, id="blanks"),
    ],
)
def test_answer_is_understood(labels, typed, index):
    assert find(options(*labels), typed) == index


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        pytest.param("3", "no option '3'", id="number too large"),
        pytest.param("golf", "did you mean 'gold'", id="misspelt"),
        pytest.param("go", "several options begin", id="beginning of two"),
    ],
)
def test_answer_is_not_understood(typed, words):
    with pytest.raises(ValueError, match=words):
        find(options("gold", "goat"), typed)


def test_an_option_that_begins_with_a_number_has_a_letter():
    assert tags(options("9 of tides", "ace")) == ["a", "b"]
    assert tags(options("+2 coins", "ace")) == ["a", "b"]
    assert tags(options("nine of tides", "ace")) == ["1", "2"]


def test_tags_are_unique():
    assert len(set(tags(options(*map(str, range(100)))))) == 100


# ---- the checker


@pytest.mark.parametrize(
    ("panel", "code", "words"),
    [
        pytest.param("{shows: table, rows: [coyn]}", "P0501", "did you mean 'coin'?", id="unknown"),
        pytest.param("{shows: grid, of: coin, show: mark}", "P0502", "", id="counter for a grid"),
        pytest.param("{shows: grid, of: cell, show: mrk}", "P0501", "did you mean 'mark'?", id="unknown field"),
        pytest.param("{shows: track, counters: [cell]}", "P0502", "", id="grid for a track"),
        pytest.param("{shows: ring, of: cell, lines: [coin]}", "P0502", "", id="counter of others on a ring"),
        pytest.param("{shows: row, of: cell}", "P0502", "", id="grid for a row"),
        pytest.param("{shows: goods, rows: [coin], of: cell}", "P0504", "", id="key of another way of drawing"),
        pytest.param("{shows: grid, of: cell, show: mark, parts: marc}", "P0501", "", id="unknown fact for parts"),
        pytest.param("{shows: grid, of: cell, show: mark, inside: one, at: a1}", "P0501", "", id="inside itself"),
        pytest.param("{shows: grid, of: cell, show: mark, at: a1}", "P0051", "", id="at without inside"),
        pytest.param("{shows: list, of: cell, facts: [mark, pile]}", "P0501", "", id="unknown fact in a list"),
        pytest.param("{shows: list, of: cell, facts: [held]}", "P0502", "", id="function that reads the state"),
        pytest.param("{shows: list, of: cell, facts: [held_below]}", "P0502", "", id="function that calls such a one"),
        pytest.param("{shows: list, of: cell, facts: [near]}", "P0502", "", id="function of two"),
        pytest.param(
            "{shows: grid, of: cell, show: [mark, row], behind: {mark: colum}}",
            "P0501",
            "'column'",
            id="unknown behind",
        ),
        pytest.param(
            "{shows: grid, of: cell, show: [mark, row], behind: {column: row}}",
            "P0501",
            "mark, row",
            id="behind no layer",
        ),
        pytest.param("{shows: list, of: coin, facts: [text]}", "P0502", "", id="list of a counter"),
        pytest.param("{shows: heap, of: cell}", "P0053", "", id="no such way of drawing"),
        pytest.param("{shows: table}", "P0051", "", id="rows are missing"),
    ],
)
def test_panel_is_refused(tmp_path, panel, code, words):
    found = problems(tmp_path, f"document: panels\npanels:\n  one: {panel}\n")

    assert [problem.code for problem in found] == [code]
    assert words in found[0].help


@pytest.mark.parametrize("name", ["coin", "cell", "mark", "player_1", "player_2"])
def test_symbol_is_accepted(tmp_path, name):
    assert problems(tmp_path, f"document: panels\nsymbols:\n  {name}: {{sign: x, colour: red}}\n") == []


@pytest.mark.parametrize(
    "panel",
    [
        pytest.param("{shows: list, of: cell, facts: [sign, text, sum_of]}", id="in a list"),
        pytest.param("{shows: grid, of: cell, show: [mark, sum_of], behind: {mark: sum_of}}", id="in a grid"),
    ],
)
def test_functions_of_a_piece_alone_are_accepted(tmp_path, panel):
    assert problems(tmp_path, f"document: panels\npanels:\n  one: {panel}\n") == []


def test_symbol_that_shows_nothing_is_refused(tmp_path):
    found = problems(tmp_path, "document: panels\nsymbols:\n  cell: {show: [mark, colum, held]}\n")

    assert [(problem.code, problem.help[:21]) for problem in found] == [
        ("P0501", "did you mean 'column'"),
        ("P0502", "a panel shows only fu"),
    ]


def test_symbol_for_nothing_is_refused(tmp_path):
    found = problems(tmp_path, "document: panels\nsymbols:\n  coyn: {sign: x}\n")

    assert [(problem.code, problem.help) for problem in found] == [("P0503", "did you mean 'coin'?")]


def problems(folder: Path, text: str) -> list[patolli.Problem]:
    pack = folder / "pack"
    pack.mkdir()
    (pack / "pack.yaml").write_text(
        "document: pack\nid: board\nversion: 1.0.0\nlanguage: 1\ntitle: Board\nauthors: [Tests]\n"
        "text: A board.\n"
        "players: {min: 2, max: 2}\n"
    )
    (pack / "model.yaml").write_text(
        "document: model\ncounters:\n  coin: {per: player, text: Coins}\n"
        "grids:\n  cell: {rows: 2, columns: 2, fields: {mark: player or none}}\n"
    )
    (pack / "rules.yaml").write_text(
        "document: rules\nrules:\n  match:\n    do: |\n      for c in cell where c.mark == none:\n"
        "        set c.mark to me\n        gain 1 coin\nresult:\n  score: coin\n"
        "functions:\n  sum_of(cell): {is: cell.row + twice(cell), text: x}\n  twice(cell): {is: 2 * cell.column, text: x}\n"
        "  held(cell): {is: cell.mark != none, text: x}\n  held_below(cell): {is: held(cell), text: x}\n"
        "  near(cell, cell other): {is: cell.row == other.row, text: x}\n"
        "invariants:\n  used: {always: 'all(near(c, c) and (held_below(c) or sum_of(c) >= 0) for c in cell)', text: x}\n"
    )
    (pack / "panels.yaml").write_text(text)
    return inspect(str(pack)).problems


LINES = """# model2.yaml
document: model
kinds:
  pattern_line: {per: player, noun: [line, lines], name: "line of {length}", facts: {length: int}}
  seal: {noun: [seal, seals], name: "seal of {worth}", facts: {worth: int}}
places:
  on_line: {of: card, per: pattern_line, type: area}
  seals: {of: seal, type: area}
# lines.yaml
document: pieces
kind: pattern_line
pieces: {line_of: {copies: 2, length: copy}}
# seals.yaml
document: pieces
kind: seal
place: seals
pieces: {wax: {copies: 2, worth: copy + 6}}
# panels2.yaml
document: panels
panels:
  lines: {title: Lines, shows: list, of: pattern_line, facts: [on_line]}
  all_seals: {title: Seals, shows: list, of: seal, facts: [worth]}
"""


def test_own_things_keep_the_name_of_the_pack(tmp_path):
    """The noun is cut from a name only where no other player has such a thing: those have a player before it."""
    match = loaded(tmp_path, LINES).start(2, seed=1)
    lines = drawn(match, 0, "lines")

    assert lines.count("line of 1") == lines.count("line of 2") == 2, lines
    assert "seal of" not in drawn(match, 0, "all_seals")
