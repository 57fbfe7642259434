"""What stands out in a small game whose kinds have few pieces, alone and against the game as it was."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from itertools import groupby
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from littlepacks import lay

from patolli import load
from patolli.cli.main import main
from patolli.measure.lab import seats
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Run, findings
from patolli.measure.lab.frame import Frame, open_run
from patolli.measure.lab.lead_history import find_comebacks, find_decision_points, find_lost_leads
from patolli.measure.lab.openings import count_openings, estimate_variety
from patolli.measure.lab.report import report
from patolli.measure.lab.run_data import RATE, Finding
from patolli.measure.lab.standouts import APART, AWAY, _away, _ends, correct_quantile, standing_out
from patolli.measure.lab.statistics import Effect, two_sided_p
from patolli.measure.lab.worth import Thing, _look_up

PACK = "document: pack\nid: stalls\nversion: 1.0.0\nlanguage: 2\ntitle: Stalls\nplayers: {min: 2, max: 3}\n"
GOODS = """document: pieces
kind: good
place: deck
pieces:
  grain: {copies: 6, cost: 1 coin, effect: gain 1 point}
  clay: {copies: 4, cost: 2 coin, effect: gain 2 point and 1 coin}
  silk: {copies: 3, cost: 4 coin, effect: gain 4 point}
  purse: {copies: 2, cost: 1 coin, effect: gain 3 coin}
  paper: {copies: 4, cost: 2 coin, effect: gain 2 point}
"""
BOOTHS = """document: pieces
kind: booth
pieces:
  north: {least: 2}
  south: {least: 2}
  east: {least: 2}
  west: {least: 2}
  third: {least: 3}
  closed: {least: 9}
"""
MODEL = """document: model
kinds:
  good: {facts: {cost: cost, effect: effect}}
  booth: {facts: {least: int}}
counters:
  coin: {per: player}
  point: {per: player}
places:
  deck: {of: good, type: pile, visible: none}
  stall: {of: good, type: row, size: 3}
  home: {of: good, per: player, type: area}
"""
RULES = """document: rules
rules:
  setup: |
    shuffle deck
    refill stall from deck
    for p in players: gain 2 coin for p
  match: |
    loop:
      for p in players: as p: turn()
      if any(p.point >= 10 for p in players) or not any(x in stall): end match
  turn(): |
    choose one:
      "earn a coin": gain 1 coin
      for x in stall "buy": buy(x)
  buy(good): |
    pay good.cost
    move good to home(me)
    do good.effect
    refill stall from deck
result: {score: point, ties: [coin]}
"""
STRONG = (
    (
        "paper: {copies: 4, cost: 2 coin, effect: gain 2 point}",
        "paper: {copies: 4, cost: 2 coin, effect: gain 7 point}",
    ),
)
WEAK = (
    (
        "paper: {copies: 4, cost: 2 coin, effect: gain 2 point}",
        "paper: {copies: 4, cost: 2 coin, effect: lose 3 coin}",
    ),
)
REST = (('"earn a coin": gain 1 coin', '"earn a coin": gain 1 coin\n      "rest": lose 1 point'),)

BOOTHS_OPEN = (
    (
        '"earn a coin": gain 1 coin',
        '"earn a coin": gain 1 coin\n      for b in booth where b.least <= count(p in players) "look at": nothing',
    ),
)


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Return what plays the pack with some texts replaced, and gives what is known of it; each is played once."""
    folder, kept = tmp_path_factory.mktemp("stalls"), {}

    def play(changes=(), seed=0, bot="random", games=1000):
        key = changes, seed, bot
        if key not in kept:
            home, out = folder / str(len(kept)) / "pack", folder / str(len(kept)) / "run"
            home.mkdir(parents=True)
            for name, text in (
                ("pack", PACK),
                ("model", MODEL),
                ("rules", RULES),
                ("goods", GOODS),
                ("booths", BOOTHS),
            ):
                for old, new in changes:
                    text = text.replace(old, new)
                (home / f"{name}.yaml").write_text(text, "utf-8")
            words = ["lab", "run", home, "--games", games, "--seed", seed, "--bot", bot, "--jobs", 1, "--out", out]
            result = CliRunner().invoke(main, [str(word) for word in words])
            assert result.exit_code == 0, result.output
            kept[key] = Run.of(Frame(open_run(out), "base"), Content(load(str(home)), 2))
        return kept[key]

    return play


