"""``patolli test --mutate``: what is changed, what becomes of it, and what is reported."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from patolli.author.scenarios.mutation import mutant_trial, mutation_run
from patolli.author.scenarios.mutation.mutant import KINDS
from patolli.author.scenarios.mutation.mutant_finder import mutants_of, scalars, trees
from patolli.author.scenarios.mutation.mutant_pack import apply_mutant
from patolli.author.scenarios.mutation.mutant_trial import Trial
from patolli.author.scenarios.mutation.mutation_run import Mutation, Plan, run_mutants
from patolli.author.scenarios.suites import find_suite
from patolli.cli import main
from patolli.language.packs.manifest import Kept
from patolli.language.sources import read_yaml

CONTENT = Path(__file__).parents[2] / "content"
PACK = """\
document: pack
id: stall
version: 1.0.0
language: 1
proofs: full
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
    monkeypatch.setattr(mutant_trial, "STEPS", 1)
    work = "let n = 0\nrepeat 60000 times:\n  for c in yard: set n to n + c.weight\nif n > 5: gain 1 coin"
    mutation = tried(stall(work, "  one: {call: work(), then: {coin: 1}}\n"), number=40)

    assert {verdict.status for _, verdict in mutation.tried} >= {"noticed", "survived"}


def test_a_fault_is_noticed_without_an_expectation(stall):
    work = "let xs = {5, 6}\nlet i = apple\nif i < 2: gain xs[i] coin"
    mutation = tried(stall(work, "  one: {given: set apple to 2, call: work(), then: {apple: 2}}\n"))

    assert ends(mutation, "comparison") == {"if i <= 2: gain xs[i] coin": "noticed"}


def test_a_broken_invariant_is_noticed_without_an_expectation(stall):
    more = "invariants:\n  few: {always: all(coin(p) < 3 for p in players), text: No player has three coins.}\n"
    mutation = tried(stall("gain 2 coin", "  one: {call: work(), then: {apple: 0}}\n", more))

    assert ends(mutation, "number") == {"gain 1 coin": "survived", "gain 3 coin": "noticed"}
    assert not [mutant for mutant, _ in mutation.tried if mutant.steps[0] == "invariants"]


def test_what_the_checker_refuses_is_distinguished(stall):
    work = "let xs = {5, 6}\nif apple < 2: gain xs[apple] coin\nif any(c.weight == 1 for c in yard): gain 1 coin\ngain 1 apple"
    mutation = tried(stall(work, "  one: {call: work(), then: [coin > 4]}\n"))
    refused = {mutant.after: (verdict.status, verdict.by) for mutant, verdict in mutation.tried}

    assert refused["if apple <= 2: gain xs[apple] coin"] == ("refused", "P0415")
    assert refused["components: {crate: 3}"] == ("refused", "P0410")
    assert sum(map(mutation.count, ("refused", "noticed", "survived", "same"))) == len(mutation.tried)


def test_a_pack_that_cannot_be_compiled_is_noticed(stall):
    pack = stall("gain sum(c.weight for c in yard) coin", "  one: {call: work(), then: {coin: 7}}\n")
    for name, old, new in (
        ("crates.yaml", "weight: 3", 'weight: "rates[1]"'),
        ("model.yaml", "enums:", "constants: {rates: {type: list of int, value: [4, 6]}}\nenums:"),
    ):
        file = Path(pack) / name
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    found = ends(tried(pack), "number", "crates.yaml")

    assert found['large: {weight: "rates[2]", colour: green}'] == "noticed"


def test_what_changes_nothing_is_not_made(stall):
    mutation = tried(stall("gain 1 coin\npass to next(me)\ngain 1 apple", "  one: {call: work(), then: {apple: 0}}\n"))
    (same,) = [mutant.after for mutant, verdict in mutation.tried if verdict.status == "same"]

    assert same == "pass to previous(me)"
    assert same not in CliRunner().invoke(main, ["test", mutation.tried[0][0].path[:-10], "--mutate"]).output


# ---- laws


@pytest.mark.deep
@pytest.mark.parametrize("name", ["patolli", "connect_four", "founders", "altars", "bot_movement"])
def test_a_mutant_differs_in_one_place_and_the_original_stays_as_it_is(name):
    files = Kept()
    suite = find_suite(str(CONTENT / name), (), files)
    trial = Trial(suite, files)
    for scenario in suite.scenarios[:1]:
        trial.inspect((scenario.active, scenario.options), files)
    pack = suite.pack
    before = {path: [(steps, scalar.value) for steps, scalar in scalars(tree)] for path, tree in trees(pack)}
    found = mutants_of(pack)

    assert len(found) > 20
    assert len({(mutant.place, mutant.change.new) for mutant in found}) == len(found)
    for mutant in found[:: max(1, len(found) // 60)]:
        changed = dict(trees(apply_mutant(pack, mutant)))
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


@pytest.mark.deep
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


def test_a_sample_is_drawn_by_default(stall, monkeypatch):
    from patolli.cli import test as cli

    (option,) = [one for one in cli.test.params if one.name == "mutate"]
    monkeypatch.setattr(option, "flag_value", "3")
    pack = stall("gain 2 coin; gain 2 apple", "  one: {call: work(), then: [coin > 0]}\n")

    assert re.search(r"stall: 3 of \d+ changes tried", command(pack, "--mutate").output)
    assert re.search(r"stall: \d+ changes tried", command(pack, "--mutate", "all").output)


# ---- what is reported


def command(*arguments: str):
    return CliRunner().invoke(main, ["test", *arguments])


def test_status(stall):
    pack = stall("gain 2 coin", "  one: {call: work(), then: [coin > 0]}\n")

    assert command(pack, "--mutate").exit_code == 0
    assert command(pack, "--mutate", "--survivors-at-most", "100").exit_code == 0
    assert command(pack, "--mutate", "--survivors-at-most", "1").exit_code == 1
    assert command(pack, "--mutate", "3", "--seed", "4").exit_code == 0
    assert command(pack, "--mutate", "all").exit_code == 0
    most = "--survivors-at-most"
    for wrong in (("--mutate", "x"), ("--mutate", "--update"), (most, "3"), ("--mutate", most, "nan")):
        assert command(pack, *wrong).exit_code == 2


def test_scenarios_that_fail_are_reported_and_nothing_is_tried(stall):
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
    assert "rules.yaml:7:12: warning[P0614]: another number goes unnoticed; 1 scenario reaches it" in result.output


def test_a_comment_that_explains_nothing_is_reported_by_a_whole_run_only(stall):
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
    monkeypatch.setattr(mutation_run, "handle_interrupts", _Impatient(lambda: next(presses, True)))
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


@pytest.mark.deep
def test_scenarios_of_a_large_game_notice_what_is_changed():
    """A sample of what `patolli test PACK --mutate` tries; whatever survives there has its reason written beside it."""
    call = "test city_of_gods --mutate 4 --seed 3 --jobs 1 --survivors-at-most 0 --format json".split()
    ended = CliRunner().invoke(main, call)

    assert ended.exit_code == 0, ended.output
    (told,) = json.loads(ended.stdout)["packs"]
    assert told["tried"] == 4
