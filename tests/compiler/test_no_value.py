"""A rule that is left without a value, although it may return one."""

from __future__ import annotations

from pathlib import Path

import pytest
from packmaker import loaded, problems

from patolli.run.runtime import Match

RULES = "document: rules\nrules:\n"
ASKS = '    may "think": gain 1 nut\n'


def sought(folder: Path, example: str) -> tuple[Match, int]:
    """Begin a match without seeds and carry out ``seek``; return it with the slot of the first player's seeds."""
    match = loaded(folder, example).start(2)
    base, _ = match.program.layout.counters["seed"]
    match.state[base] = 0
    match.call("seek")
    return match, base


@pytest.mark.parametrize("asks", ["", ASKS], ids=["plain", "asking"])
@pytest.mark.parametrize(
    ("value", "use"),
    [
        pytest.param("3", "if found <= 0 and found + 1 == 1: gain 1 seed", id="number: 0"),
        pytest.param("true", "if not found: gain 1 seed", id="truth: false"),
        pytest.param("hand(me)", "for x in found: gain 1 nut\n    if size(found) == 0: gain 1 seed", id="list: empty"),
        pytest.param("plain_1", "if not found: gain 1 seed", id="piece: none"),
        pytest.param("dark", "if found == none: gain 1 seed", id="member: none"),
        pytest.param("g", "if found == none: gain 1 seed", id="counter of a group: none"),
    ],
)
def test_stopped(tmp_path, asks, value, use):
    example = (
        f"{RULES}  look_for(good g): |\n{asks}    stop if coin >= 0\n    return {value}\n"
        f"  seek: |\n    let found = look_for(nut)\n    {use}\n# moods.yaml\ndocument: model\nenums: {{shade: [dark]}}\n"
    )
    match, base = sought(tmp_path, example)
    while asks and match.state[base] == 0 and match.decision.options[0].label == "think":
        match.pick(1)

    assert match.state[base] == 1


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        pytest.param("return plain_1", [], id="always"),
        pytest.param("if coin > 0: return plain_1\n    else: return plain_2", [], id="either way"),
        pytest.param('choose one:\n      "a": return plain_1\n      "b": return plain_2', [], id="whatever is chosen"),
        pytest.param("as next(me): return plain_1", [], id="as another player"),
        pytest.param("if coin > 0: return plain_1", ["P0303"], id="only sometimes"),
        pytest.param("stop if coin > 0\n    return plain_1", ["P0303"], id="not when it stops"),
        pytest.param('may "a": return plain_1', ["P0303"], id="not when it is declined"),
    ],
)
def test_piece_that_may_be_none(tmp_path, body, codes):
    example = f"{RULES}  find: |\n    {body}\n  seek: |\n    let found = find()\n    gain found.number seed\n"

    assert [p.code for p in problems(tmp_path, example)] == codes


@pytest.mark.parametrize("test", ["throne", "not (not throne)", "throne != none", "throne and true", "throne or false"])
def test_what_was_tested_is_still_there_when_it_is_tested_once_more(tmp_path, test):
    """Also the first piece of all, whose number is 0."""
    example = (
        f"{RULES}  seek: |\n    if not throne: move plain_1 to throne\n    let found = throne\n    stop unless throne\n"
        f"    stop unless found\n    if {test}: gain 1 seed\n    if {test.replace('throne', 'found')}: gain 1 seed\n"
    )
    match, base = sought(tmp_path, example)

    assert match.state[base] == 2
