"""What a person may type besides an answer."""

from __future__ import annotations

import re

import pytest
from packmaker import DATA
from sitting import Sat, sit
from tiers import few

import patolli
from patolli.play.terminal.commands import DOES
from patolli.play.terminal.prompt import COMMANDS
from patolli.run.runtime.why import list_refused_options


@pytest.fixture(scope="module")
def ticks() -> patolli.Ruleset:
    return patolli.load("tic_tac_toe")


@pytest.fixture(scope="module")
def city() -> patolli.Ruleset:
    return patolli.load("city_of_gods", ["first_game"])


def answer(sat: Sat) -> str:
    """What the last command has printed: everything up to the panels or the question that come again."""
    said = sat.asked[-1].partition("\n")[2]
    return re.split("\n\n(?:You|Player [0-9]) ", said.partition("\n╭─")[0])[0]


def test_every_command_is_reported_by_help_and_does_something(ticks):
    assert list(DOES) == list(COMMANDS)
    told = sit(ticks, ["help"]).text
    assert all(f"\n  {name} " in told for name in COMMANDS)


def test_beginning_of_a_command_is_no_command_but_names_it(ticks):
    assert "there is no option 'q'; did you mean 'quit'?" in sit(ticks, ["q"]).text


def test_numbers_behind_equal_options_are_explained(ticks):
    assert "(1), (2)" in sit(ticks, ["?"]).text


# -- advice


def test_advice_is_the_best_options_in_a_table():
    sat = sit(patolli.load("connect_four"), ["advice mcts:40", "advice mcts:40 all", "d"])
    few, every = sat.asked[1:3]

    assert "   tried  value   score  option, and what is likely to follow" in few
    assert "and 2 more; 'advice mcts:40 all' shows them" in few
    assert all(f"  column {letter}" in every.partition("You ")[0] for letter in "abcdefg")


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("advice greedy", "the bot 'greedy' gives no advice"),
        ("advice mcts:9 x", "'advice', 'advice all', or 'advice BOT'"),
        ("advice nobody", "there is no bot 'nobody'"),
    ],
)
def test_who_gives_no_advice_is_reported(ticks, typed, words):
    assert words in sit(ticks, [typed]).asked[-1]


# -- show


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        pytest.param("show match", ["match, a rule", "Mark an empty cell in turn", "Choose a cell"], id="rule"),
        pytest.param("show point", ["points, a counter", "Points"], id="counter"),
        pytest.param("show The board", ["╭─ The board"], id="panel by its title"),
        pytest.param("show board", ["╭─ The board"], id="panel by its id"),
        pytest.param("show has line", ["has line, a condition or a number"], id="words of an id"),
        pytest.param("show mach", ["nothing has the name 'mach'; did you mean 'match'?"], id="misspelt"),
        pytest.param("show xyzzy", ["nothing has the name 'xyzzy'; there are panels: The board"], id="unlike anything"),
    ],
)
def test_one_thing_is_shown(ticks, typed, words):
    text = sit(ticks, [typed]).asked[-1]

    assert [word for word in words if word not in text] == []


def test_piece_is_reported_with_text_facts_effect_and_place(city):
    sat = sit(city, ["show tech_3"], players=2)
    lines = answer(sat).split("\n")

    assert lines[0].endswith(", a piece (technology)")
    assert any(line.startswith("  now: ") for line in lines)
    assert any("After" in line or "gain" in line for line in lines)
    assert not any("_" in line for line in lines)


def test_only_facts_that_something_shows_are_reported(city):
    """What rules alone need says nothing to a player; effects in a list are said row by row, without brackets."""
    lines = answer(sit(city, ["show the Forest"], players=2)).split("\n")

    assert lines[0] == "the Forest, a piece (space)"
    assert "  yields, 1: Gain 1 cocoa. | Gain 1 wood. | Gain 2 wood." in lines
    assert [line for line in lines if re.search(r"printed|loose|tiled|\[\d|\bvp\b", line)] == []


def test_what_lies_somewhere_is_called_by_its_name(city):
    text = answer(sit(city, ["show the general area of a space"]))

    assert text.startswith("the general area of a space, a place")
    assert re.search(r"\n  the Forest: .*worker of power \d", text)


def test_places_in_the_packs_are_for_those_who_edit_them(ticks):
    told = answer(sit(ticks, ["b2", "why b2"]))

    assert "'b2' is not offered to you\n" in told
    assert ".yaml" not in told


def test_what_is_hidden_is_not_shown():
    """Where a piece lies is reported only where the player sees it."""
    rules = patolli.load(str(DATA / "hunt"))
    match = rules.start(2, 1)
    names = [animal.id for animal in match.program.layout.instances["animal"]]
    told = {name: answer(sit(rules, [f"show {name}"], "human random")) for name in names}
    seen = set(match.view(0)["places"]["pack"]["player_1"]) | set(match.view(0)["places"]["meadow"])

    assert {name for name in names if "  now: " in told[name]} == seen


