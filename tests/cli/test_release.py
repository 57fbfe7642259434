"""``patolli pack release`` and ``patolli compat``: which version number is due, and which modules break."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from packversions import CHANGES, RULES, pack_into, write_base, write_module
from tiers import few

from patolli.author.distribution.pack_index import build_index
from patolli.author.distribution.public_names import BREAKING, FEATURE, NOTHING, REPAIR, find_due_version, judge_release
from patolli.author.workspace import load

FILES = {
    "pack": """\
document: pack
id: market
version: 1.4.2
language: 3
title: Market
players: {min: 2, max: 3}
options:
  goal: {range: [3, 9], default: 6, text: Coins that end the match.}
  start: {choices: [poor, rich], default: poor, text: How players begin.}
provides: [trading]
""",
    "model": """\
document: model
enums:
  color: [red, green]
kinds:
  stall:
    facts: {price: int, shade: color}
    fields: {used: bool = false}
counters:
  coin: {per: player, text: Coins}
  nut: {per: player, text: Nuts, noun: [nut, nuts]}
  round: {text: Rounds}
groups:
  good: [coin, nut]
places:
  street: {of: stall, type: area}
constants:
  bonus: {type: int, value: 1}
graphs:
  roads: {of: color, edges: [[red, green]]}
grids:
  cell: {rows: 2, columns: 2}
shapes:
  bar: ["##"]
table:
  sky: color = red
records:
  bid: {fields: {amount: int 1..3, shade: color}}
""",
    "pieces": """\
document: pieces
kind: stall
place: street
pieces:
  baker: {price: 1, shade: red, text: Bread.}
  smith: {price: 2, shade: green, text: Iron.}
  weaver: {copies: 2, price: 1, shade: red, text: Cloth.}
""",
    "rules": """\
document: rules
functions:
  worth(stall): stall.price + bonus
rules:
  match: |
    if start == rich: gain 1 coin
    gain 1 round
    loop:
      turn()
      if coin >= goal: end match
      pass to next(me)
  turn:
    text: Choose a stall.
    steps:
      earn: |
        choose stall in street "Which stall?"
        otherwise: stop
        set stall.used to true
        take(stall)
      spend: |
        choose one "Spend?":
          "toll" when coin >= 1: pay 1 coin as toll
          "nothing": gain 1 nut
  take(stall): gain worth(stall) coin
result:
  score: coin
""",
}
RULE = "  take(stall): gain worth(stall) coin\n"
EARN = """\
      earn: |
        choose stall in street "Which stall?"
        otherwise: stop
        set stall.used to true
        take(stall)
