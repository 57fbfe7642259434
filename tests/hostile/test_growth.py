"""Packs that ask for as much work as they can are checked in seconds and 1 GB, and end in an error where they are played."""

from __future__ import annotations

import time

import pytest
from busy import within
from fuzz import ended, warm
from hostile.growth import PACKS, write
from tiers import few

from patolli import load
from patolli.run.runtime import MatchError
from patolli.serve.lsp.project import Project
from patolli.serve.studio.shelf import findings

SECONDS, MEMORY = 2, 1_000_000_000
"""What a pack of 33 kB may take. If the work grows with the square of the size, the largest pack takes nine times as long."""
PLAYERS = 2
QUICK = "constants_squared simultaneous_in_secret_calls simultaneous_in_loops results_of_functions functions_doubled menus_deep loops_deep names_doubled labels_long".split()
"""Packs that take less than about a second and a half; all others are deep."""

IMPLIED = "effects_of_all triggers_of_all triggers_of_triggers anytime_of_all waivers_of_all".split()
REFUSED = {
    **dict.fromkeys(("names_doubled", "names_of_lists", "texts_said_again", "labels_long"), "P0471:"),
    **dict.fromkeys((*IMPLIED, "shapes_large", "panels_of_boards"), "P0054:"),
    "packs_required": "P0113:",
}
"""What is too large to be allowed, with the code of its error."""
EARLY = ("mistakes_many", "mistakes_among_many", "graphs_of_one_line", "keys_unknown", *REFUSED)
"""Packs that are meant to be refused before anything is proved of them."""


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    warm()


@pytest.mark.parametrize("name", few(PACKS, *QUICK, deep=50))
def test_pack_is_checked_within_limits(name, tmp_path):
    pack = write(name, tmp_path)
    for _ in range(3):  # the machine may be slow for a moment
        end = ended(pack, MEMORY, 20 * SECONDS)
        soon = end.seconds < within(2 * SECONDS)
        if soon or not end.fine:
            break

    assert end.fine, end.said
    assert soon, f"{end.seconds:.1f} s"
    assert name not in REFUSED or any(one.startswith(REFUSED[name]) for one in end.reports), end.said
    if name not in EARLY:  # what is wrong in syntax, a name or a type is never proved, and stresses little
        assert [one for one in end.reports if one < "P0400"] == []


def failure(name: str, folder, narrate: bool) -> MatchError:
    """Play a pack until its rules fail."""
    rules = load(str(write(name, folder)))
    with pytest.raises(MatchError) as caught:  # noqa: PT012
        match = rules.start(PLAYERS, narrate=narrate)
        match.choose(0)
    return caught.value


@pytest.mark.parametrize(
    ("name", "code", "line"),
    few(
        [
            pytest.param("facts_of_copies", "P0801", "p.yaml:4", id="facts"),
            pytest.param("facts_of_functions", "P0801", "model.yaml:6", id="functions that double"),
            pytest.param("default_of_copies", "P0801", "model.yaml:6", id="a default"),
            pytest.param("lists_of_copies", "P0801", "p.yaml:4", id="lists of copies"),
            pytest.param("lines_of_all_lengths", "P0801", "rules.yaml:9", id="lines of all lengths"),
            pytest.param("say_many", "P0816", "rules.yaml:9", id="lines that are said"),
            pytest.param("say_lists", "P0816", "rules.yaml:10", id="lists that are said"),
        ],
        0,
    ),
)
def test_failure_names_the_line(name, code, line, tmp_path):
    error = failure(name, tmp_path, narrate=True)

    assert error.code == code
    assert line in str(error)


@pytest.mark.deep
@pytest.mark.parametrize("name", ["anytime_of_all", "names_doubled", "menus_deep"])
def test_editor_and_studio_find_the_same_as_soon(name, tmp_path):
    """They and the commands share one check, so that each limit holds for all of them."""
    home = write(name, tmp_path).resolve()
    rules = home / "rules.yaml"
    project = Project()
    project.library.add_root(tmp_path.resolve())

    began = time.process_time()
    project.update_text(str(rules), rules.read_text("utf-8"))
    shown = project.problems(str(rules))
    in_editor = time.process_time() - began
    served = findings((str(home), (), ()))
    in_studio = time.process_time() - began - in_editor

    assert max(in_editor, in_studio) < within(2 * SECONDS)
    codes = {problem.code for problem in served}
    assert {problem.code for found in shown.values() for problem in found} >= codes
    assert name not in REFUSED or REFUSED[name].removesuffix(":") in codes
