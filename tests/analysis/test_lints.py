"""The rules of good content: what is reported, and above all what is not."""

from __future__ import annotations

import re

import pytest
from examples import module, patched
from packmaker import DATA, spliced, trigger
from shipped import BASES

from patolli.author.workspace import inspect
from patolli.check.lints import CHECKS


def found(folder, example):
    return [p.code for p in inspect(*spliced(folder, example)).problems]


@pytest.mark.parametrize("name", BASES)
def test_shipped_pack_has_no_finding(name):
    assert [str(p.span) + " " + p.message for p in inspect(name).problems] == []


def test_every_check_has_a_code_of_its_own_room():
    assert [code for code in CHECKS if not re.fullmatch(r"P(0|1)4[3-8]\d|P012[56]|P050[56]", code)] == []


# ---- circles


CIRCLES = [
    ("earn", "earn(1)", True),
    ("earn", "earn(n)", True),
    ("earn", "earn(n - 1)", True),
    ("earn", "if n > 3: earn(n)", True),  # n is handed on as it is
    ("earn", "if n > 0: earn(n - 1)", False),
    ("earn", "if coin < 9: earn(1)", False),  # earning changes coin
    ("earn", "if seed < 5: earn(1)", True),  # nothing on the way changes seed
    ("earn", "stop if coin > 9\nearn(1)", False),
    ("earn", "stop if round > 3\nearn(1)", True),
    ("earn", 'may "again": earn(1)', False),
    ("earn", "end match\nearn(1)", False),
    ("earn", "for p in others(me): as p: earn(1)", True),
    ("earn", "for c in hand(me): earn(1)", True),
    ("dig", "earn(1)", False),
    ("dig", "dig()", True),
    ("buy", "if can(buy(card)): buy(card)", False),
    ("earn", "if top(deck): earn(1)", True),  # nothing on the way moves a card
    ("earn", "if top(deck): draw 1 from deck to hand(me); earn(1)", False),
    ("earn", "if top(deck): draw 1 from bag to charms(me); earn(1)", True),  # charms are no cards
    ("earn", "if have(seed) < 5: earn(1)", True),
    ("earn", "if have(coin) < 9: earn(1)", False),
    ("earn", "gain after(earn(1), coin) point", True),
    ("earn", "let then = after(earn(1), coin)\ngain then point", True),
    ("earn", "if after(earn(1), coin) > 3: gain 1 point", True),
    ("earn", "gain count(q in others(me) where coin(q) > 2 or after(earn(1), coin) > 2) point", False),
    ("earn", "if seed < 5: gain after(earn(1), coin) point", True),
    ("earn", "if coin < 9: gain after(earn(1), coin) point", False),  # coin is changed where it is looked from
    ("earn", "if coin > 9 and after(earn(1), coin) > 20: gain 1 point", False),
    ("dig", "gain after(earn(1), coin) point", False),
]


@pytest.mark.parametrize(("rule", "effect", "endless"), CIRCLES)
def test_circle(tmp_path, rule, effect, endless):
    codes = [code for code in found(tmp_path, trigger(effect, rule)) if code != "P0448"]

    assert codes == (["P0441"] if endless else [])


@pytest.mark.parametrize("condition", ["coin >= 0", "coin > -1 and seed < 6", "not coin < 0"])
def test_a_condition_that_always_holds_ends_no_circle(tmp_path, condition):
    codes = found(tmp_path, trigger(f"if {condition}: earn(1)"))

    assert sorted({*codes} - {"P0448", "P0461"}) == ["P0441"]


def test_what_may_be_done_at_any_time_may_end_a_circle(tmp_path):
    rest = trigger('if seed < 5:\n  pause "rest"\n  earn(1)')
    sow = "# anytime.yaml\ndocument: rules\nanytime:\n  sow: {label: sow, do: gain 1 seed}\n"

    assert found(tmp_path / "without", rest) == ["P0441"]
    assert found(tmp_path / "with", rest + sow) == []


def test_circle_of_a_piece_and_a_rule(tmp_path):
    pieces = "document: pieces\nkind: charm\nplace: bag\npieces:\n  echo: {triggers: [{after: dig, do: again()}]}\n"
    rules = "# rules2.yaml\ndocument: rules\nrules:\n  again: dig()\n"

    assert found(tmp_path, pieces + rules) == ["P0441"]


