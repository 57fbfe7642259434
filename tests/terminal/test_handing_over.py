"""Several people at one screen: the secrets of a player are shown only when that player sits in front."""

from __future__ import annotations

import io

import pytest
from packmaker import DATA
from rich.console import Console

import patolli
from patolli.play.terminal.session import Session

ASKED = "Enter when ready> "


def sat(pack: str, seats: list[str], typed: list[str]) -> list[tuple[str, str]]:
    """What was on the screen when each line was asked for, with what was asked; '' is the end."""
    rules, out, found = patolli.load(pack), io.StringIO(), []
    console = Console(file=out, width=100, highlight=False, markup=False, emoji=False)
    lines = iter(typed)

    def read(prompt: str) -> str:
        found.append((prompt, out.getvalue()))
        out.seek(0)
        out.truncate()
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    Session(rules, rules.start(len(seats), 1), seats, console, read).play()
    return [*found, ("", out.getvalue())]


def test_next_person_is_waited_for():
    shown = sat(str(DATA / "hunt"), ["human", "human"], ["", "cave_1", "", "cave_2", ""])

    assert [prompt == ASKED for prompt, _ in shown[:-1]] == [True, False] * 3
    for number, (prompt, text) in enumerate(shown[:-1]):
        seat = number // 2 % 2 + 1
        assert (f"Player {seat} decides; the other players look away" in text) == (prompt == ASKED)
        assert ("Where does your treasure lie?" in text or "What now?" in text) == (prompt != ASKED)
    assert "animal_" not in shown[2][1], "no piece of a hand before the next person sits there"


@pytest.mark.parametrize(
    ("pack", "seats"),
    [
        pytest.param(str(DATA / "hunt"), ["human", "random"], id="no other player looks"),
        pytest.param("tic_tac_toe", ["human", "human"], id="nothing is hidden"),
    ],
)
def test_no_player_is_waited_for(pack, seats):
    assert ASKED not in [prompt for prompt, _ in sat(pack, seats, ["1", "1", "1"])]


def test_what_no_player_sees_is_no_hint():
    text = sat(str(DATA / "hunt"), ["human", "random"], ["cave_1"])[1][1]

    said = [line.split(maxsplit=1)[1] for line in text.splitlines() if line.strip()[:1].isdigit()]
    assert [line.split() for line in said if line.startswith("boast")] == [["boast", *"then asks: How?".split()]]
    assert [line.split() for line in said if line.startswith("brood")] == [["brood"]]  # most options ask the same next
    assert [line.split() for line in said if line.startswith("rest")] == [["rest", "+1", "nerve"]]


def test_leaving_instead():
    shown = sat(str(DATA / "hunt"), ["human", "human"], ["quit"])

    assert [prompt for prompt, _ in shown] == [ASKED, ""]
    assert "The match ends here." in shown[-1][1]
