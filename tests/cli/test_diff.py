"""``patolli diff``: what differs between two packs is reported, all of it, and nothing else."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import click
import pytest

from patolli.author.lookup.changes import changes
from patolli.author.workspace import load
from patolli.cli import changelog
from patolli.language.diagnostics import ContentError
from patolli.language.packs.discovery import find

MANIFEST = """\
document: pack
id: purse
version: 1.0.0
language: 1
title: Purse
authors: [Tests]
text: Players buy cards.
players: {min: 2, max: 3}
"""
MODEL = """\
document: model
kinds:
  card: {facts: {cost: cost, worth: int, grid: list of int, effect: effect, text: text}}
counters:
  coin: {per: player, noun: [coin, coins], text: Coins}
places:
  shop: {of: card, type: area}
  taken: {of: card, per: player, type: area}
"""
PIECES = """\
document: pieces
kind: card
pieces:
  small: {cost: 1 coin, worth: 1, grid: [1, 2], effect: gain 1 coin, text: A small one.}
  large: {cost: 3 coin, worth: 2, grid: [3, 4], effect: gain 2 coin, text: A large one.}
"""
RULES = """\
document: rules
rules:
  setup:
    do: "for c in card: move c to shop"
  match:
    text: Buy cards in turn.
    do: |
      loop:
        choose n in 1..3 "How many?"
        gain n coin
        choose one:
          for c in shop "buy": pay c.cost; move c to taken(me); do c.effect
          "pass": nothing
        if size(shop) == 0: end match
        pass to next(me)
result:
  score: coin + size(taken(me))
