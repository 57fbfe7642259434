"""Mutants of facts and constants: they are tried in one program, and end as they do by themselves."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from patolli.packs.manifest import Kept
from patolli.program import expressions as x
from patolli.program.node import walk
from patolli.scenarios.judging import judge
from patolli.scenarios.mutation import grouping, trying
from patolli.scenarios.mutation.applying import Changed, applied
from patolli.scenarios.mutation.cells import Cell, exchangeable_column, loosened, said
from patolli.scenarios.mutation.finding import mutants_of
from patolli.scenarios.mutation.grouping import Variant
from patolli.scenarios.mutation.retyping import Retyping
from patolli.scenarios.mutation.trying import Trial
from patolli.scenarios.suites import find_suite

CONTENT = Path(__file__).parents[2] / "content"
PACK = """\
document: pack
id: shop
version: 1.0.0
language: 1
title: Shop
authors: [The Patolli authors]
text: Apples are sold.
players: {min: 2, max: 3}
components: {crate: 3}
"""
MODEL = """\
document: model
enums: {colour: [red, green]}
kinds:
  crate: {active: "it.weight > 1 and rates[1] > 0", facts: {weight: int, marks: list of colour, price: cost, size: int, worth: int = 1}}
counters:
  coin: {per: player, noun: [coin, coins], text: Coins}
  apple: {per: player, noun: [apple, apples], text: Apples}
places:
  yard: {of: crate, type: pile}
constants:
  rates: {type: list of int, value: [0, 2, 5]}
  gifts: {type: list of int, value: {by: seats, 2: [1, 3], 3: [2, 4]}}
  few: {type: int, value: 2}
"""
PIECES = """\
document: pieces
kind: crate
place: yard
pieces:
  small: {weight: 1, marks: [red], price: 1 coin, size: 4}
  large: {weight: 3, marks: [green, red], price: 2 coin and 1 apple, size: 5, worth: few + 4}
  huge: {weight: 2, marks: [], price: 3 coin, size: 6, worth: few}
"""
RULES = """\
document: rules
functions:
  heavy(crate): {is: crate.weight > 2, text: Whether it is heavy.}
rules:
  match: {do: end match}
  weigh: {do: "for c in yard where heavy(c): gain c.weight + 1 coin"}
  count: {do: "gain sum(size(c.marks) for c in yard where green in c.marks) coin"}
  buy(crate): {do: "pay crate.price; gain rates[1] apple"}
  give: {do: "gain gifts[0] + gifts[1] coin"}
  sum_up: {do: gain sum(c.worth for c in yard) apple}
anytime:
  peel: {when: "any(c.weight > 2 for c in yard)", do: lose 1 apple, label: peel}
invariants:
  light: {always: "all(c.weight < 9 for c in yard)", text: Nobody can lift nine.}
result:
  score: sum(c.weight for c in yard)
"""
SCENARIOS = """\
document: scenarios
scenarios:
  weighs: {call: weigh(), then: {coin: 4}}
  counts: {call: count(), then: {coin: 2}}
  buys: {given: set coin to 3; set apple to 1, call: buy(large), then: {coin: 1, apple: 2}}
  gives: {call: give(), then: {coin: 4}}
  gives_three: {players: 3, call: give(), then: {coin: 6}}
  sums: {call: sum_up(), then: {apple: 9}}
  sizes: {then: {small.size: 4, large.weight: 3}}
