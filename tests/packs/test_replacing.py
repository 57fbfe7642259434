"""Triggers that take the place of a rule while a match runs: ``instead: earn``."""

from __future__ import annotations

import pytest
from packmaker import DATA, loaded, problems, spliced

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.coverage.measure import report_coverage
from patolli.author.workspace import inspect
from patolli.check.prose import describe_entry


def text(*triggers: str, more: str = "") -> str:
    """Write triggers, each as the inside of a mapping, and entries of rules beside them."""
    lines = "".join(f"  mine{number}: {{{one}}}\n" for number, one in enumerate(triggers))
    return f"# rules3.yaml\ndocument: rules\n{more}triggers:\n{lines}"


def begun(found, *labels, seed=3):
    """Start a match of two, where both bid nothing, and answer."""
    match = found.start(2, seed, narrate=True)
    for label in ("0", "0", *labels):
        match.choose(label)
    return match


def held(found, *counters, seat=1, seed=3):
    """What the one who begins has after earning 2 coins, with one of their own at the start."""
    match = begun(found, "earn", seed=seed)
    return tuple(match.view(0)["counters"][name][f"player_{seat + 1}"] for name in counters)


@pytest.mark.parametrize(
    ("triggers", "coins", "nuts"),
    [
        ((), 3, 0),
        (("instead: earn, do: nothing",), 1, 0),
        (("instead: earn, do: gain n nut",), 1, 2),
        (("instead: earn, when: n > 2, do: gain n nut",), 3, 0),
        (("instead: earn, when: n > 1, do: gain n nut",), 1, 2),
        (("instead: earn, do: original(n + 1)",), 4, 0),
        (("instead: earn, do: original(n); original(n)",), 5, 0),
        (("instead: earn, when: n > 1, do: gain 1 nut; earn(n - 1)",), 2, 1),
        (("instead: earn, do: 'as next(me): original(n)'",), 1, 0),
        (("instead: earn, do: gain 1 nut; original(n)", "instead: earn, do: gain 2 nut; original(n * 2)"), 5, 3),
        (("instead: earn, do: gain 1 nut", "instead: earn, do: gain 2 nut"), 1, 1),
        (("instead: earn, when: n > 2, do: gain 1 nut", "instead: earn, when: n > 1, do: gain 2 nut"), 1, 2),
        (("instead: earn, do: original(n + 1)", "instead: earn, when: n > 2, do: gain n nut"), 1, 3),
    ],
)
def test_what_is_done_in_its_place(tmp_path, triggers, coins, nuts):
    assert held(loaded(tmp_path, text(*triggers) if triggers else ""), "coin", "nut") == (coins, nuts)


@pytest.mark.parametrize(("do", "points"), [("nothing", 0), ("original(n)", 11), ("original(n); original(n)", 22)])
def test_nothing_comes_before_or_after_what_does_not_happen(tmp_path, do, points):
    around = ("before: earn, do: gain 1 point", "after: earn, do: gain 10 point")

    assert held(loaded(tmp_path, text(f"instead: earn, do: {do}", *around)), "point") == (points,)


def test_what_a_module_puts_before_and_after_goes_with_what_it_was(tmp_path):
    patch = "# late/pack.yaml\ndocument: pack\nid: late\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Late\ntext: Late.\n"
    patch += 'requires: {sample: ">=1.0"}\n# late/c.yaml\ndocument: patch\nchange:\n'
    patch += "  - {before: rules/earn, do: gain 1 point}\n  - {instead: rules/earn, do: original(n + 1)}\n"

    assert held(loaded(tmp_path / "a", text("instead: earn, do: nothing") + patch), "coin", "point") == (1, 0)
    assert held(loaded(tmp_path / "b", text("instead: earn, do: original(n)") + patch), "coin", "point") == (4, 1)


LASTING = (
    "# m.yaml\ndocument: model\ncounters:\n  haste: {per: player, lasts: earn, text: Haste}\n"
    "# rules4.yaml\ndocument: rules\nrules:\n  hurry: gain 1 haste\n"
)


