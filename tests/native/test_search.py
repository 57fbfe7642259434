"""Searches that are carried out natively are those of Python, to the last bit."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from tiers import few

pytest.importorskip("wasmtime", reason="the extra native is not installed")

from busy import within
from packmaker import loaded
from tools_by_name import tool as tool_of

import patolli
from patolli.kernel.chance import stream_key
from patolli.language.diagnostics.codes import CODES
from patolli.play.players.search import Budget, Search, SearchBot, engines
from patolli.play.players.search.matches import Matches
from patolli.play.players.search.native import BATCH_SECONDS, FIRST, LARGEST, NativeSearch
from patolli.play.players.search.tree import Node
from patolli.run.native import machines, memory, searches
from patolli.run.native.heap import Unsupported
from patolli.run.native.searches import Searcher

ROOT = Path(__file__).resolve().parents[2]
tool = tool_of("searches")


@pytest.fixture
def cold(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return patolli.load(str(ROOT / "content/tic_tac_toe"))


# Each has something that others have not: proofs, many answers, dice, private hands, answers that are kept secret until all have
# given theirs, more than two seats, one end for all, values in the middle of a
# match, one player who is called upon again.
PACKS = [
    pytest.param("connect_four", 2, 8, id="proofs"),
    pytest.param("breakthrough", 2, 20, id="many options, and some end the match"),
    pytest.param("gallery/pig", 4, 30, id="chance and four seats"),
    pytest.param("gallery/leduc_poker", 2, 0, id="private hands"),
    pytest.param("gallery/curios", 3, 6, id="secret answers"),
    pytest.param("gallery/high_water", 3, 0, id="won together"),
    pytest.param("city_of_gods", 2, 30, id="values, anytime actions, payments"),
    pytest.param("../tests/data/patience", 1, 3, id="turns of a player alone"),
]


@pytest.mark.parametrize(("pack", "players", "choices"), few(PACKS, 0, 3))
def test_search_is_the_same(pack, players, choices):
    match = tool.position(patolli.load(str(ROOT / "content" / pack)), players, choices, seed=2)
    assert tool.compared(match, 100, seed=5)[0] == ""


def test_difference_is_reported():
    match = tool.position(patolli.load("connect_four"), 2, 4, seed=3)
    one, other = tool.both(match, 1)
    one.run(50)
    other.run(49)
    assert "50 simulations in Python, 49" in tool.difference(one, other)
    other.run(1)
    assert tool.difference(one, other) == ""
    next(iter(one.root.asks.values())).nodes[0].total += 1e-12
    assert "in Python" in tool.difference(one, other)


@pytest.mark.parametrize("code", ["P0802", "P0804", "P0806"])
def test_simulations_that_fail_teach_nothing_in_both(code, tmp_path):
    rules = loaded(tmp_path, CODES[code].wrong)
    match = tool.position(rules, rules.players[0], 0, seed=1)
    one, other = tool.both(match, 1)
    one.run(12)
    other.run(12)
    assert tool.difference(one, other) == ""
    assert sum(child.visits for child in one.root_question(match).children.values()) < 12


# ---- bots


@pytest.mark.deep
@pytest.mark.parametrize(("pack", "players"), [("connect_four", 2), ("gallery/leduc_poker", 2), ("patolli", 3)])
def test_bots_choose_alike_through_a_whole_match(pack, players):
    rules = patolli.load(str(ROOT / "content" / pack))
    chosen = []
    for engine in ("python", "native"):
        bots = [SearchBot(seed, Budget(60), engine=engine) for seed in range(players)]
        match = rules.start(players, 3)
        while not match.over and len(match.choices) < 60:
            match.pick(bots[match.decision.player].decide(match))
        chosen.append(match.choices)
        assert any(isinstance(bot._search, NativeSearch) for bot in bots) == (engine == "native")
    assert chosen[0] == chosen[1]


def test_tree_is_kept_between_decisions():
    match, bot = patolli.load("connect_four").start(2, 1), SearchBot(1, Budget(400), engine="native")
    match.pick(bot.decide(match))
    match.pick(Random(1).randrange(len(match.pending)))
    before = bot._search
    search = bot.search(match)
    assert search is before
    assert sum(node.visits for node in search.root_question(match).nodes if node is not None) > 0


def test_forgotten_trees_are_others():
    """What was remembered in a memory by one search is not there for the next one."""
    match, bot = patolli.load("connect_four").start(2, 1), SearchBot(1, Budget(300), keep=False, engine="native")
    first = [bot.decide(match), tool.tree(bot._search.root)]
    again = SearchBot(1, Budget(300), keep=False, engine="native")
    other = patolli.load("connect_four").start(2, 1)
    other.pick(3)
    again.decide(other)
    assert [again.decide(match), tool.tree(again._search.root)] == first


def test_time_is_kept():
    match = patolli.load("connect_four").start(2, 1)
    bot = SearchBot(1, Budget(seconds=0.2), engine="native")
    bot.decide(match)
    began = perf_counter()
    bot.decide(match)
    assert 0.15 < perf_counter() - began < within(0.6)


@pytest.fixture
def sizes(monkeypatch):
    """How many simulations are run together."""
    found, run = [], Searcher.run

    def noted(self, match, jobs):
        found.append(jobs if isinstance(jobs, int) else len(jobs))
        return run(self, match, jobs)

    monkeypatch.setattr(Searcher, "run", noted)
    return found


def test_next_search_knows_how_long_a_simulation_takes(sizes):
    """So a thousand of them are one call, which was four: 16 at first, to see how long these take."""
    match, bot = patolli.load("connect_four").start(2, 1), SearchBot(1, keep=False, engine="native")
    ticking = count()
    bot.search(match)._searcher.each = 0.0
    assert bot.search(match).run(1000, clock=lambda: next(ticking) * 1e-4) == 1000
    assert sizes[0] == FIRST
    sizes.clear()
    assert bot.search(match).run(1000, clock=lambda: next(ticking) * 1e-4) == 1000
    assert sizes == [1000]


def test_what_takes_longer_than_before_is_looked_at_more_often(sizes):
    match, bot = patolli.load("connect_four").start(2, 1), SearchBot(1, keep=False, engine="native")
    search, seconds = bot.search(match), count()
    search._searcher.each = 1e-6
    search.run(100_000, end=2.0, clock=lambda: float(next(seconds)))
    assert sizes == [LARGEST, int(BATCH_SECONDS * LARGEST)]


# ---- which engine


def test_nothing_is_translated_for_little(cold):
    bot = SearchBot(1, Budget(10))
    bot.decide(cold.start(2, 1))
    assert isinstance(bot._search, Search)
    assert not isinstance(bot._search, NativeSearch)
    assert not machines.known_before(cold, 2, machines.SEARCHING)


@pytest.fixture
def eager(cold, monkeypatch):
    """A game that was never translated, where every translation repays itself."""
    monkeypatch.setattr(engines, "PROBE", 0.0)
    monkeypatch.setattr(engines, "TRANSLATION", 0.0)
    return cold.start(2, 1)


@pytest.mark.parametrize("budget", [Budget(90), Budget(90, 5.0)], ids=["by number", "by time"])
def test_search_becomes_native_within_its_first_decision(eager, budget):
    bot, python = (SearchBot(1, budget, engine=engine) for engine in ("auto", "python"))
    assert bot.decide(eager) == python.decide(eager)
    assert isinstance(bot._search, NativeSearch)
    assert tool.difference(python._search, bot._search) == ""


def test_tree_is_given_up_for_a_native_search_only_by_time(eager):
    """By number of simulations the same seed gives the same choices on every machine."""
    for budget in (Budget(50), Budget(50, 5.0)):
        bot, match = SearchBot(1, budget), eager.clone()
        bot._engines._possible = False
        match.pick(bot.decide(match))
        bot._engines._possible = True
        match.pick(0)
        bot.decide(match)
        assert isinstance(bot._search, NativeSearch) == bool(budget.seconds)


def test_advice_is_the_same_in_both(eager):
    first = SearchBot(1, Budget(90), engine="python").advise(eager)
    assert str(SearchBot(1, Budget(90)).advise(eager)) == str(first)
    assert machines.made_here(eager.ruleset, 2, machines.SEARCHING)
    match = tool.position(patolli.load("connect_four"), 2, 6, seed=1)  # a game with scores
    first, second = (SearchBot(1, Budget(90), engine=engine).advise(match) for engine in ("python", "native"))
    assert first == second
    assert first.best.score is not None


def test_what_was_translated_before_is_used_at_once(cold):
    machines.prepare_search(cold, 2)
    again = patolli.load(str(ROOT / "content/tic_tac_toe"))
    bot = SearchBot(1, Budget(10))
    bot.decide(again.start(2, 1))
    assert isinstance(bot._search, NativeSearch)


def test_without_the_extra_python_searches(cold, monkeypatch):
    machines.prepare_search(cold, 2)
    monkeypatch.setattr(engines, "there", lambda: False)
    bot = SearchBot(1, Budget(10))
    bot.decide(cold.start(2, 1))
    assert not isinstance(bot._search, NativeSearch)
    with pytest.raises(ValueError, match="pip install"):
        SearchBot(1, Budget(10), engine="native")


def test_engine_is_one_that_there_is():
    with pytest.raises(ValueError, match="'warp'; there are auto, python, native"):
        SearchBot(1, engine="warp")


def test_what_cannot_be_translated_is_searched_in_python(cold, monkeypatch):
    def refuse(*_):
        raise Unsupported("a thing")

    monkeypatch.setattr(engines, "prepare_search", refuse)
    monkeypatch.setattr(engines, "known_before", lambda *_: True)
    bot = SearchBot(1, Budget(10))
    bot.decide(cold.start(2, 1))
    assert not isinstance(bot._search, NativeSearch)
    with pytest.raises(Unsupported):
        SearchBot(1, Budget(10), engine="native").decide(cold.start(2, 1))


# ---- when something goes wrong


def test_module_that_fails_again_and_again_is_left(monkeypatch):
    import wasmtime

    match, bot = patolli.load("connect_four").start(2, 1), SearchBot(1, Budget(100), engine="native")
    bot.decide(match)

    def trap(*_):
        raise wasmtime.WasmtimeError("out of order")

    bot._search._searcher._searched = trap
    monkeypatch.setattr(searches, "Searcher", None)
    chosen = bot.decide(match)
    assert not isinstance(bot._search, NativeSearch)
    assert chosen == SearchBot(1, Budget(100), engine="python").decide(match)


def test_simulation_that_traps_teaches_nothing():
    import wasmtime

    match = patolli.load("connect_four").start(2, 1)
    _, search = tool.both(match, 1)
    searched, calls = search._searcher._searched, []

    def sometimes(*given):
        calls.append(given)
        if len(calls) == 2:
            search._searcher.write_numbers(memory.DONE, 3)
            raise wasmtime.WasmtimeError("a stack that is too deep")
        return searched(*given)

    search._searcher._searched = sometimes
    assert search.run(40) == 40
    assert search.simulations == 40
    assert sum(node.visits for node in search.root_question(match).nodes if node is not None) == 36


@pytest.mark.deep
def test_search_ends_where_no_more_can_be_remembered(monkeypatch):
    monkeypatch.setattr(searches, "BEGIN", 2_900_000)
    monkeypatch.setattr(searches, "MOST", 3_000_000)
    match, bot = patolli.load(str(ROOT / "content/gallery/amazons")).start(2, 1), SearchBot(1, engine="native")
    search = bot.search(match)
    assert 10 < search.run(100_000) < 10_000
    assert search.full
    assert bot._engines.changes(search, Matches(match), match)
    assert 0 <= bot.decide(match) < len(match.pending)


def test_trees_grow_past_their_first_room(monkeypatch):
    monkeypatch.setattr(searches, "BEGIN", 2_700_000)
    match = patolli.load(str(ROOT / "content/gallery/amazons")).start(2, 1)
    _, one = tool.both(match, 1)
    assert [one.run(30) for _ in range(4)] == [30] * 4
    monkeypatch.setattr(searches, "BEGIN", 64 << 20)
    _, other = tool.both(match, 1)
    other.run(120)
    assert one._searcher.get(memory.ARENA_END) > one._searcher._floor + 2_700_000
    assert tool.difference(one, other) == ""


# ---- chance


@pytest.mark.parametrize("seed", [0, 7, 10**9 + 7, (1 << 62) - 1])
def test_streams_have_the_keys_of_python(seed):
    rules = patolli.load(str(ROOT / "content/gallery/pig"))
    match = rules.start(2, 1)
    _, search = tool.both(match, 1)
    base = search.game.real
    search._searcher.run(base, [(None, seed)])
    for name, text in search._searcher.streams.items():
        found = search._searcher.read_numbers(memory.KEYS + 8 * text, "Q")[0]
        assert found in (0, stream_key(seed, name))
    assert any(search._searcher.get(memory.KEYS + 8 * text) for text in search._searcher.streams.values())


def test_kept_nodes_are_nodes():
    match = patolli.load("connect_four").start(2, 1)
    _, search = tool.both(match, 1)
    search.run(30)
    assert isinstance(search.root, Node)
    assert sum(node.visits for node in search.root_question(match).nodes) == 30
