"""Triggers that follow what happens to a counter or to pieces."""

from __future__ import annotations

import pytest
from littlepacks import lay, see_same_natively, told
from packmaker import SAMPLE, loaded, problems, spliced

from patolli.check.prose import rule
from patolli.language.program import effects as e
from patolli.language.program.node import walk

MANIFEST = (SAMPLE / "pack.yaml").read_text("utf-8").replace("language: 2", "language: 3")


def rules(do: str, *triggers: str, more: str = "") -> str:
    """Write what happens when coins are earned, and triggers that follow counters and moves."""
    lines = "".join(f"  mine{number}: {{{text}}}\n" for number, text in enumerate(triggers))
    body = "".join(f"      {line}\n" for line in do.splitlines())
    return f"# rules3.yaml\ndocument: rules\n{more}triggers:\n  also:\n    after: earn\n    do: |\n{body}{lines}# pack.yaml\n{MANIFEST}"


def held(found, *counters, seat="player_2"):
    """What a player has after the one who begins has earned 2 coins."""
    match = found.start(2, 3)
    for step in ("0", "0", "earn"):
        match.choose(step)
    return tuple(match.view(0)["counters"][name][seat] for name in counters)


def test_n_is_what_was_gained_and_me_who_gained(tmp_path):
    text = rules("gain 3 nut for next(me)", "after: gain nut, do: gain n seed and 1 point")

    assert held(loaded(tmp_path, text), "seed", "point") == (0, 0)
    assert held(loaded(tmp_path, text), "nut", "seed", "point", seat="player_1") == (3, 3, 1)


@pytest.mark.parametrize(
    ("do", "points"),
    [
        ("gain 0 nut", 0),
        ("lose 1 nut", 0),
        ("set nut to 5", 0),
        ("if coin > 1: pay 1 coin", 0),
        ("gain 1 nut and 1 seed", 1),
        ("gain 1 nut\ngain 1 nut", 2),
        ("gain 1 nut and 1 nut(next(me))", 1),
        ("gain 1 nut and 1 nut", 1),
        ("for g in good: gain 1 g", 1),
    ],
)
def test_what_sets_it_off(tmp_path, do, points):
    assert held(loaded(tmp_path, rules(do, "after: gain nut, do: gain 1 point")), "point") == (points,)


@pytest.mark.parametrize(("when", "points"), [("n > 2", 0), ("n == 2 and nut == 2", 1)])
def test_condition_is_over_n(tmp_path, when, points):
    text = rules("gain 2 nut", f"after: gain nut, when: {when}, do: gain 1 point")

    assert held(loaded(tmp_path, text), "point") == (points,)


def test_it_is_never_set_off_by_itself(tmp_path):
    assert held(loaded(tmp_path, rules("gain 2 nut", "after: gain nut, do: gain 1 nut")), "nut") == (3,)


def test_several_act_in_order_and_set_off_each_other(tmp_path):
    text = rules("gain 2 nut", "after: gain nut, do: gain n seed", "after: gain seed, do: gain 10 * n point")

    assert held(loaded(tmp_path, text), "seed", "point") == (2, 20)


@pytest.mark.parametrize(
    ("triggers", "more"),
    [
        (("after: gain nut, do: gain 1 seed", "after: gain seed, do: gain 1 nut"), ""),
        (("after: gain nut, do: again()",), "rules:\n  again: gain 1 nut\n"),
    ],
)
def test_circle_is_reported(tmp_path, triggers, more):
    found = problems(tmp_path, rules("gain 2 nut", *triggers, more=more))

    assert {one.code for one in found if one.severity == "error"} == {"P0481"}


@pytest.mark.deep
def test_moves_tell_the_piece_and_whose_place_it_is(tmp_path):
    text = rules(
        "if deck: move top(deck) to hand(next(me))\ndraw 2 from deck to hand(me)",
        "after: move card to hand, do: 'gain min(1, it.number) nut and 1 seed'",
    )
    found = loaded(tmp_path, text)

    assert held(found, "seed", "nut") == (2, 2)
    assert held(found, "seed", "nut", seat="player_1") == (1, 1)


def test_drawing_counts_new_pieces_only(tmp_path):
    text = rules(
        "draw 1 from deck to hand(me)\ndraw 1 from deck to hand(me)", "after: move card to hand, do: gain 1 seed"
    )

    assert held(loaded(tmp_path, text), "seed") == (2,)


