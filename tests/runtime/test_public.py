"""What programs of others meet: names that hold, copies and pickles, how things show themselves, wrong types."""

from __future__ import annotations

import copy
import json
import pickle
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import patolli
from patolli.author.workspace import inspection
from patolli.run.runtime import public
from patolli.run.runtime.seals import add_checksums

ROOT = Path(__file__).parents[2]
CLASSES = {"Match": public.MATCH, "Ruleset": public.RULESET, "Decision": public.DECISION}


@pytest.fixture(scope="module")
def rules():
    return patolli.load("city_of_gods")


@pytest.fixture
def match(rules):
    match = rules.start(2, 7, narrate=True)
    for _ in range(9):
        match.choose(0)
    return match


# ---- names


@pytest.mark.parametrize("name", CLASSES)
def test_names_without_underscore_are_listed(name):
    found = getattr(patolli, name)
    slots = getattr(found, "__slots__", ())
    there = {one for base in found.__mro__ for one in (*vars(base), *slots) if not one.startswith("_")}
    there |= {"model", "chosen"} if name == "Ruleset" else set()

    assert there == {*CLASSES[name], *public.INSIDE[name]}
    assert not set(CLASSES[name]) & set(public.INSIDE[name])


def test_completion_names_what_holds(match):
    assert dir(match) == sorted(public.MATCH)
    assert dir(match.ruleset) == sorted(public.RULESET)
    assert dir(match.decision) == sorted(public.DECISION)


def test_everything_public_is_documented():
    for name in patolli.__all__:
        if not name.startswith("_"):
            assert getattr(patolli, name).__doc__, name


# ---- copies and pickles


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_copies_go_on_alike_and_alone(match, way):
    other = way(match)

    assert other == match
    assert (other.choices, other.log, other.told(1)) == (match.choices, match.log, match.told(1))
    before = match.digest()
    other.choose(0)
    assert match.digest() == before
    match.choose(0)
    assert (other.digest(), other.log, other.view(0)) == (match.digest(), match.log, match.view(0))
    assert (other.telling(1), other.score_sheet()) == (match.telling(1), match.score_sheet())


def test_equal_matches_have_the_same_case(rules):
    match = rules.start(2, 7)

    assert match == rules.start(2, 7, names=["Anna", "Ben"])
    assert match != rules.start(2, 8)
    assert match != rules.start(2, 7, narrate=True)
    assert match != patolli.load("city_of_gods", options={}).start(2, 7)


def test_a_pickle_can_be_undone_and_imagined(match):
    other = pickle.loads(pickle.dumps(match))

    assert other.determinize(1, 5).view(1) == match.determinize(1, 5).view(1)
    assert other.undo() == match.undo()
    assert other.digest() == match.digest()


def test_a_pickled_world_keeps_what_its_seat_knows():
    match = patolli.load(str(ROOT / "tests" / "data" / "hunt")).start(3, 4)
    for _ in range(8):
        match.choose(0)
    world = match.determinize(1, 5)
    other = pickle.loads(pickle.dumps(world))

    assert other.digest() == world.digest()
    assert other.determinize(1, 9).digest() == world.determinize(1, 9).digest()


def test_a_pickle_of_a_save_that_was_changed_keeps_the_doubt(rules, match):
    other = pickle.loads(pickle.dumps(rules.restore(match.to_json())))
    saved = json.loads(match.to_json())
    changed = rules.restore(json.dumps(add_checksums({**saved, "choices": [1, *saved["choices"][1:]]})))

    assert other.doubt is not None
    assert not other.doubt()
    assert pickle.loads(pickle.dumps(changed)).doubt()


@pytest.mark.deep
def test_a_pickle_is_read_in_another_process(match, tmp_path):
    (tmp_path / "match.pickle").write_bytes(pickle.dumps([match, match.clone()]))
    code = (
        "import pickle, pathlib, sys\n"
        "one, two = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "assert one.ruleset is two.ruleset\n"
        "one.choose(0)\n"
        "print(one.digest())"
    )
    program = [sys.executable, "-c", code, str(tmp_path / "match.pickle")]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    match.choose(0)

    assert done.stdout.strip() == match.digest()


