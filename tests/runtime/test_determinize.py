"""What a seat may imagine: the same to its eyes, in accord with what it has seen, and else drawn again."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from packmaker import DATA

from patolli.author.workspace import load
from patolli.play.players import make_bot
from patolli.run.runtime import Match, Ruleset, SaveError
from patolli.run.runtime.knowledge import get_memory
from patolli.run.runtime.seals import add_checksums
from patolli.run.runtime.seat_visibility import SeatVisibility

PACK = "document: pack\nid: veil\nversion: 1.0.0\nlanguage: 1\ntitle: Veil\nauthors: [x]\ntext: x\nplayers: {min: 3, max: 3}\n"
MODEL = """document: model
kinds:
  card: {facts: {number: int}, fields: {mark: int 0..9 = 0}}
  token: {facts: {worth: int}}
counters:
  bid: {per: player, max: 9, visible: owner}
  debt: {per: player, visible: owner}
  coin: {per: player, start: 3}
  turn: {}
places:
  deck: {of: card, type: pile, visible: none}
  heap: {of: card, type: pile, visible: top}
  hand: {of: card, per: player, type: area, visible: owner}
  kept: {of: card, per: player, type: area, visible: owner}
  slot: {of: card, per: player, type: spot, visible: owner}
  shop: {of: card, type: area}
  bag: {of: token, type: pile, visible: none}
  attached: {of: token, per: card, type: area}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  card: {copies: 12, number: copy}\n"
TOKENS = "document: pieces\nkind: token\nplace: bag\npieces:\n  token: {copies: 4, worth: copy}\n"


def started(folder, effect: str, more: str = "") -> Match:
    lines = f'{effect}\nchoose last in 7..8 "And?"\nset turn to last\n'.strip().split("\n")
    body = "".join(f"      {line}\n" for line in lines)
    rules = f"document: rules\nrules:\n  match:\n    do: |\n{body}{more}"
    for name, text in (("pack", PACK), ("model", MODEL), ("cards", PIECES), ("tokens", TOKENS), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder)).start(3, 1)


def holders(match: Match, place: str) -> dict[str, set[str]]:
    """By piece in which of the places of that name it lies in a hundred worlds of the first player."""
    found: dict[str, set[str]] = {}
    for seed in range(100):
        world = match.determinize(0, seed)
        base, sizes = match.program.layout.places[place]
        for slot in match.program.layout.slots(base, sizes):
            held = world.state[slot]
            for piece in held if isinstance(held, list) else [held]:
                found.setdefault(f"card_{piece + 1}", set()).add(match.labels.holders[slot])
    return found


def lies(match: Match, piece: int) -> set[str]:
    """Where a card may lie, as far as the first player knows."""
    at = match.program.layout.at["card"]
    return {match.labels.holders[match.determinize(0, seed).state[at + piece - 1]] for seed in range(60)}


# -- what was seen


