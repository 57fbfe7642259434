"""What is drawn of a fair that has a bit of everything: words that fit, copies that differ, pieces that are one's own."""

from __future__ import annotations

import io
import shutil
from itertools import pairwise

import pytest
from frames import console, looks
from packmaker import DATA
from rich.text import Text

import patolli
from patolli.play.scene.hints import Hints
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal.flow import crowd, fold_text
from patolli.play.terminal.page import Seen
from patolli.play.terminal.prompt import Question
from patolli.play.terminal.screen import Screen, make_console
from patolli.serve.studio.scene import scene_of

FAIR = str(DATA / "fair")


def fair(tmp_path, panels: str = "", before: str = "", after: str = "") -> patolli.Match:
    """Start a match at the fair, with panels or without any, and perhaps with something written otherwise."""
    folder = tmp_path / "fair"
    folder.mkdir()
    for file in (DATA / "fair").iterdir():
        (folder / file.name).write_text(file.read_text().replace(before or "\0", after))
    if panels:
        (folder / "panels.yaml").write_text(f"document: panels\n{panels}")
    return patolli.load(str(folder)).start(2, 1)


def drawn(match: patolli.Match, only: str = "", width: int = 80, seat: int = 0, **more: object) -> str:
    out = io.StringIO()
    Screen(match.ruleset.model, console(out, width, **more)).draw(match, seat, only)
    return out.getvalue()


def claim(match: patolli.Match, town: str, number: int) -> None:
    match.choose(next(o for o in match.decision.options if o.label == f"{town} -> {number}"))


# ---- colours


def test_words_of_options_are_not_dark(tmp_path):
    """Only the number before them is."""
    shown, *_ = looks(fair(tmp_path), 80, 1, force_terminal=True, color_system="standard", no_color=False)
    line = next(line for line in shown.splitlines() if "low town, 1" in line)

    assert "\x1b[90m" in line
    assert "\x1b[0m low town, 1" in line


def test_a_line_that_goes_on_keeps_its_colour():
    lines = fold_text(Text("12  ", "bright_black"), Text("many words that do not fit into one line", "green"), 20)

    assert len(lines) == 3
    for number, line in enumerate(lines):
        words = [span.style for span in line.spans if line.plain[span.start : span.end].strip() not in ("", "12")]
        assert set(words) == {"green"}, number
        assert not line.style


def test_head_without_room_behind_it_stands_alone():
    """And a blank one, where words go on below others, does not stand anywhere."""
    words = Text("words that do not fit behind it")

    assert fold_text(Text("a long head     "), words, 24)[0].plain == "a long head"
    assert all(line.plain.strip() for line in fold_text(Text(" " * 20), words, 24))


# ---- words that fit


@pytest.mark.parametrize("width", [60, 80, 140])
def test_nothing_is_cut(tmp_path, width):
    panels = """panels:
  towns: {shows: list, of: town, facts: [size, closed, claims]}
  claims: {shows: pieces, of: claims}
  track: {shows: track, counters: [fame]}
  prices: {shows: table, rows: [price]}
  board: {shows: ring, of: town, lines: [claims, size]}
"""
    match = fair(tmp_path, panels)
    claim(match, "the_very_long_market_town_of_the_northern_plain", 2)
    for text in (drawn(match, width=width), "".join(looks(match, width, 1))):
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= width
        words = " ".join(text.replace("│", " ").split())
        assert "the very long market town of the northern plain" in words


def test_what_is_reported_an_option_goes_on_below_it(tmp_path):
    shown, *_ = looks(fair(tmp_path), 60, 1)

    assert "low town, 2 +2 coins, +2 prices (low town, corn), +2 prices (low town, salt), +1 fame" in " ".join(
        shown.split()
    )
    assert max(map(len, shown.splitlines())) <= 60


def test_why_fits_into_the_screen():
    out = io.StringIO()
    screen = Screen(patolli.load("tic_tac_toe").model, console(out, 40))
    screen.say("  holds      " + "a condition with many words in it " * 3)
    lines = out.getvalue().splitlines()

    assert len(lines) > 2
    assert all(line.startswith("  ") and len(line) <= 40 for line in lines)


# ---- copies, and what lies together


def test_copies_that_differ_are_distinguished(tmp_path):
    match = fair(tmp_path, "symbols:\n  card: {sign: S}\npanels:\n  hand: {shows: pieces, of: hand}\n")
    ranks = [int(piece.rpartition("_")[2]) for piece in match.view(0)["places"]["hand"]["player_1"]]

    assert drawn(match, "hand").splitlines()[1] == ", ".join(f"S ({rank})" for rank in ranks)


