"""Which rules demand anything is found through everything that names a rule: calls, 'can', functions, choices."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load

LOOKS = [
    pytest.param("zone()", "", id="a call"),
    pytest.param("require can(zone())", "", id="can"),
    pytest.param("require size(deck) > 99 or can(zone())", "", id="can, among others"),
    pytest.param("require able()", "  able(): can(zone())\n", id="a function"),
    pytest.param("require ready()", "  ready(): able()\n  able(): can(zone())\n", id="a function of a function"),
    pytest.param('choose n in 1..3 where can(zone()) "Which?"', "", id="the values of a choice"),
    pytest.param('choose one "Which?":\n  "it" when can(zone()): nothing', "", id="a line of a menu"),
    pytest.param("if size(deck) > 99: nothing\nelse: zone()", "", id="a branch"),
]
PACK = "document: pack\nid: base\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Base\nplayers: {min: 2, max: 2}\n"
MODEL = """document: model
counters: {coin: {per: player}, point: {per: player}}
kinds: {card: {}}
places: {deck: {of: card, type: pile}}
"""
RULES = """document: rules
rules:
  match: |
    choose one "What?":
      "try": attempt()
      "pass": nothing
      "earn": gain 1 coin
  attempt: |
    carried_on()
  carried_on: |
    TODO
    gain 1 point
  zone: zone_within()
  zone_within: pay 1 coin
"""


@pytest.mark.parametrize(("look", "functions"), LOOKS)
def test_rule_is_not_offered_where_what_it_looks_at_is_impossible(tmp_path, look, functions):
    """The rules are named so that those which look come before those at which they look."""
    text = RULES.replace("TODO", look.replace("\n", "\n    ")) + ("functions:\n" + functions if functions else "")
    for name, content in (("pack", PACK), ("model", MODEL), ("rules", text)):
        (tmp_path / f"{name}.yaml").write_text(content)
    match = load(str(tmp_path)).start(2, 0)

    assert [option.label for option in match.decision.options] == ["pass", "earn"]