# -- rules


def test_rules_are_a_text_for_players(ticks):
    text = sit(ticks, ["rules"]).text

    for part in (
        "Tic-tac-toe\nTwo players take turns",
        "Rules\n  match: Mark an empty cell in turn",
        "The end\n  Points: Your points.",
        "Now\n",
        "Which cell? ('options' lists what can be chosen)",
    ):
        assert part in text


def test_rules_that_speak_of_something(city):
    text = answer(sit(city, ["rules eclipse"]))

    assert "Eclipse" in text
    assert "worship" not in text.partition("\n")[0]
    assert "no rule mentions 'xyzzy'" in sit(city, ["rules xyzzy"]).text


# -- options


def test_everything_about_an_option(city):
    sat = sit(city, ["1", "?1", "? 1", "about 1", "?collect"])
    pages = [said.partition("\n")[2].partition("\n\nYou ")[0] for said in sat.asked[2:6]]

    assert len(set(pages)) == 1
    assert pages[0].startswith("collect cocoa")
    assert "You gain 3 cocoa" in pages[0]


def test_option_that_names_a_piece_tells_of_it(city):
    sat = sit(city, ["?1"])

    assert "a piece (" in answer(sat)


def test_option_of_chance_says_so(headed, tmp_path):
    text = (tmp_path / "rules.yaml").read_text()
    (tmp_path / "rules.yaml").write_text(text.replace("gain n coin", "random x in 1..2\n    gain x coin"))

    assert "The result is random, or depends on things" in sit(patolli.load(str(tmp_path)), ["?a"]).text
    assert "The result is random, or depends on things" not in sit(headed, ["?a"]).text


@pytest.mark.deep
def test_option_tells_nothing_of_what_a_seat_does_that_the_rules_play():
    """After the last choice of a turn such a seat has its own, with dice; the option does not depend on these."""
    rules = patolli.load("city_of_gods", ["solo", "first_game"])
    sat = sit(rules, ["4", "?1", "1"], "human rules", match=rules.start(None, 1))
    told = answer(Sat(sat.text, sat.asked[:3], sat.session))

    assert "1 collect cocoa  " in sat.asked[1]
    assert "You gain 3 cocoa" in told
    assert "Player 2" not in told
    assert "Player 2 rolls two dice" in sat.asked[3]


def test_what_is_not_offered_is_called_by_its_words(city):
    words = "worship to use the ability of the left worship space of the Palace"
    sat = sit(city, ["1", "why", f"why {words}"])

    assert f"not offered:\n  {words}\n" in sat.text
    assert f"{words!r} is not offered to you" in " ".join(sat.text.split())
    assert not [id_ for id_ in ("palace_left", "player_1") if id_ in sat.text]
    assert "(/" not in sat.text


def test_what_reads_like_an_option_is_not_said_to_be_none():
    """Of equal counters that wait only the first may go, and it is unknown which one that is."""
    rules = patolli.load("patolli")
    match = rules.start(2, 3)
    while match.decision.options[-1].words != "counter after 0 steps":
        match.choose(0)
    sat = sit(rules, ["why", "why nonsense"], ["human"] * 2, match=match)

    assert "counter after 0 steps" in {words for words in list_refused_options(match).values()}
    assert "player 2's counter after" in sat.text
    assert "counter after 0 steps" not in answer(sat).replace("'s counter after 0 steps", "")


@pytest.mark.deep
def test_why_is_asked_by_the_number_or_the_end_of_an_option(ticks):
    assert "'c1' is offered to you" in sit(ticks, ["b2", "why 2"]).text
    founders = patolli.load("founders")
    offered = sit(founders, ["1", "why d6"]).text
    assert "'level 1 of the pyramid at d6' is offered" in offered
    assert "l1_r1_c0" not in offered
    text = " ".join(sit(founders, ["1", "why d5"]).text.split())

    assert "no rule 'd5'" in text
    assert "not offered here: " in text
    assert not [id_ for id_ in ("l1_r1", "build_building") if id_ in text]


def test_options_are_all_listed_when_asked_for():
    rules = patolli.load(str(DATA / "hunt"))
    sat = sit(rules, ["cave_1", "", "options", ""], "human random", height=18, in_front=True)

    cut = next(at for at, asked in enumerate(sat.asked) if "... 'options' lists all of them" in asked)
    assert "\n  23 " not in sat.asked[cut]
    assert "\n  23 look into player 2's " in "".join(sat.asked[cut + 1 :])


def test_unknown_option_is_reported_with_the_nearest(ticks):
    assert "there is no option 'b22'; did you mean 'b2'?" in sit(ticks, ["?b22"]).text


# -- the board, and what is typed where a text stops


def test_board_is_drawn_once_and_alike(ticks):
    sat = sit(ticks, ["b2", "log", "show", "undo"])

    assert "[·]" not in sat.text
    assert sat.asked[2].count("The board") == 1
    assert sat.asked[3].count("The board") == 1