def test_what_lasts_as_long_as_a_rule_is_set_back_behind_what_was_done_in_its_place(tmp_path):
    assert held(loaded(tmp_path, LASTING + text("instead: earn, do: hurry()")), "haste") == (0,)


SAVING = (
    "# rules4.yaml\ndocument: rules\nrules:\n"
    "  saved(int n): return n + coin\n"
    "  ask:\n    do: |\n      let n = saved(2)\n      gain n seed\n"
)


@pytest.mark.parametrize(
    ("do", "seeds"),
    [
        ("return original(n)", 3),
        ("return 1", 1),
        ("'let x = original(n); return x + 1'", 4),
        ("'if n > 5: return 4'", 0),  # left without a value, as any rule
    ],
)
def test_result(tmp_path, do, seeds):
    calls = "instead: earn, do: ask()"
    assert held(loaded(tmp_path, SAVING + text(f"instead: saved, do: {do}", calls)), "seed") == (seeds,)


PIECES = (
    "# shields.yaml\ndocument: pieces\nkind: charm\nplace: bag\npieces:\n"
    "  shield: {copies: 3, triggers: [{instead: hit, when: n > 0, do: 'move it to bag bottom; hit(n - 1)'}], text: S.}\n"
    "# m.yaml\ndocument: model\ncounters:\n  life: {per: player, start: 9, text: Life}\n"
    "# rules4.yaml\ndocument: rules\nrules:\n"
    "  hit(int n): lose n life\n"
    "  fetch(int n):\n    do: |\n      for c in charm: move c to bag\n      for c in charm where c.design == shield and number(c) <= 3 + n: move c to charms(me)\n"
)


@pytest.mark.parametrize(("shields", "lost"), [(0, 2), (1, 1), (2, 0), (3, 0)])
def test_pieces_stand_in_one_after_the_other(tmp_path, shields, lost):
    found = loaded(tmp_path, PIECES + text(f"after: earn, do: fetch({shields}); hit(2)"))

    assert held(found, "life") == (9 - lost,)
    match = begun(found, "earn")
    left = [name for name in match.view(0)["places"]["charms"]["player_2"] if name.startswith("shield")]
    assert len(left) == shields - min(2, shields)


ASKING = (
    "# shields.yaml\ndocument: pieces\nkind: charm\nplace: bag\npieces:\n"
    "  mirror:\n    copies: 2\n    text: M.\n    triggers:\n      - instead: hit\n        do: |\n"
    '          choose one "Do you show it?":\n            "show it": as from: lose 1 life\n'
    '            "keep it": original(from, n)\n'
    "  wall: {text: W., triggers: [{instead: hit, do: 'may \"build\": original(from, 0)'}]}\n"
    "# m.yaml\ndocument: model\ncounters:\n  life: {per: player, start: 9, text: Life}\n"
    "# rules4.yaml\ndocument: rules\nrules:\n"
    "  hit(player from, int n): lose n life\n"
    "  raid(int n):\n    do: |\n      for p in others(me): as p: hit(previous(p), n)\n"
)


def asked(found, *labels):
    match = begun(found, "earn", *labels)
    lives = match.view(0)["counters"]["life"]
    return match, (lives["player_1"], lives["player_2"])


def test_owner_is_asked_once_for_equal_pieces(tmp_path):
    fetch = "'for c in charm where c.design == mirror: move c to charms(next(me))'"
    found = loaded(tmp_path, ASKING + text(f"before: earn, do: {fetch}", "after: earn, do: raid(3)"))

    match = begun(found, "earn")
    assert (match.decision.player, [option.label for option in match.decision.options]) == (0, ["show it", "keep it"])
    assert asked(found, "show it")[1] == (9, 8)
    assert asked(found, "keep it")[1] == (6, 9)


def test_what_goes_on_comes_to_the_next_piece(tmp_path):
    fetch = "'for c in charm where c.design in {mirror, wall}: move c to charms(next(me))'"
    found = loaded(tmp_path, ASKING + text(f"before: earn, do: {fetch}", "after: earn, do: raid(3)"))

    match, _ = asked(found, "keep it")
    assert match.decision.player == 0
    assert asked(found, "keep it", "build")[1] == (9, 9)
    assert asked(found, "show it")[1] == (9, 8)


