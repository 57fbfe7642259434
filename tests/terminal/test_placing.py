"""Placing: cells to point to, the board as it will be, and what may be typed meanwhile."""

from __future__ import annotations

import io
from itertools import pairwise
from pathlib import Path

import pytest
from frames import compare
from rich.console import Console

import patolli
from patolli.play.terminal.session import Session

PACK = """\
document: pack
id: tiles
version: 1.0.0
language: 1
title: Tiles
authors: [x]
text: x
players: {min: 2, max: 2}
"""
MODEL = """\
document: model
shapes:
  bar: ["##"]
  single: ["#"]
grids:
  cell: {rows: 2, columns: 3, fields: {taken: bool = false, lit: bool = false, soil: int = 1}, facts: {side: {type: int, map: [aab, aab], legend: {a: 0, b: 1}}}}
kinds:
  card: {facts: {number: int}}
counters:
  point: {per: player, text: Points}
places:
  deck: {of: card, type: pile, visible: none}
  open: {of: card, type: area}
"""
CARDS = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 6, number: copy}\n"
RULES = """\
document: rules
rules:
  setup: shuffle deck
  match:
    do: |
      loop:
        choose c in cell where any(w in cell_placement where w.corner == c and w.shape == bar and fits(w)) or "pass" "Where?"
        otherwise: end match
        if c != none:
          choose w in cell_placement where w.corner == c and w.shape == bar and fits(w) "Which way?"
          otherwise: stop
          for x in w.cells: set x.taken to true
          gain 1 point
          EXTRA
        pass to next(me)
functions:
  fits(cell_placement w): {is: "all(not x.taken for x in w.cells)", text: Whether it fits.}
result: {score: point}
"""
PANELS = """\
document: panels
panels:
  board: {title: Board, shows: grid, of: cell, show: [lit, taken], parts: side}
"""


def play(
    tmp_path: Path,
    typed: list[str],
    extra: str = "nothing",
    preview: bool = True,
    layers: str = "[lit, taken]",
    more: dict[str, str] | None = None,
) -> tuple[str, patolli.Match]:
    """Return what is shown while a player types some lines, and the match."""
    folder = tmp_path / "tiles"
    folder.mkdir()
    for name, text in (
        ("pack", PACK),
        ("model", MODEL),
        ("cards", CARDS),
        ("rules", RULES.replace("EXTRA", extra)),
        ("panels", PANELS.replace("[lit, taken]", layers)),
        *(more or {}).items(),
    ):
        (folder / f"{name}.yaml").write_text(text)
    return sit(patolli.load(str(folder)), typed, preview)


def sit(
    rules: patolli.Ruleset, typed: list[str], preview: bool, seed: int = 1, other: str = "human"
) -> tuple[str, patolli.Match]:
    out = io.StringIO()
    console = Console(file=out, width=80, highlight=False, markup=False, emoji=False)
    lines = iter(typed)

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        out.write(f"{prompt}{line}\n")
        return line

    session = Session(rules, rules.start(2, seed), ["human", other], console, read)
    session.in_front = preview
    session.play()
    return out.getvalue(), session.match


def taken(match: patolli.Match) -> list[str]:
    return [cell for cell, fields in match.view(0)["pieces"]["cell"].items() if fields["taken"]]


def test_cells_that_are_listed_below_are_never_marked(tmp_path):
    shown, _ = play(tmp_path, ["save"])
    first, again = shown.split("name a file: save FILE\n")

    assert "[" not in first  # a short list of the cells stands below
    assert again[again.index("╭") :].splitlines()[:5] == [
        "╭─ Board ────╮",
        "│    a b   c │",
        "│  1 · · │ · │",
        "│  2 · · │ · │",
        "╰────────────╯",
    ]


@pytest.mark.parametrize(
    ("typed", "cells", "words"),
    [
        pytest.param(
            ["a1", "turn", ""], ["a1", "a2"], "bar at a1, turned once (2 of 2)  +1 point  # / #", id="turned once"
        ),
        pytest.param(["a1", "turn", "turn", "ok"], ["a1", "b1"], "bar at a1 (1 of 2)  +1 point  ##", id="turned twice"),
        pytest.param(["a1", "bar_a1_1", ""], ["a1", "a2"], "[yes]", id="way by its label"),
        pytest.param(["A1", "2", "y"], ["a1", "a2"], "", id="way by its number, cell in capitals"),
        pytest.param(["a1", "back", "c1", "y"], ["c1", "c2"], "undone", id="another place after all"),
        pytest.param(["c1", "back", "b2", ""], ["b2", "c2"], "b2  +1 point", id="only way, another place after all"),
        pytest.param(["c1", "a2", ""], ["a2", "b2"], "a2  +1 point", id="only way, another cell"),
        pytest.param(["c1", "turn", ""], ["c1", "c2"], "there is only one way to place it here", id="nothing to turn"),
        pytest.param(["c2"], [], "there is no option at c2", id="cell without an option"),
        pytest.param(["c1", "c2", ""], ["c1", "c2"], "there is no option at c2", id="then a cell without an option"),
        pytest.param(["a1", "why", "", ""], ["a1", "b1"], "not offered", id="command meanwhile"),
        pytest.param(["a1", "undo"], [], "undone", id="undo meanwhile"),
        pytest.param(["pass"], [], "Player 2 ❷: Where?", id="option beside the board"),
    ],
)
def test_option_is_shown_before_it_is_taken(tmp_path, typed, cells, words):
    shown, match = play(tmp_path, typed)

    assert taken(match) == cells
    assert words in shown


