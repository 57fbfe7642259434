"""What may be undone is known before a request, and finding it out copies nothing of the story."""

from __future__ import annotations

import asyncio
import threading

import pytest
from busy import until
from studio.sitting_down import Client

import patolli
from patolli.run.runtime import Match, ruleset
from patolli.run.runtime.knowledge import Memory
from patolli.run.runtime.undo_limits import standing
from patolli.serve.studio.past import EVERY, Past
from patolli.serve.studio.priority_queue import ANSWER
from patolli.serve.studio.undo_checks import find_unchecked


@pytest.fixture
def client():
    with Client() as found:
        yield found


def test_last_choice_of_a_person_is_checked_without_a_request(client):
    at = client.table("goofspiel")
    table = client.registry.tables[at.id]
    for number in range(2):
        at.move(0)
        assert until(lambda at=number: table.past.find_cached(at) is not None)
    assert find_unchecked(table) is None


def test_choices_of_bots_are_looked_at_back_to_that_of_a_person(client):
    at = client.table("leduc_poker", seats=[{}, {"bot": "random"}], seed=2)
    table = client.registry.tables[at.id]
    at.move(0)

    assert until(lambda: find_unchecked(table) is None and len(table.match.choices) > 1)
    made = [one.seat for one in table.course.line]
    last = max(number for number, seat in enumerate(made) if seat == 0)
    known = {number: table.past.find_cached(number, made[number] == 0) for number in range(last, len(made))}
    looked = [number for number, words in known.items() if words is not None]
    assert looked
    assert looked[-1] == len(made) - 1
    assert looked[0] == last or known[looked[0]], "it ends where something stands in the way"


def test_what_was_found_out_is_what_is_answered(client):
    at = client.table("goofspiel")
    table = client.registry.tables[at.id]
    at.move(0)
    assert until(lambda: table.past.find_cached(0) is not None)
    stands = table.past.find_cached(0)
    asked = at.ask("POST", "undo", revision=table.revision, key="back")

    assert (asked.status_code, asked.json().get("error", "")) == (
        (409, f"cannot undo: {stands}") if stands else (200, "")
    )


@pytest.mark.deep
def test_worlds_that_are_tried_have_nothing_told_in_them(monkeypatch):
    match = patolli.load("city_of_gods").start(players=2, seed=3, narrate=True)
    for _ in range(12):
        before = match.clone()
        match.pick(0)
    told, imagined = [], Match.imagine_match

    def counted(self, *given):
        new = imagined(self, *given)
        told.append(len(new.log))
        return new

    monkeypatch.setattr(Match, "imagine_match", counted)
    assert before.log
    standing(before, match, 0)

    assert told
    assert not any(told)
    assert before.log, "the match itself keeps what was told"


# ---- no other table waits for these checks


def test_worlds_are_compiled_beside_the_rules_thread(client, monkeypatch):
    compiled, compile_program, may = [], ruleset.compile_program, threading.Event()

    def note(*given):
        compiled.append(threading.current_thread().name)
        if len(compiled) == 2:
            assert may.wait(60)
        return compile_program(*given)

    monkeypatch.setattr(ruleset, "compile_program", note)
    monkeypatch.setattr("patolli.serve.studio.undo_checks.PAUSE", 0.0)
    at = client.table("leduc_poker", seed=2)
    other = client.table("leduc_poker", seed=3)
    asked = asyncio.run_coroutine_threadsafe(
        client._ask("GET", f"{at.path}/previews", headers={"authorization": f"Bearer {at.host}"}), client.loop
    )
    at.move(0)
    assert other.move(0).status_code == 200
    assert not asked.done()
    may.set()

    assert asked.result(60).status_code == 200
    assert at.ask("POST", "undo", revision=1).status_code == 200
    assert compiled == ["loading"] * 2, "with the story and without it, each once"


def test_a_check_does_not_take_longer_late_in_a_match(monkeypatch):
    followed, choose = [], Memory._choose

    def count(memory, choice):
        followed[-1] += 1
        choose(memory, choice)

    monkeypatch.setattr(Memory, "_choose", count)
    match = patolli.load("goofspiel").start(players=2, seed=3, narrate=True)
    past = Past(match)
    while not match.over:
        match.pick(len(match.choices) % len(match.decision.options))
        past.note(match)
        last = len(match.choices) - 1
        while past.find_cached(last) is None:
            followed.append(0)
            past.check_further(match, last, own=True)

    assert len(match.choices) >= 2 * EVERY
    assert 0 < max(followed) <= EVERY


def test_others_are_answered_between_two_checks_of_an_undo(client, monkeypatch):
    monkeypatch.setattr("patolli.serve.studio.undo_checks.PAUSE", 3600.0)
    at, stands, done = client.table("tic_tac_toe", seats=[{}, {"bot": "random"}]), Past.stands, []

    def check(past, match, number, own=True):
        done.append(number)
        client.registry._rules.submit(ANSWER, done.append, "another table")
        return stands(past, match, number, own)

    at.move("a1")
    assert until(lambda: at.state()["moves"] == 2)
    monkeypatch.setattr(Past, "stands", check)
    asked = at.ask("POST", "undo", revision=at.state()["revision"])

    assert asked.status_code == 200
    assert done == [1, "another table", 0, "another table"]
