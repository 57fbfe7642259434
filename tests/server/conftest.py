"""An editor that talks to the language server, for all tests of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from lspclient import CONTENT, MODULE, Editor


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the tables of the parser, which take a second to make."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="session")
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
