"""The guides are carried out on the game of the tutorial, as they stand."""

from __future__ import annotations

import re
import shlex
import shutil
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner
from tutorial import BLOCK, PAGE, edit

from patolli.cli.main import main

GUIDES = Path(__file__).parents[2] / "docs" / "how-to"
FENCE = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^ {4,}patolli (.+)$|`patolli ((?:pack|new|play|show|validate|test|fmt) [^`]*)`", re.MULTILINE)


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which a reader of the tutorial ends, with the game in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    Path("lanterns/scenarios").mkdir(parents=True)
    for language, name, text in BLOCK.findall(PAGE.read_text("utf-8")):
        if language == "diff":
            edit(Path(name), text)
        elif name:
            Path(name).write_text(text, "utf-8")
    return tmp_path


def blocks(guide: str, language: str = "yaml") -> list[str]:
    """The blocks of a guide, without the indentation of the list they stand in."""
    found = FENCE.findall((GUIDES / guide).read_text("utf-8"))
    return [textwrap.dedent(text) for _, name, text in found if name == language]


def commands(guide: str) -> list[str]:
    """The commands of a guide, those with a placeholder left out."""
    found = [one or two for one, two in COMMAND.findall((GUIDES / guide).read_text("utf-8"))]
    return [command for command in found if "PACK" not in command and "MODULE" not in command]


def run(command: str, expected: int = 0) -> str:
    """Carry out a command in a pipe; games are played by the program."""
    arguments = command.split()
    if arguments[0] == "play":
        arguments += ["--seat", "1=random", "--seat", "2=random", "--seed", "1"]
    if arguments[0] == "simulate":
        arguments = [a if not a.isdigit() or int(a) < 100 else "20" for a in arguments] + ["--jobs", "1"]
    if arguments == ["test", "--format", "junit"]:
        arguments.append("my_game")  # without a name: all packs that are installed, which takes a minute
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == expected, f"$ patolli {command}\n{done.output}"
    return done.output


def test_write_a_module(game):
    first, *rest = commands("write-a-module.md")
    assert "not on the search path" not in run(first)
    for command in rest:
        run(command)

    manifest, *documents = blocks("write-a-module.md")
    for file in Path("bazaar").rglob("*.yaml"):
        file.unlink()
    Path("bazaar/pack.yaml").write_text(manifest, "utf-8")
    for number, document in enumerate(documents):
        Path(f"bazaar/part_{number}.yaml").write_text(document, "utf-8")
    run("validate bazaar --strict")
    for command in rest:
        run(command)
    assert "dragon" in run("show lanterns dragon --with bazaar")


def test_patch_a_rule(game):
    run("new module begging --for lanterns")
    for file in Path("begging").rglob("*.yaml"):
        if file.name != "pack.yaml":
            file.unlink()
    (example,) = blocks("patch-a-rule.md")
    rows = re.findall(r"^\| .* \| `(- [^`]*)` \|$", (GUIDES / "patch-a-rule.md").read_text("utf-8"), re.MULTILINE)
    known = [row for row in rows if not re.search(r"functions/|groups/", row)]  # the game has neither
    assert len(known) >= 4
    Path("begging/changes.yaml").write_text(example + "".join(f"  {row}\n" for row in known), "utf-8")

    found = run("validate begging", expected=1)
    assert re.findall(r"error\[(P\d+)\]", found) == ["P0410"], found  # a piece less than the list of components says
    manifest = Path("begging/pack.yaml")
    manifest.write_text(manifest.read_text("utf-8") + "components: {lantern: -2}\n", "utf-8")
    run("validate begging")
    run("simulate lanterns --with begging --games 5")
    assert "5 coin" in run("show lanterns golden --with begging")


def test_add_a_piece(game):
    file, manifest, model = (Path("lanterns") / name for name in ("lanterns.yaml", "pack.yaml", "model.yaml"))
    whole, trader, *_, fact = blocks("add-a-piece.md")
    line = next(line for line in whole.splitlines() if "lucky:" in line)
    file.write_text(f"{file.read_text('utf-8')}{line}\n{textwrap.indent(trader, '  ')}", "utf-8")

    assert "P0410" in run("validate lanterns", expected=1)
    manifest.write_text(manifest.read_text("utf-8").replace("lantern: 15", "lantern: 18"), "utf-8")
    run("validate lanterns --strict")
    facts = re.search(r"facts: .*(?=})", fact)
    assert facts is not None
    model.write_text(re.sub(r"facts: .*", facts[0], model.read_text("utf-8")), "utf-8")
    run("validate lanterns")
    run("simulate lanterns --games 5")


def test_change_a_board(game):
    squares, printed, kinds, fields, track, points = blocks("change-a-board.md")
    parts = {"squares": squares, "printed": printed, "kinds": kinds, "fields": fields, "track": track, "points": points}
    for name, text in parts.items():
        section = "" if text.startswith("document:") else f"document: {'rules' if name == 'points' else 'model'}\n"
        Path(f"lanterns/{name}.yaml").write_text(section + text, "utf-8")
    Path("lanterns/scenarios/boards.yaml").write_text(
        "document: scenarios\nscenarios:\n"
        "  squares: {then: [size(cell) == 64, h8.row == 7, h8.column == 7, 'size(lines(a1, 8)) == 3']}\n"
        "  printed: {then: {plot_a1.soil: rich, plot_c1.soil: none, plot_c2.soil: barren}}\n"
        "  fields: {given: do field_1.reward; move pawn_1 to pawns(field_2), then: {coin: 1, size(pawns(field_2)): 1}}\n"
        "  track: {given: gain 12 way, then: {way: 9, track_points(me): 45}}\n",
        "utf-8",
    )
    walk = "document: rules\nrules:\n  walk: gain 1 way\n"  # otherwise everybody stays on the first step
    Path("lanterns/walk.yaml").write_text(walk, "utf-8")
    run("validate lanterns")
    run("test lanterns")

    def change(name: str, old: str, new: str) -> None:
        file = Path(f"lanterns/{name}.yaml")
        assert old in file.read_text("utf-8")
        file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")

    change("track", ", 45]", "]")
    assert "points.yaml:3:37: open[P0415]" in run("validate lanterns --open")
    change("points", "step_points[way(player)]", "step_points[min(8, way(player))]")
    assert "expected track_points(me) to be 45, found 36" in run("test lanterns", expected=1)
    change("squares", "rows: 8", "rows: 7")
    gone = run("test lanterns", expected=1)
    assert re.search(r"boards\.yaml:3:\d+: error\[P0201\]: .*'h8'", gone), gone
    change("printed", '"rr."', '"rr"')
    assert "printed.yaml:10:42: error[P0206]" in run("validate lanterns", expected=1)


def test_write_scenarios(game):
    (text,) = blocks("write-scenarios.md")
    file = Path("lanterns/scenarios/stall.yaml")
    file.write_text(text, "utf-8")
    assert "5 scenarios: all passed" in run("test lanterns")

    file.write_text(text.replace("{coin: 5,", "{coin: 6,").replace("[purse_1]}", "[]}"), "utf-8")
    assert "expected coin to be 6, found 5" in run("test lanterns", expected=1)
    asked = [shlex.split(command) for command in commands("write-scenarios.md")]
    assert len(asked) == 4
    for command in asked:
        done = CliRunner().invoke(main, command)
        assert done.exit_code == (1 if "-k" in command else 0), f"$ patolli {command}\n{done.output}"
    assert file.read_text("utf-8") == text
    assert Path("results.xml").exists()
    assert any("rules" in page.name for page in Path("pages").iterdir())

    file.write_text(text.replace("winners: [player_2]", "winners: [player_1]"), "utf-8")
    assert "last_round" in run("test lanterns", expected=1)


def test_read_a_validation_report(game):
    report, *_ = blocks("read-a-validation-report.md", "text")
    rules = Path("lanterns/rules.yaml")
    rules.write_text(rules.read_text("utf-8").replace("gain 2 coin for p", "gain 2 cion for p"), "utf-8")

    assert run("validate lanterns", expected=1).startswith(report)
    run("explain P0201")


def test_allow_a_warning(game):
    (comments,) = blocks("read-a-validation-report.md")
    extra = Path("lanterns/extra.yaml")
    extra.write_text(f"document: rules\n{comments}", "utf-8")
    assert run("validate lanterns --strict") == "lanterns: no problems (2 allowed by comments)\n"

    extra.write_text("document: rules\n" + re.sub(r" *# patolli.*", "", comments), "utf-8")
    assert run("validate lanterns --strict", expected=1).count("warning[P0430]") == 2


def test_play_at_a_terminal(game):
    (console,) = blocks("play-at-a-terminal.md", "console")
    command, first, *_ = console.splitlines()
    typed, call = re.fullmatch(r"\$ printf '(.*)' \| patolli (.*)", command).groups()
    done = CliRunner().invoke(main, call.split(), input=typed.replace("\\n", "\n"))
    assert done.exit_code == 0, done.output
    assert done.output.startswith(first + "\n")
    assert "You: b2" in done.output


def test_what_can_be_typed_at_a_terminal_is_on_its_page():
    from patolli.play.terminal.files import OFFER
    from patolli.play.terminal.prompt import COMMANDS

    page = (GUIDES / "play-at-a-terminal.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"`{name}`" not in page and f"`{name} " not in page] == []
    assert " ".join(OFFER.split()) in " ".join(page.split())


@pytest.mark.deep
@pytest.mark.parametrize("guide", ["publish-a-pack.md", "run-in-ci.md"])
def test_commands_for_a_finished_game(game, guide):
    run("new pack my_game")
    manifest = Path("my_game/pack.yaml")
    for version in ("1.2.0", "1.3.0"):
        manifest.write_text(re.sub(r"version: .*", f"version: {version}", manifest.read_text("utf-8")), "utf-8")
        run(f"pack build my_game --out my_game-{version}.zip")
    for module in ("fever", "tonic"):
        run(f"new module {module} --for my_game --in mods")
    run("pack build mods/tonic --out mods/tonic.zip")
    Path("my_index").mkdir()
    shutil.copy("my_game-1.2.0.zip", "my_index")

    asked = commands(guide)
    assert len(asked) >= 4
    for command in asked:  # a new pack has demands for which `test` searches as long as it may
        run(f"{command} --search 1000" if command.startswith("test my_game") else command)