def test_board_is_drawn_as_it_will_be(tmp_path):
    shown, match = play(tmp_path, ["c1"])

    assert taken(match) == []
    assert "│  1   ·    ·  │[yes] │\n│  2   ·    ·  │[yes] │\n" in shown


INSET = {
    "model_yard": "document: model\ngrids:\n  yard: {rows: 1, columns: 1, prefix: y_, fields: {wet: bool = false}}\n",
    "panels_yard": "document: panels\npanels:\n  yard: {shows: grid, of: yard, show: wet, empty: ▒, inside: board, at: b2}\n",
}


def test_cell_below_another_board_can_be_meant(tmp_path):
    """The corner of a shape's frame may lie there, where the shape itself does not."""
    shown, match = play(tmp_path, ["why", "b2", ""], more=INSET)

    assert "│  2 · ▒   · │" in shown
    assert "│  2   ·  [ ▒ ] [yes] │\n" in shown
    assert taken(match) == ["b2", "c2"]


NUMBERED = "document: rules\nfunctions:\n  number_of(cell): {is: 10 * cell.row + cell.column, text: Its number.}\n"
CARDED = """\
document: rules
functions:
  card_of(cell): {is: "first(k in card where k.number == cell.column + 1)", text: The card of a column.}
"""
PRICED = {
    "model": MODEL.replace("number: int}", "number: int, prices: list of cost}"),
    "cards": CARDS.replace("number: copy", "number: copy, prices: [1 point, 2 point], text: Of paper."),
    "more": "document: panels\nsymbols:\n  card: {sign: K}\npanels:\n"
    "  prices: {shows: list, of: card, facts: [sign, prices, odd], only: [odd]}\n",
    "odd": "document: rules\nfunctions:\n  odd(card): {is: card.number mod 2 == 1, text: Whether it is odd.}\n",
}


def test_what_a_sign_would_hide_is_written_behind_it(tmp_path):
    layers = "[taken, number_of], behind: {taken: number_of}"
    shown, _ = play(tmp_path, ["c1", "quit"], layers=layers, preview=False, more={"numbered": NUMBERED})

    assert "│  1   0     1   │ yes2  │\n│  2  10    11   │ yes12 │\n" in shown


def test_option_tells_what_a_function_of_its_cell_names(tmp_path):
    """A place on a board says nothing by its name; its symbol says what is known of it."""
    more = {
        "carded": CARDED,
        "cards": CARDS.replace("number: copy", "number: copy, text: A card of paper."),
        "more": "document: panels\nsymbols:\n  cell: {show: [card_of]}\n",
    }
    shown, _ = play(tmp_path, ["quit"], more=more)

    assert "  3 c1    +1 point  card 3  A card of paper\n" in shown


def test_list_tells_signs_functions_and_costs(tmp_path):
    shown, _ = play(tmp_path, ["quit"], more=PRICED)

    assert shown.count("Of paper  K  1 point; 2 point  yes\n") == 3


@pytest.mark.parametrize("preview", [True, False])
def test_panel_is_drawn_when_asked_for(tmp_path, preview):
    more = {"more": "document: panels\npanels:\n  cards: {shows: list, of: card, facts: [number], asked: true}\n"}
    shown, _ = play(tmp_path, ["show cards", "show", "c1", "", "quit"], preview=preview, more=more)

    assert shown.count("─ Cards ─") == 1
    assert "─ Cards ─" in shown.partition("show cards")[2].partition("> show")[0]
    assert "When asked: Cards ('show NAME'" in shown


def test_in_a_pipe_what_is_typed_is_taken(tmp_path):
    shown, match = play(tmp_path, ["a1", "bar_a1_1", "c1", "quit"], preview=False)

    assert taken(match) == ["a1", "c1", "a2", "c2"]
    assert "  1 bar at a1                 2 bar at a1, turned once\n" in shown
    assert "    ##                          #\n    +1 point                    #\n" in shown


