"""Saves that somebody has changed are refused with a reason; they never end in a traceback."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner

import patolli
from patolli.cli import main
from patolli.runtime import SaveError

RULES = patolli.load("tic_tac_toe")


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


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", ODD, ids=lambda value: str(value)[:20])
def test_other_value(tmp_path, key, value):
    """What is not refused is a match that goes on: the seed may be any number, the log any words."""
    file = tmp_path / "save.json"
    file.write_text(json.dumps({**good(), key: value}), "utf-8")

    ran = CliRunner().invoke(main, ["replay", str(file)])

    assert ran.exit_code in (0, 2), ran.output
    assert ran.exit_code == 0 or isinstance(ran.exception, SystemExit)


@pytest.mark.parametrize("key", KEYS)
def test_missing_value(key):
    data = good()
    del data[key]
    text = json.dumps(data)
    if key in ("modules", "options", "files", "log"):
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
    assert "the save is damaged" in refused(json.dumps(data))


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
    monkeypatch.setattr("patolli.runtime.saves.LARGEST", 1_000)
    file = tmp_path / "save.json"
    file.write_text(" " * 1_001, "utf-8")
    ran = CliRunner().invoke(main, ["replay", str(file)])
    assert ran.exit_code == 2
    assert "more than 1,000 bytes" in ran.output
