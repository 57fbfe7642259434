"""Sentences made from effects: every form of the language, and what the shipped content says."""

from __future__ import annotations

import inspect as looking
import re
from pathlib import Path

import golden
import pytest
from packmaker import Text, loaded, trigger

from patolli.author.workspace import load
from patolli.check import prose
from patolli.check.prose import expressions
from patolli.check.prose.words import Speech
from patolli.language.packs.discovery import installed
from patolli.language.packs.manifest import read_manifest
from patolli.language.program.builtins import BUILTINS
from patolli.language.syntax import tree as t
from patolli.language.syntax.parser import parse_effect
from patolli.language.syntax.syntax_walk import nodes

GOLDEN = Path(__file__).parent / "sentences"
SECTIONS = (
    "pieces", "rules", "functions", "triggers", "anytime", "substitutions", "discounts", "waivers", "result",
)  # fmt: skip
SHOWN = ("city_of_gods", "founders", "patolli")

EFFECTS = [
    ("gain 2 seed and 1 nut", "Gain 2 seeds and 1 nut."),
    ("gain n coin", "Gain n coins."),
    ("gain 2 * n + 1 coin", "Gain as many coins as 2 times n plus 1."),
    ("gain 1 any good", "Gain 1 good of your choice."),
    ("gain 2 any good", "Gain 2 goods of your choice."),
    ("gain 3 point for next(me)", "The player after you gains 3 points."),
    ("lose 1 coin", "Lose 1 coin."),
    ("may \"buy\": pay 1 coin and 1 any good", "You may pay 1 coin and 1 good of your choice."),
    ("may \"lead\": set coin to 3", "You may do this: set your coins to 3."),
    ("set coin to coin + 2", "Raise your coins by 2."),
    ("set coin to min(9, coin + 2)", "Raise your coins by 2 to at most 9."),
    ("set coin to max(coin - 2, 0)", "Lower your coins by 2 to at least 0."),
    ("set coin to min(9, coin * 2)", "Set your coins to the smaller of 9 and your coins times 2."),
    ("set bid to 0", "Set your bids to 0."),
    ("set bold_1.used to true", "The bold 1 is now used."),
    ("set bold_1.used to false", "The bold 1 is no longer used."),
    ("move rich_1 to hand(me)", "Move the rich 1 to your hand."),
    ("move rich_1 to deck bottom", "Move the rich 1 under the deck."),
    ("move rich_1 to box", "Move the rich 1 to the box."),
    ("swap bold_1 with bold_2", "Swap the bold 1 with the bold 2."),
    ("shuffle deck", "Shuffle the deck."),
    ("draw 2 from deck to hand(me)", "Draw 2 from the deck to your hand."),
    ("refill shop from deck; slide shop", "Refill the shop from the deck, then close the gaps in the shop."),
    ("random c in hand(me)\nif c: move c to deck", "Take one of the cards in your hand at random, then if there is such a card, move that card to the deck."),
    ("dig(); dig()", "Dig, twice."),
    ("may \"dig\": dig()", "You may dig."),
    ("stop", "Stop."),
    ("stop if coin == 3; gain 1 coin", "Stop if your coins are 3, then gain 1 coin."),
    ("stop unless top(deck); gain 1 coin", "Stop unless there is the top piece of the deck, then gain 1 coin."),
    ("if coin > 2: gain 1 seed\nelse: gain 1 nut", "If your coins are more than 2, gain 1 seed; otherwise, gain 1 nut."),
    ("for p in players: gain 1 coin for p", "For each player, that player gains 1 coin."),
    ("for c in hand(me) where not c.used in any order: set c.charge to 1", "For each of the cards in your hand that are not used, in any order, set the charge of that card to 1."),
    ("repeat 2 times: gain 1 coin", "Twice, gain 1 coin."),
    ("repeat n times: gain 1 coin", "N times, gain 1 coin."),
    ("loop:\n  gain 1 coin\n  if coin > 5: break", "Again and again: Gain 1 coin, then if your coins are more than 5, leave the loop."),
    ("as next(me): gain 1 coin", "The player after you does this: gain 1 coin."),
    ("pass to next(me)", "The player after you becomes the acting player."),
    ("simultaneously for p in players: set bid to 1", "Each player decides at the same time: set your bids to 1."),
    ("choose c in hand(me) or none\nif c: move c to deck", "You may choose one of the cards in your hand, then if there is such a card, move that card to the deck."),
    ("choose c in hand(me) where c.number > 3\notherwise: stop\nmove c to deck", "Choose one of the cards in your hand whose number is more than 3, if there is one, then move that card to the deck."),
    ("choose 2 of c in shop as sold\notherwise: stop\ngain size(sold) coin", "Choose 2 of the cards in the shop, if there are enough, then gain as many coins as the number of chosen cards."),
    ("choose any number of c in hand(me) where c.number > 3 as shown\ngain size(shown) coin", "Choose any number of the cards in your hand whose number is more than 3, then gain as many coins as the number of chosen cards."),
    ("choose k in 1..3\ngain k coin", "Choose a number k from 1 to 3, then gain k coins."),
    ("choose one:\n  \"coin\": gain 1 coin\n  \"seed\" when coin > 1: gain 1 seed", "Choose one: (a) gain 1 coin; (b) if your coins are more than 1, gain 1 seed."),
    ("choose one:\n  for c in shop \"buy\": move c to hand(me)\n  \"no\": nothing\n  otherwise: gain 1 coin", "Choose one: (a) for one of the cards in the shop, move that card to your hand; (b) nothing happens; (c) if none of this is possible, gain 1 coin."),
    ("up to 2 times: pay 1 coin; gain 1 seed", "At most twice, you may pay 1 coin, then gain 1 seed."),
    ("let k = 2 * coin; gain k point", "Let k be 2 times your coins, then gain k points."),
    ("pause \"rest\"", "Pause for actions at any time."),
    ("end match", "The match ends."),
    ("nothing", "Nothing happens."),
    ("say \"hello\"; gain 1 coin", "Gain 1 coin."),
    ("let c = top(deck)\nif c: do c.effect", "Let that card be the top piece of the deck, then if there is such a card, carry out the effect of that card."),
]  # fmt: skip
CONDITIONS = [
    ("coin == 1", "your coins are 1"),
    ("coin != 1", "your coins are not 1"),
    ("not (coin < 1)", "your coins are at least 1"),
    ("1 <= coin <= 3", "your coins are at least 1 and at most 3"),
    ("0 < coin < seed and nut == 1 or n > 2", "(your coins are more than 0 and less than your seeds and your nuts are 1) or n is more than 2"),
    ("1 <= coin <= 3 or n > 2", "your coins are at least 1 and at most 3 or n is more than 2"),
    ("not (1 <= coin <= 3)", "it is not so that your coins are at least 1 and at most 3"),
    ("coin > 1 and seed > 1 or nut > 1", "(your coins are more than 1 and your seeds are more than 1) or your nuts are more than 1"),
    ("not (coin > 1 and seed > 1)", "it is not so that your coins are more than 1 and your seeds are more than 1"),
    ("rich_1 in hand(me)", "the rich 1 is among your hand"),
    ("rich_1 not in hand(me)", "the rich 1 is not among your hand"),
    ("n in {1, 3}", "n is 1 or 3"),
    ("n not in 1..3", "n is not from 1 to 3"),
    ("size(hand(me)) > 0", "there is anything in your hand"),
    ("top(deck) == none", "there is no top piece of the deck"),
    ("not throne", "there is no throne"),
    ("throne", "there is a throne"),
    ("any(c in hand(me) where c.used)", "there is one of the cards in your hand that are used"),
    ("any(c in card where c.used)", "there is a card that is used"),
    ("any(p in players where coin(p) > 3)", "there is a player whose coins are more than 3"),
    ("any(c.number > 3 for c in hand(me) where c.used)", "there is one of the cards in your hand that are used and whose number is more than 3"),
    ("any(hand(me))", "there is anything in your hand"),
    ("count(hand(me)) == 2", "the number of your hand is 2"),
    ("max({n, 2}) == sum({1, n})", "the largest of n and 2 is the sum of 1 and n"),
    ("have(coin) == 1", "your coins are 1"),
    ("have(next(me), coin) == 1", "the coins of the player after you are 1"),
    ("all(c.used for c in hand(me))", "for each of the cards in your hand, that card is used"),
    ("me == players[0]", "you are number 1 of all players"),
    ("count(c in hand(me) where not c.used) == 2", "the number of cards in your hand that are not used is 2"),
    ("sum(c.number for c in hand(me)) > min(coin, 3)", "the sum of the number of that card over the cards in your hand is more than the smaller of your coins and 3"),
    ("coin > (1 if seed > 1 else 2)", "your coins are more than 1 if your seeds are more than 1, else 2"),
    ("seed > 1 if coin > 1 else n == 2", "your seeds are more than 1 if your coins are more than 1, and otherwise n is 2"),
    ("seed > 1 if coin > 1 else n == 2 if coin == 0 else false", "if your coins are more than 1, your seeds are more than 1; if your coins are 0, n is 2; otherwise never"),
    ("me == players[min(2, coin + 1) - 1]", "you are the one of all players whose number is the smaller of 2 and your coins plus 1"),
    ("size([c for p in players, c in hand(p) where c.used]) == 2", "the number of items in the cards in the hand of any player that are used is 2"),
    ("2 * (coin + 1) div 3 == -n", "2 times (your coins plus 1) divided by 3 is minus n"),
    ("can(earn(1))", "'earn' is possible with 1"),
]  # fmt: skip


