"""Whole pages of ``patolli show``, over the sample pack with three modules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import golden
import pytest
from examples import module
from packmaker import spliced
from tiers import few

from patolli.language.sources import read_yaml

PAGES = Path(__file__).parent / "pages"
ANY = '{sample: ">=1.0"}'
MODULES = (
    module("feast", ANY)
    + "# feast/change.yaml\ndocument: patch\nchange:\n"
    + "  - {adjust: functions/price, by: 1, when: seed > 2}\n"
    + "  - {replace: pieces/rich/effect, with: gain 3 seed}\n"
    + "  - {replace: pieces/rich/text, with: Gain 3 seeds.}\n"
    + "  - {before: rules/dig, do: gain 1 nut}\n"
    + "  - after: rules/dig\n    when: coin > 3\n    do: |\n      lose 1 coin\n      gain 1 point\n"
    + '  - offer: rules/turn\n    do: |\n      choose one:\n        "feast": gain 1 seed\n'
    + module("fair", '{sample: ">=1.0", feast: ">=1.0"}', "conflicts: [flood]\n")
    + "# fair/change.yaml\ndocument: patch\nchange:\n"
    + "  - {replace: pieces/rich/cost, with: 1 coin}\n"
    + "  - instead: rules/earn\n    do: |\n      original(n)\n      if n > 1: gain 1 nut\n"
    + "  - {adjust: functions/price, at_most: 3}\n"
    + module("flood", ANY)
)  # fmt: skip
PAGE = {
    "rule_with_steps_around": ["dig", "--with", "fair"],
    "rule_with_another_instead": ["earn", "--with", "fair"],
    "menu_with_an_offer": ["turn", "--with", "feast"],
    "function_adjusted_twice": ["price", "--with", "fair"],
    "piece_changed_by_two": ["rich", "--with", "fair"],
    "piece_with_a_trigger": ["greed"],
    "copy_of_a_piece": ["bold_2"],
    "counter": ["counters/coin"],
    "layers_of_a_piece": ["rich", "--with", "fair", "--layers"],
    "layers_of_a_function": ["price", "--with", "fair", "--layers"],
    "layers_of_a_rule": ["rules/dig", "--with", "fair", "--layers"],
    "layers": ["--with", "fair", "--layers"],
    "overview": ["--with", "fair"],
    "matrix": ["--matrix"],
}

SHIPPED = {
    "city_of_gods_rule_of_many": ["city_of_gods", "player_turn", "--with", "altars", "--with", "abrupt_eclipse"],
    "city_of_gods_layers_of_a_rule": ["city_of_gods", "royal_ability", "--with", "mansion", "--with", "altars", "--layers"],
    "city_of_gods_layers_with_a_trigger": ["city_of_gods", "advance", "--with", "solo", "--with", "mansion", "--layers"],
    "city_of_gods_layers_of_a_function": [
        "city_of_gods", "mine_at", "--with", "altars", "--with", "increased_workforce", "--layers",
    ],
    "city_of_gods_layers_of_a_piece": ["city_of_gods", "nobles", "--with", "empire", "--layers"],
    "city_of_gods_rule_put_aside_twice": [
        "city_of_gods", "bot_move", "--with", "bot_movement", "--with", "mansion",
    ],
    "city_of_gods_piece": ["city_of_gods", "royal_c01"],
    "city_of_gods_step": ["city_of_gods", "score_bonuses"],
    "founders_layers_of_a_rule": ["founders", "turn", "--with", "founders_solo", "--layers"],
    "patolli_rule": ["patolli", "turn"],
}  # fmt: skip
"""Pages of shipped packs; the lines of their files are left out, because they move with every edit above them."""
LINE = re.compile(r"(\.yaml):\d+|(?<=, )\d+(?=[,)])")


@pytest.fixture
def show(run, monkeypatch, tmp_path):
    spliced(tmp_path, MODULES)
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run("show", "sample", *arguments)


@pytest.mark.parametrize("name", PAGE)
def test_page(show, name):
    result = show(*PAGE[name])

    assert (result.exit_code, result.stderr) == (0, "")
    golden.check(PAGES / f"{name}.txt", result.stdout)


@pytest.mark.parametrize("name", few(SHIPPED, "city_of_gods_rule_of_many", "patolli_rule"))
def test_shipped_page(run, monkeypatch, name):
    monkeypatch.chdir(Path(__file__).resolve().parents[2])
    result = run("show", *SHIPPED[name])
    page = LINE.sub(lambda found: f"{found[1] or ''}:*", result.stdout)

    assert (result.exit_code, result.stderr) == (0, "")
    golden.check(PAGES / f"{name}.txt", page)


def test_no_step_is_lost_that_two_modules_put_at_one_place(run, monkeypatch):
    shown = run("show", "city_of_gods", "setup", "--with", "mansion", "--with", "altars").stdout

    assert "after discoveries (altars): " in shown
    assert "after discoveries (mansion): " in shown


def test_triggers_of_pieces_of_other_packs_are_layers(run):
    shown = run("show", "city_of_gods", "royal_ability", "--with", "obsidian", "--layers", "--format", "json").stdout

    layers = [(one["pack"], one["how"], one["what"]) for one in json.loads(shown)["layers"]]
    assert layers[1:] == [("obsidian", "follows it with", "pieces/tech_5_half")]


@pytest.mark.parametrize("name", [name for name in PAGE if name not in ("layers", "overview", "matrix")])
def test_composed_result_is_yaml(show, name):
    data = json.loads(show(*PAGE[name], "--format", "json").stdout)
    text = data["composed"] if "composed" in data else data["written"]
    tree, problems = read_yaml(text, "x.yaml")

    assert problems == []
    assert tree is not None
    assert list(tree.items) == [data["section"]]


@pytest.mark.deep
def test_every_entry_of_everything_has_a_page(monkeypatch):
    """All modules that go together: no entry is without a page, and each is YAML."""
    from patolli.author.workspace import load
    from patolli.cli.entries import entry_data, entry_text, layers_data, layers_text

    rules = load("city_of_gods", ["mansion", "altars", "empire", "increased_workforce", "abrupt_eclipse", "draft"])
    monkeypatch.setattr("patolli.author.lookup.entries.named_by", lambda rules, entry: [])
    for part in rules.model.composition.sections.values():
        for entry in part.values() if part is not rules.model.composition.sections["scenarios"] else ():
            if not entry.changed:
                continue
            data, layers = entry_data(rules, entry), layers_data(rules, entry)
            assert entry_text(data)
            assert layers_text(layers)
            joined = [one for one in layers["layers"] if one["how"].endswith(" it with")]
            assert len(layers["layers"]) == 1 + len(entry.changed) + len(joined)
            assert read_yaml(data["written"], "x.yaml")[1] == [], data["written"]


@pytest.mark.parametrize("pack", ["founders", "city_of_gods", "content/gallery/chess", "content/gallery/hex"])
def test_written_entry_can_be_pasted(pack):
    """What is shown of an entry reads as the same as what is in its file; of rules and functions that it is YAML."""
    from patolli.author.lookup.composed import format_entry
    from patolli.author.workspace import load
    from patolli.language.sources import Mapping, Sequence

    def plain(node):
        if isinstance(node, Mapping):
            return {key: plain(value) for key, (_, value) in node.items.items()}
        return [plain(item) for item in node.items] if isinstance(node, Sequence) else node.value.strip()

    rules = load(pack)
    for section, part in rules.model.composition.sections.items():
        for entry in part.values():
            text = format_entry(rules, entry)
            tree, problems = read_yaml(text, "x.yaml")
            assert problems == [], text
            ((_, shown),) = plain(tree)[section].items()
            if section not in ("rules", "functions"):
                assert shown == plain(entry.node), text


@pytest.mark.parametrize(
    "key", ["#", ".", "-", "?", "*", "&", "!", "|", "a: b", "x #y", "'", '"', "{", "f(cell a, int n)", "@", "1"]
)
def test_key_is_written_as_it_is_read(key):
    from patolli.author.lookup.composed import _key

    for text in (f"{_key(key)}: 1\n", f"{{a: 2, {_key(key, True)}: 1}}\n"):
        tree, problems = read_yaml(text, "x.yaml")
        assert problems == []
        assert list(tree.items)[-1] == key
