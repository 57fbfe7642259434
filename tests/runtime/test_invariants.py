"""Declared invariants are held after every choice, by all who play; each is computed only when it may have changed."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest
from broken_invariants import mutants, purse, random_invariants, without_wrong_ones
from click.testing import CliRunner
from randompacks.engine import Workshop
from randompacks.packs import make
from tiers import few

import patolli
from patolli.cli import main
from patolli.run.runtime import MatchError
from patolli.run.runtime.invariants import BrokenInvariant, Watch

DATA = Path(__file__).parents[1] / "data"
SHIPPED = [("city_of_gods", ()), ("city_of_gods", ("solo", "mansion", "altars")), ("founders", ()), ("patolli", ())]

PACK = "document: pack\nid: purse\nversion: 1.0.0\nlanguage: 1\ntitle: Purse\nplayers: {min: 2, max: 3}\n"
MODEL = """\
document: model
kinds:
  card: {fields: {marked: bool}}
counters:
  coin: {per: player}
  debt: {min: -9}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
  desk: {of: card, type: spot}
"""
CARDS = "document: pieces\nkind: card\npieces: {small: {copies: 3}, large: {}}\n"
RULES = """\
document: rules
functions:
  wealth(player p): coin(p) + size(deck)
rules:
  setup: {do: "for c in card: move c to deck"}
  match:
    do: |
      repeat 12 times:
        choose one:
          "gain": gain 1 coin
          "owe": if debt > -5: lose 1 debt
          "draw": if deck and not desk: move top(deck) to desk
          "keep": if deck: move top(deck) to hand(me)
          "return": if desk: move desk to deck
          "mark": if desk: set desk.marked to not desk.marked
        pass to next(me)
result: {score: coin}
"""


def written(folder: Path, invariants: str, rules: str = RULES) -> Path:
    folder.mkdir()
    (folder / "pack.yaml").write_text(PACK)
    (folder / "model.yaml").write_text(MODEL)
    (folder / "cards.yaml").write_text(CARDS)
    (folder / "rules.yaml").write_text(rules + "invariants:\n" + invariants)
    return folder


EVERY = """\
  even: {always: "coin(players[0]) mod 2 == 0"}
  all_of: {always: "all(coin(p) < 3 for p in players)"}
  shared: {always: "debt > -2"}
  drawn: {always: "size(deck) > 2"}
  top_one: {always: "all(number(c) != 2 for c in deck)"}
  spot: {always: "not desk"}
  lies: {always: "all(place_of(c, hand) != players[1] for c in card)"}
  marked: {always: "not any(c.marked for c in card)"}
  within: {always: "wealth(players[1]) < 6"}
  either: {always: "coin(players[1]) < 2 or size(deck) == 4"}
