"""The bot that searches, on packs."""

from __future__ import annotations

import gc
import multiprocessing
import pickle
from functools import partial
from itertools import permutations
from random import Random
from time import perf_counter, sleep
from types import SimpleNamespace

import pytest
from busy import within
from packmaker import DATA
from twins import twin

import patolli
from patolli.kernel.indexes import OF
from patolli.play.players import BotError, Budget, SearchBot, kind_of, make_bot
from patolli.play.players.search import Search
from patolli.play.players.search import search as tree_search
from patolli.play.players.search.bot import draw_option, rank_options
from patolli.play.players.search.helpers import Helpers, Task, search_task
from patolli.play.players.search.matches import Matches
from patolli.play.players.search.worth import Worth
from patolli.run.compiler.layout import FRAMES


def at(pack, *labels, players=2, seed=1, modules=()):
    match = patolli.load(pack, modules).start(players, seed)
    for label in labels:
        match.choose(label)
    return match


@pytest.mark.parametrize(
    ("given", "name", "budget"),
    [
        ("mcts:2000", "mcts:2000", Budget(2000)),
        ("mcts:1s", "mcts:1s", Budget(0, 1.0)),
        ("mcts:1.5s", "mcts:1.5s", Budget(0, 1.5)),
        ("mcts:300ms", "mcts:300ms", Budget(0, 0.3)),
        ("mcts:500x2", "mcts:500x2", Budget(500, 0, 2)),
        ("deep=mcts:1s", "deep", Budget(0, 1.0)),
    ],
)
def test_budget_stands_behind_the_name(given, name, budget):
    kind = kind_of(given)
    bot = pickle.loads(pickle.dumps(kind)).make(1)

    assert (str(kind), bot.budget) == (name, budget)
    assert Budget.of(str(budget)) == budget


@pytest.mark.parametrize(
    ("temperature", "shares"), [(0.01, [1, 0, 0, 0]), (0.5, [0.74, 0.26, 0, 0]), (1, [0.6, 0.36, 0.04, 0])]
)
def test_temperature_draws_options_by_their_visits(temperature, shares):
    """The shares grow as visits to the power of 1 / temperature; what helpers found is added, and what was not tried is
    never taken."""
    ask = SimpleNamespace(
        nodes=[SimpleNamespace(visits=50), SimpleNamespace(visits=36), SimpleNamespace(visits=4), None]
    )
    random, helped = Random(1), [[(10, 0.0), (0, 0.0), (0, 0.0), (0, 0.0)]]
    drawn = [draw_option(ask, helped, temperature, random) for _ in range(2000)]

    assert [drawn.count(index) / 2000 for index in range(4)] == pytest.approx(shares, abs=0.03)


def test_temperature_makes_other_choices_and_the_same_again():
    match = at("tic_tac_toe")

    def decide(kind):
        return [kind_of(kind).make(seed).decide(match) for seed in range(20)]

    assert decide("mcts:30@1") == decide("mcts:30@1") != decide("mcts:30")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("mcts:", "'' is not a budget"),
        ("mcts:much", "'much' is not a budget"),
        ("mcts:1.5", "'1.5' is not a budget"),
        ("mcts:0", "needs a budget"),
        ("mcts:0s", "needs a budget"),
        ("mcts:9000s", "an hour at most"),
        ("mcts:10x0", "1 to 64 processes"),
        ("mcts:10x65", "1 to 64 processes"),
        ("mcts:10x100", "1 to 64 processes, not 100"),
        ("mcts:\uff12\uff10", "is not a budget"),
        ("mcts:2\u0660", "is not a budget"),
        ("mcts:99999999999999999999999", "999,999,999 simulations at most"),
        (f"mcts:{'9' * 5000}", "999,999,999 simulations at most"),
        (f"mcts:{'9' * 5000}s", "an hour at most"),
        (f"mcts:9x{'9' * 5000}", "1 to 64 processes"),
        ("mcts:9/greedy", "'greedy' is not a value for a search"),
        ("mcts:9/learned:", "use only /learned or /learned:FILE"),
        ("mcts:/learned", "'' is not a budget"),
        ("mcts:9@", "'' is no temperature"),
        ("mcts:9@0", "'0' is no temperature"),
        ("mcts:9@hot", "write a temperature above 0"),
        ("mcts:9@11", "'11' is no temperature"),
        ("mcts:@1", "'' is not a budget"),
        ("easy:9", "takes nothing after its name"),
        ("greedy:9", "takes nothing after its name"),
        ("mtcs:9", "no module 'mtcs'"),
        ("hrad", "did you mean 'hard'"),
    ],
)
def test_what_is_no_budget_is_reported(given, words):
    with pytest.raises(ValueError, match=words):
        kind_of(given)


