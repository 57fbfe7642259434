"""The statistics of many games."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from math import sqrt
from typing import Any

from patolli.language.diagnostics.fault import EngineFault
from patolli.measure.simulation.games import Game, Plan
from patolli.measure.simulation.rows import Row, rows_of
from patolli.run.runtime import Ruleset, notebook


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, sample standard deviation, minimum and maximum of some numbers; None if there are no numbers."""

    mean: float | None = None
    sd: float | None = None
    min: int | None = None
    max: int | None = None

    def as_data(self) -> dict[str, Any]:
        """Return the four numbers by name."""
        return {"mean": self.mean, "sd": self.sd, "min": self.min, "max": self.max}


class Sums:
    """Count, sum, sum of squares, minimum and maximum of whole numbers that are added one by one."""

    __slots__ = ("count", "least", "most", "squares", "total")

    def __init__(self) -> None:
        self.count = self.total = self.squares = 0
        self.least: int | None = None
        self.most: int | None = None

    def add(self, number: int) -> None:
        """Add another number."""
        self.count += 1
        self.total += number
        self.squares += number * number
        if self.least is None or number < self.least:
            self.least = number
        if self.most is None or number > self.most:
            self.most = number

    def spread(self) -> Spread:
        """Summarize the numbers, with three decimals."""
        count, total = self.count, self.total
        if not count:
            return Spread()
        variance = (count * self.squares - total * total) / (count * (count - 1)) if count > 1 else 0.0
        return Spread(round(total / count, 3), round(sqrt(variance), 3), self.least, self.most)


def spread(numbers: Iterable[int]) -> Spread:
    """Summarize numbers, with three decimals."""
    sums = Sums()
    for number in numbers:
        sums.add(number)
    return sums.spread()