def test_equal_words_are_counted_and_signs_are_not():
    def told(*words: str) -> str:
        return crowd([Text(word) for word in words]).plain

    assert told("mine", "mine", "mine") == "3x mine"
    assert told("●", "●", "○") == "● ● ○"
    assert told(*["●"] * 7) == "7x ●"
    assert told("1", "1", "2") == "1,1,2"


def test_markers_of_two_players_are_no_number(tmp_path):
    panels = "symbols:\n  player_1: {sign: '1'}\n  player_2: {sign: '2'}\npanels:\n"
    match = fair(tmp_path, panels + "  fame: {shows: track, counters: [fame]}\n")

    assert " 1,2 " in drawn(match, "fame")


# ---- whose it is


def test_own_sign_differs_from_those_of_others(tmp_path):
    """Without colour the own one is full, for every viewer."""
    match = fair(tmp_path, "symbols:\n  chip: {show: [owner]}\npanels:\n  all: {shows: pieces, of: chips, who: all}\n")

    assert "❶ you  ❶, ❶, ❶" in drawn(match, "all").replace("3x ❶", "❶, ❶, ❶")
    assert "②      " in drawn(match, "all")
    assert "❷ you" in drawn(match, "all", seat=1)
    assert "①" in drawn(match, "all", seat=1)


def test_panel_of_all_players_says_which_is_mine(tmp_path):
    panels = "panels:\n  hands: {shows: pieces, of: chips, who: all, facts: [owner]}\n"

    assert "❶ you  " in drawn(fair(tmp_path, panels), "hands")


def test_piece_of_a_player_has_the_colour_of_that_player(tmp_path):
    panels = "symbols:\n  player_2: {colour: blue}\n  chip: {sign: c}\npanels:\n  all: {shows: pieces, of: chips, who: all}\n"
    match = fair(tmp_path, panels)
    text = drawn(match, "all", force_terminal=True, color_system="standard", no_color=False)

    assert "\x1b[94mc" in text


# ---- what has no panel, and counters per two kinds


def test_counters_for_two_kinds_are_a_table(tmp_path):
    match = fair(tmp_path, "panels:\n  prices: {shows: table, rows: [price]}\n")
    claim(match, "low_town", 2)
    lines = [line.split() for line in drawn(match, "prices").splitlines()]

    assert ["corn", "0", "2"] in [line[-3:] for line in lines]
    assert ["salt", "0", "2"] in [line[-3:] for line in lines]


def test_all_that_can_change_appears_without_panels(tmp_path):
    match = fair(tmp_path)
    claim(match, "low_town", 1)
    text = drawn(match)

    for words in ("Players", "Price", "Hand", "Claims", "Offer", "Town"):
        assert f"─ {words} ─" in text, words


def test_what_has_no_panel_is_drawn_when_asked_for(tmp_path):
    match = fair(tmp_path, "panels:\n  hand: {shows: pieces, of: hand}\n")

    assert "Price" not in drawn(match)
    assert "corn" in drawn(match, "price")


# ---- what is drawn when


def test_page_draws_what_has_changed_and_names_the_rest(tmp_path):
    panels = """panels:
  towns: {shows: list, of: town, facts: [size, closed, claims], main: true}
  prices: {shows: table, rows: [price]}
  hand: {title: Hand; with a title that has a line of its own, shows: pieces, of: hand, facts: [rank]}
  fame: {shows: track, counters: [fame]}
"""
    match, out, seen = fair(tmp_path, panels), io.StringIO(), Seen()
    screen = Screen(match.ruleset.model, console(out, 50))

    def page(below: int) -> str:
        out.seek(0)
        out.truncate()
        screen.page(match, 0, seen, below=below)
        return out.getvalue()

    first = page(0)
    assert all(f"─ {words}" in first for words in ("Towns", "Prices", "Hand", "Fame"))
    claim(match, "low_town", 1)
    tight = page(14)

    assert "─ Towns ─" in tight
    assert "─ Fame ─" in tight
    assert "─ Hand" not in tight
    assert "Unchanged: Hand" in tight


def test_signs_are_explained_once(tmp_path):
    match, out, seen = (
        fair(tmp_path, "panels:\n  fame: {shows: track, counters: [fame], note: First wins.}\n"),
        io.StringIO(),
        Seen(),
    )
    screen = Screen(match.ruleset.model, console(out, 80))
    screen.page(match, 0, seen)
    first = out.getvalue()
    screen.page(match, 0, seen)

    assert "Fame: First wins." in first
    assert "❶ you" in first
    assert "② player 2" in first
    assert "player 2" not in out.getvalue()[len(first) :]


def test_what_changed_since_the_last_look_stands_in_the_table(tmp_path):
    match, out, seen = fair(tmp_path, "panels:\n  all: {shows: table, rows: [coin]}\n"), io.StringIO(), Seen()
    screen = Screen(match.ruleset.model, console(out, 80))
    screen.page(match, 0, seen)
    claim(match, "low_town", 2)
    screen.page(match, 0, seen)

    assert "(+2) 2" in out.getvalue()
    assert "(+" not in drawn(match, "all")


