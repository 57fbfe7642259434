"""Bots of others: what they are given, how they are found, and what becomes of their mistakes."""

from __future__ import annotations

import asyncio
import copy
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

import patolli
from patolli.play.players import BOTS, Kind, kind_of, make_bot
from patolli.play.players.bot_seats import BotError, Seated

HUNT = str(Path(__file__).parents[1] / "data" / "hunt")


class First(patolli.Bot):
    """Takes the first answer, told in every way that there is."""

    def choose(self, turn):
        return self.random.choice([0, turn.options[0], turn.labels[0], turn.options[0].label])


class Chance(patolli.Bot):
    """Chooses by its own chance."""

    def choose(self, turn):
        return self.random.randrange(len(turn.labels))


class Thinker(patolli.Bot):
    """Looks one choice ahead, in a match that might be the real one."""

    def choose(self, turn):
        world = turn.imagine(self.random.getrandbits(62))
        values = []
        for index in range(len(turn.labels)):
            copy = world.clone()
            copy.choose(index)
            values.append(copy.score(turn.seat))
        return values.index(max(values))


class Answers(patolli.Bot):
    """Gives the answer of the test."""

    answer: object = None

    def choose(self, turn):
        return self.answer


class Keeps(patolli.Bot):
    """Keeps its turns, to look at them when it has answered."""

    kept: list[patolli.Turn] = []  # noqa: RUF012 - the test looks at it

    def choose(self, turn):
        self.kept.append(turn)
        return 0


class Stumbles(patolli.Bot):
    """Raises something from below."""

    def choose(self, turn):
        return self.think(turn)

    def think(self, turn):
        return turn.view["nowhere"]


class Leaves(patolli.Bot):
    """Ends the program."""

    def choose(self, turn):
        sys.exit(7)


