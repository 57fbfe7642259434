"""What fits comes first: by the type of what stands before the cursor, which is the bar in the texts below."""

from __future__ import annotations

import pytest
from packmaker import loaded, problems

from patolli.language.resolve.model import Model
from patolli.serve.lsp.completion import offers_at

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
    """Give the rank of each offer at the last bar."""
    before, _, after = text.rpartition("|")
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


def test_the_order_is_reported_to_the_editor(model):
    from patolli.serve.lsp.convert import item

    before, bar, _ = f"{RULE}move g to |".partition("|")
    assert bar
    offers = offers_at(before.split("\n"), 3, len(before) - before.rfind("\n"), model)
    texts = {offer.label: item(offer).sort_text for offer in offers}

    assert texts["hand"] < texts["coin"]


# ---- in braces of what people read

BRACES = {
    "name of a kind": (
        "document: model\nkinds:\n  gem:\n    name: the {|", {"hue", "worth", "lost", "worthy"}, {"coin", "beats", "gem", "me"}
    ),
    "name of a kind in one line": (
        'document: model\nkinds:\n  gem: {name: "{hue} and {w|', {"hue", "worth", "lost", "worthy"}, {"coin", "facts"}
    ),
    "fact of a fact": ("document: model\nkinds:\n  gem:\n    name: the {hue.|", set(), {"hue", "worth"}),
    "fact of a thing": ("document: model\nplaces:\n  pouch:\n    name: pouch {player.|", set(), {"player", "hue"}),
    "name of a place": ("document: model\nplaces:\n  pouch:\n    name: the pouch of {|", {"player"}, {"coin", "gem", "hue"}),
    "name of a piece": ("document: pieces\nkind: gem\npieces:\n  ruby:\n    name: a {|", {"hue", "worthy"}, {"coin", "me"}),
    "words for an answer": (
        f'{RULE}choose n in 1..3, x in gem "How many?" as "{{n}} of {{|', {"n", "x"}, {"g", "coin", "me", "worth"}
    ),
    "fact in words for an answer": (f'{RULE}choose x in gem "Which?" as "the {{x.|', {"hue", "worth", "worthy"}, {"x", "coin"}),
    "heading": (
        'document: rules\nrules:\n  try(gem g, player other):\n    heading: "{g} or {|',
        {"me", "g", "other", "nth", "coin", "round"}, {"gem", "hue", "worthy", "deck"},
    ),
    "cause": ("document: rules\nrules:\n  try(gem g):\n    cause: for {|", {"g", "nth", "coin"}, {"deck", "hue"}),
    "phrase": ("document: rules\nrules:\n  try(gem g, player other):\n    phrase: give {|", {"g", "other"}, {"me", "coin", "nth"}),
    "words of a counter": ("document: model\ncounters:\n  coin:\n    told: now {|", {"old", "new", "change", "player"}, {"coin", "me"}),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted", "unwanted"), BRACES.values(), ids=BRACES)
def test_braces_are_completed(model, text, wanted, unwanted):
    offers = order(model, text)

    assert wanted <= offers.keys()
    assert not unwanted & offers.keys()


def test_no_braces_no_words_for_them(model):
    """In the text of a name stand words of people; nothing is offered there."""
    assert "hue" not in order(model, "document: model\nkinds:\n  gem:\n    name: the {hue} h|")
    assert "worth" not in order(model, "document: model\nkinds:\n  gem:\n    text: a {|")


FILLED = {
    "kind": "document: model\nkinds:\n  gem:\n    facts: {worth: int}\n    fields: {lost: bool = false}\n    name: NAME\n",
    "place": "document: model\nplaces:\n  pouch:\n    of: card\n    per: player\n    type: area\n    name: NAME\n",
    "heading": "document: rules\nrules:\n  more(card c): {heading: NAME, do: gain 1 point}\n",
    "cause": "document: rules\nrules:\n  more(card c): {cause: NAME, do: gain 1 point}\n",
    "phrase": "document: rules\nrules:\n  more(card c): {phrase: NAME, do: gain 1 point}\n",
    "counter": "document: model\ncounters:\n  gold: {per: player, told: NAME}\n",
    "field": "document: model\nkinds:\n  gem:\n    fields:\n      lost: {type: bool = false, told: NAME}\n",
    "answer": 'document: rules\nrules:\n  more: |\n    choose n in 1..2, c in shop "Which?" as NAME\n    gain n point\n',
}
"""Places for words with braces, each with a text in which all that is offered there is put."""


@pytest.mark.parametrize("pattern", FILLED.values(), ids=FILLED)
def test_the_checker_takes_whatever_is_offered(pattern, tmp_path):
    before = loaded(tmp_path / "first", pattern.replace("NAME", '"x"')).model
    offers = order(before, f'{pattern.partition("NAME")[0]}"{{|')
    assert offers

    text = " ".join(f"{{{name}}}" for name in offers)
    found = problems(tmp_path / "second", pattern.replace("NAME", f'"{text}"'))

    assert [p.message for p in found if p.severity == "error"] == []
