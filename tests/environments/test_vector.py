"""Vector environments: the same matches as single ones, by gymnasium's own vector environment, and bad input."""

from __future__ import annotations

import gc
import pickle
import sys
from copy import deepcopy
from threading import Thread
from typing import Any, ClassVar

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tiers import few

from patolli import environments
from patolli.author.workspace import load
from patolli.language.diagnostics.problem import ContentError
from patolli.language.packs.discovery import list_bundled
from patolli.measure.environments.actions import Unbounded
from patolli.measure.environments.batch import Stopped
from patolli.measure.environments.batch_engines import make_batch
from patolli.measure.environments.table import Table
from patolli.measure.environments.zoo import SEEDS
from patolli.run.native import batches
from patolli.run.native.driver import batch_steps

MODES = ("next_step", "same_step", "disabled")
ENGINES = ("native", "python")


class Single(gymnasium.Env[Any, Any]):
    """A single environment of the player who decides, which is what a vector environment has many of."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}

    def __init__(self, table, space):
        self.table, self.observation_space = table.copy_empty(), space
        self.action_space = spaces.Discrete(table.actions.size)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.table.begin(int(self.np_random.integers(SEEDS)))
        return self.look(self.table.seat), self.info(self.table.seat)

    def step(self, action):
        table, actor, legal = self.table, self.table.seat, int(action) in self.table.indices
        rewards = [0.0] * table.players
        if legal:
            table.take(int(action))
        ended, cut = not legal or table.over, legal and table.broken_off
        if not legal:
            rewards[actor] = -1.0
        elif table.over:
            rewards = table.rewards()
        seat = actor if ended or cut else table.seat
        return self.look(seat), rewards[actor], ended, cut, self.info(seat, rewards, ended or cut)

    def look(self, seat):
        return self.table.observe_seat(seat).astype(self.observation_space.dtype)

    def info(self, seat, rewards=(), over=False):
        mask = np.zeros(self.table.actions.size, dtype=np.int8) if over else self.table.mask()
        given = np.array(rewards or [0.0] * self.table.players, dtype=np.float32)
        return {"action_mask": mask, "seat": seat, "rewards": given}


def same(one, other):
    """See that two infos say the same, where both say something."""
    assert set(one) == set(other)
    for name, value in one.items():
        if name.startswith("_"):
            assert value.tolist() == other[name].tolist()
        elif isinstance(value, dict):
            same(value, other[name])
        else:
            for mine, its, known in zip(value, other[name], one[f"_{name}"], strict=True):
                assert not known or np.array_equal(mine, its), name


def play(name, players, mode, engine, *, encoding="features", steps=60, num_envs=3, illegal="lose", limit=10_000):
    """Play beside gymnasium's vector environment of single ones, with an illegal action now and then."""
    rules = name if not isinstance(name, str) else load(name)
    table = Table(rules, players, "rank", encoding, limit)
    ours = environments.vector(
        rules, num_envs, players, encoding=encoding, illegal=illegal, autoreset_mode=mode, engine=engine, limit=limit
    )
    space = ours.single_observation_space
    theirs = SyncVectorEnv([lambda: Single(table, space)] * num_envs, autoreset_mode=AutoresetMode[mode.upper()])
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    (seen, info), (expected, known) = ours.reset(seed=7), theirs.reset(seed=7)
    draw, ended = np.random.default_rng(1), np.zeros(num_envs, dtype=np.bool_)
    matches = 0
    for step in range(steps):
        assert np.array_equal(seen, expected)
        same(info, known)
        assert ours.observation_space.contains(seen)
        if mode == "disabled" and ended.any():
            (seen, info), (expected, known) = (
                one.reset(options={"reset_mask": ended.copy()}) for one in (ours, theirs)
            )
            ended[:] = False
            continue
        ours.batch.sample(draw)
        actions = ours.batch.actions.astype(np.int64)
        if step % 17 == 16:
            actions[step % num_envs] = ours.single_action_space.n - 1
        seen, reward, over, cut, info = ours.step(actions)
        expected, gain, end, broken, known = theirs.step(actions)
        assert (over.tolist(), cut.tolist()) == (end.tolist(), broken.tolist())
        assert np.allclose(reward, gain)
        ended = over | cut
        matches += int(ended.sum())
    return matches


@pytest.mark.parametrize("mode", few(MODES, 1))
def test_it_is_what_gymnasium_makes_of_single_environments(mode, subtests):
    for engine in ENGINES:
        for name, players in (("tic_tac_toe", 2), ("leduc_poker", 2)):
            with subtests.test(engine=engine, name=name):
                assert play(name, players, mode, engine) > 5


