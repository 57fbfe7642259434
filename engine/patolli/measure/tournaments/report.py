"""The result of a tournament: a table of ratings with their intervals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from math import log
from typing import Any, TypedDict

from patolli.measure.simulation.games import game_seed
from patolli.measure.simulation.report import options_of
from patolli.measure.tournaments.certainty import ERROR, find_unsettled, order_of, quantile
from patolli.measure.tournaments.contests import Contest
from patolli.measure.tournaments.plackett_luce import Stage, Strengths, stages, strengths
from patolli.measure.tournaments.schedule import LineUp, unit_of
from patolli.play.players.bots import Kind, fingerprints
from patolli.run.runtime import Ruleset, notebook

POINTS = 400 / log(10)
"""Rating points for a factor e of strength: 400 points are ten times the strength, as in the Elo scale."""
COVERED = 0.95
SEATS = 4
"""Maximum number of seats that the table shows separately."""


class Standing(TypedDict):
    """A row of the table; see :meth:`Standings.rows`."""

    place: int
    bot: str
    rating: float
    low: float
    high: float
    games: int
    wins: list[int]
    played: list[int]
    milliseconds: float | None
    faults: int


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a tournament: at most ``units`` of ``size`` games, and the bots, alone if *apart*, in order."""

    rules: Ruleset
    kinds: tuple[Kind, ...]
    players: int
    units: int
    size: int
    seed: int
    limit: int
    apart: bool

    def unit(self, number: int) -> list[LineUp]:
        """Return the line-ups of a unit."""
        return unit_of(len(self.kinds), self.players, self.seed, number, self.apart)

    def seed_of(self, unit: int) -> int:
        """Return the seed of all games of a unit."""
        return game_seed(self.seed, unit)

    def head(self) -> dict[str, Any]:
        """Return the data that identifies the tournament."""
        return {
            "pack": self.rules.id, "modules": self.rules.module_ids, "options": options_of(self.rules),
            "content": self.rules.content_hash, "players": self.players, "bots": list(map(str, self.kinds)),
            "seed": self.seed, "limit": self.limit,
        }  # fmt: skip

    def identity_data(self) -> dict[str, Any]:
        """Return the data that identifies the tournament. Raises OSError: a bot's learned value is unreadable."""
        kinds = {str(kind): kind.spec or str(kind) for kind in self.kinds}
        return {**self.head(), "kinds": kinds, "learned": fingerprints(self.kinds, self.rules, self.players)}

    def could_be(self, one: Contest) -> bool:
        """Return whether the numbers of a game are possible in this tournament."""
        game, seats = one.game, self.players + self.rules.model.automated
        return (
            one.unit >= 0
            and 0 <= one.number < self.size
            and len(one.line_up) == self.players
            and all(0 <= bot < len(self.kinds) for bot in one.line_up)
            and 0 <= game.decisions <= self.limit
            and -1 <= one.failed < self.players
            and len(one.moves) == len(one.seconds) <= self.players
            and all(0 <= number < float("inf") for number in (*one.moves, *one.seconds, *(game.broken or ())))
            and bool(game.digest) != bool(game.fault)
            and set(game.winners) <= set(range(seats))
            and all(len(each) in ((0, seats) if game.digest else (0,)) for each in (game.scores, game.ranks))
            and all(1 <= rank <= seats for rank in game.ranks)
        )


