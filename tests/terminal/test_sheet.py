"""The end of a match at a terminal."""

from __future__ import annotations

import pytest
from rich.console import Console
from tiers import few

import patolli
from patolli.play.players import make_bot
from patolli.play.terminal.sheet import score_sheet


def ended(pack: str, names: list[str], seed: int) -> patolli.Match:
    match = patolli.load(pack).start(len(names), seed, names=names)
    bots = [make_bot("greedy", seed, seat) for seat in range(match.players)]
    while match.decision is not None:
        match.choose(bots[match.decision.player].decide(match))
    return match


def drawn(match: patolli.Match) -> str:
    console = Console(width=80, highlight=False, markup=False, emoji=False, force_terminal=False)
    with console.capture() as found:
        console.print(score_sheet(match, ["human", "greedy"]))
    return found.get()


@pytest.mark.parametrize("pack", few(["tic_tac_toe", "patolli", "founders"], 0))
def test_players_are_called_by_their_names(pack):
    text = drawn(ended(pack, ["Tecciztecatl of the East", "Nanahuatl"], 3))

    assert "Tecciztecatl of the East" in text
    assert "Nanahuatl" in text
    assert "player 1" not in text
    assert text.rstrip().split("\n")[-1].endswith((" wins.", " share the win.", "No player wins."))


def test_what_a_tie_counts_is_said_where_it_decides(tmp_path):
    (tmp_path / "pack.yaml").write_text(
        "document: pack\nid: even\nversion: 1.0.0\nlanguage: 1\ntitle: Even\nplayers: {min: 2, max: 2}\n"
    )
    (tmp_path / "model.yaml").write_text("document: model\ncounters: {point: {per: player}, coin: {per: player}}\n")
    (tmp_path / "rules.yaml").write_text(
        "document: rules\nrules:\n  match: |\n    for p in players: as p: gain 1 point\n    for p in players: as p: earn()\n"
        '    choose n in 1..2 "How many?"\n    gain n coin\n    end match\n  earn: gain 1 coin\n'
        "result: {score: point, ties: [coin, 0 - number(me)]}\n"
    )
    text = drawn(ended(str(tmp_path), ["Ana", "Ben"], 1))

    assert "tie 1, where the score is equal: your coin." in text
    assert "tie 2" not in text  # it was not needed