def test_circle_through_a_function_that_looks_ahead(tmp_path):
    text = (
        trigger("gain outlook() point") + "# more.yaml\ndocument: rules\nfunctions:\n  outlook: after(earn(1), coin)\n"
    )

    assert found(tmp_path, text) == ["P0441"]


def test_two_triggers_that_follow_each_other(tmp_path):
    text = "document: rules\ntriggers:\n  one: {after: earn, do: dig()}\n  two: {after: dig, do: earn(1)}\n"

    assert found(tmp_path, text) == ["P0441"]


# ---- counters of a group


READING = "gain sum(have(f) for f in fruit) point"


@pytest.mark.parametrize("effect", [f"{READING}\ngain 1 any fruit", f"gain 1 any fruit\n{READING}"])
def test_who_names_a_group_reads_its_counters(tmp_path, effect):
    counters = "counters:\n  fig: {per: player}\n  date: {per: player}\ngroups:\n  fruit: [fig, date]\n"
    model = f"# fruit.yaml\ndocument: model\n{counters}"

    assert found(tmp_path / "read", trigger(effect) + model) == []
    assert found(tmp_path / "not", trigger("gain 1 any fruit") + model) == ["P0431", "P0431"]


def test_what_is_paid_is_looked_at(tmp_path):
    model = "# clay.yaml\ndocument: model\ncounters:\n  clay: {per: player}\n"
    paid = 'gain 1 clay\nmay "a point":\n  pay 2 clay\n  gain 1 point'

    assert found(tmp_path / "paid", trigger(paid) + model) == []
    assert found(tmp_path / "kept", trigger("gain 1 clay") + model) == ["P0431"]


# ---- lists


LISTS = [
    ("gain ladder[4] point", True),
    ("gain ladder[3] point", False),
    ("gain ladder[0 - 1] point", True),
    ("for i in 0..4: gain ladder[i] point", True),
    ("for i in 0..3: gain ladder[i] point", False),
    ("for i in 1..4: gain ladder[i - 1] point", False),
    ("for i in 1..4 where i < 4: gain ladder[i] point", False),
    ("for i in 0..9: if i < 4: gain ladder[i] point", False),
    ("for i in 0..2: gain ladder[i * 2] point", True),
    ("gain sum(ladder[k] for k in 1..4) point", True),
    ("gain sum(ladder[k] for k in 1..4 where k < 4) point", False),
    ("gain ladder[bonus] point", False),
    ("gain ladder[bonus + 1] point", True),
    ("gain ladder[seats - 1] point", False),
    ("gain ladder[seats] point", True),
    ("gain ladder[min(3, coin)] point", False),
    ("gain ladder[n] point", False),  # the rule is called with 2 alone
    ("gain ladder[n + 2] point", True),
    ("gain {1, 2, 3}[seats - 2] point", False),
    ("gain {1, 2}[seats - 2] point", True),
    ("gain ladder[seed] point", True),  # 0 to 5
    ("if seed < 4: gain ladder[seed] point", False),
    ("let i = 4\ngain ladder[i] point", True),
    ("let i = 4\nset i to 2\ngain ladder[i] point", False),
    ("gain ladder[plain_1.charge] point", True),  # 1 to 6
    ("if plain_1.charge < 4: gain ladder[plain_1.charge] point", False),
    ("gain players[number(me) mod seats].point point", False),
    ("gain players[number(me)].point point", True),
]


@pytest.mark.parametrize(("effect", "short"), LISTS)
def test_index_beyond_its_list(tmp_path, effect, short):
    assert found(tmp_path, trigger(effect, "earn")) == (["P0415"] if short else [])


# ---- numbers in texts


