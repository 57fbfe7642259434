"""A whole match of every game as it was recorded at a real terminal, narrow and wide: by typed text alone.

Of a few long ones chance plays the middle.

A stranger should be able to follow them. Of long ones most boards are kept as
a sum.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import golden
import pytest
from calls import call
from ptys import Terminal, follow, frames, play
from tiers import few

import patolli
from patolli.play.players import make_bot
from patolli.run.runtime.saves import write_save

FRAMES = Path(__file__).parent / "frames"
NARROW, WIDE = (80, 24), (140, 50)
GALLERY = Path(__file__).parents[2] / "content" / "gallery"


@dataclass(frozen=True)
class Recorded:
    """A match that is recorded.

    Attributes:
        words: The call; a pack of the gallery is named by its folder.
        every: How many screens there are for one that is kept whole.
        hasty: How often the person takes the last option, so that the match is short.
        typed: The lines that are typed, instead of what chance says.
        sheet: Whether it is reported at the end where the points came from.
        part: Of a long match how many lines the person types before leaving; chance plays on, and of the rest about
            so many choices before the end the person plays again. 0 for a match that is played in one go.
    """

    words: str
    every: int = 1
    hasty: float = 0
    typed: tuple[str, ...] = ()
    sheet: bool = False
    part: int = 0


ENDED = r"^(You win|Player \d wins|You have -?\d+ points?|.* share the win|No player wins|You lose)\.$"
SCHOLAR = ("e2 to e4", "e7 to e5", "f1 to c4", "b8 to c6", "d1 to h5", "g8 to f6", "h5 to f7")
GAMES = {
    "tic_tac_toe": Recorded("tic_tac_toe"),
    "connect_four": Recorded("connect_four"),
    "breakthrough": Recorded("breakthrough", every=12),
    "patolli": Recorded("patolli", every=12, sheet=True, part=16),
    "city_of_gods": Recorded("city_of_gods --with first_game", every=20, hasty=0.8, sheet=True),
    "city_of_gods_solo": Recorded("city_of_gods --with solo --with first_game", every=20, hasty=0.8, sheet=True),
    "founders": Recorded("founders", every=15, hasty=0.7, sheet=True),
    "founders_solo": Recorded("founders --with founders_solo", every=15, hasty=0.7, sheet=True),
    "allotments": Recorded("allotments --set seasons=1", sheet=True),
    "amazons": Recorded("amazons", every=20, part=20),
    "apiaries": Recorded("apiaries --set seasons=5", every=8),
    "backgammon": Recorded("backgammon", every=20, part=20),
    "battleship": Recorded("battleship --set shots=8", every=8),
    "beacons": Recorded("beacons"),
    "checkers": Recorded("checkers", every=20, part=10),
    "chess": Recorded("chess --seat all=human", typed=SCHOLAR),
    "curios": Recorded("curios", sheet=True),
    "dots_and_boxes": Recorded("dots_and_boxes", every=6),
    "drystone": Recorded("drystone --set fells=12", every=3),
    "go": Recorded("go --set size=5", every=3, sheet=True),
    "goofspiel": Recorded("goofspiel --set ranks=6"),
    "hex": Recorded("hex --set size=5", every=3),
    "high_water": Recorded("high_water"),
    "leduc_poker": Recorded("leduc_poker", sheet=True),
    "millstream": Recorded("millstream --set rounds=6", sheet=True),
    "nine_mens_morris": Recorded("nine_mens_morris --set turn_limit=40", every=12),
    "othello": Recorded("othello", every=20, part=12),
    "packways": Recorded("packways --set weeks=6", every=8, sheet=True),
    "pig": Recorded("pig --set goal=40"),
    "promises": Recorded("promises --set rounds=1"),
    "skerry": Recorded("skerry --set years=6", every=4),
}
"""For each game, by the name of its file: how it is recorded."""
AT_BOTH = ("tic_tac_toe", "curios", "connect_four", "skerry")
"""Games that are recorded at a wide terminal, too: boards of squares, cards and a map."""
RECORDED = [*((game, *NARROW) for game in GAMES), *((game, *WIDE) for game in AT_BOTH)]
QUICK = [row for row in RECORDED if row[0] in AT_BOTH[:3]]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of Unix")
@pytest.mark.parametrize(("game", "width", "height"), few(RECORDED, *QUICK))
def test_match_looks_as_it_was_recorded(monkeypatch, tmp_path, game, width, height):
    recorded = GAMES[game]
    pack, *words = recorded.words.split()
    folder = GALLERY / pack if (GALLERY / pack).exists() else pack
    monkeypatch.chdir(tmp_path)  # what is said of the file holds no other folder
    words = ["play", folder, *words, "--bot", "greedy", "--seed", "1"]
    if recorded.part:
        words += ["--save", "match.json"]
        with Terminal([*words, "--record", "begin.cast"], width, height) as terminal:
            play(terminal, recorded.part, 7, recorded.hasty)
            terminal.type("quit")
        _played_on(Path("match.json"), patolli.load(*_pack(words)), recorded.part)
    with Terminal([*words, "--record", "end.cast"], width, height) as terminal:
        if recorded.typed:
            follow(terminal, recorded.typed)
        else:
            play(terminal, 1000, 7, recorded.hasty)
        assert terminal.code == 0
    parts = [Path(name) for name in ("begin.cast", "end.cast") if Path(name).exists()]
    found = "".join(frames(part, recorded.every) for part in parts)

    assert re.search(ENDED, terminal.text, re.M)
    assert _totals(terminal.text) == (_scores(terminal.text) if recorded.sheet else [])
    assert max(map(len, found.splitlines())) <= width
    golden.check(FRAMES / f"{game}-{width}x{height}.txt", found)


def _pack(words: list[object]) -> tuple[object, list[object]]:
    """Return what is played: the pack, and the modules."""
    return words[1], [module for option, module in pairwise(words) if option == "--with"]


def _played_on(file: Path, rules: patolli.Ruleset, most: int) -> None:
    """Let chance play on with a match that was left, up to so many choices of the first seat before its end."""
    match = rules.restore(file.read_text("utf-8"))
    bots, own = [make_bot("random", 1, seat) for seat in range(match.players)], list[int]()
    while match.decision is not None:
        if match.decision.player == 0:
            own.append(len(match.choices))
        match.choose(bots[match.decision.player].decide(match))
    end = own[-most] if len(own) > most else own[0]
    write_save(rules.replay(match.players, 1, match.choices[:end]), file)


def _scores(text: str) -> list[str]:
    """What stands under "score" on the last screen, by seat."""
    last = text.rpartition("╭─ Scores ─")[2].partition("╰")[0]
    found = re.findall(r"^│ (?:You|Player (\d)) .*?(-?\d+)  (?:wins)? *│", last, re.M)
    return [score for _, score in sorted(found)]  # the person sits on the first seat


def _totals(text: str) -> list[str]:
    """The last line of the sheet that says where the points came from."""
    found = re.search(r"^│ Total +│(.*)│$", text, re.M)
    return [total.strip() for total in found[1].split("│")] if found else []


def test_all_shipped_games_are_recorded_at_both_sizes_and_nothing_else():
    kept = sorted(path.stem for path in FRAMES.glob("*.txt"))

    assert {folder.name for folder in GALLERY.iterdir() if folder.is_dir()} < set(GAMES)
    assert kept == sorted(f"{game}-{width}x{height}" for game, width, height in RECORDED)


def test_recording_has_all_that_was_printed_and_typed(tmp_path):
    file = tmp_path / "match.cast"
    ended = call("play", "tic_tac_toe", "--seed", "1", "--record", file, stdin="b2\nlog\n")
    head, *events = map(json.loads, file.read_text("utf-8").splitlines())

    assert head == {"version": 2, "width": 80, "height": 25, "title": "Tic-tac-toe"}
    assert [text for _, kind, text in events if kind == "i"] == ["b2\r\n", "log\r\n"]
    printed = "".join(text for _, kind, text in events if kind == "o").replace("\r\n", "\n")
    assert printed.replace("> b2\n", "> ").replace("> log\n", "> ") == ended.out.decode()
    assert [time for time, _, _ in events] == sorted(time for time, _, _ in events)


def test_recording_that_cannot_be_begun(tmp_path):
    ended = call("play", "tic_tac_toe", "--record", tmp_path / "nowhere" / "match.cast")

    assert ended.code == 2
    assert "match.cast" in ended.lines[-1]


def test_match_goes_on_when_its_recording_cannot(tmp_path):
    file = tmp_path / "match.cast"
    ended = call(
        "play",
        "tic_tac_toe",
        "--seed",
        "1",
        "--record",
        file,
        stdin="b2\nlog\n" * 40,
        stdout=os.devnull,
        largest=10_000,
    )

    assert ended.code == 2
    assert ended.lines == [f"Error: {file} is incomplete: File too large"]