def test_module_of_ones_own_is_still_found(tmp_path, monkeypatch):
    (tmp_path / "thinker.py").write_text(
        "import patolli\nclass Bot(patolli.Bot):\n    def choose(self, turn):\n        return 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    assert kind_of("thinker:Bot") == "thinker:Bot"


def test_levels_differ_in_what_they_spend():
    easy, medium, hard = (kind_of(name).make(1).budget for name in ("easy", "medium", "hard"))

    assert easy.simulations < medium.simulations < hard.simulations
    assert easy.seconds <= medium.seconds < 1 < hard.seconds


@pytest.mark.parametrize(
    ("labels", "best"),
    [
        (("d", "a", "d", "a", "d", "a"), "d"),  # four at once
        (("d", "a", "d", "a", "g", "a"), "a"),  # or the other has four
        (("d", "a", "d", "a", "d"), "d"),
    ],
)
def test_it_wins_and_does_not_lose_where_that_is_near(labels, best):
    match = at("connect_four", *labels)

    for seed in range(3):
        assert match.decision.labels[SearchBot(seed, Budget(300)).decide(match)] == best


def solved(position, player, known):
    """What the first player gets in noughts and crosses when both play on without a mistake."""
    key = tuple(sorted(position.items()))
    if key not in known:
        lines = ["a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 b2 c3", "a3 b2 c1"]
        won = next((position[line[:2]] for line in lines if len({position.get(c) for c in line.split()}) == 1
                    and line[:2] in position), None)  # fmt: skip
        free = [column + row for column in "abc" for row in "123" if column + row not in position]
        if won is not None or not free:
            known[key] = 0.5 if won is None else float(won == 0)
        else:
            after = [solved({**position, cell: player}, 1 - player, known) for cell in free]
            known[key] = min(after) if player else max(after)
    return known[key]


@pytest.mark.deep
def test_every_position_that_is_met_is_proved():
    """Those after three answers. Every tenth is tried; ``tools/bench/search.py`` tries all."""
    rules, known, cells = patolli.load("tic_tac_toe"), {}, [c + r for c in "abc" for r in "123"]
    for line in list(permutations(cells, 3))[::10]:
        match = rules.start(2, 1)
        for cell in line:
            match.choose(cell)
        bot = SearchBot(1, Budget(20_000))
        search = bot.search(match)
        search.run(20_000)
        outcome = solved({cell: number % 2 for number, cell in enumerate(line)}, 1, known)
        assert search.root.bounds == ((outcome, 1 - outcome),) * 2, line
        best = match.decision.labels[rank_options(search, match)[0]]
        after = {cell: number % 2 for number, cell in enumerate((*line, best))}
        assert solved(after, 0, known) == outcome


@pytest.mark.deep
@pytest.mark.parametrize(
    ("pack", "players", "modules"),
    [("tic_tac_toe", 2, ()), ("patolli", 2, ()), ("city_of_gods", 1, ("solo",))],
)
def test_same_seed_same_choices_also_with_a_kept_tree(pack, players, modules):
    rules = patolli.load(pack, modules)
    made = []
    for seed in (4, 4):
        match = rules.start(players, 2)
        bots = [make_bot("mcts:15", seed, seat) for seat in range(match.players)]
        for _ in range(8):
            if match.over:
                break
            match.pick(bots[match.decision.player].decide(match))
        made.append(match.choices[:])

    assert made[0] == made[1]


def test_tree_is_kept_between_decisions():
    match, bot = at("connect_four"), SearchBot(1, Budget(200))
    match.pick(bot.decide(match))
    kept = bot._search
    match.choose("d")
    again = bot.search(match)

    assert again is kept
    assert 0 < sum(ask.visits for ask in again.root.asks.values()) < 200
    match.undo()
    match.choose("a")
    match.choose("b")
    assert bot.search(match) is not kept or bot.search(match).game.seat == match.decision.player


def test_tree_is_not_kept_for_another_match():
    first, other, bot = at("connect_four"), at("connect_four", "a"), SearchBot(1, Budget(50))
    bot.decide(first)

    assert not bot.search(other).root.asks


@pytest.mark.deep
def test_tree_of_a_seat_in_the_dark_is_kept_within_its_turn():
    match, bot = at("city_of_gods"), SearchBot(1, Budget(60))
    seat = match.decision.player
    match.pick(bot.decide(match))
    assert match.decision.player == seat

    kept = bot._search
    assert bot.search(match) is kept
    assert sum(ask.visits for ask in kept.root.asks.values()) > 0


@pytest.mark.deep
@pytest.mark.parametrize("pack", ["connect_four", "city_of_gods"])
def test_time_is_kept(pack):
    match = at(pack)
    match.determinize(0, 1)  # the first one of a match follows its choices
    SearchBot(1, Budget(0, 0.2)).decide(match)  # translates the program, which takes longer
    for budget, least, most in ((0.05, 0.04, 0.25), (0.2, 0.19, 0.4)):
        bot = SearchBot(1, Budget(0, budget))
        began = perf_counter()
        bot.decide(match)
        assert least < perf_counter() - began < within(most)


@pytest.mark.deep
def test_value_of_ones_own_takes_the_place_of_the_packs():
    match = at("city_of_gods")
    asked = []

    def value(world):
        asked.append(world)
        return [0.9, 0.1]

    SearchBot(1, Budget(30), value=value).decide(match)

    assert len(asked) == 30


def test_playouts_are_cut_off_where_the_pack_has_a_value(monkeypatch):
    ends = []
    outcome = Worth.outcome
    monkeypatch.setattr(Worth, "outcome", lambda self, world: (ends.append(1), outcome(self, world))[1])
    SearchBot(1, Budget(30), engine="python").decide(at("city_of_gods"))
    assert not ends

    SearchBot(1, Budget(30), engine="python").decide(at("breakthrough"))
    assert ends


def test_looking_at_a_question_leaves_what_is_kept_up_as_it_is():
    """Code that asks for the state may change it, so what is kept up of it was found again for every answer."""
    game = Matches(at("tic_tac_toe"))
    world = game.world(Random(1))
    game.pick(world, 4)
    kept = [index for index in world.program.indexes if index[OF] is not None]
    assert kept

    asked = game.open_question(world)

    assert asked.seat == 1
    assert all(index[OF] is not None for index in kept)
    assert world.state[FRAMES][-1] is world.frame
    assert all(index[OF] is None for index in kept)


def test_what_a_result_is_worth():
    match = at("tic_tac_toe", "b2", "a1", "b1", "a2", "b3")
    assert match.over
    game = Matches(at("tic_tac_toe"))
    assert tuple(game.outcome(match)) == (1.0, 0.0)
    assert game.payoff(match, (1.0, 0.0))[0] > game.payoff(match, (1.0, 0.0))[1]
    assert game.certain
    assert not game.hides
    assert Matches(at("city_of_gods")).hides
    assert not Matches(at("patolli")).certain  # it has dice


@pytest.mark.deep
def test_search_beats_chance_and_greedy_in_a_small_game():
    rules, won = patolli.load("breakthrough"), 0
    for seed in range(4):
        bots = ["greedy", partial(SearchBot, budget=Budget(60))][:: 1 if seed % 2 else -1]
        won += (1 if seed % 2 else 0) in patolli.playout(rules, 2, seed, bots).winners

    assert won == 4


def test_advice():
    match = at("connect_four", "d", "a", "d", "a", "d", "b")
    told = match.advice(patolli.adviser("mcts:300", 1))

    assert told.seat == 0
    assert sorted(one.index for one in told.options) == list(range(7))
    assert (told.best.label, told.best.proved, told.best.line) == ("d", "win", ("column d",))
    assert str(told).splitlines()[1].split() == [str(told.best.visits), "win", "column", "d"]
    assert match.advice(patolli.adviser("mcts:300", 1)) == told
    assert len(match.choices) == 6


def test_advice_says_what_is_likely_to_follow():
    match = at("connect_four")
    told = match.advice(patolli.adviser("mcts:400"))

    assert told.best.line[0] == told.best.words
    assert told.best.line[1].startswith("player 2: column ")
    assert 0 < told.best.value < 1
    assert told.simulations == 400 == sum(one.visits for one in told.options)


def test_advice_knows_no_more_than_its_seat():
    match = at("city_of_gods", seed=7)
    seat, told = match.decision.player, match.advice(patolli.adviser("mcts:40"))
    for seed in range(3):
        other = twin(match, seat, Random(seed))
        other.pending = match.pending
        assert other.state != match.state
        assert other.advice(patolli.adviser("mcts:40")) == told


def test_who_gives_no_advice_is_reported():
    match = at("connect_four")
    with pytest.raises(ValueError, match="'greedy' gives no advice"):
        patolli.adviser("greedy")
    with pytest.raises(TypeError, match=r"given by patolli\.adviser"):
        match.advice("mcts:300")
    over = at("tic_tac_toe", "b2", "a1", "b1", "a2", "b3")
    with pytest.raises(ValueError, match="the match is over"):
        over.advice(patolli.adviser("mcts:10"))


def test_rules_that_fail_in_a_world_fail_no_bot(monkeypatch):
    match, bot = at("patolli"), SearchBot(1, Budget(40))
    tried = []
    pick = patolli.Match.pick

    def broken(self, index):
        tried.append(1)
        if len(tried) % 3 == 0:
            raise BotError("x", 0, "planted", [])
        pick(self, index)

    monkeypatch.setattr(patolli.Match, "pick", broken)

    assert 0 <= bot.decide(match) < len(match.pending)
    assert bot._search.simulations == 40


@pytest.mark.parametrize("budget", ["60x2", "60x3"])
def test_processes_add_up_and_are_bit_equal(budget):
    match = at("connect_four", "d", "d", "c")
    bots = [make_bot(f"mcts:{budget}", 5, 1) for _ in range(2)]
    one, two = (bot.decide(match) for bot in bots)
    (its, *others) = map(search_task, bots[0]._helpers._asked.values())

    assert one == two
    assert len(others) == int(budget[-1]) - 2
    assert sum(visits for visits, _ in its) == 60
    alone = make_bot("mcts:60", 5, 1)
    alone.decide(match)
    assert [visits for visits, _ in its] != [node.visits for node in alone._search.root_question(match).nodes]


@pytest.mark.deep
@pytest.mark.parametrize("budget", ["200ms", "200msx2"])
def test_the_clock_of_the_first_decision_runs_when_all_is_there(budget, monkeypatch):
    """What is compiled and started for the first one would leave it no time to think."""
    begun, match = [], at("connect_four")
    monkeypatch.setattr(Search, "__init__", slow(Search.__init__, begun))
    bot = make_bot(f"mcts:{budget}", 1, 0)
    bot._engines._possible = False
    bot.decide(match)

    assert bot._search.simulations > 1


def slow(begin, begun):
    """Take long for the first search of a bot."""

    def init(self, *more):
        sleep(0 if begun else 0.5)
        begun.append(self)
        begin(self, *more)

    return init


def asked(match, seconds=0.0):
    helpers = Helpers(2)
    helpers.ask(Task(match, 5, 60, seconds, None))
    return helpers


def test_helpers_find_the_same_in_a_process_that_may_have_no_others(monkeypatch):
    match = at("connect_four", "d", "d", "c")
    beside = asked(match).answers()
    monkeypatch.setattr("patolli.play.players.search.helpers._alone", lambda: True)

    assert asked(match).answers() == beside


@pytest.mark.deep
def test_helpers_find_the_same_where_processes_begin_again(monkeypatch):
    match = at("connect_four", "d", "d", "c")
    forked = asked(match).answers()
    monkeypatch.setattr("patolli.play.players.search.helpers.get_context", lambda: multiprocessing.get_context("spawn"))

    assert asked(match).answers() == forked


def test_a_helper_that_is_ended_from_outside_costs_nothing():
    match = at("connect_four", "d", "d", "c")
    helpers = asked(match)
    whole = helpers.answers()
    helpers._children[0].process.kill()
    helpers._children[0].process.join()
    helpers.ask(Task(match, 5, 60, 0.0, None))

    assert helpers.answers() == whole


@pytest.mark.deep
def test_late_helpers_are_not_waited_for_and_end_when_they_are_not_needed():
    helpers, task = Helpers(2), Task(at("connect_four"), 5, 1 << 40, 60.0, None)
    helpers.ask(task)
    processes = [child.process for child in helpers._children]

    assert helpers.answers() == []
    helpers.ask(task)
    assert not helpers._asked
    assert helpers.answers() == []
    del helpers
    gc.collect()
    assert not any(process.is_alive() for process in processes)


def test_a_turn_of_a_player_alone_ends_when_the_rules_call_upon_it_again(monkeypatch):
    """No other player is asked there, so a simulation would go on to the end of the match, and at random."""
    match = patolli.load(str(DATA / "patience")).start(1, 1)
    for rounds in range(3):
        monkeypatch.setattr(tree_search, "ALONE", rounds)
        search, ends = Search(Matches(match), 1), []
        search.scoring, search.game.score = True, lambda end, ends=ends: ends.append(len(end.choices)) or 0
        search.run(20)

        assert set(ends) == {2 + 2 * rounds}  # two questions in a turn


@pytest.mark.deep
@pytest.mark.parametrize(
    ("modules", "players", "turns"),
    [pytest.param([], 2, 3, id="two players"), pytest.param(["solo"], 1, 5, id="one, and a seat played by rules")],
)
def test_who_decides_alone_looks_two_rounds_ahead(modules, players, turns):
    match = patolli.load("city_of_gods", modules=modules).start(players, 1)
    search, begun = Search(Matches(match), 1), []
    ended = search._begin_turn
    search._begin_turn = lambda position, way, seat: begun.append(way) or ended(position, way, seat)
    search.run(5)

    assert {way.turns for way in begun} == {turns + 1}  # it is cut off where the turn after them begins
