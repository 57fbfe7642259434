"""How deep rules and functions may call themselves does not depend on the engine, nor on the caller of a match."""

from __future__ import annotations

import pytest
from littlepacks import lay
from tools_by_name import tool as tool_of

from patolli import load
from patolli.kernel.budget import DEEPEST, meter
from patolli.run.runtime import MatchError, Ruleset

MODEL = "counters:\n  point: {per: player, noun: [point, points]}\ntable:\n  left: int = 0\n"
ASK = 'rules:\n  match: |\n    choose n in 0..600 "How deep?"\n    '
FORMS = {
    "function": "gain down(n) point\nfunctions:\n  down(int n): {is: 0 if n < 1 else down(n - 1) + 1, type: int}\n",
    "functions that call each other": (
        "gain down(n) point\nfunctions:\n  down(int n): {is: 0 if n < 1 else below(n - 1) + 1, type: int}\n"
        "  below(int n): {is: 0 if n < 1 else down(n - 1) + 1, type: int}\n"
    ),
    "function in a loop": (
        "gain down(n) point\nfunctions:\n"
        "  down(int n): {is: 'sum(down(n - 1) + k for k in 1..1 where n > 0)', type: int}\n"
    ),
    "function in many loops": (
        "if down(n): gain n point\nfunctions:\n  down(int n):\n    type: bool\n"
        "    is: n < 1 or any(a in 1..1 where count(b in 1..1 where all(down(n - 1) for c in 1..1)) == a)\n"
    ),
    "function of a list": (
        "gain sum(down(n)) point\nfunctions:\n"
        "  down(int n): {is: '[0] if n < 1 else [k + 1 for k in down(n - 1)]', type: list of int}\n"
    ),
    "rule": "down(n)\n  down(int n): |\n    stop if n < 1\n    gain 1 point\n    down(n - 1)\n",
    "rule that returns a value": (
        "let v = down(n)\n    gain v point\n  down(int n): |\n    if n < 1: return 0\n    let v = down(n - 1)\n    return v + 1\n"
    ),
    "rules that ask about each other": (
        "if can(down(n)): gain n point\n"
        "  down(int n): |\n    require point == 0 if n < 1 else can(down(n - 1))\n    gain 1 point\n"
    ),
    "rule that looks ahead": (
        "if after(down(n), point) > 0: gain n point\n"
        "  down(int n): |\n    gain 1 point\n    if n > 0 and after(down(n - 1), point) > 0: gain 1 point\n"
    ),
    "effect of a piece": (
        "set left to n\n    do one.gift\n  again(): |\n    stop if left < 1\n    set left to left - 1\n    gain 1 point\n    do one.gift\n"
    ),
    "formula": (
        "set left to n\n    gain one.worth point\nfunctions:\n"
        "  steps(int n): {is: 0 if n < 1 else other_steps(n - 1) + 1, type: int}\n"
        "  other_steps(int n): {is: 0 if n < 1 else two.worth * 0 + steps(n - 1) + 1, type: int}\n"
    ),
}
"""By name: what happens with the chosen number, and what else the document of rules has."""
PIECES = {
    "effect of a piece": ("gift: effect", "one: {gift: again()}"),
    "formula": ("worth: formula", "one: {worth: steps(left)}\n  two: {worth: 1}"),
}
"""The facts of cards, and cards, where there are some."""


def write(name: str, folder) -> str:
    """Write a pack in whose only choice a number says how deep something calls itself."""
    facts, cards = PIECES.get(name, ("", ""))
    more = {"p": f"document: pieces\nkind: card\npieces:\n  {cards}\n"} if facts else {}
    kinds = f"kinds:\n  card: {{facts: {{{facts}}}}}\n" if facts else ""
    return lay(folder, MODEL + kinds, f"{ASK}{FORMS[name]}result: {{score: point}}\n", **more)


def score(rules: Ruleset, number: int, narrate: bool = False) -> int | str:
    """Return the score of who chooses a number, or the code with which the match fails."""
    match = rules.start(2, 1, narrate=narrate)
    try:
        match.choose(str(number))
    except MatchError as error:
        return str(error.code)
    return max(match.scores)


def called_deep(frames: int, rules: Ruleset, number: int) -> int | str:
    """Return the same, called from far down Python's stack."""
    return score(rules, number) if frames < 1 else called_deep(frames - 1, rules, number)


@pytest.mark.parametrize("name", FORMS)
def test_limit_is_the_same_whoever_calls(name, tmp_path):
    rules = load(write(name, tmp_path))
    least, most = 0, 600
    assert (score(rules, least), score(rules, most)) == (0, "P0803")
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (middle, most) if score(rules, middle) == middle else (least, middle)

    each = 2 if name == "effect of a piece" else 1  # it and the rule that carries it out are two calls
    assert DEEPEST - 3 <= least * each <= DEEPEST
    for number, expected in ((least, least), (most, "P0803")):
        assert score(rules, number, narrate=True) == expected
        assert called_deep(700, rules, number) == expected
    assert meter.depth == [0]


@pytest.mark.parametrize("name", FORMS)
def test_engines_agree(name, tmp_path):
    pytest.importorskip("wasmtime", reason="the extra native is not installed")
    found = tool_of("native").compared(load(write(name, tmp_path)), 2, range(12), steps=1)

    assert found.fine, str(found)
    assert found.faults, "some of these matches are too deep"


def test_error_names_the_line(tmp_path):
    match = load(write("function", tmp_path)).start(2, 1)
    with pytest.raises(MatchError, match="more than 400 deep") as caught:
        match.choose("600")

    assert caught.value.stack[-1][1:] == (7, "down")


def test_end_of_the_match_leaves_nothing_counted(tmp_path):
    """A look ahead ends nothing but itself where its rule ends the match, however deep that happens."""
    rules = (
        "gain count(k in 0..n where after(down(300), point) >= 0) point\n"
        "  down(int n): |\n    if n < 1: end match\n    down(n - 1)\n"
    )
    ruleset = load(lay(tmp_path, MODEL, f"{ASK}{rules}result: {{score: point}}\n"))

    assert score(ruleset, 9) == 10
    assert tool_of("native").compared(ruleset, 2, range(3), steps=1).fine
