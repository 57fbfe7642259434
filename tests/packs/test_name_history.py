"""What a pack has renamed or removed: a problem at the old name says the new one, with the version and a safe fix."""

from __future__ import annotations

import pytest

from patolli.author.workspace import check_packs, inspect, load
from patolli.cli.fix_writer import mend

BASE = """\
document: pack
id: base
version: 1.2.0
language: 2
title: Base
players: {min: 1, max: 2}
options: {pace: {choices: [slow, fast], text: Speed.}}
renamed:
  rules/income: {to: rules/earn, since: 1.1.0}
  rules/round/steps/pay: {to: rules/round/steps/wages, since: 1.1.0}
  rules/turn/steps/act: {to: rules/round/steps/act, since: 1.2.0}
  rules/earn/parameters/sum: {to: rules/earn/parameters/amount, since: 1.1.0}
  kinds/card/fields/used: {to: kinds/card/fields/spent, since: 1.1.0}
  kinds/card/facts/price: {to: kinds/card/facts/cost, since: 1.2.0}
  counters/money: {to: counters/coin, since: 1.1.0}
  pieces/market: {to: pieces/bazaar, since: 1.1.0}
  rules/spend/parameters/card: {to: rules/spend/parameters/one, since: 1.2.0}
  kinds/ticket: {to: kinds/card, since: 1.2.0}
  enums/feeling: {to: enums/mood, since: 1.2.0}
  pieces/puddle: {to: pieces/pond, since: 1.2.0}
  enums/mood/glad: {to: enums/mood/merry, since: 1.2.0}
  table/sky: {to: table/air, since: 1.2.0}
  places/stall: {to: places/stand, since: 1.2.0}
  options/speed: {to: options/pace, since: 1.1.0}
  graphs/links: {to: graphs/ties, since: 1.2.0}
  groups/riches: {to: groups/wealth, since: 1.2.0}
removed:
  pieces/harbor: {since: 1.2.0, text: Use the bazaar.}
  rules/round/steps/tax: {since: 1.1.0}
"""
MODEL = """\
document: model
counters: {coin: {per: player, text: Coins}}
kinds:
  card: {facts: {cost: {type: int}, prime: int = 0}, fields: {spent: bool}, text: Cards.}
places: {deck: {of: card, type: pile}, stand: {of: card, type: row, size: 2}}
enums: {mood: [merry, sad]}
table: {air: mood = sad}
graphs: {ties: {of: mood, edges: [[merry, sad]]}}
groups: {wealth: [coin]}
"""
PIECES = "document: pieces\nkind: card\nplace: deck\npieces:\n  bazaar: {cost: 2, text: A bazaar.}\n  pond: {copies: 2, cost: 1, text: A pond.}  # patolli: allow P0443 modules add more\n"
RULES = """\
document: rules
rules:
  match: {do: round(); spend(bazaar); end match, text: A match., category: Coins}
  earn(int amount): {do: gain amount coin, text: Earn., category: Coins}
  spend(card one): {do: set one.spent to true; set air to merry; refill stand from deck, text: Spend., category: Coins}
  round():
    text: A round.
    category: Coins
    steps: {wages: earn(1), act: earn(2)}
result: {score: "coin + (1 if pace == fast and air == sad else 0) + sum(c.prime for c in deck) + size(ties(sad)) + count(wealth)"}
"""
MODULE = 'document: pack\nid: mod\nversion: 1.0.0\nlanguage: 2\ntitle: T\nrequires: {base: ">=1.0,<2.0"}\n'
CASES = [
    ("document: rules\ntriggers: {x: {after: income, do: gain 1 coin}}", "income", "earn", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: round/pay, do: gain 1 coin}}", "pay", "wages", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: earn, do: gain 1 money}}", "money", "coin", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: earn, do: gain sum coin}}", "sum", "amount", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: earn, do: set bazaar.used to true}}", "used", "spent", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: earn, do: gain bazaar.price coin}}", "price", "cost", "1.2.0"),
    ("document: rules\ntriggers: {x: {after: earn, do: move market to deck}}", "market", "bazaar", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: round, do: income(1)}}", "income", "earn", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: round, do: gain money(me) coin}}", "money", "coin", "1.1.0"),
    ("document: rules\ntriggers: {x: {after: round, when: air == glad, do: gain 1 coin}}", "glad", "merry", "1.2.0"),
    ("document: rules\ntriggers: {x: {after: round, when: sky == merry, do: gain 1 coin}}", "sky", "air", "1.2.0"),
    *(
        (f"document: rules\ntriggers: {{x: {{after: spend, when: {when}, do: gain 1 coin}}}}", "card", "one", "1.2.0")
        for when in ("card.spent", "card == bazaar", "bazaar != card", "card in deck", "any(c == card for c in deck)")
    ),
    ("document: rules\ntriggers: {x: {after: spend, do: move card to deck}}", "card", "one", "1.2.0"),
    ("document: rules\ntriggers: {x: {after: spend, do: set card.spent to false}}", "card", "one", "1.2.0"),
    ("document: patch\nchange: [{instead: rules/spend, do: original(card)}]", "card", "one", "1.2.0"),
    ("document: panels\npanels: {x: {shows: row, of: stall}}", "stall", "stand", "1.2.0"),
    ("document: panels\npanels: {x: {shows: row, of: stand, facts: [price]}}", "price", "cost", "1.2.0"),
    ("document: rules\ntriggers: {x: {after: round, do: move puddle_2 to deck}}", "puddle_2", "pond_2", "1.2.0"),
    ("document: rules\nrules: {x(ticket c): set c.spent to true}", "ticket", "card", "1.2.0"),
    ("document: rules\nrules: {x(ticket_design d): nothing}", "ticket_design", "card_design", "1.2.0"),
    ("document: model\ntable: {x: feeling = sad}", "feeling", "mood", "1.2.0"),
    ("document: model\ncounters: {x: {per: [player, feeling]}}", "feeling", "mood", "1.2.0"),
    ("document: model\nplaces: {x: {of: ticket, type: pile}}", "ticket", "card", "1.2.0"),
    ("document: rules\nfunctions:\n  x: distance(merry, sad, links)", "links", "ties", "1.2.0"),
    ("document: rules\nsubstitutions: {x: {give: 1 coin, for: 1 riches}}", "riches", "wealth", "1.2.0"),
    ("document: patch\nchange: [{after: rules/round/pay, do: gain 1 coin}]", "pay", "wages", "1.1.0"),
    ("document: patch\nchange: [{before: rules/turn/act, do: gain 1 coin}]", "turn/act", "round/act", "1.2.0"),
    ("document: patch\nchange: [{replace: rules/round/steps/pay, with: earn(3)}]", "pay", "wages", "1.1.0"),
    ("document: patch\nchange: [{replace: pieces/market/cost, with: 1}]", "market", "bazaar", "1.1.0"),
    ("document: patch\nchange: [{replace: pieces/bazaar/price, with: 1}]", "price", "cost", "1.2.0"),
    ("document: patch\nchange: [{extend: counters/money, with: {max: 9}}]", "money", "coin", "1.1.0"),
    ("document: pieces\nkind: card\nplace: deck\npieces: {own: {price: 2, text: Own.}}", "price", "cost", "1.2.0"),
    ("document: scenarios\nscenarios: {s: {call: income(1), then: {coin: 1}}}", "income", "earn", "1.1.0"),
    ("document: scenarios\nscenarios: {s: {call: earn(1), then: {money: 1}}}", "money", "coin", "1.1.0"),
    ("document: scenarios\noptions: {speed: fast}\nscenarios: {s: {call: earn(1), then: {coin: 1}}}", "speed", "pace", "1.1.0"),
    ("document: scenarios\nscenarios: {s: {call: round/pay(), then: {coin: 1}}}", "pay", "wages", "1.1.0"),
]  # fmt: skip
GONE = [
    ("document: patch\nchange: [{replace: pieces/harbor/cost, with: 1}]", "harbor", "1.2.0", "Use the bazaar."),
    ("document: patch\nchange: [{after: rules/round/tax, do: gain 1 coin}]", "tax", "1.1.0", "do without it"),
    (
        'document: patch\nchange:\n- offer: rules/round/tax\n  do: |\n    choose one:\n      "more": gain 1 coin',
        "tax",
        "1.1.0",
        "do without it",
    ),
    ("document: rules\ntriggers: {x: {after: earn, do: move harbor to deck}}", "harbor", "1.2.0", "Use the bazaar."),
]


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Write the base, and a module with one document; return the document and the name of the module."""
    files = {"base/pack.yaml": BASE, "base/model.yaml": MODEL, "base/pieces.yaml": PIECES, "base/rules.yaml": RULES}
    files["mod/pack.yaml"] = MODULE
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))

    def write(text):
        (tmp_path / "mod/own.yaml").write_text(f"{text}\n", "utf-8")
        return tmp_path / "mod/own.yaml", str(tmp_path / "mod")

    return write


def problems_of(name):
    return [problem for problem in check_packs((name,), remember=False).problems if problem.severity == "error"]


def test_an_old_name_is_reported_with_its_version_and_mended(module, subtests):
    for text, old, new, since in CASES:
        with subtests.test(text.split("\n", 1)[1]):
            file, name = module(text)
            problem, *others = problems_of(name)

            assert (problem.code, others) == ("P0135", []), problem
            assert problem.message == f"{old!r} was renamed to {new!r} in base {since}"
            assert problem.also[0][0].path.endswith("base/pack.yaml")
            mend((name,), lambda name=name: problems_of(name))
            assert problems_of(name) == []
            assert new in file.read_text("utf-8")


def test_what_is_gone_is_reported_with_its_version(module, subtests):
    for text, old, since, help_ in GONE:
        with subtests.test(text):
            _, name = module(text)
            (problem,) = problems_of(name)

            assert (problem.code, problem.help) == ("P0136", help_)
            assert problem.message == f"{old!r} was removed in base {since}"
            assert not problem.fixes


def test_an_old_fact_that_resembles_another_one_is_one_problem(module):
    """That the piece lacks the fact under its new name follows from that."""
    file, name = module(f"{PIECES.partition('pieces:')[0]}pieces: {{own: {{price: 2, prime: 1, text: Own.}}}}")

    assert [(one.code, one.message[:7]) for one in problems_of(name)] == [("P0135", "'price'")]
    mend((name,), lambda: problems_of(name))
    assert "{cost: 2, prime: 1, text: Own.}" in file.read_text("utf-8")


@pytest.mark.parametrize("effect", ["gain 1 income", "gain tax coin", "gain used coin", "sum(1)"])
def test_an_old_name_of_another_sort_explains_nothing(module, effect):
    _, name = module(f"document: rules\ntriggers: {{x: {{after: round, do: {effect}}}}}")

    assert {problem.code for problem in problems_of(name)} == {"P0201"}


def test_what_never_was_is_misspelled(module):
    _, name = module("document: rules\ntriggers: {x: {after: earm, do: gain 1 coin}}")

    assert [problem.help for problem in problems_of(name)] == ["did you mean 'earn'?"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("renamed: {enums/mood/sad: {to: enums/mood/merry, since: 1.0.0}}", "'enums/mood/sad' is still declared"),
        ("renamed: {enums/mood/grim: {to: enums/mood/glum, since: 1.0.0}}", "'enums/mood/glum' is declared nowhere"),
        ("renamed: {rules/earn: {to: rules/win, since: 1.0.0}}", "'rules/earn' is still declared"),
        ("renamed: {rules/win: {to: rules/gan, since: 1.0.0}}", "'rules/gan' is declared nowhere"),
        ("renamed: {rules/win: {to: counters/coin, since: 1.0.0}}", "in another section"),
        ("removed: {rules/round/steps/act: {since: 1.0.0}}", "still declared"),
        ("removed: {options/pace: {since: 1.0.0}}", "still declared"),
        ("removed: {rules/earn/parameters/amount: {since: 1.0.0}}", "still declared"),
    ],
)
def test_a_history_that_is_not_true(module, tmp_path, line, words):
    module("")
    (tmp_path / "base/pack.yaml").write_text(f"{BASE.partition('renamed:')[0]}{line}\n", "utf-8")
    (problem,) = (one for one in inspect(str(tmp_path / "base")).problems if one.code == "P0137")

    assert words in problem.message


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("  rules/wage: {to: rules/income, since: 1.0.0}", "'wage' was renamed to 'earn' in base 1.0.0"),
        ("  rules/wage: {to: rules/gone, since: 1.0.0}", "'wage' was removed in base 1.1.0"),
        ("  rules/wage: {to: rules/wage, since: 1.0.0}", "unknown rule 'wage'"),
    ],
)
def test_a_thing_that_was_renamed_again_has_its_newest_name(module, tmp_path, lines, words):
    _, name = module("document: rules\ntriggers: {x: {after: round, do: wage(1)}}")
    text = BASE.replace("renamed:\n", f"renamed:\n{lines}\n").replace(
        "removed:", "removed:\n  rules/gone: {since: 1.1.0}"
    )
    (tmp_path / "base/pack.yaml").write_text(text, "utf-8")

    assert [one.message.partition(";")[0] for one in problems_of(name)] == [words]
    warned = [one for one in inspect(str(tmp_path / "base")).problems if one.code == "P0137"]
    assert bool(warned) == ("unknown" in words)


def test_a_parameter_may_have_been_named_after_its_type(module, tmp_path):
    module("")
    text = f"{BASE.partition('renamed:')[0]}renamed: {{rules/spend/parameters/card: {{to: rules/spend/parameters/one, since: 1.0.0}}}}\n"
    (tmp_path / "base/pack.yaml").write_text(text, "utf-8")

    assert check_packs((str(tmp_path / "base"),), remember=False).problems == []


def test_two_modules_with_one_id_are_parted_by_a_prefix(module, tmp_path):
    """Neither knows the other: after one of them has renamed its piece, what extends it and old saves follow."""
    module("")
    pieces = "document: pieces\nkind: card\nplace: deck\npieces:\n  garden: {cost: 1, text: A garden.}\n"
    wants = {"aa": "base", "bb": "base", "cc": "base", "dd": "bb"}
    for name, below in wants.items():
        (tmp_path / name).mkdir()
        manifest = MODULE.replace("id: mod", f"id: {name}").replace("base:", f"{below}:")
        (tmp_path / name / "pack.yaml").write_text(manifest, "utf-8")
    change = "document: patch\nchange: [{replace: pieces/garden/cost, expects: 1, with: 2}]\n"
    counter = "document: model\ncounters: {garden: {per: player}}\n"
    for name, text in {"aa": pieces, "bb": pieces, "cc": counter, "dd": change}.items():
        (tmp_path / name / "own.yaml").write_text(text, "utf-8")
    save = load("base", ["bb", "dd"]).start(2, 1).to_json()
    for other, code, prefixed in (("bb", "P0120", "bb_garden"), ("cc", "P0203", "aa_garden")):
        refused = check_packs(("base",), ("aa", other), remember=False).problems[0]
        assert (refused.code, refused.help.partition("such as ")[2].split(",")[0]) == (code, f"'{prefixed}'")

    (tmp_path / "bb/own.yaml").write_text(pieces.replace("garden:", "bb_garden:"), "utf-8")
    with (tmp_path / "bb/pack.yaml").open("a") as manifest:
        manifest.write("renamed: {pieces/garden: {to: pieces/bb_garden, since: 1.1.0}}\n")
    text = (tmp_path / "bb/pack.yaml").read_text("utf-8").replace("version: 1.0.0", "version: 1.1.0")
    (tmp_path / "bb/pack.yaml").write_text(text, "utf-8")
    assert [one.message for one in problems_of("dd")] == ["'garden' was renamed to 'bb_garden' in bb 1.1.0"]
    mend(("dd",), lambda: problems_of("dd"))
    assert check_packs(("base",), ("aa", "bb", "dd"), remember=False).problems == []
    assert load("base", ["bb", "dd"]).restore(save).over


def test_the_base_of_these_tests_is_right(module, tmp_path):
    assert check_packs((str(tmp_path / "base"),), remember=False).problems == []