@pytest.mark.parametrize(("name", "players"), few([("curios", 4), ("city_of_gods", 2), ("founders", 3)], 0))
def test_games_with_secrets_and_chance_are_the_same(name, players):
    play(name, players, "same_step", "native", encoding="numbers", steps=80)


@pytest.mark.deep
def test_all_packs_are_the_same(subtests):
    engines = {}
    for name in list_bundled():
        try:
            rules = load(name)
            table = Table(rules, encoding="numbers")
        except (ContentError, Unbounded):  # a module, or a pack without numbered actions
            continue
        with subtests.test(name=name):
            engines[name] = make_batch(table, 1, "raise", "next_step", "auto").engine
            encoding = ("numbers", "features")[len(engines) % 2]
            play(name, None, "same_step", "auto", encoding=encoding, steps=30, limit=20)
    assert len(engines) > 20
    assert [name for name, engine in engines.items() if engine != "native"] == []


@pytest.mark.deep
@pytest.mark.parametrize(
    ("name", "num_envs"), [("tic_tac_toe", 50), ("connect_four", 50), ("leduc_poker", 50), ("curios", 20)]
)
def test_a_thousand_matches_are_those_of_pettingzoo(name, num_envs):
    envs = environments.vector(name, num_envs)
    single = [environments.aec(envs.batch.table.rules) for _ in range(num_envs)]
    seen, info = envs.reset(seed=11)
    for number, one in enumerate(single):
        one.reset(seed=11 + number)
    draw, matches = np.random.default_rng(2), 0
    while matches < 1000:
        envs.batch.sample(draw)
        actions, ended = envs.batch.actions.copy(), envs.batch.end_flags
        seen, _, over, _, info = envs.step(actions)
        for number, one in enumerate(single):
            if ended[number]:
                one.reset()
            else:
                one.step(int(actions[number]))
            if over[number]:
                assert np.allclose(info["rewards"][number], [one.rewards[agent] for agent in one.possible_agents])
                matches += 1
                continue
            agent = one.agent_selection
            assert agent == one.possible_agents[info["seat"][number]]
            assert np.array_equal(one.observe(agent), seen[number])
            assert np.array_equal(one.infos[agent]["action_mask"], info["action_mask"][number])


@pytest.mark.parametrize("reward", few(["rank", "win", "margin"], 0))
def test_rewards_are_those_of_single_environments(reward, subtests):
    for name, players in (("curios", 3), ("goofspiel", 2)):
        with subtests.test(name=name):
            table = Table(load(name), players, reward)
            one, two = (make_batch(table, 6, "raise", "same_step", engine) for engine in ENGINES)
            draw = np.random.default_rng(1)
            for batch in (one, two):
                batch.reset(3)
            for _ in range(60):
                one.sample(draw)
                two.actions[:] = one.actions
                one.step()
                two.step()
                assert np.array_equal(one.rewards, two.rewards)
                assert np.array_equal(one.reward, two.reward)


def test_gymnasium_wrappers_count_matches():
    envs = RecordEpisodeStatistics(environments.vector("tic_tac_toe", 4, autoreset_mode="same_step"))
    envs.reset(seed=1)
    lengths = []
    draw = np.random.default_rng(1)
    for _ in range(40):
        envs.unwrapped.batch.sample(draw)
        *_, info = envs.step(envs.unwrapped.batch.actions.copy())
        if "episode" in info:
            lengths += info["episode"]["l"][info["_episode"]].tolist()
    assert len(lengths) > 10
    assert all(5 <= length <= 9 for length in lengths)


def test_seeds_are_those_of_each_environment():
    first = environments.vector("pig", 3)
    other = environments.vector("pig", 3)
    for seeds, alike in (([4, 4, 5], [0, 1]), (4, [])):
        seen, _ = first.reset(seed=seeds)
        again, _ = other.reset(seed=seeds)
        assert np.array_equal(seen, again)
        for one in alike:
            assert np.array_equal(seen[0], seen[one])
    draw = np.random.default_rng(1)
    for _ in range(30):
        first.batch.sample(draw)
        results = [one.step(first.batch.actions.copy())[0] for one in (first, other)]
        assert np.array_equal(*results)


# -- the raw form


def test_arrays_are_written_in_place():
    batch = environments.vector("connect_four", 8).batch
    batch.reset(1)
    arrays = batch.observations, batch.masks, batch.legal
    places = [one.ctypes.data for one in arrays]
    draw = np.random.default_rng(1)
    for _ in range(300):
        batch.sample(draw)
        batch.step()
        for number in range(8):
            legal = batch.legal[number, : batch.counts[number]]
            assert sorted(legal.tolist()) == np.flatnonzero(batch.masks[number]).tolist()
    assert [one.ctypes.data for one in (batch.observations, batch.masks, batch.legal)] == places
    assert batch.observations.dtype == np.int8