@pytest.mark.parametrize(
    ("effect", "piece", "where"),
    [
        pytest.param("draw 2 from deck to hand(player_2)", 12, {"hand(player_2)"}, id="the order of the deck is known until it is shuffled"),
        pytest.param("shuffle deck\ndraw 2 from deck to hand(player_2)", 12, {"hand(player_2)", "deck"}, id="drawn unseen"),
        pytest.param("move card_4 to shop\nshuffle deck\nmove card_4 to hand(player_2)", 4, {"hand(player_2)"}, id="seen, then taken into a hand"),
        pytest.param("move card_4 to shop\nshuffle deck\nmove card_4 to hand(player_2)\nfor c in take(hand(player_2), 1): move c to deck", 4, {"deck"}, id="all of a hand"),
        pytest.param("shuffle deck\ndraw 1 from deck to hand(player_2)\nmove card_4 to shop\nmove card_4 to hand(player_2)\nlet c = first(hand(player_2))\nif c: move c to kept(player_2)", 4, {"hand(player_2)", "kept(player_2)"}, id="one of two"),
        pytest.param("move card_4 to shop\nshuffle deck\nmove card_4 to deck\ndraw 1 from deck to hand(player_3)", 4, {"hand(player_3)"}, id="put on top, then drawn"),
        pytest.param("move card_4 to shop\nshuffle deck\nmove card_4 to deck bottom\ndraw 3 from deck to hand(player_3)", 4, {"deck"}, id="put under, others are drawn"),
        pytest.param("move card_4 to shop\nmove card_4 to deck\nshuffle deck\ndraw 1 from deck to hand(player_3)", 4, {"hand(player_3)", "deck"}, id="shuffled again"),
        pytest.param("move card_4 to hand(player_1)\nmove card_4 to hand(player_2)", 4, {"hand(player_2)"}, id="given by me"),
        pytest.param("shuffle deck\nmove card_4 to heap\nmove card_5 to heap", 4, {"heap"}, id="covered on a pile that shows its top"),
        pytest.param("shuffle deck\nmove card_4 to shop\nif not slot(player_2): move card_4 to slot(player_2)", 4, {"slot(player_2)"}, id="on a hidden spot"),
    ],
)  # fmt: skip
def test_a_card_lies_where_it_may_lie(tmp_path, effect, piece, where):
    match = started(tmp_path, effect)
    found = lies(match, piece)

    assert found <= where
    assert found == where or len(where) > 1
    assert match.labels.holders[match.state[match.program.layout.at["card"] + piece - 1]] in where


def test_known_positions_stay(tmp_path):
    """Two cards were put on top in sight of all; below them no player knows."""
    match = started(
        tmp_path, "move card_4 to shop\nmove card_9 to shop\nshuffle deck\nmove card_4 to deck\nmove card_9 to deck"
    )
    deck = match.program.layout.places["deck"][0]
    worlds = [match.determinize(0, seed).state[deck] for seed in range(30)]

    assert {tuple(world[-2:]) for world in worlds} == {(3, 8)}
    assert len({tuple(world) for world in worlds}) > 20


def test_what_lies_on_a_hidden_card_was_seen(tmp_path):
    effect = """
move card_3 to shop
for c in shop: draw 1 from bag to attached(c)
for c in shop: set c.mark to 7
shuffle deck
move card_3 to hand(player_2)
"""
    match = started(tmp_path, effect.strip())
    layout = match.program.layout
    slot, mark = layout.places["attached"][0] + 2, layout.fields[("card", "mark")] + 2
    worlds = [match.determinize(0, seed) for seed in range(20)]

    assert {tuple(world.state[slot]) for world in worlds} == {(3,)}
    assert {world.state[mark] for world in worlds} == {7}


def test_hidden_numbers_are_what_the_rules_may_have_made_them(tmp_path):
    effect = "for p in players:\n  random n in 0..9\n  set bid(p) to n\nset debt(player_2) to 77\nchoose x in 1..2\nset debt to x"
    match = started(tmp_path, effect)
    match.choose("1")
    layout = match.program.layout
    bid, debt = layout.counters["bid"][0], layout.counters["debt"][0]
    worlds = [match.determinize(0, seed).state for seed in range(200)]

    assert {world[bid] for world in worlds} == {match.state[bid]}
    assert {world[bid + 1] for world in worlds} == set(range(10))
    assert {world[debt + 1] for world in worlds} == {77}


def test_invariants_hold_in_every_world(tmp_path):
    effect = "random n in 0..6\nset bid(player_2) to n\nset bid(player_3) to 6 - n"
    match = started(tmp_path, effect, "invariants:\n  few: bid(player_2) + bid(player_3) == 6\n")
    bid = match.program.layout.counters["bid"][0]
    worlds = [match.determinize(0, seed) for seed in range(30)]

    assert len({world.state[bid + 1] for world in worlds}) > 3
    assert not any(world.broken() for world in worlds)


