"""A piece that is shown to some players: what they know then, what is reported, and what cannot be undone."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import Match, MatchError
from patolli.run.runtime.undo_limits import Past

PACK = "document: pack\nid: peep\nversion: 1.0.0\nlanguage: 3\ntitle: Peep\nauthors: [x]\ntext: x\nplayers: {min: 3, max: 3}\n"
MODEL = """document: model
kinds:
  card: {noun: [card, cards], facts: {number: int}}
counters:
  turn: {}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 9, number: copy}\n"
START = 'shuffle deck\nfor p in players: draw 2 from deck to hand(p)\nchoose n in 0..1 "Begin?"\nset turn to n\n'
END = 'for p in players: as p: choose last in 7..8 "And?"\n'
TOP, ONE, OTHERS = (
    "let t = top(deck)\nif t: reveal t to me\n",
    "let c = first(hand(me))\nif c: reveal c to player_2\n",
    "let c = first(hand(me))\nif c: reveal c to others(me)\n",
)


def start_match(folder, effect: str, narrate: bool = False, choices: int = 1) -> Match:
    """Return a match in which the first player has made choices: the effect stands behind the first one."""
    body = "".join(f"      {line}\n" for line in f"{START}{effect}{END}".strip().split("\n"))
    rules = f"document: rules\nrules:\n  match:\n    do: |\n{body}"
    for name, text in (("pack", PACK), ("model", MODEL), ("cards", PIECES), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    match = load(str(folder)).start(3, 1, narrate=narrate)
    for _ in range(choices):
        match.pick(0)
    return match


def find_holders(match: Match, seat: int, piece: int) -> set[str]:
    """Return where a piece lies in worlds of a seat, with its position in a pile."""
    at, found = match.program.layout.at["card"], set()
    for seed in range(40):
        world = match.determinize(seat, seed)
        slot = world.state[at + piece]
        held = world.state[slot]
        found.add(f"{match.labels.holders[slot]} {held.index(piece) if slot == slots_of(match)[0] else ''}".strip())
    return found


def slots_of(match: Match) -> tuple[int, int]:
    """Return the slots of the deck and of the hand of the first player."""
    places = match.program.layout.places
    return places["deck"][0], places["hand"][0]


@pytest.mark.parametrize("choices", [1, 2, 3])
@pytest.mark.parametrize(
    ("effect", "knowing"),
    [pytest.param(TOP, {0}, id="top"), pytest.param(ONE, {1}, id="one"), pytest.param(OTHERS, {1, 2}, id="others")],
)
def test_players_to_whom_a_piece_is_shown_know_where_it_lies(tmp_path, effect, knowing, choices):
    match = start_match(tmp_path, effect, choices=choices)
    deck, hand = slots_of(match)
    piece = match.state[deck][-1] if effect == TOP else match.state[hand][0]
    lies = "deck 2" if effect == TOP else "hand(player_1)"
    for seat in range(3):
        found = find_holders(match, seat, piece)
        assert lies in found
        assert (len(found) == 1) == (seat in knowing or (seat == 0 and effect != TOP)), (seat, found)


def test_shuffle_makes_players_forget_the_position(tmp_path):
    match = start_match(tmp_path, TOP + "shuffle deck\n")
    deck, _ = slots_of(match)
    worlds = {match.determinize(0, seed).state[deck].index(match.state[deck][0]) for seed in range(30)}
    assert len(worlds) > 1


def test_only_those_who_learn_the_piece_read_its_name(tmp_path):
    match = start_match(tmp_path, TOP + ONE, narrate=True)
    deck, hand = slots_of(match)
    top, shown = match.state[deck][-1] + 1, match.state[hand][0] + 1
    told = {seat: " ".join(match.told(seat)) for seat in range(3)} | {None: " ".join(match.log)}
    for seat in (None, 1, 2):
        assert "Player 1 looks at 1 card from the deck" in told[seat]
    assert f"Player 1 looks at card {top}" in told[0]
    for seat in (0, 1):
        assert f"Player 1 shows card {shown} to player 2" in told[seat]
    for seat in (None, 2):
        assert "Player 1 shows 1 card from" in told[seat]
        assert f"card {shown}" not in told[seat]


@pytest.mark.parametrize("narrate", [False, True])
@pytest.mark.parametrize("effect", [TOP, ONE, OTHERS])
def test_choice_that_revealed_something_cannot_be_undone(tmp_path, effect, narrate):
    assert not Past(start_match(tmp_path, "", narrate=narrate)).stands(0)
    assert Past(start_match(tmp_path, effect, narrate=narrate)).stands(0)


@pytest.mark.parametrize("effect", ["reveal hand(me)[5] to me\n", 'say "this" hand(me)[5]\n'])
def test_what_only_a_report_uses_fails_in_every_program(tmp_path, effect):
    for narrate in (True, False):
        with pytest.raises(MatchError, match="P0808"):
            start_match(tmp_path, effect, narrate=narrate)


def test_nothing_is_reported_that_is_shown_to_no_player(tmp_path):
    match = start_match(tmp_path, "for c in deck: reveal c to list(p in players where p == me and turn > 5)\n", True)
    assert not any("shows" in line or "looks" in line for line in match.log)
