"""Looking ahead: ``after(rule(..), value)`` tells what would be, and leaves no trace, whatever the rule does."""

from __future__ import annotations

from copy import deepcopy

import pytest
from packmaker import SAMPLE, loaded, problems, trigger

from patolli.kernel.budget import scarce
from patolli.run.runtime import MatchError

RULES = """\
rules:
  save(card): |
    require not card.used
    set card.used to true
    gain card.number coin
  hoard(): |
    draw 2 from deck to hand(me)
    gain 1 coin
  all_in(): |
    set coin to 0
    lose 2 nut
  claim(cell): set cell.owner to me
  give(int n): |
    as next(me): gain n coin
  over(): |
    gain 1 coin
    end match
  grow(int n): |
    gain n * n * n coin
  crawl(int n): |
    repeat n * 10000 times:
      for c in cell where not c.owner: set c.owner to me
      for c in cell: set c.owner to none
"""
ASKED = [
    ("after(hoard(), coin)", 2),
    ("after(hoard(), size(hand(me)))", 2),
    ("after(hoard(), after(hoard(), coin + size(hand(me))))", 7),
    ("after(hoard(), coin) + coin + size(hand(me))", 3),
    ("after(hoard(), size(deck))", 7),
    ("after(give(3), coin(next(me)))", 4),
    ("after(give(3), number(me))", 1),
    ("after(over(), coin)", 2),
    ("after(claim(b2), count(x in adjacent(a2) where x.owner == me))", 1),
    ("count(x in cell where after(claim(x), count(y in adjacent(b2) where y.owner == me) == 1))", 4),
    ("count(c in deck where after(hoard(), c in hand(me)))", 2),
    ("count(c in deck where can(save(c)) and after(save(c), coin > 9))", 5),
    ("1 if richer(coin) else 0", 1),
    ("size(after(hoard(), hand(me)))", 2),
    ("size([c in after(hoard(), hand(me)) where after(hoard(), c in hand(me))])", 2),
]
FUNCTIONS = "functions:\n  richer(int n): after(hoard(), coin > n)\n"


def example(effect: str, rules: str = RULES) -> str:
    return trigger(effect, "setup") + rules


@pytest.mark.parametrize(("asked", "value"), ASKED, ids=[asked for asked, _ in ASKED])
@pytest.mark.parametrize("narrate", [False, True])
def test_value_is_that_behind_the_rule_which_leaves_no_trace(tmp_path, asked, value, narrate):
    match = loaded(tmp_path, f"document: rules\n{RULES}{FUNCTIONS}values: {{asked: '{asked}'}}\n").start(
        2, 1, narrate=narrate
    )
    before, told = deepcopy(match.state), list(match.log)

    assert match.value("asked", 0) == value
    assert match.state == before
    assert match.log == told
    assert list(match.program.events) == []


@pytest.mark.parametrize(
    ("effect", "code"),
    [
        ("if after(dig(), coin > 0): nothing", "P0485"),
        ("if after(asking(), coin > 0): nothing", "P0485"),
        ("if after(mix(), coin > 0): nothing", "P0485"),
        ("for c in shop: if after(save(c), coin > 0): gain 1 nut", "P0486"),
        ("for c in shop: if can(save(c)) and after(save(c), coin > 0): gain 1 nut", ""),
        ("for c in shop where not c.used: if after(save(c), coin > 0): gain 1 nut", ""),
        ("if coin > 0: gain after(all_in(), 4 div coin) nut", "P0414"),
        ("if coin > 0: gain after(hoard(), 4 div (coin + 1)) nut", ""),
        ("let k = coin + 1\ngain after(all_in(), 4 div k) nut", ""),
        ("if top(deck): move after(hoard(), top(deck)) to hand(me)", "P0303"),
        ("gain after(coin, coin) nut", "P0202"),
        ("gain after(hoard()) nut", "P0302"),
        ("let x = after(hoard(), choose)", "P0201"),
    ],
)
def test_what_is_reported_it(tmp_path, effect, code):
    more = RULES + "  asking(): all_in()\n  mix(): shuffle deck\n"
    follows = "  t: {after: all_in, do: dig()}\n" if "asking" in effect else ""
    found = {p.code for p in problems(tmp_path, trigger(effect) + follows + more)}

    assert found == ({code} if code else set())


def test_what_asks_is_shown_where_it_does(tmp_path):
    (found,) = problems(tmp_path, trigger("if after(dig(), coin > 0): nothing"))

    assert "asks a player" in found.message
    assert [span.line for span, _ in found.also] == [40]


def test_in_the_first_version_it_is_a_name_like_any_other(tmp_path):
    pack = (SAMPLE / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 1")
    effect = trigger("gain after(1, 2) nut")
    own = 'functions: {"after(int a, int b)": a + b}\n'

    (found,) = problems(tmp_path, f"{effect}# pack.yaml\n{pack}")
    assert found.code == "P0201"
    assert "language: 2" in found.help
    assert problems(tmp_path, f"{effect}{own}# pack.yaml\n{pack}") == []


def test_fault_behind_the_rule_is_reported_where_it_is(tmp_path):
    match = loaded(tmp_path, example("as player_1: if after(grow(1000000), coin > 0): gain 1 nut")).start
    with pytest.raises(MatchError) as caught:
        play(match(2, 1))

    assert caught.value.code == "P0805"
    assert [rule for _, _, rule in caught.value.stack][-2:] == ["tested", "grow"], caught.value.stack


def test_fault_leaves_the_state_as_it_was(tmp_path):
    match = loaded(tmp_path, f"document: rules\n{RULES}values: {{asked: 'after(grow(1000000), coin)'}}\n").start(2, 1)
    before = deepcopy(match.state)
    with pytest.raises(MatchError):
        match.value("asked", 0)

    assert match.state == before


def test_steps_count(tmp_path):
    match = loaded(tmp_path, f"document: rules\n{RULES}values: {{asked: 'after(crawl(9), coin)'}}\n").start(2, 1)
    with scarce(2_000_000), pytest.raises(MatchError) as caught:
        match.value("asked", 0)

    assert caught.value.code == "P0801"


def test_rule_whose_steps_stand_in_several_files(tmp_path):
    """Such a rule waits on frames for what could be asked in between, though nothing ever is."""
    module = (
        "# extra/pack.yaml\ndocument: pack\nid: extra\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Extra\n"
        "requires: {sample: '>=1.0'}\n"
        "# extra/change.yaml\ndocument: patch\nchange:\n"
        "  - after: rules/parted/first\n    do: |\n      gain 2 coin\n      as next(me): gain 5 coin\n"
    )
    steps = "  parted: {steps: {first: gain 1 coin}}\n"
    values = "values: {asked: 'after(parted(), coin * 100 + coin(next(me)))'}\n"
    match = loaded(tmp_path, f"document: rules\n{RULES}{steps}{values}{module}").start(2, 1)
    before = deepcopy(match.state)

    assert match.program.entries.keys() >= {"parted"}
    assert match.value("asked", 0) == 406
    assert match.state == before


def play(match):
    while match.pending is not None:
        match.pick(0)
