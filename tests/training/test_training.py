"""What is learned by playing: features of every pack, fitting, a course that goes on after a kill, and its files."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from shipped import BASES
from tiers import few
from twins import told_the_same

import patolli
from patolli.cli.main import main
from patolli.language.packs.discovery import installed
from patolli.measure.simulation.games import game_seed
from patolli.play.players import BotError, make_bot

np = pytest.importorskip("numpy")

from patolli.measure.simulation.estimates import wilson  # noqa: E402
from patolli.measure.training import strength_test  # noqa: E402
from patolli.measure.training.course import Course, read_course  # noqa: E402
from patolli.measure.training.network_fit import Adam, cross_entropy, fit, gradients  # noqa: E402
from patolli.measure.training.rounds import beside  # noqa: E402
from patolli.measure.training.strength_test import measure_judge  # noqa: E402
from patolli.measure.training.sums import Taught  # noqa: E402
from patolli.play.learning.features import features_of  # noqa: E402 - numpy may not be there
from patolli.play.learning.files import ModelError, judge_for, place, read_arrays  # noqa: E402
from patolli.play.learning.network import Network, drawing, logistic  # noqa: E402
from patolli.play.learning.outcomes import Yardstick, outcomes, yardstick  # noqa: E402

DATA = Path(__file__).parents[1] / "data"
ENGINE = str(Path(patolli.__file__).parents[1])
SMALL = """
    tic_tac_toe connect_four breakthrough patolli hex goofspiel leduc_poker pig high_water nine_mens_morris skerry