def test_arrays_stay_where_they_are_when_the_memory_grows():
    batch = environments.vector("connect_four", 40).batch
    batch.reset(1)
    before, size = batch.observations.ctypes.data, batch._machine._memory.data_len(batch._machine._store)
    batch._machine._memory.grow(batch._machine._store, 4096)
    draw = np.random.default_rng(1)
    for _ in range(20):
        batch.sample(draw)
        batch.step()
    assert batch._machine._memory.data_len(batch._machine._store) >= size + (4096 << 16)
    assert batch.observations.ctypes.data == before
    assert batch.observations.any()


def test_memory_that_moves_stops_a_batch(monkeypatch):
    batch = environments.vector("tic_tac_toe", 2).batch
    batch.reset(1)
    monkeypatch.setattr(batch._machine, "_find_memory", lambda: 8)
    for _ in range(2):
        with pytest.raises(batches.Halted, match="make a new one"):
            batch.step()


def test_what_is_copied_is_the_callers_own():
    for copied in (True, False):
        envs = environments.vector("tic_tac_toe", 2, copy=copied)
        seen, info = envs.reset(seed=1)
        before = seen.copy()
        mask = info["action_mask"].copy()
        envs.step([0, 1])
        assert np.array_equal(seen, before) == copied
        assert np.array_equal(info["action_mask"], mask) == copied


def test_the_public_call_of_the_runtime_does_the_same(monkeypatch):
    from wasmtime import _ffi

    monkeypatch.delattr(_ffi, "wasmtime_func_call_unchecked")
    assert play("tic_tac_toe", 2, "same_step", "native", steps=20) > 0


def test_without_the_runtime_python_plays(monkeypatch):
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    envs = environments.vector("tic_tac_toe", 2)
    assert envs.engine == "python"
    assert "pip install 'patolli[native]'" in envs.batch.why
    with pytest.raises(ValueError, match="native"):
        environments.vector("tic_tac_toe", 2, engine="native")


@pytest.mark.deep
def test_arrays_outlive_their_batch():
    batch = environments.vector("tic_tac_toe", 2).batch
    batch.reset(1)
    seen = batch.observations
    before = seen.copy()
    del batch
    gc.collect()
    assert np.array_equal(seen, before)


def test_only_actions_are_written():
    envs = environments.vector("tic_tac_toe", 2, copy=False)
    _, info = envs.reset(seed=1)
    for array in (info["action_mask"], envs.batch.legal, envs.batch.counts, envs.batch.observations):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    for made in (pickle.dumps, deepcopy):
        with pytest.raises(TypeError, match="make one in each process"):
            made(envs)


