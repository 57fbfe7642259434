"""Who plays a pack reads none of its scenarios; who checks it reads them all."""

from __future__ import annotations

import gc
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packmaker import SAMPLE

import patolli
from patolli.author.workspace import check_packs
from patolli.language.packs.manifest import Kept, understand
from patolli.language.sources.documents import holds_scenarios


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        pytest.param("document: scenarios\nscenarios: {}\n", True, id="the first line"),
        pytest.param("# A comment\n\n  # another\ndocument: scenarios  # here\nscenarios: {}\n", True, id="comments"),
        pytest.param("\ufeffdocument: scenarios\r\nscenarios: {}\r\n", True, id="a mark of the order of bytes, CR LF"),
        pytest.param("document:   scenarios \n# nothing\nscenarios: {}\n", True, id="blanks"),
        pytest.param("document: scenarios\n  and more\nscenarios: {}\n", False, id="goes on in the next line"),
        pytest.param("document: scenarios\n\n  and more\nscenarios: {}\n", False, id="goes on further down"),
        pytest.param("document: scenarios#x\nscenarios: {}\n", False, id="no comment"),
        pytest.param("document: rules\nrules: {}\n", False, id="rules"),
        pytest.param('{"a": "\ndocument: scenarios\n"}\n', False, id="inside something else"),
    ],
)
def test_what_begins_as_scenarios_is_one(text: str, holds: bool) -> None:
    assert holds_scenarios(text) is holds
    if holds:
        assert understand(text, "a.yaml")[1] == "scenarios"


def test_every_shipped_file_of_scenarios_is_reported_by_its_beginning() -> None:
    files = sorted(Path(__file__).parents[2].joinpath("content").rglob("*.yaml"))
    for file in files:
        text = file.read_text("utf-8")
        assert holds_scenarios(text) is (understand(text, str(file))[1] == "scenarios"), file


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("document: scenarios\nscenarios:\n  one: {then: 'this is ((no expression'}\n", id="an expression"),
        pytest.param("document: scenarios\nscenarios: [no, mapping\n", id="no YAML"),
        pytest.param("document: scenarios\nscenarios: {one: {thus: 1}}\n", id="a key"),
    ],
)
def test_broken_scenarios_do_not_prevent_playing(tmp_path: Path, text: str) -> None:
    pack = tmp_path / "sample"
    shutil.copytree(SAMPLE, pack)
    (pack / "wrong.yaml").write_text(text)
    assert patolli.load(pack).start().pending is not None
    told = {Path(problem.span.path).name for problem in check_packs((str(pack),), remember=False).problems}
    assert told == {"wrong.yaml"}


def test_only_scenarios_are_left_out() -> None:
    whole, played = Kept().pack("city_of_gods"), Kept(tests=False).pack("city_of_gods")
    assert {document.kind for document in whole.documents if document not in played.documents} == {"scenarios"}
    assert whole.hashes == played.hashes


def test_garbage_is_looked_for_as_before() -> None:
    assert gc.isenabled()
    patolli.load("tic_tac_toe").start()
    assert gc.isenabled()
    gc.disable()
    try:
        patolli.load("tic_tac_toe")
        assert not gc.isenabled()
    finally:
        gc.enable()


LEAVING = """
import gc, sys
from patolli.cli.main import main
class Circle:
    def __init__(self):
        self.me = self
    def __del__(self):
        print("looked for garbage")
gc.disable()
kept = Circle()
{before}
del kept
"""


@pytest.mark.parametrize("command", [True, False])
def test_a_command_ends_without_a_look_for_garbage(command: bool) -> None:
    before = 'main(["--version"], standalone_mode=False)' if command else ""
    done = subprocess.run(
        [sys.executable, "-c", LEAVING.format(before=before)], capture_output=True, text=True, check=True
    )
    assert ("looked for garbage" in done.stdout) is not command