def told(run, against=None):
    return {(one.kind, one.name): one for one in findings(run, against)}


def line_of(found):
    path, _, line = found.where.rpartition(":")
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()[int(line) - 1]


@pytest.mark.deep
@pytest.mark.parametrize(("changes", "kind"), [(STRONG, "dominant"), (WEAK, "weak")])
def test_piece_of_a_small_kind_stands_out(played, changes, kind):
    """Five pieces have no spread that one of them could be far from; the next of its kind is enough."""
    found = told(played(changes))

    assert [key for key in found if key[0] in ("dominant", "weak")] == [(kind, "good/paper")]
    assert "paper:" in line_of(found[kind, "good/paper"])
    assert not any(key[0] in ("dominant", "weak") for key in told(played()))


@pytest.mark.deep
@pytest.mark.parametrize(("changes", "kind"), [(STRONG, "worth more"), (WEAK, "worth less")])
def test_against_another_run_the_changed_piece_is_named_and_the_others_follow(played, changes, kind):
    found = list(told(played(changes), played()).values())
    worth = [one for one in found if one.kind in ("dominant", "weak", "worth more", "worth less")]

    assert [(one.kind, one.name) for one in worth] == [(kind, "good/paper")]
    assert f"{kind.partition(' ')[2]} than before" in worth[0].text
    assert [one.kind for one in found if one.kind == "consequence"] == [found[-1].kind], "at most one, and last"
    assert "the changes are in paper" in found[-1].text
    assert "paper:" in line_of(found[-1])


@pytest.mark.deep
def test_new_line_of_a_menu_is_named_and_longer_matches_are(played):
    found = told(played(REST), played())

    assert '"rest"' in line_of(found["new", "turn: rest"])
    assert "more than before" in found["longer", "length"].text
    assert "turn()" in line_of(found["longer", "length"]), "the one entry that differs"


def test_option_that_loses_a_little_each_time_is_weak(played):
    """One use costs less than chance decides; ten uses in a match cost more."""
    found = told(played(REST))

    assert [key for key in found if key[0] in ("dominant", "weak")] == [("weak", "turn: rest")]
    assert '"rest"' in line_of(found["weak", "turn: rest"])
    assert (
        "with 4.6 uses more in a match by players who use it often; the next worst" in found["weak", "turn: rest"].text
    )
    assert "changes the own score by -0.8 points at once, the others by +0.8" in found["weak", "turn: rest"].text
    assert ("weak", "turn: rest") not in told(played())


@pytest.mark.parametrize(
    ("changes", "commands"),
    [
        pytest.param(REST, ["worth", "run"], id="option"),
        pytest.param(STRONG, ["worth", "run", "run"], id="piece", marks=pytest.mark.deep),
    ],
)
def test_finding_names_experiments(played, changes, commands):
    (one,) = report(played(changes))["findings"]

    assert [each["command"].split()[2] for each in one["try"]] == commands
    assert all("--seed 1 " in each["command"] for each in one["try"]), "a fresh seed"
    assert re.search(r"in one process; shows \d+\.\d percentage points of the wins", one["try"][0]["text"])


@pytest.mark.deep
@pytest.mark.parametrize("changes", [REST, STRONG])
def test_experiments_can_be_pasted(played, tmp_path, monkeypatch, changes):
    (one,) = report(played(changes))["findings"]
    monkeypatch.chdir(tmp_path)
    for each in one["try"]:
        for command in re.sub(r"--games \d+", "--games 60", each["command"]).split(" && "):
            done = CliRunner().invoke(main, shlex.split(command)[1:])
            assert done.exit_code == 0, (command, done.output)


SD = 6.0
"""Standard deviation of the lead of made-up things."""
USES = 700 / 600
"""How often players who use a made-up thing do so in a match."""
SMALL = [(f"use {n}", 0.02 * n, 0.4) for n in range(-3, 4)]


