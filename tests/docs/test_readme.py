"""What the README shows is what happens."""

from __future__ import annotations

import re
import shlex
import shutil
import tomllib
from pathlib import Path

import click
import pytest
import readme_hook
from click.testing import CliRunner

from patolli.cli.main import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
COMMANDS = re.findall(r"^    \.venv/bin/patolli (.+)$", README, re.MULTILINE)


def _blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


@pytest.mark.deep
def test_the_tile_and_the_report_of_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    shutil.copytree(ROOT / "content" / "city_of_gods", "content/city_of_gods")
    file = Path("content/city_of_gods/pieces/discovery.yaml")
    text = file.read_text("utf-8")
    assert _blocks("yaml")[0] in text
    file.write_text(text.replace("gain 4 cocoa, text", "gain 4 coca, text"), "utf-8")
    bad = CliRunner().invoke(main, ["validate", "content/city_of_gods"])
    assert bad.exit_code == 1
    assert _blocks("text")[0].strip() in bad.output
    assert _blocks("text")[0].strip() in (ROOT / "docs" / "index.md").read_text("utf-8")


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_is_one(line: str) -> None:
    words = shlex.split(line)
    command: click.Command | None = main
    while isinstance(command, click.Group):
        name = words.pop(0)
        command = command.get_command(click.Context(command), name)
    assert command is not None, name
    command.make_context(name, words, help_option_names=["-h", "--help"])  # click remembers the first ones it sees


@pytest.mark.deep
def test_the_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(_blocks("python")[0], "README.md", "exec"), {})
    assert re.fullmatch(r"\(.*\d.*\) \(.*\)|\[.*\d.*\] .*\n?", capsys.readouterr().out.strip())


def test_a_release_shows_the_readme_with_absolute_links() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    text = readme_hook.make_absolute(README, project["urls"]["Homepage"], project["version"])

    links = re.findall(r"\]\(([^)]+)\)", text)
    assert [link for link in links if not link.startswith("https://")] == []
    files = {link.partition(f"/v{project['version']}/")[2] for link in links if f"/v{project['version']}/" in link}
    assert len(files) > 10
    assert [name for name in files if not (ROOT / name).exists()] == []
    assert f"raw.githubusercontent.com/patolli/patolli/v{project['version']}/docs/assets/" in text
