"""What is kept up as rules write is what would be found by looking at all instances, no matter which rule writes."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random

import pytest

import patolli
from patolli.cli import pages
from patolli.kernel.indexes import HELD, OF
from patolli.kernel.library import LIBRARY
from patolli.run.compiler import compile_program
from patolli.run.compiler.indexes import Indexes
from patolli.run.compiler.optimizer import plainly
from patolli.run.runtime import Match, Ruleset

PACKS = ("tic_tac_toe", "connect_four", "breakthrough", "hex", "checkers", "amazons", "nine_mens_morris")
"""Packs in which something is kept up, all of them but chess."""
FLIPS = {
    "pack.yaml": "document: pack\nid: flips\nversion: 1.0.0\nlanguage: 2\ntitle: Flips\nauthors: [Nobody]\n"
    "text: Nothing but a test.\nplayers: {min: 2, max: 2}\n",
    "model.yaml": "document: model\ngrids:\n  cell: {rows: 5, columns: 5, fields: {mark: player or none}}\n"
    "counters:\n  point: {per: player, max: 99}\n",
    "rules.yaml": """\
document: rules
functions:
  mine(): size([c in cell where c.mark == me])
  theirs(): size([c in cell where c.mark == next(me)])
rules:
  flip(cell): |
    set cell.mark to me
    for x in adjacent(cell) where x.mark: set x.mark to none
  match: |
    loop:
      choose c in cell where c.mark == none and after(flip(c), mine() + theirs()) < 12 "Where?"
      otherwise: end match
      flip(c)
      choose d in cell where d.mark == me or "leave" "Which goes?"
      if d: set d.mark to next(me)
      if mine() > theirs() + 5: end match
      pass to next(me)