def list_things(*things):
    """Return options of one rule: each with its name, what it is worth, and the error of that."""
    return [
        Thing(f"play: {name}", "play", 500, 2000, 700, 600, 500, score=Effect(value, error, (600, 600)),
              wins=Effect(value / 15, error / 15, (600, 600)))
        for name, value, error in things
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("others", "found"),
    [
        pytest.param([], True, id="alone"),
        pytest.param([("rare", 9.0, 6.0)], True, id="another one, little known"),
        pytest.param([("other", 2.5, 0.4)], False, id="another one that is surely off, too"),
        pytest.param([("other", -2.5, 0.4)], False, id="another one on the other side"),
    ],
)
def test_option_that_is_off_by_a_medium_effect_stands_out_if_no_other_one_is(others, found):
    things = list_things(*SMALL, ("strong", 0.9 * SD, 0.4), *others)
    (one,) = _away([(thing, thing.score) for thing in things], AWAY * SD, True, True)

    assert one.better
    assert "(median)" in one.text
    assert (one.chance < 1e-5) == found
    assert one.thing.name == "play: strong"


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("gap", "low", "high"), [(APART, 0, 0.02), (3 * APART, 0.99, 1)])
def test_best_and_worst_are_found_only_beyond_the_limit(sign, gap, low, high):
    """At the limit 1 of 100 is found at random, and at three times the limit nearly all."""
    random, found = Random(5), 0
    for _ in range(1000):
        values = [(f"n{n}", sign * random.gauss(-1, 0.5), 0.5) for n in range(5)] + [
            ("next", random.gauss(0, 0.5), 0.5)
        ]
        things = list_things(*values, ("far", sign * random.gauss(gap * SD / USES, 0.5), 0.5))
        ends = _ends([(thing, thing.score) for thing in things], APART * SD, True, True)
        found += any(one.chance < 0.01 and one.thing.name == "play: far" for one in ends)

    assert low <= found / 1000 <= high


@pytest.mark.parametrize(("far", "found"), [(2 * SD, {"play: far": "dominant"}), (-2 * SD, {})])
def test_option_that_names_a_piece_is_a_finding_if_it_is_good(far, found):
    """A card that is good to keep is bad to discard."""
    frame = SimpleNamespace(has_scores=True, ahead=np.array([SD, -SD]))
    content = SimpleNamespace(
        named_pieces=lambda name: [f"card/{name}"], piece=str, option=str, declines=set(), scoring=set()
    )
    things = list_things(*SMALL, ("far", far, 0.4))
    run = SimpleNamespace(options=things, pieces=[], frame=frame, content=content, rate=RATE)

    assert {one.name: one.kind for one in standing_out(run)} == found


def find_kinds(things, **content):
    """Return the findings of a run that has made up options only, by name."""
    frame = SimpleNamespace(has_scores=True, ahead=np.array([SD, -SD]))
    there = {"named_pieces": lambda name: [], "piece": str, "option": str, "declines": set(), "scoring": set()}
    run = SimpleNamespace(options=things, pieces=[], frame=frame, content=SimpleNamespace(**there | content), rate=RATE)
    return {one.name: one.kind for one in standing_out(run)}


@pytest.mark.parametrize(
    ("far", "others", "plain", "declined"),
    [
        pytest.param(-2 * SD, [], "weak", None, id="to do nothing is bad"),
        pytest.param(2 * SD, [], "dominant", "dominant", id="nothing is worth doing"),
    ],
)
def test_decline_is_a_finding_only_if_it_is_good(far, others, plain, declined):
    things = list_things(*SMALL, ("pass", far, 0.4), *others)

    assert find_kinds(things) == {"play: pass": plain}
    assert find_kinds(things, declines={"play: pass"}) == ({"play: pass": declined} if declined else {})


def test_option_is_no_better_for_being_better_than_a_decline():
    """It is worse if it is worse than that."""
    things = list_things(("pass", -SD, 0.1), ("rest", -0.9 * SD, 0.1), ("build", 2, 0.1), ("worst", -3 * SD, 0.1))

    assert find_kinds(things, declines={"play: pass", "play: rest"}) == {"play: worst": "weak"}


def test_card_that_scores_is_compared_with_cards_that_score():
    """Players without a plan score with nothing else."""
    things = list_things(*SMALL, ("points", 2 * SD, 0.4), ("more points", 2.2 * SD, 0.4))
    scoring = {"play: points", "play: more points"}

    assert find_kinds(list_things(*SMALL, ("points", 2 * SD, 0.4))) == {"play: points": "dominant"}
    assert find_kinds(things, scoring=scoring) == {}


