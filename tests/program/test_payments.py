"""What is reported of payments before anything is played: whether one asks, carries out rules, and takes something else."""

from __future__ import annotations

import pytest

from patolli.author.workspace import inspect
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.node import walk
from patolli.language.program.summaries import Summaries

FILES = {
    "pack": "document: pack\nid: purse\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Purse\nplayers: {min: 2, max: 2}\n",
    "model": """document: model
groups: {good: [clay, iron], pot: [token]}
kinds: {card: {facts: {price: cost}}}
counters:
  clay: {per: player, start: 9}
  iron: {per: player, start: 9}
  gem: {per: player, start: 9}
  coin: {per: player, start: 9}
  token: {per: player, start: 9SPEND}
places: {deck: {of: card, type: pile}}
""",
    "cards": "document: pieces\nkind: card\nplace: deck\npieces: {hut: {price: PRICE}}\n",
    "rules": """document: rules
rules:
  match: PAY
  lost(pot, int n): lose n pot
PURSE
""",
}
GEM, COIN = "  gems: {give: 1 gem, for: 1 iron}", "  coins: {give: 1 coin, for: 1 token}"
LESS = "discounts: {friend: {on: tower, less: 1 of iron}}"
MORE = "discounts: {winter: {on: tower, more: 1 iron}}"
WAIVED = "waivers: {gift: {on: tower, of: clay}}"
DEARER = "discounts: {winter: {on: tower, more: 1 token}}"


def purse(*substitutions, more=""):
    """Write what may be paid for what."""
    return "\n".join([*(["substitutions:", *substitutions] if substitutions else []), more])


@pytest.mark.parametrize(
    ("pay", "price", "spend", "given", "wanted"),
    [
        ("1 iron", "1 clay", "", purse(), (True, False, False, "")),
        ("1 iron", "1 clay", "", purse(GEM), (False, True, False, "gem")),
        ("1 clay", "1 clay", "", purse(GEM), (True, False, False, "")),
        ("1 clay and 1 iron", "1 clay", "", purse(GEM), (False, True, False, "gem")),
        ("1 iron and 1 clay", "1 clay", "", purse(GEM), (False, True, False, "gem")),
        ("1 any good", "1 clay", "", purse(), (False, True, False, "")),
        ("1 iron as tower", "1 clay", "", purse(more=LESS), (False, True, False, "")),
        ("1 iron as tower", "1 clay", "", purse(GEM, more=LESS), (False, True, False, "gem")),
        ("1 clay as tower", "1 clay", "", purse(more=MORE), (False, True, False, "iron")),
        ("1 clay as tower", "1 clay", "", purse(GEM, more=MORE), (False, True, False, "gem iron")),
        ("1 clay as hut", "1 clay", "", purse(more=LESS), (True, False, False, "")),
        ("1 clay as tower", "1 clay", "", purse(more=WAIVED), (False, True, False, "")),
        ("hut.price", "1 clay", "", purse(), (False, False, False, "")),
        ("hut.price", "1 clay", "", purse(GEM), (False, True, False, "gem")),
        ("hut.price", "1 iron", "", purse(GEM), (False, True, False, "gem")),
        ("hut.price", "1 any good", "", purse(), (False, True, False, "")),
        ("hut.price", "1 clay", ", spend: lost", purse(), (False, True, True, "")),
        ("1 clay", "1 clay", ", spend: lost", purse(), (True, False, False, "")),
        ("1 token", "1 clay", ", spend: lost", purse(), (False, True, True, "")),
        ("1 clay and 1 token", "1 clay", ", spend: lost", purse(), (False, True, True, "")),
        ("1 iron", "1 clay", ", spend: lost", purse(GEM), (False, True, True, "gem")),
        ("1 any good", "1 clay", ", spend: lost", purse(), (False, True, True, "")),
        ("1 clay as tower", "1 clay", ", spend: lost", purse(more=DEARER), (False, True, True, "token")),
        ("1 clay as tower", "1 clay", ", spend: lost", purse(more=MORE), (False, True, False, "iron")),
        ("1 clay as tower", "1 clay", ", spend: lost", purse(GEM, more=MORE), (False, True, True, "gem iron")),
        ("1 clay as tower", "1 clay", "", purse(COIN, more=DEARER), (False, True, False, "coin token")),
    ],
)
def test_payment(tmp_path, pay, price, spend, given, wanted):
    """Whether it is plain, asks, carries out rules of the pack, and which counters may be taken besides."""
    folder = tmp_path / "purse"
    folder.mkdir()
    for name, text in FILES.items():
        for word, put in (("SPEND", spend), ("PRICE", price), ("PAY", f"pay {pay}"), ("PURSE", given)):
            text = text.replace(word, put)
        (folder / f"{name}.yaml").write_text(text)
    found = inspect(str(folder), proofs=False)
    assert found.ruleset is not None, found.errors
    program = found.ruleset.model.program
    summaries = Summaries(program)
    (paid,) = (node for node in walk(program.rules["match"].block) if isinstance(node, e.Pay))
    named = " ".join(sorted(location[1] for location in summaries.given_for(paid)))

    assert all(isinstance(one, x.Expr) for one in summaries.purse_conditions())
    assert (summaries.plain(paid), summaries.payment_asks(paid), summaries.spends(paid), named) == wanted
