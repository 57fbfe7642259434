"""The end of a match: who has how many points, and who has won."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.panel import Panel as Box
from rich.text import Text

from patolli.check import prose
from patolli.check.prose.words import address_player, capital, small
from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal.canvas import ink
from patolli.play.terminal.flow import pad
from patolli.run.runtime import Match


def score_sheet(match: Match, seats: list[str], you: int = -1) -> RenderableType:
    """Draw the scores, best first, with who played each seat and what broke ties; *you* is the seat of who reads."""
    scene = Scene(match, 0)
    program, winners = match.program.layout.model, match.winners
    scored = program.score is not None
    scores, ties = match.scores, match.ties
    keys = {seat: (scores[seat], *(tie[seat] for tie in ties)) for seat in range(match.players)}
    shown = _count_columns(keys)
    if program.wins is not None:
        shown = int(scored)  # no tie has decided anything
    names = [_player_name(scene, seat, you) for seat in range(match.players)]
    wide = max(13, *(cell_len(name.plain) + 1 for name in names))
    head = f"{'':<{wide + 8}}" + "".join(f"{f'tie {n}':>9}" if n else f"{'score':>7}" for n in range(shown))
    lines = [Text(head, "bold")] if shown else []
    for seat in sorted(keys, key=lambda seat: (seat not in winners, [-k for k in keys[seat]], seat)):
        cells = "".join(f"{key:>{7 if n == 0 else 9}}" for n, key in enumerate(keys[seat][:shown]))
        lines.append(pad(names[seat], wide) + Text(f"{seats[seat]:<8}") + Text(cells) + _winner_mark(match, seat))
    title = Text("Scores" if shown else "Result", "bold")
    box = Box(Group(*lines), title=title, title_align="left", expand=False)
    return Group(box, *_describe_ties(match, shown), Text(verdict(match, you), "bold"))


def _player_name(scene: Scene, seat: int, you: int) -> Text:
    """Return what a player is called, with the sign that stands for that one on the boards."""
    sign = ink(scene.mark("player", f"player_{seat + 1}"))
    name = Text("You" if seat == you else capital(scene.match.names[seat]), sign.style)
    return name if sign.plain in name.plain else Text.assemble(name, " ", sign)


def _describe_ties(match: Match, shown: int) -> Iterator[Text]:
    """Yield what each of the columns behind the score counts."""
    reported = [
        said for key, said in prose.describe_entry(match.program.layout.model, "result", "result") if key == "ties"
    ]
    for number, said in enumerate(reported[: max(0, shown - 1)], 1):
        yield Text(f"tie {number}, where the score is equal: {small(said)}")


def _winner_mark(match: Match, seat: int) -> Text:
    return Text("  wins" if seat in match.winners and not _is_without_goal(match) else "", "bold green")


def _count_columns(keys: dict[int, tuple[int, ...]]) -> int:
    """Return how many columns it takes to find the winner: the score, and ties as far as they mattered."""
    values = list(keys.values())
    length = len(values[0])
    best = max(values)
    return next((n for n in range(1, length + 1) if sum(v[:n] == best[:n] for v in values) == 1), length)


def verdict(match: Match, you: int = -1) -> str:
    """Say who has won, to the player *you*: a person alone with nothing but a score can neither win nor lose."""
    said = _describe_verdict(match)
    return capital(address_player(said, match.names[you]) if you >= 0 else said)


def _describe_verdict(match: Match) -> str:
    winners, program = match.winners, match.program.layout.model
    persons = match.players - match.ruleset.model.automated
    if _is_without_goal(match):
        score = match.score(0)
        return f"{match.names[0]} has {score} point{'s' * (score != 1)}."
    names = [match.names[seat] for seat in winners]
    if not names:
        return f"{match.names[0]} loses." if persons == 1 else "No player wins."
    if len(names) == 1:
        return f"{names[0]} wins."
    both = f"{', '.join(names[:-1])} and {names[-1]}"
    if program.wins is None:
        return f"{both} share the win."
    everybody = len(winners) == match.players and len(winners) > 2
    return "All players win." if everybody else f"{both} win."


def _is_without_goal(match: Match) -> bool:
    """Return whether there is no opponent, and nothing says what it takes to win."""
    program = match.program.layout.model
    return match.players == 1 and program.wins is None and program.among is None
