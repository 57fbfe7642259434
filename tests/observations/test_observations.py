"""Observations: what is reported of the table, in which order, and what is not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import environment_checks
import numpy as np
import pytest
from tiers import few
from twins import twin

from patolli.author.workspace import load
from patolli.measure.environments.actions import Actions
from patolli.measure.observations.relative import sources
from patolli.observations import Observations
from patolli.run.compiler.seat_view import _ViewCompiler, piece_name

DATA = Path(__file__).parents[1] / "data"
PACKS = ["battleship", "city_of_gods", "curios", "founders_solo", "go", "goofspiel", "mansion", "patolli", "skerry"]
HIDING = ["battleship", "city_of_gods", "goofspiel", "high_water", "leduc_poker", "skerry", "hunt", "convoy", "lab"]
PACK = """document: pack
id: veil
version: 1.0.0
language: 1
title: Veil
authors: [x]
text: x
players: {min: 2, max: 3}
"""
MODEL = """document: model
counters:
  bid: {per: player, max: 9, visible: owner}
  coin: {per: player, start: 3}
"""
RULES = """document: rules
rules:
  match:
    do: |
      let secret = bid(next(me))
      let open = coin(next(me))
      let mine = open + 1
      let mixed = secret + open
      let changed = 0
      if bid(next(me)) > 3: set changed to 1
      let counted = 0
      let often = 0
      for n in 1..5:
        set counted to counted + 1
        if counted > bid(next(me)): break
      for n in 1..5:
        set often to often + 1
        if often > coin: break
      choose first in 1..3 "First?"
      choose second in 1..3 "Second?"
      other(first, secret, open)
      as next(me):
        choose third in 1..3 "Third?"
        gain third coin
      pass to next(me)
      choose fourth in 1..3 "Fourth?"
      gain first + second + fourth + mine + mixed + changed + counted + often coin
  other(int given, int closed, int known):
    do: |
      choose fifth in 1..3 "Fifth?"
      gain fifth + given + closed + known coin