class Breaks(Keeps):
    """Fails when it is made."""

    def __init__(self, seed):
        super().__init__(seed // 0)


class Cancelled(patolli.Bot):
    """Raises what is no ``Exception``."""

    raised = asyncio.CancelledError

    def choose(self, turn):
        raise self.raised("enough")


class NoSeed(patolli.Bot):
    """Cannot be made from a seed."""

    def __init__(self):
        super().__init__(0)

    def choose(self, turn):
        return 0


class Duck:
    """Is asked like a bot."""

    def __init__(self, seed):
        self.seed = seed

    def choose(self, turn):
        return self.seed % len(turn.labels)


def made(seed):
    """Make a bot; it is no class."""
    return Chance(seed + 1)


@pytest.fixture(scope="module")
def rules():
    return patolli.load("tic_tac_toe")


# ---- what they are given


def test_answers_of_every_form_are_understood(rules):
    for seed in range(4):
        assert patolli.playout(rules, 2, seed, First).choices == [0] * 7


@pytest.mark.deep
@pytest.mark.usefixtures("little_effort")
def test_a_turn_holds_what_its_seat_may_know():
    rules = patolli.load(HUNT)
    match, draw = rules.start(3, 5, narrate=True), Random(5)
    for _ in range(16):
        if match.decision is None:
            break
        turn = patolli.Turn(match)
        seat = match.decision.player
        assert turn.seat == seat
        assert turn.view == match.view(seat)
        assert turn.labels == tuple(option.label for option in turn.options)
        assert turn.told == tuple(match.told(seat))
        assert turn.imagine(3).view(seat) == turn.view
        assert turn.rules is rules
        match.pick(draw.randrange(len(match.pending)))


def test_a_turn_names_nothing_else():
    names = {name for name in dir(patolli.Turn) if not name.startswith("_")}

    assert names == {
        "imagine", "labels", "options", "players", "prompt", "rules", "seat", "simultaneous", "told", "view", "why",
    }  # fmt: skip


def test_a_turn_ends_with_the_answer(rules):
    Keeps.kept.clear()
    patolli.playout(rules, 2, 1, Keeps)

    for turn in Keeps.kept:
        for look in ("view", "options", "labels", "told"):
            with pytest.raises(RuntimeError, match="this turn is over"):
                getattr(turn, look)


@pytest.mark.parametrize("name", [name for name in dir(patolli.Turn) if not name.startswith("_")])
def test_a_turn_cannot_be_changed(rules, name):
    """With ``turn.seat = 1 - turn.seat`` a bot would imagine for another seat, and see what that one holds."""
    turn = patolli.Turn(rules.start(2, 3))
    before = getattr(turn, name)

    with pytest.raises(AttributeError):
        setattr(turn, name, 1)
    with pytest.raises(AttributeError):
        delattr(turn, name)
    assert getattr(turn, name) == before


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_turn_cannot_be_kept_as_a_copy(rules, again):
    turn = patolli.Turn(rules.start(2, 3))

    with pytest.raises(TypeError, match="a turn cannot be copied or pickled"):
        again(turn)


@pytest.mark.deep
@pytest.mark.usefixtures("little_effort")
def test_bots_of_others_decide_alike_where_they_see_the_same():
    """As for the program's own bots, but nothing has to be proven of each: they see a turn and no match."""
    from twins import twin

    rules = patolli.load(HUNT)
    match, draw = rules.start(3, 5), Random(5)
    compared = 0
    for number in range(16):
        if match.decision is None:
            break
        seat = match.decision.player
        other = twin(match, seat, draw)
        other.pending = match.pending
        one, two = (Seated(Thinker(number), "thinker").decide(world) for world in (match, other))
        assert one == two
        compared += other.state != match.state
        match.pick(draw.randrange(len(match.pending)))

    assert compared > 10


def test_bots_change_nothing(rules):
    match = rules.start(2, 3)
    before = match.digest()
    Seated(Thinker(1), "thinker").decide(match)

    assert (match.digest(), match.choices) == (before, [])


def test_same_seed_gives_the_same_match(rules):
    one, two, other = (patolli.playout(rules, 2, seed, [Chance, "random"]).choices for seed in (5, 5, 6))

    assert one == two != other


# ---- how they are found


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("random", "random"),
        ("greedy", "greedy"),
        (Chance, "Chance"),
        (Duck, "Duck"),
        (made, "made"),
        ("others:Bots.Mine", "others:Bots.Mine"),
        ("mine=others:Bots.Mine", "mine"),
    ],
)
def test_kinds(given, name, tmp_path, monkeypatch):
    (tmp_path / "others.py").write_text(
        "import patolli\nclass Bots:\n    class Mine(patolli.Bot):\n        def choose(self, turn):\n            return 0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    kind = kind_of(given)

    assert kind == name
    assert callable(make_bot(kind, 1, 0).decide)
    assert kind_of(kind) is kind
    other = pickle.loads(pickle.dumps(kind))
    assert (other, other.make) == (kind, kind.make)
    sys.modules.pop("others", None)


def test_installed_packages_name_bots(tmp_path, monkeypatch):
    (tmp_path / "club.py").write_text(
        "import patolli\n\nclass One(patolli.Bot):\n    def choose(self, turn):\n        return 0\n"
    )
    info = tmp_path / "club-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: club\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[patolli.bots]\nclubber = club:One\nghost = nowhere:One\n")
    monkeypatch.syspath_prepend(tmp_path)

    assert patolli.playout(patolli.load("tic_tac_toe"), 2, 1, "clubber").choices == [0] * 7
    with pytest.raises(ValueError, match="did you mean 'clubber'"):
        kind_of("cluber")
    with pytest.raises(ValueError, match="there is no module 'nowhere'"):
        kind_of("ghost")


def test_a_bot_named_like_one_of_the_program_is_another_one(rules):
    kind = Kind("random")
    kind.make = First

    report = patolli.simulate(rules, patolli.Plan(2, 3, bots=kind))
    assert {game.decisions for game in report.games} == {7}


