"""What is compiled of a view says what the plain reading of the declarations says, at any position of any pack."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random
from time import perf_counter

import pytest
from plain_views import plain_view
from randompacks.engine import Workshop
from randompacks.packs import make
from shipped import BASES, FEW_MODULES, load_shipped
from tellingpack import PACK, started
from tiers import few

from patolli.author.workspace import load
from patolli.run.runtime import MatchError
from patolli.run.runtime.seat_visibility import EVERYBODY

DATA = Path(__file__).parents[1] / "data"
HERE = [path.name for path in sorted(DATA.iterdir()) if (path / "pack.yaml").exists()]


def seen_alike(rules, players, seed, stride=1, most=400):
    """Play a random match, compare what every seat sees, and return how many positions were compared."""
    match, draw, compared = rules.start(players, seed), Random(seed), 0
    for number in range(most):
        if number % stride == 0 or match.pending is None:
            for seat in range(match.players):
                view = match.view(seat)
                assert (view["counters"], view["places"], view["pieces"]) == plain_view(match, seat)
            compared += 1
        if match.pending is None:
            break
        match.pick(draw.randrange(len(match.pending)))
    return compared


@pytest.mark.parametrize("name", few(BASES, 0, 1, 2, 3, 4, 5, deep=6))
def test_shipped_packs(name):
    rules = load(name)
    for players in rules.players:
        assert seen_alike(rules, players, players, 9) > 1


@pytest.mark.parametrize("name", few(FEW_MODULES, 0))
def test_shipped_modules(name):
    rules = load_shipped(name)

    assert seen_alike(rules, rules.players[1], 5, 19) > 1


@pytest.mark.parametrize("name", few(HERE, 0, 3))
def test_packs_that_hide_much(name):
    rules = load(str(DATA / name))
    for seed in range(3):
        assert seen_alike(rules, rules.players[1], seed)


MANIFEST = "document: pack\nid: base\nversion: 1.0.0\nlanguage: 1\ntitle: Base\nplayers: {min: 2, max: 3}\n"
CARDS = "document: pieces\nkind: card\nplace: deck\npieces:\n  ace: {copies: 4}\n  king: {copies: 3}\n"
TOKENS = "document: pieces\nkind: token\nplace: bag\npieces:\n  disc: {copies: 6}\n"
MODEL = """document: model
counters:
  mark: {per: [card, player], max: 3}
  note: {per: [player, card], visible: owner, max: 3}
  fate: {visible: none, max: 3}
  mana: {per: player}
kinds:
  card: {fields: {level: int 0..2 = 0, turned: bool = false, aim: {type: int 0..2 = 0, visible: none, unless: turned}}}
  token: {fields: {worth: int 0..2 = 0}}
places:
  deck: {of: card, type: pile, visible: top}
  hand: {of: card, per: player, type: area, visible: owner}
  market: {of: card, type: row, size: 3, visible: VISIBLE}
  throne: {of: card, type: spot, visible: VISIBLE}
  altar: {of: card, per: player, type: spot, visible: owner}
  bag: {of: token, type: pile}
  upon: {of: token, per: card, type: area}
PLACES
"""
RULES = """document: rules
rules:
  match:
    text: Each draws.
    do: |
      for p in player:
        choose n in 1..3 "How many?"
        gain n mana
