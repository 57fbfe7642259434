"""A trick that the rules take at once stays on the table, and shows nothing that was hidden."""

from __future__ import annotations

import io
import json
import pickle
import random

import pytest
from littlepacks import lay
from rich.console import Console
from studio.browsing import browse, has, says
from studio.overheard import opened

import patolli
from patolli.play.players import make_bot
from patolli.play.terminal.page import Page, Seen
from patolli.play.terminal.screen import Screen
from patolli.play.terminal.session import Session
from patolli.run.runtime import labels
from patolli.run.runtime.edits import Edit, apply_edit
from patolli.run.runtime.last_tricks import find_last_tricks
from patolli.run.runtime.seat_visibility import EVERYBODY
from patolli.run.runtime.views import view
from patolli.serve.studio import states
from patolli.serve.studio.scene import scene_of
from patolli.serve.studio.seats import WATCH

MODEL = """
kinds:
  card: {{facts: {{rank: int}}, name: "card {{rank}}", noun: [card, cards]}}
places:
  deck: {{of: card, type: pile, visible: none}}
  hand: {{of: card, per: player, type: area, visible: owner}}
  played: {{of: card, per: player, type: area, visible: {visible}}}
  won: {{of: card, per: player, type: pile, visible: none}}
"""
RULES = """
rules:
  match:
    do: |
      for c in card: move c to deck
      shuffle deck
      for p in players: draw 2 from deck to hand(p)
      repeat 2 times:
        for p in players: as p: play()
        {taken}

  play():
    do: |
      choose c in hand(me) "Which card do you play?"
      otherwise: stop
      move c to played(me)
result: {{score: "size(won(me))"}}
"""
DOCUMENTS = {
    "pieces": "document: pieces\nkind: card\npieces: {card: {copies: 7, rank: copy}}\n",
    "panels": "document: panels\npanels:\n  played: {title: Table, shows: pieces, form: trick, of: played, who: all}\n"
    "  hand: {title: Your hand, shows: pieces, form: hand, of: hand}\n",
}
TO_FIRST = "for p in players, c in played(p): move c to won(me)"
TO_BOX = "for p in players, c in played(p): move c to box"


def little(folder, visible="all", taken=TO_BOX):
    return lay(folder, MODEL.format(visible=visible), RULES.format(taken=taken), **DOCUMENTS)


def promises(seed=3, players=4):
    return patolli.load("promises").start(players, seed, narrate=True)


def upto(match, found, seed=1):
    """Make random choices until something is found; return what."""
    chance = random.Random(seed)
    while not (there := found(match)):
        match.pick(chance.randrange(len(match.pending)))
    return there


def taken(match, seat=0):
    return scene_of(match, seat, find_last_tricks(match)).get("taken", {}).get("played", [])


def cards(trick):
    return [(group["owner"], item["title"]) for group in trick["groups"] for item in group["items"]]


# ---- what is kept


def test_trick_stays_with_what_each_player_laid_and_who_took_it():
    match = promises()
    (trick,) = upto(match, taken)
    *laid, took = match.log[-5:]

    assert next(one for one in scene_of(match, 0)["panels"] if one["id"] == "played")["groups"] == []
    assert [f"Player {owner + 1}: {card}" for owner, card in cards(trick)] == laid
    assert took == f"Player {trick['taker'] + 1} takes the trick"
    assert trick["at"] == len(match.choices)


def test_every_trick_of_a_match_is_the_one_that_the_log_reports():
    match, chance, number = promises(5, 3), random.Random(2), 0
    while not match.over:
        told = len(match.log)
        match.pick(chance.randrange(len(match.pending)))
        new = [line for line in match.log[told:] if line.endswith("takes the trick")]
        if new:
            assert [f"Player {trick['taker'] + 1} takes the trick" for trick in taken(match)] == new
        number += len(new)
    laid = [line for line in match.log if ": " in line and " of " in line and "cards" not in line]

    assert number == 24
    assert [f"Player {owner + 1}: {card}" for trick in taken(match) for owner, card in cards(trick)] == laid[-6:]


def test_tricks_that_one_choice_finishes_are_all_kept():
    match = promises()
    first, second = upto(match, lambda now: len(taken(now)) > 1 and taken(now))

    assert [one["title"].partition(",")[0] for one in (first, second)] == ["Earlier trick", "Last trick"]
    assert first["at"] == second["at"] == len(match.choices)
    assert not {card for _, card in cards(first)} & {card for _, card in cards(second)}


