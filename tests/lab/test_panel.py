"""A panel of bots: who plays what, what its report says, and which findings depend on the bots."""

from __future__ import annotations

import json
from random import Random

import pytest
from click.testing import CliRunner
from littlepacks import lay
from synthetic import OPTIONS, row

from patolli import load
from patolli.cli.labplans import choose_panel
from patolli.cli.main import main
from patolli.measure.lab import stakes
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Run
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.page import page
from patolli.measure.lab.panel import SIMPLE, Panel, choose_bots, open_panel
from patolli.measure.lab.panel_report import SIGNS, Member, Step, report_panel
from patolli.measure.lab.plans import PlanError
from patolli.measure.lab.run_data import RATE
from patolli.measure.lab.stakes import (
    estimate_stakes,
    find_dominated,
    find_idle_choices,
    keep_stakes,
    read_stakes,
    try_choices,
)
from patolli.measure.lab.statistics import Known
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.lab.trials import Trial

MODEL = "counters:\n  point: {per: player, noun: [point, points], text: Points}\n"
HATS = """rules:
  match:
    do: |
      repeat 6 times:
        for p in players:
          as p: dress()
          as p: earn()
  dress():
    do: |
      choose one "Which hat?":
        "red": say "wears red"
        "blue": say "wears blue"
  earn():
    do: |
      choose one "How many?":
        "one": gain 1 point
        "two": gain 2 point
result: {score: point}
"""
FEES = """rules:
  match:
    do: |
      repeat 6 times:
        for p in players: as p: work()
  work():
    do: |
      choose one "You have {point} points. What now?":
        "earn": earn(3)
        "earn less": earn(FEE)
        "give": for p in others(me): as p: gain 1 point
  earn(int n):
    do: |
      gain n point
      choose one "Which hat?":
        "red": gain 1 point
        "blue": gain 2 point
result: {score: point}
"""
BOTS = ("random", "greedy", "mcts:10")


@pytest.fixture(scope="module")
def content():
    return Content(load("content/gallery/pig"), 2)


def played(folder, content, bot, matches=600, seed=1, **more):
    """Return a member that has played a made-up game."""
    head = {"variants": [{"name": "base", "pack": "made_up", "modules": [], "options": {}, "vary": {}}]}
    head |= {"players": 2, "bots": [bot] * 2, "seed": seed, "limit": 100, "content": "none", "targets": []}
    store, random = Store(folder, head), Random(seed)
    for number in range(matches):
        store.add("base", row(number, random, **more))
    store.close()
    return Member.of(bot, Run.of(Frame(store, "base"), content, RATE / 2))


def test_groups_have_all_members_and_a_run_for_each_seat_of_the_stronger_bot():
    groups = Panel(BOTS, 3).list_groups()

    assert sum(share for share, _ in groups) == pytest.approx(1)
    assert [one.folder for _, group in groups[-3:] for one in group] == ["random", "greedy", "mcts_10"]
    assert [one.bots for one in groups[1][1]] == [
        ("mcts:10", "greedy", "greedy"), ("greedy", "mcts:10", "greedy"), ("greedy", "greedy", "mcts:10"),
    ]  # fmt: skip
    assert [one.better for one in groups[1][1]] == [0, 1, 2]
    assert [group[0].most for _, group in groups] == [133, 133, 2000, 5000, 5000]
    assert groups[-1][0] == max(share for share, _ in groups), "the strongest bot"
    assert len({one.folder for _, group in groups for one in group}) == 3 + 6
    assert len(Panel(BOTS, 1).list_groups()) == 3
    assert len({Panel(("a:b", "a b"), 1).member(at).folder for at in (0, 1)}) == 2


@pytest.mark.parametrize(
    ("given", "bots"),
    [
        ({}, ()), ({"bot": "random"}, None), ({"bot": "random, greedy"}, ("random", "greedy")), ({"games": 10}, None),
        ({"until": "turns +- 1"}, None), ({"vary": ["a/b/c=1"]}, None), ({"seats": ((1, "greedy"),)}, None),
        ({"shard": True}, None), ({"games": 10, "bot": "random,greedy"}, ("random", "greedy")),
    ],
)  # fmt: skip
def test_a_panel_plays_if_nothing_says_otherwise(given, bots):
    assert choose_panel({"bot": None, "games": None, **given}) == bots