"""


def scattered(folder, places, visible="none"):
    """Load a pack whose cards lie on each other, or in the open, and yield matches in which they lie anywhere."""
    model = MODEL.replace("VISIBLE", visible).replace("PLACES", places)
    texts = {"pack": MANIFEST, "model": model, "cards": CARDS, "tokens": TOKENS, "rules": RULES}
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    rules = load(str(folder))
    for seed in range(60):
        match, draw = rules.start(3, seed), Random(seed)
        layout, state = match.program.layout, match.state
        for place in layout.places.values():
            for slot in layout.slots(*place):
                state[slot] = [] if isinstance(state[slot], list) else -1
        for kind, base in layout.at.items():
            own = [place.name for place in layout.model.places.values() if place.of == kind]
            slots = [slot for name in own for slot in layout.slots(*layout.places[name])]
            for number in range(layout.size(kind)):
                slot = draw.choice([0, *(s for s in slots if state[s] == -1 or isinstance(state[s], list))])
                state[base + number] = slot
                if slot and isinstance(state[slot], list):
                    state[slot].append(number)
                elif slot:
                    state[slot] = number
        for name, at in layout.fields.items():
            for number in range(layout.size(name[0])):
                state[at + number] = draw.randint(0, 1 if name[1] == "turned" else 2)
        yield match


@pytest.mark.parametrize("visible", ["all", "none", "top"])
@pytest.mark.parametrize(
    "places",
    [
        pytest.param("", id="side by side"),
        pytest.param("  below: {of: card, per: card, type: pile, visible: top}", id="on each other"),
        pytest.param("  beside: {of: card, per: [player, card], type: area, visible: owner}", id="in a circle"),
    ],
)
def test_cards_that_lie_anywhere(tmp_path, places, visible):
    hidden = 0
    for match in scattered(tmp_path, places, visible):
        for seat in range(3):
            view = match.view(seat)
            assert (view["counters"], view["places"], view["pieces"]) == plain_view(match, seat)
            hidden += len(view["pieces"]["card"]) < 7

    assert hidden


def test_a_piece_alone_is_its_own_top(tmp_path):
    match = next(scattered(tmp_path, "", "top"))
    view = match.view(0)

    assert all(name is None or isinstance(name, str) for name in [view["places"]["throne"], *view["places"]["market"]])


def test_a_view_belongs_to_one_seat():
    match = load("city_of_gods").start(2, 1)
    view = match.view(0)
    view["places"]["technologies"].clear()
    view["counters"]["vp"]["player_1"] = 99

    assert match.view(0) != view
    assert match.view(0) == match.view(0)


def _best(look):
    times = []
    for _ in range(15):
        start = perf_counter()
        look()
        times.append(perf_counter() - start)
    return min(times)


def test_a_view_is_compiled(record_property):
    match = load("city_of_gods").start(4, 1)
    for _ in range(30):
        match.pick(0)
    compiled, plain = _best(lambda: match.view(1)), _best(lambda: plain_view(match, 1))
    record_property("figure", f"a view of City of Gods: {compiled * 1e6:.0f} µs; plainly {plain * 1e6:.0f} µs")

    assert compiled * 4 < plain


@pytest.mark.deep
def test_packs_made_at_random():
    shop, sound = Workshop(), 0
    try:
        for seed in range(40):
            pack = make(seed)
            rules = shop.checked(pack.files, pack.options).rules
            if rules is None:
                continue
            with suppress(MatchError):  # what such packs do is not looked at here
                seen_alike(rules, rules.players[1], seed, most=12)
            sound += 1
    finally:
        shop.close()

    assert sound > 10


def test_every_seat_has_a_place_in_every_view(tmp_path):
    """A seat that the rules play is one of them, also where a score is hidden."""
    setup = "|\n      for p in players: gain 3 bid for p"
    pack = {"pack": PACK + "automated: 1\n"}
    day = 'day():\n  do: |\n    for p in players: as p:\n      choose one "What?":\n        "dig": dig()\n        "rest": nothing'
    match = started(tmp_path, f"{day}\ndig(): gain 1 bead", setup, score="bead + bid", files=pack)

    for seat in range(3):
        view, sheet = match.view(seat), match.score_sheet(seat)
        assert view["scores"] == [3 if one == seat else None for one in range(3)]
        assert (len(sheet.totals), [len(row) for row in sheet.points]) == (3, [len(sheet.categories)] * 3)
        assert list(view["counters"]["bead"]) == ["player_1", "player_2", "player_3"]
    assert match.view(EVERYBODY)["scores"] == [None] * 3