def test_trick_is_replaced_when_the_next_one_is_taken():
    match = promises()
    before = upto(match, taken)
    after = upto(match, lambda now: taken(now) != before and taken(now))

    assert [trick["at"] for trick in before] < [trick["at"] for trick in after]


def test_all_see_the_same_trick():
    match = promises()
    (trick,) = upto(match, taken)

    for seat in (0, 1, 2, 3, -1):
        (seen,) = taken(match, seat)
        title = "you" if seat == trick["taker"] else f"player {trick['taker'] + 1}"
        assert seen["title"] == f"Last trick, taken by {title}"
        assert (cards(seen), seen["taker"]) == (cards(trick), trick["taker"])


def test_trick_of_the_box_has_no_taker(tmp_path):
    match = patolli.load(little(tmp_path)).start(2, 1, narrate=True)
    *_, trick = upto(match, taken)

    assert (trick["title"], trick["taker"]) == ("Last trick", -1)
    assert [owner for owner, _ in cards(trick)] == [0, 1]


def test_trick_that_several_players_get_has_no_taker(tmp_path):
    rules = "for p in players, c in played(p): move c to won(p)"
    match = patolli.load(little(tmp_path, taken=rules)).start(2, 1, narrate=True)
    trick, *_ = upto(match, taken)

    assert trick["taker"] == -1


# ---- from the match alone


def test_trick_follows_from_the_choices():
    match = promises()
    upto(match, taken)
    found, rules = find_last_tricks(match), match.ruleset
    match.pick(0)
    assert find_last_tricks(match) == found

    silent = rules.replay(4, 3, match.choices)
    again = rules.replay(4, 3, match.choices, narrate=True)
    copies = [silent, again, match.clone(), pickle.loads(pickle.dumps(match)), rules.restore(match.to_json())]
    assert [find_last_tricks(one) for one in copies] == [found] * 5


def test_copy_that_goes_on_leaves_the_match_alone():
    match = promises()
    upto(match, taken)
    found, other = find_last_tricks(match), match.clone()
    upto(other, lambda now: find_last_tricks(now) != found)

    assert find_last_tricks(match) == found


def test_table_shows_the_same_after_undo_and_in_the_past():
    table = opened("promises", 4, 3)
    chance, seen = random.Random(4), {}
    for number in range(40):
        seen[number] = states.state_of(table, WATCH)["scene"].get("taken")
        table.answer(chance.randrange(len(table.match.pending)), "")
    assert len({json.dumps(one) for one in seen.values()}) > 5

    assert {number: states.state_at(table, WATCH, number)["scene"].get("taken") for number in seen} == seen
    table.go_back(30, "")
    assert states.state_of(table, WATCH)["scene"].get("taken") == seen[30]


def test_piece_that_is_moved_by_hand_is_no_part_of_a_trick():
    match = promises()
    upto(match, lambda now: now.log and " of " in now.log[-1] and "takes" not in now.log[-1])
    piece = next(one for one in match.view(0)["places"]["played"].values() if one)
    match = apply_edit(match, Edit(len(match.choices), "piece", piece, "the box"))
    (trick,) = upto(match, taken)

    assert len(cards(trick)) == 3


# ---- what may not be revealed


def hidden_plays(folder):
    """Two matches in which seat 0 has seen the same, and seat 1 has laid another card face down."""
    rules = patolli.load(little(folder, visible="owner", taken=TO_FIRST))
    found = {}
    for seed in range(200):
        table = opened(str(folder), 2, seed)
        table.rules = rules
        table.match = match = rules.start(2, seed, narrate=True, names=table.names())
        first = match.view(0)["places"]["hand"]["player_1"]
        match.pick(0)
        other = match.view(1)["places"]["hand"]["player_2"][0]
        match.pick(0)
        before = found.setdefault(json.dumps([first, match.view(0)]), (table, other))
        if before[1] != other:
            return before[0], table
    raise AssertionError("no such matches")


def sent(table):
    return json.dumps([states.state_of(table, 0), states.state_of(table, WATCH)])


def test_cards_that_were_laid_face_down_are_not_sent(tmp_path):
    here, there = hidden_plays(tmp_path)

    assert here.match.state != there.match.state
    assert "taken" not in states.state_of(here, 0)["scene"]
    assert sent(here) == sent(there)