result: {score: point}
""",
}


def kept(match: Match) -> list[str]:
    """Return the names of the indexes that belong to the state of a match; each of them holds what is there."""
    space, found = match.program.space, []
    for name in (name for name in space if f"find_{name}" in space):
        if space[name][OF] is match._state:
            held, plain = space[name][HELD], space[f"scan_{name}"]
            if plain.__code__.co_argcount == 2:  # a list for each value
                assert held == [plain(match._state, value) for value in range(len(held))]
            else:
                assert held == plain(match._state)
            found.append(name)
    return found


def beside(rules: Ruleset) -> Ruleset:
    """Return a ruleset with the same content in which nothing is kept up."""
    plain = Ruleset(rules.model, rules.chosen)
    with plainly():
        plain.program(rules.players[0] + rules.model.automated)
    return plain


@pytest.fixture
def flips(tmp_path: Path) -> Ruleset:
    for name, text in FLIPS.items():
        (tmp_path / name).write_text(text)
    return patolli.load(str(tmp_path))


@pytest.mark.parametrize("side", [8, 80])
def test_it_is_kept_for_a_board_of_any_size(tmp_path, side):
    grid = f"rows: {side}, columns: {side}"
    loop = "choose c in cell where c.mark == none; otherwise: end match; set c.mark to me; pass to next(me)"
    rules = "\n      ".join(["loop:", *loop.split("; ")])
    files = FLIPS | {
        "model.yaml": FLIPS["model.yaml"].replace("rows: 5, columns: 5", grid),
        "rules.yaml": f"document: rules\nrules:\n  match: |\n    {rules}\nresult: {{score: point}}\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    match = patolli.load(str(tmp_path)).start(2)
    for _ in range(4):
        match.pick(0)

    assert len(kept(match)) == 1
    assert len(match.options() or ()) == side * side - 4


@pytest.mark.parametrize("pack", PACKS)
def test_it_is_what_is_there_after_every_choice(pack):
    rules, draw, with_one = patolli.load(pack), Random(pack), 0
    for seed in range(3):
        match, choices = rules.start(seed=seed), 0
        while (options := match.options()) is not None and choices < 150:
            match.pick(int(draw.random() * len(options)))
            choices += 1
            with_one += bool(kept(match))
    assert with_one > 10


@pytest.mark.parametrize("pack", ["tic_tac_toe", "connect_four", "breakthrough"])
def test_no_change_ends_it(pack):
    """Of each write it can be told what it goes to."""
    rules, draw = patolli.load(pack), Random(pack)
    match = rules.start()
    match.pick(0)
    name = kept(match)[0]
    of = match.program.space[name][HELD]
    for _ in range(3):
        match.pick(int(draw.random() * len(match.options())))
        assert match.program.space[name][HELD] is of


def alike(one: Match, other: Match, picks: int, draw: Random) -> None:
    """Make the same choices in two matches and look at both after each."""
    for _ in range(picks):
        if (options := one.options()) is None:
            break
        index = int(draw.random() * len(options))
        one.pick(index)
        other.pick(index)
        assert one.options() == other.options()
        assert one.digest() == other.digest()


def test_a_look_ahead_leaves_no_trace(flips):
    assert "X" in pages.code(flips, "match")
    match, plain = flips.start(seed=3), beside(flips).start(seed=3)
    alike(match, plain, 8, Random(1))
    assert kept(match)
    alike(match, plain, 60, Random(2))


def test_copies_go_their_own_ways(flips):
    plain, draw = beside(flips), Random(5)
    matches = [(flips.start(seed=1), plain.start(seed=1))]
    for _ in range(40):
        at = draw.randrange(len(matches))
        alike(*matches[at], 3, draw)
        if len(matches) < 6:
            matches.append(tuple(one.clone() for one in matches[at]))


@pytest.mark.parametrize("pack", ["tic_tac_toe", "breakthrough"])
def test_who_writes_to_a_state_from_outside_is_heard(pack):
    rules, draw = patolli.load(pack), Random(7)
    match, plain = rules.start(seed=2), beside(rules).start(seed=2)
    alike(match, plain, 3, draw)
    assert kept(match)
    layout = match.program.layout
    (kind, _), first = next(iter(layout.fields.items()))
    for state in (match.state, plain.state):
        free = [slot for slot in range(first, first + layout.size(kind)) if state[slot] < 0]
        state[free[0]], state[free[-1]] = 1, 0
    assert not kept(match)
    alike(match, plain, 3, draw)


def test_saves_and_undo_know_nothing_of_it():
    rules, draw = patolli.load("breakthrough"), Random(3)
    match, plain = rules.start(seed=2), beside(rules).start(seed=2)
    alike(match, plain, 9, draw)
    again = rules.restore(match.to_json())
    assert again.state == match.state == plain.state
    alike(again, plain.clone(), 10, Random(4))
    before = match.clone()
    match.pick(0)
    match.undo()
    assert match.digest() == before.digest()
    alike(match, plain, 10, draw)


def test_a_lost_write_would_be_noticed(monkeypatch):
    """What the tests above compare sees it when an index is not kept up."""
    monkeypatch.setattr(Indexes, "_by_value", lambda *_: [])
    rules = patolli.load("breakthrough")
    rules.start()
    match = rules.start(seed=1)  # from the second match on, all begin with what is kept
    match.pick(0)
    with pytest.raises(AssertionError):
        kept(match)


def test_names_are_not_those_of_the_kernel():
    """What the pass calls its helpers stands beside all that rules may call."""
    indexes = Indexes(patolli.load("breakthrough").program(2).layout, {}, lambda prefix, value: f"{prefix}1")
    block = ast.parse("def b1(s, f):\n    o = [c for c, w in enumerate(s[8:72]) if w == f[1]]\n    return o\n").body
    indexes.keep_up(block)
    assert indexes.space
    assert indexes.space.keys().isdisjoint(LIBRARY)


# ---- what is chosen


def test_nothing_is_kept_up_that_is_written_more_often_than_asked_for():
    """City of Gods goes over few spaces, and writes to them in many places."""
    for pack in ("patolli", "othello", "city_of_gods"):
        rules = patolli.load(pack)
        assert rules.program(rules.players[0] + rules.model.automated).indexes == []


def test_who_tells_has_none():
    rules = patolli.load("breakthrough")
    assert rules.program(2).indexes
    assert rules.program(2, narrate=True).indexes == []
    assert compile_program(rules.resolved_program, rules.prover, 2, indexed=False).indexes == []


def test_steps_are_drawn_as_before():
    """Who goes over all instances is charged for all of them, so a match ends at the same place."""
    rules, made = patolli.load("breakthrough"), []
    compile_program(
        rules.resolved_program, rules.prover, 2, look=lambda _, found, __: made.extend(found), indexed=False
    )
    without = "\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in made)
    assert "passes(s[8:72], 35)" in without
    assert f"budget[0] -= {64 * 35}" in pages.code(rules, "match")


@pytest.mark.parametrize(
    ("written", "ends"),
    [
        pytest.param("s[t] = 1", True, id="any slot"),
        pytest.param("s[t + 9] = 1", True, id="a sum that begins nowhere"),
        pytest.param("s[t + 8] += 1", True, id="a sum in the field"),
        pytest.param("s[t + 4] = 1", False, id="a counter"),
        pytest.param("s[2] = 1", False, id="the end of the match"),
    ],
)
def test_a_write_to_who_knows_what_ends_it(written, ends):
    rules = patolli.load("breakthrough")
    program = compile_program(rules.resolved_program, rules.prover, 2)
    indexes = Indexes(program.layout, dict(program.space), lambda prefix, value: f"{prefix}1")
    block = ast.parse(
        "def b1(s, f):\n    o = [c for c, w in enumerate(s[8:72]) if w == f[1]]\n    return o\n"
        f"def r1(s, t):\n    {written}\n"
    ).body
    indexes.keep_up(block)
    assert ("X1[0] = None" in ast.unparse(block[1])) == ends