@pytest.mark.parametrize("given", [{"bot": "random,random"}, {"bot": "random,greedy", "vary": ["a/b/c=1"]}])
def test_a_panel_refuses_what_it_cannot_play(given):
    with pytest.raises(PlanError, match="a panel"):
        choose_panel({"games": None, **given})


def test_bots_that_search_are_left_out_if_there_is_no_time_for_them():
    rules = load("content/tic_tac_toe")

    assert choose_bots(rules, 2, 0.01, 1, 100) == SIMPLE
    *simple, small, large = choose_bots(rules, 2, 1e6, 1, 100)
    assert tuple(simple) == SIMPLE
    assert int(large.removeprefix("mcts:")) == 2 * int(small.removeprefix("mcts:")) > 20


def test_a_folder_keeps_its_panel(tmp_path):
    assert open_panel(tmp_path, (), 2) is None
    Panel(BOTS, 2).keep(tmp_path)
    assert open_panel(tmp_path, (), 2) == open_panel(tmp_path, BOTS, 2) == Panel(BOTS, 2)
    for wanted, seats in ((BOTS[:2], 2), (BOTS, 3)):
        with pytest.raises(StoreError, match="other bots or seats"):
            open_panel(tmp_path, wanted, seats)
    (tmp_path / "panel.json").write_text("[]")
    with pytest.raises(StoreError, match="not a list of bots"):
        open_panel(tmp_path, (), 2)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").touch()
    with pytest.raises(StoreError, match="no panel"):
        open_panel(tmp_path / "other", (), 2)


def test_a_finding_that_turns_round_is_marked(tmp_path, content):
    weak = played(tmp_path / "random", content, "random", worth={OPTIONS[3]: 9}, advantage=3)
    strong = played(tmp_path / "greedy", content, "greedy", worth={OPTIONS[3]: -9}, advantage=-3)
    data, lead = report_panel(tmp_path, [weak, strong], [])
    found = {(one["name"], one["kind"]): one for one in data["findings"]}

    assert lead is strong.run
    assert found[OPTIONS[3], "weak"]["flips"]
    assert found[OPTIONS[3], "weak"]["against"] == ["random"]
    assert found[OPTIONS[3], "dominant"]["elsewhere"]["folder"].endswith("random")
    assert not any(name.startswith("seat") for name, _ in found), "it is not the seat, if each bot shows another one"
    answers = {one["question"]: one for one in data["verdict"]["answers"]}
    assert OPTIONS[3] in answers["Depends on bots"]["text"]
    assert f"{OPTIONS[3]} (random)" in answers["Too strong"]["text"]
    assert "seat 1 by bot: random" in answers["Fair"]["text"]
    text = page(data, [])
    assert "<strong>Depends on bots:</strong>" in text
    assert "id=bots" in text


def test_seat_that_one_bot_shows_as_fair_depends_on_bots(tmp_path, content):
    fair, better = (played(tmp_path / bot, content, bot, advantage=by) for bot, by in (("random", -1), ("greedy", 4)))
    few = played(tmp_path / "mcts", content, "mcts:10", 20)

    assert [one["name"] for one in report_panel(tmp_path, [better, few], [])[0]["findings"]] == ["seat 1"]
    data, _ = report_panel(tmp_path, [fair, better, few], [])
    assert data["findings"] == []
    assert {one["question"]: one["verdict"] for one in data["verdict"]["answers"]}["Fair"] == "depends on bots"


def test_skill_is_how_often_the_stronger_bot_wins_on_all_seats(tmp_path, content):
    member = played(tmp_path / "random", content, "random")
    ahead = played(tmp_path / "a", content, "a", advantage=9).run.frame
    steps = [Step.of("strong", "weak", [(0, ahead), (1, ahead)]), Step.of("b", "a", [(0, ahead)])]
    data, _ = report_panel(tmp_path, [member], steps)

    assert steps[0].known.value == pytest.approx(0.5)
    assert steps[0].fair == pytest.approx(0.5)
    assert steps[1].known.low > 0.5
    skill = next(one for one in data["verdict"]["answers"] if one["question"] == "Skill")
    assert skill["verdict"] == "yes"
    assert "b wins" in skill["text"]
    assert "without skill: 50.0 %" in skill["text"]
    data, _ = report_panel(tmp_path, [member], [Step.of("strong", "weak", [(0, member.run.frame)])])
    skill = next(one for one in data["verdict"]["answers"] if one["question"] == "Skill")
    assert skill["verdict"] == "not known"
    assert "we could detect" not in skill["text"]  # 600 matches are enough for 5 points
    few = Step("strong", "weak", Known(0.5, 0.4, 0.6, 100), 0.5)
    data, _ = report_panel(tmp_path, [member], [few])
    assert "with 400 matches of strong against weak we could detect 5 points" in str(data["verdict"])