def test_a_rule_that_holds_a_hidden_card_holds_another_one(tmp_path):
    """A player has picked a card in secret, and another is asked before it is used."""
    effect = """
shuffle deck
draw 4 from deck to hand(player_2)
as player_2:
  choose c in hand(player_2) "Which?"
  otherwise: stop
  as player_1: choose n in 1..2 "How much?"
  move c to shop
"""
    match = started(tmp_path, effect.strip())
    match.choose(0)
    assert match.decision.player == 0
    shown = []
    for seed in range(240):
        world = match.determinize(0, seed)
        world.pick(0)
        shown.append(world.view(0)["places"]["shop"][0])

    assert len(set(shown)) == 12
    assert max(Counter(shown).values()) < 45


# -- laws


@cache
def rules_of(name: str) -> Ruleset:
    return load(name if "/" not in name else str(DATA / name.partition("/")[2]))


PACKS = ("data/hunt", "data/lab", "data/sample", "data/mosaic", "city_of_gods", "tic_tac_toe")


def played(name: str, seed: int, decisions: int) -> tuple[Match, Random]:
    rules, draw = rules_of(name), Random(seed)
    match = rules.start(rules.players[1], seed)
    for _ in range(decisions):
        if len(match.pending or ()) == 0:
            break
        match.pick(draw.randrange(len(match.pending)))
    return match, draw


@pytest.mark.deep
@pytest.mark.usefixtures("little_effort")
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(PACKS), st.integers(0, 10_000), st.integers(0, 40), st.integers(0, 1 << 40))
def test_laws_of_worlds(name, start, decisions, seed):
    match, draw = played(name, start, decisions)
    before, choices = match.digest(), match.choices[:]
    for seat in range(match.players):
        world = match.determinize(seat, seed)
        assert json.dumps(world.view(seat)) == json.dumps(match.view(seat)), "the seat sees the same"
        assert world.state == match.determinize(seat, seed).state, "the same seed gives the same world"
        assert lying(world) == lying(match), "no piece is lost, and each place holds as many"
        assert not world.broken()
        assert world.choices == []
        assert not world.undo()
        again = world.determinize(seat, seed + 1)
        assert json.dumps(again.view(seat)) == json.dumps(match.view(seat)), "and again"
        restored = match.ruleset.restore(world.to_json())
        assert restored == world or restored.state == world.state
        if match.pending is not None:
            again, kept = world.determinize(seat, 5), restored.determinize(seat, 5)
            assert json.dumps(kept.view(seat)) == json.dumps(world.view(seat)), "a save keeps what is seen"
            assert again.basis == "played" or kept.state == again.state, "a save keeps what is known, but no past"
            assert [o.label for o in world.decision.options] == [o.label for o in restored.decision.options]
            world.pick(draw.randrange(len(world.pending)))
            assert world.determinize(seat, 7) is not world
    assert (match.digest(), match.choices) == (before, choices), "the match stays as it was"


def lying(match: Match) -> dict[str, list[int]]:
    """How many pieces lie in each place that any seat could count, and all pieces by kind."""
    layout, found = match.program.layout, {}
    for place in layout.model.places.values():
        base, sizes = layout.places[place.name]
        if not layout.model.hidden_kinds & set(place.dims):
            held = [match.state[slot] for slot in layout.slots(base, sizes)]
            found[place.name] = [len(one) if isinstance(one, list) else int(one >= 0) for one in held]
    for kind, base in layout.at.items():
        found[f"kind {kind}"] = [sum(1 for slot in match.state[base : base + layout.size(kind)] if slot)]
    return found