@pytest.mark.deep
def test_board_with_marks_is_shown_once():
    (shown,) = sit(patolli.load("founders"), ["1", "1", "1", "1", "1", "show"], seed=5).asked[-1:]

    assert shown.count("Your city") == 1
    assert "[ + ]" in shown


def test_command_is_carried_out_where_a_text_stops(city):
    sat = sit(city, ["help", "rules xyzzy", "help", "1"], in_front=True, height=20)

    assert "no rule mentions 'xyzzy'" in sat.asked[2] + sat.asked[3]
    assert sat.session.match.choices[0] == 0


@pytest.mark.deep
def test_sign_of_an_empty_cell_is_explained():
    assert "▒  where the pyramid is built" in sit(patolli.load("founders"), ["legend"]).text.replace("   ", "  ")


# -- what was typed


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        pytest.param("halp", "did you mean 'help'?", id="command"),
        pytest.param("shwo board", "did you mean 'show board'?", id="command with something behind it"),
        pytest.param("a33", "did you mean 'a3'?", id="option"),
        pytest.param("log forever", "'log', 'log all', or 'log 1' page 1", id="what stands behind a command"),
        pytest.param("why b22", "did you mean 'b2'?", id="the subject"),
    ],
)
def test_unknown_words_are_answered_with_the_nearest(ticks, typed, words):
    assert words in sit(ticks, ["b2", typed]).text


def test_help_explains_signs_and_words(city):
    text = sit(city, ["help"]).text

    for part in (
        "Signs and words in every game:\n",
        "(anytime)",
        "Signs of this game:\n",
        "Counters:\n",
        "Panels for 'show':\n",
        "a worker: whose it is",
    ):
        assert part in text


# -- log


def test_log_has_chapters(headed):
    sat = sit(headed, ["a", "a", "log 2", "log all"], "human greedy", in_front=True, height=40)
    second, everything = sat.asked[-2].partition("\n\nplayer")[0], sat.asked[-1]

    assert second.count("Round") == 1
    assert everything.count("Round") == 3


def test_log_tells_the_last_of_it_first_and_pages_the_rest(headed):
    sat = sit(headed, ["a", "a", "a", "log", "log all", "", "", "q"], "human greedy", in_front=True, height=10)
    last = sat.asked[4].partition("\n")[2].partition("\n\nYou ")[0].partition("\nEnter continues")[0].split("\n")

    assert len(last) <= 10
    assert last[0].startswith("  Round")
    assert "'log all' shows everything, and 'log 1' Round 0, 'log 2' Round 1" in " ".join(last[-2:])
    assert sat.asked[5].count("\n") <= 10
    assert sat.asked[5].endswith("more lines: Enter continues, 'q' stops> ")


@pytest.mark.parametrize("pack", few(["patolli", "founders", "city_of_gods"], 0))
def test_no_command_tells_an_id(pack):
    """What people read is called by its name, whatever they have typed."""
    typed = [
        "1",
        "help",
        "legend",
        "options",
        "?1",
        "?2",
        "show",
        "rules",
        "rules take",
        "log all",
        "undo",
        "undo turn",
    ]
    text = re.sub("`[^`]*`", "", sit(patolli.load(pack), typed, seed=3).text)  # without the text of a rule

    assert re.findall(r"\w*[a-z]_\w+", text) == []


def test_answer_of_another_question_is_named_with_it(city):
    text = " ".join(sit(city, ["why main action"]).text.split())

    assert "'main action' is an option of 'What do you do there?', which is not asked now" in text


def test_word_behind_a_question_mark_may_be_whatever_has_a_name(city):
    assert answer(sit(city, ["?calendar"])).startswith("─ Calendar ─")
    assert "technology 3" in answer(sit(city, ["?technology 3"]))
    assert "did you mean" in answer(sit(city, ["?technolgy 3"])) or "try 'help'" in answer(sit(city, ["?xyzzy"]))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        pytest.param("c", "c  coral", id="sign"),
        pytest.param("coral", "coral  one of the words for colour: ochre, jade, coral", id="word of a sort"),
        pytest.param("❶1", "❶  you", id="parts of a sign"),
        pytest.param("(anytime)", "(anytime)  can be done between the steps of a turn", id="sign of every game"),
    ],
)
def test_word_behind_a_question_mark_may_be_a_sign(city, typed, told):
    assert told in answer(sit(city, [f"?{typed}"]))


def test_help_says_that_any_word_can_be_asked_for(city):
    assert "'?WORD'" in answer(sit(city, ["?"]))


def test_undeclared_panels_have_names_of_their_own(city):
    told = answer(sit(city, ["?"])).partition("Panels for 'show':\n")[2]
    names = [name for line in told.split("\n") for name in re.split(" {2,}", line.strip()) if name]

    assert "More about players" in names
    assert "goods" not in names
    assert len(names) == len(set(names))
