"""Which rules a match has reached, counted as the coverage of scenarios is."""

from __future__ import annotations

import pytest
from studio.sitting_down import Client

from patolli.author.scenarios.coverage.marks import Marks
from patolli.author.scenarios.coverage.pages import pages
from patolli.author.workspace import inspect


@pytest.fixture(scope="module")
def client():
    with Client() as one:
        yield one


def coverage(table, token="", entry=""):
    return table.ask("GET", f"coverage{f'?entry={entry}' if entry else ''}", token)


def test_what_was_played_is_counted_as_scenarios_are(client):
    table = client.table("tic_tac_toe", open=True, seed=1)
    start = coverage(table).json()
    for answer in ("a1", "b1", "a2", "b2"):
        table.move(answer)
    middle = coverage(table, entry="match").json()
    table.move("a3")
    end = coverage(table, entry="match").json()

    assert start["reached"] < middle["reached"] < end["reached"] <= end["lines"]
    marks = Marks()
    rules = inspect("tic_tac_toe", warnings=False).ruleset
    marks.instrument(rules.resolved_program)
    marks.watch(rules.program(2, narrate=True))
    rules.replay(2, 1, client.registry.tables[table.id].match.choices, narrate=True)
    book = pages(marks).values()
    assert end["lines"] == sum(len(page.lines) for page in book)
    assert end["reached"] == sum(len(page.reached) for page in book)
    assert end["taken"] == sum(len(page.taken) for page in book)
    states = {line["text"].strip(): line["state"] for line in middle["entry"]["lines"]}
    assert states["gain 1 point"] == "missed"
    assert states["set c.mark to me"] == "reached"
    assert states["if has_line(c):"] == "partly"
    states = {line["text"].strip(): line["state"] for line in end["entry"]["lines"]}
    assert states["gain 1 point"] == "reached"


def test_what_was_undone_is_not_counted(client):
    table = client.table("tic_tac_toe", open=True, seed=1)
    before = coverage(table).json()
    table.move("a1")
    assert coverage(table).json() != before
    table.ask("POST", "undo", revision=client.registry.tables[table.id].revision)

    assert coverage(table).json() == before


def test_it_is_for_who_may_see_everything(client):
    table = client.table("battleship", seed=1)
    table.client.get(table.path, table.token(0))

    assert coverage(table, table.token(0)).status_code == 403
    assert coverage(client.table("tic_tac_toe", open=True), entry="nothing_like_it").status_code == 404
