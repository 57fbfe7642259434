"""``patolli show`` and ``patolli explain``, and what the group of commands does by itself."""

from __future__ import annotations

import json
from shutil import copytree

import pytest

import patolli
from patolli.cli.main import COMMANDS
from patolli.language.diagnostics.codes import CODES
from patolli.language.packs.discovery import find_content_folder


def test_overview_lists_what_there_is(run):
    result = run("show", "patolli")

    assert result.exit_code == 0
    assert "Patolli (patolli 1.0.0), 2 to 4 players" in result.stdout
    assert "52 square" in result.stdout
    assert "stake = 6 (1 to 12)" in result.stdout


def test_json_counts_components(run):
    data = json.loads(run("show", "connect_four", "--format", "json").stdout)

    assert data["components"] == {"shaft": 7, "cell": 42}
    assert data["players"] == {"min": 2, "max": 2}
    assert "match" in data["rules"]


def test_entry_is_shown_as_it_is_written(run, purse):
    result = run("show", purse, "match")

    assert "declared at" in result.stdout
    assert "rules.yaml:3 by purse" in result.stdout
    assert 'choose n in 1..3 "How many?"' in result.stdout


def test_code_is_shown_with_its_lines(run):
    page = run("show", "tic_tac_toe", "has_line", "--code", "python").stdout

    assert (
        "content/tic_tac_toe/rules.yaml:5: is: any(line in lines(cell, 3) where all(c.mark == me for c in line))"
        in page
    )
    assert "def f_has_line(s, v_me, v_cell):" in page
    assert page.count("def ") == 2  # it, and what it asks of each line


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("match", "x"), "unexpected extra argument", id="more than an id"),
        pytest.param((), "Name a rule or function after the pack", id="no id"),
        pytest.param(("cell",), "there is no rule or function 'cell'", id="no rule"),
    ],
)
def test_code_of_nothing(run, words, said):
    result = run("show", "tic_tac_toe", *words, "--code", "python")

    assert result.exit_code == 2
    assert said in result.stderr


def test_copy_of_a_piece_is_found(run):
    assert "sq, a piece of the kind square" in run("show", "patolli", "sq_7").stdout


def test_unknown_entry(run):
    result = run("show", "patolli", "runer")

    assert result.exit_code == 2
    assert "did you mean 'runner'?" in result.stderr


def test_assumptions_are_listed_with_their_place(run, purse):
    text = run("show", purse, "--assumptions").stdout
    data = json.loads(run("show", purse, "--assumptions", "--format", "json").stdout)

    assert "model.yaml:3: counters/coin: Coins" in text
    assert text.endswith("1 assumptions\n")
    assert data["assumptions"][0]["source"] == "assumed"


def test_assumptions_of_a_module_are_listed_once(run, purse, tmp_path):
    module = tmp_path / "rich"
    module.mkdir()
    head = "document: pack\nid: rich\nversion: 1.0.0\nlanguage: 1\ntitle: R\nauthors: [x]\ntext: x\nrequires: {purse: '>=1.0'}\n"
    (module / "pack.yaml").write_text(head)
    change = "  - extend: counters/coin\n    with: {max: 9}\n    text: Nine at most.\n    source: 'assumed, for the box is small'\n"
    (module / "changes.yaml").write_text(f"document: patch\nchange:\n{change}")

    text = run("show", purse, "--with", module, "--assumptions").stdout

    assert "changes.yaml:6: counters/coin: Nine at most. (assumed, for the box is small)" in text
    assert text.endswith("2 assumptions\n")


def test_assumption_inside_an_entry_has_its_own_words(run, purse):
    plots = "grids:\n  plot:\n    rows: 1\n    columns: 2\n    text: A field.\n    facts:\n      ground:\n        type: bool\n"
    words = '        map: [".#"]\n        legend: {".": true, "#": false}\n        text: Where it is wet.\n        source: "assumed: the picture is missing"\n'
    (purse / "field.yaml").write_text(f"document: model\n{plots}{words}")

    text = run("show", purse, "--assumptions").stdout

    assert "grids/plot: Where it is wet. (assumed: the picture is missing)" in text


def test_assumptions_of_founders_are_what_its_rulebook_leaves_open(run):
    listed = json.loads(run("show", "founders", "--assumptions", "--format", "json").stdout)["assumptions"]
    ids = [one["id"] for one in listed]

    assert all(one["source"].startswith("assumed") and ": " in one["source"] and one["text"] for one in listed)
    shapes = {f"{one}_shape" for one in "wood_3 stone_3 gold_3 stone_4 gold_4 green blue red".split()}
    city = {"plain_rewards", "uneven_rewards", "drawn_cell", "mask_symbol", "mask_values", "mask_players"}
    assert shapes | city | {"worship_colours", "build_disks"} <= set(ids)
    told = " ".join(one["text"] for one in listed if one["id"] == "city")
    assert all(words in told for words in ("12 x 12 cells", "quarters", "side A", "side B"))
    assert not [id_ for id_ in ids if id_.startswith("bonus_") or id_ in {f"w{n}" for n in range(1, 19)}]


