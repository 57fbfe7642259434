"""What is recorded while matches are played, held against a slow recount of the same matches from their choices."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from random import Random

import pytest
from synthetic import row as made_up_row
from tiers import few

from patolli import load
from patolli.language.program import types as ty
from patolli.measure.lab import choice_counts, observer
from patolli.measure.lab.facts import COLUMNS, UNHASHED, fingerprint, lead, lead_changes
from patolli.measure.lab.observer import Observer
from patolli.measure.lab.store import Store
from patolli.measure.simulation import game_seed, playout
from patolli.measure.simulation.games import kept_game
from patolli.play.players.option_names import name_part
from patolli.run.runtime import Match
from patolli.run.runtime.seat_visibility import EVERYBODY, SeatVisibility

PACKS = ["city_of_gods", "founders", "connect_four", "content/gallery/leduc_poker"]


def recorded(rules, seed, sheets=0, number=0, limit=10_000, scored=True):
    players = rules.players[0]
    observer, kept = Observer(rules, players, sheets), []

    def play():
        kept.append(playout(rules, players, seed, None, limit, True, observer.watch(scored), watched=True))
        return kept[0]

    observer.keep(kept_game(number, seed, limit, play), lambda: 0.0)
    return observer.rows()[0], *(kept or [None])


@pytest.fixture(params=few(PACKS, 0), scope="module")
def played(request):
    rules = load(request.param)
    row, match = recorded(rules, game_seed(7, 0), sheets=1)
    return rules, row, match


def test_every_column_is_there(played):
    _, row, _ = played

    assert set(row) == set(COLUMNS)


def test_lists_beside_each_other_are_equally_long(played):
    _, row, _ = played
    for word in ("option", "gift", "seen", "taken", "used", "counter", "measure", "source"):
        lengths = {len(value) for name, value in row.items() if name.startswith(f"{word}_") and value is not None}

        assert len(lengths) == 1, word


def test_fingerprint_is_the_same_for_equal_facts_in_all_versions_of_python():
    """Neither interned nor repeated objects show."""
    name = "".join(["tile", "_", "\u00ed"])
    one = {column: [7, name, name, 2**61, -1, None, True] for column in COLUMNS}
    other = {column: [7, "tile_\u00ed", "".join([name]), 2**61, -1, None, True] for column in COLUMNS}

    assert fingerprint(one) == fingerprint(other) == "f67e89fc1834fab0993fa374bc5fc3ab"


def test_fingerprint_is_of_all_facts_but_the_time():
    one = made_up_row(1, Random(1))

    assert fingerprint(one | {"seconds": 9.0}) == fingerprint(one)
    others = {fingerprint(one | {name: ["other"]}) for name in COLUMNS if name != UNHASHED}
    assert len(others | {fingerprint(one)}) == len(COLUMNS)


@pytest.mark.parametrize("fault", ['say "no"', "S\u00ed\n\\", "\u2028", "a\tb"])
def test_odd_text_comes_back_from_lines(fault, tmp_path):
    head = {"variants": [{"name": "base"}]}
    store = Store(tmp_path, head)
    store.add("base", one := made_up_row(0, Random(1)) | {"fault": fault})
    store.close()

    assert list(Store(tmp_path, head).rows("base", 1)) == [one]
    assert Store(tmp_path, head).digest("base", 1) == store.digest("base", 1)


def answers(rules, match, seed):
    """Yield whose answers were forced, and how many options there were where a player was asked, in order."""
    program = rules.program(match.players, True)
    program.events.clear()
    again = Match(rules, program, rules.fresh(match.players, seed, True).state)
    again.begin()
    for choice in [*match.choices, None]:
        for event in program.events:
            if event[0] == "forced":
                seat, number, value = event[1:4]
                question = program.questions[number]
                stops = question.kind == "several" and value is not None and not value[0] and value[1]
                if question.kind not in ("pause", "order") and value is not None and not stops:
                    yield seat, 1
        program.events.clear()
        if choice is not None:
            yield again.decision.player, len(again.decision.options)
            again.pick(choice)


def test_choices_are_those_of_a_replay(played):
    """Seats, options and turns are counted by the public interface, and forced answers as they are narrated."""
    rules, row, match = played
    choices, forced, offers, turns, dead, rounds = Counter(), Counter(), Counter(), Counter(), Counter(), 0
    last, had = None, set()
    for seat, many in answers(rules, match, game_seed(7, 0)):
        if seat != last:
            if seat in had or last is None:
                rounds += 1
                had.clear()
            had.add(seat)
            turns[seat] += 1
            dead[seat] += 1
            last, idle = seat, True
        if many == 1:
            forced[seat] += 1
        else:
            choices[seat] += 1
            offers[seat] += many
            dead[seat] -= idle
            idle = False
    seats = range(match.players)

    assert row["seat_choices"] == [choices[seat] for seat in seats]
    assert row["seat_forced"] == [forced[seat] for seat in seats]
    assert row["seat_offers"] == [offers[seat] for seat in seats]
    assert row["seat_turns"] == [turns[seat] for seat in seats]
    assert row["seat_dead_turns"] == [dead[seat] for seat in seats]
    assert (row["choices"], row["turns"], row["rounds"]) == (choices.total(), turns.total(), rounds)
    assert (row["forced"], row["dead_turns"]) == (forced.total(), dead.total())


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


@pytest.mark.parametrize("pack", few([*PACKS, "content/gallery/backgammon", "patolli"], 0))
def test_all_pieces_that_lie_elsewhere_were_said_to_be_moved(pack):
    """Before every choice the whole state is compared; a piece that nothing mentions would never move."""
    rules = load(pack)
    where, moves = {}, [0]

    def look(match, index):
        moved = match.program.watching.moved
        layout = match.program.layout
        now = {base + n: match.state[base + n] for kind, base in layout.at.items() for n in range(layout.size(kind))}
        other = {piece for piece, slot in now.items() if where and where[piece] != slot}
        moves[0] += len(other)
        assert other <= moved
        where.update(now)
        moved.clear()

    match = playout(rules, rules.players[0], 3, None, 2_000, True, look, watched=True)

    assert moves[0] > 0 or not match.program.layout.at


def test_what_lay_elsewhere_in_the_first_match_is_looked_at_again():
    """Of several matches that one observer watches each has the facts that it has alone."""
    rules = load("city_of_gods")
    observer = Observer(rules, 2)

    def row(watching, number):
        play = partial(playout, rules, 2, game_seed(7, number), None, 10_000, True, watching.watch(), True)
        watching.keep(kept_game(number, 0, 10_000, play), lambda: 0.0)
        return watching.rows()[0]

    assert [row(observer, number) for number in range(4)] == [row(Observer(rules, 2), number) for number in range(4)]


def test_scores_that_are_no_sum_are_looked_at_in_scored_matches_only(monkeypatch):
    rules = load("content/gallery/curios")
    program, asked = rules.start(3, 1, watched=True).program, []
    score = program.score
    monkeypatch.setattr(program, "score", lambda state, seat: asked.append(seat) or score(state, seat))
    (full, match), (few, _) = (recorded(rules, game_seed(7, 3), scored=scored) for scored in (True, False))
    unknown = {name: None for name in ("course_turn", "course_score", "option_points")}
    unknown |= {name: [] for name in few if name.startswith("gift_")}

    assert few == full | unknown | {"seconds": few["seconds"]}
    assert len(full["course_turn"]) == full["turns"]
    test_points_and_gifts_are_what_the_scores_grew_by((rules, full, match))
    asked.clear()
    recorded(rules, game_seed(7, 3), scored=False)
    assert len(asked) <= 3 * 3  # at the end, by seat: scores, winners and ranks


def test_pieces_are_those_that_are_seen_and_taken_in_a_replay(played):
    """All states between the choices are looked at; the lab looks before each round and at the end."""
    rules, row, match = played
    seen, mine, turn = set(), {}, [0]

    def look(now):
        layout, seat_visibility = now.program.layout, SeatVisibility(now.program.layout, now.state, EVERYBODY)
        for kind, base in layout.at.items():
            for number, instance in enumerate(layout.instances[kind]):
                if slot := now.state[base + number]:
                    name = f"{kind}/{instance.design.id if instance.design else instance.id}"
                    place, indices = seat_visibility.place_at(slot)
                    if place.visible == "owner" or seat_visibility.slot(slot, number):
                        seen.add(name)
                    owners = [layout.instances[k][n].owner for k, n in indices]
                    if any(owner >= 0 for owner in owners):
                        mine.setdefault((name, next(o for o in owners if o >= 0)), turn[0])
        turn[0] += 1

    rules.replay(match.players, game_seed(7, 0), match.choices, look=look)
    taken = set(zip(row["taken_piece"], row["taken_seat"], strict=True))

    assert set(row["seen_piece"]) <= seen
    assert taken <= set(mine)


def test_pieces_that_are_used_are_those_of_which_is_reported(played):
    """A program that narrates says of every rule of a piece that it begins."""
    rules, row, match = played
    program = rules.program(match.players, True)
    program.events.clear()
    state = rules.fresh(match.players, game_seed(7, 0), True).state
    again = Match(rules, program, state)
    again.begin()
    for choice in match.choices:
        again.pick(choice)
    used = Counter()
    for kind, me, number, *values in program.events:
        if kind == "begin" and (piece := program.scopes[number].kind):
            design = program.layout.instances[piece][values[0][-1][1]].design
            used[f"{piece}/{design.id}" if design is not None else "", me] += 1
    told = zip(row["used_piece"], row["used_seat"], row["used_times"], strict=True)

    assert {(piece, seat): times for piece, seat, times in told} == {k: n for k, n in used.items() if k[0]}


MEASURED = {
    "pack": "id: days\nversion: 1.0.0\nlanguage: 2\ntitle: Days\nplayers: {min: 2, max: 2}",
    "model": "counters:\n  coin: {per: player, text: Coins}\n  days: {text: Days}",
    "rules": """
