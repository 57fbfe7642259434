"""``patolli test --mutate``: what is changed, what becomes of it, and what is told."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiers import few

from patolli.cli import main
from patolli.packs.manifest import Kept
from patolli.program.model import Program, Rule
from patolli.program.summaries import Summaries
from patolli.scenarios.mutation import grouping, running, trying
from patolli.scenarios.mutation.applying import Changed, applied
from patolli.scenarios.mutation.finding import mutants_of, scalars, trees
from patolli.scenarios.mutation.mutant import KINDS
from patolli.scenarios.mutation.retyping import Retyping
from patolli.scenarios.mutation.running import Mutation, Plan, run_mutants
from patolli.scenarios.mutation.trimming import trimmed
from patolli.scenarios.mutation.trying import Trial
from patolli.scenarios.suites import find_suite
from patolli.sources import read_yaml
from patolli.workspace import load

CONTENT = Path(__file__).parents[2] / "content"
PACK = """\
document: pack
id: stall
version: 1.0.0
language: 1
title: Stall
authors: [The Patolli authors]
text: Apples are sold.
players: {min: 2, max: 2}
components: {crate: 2}
"""
MODEL = """\
document: model
kinds:
  crate: {facts: {weight: int, colour: colour}}
enums: {colour: [red, green]}
counters:
  coin: {per: player, noun: [coin, coins], text: Coins}
  apple: {per: player, noun: [apple, apples], text: Apples}
places:
  yard: {of: crate, type: pile}
"""
PIECES = """\
document: pieces
kind: crate
place: yard
pieces:
  small: {weight: 1, colour: red}
  large: {weight: 3, colour: green}
