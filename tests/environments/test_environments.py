"""PettingZoo, Gymnasium and OpenSpiel, by their own tests and by what this program promises."""

from __future__ import annotations

import pickle
import subprocess
import sys
from random import Random
from typing import ClassVar

import environment_checks
import numpy as np
import pytest
from tiers import few

import stepping
from patolli import environments, playout
from patolli.author.workspace import load
from patolli.language.packs.discovery import list_bundled
from patolli.measure.environments.actions import Actions
from patolli.measure.environments.table import answered_alone
from patolli.observations import Observations
from patolli.play.players import Bot

FEW = [("tic_tac_toe", 2), ("leduc_poker", 2), ("curios", 4), ("high_water", 3), ("pig", 3)]


def played(env, seed, draw, steps=10_000):
    """Play a match at random; return the agents in their order, and what each was given at last."""
    order, given = [], dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter(steps):
        _, reward, ended, cut, info = env.last()
        given[agent] += reward
        if ended or cut:
            env.step(None)
            continue
        order.append(agent)
        env.step(draw.choice(np.flatnonzero(info["action_mask"]).tolist()))
    return order, given


@pytest.mark.parametrize(("name", "players"), FEW)
def test_pettingzoo_is_content(name, players):
    environment_checks.aec(load(name), players, cycles=40)


@pytest.mark.parametrize(("name", "players"), few([*FEW, ("solo", 1)], 0, 3))
def test_gymnasium_is_content(name, players):
    rules = load("city_of_gods", modules=["solo"]) if name == "solo" else load(name)
    environment_checks.gym(rules, players)


@pytest.mark.parametrize(("name", "players"), FEW)
def test_open_spiel_is_content(name, players):
    pytest.importorskip("pyspiel")
    environment_checks.open_spiel(load(name), players)


# -- PettingZoo


def test_rewards_are_given_once_and_are_those_of_the_result():
    env = environments.aec("curios", players=3)
    for seed in range(3):
        _, given = played(env, seed, Random(seed))
        assert list(given.values()) == env.table.rewards()
        assert any(given.values())


def test_the_same_seed_is_the_same_match():
    one, two = (environments.aec("patolli", players=3, seed=5) for _ in range(2))
    one.reset()
    two.reset()
    assert one.observe("player_2").tolist() == two.observe("player_2").tolist()
    assert one.table.match == two.table.match or one.table.match.digest() == two.table.match.digest()
    assert played(one, 7, Random(1)) == played(two, 7, Random(1))
    assert played(one, 7, Random(1)) != played(two, 8, Random(1))


def test_masks_may_stand_in_observations():
    env = environments.aec("tic_tac_toe", masks="observation")
    env.reset(seed=1)
    assert env.observation_space("player_1").contains(env.observe("player_1"))
    assert env.observe("player_1")["action_mask"].sum() == 9
    assert env.observe("player_2")["action_mask"].sum() == 0


def test_simultaneous_answers_are_not_observed_by_others():
    env = environments.aec("goofspiel", players=3)
    seen = set()
    for action in range(3):
        env.reset(seed=3)
        legal = np.flatnonzero(env.infos[env.agent_selection]["action_mask"])
        env.step(int(legal[action]))
        assert env.agent_selection == "player_2"
        seen.add(env.observe("player_2").tobytes())

    assert len(seen) == 1


class Lone:
    """A match that asks for the only answer so many times."""

    def __init__(self, times):
        self.pending, self.left = [0], times

    def pick(self, index):
        self.left -= 1
        self.pending = [0] if self.left else [0, 1]


def test_the_only_answer_is_no_step():
    assert answered_alone(Lone(3)).pending == [0, 1]
    assert answered_alone(Lone(9), most=4).left == 5


def test_matches_are_broken_off():
    env = environments.aec("pig", players=2, limit=5)
    order, given = played(env, 1, Random(1))

    assert len(order) == 5
    assert set(given.values()) == {0.0}


def test_an_action_that_is_not_there_loses_or_raises():
    env = environments.aec("tic_tac_toe")
    env.reset(seed=1)
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_1": 0.0, "player_2": -1.0}
    assert all(env.terminations.values())

    env = environments.aec("tic_tac_toe", illegal="raise")
    env.reset(seed=1)
    env.step(4)
    with pytest.raises(ValueError, match="is illegal now"):
        env.step(4)