def test_triggers_come_before_those_of_pieces(tmp_path):
    fetch = "'for c in charm where c.design == mirror: move c to charms(next(me))'"
    triggers = (f"before: earn, do: {fetch}", "after: earn, do: raid(3)", "instead: hit, do: 'original(from, n + 1)'")
    found = loaded(tmp_path, ASKING + text(*triggers))

    assert asked(found, "keep it")[1] == (5, 9)


DIGGING = "document: rules\nrules:\n  toll(int n): pay n coin\n"
TURN = (
    "# late/pack.yaml\ndocument: pack\nid: late\nversion: 1.0.0\nlanguage: 2\nproofs: full\ntitle: Late\ntext: Late.\n"
    'requires: {sample: ">=1.0"}\n# late/c.yaml\ndocument: patch\nchange:\n'
    '  - {offer: rules/turn, do: "choose one:\\n  \\"toll\\": toll(2)"}\n'
)


@pytest.mark.parametrize(
    ("trigger", "offered"),
    [
        ("after: toll, do: nothing", False),
        ("instead: toll, do: pay 1 coin", True),
        ("instead: toll, when: coin > 1, do: nothing", False),
        ("instead: toll, when: coin == 1, do: nothing", True),
        ("instead: toll, do: original(n - 1)", True),
        ("instead: toll, do: original(n)", False),
        ("instead: toll, do: 'choose one: {\"a\": original(n)}'", False),
    ],
)
def test_option_is_there_when_what_would_happen_is_possible(tmp_path, trigger, offered):
    trigger = trigger.replace("'choose one: {\"a\": original(n)}'", "\"choose one:\\n  'a': original(n)\"")
    trigger = trigger.replace("'a'", '\\"a\\"')
    match = begun(loaded(tmp_path, DIGGING + text(trigger) + TURN))

    assert ("toll" in [option.label for option in match.decision.options]) is offered


def test_payment_in_what_is_done_must_be_possible(tmp_path):
    found = problems(tmp_path, text("instead: earn, do: 'gain 1 nut; pay 5 coin'"))

    assert [(p.code, p.span.line) for p in found] == [("P0401", 3)]


@pytest.mark.parametrize(
    ("target", "code", "message", "help_"),
    [
        (
            "gain coin",
            "P0482",
            "only a rule can be replaced; this may happen anywhere",
            "put it into a rule",
        ),
        ("move card to hand", "P0482", "only a rule can be replaced; this may happen anywhere", "put it into a rule"),
        ("earn/do", "P0482", "only a rule as a whole can be replaced", "make a rule of the step"),
        ("price", "P0202", "'price' is a function; only a rule can be replaced", ""),
        ("erne", "P0201", "unknown rule 'erne'", "did you mean 'earn'?"),
    ],
)
def test_what_cannot_be_replaced(tmp_path, target, code, message, help_):
    (found,) = problems(tmp_path, text(f"instead: {target}, do: nothing"))

    assert (found.code, found.span.line) == (code, 3)
    assert message in found.message
    assert help_ in (found.help or "")


def test_original_needs_something_that_it_stands_for(tmp_path):
    (found,) = problems(tmp_path, text("after: earn, do: original(n)"))

    assert (found.code, found.message) == ("P0201", "unknown rule 'original'")
    assert found.help.startswith("only an 'instead' has an original")


def test_result_is_missing(tmp_path):
    (found,) = problems(tmp_path, SAVING + text("instead: saved, do: gain 1 nut"))

    assert (found.code, found.message) == ("P0484", "'saved' returns a value, but its replacement returns none")


def test_forgotten_original_is_reported(tmp_path):
    (found,) = problems(tmp_path, text("instead: earn, do: earn(n)"))

    assert found.code == "P0441"
    assert found.message == "this replaces 'earn' and calls it again, without end"
    assert "original(..)" in found.help


