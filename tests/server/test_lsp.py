"""The language server, driven over stdio by a client in a copy of the largest pack."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from lspclient import Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from patolli.runtime import inspect
from patolli.scenarios import Plan, run_scenarios

CONTENT = Path(__file__).resolve().parents[2] / "content"
MODULE = "first_game"
POWER = "rules/power_ups.yaml"
LINE = "set w.power to w.power + 1"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the tables of the parser, which take a second to make."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Editor]:
    """An editor with a copy of the pack and of a module; tests put back what they change."""
    folder = tmp_path_factory.mktemp("packs")
    for name in ("city_of_gods", MODULE):
        shutil.copytree(CONTENT / name, folder / name)
    editor = Editor(folder, cache)
    yield editor
    editor.close()


@pytest.fixture
def editor(shared: Editor) -> Iterator[Editor]:
    yield shared
    for path, text in list(shared.texts.items()):
        if text != (before := path.read_text("utf-8")):
            shared.type(path, text, before)


def power(editor: Editor) -> Path:
    path = editor.folder / "city_of_gods" / POWER
    return path if path in editor.texts else editor.open(f"city_of_gods/{POWER}")


def shown(problems: list[lsp.Diagnostic]) -> list[tuple[str, int, int, int]]:
    """Code, line, and columns from 1."""
    return [
        (str(p.code), p.range.start.line + 1, p.range.start.character + 1, p.range.end.character + 1) for p in problems
    ]


# ---- problems


def test_opened_file_is_without_problems(editor):
    assert editor.told[power(editor)] == []


@pytest.mark.parametrize(
    ("old", "new", "expected", "words"),
    [
        pytest.param(
            "power_here(space)\n      if",
            "power_hree(space)\n      if",
            ("P0201", 8, 7, 17),
            "did you mean 'power_here'?",
            id="misspelt rule",
        ),
        pytest.param(
            LINE,
            "set w.power to w.power +",
            ("P0101", 30, 30, 31),
            "a value is missing",
            id="syntax of an effect",
        ),
        pytest.param(
            "    text: One of my unlocked workers on",
            "    txt: One of my",
            ("P0050", 12, 5, 8),
            "text",
            id="key",
        ),
        pytest.param(
            "text: One of my unlocked workers on",
            "text: One: of",
            ("P0031", 12, 14, 15),
            "quotes",
            id="syntax of YAML",
        ),
    ],
)
def test_mistake_is_reported_while_typing(editor, old, new, expected, words):
    path = power(editor)

    problems = editor.type(path, old, new)

    assert shown(problems) == [expected]
    assert words in problems[0].message


def test_comment_allows_a_finding_while_typing(editor):
    path = power(editor)
    rule = "  power_here(space):"

    assert shown(editor.type(path, rule, "  nap: nothing\n" + rule))[0][0] == "P0430"
    assert editor.type(path, "  nap: nothing", "  nap: nothing  # patolli: allow P0430 it comes next week") == []
    assert shown(editor.type(path, "  nap: nothing  #", "  #"))[0][0] == "P0702"


def test_mended_file_is_without_problems(editor):
    path = power(editor)
    editor.type(path, LINE, "set w.powr to w.power + 1")

    assert editor.type(path, "set w.powr", "set w.power") == []


def test_time_from_an_edit_to_its_problems(editor, record_property):
    """Nothing is claimed of the time, which hangs on the machine; the figures stand below the tests."""
    path = power(editor)
    edits = [("+ 1", "+ 2"), ("+ 2", "+ two"), ("+ two", "+ 1")]
    took = []
    for old, new in edits * 4:
        start = time.perf_counter()
        problems = editor.type(path, f"set w.power to w.power {old}", f"set w.power to w.power {new}")
        took.append(1000 * (time.perf_counter() - start))
        assert bool(problems) == (new == "+ two")
    middle, worst = sorted(took)[len(took) // 2], max(took)
    record_property("figure", f"language server, edit to problems: {middle:.0f} ms (median), {worst:.0f} ms (worst)")


def test_columns_count_in_units_of_the_protocol(editor):
    """A letter beyond the basic plane is one column for us and two for the editor."""
    path = power(editor)

    problems = editor.type(path, 'may "power up again": power_here', 'may "🎲": power_hree')

    start = 'may "🎲": '
    assert problems[0].range.start.character == len("        ") + len(start) + 1


def test_problem_in_another_file_is_reported_there(editor):
    path = power(editor)
    model = editor.folder / "city_of_gods/model.yaml"

    editor.type(path, "power_up(worker w):", "power_up_once(worker w):")

    assert {str(p.code) for p in editor.told[path]} == {"P0201"}
    assert model not in editor.told or editor.told[model] == []


def test_problem_of_a_module_is_found_with_what_it_requires(editor):
    path = editor.open(f"{MODULE}/changes.yaml")
    assert editor.told[path] == []
    target = next(line for line in editor.texts[path].splitlines() if "rules/" in line or "constants/" in line)

    problems = editor.type(path, target, target + "x")

    assert [str(p.code) for p in problems] == ["P0121"]


# ---- completion


@pytest.mark.parametrize(
    ("old", "new", "wanted", "unwanted"),
    [
        pytest.param(LINE, "set w.", {"power", "colour", "owner"}, {"gain"}, id="facts"),
        pytest.param(LINE, "ga", {"gain", "set", "ascend", "w", "if"}, {"wood"}, id="start"),
        pytest.param(
            LINE, "gain 1 wo", {"wood", "vp", "resource"}, {"ascend"}, id="counter"
        ),
        pytest.param(
            LINE,
            "let x = co",
            {"count", "cocoa", "size", "workers", "w", "me"},
            {"gain"},
            id="expression",
        ),
        pytest.param(
            LINE, "let b = place_of(w, workers)\n      move w to workers(b.",
            {"number", "main"}, {"power"}, id="facts of a variable in the text",
        ),
        pytest.param("    source: facts 18\n", "    so\n", {"source", "text", "steps"}, {"gain"}, id="key"),
        pytest.param("document: rules", "document: r", {"rules", "pieces"}, {"gain"}, id="kind of document"),
    ],
)  # fmt: skip
def test_completion_offers(editor, old, new, wanted, unwanted):
    path = power(editor)
    end = editor.texts[path].index(old) + len(new.rstrip("\n"))
    editor.type(path, old, new)

    offers = editor.complete(path, end)

    assert wanted <= set(offers)
    assert not unwanted & set(offers)


def test_completion_offers_facts_of_a_piece(editor):
    path = editor.open("city_of_gods/pieces/bonus.yaml")
    piece = next(line for line in editor.texts[path].splitlines() if line.startswith("  ") and "{" in line)
    start = piece[: piece.index("{") + 1]
    end = editor.texts[path].index(piece) + len(start) + 1
    editor.type(path, piece, start + "e}")

    offers = editor.complete(path, end)

    assert {"effect", "copies", "text"} <= set(offers)


def test_completion_tells_what_an_offer_is(editor):
    path = power(editor)
    end = editor.texts[path].index(LINE) + 3
    editor.type(path, LINE, "asc")

    offer = editor.complete(path, end)["ascend"]

    assert offer.detail == "rule ascend(worker w)"
    assert "Avenue" in str(offer.documentation)


# ---- looking things up


def test_hover_shows_signature_text_and_place(editor):
    page = editor.hover(power(editor), "ascend(w)")

    assert "rule ascend(worker w)" in page
    assert "a reward, and the Calendar" in page
    assert "A rule in" in page
    assert "`power_ups.yaml`, line 31" in page or "power_ups.yaml" in page


@pytest.mark.parametrize(
    ("word", "plus", "words"),
    [
        pytest.param("w.power to", 2, "worker.power: int", id="field"),
        pytest.param("workers(space) where", 1, "place workers(space)", id="place"),
        pytest.param("palace)", 1, "space palace", id="piece"),
        pytest.param("me and w.power", 1, "acting player", id="word of the language"),
    ],
)  # fmt: skip
def test_hover(editor, word, plus, words):
    assert words in editor.hover(power(editor), word, plus)


def test_hover_says_in_english_what_a_rule_does(editor):
    page = editor.hover(power(editor), "power_up(w)")

    assert (
        "> Raise the power of that worker by 1, then if the power of that worker is 6, ascend with that worker." in page
    )


def test_hover_over_prose_shows_nothing(editor):
    assert editor.hover(power(editor), "grows stronger") == ""


def test_definition_in_another_file(editor):
    path = power(editor)
    model = (editor.folder / "city_of_gods/model.yaml").read_text("utf-8").splitlines()
    line = 1 + next(number for number, text in enumerate(model) if "power: {type: int 1..6" in text)

    assert editor.define(path, "w.power to", 2) == [("city_of_gods/model.yaml", line)]


def test_definition_of_a_variable(editor):
    path = power(editor)
    line = editor.position(path, "power_up(worker w)").line + 1

    assert editor.define(path, "set w.power", 4) == [(f"city_of_gods/{POWER}", line)]


def test_references_in_rules_scenarios_and_modules(editor):
    found = editor.references(power(editor), "workers(space) where")

    files = {name for name, _ in found}
    assert {"city_of_gods/model.yaml", f"city_of_gods/{POWER}"} <= files
    assert any(name.startswith("city_of_gods/scenarios/") for name in files)
    assert any(name.startswith(f"{MODULE}/") for name in files)
    for name, line in found:
        assert "workers" in (editor.folder / name).read_text("utf-8").splitlines()[line - 1]


def test_symbols_of_a_document(editor):
    rules = {symbol.name: symbol for symbol in editor.symbols(power(editor))}["rules"]

    inner = {symbol.name: symbol for symbol in rules.children}
    assert "power_up(worker w)" in inner
    assert {step.name for step in inner["ascend(worker w)"].children} >= {"avenue", "die"}


def test_symbols_of_the_workspace(editor):
    found = {(symbol.name, symbol.container_name) for symbol in editor.search("ascen")}

    assert ("ascend(worker w)", "city_of_gods") in found


def test_formatting_puts_blanks_right(editor):
    path = power(editor)
    editor.type(path, LINE, "set w.power to w.power+1")

    edits = editor.format(path)

    assert LINE in edits[0].new_text


# ---- renaming


@pytest.mark.parametrize(
    ("word", "plus", "name", "reason"),
    [
        pytest.param("ascend(worker w)", 1, "gain", "word of the language", id="to a word of the language"),
        pytest.param("ascend(worker w)", 1, "power_any", "already the name", id="to a name that is taken"),
        pytest.param("ascend(worker w)", 1, "Ascend", "is no id", id="to something that is no id"),
        pytest.param("me and w.power", 1, "mine", "word of the language", id="of a word of the language"),
        pytest.param("gain 5 cocoa", 8, "w", "the variable 'w' hides", id="to a name that a variable has somewhere"),
        pytest.param("set w.power", 4, "worker", "already the name", id="of a variable, to a kind"),
    ],
)  # fmt: skip
def test_renaming_is_refused(editor, word, plus, name, reason):
    path = power(editor)

    with pytest.raises(JsonRpcException, match=reason):
        editor.rename(path, word, name, plus)


def test_renaming_is_refused_while_there_are_errors(editor):
    path = power(editor)
    editor.type(path, "power_up(w)\n  power_any", "power_upp(w)\n  power_any")

    with pytest.raises(JsonRpcException, match="has errors"):
        editor.rename(path, "ascend(worker w)", "rise")


# ---- problems in scenarios

RISING = "scenarios/ascension.yaml"


def rising(editor: Editor) -> Path:
    path = editor.folder / "city_of_gods" / RISING
    return path if path in editor.texts else editor.open(f"city_of_gods/{RISING}")


@pytest.mark.parametrize(
    ("old", "new", "expected", "words"),
    [
        pytest.param("set die_4.power to 3", "set die_4.powr to 3", ("P0201", 48, 95, 99), "'power'", id="field"),
        pytest.param(
            "text: At the dark disc",
            "with: [first_gam]\n    text: At the dark disc",
            ("P0613", 69, 12, 21),
            "'first_game'",
            id="module",
        ),
    ],
)
def test_mistake_in_a_scenario_is_reported_while_typing(editor, old, new, expected, words):
    path = rising(editor)
    assert editor.told[path] == []

    problems = editor.type(path, old, new)

    assert shown(problems) == [expected]
    assert f"did you mean {words}?" in problems[0].message
    assert editor.type(path, new, old) == []


def test_scenarios_follow_a_rule_that_gets_another_name(editor):
    """The file of the rule is answered first, and the files of scenarios that name it follow by themselves."""
    path, scenarios = power(editor), rising(editor)
    before = editor.texts[path]
    editor.told.pop(scenarios)

    assert editor.type(path, before, before.replace("power_up(", "strengthen(")) == []
    problems = editor.follow(scenarios)

    assert {str(p.code) for p in problems} == {"P0201"}
    assert len(problems) == editor.texts[scenarios].count("power_up(")
    editor.told.pop(scenarios)
    editor.type(path, editor.texts[path], before)
    assert editor.follow(scenarios) == []


def test_scenarios_of_a_module_are_checked_with_what_they_ask_for(editor):
    path = editor.open(f"{MODULE}/scenarios/tiles.yaml")
    assert editor.told[path] == []

    problems = editor.type(path, "royals(palace_left):", "royals(palace_lft):")

    assert [str(p.code) for p in problems] == ["P0201"]


# ---- speed


def test_speed_of_checking_after_an_edit(editor, capsys):
    """Reported, not asserted: from a change to its problems, in the largest pack."""
    path = power(editor)
    times = []
    old, new = "w.power + 1", "w.power + one"
    for _ in range(6):
        start = time.perf_counter()
        editor.type(path, old, new)
        old, new = new, old
        times.append(1000 * (time.perf_counter() - start))
    with capsys.disabled():
        print(f"\n  didChange to publishDiagnostics: {', '.join(f'{ms:.0f}' for ms in times)} ms")
    assert len(times) == 6


# ---- renaming for good: a server of its own


@pytest.fixture(scope="module")
def renamed(tmp_path_factory: pytest.TempPathFactory, cache: Path) -> Iterator[Editor]:
    folder = tmp_path_factory.mktemp("renamed")
    for name in ("city_of_gods", MODULE):
        shutil.copytree(CONTENT / name, folder / name)
    for file in sorted((folder / "city_of_gods/scenarios").iterdir()):
        if file.stem not in ("ascension", "movement"):
            file.unlink()
    editor = Editor(folder, cache)
    yield editor
    editor.close()


def test_renamed_things_leave_a_valid_pack(renamed, monkeypatch):
    """One of each sort, in turn; afterwards nothing has its old name, and nothing is wrong."""
    path = renamed.open(f"city_of_gods/{POWER}")
    names = (
        ("ascend(worker w)", "rise", 1),
        ("w.power to", "strength_of_it", 2),
        ("workers(space) where", "crew", 1),
        ("worker w", "cube", 1),
        ("gain 5 cocoa", "bean", 8),  # a counter: in rules, facts, costs, groups, panels, scenarios and a module
    )
    for word, name, plus in names:
        places = renamed.rename(path, word, name, plus)
        assert sum(places.values()) >= 2
        renamed.client.text_document_did_close(lsp.DidCloseTextDocumentParams(renamed.document(path)))
        renamed.texts.pop(path)
        path = renamed.open(f"city_of_gods/{POWER}")
        assert renamed.told[path] == []

    monkeypatch.setenv("PATOLLI_PATH", str(renamed.folder))
    ruleset, problems = inspect(str(renamed.folder / "city_of_gods"), [str(renamed.folder / MODULE)])
    assert [p for p in problems if p.severity == "error"] == []
    assert ruleset is not None
    assert "rise" in ruleset.model.rules
    assert "ascend" not in ruleset.model.names
    assert "crew" in ruleset.model.places
    assert "bean" in ruleset.model.counters
    found = run_scenarios(Plan((str(renamed.folder / "city_of_gods"),)))
    assert found.outcomes
    assert [outcome for outcome in found.outcomes if not outcome.passed] == []
