"""Saves after the content has changed: what matters to no match is no reason to refuse one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import copytree

import pytest
from packversions import BASE, write_base

import patolli
from patolli.language.packs.entry_hashes import strip_prose
from patolli.run.runtime.saves import SaveError
from patolli.run.runtime.seals import add_checksums

SMALL = Path(__file__).parents[2] / "content" / "tic_tac_toe"
HARMLESS = {
    "version": ("pack.yaml", "version: 1.0.0", "version: 1.1.0"),
    "title": ("pack.yaml", "title: Tic-tac-toe", "title: Noughts and crosses"),
    "authors": ("pack.yaml", "authors: [The Patolli authors]", "authors: [Others]"),
    "text of a rule": ("rules.yaml", "text: Mark an empty cell", "text: Choose a cell"),
    "category": ("rules.yaml", "category: Three in a line", "category: Lines"),
    "question": ("rules.yaml", '"Which cell?"', '"Where?"'),
    "comment": ("rules.yaml", "      loop:", "      # Until the end.\n      loop:"),
    "comment behind": ("rules.yaml", "otherwise: end match", "otherwise: end match  # full"),
    "text of a counter": ("model.yaml", "text: Points", "text: Wins"),
    "panel": ("panels.yaml", "title: The board", "title: Board"),
    "sign": ("panels.yaml", "sign: X", "sign: Y"),
    "new scenario": ("scenarios/more.yaml", "", "document: scenarios\nscenarios: {more: {then: {point: 0}}}\n"),
    "new symbols": ("more.yaml", "", "document: panels\nsymbols: {cell: {colour: red}}\n"),
}
HARMFUL = {
    "rule": ("rules.yaml", "gain 1 point", "gain 0 point", "rules/match plays differently"),
    "function": ("rules.yaml", "lines(cell, 3)", "lines(cell, 2)", "functions/has_line plays differently"),
    "counter": ("model.yaml", "max: 1", "max: 2", "counters/point plays differently"),
    "field": ("model.yaml", "player or none}", "player or none, old: bool = false}", "grids/cell plays differently"),
    "new entry": ("more.yaml", "", "document: model\ncounters: {win: {per: player}}\n", "counters/win is new"),
    "gone": ("rules.yaml", "  one_winner: {al", "  other: {al", "invariants/one_winner was removed"),
    "players": ("pack.yaml", "max: 2}", "max: 3}", "pack/tic_tac_toe plays differently"),
}


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return copytree(SMALL, tmp_path / "tic_tac_toe")


@pytest.fixture(scope="module")
def save() -> str:
    match = patolli.load(str(SMALL)).start(2, 1)
    for choice in (0, 3):
        match.choose(choice)
    return match.to_json()


def change(pack: Path, name: str, before: str, after: str) -> None:
    file = pack / name
    text = file.read_text("utf-8") if before else ""
    assert before in text
    file.write_text(text.replace(before, after) if before else after, "utf-8")


@pytest.mark.parametrize("name", HARMLESS)
def test_what_matters_to_no_match_is_no_reason_to_refuse_one(pack, save, name):
    change(pack, *HARMLESS[name])
    rules = patolli.load(str(pack))
    match = rules.restore(save)

    assert match.state == patolli.load(str(SMALL)).restore(save).state
    match.choose(0)
    assert rules.restore(match.to_json()) == match


@pytest.mark.parametrize("name", HARMFUL)
def test_a_refusal_says_which_change_matters(pack, save, name):
    *edit, words = HARMFUL[name]
    change(pack, *edit)

    with pytest.raises(SaveError) as refused:
        patolli.load(str(pack)).restore(save)
    assert f"the content has changed since the save: {words}" in str(refused.value)
    assert "with the old files in a folder OLD, 'patolli replay SAVE --pack OLD' shows it" in str(refused.value)


def test_a_refusal_names_the_version_of_the_save(pack, save):
    change(pack, "rules.yaml", "gain 1 point", "gain 0 point")
    change(pack, "pack.yaml", "version: 1.0.0", "version: 2.0.0")

    with pytest.raises(SaveError, match=r"it continues with tic_tac_toe 1\.0\.0, if that is installed as well"):
        patolli.load(str(pack)).restore(save)


HISTORY = """
renamed:
  counters/point: {to: counters/tally, since: 1.1.0}
  functions/has_line: {to: functions/makes_line, since: 1.1.0}
  grids/cell/fields/mark: {to: grids/cell/fields/sign, since: 1.1.0}
"""


@pytest.mark.parametrize("told", [True, False])
def test_saves_follow_what_a_pack_says_that_it_has_renamed(pack, save, told):
    for file in ("model.yaml", "rules.yaml", "panels.yaml"):
        text = (pack / file).read_text("utf-8")
        for old, new in (("has_line", "makes_line"), ("point", "tally"), ("mark:", "sign:"), ("c.mark", "c.sign")):
            text = re.sub(rf"(?<!\w){re.escape(old)}(?!\w)", new, text)
        (pack / file).write_text(text.replace("show: mark", "show: sign"), "utf-8")
    change(pack, "pack.yaml", "version: 1.0.0", "version: 1.1.0")
    if told:
        manifest = pack / "pack.yaml"
        manifest.write_text(manifest.read_text("utf-8") + HISTORY, "utf-8")
    rules = patolli.load(str(pack))

    if told:
        match = rules.restore(save)
        match.choose(0)
        assert match.view(0)["counters"]["tally"] == {"player_1": 0, "player_2": 0}
    else:
        with pytest.raises(SaveError, match="counters/point was removed"):
            rules.restore(save)


TREES = {
    "model": """\