@dataclass(frozen=True, repr=False)
class Standings:
    """The result of a tournament.

    Attributes:
        contests: The games in order.
        certain: Whether the order is certain.
        interrupted: Whether Ctrl-C came before the end.
        unwritten: Why the file of games could not be written any more; None otherwise.
    """

    terms: Terms
    contests: list[Contest]
    seconds: float
    certain: bool = False
    interrupted: bool = False
    unwritten: OSError | None = None

    @staticmethod
    def fit(terms: Terms, contests: Sequence[Contest]) -> Strengths:
        """Return the strengths of the bots, estimated from some games."""
        units: dict[int, list[Contest]] = {}
        for one in contests:
            units.setdefault(one.unit, []).append(one)
        decided = [_stages_of_unit(terms, unit) for unit in units.values()]
        return strengths(len(terms.kinds), [one for one in decided if one])

    @cached_property
    def strengths(self) -> Strengths:
        """The strengths of the bots."""
        return self.fit(self.terms, self.contests)

    @property
    def unsettled(self) -> list[tuple[str, str]]:
        """The neighbors in the table that cannot be distinguished yet."""
        names = self.terms.kinds
        return [
            (str(names[one]), str(names[other])) for one, other in find_unsettled(self.strengths, self.terms.units)
        ]  # fmt: skip

    @property
    def faults(self) -> list[Contest]:
        """The games that failed."""
        return [one for one in self.contests if one.game.fault]

    def rows(self) -> list[Standing]:
        """Return a row for each bot, the strongest first.

        A row contains the place of the bot; its rating (the mean of all is 0) with the ends of the interval that
        contains the true rating in 95 of 100 tournaments; the number of games it finished; by seat, the number of wins
        (including shared wins) and of finished games; its thinking time per decision in milliseconds; and how often it
        failed.
        """
        found = self.strengths
        wide = quantile((1 + COVERED) / 2, found.units - 1) if found.units > 1 else float("inf")
        return [
            self._make_standing(place, bot, found.logs[bot], wide * found.error(bot))
            for place, bot in enumerate(order_of(found), 1)
        ]

    def _make_standing(self, place: int, bot: int, worth: float, wide: float) -> Standing:
        seats = range(self.terms.players)
        ended = [one for one in self.contests if one.game.digest]
        sat = [[one for one in ended if one.line_up[seat] == bot] for seat in seats]
        asked = [
            (one.moves[seat], one.seconds[seat])
            for one in self.contests
            for seat in range(len(one.moves))
            if one.line_up[seat] == bot
        ]
        moves = sum(number for number, _ in asked)
        return {
            "place": place,
            "bot": str(self.terms.kinds[bot]),
            "rating": round(POINTS * worth, 1),
            "low": round(POINTS * (worth - wide), 1) if wide < float("inf") else float("-inf"),
            "high": round(POINTS * (worth + wide), 1) if wide < float("inf") else float("inf"),
            "games": sum(bot in one.line_up for one in ended),
            "wins": [sum(seat in one.game.winners for one in sat[seat]) for seat in seats],
            "played": [len(sat[seat]) for seat in seats],
            "milliseconds": round(1000 * sum(seconds for _, seconds in asked) / moves, 3) if moves else None,
            "faults": sum(one.failed >= 0 and one.line_up[one.failed] == bot for one in self.contests),
        }

    def to_frame(self) -> Any:
        """Return the rows as a data frame of pandas, with a column of wins for each seat.

        Raises:
            ImportError: pandas is not installed.
        """
        from importlib import import_module

        rows = [
            {
                **{name: value for name, value in row.items() if name not in ("wins", "played")},
                **{f"wins_{seat}": number for seat, number in enumerate(row["wins"], 1)},
            }
            for row in self.rows()
        ]
        return import_module("pandas").DataFrame(rows)

    def as_data(self) -> dict[str, Any]:
        """Return everything as plain data."""
        head = self.terms.head()
        return {
            **head,
            "games": len(self.contests),
            "most_games": self.terms.units * self.terms.size,
            "games_of_a_unit": self.terms.size,
            "units": self.strengths.units,
            "certain": self.certain,
            "error": ERROR,
            "unsettled": [list(pair) for pair in self.unsettled],
            "standings": [{name: _finite_or_none(value) for name, value in row.items()} for row in self.rows()],
            "ties": {str(size): round(value, 4) for size, value in self.strengths.ties.items()},
            "interrupted": self.interrupted,
            "seconds": round(self.seconds, 3),
            "faults": [
                {"unit": one.unit, "game": one.number, "seed": one.game.seed, "fault": one.game.fault}
                for one in self.faults
            ],
        }  # fmt: skip

    def to_json(self) -> str:
        """Write the data as JSON."""
        return json.dumps(self.as_data(), indent=2, ensure_ascii=False) + "\n"

    def __repr__(self) -> str:
        order = ", ".join(f"{row['bot']} {row['rating']:+.0f}" for row in self.rows())
        return f"<Standings of {self._describe_terms()}: {order}>"

    def _repr_html_(self) -> str:
        head, *rows = self._make_table()
        table = [notebook.row("th", head), *(notebook.row("td", row) for row in rows)]
        words = [f"<p>{escape(line)}</p>" for line in (self._describe_terms(), *self._describe_certainty())]
        return "\n".join(["<div>", words[0], "<table>", *table, "</table>", *words[1:], "</div>"])

    def as_text(self) -> str:
        """Write the result as text."""
        table = self._make_table()
        widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
        lines = [self._describe_terms(), ""]
        for row in table:
            cells = [
                cell.ljust(width) if column == 1 else cell.rjust(width)
                for column, (cell, width) in enumerate(zip(row, widths, strict=True))
            ]
            lines.append("  ".join(cells).rstrip())
        return "\n".join([*lines, "", *self._describe_certainty()]) + "\n"

    def _make_table(self) -> list[list[str]]:
        """Return the cells of the table, starting with the headings."""
        by_seat = 1 < self.terms.players <= SEATS and not self.terms.apart
        table = [
            ["", "bot", "rating", "95 % interval", "games", "wins by seat" if by_seat else "wins", "ms/move", "faults"]
        ]
        for row in self.rows():
            shares = list(zip(row["wins"], row["played"], strict=True)) if by_seat else [self._sum_wins(row)]
            table.append(
                [
                    str(row["place"]), row["bot"], f"{row['rating']:+.0f}", _format_interval(row["low"], row["high"]),
                    str(row["games"]), " ".join(_format_share(won, of).rjust(4) for won, of in shares).lstrip(),
                    _format_time(row["milliseconds"]), str(row["faults"]),
                ]
            )  # fmt: skip
        return table

    def _sum_wins(self, row: Standing) -> tuple[int, int]:
        """Return the wins on all seats; if one bot has all seats, a game is won once."""
        if self.terms.apart:
            return row["wins"][0], row["played"][0]
        return sum(row["wins"]), sum(row["played"])

    def _describe_terms(self) -> str:
        """Describe what was played."""
        rules, games = self.terms.rules, len(self.contests)
        chosen = [f"{name}={value}" for name, value in options_of(rules).items()]
        modules = [f"with {', '.join(rules.module_ids)}"] if rules.module_ids else []
        players = f"{self.terms.players} player{'s' * (self.terms.players > 1)}"
        played = f"{games} game{'s' * (games != 1)}"
        return ", ".join([rules.title, players, played, f"seed {self.terms.seed}", *modules, *chosen])

    def _describe_certainty(self) -> list[str]:
        """Describe how certain the order is, and why the tournament ended."""
        found, most = [], self.terms.units * self.terms.size
        if self.terms.apart:
            found.append("Players win or lose together in this game. Each bot plays all seats of a game, and the")
            found.append("results for the same seed are compared. The column of wins counts these games.")
        if self.certain:
            found.append("The order is certain (probability of error at most 5 %).")
        found += [f"Not distinguished yet: {one} and {other}." for one, other in self.unsettled]
        if self.interrupted:
            found.append(f"Interrupted: {most - len(self.contests)} of {most} games were not played.")
        elif not self.certain:
            found.append(f"All {most} games were played.")
        if self.faults:
            found.append(f"{len(self.faults)} of the games failed and do not count.")
        return found


