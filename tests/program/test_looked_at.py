"""What a demand looks at is said in one place, for all code that proves, hides or shows what it depends on."""

from __future__ import annotations

import pytest
from randompacks.engine import Workshop

from patolli.language.program import preconditions as p

MODEL = """document: model
counters:
  coin: {per: player, start: 1}
  seed: {per: player}
  nut: {per: player}
  point: {per: player}
  round: {}
groups:
  good: [seed, nut]
kinds:
  card: {facts: {cost: cost = none, effect: effect = nothing}, fields: {used: bool = false}}
places:
  hand: {of: card, per: player, type: area}
grids:
  cell: {rows: 2, columns: 2, fields: {owner: player or none}}
"""
CARDS = "document: pieces\nkind: card\nplace: hand(player_1)\npieces:\n  heavy: {cost: 1 coin, effect: pay 1 nut}\n"
RULES = """document: rules
rules:
  match: nothing
  tried: |
{tried}
  wealthy(int n): |
    require point > n
    gain 1 nut
  spent_on(card): do card.effect
substitutions:
  stands: {{give: 1 nut, for: 1 seed, when: round > 1}}
"""
PACK = "document: pack\nid: base\nversion: 1.0.0\nlanguage: 3\ntitle: Base\nplayers: {min: 1, max: 2}\n"
COIN, NUT, SEED, POINT, ROUND = (("counter", name) for name in ("coin", "nut", "seed", "point", "round"))
USED, OWNER, CARD = ("field", "card", "used"), ("field", "cell", "owner"), ("pieces", "card")
PURSE = {COIN, NUT, SEED, POINT, ROUND}
"""All that may count for a payment for which something else may stand."""

KINDS = [
    pytest.param("require coin > 2", p.Test, {COIN}, id="a condition"),
    pytest.param("expect coin > 2\nrequire round > 1", p.Promised, {COIN}, id="a promise"),
    pytest.param("let n = seed\nrequire n > 2", p.Bind, {SEED}, id="a value with a name"),
    pytest.param("if round > 1: pay 1 coin\nelse: pay 1 nut", p.Split, {ROUND}, id="a branch"),
    pytest.param("pay 1 coin", p.Afford, {COIN}, id="a payment"),
    pytest.param("pay round coin", p.Afford, {COIN, ROUND}, id="an amount"),
    pytest.param("pay 1 seed", p.Afford, {SEED, NUT, ROUND}, id="what may be paid instead, and when"),
    pytest.param("choose g in good\npay point g", p.Afford, {SEED, NUT, POINT, ROUND}, id="one of several counters"),
    pytest.param("pay point any good", p.Afford, {SEED, NUT, POINT, ROUND}, id="a mix"),
    pytest.param("pay heavy.cost", p.Afford, {COIN, NUT, ROUND}, id="a cost that a piece has"),
    pytest.param("choose c in hand(me) where c.used", p.Pick, {CARD, USED}, id="a choice"),
    pytest.param("choose one:\n  for c in hand(me) where coin > 1 \"a\": pay 1 nut", p.Either, {CARD, COIN}, id="a menu"),
    pytest.param("as (first(c.owner for c in cell) or me): pay 1 coin", p.Acting, {OWNER}, id="another player"),
    pytest.param("wealthy(round)", p.Possible, {ROUND, POINT}, id="a call"),
    pytest.param("choose c in hand(me)\ndo c.effect", p.Possible, PURSE, id="an effect of a piece, which pays"),
]  # fmt: skip


def of_rule(tried: str) -> tuple[p.Preconditions, p.Demand]:
    """What a rule demands; it is never called, so it does not matter whether it may be impossible."""
    body = "".join(f"    {line}\n" for line in tried.split("\n")).rstrip("\n")
    files = {"pack": PACK, "model": MODEL, "cards": CARDS, "rules": RULES.format(tried=body)}
    workshop = Workshop()
    checked = workshop.checked({f"base/{name}.yaml": text for name, text in files.items()}, {})
    workshop.close()
    assert checked.rules is not None, checked.errors
    executable = checked.rules.program(2)
    preconditions = executable.workings.preconditions
    return preconditions, preconditions.of(executable.layout.model.rules["tried"].block)


def state(preconditions: p.Preconditions, exprs) -> set[object]:
    return {place for place in preconditions.summaries.reads(*exprs) if place[0] != "variable"}


@pytest.mark.parametrize(("tried", "kind", "places"), KINDS)
def test_each_kind_of_demand_says_what_it_looks_at(tried, kind, places):
    preconditions, demand = of_rule(tried)
    (one,) = [part for part in p.parts(demand) if type(part) is kind]

    assert state(preconditions, preconditions.looked_at(one)) == places


def test_no_kind_of_demand_is_forgotten():
    kinds = p.Demand.__subclasses__()
    assert {kind.__name__ for kind in kinds} - {"Always"} == {param.values[1].__name__ for param in KINDS}


def test_basis_has_what_follows_and_what_is_called():
    preconditions, demand = of_rule("choose c in hand(me)\nlet n = round\nrequire n > 1\nspent_on(c)")
    found = state(preconditions, preconditions.basis(demand))

    assert found == {CARD, ROUND, NUT}


def test_basis_has_no_more_of_a_rule_than_its_beginning():
    """What a rule does later is no reason why it might be impossible."""
    preconditions, demand = of_rule("wealthy(1)")

    assert state(preconditions, preconditions.basis(demand)) == {POINT}