def test_a_pickle_of_other_content_says_what_changed(tmp_path, monkeypatch):
    pack = tmp_path / "tic_tac_toe"
    shutil.copytree(ROOT / "content" / "tic_tac_toe", pack)
    data = pickle.dumps(patolli.load(pack).start(2, 1))
    monkeypatch.setattr(inspection, "_LIVE", {})
    assert pickle.loads(data).decision is not None
    rules = pack / "rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("gain 1 point", "gain 2 point"), "utf-8")
    monkeypatch.setattr(inspection, "_LIVE", {})

    with pytest.raises(patolli.SaveError, match=r"changed since the pickle: tic_tac_toe/rules\.yaml"):
        pickle.loads(data)
    rules.write_text("document: nonsense\n", "utf-8")
    with pytest.raises(patolli.SaveError, match="cannot be loaded"):
        pickle.loads(data)


# ---- how things show themselves


def test_what_a_match_says_of_itself(match):
    assert re.fullmatch(r"<Match of .+, 2 players, seed 7: after 9 choices [Pp]layer [12] decides: .+>", repr(match))
    begun = patolli.load("tic_tac_toe").start(2, 1, names=["Ann", "Ben"])
    begun.choose("b2")
    assert repr(begun) == "<Match of Tic-tac-toe, 2 players, seed 1: after 1 choice Ben decides: Which cell?>"
    over = patolli.playout(patolli.load("tic_tac_toe"), 2, 1)
    assert re.fullmatch(r"<Match of Tic-tac-toe, 2 players, seed 1: over after \d choices>", repr(over))
    assert repr(over.ruleset) == "<Ruleset tic_tac_toe>"


class _Tags(HTMLParser):
    """Looks whether every tag is closed, and collects the texts."""

    def __init__(self):
        super().__init__()
        self.open, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.mark.deep
@pytest.mark.parametrize("pack", ["city_of_gods", "founders", "tic_tac_toe"])
def test_a_notebook_shows_a_match(pack):
    rules = patolli.load(pack)
    match = rules.start(2, 3)
    while match.decision is not None:
        reader = _Tags()
        reader.feed(match._repr_html_())
        assert not reader.open
        assert match.decision.prompt in " ".join(reader.texts)
        assert len(match._repr_html_()) < 8_000
        for _ in range(15):
            if match.decision is not None:
                match.choose(len(match.decision.options) - 1)
    assert "won by" in match._repr_html_()


def test_what_a_simulation_says_of_itself():
    """A simulation has thousands of games; they are not printed when it stands at the end of a cell."""
    report = patolli.simulate(patolli.load("patolli"), patolli.Plan(2, 30, 1))

    one, two = report.wins
    words = f"<Report of Patolli, 2 players, 30 games, seed 1, stake=6: 30 of 30 games finished; wins: random {one}, random {two}>"
    assert repr(report) == words


def test_a_notebook_shows_a_simulation():
    rules = patolli.load("patolli")
    report = patolli.simulate(rules, patolli.Plan(2, 12, 1, ["greedy", "random"]))
    reader = _Tags()
    reader.feed(report._repr_html_())

    assert not reader.open
    cells = [text for text in reader.texts if text.strip()]
    one, two = report.scores
    assert cells[1:9] == ["seat", "bot", "mean", "sd", "min", "max", "wins", "share"]
    share = f"{100 * report.wins[0] / 12:.1f}%"
    assert cells[9:17] == [
        "1", "greedy", f"{one.mean:.2f}", f"{one.sd:.2f}", str(one.min), str(one.max), str(report.wins[0]), share,
    ]  # fmt: skip
    assert cells[17:20] == ["2", "random", f"{two.mean:.2f}"]
    assert "12 of 12 games finished" in cells
    given_up = patolli.simulate(rules, patolli.Plan(2, 1, 1, limit=1))._repr_html_()
    assert "<td>-</td>" in given_up
    assert "0 of 1 games finished" in given_up


def test_a_notebook_shows_no_markup_of_others():
    match = patolli.load("tic_tac_toe").start(2, 1, names=["<b>Ann</b>", "B&B"])
    page = match._repr_html_()

    assert "&lt;b&gt;Ann&lt;/b&gt;" in page
    assert "B&amp;B" in page
    assert "<b>Ann" not in page