measures:
  after_a_day: {after: day, is: days}
  before_a_day: {before: day, is: days}
  coins: {after: day, per: player, is: coin}
  at_the_end: {per: player, is: 2 * coin}
  rich: "any(coin(p) > 5 for p in players)"
  dug: {after: dig, is: sum(coin(p) for p in players)}
rules:
  match: |
    repeat 40 times: day()
  day:
    heading: Day {nth}
    do: |
      gain 1 days
      for p in players: as p: may "dig": dig()
  dig: |
    gain 1 coin
result: {score: coin}
""",
}


def made(folder, **changed):
    for name, text in {**MEASURED, **changed}.items():
        (folder / f"{name}.yaml").write_text(f"document: {name}\n{text}\n")
    return load(str(folder))


@pytest.fixture
def measured(tmp_path):
    row, match = recorded(made(tmp_path), 5)
    found = defaultdict(list)
    for at, name in enumerate(row["measure_id"]):
        found[name].append(tuple(row[f"measure_{part}"][at] for part in ("nth", "seat", "value")))
    return found, row, match


def test_measures_are_taken_before_and_behind_rules_and_at_the_end(measured):
    found, _, match = measured
    end = match.scores

    assert found["after_a_day"] == [(nth, -1, nth) for nth in range(4, 41, 4)]
    assert found["before_a_day"] == [(nth, -1, nth - 1) for nth in range(4, 41, 4)]
    assert found["coins"][-match.players :] == [(40, seat, coin) for seat, coin in enumerate(end)]
    assert found["at_the_end"] == [(1, seat, 2 * coin) for seat, coin in enumerate(end)]
    assert found["rich"] == [(1, -1, int(max(end) > 5))]
    assert all(nth == value for nth, _, value in found["dug"])
    assert found["dug"]


def test_counters_are_kept_where_phases_end(measured):
    _, row, _ = measured
    days = [at for at, name in enumerate(row["phase_id"]) if name == "day"]
    size = len(row["counter_id"])
    day = next(at for at, name in enumerate(row["counter_id"]) if name == "days")

    assert [row["phase_nth"][at] for at in days] == [16, 32]
    assert [row["phase_counters"][at * size + day] for at in days] == [16, 32]
    assert len(row["phase_counters"]) == size * len(row["phase_id"])


class Trying:
    """Takes the middle one of the options, and tries all of them on copies before."""

    def decide(self, match):
        for option in range(len(match.pending)):
            match.clone().pick(option)
        return len(match.pending) // 2


@pytest.mark.deep
def test_bots_that_try_things_leave_no_trace_in_what_is_said():
    """The same is said when the same choices are made by a caller who tries nothing."""
    rules = load("city_of_gods")
    observer, kept = Observer(rules, 2), []

    def play():
        kept.append(playout(rules, 2, 4, [Trying(), Trying()], 60, True, observer.watch(), watched=True))
        return kept[0]

    observer.keep(kept_game(0, 4, 60, play), lambda: 0.0)
    said = kept[0].program.watching.seen.copy()
    again = rules.start(2, 4, watched=True)
    for choice in kept[0].choices:
        again.pick(choice)

    assert observer.rows()[0]["used_piece"]
    assert len(kept[0].choices) == 60
    assert again.program is kept[0].program
    assert said == again.program.watching.seen


@pytest.mark.parametrize("endless", ["more(40)", "{after: day, is: more(40)}"])
def test_measure_that_cannot_be_taken_is_the_fault_of_its_match(tmp_path, endless):
    text = MEASURED["rules"].replace("  rich: ", f"  endless: {endless}\n  rich: ")
    text += "functions:\n  more(int n): {is: 0 if n < 1 else more(n - 1) + more(n - 1), type: int}\n"
    row, _ = recorded(made(tmp_path, rules=text), 5)

    assert (row["digest"], row["seat_score"]) == ("", None)
    assert "more" in row["fault"]


def test_score_sheets_are_made_of_every_so_many_matches():
    rules = load("connect_four")

    assert recorded(rules, 1, sheets=3, number=6)[0]["source_id"] is not None
    assert recorded(rules, 1, sheets=3, number=7)[0]["source_id"] is None
    assert recorded(rules, 1, sheets=0, number=0)[0]["source_id"] is None


@pytest.mark.deep
@pytest.mark.parametrize("pack", PACKS)
def test_counting_little_by_little_says_the_same(pack, monkeypatch):
    rules = load(pack)
    whole, _ = recorded(rules, 5)
    monkeypatch.setattr(observer, "LONG", 7)
    monkeypatch.setattr(choice_counts, "MANY", 20)

    assert recorded(rules, 5)[0] == whole


def test_match_that_is_given_up_has_no_result():
    row, _ = recorded(load("city_of_gods"), 3, limit=20)

    assert (row["digest"], row["seat_score"], row["choices"]) == ("", None, 20)
    assert row["fault"]


def test_long_match_notes_its_scores_at_fewer_turns():
    row, _ = recorded(load("content/gallery/pig"), 99)

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
    names = {name_part(match.labels, ty.Ref("discovery"), number) for number in range(len(there))}

    assert names == {one.design.id for one in there}


@pytest.mark.deep
def test_facts_are_the_same_when_played_again():
    rules = load("founders")
    one, other = (recorded(rules, 5)[0] for _ in range(2))

    assert {k: v for k, v in one.items() if k != UNHASHED} == {k: v for k, v in other.items() if k != UNHASHED}
    assert recorded(rules, 6)[0]["digest"] != one["digest"]