"""


@pytest.fixture
def shop(tmp_path):
    """Return a trial of a pack whose rules read facts and constants in all ways that matter."""
    folder = tmp_path / "shop"
    folder.mkdir()
    files = {"pack.yaml": PACK, "model.yaml": MODEL, "crates.yaml": PIECES, "rules.yaml": RULES, "s.yaml": SCENARIOS}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return prepared(str(folder))


def prepared(name: str) -> Trial:
    files = Kept()
    trial = Trial(find_suite(name, (), files), files)
    assert [problem.message for outcome in trial.prepare() for problem in outcome.problems] == []
    assert [problem.message for problem in trial.problems] == []
    return trial


def cells_of(trial: Trial) -> dict[str, tuple[object, Cell]]:
    """The mutants of cells that can be tried in company, by the steps to their place and what stands there then."""
    group, found = trial.groups[0], {}
    for mutant in mutants_of(trial.suite.pack):
        made = group.retyping.changed(trial.suite.pack, mutant)
        if isinstance(made, Cell):
            found["/".join([*map(str, mutant.steps[1:]), mutant.change.new])] = mutant, made
    return found


def in_company(trial: Trial, mutants: list[object]) -> dict[int, str]:
    judgements = {number: trying._Judgement(trial, mutant) for number, mutant in enumerate(mutants)}
    return {n: verdict.status for n, verdict in trying._noticed_together(trial.groups[0], judgements).items()}


def test_cells_that_are_tried_in_company_end_as_by_themselves(shop):
    found = cells_of(shop)
    mutants = [mutant for mutant, _ in found.values()]
    early = in_company(shop, mutants)

    assert {number: shop.alone(mutants[number]).status for number in early} == early
    noticed = {key for number, key in enumerate(found) if number in early}
    assert noticed >= {
        "large/weight/4", "large/weight/2", "huge/weight/3", "large/marks/0/red", "large/price/3", "large/price/0",
        "rates/value/1/3", "gifts/value/2/0/2", "gifts/value/2/1/4", "gifts/value/3/0/3",
    }  # fmt: skip
    assert [outcome.passed for outcome in shop.replayed()] == [True] * len(shop.suite.scenarios)


def test_a_function_that_would_be_a_table_is_asked_anew(shop, monkeypatch):
    """Whether a crate is heavy is worked out once, so a table in the place of its weights alone changes nothing."""
    heavier = [mutant for key, (mutant, _) in cells_of(shop).items() if key in ("large/weight/2", "huge/weight/3")]
    three = [*heavier, cells_of(shop)["small/weight/2"][0]]

    assert in_company(shop, three) == {0: "noticed", 1: "noticed"}
    monkeypatch.setattr(grouping, "loosened", lambda program, columns: program)
    assert in_company(shop, three) != {0: "noticed", 1: "noticed"}


def test_what_is_worked_out_before_a_match_is_left_to_programs_of_its_own(shop):
    group = shop.groups[0]
    program = group.bench.ruleset.resolved
    columns = {cell.column for _, cell in cells_of(shop).values()}

    assert {one for one in columns if not exchangeable_column(program, one, group.fixed)} == {("", "few")}


def test_a_cost_that_names_another_counter_is_made_by_itself(shop):
    program = shop.groups[0].bench.ruleset.resolved
    costs = {name: design.facts["price"] for name, design in program.designs.items()}

    assert trying.alike(costs["small"], costs["huge"])
    assert not trying.alike(costs["small"], costs["large"])


@pytest.mark.parametrize("name", ["patolli", "breakthrough", "tic_tac_toe"])
def test_scenarios_pass_where_nobody_relies_on_facts(name):
    trial = prepared(str(CONTENT / name))
    for group in trial.groups:
        program = group.bench.ruleset.resolved
        facts = [(kind.name, fact) for kind in program.kinds.values() for fact in kind.facts]
        columns = [one for one in facts + [("", name) for name in program.constants] if one not in group.fixed]
        bench = Variant(group.bench, group.bench.ruleset, group.known, (), columns)

        assert loosened(program, columns).loose
        assert all(judge(bench, one.scenario).passed for one in group.known)


def test_only_its_own_function_reads_a_loose_fact(shop):
    program = shop.groups[0].bench.ruleset.resolved
    made = loosened(program, [("crate", "weight"), ("", "rates")])
    always = [one for one, _ in made.invariants.values()]
    parts = [*(rule.block for rule in made.rules.values()), always, [action.when for action in made.anytime]]
    parts += [[one.body] for one in made.functions.values() if one.name not in made.loose]
    parts += [[one.body] for one in (*made.formulas, made.kinds["crate"].active) if one is not None]
    reads = {(node.kind, node.fact) for part in parts for node in walk(part) if isinstance(node, x.FactOf)}

    assert made.loose == {"crate.weight", "constant.rates"}
    assert ("crate", "weight") not in reads
    assert ("crate", "marks") in reads
    assert not [
        node for part in parts for node in walk(part) if isinstance(node, x.ConstantNamed) and node.name == "rates"
    ]
    assert ("crate", "weight") in {(n.kind, n.fact) for n in walk(program.anytime[0].when) if isinstance(n, x.FactOf)}


@pytest.mark.parametrize("name", ["patolli", "founders"])
def test_one_cell_that_is_resolved_anew_says_what_it_would_in_the_whole_pack(name):
    files = Kept()
    suite = find_suite(str(CONTENT / name), (), files)
    trial = Trial(suite, files)
    wish = (suite.scenarios[0].active, suite.scenarios[0].options)
    model = trial.inspected(wish, files).model
    assert model is not None
    retyping, seen = Retyping(model), 0
    places = re.compile(r"column=\d+|end_column=\d+")
    found = [mutant for mutant in mutants_of(suite.pack) if mutant.steps[0] in ("pieces", "constants")]
    for mutant in random.Random(3).sample(found, min(len(found), 12)):
        made = retyping.changed(suite.pack, mutant)
        if not isinstance(made, Cell):
            continue
        whole = trial.inspected(wish, Changed(files, suite.pack, applied(suite.pack, mutant))).model
        assert whole is not None
        assert whole.program is not None, "what has no type is left to the whole pack"
        assert places.sub("", repr(made.value)) == places.sub("", repr(said(whole.program, made)))
        seen += 1

    assert seen
