"""Faults of content during a match: told in the author's lines, and soon, whatever the content does."""

from __future__ import annotations

import ast
import time
import traceback
from pathlib import Path

import pytest
from busy import within
from packmaker import loaded, problems, spliced, trigger
from tiers import few

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.workspace import load
from patolli.run.runtime import Match, MatchError, Ruleset

SECONDS = 10  # of processor time, on a usual machine


def play(rules: Ruleset) -> None:
    """Take the first option again and again."""
    match = rules.start(2, 1)
    for _ in range(1500):
        match.pick(0)


def fault_of(folder: Path, example: str) -> MatchError:
    """Play the sample pack with an example whose trigger follows the set-up, until it fails."""
    match_rules = loaded(folder, example)
    started = time.process_time()
    with pytest.raises(MatchError) as caught:
        play(match_rules)
    assert time.process_time() - started < within(SECONDS)
    return caught.value


def test_stack_names_the_authors_lines_and_rules(tmp_path):
    example = trigger("as player_1: first(3)", "setup") + (
        "rules:\n"
        "  first(int n): |\n"
        "    gain 1 coin\n"
        "    second(n)\n"
        "  second(int n): gain size([x in 1..n * 3000000]) coin\n"
    )  # fmt: skip
    error = fault_of(tmp_path, example)
    calls = [(Path(path).name, line, rule) for path, line, rule in error.stack]

    assert calls[-3:] == [
        ("example.yaml", 6, "tested"),
        ("example.yaml", 10, "first"),
        ("example.yaml", 11, "second"),
    ]
    assert error.reason == "a range of 9000000 numbers is too long"
    lines = error.text().splitlines()
    assert lines[0] == "the rules could not go on:"
    assert lines[-1] == f"error[P0804]: {error.reason}"
    assert "    second(n)" in lines
    assert any(line.endswith("example.yaml:11: in second") for line in lines)


def test_python_traceback_shows_the_yaml_line(tmp_path):
    error = fault_of(
        tmp_path,
        trigger(
            "gain 1 coin for player_1\ngain size([x in 1..9000000]) coin for player_1",
            "setup",
        ),
    )
    cause = error.__cause__
    assert cause is not None
    places = [(Path(frame.f_code.co_filename).name, line) for frame, line in traceback.walk_tb(cause.__traceback__)]

    assert [place for place in places if place[0] == "example.yaml"][-1] == ("example.yaml", 7)


def fails(folder: Path, effect: str, reason: str) -> bool:
    """Return whether an effect that a scenario calls, without proofs, is a fault with this reason."""
    lines = "".join(f"      {line}\n" for line in effect.splitlines())
    text = f"document: scenarios\nscenarios:\n  tried:\n    call: |\n{lines}    fails: {reason!r}\n"
    pack, _ = spliced(folder, f"# scenarios.yaml\n{text}")
    (outcome,) = run_scenarios(Plan((pack,))).outcomes
    return outcome.is_passed


IMPOSSIBLE = [
    ("gain ladder[coin(player_1) + 9] coin for player_1", "P0415", "there is no item"),
    ("gain 1 div (coin(player_1) - coin(player_1)) coin for player_1", "P0414", "divided by 0"),
    ("gain 1 mod (coin(player_1) - coin(player_1)) coin for player_1", "P0414", "divided by 0"),
    ("if not throne: move plain_1 to throne\nmove plain_2 to throne", "P0416", "the spot is taken"),
]


@pytest.mark.parametrize(("effect", "code", "reason"), IMPOSSIBLE)
def test_impossible_effect_is_refused(tmp_path, effect, code, reason):
    assert [p.code for p in problems(tmp_path, trigger(effect, "setup"))] == [code]


@pytest.mark.parametrize(("effect", "code", "reason"), IMPOSSIBLE)
def test_impossible_effect_is_a_fault_where_nothing_is_proven(tmp_path, effect, code, reason):
    assert fails(tmp_path, effect, reason)


GROW = "rules:\n  grow(int n): |\n    gain 1 coin\n    if coin > 0: grow(n + 1)\n"
ASK = 'rules:\n  grow(int n): |\n    gain 1 coin\n    may "a": gain 1 coin\n    if coin > 0: grow(n + 1)\n'
PING = (
    "rules:\n  ping: |\n    gain 1 coin\n    if coin > 0: pong()\n  pong: |\n    gain 1 coin\n    if coin > 0: ping()\n"
)
DEEP = "functions:\n  deep(int n): {is: 0 if n < 0 else deep(n + 1) + 1, type: int}\n"
WIDE = "functions:\n  wide(int n): {is: 1 if n < 1 else wide(n - 1) + wide(n - 1), type: int}\n"