def test_a_panel_is_played_reported_and_continued(tmp_path):
    run = CliRunner()
    words = ["lab", "run", "content/tic_tac_toe", "--bot", "random,greedy", "--jobs", "1", "--out", str(tmp_path / "p")]
    done = run.invoke(main, [*words, "--games", "8"])
    assert done.exit_code == 0, done.output
    assert "seat 1 wins" in done.stdout
    assert json.loads((tmp_path / "p" / "greedy_against_random_seat_2" / "end.json").read_text()) == {"matches": 4}
    assert run.invoke(main, [*words, "--games", "12"]).exit_code == 0

    shown = run.invoke(main, ["lab", "report", str(tmp_path / "p"), "--out", str(tmp_path / "page.html")])
    assert shown.exit_code == 0, shown.output
    assert "greedy wins" in shown.stdout
    single = run.invoke(main, ["lab", "report", str(tmp_path / "p" / "greedy"), "--format", "json"])
    assert json.loads(single.stdout)["about"]["matches"] == 12

    named = run.invoke(main, ["lab", "compare", str(tmp_path / "p"), str(tmp_path / "p")])
    assert named.exit_code == 2
    assert "panel of bots" in " ".join(named.output.split())
    assert run.invoke(main, [*words, "--vary", "a/b/c=1"]).exit_code == 2


def test_choices_that_change_nothing_are_found(tmp_path, content):
    (tmp_path / "pack").mkdir()
    rules = load(lay(tmp_path / "pack", MODEL, HATS))
    found = try_choices(rules, 2, 1, 60, 500)
    idle = list(find_idle_choices(list(found.values())))

    assert [one.name for one in idle] == ["dress"]
    assert "Which hat?" in idle[0].text
    keep_stakes(tmp_path, found)
    assert {one.where: one for one in read_stakes(tmp_path)} == found
    known = estimate_stakes(read_stakes(tmp_path))
    assert known is not None
    assert known.low < 0.5 <= known.high  # one of two questions matters
    data, _ = report_panel(tmp_path, [played(tmp_path / "run", content, "random")], [], read_stakes(tmp_path))
    answers = {one["question"]: one for one in data["verdict"]["answers"]}
    assert "never in dress" in answers["Real choices"]["text"]
    assert data["findings"][-1]["kind"] == "no difference"
    assert "no difference" in data["verdict"]["headline"].lower()
    assert page(data, [])

    (tmp_path / "stakes.json").write_text("[1]")
    with pytest.raises(StoreError, match="invalid"):
        read_stakes(tmp_path)
    assert estimate_stakes([]) is None


@pytest.mark.parametrize(("fee", "worse"), [(2, {"work: earn less", "earn: red"}), (3, {"earn: red"})])
def test_options_that_leave_less_than_another_one_beside_them_are_found(tmp_path, content, fee, worse):
    rules = load(lay(tmp_path, MODEL, FEES.replace("FEE", str(fee))))
    found = list(try_choices(rules, 2, 1, 60, 500).values())
    dominated = list(find_dominated(found, Content(rules, 2)))

    assert {one.name for one in dominated} == worse
    assert all("rules.yaml:" in one.where and "less point" in one.text for one in dominated)
    assert {one.prompt for one in found} == {"You have ... points. What now?", "Which hat?"}
    data, _ = report_panel(tmp_path, [played(tmp_path / "run", content, "random")], [], found)
    assert {one["name"] for one in data["findings"] if one["kind"] == "dominated"} == worse


def test_an_option_that_is_better_now_and_then_is_not_dominated(tmp_path):
    fee = FEES.replace("earn(FEE)", "earn(4 if point mod 8 == 1 else 2)")
    rules = load(lay(tmp_path, MODEL, fee))
    found = list(try_choices(rules, 2, 1, 60, 500).values())

    assert "work: earn less" not in {one.name for one in find_dominated(found, Content(rules, 2))}


