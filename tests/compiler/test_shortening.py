"""Code that was made shorter does to the letter what the plain code does."""

from __future__ import annotations

import ast
from random import Random

import pytest
from randompacks.engine import Workshop
from randompacks.packs import make
from tiers import few

import patolli
from patolli.cli import pages
from patolli.run.compiler import optimizer
from patolli.run.compiler.optimizer import plainly
from patolli.run.runtime import Ruleset
from patolli.run.runtime.errors import MatchError

PACKS = {
    "tic_tac_toe": 2, "connect_four": 2, "breakthrough": 2, "patolli": 3, "checkers": 2, "othello": 2, "skerry": 2,
    "nine_mens_morris": 2, "promises": 3, "city_of_gods": 2, "founders": 2,
}  # fmt: skip


def twice(rules: Ruleset) -> tuple[Ruleset, Ruleset]:
    """Return rulesets with the same content: one whose code is plain, and one whose code is short."""
    plain, short = Ruleset(rules.model, rules.chosen), Ruleset(rules.model, rules.chosen)
    with plainly():
        plain.program(rules.players[0] + rules.model.automated)
    return plain, short


def told(error: MatchError) -> tuple[str, list[tuple[str, int, str]]]:
    return error.text(), error.stack


def trail(rules: Ruleset, seed: int, narrate: bool, most: int = 200) -> list[object]:
    """Return all that a random match shows: options, states, and how it fails. One that narrates has plain code."""
    draw, found = Random(seed), []
    try:
        match = rules.start(rules.players[0], seed, narrate=narrate)
        for _ in range(most):
            if (options := match.options()) is None:
                break
            found.append((options, match.extra, match.digest()))
            match.pick(int(draw.random() * len(options)))
        found.append((match.digest(), match.scores))
    except MatchError as error:
        found.append(told(error))
    return found


@pytest.mark.parametrize("pack", few(PACKS, "patolli", "skerry"))
def test_games_go_alike(pack):
    plain, short = twice(patolli.load(pack))
    for seed in range(3):
        assert trail(plain, seed, seed == 2) == trail(short, seed, False)


@pytest.mark.deep
def test_random_packs_go_alike():
    workshop, played, failed = Workshop(), 0, 0
    try:
        for seed in range(70):
            pack = make(seed)
            checked = workshop.checked(pack.files, {})
            if checked.rules is None:
                continue
            plain, short = twice(checked.rules)
            for game in range(2):
                one, other = trail(plain, game, game == 1, 40), trail(short, game, False, 40)
                assert one == other, pack.text
                played += len(one) > 3
                failed += isinstance(one[-1][0], str) and "error[" in one[-1][0]
    finally:
        workshop.close()
    assert played > 30
    assert failed, "faults are compared, too"


def test_a_wrong_pass_is_found(monkeypatch):
    """What compares both has to see it when a slot of a frame is not written."""
    plain, short = twice(patolli.load("connect_four"))
    honest = optimizer.hoist

    def wrong(functions):
        honest(functions)
        for function in functions:  # whose turn it is does not go into the frame
            function.body = [one for one in function.body if not _text(one).startswith("f[1] = f1")] or function.body

    monkeypatch.setattr(optimizer, "hoist", wrong)
    assert trail(plain, 0, False) != trail(short, 0, False)


def _text(node):
    return ast.unparse(ast.fix_missing_locations(node))


# ---- what becomes of code


def code(pack: str, rule: str) -> str:
    return pages.code(patolli.load(pack), rule)


@pytest.mark.deep
def test_small_functions_stand_where_they_are_called():
    short = code("founders", "way_fits")
    with plainly():
        plain = code("founders", "way_fits")

    assert "q" in plain.partition("def f_way_fits")[2].partition("return")[2]
    assert "q" not in short.partition("def f_way_fits")[2].partition("return")[2].partition("\n")[0]


def test_what_follows_from_a_table_is_computed_before():
    assert "F4_cell_column" in (plain := _plainly("breakthrough", "match"))
    assert "passes(K_cell" in plain
    assert "F4_cell_column" not in (short := code("breakthrough", "match"))
    assert "K_cell" not in short


def test_blocks_that_follow_each_other_are_one():
    plain, short = _plainly("tic_tac_toe", "match"), code("tic_tac_toe", "match")

    assert (plain.count("    o = "), short.count("    o = ")) == (1, 2)
    assert short.count("f[3]") < 2 * plain.count("f[3]")


def _plainly(pack: str, rule: str) -> str:
    with plainly():
        return code(pack, rule)


def test_short_rows_are_gone_through_item_by_item():
    short = code("breakthrough", "match")

    assert short.count("o.append(") == 3 * short.count("o = []")
    assert "is not None" not in short, "what is missing in a row fails its test"