@pytest.mark.parametrize(
    "example",
    few(
        [
            pytest.param(trigger("as player_1: grow(1)", "setup") + GROW, id="rule that calls itself"),
            pytest.param(trigger("as player_1: grow(1)", "setup") + ASK, id="asking rule that calls itself"),
            pytest.param(trigger("as player_1: ping()", "setup") + PING, id="two rules that call each other"),
            pytest.param(trigger("let v = deep(1)\ngain v coin for player_1", "setup") + DEEP, id="deep function"),
            pytest.param(trigger("let v = wide(60)\ngain v coin for player_1", "setup") + WIDE, id="wide function"),
            pytest.param(
                trigger("loop:\n  gain 1 coin for player_1\n  if coin(player_1) < 0: break", "setup"), id="loop"
            ),
            pytest.param(
                trigger("repeat 999999999 * coin(player_1) times: gain 1 coin for player_1", "setup"), id="repeat"
            ),
            pytest.param(
                trigger("for k in 1..999999999 * coin(player_1): gain 1 coin for player_1", "setup"), id="endless range"
            ),
            pytest.param(
                trigger("for k in coin(player_1)..9999999 * coin(player_1): gain 1 coin for player_1", "setup"),
                id="computed range",
            ),
            pytest.param(
                trigger("repeat 9000 times:\n  for k in 1..9000 where k > 0: gain 1 coin for player_1", "setup"),
                id="loops in loops",
            ),
            pytest.param(
                trigger("for a in 1..9000, b in 1..9000 where a + b > 0: gain 1 coin for player_1", "setup"),
                id="two binders",
            ),
            pytest.param(
                trigger(
                    "let v = count(a + b for a in 1..9000, b in 1..9000 where a != b)\ngain v coin for player_1",
                    "setup",
                ),
                id="quantifier",
            ),
            pytest.param(
                trigger("let v = 9\nrepeat 90 times: set v to v * v\ngain v coin for player_1", "setup"),
                id="huge number",
            ),
        ],
        0,
        3,
        6,
        9,
        12,
    ),
)
def test_hostile_content_ends_in_a_fault_soon(tmp_path, example):
    error = fault_of(tmp_path, example)

    assert error.reason
    assert any(path.endswith("example.yaml") for path, _, _ in error.stack)
    assert len(error.text().splitlines()) < 50


ONE = "player_1"
GROWTH = [
    pytest.param("set point({0}) to point({0}) + point({0}) + 1", id="counter added to itself"),
    pytest.param("set point({0}) to 1000 * (point({0}) + 1)", id="counter times a constant"),
    pytest.param("gain point({0}) + 1 point for {0}", id="gain of as many as there are"),
    pytest.param("lose 0 - point({0}) - 1 point for {0}", id="loss of less than nothing"),
    pytest.param("for c in money: gain point({0}) + 1 c for {0}", id="gain of a counter in a list"),
    pytest.param("set v to v + v", id="variable"),
    pytest.param("set v to 0 - v - v", id="variable with changing sign"),
    pytest.param("set v to sum(v for k in 1..9)", id="sum"),
    pytest.param("set v to twice(v)", id="function"),
    pytest.param("let w = v + v; set v to w", id="variable by way of another"),
    pytest.param("let w = rule_twice(v); set v to w", id="value of a rule"),
    pytest.param("for w in {{v + v}}: set v to w", id="variable of a loop"),
    pytest.param("set v to [v + v for k in 1..2][1]", id="item of a list"),
    pytest.param("set v to v + v if v > 0 else 1", id="one branch"),
    pytest.param("set v to max(v + v, 1)", id="larger one of two"),
    pytest.param("set jar_1.level to jar_1.level + jar_1.level + 1", id="field of a piece"),
]
MORE = (
    "functions:\n  twice(int n): n + n\nrules:\n  rule_twice(int n): return n + n\n"
    "# model2.yaml\ndocument: model\ngroups:\n  money: [point]\nkinds:\n  jar: {fields: {level: int = 1}}\n"
    "# jars.yaml\ndocument: pieces\nkind: jar\npieces:\n  jar_1: {}\n"
)


@pytest.mark.parametrize("step", GROWTH)
def test_number_that_doubles_is_a_fault_before_it_fills_the_memory(tmp_path, step):
    """A thousand passes would be a number of a thousand binary digits, ten million one that fills the memory."""
    effect = f"let v = 1\nrepeat 200 times:\n  {step.format(ONE)}\nif v < 0: gain 1 coin for {ONE}"
    error = fault_of(tmp_path, trigger(effect, "setup") + MORE)

    assert error.reason == "a number grew too large"
    assert [(Path(path).name, line) for path, line, _ in error.stack][-1] == ("example.yaml", 8)