@pytest.mark.parametrize(
    ("extra", "board"),
    [
        pytest.param("draw 1 from deck to open", "[yes]", id="the board does not depend on it"),
        pytest.param(
            "draw 1 from deck to open\n          for x in cell: set x.lit to number(x) < any_number()",
            "│  1  ·  · │[·] │\n",
            id="the board depends on it",
        ),
    ],
)
def test_nothing_hidden_is_shown_before(tmp_path, extra, board):
    extra = extra.replace("any_number()", "sum(d.number for d in open)")
    shown, match = play(tmp_path, ["c1"], extra)

    assert taken(match) == []
    assert board in shown


PICTURES = {
    "upper or lower": ("choose n in 1..2", "for x in cell where x.row == n - 1: set x.lit to true", True),
    "one or the other cell": ("choose n in 1..2", "for x in cell where number(x) == n: set x.lit to true", False),
    "the same for both": ("choose n in 1..2", "for x in cell: set x.lit to true", False),
    "one of them changes nothing": ("choose n in 1..2", "for x in cell: set x.lit to n == 2", False),
}


@pytest.mark.parametrize("name", PICTURES)
def test_options_that_change_the_board_are_shown_on_it(tmp_path, name):
    """What lies on a board without naming a cell, such as a piece for a place that was chosen before."""
    question, effect, on_board = PICTURES[name]
    extra = f"{question}\n          {effect}"
    shown, match = play(tmp_path, ["c1", "", "a", "turn", ""], extra)

    assert ("(2 of 2)" in shown and "type another option" in shown) == on_board
    lit = [cell for cell, fields in match.view(0)["pieces"]["cell"].items() if fields["lit"]]
    assert (lit == ["a2", "b2", "c2"]) == on_board


def test_options_that_change_the_board_differently_are_drawn(tmp_path):
    """With what becomes of the cells that any of them changes, and not only in words."""
    extra = "choose n in 1..2\n          for x in cell where x.row == n - 1: set x.lit to true"
    shown, _ = play(tmp_path, ["c1", "", "quit"], extra)

    assert "  a 1          b 2\n    yes yes      ·   ·\n    ·   ·        yes yes\n" in shown


def test_what_is_drawn_beside_an_option_stands_as_on_the_board(tmp_path):
    """With the first row below, where the board has it there."""
    extra = "choose n in 1..2\n          for x in cell where x.row == n - 1: set x.lit to true"
    shown, _ = play(tmp_path, ["c1", "", "quit"], extra, more={"panels": PANELS.replace("parts", "up: true, parts")})

    assert "  a 1          b 2\n    ·   ·        yes yes\n    yes yes      ·   ·\n" in shown


def test_ground_that_changes_is_not_marked(tmp_path):
    shown, _ = play(tmp_path, ["c1"], "for x in cell: set x.soil to 2", layers="[taken, soil]")

    assert "│  1   2    2  │[yes] │\n│  2   2    2  │[yes] │\n" in shown


def test_panels_are_drawn_again_when_another_player_has_acted():
    """In the race for beads the others are often moved by the only answer, and the same player is asked again."""
    shown, _ = sit(patolli.load("patolli"), ["1", "1", "1", "quit"], preview=True, seed=3, other="greedy")

    for before, after in pairwise(shown.split("Which counter?")):
        acted = "Player 2" in after or "... earlier" in after
        assert ("The board" in after) == acted, before


@pytest.mark.deep
def test_a_page_is_no_longer_than_the_screen():
    """The player who is asked sees the main boards and what has changed, as far as there is room; the rest is named."""
    shown, _ = sit(patolli.load("city_of_gods", ["first_game"]), ["1"] * 4, True, other="greedy")

    assert shown.count("─ Action boards ─") >= 2
    assert "─ Technologies ─" not in shown
    assert "Technologies · Places of worship" in " ".join(shown.split())


@pytest.mark.deep
def test_a_city_is_built_as_it_was():
    """Set-up and first turn of the second game: pieces, cells, turns, temples, a hidden tile that is taken."""
    typed = "1,a,1,d4,,1,d1,,1,j1,,1,f4,,c1,,1,,e1,,1,1,construct,1,g1,turn,turn,,f1,quit".split(",")
    shown, _ = sit(patolli.load("founders"), typed, preview=True, seed=3, other="greedy")

    compare("founders_turn.txt", shown)


@pytest.mark.deep
def test_goods_on_cells_say_what_they_are():
    typed = "1,d4,,1,c12,,1,i12,,1,h6,,1,2,,1,2,h1,turn,,3,2,1,1,a1,,quit".split(",")
    shown, _ = sit(patolli.load("founders"), typed, preview=True, seed=5, other="greedy")

    assert "  1 the cube on i11  -1 stone  stone\n  2 the cube on h12  -1 stone  stone\n" in shown