MODULES = {
    "syntax": ("def choose(:\n", r"the module 'wrong' cannot be imported: .*wrong\.py:1: SyntaxError"),
    "raises": ("import patolli\n\n1 / 0\n", r"cannot be imported: .*wrong\.py:3: ZeroDivisionError: division by zero"),
    "leaves": ("import sys\nsys.exit(3)\n", r"cannot be imported: .*wrong\.py:2: SystemExit: 3"),
    "cancels": ("import asyncio\nraise asyncio.CancelledError\n", r"wrong\.py:2: .*CancelledError"),
    "imports": ("import ghost_of_a_module\n", r"cannot be imported: .*wrong\.py:1: ModuleNotFoundError"),
    "empty": ("", "there is no 'Bot' in 'wrong'"),
    "near": ("class Bots:\n    pass\n", "there is no 'Bot' in 'wrong'; did you mean 'Bots'"),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_that_cannot_be_used(name, tmp_path, monkeypatch):
    text, words = MODULES[name]
    (tmp_path / "wrong.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    sys.modules.pop("wrong", None)

    with pytest.raises(ValueError, match=words):
        kind_of("wrong:Bot")
    sys.modules.pop("wrong", None)


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ("json:dumps.nothing", ValueError, "there is no 'nothing' in 'json'"),
        ("json:__name__", TypeError, "json:__name__ is not a kind of bot, but a str"),
        ("json:JSONDecoder", TypeError, "lacks the method 'choose"),
        ("json:loads", TypeError, "json:loads is not a kind of bot: with a seed it raises TypeError: the JSON object"),
        ("json:dumps", TypeError, "json:dumps is not a kind of bot: it creates a str, which lacks the method 'choose'"),
        ("os:system", TypeError, "os:system is not a kind of bot, but a function of Python"),
        ("os:renames", TypeError, "os:renames is not a kind of bot: it cannot be created from a seed alone"),
        (NoSeed, TypeError, "NoSeed is not a kind of bot: it cannot be created from a seed alone"),
        ("patolli:Bot", TypeError, "lacks the method 'choose"),
        ("grady", ValueError, "did you mean 'greedy'"),
        ("", ValueError, "use random, greedy, mcts, easy, medium, hard, learned, or module:Class"),
        (Chance(1), TypeError, "one for each match"),
        (None, TypeError, "None is not a kind of bot"),
    ],
)
def test_what_is_no_kind_is_reported(given, error, words):
    with pytest.raises(error, match=words):
        kind_of(given)


# ---- what becomes of their mistakes


def test_a_bot_that_stumbles_is_reported_with_its_place(rules):
    with pytest.raises(patolli.BotError) as caught:
        patolli.playout(rules, 2, 1, ["random", Stumbles])
    error = caught.value

    assert (error.bot, error.seat, error.reason) == ("Stumbles", 1, "KeyError: 'nowhere'")
    assert [name for _, _, name in error.stack] == ["choose", "think"]
    assert 'return turn.view["nowhere"]' in error.text()
    assert isinstance(error.__cause__, KeyError)
    assert pickle.loads(pickle.dumps(error)).text() == error.text()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "TypeError: a choice is an Option of this question, its index or its label, not None"),
        (True, "TypeError: .* not True"),
        (2.0, "TypeError: .* not 2.0"),
        (-1, "ValueError: there is no option -1; they go from 0 to 8"),
        (9, "ValueError: there is no option 9"),
        ("a4", "ValueError: there is no option 'a4'"),
        (patolli.Option(0, 4, "b2", False), "ValueError: 'b2' is an option of another question"),
    ],
)
def test_nonsense_is_reported(rules, monkeypatch, answer, words):
    monkeypatch.setattr(Answers, "answer", answer)

    with pytest.raises(patolli.BotError, match=words):
        patolli.playout(rules, 2, 1, Answers)


