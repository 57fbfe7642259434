"""A player who takes nothing in secret is reported like one who takes something: others must not learn which it was."""

from __future__ import annotations

import pytest

from patolli.author.workspace import load
from patolli.run.runtime import Match

PACK = "document: pack\nid: veil\nversion: 1.0.0\nlanguage: 2\ntitle: Veil\nplayers: {min: 2, max: 2}\ncomponents: {card: 8}\n"
MODEL = """document: model
kinds:
  card: {per: player, copies: 4, facts: {worth: int}}
counters:
  coin: {per: player}
  bid: {per: player, visible: owner, max: 5}
places:
  hand: {of: card, per: player, type: area, visible: owner, told: false}
  kept: {of: card, per: player, type: area, visible: owner, told: false}
  berth: {of: card, per: player, type: spot, visible: owner, told: false}
  shown: {of: card, per: player, type: area}
"""
RULES = """document: rules
rules:
  setup: |
    for p in players:
      for c in owned(p, card): move c to hand(p)
      if not berth(p): move owned(p, card)[0] to berth(p)
      move owned(p, card)[1] to shown(p)
  sail(card c): |
    let old = berth(me)
    if old: swap c with old
  trade(int n): |
    let old = berth(me)
    for c in hand(me) where number(c) == n:
      if old: swap c with old
  hide(int n): |
    for c in hand(me) where number(c) == n: move c to kept(me)
  lay(card c): |
    move c to shown(me)
  keep(card c): |
    if coin > 9: move c to shown(me)
    else: move c to kept(me)
  hush(card c): |
    move c to kept(me)
    for n in 1..2: stop if number(c) == 3
    gain 1 coin
  match: |
BODY
result: {score: coin}
"""


def started(tmp_path, effect: str) -> Match:
    """A match of two in which player 1 is asked what *effect* asks, and then something that all see."""
    folder = tmp_path / "veil"
    folder.mkdir()
    body = f'let old = berth(me)\nif not old: stop\n{effect}\nchoose last in 7..8 "Last?"\ngain last coin'
    rules = RULES.replace("BODY", "".join(f"    {line}\n" for line in body.split("\n")))
    model = MODEL.replace("facts: {worth: int}", "name: 'card {number_of}'")
    rules = rules.replace("rules:\n", "functions:\n  number_of(card c): number(c)\nrules:\n", 1)
    for name, text in (("pack", PACK), ("model", model), ("rules", rules)):
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return load(str(folder)).start(2, 1, narrate=True)


def to_the_end_of_the_question(match: Match, answer: str) -> None:
    """Give one answer, and the last one, that it is enough, where more could be taken."""
    match.choose(answer)
    while match.decision is not None and match.decision.prompt != "Last?":
        match.choose(match.decision.options[-1])


SECRET = [
    pytest.param('choose c in hand(me) or "stay" "W?"\nif c: swap c with old', "card_3", "stay", id="swapped"),
    pytest.param('choose c in hand(me) or none "W?"\nstop unless c\nswap c with old', "card_3", "none", id="or none"),
    pytest.param('choose c in hand(me) or none "W?"\nif c: sail(c)', "card_3", "none", id="in a rule"),
    pytest.param('choose c in hand(me) or none "W?"\nif c: keep(c)', "card_3", "none", id="in a rule that may show it"),
    pytest.param('choose c in hand(me) or none "W?"\nif c: hush(c)', "card_3", "none", id="in a rule that a loop leaves"),
    pytest.param('choose c in hand(me) or none "W?"\nif c: move c to kept(me)', "card_3", "none", id="kept"),
    pytest.param(
        'choose any number of c in hand(me) as xs "W?"\nfor c in xs: move c to kept(me)', "card_3", "done", id="several"
    ),
    pytest.param(
        'choose one "W?":\n  for c in hand(me) "by": swap c with old\n  "stay": nothing', "by card_3", "stay", id="menu"
    ),
    pytest.param(
        'choose one "W?":\n  "swap": trade(3)\n  "stay": nothing', "swap", "stay", id="line without piece"
    ),
    pytest.param('may "swap": trade(3)', "swap", "no", id="line without piece, offered alone"),
    pytest.param('up to 2 times "swap": trade(3)', "swap", "stop", id="repeated"),
    pytest.param('choose n in 0..1 "W?"\nif n == 1: trade(3)', "1", "0", id="number"),
    pytest.param(
        'choose one "W?":\n  "low": hide(3)\n  "high": hide(4)',
        "low", "high", id="which of two is kept",
    ),
    pytest.param(
        'choose c in hand(me), n in 1..2 or none "W?"\nif c: swap c with old', "card_3 -> 1", "none", id="two values"
    ),
]  # fmt: skip