MENUS = """rules:
  match: |
    repeat 3 times:
      for p in players: as p: turn()
  turn: |
    choose one:
      for n in 1..3 where n <= coin "buy" as "{n}": pay n coin; gain n point
      "rest": nothing
      "pass": set out to 1
      "pass for a fee": lose 1 coin; set out to 1
      "earn": gain 1 coin
      "boast": gain 1 fame
    choose n in 1..coin or "no bid"
    up to 2 times "again": gain 1 coin
    may "cheer": gain 1 fame
result: {score: point, ties: [fame]}
"""


def test_declines_give_and_take_nothing(tmp_path):
    counters = "".join(f"  {name}: {{per: player}}\n" for name in ("coin", "point", "out", "fame"))
    content = Content(load(lay(tmp_path, f"counters:\n{counters}", MENUS)), 2)

    assert sorted(content.declines) == ["turn: no", "turn: no bid", "turn: pass", "turn: rest", "turn: stop"]


CARDS = "kinds:\n  card: {facts: {price: int, worth: int = 0, coins: int = 0}}\ncounters:\n  coin: {per: player}\nplaces:\n  heap: {of: card, type: area}\n  hand: {of: card, per: player, type: area}\n"
BUY = "functions:\n  value(player p): sum(c.worth for c in hand(p))\nrules:\n  match: |\n    for p in players: as p:\n      choose c in heap\n      otherwise: stop\n      pay c.price coin\n      move c to hand(me)\n      gain c.coins coin\nresult: {score: value(me)}\n"


@pytest.mark.parametrize(
    ("fifth", "idle", "scoring"),
    [
        ("{price: 5}", ["card/fifth"], []), ("{price: 5, worth: 0, coins: 0}", ["card/fifth"], []), ("{price: 5, worth: 2}", [], ["card/fifth"]),
        ("{price: 5, coins: 1}", [], []),
    ],
)  # fmt: skip
def test_piece_that_has_a_price_and_nothing_else_is_known(tmp_path, fifth, idle, scoring):
    others = "".join(f"  card_{n}: {{price: {n}, coins: {n}}}\n" for n in range(1, 5))
    pieces = f"document: pieces\nkind: card\nplace: heap\npieces:\n{others}  fifth: {fifth}\n"
    content = Content(load(lay(tmp_path, CARDS, BUY, cards=pieces)), 2)

    assert list(content.idle_effects) == idle
    assert sorted(content.scoring) == scoring


TOKENS = "kinds:\n  token: {active: it in heap, facts: {does: effect}}\ncounters:\n  point: {per: player}\nplaces:\n  heap: {of: token, type: area}\n"
USE = "rules:\n  match: |\n    for p in players: as p:\n      for t in heap: do t.does\nresult: {score: point}\n"


@pytest.mark.parametrize(
    ("fifth", "idle"),
    [
        ("{does: gain 2 point}", []), ('{does: say "waits"}', ["token/fifth"]), ("{does: nothing}", ["token/fifth"]),
        ('{does: say "waits", triggers: [{after: match, do: gain 1 point}]}', []),
        ('{does: nothing}\n  sixth: {does: say "waits"}', []),
    ],
)  # fmt: skip
def test_piece_whose_effect_changes_nothing_is_known(tmp_path, fifth, idle):
    """If one of a few does nothing, it may be a mistake; if several do, it is none."""
    names = "".join(f"  {name}: {{does: gain 1 point}}\n" for name in ("first", "second", "third", "fourth"))
    pieces = f"document: pieces\nkind: token\nplace: heap\npieces:\n{names}  fifth: {fifth}\n"
    content = Content(load(lay(tmp_path, TOKENS, USE, pieces=pieces)), 2)

    assert list(content.idle_effects) == idle
    for key, place in content.idle_effects.values():
        assert key == "does"
        assert "fifth" in line_of(Finding("", "", "", place))


@pytest.mark.deep
def test_copy_without_a_change_says_nothing(played):
    assert told(played(seed=1), played()) == {}
    assert told(played(seed=1), played(seed=1)) == {}


