"""``--watch``: an edit is noticed, checked, and played on with."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from rich.console import Console

import patolli
from patolli.author.workspace import load
from patolli.author.workspace.file_watch import Watch, folders_of
from patolli.cli.live_edit import ContentEdits
from patolli.play.terminal.renewal import carry_over
from patolli.play.terminal.session import Session

LONG = 20.0
"""Seconds after which a test gives up; an edit is noticed in a fraction of one."""


def touch(path: Path, text: str) -> None:
    """Write a file so that its time differs, however coarse the clock of the disk is."""
    path.write_text(text)
    at = time.time_ns() + touch.count * 10_000_000
    touch.count += 1
    os.utime(path, ns=(at, at))


touch.count = 1


def test_watch_notices_writing_adding_and_removing(purse):
    watch = Watch([purse])
    seen = [watch.detect_change()]
    touch(purse / "rules.yaml", (purse / "rules.yaml").read_text())
    seen.append(watch.detect_change())
    (purse / "more.yaml").write_text("document: model\n")
    seen.append(watch.detect_change())
    (purse / "more.yaml").unlink()
    seen += [watch.detect_change(), watch.detect_change()]

    assert seen == [False, True, True, True, False]


def test_watch_waits_for_an_edit(purse):
    watch = Watch([purse])
    writer = threading.Timer(0.1, lambda: touch(purse / "rules.yaml", "document: rules\n"))
    writer.start()
    watch.wait()
    writer.join()


def test_modules_are_watched_with_what_they_need():
    found = folders_of(["tic_tac_toe", "no_such_pack"])

    assert [folder.name for folder in found] == ["tic_tac_toe"]


def started(*arguments: str, terminal: int | None = None) -> subprocess.Popen[bytes]:
    env = {**os.environ, "PYTHONPATH": str(Path(patolli.__file__ or "").parents[1]), "TERM": "dumb", "NO_COLOR": "1"}
    command = [sys.executable, "-u", "-m", "patolli", *arguments]
    stdin = subprocess.DEVNULL if terminal is None else terminal
    stdout = subprocess.PIPE if terminal is None else terminal
    return subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT, env=env)


def read_until(stream: int, words: bytes) -> bytes:
    """Read what a process writes until *words* come."""
    text, end = b"", time.monotonic() + LONG
    while words not in text:
        left = end - time.monotonic()
        assert left > 0, text
        if select.select([stream], [], [], left)[0]:
            part = os.read(stream, 65536)
            assert part, text
            text += part
    return text


@pytest.mark.deep
def test_validate_checks_again_until_it_is_interrupted(purse):
    process = started("validate", str(purse), "--watch", "--no-cache")
    assert process.stdout is not None
    stream = process.stdout.fileno()
    rules = (purse / "rules.yaml").read_text()
    try:
        read_until(stream, b"no problems")
        touch(purse / "rules.yaml", rules.replace("gain n coin", "gain n coni"))
        read_until(stream, b"did you mean 'coin'?")
        touch(purse / "rules.yaml", rules)
        read_until(stream, b"no problems")
        process.send_signal(signal.SIGINT)
        assert process.wait(LONG) == 130
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_match_goes_on_while_a_player_sits_at_the_question(purse):
    ours, theirs = pty.openpty()
    process = started("play", str(purse), "--watch", "--seat", "all=human", "--seed", "1", terminal=theirs)
    rules = (purse / "rules.yaml").read_text()
    try:
        read_until(ours, b"> ")
        os.write(ours, b"a\n")
        read_until(ours, b"Player 2")
        touch(purse / "rules.yaml", rules.replace("gain n coin", "gain n coni"))
        read_until(ours, b"the match continues with the old content")
        touch(purse / "rules.yaml", rules.replace("How many?", "How many now?"))
        text = read_until(ours, b"How many now?")
        assert b"the match continues with the new content" in text
        assert b"Player 2" in text
        if b"> " not in text.partition(b"How many now?")[2]:
            read_until(ours, b"> ")
        os.write(ours, b"quit\n")
        read_until(ours, b"The match ends here.")
        assert process.wait(LONG) == 0
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)


# ---- the same without a terminal


@pytest.fixture
def session(purse):
    rules = load(str(purse))
    console = Console(width=80, record=True, file=open(os.devnull, "w"))  # noqa: SIM115 - closed with the console
    made = Session(rules, rules.start(2, 1), ["human", "human"], console, lambda _: "quit")
    made.editing = ContentEdits(rules, lambda: load(str(purse)))
    yield made
    console.file.close()


def test_choices_are_made_again_by_their_labels(session, purse):
    session.match.choose("3")
    session.match.choose("2")
    rules = (purse / "rules.yaml").read_text()
    touch(purse / "rules.yaml", rules.replace("n in 1..3", "n in 0..4"))
    session.play()

    assert session.match.choices == [3, 2]
    assert [option.label for option in session.match.decision.options] == ["0", "1", "2", "3", "4"]
    assert session.match.ruleset is session.rules


def test_match_ends_where_a_choice_is_gone(session, purse):
    session.match.choose("1")
    session.match.choose("3")
    session.match.choose("1")
    touch(purse / "rules.yaml", (purse / "rules.yaml").read_text().replace("n in 1..3", "n in 1..2"))
    session.play()

    assert session.match.choices == [0]
    assert "choice 2, '3', is not offered any more" in session.console.export_text()


def test_content_with_problems_changes_nothing(session, purse, capsys):
    before = session.match
    touch(purse / "rules.yaml", "document: rules\nrules: 3\n")
    session.play()

    assert session.match is before
    assert "P0052" in capsys.readouterr().err


def test_content_that_fails_on_the_way_changes_nothing(session, purse):
    session.match.choose("2")
    before = session.match
    rules = (purse / "rules.yaml").read_text()
    touch(purse / "rules.yaml", rules.replace("gain n coin", "gain 1 div (2 - min(n, 2)) + n coin"))
    session.play()

    assert session.match is before
    assert "continues with the old content" in session.console.export_text()


def test_fewer_seats_change_nothing(session, purse):
    before = session.match
    manifest = purse / "pack.yaml"
    touch(manifest, manifest.read_text().replace("min: 2, max: 3", "min: 3, max: 3"))
    session.play()

    assert session.match is before


def test_carried_match_equals_one_that_was_replayed():
    rules = load("tic_tac_toe")
    match = rules.start(2, 5)
    while not match.over:
        match.choose(0)
    carried = carry_over(match, load("tic_tac_toe"))

    assert carried.match.digest() == match.digest()
    assert (carried.kept, carried.lost) == (len(match.choices), "")
