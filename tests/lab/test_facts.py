"""What is recorded while matches are played, held against a slow recount of the same matches from their choices."""

from __future__ import annotations

from collections import Counter

import pytest

from patolli import load
from patolli.lab.facts import COLUMNS, UNHASHED, lead, lead_changes
from patolli.lab.naming import named
from patolli.lab.observing import Observer
from patolli.program import types as ty
from patolli.runtime.eyes import EVERYBODY, Eyes
from patolli.simulation import game_seed, playout
from patolli.simulation.games import kept_game

PACKS = ["city_of_gods", "founders", "connect_four", "content/gallery/leduc_poker"]


def recorded(rules, seed, sheets=0, number=0, limit=10_000):
    players = rules.players[0]
    observer, kept = Observer(rules, players, sheets), []

    def play():
        kept.append(playout(rules, players, seed, None, limit, True, observer))
        return kept[0]

    return observer.facts(kept_game(number, seed, limit, play), lambda: 0.0), kept[0]


@pytest.fixture(params=PACKS, scope="module")
def played(request):
    rules = load(request.param)
    row, match = recorded(rules, game_seed(7, 0), sheets=1)
    return rules, row, match


def test_every_column_is_there(played):
    _, row, _ = played

    assert set(row) == set(COLUMNS)


def test_lists_beside_each_other_are_equally_long(played):
    _, row, _ = played
    for word in ("option", "gift", "seen", "taken", "counter", "source"):
        lengths = {len(value) for name, value in row.items() if name.startswith(f"{word}_") and value is not None}

        assert len(lengths) == 1, word


def test_choices_are_those_of_a_replay(played):
    """Seats, options and turns are counted by the public interface, on the match as it is made again."""
    rules, row, match = played
    choices, forced, offers, turns, rounds = Counter(), Counter(), Counter(), Counter(), 0
    made, last, had = iter(match.choices), None, set()

    def look(now):
        nonlocal last, rounds
        if now.decision is None:
            return
        seat, many = now.decision.player, len(now.decision.options)
        choices[seat] += 1
        offers[seat] += many
        forced[seat] += many == 1
        if seat != last:
            if seat in had or last is None:
                rounds += 1
                had.clear()
            had.add(seat)
            turns[seat] += 1
            last = seat
        next(made)

    rules.replay(match.players, game_seed(7, 0), match.choices, look=look)
    seats = range(match.players)

    assert row["seat_choices"] == [choices[seat] for seat in seats]
    assert row["seat_forced"] == [forced[seat] for seat in seats]
    assert row["seat_offers"] == [offers[seat] for seat in seats]
    assert row["seat_turns"] == [turns[seat] for seat in seats]
    assert (row["choices"], row["turns"], row["rounds"]) == (choices.total(), turns.total(), rounds)


def test_chosen_options_are_those_of_a_replay(played):
    """How often each rule is asked, and how many points came of it, agree with what a match that is made again says."""
    rules, row, match = played
    asked, gained = Counter(), Counter()
    before = None
    made = iter([*match.choices, None])

    def look(now):
        nonlocal before
        if before is not None:
            rule, seat, score = before
            gained[rule, seat] += now.score(seat) - score
        question = now.decision
        if question is not None:
            raw = next(made)
            rule = question.question.rule.partition("'")[0].partition("#")[0]
            if question.options[raw].anytime:
                rule = "anytime"
            asked[rule, question.player] += 1
            before = rule, question.player, now.score(question.player)

    rules.replay(match.players, game_seed(7, 0), match.choices, look=look)
    chosen, points = Counter(), Counter()
    for at, name in enumerate(row["option_id"]):
        key = name.partition(":")[0], row["option_seat"][at]
        chosen[key] += row["option_chosen"][at]
        if row["option_points"] is not None:
            points[key] += row["option_points"][at]

    assert +chosen == +asked
    if row["option_points"] is not None:
        assert {k: n for k, n in points.items() if n} == {k: n for k, n in gained.items() if n}