OUTSIDE = [
    ("plain_1.charge + 6", "'charge' goes from 1 to 6, and would be 7"),
    ("plain_1.charge - 1", "'charge' goes from 1 to 6, and would be 0"),
    ("(coin(player_1) + 1) * 9000000000", "'charge' goes from 1 to 6, and would be"),
]


@pytest.mark.parametrize("value", [*(value for value, _ in OUTSIDE), "3 + 2 + 2"])
def test_number_outside_the_range_of_its_field_is_refused(tmp_path, value):
    found = problems(tmp_path, trigger(f"gain 1 coin for player_1\nset plain_1.charge to {value}", "setup"))

    assert [(p.code, p.span.line) for p in found] == [("P0417", 7)]


@pytest.mark.parametrize(("value", "reason"), OUTSIDE)
def test_number_outside_the_range_of_its_field_is_a_fault_where_nothing_is_proven(tmp_path, value, reason):
    assert fails(tmp_path, f"set plain_1.charge to {value}", reason)


def test_number_inside_the_range_of_its_field(tmp_path):
    effect = "if plain_1.charge == 1: set plain_1.charge to plain_1.charge + 5"

    assert loaded(tmp_path, trigger(effect, "setup")).start(2, 1).decision


def test_number_that_doubles_from_question_to_question_is_a_fault(tmp_path):
    match = loaded(tmp_path, trigger("gain point + 1 point")).start(2, 1)
    repeatedly(match, 40)
    with pytest.raises(MatchError, match="a number grew too large"):
        repeatedly(match, 20)


def repeatedly(match: Match, times: int) -> None:
    """Earn again and again."""
    for _ in range(times):
        match.call("earn", 0, 1)


def test_number_that_grows_by_a_constant_is_no_fault(tmp_path):
    effect = "let v = 0\nrepeat 90000 times:\n  set v to v + 1000000\ngain v point for player_1"
    match = loaded(tmp_path, trigger(effect, "setup")).start(2, 1)
    while (
        match.pending is not None
        and max(match.state[4:], key=lambda x: x if isinstance(x, int) else 0) < 90_000_000_000
    ):
        match.pick(0)

    assert 90_000_000_000 in [x for x in match.state if isinstance(x, int)]


def test_mix_with_too_many_ways_is_a_fault(tmp_path):
    error = fault_of(tmp_path, trigger("as player_1: gain 1000000000 any good", "setup"))

    assert error.reason == "there are more than 2000 ways to gain this"


HOSTILE = [
    "__import__",
    "x): pass\nimport os\ndef y(",
    "a.b",
    "lambda",
    "s",
    "f",
    "budget",
    "__builtins__",
    "eval",
    "tick",
    "SPENDS",
    "K_card",
    "v_me",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_id_becomes_code(tmp_path, name):
    """An id is refused, or it is a name like any other and the pack plays as it should."""
    import json

    quoted = json.dumps(name)
    example = (
        f"# model2.yaml\ndocument: model\ncounters:\n  {quoted}: {{per: player}}\nconstants:\n  c_{name if name.isidentifier() else 'x'}: "
        f"{{type: int, value: 3}}\n# rules2.yaml\ndocument: rules\nrules:\n  {json.dumps(name + '_rule(int n)')}: gain n coin\n"
    )
    found = problems(tmp_path, example)
    if found:
        assert {p.code for p in found} <= {"P0057", "P0203", "P0102"}
        return
    match = load(str(tmp_path / "sample")).start(2, 1)
    while match.pending is not None:
        match.pick(0)
    assert match.over


def test_variables_named_like_helpers_of_the_compiler_do_not_clash(tmp_path):
    names = [
        "s",
        "f",
        "o",
        "ast",
        "len",
        "list",
        "tuple",
        "tick",
        "span",
        "say",
        "draw_one",
        "min_",
        "v_s",
        "r1",
        "b7",
        "w1",
        "money",
    ]
    lines = [f"let {name} = coin + {i}" for i, name in enumerate(names)]
    lines += [f"for x{i} in 1..2: set {name} to {name} + x{i}" for i, name in enumerate(names)]
    lines += [f"if {' + '.join(names)} < 0: gain 1 coin", 'may "gain": gain 1 coin']
    rules = loaded(tmp_path, trigger("\n".join(lines)))
    match = rules.start(2, 1)
    for _ in range(30):
        if match.pending is not None:
            match.pick(len(match.pending) - 1)


@pytest.mark.deep
def test_generated_code_is_built_from_trees_only():
    """No room hands text to ``eval``, ``exec`` or ``compile``."""
    import patolli

    for path in Path(patolli.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
                first = node.args[0]
                assert isinstance(first, ast.Call | ast.Name), path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "compile":
                assert not isinstance(node.args[0], ast.Constant | ast.JoinedStr), path


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("1" + " + 1" * 8000, id="chain"),
        pytest.param("not " * 3000 + "true", id="not"),
        pytest.param("-" * 3000 + "1", id="minus"),
        pytest.param("(" * 3000 + "1" + ")" * 3000, id="brackets"),
        pytest.param("ladder" + "[0]" * 3000, id="items"),
        pytest.param("1 if true else " * 3000 + "1", id="if else"),
        pytest.param("abs(" * 3000 + "1" + ")" * 3000, id="calls"),
        pytest.param(" and ".join(["true"] * 110), id="and, as long as it may be"),
        pytest.param("1" + " + 1" * 110, id="sum, as long as it may be"),
        pytest.param("1 if true else " * 110 + "1", id="if else, as long as it may be"),
        pytest.param("9" * 5000, id="digits"),
    ],
)
def test_deep_texts_are_checked_without_a_fault(tmp_path, text):
    started = time.process_time()
    found = problems(tmp_path, trigger(f"let v = {text}"))

    assert time.process_time() - started < within(SECONDS)
    found = [p for p in found if p.code != "P0461"]
    assert {p.code for p in found} <= {"P0101"}
    if not found:
        loaded(tmp_path, "").start(2, 1)


