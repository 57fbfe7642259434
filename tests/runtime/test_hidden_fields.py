"""Fields that only some may see: of pieces and cells that lie in the open."""

from __future__ import annotations

from pathlib import Path

import pytest
from packmaker import problems

from patolli.author.workspace import load
from patolli.run.runtime import Match, Ruleset

PACK = "document: pack\nid: camp\nversion: 1.0.0\nlanguage: 1\ntitle: Camp\nauthors: [x]\ntext: x\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
kinds:
  guard:
    per: player
    copies: 2
    fields:
      rank: {type: int 0..9 = 0, visible: owner, unless: shown, told: true}
      shown: bool = false
      fate: {type: int 0..9 = 0, visible: none}
grids:
  mine: {rows: 1, columns: 2, fields: {bomb: {type: bool = false, visible: none}}}
counters:
  coin: {per: player, start: 3}
places:
  field: {of: guard, type: area}
"""


def made(folder: Path, match: str, more: str = "") -> Ruleset:
    body = "".join(f"      {line}\n" for line in match.strip("\n").split("\n"))
    rules = f"document: rules\nrules:\n  match:\n    do: |\n{body}{more}"
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder))


def started(folder: Path, match: str, more: str = "") -> Match:
    return made(folder, match, more).start(2, 1, narrate=True)


ASK = "choose last in 7..8\nset coin to last"


def test_field_is_seen_by_its_owner_until_another_one_opens_it(tmp_path):
    effect = "for g in guard: move g to field\nfor g in guard: set g.rank to 5\n"
    match = started(
        tmp_path, f"{effect}choose g in guard where g.owner == me\notherwise: stop\nset g.shown to true\n{ASK}"
    )

    before = [match.view(seat)["pieces"]["guard"] for seat in range(2)]
    match.choose("guard_1")
    after = [match.view(seat)["pieces"]["guard"] for seat in range(2)]

    hidden, seen = {"shown": False}, {"rank": 5, "shown": False}
    mine, theirs = ("player_1.guard_1", "player_1.guard_2"), ("player_2.guard_1", "player_2.guard_2")
    assert before[0] == {**dict.fromkeys(mine, seen), **dict.fromkeys(theirs, hidden)}
    assert before[1] == {**dict.fromkeys(mine, hidden), **dict.fromkeys(theirs, seen)}
    assert after[1]["player_1.guard_1"] == {"rank": 5, "shown": True}
    assert after[1]["player_1.guard_2"] == hidden


@pytest.mark.parametrize(
    ("effect", "answer", "told"),
    [
        pytest.param("choose n in 1..3\nfor g in guard where g.owner == me: set g.rank to n", "2", ["Player 1 has decided"], id="value"),
        pytest.param("choose g in guard where g.owner == me\notherwise: stop\nset g.rank to 4", "guard_2", ["Player 1 has decided"], id="which piece"),
        pytest.param("choose n in 1..3\nfor m in mine: set m.bomb to n > 1", "2", ["Player 1 has decided"], id="without an owner"),
        pytest.param('choose one:\n  "high": for g in guard where g.owner == me: set g.rank to 9\n  "no": nothing', "no", ["Player 1 has decided"], id="beside a line that does it"),
        pytest.param("choose g in guard where g.owner == me\notherwise: stop\nset g.shown to true", "guard_2", ["Player 1: guard"], id="what opens it"),
        pytest.param("choose n in 1..3\nfor g in guard where g.owner == me:\n  set g.shown to true\n  set g.rank to n", "2", ["Player 1 has decided", *["Player 1's guard's rank rises to 2"] * 2], id="open ones are reported by themselves"),
    ],
)  # fmt: skip
def test_answer_from_which_a_hidden_field_is_made_is_not_told(tmp_path, effect, answer, told):
    match = started(tmp_path, f"for g in guard: move g to field\n{effect}\n{ASK}")
    before = len(match.log)

    match.choose(answer)

    assert match.log[before:] == told


@pytest.mark.parametrize(
    ("score", "seen"),
    [
        pytest.param("sum(g.rank for g in guard where g.owner == me)", [[4, None], [None, 4]], id="of an owner"),
        pytest.param("sum(g.fate for g in guard)", [[None, None], [None, None]], id="without an owner"),
        pytest.param("count(g in guard where g.shown)", [[0, 0], [0, 0]], id="of all"),
    ],
)
def test_score_rests_on_fields_that_are_seen(tmp_path, score, seen):
    effect = f"for g in guard: move g to field\nfor g in guard: set g.rank to 2\n{ASK}"
    match = started(tmp_path, effect, f"result:\n  score: {score}\n")

    assert [match.view(seat)["scores"] for seat in range(2)] == seen


KINDS = "document: model\nkinds:\n  pawn:\n    per: player\n    copies: 2\n    fields: {{plain: int = 0, open: bool = false, veiled: {{type: bool = false, visible: none}}, x: {0}}}\n"


@pytest.mark.parametrize(
    ("example", "code", "words"),
    [
        pytest.param(KINDS.format("{type: int = 0, visible: owner, unless: opn}"), "P0201", "unknown field 'opn'", id="unknown"),
        pytest.param(KINDS.format("{type: int = 0, visible: owner, unless: plain}"), "P0205", "'plain' cannot open", id="number"),
        pytest.param(KINDS.format("{type: int = 0, visible: owner, unless: veiled}"), "P0205", "'veiled' cannot open", id="hidden, too"),
        pytest.param(KINDS.format("{type: int = 0, unless: open}"), "P0205", "everybody sees 'x' in any case", id="open already"),
        pytest.param("document: model\nkinds:\n  pawn:\n    fields: {x: {type: int = 0, visible: owner}}\n", "P0205", "a 'pawn' has no owner", id="without an owner"),
        pytest.param("document: model\nkinds:\n  pawn:\n    per: player\n    copies: 1\n    facts: {x: {type: int = 0, visible: owner}}\n", "P0205", "'x' is a fact", id="fact"),
    ],
)  # fmt: skip
def test_visible_that_cannot_be_is_refused(tmp_path, example, code, words):
    found = [p for p in problems(tmp_path, example) if p.severity == "error"]

    assert [p.code for p in found] == [code]
    assert words in found[0].message
