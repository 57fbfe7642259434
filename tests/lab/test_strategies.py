"""Bots that do without a strategy do so, and what that costs them is reported."""

from __future__ import annotations

import json
import pickle

import pytest
from click.testing import CliRunner
from tiers import few

from patolli import load
from patolli.cli.main import main
from patolli.measure.lab.option_numbers import OptionNames, Vocabulary
from patolli.measure.lab.strategies import stages
from patolli.measure.simulation import playout
from patolli.play.players import kind_of
from patolli.play.players.option_names import action_name, heads, option_name
from patolli.play.players.strategies import Fence, names_of

PACK = "content/gallery/pig"


@pytest.fixture(scope="module")
def pig():
    return load(PACK)


@pytest.fixture(scope="module")
def skerry():
    return load("content/gallery/skerry")


def taken(rules, bots, seat, seed=1):
    """Return the names of the options that a seat took, each with how many were offered."""
    found, names = [], {}

    def look(match, index):
        number, who = match.state[0][-1][:2]
        if who == seat and not match.extra:
            table = names.setdefault(number, OptionNames(match.labels, match.program.questions[number], Vocabulary()))
            offered = {table.name(value) for value in match.pending}
            found.append((table.name(match.pending[index]), offered))

    playout(rules, 2, seed, bots, look=look)
    return found


@pytest.mark.parametrize("bot", ["random", "greedy", "mcts:8"])
def test_bot_does_without_a_line_of_a_menu(pig, bot):
    free = taken(pig, [bot, "random"], 0)
    bound = taken(pig, [f"{bot} without stop", "random"], 0)

    assert any(name.endswith(" stop") for name, _ in free)
    assert not [name for name, offered in bound if name.endswith(" stop") and len(offered) > 1]


@pytest.mark.parametrize("bot", ["greedy", "mcts:20"])
def test_bot_does_without_where_something_is_hidden(bot):
    rules = load("content/gallery/leduc_poker")
    bound = [one for seed in range(6) for one in taken(rules, [f"{bot} without raise", "random"], 0, seed)]

    assert any("bets: raise" in offered for _, offered in bound)
    assert "bets: raise" not in {name for name, _ in bound}


@pytest.mark.parametrize("name", ["keep", "turn: stop", "st*", "turn: stop or keep"])
def test_strategy_is_named_in_several_ways(pig, name):
    bound = taken(pig, [f"random without {name}", "random"], 0)

    assert bound
    assert not any(taken.endswith(" stop") for taken, _ in bound)


@pytest.mark.parametrize("bot", ["random", "greedy", "mcts:4"])
def test_what_is_offered_alone_is_taken(pig, bot):
    """Without both lines of the only menu all are left."""
    names = {name for name, _ in taken(pig, [f"{bot} without roll or stop", "random"], 0)}

    assert any(name.endswith(" roll") for name in names)


def test_pieces_are_names(skerry):
    names = set(names_of(skerry, 2))
    pieces = {one.id for kind in skerry.model.kinds.values() for one in kind.designs}
    named = sorted(names & pieces)
    assert named
    free = [name for seed in range(3) for name, _ in taken(skerry, "random", 0, seed)]
    piece = next(one for one in named if any(one in name.split() for name in free))
    bound = [one for seed in range(3) for one in taken(skerry, [f"random without {piece}", "random"], 0, seed)]

    assert not [
        name for name, offered in bound if piece in name.split() and any(piece not in one.split() for one in offered)
    ]


@pytest.mark.parametrize(
    "pack",
    few(
        [PACK, *(f"content/gallery/{one}" for one in ("backgammon", "curios", "go", "promises", "skerry")), "founders"],
        1,
        2,
    ),
)
def test_names_of_reports_are_strategies(pack):
    """Who copies the name of an option from a report is understood, and the option is one of the strategy."""
    rules, asked = load(pack), {}

    def look(match, index):
        number, value = match.frame[0], match.pending[index]
        if index < len(match.pending) - match.extra:
            asked[option_name(match.labels, match.program.questions[number], value)] = match.clone(), index
        else:
            asked[action_name(match.labels, value)] = match.clone(), index

    for seed in range(2):
        playout(rules, rules.players[0], seed, "random", look=look)
    for name, (match, index) in asked.items():
        fence = Fence((name,))
        fence.check(rules, match.players)
        left = fence.list_allowed(match)
        assert index not in left or len(left) == len(match.pending)
    assert len(asked) > 1


