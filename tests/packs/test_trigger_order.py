"""``triggers: in any order``: who carries out a rule chooses which of the triggers behind it acts next."""

from __future__ import annotations

from pathlib import Path

import pytest
from laws import play_by_the_laws
from littlepacks import lay, see_same_natively

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.coverage.measure import report_coverage
from patolli.author.workspace import load
from patolli.check.prose import describe_entry

MODEL = """kinds:
  guest: {facts: {hunger: int 1..9}, active: it in room(me)}
counters:
  food: {per: player, start: 10, max: 99}
  point: {per: player}
places:
  street: {of: guest, type: area}
  room: {of: guest, per: player, type: area}
"""
PIECES = """document: pieces
kind: guest
place: street
pieces:
  child: {copies: 2, hunger: 1, triggers: [{after: feast, when: food > 0, do: "lose 1 food; gain 1 point"}]}
  giant:
    hunger: 9
    triggers: [{after: feast, when: food > it.hunger, do: "lose it.hunger food; gain 5 point"}]
"""
RULES = """rules:
  setup: |
    for g in guest: move g to room(players[0])
  match: |
    for p in players: as p: feast(1)
    for p in players: as p: feast(0)
  feast(int n):
    do: lose n food
    triggers: in any order
triggers:
  last_plate: {after: feast, when: food < 10, do: gain food point}
  sing: {after: feast, do: "choose k in 0..n \\"How loud?\\"; gain k point"}
result: {score: point}
"""


@pytest.fixture
def folder(tmp_path):
    return lay(tmp_path, MODEL, RULES, pieces=PIECES)


def labels(match):
    return [option.label for option in match.decision.options]


def test_player_chooses_among_those_that_are_to_come(folder):
    match = load(folder).start(2, 1)
    assert labels(match) == ["last plate", "sing", "child"]  # the first child stands for both; the giant wants 10 food
    match.choose("sing")
    assert labels(match) == ["0", "1"]
    match.choose("1")
    assert labels(match) == ["last plate", "child"]
    match.choose("child")
    assert labels(match) == ["last plate", "child"]
    match.choose("last plate")  # 8 food; the other child is all that is left, and not asked for
    assert match.view(0)["counters"]["point"]["player_1"] == 1 + 1 + 8 + 1
    assert match.decision.player == 1


def test_rules_without_it_go_in_the_order_of_the_declarations(tmp_path):
    plain = RULES.replace("    triggers: in any order\n", "")
    match = load(lay(tmp_path, MODEL, plain, pieces=PIECES)).start(2, 1)
    assert labels(match) == ["0", "1"]


def test_matches_keep_the_laws(folder):
    play_by_the_laws(load(folder), 2, 1, 30)


def test_both_engines_play_the_same(folder):
    see_same_natively(folder)


def test_rule_whose_place_may_be_taken(tmp_path):
    rules = RULES.replace("result:", "  twice: {instead: feast, when: n > 0, do: original(n + 1)}\nresult:")
    match = load(lay(tmp_path, MODEL, rules, pieces=PIECES)).start(2, 1)
    assert labels(match) == ["last plate", "sing", "child"]
    assert match.view(0)["counters"]["food"]["player_1"] == 8


def test_sentences_name_the_triggers_and_not_the_question(folder):
    said = [words for _, words in describe_entry(load(folder).model.program, "rules", "feast")]
    assert len(said) == 5
    assert all(words.startswith("After 'feast', in an order that you choose") for words in said[1:])


def test_several_triggers_of_one_piece(tmp_path):
    pieces = PIECES.replace('point}"}]}', 'point"}, {after: feast, do: gain 2 point}]}').replace(
        'gain 1 point"}]', 'gain 1 point"}, {after: feast, do: gain 2 point}]'
    )
    match = load(lay(tmp_path, MODEL, RULES, pieces=pieces)).start(2, 1)
    assert labels(match) == ["last plate", "sing", "child 1", "child 2"]


def test_coverage_counts_the_triggers_and_not_the_question(folder):
    scenarios = "document: scenarios\nscenarios:\n  all: {given: 'for g in guest: move g to room(player_1)', choose: [sing, '1', child, last plate], then: {point: 11}, call: feast(1)}\n"
    (Path(folder) / "scenarios.yaml").write_text(scenarios, "utf-8")
    result = run_scenarios(Plan((folder,), coverage=True, smoke=False))
    assert not result.failed_outcomes
    missed = {(Path(path).name, line, way) for path, line, way in report_coverage(result.marks).missed}
    assert missed == {
        ("pieces.yaml", 8, ""),
        *(("rules.yaml", n, "") for n in (4, 6, 7)),
        ("rules.yaml", 8, "the option 'giant' was never taken"),
    }