# ---- how it looks


def test_piece_with_a_picture_is_drawn(tmp_path):
    panels = "symbols:\n  tile: {picture: {of: corners, rows: [[0, 1], [3, 2]]}}\npanels:\n  offer: {shows: row, of: offer}\n"
    text = drawn(fair(tmp_path, panels), "offer")

    assert [line.split() for line in text.splitlines()[2:4]] in (
        [list("1256"), list("4387")],
        [list("5612"), list("8743")],
    )


def test_picture_may_be_a_field_with_blanks(tmp_path):
    """As of a tile with four edges that players turn; there is no item 4."""
    picture = "{of: lying, rows: [[4, 0, 4], [3, 4, 1], [4, 2, 4]]}"
    panels = f"symbols:\n  tile: {{picture: {picture}}}\npanels:\n  offer: {{shows: row, of: offer}}\n"
    tile = "tile: {facts: {corners: list of int}"
    match = fair(tmp_path, panels, tile, f"{tile}, fields: {{lying: 'list of int = {{6, 7, 8, 9}}'}}")

    assert [line.split() for line in drawn(match, "offer").splitlines()[2:5]] == [["6"] * 2, list("9797"), ["8"] * 2]
    marks = panel_marks(match)
    assert [[mark.get("text") for mark in row] for row in marks] == [["", "6", ""], ["9", "", "7"], ["", "8", ""]]


def panel_marks(match: patolli.Match) -> list[list[dict[str, str]]]:
    """Return the picture of the first piece of the offer on a page."""
    offer = next(one for one in scene_of(match, 0)["panels"] if one["id"] == "offer")
    return next(one["mark"]["picture"] for one in offer["groups"][0]["items"] if one)


def test_main_board_is_framed_and_others_are_not(tmp_path):
    panels = "panels:\n  hand: {shows: pieces, of: hand}\n  towns: {shows: list, of: town, facts: [size], main: true}\n"
    text = drawn(fair(tmp_path, panels))

    assert text.startswith("╭─ Towns ─")
    assert "╮  ─ Hand ─" in text


def test_wide_screen_has_panels_side_by_side(tmp_path):
    panels = "panels:\n  hand: {shows: pieces, of: hand, facts: [rank]}\n  prices: {shows: table, rows: [price]}\n"
    match = fair(tmp_path, panels)

    assert drawn(match, width=60).count("─ Prices ─") == 1
    assert any("─ Hand ─" in line and "─ Prices ─" in line for line in drawn(match, width=140).splitlines())
    assert not any("─ Hand ─" in line and "─ Prices ─" in line for line in drawn(match, width=60).splitlines())


@pytest.mark.parametrize(
    "symbol",
    [
        pytest.param("tile: {picture: {of: corner, rows: [[0]]}}", id="no such fact"),
        pytest.param("town: {picture: {of: size, rows: [[0]]}}", id="no list"),
        pytest.param("chip: {show: [[owner, colour], owner]}", id="unknown in an inner list"),
    ],
)
def test_symbol_is_refused(tmp_path, symbol):
    with pytest.raises(patolli.ContentError, match="P0501"):
        fair(tmp_path, f"symbols:\n  {symbol}\n")


def test_first_that_says_something_stands_for_a_piece(tmp_path):
    panels = "symbols:\n  town: {show: [[closed, size], size]}\n  closed: {sign: X}\npanels:\n  all: {shows: list, of: town, facts: [sign]}\n"
    match = fair(tmp_path, panels)
    claim(match, "low_town", 1)

    assert [line.split()[-1] for line in drawn(match, "all").splitlines()[1:]] == ["11", "X2"]


def test_symbol_may_show_a_field_that_is_a_list(tmp_path):
    symbols = "symbols:\n  town: {show: [past, size]}\npanels:\n  all: {shows: list, of: town, facts: [sign]}\n"
    match = fair(tmp_path, symbols, "fields: {closed", "fields: {past: 'list of int = {7, 8}', closed")

    assert Hints(Scene(match, 0), match.decision).describe(match.decision.options[0]).plain.endswith("  7 81")
    assert drawn(match, "all").splitlines()[1].endswith("7 81")


def test_shapes_are_drawn_and_not_spelt():
    """In lists of things that have one, and for each option that names one."""
    match = patolli.load("founders").start(2, 1)
    lines = drawn(match, "offered_buildings").splitlines()

    assert any(line.split() == ["##", "##", "#.", "###"] for line in lines)
    assert not any(" / " in line for line in lines)


def test_kind_is_not_said_again(tmp_path):
    match = fair(
        tmp_path,
        "panels:\n  offer: {shows: row, of: offer}\n",
        "tile: {facts",
        "tile: {name: tile of four corners, facts",
    )

    assert "1  four corners" in drawn(match, "offer")


