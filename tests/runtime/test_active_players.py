"""Several players who may react: ``active`` is a list, and each of them is asked in the order that the rule says."""

from __future__ import annotations

from pathlib import Path

from patolli.author.workspace import inspect, load
from patolli.run.runtime import Match

PACK = "document: pack\nid: now\nversion: 1.0.0\nlanguage: 2\ntitle: Now\nplayers: {min: 3, max: 3}\n"
MODEL = "document: model\ncounters:\n  guards: {per: player, start: 1}\n  wounds: {per: player}\n"
RULES = """\
document: rules
rules:
  match: |
    for p in others(me): as p: pause "you are attacked"
    for p in others(me): gain 1 wounds for p
    choose n in 1..2 "And now?"
anytime:
  guard: {label: guard, when: guards > 0, do: pay 1 guards}
active: ACTIVE
result: {score: 0 - wounds + 2 * guards}
"""


def put(folder: Path, active: str) -> Path:
    pack = folder / "now"
    pack.mkdir()
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", RULES.replace("ACTIVE", active))):
        (pack / f"{name}.yaml").write_text(text)
    return pack


def asked(match: Match) -> tuple[int, list[str]]:
    assert match.decision is not None
    return match.decision.player, list(match.decision.labels)


def test_those_of_the_list_are_offered_it_in_turn(tmp_path: Path):
    match = load(str(put(tmp_path, "'[p for p in players where p != players[0]]'"))).start(3, 1)
    assert asked(match) == (1, ["you are attacked", "guard"])
    match.choose("guard")
    assert asked(match) == (2, ["you are attacked", "guard"])
    match.choose("you are attacked")
    assert asked(match) == (0, ["1", "2"])  # not among them
    assert not match.why("guard").offered
    assert "you are among" in str(match.why("guard"))


def test_no_player_and_everybody(tmp_path: Path):
    match = load(str(put(tmp_path, "players"))).start(3, 1)
    assert asked(match) == (1, ["you are attacked", "guard"])
    (tmp_path / "none").mkdir()
    match = load(str(put(tmp_path / "none", "'[p for p in players where false]'"))).start(3, 1)
    assert asked(match) == (0, ["1", "2"])


def test_a_list_of_something_else(tmp_path: Path):
    problems = inspect(str(put(tmp_path, "'{1, 2}'"))).problems
    assert [problem.code for problem in problems if problem.severity == "error"] == ["P0301"]