@pytest.mark.deep
def test_seats_that_rules_play_are_no_agents():
    env = environments.aec("city_of_gods", modules=["solo"])

    assert env.possible_agents == ["player_1"]
    assert env.table.match.players == 2


# -- Gymnasium


class First(Bot):
    """Takes what stands first."""

    def choose(self, turn):
        assert turn.seat != 1
        return 0


def test_bots_sit_on_the_other_seats():
    env = environments.gym("curios", seat=1, bots=[First, "greedy"], players=3)
    _, info = env.reset(seed=1)
    for _ in range(200):
        assert env.table.seat == 1
        _, reward, over, _, info = env.step(int(np.flatnonzero(info["action_mask"])[0]))
        if over:
            assert reward == env.table.rewards()[1]
            break
    assert over


class Numbered(Bot):
    """Decides from numbers, as one with a network does."""

    rules = load("leduc_poker")
    observations, actions = Observations(rules), Actions(rules)
    all_ = Observations(rules, masked=False)
    seen: ClassVar[list] = []

    def choose(self, turn):
        mask = self.actions.mask(turn)
        assert mask.sum() == len(turn.options)
        self.seen.append((turn.seat, self.observations.features(turn)))
        with pytest.raises(ValueError, match="a bot may observe only what its own seat sees"):
            self.observations.flat(turn, 1 - turn.seat)
        with pytest.raises(ValueError, match="show everything"):
            self.all_.flat(turn)
        return self.actions.option(turn, int(np.flatnonzero(mask)[-1]))


def test_a_bot_may_decide_from_numbers():
    match = playout(Numbered.rules, 2, 3, Numbered)
    again = Numbered.rules.start(2, 3)
    for choice, (seat, features) in zip(match.choices, Numbered.seen, strict=True):
        assert Numbered.observations.features(again, seat).tolist() == features.tolist()
        again.pick(choice)

    assert match.over
    with pytest.raises(ValueError, match="to observe a match, give a seat"):
        Numbered.observations.flat(match)


def test_any_seat_may_be_drawn():
    env = environments.gym("tic_tac_toe", seat=None)
    seats = {env.reset(seed=seed)[1]["seat"] for seed in range(12)}

    assert seats == {0, 1}


def test_what_makes_no_sense_is_said():
    with pytest.raises(ValueError, match="there is no seat 2; seats are numbers from 0 to 1, or None"):
        environments.gym("tic_tac_toe", seat=2)
    with pytest.raises(ValueError, match="2 bots for 1 other seats"):
        environments.gym("tic_tac_toe", bots=["random", "random"])
    with pytest.raises(ValueError, match="unknown render mode 'rgb_array'"):
        environments.aec("tic_tac_toe", render_mode="rgb_array")
    with pytest.raises(ValueError, match="unknown encoding 'pixels'; use one of features, numbers"):
        environments.aec("tic_tac_toe", encoding="pixels")
    with pytest.raises(ValueError, match="is for 2 players, not 5"):
        environments.aec("tic_tac_toe", players=5)
    with pytest.raises(ValueError, match="a loaded ruleset already has modules and options"):
        environments.aec(load("tic_tac_toe"), modules=["draft"])
    with pytest.raises(ValueError, match="masks must be 'info' or 'observation'"):
        environments.aec("tic_tac_toe", masks="everywhere")
    with pytest.raises(ValueError, match="must be 'lose' or 'raise'"):
        environments.aec("tic_tac_toe", illegal="skip")


def begun(door, **more):
    env = door("tic_tac_toe", **more)
    env.reset(seed=1)
    return env


DOORS = {"aec": environments.aec, "gym": environments.gym}
WRONG = [
    ("modules=", TypeError, "modules come as a list"),
    ("limit=0", ValueError, "the limit of steps must be at least 1, not 0"),
    ("limit=-1", ValueError, "the limit of steps must be at least 1, not -1"),
    ("limit='5'", TypeError, "the limit of steps is a whole number, not '5'"),
    ("limit=None", TypeError, "the limit of steps is a whole number, not None"),
    ("limit=True", TypeError, "the limit of steps is a whole number, not True"),
    ("players='2'", TypeError, "whole number, not '2'"),
]


@pytest.mark.parametrize("door", ["aec", "gym", "open_spiel"])
@pytest.mark.parametrize(("given", "kind", "said"), WRONG)
def test_what_is_of_another_type_is_refused_at_the_door(door, given, kind, said):
    if door == "open_spiel":
        pytest.importorskip("pyspiel")
    name, _, value = given.partition("=")
    pack = "city_of_gods" if name == "modules" else "tic_tac_toe"
    with pytest.raises(kind, match=said):
        getattr(environments, door)(pack, **{name: eval(value) if value else "solo"})