"""
CHANGED: dict[str, tuple[int, list[tuple[str, str, str]], str]] = {
    "nothing": (NOTHING, [], ""),
    "a text": (REPAIR, [("rules", "Choose a stall.", "Go to a stall.")], ""),
    "a comment": (REPAIR, [("rules", "rules:\n", "# all rules\nrules:\n")], ""),
    "a title": (REPAIR, [("pack", "title: Market", "title: Bazaar")], ""),
    "a default": (REPAIR, [("pack", "default: 6", "default: 7")], ""),
    "a number in a rule": (REPAIR, [("rules", "gain 1 nut", "gain 2 nut")], ""),
    "a number of a constant": (REPAIR, [("model", "value: 1", "value: 2")], ""),
    "a new rule": (FEATURE, [("rules", "result:", "  rest: gain 1 nut\nresult:")], "added: rules/rest ()"),
    "a new step": (FEATURE, [("rules", "      spend: |", "      rest: gain 1 nut\n      spend: |")], "added: rules/turn/steps/rest"),
    "a new piece": (FEATURE, [("pieces", "  smith:", "  miller: {price: 3, shade: red, text: Flour.}\n  smith:")], "added: pieces/miller"),
    "a new counter": (FEATURE, [("model", "groups:", "  gem: {per: player, text: Gems}\ngroups:")], "added: counters/gem number per player"),
    "a new member": (FEATURE, [("model", "[red, green]", "[red, green, blue]")], "added: enums/color/blue"),
    "a new value of an option": (FEATURE, [("pack", "[poor, rich]", "[poor, rich, even]")], "changed: options/start"),
    "a wider range": (FEATURE, [("pack", "[3, 9]", "[3, 12]")], "changed: options/goal from 3 to 9 to 3 to 12"),
    "more players": (FEATURE, [("pack", "max: 3}", "max: 4}")], "changed: players from 2 to 3 to 2 to 4"),
    "a rule removed": (BREAKING, [("rules", "        take(stall)\n", "        gain worth(stall) coin\n"), ("rules", RULE, "")], "removed: rules/take (a stall)"),
    "a rule renamed": (BREAKING, [("rules", "take(", "collect(")], "renamed: rules/take from take to collect"),
    "a step renamed": (BREAKING, [("rules", "      earn: |", "      income: |")], "renamed: rules/turn/steps/earn from earn to income"),
    "a step removed": (BREAKING, [("rules", EARN, "")], "removed: rules/turn/steps/earn"),
    "a parameter renamed": (BREAKING, [("rules", RULE, "  take(stall x): gain worth(x) coin\n")], "renamed: rules/take/parameters/stall from stall to x"),
    "a function of another type": (BREAKING, [("rules", "stall.price + bonus", "stall.price > bonus"), ("rules", "gain worth(stall) coin", '"if worth(stall): gain 1 coin"')], "changed: functions/worth"),
    "a fact renamed": (BREAKING, [("model", "price:", "cost:"), ("pieces", "price:", "cost:"), ("rules", ".price", ".cost")], "renamed: kinds/stall/facts/price from price to cost"),
    "a fact of another type": (BREAKING, [("model", "price: int, shade: color", "price: int, shade: int"), ("pieces", "shade: red", "shade: 1"), ("pieces", "shade: green", "shade: 2")], "changed: kinds/stall/facts/shade from a color to a number"),
    "a counter of each player": (BREAKING, [("model", "round: {text", "round: {per: player, text")], "changed: counters/round from number to number per player"),
    "a record with one more part": (BREAKING, [("model", "amount: int 1..3", "amount: int 1..3, by: player")], "changed: records/bid"),
    "a record in another order": (BREAKING, [("model", "{amount: int 1..3, shade: color}", "{shade: color, amount: int 1..3}")], "changed: records/bid"),
    "a smaller range of a field": (BREAKING, [("model", "1..3", "1..2")], "changed: records/bid/fields/amount from a number from 1 to 3 to a number from 1 to 2"),
    "a field that others do not see": (BREAKING, [("model", "{used: bool = false}", "{used: {type: bool = false, visible: none}}")], "to true or false, seen by none"),
    "a range of a parameter": (BREAKING, [("rules", "take(stall): gain worth(stall) coin", 'take(stall, int 0..2 n): "gain worth(stall) + n coin"'), ("rules", "take(stall)\n", "take(stall, 1)\n")], "to (a stall, a number from 0 to 2)"),
    "a piece removed": (BREAKING, [("pieces", "  smith: {price: 2, shade: green, text: Iron.}\n", "")], "removed: pieces/smith"),
    "a tag of a payment": (BREAKING, [("rules", " as toll", " as fee")], "removed: payment toll"),
    "a value of an option removed": (BREAKING, [("pack", "[poor, rich]", "[poor, wealthy]"), ("rules", "start == rich", "start == wealthy")], "changed: options/start"),
    "fewer players": (BREAKING, [("pack", "max: 3}", "max: 2}")], "changed: players from 2 to 3 to 2"),
    "a new parameter": (BREAKING, [("rules", "take(stall)", "take(stall, 1)"), ("rules", "take(stall, 1): gain", "take(stall, int n): gain n *")], "changed: rules/take from (a stall) to (a stall, a number)"),
    "a member renamed": (BREAKING, [("model", "[red, green]", "[red, blue]"), ("pieces", "green", "blue")], "renamed: enums/color/green from green to blue"),
    "a field of the table": (BREAKING, [("model", "sky: color = red", "sky: color or none = red")], "changed: table/sky from a color to a color or none"),
    "a graph of other things": (BREAKING, [("model", "{of: color, edges: [[red, green]]}", "{of: stall, edges: [[baker, smith]]}")], "changed: graphs/roads from of color to of stall"),
    "a graph renamed": (BREAKING, [("model", "roads:", "ways:")], "renamed: graphs/roads from roads to ways"),
    "a grid renamed": (BREAKING, [("model", "cell:", "plot:")], "renamed: grids/cell from cell to plot"),
    "a field of a record": (BREAKING, [("model", ", shade: color}}", "}}")], "removed: records/bid/fields/shade a color"),
    "fewer copies": (BREAKING, [("pieces", "copies: 2, ", "")], "removed: pieces/weaver/weaver_1"),
    "more copies": (FEATURE, [("pieces", "copies: 2", "copies: 3")], "added: pieces/weaver/weaver_3"),
    "a fact that every piece must have": (BREAKING, [("model", "price: int,", "price: int, weight: int,"), ("pieces", "price:", "weight: 1, price:")], "added: kinds/stall/facts/weight a number that each piece must have"),
    "a fact with a default": (FEATURE, [("model", "price: int,", "price: int, weight: int = 1,")], "added: kinds/stall/facts/weight a number"),
    "a fact that pieces may now leave out": (REPAIR, [("model", "price: int,", "price: int = 1,")], ""),
    "a noun of a counter": (BREAKING, [("model", "[nut, nuts]", "[nut, acorns]")], "removed: counters/nut called nuts"),
    "a role removed": (BREAKING, [("pack", "provides: [trading]\n", "")], "removed: provides trading"),
}  # fmt: skip
"""What is changed, how much that matters, and what is said of it."""


def write_market(folder: Path, *edits: tuple[str, str, str], version: str = "1.4.2") -> Path:
    texts = dict(FILES)
    for name, old, new in (*edits, ("pack", "version: 1.4.2", f"version: {version}")):
        assert old in texts[name], old
        texts[name] = texts[name].replace(old, new)
    return write_base(folder, **texts)


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_market(tmp_path_factory.mktemp("old") / "market")


@pytest.mark.parametrize("part", few(range(5), 0))
def test_changes_matter_as_much_as_they_should(market, tmp_path, subtests, part):
    old = load(str(market))
    for number, (name, (level, edits, words)) in enumerate(list(CHANGED.items())[part::5]):
        with subtests.test(name):
            new = load(str(write_market(tmp_path / str(number) / "market", *edits)))
            verdict = judge_release(old, new, "market")
            said = [one.words for one in verdict.differences]

            assert verdict.level == level, said
            assert any(one.startswith(words) or words in one for one in said) if words else not said, said
            assert not words.startswith("renamed: gr") or len(said) == 1, said  # names that a grid or graph makes


@pytest.mark.parametrize(
    ("old", "dues"),
    [
        ("1.4.2", ["1.4.2", "1.4.3", "1.5.0", "2.0.0"]),
        ("0.3.1", ["0.3.1", "0.3.2", "0.3.2", "0.4.0"]),
        ("0.0.0", ["0.0.0", "0.0.1", "0.0.1", "0.1.0"]),
    ],
)
def test_version_that_is_due(old, dues):
    assert [find_due_version(old, level) for level in (NOTHING, REPAIR, FEATURE, BREAKING)] == dues


TAKE = ("rules", "take(", "collect(")


def test_owner_copies_and_triggers_of_a_kind_are_public(tmp_path):
    flag = "document: model\nkinds:\n  flag: {per: player, copies: 2, active: coin > 0}\n"
    old = load(str(write_base(tmp_path / "old" / "purse", flags=flag)))
    for number, (text, words) in enumerate([
        ("copies: 1", "removed: kinds/flag/flag_2"),
        ("copies: 3", "added: kinds/flag/flag_3"),
        ("copies: 2, active: coin > 1", ""),
        ("copies: 2", "removed: kinds/flag (active)"),
    ]):  # fmt: skip
        active = "" if text == "copies: 2" or "active" in text else ", active: coin > 0"
        new = write_base(
            tmp_path / str(number) / "purse", flags=flag.replace("copies: 2, active: coin > 0", text + active)
        )
        assert [one.words for one in judge_release(old, load(str(new)), "purse").differences] == [words] * bool(words)
    new = write_base(tmp_path / "new" / "purse", flags=flag.replace("per: player, ", ""))
    found = judge_release(old, load(str(new)), "purse")
    assert "changed: kinds/flag from per player to common" in [one.words for one in found.differences]


@pytest.mark.deep
def test_release_refuses_a_small_number(run, market, tmp_path, home):
    index, out = tmp_path / "index", tmp_path / "out.zip"
    pack_into(index, market)
    build_index(index)
    for version, edits, due in (
        ("1.4.2", [], ""), ("1.4.2", [TAKE], "2.0.0"), ("1.5.0", [TAKE], "2.0.0"), ("2.0.0", [TAKE], ""), ("1.4.1", [], "1.4.2"),
    ):  # fmt: skip
        new = write_market(tmp_path / f"{version}{len(edits)}" / "market", *edits, version=version)
        for how in (["--index", index], ["--since", market]):
            result = run("pack", "release", new, "--out", out, *how)
            assert (result.exit_code, out.exists()) == ((1, False) if due else (0, True)), result.output
            assert not due or f"Error: version {due} is due, and pack.yaml says {version}; raise it" in result.stderr
            out.unlink(missing_ok=True)
    assert not home.exists()


@pytest.mark.deep
def test_rename_that_the_pack_declares(run, market, tmp_path, home):
    history = "renamed:\n  kinds/stall/facts/price: {to: kinds/stall/facts/cost, since: 2.0.0}\nprovides: [trading]\n"
    edits = [*CHANGED["a fact renamed"][1], ("pack", "provides: [trading]\n", history)]
    new = write_market(tmp_path / "new" / "market", *edits, version="2.0.0")
    result = run("pack", "release", new, "--since", market, "--out", tmp_path / "out.zip")

    assert (result.exit_code, result.stderr) == (0, "")
    assert "  breaking: renamed: kinds/stall/facts/price from price to cost\n" in result.stdout


@pytest.mark.deep
def test_release_of_another_pack(run, market, tmp_path, home):
    result = run("pack", "release", market, "--since", write_base(tmp_path / "purse"), "--out", tmp_path / "out.zip")

    assert (result.exit_code, result.stderr) == (1, "Error: 'purse' is not an earlier version of 'market'\n")


@pytest.mark.deep
def test_first_release_has_any_number(run, market, tmp_path, home):
    result = run("pack", "release", market, "--out", tmp_path / "out.zip")

    assert result.exit_code == 0
    assert "no earlier version of 'market' was found, so nothing is compared" in result.stderr
    home.mkdir(parents=True)
    shutil.copy(tmp_path / "out.zip", home / "market-1.4.2.zip")
    new = write_market(tmp_path / "new" / "market", TAKE)
    assert run("pack", "release", new, "--out", tmp_path / "two.zip").exit_code == 1


def test_release_of_a_module(run, tmp_path, home):
    pack_into(home, write_base(tmp_path / "a" / "purse"))
    rules = "document: rules\nrules:\n  {}: gain 1 coin\n"
    old, new = (
        write_module(tmp_path / name / "fever", "fever", "1.0.0", 'purse: ">=1.0"', rules=rules.format(name), changes=CHANGES.replace("gain 1 coin", f"{name}()"))
        for name in ("rest", "sleep")
    )  # fmt: skip

    result = run("pack", "release", new, "--since", old, "--out", tmp_path / "x.zip")

    assert result.stderr.splitlines()[:3] == [
        "say so in pack.yaml, so that modules learn the new names and saves follow:",
        "  renamed:",
        "    rules/rest: {to: rules/sleep, since: 2.0.0}",
    ]
    assert (result.exit_code, result.stdout) == (
        1, "fever 1.0.0 -> 1.0.0: breaking\n  breaking: renamed: rules/rest from rest to sleep\n",
    )  # fmt: skip

    data = json.loads(run("pack", "release", new, "--since", old, "--format", "json").stdout)
    renamed = {"level": "breaking", "change": "renamed", "name": "rules/rest", "old": "rest", "new": "sleep"}
    assert data == {
        "version": 1, "pack": "fever", "old": "1.0.0", "new": "1.0.0", "level": "breaking", "due": "2.0.0", "enough": False,
        "differences": [renamed], "undeclared": {"renamed": {"rules/rest": {"to": "rules/sleep", "since": "2.0.0"}}}, "archive": None,
    }  # fmt: skip
    result = run("pack", "release", old, "--since", old, "--out", tmp_path / "x.zip", "--format", "json")
    data = json.loads(result.stdout)
    assert (result.exit_code, data["enough"], data["differences"], data["archive"]["files"]) == (0, True, [], 3)


# ---- modules


SCENARIO = """\
document: scenarios
scenarios:
  one_more:
    call: earn(1)
    then: [coin == 2]
