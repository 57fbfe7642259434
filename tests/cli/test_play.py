"""``patolli play`` and ``patolli replay``: what is typed, what is reported, what is kept."""

from __future__ import annotations

import json
import os
import select
import sys
import time
from pathlib import Path
from random import Random

import pytest

import patolli

HUNT = Path(__file__).parents[1] / "data" / "hunt"
"""A game in which everybody hides something."""


def test_bots_play_to_the_end_without_anybody(run):
    result = run("play", "connect_four", "--seat", "all=random", "--seed", "4")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Connect four, seed 4: player 1 (random), player 2 (random)"
    assert "Player 1: " in result.stdout
    assert result.stdout.splitlines()[-1].endswith("wins.")
    assert "\x1b" not in result.stdout


ENDLESS = {
    "pack": "document: pack\nid: around\nversion: 1.0.0\nlanguage: 1\ntitle: Around\nplayers: {min: 1, max: 2}\n",
    "model": "document: model\ncounters:\n  coin: {per: player, text: Coins}\n",
    "rules": (
        "document: rules\nrules:\n  match: |\n    loop:\n      if coin > 9: break\n"
        '      choose n in 1..2 "How many?"\n      gain n coin; lose n coin\nresult:\n  score: coin\n'
    ),
}


@pytest.mark.deep
def test_bots_that_play_for_ever_are_stopped_where_they_are(run, tmp_path):
    for name, text in ENDLESS.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    result = run("play", str(tmp_path), "--seat", "all=random", "--quiet")

    assert result.exit_code == 3
    assert "no end after 10,000 choices; the next question is 'How many?'" in result.stderr


def test_person_answers_by_number_label_and_beginning(run, purse):
    result = run("play", purse, "--seat", "2=human", input="2\n1\n3\n3\n3\n")

    assert result.exit_code == 0
    assert "a 1  +1 coin" in result.stdout  # letters, because the labels are numbers
    assert result.stdout.rstrip().endswith("wins.")


def test_unknown_answer_names_the_nearest(run):
    result = run("play", "breakthrough", "--seed", "1", input="a2 -> a33\na\nquit\n")

    assert "did you mean 'a2 -> a3'?" in result.stdout
    assert "several options begin with 'a'" in result.stdout
    assert "The match ends here." in result.stdout


def test_end_of_input_is_no_fault(run):
    assert run("play", "tic_tac_toe", input="").exit_code == 0


def test_commands(run, purse):
    result = run("play", purse, "--seat", "2=human", input="help\nshow players\nshow plyers\nlog\nundo\nsave\nquit\n")

    assert "undo your last choice" in result.stdout
    assert "nothing has the name 'plyers'; did you mean 'players'?" in result.stdout
    assert "cannot undo" in result.stdout
    assert "name a file: save FILE" in result.stdout


def test_a_question_mark_asks_for_help(run, purse):
    assert "undo your last choice" in run("play", purse, "--seat", "2=human", input="?\nquit\n").stdout


def test_undo_takes_back_my_choice_and_not_that_of_others(run, purse):
    one = run("play", purse, "--seat", "2=human", input="3\nundo\nquit\n")

    assert "cannot undo" in one.stdout  # the other player has the turn
    (purse / "rules.yaml").write_text((purse / "rules.yaml").read_text().replace("pass to next(me)", "nothing"))
    two = run("play", purse, "--seat", "2=human", input="3\nundo\n1\nshow players\nquit\n")
    assert "undone" in two.stdout
    assert "Coins      1     0" in two.stdout


def test_saved_match_goes_on(run, tmp_path):
    file = tmp_path / "match.json"
    first = run("play", "tic_tac_toe", "--seat", "2=human", "--save", file, input="b2\na1\n")
    second = run("play", "tic_tac_toe", "--seat", "2=human", "--save", file, input="c1\na3\na2\nc3\nb1\nb3\nc2\n")

    assert first.exit_code == second.exit_code == 0
    assert f"Thematchissavedin{file}" in "".join(first.stdout.split())
    assert "│  1 O · ·    │" in second.stdout
    assert json.loads(file.read_text())["choices"][:2] == [4, 0]


def test_save_of_another_pack_is_refused(run, tmp_path):
    file = tmp_path / "match.json"
    run("play", "tic_tac_toe", "--save", file, input="b2\n")

    for call in (
        ["play", "connect_four", "--save", file],
        ["play", "tic_tac_toe", "--save", file, "--players", "2"],
    ):
        result = run(*call, input="")
        assert result.exit_code == (2 if "connect_four" in call else 0)
    assert "the save is of 'tic_tac_toe'" in run("play", "connect_four", "--save", file).stderr


def test_match_that_cannot_go_on(run, fragile):
    result = run("play", fragile, "--seat", "all=random", "--seed", "1")

    assert result.exit_code == 3
    assert "numbers is too long" in result.stderr


def test_replay_tells_what_happened(run, tmp_path):
    file = tmp_path / "match.json"
    run("play", "tic_tac_toe", "--seat", "2=human", "--save", file, input="b2\na1\nc3\n")
    result = run("replay", file, "--to", "2")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[:2] == ["Player 1: b2", "Player 2: a1"]
    assert "after 2 of 3 choices" in result.stdout


def test_replay_is_as_short_as_the_log(run, tmp_path):
    file, amazons = tmp_path / "match.json", Path(__file__).parents[2] / "content" / "gallery" / "amazons"
    run("play", amazons, "--seat", "2=human", "--save", file, input="d1\nd4\nh8\n")
    result = run("replay", file, "--pack", amazons)

    assert result.stdout.splitlines()[0] == "Player 1: the amazon on d1, to d4, an arrow to h8"