def test_a_bot_that_leaves_does_not_end_the_program(rules):
    with pytest.raises(patolli.BotError, match="SystemExit: 7"):
        patolli.playout(rules, 2, 1, Leaves)


@pytest.mark.parametrize("raised", [GeneratorExit, asyncio.CancelledError, BaseException])
def test_what_is_no_exception_is_reported_the_bot_too(rules, monkeypatch, raised):
    monkeypatch.setattr(Cancelled, "raised", raised)
    with pytest.raises(patolli.BotError, match=f"{raised.__name__}: enough") as told:
        patolli.playout(rules, 2, 1, Cancelled)
    assert told.value.stack[-1][2] == "choose"
    report = patolli.simulate(rules, patolli.Plan(2, 3, bots=Cancelled), jobs=2)
    assert all(raised.__name__ in game.fault for game in report.games)


def test_an_interruption_is_no_fault_of_a_bot(rules, monkeypatch):
    monkeypatch.setattr(Cancelled, "raised", KeyboardInterrupt)
    with pytest.raises(KeyboardInterrupt):
        patolli.playout(rules, 2, 1, Cancelled)


def test_a_bot_that_cannot_be_made_is_reported(rules):
    with pytest.raises(patolli.BotError, match=r"ZeroDivisionError"):
        patolli.playout(rules, 2, 1, Breaks)


def test_what_the_content_fails_in_a_world_is_reported_the_bot(tmp_path):
    class Tries(patolli.Bot):
        def choose(self, turn):
            raise patolli.MatchError("a piece was not where it should be", [("rules.yaml", 3, "match")], "P0810")

    with pytest.raises(patolli.BotError, match="MatchError: a piece was not where it should be"):
        patolli.playout(patolli.load("tic_tac_toe"), 2, 1, Tries)


def test_other_games_are_not_lost(rules):
    class Sometimes(patolli.Bot):
        def choose(self, turn):
            return 1 // int(self.random.random() * 20)

    report = patolli.simulate(rules, patolli.Plan(2, 60, bots=Sometimes))

    assert len(report.games) == 60
    assert report.finished
    assert report.faults
    assert all("ZeroDivisionError" in game.fault for game in report.faults)
    assert not report.engine_faults


def test_kinds_of_the_program_are_as_they_were():
    assert list(BOTS) == ["random", "greedy", "mcts", "easy", "medium", "hard"]


TRAVELS = """
import multiprocessing

import patolli
from club import Chance

if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    rules = patolli.load("tic_tac_toe")
    plan = patolli.Plan(2, 30, bots=[Chance, "named=club:Chance"])
    reports = [patolli.simulate(rules, plan, jobs) for jobs in (1, 2)]
    assert reports[0].digest == reports[1].digest
    assert not reports[1].faults
    with multiprocessing.Pool(1) as pool:
        match = rules.start(2, 5)
        assert pool.map(patolli.Match.digest, [match]) == [match.digest()]
    print("there and back")
"""


@pytest.mark.deep
def test_bots_and_matches_travel_to_processes_that_begin_again(tmp_path):
    club = "import patolli\n\nclass Chance(patolli.Bot):\n    def choose(self, turn):\n        return self.random.randrange(len(turn.labels))\n"
    (tmp_path / "club.py").write_text(club)
    (tmp_path / "main.py").write_text(TRAVELS)
    surroundings = {**os.environ, "PYTHONPATH": str(Path(patolli.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "main.py"], cwd=tmp_path, env=surroundings, capture_output=True, text=True, timeout=120
    )

    assert done.stdout == "there and back\n", done.stderr


def test_a_long_stack_of_a_bot_is_reported_by_its_ends():
    stack = [("mine.py", line, "think") for line in range(1, 1001)]
    lines = BotError("mine", 0, "too deep", stack).text().splitlines()

    assert lines[0] == "the bot 'mine' of player 1 failed:"
    assert "  ... 980 more calls ..." in lines
    assert len(lines) == 2 + 20 + 1
