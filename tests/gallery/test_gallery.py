"""The games of the gallery: found by their names, strictly valid, and short."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from patolli.cli.main import main
from patolli.language.packs.discovery import find_content_folder, installed, list_bundled, packs_in

GALLERY = {folder.name: folder for folder in packs_in(find_content_folder() / "gallery")}


def test_games_are_found_by_name():
    assert GALLERY
    assert {name: installed().get(name) for name in GALLERY} == GALLERY
    assert GALLERY.items() <= list_bundled().items()


@pytest.mark.parametrize("name", GALLERY)
def test_game_has_no_finding(name):
    result = CliRunner().invoke(main, ["validate", name, "--strict"])

    assert (result.exit_code, result.output) == (0, f"{name}: no problems\n")


@pytest.mark.parametrize("name", GALLERY)
def test_game_is_short_and_complete(name):
    folder = GALLERY[name]
    files = [file for file in folder.rglob("*.yaml") if "scenarios" not in file.relative_to(folder).parts]

    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) <= 350
    assert {"pack.yaml", "panels.yaml"} <= {file.name for file in files}
    assert list((folder / "scenarios").glob("*.yaml"))