@pytest.mark.parametrize(
    ("words", "told", "caves"),
    [
        pytest.param([], ["Player 1 has decided", "Player 2 has decided"], "????", id="to everybody"),
        pytest.param(["--seat", "1"], ["Player 1's where the treasure lies (cave 2) rises to 1", "Player 2 has decided"], "0???", id="to the first"),
        pytest.param(["--seat", "2"], ["Player 1 has decided", "Player 2's where the treasure lies (cave 1) rises to 1"], "?1??", id="to the second"),
    ],
)  # fmt: skip
def test_replay_keeps_what_a_player_chose_in_secret(run, tmp_path, words, told, caves):
    """Neither the words nor the table below them say where the treasure of another player lies."""
    rules, draw, file = patolli.load(str(HUNT)), Random(1), tmp_path / "hunt.json"
    match = rules.start(4, 1)
    for _ in range(8):
        match.pick(draw.randrange(len(match.pending)))
    file.write_text(match.to_json(), "utf-8")

    lines = run("replay", file, "--pack", HUNT, *words).stdout.splitlines()

    assert lines[:2] == told
    (first,) = (line for line in lines if line.startswith("cave 1") or " cave 1 " in line)
    assert "".join(first.partition("cave 1")[2].split()[:4]) == caves


def test_replay_of_a_game_without_secrets_is_seen_by_the_first_player(run, tmp_path):
    file = tmp_path / "match.json"
    run("play", "patolli", "--seat", "2=human", "--save", file, input="\n")

    assert "you" in run("replay", file).stdout
    assert run("replay", file).stdout == run("replay", file, "--seat", "1").stdout


def test_replay_as_a_player_who_is_not_there(run, tmp_path):
    file = tmp_path / "match.json"
    run("play", "tic_tac_toe", "--save", file, input="b2\n")

    result = run("replay", file, "--seat", "3")

    assert result.exit_code == 2
    assert "there is no seat 3; the match has 2 seats" in result.stderr


def test_replay_says_why_something_was_not_offered(run, tmp_path):
    file = tmp_path / "match.json"
    run("play", "tic_tac_toe", "--seat", "2=human", "--save", file, input="b2\na1\nc3\n")
    result = run("replay", file, "--to", "2", "--why", "b2")

    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].startswith("'b2' is not offered to player_1")
    assert "the mark of b2: player_1" in result.stdout
    assert "'b2' is offered to player_1" in run("replay", file, "--to", "0", "--why", "b2").stdout


def test_replay_cannot_say_why_of_what_is_not_there(run, tmp_path):
    file = tmp_path / "match.json"
    run("play", "tic_tac_toe", "--seat", "2=human", "--save", file, input="b2\n")
    result = run("replay", file, "--why", "b22")

    assert result.exit_code == 2
    assert "there is no option and no rule 'b22'; did you mean 'b2'?" in result.stderr


def test_person_asks_why(run):
    result = run(
        "play", "tic_tac_toe", "--seed", "1", "--seat", "2=human", input="why\nb2\nwhy\nwhy b2\nwhy x9\nquit\n"
    )

    assert "every option is offered" in result.stdout
    assert "not offered:\n  b2\n" in result.stdout
    assert "false      there is no mark of b2" in result.stdout
    assert "there is no option and no rule 'x9'" in result.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("{", "this is not a save", id="no JSON"),
        pytest.param('{"patolli": 1}', "incomplete", id="keys are missing"),
        pytest.param("\udcff", "not text", id="not even text"),
    ],
)
def test_bad_save_is_refused(run, tmp_path, text, words):
    file = tmp_path / "match.json"
    file.write_text(text, "utf-8", "surrogateescape")
    result = run("replay", file)

    assert result.exit_code == 2
    assert words in result.stderr


BAD_SAVES = [
    "", "{", "[1]", '{"patolli": 1}', '{"patolli": 1, "seat": 1}', "[" * 100_000, "\udcff",
    '{"patolli": 1, "pack": 1, "players": 1, "seed": 1, "choices": 1, "state": 1, "content": 1, "sums": 1}',
]  # fmt: skip


@pytest.mark.parametrize("command", [("replay", "FILE"), ("play", "tic_tac_toe", "--save", "FILE")])
def test_each_message_about_a_save_names_its_file(run, tmp_path, command, subtests):
    file = tmp_path / "match.json"
    for text in BAD_SAVES:
        with subtests.test(ascii(text[:20])):
            file.write_text(text, "utf-8", "surrogateescape")
            result = run(*(file if word == "FILE" else word for word in command))

            said = "".join(result.stderr.split())  # a long path is wrapped
            assert (result.exit_code, str(file) in said) == (2, True), result.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of Unix")
def test_at_a_real_terminal(tmp_path):
    import pty

    pid, terminal = pty.fork()
    if pid == 0:  # pragma: no cover - the other process
        os.environ.update(PYTHONPATH=str(Path(patolli.__file__).parents[1]), TERM="xterm-256color", COLUMNS="80")
        os.environ.pop("NO_COLOR", None)
        os.execv(sys.executable, [sys.executable, "-m", "patolli", "play", "tic_tac_toe", "--seed", "1"])
    seen = b""

    def until(words: bytes) -> None:
        nonlocal seen
        end = time.monotonic() + 60
        while words not in seen and time.monotonic() < end:
            if select.select([terminal], [], [], 1)[0]:
                seen += os.read(terminal, 4096)
        assert words in seen, seen.decode()

    until(b"> ")
    os.write(terminal, b"b2\n")
    until(b"Player 2")
    seen = seen[seen.index(b"Player 2") :]
    until(b"> ")
    os.write(terminal, b"quit\n")
    until(b"The match ends here.")
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert b"\x1b[" in seen  # in colours