@pytest.mark.parametrize("door", ["aec", "gym"])
@pytest.mark.parametrize("action", [1.5, 4.0, "4", True, None, np.float32(4), np.bool_(True), [4]])
def test_actions_are_whole_numbers(door, action):
    env = begun(DOORS[door])
    before = list(env.table.match.choices)

    with pytest.raises(TypeError, match=r"an action is a whole number, not|integer"):
        env.step(action)
    assert env.table.match.choices == before
    env.step(np.int64(np.flatnonzero(env.table.mask())[0]))
    assert len(env.table.match.choices) > len(before)


@pytest.mark.parametrize("door", ["aec", "gym"])
def test_there_is_no_step_without_a_match(door):
    env = DOORS[door]("tic_tac_toe")
    with pytest.raises(ValueError, match=r"there is no match yet; reset\(\) begins one"):
        env.step(0)


def test_a_match_before_the_first_is_named():
    env = environments.aec("tic_tac_toe")

    with pytest.raises(AttributeError, match=r"'agent_selection': there is no match yet; reset\(\) begins one"):
        env.last()
    with pytest.raises(AttributeError, match="there is no attribute 'agnts'"):
        env.agnts  # noqa: B018


@pytest.mark.parametrize(("limit", "actions"), [(1, 0), (9, 9), (10_000, 99)])
def test_there_is_no_step_after_the_end(limit, actions):
    """Whether it was broken off, lost by an action that cannot be taken, or played to its end."""
    env = begun(environments.gym, limit=limit)
    over = cut = False
    while not over and not cut:
        number = actions if actions == 99 else int(np.flatnonzero(env.action_masks())[0])
        _, _, over, cut, _ = env.step(number)
    before = list(env.table.match.choices)

    for action in (0, 8):
        with pytest.raises(ValueError, match=r"the match is over; reset\(\) begins another one"):
            env.step(action)
    assert env.table.match.choices == before
    env = begun(environments.aec)
    env.step(0)
    env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(ValueError, match=r"the match is over; reset\(\) begins another one"):
        env.step(0)


@pytest.mark.parametrize("door", ["aec", "gym"])
def test_seeds_of_environments_begin_with_0(door):
    env = DOORS[door]("tic_tac_toe")
    with pytest.raises(ValueError, match="the seed of an environment must be at least 0, not -3"):
        env.reset(seed=-3)
    with pytest.raises(TypeError, match=r"a seed is a whole number, not 1\.5"):
        env.reset(seed=1.5)
    with pytest.raises(ValueError, match="at least 0, not -1"):
        environments.aec("tic_tac_toe", seed=-1)


@pytest.mark.parametrize("bots", ["learned:nofile", ["mcts:5/learned:nofile"]])
def test_bots_that_lack_something_are_refused_at_the_door(bots):
    with pytest.raises(ValueError, match="no such file: nofile"):
        environments.gym("tic_tac_toe", bots=bots)


@pytest.mark.deep
def test_matches_of_something_else_are_refused():
    rules, other = load("goofspiel"), load("tic_tac_toe")
    two, four = rules.start(2, 1), rules.start(4, 1)
    again = load("goofspiel").start(2, 1)
    for made, seat in ((Actions(rules, 2).mask, ()), (Observations(rules, 2).flat, (0,))):
        with pytest.raises(ValueError, match=r"a match of Goofspiel with 2 seats, not of Goofspiel with 4"):
            made(four, *seat)
        with pytest.raises(ValueError, match=r"not of Tic-tac-toe with 2"):
            made(other.start(2, 1), *seat)
        with pytest.raises(TypeError, match="give a match or the turn of a bot, not 'x'"):
            made("x", *seat)
        assert made(again, *seat).tolist() == made(two, *seat).tolist()
    with pytest.raises(ValueError, match="the match has different content, modules, or options of Teotihuacan"):
        Actions(load("city_of_gods")).mask(load("city_of_gods", modules=["draft"]).start(2, 1))
    for made in (Actions, Observations):
        with pytest.raises(TypeError, match=r"what is played is a Ruleset that load\(\) gave, not 'leduc_poker'"):
            made("leduc_poker")


# -- OpenSpiel