"""


@pytest.fixture
def shop(tmp_path):
    """Return what writes the pack with some words replaced, in a folder of its own."""

    def make(name: str, *replaced: tuple[str, str]) -> Path:
        folder = tmp_path / name / "purse"
        folder.mkdir(parents=True)
        texts = {"pack.yaml": MANIFEST, "model.yaml": MODEL, "rules.yaml": RULES, "pieces.yaml": PIECES}
        for old, new in replaced:
            assert any(old in text for text in texts.values()), old
            texts = {file: text.replace(old, new) for file, text in texts.items()}
        for file, text in texts.items():
            (folder / file).write_text(text)
        return folder

    return make


CASES = [
    pytest.param(("gain 2 coin, text", "gain 3 coin, text"), "pieces/large", ["-effect: Gain 2 coins.", "+effect: Gain 3 coins."], [], id="effect of a piece"),
    pytest.param(("cost: 3 coin", "cost: 4 coin"), "pieces/large", ["-cost: 3 coins.", "+cost: 4 coins."], [], id="cost of a piece"),
    pytest.param(("worth: 2", "worth: 5"), "pieces/large", [], ["worth: 2 -> 5"], id="fact of a piece"),
    pytest.param(("grid: [3, 4]", "grid: [3, 5]"), "pieces/large", [], ["grid: [3, 4] -> [3, 5]"], id="short list"),
    pytest.param(("A large one", "A big one"), "pieces/large", [], [], id="text of a piece"),
    pytest.param(("choose n in 1..3", "choose n in 1..4"), "rules/match", ["-Choose a number n from 1 to 3.", "+Choose a number n from 1 to 4."], [], id="rule"),
    pytest.param(("score: coin +", "score: 2 * coin +"), "result/result", ["-score: Your coins plus the number of cards in your taken.", "+score: 2 times your coins plus the number of cards in your taken."], [], id="result"),
    pytest.param(("coin: {per: player,", "coin: {per: player, max: 9,"), "counters/coin", [], ["max:  -> 9"], id="bound of a counter"),
    pytest.param(("shop: {of: card, type: area}", "shop: {of: card, type: pile}"), "places/shop", [], ["type: area -> pile"], id="place"),
]  # fmt: skip


@pytest.mark.parametrize(("replaced", "entry", "sentences", "values"), CASES)
def test_one_change_is_reported_at_its_entry(shop, replaced, entry, sentences, values):
    data = changes(load(shop("old")), load(shop("new", replaced)))

    (one,) = data["entries"]
    assert f"{one['section']}/{one['id']}" == entry
    signs = {"added": "+", "removed": "-"}
    said = [signs[line["change"]] + line["text"].strip() for line in one["sentences"] if line["change"] != "kept"]
    assert said == sentences
    assert [f"{value['path']}: {value['old']} -> {value['new']}" for value in one["values"]] == values
    assert bool(one["words"]) is (not said and not values)


def test_a_change_deep_in_a_long_function_is_reported(shop):
    """A page names a long text by its line; a comparison has to show it whole, wherever it stands."""
    cases = " ".join(f"{n} if coin > {n} else" for n in range(30, 9, -1))
    long = ("result:\n", f"functions:\n  worth:\n    is: |\n      {cases} 0  # at least\nresult:\n")
    old, moved, new = (
        load(shop(name, long, *more))
        for name, *more in (
            ("old",),
            ("moved", ("  setup:\n", "  # mix\n  setup:\n")),
            ("new", ("11 if coin > 11", "11 if coin > 12")),
        )
    )

    assert changes(old, moved)["entries"] == []
    (one,) = changes(old, new)["entries"]
    assert [line["change"] for line in one["sentences"]] == ["removed", "added"]
    assert "11 if coin > 12 else 10" in one["sentences"][1]["text"]


def test_changed_lines_stand_in_what_is_around_them(shop):
    """A part of a loop is reported within it, and a new block as deep as it is."""
    block = "if size(shop) == 0: end match"
    deeper = "if size(shop) == 0:\n          for c in taken(me):\n            move c to shop\n          gain 1 coin\n          end match"
    said = changelog.text(changes(load(shop("old")), load(shop("new", (block, deeper)))), width=200)
    lines = click.unstyle(said).splitlines()
    loop = lines.index("      Again and again:")

    assert lines[loop + 1 :] == [
        "        - If there is nothing in the shop, the match ends.",
        "        + If there is nothing in the shop:",
        "            + For each of the cards in your taken, move that card to the shop.",
        "            + Gain 1 coin.",
        "            + The match ends.",
    ]


def test_line_of_a_menu_is_reported_with_its_name(shop):
    named = ('"pass": nothing', '"rest": nothing')
    (one,) = changes(load(shop("old")), load(shop("new", named)))["entries"]

    assert [said["change"] for said in one["sentences"] if "'rest': nothing" in said["text"]] == ["added"]


def test_what_comes_and_goes(shop):
    extra = ("  large: {", "  middle: {cost: 2 coin, worth: 1, grid: [1, 1], effect: nothing, text: One.}\n  large: {")
    old, new = load(shop("old")), load(shop("new", extra))

    for first, second, change, counts in ((old, new, "added", (2, 3)), (new, old, "removed", (3, 2))):
        data = changes(first, second)
        (one,) = data["entries"]
        assert (one["id"], one["change"]) == ("middle", change)
        assert data["components"] == {"card": dict(zip(("old", "new"), counts, strict=True))}
        assert (one["where"]["old"] is None) is (change == "added")
        assert {value["path"] for value in one["values"]} == {"worth", "grid"}


@pytest.mark.parametrize("pack", ["city_of_gods", "founders", "chess", "skerry", "leduc_poker"])
def test_the_same_pack_has_no_differences(pack):
    rules = load(pack)

    data = changes(rules, rules)

    assert [key for key in ("players", "options", "components", "entries") if data[key]] == []


@pytest.mark.parametrize("pack", ["patolli", "skerry", "high_water"])
def test_no_number_changes_in_silence(pack, tmp_path):
    """Every number of the files, one larger: the affected rule is reported at the entry in which it stands."""
    place = find(pack)
    assert place is not None
    old = load(pack)
    tried = 0
    for name in ("model.yaml", "rules.yaml"):
        text = (Path(place) / name).read_text()
        for number, found in enumerate(re.finditer(r"(?<![\w.#-])\d+(?![\w.])", text)):
            line = text[text.rfind("\n", 0, found.start()) + 1 : found.end()]
            if number % 7 or "#" in line or re.search(r"\b(text|source|noun|label|phrase):|\"", line):
                continue
            folder = tmp_path / f"{name}{number}" / Path(place).name
            shutil.copytree(place, folder)
            (folder / name).write_text(text[: found.start()] + str(int(found[0]) + 1) + text[found.end() :])
            try:
                new = load(folder)
            except ContentError:
                continue
            tried += 1
            entries = changes(old, new)["entries"]
            at = text.count("\n", 0, found.start()) + 1
            near = [one for one in entries if one["sentences"] or one["values"]]
            assert near, f"{name}:{at}: {line}"
            starts = [int(one["where"]["new"].rpartition(":")[2]) for one in near]
            assert min(abs(at - start) for start in starts) <= 40
    assert tried >= 3


def test_module_is_reported_with_its_triggers(run):
    data = json.loads(run("diff", "city_of_gods", "city_of_gods+mansion", "--format", "json").stdout)

    rules = {one["id"]: one for one in data["entries"] if one["section"] == "rules"}
    assert data["new"]["modules"] == ["obsidian", "mansion"]
    # The rule itself is as it was; a trigger of the module follows it.
    assert rules["advance"]["change"] == "changed"
    assert rules["advance"]["values"] == []
    assert [line["change"] for line in rules["advance"]["sentences"]] == ["added"]


def test_page(run, shop, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    old = shop("old")
    new = shop(
        "new",
        ("worth: 2", "worth: 5"),
        ("gain 2 coin, text", "gain 3 coin, text"),
        ("A small", "One small"),
        ("max: 3", "max: 4"),
    )

    page = run("diff", str(old), str(new)).stdout

    assert page == """\