def _stages_of_unit(terms: Terms, unit: Sequence[Contest]) -> list[Stage]:
    """Return the stages of the games of a unit."""
    ended = [one for one in unit if one.game.digest]
    if terms.apart:
        return _stages_apart(ended)
    found: list[Stage] = []
    for one in ended:
        game, seats = one.game, range(terms.players)
        if game.ranks:
            places = [game.ranks[seat] for seat in seats]
            groups = [[one.line_up[s] for s in seats if places[s] == place] for place in sorted(set(places))]
        else:
            groups = [[one.line_up[s] for s in seats if (s in game.winners) == won] for won in (True, False)]
        found += stages([group for group in groups if group], whole=bool(game.ranks))
    return found


def _stages_apart(ended: Sequence[Contest]) -> list[Stage]:
    """Return the stages between bots that played alone: pairs are compared, first by winning, then by score.

    With many bots, comparing all of them at once would have too many possible sets.
    """
    found: list[Stage] = []
    made = [(one.line_up[0], (0 in one.game.winners, one.game.scores[0])) for one in ended]
    for number, (one, result) in enumerate(made):
        for other, its in made[:number]:
            better = [[one], [other]] if result > its else [[other], [one]] if its > result else [[one, other]]
            found += stages(better)
    return found


def _finite_or_none(value: Any) -> Any:
    return None if isinstance(value, float) and value in (float("inf"), float("-inf")) else value


def _format_interval(low: float, high: float) -> str:
    return "-" if high == float("inf") else f"{low:+.0f} to {high:+.0f}"


def _format_share(won: int, of: int) -> str:
    return f"{100 * won / of:.0f}%" if of else "-"


def _format_time(milliseconds: float | None) -> str:
    if milliseconds is None:
        return "-"
    return f"{milliseconds:,.0f}" if milliseconds >= 100 else f"{milliseconds:.3g}"