@pytest.mark.deep
def test_what_looking_bots_always_take_and_hardly_ever(played):
    strong, rest = told(played(STRONG, bot="greedy", games=200)), told(played(REST, bot="greedy", games=200))
    plain = played(bot="greedy", games=200)

    assert "paper:" in line_of(strong["always chosen", "turn: buy paper"])
    assert ("always chosen", "turn: buy paper") in told(played(STRONG, bot="greedy", games=200), plain)
    assert any(kind in ("never chosen", "rarely chosen") and name == "turn: rest" for kind, name in rest)


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        pytest.param(0, "never chosen", id="never"),
        pytest.param(4, "rarely chosen", id="rarely"),
        pytest.param(400, None, id="rarely"),
    ],
)
def test_few_of_many_offers_are_reported(played, monkeypatch, chosen, told):
    """Bots that look one step ahead take what is bad now and then; 11 of 9,496 is not 0, and means the same."""
    from patolli.measure.lab.standouts import how_often
    from patolli.measure.lab.worth import Thing

    options = [Thing("turn: rest", "turn", 100, 9000, chosen), Thing("turn: earn a coin", "turn", 100, 9000, 5000)]
    found = [one.kind for one in how_often(options, played(REST).content) if one.name == "turn: rest"]

    assert found == ([told] if told else [])


@pytest.mark.parametrize("tests", [1, 2, 40, 1000])
def test_intervals_of_many_tests_hold_together(tests):
    """Together they are wrong, to one side or the other, as seldom as one test may be."""
    assert tests * two_sided_p(correct_quantile(tests)) == pytest.approx(RATE)


def test_piece_for_more_players_is_not_dead(played):
    """A booth that opens with three players is not missed with two; one that never opens is."""
    run = played(BOOTHS_OPEN, games=120)
    found = told(run)
    never = report(run)["never"]["seen"]

    assert ("dead", "booth/third") not in found
    assert "closed:" in line_of(found["dead", "booth/closed"])
    assert [one["name"] for one in never] == ["booth/closed"]


def test_piece_that_begins_on_the_board_is_not_dead(played):
    """One good lies beside the stall, where no rule takes it; the others begin in the deck."""
    board = ("  deck: {of: good,", "  board: {of: good, type: row, size: 1}\n  deck: {of: good,")
    sign = ("  paper: {copies: 4,", "  sign: {place: board, cost: 1 coin, effect: gain 1 coin}\n  paper: {copies: 4,")
    run = played((board, sign), games=120)

    assert next(one for one in run.pieces if one.name == "good/sign").seen == 120
    assert ("dead", "good/sign") not in told(run)


def test_matches_in_which_something_is_taken_are_counted_once(played):
    """Two seats take copies of the same piece in one match: that is one of the matches in which it was there."""
    pieces = [one for one in played().pieces if one.group == "good"]

    assert any(one.takers > one.seen for one in pieces)
    assert all(one.taken <= one.seen for one in pieces)


def test_copies_are_looked_up_by_seat_and_match():
    found = _look_up(np.array([7, 3, 9, 1]), np.array([9, 7, 2]), np.array([2, 5, 4]))

    assert found.tolist() == [5, 0, 2, 0]
    assert _look_up(np.array([7]), np.zeros(0, int), np.zeros(0, int)).tolist() == [0]


def test_seat_gets_no_reason_that_contradicts_it(played, monkeypatch):
    """The surest difference may be one that speaks against what the seat wins."""
    run = played()
    frame = run.frame
    monkeypatch.setattr(frame, "wins", np.tile([1.0, 0.0], (len(frame), 1)))
    monkeypatch.setattr(frame, "ahead", np.tile([0.5, -0.5], (len(frame), 1)) + frame.ahead * 1e-3)
    sources = [("turn: buy grain", -0.1, 0.001), ("turn: buy silk", 0.4, 0.1)]
    monkeypatch.setattr(seats, "_sources", lambda frame, seat: sources)

    found = list(seats.seats(frame, run.content))

    assert [one.name for one in found] == ["seat 1"], "of two seats one is reported: the other one says the same"
    assert "with 'turn: buy silk' it gets 0.40 points more" in found[0].text