def told(folder, effect):
    program = loaded(folder, trigger(effect)).model.program
    return prose.effect(program, program.rules["tested"].block, program.rules["tested"].parameters)


@pytest.mark.parametrize(("effect", "said"), EFFECTS, ids=[effect for effect, _ in EFFECTS])
def test_effect(effect, said, tmp_path):
    assert told(tmp_path, effect).replace("\n  ", " ") == said


LONG = "gain 1 coin; gain 1 seed; gain 2 nut"
ALL = "Gain 1 coin, then gain 1 seed, then gain 2 nuts."


@pytest.mark.parametrize(
    ("effect", "lines"),
    [
        pytest.param(
            f"if coin > 1:\n  {LONG}\nelse: gain 1 nut",
            [
                "If your coins are more than 1:",
                f"  {ALL}",
                "Otherwise, gain 1 nut.",
            ],
            id="short below long",
        ),
        pytest.param(
            f"if coin > 1: gain 1 nut\nelse:\n  {LONG}",
            [
                "If your coins are more than 1, gain 1 nut; otherwise:",
                f"  {ALL}",
            ],
            id="long behind short",
        ),
        pytest.param(
            f"if coin > 1:\n  {LONG}\nelif seed > 1:\n  {LONG}\nelse:\n  {LONG}",
            [
                "If your coins are more than 1:",
                f"  {ALL}",
                "Otherwise, if your seeds are more than 1:",
                f"  {ALL}",
                "Otherwise:",
                f"  {ALL}",
            ],
            id="a chain",
        ),
        pytest.param(
            f"for p in players:\n  if coin > 1:\n    {LONG}\n  else: gain 1 nut\ngain 3 nut",
            [
                "For each player:",
                "  If your coins are more than 1:",
                f"    {ALL}",
                "  Otherwise, gain 1 nut.",
                "Gain 3 nuts.",
            ],
            id="inside a loop",
        ),
        pytest.param(
            f'choose one:\n  "a":\n    if coin > 1:\n      {LONG}\n    else: gain 1 nut\n  "b": gain 3 nut',
            [
                "Choose one:",
                "  - 'a':",
                "      If your coins are more than 1:",
                f"        {ALL}",
                "      Otherwise, gain 1 nut.",
                "  - Gain 3 nuts.",
            ],
            id="inside a menu",
        ),
        pytest.param(
            f"as next(me):\n  if coin > 1:\n    {LONG}\n  else: gain 1 nut",
            [
                "The player after you does this:",
                "  If your coins are more than 1:",
                f"    {ALL}",
                "  Otherwise, gain 1 nut.",
            ],
            id="by another player",
        ),
    ],
)
def test_what_happens_otherwise_stands_beside_its_condition(effect, lines, tmp_path):
    assert told(tmp_path, effect).splitlines() == lines


