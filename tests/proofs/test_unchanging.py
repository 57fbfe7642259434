"""What no rule writes is what a match begins with: more can be proven of it, and what is wrong is still found."""

from __future__ import annotations

import pytest

from patolli.author.workspace import inspect

PACK = "document: pack\nid: calm\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Calm\nplayers: {min: 1, max: 2}\n"
MODEL = """document: model
counters:
  coin: {per: player, start: 2}
  nut: {per: player, start: 2}
  debt: {per: player, start: -1, min: -2}
  mode: {start: 1, max: 2}
  way: {per: player}
kinds:
  card: {fields: {level: int 0..2 = 1, holder: player or none, used: bool = false}}
places:
  deck: {of: card, type: pile}
"""
CARDS = "document: pieces\nkind: card\nplace: deck\npieces:\n  ace: {}\n  king: {}\n"


def codes(folder, rules: str) -> list[str]:
    lines = "".join(f"  {line}\n" for line in rules.strip("\n").split("\n"))
    files = {"pack": PACK, "model": MODEL, "cards": CARDS, "rules": f"document: rules\nrules:\n{lines}"}
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return [problem.code for problem in inspect(str(folder)).errors]


PROVEN = [
    pytest.param("gain 1 way\nchoose n in 1..coin\nset way to n", id="a counter that nothing writes"),
    pytest.param("gain 1 coin\nchoose n in 1..coin\nset way to n", id="a counter that is only gained"),
    pytest.param("gain 1 way\nset way to 12 div mode", id="a number of the table that nothing writes"),
    pytest.param("gain 1 way\nset way to 12 div ace.level", id="a field that nothing writes"),
    pytest.param(
        "gain 1 way\nif ace.holder:\n  lose 1 nut\n  pay 9 nut", id="what only a field that is none would lead to"
    ),
    pytest.param("gain 1 way\nif ace.used: pay 9 nut", id="what only a field that is false would lead to"),
    pytest.param("lose 1 nut\nif nut > 2: pay 9 nut", id="above the start of what is only lost"),
]
REFUSED = [
    pytest.param("lose 1 coin\nchoose n in 1..coin\nset way to n", id="a counter that is lost, too"),
    pytest.param("gain coin - 3 coin\nchoose n in 1..coin\nset way to n", id="a gain that may be a loss"),
    pytest.param("lose coin - 3 nut\nif nut > 2: pay 9 nut", id="a loss that may be a gain"),
    pytest.param("set mode to 0\ngain 1 way\nset way to 12 div mode", id="a number that is set"),
    pytest.param("set ace.level to 0\nset way to 12 div king.level", id="a field that is set, of another piece"),
    pytest.param(
        "set king.holder to me\nif ace.holder:\n  lose 1 nut\n  pay 9 nut", id="a field that is not always none"
    ),
    pytest.param("pay 1 coin\ngain 1 way\nchoose n in 1..coin\nset way to n", id="a counter that is paid, too"),
    pytest.param("gain 1 way\nchoose n in 0..debt\nset way to n", id="a counter that is below 0 for good"),
]


@pytest.mark.parametrize("rule", PROVEN)
def test_what_never_changes_is_counted_on(tmp_path, rule):
    assert codes(tmp_path, "match: |\n" + "".join(f"  {line}\n" for line in rule.split("\n"))) == []


@pytest.mark.parametrize("rule", REFUSED)
def test_what_a_rule_may_change_is_not(tmp_path, rule):
    found = codes(tmp_path, "match: |\n" + "".join(f"  {line}\n" for line in rule.split("\n")))

    assert set(found) & {"P0401", "P0402", "P0414"}


@pytest.mark.parametrize(
    "more",
    [
        pytest.param("other: |\n  for p in players: as p: lose 1 coin", id="for another player"),
        pytest.param("other(good g): lose 1 g", id="by a group"),
        pytest.param("other: pay 1 any good", id="by a mix"),
        pytest.param("other: pay 1 nut", id="by what may be paid instead"),
    ],
)
def test_all_that_may_take_a_counter_is_seen(tmp_path, more):
    rule = "match: |\n  gain 1 way\n  choose n in 1..coin\n  set way to n\n"
    groups = "groups:\n  good: [coin, nut]\n"
    substitution = "substitutions:\n  sub: {give: 1 coin, for: 1 nut}\n"
    (tmp_path / "groups.yaml").write_text(f"document: model\n{groups}", "utf-8")
    (tmp_path / "sub.yaml").write_text(f"document: rules\n{substitution}", "utf-8")

    assert "P0402" in codes(tmp_path, rule + more)
    assert "P0402" not in codes(tmp_path, rule + "other: gain 1 nut")