def test_both_moments_are_refused(tmp_path):
    for other in ("after", "before"):
        (found,) = problems(tmp_path, text(f"instead: earn, {other}: earn, do: nothing"))
        assert found.code == "P0058"


def test_condition_that_is_wrong_is_reported_once(tmp_path):
    found = problems(tmp_path, text("instead: earn, when: m > 1, do: nothing"))

    assert [(p.code, p.message.split(";")[0]) for p in found] == [("P0201", "unknown name 'm'")]


@pytest.mark.parametrize(
    ("triggers", "said"),
    [
        (("instead: earn, do: nothing",), "Instead of 'earn': nothing happens."),
        (
            ("instead: earn, when: n > 1, do: gain 1 nut; original(n - 1)",),
            "Instead of 'earn', if n is more than 1: gain 1 nut, then do 'earn' after all with n minus 1.",
        ),
    ],
)
def test_sentence(tmp_path, triggers, said):
    model = inspect(*spliced(tmp_path, text(*triggers))).model

    (sentence,) = describe_entry(model.program, "triggers", "mine0")
    assert sentence[1] == said
    assert describe_entry(model.program, "rules", "earn")[0][1] == "Gain n coins."
    assert ("trigger", said) in describe_entry(model.program, "rules", "earn")


def test_no_player_reads_what_was_not_shown(tmp_path):
    fetch = "'for c in charm where c.design == mirror: move c to charms(next(me))'"
    found = loaded(tmp_path, ASKING + text(f"before: earn, do: {fetch}", "after: earn, do: raid(3)"))
    match = begun(found, "earn")
    known = len(match.log)
    match.choose("keep it")

    assert "mirror" not in " ".join(map(str, match.log[known:]))


def test_looking_ahead_asks_what_would_take_its_place(tmp_path):
    looking = "after: dig, do: 'if after(earn(1), nut > 3): gain 1 point'"
    assert problems(tmp_path / "still", text("instead: earn, do: gain 5 nut", looking)) == []

    (found,) = problems(tmp_path / "asking", text("instead: earn, do: 'may \"x\": gain 1 nut'", looking))
    assert (found.code, found.span.line) == ("P0485", 4)


SECRET = (
    "document: rules\nrules:\n  bidding: set bid to 1\n  all_of_us: |\n    simultaneously for p in players: bidding()\n"
)


@pytest.mark.parametrize(
    ("do", "codes"), [("set bid to 2", []), ("gain 1 coin", ["P0407"]), ("gain 1 nut; original()", ["P0407"])]
)
def test_what_comes_in_a_simultaneous_block_is_looked_at(tmp_path, do, codes):
    found = problems(tmp_path, SECRET + text(f"instead: bidding, do: {do}"))

    assert [problem.code for problem in found] == codes


def test_what_runs_before_must_leave_what_the_rule_itself_demands(tmp_path):
    triggers = text("before: toll, do: lose 1 coin", "instead: toll, when: nut > 2, do: original(n)")
    found = problems(tmp_path, DIGGING + '  try_it: |\n    may "pay": toll(1)\n' + triggers)

    (problem,) = [one for one in found if one.code == "P0409"]
    assert "'toll' was offered before this runs" in problem.message


def test_why_names_what_would_come(tmp_path):
    trigger = text("instead: toll, when: coin > 0, do: pay 3 coin")
    match = begun(loaded(tmp_path, DIGGING + trigger + TURN))

    said = str(match.why("toll"))
    assert "since      your coins are more than 0" in said
    assert "what comes instead of toll(n) is possible" in said


def test_pieces_bring_about_what_they_do(tmp_path):
    found = loaded(
        tmp_path, PIECES.replace("move it to bag bottom", "gain 1 point") + text("after: earn, do: fetch(1); hit(2)")
    )

    assert any("for shield" in str(line).lower() for line in begun(found, "earn").log)


GAME = str(DATA / "convoy")


def test_game_in_which_pieces_and_players_stand_in():
    assert inspect(GAME).problems == []
    result = run_scenarios(Plan((GAME,), coverage=True))
    assert (result.failed_outcomes, result.problems, report_coverage(result.marks).missed) == ([], [], [])