@pytest.mark.parametrize(("condition", "said"), CONDITIONS, ids=[condition for condition, _ in CONDITIONS])
def test_condition(condition, said, tmp_path):
    program = loaded(tmp_path, trigger(f"if {condition}: gain 1 coin")).model.program
    (effect,) = program.rules["tested"].block

    assert expressions.condition(effect.condition, Speech(program).knowing(*program.rules["tested"].parameters)) == said


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        (
            "for c in hand(me): move c to deck\nshuffle deck",
            "For each of the cards in your hand, move that card to the deck.\nShuffle the deck.",
        ),
        (
            "if not (coin > 1 and (seed > 1 or nut > 1)): gain 1 coin",
            "If `not (coin > 1 and (seed > 1 or nut > 1))`, gain 1 coin.",
        ),
        (
            "let k = sum(c.number for c in hand(me) where not c.used)  # all\ngain k coin",
            "Let k be `sum(c.number for c in hand(me) where not c.used)`, then gain k coins.",
        ),
        ('as next(me): say "well done"\ngain 1 coin', "Gain 1 coin."),
        ("lose abs(coin - seed) coin", "Lose as many coins as the difference between your coins and your seeds."),
    ],
    ids=["what is outside a loop is not behind it", "a riddle", "a value", "what is only reported", "a difference"],
)
def test_a_reader_does_not_have_to_guess(effect, said, tmp_path):
    """Each loop stands on a line of its own. Where its words would be too long, the text of the rule is shown."""
    assert told(tmp_path, effect) == said