class Tally:
    """The statistics of games that are counted one by one in the order of their index and need not be kept.

    Attributes:
        played: Games that were played, with any result.
        finished: Games that reached their end.
        decisions: Choices in all games.
        scores: By seat, the scores of finished games.
        winning: The scores of winners.
        wins: By seat, the number of games that it won.
        shared: Games with several winners.
        lost: Games that no player won.
        together: Games that all players won, if there are several players.
        faults: The games that failed.
    """

    def __init__(self, players: int, seats: int) -> None:
        """Start without games, for so many players and so many seats; the seats include those that rules play."""
        self.played = self.finished = self.decisions = self.shared = self.lost = self.together = 0
        self.scores = [Sums() for _ in range(seats)]
        self.winning = Sums()
        self.wins = [0] * seats
        self.faults: list[Game] = []
        self._persons = frozenset(range(players))
        self._hash = sha256()

    def add(self, game: Game) -> None:
        """Count another game."""
        self.played += 1
        self.decisions += game.decisions
        if game.fault:
            self.faults.append(game)
        if not game.digest:
            return
        self.finished += 1
        for sums, score in zip(self.scores, game.scores, strict=True):
            sums.add(score)
        winners = game.winners
        if winners:
            self.winning.add(game.scores[winners[0]])
        for seat in winners:
            self.wins[seat] += 1
        self.shared += len(winners) > 1
        self.lost += self._persons.isdisjoint(winners)
        self.together += len(self._persons) > 1 and self._persons.issubset(winners)
        self._hash.update(f"{game.digest}\n".encode())

    @property
    def digest(self) -> str:
        """A hash of all final states in the order of the games."""
        return self._hash.hexdigest()


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The result of a simulation, with its duration in seconds.

    Attributes:
        games: The games in the order of their index; empty if they were not to be kept.
        interrupted: Whether Ctrl-C came before the last game.
        plan: The plan that was played.
        rules: The ruleset.
        seconds: The duration.
    """

    rules: Ruleset
    plan: Plan
    games: list[Game]
    tally: Tally
    seconds: float
    jobs: int = 1
    interrupted: bool = False

    def __repr__(self) -> str:
        seats = ", ".join(f"{kind} {wins}" for kind, wins in zip(self.bots, self.wins, strict=True))
        return f"<Report of {self._describe_plan()}: {self._describe_finished()}; wins: {seats}>"

    def _repr_html_(self) -> str:
        rows = [["seat", "bot", "mean", "sd", "min", "max", "wins", "share"]]
        for seat, one in enumerate(self.scores):
            rows.append([str(seat + 1), self.bots[seat], *_format_cells(one), str(self.wins[seat]), self._share(seat)])
        rows.append(["winner", "", *_format_cells(self.winning), "", ""])
        table = [notebook.row("td" if number else "th", cells) for number, cells in enumerate(rows)]
        head, end = (f"<p>{escape(words)}</p>" for words in (self._describe_plan(), self._describe_finished()))
        return "\n".join(["<div>", head, "<table>", *table, "</table>", end, "</div>"])

    def _describe_plan(self) -> str:
        """Describe what was played."""
        chosen = [f"{name}={value}" for name, value in options_of(self.rules).items()]
        modules = [f"with {', '.join(self.rules.module_ids)}"] if self.rules.module_ids else []
        players = f"{self.plan.players} player{'s' * (self.plan.players > 1)}"
        games = f"{self.tally.played} game{'s' * (self.tally.played != 1)}"
        return ", ".join([self.rules.title, players, games, f"seed {self.plan.seed}", *modules, *chosen])

    def _describe_finished(self) -> str:
        """Describe how many games ended."""
        return f"{self.tally.finished} of {self.plan.games} games finished"

    def _share(self, seat: int) -> str:
        """Say of how many of the finished games a seat has won."""
        finished = self.tally.finished
        return f"{100 * self.wins[seat] / finished:.1f}%" if finished else ""

    @property
    def finished(self) -> list[Game]:
        """The games that reached their end."""
        return [game for game in self.games if game.digest]

    @property
    def faults(self) -> list[Game]:
        """The games that failed."""
        return self.tally.faults

    @property
    def engine_faults(self) -> list[EngineFault]:
        """The failed games whose fault is an internal error and not an error of the content."""
        return [game.engine for game in self.faults if game.engine is not None]

    @property
    def bots(self) -> list[str]:
        """The bot of each seat; the seats that rules play follow after the bots."""
        return [*self.plan.kinds(), *["rules"] * self.rules.model.automated]

    @property
    def scores(self) -> list[Spread]:
        """The scores of each seat."""
        return [sums.spread() for sums in self.tally.scores]

    @property
    def winning(self) -> Spread:
        """The scores of winners."""
        return self.tally.winning.spread()

    @property
    def wins(self) -> list[int]:
        """The number of games that each seat won; a shared win counts for each winner."""
        return self.tally.wins

    @property
    def lost(self) -> int:
        """The number of games that no player won; seats that rules play are not players here."""
        return self.tally.lost

    @property
    def won_together(self) -> int:
        """The number of games that all players won, if there are several players."""
        return self.tally.together

    @property
    def digest(self) -> str:
        """A hash of all final states in the order of the games."""
        return self.tally.digest

    def rows(self) -> list[Row]:
        """Return a row for each game and seat, for a table or a data frame; see :func:`rows_of`."""
        return [row for game in self.games for row in rows_of(game, self.bots)]

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data, the keys that scripts rely on first."""
        decisions = self.tally.decisions
        seconds = max(self.seconds, 1e-9)
        return {
            "pack": self.rules.id,
            "modules": self.rules.module_ids,
            "options": options_of(self.rules),
            "players": self.plan.players,
            "games": self.plan.games,
            "seed": self.plan.seed,
            "finished": self.tally.finished,
            "decisions": decisions,
            "seconds": round(self.seconds, 3),
            "games_per_second": round(self.tally.played / seconds, 3),
            "decisions_per_second": round(decisions / seconds, 1),
            "scores": [one.as_data() for one in self.scores],
            "wins": self.wins,
            "digest": self.digest,
            "bots": self.bots,
            "jobs": self.jobs,
            "winning_score": self.winning.as_data(),
            "shared_wins": self.tally.shared,
            "won_by_all": self.won_together,
            "lost": self.lost,
            "interrupted": self.interrupted,
            "faults": [{"game": g.index, "seed": g.seed, "fault": g.fault} for g in self.faults],
        }

    def _describe_shared_results(self) -> list[tuple[str, int]]:
        """Describe how many games all players won, and how many they lost."""
        several = self.plan.players > 1
        return [
            *([("all players won", self.won_together)] if several else []),
            ("lost" if not several else "all players lost", self.lost),
        ]

    def as_json(self) -> str:
        """Write the data as JSON."""
        return json.dumps(self.as_data(), indent=2, ensure_ascii=False) + "\n"

    def as_text(self) -> str:
        """Write the report as text."""
        data = self.as_data()
        lines = [self._describe_plan(), ""]
        wide = max(10, *(len(kind) + 2 for kind in self.bots))
        lines.append(f"{'seat':<6}{'bot':<{wide}}{'mean':>9}{'sd':>9}{'min':>7}{'max':>7}{'wins':>8}{'share':>8}")
        for seat, one in enumerate(self.scores):
            lines.append(
                f"{seat + 1:<6}{self.bots[seat]:<{wide}}{_format_row(one)}{self.wins[seat]:>8}{self._share(seat):>8}"
            )
        lines.append(f"{'winner':<{wide + 6}}{_format_row(self.winning)}")
        program = self.rules.resolved_program
        if program.wins is not None or program.among is not None or program.automated:
            lines += [_share(said, number, self.tally.finished) for said, number in self._describe_shared_results()]
        games, decisions = data["games_per_second"], data["decisions_per_second"]
        speed = f"{games:,.1f} games and {decisions:,.0f} decisions per second"
        lines += ["", f"{self._describe_finished()} in {self.seconds:.1f} s: {speed}"]
        if self.interrupted:
            lines.append(f"interrupted: {self.plan.games - self.tally.played} games were not played")
        lines.append(f"digest {self.digest}")
        return "\n".join(lines) + "\n"


def _share(said: str, number: int, games: int) -> str:
    share = f"{100 * number / games:.1f}%" if games else ""
    return f"{said:<48}{number:>8}{share:>8}"


def _format_cells(one: Spread) -> list[str]:
    return [
        "-" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)
        for value in one.as_data().values()
    ]


def _format_row(one: Spread) -> str:
    def cell(value: float | None, width: int) -> str:
        return f"{'-' if value is None else value:>{width}}" if not isinstance(value, float) else f"{value:>{width}.2f}"

    return cell(one.mean, 9) + cell(one.sd, 9) + cell(one.min, 7) + cell(one.max, 7)


def options_of(rules: Ruleset) -> dict[str, str | int]:
    """Return every option with its value, including those at their default."""
    found: dict[str, str | int] = {}
    for name, option in rules.model.options.items():
        number = rules.model.chosen[name]
        found[name] = option.choices[number] if option.choices else number
    return found
