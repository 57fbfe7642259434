"""Functions of what is mine, asked for another player: `longest(p)`, `p.longest`, and relations such as `beside(p)`."""

from __future__ import annotations

import pytest
from littlepacks import lay, scores, see_same_natively, told

from patolli.author.workspace import load
from patolli.check import prose

MODEL = """kinds:
  city: {}
  line: {facts: {one: city, other: city}, fields: {holder: player or none = none}}
counters: {point: {per: player}, coin: {per: player, start: 2}}
"""
CITIES = "document: pieces\nkind: city\npieces: {rome: {}, oslo: {}, bern: {}}\n"
LINES = "document: pieces\nkind: line\npieces: {l_1: {one: rome, other: bern}, l_2: {one: bern, other: oslo}}\n"
FUNCTIONS = """functions:
  mine(line l): l.holder == me
  beside(city c): "[l.other for l in line where l.one == c and mine(l)] + [l.one for l in line where l.other == c and mine(l)]"
  joined(city a, city b): b in reachable(a, beside)
  owned_lines(): count(l in line where mine(l))
  twice(int n): 2 * owned_lines() + n
  plain(int n): n + 1
  between(player p, city c): "[l.other for l in line where l.one == c and l.holder == p]"
result: {score: point}
rules:
  match: |
    for p in players: as p: choose l in line where not l.holder or none "Which?"; if l: set l.holder to me
"""


def pack(folder, body: str) -> str:
    rules = FUNCTIONS + "".join(f"    {line}\n" for line in body.splitlines())
    unused = ("mine(l", "beside(c", "joined(", "owned_lines(", "twice(", "plain(", "between(")
    rules += "    stop if point(player_1) > 90 and (joined(rome, oslo) or twice(plain(1)) > 90 or rome in between(me, oslo))\n"
    assert all(one in rules for one in unused)
    return lay(folder, MODEL, rules, cities=CITIES, lines=LINES)


COUNTED = {
    "for p in players: gain owned_lines(p) point for p": [1, 1],
    "for p in players: gain p.owned_lines + p.coin point for p": [3, 3],
    "for p in players: gain twice(p, 1) point for p": [3, 3],
    "for p in players where joined(p, rome, bern): gain 5 point for p": [5, 0],
    "for p in players where oslo in reachable(bern, beside(p)): gain 5 point for p": [0, 5],
    "for p in players where bern in reachable(rome, between(p)): gain 5 point for p": [5, 0],
    "gain (max(3 * owned_lines(next(p)) for p in players where joined(p, oslo, bern)) or 0) point for player_2": [0, 3],
    "as player_2: gain owned_lines(player_1) + twice(0) point": [0, 3],
}


@pytest.mark.parametrize("body", COUNTED)
def test_it_counts_what_that_player_has(tmp_path, body):
    folder = pack(tmp_path, body)

    assert [one for one in told(folder) if "coin" not in one] == []
    assert scores(folder, "l_1", "l_2") == COUNTED[body]


REFUSED = {
    "gain plain(me, 1) point": "P0302: 'plain' does not depend on a player, and takes 1 argument",
    "gain owned_lines(me, 1) point": "P0302: 'owned_lines' takes 0 arguments, found 2",
    "gain twice(rome, 1) point": "P0302: 'twice' takes 1 argument, found 2",
    "gain me.plain point": "P0201: a player has no 'plain'",
    "gain distance(rome, oslo, plain(me)) point": "P0202: 'plain' does not lead from one city to a list of them",
    "gain distance(rome, oslo, between) point": "P0202: 'between' does not lead from one city to a list of them",
    "gain distance(rome, oslo, beside(rome)) point": "P0202: 'beside' does not lead from one city to a list of them",
}


@pytest.mark.parametrize("body", REFUSED)
def test_it_says_what_is_wrong(tmp_path, body):
    assert told(pack(tmp_path, body))[0].startswith(REFUSED[body])


def test_both_engines_agree(tmp_path):
    see_same_natively(pack(tmp_path, "\n".join(COUNTED)))


def test_sentences_say_of_whom_it_is(tmp_path):
    program = load(
        pack(tmp_path, "gain twice(next(me), 1) point; gain max(p.owned_lines for p in players) point")
    ).model.program
    said = " ".join(line for _, line in prose.describe_entry(program, "rules", "match"))

    assert "the twice of 1 for the player after you" in said
    assert "the largest owned lines of all players" in said
