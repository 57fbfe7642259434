"""What the repository offers to authors of packs: the hooks for pre-commit, and the steps of the action."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML
from tiers import few

ROOT = Path(__file__).parents[2]
HOOKS = YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")
ACTION = YAML(typ="safe").load(ROOT / "action.yml")
STEPS = [step for step in ACTION["runs"]["steps"] if "run" in step and "pip install" not in step["run"]]
MISTAKE = ("gain 1", "gain one")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Variables with which ``patolli`` is a command, and a new pack in the folder."""
    command = tmp_path / "bin" / "patolli"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m patolli "$@"\n', "utf-8")
    command.chmod(0o755)
    found = {**os.environ, "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": f"{ROOT}/engine"}
    found["XDG_DATA_HOME"] = str(tmp_path)
    subprocess.run(["patolli", "new", "pack", "small"], cwd=tmp_path, env=found, check=True, capture_output=True)
    return found


def spoil(pack: Path) -> None:
    rules = pack / "rules.yaml"
    text = rules.read_text("utf-8")
    assert MISTAKE[0] in text
    rules.write_text(text.replace(*MISTAKE, 1), "utf-8")


def hook_status(hook: dict[str, object], pack: Path, environment: dict[str, str]) -> int:
    """Run a hook as pre-commit does: its arguments, then the files that it asks for."""
    command = [*shlex.split(str(hook["entry"])), *hook.get("args", [])]
    if hook["id"] == "patolli-test":  # a new pack has demands for which it searches as long as it may
        command += ["--search", "1000"]
    if hook.get("pass_filenames", True):
        command += sorted(str(file.relative_to(pack)) for file in pack.rglob("*.yaml"))
    return subprocess.run(command, cwd=pack, env=environment, capture_output=True).returncode


@pytest.mark.parametrize("hook", few(HOOKS, 0), ids=[hook["id"] for hook in HOOKS])
def test_hook(tmp_path, environment, hook):
    assert hook_status(hook, tmp_path / "small", environment) == 0
    if hook["id"] != "patolli-fmt":  # style is not broken by a wrong name
        spoil(tmp_path / "small")
        assert hook_status(hook, tmp_path / "small", environment) == 1


def test_hook_for_style_writes(tmp_path, environment):
    rules = tmp_path / "small" / "rules.yaml"
    before = rules.read_text("utf-8")
    rules.write_text(before.replace("gain 1", "gain  1", 1), "utf-8")

    hook_status(next(hook for hook in HOOKS if hook["id"] == "patolli-fmt"), tmp_path / "small", environment)

    assert rules.read_text("utf-8") == before


def step_status(step: dict[str, object], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Run the script of a step as the action does, with the inputs as they are unless the pack is named."""
    inputs = {name: str(entry["default"]) for name, entry in ACTION["inputs"].items()} | {"packs": "small"}
    inputs |= {"regress": "balance.yaml", "against": "HEAD"}
    own = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda found: inputs[found[1]], str(value))
        for name, value in dict(step.get("env", {})).items()
    }
    script = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", str(step["run"])]
    done = subprocess.run(script, cwd=folder, env={**environment, **own}, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.deep
def test_steps_of_the_action(tmp_path, environment):
    assert [step["name"] for step in STEPS[:3]] == ["Validate", "Run the scenarios", "Check the style"]
    for step in STEPS[:3]:
        status, said = step_status(step, tmp_path, environment)
        assert status == 0, said

    spoil(tmp_path / "small")
    status, said = step_status(STEPS[0], tmp_path, environment)
    assert status == 1
    assert said.startswith("::error file=small/rules.yaml,line=")


@pytest.mark.deep
def test_step_of_the_action_for_balance(tmp_path, environment):
    (tmp_path / "balance.yaml").write_text("pack: small\ngames: 300\nseed: 1\nallow: {branching: +- 0.1}\n", "utf-8")
    for words in (
        ["init", "-q"],
        ["add", "small"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    environment |= {"RUNNER_TEMP": str(tmp_path)}
    same = step_status(STEPS[3], tmp_path, environment)
    rules = tmp_path / "small" / "rules.yaml"
    rules.write_text(rules.read_text("utf-8").replace("gain 1", "gain 9"), "utf-8")
    moved = step_status(STEPS[3], tmp_path, environment)

    assert same[0] == 0, same[1]
    assert moved[0] == 1, moved[1]
    assert "MOVED      branching" in moved[1]
