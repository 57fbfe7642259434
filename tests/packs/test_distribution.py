"""A pack in a distribution that pip has installed, found by its entry point from another process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import patolli
from patolli.language.packs.discovery import find_content_folder

ENGINE = Path(patolli.__file__ or "").parents[1]
INFO = "tiny_game-0.3.dist-info"
FILES = {
    f"{INFO}/METADATA": "Metadata-Version: 2.1\nName: tiny-game\nVersion: 0.3\n",
    f"{INFO}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{INFO}/entry_points.txt": "[patolli.packs]\ntiny = tiny_game\n",
    "tiny_game/__init__.py": "raise AssertionError('nothing of a pack is run')\n",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Install a wheel with a pack into a folder of its own."""
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("distribution")
    wheel = folder / "tiny_game-0.3-py3-none-any.whl"
    texts = {
        f"tiny_game/{file.name}": file.read_text() for file in (find_content_folder() / "tic_tac_toe").glob("*.yaml")
    }
    texts = {name: text.replace("id: tic_tac_toe", "id: tiny") for name, text in texts.items()} | FILES
    record = "".join(f"{name},,\n" for name in (*texts, f"{INFO}/RECORD"))
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, text in {**texts, f"{INFO}/RECORD": record}.items():
            archive.writestr(name, text)
    target = folder / "site"
    options = ["--no-index", "--no-deps", "--no-compile", "--quiet", "--disable-pip-version-check"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", target, wheel], check=True)
    return target


def run(site: Path, home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ENGINE), str(site)]),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CACHE_HOME": str(home / "cache"),
    }
    env.pop("PATOLLI_PATH", None)
    command = [sys.executable, "-m", "patolli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, cwd=home, check=False)


@pytest.mark.deep
def test_it_is_listed_with_its_distribution(site, tmp_path):
    (row,) = (
        r for r in json.loads(run(site, tmp_path, "pack", "list", "--format", "json").stdout) if r["id"] == "tiny"
    )

    assert row["from"] == "distribution tiny-game 0.3"
    assert row["hidden"] is False


@pytest.mark.deep
def test_it_is_checked_and_played_by_its_id(site, tmp_path):
    checked = run(site, tmp_path, "validate", "tiny")
    played = run(site, tmp_path, "simulate", "tiny", "--players", "2", "--games", "2", "--format", "json")

    assert (checked.returncode, checked.stdout) == (0, "tiny: no problems\n")
    assert json.loads(played.stdout)["finished"] == 2


@pytest.mark.deep
def test_the_folder_of_the_user_comes_first(site, tmp_path):
    own = tmp_path / "data" / "patolli" / "packs" / "tiny"
    own.mkdir(parents=True)
    for file in (site / "tiny_game").glob("*.yaml"):
        (own / file.name).write_text(file.read_text().replace("version: 1.0.0", "version: 7.0.0"))
    rows = json.loads(run(site, tmp_path, "pack", "list", "--format", "json").stdout)
    mine = [(row["from"], row["version"], row["hidden"]) for row in rows if row["id"] == "tiny"]

    assert mine == [("user", "7.0.0", False), ("distribution tiny-game 0.3", "1.0.0", True)]
