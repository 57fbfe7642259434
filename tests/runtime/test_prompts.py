"""Questions name values: variables of the rule, in braces."""

from __future__ import annotations

from littlepacks import lay, see_same_natively, told

from patolli.author.workspace import load

MODEL = """kinds:
  card: {facts: {rank: int, act: effect = nothing}, fields: {mark: {type: int 0..2 = 0, visible: none}}}
counters:
  coin: {per: player, start: 3, noun: [coin, coins]}
  bid: {per: player, visible: owner}
places:
  deck: {of: card, type: pile, visible: none}
  hand: {of: card, per: player, type: area, visible: owner}
"""
PIECES = """document: pieces
kind: card
place: deck
pieces:
  low: {rank: 1, act: 'choose k in 1..2 "Count {it} for {it.rank}?"; gain k coin'}
  high: {rank: 9}
"""


def asked(tmp_path, match, *choices):
    """Return the questions, one after the other, and the seat that answers each."""
    rules = "rules:\n  match: |\n" + "".join(f"    {line}\n" for line in match.splitlines())
    folder = lay(tmp_path, MODEL, rules + "result: {score: coin + bid}\n", pieces=PIECES)
    assert [one for one in told(folder) if "P04" not in one] == []
    match = load(folder).start(2, 1)
    found = []
    for choice in choices:
        found.append(match.decision.prompt)
        assert match.view(match.decision.player)["prompt"] == found[-1]
        match.choose(choice)
    see_same_natively(folder)
    return found


def test_variables_of_a_rule_and_facts_of_what_they_hold(tmp_path):
    match = """for n in 1..2, q in others(me):
  let twice = 2 * n
  choose k in 0..1 "Pay {n} coins to {q}, who has {twice}?"
  choose c in [low, high] "After {k} of {n}?"
  choose 1 of d in [low, high] as ds "Beside {c}, a {c.rank}?"
  choose one "Instead of {ds}?":
    "yes": nothing
    "no": lose twice coin"""
    assert asked(tmp_path, match, "1", "low", "high", "no", "0") == [
        "Pay 1 coin to player 2, who has 2?",
        "After 1 of 1?",
        "Beside low, a 1?",
        "Instead of high?",
        "Pay 2 coins to player 2, who has 4?",
    ]


def test_field_that_the_player_cannot_see_is_left_out(tmp_path):
    match = """for c in [high]:
  set c.mark to 2
  choose n in 1..2 "How much for {c}, which has {c.mark}?"
  choose one "Sure, for {n}?":
    "yes": gain n coin
    "no": nothing"""
    assert asked(tmp_path, match, "1", "no") == ["How much for ..., which has ...?", "Sure, for 1?"]


def test_piece_and_player_of_a_block(tmp_path):
    match = """for c in [low]: do c.act
simultaneously for p in players:
  choose n in 0..2 "How much, {p}?"
  set bid to n"""
    assert asked(tmp_path, match, "2", "1", "0") == [
        "Count low for 1?",
        "How much, player 1?",
        "How much, player 2?",
    ]


def test_question_keeps_its_words_when_the_match_goes_on(tmp_path):
    rules = 'rules:\n  match: |\n    for n in 1..2: choose k in 0..n "Up to {n}?"\n'
    match = load(lay(tmp_path, MODEL, rules, pieces=PIECES)).start(2, 1)
    first = match.decision
    match.choose("0")

    assert (first.prompt, match.decision.prompt) == ("Up to 1?", "Up to 2?")
    match.undo()
    assert match.decision.prompt == "Up to 1?"
