"""Packs made at random reach the whole language, and the judge finds what is wrong with one."""

from __future__ import annotations

import pytest
from laws import play_by_the_laws, views_keep_secrets
from randompacks.bookkeeping import Books, Broken
from randompacks.engine import Workshop
from randompacks.features import used, wanted
from randompacks.judging import judged
from randompacks.packs import Pack, make
from randompacks.shrinking import shrunk

MANIFEST = (
    "document: pack\nid: base\nversion: 1.0.0\nlanguage: 1\nproofs: full\ntitle: Base\nplayers: {min: 2, max: 2}\n"
)
MODEL = """document: model
counters:
  wood: {per: player, start: 1}
  gold: {per: player, max: 3}
  bid: {per: player, visible: owner}
kinds:
  card: {fields: {level: int 0..2 = 0}}
places:
  deck: {of: card, type: pile}
  hand: {of: card, per: player, type: area}
"""
CARDS = "document: pieces\nkind: card\nplace: deck\npieces:\n  ace: {}\n  king: {}\n"


@pytest.fixture
def workshop():
    made = Workshop()
    yield made
    made.close()


def small(match, **more):
    """Return a pack with one rule, the match."""
    lines = "".join(f"    {line}\n" for line in match.splitlines())
    rest = "".join(f"{section}: {text}\n" for section, text in more.items())
    rules = f"document: rules\nrules:\n  match: |\n{lines}{rest}"
    return Pack(
        0, {"base/pack.yaml": MANIFEST, "base/model.yaml": MODEL, "base/card.yaml": CARDS, "base/rules.yaml": rules}
    )


# ---- the generator


def test_same_seed_same_pack():
    assert [make(seed).text for seed in range(60)] == [make(seed).text for seed in range(60)]
    assert len({make(seed).text for seed in range(60)}) == 60


@pytest.mark.deep
def test_everything_of_the_language_is_generated(record_property):
    left, seed = set(wanted()), 0
    while left and seed < 1500:
        left -= used(make(seed))
        seed += 1

    assert not left
    record_property("figure", f"{seed} random packs use all {len(wanted())} parts of the language")


# ---- the judge


FAILS = [
    pytest.param("pay 2 wood", "counter: wood is below its least", id="a payment that cannot be made"),
    pytest.param("choose n in 1..gold", "fault: there is nothing left to choose here", id="a choice of nothing"),
    pytest.param(
        'choose one:\n  "a" when gold > 0: nothing', "fault: there is nothing left to choose here", id="an empty menu"
    ),
    pytest.param("loop:\n  gain 1 wood", "endless: a loop ran N,N times without an end", id="a loop without an end"),
    pytest.param(
        'simultaneously for p in players:\n  choose one:\n    "a": gain 1 gold\n    "b": nothing',
        "leak: the counters tell an answer before all have answered",
        id="an answer that shows",
    ),
    pytest.param(
        'simultaneously for p in players:\n  choose one:\n    "a": gain 1 bid\n    "b": gain 1 gold for player_2',
        "leak: the counters tell an answer before all have answered",
        id="an answer that shows at another player",
    ),
    pytest.param(
        'simultaneously for p in players:\n  choose one:\n    "a": move ace to box\n    "b": nothing',
        "leak: the places tell an answer before all have answered",
        id="an answer that shows by where something lies",
    ),
    pytest.param(
        "simultaneously for p in players:\n  choose n in 1..2\n  choose m in 1..2\n  if n == 2: gain 1 gold",
        "leak: the counters tell an answer before all have answered",
        id="an answer that shows behind another one",
    ),
    pytest.param(
        "simultaneously for p in players:\n  choose n in bid(player_1)..3\n  set bid to n",
        "leak: the options tell what another player has answered",
        id="an answer that the next question shows",
    ),
]


@pytest.mark.parametrize(("match", "key"), FAILS)
def test_what_is_refused_fails_when_it_is_played_all_the_same(workshop, match, key):
    verdict = judged(small(match), workshop)

    assert (verdict.said, verdict.fault and verdict.fault.key) == ("refused", key)


@pytest.mark.parametrize(
    ("move", "fails"),
    [
        pytest.param("if c: move c to purse", False, id="one goes whatever is answered"),
        pytest.param("if c and n == 1: move c to purse", True, id="one goes or not"),
        pytest.param("if c and n == 1: move c to purse\n  elif c: move c to deck", True, id="one goes here or there"),
    ],
)
def test_only_what_depends_on_an_answer_tells_it(workshop, move, fails):
    asks = "choose n in 1..2\n  choose c in hand(me)\n  otherwise: nothing"
    pack = small(
        f"for p in players: as p: draw 1 from deck to hand(me)\nsimultaneously for p in players:\n  {asks}\n  {move}"
    )
    places = MODEL.replace("type: pile}", "type: pile, visible: none}").replace(
        "type: area}", "type: area, visible: owner}"
    )
    pack.files["base/model.yaml"] = places + "  purse: {of: card, per: player, type: area, visible: owner}\n"
    verdict = judged(pack, workshop)

    assert (verdict.said, verdict.fault is not None) == (("refused", True) if fails else ("accepted", False))


def test_later_fault_is_found_on_the_way_to_it(workshop):
    match = 'choose one:\n  "a": gain 1 gold\n  "b": lose 1 wood\nchoose n in {1, 2}\ngain 1 bid\npay 1 wood'
    fault = judged(small(match), workshop).fault

    assert (fault.seats, fault.choices) == (2, (1, 0))


NEVER_FAILS = 'choose one:\n  "a": gain 1 gold\n  "b": nothing\nset bid to gold mod 2\npay bid * bid bid'
"""Right in any state, which takes more than the checker knows of numbers."""


