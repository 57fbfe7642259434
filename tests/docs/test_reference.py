"""The pages that are made from the source are up to date, and the examples on them are true."""

from __future__ import annotations

import json
import shutil
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from patolli.cli.main import COMMANDS, main
from patolli.language.diagnostics.codes import CODES
from patolli.language.program.builtins import BUILTINS

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "sample"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """Load the program that writes the pages."""
    spec = spec_from_file_location("generate_docs", ROOT / "tools" / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.deep
def test_pages_are_up_to_date(generate: ModuleType) -> None:
    assert generate.stale() == [], "run: python tools/docs/generate.py"


def test_every_function_code_and_command_is_on_its_page(generate: ModuleType) -> None:
    functions, problems, commands = generate.builtins(), generate.errors(), generate.cli()
    assert [name for name in BUILTINS if f"## {name}\n" not in functions] == []
    assert [code for code in CODES if f"### {code}: " not in problems] == []
    assert [name for name in COMMANDS if f"## patolli {name}\n" not in commands] == []


def test_every_key_is_described_with_an_example(generate: ModuleType) -> None:
    rows = [line for line in generate.documents().splitlines() if line.startswith("| `")]
    assert len(rows) > 100
    assert [row for row in rows if "|  |" in row] == []


def test_keys_of_every_way_to_show_a_panel_are_described(generate: ModuleType) -> None:
    ways = json.loads((ROOT / "schemas" / "panels.json").read_text("utf-8"))["$defs"]["panel"]
    sections = generate.documents().split("\n**`shows: ")[1:]
    names = ways["properties"]["shows"]["enum"]
    assert sorted(section.partition("`")[0] for section in sections) == sorted(names)
    for way in ways["allOf"]:
        name = way["if"]["properties"]["shows"]["const"]
        (section,) = (section for section in sections if section.startswith(f"{name}`"))
        assert [key for key in way["then"]["properties"] if f"| `{key}` | " not in section] == []


def test_examples_of_functions_are_true(tmp_path: Path) -> None:
    folder = tmp_path / "sample"
    shutil.copytree(SAMPLE, folder)
    scenarios = {f"of_{name}": {"then": [builtin.example]} for name, builtin in BUILTINS.items()}
    given = "move red_card_2 to hand(me); set coin to 3"
    text = json.dumps({"document": "scenarios", "given": given, "scenarios": scenarios}, indent=1)
    (folder / "examples.yaml").write_text(text, "utf-8")

    done = CliRunner().invoke(main, ["test", str(folder)])

    assert done.exit_code == 0, done.output
    assert f"{len(BUILTINS)} scenarios: all passed" in done.output
