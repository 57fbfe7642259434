"""What stands for a payment, groups and prices: every player has one of each counter that they name."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems

MODEL = """# model2.yaml
document: model
enums: {mood: [calm, wild]}
kinds:
  stall: {facts: {price: cost = none}}
counters:
  bank: {}
  grudge: {per: [player, mood]}
  token: {per: player}
groups:
  pot: [token]
"""
RULES = "# rules2.yaml\ndocument: rules\n"


@pytest.mark.parametrize(
    ("section", "code"),
    [
        pytest.param("substitutions: {s: {give: 2 coin, for: 1 nut or seed}}", None, id="one of two"),
        pytest.param("substitutions: {s: {give: 1 coin, for: up to 3 good}}", None, id="up to"),
        pytest.param("substitutions: {s: {give: 1 coin, for: nut}}", None, id="no number is one"),
        pytest.param("substitutions: {s: {give: 1 coin and 1 nut, for: 1 seed}}", "P0055", id="two things given"),
        pytest.param("substitutions: {s: {give: 1 any good, for: 1 coin}}", "P0055", id="any given"),
        pytest.param("substitutions: {s: {give: 0 coin, for: 1 nut}}", "P0055", id="nothing given"),
        pytest.param("substitutions: {s: {give: 1 coin, for: up to 0 nut}}", "P0055", id="for nothing"),
        pytest.param("substitutions: {s: {give: 1 coin, for: two nut}}", "P0055", id="number in words"),
        pytest.param("substitutions: {s: {give: 1 bank, for: 1 nut}}", "P0202", id="the bank's given"),
        pytest.param("substitutions: {s: {give: 1 nut, for: 1 bank}}", "P0202", id="for the bank's"),
        pytest.param("substitutions: {s: {give: 1 nut, for: 1 coin or nutt}}", "P0201", id="unknown"),
        pytest.param("discounts: {d: {on: purchase, less: 1 of nut or seed}}", None, id="less of one"),
        pytest.param("discounts: {d: {on: purchase, less: nut}}", "P0055", id="how much less"),
        pytest.param("discounts: {d: {on: purchase, less: -1 of nut}}", "P0055", id="more"),
        pytest.param("discounts: {d: {on: purchase, less: 1 of grudge}}", "P0202", id="less of what has indices"),
        pytest.param("waivers: {w: {on: purchase, of: nut}}", None, id="waiver that does nothing more"),
        pytest.param("waivers: {w: {on: purchase, of: [bank]}}", "P0202", id="waiver of the bank's"),
    ],
)
def test_what_helps_to_pay(tmp_path, section, code):
    found = [p.code for p in problems(tmp_path, MODEL + RULES + section + "\n")]

    assert found == ([code] if code else [])


@pytest.mark.parametrize(
    ("name", "codes"),
    [("token", []), ("bank", ["P0202"]), ("grudge", ["P0202"])],
)
def test_groups_and_prices(tmp_path, name, codes):
    group = MODEL.replace("pot: [token]", f"pot: [token, {name}]" if name != "token" else "pot: [token]")
    amount = f"1 {name}(calm)" if name == "grudge" else f"1 {name}"
    price = f"# stalls.yaml\ndocument: pieces\nkind: stall\npieces:\n  booth: {{price: {amount}}}\n"

    assert [p.code for p in problems(tmp_path / "group", group)] == codes
    assert [p.code for p in problems(tmp_path / "price", MODEL + price)] == codes


def test_unknown_word_is_shown_where_it_stands(tmp_path):
    found = problems(tmp_path, RULES + "discounts: {d: {on: purchase, less: 1 of coin or sead}}\n")[0]

    assert (found.code, found.span.column, found.help) == ("P0201", 50, "did you mean 'seed'?")


SPEND = (
    "# m.yaml\ndocument: model\ncounters:\n  chip: {{per: {per}, start: 2, spend: take}}\ngroups:\n  pot: [{of}]\n"
    + RULES
)


@pytest.mark.parametrize(
    ("per", "of", "parameters", "codes"),
    [
        pytest.param("player", "chip", "pot", [], id="one of its group"),
        pytest.param("player", "coin", "pot", ["P0202"], id="one of another group"),
        pytest.param("player", "chip", "int n", ["P0202"], id="a number"),
        pytest.param("card", "chip", "pot", ["P0202"], id="one for each card"),
    ],
)
def test_rule_that_spends_takes_the_counter(tmp_path, per, of, parameters, codes):
    text = SPEND.format(per=per, of=of) + f"rules:\n  take({parameters}): nothing\n"

    assert [p.code for p in problems(tmp_path, text) if p.severity == "error"] == codes


@pytest.mark.parametrize(
    ("amount", "left"),
    [pytest.param("0 - 2", 3, id="written"), pytest.param("bid - 2", 3, id="computed"), pytest.param("2", 1, id="2")],
)
@pytest.mark.parametrize("help_", ["", "substitutions: {s: {give: 1 nut, for: 1 seed}}\n"])
def test_less_than_nothing_is_nothing_to_pay(tmp_path, amount, left, help_):
    """A counter never grows by a payment, whether the solver finds it or it is plain subtraction."""
    match = loaded(
        tmp_path, f"{RULES}rules:\n  owe: pay {amount} seed\n  owe_any: pay {amount} any good\n{help_}"
    ).start(2)
    slots = [match.program.layout.counters[name][0] for name in ("seed", "nut")]
    match.state[slots[0]], match.state[slots[1]] = 3, 0
    match.call("owe", 0)

    assert [match.state[slot] for slot in slots] == [left, 0]
    match.state[slots[0]] = 3
    match.call("owe_any", 0)
    assert [match.state[slot] for slot in slots] == [left, 0]


def test_two_waivers_of_the_same_piece_read_differently(tmp_path):
    example = f"""{RULES}rules:
  fee: pay 1 nut and 1 seed as toll
waivers:
  no_nut: {{each: p in players, when: p == me, on: toll, of: nut}}
  no_seed: {{each: p in players, when: p == me, on: toll, of: seed}}
"""
    match = loaded(tmp_path, example).start(2)
    for name in ("seed", "nut"):
        match.state[match.program.layout.counters[name][0]] = 1
    match.call("fee", 0)
    labels = [option.label for option in match.decision.options]

    assert len(labels) == 4
    assert len(set(labels)) == 4
    assert any("for no_nut" in label for label in labels)