"""
MATCH = "document: rules\nrules:\n  match: {do: end match}\n"


@pytest.fixture
def stall(tmp_path):
    """Write a pack whose rule ``work`` does something, with its scenarios."""

    def write(work: str, scenarios: str, more: str = "") -> str:
        folder = tmp_path / "stall"
        folder.mkdir(exist_ok=True)
        lines = "".join(f"      {line}\n" for line in work.splitlines())
        files = {
            "pack.yaml": PACK, "model.yaml": MODEL, "crates.yaml": PIECES,
            "rules.yaml": f"{MATCH}  work:\n    do: |\n{lines}{more}",
            "scenarios.yaml": f"document: scenarios\nscenarios:\n{scenarios}",
        }  # fmt: skip
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")
        return str(folder)

    return write


def tried(pack: str, **more: object) -> Mutation:
    (mutation,) = run_mutants(Plan((pack,), **more))  # type: ignore[arg-type]
    assert [problem.message for problem in mutation.problems] == []
    assert [problem.message for outcome in mutation.failed for problem in outcome.problems] == []
    return mutation


def ends(mutation: Mutation, kind: str, file: str = "rules.yaml") -> dict[str, str]:
    """What became of the mutants of one kind, by how their line reads."""
    return {m.after: v.status for m, v in mutation.tried if m.kind == kind and m.path.endswith(file)}


HELD = [
    pytest.param(
        "number", "gain 2 coin", "{call: work(), then: {coin: 2}}", "{call: work(), then: [coin > 0]}",
        {"gain 3 coin", "gain 1 coin"}, id="number",
    ),
    pytest.param(
        "comparison", "if apple < 2: gain 1 coin",
        "{given: set apple to 2, call: work(), then: {coin: 0}}", "{call: work(), then: {coin: 1}}",
        {"if apple <= 2: gain 1 coin"}, id="comparison",
    ),
    pytest.param(
        "operator", "gain apple + 1 coin",
        "{given: set apple to 2, call: work(), then: {coin: 3}}",
        "{given: set apple to 2, call: work(), then: [coin > 0]}", {"gain apple - 1 coin"}, id="operator",
    ),
    pytest.param(
        "operator", "if apple > 0 and coin > 0: gain 5 coin",
        "{given: set apple to 2, call: work(), then: {coin: 0}}", "{call: work(), then: {coin: 0}}",
        {"if apple > 0 or coin > 0: gain 5 coin"}, id="and",
    ),
    pytest.param(
        "operator", "if not (apple > 0): gain 5 coin", "{call: work(), then: {coin: 5}}",
        "{call: work(), then: {apple: 0}}", {"if (apple > 0): gain 5 coin"}, id="not",
    ),
    pytest.param(
        "condition", "stop unless apple > 0\ngain 1 coin", "{call: work(), then: {coin: 0}}",
        "{call: work(), then: {apple: 0}}", {"stop if apple > 0"}, id="condition",
    ),
    pytest.param(
        "quantifier", "if any(coin(p) > 0 for p in players): gain 1 apple",
        "{given: set coin to 1, call: work(), then: {apple: 1}}",
        "{given: 'for p in players: set coin(p) to 1', call: work(), then: {apple: 1}}",
        {"if all(coin(p) > 0 for p in players): gain 1 apple"}, id="quantifier",
    ),
    pytest.param(
        "effect", "gain 1 coin; gain 1 apple", "{call: work(), then: {coin: 1, apple: 1}}",
        "{call: work(), then: {coin: 1}}", {"gain 1 coin; nothing"}, id="effect",
    ),
    pytest.param(
        "payment", "if coin > 0: pay 1 coin", "{given: set coin to 1, call: work(), then: {coin: 0}}",
        "{given: set coin to 1, call: work(), then: {apple: 0}}", {"if coin > 0: gain 1 coin"}, id="payment",
    ),
    pytest.param(
        "player", "for p in players: gain 1 coin for p",
        "{call: work(), then: {coin: 1, coin(player_2): 1}}", "{call: work(), then: [coin > 0]}",
        {"for p in players: gain 1 coin for me"}, id="player",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "work", "held", "loose", "changed"), HELD)
def test_a_change_is_noticed_by_a_scenario_that_holds_it(stall, kind, work, held, loose, changed):
    with_it = ends(tried(stall(work, f"  one: {held}\n")), kind)
    without = ends(tried(stall(work, f"  one: {loose}\n")), kind)

    assert changed <= {after for after, status in with_it.items() if status == "noticed"}
    assert changed <= {after for after, status in without.items() if status == "survived"}


def test_every_kind_has_a_case():
    assert {str(case.values[0]) for case in HELD} | {"value"} == set(KINDS)


def test_cells_of_tables(stall):
    work = "gain sum(c.weight for c in yard where c.colour == red) coin"
    held = tried(stall(work, "  one: {call: work(), then: {coin: 1, size(yard): 2}}\n"))
    loose = tried(stall(work, "  one: {call: work(), then: {apple: 0}}\n"))
    cells = {
        "small: {weight: 2, colour: red}", "small: {weight: 0, colour: red}", "small: {weight: 1, colour: green}",
        "large: {weight: 3, colour: red}",
    }  # fmt: skip

    assert {after for after, end in ends(held, "value", "crates.yaml").items() if end == "noticed"} == cells
    assert cells <= {after for after, end in ends(loose, "value", "crates.yaml").items() if end == "survived"}


def test_a_wider_range_of_a_field_is_not_made(stall):
    pack = stall("for c in yard: set c.age to 3; set c.debt to -1", "  one: {call: work(), then: {coin: 0}}\n")
    model = Path(pack) / "model.yaml"
    fields = "fields: {age: int 1..3 = 2, debt: int -2..0 = 0}"
    model.write_text(model.read_text("utf-8").replace("colour: colour}", f"colour: colour}}, {fields}"), "utf-8")
    found = [m.after for m, _ in tried(pack).tried if "fields" in m.after]
    ranges = {re.sub(r".*?(age: int \S+) .*(debt: int \S+) .*", r"\1 \2", after) for after in found}

    assert ranges == {
        "age: int 2..3 debt: int -2..0", "age: int 1..2 debt: int -2..0", "age: int 1..3 debt: int -1..0",
        "age: int 1..3 debt: int -2..0",
    }  # fmt: skip


def test_what_is_only_said_is_not_changed(stall):
    said = 'for p in players where coin(p) > 1:\n  as p: say "has" coin + 1\n'
    done = 'for p in players where coin(p) > 2:\n  say "has" coin(p)\n  gain 1 apple for p'
    pack = stall(f"{said}{done}", "  one: {call: work(), then: {coin: 0}}\n")
    changed = {mutant.before for mutant, _ in tried(pack).tried if "work" in mutant.steps}

    assert changed == {"for p in players where coin(p) > 2:", "gain 1 apple for p"}


def test_who_is_me_is_not_exchanged_for_me(stall):
    work = "for p in players: as p: gain coin(p) coin\nfor p in players: as next(p): gain coin(p) coin\n"
    work += "for p in players: as p:\n  for q in players: as q: gain coin(p) coin for q"
    changed = {m.after for m, _ in tried(stall(work, "  one: {call: work(), then: {coin: 0}}\n")).tried}

    assert "for p in players: as p: gain coin(me) coin" not in changed
    assert "for p in players: as next(p): gain coin(me) coin" in changed
    assert "for q in players: as q: gain coin(me) coin for q" in changed
    assert "for q in players: as q: gain coin(p) coin for me" not in changed


def test_a_rule_that_runs_for_ever_is_noticed(stall):
    work = "let n = 0\nloop:\n  set n to n + 1\n  if n > 5: break\ngain 1 coin"
    mutation = tried(stall(work, "  one: {call: work(), then: {coin: 1}}\n"))

    assert ends(mutation, "effect")["if n > 5: nothing"] == "noticed"


def test_what_takes_long_in_the_original_may_do_so_in_mutants(stall, monkeypatch):
    monkeypatch.setattr(grouping, "STEPS", 1)
    work = "let n = 0\nrepeat 60000 times:\n  for c in yard: set n to n + c.weight\nif n > 5: gain 1 coin"
    mutation = tried(stall(work, "  one: {call: work(), then: {coin: 1}}\n"), number=40)

    assert {verdict.status for _, verdict in mutation.tried} >= {"noticed", "survived"}


def test_a_fault_is_noticed_without_an_expectation(stall):
    work = "let xs = {5, 6}\nlet i = apple\nif i < 2: gain xs[i] coin"
    mutation = tried(stall(work, "  one: {given: set apple to 2, call: work(), then: {apple: 2}}\n"))

    assert ends(mutation, "comparison") == {"if i <= 2: gain xs[i] coin": "noticed"}


def test_a_broken_invariant_is_noticed_without_an_expectation(stall):
    more = "invariants:\n  few: {always: all(coin(p) < 3 for p in players), text: Nobody has three coins.}\n"
    mutation = tried(stall("gain 2 coin", "  one: {call: work(), then: {apple: 0}}\n", more))

    assert ends(mutation, "number") == {"gain 1 coin": "survived", "gain 3 coin": "noticed"}
    assert not [mutant for mutant, _ in mutation.tried if mutant.steps[0] == "invariants"]


def test_what_the_checker_refuses_is_told_apart(stall):
    work = "let xs = {5, 6}\nif apple < 2: gain xs[apple] coin\nif any(c.weight == 1 for c in yard): gain 1 coin\ngain 1 apple"
    mutation = tried(stall(work, "  one: {call: work(), then: [coin > 4]}\n"))
    refused = {mutant.after: (verdict.status, verdict.by) for mutant, verdict in mutation.tried}

    assert refused["if apple <= 2: gain xs[apple] coin"] == ("refused", "P0415")
    assert refused["components: {crate: 3}"] == ("refused", "P0410")
    assert mutation.count("refused") + mutation.count("noticed") + mutation.count("survived") == mutation.made


def test_what_changes_nothing_is_not_made(stall):
    mutation = tried(stall("gain 1 coin\npass to next(me)\ngain 1 apple", "  one: {call: work(), then: {apple: 0}}\n"))
    (same,) = [mutant.after for mutant, verdict in mutation.tried if verdict.status == "same"]

    assert same == "pass to previous(me)"
    assert mutation.made == len(mutation.tried) - 1
    assert same not in CliRunner().invoke(main, ["test", mutation.tried[0][0].path[:-10], "--mutate"]).output


# ---- laws


@pytest.mark.deep
@pytest.mark.parametrize("name", ["patolli", "connect_four", "founders", "altars", "bot_movement"])
def test_a_mutant_differs_in_one_place_and_the_original_stays_as_it_is(name):
    files = Kept()
    suite = find_suite(str(CONTENT / name), (), files)
    trial = Trial(suite, files)
    for scenario in suite.scenarios[:1]:
        trial.inspected((scenario.active, scenario.options), files)
    pack = suite.pack
    before = {path: [(steps, scalar.value) for steps, scalar in scalars(tree)] for path, tree in trees(pack)}
    found = mutants_of(pack)

    assert len(found) > 20
    assert len({(mutant.place, mutant.change.new) for mutant in found}) == len(found)
    for mutant in found[:: max(1, len(found) // 60)]:
        changed = dict(trees(applied(pack, mutant)))
        for path, tree in changed.items():
            now = [(steps, scalar.value) for steps, scalar in scalars(tree)]
            different = [old[0] for old, new in zip(before[path], now, strict=True) if old != new]
            assert different == ([mutant.steps] if path == mutant.path else [])
        text = Path(mutant.path).read_text("utf-8")
        written = text[: mutant.stretch[0]] + mutant.change.new + text[mutant.stretch[1] :]
        assert read_yaml(written, mutant.path)[0] == changed[mutant.path]
    assert before == {path: [(steps, s.value) for steps, s in scalars(tree)] for path, tree in trees(pack)}


def test_nothing_is_changed_on_the_disk_or_in_what_was_read(stall):
    pack = stall("gain 1 coin", "  one: {call: work(), then: {coin: 1}}\n")
    files = {path: path.read_bytes() for path in Path(pack).iterdir()}
    first, second = tried(pack), tried(pack)

    assert {path: path.read_bytes() for path in Path(pack).iterdir()} == files
    assert first.tried == second.tried


def test_processes_find_the_same():
    pack = str(CONTENT / "tic_tac_toe")

    assert tried(pack, jobs=2).tried == tried(pack).tried


def test_a_seed_draws_the_same_mutants(stall):
    pack = stall("gain 1 coin; gain 2 apple", "  one: {call: work(), then: {coin: 1}}\n")
    everything = [mutant for mutant, _ in tried(pack).tried]
    first, again, other = (tried(pack, number=5, seed=seed) for seed in (1, 1, 2))

    assert first.tried == again.tried
    assert [m for m, _ in first.tried] != [m for m, _ in other.tried]
    assert [m for m, _ in first.tried] == [m for m in everything if m in {m for m, _ in first.tried}]
    assert (first.planned, first.found) == (5, len(everything))


# ---- what is told


def command(*arguments: str):
    return CliRunner().invoke(main, ["test", *arguments])


def test_status(stall):
    pack = stall("gain 2 coin", "  one: {call: work(), then: [coin > 0]}\n")

    assert command(pack, "--mutate").exit_code == 0
    assert command(pack, "--mutate", "--survivors-at-most", "100").exit_code == 0
    assert command(pack, "--mutate", "--survivors-at-most", "1").exit_code == 1
    assert command(pack, "--mutate", "3", "--seed", "4").exit_code == 0
    most = "--survivors-at-most"
    for wrong in (("--mutate", "x"), ("--mutate", "--update"), (most, "3"), ("--mutate", most, "nan")):
        assert command(pack, *wrong).exit_code == 2


def test_scenarios_that_fail_are_told_and_nothing_is_tried(stall):
    result = command(stall("gain 2 coin", "  one: {call: work(), then: {coin: 1}}\n"), "--mutate")

    assert result.exit_code == 1
    assert "expected coin to be 1, found 2" in result.output
    assert "stall: no mutant was tried, as the scenarios do not pass" in result.output


def test_json(stall):
    result = command(stall("gain 2 coin", "  one: {call: work(), then: {coin: 2}}\n"), "--mutate", "--format", "json")
    (data,) = json.loads(result.output)["packs"]
    (mutant,) = [mutant for mutant in data["mutants"] if mutant["after"] == "gain 3 coin"]

    assert (mutant["kind"], mutant["before"], mutant["line"]) == ("number", "gain 2 coin", 6)
    assert (mutant["status"], mutant["by"], mutant["reached"]) == ("noticed", "stall::one", 1)
    assert data["refused"] + data["noticed"] + data["survived"] + data["same"] == data["tried"] == len(data["mutants"])


def test_a_comment_explains_one_place(stall):
    work = "gain 2 coin   # patolli: allow P0614 nobody counts\ngain 2 coin"
    result = command(stall(work, "  one: {call: work(), then: [coin > 3]}\n"), "--mutate")

    assert "rules.yaml:6: gain 3 coin\n  nobody counts\n" in result.output
    assert "rules.yaml:6:12: warning" not in result.output
    assert "rules.yaml:7:12: warning[P0614]: another number goes unnoticed; 1 scenario comes by" in result.output


def test_a_comment_that_explains_nothing_is_told_by_a_whole_run_only(stall):
    pack = stall(
        "gain 2 coin   # patolli: allow P0614 nobody counts",
        "  one: {call: work(), then: {coin: 2, coin(player_2): 0}}\n",
    )
    words = "rules.yaml:6: nothing survives here, delete the comment"

    assert words in command(pack, "--mutate").output
    assert words not in command(pack, "--mutate", "1").output
    assert "P0702" not in CliRunner().invoke(main, ["validate", pack]).output


def test_what_was_found_is_shown_after_an_interruption(stall, monkeypatch):
    pack = stall("gain 2 coin; gain 2 apple", "  one: {call: work(), then: [coin > 0]}\n")
    presses = iter([False, False, False, False])
    monkeypatch.setattr(running, "patience", _Impatient(lambda: next(presses, True)))
    result = command(pack, "--mutate")

    assert result.exit_code == 130
    assert "interrupted after 4 of " in result.output


class _Impatient:
    """Ctrl-C that comes after some questions."""

    def __init__(self, stopped):
        self.stopped = stopped

    def __call__(self):
        return self

    def __enter__(self):
        return self.stopped

    def __exit__(self, *_):
        return None


@pytest.mark.parametrize(
    "name",
    few(
        ["patolli", "breakthrough"],
    ),
)
def test_mutants_that_are_made_together_end_as_those_made_alone(name):
    files = Kept()
    suite = find_suite(str(CONTENT / name), (), files)
    trial = Trial(suite, files)
    assert trial.prepare() == []
    found = mutants_of(suite.pack)
    effects = [mutant for mutant in found if mutant.effect][:15]
    effects += [mutant for mutant in found if mutant.carried_out and not mutant.effect]
    together = [verdict.status for verdict in trial.judged(effects)]

    assert together == [trial.alone(mutant).status for mutant in effects]
    assert "noticed" in together
    assert [outcome.passed for outcome in trial.replayed()] == [True] * len(suite.scenarios)


@pytest.mark.deep
@pytest.mark.parametrize(("name", "number"), [("patolli", 30), ("breakthrough", 20)])
def test_rules_that_are_left_out_change_no_verdict(name, number, monkeypatch):
    """What a scenario cannot come by may be there or not."""
    files = Kept()
    suite = find_suite(str(CONTENT / name), (), files)
    trial = Trial(suite, files)
    assert trial.prepare() == []
    found = random.Random(5).sample(mutants_of(suite.pack), number)
    left, made = [], grouping.trimmed

    def small(program: Program, summaries: Summaries, first: Iterable[str]) -> Program:
        found = made(program, summaries, first)
        left.append(sum(not rule.block for rule in found.rules.values()))
        return found

    monkeypatch.setattr(grouping, "trimmed", small)
    quick = [trial.alone(mutant).status for mutant in found]
    monkeypatch.setattr(grouping, "trimmed", lambda program, summaries, first: program)

    assert quick == [trial.alone(mutant).status for mutant in found]
    assert max(left) > 0


def test_what_a_rule_asks_about_or_pays_with_is_not_left_out(stall):
    more = (
        "  asked(): {do: require apple > 0}\n  paid(money m): {do: lose 1 apple}\n"
        "  called(): {do: gain 1 coin}\n  buy(): {do: pay 1 token}\n  idle(): {do: gain 7 coin}\n"
        "functions: {open(): {is: can(asked()), text: Whether there is one.}}\n"
    )
    pack = stall("if open(): called()\nif can(buy()): buy()", "  one: {call: work(), then: {coin: 0}}\n", more)
    model = Path(pack) / "model.yaml"
    token = "  token: {per: player, spend: paid, text: Tokens}\ngroups: {money: [token, coin]}\nplaces:"
    model.write_text(model.read_text("utf-8").replace("places:", token), "utf-8")
    program = load(pack).resolved
    small = trimmed(program, Summaries(program), ["work"])

    assert {name for name, rule in small.rules.items() if rule.block} == {"work", "asked", "called", "buy", "paid"}
    assert small.rules.keys() == program.rules.keys()


@pytest.mark.deep
@pytest.mark.parametrize("name", ["patolli", "connect_four", "breakthrough", "founders", "altars"])
def test_one_text_that_is_resolved_anew_becomes_what_the_whole_pack_would_make_of_it(name):
    files = Kept()
    suite = find_suite(str(CONTENT / name), (), files)
    trial = Trial(suite, files)
    wish = (suite.scenarios[0].active, suite.scenarios[0].options)
    model = trial.inspected(wish, files).model
    assert model is not None
    retyping, before = Retyping(model), repr(model.program)
    found = [mutant for mutant in mutants_of(suite.pack) if mutant.carried_out]
    kinds: set[str] = set()
    for mutant in random.Random(7).sample(found, min(len(found), 12 if name in ("founders", "altars") else 60)):
        made = retyping.changed(suite.pack, mutant)
        whole = trial.inspected(wish, Changed(files, suite.pack, applied(suite.pack, mutant))).model
        assert whole is not None
        if made is None:
            continue
        assert whole.program is not None, "what has no type is left to the whole pack"
        known = whole.program.rules if isinstance(made, Rule) else whole.program.functions
        ends = re.compile(r"end_column=\d+")  # a longer text ends further on, and what it is part of
        assert ends.sub("", repr(made)) == ends.sub("", repr(known[made.name]))
        kinds.add(type(made).__name__)

    assert repr(model.program) == before
    assert kinds


@pytest.mark.deep
def test_mutants_of_a_rule_with_a_trigger_are_made_together(stall):
    """The condition of a trigger stands over the variables of the rule that it follows."""
    more = "  second(crate): {do: gain crate.weight coin}\ntriggers:\n"
    more += "  seen: {after: second, when: apple > 0 and crate.weight > 2, do: gain 1 apple}\n"
    scenario = "  one: {given: set apple to 1, call: work(), then: {coin: 4, apple: 2}}\n"
    pack = stall("for c in yard: second(c)", scenario, more)
    files = Kept()
    trial = Trial(find_suite(pack, (), files), files)
    assert trial.prepare() == []
    (group,) = trial.groups
    found = [mutant for mutant in mutants_of(trial.suite.pack) if "second(crate)" in mutant.steps]
    made = [group.retyping.changed(trial.suite.pack, mutant) for mutant in found]

    assert any(isinstance(one, Rule) and one.after for one in made)
    assert {verdict.status for verdict in trial.judged(found)} == {"noticed"}


def test_mutants_that_demand_something_or_do_less_are_made_together(stall):
    """Of a rule that begins with a question, of one that is asked whether it is possible, and of an effect left out."""
    work = 'choose one:\n  "buy": buy()\n  "rest": gain 1 apple\ngain 1 coin'
    more = "  buy(): |\n    require coin > 1\n    lose 2 coin\n    gain 1 apple\n    gain 3 apple\n"
    scenarios = "  buys: {given: set coin to 3, call: work(), choose: [buy], then: {coin: 2, apple: 4}}\n"
    scenarios += "  buys_with_little: {given: set coin to 2, call: work(), choose: [{options: [buy, rest]}, rest], then: {coin: 3}}\n"
    scenarios += "  cannot: {given: set coin to 1, call: work(), then: {coin: 2, apple: 1}}\n"
    files = Kept()
    trial = Trial(find_suite(stall(work, scenarios, more), (), files), files)
    assert trial.prepare() == []
    found = [mutant for mutant in mutants_of(trial.suite.pack) if mutant.steps[1] in ("buy()", "work")]
    judgements = {number: trying._Judgement(trial, mutant) for number, mutant in enumerate(found)}
    early = trying._noticed_together(trial.groups[0], judgements)
    alone = {number: trial.alone(mutant) for number, mutant in enumerate(found)}

    assert {number: verdict.status for number, verdict in early.items()} == {n: alone[n].status for n in early}
    made = {found[number].after for number in early if alone[number].status == "noticed"}
    assert made >= {"require coin >= 1", "require coin > 2", "lose 3 coin", "gain 2 apple", "nothing", "gain 2 coin"}


@pytest.mark.deep
def test_a_neighbour_tells_who_looks(stall):
    """What noticed one change of an entry is played first with the next, whatever else comes by."""
    others = "".join(f"  other_{n}: {{given: set apple to {n}, then: {{apple: {n}}}}}\n" for n in range(30))
    cells = "  cells: {given: set coin to 1, then: {large.weight: 3, large.colour: green, coin: 1}}\n"
    files = Kept()
    trial = Trial(find_suite(stall("gain 1 coin", others + cells), (), files), files)
    trial.prepare()
    found = [mutant for mutant in mutants_of(trial.suite.pack) if "large" in mutant.steps]
    judged = list(trial.judged(found))

    assert {verdict.by for verdict in judged if verdict.status == "noticed"} == {"stall::cells"}
    assert [verdict.played for verdict in judged[1:]] == [1] * (len(judged) - 1)


@pytest.mark.deep
def test_scenarios_of_a_large_game_notice_what_is_changed():
    """A sample of what `patolli test PACK --mutate` tries; whatever survives there has its reason written beside it."""
    call = "test city_of_gods --mutate 40 --seed 3 --jobs 1 --survivors-at-most 0 --format json".split()
    ended = CliRunner().invoke(main, call)

    assert ended.exit_code == 0, ended.output
    (told,) = json.loads(ended.stdout)["packs"]
    assert told["tried"] == 40