@pytest.mark.deep
@settings(max_examples=12)
@given(st.sampled_from(PACKS), st.integers(0, 10_000), st.integers(0, 60))
def test_truth_is_never_ruled_out(name, start, decisions):
    """Where a piece really lies is among the places where each seat believes that it may lie; eyes agree on it."""
    match, _ = played(name, start, decisions)
    visibility, layout = match.ruleset.visibility(match.program), match.program.layout
    masks = visibility.watchers(match.state)
    for seat, knowledge in enumerate(get_memory(match).seats):
        seat_visibility = SeatVisibility(layout, match.state, seat)
        for kind in visibility.kinds:
            for piece in visibility.pieces[kind]:
                assert seat_visibility.piece(kind, piece - layout.at[kind]) == bool(masks[piece] >> seat & 1)
        for slots, pieces in knowledge.haunts.items():
            for piece in pieces:
                assert not masks[piece] >> seat & 1
                assert match.state[piece] in slots or -1 in slots
        for piece, position in knowledge.places.items():
            kind = next(kind for kind in visibility.kinds if piece in visibility.pieces[kind])
            assert match.state[match.state[piece]][position] == piece - layout.at[kind]


@pytest.mark.deep
def test_worlds_differ_where_something_is_hidden():
    match, _ = played("city_of_gods", 3, 20)
    worlds = [match.determinize(0, seed).state[4:] for seed in range(5)]

    assert all(world != match.state[4:] for world in worlds)
    assert worlds[0] != worlds[1]


def test_match_that_was_put_together_has_worlds_too(tmp_path):
    """Nothing is known of how it came about, and nothing is betrayed."""
    match = started(tmp_path, "shuffle deck\nfor p in players: draw 2 from deck to hand(p)")
    match.state[match.program.layout.counters["coin"][0]] = 9

    assert {json.dumps(match.determinize(0, seed).view(0)) for seed in range(5)} == {json.dumps(match.view(0))}


def test_undone_choice_is_not_remembered(tmp_path):
    match = started(tmp_path, "choose n in 1..2\nset coin to n")
    match.choose("1")
    match.determinize(0, 1)
    assert match.undo()

    assert match.determinize(0, 1).view(0) == match.view(0)


# -- bots


def test_no_bot_sees_the_real_match(monkeypatch):
    """Whatever a bot asks of the match itself is public; what it tries, it tries on what may be imagined."""
    match, _ = played("data/hunt", 3, 12)
    get_memory(match)
    picked = []
    pick = Match.pick
    inside = []  # where choices of the past are made again, with the chance that the seat has seen
    draw = Match.determinize

    def determinize(self, *given, **named):
        inside.append(1)
        try:
            return draw(self, *given, **named)
        finally:
            inside.pop()

    monkeypatch.setattr(Match, "determinize", determinize)
    monkeypatch.setattr(
        Match, "pick", lambda self, index: (inside or picked.append(self.state[1]), pick(self, index))[1]
    )
    for kind in ("random", "greedy", "mcts:20"):
        make_bot(kind, 1, match.decision.player).decide(match)

    assert picked
    assert match.state[1] not in picked, "a copy with the real chance was played on"


# -- seats and saves


def refusal(seat):
    """What is raised for a seat that is none: another error for another type."""
    return (ValueError, f"there is no seat {seat}; ") if type(seat) is int else (TypeError, "a seat is a whole number")


@pytest.mark.parametrize("seed", [None, "x", 1.5, True])
def test_seed_that_is_no_number_is_refused(tmp_path, seed):
    with pytest.raises(TypeError, match="a seed is a whole number"):
        started(tmp_path, "nothing").determinize(0, seed)


def test_world_that_breaks_an_invariant_offers_what_lies_in_it(tmp_path):
    """Where few draws fit, an invariant may be broken; what the one who decides holds is never shown."""
    more = """  setup:
    do: |
      shuffle deck
      for p in players:
        draw 3 from deck to hand(p)
        set bid(p) to 7
        set debt(p) to 2
invariants:
  promise: {always: "all(bid(p) + debt(p) == 9 and bid(p) > 6 for p in players)", text: What is owed adds up.}
"""
    match = started(tmp_path, 'choose c in hand(me) "Play?"\notherwise: nothing\nif c: move c to shop', more)
    truth = match.view(0)["places"]["hand"]["player_1"]

    offered = []
    for seed in range(40):
        world = match.determinize(1, seed)
        held = world.view(0)["places"]["hand"]["player_1"]
        assert {option.label for option in world.decision.options} == set(held)
        offered.append(set(held) == set(truth))
    assert not all(offered)