def test_main_board_is_next_to_the_question_where_the_screen_is_low(tmp_path):
    panels = "panels:\n  towns: {shows: list, of: town, facts: [size], main: true}\n  hand: {shows: pieces, of: hand}\n"
    match = fair(tmp_path, panels)

    def page(below: int) -> str:
        out = io.StringIO()
        Screen(match.ruleset.model, console(out, 60)).page(match, 0, Seen(), {"hand"}, below=below)
        return out.getvalue()

    assert page(0).index("─ Towns ─") < page(0).index("─ Hand ─")
    assert page(22).index("─ Hand ─") < page(22).index("─ Towns ─")


def test_question_is_about_where_its_answers_lie(tmp_path):
    panels = "panels:\n  towns: {shows: ring, of: town, lines: [claims]}\n  hand: {shows: pieces, of: hand}\n"
    match = fair(tmp_path, panels)

    found = Question(Screen(match.ruleset.model, console(io.StringIO())), match).concerned_panels
    assert found & {"towns", "hand"} == {"towns"}


# ---- hexagons, and fields of the table


@pytest.mark.parametrize("size", [4, 11])
def test_each_row_of_hexagons_lies_half_a_cell_further_right(size):
    lines = drawn(patolli.load("hex", options={"size": size}).start(2, 1)).splitlines()
    rows = [line for line in lines if line.count("·") == size]
    starts = [row.index("·") for row in rows]

    assert len(rows) == size
    assert {later - one for one, later in pairwise(starts)} == {1}
    assert {row.index("·", start + 1) - start for row, start in zip(rows, starts, strict=True)} == {2}


def test_fields_of_the_table_are_drawn(tmp_path):
    extra = "table:\n  wind: int 0..9 = 4\n  rain: bool = false\n  guest: player or none\n  dark: {type: bool = false, visible: none}\n"
    extra += "  runs: list of int = {3, 5}\n  past: list of list of int\n"
    shutil.copytree(DATA / "fair", tmp_path / "fair")
    model = "document: model\n"
    for name, before, after in (("pack", "language: 1", "language: 2"), ("model", model, model + extra)):
        file = tmp_path / "fair" / f"{name}.yaml"
        assert before in file.read_text()
        file.write_text(file.read_text().replace(before, after))
    match = patolli.load(str(tmp_path / "fair")).start(2, 1)

    assert "Wind 4 · Rain no · Guest - · Dark ? · Runs 3 5" in drawn(match, width=120)


# ---- what a stranger could not read


def test_columns_of_a_list_have_headings():
    """How a graph is drawn, too: each spot with its neighbours and with what lies there."""
    lines = drawn(patolli.load("high_water").start(2, 1), "villages").splitlines()
    head = next(line for line in lines if "Dykes to" in line)
    aln, brook = (next(line for line in lines if line.startswith(f"│ {name} ")) for name in ("Aln", "Brook"))

    assert head.strip("│ ").split("  ")[0] == "Shore"
    for word, below in (("Shore", "north"), ("Dykes to", "Brook, Dell"), ("Water", "0"), ("Who is there", "warden")):
        assert head.index(word) == aln.index(below), word
    assert head.index("Dykes to") == brook.index("Aln, Carr")


@pytest.mark.parametrize(
    ("facts", "note", "headed"),
    [
        pytest.param("[size, claims]", "", True, id="several"),
        pytest.param("[size]", "", False, id="one that the title says"),
        pytest.param("[size, claims]", ", note: How large and whose.", False, id="a note says it"),
    ],
)
def test_list_has_headings_where_nothing_else_says_what_stands_there(tmp_path, facts, note, headed):
    match = fair(tmp_path, f"panels:\n  towns: {{shows: list, of: town, facts: {facts}{note}}}\n")
    claim(match, "low_town", 2)

    assert ("Size  " in drawn(match, "towns")) == headed


def test_cells_with_names_of_their_own_are_called_so_on_the_board():
    lines = drawn(patolli.load("backgammon").start(2, 1), "board").splitlines()
    above, below = (next(line for line in lines if word in line) for word in (" 13 ", " 12 "))

    assert above.split()[1:-1] == [*map(str, range(13, 19)), "25", *map(str, range(19, 25))]
    assert below.split()[1:-1] == [*map(str, range(12, 6, -1)), "0", *map(str, range(6, 0, -1))]
    row = lines[lines.index(above) - 1]
    assert [row.index(sign) for sign in ("●5", "○3")] == [above.index("13"), above.index("17")]


@pytest.mark.parametrize("columns", ["0", "1", "-5", "x"])
def test_page_is_readable_whatever_the_columns_are_said_to_be(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)

    assert make_console(io.StringIO()).width >= 20