def test_what_one_simple_bot_likes_is_no_finding(tmp_path, content):
    never = (OPTIONS[2],)
    members = [
        played(tmp_path / "1", content, "random"), played(tmp_path / "2", content, "greedy", never=never),
        played(tmp_path / "3", content, "mcts:10"),
    ]  # fmt: skip
    assert [one.kind for one in members[1].found] == ["never chosen"]
    data, _ = report_panel(tmp_path, members, [])
    assert data["findings"] == []
    assert "Unused" not in str([one for one in data["verdict"]["answers"] if one["verdict"] != "nothing"])
    data, _ = report_panel(tmp_path, members[:2], [])
    assert {one["question"]: one["verdict"] for one in data["verdict"]["answers"]}["Unused"] == "nothing"

    random = played(tmp_path / "5", content, "random", worth={OPTIONS[2]: -3})
    found = [one for one in report_panel(tmp_path, [random, *members[1:]], [])[0]["findings"] if one["kind"] != "weak"]
    assert [(one["kind"], one["name"], one["bots"]) for one in found] == [("never chosen", OPTIONS[2], ["greedy"])]

    members[2] = played(tmp_path / "4", content, "mcts:10", never=never)
    (found,) = report_panel(tmp_path, members, [])[0]["findings"]
    assert found["bots"] == ["mcts:10", "greedy"]
    (found,) = report_panel(tmp_path, members[2:], [])[0]["findings"]
    assert found["bots"] == ["mcts:10"]


@pytest.mark.parametrize(("option", "low", "share", "kinds"), [
    (OPTIONS[3], 0.3, 0.95, ["dominant"]), (OPTIONS[3], 0.05, 0.95, []), (OPTIONS[3], 0.3, 0.0, []),
])  # fmt: skip
def test_a_line_that_crowds_others_is_a_finding_if_it_surely_wins(tmp_path, content, option, low, share, kinds):
    members = [played(tmp_path / "1", content, "random"), played(tmp_path / "2", content, "greedy")]
    trial = Trial(option, "greedy", share, 40, (low + 0.6) / 2, low, 0.6)
    data, _ = report_panel(tmp_path, members, [], trials=[trial])

    assert [one["kind"] for one in data["findings"]] == kinds
    assert all("chosen in 95 % of the choices of build" in one["text"] for one in data["findings"])
    assert all(trial.text in one["text"] for one in data["findings"])
    assert page(data, [])


def test_a_question_without_difference_is_tried_often_enough_in_few_matches(tmp_path, monkeypatch):
    """Each match has several choices of it, and all of them are tried."""
    monkeypatch.setattr(stakes, "MOST", 9)
    found = try_choices(load(lay(tmp_path, MODEL, HATS)), 2, 1, 60, 500)

    assert {one.rule: bool(one.differ) for one in found.values()} == {"dress": False, "earn": True}
    assert [one.name for one in find_idle_choices(list(found.values()))] == ["dress"]


REPORTS, ALARMS = 100, 5
"""Reports of games without effects, and how many may name something: one is expected, and more than five of 100 come
in fewer than 1 of 1,000 sets of reports."""


@pytest.mark.deep
@pytest.mark.parametrize(("uses", "spread"), [(1, 0), (6, 0), (1, 1.5)])
def test_reports_of_games_without_effects_raise_few_alarms_and_panels_of_them_too(tmp_path, content, uses, spread):
    """Options that are worth nothing are neither dominant nor weak, however often they are used, nor depend on bots.

    Nor are those that are worth something, each another amount, none of them far from all others.
    """
    members = []
    for seed in range(REPORTS):
        worth = {name: Random(f"{seed} {name}").gauss(0, spread) for name in OPTIONS}
        more = {"matches": 150, "seed": seed, "uses": uses, "worth": worth}
        members.append(played(tmp_path / str(seed), content, f"mcts:{seed % 4}", **more))
    alarms = [one for one in members if any(each.kind in SIGNS for each in one.found)]
    panels = [report_panel(tmp_path, members[at : at + 4], [])[0]["findings"] for at in range(0, REPORTS, 4)]

    assert len(alarms) <= ALARMS, [each for one in alarms for each in one.found]
    assert sum(bool(found) for found in panels) <= ALARMS
    assert not any(one["flips"] for found in panels for one in found)