@pytest.mark.parametrize(("effect", "taken", "declined"), SECRET)
def test_who_declines_in_secret_is_reported_like_who_does_not(tmp_path, effect, taken, declined):
    first = started(tmp_path, effect)
    other = first.clone()
    to_the_end_of_the_question(first, taken)
    to_the_end_of_the_question(other, declined)

    assert first.log == ["Player 1 has decided"] == first.told(1)
    assert other.log == ["Player 1 has decided"] == other.told(1)
    assert [line.words for line in other.telling(1)] == first.log
    assert other.to_json(1) != other.to_json(0)
    assert "has decided" not in " ".join(other.told(0)), "one's own answer is no secret"


OPEN = [
    pytest.param(
        'choose c in hand(me) or "pass" "W?"\nif c: move c to shown(me)', "pass", "Player 1: pass", id="shown"
    ),
    pytest.param(
        'choose c in hand(me) or "pass" "W?"\nstop unless c\nlay(c)', "pass", "Player 1: pass", id="in a rule"
    ),
    pytest.param('choose c in shown(me) or "pass" "W?"\nif c: move c to hand(me)', "pass", "Player 1: pass", id="seen"),
    pytest.param(
        'choose c in hand(me) or "pass" "W?"\nif c: gain 1 coin; move c to kept(me)',
        "pass",
        "Player 1: pass",
        id="paid for",
    ),
    pytest.param(
        'choose one "W?":\n  for c in hand(me) "lay": lay(c)\n  "pass": nothing', "pass", "Player 1: pass", id="menu"
    ),
    pytest.param(
        'choose any number of c in hand(me) as xs "W?"\nfor c in xs: lay(c)', "done", "Player 1: none", id="several"
    ),
]


@pytest.mark.parametrize(("effect", "answer", "told"), OPEN)
def test_who_declines_in_the_open_is_reported(tmp_path, effect, answer, told):
    """Where everybody sees it in any case when something is taken, nothing is hidden by not saying that nothing was."""
    match = started(tmp_path, effect)
    to_the_end_of_the_question(match, answer)

    assert match.log == [told]


@pytest.mark.parametrize("low", [0, 9], ids=["some", "none"])
def test_no_answer_is_reported_like_one_where_others_cannot_know(tmp_path, low):
    """Whether there is a card that can be taken depends on the hand: no other player reads which it was."""
    effect = (
        f"choose c in hand(me) where number(c) > {3 if low == 0 else low}\notherwise: nothing\nif c: swap c with old"
    )
    match = started(tmp_path, effect)

    assert match.log == ["Player 1 has decided"]


def test_only_answer_that_everybody_foresees_is_not_told_as_a_decision(tmp_path):
    """Of the last card of a hand all know that it was the only one: of others no more is reported than of oneself."""
    effect = "for c in hand(me) where number(c) > 3: move c to shown(me)\nchoose c in hand(me)\notherwise: stop\nmove c to kept(me)"
    match = started(tmp_path, effect)

    assert match.log == match.told(1) == ["Player 1's card 4 goes to shown"]