def test_seat_is_ahead_by_what_no_option_gives(played, monkeypatch):
    """What rules give by themselves is no doing of the option that gives most of the rest."""
    run = played()
    frame = run.frame
    monkeypatch.setattr(frame, "wins", np.tile([1.0, 0.0], (len(frame), 1)))
    monkeypatch.setattr(frame, "ahead", np.tile([3.0, -3.0], (len(frame), 1)) + frame.ahead * 1e-3)
    monkeypatch.setattr(seats, "_sources", lambda frame, seat: [(seats.START, 0.0, 0.0), ("turn: buy silk", 0.5, 0.1)])

    (found,) = seats.seats(frame, run.content)

    assert found.text.endswith("rules without an option give it 2.50 points more")
    assert found.where == ""


def test_match_is_decided_when_the_winner_was_last_behind(played):
    """After the next noted score; a match whose winner only leads after the last turn is decided at its end."""
    frame = played().frame
    match, turn, scores = frame.course
    values = find_decision_points(frame)
    for at in range(60):
        seats_ = [scores[row] for row in np.flatnonzero(match == at)]
        over = [turn[row] / frame.column("turns")[at] for row in np.flatnonzero(match == at)]
        winners = np.flatnonzero(frame.wins[at] > 0)
        if len(winners) > 1:
            assert np.isnan(values[at])
            continue
        leads = [one[winners[0]] > one[1 - winners[0]] for one in seats_]
        last = max((row for row, ahead in enumerate(leads) if not ahead), default=-1)
        wanted = 0.0 if last < 0 else [*over, 1.0][last + 1]
        assert values[at] == pytest.approx(wanted)


def test_lost_leads_and_comebacks_are_those_of_the_noted_scores(played):
    frame = played().frame
    match, _, scores = frame.course
    lost, behind = find_lost_leads(frame), find_comebacks(frame)
    for at in range(60):
        rows = [scores[row] for row in np.flatnonzero(match == at)]
        leads: list[tuple[int, float]] = []
        for one in rows:
            if one[0] != one[1]:
                leads.append((int(one.argmax()), abs(one[0] - one[1])))
        runs = [list(group) for _, group in groupby(leads, key=lambda pair: pair[0])]
        wanted = [max(lead for _, lead in run) for run in runs[:-1]]
        assert lost[at] == pytest.approx(np.mean(wanted) if wanted else np.nan, nan_ok=True)
        winners = np.flatnonzero(frame.wins[at] > 0)
        deficit = max([0.0, *(one[1 - winners[0]] - one[winners[0]] for one in rows)]) if len(winners) == 1 else np.nan
        assert behind[at] == pytest.approx(deficit, nan_ok=True)


def test_openings_are_the_first_choices_of_each_seat(played):
    frame = played().frame
    for seat, counts in enumerate(count_openings(frame)):
        wanted: Counter[str] = Counter()
        for row in frame.store.rows("base", 1000, ("option_id", "option_seat", "option_first")):
            names = zip(row["option_first"], row["option_seat"], row["option_id"], strict=True)
            wanted[min((first, name) for first, who, name in names if who == seat and first >= 0)[1]] += 1
        assert sorted(counts.tolist()) == sorted(wanted.values())


@pytest.mark.parametrize("shares", [(1,), (0.9, 0.1), (0.5, 0.5), (0.4, 0.3, 0.2, 0.1), (1 / 12,) * 12])
def test_variety_of_openings_is_in_its_interval(shares):
    """In 93 of 100 runs at least; if all options are equally frequent, the interval may be too high by a little."""
    random, truth = np.random.default_rng(1), float(np.exp(-sum(one * np.log(one) for one in shares)))
    known = [estimate_variety(counts[counts > 0]) for counts in random.multinomial(300, shares, 500)]

    assert np.mean([one.low <= truth <= one.high for one in known]) > 0.93
    assert np.mean([one.value for one in known]) == pytest.approx(truth, rel=0.01)
    assert all(one.low <= one.value <= one.high for one in known)


def test_examples_are_of_matches_that_count(played):
    frame = played().frame
    winners = {int(n): int((row > 0).sum()) for n, row in zip(frame.match, frame.wins, strict=True)}
    course = {one["name"]: one["examples"] for one in report(played())["numbers"] if one["group"] == "Course"}

    for name in ("decided after", "winner not ahead"):
        assert {winners[n] for n in course[name]} == {1}
