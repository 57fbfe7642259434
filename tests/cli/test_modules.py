"""What ``patolli show`` says to those who write modules: seams, modules by themselves, and which go together."""

from __future__ import annotations

import json
from pathlib import Path

import golden
import pytest
from examples import module, patched
from packmaker import spliced

PAGES = Path(__file__).parent / "pages"
ANY = '{sample: ">=1.0"}'
STEPS = (
    "# rounds.yaml\ndocument: rules\nrules:\n  tour(int n):\n"
    "    text: A tour of the shop, from the first card on its left to the last one on its right, and back to where it began.\n"
    "    steps:\n      fee: pay n coin as toll\n"
    '      ask: |\n        choose one "Where to?":\n          "shop": gain 1 seed\n          "deck": gain 1 nut\n'
    "      rest: nothing\ntriggers:\n  tours: {after: dig, when: coin > 2, do: tour(1)}\n"
    "  weary: {before: tour/rest, do: lose 1 seed}\n"
)
GUIDE = (
    module("guide", ANY)
    + "# guide/change.yaml\ndocument: patch\nchange:\n"
    + "  - {after: rules/tour, do: gain 1 point}\n"
    + "  - {after: rules/tour/ask, do: gain 1 seed}\n"
    + "  - {adjust: functions/price, by: 1}\n"
    + "# guide/rules.yaml\ndocument: rules\nwaivers:\n"
    + "  pass: {on: toll, of: coin, when: seed > 2, do: lose 1 seed}\n"
)


@pytest.fixture
def show(run, monkeypatch, tmp_path):
    """Run ``patolli show`` where the sample pack and some modules are installed."""
    monkeypatch.setenv("PATOLLI_PATH", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path)

    def call(modules, *arguments):
        if not (tmp_path / "sample").exists():
            spliced(tmp_path, modules)
        return run("show", *arguments)

    return call


