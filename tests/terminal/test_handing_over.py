"""Several people at one screen: the secrets of a player are shown only when that player sits in front."""

from __future__ import annotations

import io

import pytest
from littlepacks import lay
from packmaker import DATA
from rich.console import Console

import patolli
from patolli.play.terminal.session import Session
from patolli.serve.studio.scene import scene_of

ASKED = "Enter when ready> "


def sat(pack: str, seats: list[str], typed: list[str]) -> list[tuple[str, str]]:
    """What was on the screen when each line was asked for, with what was asked; '' is the end."""
    rules, out, found = patolli.load(pack), io.StringIO(), []
    console = Console(file=out, width=100, highlight=False, markup=False, emoji=False)
    lines = iter(typed)

    def read(prompt: str) -> str:
        found.append((prompt, out.getvalue()))
        out.seek(0)
        out.truncate()
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    Session(rules, rules.start(len(seats), 1), seats, console, read).play()
    return [*found, ("", out.getvalue())]


def test_next_person_is_waited_for():
    shown = sat(str(DATA / "hunt"), ["human", "human"], ["", "cave_1", "", "cave_2", ""])

    assert [prompt == ASKED for prompt, _ in shown[:-1]] == [True, False] * 3
    for number, (prompt, text) in enumerate(shown[:-1]):
        seat = number // 2 % 2 + 1
        assert (f"Player {seat} decides; the other players look away" in text) == (prompt == ASKED)
        assert ("Where does your treasure lie?" in text or "What now?" in text) == (prompt != ASKED)
    assert "animal_" not in shown[2][1], "no piece of a hand before the next person sits there"


@pytest.mark.parametrize(
    ("pack", "seats"),
    [
        pytest.param(str(DATA / "hunt"), ["human", "random"], id="no other player looks"),
        pytest.param("tic_tac_toe", ["human", "human"], id="nothing is hidden"),
    ],
)
def test_no_player_is_waited_for(pack, seats):
    assert ASKED not in [prompt for prompt, _ in sat(pack, seats, ["1", "1", "1"])]


def test_what_no_player_sees_is_no_hint():
    text = sat(str(DATA / "hunt"), ["human", "random"], ["cave_1"])[1][1]

    said = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.strip()[:1].isdigit()]
    assert [line.split() for line in said if line.startswith("boast")] == [["boast", *"then asks: How?".split()]]
    assert [line.split() for line in said if line.startswith("brood")] == [["brood"]]  # most options ask the same next
    assert [line.split() for line in said if line.startswith("rest")] == [["rest", "+1", "nerve"]]


def test_leaving_instead():
    shown = sat(str(DATA / "hunt"), ["human", "human"], ["quit"])

    assert [prompt for prompt, _ in shown] == [ASKED, ""]
    assert "The match ends here." in shown[-1][1]


# ---- what is shown to one player, and deciding for another one


PEEP = "kinds:\n  card: {noun: [card, cards], facts: {number: int}}\ncounters:\n  point: {per: player, max: 99, noun: [point, points]}\nplaces:\n  deck: {of: card, type: pile, visible: none}\n"
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 9, number: copy}\n"
SHOWING = """rules:
  match: |
    shuffle deck
    for p in players: as p: act()
    for p in players: as p: act()
    end match
  act: |
    choose n in 1..3 "How much?"
    gain n point
    let c = top(deck)
    if c and n == 2: reveal c to next(me)
    if c and n == 3: reveal c to me
result: {score: point}
"""


def test_what_was_shown_is_read_at_the_next_turn(tmp_path):
    pack = lay(tmp_path, PEEP, SHOWING, cards=PIECES)
    shown = sat(pack, ["human"] * 3, ["", "2", "", "3", "", "1", "", "1", "", "1", "", "1"])
    screens = {number: text for number, (_, text) in enumerate(shown)}
    looks, reads = "looks at card", "shows card"

    assert [number for number, text in screens.items() if reads in text] == [3], "only player 2, at the own question"
    assert [number for number, text in screens.items() if looks in text] == [9], "only player 2, at the next turn"
    assert "Player 1 shows 1 card from the deck to player 2" in screens[5]
    assert "Player 2 looks at 1 card from the deck" in screens[5]


def test_what_only_the_reader_learned_is_never_left_out(tmp_path):
    long = SHOWING.replace("gain n point", "gain n point\n    lose n point\n    gain n point\n    lose 1 point")
    pack = lay(tmp_path, PEEP, long, cards=PIECES)
    rules = patolli.load(pack)
    match = rules.start(3, 1)
    for choice in ("2", "3", "1"):
        match.choose(choice)
    session = Session(rules, match, ["human"] * 3, Console(file=io.StringIO(), width=100), lambda prompt: "quit")
    session._first_read = 0
    session.chronicle.read_as(1)
    news = [line.plain for line in session.news(1, 4)]

    assert len(news) == 4
    assert [words.strip().split(" card ")[0] for words in news[:2]] == ["Player 1 shows", "Player 2 looks at"]
    assert "earlier" in "".join(news)


def test_who_decides_for_another_player_sees_both_hands(tmp_path):
    model = PEEP + "  hand: {of: card, per: player, type: area, visible: owner}\n"
    rules = """rules:
  match: |
    for p in players: draw 2 from deck to hand(p)
    as player_1 by player_2:
      choose c in hand(me) or "none" "Lay which?"
      if c: gain c.number point
    end match
result: {score: point}
"""
    pack = lay(tmp_path, model, rules, cards=PIECES)
    match = patolli.load(pack).start(2, 1)
    seen = match.view(0)["places"]["hand"]["player_1"]
    text = sat(pack, ["human", "human"], ["", "why card_1"])[1][1]
    hands = next(panel for panel in scene_of(match, 1)["panels"] if panel["id"] == "hand")["groups"]

    assert all(name.replace("_", " ") in text for name in seen)
    assert [(group["title"], len(group["items"])) for group in hands] == [("player 1", 2), ("player 2", 2)]
    assert "among the hand of player 1" in sat(pack, ["human", "human"], ["", f"why {match.decision.labels[0]}"])[2][1]


def test_hands_are_drawn_when_a_player_begins_to_decide_for_another(tmp_path):
    model = PEEP + "  hand: {of: card, per: player, type: area, visible: owner}\n"
    rules = """rules:
  match: |
    for p in players: draw 2 from deck to hand(p)
    choose n in 1..2 "Now?"
    gain n point
    as player_2 by me:
      choose c in hand(me) or "none" "Lay which?"
      if c: gain c.number point
    end match
result: {score: point}
"""
    folder = lay(tmp_path, model, rules, cards=PIECES)
    hidden = patolli.load(folder).start(2, 1).view(1)["places"]["hand"]["player_2"]
    text = sat(folder, ["human", "human"], ["", "1"])[2][1]

    assert "for player 2: Lay which?" in text
    panels = text[: text.index("for player 2")]
    assert [name for name in hidden if name.replace("_", " ") not in panels] == []