TEXTS = [
    ("gain 3 coin", "Gain 3 coins.", False),
    ("gain 3 coin", "Gain 4 coins.", True),
    ("gain 3 coin", "Gain three coins.", False),
    ("gain 3 coin", "Gain four coins.", True),
    ("gain 3 coin", "Gain some coins.", False),
    ("gain 3 coin", "One of the best.", False),
    ("gain 1 coin", "Gain 2 coins.", True),
    ("gain 2 coin", "Gain 1 coin.", True),
    ("gain 2 coin; gain 2 coin", "Gain 4 coins.", False),
    ("gain 2 coin; gain 3 coin", "Gain 5 coins in all.", False),
    ("repeat 3 times: gain 2 coin", "Gain 6 coins.", False),
    ("earn(2); earn(2)", "Earn twice, 2 coins each.", False),
    ("earn(2)", "Do 1 thing.", False),
    ("gain 1 seed and 2 nut", "1 seed, 2 nuts.", False),
    ("gain 1 seed and 2 nut", "2 seeds, 2 nuts.", True),
    ("gain ladder[2] point", "Score 3 points.", False),
    ("gain ladder[2] point", "Score 4 points.", True),
    ("if coin >= 4: gain 1 point", "With more than 3 coins, 1 point.", False),
    ("dig()", "Dig at once.", False),
    ("gain 3 coin", "Rule 4.2: gain 3 coins.", False),
    ("gain 3 coin", "Version 1.5 of this: 3 coins.", False),
    ("nothing", "Nothing, 5 times.", False),
    ("gain 3 coin", "3 coins, from 1 to 3.", False),
]


@pytest.mark.parametrize(("effect", "text", "differs"), TEXTS)
def test_number_in_a_text(tmp_path, effect, text, differs):
    import json

    piece = f"document: pieces\nkind: charm\nplace: bag\npieces:\n  grace: {{effect: {json.dumps(effect)}, text: {json.dumps(text)}}}\n"

    assert found(tmp_path, piece) == (["P0440"] if differs else [])


def test_number_is_shown_where_it_stands(tmp_path):
    piece = "document: pieces\nkind: charm\nplace: bag\npieces:\n  grace:\n    effect: gain 3 coin\n    text: Gain 4 coins.\n"
    ((problem),) = inspect(*spliced(tmp_path, piece)).problems

    assert (problem.span.line, problem.span.column, problem.severity) == (7, 16, "warning")
    assert problem.help == "the numbers there are 3"


# ---- parameters


HINT = 'document: rules\ntriggers:\n  tested: {after: dig, do: "sweep(2, plain_1)"}\nrules:\n  sweep(int n, card): '
TABLED = "document: rules\ntriggers:\n  tested: {after: dig, do: gain worth(2) coin}\nfunctions:\n  worth(int n): "
PARAMETERS = [
    pytest.param(HINT + "gain n point; move card to deck\n", [], id="both read"),
    pytest.param(HINT + "gain 1 point; move card to deck\n", ["n"], id="one not read"),
    pytest.param(HINT + "gain 1 point\n", ["n", "card"], id="none read"),
    pytest.param(HINT + "gain count(k in 1..n) point; do card.effect\n", [], id="read deep inside"),
    pytest.param(HINT + "sweep(n - 1, card)\n", [], id="handed on"),
    pytest.param(HINT + "nothing\n", [], id="a point for others"),
    pytest.param(HINT + '{do: move card to deck, phrase: "sweep {n} times"}\n', [], id="read by its phrase"),
    pytest.param(
        HINT.replace("tested:", "more: {after: sweep, when: n > 1, do: gain 1 coin}\n  tested:")
        + "move card to deck\n",
        [],
        id="read by the condition of a trigger",
    ),
    pytest.param(
        HINT.replace("tested:", "more: {before: sweep, do: gain n coin}\n  tested:") + "move card to deck\n",
        [],
        id="read by the effect of a trigger",
    ),
    pytest.param(TABLED + "2 * n\n", [], id="function"),
    pytest.param(TABLED + "coin + 2\n", ["n"], id="function that reads something else"),
    pytest.param(TABLED + "{is: 0, type: int}\n", [], id="function for others to adjust"),
]


@pytest.mark.parametrize(("example", "unread"), PARAMETERS)
def test_parameter_that_nothing_reads(tmp_path, example, unread):
    problems = [p for p in inspect(*spliced(tmp_path, example)).problems if p.code != "P0441"]
    lines = example.splitlines()

    assert [p.code for p in problems] == ["P0446"] * len(unread)
    assert [lines[p.span.line - 1][p.span.column - 1 : p.span.end_column - 1] for p in problems] == unread


def test_parameter_of_a_pack_below_is_left_to_it(tmp_path):
    example = HINT + "gain 1 point; move card to deck\n" + patched("{after: rules/sweep, do: gain n coin}")
    alone = HINT + "gain 1 point; move card to deck\n"

    assert found(tmp_path / "with", example) == []
    assert found(tmp_path / "alone", alone) == ["P0446"]