document: model
enums: {weather: [sun, rain]}
counters: {coin: {per: player, text: Coins}}
kinds:
  tree: {facts: {cost: int, bears: int}, fields: {marked: bool, used: bool}, text: Trees.}
places: {shelf: {of: tree, type: area}}
shapes: {corner: ["##", "#."]}
grids: {cell: {rows: 2, columns: 2, fields: {mark: player or none}}}
table: {sky: weather = sun}
""",
    "pieces": "document: pieces\nkind: tree\nplace: shelf\npieces:\n  oak: {cost: 1, bears: 2}\n  elm: {cost: 2, bears: 1}\n",
    "rules": """\
document: rules
rules:
  match:
    steps:
      earn: gain oak.cost + oak.bears coin
      double: set coin to 2 * coin
      turn: |
        random w in weather
        set sky to w
        choose b in shelf "Which?"
        otherwise: stop
        take(b)
  take(tree): |
    set tree.used to true
    if sky == rain: set tree.marked to true
    gain 1 coin
result: {score: coin}
""",
}
"""A pack in which the order of some keys matters."""


@pytest.mark.parametrize(
    ("document", "old", "new", "words"),
    [
        ("rules", "  earn: gain oak.cost + oak.bears coin\n      double: set coin to 2 * coin\n", "  double: set coin to 2 * coin\n      earn: gain oak.cost + oak.bears coin\n", "rules/match"),
        ("model", "marked: bool, used: bool", "used: bool, marked: bool", "kinds/tree"),
        ("model", '"#."', '"##"', "shapes/corner"),
        ("model", "cost: int, bears: int", "bears: int, cost: int", ""),
        ("pieces", "{cost: 1, bears: 2}", "{bears: 2, cost: 1}", ""),
        ("rules", "take(tree)", "take(tree tree)", ""),
    ],
)  # fmt: skip
def test_the_order_of_keys_matters_if_they_are_played_or_laid_out_in_it(tmp_path, document, old, new, words):
    text = patolli.load(str(write_base(tmp_path / "old" / "purse", **TREES))).start(2, 1).to_json()
    assert old in TREES[document]
    changed = {**TREES, document: TREES[document].replace(old, new)}
    rules = patolli.load(str(write_base(tmp_path / "new" / "purse", **changed)))
    if not words:
        assert rules.restore(text).to_json() == rules.start(2, 1).to_json()
        return
    with pytest.raises(SaveError, match=f"the content has changed since the save: {words} plays differently"):
        rules.restore(text)


def test_saves_follow_renames_of_all_sorts(tmp_path):
    """Two facts change places in the alphabet, two names are swapped, and a parameter was named after its kind."""
    match = patolli.load(str(write_base(tmp_path / "old" / "purse", **TREES))).start(2, 1)
    names = {"cost": "worth", "rain": "shower", "sky": "outlook", "marked": "wet", "oak": "old_oak", "earn": "wages"}
    texts = {}
    for document, text in TREES.items():
        for old, new in names.items():
            text = re.sub(rf"(?<!\w){old}(?!\w)", new, text)
        texts[document] = (
            text.replace("take(tree)", "take(tree sapling)")
            .replace("tree.used", "sapling.used")
            .replace("tree.wet", "sapling.wet")
        )
    renamed = (
        "kinds/tree/facts/cost: {to: kinds/tree/facts/worth", "enums/weather/rain: {to: enums/weather/shower",
        "table/sky: {to: table/outlook", "kinds/tree/fields/marked: {to: kinds/tree/fields/wet", "pieces/oak: {to: pieces/old_oak",
        "rules/match/steps/earn: {to: rules/match/steps/wages", "rules/take/parameters/tree: {to: rules/take/parameters/sapling",
    )  # fmt: skip
    history = "renamed:\n" + "".join(f"  {one}, since: 2.0.0}}\n" for one in renamed)
    new = patolli.load(
        str(write_base(tmp_path / "new" / "purse", pack=BASE.format(id="purse", version="2.0.0") + history, **texts))
    )

    restored = new.restore(match.to_json())
    assert restored.state == match.state
    assert restored.decision.labels == ("old_oak", "elm")


def test_what_was_removed_is_named_with_its_version(pack, save):
    change(pack, "rules.yaml", "  one_winner: {al", "  other: {al")
    with (pack / "pack.yaml").open("a") as manifest:
        manifest.write("\nremoved: {invariants/one_winner: {since: 1.1.0}}\n")
    change(pack, "pack.yaml", "version: 1.0.0", "version: 1.1.0")

    with pytest.raises(SaveError, match=r"invariants/one_winner was removed in 1\.1\.0"):
        patolli.load(str(pack)).restore(save)


def test_an_older_save_without_entries_names_files(pack, save):
    change(pack, *HARMLESS["title"])
    data = {key: value for key, value in json.loads(save).items() if key not in ("entries", "versions")}

    with pytest.raises(SaveError, match=r"the content has changed since the save: tic_tac_toe/pack\.yaml"):
        patolli.load(str(pack)).restore(json.dumps(add_checksums(data)))


@pytest.mark.parametrize("name", ["title", "text", "label", "cause", "name"])
@pytest.mark.parametrize("key", ["steps", "fields", "facts", "value"])
def test_a_name_that_an_author_chose_is_no_text_for_people(key, name):
    """A step, a field or a row may be called as a key for texts is."""
    first, second = ({key: {name: text}, "text": "For people."} for text in ("gain 1 coin", "gain 2 coin"))

    assert strip_prose(first) != strip_prose(second)
    assert strip_prose({**first, "text": "Other words."}) == strip_prose(first)