@pytest.mark.parametrize("columns", ["80", "140"])
def test_seams(show, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    result = show(STEPS + GUIDE, "sample", "--seams", "--with", "guide")

    assert (result.exit_code, result.stderr) == (0, "")
    assert max(map(len, result.stdout.splitlines())) <= int(columns)
    golden.check(PAGES / f"seams_{columns}.txt", result.stdout)


def test_seams_as_json(show):
    data = json.loads(show(STEPS + GUIDE, "sample", "--seams", "--with", "guide", "--format", "json").stdout)

    tour = next(rule for rule in data["rules"] if rule["id"] == "tour")
    assert tour["steps"] == ["fee", "ask", "rest"]
    assert tour["menus"] == [{"step": "ask", "prompt": "Where to?", "lines": 2}]
    assert tour["joined_by"] == [
        {"when": "before", "step": "rest", "by": "weary"},
        {"when": "after", "step": "", "by": "guide"},
    ]
    assert data["payments"] == [
        {"tag": "purchase", "paid_in": ["buy"], "discounts": ["regular"], "waivers": []},
        {"tag": "toll", "paid_in": ["tour/fee"], "discounts": [], "waivers": ["pass"]},
    ]
    (price,) = data["functions"]
    assert (price["signature"], price["type"], price["changed_by"]) == ("price(card)", "a number", ["guide"])


def test_each_seam_can_be_held(show, tmp_path):
    """What the page lists is a target."""
    data = json.loads(show(STEPS, "sample", "--seams", "--format", "json").stdout)
    changes = [f"  - {{after: rules/{rule['id']}, do: nothing}}\n" for rule in data["rules"]]
    changes += [
        f"  - {{before: rules/{rule['id']}/{step}, do: nothing}}\n" for rule in data["rules"] for step in rule["steps"]
    ]
    for rule in data["rules"]:
        for menu in rule["menus"]:
            target = "/".join(part for part in (rule["id"], menu["step"]) if part)
            changes.append(f'  - offer: rules/{target}\n    do: |\n      choose one:\n        "more": nothing\n')
    (tmp_path / "all").mkdir()
    (tmp_path / "all" / "pack.yaml").write_text(module("all", ANY).partition("\n")[2])
    (tmp_path / "all" / "c.yaml").write_text("document: patch\nchange:\n" + "".join(changes))

    assert len(changes) >= 11
    assert show("", "sample", "--with", "all").exit_code == 0


def test_module_is_shown_with_what_it_requires(show):
    """``show MODULE`` works as ``validate MODULE`` does."""
    above = module("above", '{guide: ">=1.0"}')
    page = show(STEPS + GUIDE + above, "above")

    assert (page.exit_code, page.stderr) == (0, "")
    assert page.stdout == show("", "sample", "--with", "guide", "--with", "above").stdout
    assert "changed at guide" in show("", "guide", "tour").stdout
    assert "2. guide" in show("", "guide", "--layers").stdout
    assert "tours" in show("", "./guide", "triggers/tours").stdout


REPLACES = patched("{replace: pieces/rich/text, with: Much.}", "one") + patched(
    "{replace: pieces/rich/text, with: More.}", "two"
)


@pytest.mark.parametrize(
    ("modules", "code"),
    [
        pytest.param(REPLACES, "P0123", id="both replace the same"),
        pytest.param(
            module("one", ANY, "provides: [ending]\n") + module("two", ANY, "provides: [ending]\n"),
            "P0128",
            id="a role",
        ),
        pytest.param(
            module("one", ANY)
            + "# one/m.yaml\ndocument: model\ncounters:\n  gem: {per: player}\n"
            + module("two", ANY)
            + "# two/m.yaml\ndocument: model\ncounters:\n  gem: {per: player}\n",
            "P0120",
            id="both declare the same",
        ),
        pytest.param(
            patched("{instead: rules/dig, do: require size(deck) > 900}", "one")
            + patched("{instead: rules/turn, do: dig()}", "two"),
            "P0404",
            id="only proofs find it",
        ),
    ],
)
def test_matrix_says_what_validation_says(run, show, modules, code):
    free = module("free", ANY)
    data = json.loads(show(modules + free, "sample", "--matrix", "--format", "json").stdout)

    together = run("validate", "sample", "--with", "one", "--with", "two")
    refused = {one["problems"][0]["code"] for one in data["refused"] if one["modules"] == ["one", "two"]}
    assert ("error[" in together.stdout) is bool(refused) is (["one", "two"] not in data["combinations"])
    assert refused == {code}
    assert ["free", "one"] in data["combinations"]
    again = show("", "sample", "--matrix")
    page = again.stdout
    assert again.exit_code == 1
    assert "'patolli validate' refuses one + two:" in page
    assert f": {code}: " in page


def test_module_that_is_refused_alone_is_in_no_combination(show):
    wrong = patched("remove: counters/nut", "wrong")
    data = json.loads(show(wrong + module("free", ANY), "sample", "--matrix", "--format", "json").stdout)

    assert data["combinations"] == [[], ["free"]]
    assert [one["modules"] for one in data["refused"]] == [["wrong"]]


def test_matrix_remembers_what_was_right(show, monkeypatch):
    asked = []
    monkeypatch.setattr(
        "patolli.author.workspace.module_sets._errors", lambda one, base, files: asked.append(sorted(one)) or []
    )
    modules = module("one", ANY) + module("two", ANY)

    for _ in range(2):
        show(modules, "sample", "--matrix")
    assert asked == [["one"], ["two"], ["one", "two"]]


@pytest.mark.parametrize("place", ["beside", "inside"])
@pytest.mark.parametrize("command", ["validate", "test", "show"])
def test_base_of_a_module_is_found_where_the_module_lies(run, monkeypatch, tmp_path, command, place):
    """Nothing is installed; the module is named by its path, from elsewhere."""
    spliced(tmp_path, patched("{after: rules/dig, do: gain 1 seed}", "guide"))
    guide = tmp_path / "guide"
    if place == "inside":
        guide = guide.rename(tmp_path / "sample" / "guide")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "none"))
    monkeypatch.chdir(tmp_path.parent)
    result = run(command, str(guide), *(["dig"] if command == "show" else []))

    assert (result.exit_code, "P0113" in result.output) == (0, False), result.output
