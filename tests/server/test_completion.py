"""What fits comes first: by the type of what stands before the cursor, which is the bar in the texts below."""

from __future__ import annotations

import pytest
from packmaker import loaded

from patolli.resolve.model import Model
from patolli.server.completion import offers_at

GEMS = """\
document: model
enums:
  hue: [scarlet, azure]
kinds:
  gem:
    facts: {hue: hue, worth: int, rival: player or none = none, hues: "list of hue = {}"}
    fields: {lost: bool = false}
places:
  pouch: {of: gem, per: player, type: area}
functions:
  worthy(gem): gem.worth > 2
  gems(player p): pouch(p)
  beats(gem, player p): gem.rival == p
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    gems, _, functions = GEMS.partition("functions:")
    example = f"{gems}# more.yaml\ndocument: rules\nfunctions:{functions}"
    return loaded(tmp_path_factory.mktemp("gems"), f"# gems.yaml\n{example}").model


def order(model: Model, text: str) -> dict[str, int]:
    """Give the rank of each offer at the bar."""
    before, _, after = text.partition("|")
    lines = f"{before}{after}".split("\n")
    line = before.count("\n") + 1
    offers = offers_at(lines, line, len(before) - before.rfind("\n"), model)
    ranks: dict[str, int] = {}
    for offer in offers:
        ranks[offer.label] = min(offer.rank, ranks.get(offer.label, 9))
    return ranks


RULE = "document: rules\nrules:\n  try(gem g, player other): "


@pytest.mark.parametrize(
    ("effect", "first", "later"),
    [
        pytest.param("move g to |", {"hand", "deck", "pouch", "throne"}, {"coin", "g", "seats", "gem"}, id="place"),
        pytest.param("move |", {"g", "luck", "deck"}, {"coin", "scarlet", "price"}, id="piece"),
        pytest.param("shuffle |", {"deck", "bag"}, {"coin", "g"}, id="pile"),
        pytest.param("draw 1 from |", {"deck", "bag"}, {"coin", "g"}, id="source"),
        pytest.param("gain 2 |", {"coin", "seed", "good", "point"}, {"deck", "g", "ladder"}, id="counter"),
        pytest.param("pay 1 coin and 2 |", {"coin", "seed", "good"}, {"deck", "g"}, id="second counter"),
        pytest.param("gain any |", {"good"}, {"deck", "g"}, id="group"),
        pytest.param("set |", {"coin", "g"}, {"deck", "price", "scarlet"}, id="what is set"),
        pytest.param("set coin to |", {"coin", "rounds", "bonus"}, {"deck", "g", "scarlet"}, id="number"),
        pytest.param("set g.lost to |", {"true", "worthy"}, {"coin", "deck", "scarlet"}, id="truth"),
        pytest.param("if g.hue == |", {"scarlet", "azure"}, {"coin", "deck", "me", "other"}, id="member of an enum"),
        pytest.param("if g.hue == sc|", {"scarlet"}, {"coin"}, id="member that is begun"),
        pytest.param("if g.rival == |", {"me", "other"}, {"coin", "scarlet"}, id="player"),
        pytest.param("if coin > |", {"rounds", "seed"}, {"deck", "scarlet", "g"}, id="number to compare with"),
        pytest.param("for x in |", {"deck", "pouch", "gem", "players", "gems"}, {"coin", "scarlet"}, id="list"),
        pytest.param("if |", {"worthy", "any", "not"}, {"coin", "scarlet", "deck"}, id="condition"),
        pytest.param("if worthy(|", {"g"}, {"other", "coin", "scarlet"}, id="argument"),
        pytest.param("if beats(g, |", {"other", "me"}, {"g", "coin"}, id="second argument"),
        pytest.param("gain coin(|", {"other", "me"}, {"g", "seed"}, id="index of a counter"),
        pytest.param("for x in gems(me): if x.|", {"lost"}, {"hue", "worth"}, id="facts in a condition"),
        pytest.param("choose x in gem where x.|", {"lost"}, {"hue", "worth"}, id="facts behind where"),
        pytest.param("set coin to g.|", {"worth"}, {"hue", "lost"}, id="facts that are numbers"),
        pytest.param("if coin == other.|", {"coin", "seed"}, set(), id="counters of a player"),
    ],
)
def test_what_fits_an_effect_comes_first(model, effect, first, later):
    ranks = order(model, RULE + effect)

    assert first <= ranks.keys()
    assert later <= ranks.keys()
    assert max(ranks[one] for one in first) < min((ranks[one] for one in later), default=9)


@pytest.mark.parametrize(
    ("fact", "first", "later"),
    [
        pytest.param("hue: |", {"scarlet", "azure"}, {"coin", "deck", "rounds"}, id="enum"),
        pytest.param("hues: [|", {"scarlet", "azure"}, {"coin", "deck", "rounds"}, id="list of an enum"),
        pytest.param("worth: |", {"rounds"}, {"scarlet", "deck"}, id="number"),
    ],
)
def test_what_fits_a_fact_comes_first(model, fact, first, later):
    ranks = order(model, f"document: pieces\nkind: gem\npieces:\n  ruby:\n    {fact}")

    assert max(ranks[one] for one in first) < min(ranks[one] for one in later)


def test_what_fits_a_cost_comes_first(model):
    ranks = order(model, "document: pieces\nkind: card\npieces:\n  dear:\n    cost: 2 coin and 1 |")

    assert max(ranks["coin"], ranks["good"]) < min(ranks["deck"], ranks["rounds"])


def test_the_order_is_told_to_the_editor(model):
    from patolli.server.convert import item

    before, bar, _ = f"{RULE}move g to |".partition("|")
    assert bar
    offers = offers_at(before.split("\n"), 3, len(before) - before.rfind("\n"), model)
    texts = {offer.label: item(offer).sort_text for offer in offers}

    assert texts["hand"] < texts["coin"]