def test_a_trick_of_hidden_places_would_be_noticed(tmp_path, monkeypatch):
    """All places are followed instead of those that all players see: the comparison has to fail."""

    def follow_all(layout):
        base, sizes = layout.places["played"]
        return dict.fromkeys(layout.slots(base, sizes), "played")

    monkeypatch.setattr(labels, "list_trick_slots", follow_all)
    here, there = hidden_plays(tmp_path)
    assert sent(here) != sent(there)


def played_between(match, index):
    """What all players see in the trick after each move that a choice leads to."""
    match.narrating, events = False, match.program.events
    events.watched = match.state
    match.pick(index)
    states = [state for _, _, state in events.kept]
    events.watched = None
    events.clear()
    found = set()
    for state in states:
        match.state = state
        found |= {one for one in view(match, EVERYBODY)["places"]["played"].values() if isinstance(one, str)}
    return found


def test_each_card_lay_where_all_could_see_it():
    match, chance, seen = promises(7, 3), random.Random(3), set()
    while not match.over:
        index = chance.randrange(len(match.pending))
        seen |= played_between(match.clone(), index)
        match.pick(index)
        shown = {item["mark"]["id"] for one in taken(match, -1) for group in one["groups"] for item in group["items"]}
        assert {id_.partition(":")[2] for id_ in shown} <= seen
    assert len(seen) > 30


# ---- the terminal


def test_terminal_writes_the_last_trick_in_a_line():
    match = promises()
    (trick,) = upto(match, taken)
    out = io.StringIO()
    screen = Screen(match.ruleset.model, Console(file=out, width=80))
    screen.find_last_tricks = lambda: find_last_tricks(match)
    screen.draw(match, -1, "played")
    text = " ".join(out.getvalue().replace("│", " ").split())

    assert f"{trick['title']}: " in text
    assert [text.index(card) for _, card in cards(trick)] == sorted(text.index(card) for _, card in cards(trick))


def test_other_panels_find_room_before_the_last_trick():
    match = promises()
    (trick,) = upto(match, taken)
    screen = Screen(match.ruleset.model, Console(file=io.StringIO(), width=80))
    screen.find_last_tricks = lambda: find_last_tricks(match)

    def page(room):
        return "\n".join(line.plain for line in Page(screen, match, match.decider, Seen()).lines(room))

    assert trick["title"].split(",")[0] in page(40)
    assert "Last trick" not in page(12)
    assert "Your hand" in page(12)
    assert "The trick" not in page(12)


def test_session_knows_the_last_trick():
    rules = patolli.load("promises")
    match = rules.start(3, 2)
    session = Session(rules, match, ["random"] * 3, Console(file=io.StringIO(), width=80), lambda prompt: "quit")
    bot = make_bot("random", 1, 0)
    for _ in range(14):
        session.choose(bot.decide(match))

    assert session.screen.find_last_tricks() == find_last_tricks(match) != {}


# ---- the page


def draw(base, page, ready, **more):
    """Play at a table until the state is ready, and open it."""
    at, chance = browse.At(base, "promises", 4, seed=3), random.Random(3)
    advance(at, chance, ready)
    page.goto(f"{browse.address(base)}/t/{at.id}#{at.tokens['watch']}")
    page.wait_for_selector("main.table")
    return at, chance


def advance(at, chance, ready):
    while not ready(at.state()):
        at.move(chance.randrange(len(at.seen["decision"]["options"])))


def lying(state):
    return sum(len(one["groups"]) for one in state["scene"]["panels"] if one["id"] == "played")


@pytest.mark.deep
def test_finished_trick_stays_until_the_next_card_or_until_it_is_cleared(base, page):
    at, chance = draw(base, page, lambda state: state["scene"].get("taken") and not lying(state))
    seen = at.ask("GET", f"/api/tables/{at.id}", at.tokens["watch"])
    watched = seen["scene"]["taken"]["played"][0]["title"]
    has(page.locator(".place.kept .card"), 4)
    has(page.locator(".place.took .card"), 1)
    says(page.locator(".taken"), watched)
    page.get_by_role("button", name="Clear the last trick").focus()
    page.keyboard.press("Enter")
    has(page.locator(".place.kept"), 0)
    has(page.locator(".taken"), 0)

    page.reload()
    has(page.locator(".place.kept .card"), 4)
    advance(at, chance, lambda state: lying(state) == 1)
    has(page.locator(".place.kept"), 0)
    has(page.locator(".laid .card"), 1)
    has(page.locator(".played > span"), 4)
    says(page.locator(".taken"), watched)