def test_proofs_see_what_may_follow(tmp_path):
    """What is there before a gain may be gone behind it."""
    do = "if coin > 1:\n  gain 1 nut\n  pay 2 coin"

    assert problems(tmp_path / "alone", rules(do)) == []
    (found,) = problems(tmp_path / "followed", rules(do, "after: gain nut, do: lose 1 coin"))
    assert found.code == "P0401"


@pytest.mark.parametrize(
    ("trigger", "code", "message"),
    [
        ("after: gain nutt, do: gain 1 seed", "P0201", "unknown counter 'nutt'"),
        ("after: move cart to hand, do: gain 1 seed", "P0201", "unknown kind 'cart'"),
        ("after: move card to hnd, do: gain 1 seed", "P0201", "unknown place 'hnd'"),
        ("after: move card to charms, do: gain 1 seed", "P0307", None),
        ("after: move card to shop, do: gain 1 seed", "P0307", None),
        ("after: move card from hnd, do: gain 1 seed", "P0201", "unknown place 'hnd'"),
        ("after: move card from charms, do: gain 1 seed", "P0307", None),
        ("before: gain nut, do: gain 1 seed", "P0055", None),
        ("after: gain nut, do: gain m seed", "P0201", "unknown name 'm'"),
    ],
)
def test_mistakes(tmp_path, trigger, code, message):
    found = [one for one in problems(tmp_path, rules("gain 1 nut", trigger)) if one.severity == "error"]

    assert [one.code for one in found] == [code]
    assert message is None or found[0].message == message


def test_triggers_of_pieces_act_for_each_that_is_active(tmp_path):
    """Both copies of the piece that lie in the nest of who gains act, and those of no other player."""
    birds = (
        "# birds.yaml\ndocument: model\nkinds:\n  bird: {active: it in nest(me)}\nplaces:\n"
        "  nest: {of: bird, per: player, type: area}\n  tree: {of: bird, type: area}\n"
        "# owls.yaml\ndocument: pieces\nkind: bird\npieces:\n"
        "  owl: {copies: 3, place: tree, triggers: [{after: gain nut, when: n > 1, do: gain n point}]}\n"
        "  wren: {place: tree, triggers: [{after: move bird to nest, do: gain 1 seed}]}\n"
    )
    do = "for b in bird where b.design == owl and b != owl_3: move b to nest(me)\ngain 2 nut\ngain 1 nut\ngain 2 nut for next(me)"
    found = loaded(tmp_path, birds + rules(do))

    assert held(found, "point", "seed") == (4, 0)
    assert held(found, "point", seat="player_1") == (0,)
    moved = loaded(tmp_path / "moved", birds + rules("move wren to nest(me)\nmove owl_1 to nest(me)"))
    assert held(moved, "seed") == (2,)


@pytest.mark.parametrize(
    ("do", "first", "second"),
    [
        ("for c in hand(me): move c to deck", (2, 1), (0, 0)),
        ("for c in hand(next(me)): move c to deck", (0, 0), (1, 1)),
        ("for c in hand(me): move c to hand(next(me))", (2, 1), (0, 0)),
        ("if deck: move top(deck) to hand(me)", (0, 0), (0, 0)),
        ("for c in hand(me): if not throne: move c to throne", (1, 1), (0, 0)),
        ("draw 2 from hand(me) to deck", (2, 1), (0, 0)),
    ],
)
def test_what_leaves_tells_the_piece_and_whose_place_it_was(tmp_path, do, first, second):
    start = "draw 2 from deck to hand(me)\ndraw 1 from deck to hand(next(me))\n"
    follows = "after: move card from hand, do: 'gain min(1, it.number) nut; if nut == 1: gain 1 seed'"
    found = loaded(tmp_path, rules(start + do, follows))

    assert held(found, "nut", "seed") == first
    assert held(found, "nut", "seed", seat="player_1") == second