from  Purse 1.0.0
to    Purse 1.0.0

Entries: 1 changed. 1 more differs only in texts or looks.

Players
~ 2 to 3 -> 2 to 4

Pieces
~ large, card  (new/purse/pieces.yaml:5)
    - effect: Gain 2 coins.
    + effect: Gain 3 coins.
    ~ worth: 2 -> 5

Texts or looks of one entry differ; --words shows how.
"""  # fmt: skip
    assert "text: A small one. -> One small one." in run("diff", str(old), str(new), "--words").stdout
    assert "- **+** effect: Gain 3 coins." in run("diff", str(old), str(new), "--format", "markdown").stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        pytest.param(("tic_tac_toe", "tic_tac_toe", "--exit-code"), 0, "The same is played.", id="the same"),
        pytest.param(("go", "go+size=13", "--exit-code"), 1, "size: 9 (2 to 19) -> 13 (2 to 19)", id="an option"),
        pytest.param(("go", "go+size=13"), 0, "point: 81 -> 169", id="without --exit-code"),
        pytest.param(("go", "go+"), 2, "PACK+MODULE+NAME=VALUE", id="nothing behind plus"),
        pytest.param(("go", "go+size=1000"), 2, "size", id="value out of range"),
        pytest.param(
            ("founders", "city_of_gods+founders_solo"), 2, "builds on 'founders'", id="module of another pack"
        ),
        pytest.param(("go", "gho"), 2, "there is no pack 'gho'", id="no pack"),
        pytest.param(("go",), 2, "Missing argument 'NEW'", id="one pack"),
    ],
)
def test_calls(run, words, status, said):
    result = run("diff", *words)

    assert result.exit_code == status
    assert said in result.output


def test_archive_is_a_pack(run, tmp_path):
    run("pack", "build", "tic_tac_toe", "--out", str(tmp_path / "old.zip"))

    assert "The same is played." in run("diff", str(tmp_path / "old.zip"), "tic_tac_toe").stdout