def test_a_notebook_shows_no_bookkeeping(match):
    quiet = [one for one in match.program.layout.model.counters.values() if not one.told]

    assert quiet
    assert not any(one.text and f"<td>{one.text}</td>" in match._repr_html_() for one in quiet)


def test_a_notebook_shows_what_the_player_may_see():
    match = patolli.load(str(ROOT / "tests" / "data" / "hunt")).start(3, 4)
    for name, (base, _) in match.program.layout.counters.items():
        if match.program.layout.model.counters[name].visible == "owner":
            match.state[base + (match.decision.player + 1) % 3] = 7777

    assert "7777" not in match._repr_html_()
    assert "<td>?</td>" in match._repr_html_()


# ---- wrong types

TYPES = {
    "a text for modules": (lambda rules: patolli.load("city_of_gods", modules="solo"), "modules come as a list"),
    "a number for modules": (lambda rules: patolli.load("city_of_gods", modules=3), "modules come as a list"),
    "a number in modules": (lambda rules: patolli.load("city_of_gods", modules=[3]), "each of the modules is a text"),
    "a list for options": (lambda rules: patolli.load("city_of_gods", options=["x"]), "options come as a table"),
    "a number for a pack": (lambda rules: patolli.load(3), "id or the path of its folder, not 3"),
    "a text for a seed": (lambda rules: rules.start(seed="a"), "a seed is a whole number, not 'a'"),
    "a fraction for a seed": (lambda rules: rules.start(seed=1.5), "a seed is a whole number, not 1.5"),
    "a text for players": (lambda rules: rules.start("2"), "number of players is a whole number, not '2'"),
    "truth for players": (lambda rules: rules.start(True), "number of players is a whole number, not True"),
    "no choice": (lambda rules: rules.start(2).choose(None), "a choice is an Option .* not None"),
    "truth as a choice": (lambda rules: rules.start(2).choose(True), "a choice is an Option .* not True"),
    "a list as a choice": (lambda rules: rules.start(2).choose([1]), "a choice is an Option"),
    "no save": (lambda rules: rules.restore(None), "a save is the text"),
    "a path for a save": (lambda rules: rules.restore(Path("x")), "a save is the text"),
    "texts in a replay": (lambda rules: rules.replay(2, 1, ["a"]), "a choice is a whole number, not 'a'"),
    "a text for games": (lambda rules: patolli.Plan(2, "9"), "the number of games is a whole number"),
    "a text for a plan": (lambda rules: patolli.simulate(rules, "2"), "the second argument must be a Plan, not '2'"),
    "a pack for rules": (lambda rules: patolli.simulate("city", patolli.Plan(2, 1)), "a Ruleset .* not 'city'"),
    "a pack for a playout": (lambda rules: patolli.playout("city"), "a Ruleset .* not 'city'"),
    "a number for a bot": (lambda rules: patolli.playout(rules, 2, bots=3), "3 is not a kind of bot, but an int"),
    "a text for jobs": (lambda rules: patolli.simulate(rules, patolli.Plan(2, 1), "2"), "processes is a whole number"),
    "a fraction for jobs": (lambda rules: patolli.simulate(rules, patolli.Plan(2, 1), 2.5), "whole number, not 2.5"),
    "nothing for a rule": (lambda rules: rules.start(2).call(None), "a rule is named by a text, not None"),
    "a text for an argument": (
        lambda _: patolli.load("patolli").start(2).call("go", 0, "x"),
        "an argument is a whole number",
    ),
    "a text for a seat": (lambda rules: rules.start(2).view("x"), "a seat is a whole number, not 'x'"),
    "a text for the seat of a log": (lambda rules: rules.start(2).told("x"), "a seat is a whole number, not 'x'"),
    "a text for whose score": (lambda rules: rules.start(2).score("a"), "a seat is a whole number, not 'a'"),
    "truth for a seat": (lambda rules: rules.start(2).score(True), "a seat is a whole number, not True"),
    "a text for who imagines": (lambda rules: rules.start(2).determinize("a", 1), "a seat is a whole number, not 'a'"),
    "a text for another seed": (lambda rules: rules.start(2).determinize(0, "a"), "a seed is a whole number, not 'a'"),
    "a text for names": (lambda rules: rules.start(2, names="AB"), "a list of texts, not 'AB'"),
    "a number for names": (lambda rules: rules.start(2, names=3), "a list of texts, not 3"),
    "a number in names": (lambda rules: rules.start(2, names=[3]), r"a list of texts, not \[3\]"),
    "a number for a reason": (lambda rules: rules.start(2).why(3), "asked about by its label, not 3"),
}