@pytest.mark.parametrize("seat", ["player_1", 5, -1, None, True, 1.0])
@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda match, seat: match.view(seat), id="view"),
        pytest.param(lambda match, seat: match.determinize(seat, 1), id="determinize"),
        pytest.param(lambda match, seat: match.told(seat), id="told"),
        pytest.param(lambda match, seat: match.score(seat), id="score"),
        pytest.param(lambda match, seat: match.value("greedy", seat), id="value"),
        pytest.param(lambda match, seat: match.call("match", seat), id="call"),
    ],
)
def test_seat_that_is_none_is_refused(ask, seat):
    match = rules_of("tic_tac_toe").start()

    error, words = refusal(seat)
    with pytest.raises(error, match=words):
        ask(match, seat)


@pytest.mark.parametrize("seat", ["player_1", 5, -1, True, 1.0])
def test_save_for_a_seat_that_is_none_is_refused(seat):
    error, words = refusal(seat)
    with pytest.raises(error, match=words):
        rules_of("tic_tac_toe").start().to_json(seat)


def test_save_of_a_seat_holds_what_it_may_know(tmp_path):
    effect = 'shuffle deck\nfor p in players: draw 2 from deck to hand(p)\nchoose n in 1..3 "How much?"\nset bid to n'
    quiet = started(tmp_path, effect)
    match = quiet.ruleset.start(3, 1, narrate=True)
    match.choose("2")
    mine, theirs = (json.loads(match.to_json(seat)) for seat in (0, 1))

    assert mine["view"] == match.view(0)
    assert mine["log"][-2:] == ["Player 1: 2", "Player 1 now has 2 bids"]
    assert theirs["log"][-1] == "Player 1 has decided" == match.log[-1]
    assert not {"state", "seed", "choices"} & set(mine)
    with pytest.raises(SaveError, match="what one player knows"):
        quiet.ruleset.restore(match.to_json(1))


def test_each_seat_is_reported_its_own_cards(tmp_path):
    quiet = started(tmp_path, "shuffle deck\nfor p in players: draw 1 from deck to hand(p)")
    match = quiet.ruleset.start(3, 1, narrate=True)
    held = [match.view(seat)["places"]["hand"][f"player_{seat + 1}"][0] for seat in range(3)]
    cards = [card.replace("_", " ") for card in held]

    for seat, card in enumerate(cards):
        assert f"Player {seat + 1} draws {card}" in match.told(seat)
        assert not any(card in line for other in range(3) if other != seat for line in match.told(other))
    assert match.log == ["Player 1, player 2 and player 3 each draw 1 card from the deck"]
    again = quiet.ruleset.restore(match.to_json(), narrate=True)
    assert [again.told(seat) for seat in range(3)] == [match.told(seat) for seat in range(3)]


@pytest.mark.parametrize(
    "memory",
    [
        pytest.param([{"haunts": [[[999999], [40]]], "places": [], "seen": [], "values": []}] * 3, id="no such place"),
        pytest.param([{"haunts": [], "places": [], "seen": [], "values": []}], id="too few players"),
        pytest.param([{"haunts": [], "places": [[1, 2]], "seen": [], "values": []}] * 3, id="lies nowhere"),
        pytest.param([{"haunts": [], "places": [], "seen": [[3, 2]], "values": []}] * 3, id="no such number"),
        pytest.param([{"haunts": "x", "places": [], "seen": [], "values": []}] * 3, id="no list"),
        pytest.param({"haunts": []}, id="no list of seats"),
    ],
)
def test_what_cannot_be_known_is_no_save(tmp_path, memory):
    match = started(tmp_path, "shuffle deck\nfor p in players: draw 2 from deck to hand(p)").determinize(0, 1)
    data = json.loads(match.to_json())
    assert "memory" in data
    data["memory"] = memory

    with pytest.raises(SaveError, match="damaged"):
        match.ruleset.restore(json.dumps(add_checksums(data)))