def test_threads_have_batches_of_their_own():
    found = {}

    def work(number):
        batch, draw = environments.vector(rules, 8).batch, np.random.default_rng(1)
        batch.reset(number % 2)
        for _ in range(50):
            batch.sample(draw)
            batch.step()
        found[number] = batch.observations.tobytes()

    rules = load("connect_four")
    threads = [Thread(target=work, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert found[0] == found[2]
    assert found[1] == found[3]


# -- bad input


@pytest.mark.parametrize("engine", ENGINES)
def test_bad_actions_name_the_environment_and_change_nothing(engine, subtests):
    envs = environments.vector("tic_tac_toe", 3, engine=engine)
    envs.reset(seed=1)
    before, *_ = envs.step([0, 1, 2])
    for actions, error, words in (
        ([1, 1], ValueError, r"actions have the shape \(2,\), not \(3,\)"),
        (3, ValueError, r"the shape \(\)"),
        ([[1], [2], [3]], ValueError, r"the shape \(3, 1\)"),
        ([1, 2, float("nan")], TypeError, "environment 2: an action is a whole number, not nan"),
        ([1, 2.5, 3], TypeError, "environment 1: an action is a whole number, not 2.5"),
        (np.array([1.0, 2.0, 3.0]), TypeError, "not float64"),
        (["a", "b", "c"], TypeError, "environment 0: an action is a whole number"),
        (np.array([True, False, True]), TypeError, "environment 0: an action is a whole number, not True"),
        ([1, 2, None], TypeError, "environment 2: an action is a whole number, not None"),
        ([1, 9, 3], ValueError, "environment 1: there is no action 9; actions are 0 to 8"),
        ([1, 2, -1], ValueError, "environment 2: there is no action -1"),
        ([1, 2, 2**32], ValueError, "environment 2: there is no action 4294967296"),
        ([1, 1, 3], ValueError, r"environment 1: the action 1 \(match/choose cell = b1\) cannot be taken now; legal"),
    ):  # fmt: skip
        with subtests.test(actions=actions):
            with pytest.raises(error, match=words):
                envs.step(actions)
            assert np.array_equal(envs.batch.observations, before)
    envs.step([1, 2, 3])


@pytest.mark.parametrize("engine", ENGINES)
def test_steps_without_a_match_are_refused(engine):
    envs = environments.vector("tic_tac_toe", 2, engine=engine, autoreset_mode="disabled", illegal="lose")
    with pytest.raises(ValueError, match=r"no matches yet; reset\(\) begins them"):
        envs.step([0, 0])
    with pytest.raises(ValueError, match="begin with a reset of all environments"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    envs.reset(seed=1)
    envs.step([0, 0])
    *_, over, _, _ = envs.step([1, 0])
    assert over.tolist() == [False, True]
    with pytest.raises(ValueError, match="environment 1: the match is over"):
        envs.step([2, 2])
    envs.reset(options={"reset_mask": np.array([False, True])})
    envs.step([2, 2])
    assert envs.batch.counts.tolist() == [6, 8]
    envs.close()
    with pytest.raises(ValueError, match="no matches yet"):
        envs.step([3, 3])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"num_envs": 0}, ValueError, "must be at least 1, not 0"),
        ({"num_envs": 1.5}, TypeError, "the number of environments is a whole number, not 1.5"),
        ({"num_envs": 2, "autoreset_mode": "never"}, ValueError, "unknown autoreset mode 'never'"),
        ({"num_envs": 2, "engine": "c"}, ValueError, "unknown engine 'c'"),
        ({"num_envs": 2, "illegal": "ignore"}, ValueError, "'illegal' must be"),
        ({"num_envs": 2, "limit": 0}, ValueError, "limit"),
        ({"num_envs": 10**20}, ValueError, "100,000,000,000,000,000,000 environments need .* MiB"),
        ({"num_envs": 20_000_000}, ValueError, "20,000,000 environments need .* MiB"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, words):
    with pytest.raises(error, match=words):
        environments.vector("tic_tac_toe", **arguments)


@pytest.mark.parametrize(
    ("seed", "options", "error", "words"),
    [
        ([1, 2, 3], None, ValueError, "3 seeds for 2 environments"),
        ([1, -2], None, ValueError, "environment 1: the seed"),
        ([1, "x"], None, TypeError, "environment 1: a seed is a whole number"),
        (1.5, None, TypeError, "a seed is a whole number"),
        (None, {"reset_mask": [True, False]}, TypeError, "array of truth values"),
        (None, {"reset_mask": np.array([True])}, ValueError, r"shape \(1,\), not \(2,\)"),
        (None, {"reset_mask": np.array([False, False])}, ValueError, "selects none"),
    ],
)
def test_bad_resets_are_refused(seed, options, error, words):
    envs = environments.vector("tic_tac_toe", 2)
    envs.reset(seed=1)
    with pytest.raises(error, match=words):
        envs.reset(seed=seed, options=options)


def test_a_limit_may_be_any_number():
    envs = environments.vector("tic_tac_toe", 2, limit=10**30)
    envs.reset(seed=1)
    assert envs.step([0, 1])[3].tolist() == [False, False]


def test_gymnasium_names_of_modes_are_known():
    for mode in AutoresetMode:
        for name in (mode, mode.value):
            assert environments.vector("tic_tac_toe", 1, autoreset_mode=name).metadata["autoreset_mode"] == mode


def test_a_match_that_cannot_go_on_is_named_and_can_be_reset():
    envs = environments.vector("tic_tac_toe", 3, illegal="lose")
    envs.reset(seed=1)
    batch = envs.batch
    batch._used[1] = 64  # no seeds are left, which the next reset in the engine needs
    batch._status[1] = batch_steps.ENDED_BY_RULES
    with pytest.raises(Stopped, match="environment 1: the native engine cannot go on with the match of the seed"):
        envs.step([0, 1, 2])
    assert batch.counts.tolist() == [8, 0, 8]
    envs.reset(options={"reset_mask": np.array([False, True, False])})
    envs.step([1, 0, 3])
    assert batch.counts.tolist() == [7, 8, 7]


def test_matches_are_cut_off():
    assert play("connect_four", 2, "next_step", "native", limit=5, steps=40) > 15
    assert play("connect_four", 2, "same_step", "python", limit=5, steps=20) > 8


@pytest.mark.deep
def test_ten_thousand_environments_of_a_large_game():
    batch = environments.vector("city_of_gods", 10_000, encoding="numbers").batch
    batch.reset(1)
    draw = np.random.default_rng(1)
    for _ in range(30):
        batch.sample(draw)
        batch.step()
    assert (batch.counts > 0).all()