def test_a_long_function_is_shown_by_its_place(tmp_path):
    cases = " ".join(f"{n} if coin(p) > {n} else" for n in range(20, 1, -1))
    rules = f"document: rules\nfunctions:\n  worth(player p): {{is: '{cases} 0'}}\n  twice(player p): 2 * worth(p) + worth(next(p))\n"
    program = loaded(tmp_path, rules).model.program
    said = [prose.describe_entry(program, "functions", name)[0][1] for name in ("worth", "twice")]

    assert said[0].startswith("See the rule: line 3 of `")
    assert said[1] == "See the rule: `2 * worth(p) + worth(next(p))`."


def test_what_a_rule_returns_is_said_with_what_uses_it(tmp_path):
    rules = (
        "document: rules\nrules:\n  wish(int n): return n + 1\n  twice: return wish(2)\n"
        "triggers:\n  tested:\n    after: earn\n    do: |\n      let k = wish(n)\n      gain k coin\n"
    )
    program = loaded(tmp_path, rules).model.program
    said = [
        prose.describe_entry(program, section, id_)[0][1]
        for section, id_ in (("triggers", "tested"), ("rules", "twice"))
    ]

    assert said == [
        "After 'earn': let k be the result of 'wish' with n, then gain k coins.",
        "The result is the result of 'wish' with 2.",
    ]


def test_blocks_inside_each_other_are_described_once(tmp_path):
    """Each block was described twice, so 30 levels took as long as a thousand million."""
    loops = [f"{'  ' * i}for one_{i} in hand(me):" for i in range(30)]

    said = told(tmp_path, "\n".join([*loops, "  " * 30 + "gain 1 coin"]))

    assert said.lower().count("for each of the cards") == 30


def test_phrase_that_has_a_value_twice_is_cut_where_it_stands_in_itself(tmp_path):
    """Each call doubled the sentence, so 39 of them needed more memory than a machine has."""
    functions = "functions:\n  twin(int n): {is: n + 1, phrase: '{n} as {n}'}\n"
    program = loaded(tmp_path, functions + trigger(f"gain {'twin(' * 39}1{')' * 39} coin")).model.program

    said = prose.effect(program, program.rules["tested"].block, ())

    assert said == "Gain as many coins as what line 8 of `example.yaml` says."


def test_every_effect_of_the_language_is_tried():
    tried = {type(node) for effect, _ in EFFECTS for node in nodes(parse_effect(Text(effect))[0])}
    known = {c for _, c in looking.getmembers(t, looking.isclass) if issubclass(c, t.Effect) and c is not t.Effect}

    assert {c.__name__ for c in known - tried} == {
        "AsBy",
        "Expect",
        "Mark",
        "Require",
        "Reveal",
    }  # `constructs/demands.yaml` tries these


@pytest.mark.parametrize("builtin", BUILTINS.values(), ids=list(BUILTINS))
def test_phrase_of_a_builtin_has_its_parameters(builtin):
    assert sorted(re.findall(r"\{(\d)\}", builtin.phrase)) == [str(n) for n in range(len(builtin.parameters))]