def test_parameter_of_a_module_is_looked_at(tmp_path):
    own = "# extra/rules.yaml\n" + HINT + "move card to deck\n"

    assert found(tmp_path, patched("{after: rules/dig, do: gain 1 coin}") + own) == ["P0446"]


# ---- use


USED = [
    "values:\n  greedy: wealth()\n",
    "invariants:\n  rich: {always: wealth() >= 0}\n",
    "anytime:\n  boast: {when: wealth() > 3, do: gain 1 point}\n",
    "substitutions:\n  change: {give: 1 coin, for: 1 seed, when: wealth() > 3}\n",
    "triggers:\n  boast: {after: earn, when: wealth() > 3, do: gain 1 point}\n",
    "triggers:\n  boast: {after: earn, do: brag()}\nrules:\n  brag: gain wealth() point\n",
]


@pytest.mark.parametrize("use", USED)
def test_function_is_used_from(tmp_path, use):
    players = "wealth(player)" if "invariants" in use else "wealth()"
    body = "coin(player)" if "invariants" in use else "coin + seed"
    use = use.replace("wealth() >= 0", "all(wealth(p) >= 0 for p in players)")
    text = f"document: rules\nfunctions:\n  {players}: {body}\n{use}"

    assert found(tmp_path, text) == []


def test_rules_that_only_call_each_other_are_unused(tmp_path):
    text = "document: rules\nrules:\n  ping: |\n    gain 1 coin\n    if coin < 3: pong()\n  pong: |\n    gain 1 coin\n    if coin < 3: ping()\n"

    assert found(tmp_path, text) == ["P0430", "P0430"]


def test_what_a_scenario_names_is_used(tmp_path):
    text = "document: rules\nfunctions:\n  wealth(player): coin(player) + seed(player)\n"
    scenario = "# scenarios.yaml\ndocument: scenarios\nscenarios:\n  poor: {call: earn(1), then: [wealth(me) == 1]}\n"

    assert found(tmp_path, text) == ["P0432"]
    assert found(tmp_path, text + scenario) == []


def test_rule_that_only_a_scenario_calls_is_unused(tmp_path):
    text = "document: rules\nrules:\n  polish: gain 1 point\n"
    scenario = "# scenarios.yaml\ndocument: scenarios\nscenarios:\n  shine: {call: polish(), then: [point == 1]}\n"

    assert found(tmp_path, text) == ["P0430"]
    assert found(tmp_path, text + scenario) == ["P0430"]


def test_pack_below_is_not_blamed_for_what_a_module_takes_away(tmp_path):
    assert found(tmp_path, patched("{replace: rules/dig, with: gain 1 point}")) == []


def test_lab_is_reported_what_it_does_not_use():
    codes = {p.code for p in inspect(str(DATA / "lab")).problems}

    assert codes <= {"P0432", "P0434", "P0435", "P0438"}


def test_text_of_one_module_is_not_made_right_by_another(tmp_path):
    """The number in the text of the first is found nowhere but in what the second adds to the piece."""
    charms = "# extra/charms.yaml\ndocument: pieces\nkind: charm\nplace: bag\npieces:\n"
    charms += "  grace: {effect: gain 3 coin, text: Gain 4 coins.}\n"
    first = patched("{after: rules/dig, do: gain 1 nut}") + charms
    added = "triggers: [{after: dig, do: gain 4 nut}]"
    second = module("other", '{sample: ">=1.0", extra: ">=1.0"}')
    second += f"# other/change.yaml\ndocument: patch\nchange:\n  - {{extend: pieces/grace, with: {{{added}}}}}\n"

    assert found(tmp_path / "one", first) == ["P0440"]
    assert found(tmp_path / "two", first + second) == ["P0440"]


# ---- what is offered, and what others hide

