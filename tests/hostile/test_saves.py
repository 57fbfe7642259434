"""Saves that were changed by hand are refused with a reason; they never end in a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tiers import few

import patolli
from patolli.cli import main
from patolli.run.runtime import SaveError
from patolli.run.runtime.seals import add_checksums

RULES = patolli.load("tic_tac_toe")
RING = patolli.load("patolli")
Place = tuple[str | int, ...]
"""The way to a value in the data of a save."""


def good() -> dict[str, Any]:
    match = RULES.start(2, 1)
    for choice in (4, 0, 0):
        match.pick(choice)
    return json.loads(match.to_json())


KEYS = sorted(good())
ODD = [None, -1, 10**30, 1.5, True, "x", "9" * 5_000, [], {}, [[[]]], [None], ["a"], [-1], [10**30], [True], {"a": [1]}]


def refused(text: str) -> str:
    with pytest.raises(SaveError) as caught:
        RULES.restore(text)
    return str(caught.value)


def test_save_is_restored():
    assert json.loads(RULES.restore(json.dumps(good())).to_json()) == good()


@pytest.mark.parametrize(
    "key",
    few(
        KEYS,
        0,
        8,
        16,
        24,
        32,
        40,
        48,
        56,
        64,
        72,
        80,
        88,
        96,
        104,
        112,
        120,
        128,
        136,
        144,
        152,
        160,
        168,
        176,
        184,
        192,
        200,
    ),
)
def test_other_value(subtests, tmp_path, key):
    """What is not refused is a match that goes on: the seed may be any number, the log any words."""
    file = tmp_path / "save.json"
    for value in ODD:
        with subtests.test(str(value)[:20]):
            data = {**good(), key: value}
            file.write_text(json.dumps(data if key == "sums" else add_checksums(data)), "utf-8")

            ran = CliRunner().invoke(main, ["replay", str(file)])

            assert ran.exit_code in (0, 2), ran.output
            assert ran.exit_code == 0 or isinstance(ran.exception, SystemExit)


@pytest.mark.parametrize("key", KEYS)
def test_missing_value(key):
    data = good()
    del data[key]
    assert refused(json.dumps(data))
    text = json.dumps(add_checksums(data))
    if key in ("modules", "options", "files", "log", "sums", "entries", "versions"):
        RULES.restore(text)
    else:
        assert refused(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "this is not a save", id="empty"),
        pytest.param("[]", "not a save of this program", id="list"),
        pytest.param("NaN", "not a save of this program", id="no number"),
        pytest.param("[" * 200_000, "nested too deeply", id="lists in lists"),
        pytest.param('{"a":' * 100_000, "nested too deeply", id="mappings in mappings"),
        pytest.param("1" * 10_000, "a number is too long", id="long number"),
    ],
)
def test_text_that_is_no_save(text, reason):
    assert reason in refused(text)


@pytest.mark.parametrize(
    ("slot", "value"),
    [(0, [[10**6, 0]]), (0, [["x"]]), (0, [[]]), (0, "x"), (3, {"a": "b"}), (3, []), (4, []), (4, "x"), (-1, 1.5)],
)
def test_damaged_state(slot, value):
    data = good()
    data["state"][slot] = value
    assert "the save is damaged" in refused(json.dumps(add_checksums(data)))


@pytest.fixture(scope="module")
def saves() -> list[dict[str, Any]]:
    """Saves of one ruleset after some choices each; those of two matches, with one number of choices."""
    found = []
    for seed in (1, 2):
        match, draw = RING.start(2, seed, narrate=True, names=["Anna"]), Random(seed)
        for _ in range(30):
            match.pick(draw.randrange(len(match.pending)))
        found.append(json.loads(match.to_json()))
    return found


def test_sums_do_not_depend_on_how_a_file_is_laid_out(saves):
    """A program that lays JSON out in lines, or sorts its keys, changes nothing of a match."""
    for data in saves:
        text = json.dumps(data, indent=2, sort_keys=True)
        assert json.loads(RING.restore(text).to_json()) == data


@settings(max_examples=150)
@given(draw=st.randoms(use_true_random=False))
def test_part_that_does_not_belong_to_the_others_is_named(saves, draw):
    """Whatever was edited, or taken from another match: it is reported, with the part of the save that is other."""
    data, other = copy.deepcopy(saves)
    key = draw.choice([key for key in data if key not in ("patolli", "sums")])
    if draw.random() < 0.5:
        data[key] = other[key]
    elif isinstance(data[key], int):
        data[key] += draw.choice([-1, 1])
    elif isinstance(data[key], str):
        data[key] += "x"
    elif data[key] and draw.random() < 0.5:
        data[key].pop(draw.choice([*data[key]]) if isinstance(data[key], dict) else draw.randrange(len(data[key])))
    elif isinstance(data[key], dict):
        data[key]["more"] = "x"
    else:
        data[key].append(draw.choice(data[key]) if data[key] else "x")
    if data == saves[0]:
        assert RING.restore(json.dumps(data))
        return

    with pytest.raises(SaveError, match=f"damaged: '{key}' (is not what|was changed)"):
        RING.restore(json.dumps(data))


@pytest.mark.parametrize("key", ["choices", "state", "log"])
def test_part_of_another_save_with_its_own_sum(saves, key):
    data, other = copy.deepcopy(saves)
    data[key], data["sums"][key] = other[key], other["sums"][key]

    with pytest.raises(SaveError, match="damaged: its parts are those of several saves"):
        RING.restore(json.dumps(data))


def test_save_without_a_sum_over_all_is_an_older_one(saves):
    data = copy.deepcopy(saves[0])
    del data["sums"]["together"]

    assert RING.restore(json.dumps(data)).choices == data["choices"]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        pytest.param({"seed": 2}, "'seed' was changed after it was written", id="another seed"),
        pytest.param({"choices": [4, 0, 1]}, "'choices' was changed after it was written", id="another choice"),
        pytest.param({"seed": 2, "choices": []}, "'seed' and 'choices' were changed after it was written", id="two"),
        pytest.param({"names": ["Ben"]}, "'names' was changed after it was written", id="something more"),
        pytest.param({"log": None}, "it has lost 'log'", id="something less"),
    ],
)
def test_seed_and_choices_that_were_edited(tmp_path, edit, reason):
    data = {key: value for key, value in {**good(), **edit}.items() if value is not None}
    assert refused(json.dumps(data)) == f"the save is damaged: {reason}"

    file = tmp_path / "save.json"  # a replay reads nothing but seed and choices
    file.write_text(json.dumps(data), "utf-8")
    ran = CliRunner().invoke(main, ["replay", str(file)])
    assert (ran.exit_code, f"the save is damaged: {reason}" in " ".join(ran.output.split())) == (2, True)


SAMPLE = patolli.load(str(Path(__file__).parents[1] / "data" / "sample"))


def played() -> tuple[patolli.Match, dict[str, Any]]:
    match = SAMPLE.start(2, 1)
    for _ in range(5):
        match.pick(0)
    return match, json.loads(match.to_json())


def put(place: str, value: object):
    """Put a value into the first slot of a counter, field or place."""

    def edit(match: patolli.Match, state: list[Any]) -> None:
        layout = match.program.layout
        slots = {**{name: base for name, (base, _) in (*layout.counters.items(), *layout.places.items())}}
        slots.update({name: base for (_, name), base in layout.fields.items()})
        state[slots[place]] = value

    return edit


def frame(at: int, value: object):
    def edit(match: patolli.Match, state: list[Any]) -> None:
        state[0][-1][at] = value

    return edit


EDITS = [
    pytest.param(put("coin", -5), "coin(player_1) is -5", id="less than there can be"),
    pytest.param(put("seed", 6), "seed(player_1) is 6", id="more than there can be"),
    pytest.param(put("coin", 10**30), f"coin(player_1) is {10**30}", id="a number beyond all numbers"),
    pytest.param(put("coin", True), "coin(player_1) is True", id="truth for a number"),
    pytest.param(put("charge", 7), "charge(plain_1) is 7", id="a field beyond its range"),
    pytest.param(put("used", 2), "used(plain_1) is 2", id="more than true"),
    pytest.param(put("owner", 2), "owner(a1) is 2", id="a player who does not play"),
    pytest.param(put("deck", [99]), "deck contains 99, which is not a card", id="a piece that is none"),
    pytest.param(put("deck", [3, 3]), "is in two places", id="a piece twice"),
    pytest.param(put("deck", []), "is not where it should be", id="pieces gone"),
    pytest.param(put("throne", 0), "is in two places", id="a piece on a spot, too"),
    pytest.param(frame(0, -1), "a rule continues at a place that does not exist", id="a block before the first"),
    pytest.param(frame(1, 2), "no player acts", id="a frame of no player"),
    pytest.param(frame(2, 99), "a rule returns to nowhere", id="a return to nowhere"),
    pytest.param(frame(2, None), "a rule continues at a place that does not exist", id="no return"),
    pytest.param(lambda match, state: state[0][-1].__delitem__(slice(3, None)), "has lost its variables", id="short"),
    pytest.param(lambda match, state: state[0][-1].append("x"), "no variable can have", id="a word in a variable"),
    pytest.param(lambda match, state: state[0][-1].append([1, [2.5]]), "no variable can have", id="a fraction"),
    pytest.param(lambda match, state: state[0].clear(), "no rule continues", id="no frames"),
    pytest.param(
        lambda match, state: state.__setitem__(2, 2), "has no next question and is not over", id="more than over"
    ),
    pytest.param(lambda match, state: state[3].update(dice=-1), "less than never", id="less than no draws"),
]


@pytest.mark.parametrize(("edit", "reason"), EDITS)
def test_edited_state_is_refused_with_what_is_wrong(edit, reason):
    match, data = played()
    assert SAMPLE.restore(json.dumps(data)) == match
    edit(match, data["state"])

    with pytest.raises(SaveError) as caught:
        SAMPLE.restore(json.dumps(add_checksums(data)))
    assert "the save is damaged" in str(caught.value)
    assert reason in str(caught.value)


PLACES = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 6)), min_size=1, max_size=3)
VALUES = st.one_of(st.integers(-3, 40), st.lists(st.integers(-1, 12), max_size=4), st.just(10**20), st.none())


@settings(max_examples=300)
@given(PLACES, VALUES, st.integers(0, 5))
def test_edited_state_never_ends_in_a_traceback(places, value, choice):
    """What is let through goes on, or is refused; a frame that is moved to another rule, whose variables look alike, is
    found out only where the match goes on.
    """
    _, data = played()
    state = data["state"]
    for slot, at in places:
        slot %= len(state)
        value = copy.deepcopy(value)
        if isinstance(state[slot], list) and state[slot]:
            inner = state[slot][at % len(state[slot])]
            if isinstance(inner, list) and inner:
                inner[at % len(inner)] = value
            else:
                state[slot][at % len(state[slot])] = value
        elif slot != 3:
            state[slot] = value
    try:
        match = SAMPLE.restore(json.dumps(add_checksums(data)))
        for _ in range(20):
            if match.decision is None:
                break
            match.choose(choice % len(match.decision.options))
            match.view(0)
        assert match.winners
    except (SaveError, patolli.MatchError):
        return


def places(data: Any, at: Place = ()) -> Iterator[Place]:
    """Yield the way to everything in the data of a save."""
    inside = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inside:
        yield (*at, key)
        yield from places(value, (*at, key))


def inside(data: Any, way: Place) -> Any:
    for key in way:
        data = data[key]
    return data


def damage(data: dict[str, Any], draw: Random) -> None:
    """Delete a value, exchange two, make one another kind of value, or repeat one."""
    ways = list(places(data))
    way, other = draw.choice(ways), draw.choice(ways)
    around, key = inside(data, way[:-1]), way[-1]
    value = around[key]
    match draw.randrange(4):
        case 0:
            del around[key]
        case 1 if way != other[: len(way)] and other != way[: len(other)]:
            beside = inside(data, other[:-1])
            around[key], beside[other[-1]] = beside[other[-1]], value
        case 2:
            around[key] = draw.choice([*copy.deepcopy(ODD), str(value), [value], {"a": value}])
        case _ if isinstance(value, list):
            value.append(copy.deepcopy(draw.choice(value)) if value else 1)
        case _ if isinstance(value, int):
            around[key] = value + draw.choice([-2, -1, 1, 2, 5])


@pytest.mark.parametrize(("key", "value"), [("versions", {"sample": 7}), ("state", 5), ("state", [])])
def test_damaged_save_of_other_content_is_refused(key, value):
    """What differs in the content is only compared where both sides can be compared."""
    _, data = played()
    data |= {"content": "another", key: value}

    with pytest.raises(SaveError, match=f"the save is damaged: '{key}' is not what it should be"):
        SAMPLE.restore(json.dumps(add_checksums(data)))


@settings(max_examples=400)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_damaged_save_is_refused_or_goes_on(draw, times):
    """The rules of a sound pack are not to blame for a save that was changed by hand, and neither is this program."""
    _, data = played()
    for _ in range(times):
        damage(data, draw)
    try:
        match = SAMPLE.restore(json.dumps(add_checksums(data)))
        for _ in range(20):
            if match.decision is None:
                break
            assert all(option.label for option in match.decision.options)
            match.choose(draw.randrange(len(match.decision.options)))
            match.view(0)
        json.loads(match.to_json())
    except SaveError:
        return


@pytest.mark.deep
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.randoms(use_true_random=False))
def test_damaged_save_ends_a_command_with_a_line(tmp_path, draw):
    data = good()
    damage(data, draw)
    file = tmp_path / "save.json"
    file.write_text(json.dumps(add_checksums(data)), "utf-8")

    ran = CliRunner().invoke(main, ["replay", str(file)])

    assert ran.exit_code in (0, 2), ran.output
    assert ran.exception is None or isinstance(ran.exception, SystemExit)


def test_frame_that_was_moved_to_another_rule_is_reported_as_a_damaged_save():
    """Nothing looks wrong until the match goes on; then the save is to blame, not the rules."""
    _, data = played()
    told = set()
    for block in range(40):
        edited = copy.deepcopy(data)
        edited["state"][0][-1][0] = block
        try:
            match = SAMPLE.restore(json.dumps(add_checksums(edited)))
            while match.decision is not None:
                match.choose(0)
        except SaveError as error:
            told.add(str(error))

    assert "the save is damaged: the match cannot go on from its state" in told


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ([99], "choice 1 is 99, but there are 9 options"),
        ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "the match is over before choice"),
    ],
)
def test_choices_that_were_never_there(choices, reason):
    with pytest.raises(SaveError, match=reason):
        RULES.replay(2, 1, choices)


def test_large_file(tmp_path, monkeypatch):
    monkeypatch.setattr("patolli.run.runtime.saves.LARGEST", 1_000)
    file = tmp_path / "save.json"
    file.write_text(" " * 1_001, "utf-8")
    ran = CliRunner().invoke(main, ["replay", str(file)])
    assert ran.exit_code == 2
    assert "more than 1,000 bytes" in ran.output
