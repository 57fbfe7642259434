"""Worlds that are played: a seat has seen the same in them after every choice, and each is as likely as it should be."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from secretgames import load_secret_game
from tiers import few

from patolli.run.runtime import Match, MatchError
from patolli.run.runtime.beliefs import look_at, make_plain
from patolli.run.runtime.knowledge import get_memory
from patolli.run.runtime.particles import Particle, Player, weigh
from patolli.run.runtime.worlds import DRAWN_WORLDS, Plan, prepare_player


def play(name: str, players: int, seed: int, choices: int) -> Match:
    """Return a random match after some choices, or its last question."""
    match, draw = load_secret_game(name).start(players, seed), Random(seed)
    for _ in range(choices):
        before = match.clone()
        match.pick(draw.randrange(len(match.pending)))
        if match.pending is None:
            return before
    return match


def see(match: Match, seat: int) -> tuple:
    """Return what a seat sees of a match by the public names, and its own options."""
    view = match.view(seat)
    return view, match.decision.question.rule, match.decision.player


GAMES = [
    ("phantom", 2, 9), ("dark_hex", 2, 9), ("small_tricks", 3, 11), ("small_dice", 2, 7), ("draft", 3, 8),
    ("rummy", 2, 12), ("leduc_poker", 2, 4), ("goofspiel", 2, 9), ("curios", 3, 6), ("beacons", 2, 8),
    ("battleship", 2, 16), ("dice", 2, 6), ("promises", 3, 12), ("skerry", 2, 30),
    ("city_of_gods", 2, 12),
]  # fmt: skip


def test_quick_world_is_weak_and_shows_the_present(recwarn):
    match = play("phantom", 2, 1, 5)
    seat = match.decision.player
    world = match.determinize(seat, 1, quick=True)

    assert (match.determinize(seat, 1).basis, world.basis) == ("played", "weak")
    assert world.view(seat) == match.view(seat)
    assert not recwarn.list


@pytest.mark.parametrize(("name", "players", "choices"), few(GAMES, 0, 2, 3, 4))
def test_worlds_show_the_seat_the_same(name, players, choices):
    """At every past choice, too: views, questions and options; and no invariant is broken."""
    for seed in range(2):
        match = play(name, players, seed, choices)
        seat = match.decision.player
        for number in range(4):
            world = match.determinize(seat, number)
            assert world.basis in ("drawn", "played")
            assert world.view(seat) == match.view(seat)
            assert not world.broken()
        belief = get_memory(match).doubts[seat].belief
        if belief is None:
            continue
        player = prepare_player(belief, match.ruleset.visibility(match.program))
        one = player.draw_particle(Random(seed))
        assert isinstance(one, Particle)
        truth, world = make_plain(belief.origin), one.base.clone()
        for number, choice in enumerate(belief.choices):
            assert see(world, seat) == see(truth, seat)
            truth.pick(choice)
            assert player.advance(world, number, Random(0), one.picks[number])
        assert see(world, seat) == see(truth, seat) == see(match, seat)


def reject(match: Match, seat: int, number: int) -> Counter:
    """Count what is hidden in random matches in which a seat has seen the same: everything is drawn, much is discarded."""
    rules, draw, found = match.ruleset, Random(5), Counter()
    truth, sights = rules.start(match.players, match.state[1]), []
    owners = []
    for choice in match.choices:
        sights.append(look_at(truth, seat))
        owners.append((truth.decision.player, choice))
        truth.pick(choice)
    sights.append(look_at(truth, seat))
    for _ in range(number):
        other = rules.start(match.players, draw.getrandbits(40))
        for (owner, choice), hidden_reads in zip(owners, sights, strict=False):
            if other.pending is None or look_at(other, seat) != hidden_reads:
                break
            try:
                other.pick(choice if owner == seat else draw.randrange(len(other.pending)))
            except MatchError:
                break
        else:
            if other.pending is not None and look_at(other, seat) == sights[-1]:
                found[hide(other)] += 1
    return found


def hide(match: Match) -> tuple:
    """Return all that a match holds, for the marginals."""
    return tuple(tuple(sorted(one)) if isinstance(one, list) else one for one in match.state[4:])


def compare(one: Counter, other: Counter) -> float:
    """Return the greatest distance of two distributions of values at one place of the state."""

    def shares(counts: Counter) -> list[Counter]:
        total = sum(counts.values())
        found = [Counter() for _ in next(iter(counts))]
        for state, count in counts.items():
            for at, value in enumerate(state):
                found[at][value] += count / total
        return found

    pairs = zip(shares(one), shares(other), strict=True)
    return max(abs(a[value] - b[value]) for a, b in pairs for value in {*a, *b})


MARGINALS = [
    ("phantom", 2, 2, 5, 4000), ("small_dice", 2, 2, 2, 20000), ("leduc_poker", 2, 1, 2, 20000),
    ("tiny_tricks", 2, 5, 1, 150000), ("dark_hex", 2, 3, 4, 8000), ("goofspiel", 2, 1, 1, 30000),
]  # fmt: skip


@pytest.mark.parametrize(("name", "players", "seed", "choices", "number"), few(MARGINALS, 0))
def test_hidden_things_differ_as_often_as_they_should(name, players, seed, choices, number):
    match = play(name, players, seed, choices)
    seat = match.decision.player
    expected = reject(match, seat, number)
    found = Counter(hide(match.determinize(seat, at)) for at in range(400))

    assert sum(expected.values()) >= 60
    assert compare(expected, found) < 0.09 + 1.8 / sum(expected.values()) ** 0.5
    assert len(found) > 1


def test_who_could_not_follow_suit_holds_none_of_it():
    """A player who has played another suit holds no card of the suit that was led, in no world."""
    checked = 0
    for seed in range(8):
        match, draw, voids = load_secret_game("small_tricks").start(3, seed), Random(seed), set()
        for _ in range(4):
            if match.decision is None:
                break
            table = [one and one.split("_")[0] for one in match.view(0)["places"]["played"].values()]
            who = leader = match.decision.player
            while table[leader - 1] and (leader - 1) % 3 != who:
                leader = (leader - 1) % 3
            label = match.decision.labels[index := draw.randrange(len(match.pending))]
            if leader != who and not label.startswith(table[leader]):
                voids.add((who, table[leader]))
            match.pick(index)
        seat = match.decision.player if match.decision else 0
        worlds = [match.determinize(seat, number) for number in range(10 if match.decision else 0)]
        for world in worlds:
            for who, suit in voids:
                checked += who != seat
                hand = world.view(who)["places"]["hand"][f"player_{who + 1}"]
                assert not any(card.startswith(suit) for card in hand)
    assert checked >= 30


def test_set_ups_that_cannot_fit_are_tried_once(monkeypatch):
    """No other set-up gives a player the same five dice: worlds tried 120 of them each."""
    match, tried, set_up = play("dice", 2, 0, 4), [], Plan._set_up
    monkeypatch.setattr(Plan, "_set_up", lambda *given: tried.append(given) or set_up(*given))
    for number in range(9):
        match.determinize(match.decision.player, number)

    assert 0 < len(tried) <= 3 * DRAWN_WORLDS


def test_more_worlds_of_a_long_match_are_not_played_again(monkeypatch):
    """Each of them replayed the whole match, several times."""
    match, played, advance = play("rummy", 2, 0, 64), [], Player.advance
    seat = match.decision.player
    assert match.determinize(seat, 0).basis == "played"
    monkeypatch.setattr(Player, "advance", lambda *given: played.append(given) or advance(*given))
    worlds = [match.determinize(seat, number) for number in range(1, 9)]

    assert {world.basis for world in worlds} == {"played"}
    assert len({tuple(map(str, world.state[4:])) for world in worlds}) > 1
    assert not played


def test_weights_of_long_matches_do_not_vanish():
    """Their product is less than the least number that is not 0."""
    match = play("phantom", 2, 1, 1)

    assert weigh([Particle(match, match, (), -2000.0, -2000.0 - number) for number in range(2)])[0] == 1.0


@pytest.mark.deep
@pytest.mark.parametrize("choices", [14, 22, 30])
def test_worlds_are_found_if_almost_no_deal_survives(choices):
    """A player had to play the only card of a suit, and others had none of it."""
    match, draw = load_secret_game("tricks").start(4, 0), Random(0)
    for _ in range(choices):
        match.pick(draw.randrange(len(match.pending)))

    assert match.determinize(match.decision.player, 0).basis == "played"


def test_worlds_do_not_depend_on_whether_others_were_drawn_before():
    asked, silent = (play("phantom", 2, 4, 0) for _ in range(2))
    draw = Random(4)
    for _ in range(6):
        asked.determinize(asked.decision.player, 1)
        index = draw.randrange(len(asked.pending))
        asked.pick(index)
        silent.pick(index)
    seat = asked.decision.player

    assert [asked.determinize(seat, n).state for n in range(5)] == [silent.determinize(seat, n).state for n in range(5)]


def test_world_can_be_gone_on_with_and_drawn_from_again():
    match = play("phantom", 2, 4, 5)
    seat = match.decision.player
    world = match.determinize(seat, 3)
    draw = Random(1)
    while world.pending is not None:
        again = world.determinize(seat, 1)
        assert again.view(seat) == world.view(seat)
        assert not again.broken()
        world.pick(draw.randrange(len(world.pending)))


def test_world_of_a_match_of_which_nothing_is_known_is_weak():
    match = play("phantom", 2, 4, 5)
    match.state[-1] = match.state[-1]
    match.choices.append(0)  # as of a match that a test has put together

    assert match.basis == ""
    assert match.determinize(match.decision.player, 1).basis == "weak"