"""


def with_base(name):
    """Load a pack of the tests, a shipped one, or a module with all that it needs."""
    if (DATA / name).is_dir():
        return load(str(DATA / name))
    ((_, rules),) = environment_checks.rulesets([name])
    return rules


def positions(rules, players, seed, decisions, stride):
    """Positions of a match that goes at random."""
    match, draw = rules.start(players, seed), Random(seed)
    for number in range(decisions):
        if number % stride == 0:
            yield match
        if match.pending is None:
            return
        match.pick(draw.randrange(len(match.pending)))


def turned_round(layout, dims, seat, table):
    """A table of a view with all levels in the order in which a seat counts."""
    if not dims:
        return table
    names = [piece_name(one) for one in layout.instances[dims[0]]]
    order = [names[number] for number in sources(layout, dims[0], seat)]
    return [turned_round(layout, dims[1:], seat, None if table is None else table[name]) for name in order]


def flat(value):
    return [one for part in value for one in flat(part)] if isinstance(value, list) else [value]


@pytest.mark.parametrize("name", few(PACKS, "battleship", "patolli"))
def test_observation_is_what_the_view_says(name):
    rules = with_base(name)
    observations = Observations(rules, rules.players[1])
    fields = {one.name: one for one in observations.fields}
    compared = 0
    for match in positions(rules, rules.players[1], 3, 40, 13):
        layout = match.program.layout
        for seat in range(match.players):
            seen, view = observations.named(match, seat), match.view(seat)
            whole = observations.flat(match, seat)
            assert ((observations.low <= whole) & (whole <= observations.high)).all()
            for counter in layout.model.counters.values():
                told = flat(turned_round(layout, counter.dims, seat, view["counters"][counter.name]))
                field = fields[f"counter.{counter.name}"]
                mask = seen[field.flag].reshape(-1) if field.flag else np.ones(len(told))
                assert [one is not None for one in told] == mask.tolist(), counter.name
                assert [one or 0 for one in told] == seen[field.name].reshape(-1).tolist(), counter.name
                compared += len(told)
            for place in layout.model.places.values():
                if place.type in ("area", "pile"):
                    told = turned_round(layout, place.dims, seat, view["places"][place.name])
                    compared += see_place(layout, place, told, seen, fields)
            for kind in layout.model.kinds.values():
                for field in kind.fields.values():
                    compared += see_field(layout, kind, field, view["pieces"][kind.name], seat, seen, fields)
    assert compared


def see_field(layout, kind, field, told, seat, seen, fields):
    """Compare a field of all pieces of a kind with what the view says of it."""
    one = fields.get(f"{'table' if kind.name == 'table' else f'of.{kind.name}'}.{field.name}")
    if one is None or len(one.shape) != 1:
        return 0
    names = [piece_name(layout.instances[kind.name][number]) for number in sources(layout, kind.name, seat)]
    mask = seen[one.flag] if one.flag else np.ones(len(names))
    for name, value, known in zip(names, seen[one.name].tolist(), mask.tolist(), strict=True):
        assert (name in told and field.name in told[name]) == known, (kind.name, field.name)
        if not known:
            assert value == 0
        elif one.kind == "number":
            assert value == told[name][field.name], (kind.name, field.name)
        else:
            label = one.labels[value - 1] if value else None
            assert label == relative(told[name][field.name], seat, layout.seats), (kind.name, field.name)
    return len(names)


def relative(name, seat, seats):
    """A name in a view as a seat says it, where it is that of a player, or of something of a player."""
    head, dot, rest = (name or "").partition(".")
    if not head.startswith("player_"):
        return name
    further = (int(head[7:]) - 1 - seat) % seats
    return f"{f'next_{further}' if further else 'me'}{dot}{rest}"


def see_place(layout, place, told, seen, fields):
    """Compare how many lie in a place, and which, with what the view says of it."""
    told = innermost(told, len(place.dims))
    sizes = [None if one is None else number_in(one) for one in told]
    found = seen[f"place.{place.name}.size"].reshape(-1)
    flag = fields[f"place.{place.name}.size"].flag
    mask = seen[flag].reshape(-1) if flag else np.ones(len(sizes))
    assert [one is not None for one in sizes] == mask.tolist(), place.name
    assert [one or 0 for one in sizes] == found.tolist(), place.name
    at = fields[f"at.{place.of}"]
    where = seen[at.name]
    first = next(n for n, label in enumerate(at.labels, 1) if label.partition("(")[0] == place.name)
    for number, one in enumerate(told):
        known = one if isinstance(one, list) else [one["top"]] if one and one.get("top") else []
        assert int((where == first + number).sum()) == len(known), (place.name, number)
    return len(told)


def innermost(told, depth):
    return flat_to(told, depth) if depth else [told]


def flat_to(told, depth):
    return [one for part in told for one in flat_to(part, depth - 1)] if depth else [told]


def number_in(one):
    return len(one) if isinstance(one, list) else one["hidden"] + (one.get("top") is not None)


@pytest.mark.deep
@pytest.mark.parametrize("name", HIDING)
def test_twins_look_alike_bit_by_bit(name):
    assert compared(name) > 0


def compared(name):
    rules = with_base(name)
    number = rules.players[1]
    observations, draw, counted = Observations(rules, number), Random(1), 0
    for match in positions(rules, number, 5, 40, 4):
        for seat in range(match.players):
            other = twin(match, seat, draw)
            other.pending = match.pending
            counted += other.state != match.state
            one, two = (observations.flat(world, seat).tobytes() for world in (match, other))
            assert one == two, f"player {seat + 1} sees something hidden"
    return counted


def test_without_a_mask_twins_differ():
    rules = load("leduc_poker")
    whole, draw = Observations(rules, masked=False), Random(1)
    differ = [
        (whole.flat(match, 0) != whole.flat(twin(match, 0, draw), 0)).any() for match in positions(rules, 2, 5, 6, 1)
    ]

    assert any(differ)


def test_planted_leak_is_found(monkeypatch):
    monkeypatch.setattr(_ViewCompiler, "list_open", lambda self, _: [True] * 9999)

    with pytest.raises(AssertionError, match="sees something hidden"):
        compared("goofspiel")


def test_which_variables_a_player_knows(tmp_path):
    for name, text in (("pack", PACK), ("model", MODEL), ("rules", RULES)):
        (tmp_path / f"{name}.yaml").write_text(text, "utf-8")
    rules = load(str(tmp_path))
    asked = Observations(rules).declared.asked
    program = rules.program(2)
    known = {
        program.questions[number].prompt: {variable.name for variable, _ in variables}
        for number, variables in asked.variables.items()
    }

    assert known["Second?"] == {"open", "mine", "often", "first"}
    assert known["Third?"] == {"open", "mine", "often"}
    assert known["Fourth?"] == {"open", "mine", "often"}
    assert known["Fifth?"] == {"given", "known"}


def test_each_seat_sees_itself_first():
    rules = load("city_of_gods")
    match = rules.start(3, 7)
    for _ in range(9):
        match.pick(0)
    observations = Observations(rules, 3)
    cocoa = [value for _, value in sorted(match.view(0)["counters"]["cocoa"].items())]
    for seat in range(3):
        seen = observations.named(match, seat)
        assert seen["counter.cocoa"].tolist() == [cocoa[(seat + further) % 3] for further in range(3)]
        assert seen["seat"] == seat + 1
        assert seen["turn"] == (match.decision.player - seat) % 3 + 1
        assert (seen["question"] > 0) == (match.decision.player == seat)


def test_what_is_chosen_so_far_is_reported_to_who_is_asked():
    rules = load("amazons")
    match = rules.start(2, 1)
    observations = Observations(rules)
    chosen = [one for one in observations.fields if one.name.startswith("chosen.") and not one.is_flag]
    before = observations.named(match, 0)
    made = match.decision.labels[0]
    match.choose(made)
    after = observations.named(match, 0)

    assert not any(before[one.flag].any() for one in chosen)
    assert [one.labels[int(after[one.name]) - 1] for one in chosen if after[one.flag]] == [made]
    assert not any(observations.named(match, 1)[one.flag].any() for one in chosen)


@pytest.mark.parametrize("name", ["amazons", "city_of_gods", "skerry"])
def test_a_match_that_narrates_looks_and_is_answered_alike(name):
    rules = load(name)
    observations, actions = Observations(rules), Actions(rules)
    matches = [rules.start(rules.players[0], 5, narrate=narrate) for narrate in (False, True)]
    draw = Random(1)
    for _ in range(40):
        one, two = matches
        assert one.pending == two.pending
        if one.pending is None:
            break
        assert actions.indices(one) == actions.indices(two)
        for seat in range(one.players):
            assert observations.named(one, seat).keys() == observations.named(two, seat).keys()
            assert observations.flat(one, seat).tolist() == observations.flat(two, seat).tolist()
        index = draw.randrange(len(one.pending))
        one.pick(index)
        two.pick(index)


def test_a_number_of_players_that_cannot_be_is_said():
    with pytest.raises(ValueError, match="is for 2 players, not 3"):
        Observations(load("tic_tac_toe"), 3)


def test_features_are_columns_of_choices():
    rules = load("tic_tac_toe")
    match = rules.start(2, 1)
    match.choose("b2")
    observations = Observations(rules)
    names = observations.feature_names()
    found = dict(zip(names, observations.features(match, 0), strict=True))

    assert len(names) == observations.feature_count == len(set(names))
    assert found["turn=next_1"] == 1
    assert found["turn=me"] == 0
    mine = [name for name, value in found.items() if value and name.endswith("=me")]
    assert len(mine) == 1


def test_numbers_beyond_all_bounds_are_reported_as_the_largest():
    rules = load("city_of_gods")
    match = rules.start(2, 1)
    base, _ = match.program.layout.counters["cocoa"]
    match.state[base] = 10**30

    assert Observations(rules).named(match, 1)["counter.cocoa"][1] == 2**31 - 1


def test_layout_tells_itself():
    text = Observations(load("leduc_poker")).describe()

    assert "leduc_poker with 2 seats" in text
    assert "at.card ?" in text
    assert max(map(len, text.splitlines())) <= 100