def test_name_of_a_report_with_another_piece_is_reported(skerry):
    whole = next(one for one in heads(skerry.labels(skerry.program(2)), skerry.program(2).questions.values()) if one[1])
    head, words = whole
    Fence((f"{head} {min(words)}",)).check(skerry, 2)
    with pytest.raises(ValueError, match="matches"):
        Fence((f"{head} nobody_is_called_so",)).check(skerry, 2)


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        pytest.param("greedy without ", "there is no bot", id="nothing, and no blank at the end"),
        pytest.param("greedy without  or stop", "after 'without' in 'greedy'", id="a name is missing"),
        pytest.param("greddy without stop", "did you mean 'greedy'", id="no such bot"),
        pytest.param("patolli.play.players.search.matches:Matches without stop", "is not a kind of bot", id="no bot"),
    ],
)
def test_wrong_kind_is_reported(bot, words):
    with pytest.raises((ValueError, TypeError), match=words):
        kind_of(bot.rstrip() if bot.endswith("without ") else bot)


def test_kind_travels_between_processes(pig):
    kind = kind_of("greedy without stop")
    again = pickle.loads(pickle.dumps(kind))

    assert playout(pig, 2, 5, [again, "random"]).digest() == playout(pig, 2, 5, [kind, "random"]).digest()


def call(*words):
    return CliRunner().invoke(main, ["lab", *map(str, words)])


def test_worth_is_reported_with_intervals(tmp_path):
    words = ("worth", PACK, "--without", "stop", "--without", "pot*", "--games", 60, "--jobs", 1, "--set", "goal=40")
    wrong = call(*words, "--out", tmp_path / "wrong")
    words = ("worth", PACK, "--without", "stop", "--games", 120, "--jobs", 1, "--set", "goal=40", "--bot", "random")
    told = call(*words, "--out", tmp_path / "out")
    data = json.loads(call(*words, "--out", tmp_path / "out", "--format", "json").stdout)

    assert wrong.exit_code == 2
    assert "matches 'pot*'" in " ".join(wrong.stderr.split())
    assert told.exit_code == 0, told.output
    assert "percentage points with it (" in told.stdout
    assert data[0]["wins"]["always_high"] < 0  # who stops at random stops too early
    assert data[0]["pairs"] == 240
    match = call("match", tmp_path / "out" / "without_1" / "seat_1", 3)
    assert match.exit_code == 0, match.output


def test_a_sure_strategy_is_played_no_longer(tmp_path):
    """The intervals are valid at any time; an unclear pair is played on to the end."""
    words = ("worth", PACK, "--without", "stop", "--without", "roll", "--games", 150, "--jobs", 1, "--set", "goal=40")
    words += ("--bot", "random", "--sure", "--out", tmp_path / "out", "--format", "json")
    told = call(*words)
    data = json.loads(told.stdout)
    again = call(*words)

    assert all(one["wins"]["sure"] or one["pairs"] == 300 for one in data), told.output
    assert min(one["pairs"] for one in data) < 300
    assert again.stdout == told.stdout


def test_stages_double_up_to_all_games():
    assert stages(40) == [40]
    assert stages(60) == [60]
    assert stages(300) == [60, 120, 240, 300]


def test_nothing_but_a_star_stands_for_anything(pig):
    kind_of("random without st*").make.check(pig, 2)
    with pytest.raises(ValueError, match="matches"):
        kind_of("random without sto?").make.check(pig, 2)


def test_strategy_that_changes_nothing_leaves_all_pairs_the_same(tmp_path):
    """Who does without all lines of a menu takes any of them."""
    words = ("worth", "content/gallery/curios", "--without", "bid or pass", "--games", 40, "--jobs", 1)
    words += ("--bot", "random")
    data = json.loads(call(*words, "--out", tmp_path / "out", "--format", "json").stdout)

    assert (data[0]["pairs"], data[0]["same"]) == (120, 120)
    assert data[0]["wins"]["change"]["value"] == 0


USELESS = """document: rules
rules:
  match: |
    repeat 4 times:
      for p in players: as p: turn()
  turn(): |
    random luck in 1..3
    choose one:
      "earn": gain luck coin
      "save": gain luck gem
      "burn" when coin > 0: lose coin coin
result: {score: coin + gem}
"""
PURSES = {
    "pack": "document: pack\nid: purses\nversion: 1.0.0\nlanguage: 2\ntitle: Purses\nplayers: {min: 2, max: 2}\n",
    "model": "document: model\ncounters: {coin: {per: player, start: 1}, gem: {per: player}}\n",
    "rules": USELESS,
}


def test_pairs_stay_the_same_as_long_as_a_bot_never_wants_the_strategy(tmp_path):
    """A greedy bot never burns its coins, so it plays alike with and without that option, whatever it draws."""
    folder = tmp_path / "purses"
    folder.mkdir()
    for name, text in PURSES.items():
        (folder / f"{name}.yaml").write_text(text)
    words = ("worth", folder, "--games", 30, "--jobs", 1, "--format", "json", "--without", "burn", "--without", "save")
    burn, save = json.loads(call(*words, "--out", tmp_path / "out").stdout)

    assert (burn["pairs"], burn["same"]) == (60, 60)
    assert save["same"] < 30
    random = json.loads(call(*words, "--bot", "random", "--out", tmp_path / "random").stdout)
    assert 0 < random[0]["same"] < 60, "a match in which a random bot burns nothing stays the same"
