"""Nothing is offered twice, and only lists that might hold something twice are looked through for that."""

from __future__ import annotations

import pytest
from packmaker import loaded, trigger

from patolli.author.workspace import load
from patolli.language.program.effects import Choose
from patolli.language.program.node import walk
from patolli.run.compiler import repeats

CONSTANTS = "document: model\nconstants:\n  twice: {type: list of int, value: [1, 2, 1]}\n"
REPEATED = [
    ("n in {0, 0}", 1),
    ("n in {coin, coin, 7}", 2),
    ("n in [c.number mod 2 for c in card]", 2),
    ("n in twice", 2),
    ("n in reverse(twice)", 2),
    ("n in (twice if coin > 0 else {1})", 2),
    ("n in sorted(x mod 2 for x in 1..4)", 2),
    ("p in {me, me, next(me)}", 2),
    ("n in {0, 0}, m in {coin, coin}", 1),
    ("n in 1..2, m in [x * 0 for x in 1..n]", 2),
    ("xs in {{1, 1}, {1, 1}}", 1),
    ("xs in [[y mod 2 for y in 1..x] for x in {2, 2, 3}]", 2),
]
EACH_ONCE = [
    "n in 1..3",
    "n in {1, 2, 3}",
    "n in ladder",
    "n in distinct(twice)",
    "p in players",
    "p in others(me)",
    "p in {player_1, player_2}",
    "c in cell where not c.owner",
    "c in [d in cell where d.row > 0]",
    "c in sorted(d in adjacent(b2) by 0 - d.row)",
    "c in reverse(deck)",
    "c in shop",
    "c in (shop if coin > 0 else deck)",
    "l in lines(a1, 3)",
    "n in 1..2, p in players",
]


def asked(tmp_path, binders, head="choose {}"):
    """A match of the sample pack in which the example asks."""
    effect = "as player_1:\n  set coin to 1\n  " + head.format(binders)
    rules = loaded(tmp_path, trigger(effect, "setup") + "# constants.yaml\n" + CONSTANTS)
    match = rules.start(2, 1)
    match.pick(0)
    match.pick(0)
    return match


@pytest.mark.parametrize(("binders", "number"), REPEATED)
def test_equal_items_are_one_option(tmp_path, binders, number):
    """One option alone is no question: it is taken, and the first turn begins."""
    match = asked(tmp_path, binders + ' "Which of them?"')

    assert (match.decision.prompt == "Which of them?") == (number > 1)
    if number > 1:
        assert len(match.options()) == len(set(match.options())) == number


@pytest.mark.parametrize(("binders", "number"), [REPEATED[0], REPEATED[2], REPEATED[8], REPEATED[11]])
def test_equal_items_are_one_line_of_a_menu(tmp_path, binders, number):
    match = asked(tmp_path, binders, 'choose one "Which of them?":\n    for {}: gain 1 coin\n    "nothing": nothing')

    assert len(match.options()) == len(set(match.options())) == number + 1


FEW = {
    "pack.yaml": "document: pack\nid: few\nversion: 1.0.0\nlanguage: 1\ntitle: Few\nplayers: {min: 1, max: 2}\n",
    "model.yaml": "document: model\nkinds:\n  card: {}\nplaces:\n  pile: {of: card, type: pile, visible: all}\n",
    "cards.yaml": "document: pieces\nkind: card\npieces:\n  ace: {copies: seats}\n",
}
"""A pack that has as many cards as seats."""


@pytest.mark.parametrize(
    ("seats", "binders", "labels"),
    [
        pytest.param(1, "c in {ace_1, ace_2}", ["ace_1", "none"], id="what is missing is no option"),
        pytest.param(2, "c in {ace_1, ace_2}", ["ace_1", "ace_2", "none"], id="what is there is one"),
        pytest.param(1, "c in [ace_2 if n == 1 else ace_1 for n in 1..2]", ["ace_1", "none"], id="what may be none"),
        pytest.param(
            1, "c in {ace_1, ace_2}, d in {ace_2}", ["ace_1 -> none", "none"], id="one of several may be none"
        ),
        pytest.param(2, "c in {ace_1}, d in {ace_2}", ["ace_1 -> ace_2", "none"], id="several that are there"),
    ],
)
def test_none_is_offered_once(tmp_path, seats, binders, labels):
    match = few(tmp_path, f"choose {binders} or none").start(seats, 1)

    assert [option.label for option in match.decision.options] == labels


@pytest.mark.parametrize("binders", ["c in {ace_2}", "c in {ace_2}, d in {ace_2}", "c in [d in {ace_2} where true]"])
def test_declining_is_the_only_answer_where_nothing_is_there(tmp_path, binders):
    assert few(tmp_path, f"choose {binders} or none").start(1, 1).decision is None


def few(tmp_path, match):
    """The rules of the small pack, with one question in it."""
    rules = f"document: rules\nrules:\n  match: {match}\n"
    for name, text in {**FEW, "rules.yaml": rules}.items():
        (tmp_path / name).write_text(text, "utf-8")
    return load(str(tmp_path))


def test_equal_items_are_one_anytime_action(tmp_path):
    lines = ("document: rules", "anytime:", "  tip:", "    each: n in [c.number mod 1 for c in card]", "    when: coin > n",
             "    label: tip", "    do: gain n nut")  # fmt: skip
    example = "\n".join(lines) + "\n"
    match = loaded(tmp_path, example).start(2, 1)
    while match.decision.simultaneous:
        match.pick(0)

    assert match.extra == 1


@pytest.mark.parametrize("binders", [text for text, _ in REPEATED] + EACH_ONCE)
def test_only_lists_that_may_repeat_are_looked_through(tmp_path, binders):
    match = asked(tmp_path, binders + ' or none "Which of them?"')
    program = match.program.layout.model
    (choose,) = (
        one
        for rule in program.rules.values()
        for one in walk(rule.block)
        if isinstance(one, Choose) and one.prompt == "Which of them?"
    )
    unit = Unit(match)

    assert any(repeats.may_repeat(binder.source, unit) for binder in choose.binders) == (binders not in EACH_ONCE)


class Unit:
    """What a list is looked up in when it is compiled."""

    def __init__(self, match) -> None:
        self.model, self.layout = match.program.layout.model, match.program.layout
        self.space = match.program.space


def test_menu_of_nothing_but_the_way_out(tmp_path):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: bare\nversion: 1.0.0\nlanguage: 1\ntitle: Bare\nplayers: {min: 1, max: 1}\n"
    )
    (tmp_path / "rules.yaml").write_text(
        "document: rules\nrules:\n  match: |\n    choose one:\n      otherwise: gain 2 point\nresult: {score: point}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters:\n  point: {per: player}\n")

    assert load(str(tmp_path)).start(1).scores == [2]