"""


@pytest.mark.parametrize(
    "case",
    few([(row,) for row in (*SHIPPED, ("lab", ()), ("mosaic", ()), ("every", ()))], 0, 1),
    ids=lambda case: "+".join([case[0], *case[1]]),
)
def test_watched_is_as_good_as_computed(case, tmp_path):
    """What was broken before is named as long as it is, and again when it breaks again."""
    name, modules = case
    pack = (
        str(written(tmp_path / "purse", EVERY))
        if name == "every"
        else str(DATA / name)
        if (DATA / name).is_dir()
        else name
    )
    rules = patolli.load(pack, list(modules))
    changed = 0
    for seed in range(3):
        match, random = rules.start(None, seed), Random(seed)
        watch = Watch(match)
        while match.pending is not None and len(match.choices) < 120:
            broken = match.broken()
            assert broken_by(watch, match) == broken, match.choices
            changed += bool(broken)
            match.pick(random.randrange(len(match.pending)))
    assert changed > 20 if name == "every" else True


def broken_by(watch: Watch, match: patolli.Match) -> list[str]:
    try:
        watch.check(match)
    except BrokenInvariant as error:
        return error.names
    return []


def test_only_what_reads_a_change_is_evaluated(tmp_path):
    match = patolli.load(str(written(tmp_path / "purse", EVERY))).start(2, 1)
    evaluated: list[str] = []

    def counted(name, holds):
        return lambda state, me: evaluated.append(name) or holds(state, me)

    match.program.invariants.update({name: counted(name, holds) for name, holds in match.program.invariants.items()})
    watch = Watch(match)
    watch.spare(match)
    for choice, readers in {
        "owe": {"shared"},
        "gain": {"even", "all_of", "within", "either"},
        "draw": {"drawn", "spot", "lies", "within", "either"},
        "mark": {"marked", "spot"},  # what was broken is evaluated again
    }.items():
        evaluated.clear()
        match.choose(choice)
        broken_by(watch, match)
        assert set(evaluated) == readers


def test_a_pile_in_another_order_is_a_change(tmp_path):
    rules = RULES.replace('"return": if desk: move desk to deck', '"return": shuffle deck')
    assert rules != RULES
    folder = written(tmp_path / "purse", "  top: {always: 'not deck or number(top(deck)) == 4'}\n", rules)
    found = set()
    for seed in range(20):
        match = patolli.load(str(folder)).start(2, seed)
        watch = Watch(match)
        match.choose("return")
        assert broken_by(watch, match) == match.broken()
        found.add(bool(match.broken()))
    assert found == {True, False}


# ---- what a rule forgot, or a user changed, is found as by evaluating everything


def play_and_compare(rules: patolli.Ruleset, seed: int, most: int) -> int:
    """Play a match; return after how many choices something was broken."""
    match, random = rules.start(None, seed), Random(seed)
    watch, broken = Watch(match), 0
    while match.pending and len(match.choices) < most:
        found = verdict(partial(watch.check, match))
        assert found == verdict(match.broken), match.choices
        broken += bool(found)
        match.pick(random.randrange(len(match.pending)))
    return broken


def verdict(work) -> list[str] | str:
    """Return what is not true, or the fault of looking."""
    try:
        return work() or []
    except BrokenInvariant as error:
        return error.names
    except MatchError as error:
        return error.code


def test_every_form_of_an_invariant(tmp_path):
    """Also one that cannot be evaluated at times."""
    purse(tmp_path)
    rules = patolli.load(str(tmp_path))
    assert sum(play_and_compare(rules, seed, 60) for seed in range(10)) > 100


@pytest.mark.deep
@pytest.mark.parametrize(("name", "number"), [("connect_four", 6), ("breakthrough", 6), ("founders", 8)])
def test_a_shipped_pack_without_one_of_its_statements(name, number, tmp_path):
    broken = 0
    for folder in mutants(tmp_path, name, Random(number), number):
        with suppress(patolli.ContentError, MatchError):  # a rule may fail without what was left out
            rules = patolli.load(str(folder))
            broken += sum(play_and_compare(rules, seed, 100) for seed in range(2))
    assert broken > 0


@pytest.mark.deep
def test_random_packs():
    workshop, broken = Workshop(), 0
    try:
        for seed in range(40):
            rules = without_wrong_ones(make(seed, random_invariants), workshop)
            if rules is not None and rules.resolved_program.invariants:
                with suppress(MatchError):  # what is refused may fail
                    broken += play_and_compare(rules, seed, 30)
    finally:
        workshop.close()
    assert broken > 10


ONE = "  modest: {always: 'all(coin(p) < 3 for p in players)', text: No player has more than two coins.}\n"


@pytest.fixture
def greedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack in which the third coin of a player breaks an invariant."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return written(tmp_path / "purse", ONE)


def run(*arguments: object, input: str | None = None):
    return CliRunner().invoke(main, [str(a) for a in arguments], input=input, catch_exceptions=False)


def replayed(said: str) -> str:
    """Do what a fault says to see it again; return what is said then."""
    call = said.split("see it again: patolli ")[1].split("\n")[0]
    result = run(*call.split())
    assert result.exit_code == 3, result.output
    return result.output


BROKEN = "the invariant 'modest' (No player has more than two coins.) is not true after choice 5: player_1 chose 'gain'"


def test_play(greedy):
    result = run("play", greedy, "--seat", "all=human", "--seed", "1", input="gain\n" * 8)

    assert result.exit_code == 3
    assert f"error[P0814]: {BROKEN}" in result.stderr
    assert "rules.yaml:19: in the invariant 'modest'" in result.stderr
    again = replayed(result.stderr)
    assert BROKEN in again
    assert "Player 1 gains 1 coin" in again


def test_play_with_a_save(greedy, tmp_path):
    file = tmp_path / "kept.json"
    result = run("play", greedy, "--seat", "all=human", "--seed", "1", "--save", file, input="gain\n" * 8)

    assert result.exit_code == 3
    assert f"patolli replay {file} --pack {greedy}" in result.stderr
    assert BROKEN in replayed(result.stderr)
    assert run("play", greedy, "--seat", "all=human", "--save", file).exit_code == 3


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("bot", ["random", "greedy"])
def test_simulate(greedy, jobs, bot):
    result = run("simulate", greedy, "--games", "8", "--jobs", jobs, "--bot", bot, "--format", "json")

    assert result.exit_code == 3
    assert "the invariant 'modest' (No player has more than two coins.) is not true after choice" in result.stderr
    assert json.loads(result.stdout)["faults"]
    first = next(line for line in result.stderr.splitlines() if "error[P0814]" in line)
    assert first in replayed(result.stderr)


def test_simulate_without(greedy):
    result = run("simulate", greedy, "--games", "8", "--no-invariants")

    assert result.exit_code == 0
    assert "8 of 8 games finished" in result.stdout


@pytest.mark.deep
def test_digest_is_the_same_with_and_without():
    digests = {
        json.loads(run("simulate", "city_of_gods", "--games", "2", flag, "--format", "json").stdout)["digest"]
        for flag in ("--invariants", "--no-invariants")
    }
    assert len(digests) == 1


def test_broken_by_the_set_up(tmp_path):
    folder = written(tmp_path / "purse", "  never: {always: debt > 0, text: It never holds.}\n")
    rules = patolli.load(str(folder))

    with pytest.raises(BrokenInvariant) as caught:
        patolli.playout(rules, invariants=True)
    assert caught.value.names == ["never"]
    assert caught.value.reason == "the invariant 'never' (It never holds.) is not true after the set-up"
    assert caught.value.choices == ()


def test_several_at_once(tmp_path):
    folder = written(tmp_path / "purse", "  one: {always: debt > 0}\n  two: {always: debt > 1}\n")

    with pytest.raises(BrokenInvariant, match="the invariants 'one', 'two' are not true after the set-up"):
        patolli.playout(patolli.load(str(folder)), invariants=True)


def test_invariant_has_a_budget_of_its_own(tmp_path):
    """However much the choices before have cost, it is computed as a whole."""
    folder = written(tmp_path / "purse", "  long: {always: 'count(a + b for a in 1..900, b in 1..900) > 0'}\n")
    match = patolli.load(str(folder)).start(2, 1)
    for _ in range(40):
        assert match.broken() == []


SCENARIOS = """\
document: scenarios
scenarios:
  after_a_choice: {start: set_up, choose: [gain, gain, gain, gain, gain], then: {coin(player_1): 3}}
  after_a_call: {call: gain 3 coin, then: {coin: 3}}
  expected: {call: gain 3 coin, fails: No player has more than two coins}
  given_so: {given: gain 7 coin, call: gain 1 coin, then: {coin: 8}}
  unsaid: {call: nothing, then: {coin: 0}}
  fine: {call: gain 2 coin, then: {coin: 2}}
"""


def test_test(greedy):
    (greedy / "scenarios.yaml").write_text(SCENARIOS)
    with (greedy / "rules.yaml").open("a") as file:  # this cannot be said of half a game, in which the deck is empty
        file.write("  first: {always: 'size([i in 1..(200000 - 200000 * size(deck))]) == 0'}\n")
    result = run("test", greedy, "-k", "not smoke")

    assert result.exit_code == 1
    assert "6 scenarios: 2 failed" in result.stdout
    words = "error[P0608]: the invariant 'modest' (No player has more than two coins.) is not true after this"
    assert f"scenarios.yaml:3:68: {words}" in result.stdout
    assert f"scenarios.yaml:4:24: {words}" in result.stdout
    assert "rules.yaml:19:3: in the invariant 'modest'" in result.stdout