"""


def test_modules_are_tried(run, tmp_path, home):
    new = write_base(tmp_path / "new" / "purse", "1.1.0", rules=RULES.replace("1..3", "1..2"))
    pack_into(home, write_base(tmp_path / "old" / "purse"))
    fits = write_module(tmp_path / "fits", "fits", "1.0.0", 'purse: ">=1.0,<2.0"')
    works = write_module(tmp_path / "works", "works", "1.0.0", 'purse: ">=1.0"')
    range_ = write_module(tmp_path / "range", "narrow", "1.0.0", 'purse: "<1.1"')
    lost = write_module(
        tmp_path / "lost", "lost", "1.0.0", 'purse: ">=1.0"', changes=CHANGES.replace("earn", "match/none")
    )
    result = run("compat", new, fits, works, range_, lost)

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "fits 1.0.0 works (0 scenarios, 2 matches)",
        "works 1.0.0 works (0 scenarios, 2 matches)",
        "narrow 1.0.0 breaks",
        "lost 1.0.0 breaks",
        "2 of 4 modules would break",
    ]
    assert "'narrow' needs 'purse' <1.1, found 1.1.0" in result.stderr
    assert re.search(r"lost/changes\.yaml:3:\d+: error", result.stderr), result.stderr
    assert run("compat", new, fits, works).exit_code == 0
    result = run("compat", new, lost, fits, "--format", "json")
    broken, whole = json.loads(result.stdout)["modules"]
    assert (result.exit_code, result.stderr, broken["id"], broken["works"]) == (1, "", "lost", False)
    assert [(one["code"], one["line"]) for one in broken["problems"]] == [("P0121", 3)]
    assert whole == {"id": "fits", "version": "1.0.0", "works": True, "scenarios": 0, "matches": 2, "problems": []}
    doubled = write_base(tmp_path / "doubled" / "purse", "1.2.0", rules=RULES.replace("gain n coin", "gain 2 * n coin"))
    tested = write_module(tmp_path / "tested", "tested", "1.0.0", 'purse: ">=1.0"', scenarios=SCENARIO)
    assert run("compat", new, tested).stdout == "tested 1.0.0 works (1 scenario, 2 matches)\n"
    found = run("compat", doubled, tested)
    assert (found.exit_code, found.stdout.splitlines()[0]) == (1, "tested 1.0.0 breaks")
    assert "tested/scenarios.yaml:5" in found.stderr
    assert "does not build on" in run("compat", works, fits).stderr
    broken = write_base(tmp_path / "broken" / "purse", "1.2.0", rules=RULES.replace("gain n coin", "gain n coyn"))
    result = run("compat", broken, fits, works)
    assert (result.exit_code, result.stdout) == (1, "")  # it is no fault of the modules
    assert result.stderr.count("unknown counter 'coyn'") == 1