def test_what_leaves_places_with_other_indices(tmp_path):
    places = "# plots.yaml\ndocument: model\nplaces:\n  plot: {of: card, per: cell, type: spot}\n"
    places += "  pool: {of: card, per: [player, cell], type: area}\n"
    follows = (
        "after: move card from plot, do: gain 1 nut", "after: move card from pool, do: gain 1 seed",
        "after: move card from shop, do: gain 1 point", "after: move card from deck, do: gain 1 point",
    )  # fmt: skip
    do = "if not plot(b2): move bold_1 to plot(b2)\nmove rich_1 to pool(next(me), a1)\nrefill shop from deck\n"
    do += "for c in shop: move c to deck\nmove bold_1 to deck\nmove rich_1 to box"
    found = loaded(tmp_path, places + rules(do, *follows))

    assert held(found, "nut", "seed", "point") == (1, 0, 5)
    assert held(found, "nut", "seed", "point", seat="player_1") == (0, 1, 0)


def test_pieces_act_that_were_active_before_one_left(tmp_path):
    birds = (
        "# birds.yaml\ndocument: model\nkinds:\n  bird: {active: it in nest(me)}\nplaces:\n"
        "  nest: {of: bird, per: player, type: area}\n  tree: {of: bird, type: area}\n"
        "# owls.yaml\ndocument: pieces\nkind: bird\npieces:\n"
        "  owl: {copies: 3, place: tree, triggers: [{after: move bird from nest, when: moved != owl_1, do: gain 1 seed}]}\n"
        "  wren: {place: tree, triggers: [{after: move bird from nest, do: gain 1 nut}]}\n"
    )
    do = "for b in bird where b != owl_3: move b to nest(me)\nmove owl_3 to nest(next(me))\n"
    found = loaded(
        tmp_path, birds + rules(do + "move wren to tree\nmove owl_1 to tree\nmove owl_2 to tree\nmove owl_3 to tree")
    )

    assert held(found, "seed", "nut") == (3, 1)  # two owls see the wren leave, none owl_1, and owl_2 itself
    assert held(found, "seed", "nut", seat="player_1") == (1, 0)
    drawn = loaded(tmp_path / "drawn", birds + rules(do + "draw 9 from nest(me) to tree"))
    assert held(drawn, "seed", "nut") == (4, 3)


def test_both_engines_follow_what_leaves(tmp_path):
    text = rules(
        "draw 2 from deck to hand(me)\nfor c in hand(me): if c.number > 2: move c to deck",
        "after: move card from hand, do: gain it.number nut",
        "after: move card from deck, when: it.number < 4, do: gain 1 point",
    )
    see_same_natively(spliced(tmp_path, text)[0])


def test_sentences_say_nothing_of_it_where_it_is_set_off(tmp_path):
    do = "gain 2 nut for next(me)\nif deck: move top(deck) to hand(next(me))\ndraw 1 from deck to hand(me)"
    followed = rules(
        do,
        "after: gain nut, do: gain n seed",
        "after: move card to hand, do: gain 1 seed",
        "after: move card from deck, do: gain 1 seed",
    )
    plain, other = (
        loaded(tmp_path / name, text).model.program for name, text in (("plain", rules(do)), ("followed", followed))
    )

    said = [rule(program, program.rules["also"]) for program in (plain, other)]
    assert said[0] == said[1]
    assert "player" in said[0]


def test_what_is_set_off_is_no_line_to_be_covered(tmp_path):
    """A gain that never adds anything is covered where it was carried out."""
    text = rules("gain 0 nut", "after: gain nut, do: gain n seed")
    program = loaded(tmp_path, text).model.program
    block = program.rules["also"].block

    assert {effect.span for effect in walk(block) if isinstance(effect, e.Effect)} == {
        effect.span for effect in block if isinstance(effect, e.Gain)
    }


def test_variables_that_no_author_wrote_are_not_warned_about(tmp_path):
    model = """kinds:
  card: {facts: {number: int}, active: it in hand(me)}
counters: {point: {per: player}}
places: {hand: {of: card, per: player, type: area}, gone: {of: card, type: pile}}
"""
    body = """rules:
  setup: |
    for c in card: move c to hand(players[0])
  match: |
    loop:
      choose c in hand(me) "Which?"
      otherwise: break
      move c to gone
      gain c.number point
      pass to next(me)
result: {score: point}
"""
    pieces = """document: pieces
kind: card
pieces:
  wren: {number: 1, triggers: [{after: move card from gone, do: gain 1 point}]}
  owl: {number: 2}
"""
    assert not any(one.startswith("P0450") for one in told(lay(tmp_path, model, body, pieces=pieces)))