MENU = "document: rules\nrules:\n  rob(player p): |\n    require bid(p) > 1\n    gain 1 coin\n  look_after(player p): rob(p)\n"
MENU += 'triggers:\n  later:\n    after: earn\n    do: |\n      choose one "What?":\n        "a": LINE\n        "wait": nothing\n'


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("require bid(next(me)) > 1; gain 1 coin", id="demanded"),
        pytest.param("rob(next(me))", id="demanded by a rule"),
        pytest.param("look_after(next(me))", id="by a rule of a rule"),
        pytest.param("pay bid(next(me)) coin", id="an amount"),
        pytest.param("if bid(next(me)) > 1: pay 1 coin", id="under a condition"),
    ],
)
def test_line_that_rests_on_what_another_player_hides(tmp_path, line):
    assert "P0466" in found(tmp_path, MENU.replace("LINE", line))


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("rob(me)", id="my own"),
        pytest.param("look_after(me)", id="my own by a rule"),
        pytest.param("gain bid(next(me)) coin", id="behind the answer"),
        pytest.param("gain 1 coin; if bid(next(me)) > 1: gain 1 coin", id="decided behind the answer"),
    ],
)
def test_line_that_is_offered_in_any_case(tmp_path, line):
    assert "P0466" not in found(tmp_path, MENU.replace("LINE", line))


@pytest.mark.parametrize("part", ["wins", "among"])
def test_item_that_is_never_looked_at_in_a_result(tmp_path, part):
    example = patched(f"extend: result/result\n    with: {{{part}: any(p in players where coin > 3)}}")

    assert "P0450" in found(tmp_path, example)


HIDING = {
    "a place of another": ("owner", "", "choose b in field(next(me)) where b.rank > 1", True),
    "my own place": ("owner", "", "choose b in field(me) where b.rank > 1", False),
    "what no player sees": ("none", "", "choose b in field(me) where b.rank > 1", True),
    "what all see": ("all", "", "choose b in field(next(me)) where b.rank > 1", False),
    "beside what opens it": ("owner", "shown", "choose b in field(next(me)) where b.shown and b.rank > 1", False),
    "whether it is open or not": ("owner", "shown", "choose b in field(next(me)) where b.rank > 1", True),
    "by a function": ("owner", "", "choose b in field(next(me)) where weak(next(me)) > 0", True),
    "behind the answer": ("owner", "", "choose b in field(next(me))", False),
    "no particular player": ("owner", "", "choose b in block where b.rank > 1", False),
}


@pytest.mark.parametrize("case", HIDING)
def test_question_that_rests_on_a_hidden_field(tmp_path, case):
    visible, unless, question, reported = HIDING[case]
    more = f", unless: {unless}" if unless else ""
    example = (
        f"# block.yaml\ndocument: model\nkinds:\n  block:\n    per: player\n    copies: 3\n"
        f"    fields: {{rank: {{type: int 0..3 = 0, visible: {visible}{more}}}, shown: bool = false}}\n"
        "places:\n  field: {of: block, per: player, type: area}\n"
        "# asking.yaml\ndocument: rules\nfunctions:\n  weak(player p): count(b in field(p) where b.rank > 1)\n"
        f"triggers:\n  later:\n    after: earn\n    do: |\n      {question}\n      otherwise: stop\n      gain b.rank point\n"
    )
    assert ("P0466" in found(tmp_path, example)) is reported


# ---- what is read, but never set


SET = [
    ("omens: {fields: {holder: player or none}}", "gain count(o in omens where o.holder == me) point", True),
    (
        "omens: {fields: {holder: player or none}}",
        "for o in omens: set o.holder to me\ngain count(o in omens where o.holder == me) point",
        False,
    ),
    (
        "omens: {fields: {bright: bool = true}}",
        "gain count(o in omens where o.bright) point",
        False,
    ),  # a value of its own
    ("omens: {fields: {holder: player or none}}", "gain 1 point", False),  # nothing looks at it
]


@pytest.mark.parametrize(("kind", "effect", "told"), SET)
def test_field_that_is_never_set(tmp_path, kind, effect, told):
    kinds = f"# kinds.yaml\ndocument: model\nkinds:\n  {kind}\n"
    pieces = "# omens.yaml\ndocument: pieces\nkind: omens\npieces:\n  dusk: {text: Dusk.}\n"

    assert ("P0453" in found(tmp_path, trigger(effect) + kinds + pieces)) == told


@pytest.mark.parametrize(("storms", "told"), [("{text: Storms}", True), ("{start: 2, text: Storms}", False)])
def test_counter_that_never_changes(tmp_path, storms, told):
    counters = f"# counters.yaml\ndocument: model\ncounters:\n  storm: {storms}\n"

    assert ("P0453" in found(tmp_path, trigger("gain storm coin") + counters)) == told