def test_a_copy_does_not_know_what_chance_will_bring():
    pyspiel = pytest.importorskip("pyspiel")
    game = environments.open_spiel("pig", outcomes=6)
    state = game.new_initial_state()
    roll = next(one for one in state.legal_actions() if "roll" in state.action_to_string(one))
    state.apply_action(roll)
    assert state.is_chance_node()
    after = set()
    for outcome, likely in state.chance_outcomes():
        assert likely == pytest.approx(1 / 6)
        copy = state.clone()
        copy.apply_action(outcome)
        after.add(str(copy))

    assert len(after) > 1
    assert pyspiel.load_game(game.get_type().short_name).num_distinct_actions() == game.num_distinct_actions()


def test_utilities_are_declared():
    pyspiel = pytest.importorskip("pyspiel")
    kinds = pyspiel.GameType
    poker, alone = environments.open_spiel("leduc_poker"), environments.open_spiel("high_water")

    assert poker.get_type().utility == kinds.Utility.ZERO_SUM
    for name in ("hex", "chess"):
        one = environments.open_spiel(name)
        assert (one.get_type().utility, one.utility_sum()) == (kinds.Utility.ZERO_SUM, 0)
    assert poker.get_type().information == kinds.Information.IMPERFECT_INFORMATION
    assert poker.get_type().chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC
    assert alone.get_type().utility == kinds.Utility.GENERAL_SUM
    assert environments.open_spiel("tic_tac_toe").get_type().chance_mode == kinds.ChanceMode.DETERMINISTIC
    with pytest.raises(ValueError, match="a bound for rewards"):
        environments.open_spiel("curios", reward="margin")


@pytest.mark.parametrize(("name", "outcomes"), [("tic_tac_toe", 0), ("leduc_poker", 4), ("curios", 3)])
def test_a_state_can_be_written_and_read(name, outcomes, monkeypatch):
    pyspiel = pytest.importorskip("pyspiel")
    game, draw = environments.open_spiel(name, outcomes=outcomes), Random(1)
    state = game.new_initial_state()
    for _ in range(3):
        state.apply_action(draw.choice(state.legal_actions()))
    _, read = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    kept = pickle.dumps(state)

    for one in (read, pickle.loads(kept), game.deserialize_state(state.serialize())):
        assert (str(one), one.history()) == (str(state), state.history())
        action = state.legal_actions()[0]
        one.apply_action(action)
        assert str(one) == str(state.child(action))
    monkeypatch.setattr(spiel_games(), "_GAMES", {})
    with pytest.raises(ValueError, match=r"create it with patolli.measure.environments.open_spiel\(\)"):
        pickle.loads(kept)


def test_a_state_of_a_game_whose_chance_is_sampled_can_be_written():
    pytest.importorskip("pyspiel")
    game = environments.open_spiel("leduc_poker")
    state = game.new_initial_state()
    state.apply_action(0)

    assert str(game.deserialize_state(state.serialize())) == str(state)


def spiel_games():
    """The module behind what the door gives: it is not imported where OpenSpiel is not there."""
    from patolli.measure.environments import spiel

    return spiel


def test_mcts_of_open_spiel_plays_a_pack():
    pytest.importorskip("pyspiel")
    from open_spiel.python.algorithms import mcts

    game = environments.open_spiel("tic_tac_toe")
    bot = mcts.MCTSBot(game, 1.4, 60, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), solve=True,
                       random_state=np.random.RandomState(1))  # fmt: skip
    state = game.new_initial_state()
    for label in ("a1", "b1", "a2", "c3"):  # a3 wins
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a).endswith(label)))

    assert state.action_to_string(bot.step(state)).endswith("a3")


# -- what it stands on


def test_speed_is_measured_by_a_tool():
    found = stepping.measured(stepping.programs("tic_tac_toe"), 1, 0.01)

    assert {"match", "PettingZoo", "Gymnasium"} <= set(found)
    assert all(rate > 100 for rate in found.values())


def test_a_package_that_is_not_there_is_named():
    program = (
        "import sys; sys.modules['pettingzoo'] = None\n"
        "from patolli import environments\n"
        "try: environments.aec('tic_tac_toe')\n"
        "except environments.Missing as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert "PettingZoo is not installed" in done.stdout
    assert "pip install 'patolli[environments]'" in done.stdout


def test_nothing_is_imported_before_it_is_used():
    program = "import sys; import patolli.measure.environments; print(*{'numpy', 'pettingzoo', 'gymnasium'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == ""
    assert list_bundled()