@pytest.mark.parametrize(
    ("phrase", "event", "effect"),
    [
        ("hold a feast for {n} guests", "After you hold a feast for n guests", "Hold a feast for 2 guests."),
        ("gains {n} nuts", "After you gain n nuts", "Gain 2 nuts."),
        ("goes to market", "After you go to market", "Go to market."),
        ("your cook serves", "After your cook serves", "Your cook serves."),
        ("discuss the bill", "After you discuss the bill", "Discuss the bill."),
    ],
)
def test_phrase_of_a_rule_is_said_as_to_the_player_who_acts(tmp_path, phrase, event, effect):
    """No player reads "after you gains"; and a phrase that says who acts needs no "you"."""
    example = (
        f'document: rules\nrules:\n  feast(int n): {{do: gain n nut, phrase: "{phrase}"}}\n'
        "triggers:\n  tested: {after: feast, do: gain 1 coin}\n  other: {after: dig, do: feast(2)}\n"
    )
    program = loaded(tmp_path, example).model.program
    said = [prose.describe_entry(program, "triggers", name)[0][1] for name in ("tested", "other")]

    assert said == [f"{event}: gain 1 coin.", f"After 'dig': {effect[:1].lower()}{effect[1:]}"]


def test_phrases_are_used(tmp_path):
    example = (
        'document: rules\nfunctions:\n  wealth(player): {is: coin(player) + seed(player), phrase: "{player\'s} wealth"}\n'
        'rules:\n  feast(int n): {do: gain n nut; gain 1 coin, phrase: "hold a feast for {n} guests"}\n'
        "triggers:\n  tested: {after: feast, when: wealth(me) > wealth(next(me)), do: gain n coin}\n"
        "  other: {after: dig, do: feast(1)}\n  third: {after: use, do: feast(coin + 1)}\n"
    )
    model = loaded(tmp_path, example).model
    said = [prose.describe_entry(model.program, "triggers", name)[0][1] for name in ("tested", "other", "third")]

    assert said == [
        "After you hold a feast for n guests, if your wealth is more than the player after you's wealth: gain n coins.",
        "After 'dig': hold a feast for 1 guest.",
        "After 'use': hold a feast for as many guests as your coins plus 1.",
    ]


@pytest.mark.deep
def test_nouns_of_kinds_are_used():
    """A Discovery tile is called so, and not by the id of its kind."""
    program = load("city_of_gods").model.program
    said = " ".join(text for section in ("rules", "functions") for id_ in program.composition.sections[section]
                    for _, text in prose.describe_entry(program, section, id_))  # fmt: skip

    assert "Discovery tiles in your hand" in said
    assert "startings" not in said
    assert "of the discoveries" not in said
    assert "that discovery" not in said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("1 seed", "1 coin may be paid for 1 seed."),
        ("2 seed", "1 coin may be paid for exactly 2 seeds."),
        ("up to 2 seed", "1 coin may be paid for up to 2 seeds."),
        ("up to 1 seed", "1 coin may be paid for 1 seed."),
        ("3 good", "1 coin may be paid for exactly 3 seeds or nuts."),
    ],
)
def test_substitution_says_for_how_much(given, said, tmp_path):
    more = f"# more.yaml\ndocument: rules\nsubstitutions:\n  barter: {{give: 1 coin, for: {given}}}\n"
    program = loaded(tmp_path, more).model.program

    assert [words for _, words in prose.describe_entry(program, "substitutions", "barter")] == [said]


def everything(pack, modules=()):
    """Write all that the entries of a pack and its modules do."""
    model = load(pack, modules).model
    lines = []
    for section in SECTIONS:
        for entry in model.composition.all(section):
            for part, said in prose.describe_entry(model.program, section, entry.id):
                lines.append(f"{section}/{entry.id}{' ' + part if part else ''}")
                lines += [f"    {line}" for line in said.splitlines()]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("pack", SHOWN)
def test_shipped_content(pack):
    golden.check(GOLDEN / f"{pack}.txt", everything(pack))


@pytest.mark.deep
@pytest.mark.parametrize("pack", sorted(installed()))
def test_every_effect_has_a_whole_sentence(pack):
    manifest = read_manifest(installed()[pack])
    assert manifest is not None
    base = next((id_ for id_ in manifest.requires if not read_manifest(installed()[id_]).requires), None)
    said = re.sub("`[^`]*`", "the rule", everything(base, [pack]) if base else everything(pack))

    assert re.findall(r".*(?:[{}<]|\bNone\b|\S  ).*", said) == []
    assert all(line.endswith((".", ":")) for line in said.splitlines() if line.startswith("    "))
