"""A base game through four releases, with five modules by other people and saves of each release."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from orchard import FIRST, MODULES, RELEASES, RENAMED, WORDS, edit, write_files
from packversions import pack_into

from patolli.author.workspace import check_packs, load
from patolli.author.workspace.kept_versions import find_kept_versions
from patolli.cli.fix_writer import mend
from patolli.run.runtime import SaveError

FOUND = {
    "bees": "changes:3 harvest, rules:4 pick, rules:8 harvest, rules:15 watered",
    "market": "changes:5 cost, changes:9 bonus, changes:9 basket, changes:10 bonus",
    "exotics": "changes:3 oak, changes:6 cost, pieces:5 cost, pieces:6 elm",
    "storms": "changes:5 sky, changes:5 rain, changes:6 tree, changes:8 sky, changes:8 rain, changes:11 elm, changes:11 pick,"
    " changes:13 P0301, changes:14 oak",
    "contest": "panels:3 nursery, rules:3 goal, rules:5 basket, rules:10 nursery, rules:10 harvest",
}
"""The problems of the modules with release 2.0.0 before any fix, by file and line: an old name, or the code of another problem."""
LEFT = {
    "market": "changes:9 bonus, changes:10 bonus",
    "exotics": "pieces:6 elm",
    "storms": "changes:11 elm, changes:13 P0301",
    "contest": "scenarios:5 elm",
}
"""What is left after ``--fix``: things that are gone, or have another type."""
MENDED = {
    "market": [
        ("changes", "coin > bonus", "coin > 1"),
        ("changes", "  - replace: constants/bonus/value\n    expects: 1\n    with: 2\n", ""),
    ],
    "exotics": [("pieces", "like: elm", "like: quince"), ("pack", "{tree: 3}", "{tree: 5}")],
    "contest": [
        ("scenarios", "elm", "quince_1"),
        ("scenarios", "fetch water", "draw water"),
        ("rules", "t.sort == plum", "t.sort == pear"),
    ],
    "storms": [("changes", " and t != elm", " > 0"), ("changes", "value: false", "value: 0")],
}
"""What the authors then change by hand."""
REMOVED = {"bonus": "do without it", "elm": "Use a quince."}


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: Path) -> Path:
    """Write all packs; the search path has the modules and release 2.0.0."""
    for version, files in {**RELEASES, "renamed": RENAMED}.items():
        write_files(tmp_path / version / "orchard", files)
    for name, files in MODULES.items():
        write_files(tmp_path / "modules" / name, files)
    monkeypatch.setenv("PATOLLI_PATH", f"{tmp_path / 'modules'}:{tmp_path / '2.0.0'}")
    return tmp_path


def find_errors(folder: Path) -> list[str]:
    """Return the place of each error of a module, with the old name or the code."""
    found = []
    for one in check_packs((str(folder),), remember=False).problems:
        name = re.match(r"'(\w+)' was (renamed to|removed in)", one.message)
        if one.severity == "error":
            assert one.help == REMOVED[name[1]] if one.code == "P0136" and name else True
            found.append(f"{Path(one.span.path).stem}:{one.span.line} {name[1] if name else one.code}")
    return found


@pytest.mark.deep
def test_modules_learn_what_a_release_changed(run, shelf, subtests):
    modules = [shelf / "modules" / name for name in MODULES]
    for version in ("1.0.0", "1.0.1", "1.1.0"):
        with subtests.test(version):
            result = run("compat", shelf / version / "orchard", *modules)
            broken = re.findall(r"(\w+) 1\.0\.0 breaks", result.stdout)
            # A scenario of the contest names a label, which other words break.
            assert (broken, "scenarios.yaml:10" in result.stderr) == (
                ([], False) if version == "1.0.0" else (["contest"], True)
            )
    assert run("compat", shelf / "2.0.0" / "orchard", *modules).stdout.endswith("5 of 5 modules would break\n")
    for folder in modules:
        with subtests.test(folder.name):
            assert ", ".join(find_errors(folder)) == FOUND[folder.name]
    for folder in modules:
        mend((str(folder),), lambda folder=folder: check_packs((str(folder),), remember=False).problems)
        assert ", ".join(find_errors(folder)) == LEFT.get(folder.name, "")
        for name, old, new in MENDED.get(folder.name, ()):
            file = folder / f"{name}.yaml"
            text = file.read_text("utf-8")
            assert old in text, (folder.name, old)
            file.write_text(text.replace(old, new), "utf-8")
    assert find_errors(modules[2]) == ["with_bees:6 nursery", "with_bees:6 tree"]
    mend((str(modules[2]),), lambda: check_packs((str(modules[2]),), remember=False).problems)
    result = run("compat", shelf / "2.0.0" / "orchard", *modules)
    assert result.exit_code == 0, result.stdout + result.stderr


REFUSED = {
    (
        "1.0.0",
        "1.1.0",
    ): "enums/weather plays differently, rules/turn plays differently, counters/sold is new and 1 more",
    ("1.0.0", "renamed"): "rules/turn plays differently, counters/sold is new and 1 more",
    ("1.1.0", "1.0.1"): "counters/sold was removed",
    ("1.1.0", "2.0.0"): "counters/day plays differently, constants/bonus was removed in 2.0.0",
}
"""What the refusal of a save of one release by another names; all other saves open."""


@pytest.mark.deep
@pytest.mark.parametrize("module", [(), ("bees",)])
def test_saves_of_each_release(shelf, home, subtests, module):
    path = [str(shelf / "modules" / name) for name in module]
    rules = {version: load(str(shelf / version / "orchard"), path) for version in ("1.0.0", "1.0.1", "1.1.0")}
    for name in path:
        mend((name,), lambda: check_packs(path, remember=False).problems)
    rules |= {version: load(str(shelf / version / "orchard"), path) for version in ("renamed", "2.0.0")}
    for before in ("1.0.0", "1.1.0"):
        match = rules[before].start(2, 3)
        for number in range(4):
            match.choose(number % len(match.options()))
        for after, new in rules.items():
            with subtests.test(f"{before} in {after}"):
                if (before, after) in REFUSED or (before, after) == ("1.0.0", "2.0.0"):
                    with pytest.raises(SaveError) as refused:
                        new.restore(match.to_json())
                    assert REFUSED.get((before, after), "") in str(refused.value)
                    assert f"it continues with orchard {before}, if that is installed as well" in str(refused.value)
                elif after != "1.0.0" or before == after:
                    restored = new.restore(match.to_json())
                    assert restored.state == match.state
                    restored.choose(0)
    pack_into(home, *(shelf / version / "orchard" for version in ("1.0.0", "1.1.0")))
    if not module:
        content = rules["1.0.0"].content_hash
        assert find_kept_versions("orchard", [], rules["1.0.0"].chosen, content) == ("orchard==1.0.0", ())


GATE = [
    ("nothing", "", "1.0.0", ""),
    ("words", "", "1.0.1", ""),
    ("a number in a rule", "rules|gain 3 coin|gain 4 coin", "1.0.1", ""),
    ("a piece more", "pieces|  elm:|  yew: {cost: 1, sort: pear, bears: 1}\n  elm:", "1.1.0", "added: pieces/yew"),
    ("a value of an option", "pack|[poor, rich]|[poor, rich, even]", "1.1.0", "changed: options/start"),
    ("a copy less", "pieces|copies: 4|copies: 3", "2.0.0", "removed: pieces/crab/crab_4"),
    (
        "a fact that every piece must have",
        "model|bears: int|bears: int, old: int",
        "2.0.0",
        "added: kinds/tree/facts/old",
    ),
    ("a parameter", "rules|trade(fruit f)|trade(fruit g)", "2.0.0", "renamed: rules/trade/parameters/f from f to g"),
    ("a member", "model|rain|shower", "2.0.0", "renamed: enums/weather/rain from rain to shower"),
    ("a field of the table", "model|sky: weather =|sky: weather or none =", "2.0.0", "changed: table/sky"),
]
FURTHER = {
    "a piece more": [("pack", "tree: 9", "tree: 10")],
    "a copy less": [("pack", "tree: 9", "tree: 8")],
    "a fact that every piece must have": [("pieces", "bears:", "old: 1, bears:")],
    "a parameter": [
        ("rules", "basket(f) + bonus", "basket(g) + bonus"),
        ("rules", "set basket(f) to", "set basket(g) to"),
    ],
    "a field of the table": [("rules", "sky == sun", "sky == sun")],
}
"""What else has to be edited, so that the pack is right."""


@pytest.mark.deep
def test_the_gate_asks_for_the_right_number(run, tmp_path, home, subtests):
    old = write_files(tmp_path / "old" / "orchard", FIRST)
    for name, change, due, words in GATE:
        edits = [tuple(change.split("|")), *FURTHER.get(name, ())] if change else []
        edited = edit(FIRST, *edits) if name != "words" else edit(WORDS, ("pack", "version: 1.0.1", "version: 1.0.0"))
        numbers = ["1.0.0", "1.0.1", "1.1.0", "2.0.0"]
        for version in numbers[max(numbers.index(due) - 1, 0) :][:2]:
            with subtests.test(f"{name} {version}"):
                files = edit(edited, ("pack", "version: 1.0.0", f"version: {version}"))
                new = write_files(tmp_path / name.replace(" ", "_") / version / "orchard", files)
                result = run("pack", "release", new, "--since", old, "--out", tmp_path / "out.zip")

                assert words in result.stdout
                assert (result.exit_code == 0) == (numbers.index(version) >= numbers.index(due)), result.stderr
                assert (f"version {due} is due" in result.stderr) == (result.exit_code == 1)