def test_harmless_pack_is_distinguished_from_a_refused_one(workshop):
    fine = judged(small('choose one:\n  "a": gain 1 gold\n  "b": pay 1 wood'), workshop)
    timid = judged(small(NEVER_FAILS), workshop)

    assert (fine.said, fine.harmless, timid.said) == ("accepted", True, "refused")
    assert timid.refused_for_nothing
    assert [reason.reached for reason in timid.reasons] == [True]


def test_place_that_no_path_leads_to_is_known(workshop):
    verdict = judged(small("gain 1 gold\nif gold > 2:\n  pay 1 wood"), workshop)

    assert verdict.refused_for_nothing
    assert verdict.dead


@pytest.mark.parametrize(
    ("match", "lucky"),
    [
        pytest.param("gain 1 bid\nif gold > 0: lose 1 gold\npay 1 wood", True, id="what it begins with is enough"),
        pytest.param(NEVER_FAILS, False, id="it never fails"),
    ],
)
def test_pack_that_only_its_beginning_saves_is_distinguished(workshop, match, lucky):
    verdict = judged(small(match), workshop)

    assert verdict.refused_for_nothing
    assert verdict.lucky == lucky


def test_opening_is_left_out_of_other_beginnings():
    packs = [pack for pack in map(make, range(30)) if pack.opening]

    assert packs
    for pack in packs:
        assert '"poor"' in pack.opening
        assert '"poor"' in pack.text
        assert '"poor"' not in "".join(pack.bare.values())


def test_broken_invariant_is_a_fault(workshop):
    pack = small('choose one:\n  "a": gain 1 gold\n  "b": nothing', invariants="{poor: 'gold(player_1) == 0'}")

    assert judged(pack, workshop).fault.key == "invariant: poor"


@pytest.mark.parametrize(
    ("change", "sort"),
    [
        pytest.param(lambda m, at: m.state.__setitem__(at.counters["wood"][0], -1), "counter", id="a counter too low"),
        pytest.param(lambda m, at: m.state.__setitem__(at.counters["gold"][0], 4), "counter", id="a counter too high"),
        pytest.param(
            lambda m, at: m.state.__setitem__(at.fields[("card", "level")], 3), "field", id="a field too high"
        ),
        pytest.param(lambda m, at: m.state[at.places["deck"][0]].pop(), "pieces", id="a piece that is lost"),
        pytest.param(lambda m, at: m.state[at.places["hand"][0]].append(0), "pieces", id="a piece in two places"),
        pytest.param(lambda m, at: m.pending.clear(), "options", id="a question without an option"),
        pytest.param(lambda m, at: m.pending.append(m.pending[0]), "options", id="an option twice"),
    ],
)
def test_books_notice(workshop, change, sort):
    pack = small("choose n in {1, 2}")
    match = workshop.checked(pack.files, {}).rules.start(2)
    books = Books(match)
    books.check(match)
    change(match, match.program.layout)

    with pytest.raises(Broken) as caught:
        books.check(match)
    assert caught.value.args[0] == sort


@pytest.mark.deep
def test_pack_is_made_smaller(workshop):
    pack = small(
        'gain 1 gold\nchoose one:\n  "a": lose 1 gold\n  "b":\n    choose n in 1..wood\n    say "so"\npay 3 wood\ngain 1 bid'
    )
    key = judged(pack, workshop).fault.key
    result = shrunk(pack, lambda one: getattr(judged(one, workshop).fault, "key", "") == key)

    assert result.files["base/rules.yaml"].split("\n")[3:-1] == ["    pay 3 wood"]


# ---- the checker, as far as it holds


TOLERATED = {"fault", "counter", "field", "options", "engine", "leak", "invariant"}
"""Sorts of faults that are known not to be found."""


@pytest.mark.deep
def test_packs_that_leave_demands_open_fail_only_there(workshop):
    verdicts = [judged(make(seed).opened, workshop) for seed in range(35)]
    wrong = [v for v in verdicts if v.unsound and v.fault.sort == "fault"]

    assert not wrong, [(v.seed, v.fault) for v in wrong]
    assert sum(v.foreseen for v in verdicts) > 5


def test_fault_at_an_open_demand_is_foreseen(workshop):
    verdict = judged(small("choose n in 1..3\ngain 1 gold\npay n wood").opened, workshop)

    assert (verdict.said, verdict.unsound, verdict.foreseen) == ("accepted", False, True)
    assert verdict.fault.key == "fault: this cannot be paid"


@pytest.mark.deep
def test_most_packs_are_well_formed_and_accepted_ones_keep_their_promises(workshop):
    """Accepted packs lose no piece and end, and of those that never fail on any path many are accepted."""
    verdicts = [judged(make(seed), workshop) for seed in range(200, 245)]
    wrong = [v for v in verdicts if v.unsound and v.fault.sort not in TOLERATED]
    right = sum(v.harmless and v.said == "accepted" for v in verdicts)
    timid = sum(v.refused_for_nothing and not v.dead and not v.lucky for v in verdicts)

    assert not wrong, [(v.seed, v.fault) for v in wrong]
    assert right / max(1, right + timid) >= 0.4
    assert sum(v.said == "wrong" for v in verdicts) <= 16


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(300, 303))
def test_laws_hold_in_accepted_packs(workshop, seed):
    while not (found := judged(make(seed), workshop)).harmless or found.said != "accepted":
        seed += 1000
    pack = make(seed)
    rules = workshop.checked(pack.files, pack.options).rules

    for seats in range(rules.players[0], rules.players[1] + 1):
        play_by_the_laws(rules, seats, seed, decisions=20, stride=4)
        views_keep_secrets(rules, seats, seed, decisions=6)
