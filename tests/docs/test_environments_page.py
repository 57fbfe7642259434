"""The pages about environments are carried out, as far as that needs no PyTorch."""

from __future__ import annotations

import re
import runpy
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
from tutorial import BLOCK, fits

from patolli import playout
from patolli.author.workspace import load
from patolli.observations import Observations

DOCS = Path(__file__).parents[2] / "docs"
REFERENCE = (DOCS / "reference" / "environments.md").read_text("utf-8")
LEARN = (DOCS / "learn" / "learn-to-play.md").read_text("utf-8")
PYTHON = {page.stem: page.read_text("utf-8") for page in sorted((DOCS / "python").glob("*.md"))}
TORCH = "from sb3_contrib import MaskablePPO"


def programs(text):
    return {name: program for language, name, program in BLOCK.findall(text) if language == "python" and name}


@pytest.mark.parametrize("text", [REFERENCE, LEARN, *PYTHON.values()], ids=["reference", "learn", *PYTHON])
def test_what_the_page_shows_is_what_happens(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = set()
    for name, program in programs(text).items():
        (tmp_path / name).write_text(program, "utf-8")
    for language, _, block in BLOCK.findall(text):
        shown = (
            re.findall(r"^\$ python (\S+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE) if language == "console" else ()
        )
        for name, output in shown:
            with redirect_stdout(StringIO()) as printed:
                runpy.run_path(name, run_name="__main__")
            assert fits(output, printed.getvalue()), f"{name}\n{printed.getvalue()}\n--- the page shows ---\n{output}"
            ran.add(name)

    assert ran == {name for name in programs(text) if name not in ("train.py", "network.py")}


def test_the_program_that_learns_measures_and_prepares():
    before, _, behind = programs(LEARN)["train.py"].partition(TORCH)
    space: dict[str, object] = {}
    with redirect_stdout(StringIO()) as printed:
        exec(compile(before, "train.py", "exec"), space)

    assert 0.3 < float(printed.getvalue().removeprefix("at random ")) < 0.7
    compile(TORCH + behind, "train.py", "exec")
    assert 'environments.gym("connect_four", seat=None, bots="random")' in behind


def test_the_bot_asks_what_was_learned(tmp_path, monkeypatch):
    class First:
        """Stands for a network: takes the first action that there is."""

        @classmethod
        def load(cls, name):
            assert name == "connect_four"
            return cls()

        def predict(self, seen, action_masks, deterministic):
            assert len(seen) == 98
            return action_masks.argmax(), None

    module = ModuleType("sb3_contrib")
    module.MaskablePPO = First
    monkeypatch.setitem(sys.modules, "sb3_contrib", module)
    (tmp_path / "network.py").write_text(programs(LEARN)["network.py"], "utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    assert playout(load("connect_four"), 2, 1, ["network:Learned", "random"]).over


@pytest.mark.deep
def test_every_field_is_on_the_page():
    named = set(re.findall(r"^\| `([a-z]+)[.`]", REFERENCE, re.MULTILINE)) | {"of"}
    for pack in ("city_of_gods", "skerry", "founders"):
        assert {one.name.partition(".")[0] for one in Observations(load(pack)).fields} <= named