""".split()
"""Packs whose games are short; greedy bots that play the others take too long for a test."""


def trained(pack, rounds, games=4, seed=0, jobs=1, players=None):
    rules = patolli.load(pack)
    course = Course(rules, players or rules.players[0], seed, games)
    for _ in range(rounds):
        assert course.go_on(jobs, lambda: False)
    return course


@pytest.fixture(scope="module")
def learned():
    """What 480 games of tic-tac-toe have taught."""
    return trained("tic_tac_toe", 12, 40)


# ---- features


def later(rules, players, seed, choices=30):
    """A match in the middle."""
    match, draw = rules.start(players, seed), Random(seed)
    for _ in range(choices):
        if match.pending is None or len(match.pending) == 0:
            break
        before = match.clone()
        match.pick(draw.randrange(len(match.pending)))
        if match.over:
            return before
    return match


@pytest.mark.parametrize("name", few(BASES, 0, 7, deep=8))
def test_every_pack_has_features(name):
    rules = patolli.load(name)
    for players in rules.players[:1]:
        match = later(rules, players, 1)
        features = features_of(match)
        rows = features.of([match, rules.start(players, 2)], 0)
        assert rows.shape == (2, len(features.names))
        assert len(set(features.names)) == len(features.names)
        assert np.isfinite(rows).all()
        assert rows.any()


@pytest.mark.usefixtures("little_effort")
@pytest.mark.parametrize("name", few(BASES, 0, deep=8))
def test_features_tell_nothing_that_is_hidden(name):
    """In a world that a seat may be in, its features are those of the real match, as it cannot tell them apart."""
    rules = patolli.load(name)
    players = rules.players[0]
    for seed in range(2):
        match = later(rules, players, seed)
        if match.over:
            continue
        for seat in range(players):
            world = match.determinize(seat, seed)
            real, imagined = (features_of(one).of([one], seat)[0] for one in (match, world))
            names = [n for n, a, b in zip(features_of(match).names, real, imagined, strict=True) if a != b]
            assert [name for name in names if not name.startswith("score")] == []


def test_features_are_those_of_the_seat_that_looks():
    rules = patolli.load("tic_tac_toe")
    match = rules.start(2, 0)
    match.choose("b2")
    names = features_of(match).names
    mine, theirs = (dict(zip(names, features_of(match).of([match], seat)[0], strict=True)) for seat in (0, 1))

    assert mine["cell[b2].mark: , mine"] == theirs["cell[b2].mark: , of others"] == 1
    assert mine["cell[b2].mark: , of others"] == theirs["cell[b2].mark: , mine"] == 0
    assert (mine["to move, mine"], theirs["to move, mine"]) == (0, 1)


# ---- what an end is worth


def test_what_an_end_is_worth():
    rules = patolli.load("tic_tac_toe")
    match = patolli.playout(rules, 2, 3)
    worth = outcomes(match, yardstick([match]))
    best, other = (worth[0], worth[1]) if 0 in match.winners else (worth[1], worth[0])

    assert sum(worth) == pytest.approx(1)
    assert best > 0.7 > 0.3 > other or best == other == 0.5


def test_who_wins_together_has_all_or_nothing():
    match = patolli.playout(patolli.load("high_water"), 2, 1)
    while not match.over:
        match.pick(0)

    assert outcomes(match, Yardstick()) == [float(bool(match.winners))] * match.players


# ---- fitting


def test_gradients_are_slopes():
    draw = np.random.default_rng(1)
    rows, wanted = draw.standard_normal((50, 6)), draw.random(50)
    network = Network.initialize(rows, 1, hidden=4)
    network.out = draw.standard_normal(4)
    inputs = network.inputs(rows)

    def loss():
        value = logistic(network.sums(inputs) + network.layer(inputs) @ network.out)
        return -np.mean(wanted * np.log(value) + (1 - wanted) * np.log(1 - value))

    slopes = gradients(network, inputs, wanted)
    for name in ("into", "bias", "out"):
        weights = getattr(network, name)
        place_ = (0,) * weights.ndim
        weights[place_] += 1e-5
        up = loss()
        weights[place_] -= 2e-5
        down = loss()
        weights[place_] += 1e-5
        assert (up - down) / 2e-5 == pytest.approx(slopes[name][place_], abs=1e-6)


@pytest.mark.parametrize("deep", [False, True])
def test_what_is_there_is_found(deep):
    """A sum is found by the sum; what counts only together by the hidden layer, which is trusted then."""
    draw = np.random.default_rng(2)
    rows = draw.choice([-1.0, 1.0], (4_000, 5))
    wanted = logistic(2 * rows[:, 0] * rows[:, 1] if deep else rows[:, 0] - rows[:, 2])
    network, adam = Network.initialize(rows, 3), Adam()
    games = taught(network, rows, wanted, np.zeros(4_000))
    for seed in range(30 if deep else 2):
        fit(network, adam, games, np.zeros(5), seed)

    assert cross_entropy(network.values(rows), wanted) < 0.02
    assert not deep or network.trusted


def taught(network, rows, wanted, over):
    """Games of ten positions each."""
    inputs = network.inputs(rows).astype(np.float16)
    parts = [slice(first, first + 10) for first in range(0, len(rows), 10)]
    return [Taught(inputs[part], wanted[part], over[part]) for part in parts]


@pytest.mark.parametrize("follows", [False, True])
def test_weights_follow_the_match_where_that_is_how_it_is(follows):
    """What is worth much at the beginning and nothing at the end is found; what is always worth the same, too."""
    draw = np.random.default_rng(4)
    over = np.tile(np.arange(1, 11) / 10, 400)
    rows = np.column_stack([draw.choice([-1.0, 1.0], (4_000, 2)), over * 30])
    wanted = logistic(2 * (1 - over) * rows[:, 0] + rows[:, 1] if follows else rows[:, 0] + rows[:, 1])
    network = Network.initialize(rows, 3)
    loss = fit(network, Adam(), taught(network, rows, wanted, over), np.zeros(3), 1)

    assert loss < 0.002
    assert bool(network.late.any()) is follows
    stages = network.stage(network.inputs(rows))
    assert np.corrcoef(stages, over)[0, 1] > 0.99


# ---- a course


@pytest.mark.deep
def test_what_was_learned_beats_chance(learned):
    found = measure_judge(learned.rules, 2, learned.judge, "random", 60, 5)

    assert (found.who, found.beside, found.game_count) == ("wins", " against random", 60)
    assert wilson(found.won, found.game_count)[0] > 0.6


class Judged:
    """Stands for what was learned where the seats are taken by others."""


@pytest.mark.parametrize(
    ("pack", "modules", "players", "said"),
    [
        ("high_water", [], 2, "all win {won} of 4 games with it on one seat and random on the others"),
        ("city_of_gods", ["solo"], 1, "wins {won} of 4 games"),
        ("curios", [], 3, "wins {won} of 4 games against random"),
        (str(DATA / "patience"), [], 1, "None of 4 games"),
    ],
)
def test_what_came_of_it_is_reported_as_it_is_won(monkeypatch, pack, modules, players, said):
    """Where all win together, a game that was won is one, and not a share of one; alone there is no opponent."""
    monkeypatch.setattr(strength_test, "LearnedBot", lambda seed, judge: make_bot("random", seed, 0))
    rules = patolli.load(pack, modules)
    found = measure_judge(rules, players, Judged(), "random", 4, 2)

    if found.won is None:
        assert len(found.scores) == 4
        return
    assert f"{found.who} {found.won:g} of {found.game_count} games{found.beside}" == said.format(won=f"{found.won:g}")
    assert found.won == int(found.won)


@pytest.mark.parametrize("name", few(SMALL, 0))
def test_packs_of_all_kinds_can_be_learned(name):
    course = trained(name, 1, 2)

    assert course.judge is not None
    match = course.rules.start(course.players, 9)
    if not match.over:
        values = course.judge.by_seat(match)
        assert len(values) == match.players
        assert all(0 <= value <= 1 for value in values)


@pytest.mark.deep
def test_modules_and_seats_played_by_rules_can_be_learned():
    rules = patolli.load("city_of_gods", ["solo"])
    course = Course(rules, 1, 0, 2)

    assert course.go_on(1, lambda: False)
    assert len(course.judge.by_seat(rules.start(1, 1))) == 2


@pytest.mark.deep
def test_a_course_goes_on_as_if_nothing_had_happened(tmp_path):
    whole = trained("connect_four", 9)
    first = trained("connect_four", 4)
    first.write(tmp_path / "a.npz")
    again = read_course(tmp_path / "a.npz", first.rules, 2, 0, 4)
    for _ in range(5):
        assert again.go_on(2, lambda: False)
    again.write(tmp_path / "a.npz")
    whole.write(tmp_path / "b.npz")

    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.deep
def test_a_training_that_is_killed_goes_on(tmp_path):
    words = ["train", "connect_four", "--games", "120", "--no-check", "--out"]
    one, other = tmp_path / "one.npz", tmp_path / "other.npz"
    command = [sys.executable, "-m", "patolli", *words, str(one)]
    usual = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}  # Dask sets these
    run = subprocess.Popen(command, env={**usual, "PYTHONPATH": ENGINE}, stderr=subprocess.DEVNULL)
    while run.poll() is None and not one.exists():
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert read_arrays(one)["words"]["played"] < 120

    assert CliRunner().invoke(main, [*words, str(one)]).exit_code == 0
    assert CliRunner().invoke(main, [*words, str(other)]).exit_code == 0
    assert one.read_bytes() == other.read_bytes()


@pytest.fixture(scope="module")
def rounds(tmp_path_factory):
    """A file after two rounds of connect four, and the training after three."""
    course, path = trained("connect_four", 2), tmp_path_factory.mktemp("rounds") / "two.npz"
    course.write(path)
    assert course.go_on(1, lambda: False)
    return path, course


def test_games_of_a_round_are_kept_as_they_end(tmp_path, monkeypatch, rounds):
    """A run that is ended in the middle of a round plays no game of it again, but those in hand."""
    path, (two, whole), asked = tmp_path / "a.npz", rounds, iter([False, False, False, True])
    shutil.copy(two, path)
    course = read_course(path, whole.rules, 2, 0, 4)
    assert not course.go_on(1, lambda: next(asked), path)
    with beside(path).open("ab") as file:
        file.write(b"[11, 5, tru")  # and was ended while it wrote
    again, played = read_course(path, course.rules, 2, 0, 4), []
    own = again._play_games
    monkeypatch.setattr(Course, "_play_games", lambda self, pieces, *rest: played.extend(pieces) or own(pieces, *rest))

    assert again.go_on(1, lambda: False, path)
    assert played == [11]
    again.write(path)
    assert not beside(path).exists()
    whole.write(tmp_path / "b.npz")
    assert path.read_bytes() == (tmp_path / "b.npz").read_bytes()


@pytest.mark.deep
def test_games_of_another_round_are_played_again(tmp_path):
    path, whole = tmp_path / "a.npz", trained("connect_four", 1)
    beside(path).write_text('{"played": 40}\n[0, 1, true, [1, 2]]\n', "utf-8")
    course = Course(whole.rules, 2, 0, 4)

    assert course.go_on(1, lambda: False, path)
    assert course.games == whole.games


def test_a_seed_may_be_negative(tmp_path):
    """It has a series of its own, and that of others stays what it was."""
    first, again, other = (trained("tic_tac_toe", 2, 10, seed) for seed in (-3, -3, 3))

    for course, name in ((first, "a"), (again, "b")):
        course.write(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert read_course(tmp_path / "a", first.rules, 2, -3, 10).games == first.games
    assert (first.judge.network.into != other.judge.network.into).any()
    assert drawing(-3).integers(1_000) != drawing(3).integers(1_000)
    assert drawing(3).integers(1_000) == np.random.Generator(np.random.PCG64(3)).integers(1_000)


@pytest.mark.deep
@pytest.mark.parametrize(
    "line",
    [
        "[8, SEED, true, [99, 98]]",
        "[8, SEED, true, [0]]",
        "[8, SEED, true, [-1, 2, 3]]",
        "[8, 17, true, [0, 1, 2, 3, 4, 5, 6, 0, 1, 2]]",
        "[99, SEED, false, []]",
        "x",
    ],
)
def test_kept_games_that_are_none_are_played_again(tmp_path, line, rounds):
    path, (two, whole) = tmp_path / "a.npz", rounds
    shutil.copy(two, path)
    course = read_course(path, whole.rules, 2, 0, 4)
    head = json.dumps(course._words(), sort_keys=True)
    beside(path).write_text(f"{head}\n{line.replace('SEED', str(game_seed(0, 8)))}\n", "utf-8")

    assert course.go_on(1, lambda: False, path)
    assert course.games == whole.games


def test_rounds_grow():
    course = trained("tic_tac_toe", 22, 1)

    assert course.played == 20 + 2 * 2
    assert len(course.games) == 24


# ---- files and the bot


@pytest.fixture
def home(tmp_path, monkeypatch, learned):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    judge_for.cache_clear()
    path = place(learned.rules, 2)
    path.parent.mkdir(parents=True)
    learned.write(path)
    return path


def test_the_bot_finds_what_was_learned(home, learned):
    rules = patolli.load("tic_tac_toe")
    match = patolli.playout(rules, 2, 5, ["learned", "random"])
    again = patolli.playout(rules, 2, 5, [f"learned:{home}", "random"])

    assert match.choices == again.choices
    index = make_bot("learned", 1, 0).decide(rules.start(2, 1))
    assert 0 <= index < 9


@pytest.mark.deep
@pytest.mark.usefixtures("little_effort")
def test_the_bot_knows_nothing_that_is_hidden(tmp_path):
    """It decides alike in states that differ only in what it cannot see."""
    course = trained("high_water", 2, players=3)
    course.write(tmp_path / "judge.json")
    found = [
        told_the_same(course.rules, 3, seed, 30, bots=20, kinds=(f"learned:{tmp_path / 'judge.json'}",))["bots"]
        for seed in range(3)
    ]
    assert all(found), found


@pytest.mark.deep
def test_a_search_takes_it_for_the_value_of_its_leaves(home, monkeypatch):
    from patolli.play.learning.judge import Judge

    judged, by_seat = [], Judge.by_seat
    monkeypatch.setattr(Judge, "by_seat", lambda self, match: judged.append(by_seat(self, match)) or judged[-1])
    rules = patolli.load("tic_tac_toe")
    match = rules.start(2, 1)
    made = [make_bot(f"mcts:30/learned{file}", 1, 0).decide(match) for file in ("", f":{home}")]

    assert made[0] == made[1]
    assert len(judged) > 10
    assert all(0 <= value <= 1 for values in judged for value in values)
    made = [make_bot("mcts:30x2/learned", 1, 0).decide(match) for _ in range(2)]
    assert made[0] == made[1]
    assert match.advice(patolli.adviser("mcts:30/learned")).simulations == 30
    told = patolli.tournament(rules, ["mcts:10/learned", "random"], games=4)
    assert "mcts:10/learned" in str(told)


def test_without_a_file_a_search_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    judge_for.cache_clear()
    match = patolli.load("connect_four").start(2, 1)

    with pytest.raises(ValueError, match="patolli train connect_four --players 2"):
        match.advice(patolli.adviser("mcts:20/learned"))
    ended = CliRunner().invoke(main, ["simulate", "connect_four", "--bot", "mcts:20/learned"])
    assert ended.exit_code == 2
    assert "patolli train connect_four" in ended.output


def test_without_a_file_the_bot_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    judge_for.cache_clear()
    rules = patolli.load("connect_four")

    with pytest.raises(BotError, match="patolli train connect_four --players 2"):
        patolli.playout(rules, 2, 1, "learned")
    with pytest.raises(ValueError, match="no model yet"):
        patolli.tournament(rules, ["learned", "random"])
    ended = CliRunner().invoke(main, ["simulate", "connect_four", "--bot", "learned"])
    assert ended.exit_code == 2
    assert "patolli train connect_four" in ended.output


def test_what_does_not_fit_is_refused(home, tmp_path):
    rules = patolli.load("tic_tac_toe")
    with pytest.raises(ModelError, match="was trained for tic_tac_toe, not for connect_four"):
        judge_for(patolli.load("connect_four"), 2, home)
    with pytest.raises(ModelError, match="with the seed 0, not 4"):
        read_course(home, rules, 2, 4)
    odd = tmp_path / "odd.npz"
    odd.write_bytes(b"hello")
    with pytest.raises(ModelError, match="is not a model file"):
        judge_for(rules, 2, odd)
    odd.write_bytes(home.read_bytes()[:2_000])
    with pytest.raises(ModelError, match="is not a model file"):
        read_arrays(odd)
    np.savez(odd, words=np.array(["x"], dtype=object))  # a pickle is not read
    with pytest.raises(ModelError, match="is not a model file"):
        read_arrays(odd)


def test_a_file_of_the_first_format_is_read(home, tmp_path):
    """It had the same weights from the beginning to the end of a match."""
    with np.load(home) as archive:
        arrays = {key: archive[key] for key in archive.files if key not in ("late", "pace", "tempo")}
    arrays["words"] = np.array(str(arrays["words"]).replace('"format": 2', '"format": 1'))
    np.savez(tmp_path / "old.npz", **arrays)
    rules = patolli.load("tic_tac_toe")
    old, new = judge_for(rules, 2, tmp_path / "old.npz").network, judge_for(rules, 2, home).network

    assert (old.direct == new.direct).all()
    assert not old.late.any()


@pytest.mark.parametrize(("name", "value"), [("direct", [np.nan]), ("used", [-1]), ("out", [1.0]), ("features", ["a"])])
def test_a_damaged_file_is_refused(home, tmp_path, name, value):
    with np.load(home) as archive:
        arrays = {key: archive[key] for key in archive.files}
    np.savez(tmp_path / "odd.npz", **{**arrays, name: np.array(value)})

    with pytest.raises(ModelError, match=r"damaged|other features"):
        judge_for(patolli.load("tic_tac_toe"), 2, tmp_path / "odd.npz")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--minutes", "nan"], "'nan' is not a valid number"),
        (["--minutes", "inf"], "'inf' is not a valid number"),
        (["--minutes", "-inf"], "'--minutes'"),
        (["--out", ""], "the name of the file is empty"),
    ],
)
def test_a_wrong_call_is_refused(tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    ended = CliRunner().invoke(main, ["train", "tic_tac_toe", "--out", "z.npz", "--games", "1", "--no-check", *words])

    assert ended.exit_code == 2
    assert said in ended.output
    assert list(tmp_path.iterdir()) == []


def changed(path, **new):
    """Write a file again, with some of its arrays or words changed."""
    with np.load(path) as archive:
        arrays = {key: archive[key] for key in archive.files}
    for name, change in new.items():
        if name in arrays:
            arrays[name] = change(arrays[name])
        else:
            words = json.loads(str(arrays["words"]))
            arrays["words"] = np.array(json.dumps({**words, name: change(words[name])}))
    with path.open("wb") as file:
        np.savez(file, **arrays)


@pytest.fixture
def small(tmp_path):
    """A file of two rounds, as the command keeps it."""
    trained("tic_tac_toe", 2, 40).write(tmp_path / "m.npz")
    return tmp_path / "m.npz"


def called(path, *more):
    return CliRunner().invoke(main, ["train", "tic_tac_toe", "--no-check", "--out", str(path), *more])


DAMAGE = {
    "choices": lambda path: changed(path, choices=lambda one: np.roll(one, 1)),
    "too many": lambda path: changed(path, choices=lambda one: one + 9),
    "too few": lambda path: changed(path, choices=lambda one: one[:-1]),
    "lengths": lambda path: changed(path, lengths=lambda one: one[::-1]),
    "seeds": lambda path: changed(path, seeds=lambda one: one + 1),
    "played": lambda path: changed(path, played=lambda one: one + 1),
    "steps": lambda path: changed(path, steps=lambda one: 1e999),
    "moments": lambda path: changed(path, first_into=lambda one: one[:-1]),
    "features": lambda path: changed(path, features=lambda one: np.array("x")),
    "weights": lambda path: changed(path, direct=lambda one: one * np.nan),
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:5_000]),
    "flipped": lambda path: path.write_bytes(b"".join([path.read_bytes()[:5_000], b"??", path.read_bytes()[5_002:]])),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_file_is_named_by_what_would_write_it(small, name):
    DAMAGE[name](small)
    before, ended = small.read_bytes(), called(small, "--games", "120")

    assert ended.exit_code == 2, ended.output
    assert "name another --out" in ended.output
    assert "train again" not in ended.output
    assert "patolli train makes one" not in ended.output
    assert ("delete it" in ended.output) is (name != "features")
    assert {one.name: one.read_bytes() for one in small.parent.iterdir()} == {"m.npz": before}


def test_bytes_that_are_not_its_own_are_reported_whatever_they_are(small):
    whole, draw = small.read_bytes(), Random(1)
    for number in range(300):
        data = bytearray(whole)
        at = draw.randrange(len(data)) if number % 3 else len(data) - draw.randrange(1, 2_000)
        data[at] ^= 1 << draw.randrange(8)
        small.write_bytes(data)
        try:
            assert read_arrays(small)["words"]["pack"] == "tic_tac_toe"
        except ModelError:
            continue


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("seed", 7, "was trained with the seed 7, not 0; name another --out"),
        ("modules", ["a", "b"], "was trained with the modules a, b, not without modules; name another --out"),
        ("players", 3, "was trained for 3 players, not for 2 players; name another --out"),
        ("content", "x", "was trained for other content or options of tic_tac_toe; name another --out"),
        ("format", 9, "has the format of another version of Patolli; name another --out"),
    ],
)
def test_a_file_for_something_else_is_not_written_over(small, name, value, said):
    changed(small, **{name: lambda one: value})
    before, ended = small.read_bytes(), called(small, "--games", "120")

    assert ended.exit_code == 2
    assert said in ended.output
    assert small.read_bytes() == before


def test_what_has_learned_enough_says_so(small):
    ended = called(small, "--games", "80")

    assert ended.exit_code == 0
    assert "has learned from 80 games, so nothing is left to do; use more --games, or only --minutes" in ended.output
    assert "training continues\n" not in ended.output


def test_what_was_learned_before_the_content_changed_is_named(home, tmp_path):
    folder = Path(shutil.copytree(installed()["tic_tac_toe"], tmp_path / "own"))
    manifest = folder / "pack.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("\ntext: ", "\ntext: Now and then. "), "utf-8")

    with pytest.raises(ModelError) as refused:
        judge_for(patolli.load(str(folder)), 2)
    assert "no model yet for 2 players of tic_tac_toe with this content" in str(refused.value)
    assert f"{home} is a model of an older version, or for other options; run 'patolli train" in str(refused.value)