def test_deep_blocks_are_checked_without_a_fault(tmp_path):
    text = "".join("  " * i + "if coin > 3:\n" for i in range(90)) + "  " * 90 + "nothing"
    found = problems(tmp_path, trigger(text))

    assert {p.code for p in found} <= {"P0101"}


@pytest.mark.parametrize(
    "aid",
    [
        pytest.param("discounts:\n  d: {on: toll, less: 1 of nut, do: gain point + 1 point}\n", id="discount"),
        pytest.param("waivers:\n  w: {on: toll, of: nut, do: set point to point + point + 1}\n", id="waiver"),
    ],
)
def test_number_that_doubles_by_paying_is_a_fault(tmp_path, aid):
    """No player has a nut, so the help is the only way to pay."""
    match = loaded(tmp_path, f"document: rules\nrules:\n  fee: pay 1 nut as toll\n{aid}").start(2, 1)
    with pytest.raises(MatchError, match="a number grew too large"):
        pay_again_and_again(match)


def pay_again_and_again(match: Match) -> None:
    """Pay the fee."""
    for _ in range(200):
        match.call("fee", 0)


def test_price_beyond_all_numbers_is_not_offered_and_ends_soon(tmp_path):
    example = "document: rules\nrules:\n  fee(int n): pay n any good and n coin as purchase\n  try(int n): |\n    if can(fee(n)): gain 1 point\n"
    match = loaded(tmp_path, f"{example}substitutions:\n  s: {{give: 1 coin, for: up to 2 good}}\n").start(2, 1)
    base, _ = match.program.layout.counters["point"]
    before = match.state[base]
    for amount in (10**14, 10**15 - 1):
        match.call("try", 0, amount)

    assert match.state[base] == before


@pytest.mark.parametrize(
    "effect",
    [
        pytest.param("repeat 999999999 times: gain 1 coin for player_1", id="repeat"),
        pytest.param("for k in 1..coin(player_1) + 999999999: gain 1 coin for player_1", id="range"),
        pytest.param("for a in 1..9000, b in 1..9000: gain 1 coin for player_1", id="two binders"),
    ],
)
def test_what_takes_too_long_in_any_case_is_refused(tmp_path, effect):
    assert [p.code for p in problems(tmp_path, trigger(effect, "setup"))] == ["P0419"]


@pytest.mark.parametrize(
    ("example", "reason"),
    [
        (
            trigger("let v = down(9000)\ngain v coin for player_1", "setup")
            + "functions:\n  down(int n): {is: 0 if n < 1 else down(n - 1) + 1, type: int}\n",
            "more than 400 deep, or without an end",
        ),
        (
            trigger("as player_1: down(600)", "setup")
            + 'rules:\n  down(int n): |\n    if n > 0: down(n - 1)\n    may "a": gain 1 coin\n',
            "more than 400 deep, or without an end",
        ),
    ],
)
def test_calls_that_would_end_are_not_told_to_be_endless(tmp_path, example, reason):
    error = fault_of(tmp_path, example)

    assert (error.code, reason in error.reason) == ("P0803", True)
