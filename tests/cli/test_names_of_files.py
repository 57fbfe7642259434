"""Names of files that are not UTF-8, as disks of other systems have them: read like any other, and never an internal error."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from patolli.serve.lsp.convert import path_of, uri_of

FOLDER, FILE = os.fsdecode(b"p\xe9ck"), os.fsdecode(b"r\xffles.yaml")


@pytest.fixture
def odd(purse, monkeypatch):
    """A pack in a folder of such a name, with a file of such a name; the current folder is the one above it."""
    (purse / "rules.yaml").rename(purse / FILE)
    monkeypatch.chdir(purse.parent)
    return Path(purse.rename(purse.parent / FOLDER).name)


FINE = [
    ("validate", "PACK"),
    ("validate", "PACK", "--format", "json"),
    ("validate", "PACK", "--format", "sarif"),
    ("validate", "PACK", "--format", "github"),
    ("validate", "PACK", "--fix"),
    ("test", "PACK"),
    ("test", "PACK", "--junit", "OUT.xml"),
    ("fmt", "PACK"),
    ("show", "PACK"),
    ("show", "PACK", "match", "--layers"),
    ("show", "PACK", "--code", "python", "match"),
    ("simulate", "PACK", "--games", "2", "--jobs", "1", "--out", "OUT", "--games-out", "OUT.csv"),
    ("play", "PACK", "--seat", "all=random", "--save", "OUT.json"),
    ("gallery", "PACK", "--out", "OUT.html"),
    ("diff", "PACK", "PACK"),
    ("migrate", "PACK", "--write"),
    ("tournament", "PACK", "--bot", "random", "--bot", "greedy", "--games", "2", "--save", "OUT"),
]


@pytest.mark.parametrize("words", FINE, ids=" ".join)
def test_names_that_are_not_utf8_are_taken(run, odd, words):
    result = run(*(word.replace("PACK", str(odd)).replace("OUT", os.fsdecode(b"\xe9ut")) for word in words))

    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_problem_in_such_a_file_is_reported(run, odd, form):
    (odd / FILE).write_text("document: rules\nrulez: 3\n")
    result = run("validate", odd, "--format", form)

    assert result.exit_code == 1
    assert "rulez" in result.output


@pytest.mark.deep
def test_run_of_the_lab_and_its_report(run, odd):
    result = run("lab", "run", odd, "--games", "3", "--jobs", "1", "--out", f"{odd}.lab")
    assert result.exit_code == 0, result.output
    assert json.loads(Path(f"{odd}.lab", "plan.json").read_text("utf-8"))
    result = run("lab", "report", f"{odd}.lab", "--out", "report.html")
    assert result.exit_code == 0, result.output


REFUSED = [(("pack", "build", "PACK", "--out", "x.zip"), 1), (("test", "PACK", "--coverage"), 2)]


@pytest.mark.parametrize(("words", "status"), REFUSED)
def test_what_takes_no_such_name_says_so(run, odd, words, status):
    result = run(*(word.replace("PACK", str(odd)) for word in words))

    assert result.exit_code == status
    assert "UTF-8" in result.output


@pytest.mark.parametrize("name", ["/a/b c.yaml", "/a/\u00e9.yaml", f"/{FOLDER}/{FILE}"])
def test_editor_and_server_mean_the_same_file(name):
    assert uri_of(name).isascii()
    assert path_of(uri_of(name)) == name