@pytest.mark.parametrize("name", TYPES)
def test_wrong_types_are_reported(rules, name):
    call, words = TYPES[name]

    with pytest.raises(TypeError, match=words):
        call(rules)


VALUES = {
    "no jobs": (lambda rules: patolli.simulate(rules, patolli.Plan(2, 1), 0), "processes must be at least 1, not 0"),
    "jobs below none": (lambda rules: patolli.simulate(rules, patolli.Plan(2, 1), -1), "at least 1, not -1"),
    "no rule": (lambda rules: rules.start(2).call("nope"), "there is no rule 'nope'"),
    "nearly a rule": (
        lambda rules: rules.start(2).call("captures"),
        "there is no rule 'captures'; did you mean 'capture'",
    ),
    "too few arguments": (lambda rules: rules.start(2).call("go"), "'go' takes 1 argument, not 0"),
    "too many arguments": (lambda rules: rules.start(2).call("turn", 0, 1), "'turn' takes 0 arguments, not 1"),
}


@pytest.mark.parametrize("name", VALUES)
def test_wrong_values_are_reported(name):
    call, words = VALUES[name]

    with pytest.raises(ValueError, match=words):
        call(patolli.load("patolli"))


def test_nothing_is_picked_at_the_end():
    match = patolli.playout(patolli.load("tic_tac_toe"), 2, 1)
    choices = match.choices[:]

    for answer in (match.pick, match.choose):
        with pytest.raises(ValueError, match="the match is over"):
            answer(0)
    assert match.choices == choices


LONG = 10**5000
SEEDS = {
    "start": lambda rules, seed: rules.start(2, seed),
    "replay": lambda rules, seed: rules.replay(2, seed, []),
    "playout": lambda rules, seed: patolli.playout(rules, 2, seed, "greedy", limit=1),
    "a plan": lambda rules, seed: patolli.simulate(rules, patolli.Plan(2, 1, seed, limit=1)),
    "a world": lambda rules, seed: rules.start(2, 1).determinize(0, seed),
}


@pytest.mark.parametrize("name", SEEDS)
def test_seeds_have_an_end(rules, name):
    """Python makes no text of a number with some thousand digits, and draws are made of the text of the seed."""
    for seed in (LONG, -LONG, 10**1000):
        with pytest.raises(ValueError, match="a seed has 1000 digits at most"):
            SEEDS[name](rules, seed)
    assert SEEDS[name](rules, 1 - 10**1000)


def test_a_save_with_an_endless_seed_is_refused(rules):
    saved = json.loads(rules.start(2, 1).to_json())
    state = [saved["state"][0], 10**1000, *saved["state"][2:]]

    for wrong in ({"seed": 10**1000}, {"state": state}):
        with pytest.raises(patolli.SaveError, match=r"the save is damaged: .*seed"):
            rules.restore(json.dumps(add_checksums(saved | wrong)))


def test_an_option_of_another_question_is_none_here():
    match = patolli.load("tic_tac_toe").start()
    first = match.decision.options[0]
    match.choose(first)

    with pytest.raises(ValueError, match="'a1' is an option of another question"):
        match.choose(first)


class Whole:
    """A whole number of another library."""

    def __index__(self):
        return 1


def test_whole_numbers_of_other_libraries_are_welcome(rules):
    match = rules.start(Whole().__index__() + 1, Whole())
    match.choose(Whole())

    assert match.choices == [1]
    assert match.digest() == rules.replay(2, 1, [Whole()]).digest()