def test_what_was_decided_of_city_of_gods_is_listed_with_its_reason(run):
    listed = json.loads(run("show", "city_of_gods", "--assumptions", "--format", "json").stdout)["assumptions"]
    why = {one["id"]: one["source"] for one in listed}

    assert "before its power-ups" in why["carry_out"]
    assert "from the end of the turn" in why["owns"]
    assert "worth 5" in why["centre_row"]
    assert "while no marker has left the start" in why["score_leaders"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param("extra_worker", "One more worker in the main action of Alchemy, Nobles or Construction.", id="extra worker"),
        pytest.param("action_alchemy --with solo", "its weakest worker grows stronger twice", id="alchemy of the bot"),
    ],
)  # fmt: skip
def test_texts_name_what_they_are_about(run, words, told):
    assert told in run("show", "city_of_gods", *words.split()).stdout


@pytest.mark.deep
@pytest.mark.parametrize(
    "modules", ["", "solo mansion altars empire bot_movement", "increased_workforce mansion first_game", "draft"]
)
def test_every_assumption_has_its_reason(run, modules):
    packs = [("city_of_gods", modules), ("founders", "")]
    for pack, names in packs:
        chosen = [word for name in names.split() for word in ("--with", name)]
        listed = json.loads(run("show", pack, *chosen, "--assumptions", "--format", "json").stdout)["assumptions"]
        rules = [one for one in listed if one["section"] != "scenarios"]

        assert len(rules) > 5
        assert [one["where"] for one in rules if len(one["source"]) < len("assumed: so it is")] == []


def test_layers_name_the_triggers_of_other_packs(run):
    lines = run("show", "city_of_gods", "advance", "--with", "mansion", "--layers").stdout.splitlines()

    told = [line.partition(" at ") for line in lines if line[:2] in ("1.", "2.", "3.")]
    assert [(said, place.rpartition("content/")[2].rpartition(":")[0]) for said, _, place in told] == [
        ("1. city_of_gods: wrote it", "city_of_gods/rules/worship.yaml"),
        ("2. mansion: follows it with triggers/ownership", "mansion/rules.yaml"),
    ]


def test_layers_tell_who_wrote(run):
    assert run("show", "tic_tac_toe", "--layers").stdout.startswith("1. tic_tac_toe 1.0.0 wrote ")


def test_matrix_of_a_module_names_its_base(run):
    result = run("show", "obsidian", "--matrix")

    assert result.exit_code == 2
    assert "'patolli show city_of_gods --matrix'" in result.stderr


@pytest.mark.parametrize("code", ["P0003", "p0501"])
def test_explain(run, code):
    assert run("explain", code).stdout.startswith(f"{code.upper()}: {CODES[code.upper()].title}")


@pytest.mark.parametrize("words", [("budget",), ("step", "budget"), ("Step", "budg")])
def test_explain_finds_codes_by_words(run, words):
    listed = run("explain", *words).stdout.splitlines()

    assert listed[:-1] == [f"{code}  {CODES[code].title}" for code in ("P0419", "P0801")]
    assert listed[-1] == "'patolli explain CODE' explains each"


def test_explain_explains_the_only_one_that_has_the_words(run):
    assert run("explain", "step", "budget", "needs").stdout.startswith("P0801: ")


def test_explain_lists_no_more_than_can_be_read(run):
    listed = run("explain", "a").stdout.splitlines()

    assert len(listed) == 13
    assert listed[-1].endswith("more, for which you need more words")


def test_explain_words_of_which_nothing_speaks(run):
    result = run("explain", "zebra")

    assert result.exit_code == 2
    assert "no problem page contains it" in result.stderr


def test_explain_unknown_code(run):
    assert run("explain", "P9999").exit_code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run, command):
    assert run(command, "--help").exit_code == 0


def test_unknown_command_names_the_nearest(run):
    result = run("simulat")

    assert result.exit_code == 2
    assert "did you mean 'simulate'?" in result.stderr


def test_version(run):
    assert run("--version").stdout == f"patolli {patolli.__version__}\n"


def test_promises_are_listed_with_their_places(run, purse):
    manifest = (purse / "pack.yaml").read_text("utf-8").replace("language: 1\nproofs: full", "language: 3")
    (purse / "pack.yaml").write_text(manifest, "utf-8")
    rules = (purse / "rules.yaml").read_text("utf-8")
    lines = 'gain n coin\n        expect coin > 1 - n "coins grow"\n        expect coin < 99'
    (purse / "rules.yaml").write_text(rules.replace("gain n coin", lines), "utf-8")

    page = run("show", purse, "--promises").stdout
    assert "rules.yaml:9: rules/match: coins grow" in page
    assert "rules.yaml:10: rules/match: your coins are less than 99" in page
    assert page.endswith("2 promises\n")
    data = json.loads(run("show", purse, "--promises", "--format", "json").stdout)
    assert [one["id"] for one in data["promises"]] == ["match", "match"]


def test_every_entry_of_a_name_is_shown(run, tmp_path):
    """An invariant and a panel may have the same id."""
    pack = str(copytree(find_content_folder() / "tic_tac_toe", tmp_path / "tic_tac_toe"))
    more = "document: rules\ninvariants: {board: {always: true, text: A board.}}\n"
    (tmp_path / "tic_tac_toe/more.yaml").write_text(more, "utf-8")
    many = run("show", pack, "board").stdout
    data = json.loads(run("show", pack, "board", "--format", "json").stdout)

    assert [line for line in many.splitlines() if line.startswith("board, in")] == [
        "board, in invariants",
        "board, in panels",
    ]
    assert [one["section"] for one in data["entries"]] == ["invariants", "panels"]
    assert "board, in panels" not in run("show", pack, "invariants/board").stdout