def test_points_and_gifts_are_what_the_scores_grew_by(played):
    """What the scores were before the first question, and what every answer gave to whom, add up to the end."""
    _, row, match = played
    if row["option_points"] is None:
        assert row["gift_option"] == []
        return
    sums = row["course_score"][: match.players]
    for seat, points in zip(row["option_seat"], row["option_points"], strict=True):
        sums[seat] += points
    for seat, points in zip(row["gift_to"], row["gift_points"], strict=True):
        sums[seat] += points

    assert sums == match.scores
    assert all(one != other for one, other in zip(row["gift_seat"], row["gift_to"], strict=True))


def test_result_is_that_of_the_match(played):
    _, row, match = played

    assert row["digest"] == match.digest()
    assert row["seat_score"] == match.scores
    assert [seat for seat, won in enumerate(row["seat_won"]) if won] == match.winners


def test_sources_are_those_of_the_score_sheet(played):
    rules, row, match = played
    sheet = rules.replay(match.players, game_seed(7, 0), match.choices).score_sheet()
    told = zip(row["source_id"], row["source_seat"], row["source_points"], strict=True)

    assert set(told) == {(name, seat, n) for seat in range(match.players) for name, n in sheet.of(seat).items()}


def test_pieces_are_those_that_are_seen_and_taken_in_a_replay(played):
    """All states between the choices are looked at; the lab looks before each round and at the end."""
    rules, row, match = played
    seen, mine, turn = set(), {}, [0]

    def look(now):
        layout, eyes = now.program.layout, Eyes(now.program.layout, now.state, EVERYBODY)
        for kind, base in layout.at.items():
            for number, instance in enumerate(layout.instances[kind]):
                if slot := now.state[base + number]:
                    name = f"{kind}/{instance.design.id if instance.design else instance.id}"
                    place, indices = eyes.place_at(slot)
                    if place.visible == "owner" or eyes.slot(slot, number):
                        seen.add(name)
                    owners = [layout.instances[k][n].owner for k, n in indices]
                    if any(owner >= 0 for owner in owners):
                        mine.setdefault((name, next(o for o in owners if o >= 0)), turn[0])
        turn[0] += 1

    rules.replay(match.players, game_seed(7, 0), match.choices, look=look)
    taken = set(zip(row["taken_piece"], row["taken_seat"], strict=True))

    assert set(row["seen_piece"]) <= seen
    assert taken <= set(mine)


def test_score_sheets_are_made_of_every_so_many_matches():
    rules = load("connect_four")

    assert recorded(rules, 1, sheets=3, number=6)[0]["source_id"] is not None
    assert recorded(rules, 1, sheets=3, number=7)[0]["source_id"] is None
    assert recorded(rules, 1, sheets=0, number=0)[0]["source_id"] is None


def test_match_that_is_given_up_has_no_result():
    row, _ = recorded(load("city_of_gods"), 3, limit=20)

    assert (row["digest"], row["seat_score"], row["choices"]) == ("", None, 20)
    assert row["fault"]


def test_long_match_notes_its_scores_at_fewer_turns():
    row, _ = recorded(load("content/gallery/chess"), 99)

    steps = {b - a for a, b in zip(row["course_turn"], row["course_turn"][1:], strict=False)}
    assert len(row["course_turn"]) <= 64 < row["turns"]
    assert len(steps) == 1


def test_lead_is_of_one_seat_alone():
    assert [lead([3, 1]), lead([1, 3]), lead([3, 3])] == [0, 1, -1]


def test_lead_changes_leave_out_ties():
    row = {"seat_choices": [1, 1], "course_score": [0, 0, 1, 0, 1, 1, 2, 1, 2, 3]}

    assert lead_changes(row) == 1


def test_copies_of_a_design_have_one_name():
    match = load("city_of_gods").start(2)
    there = match.program.layout.instances["discovery"]
    names = {named(match.labels, ty.Ref("discovery"), number) for number in range(len(there))}

    assert names == {one.design.id for one in there}


def test_facts_are_the_same_when_played_again():
    rules = load("founders")
    one, other = (recorded(rules, 5)[0] for _ in range(2))

    assert {k: v for k, v in one.items() if k != UNHASHED} == {k: v for k, v in other.items() if k != UNHASHED}
    assert recorded(rules, 6)[0]["digest"] != one["digest"]
