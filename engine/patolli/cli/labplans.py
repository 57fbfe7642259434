"""The settings of ``patolli lab run``, from the command line or from a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from patolli.cli.options import bot_kind, seat_kinds
from patolli.cli.report_output import check_players
from patolli.cli.status import say
from patolli.measure.lab.content import Content
from patolli.measure.lab.goals import agree, wish
from patolli.measure.lab.measures import until
from patolli.measure.lab.paired_runs import head_of
from patolli.measure.lab.parameters import changes_nothing
from patolli.measure.lab.plans import TARGETS, PlanError, Variant, parse_variation, read_plan, variants
from patolli.measure.lab.run_loop import MOST, Goal
from patolli.measure.lab.store import Store
from patolli.measure.lab.tables import libraries
from patolli.measure.lab.variant_modules import load_variant
from patolli.measure.simulation import LIMIT, Plan
from patolli.play.players.bots import check_kinds, kind_of
from patolli.run.runtime import Ruleset

BESIDE = ("pack", "minutes", "jobs", "cluster", "shard", "out")
"""What is given beside a file."""
GAMES = 1000


@dataclass(slots=True)
class Wanted:
    """The settings of a run."""

    variants: list[Variant]
    players: int | None
    games: int | None
    until: str | None
    seed: int
    bot: str
    seats: tuple[tuple[int, str], ...]
    limit: int | None
    path: Path | None = None
    targets: tuple[str, ...] = ()
    panel: tuple[str, ...] | None = None
    """The bots of a panel; empty if they are to be chosen. None if one bot plays, or one for each seat."""

    @classmethod
    def of(cls, ctx: click.Context, given: dict[str, Any]) -> Wanted:
        """Read the command line, or the file that it names.

        Raises:
            PlanError: Something makes no sense.
            click.UsageError: There is an option beside a file that stands in it.
        """
        if given["pack"].endswith((".yaml", ".yml")):
            for option in ctx.params:
                if option not in BESIDE and ctx.get_parameter_source(option) is ParameterSource.COMMANDLINE:
                    raise click.UsageError(
                        f"the plan decides what is played; write --{_OPTIONS.get(option, option)} there"
                    )
            path = Path(given["pack"])
            given = from_plan(path, read_plan(path))
        return cls.from_options(given)

    @classmethod
    def from_options(cls, given: dict[str, Any]) -> Wanted:
        """Take what :func:`from_plan` returns. Raises PlanError: something makes no sense."""
        panel = choose_panel(given)
        values: dict[str, list[Any]] = {}
        for text in given["vary"]:
            address, found = parse_variation(text) if isinstance(text, str) else text
            values.setdefault(address, []).extend(found)
        bot = "random" if panel is not None else given["bot"] or "random"
        return cls(
            variants(given["pack"], tuple(given["with"]), given["set"], values), given["players"], given["games"],
            given["until"], given["seed"], bot, given["seats"], given["limit"], given.get("path"),
            tuple(given.get("targets", ())), panel,
        )  # fmt: skip

    def prepare_run(self, out: Path) -> tuple[dict[str, Ruleset], Plan, Goal, Store]:
        """Load the packs, and open the folder.

        Raises:
            ContentError: A pack has problems.
            PlanError: Something makes no sense.
            StoreError: The folder keeps something else.
            OSError: It cannot be written.
        """
        libraries()
        base = load_variant(self.variants[0], out)
        with _name_origin(self.path):
            players = check_players(base, self.players)
            goal = self._parse_goal(players)
            check_targets(self.targets, base, players)
        self._leave_out(base)
        plan = self.plan(base, goal.matches)
        store = Store(
            out, head_of(self.variants, base, plan, {TARGETS: list(self.targets)} if self.targets else None)
        )  # before anything is written there: another run may be kept in the folder
        rules = {"base": base} | {one.name: load_variant(one, out / "variants") for one in self.variants[1:]}
        return rules, plan, goal, store

    def load_panel(self, out: Path) -> tuple[Ruleset, int]:
        """Load the pack of a panel, with the number of seats. Raises ContentError: problems; PlanError: no sense."""
        libraries()
        base = load_variant(self.variants[0], out)
        with _name_origin(self.path):
            players = check_players(base, self.players)
            check_targets(self.targets, base, players)
        for bot in self.panel or ():
            replace(self, bot=bot).plan(base, 1)
        return base, players

    def open_run(self, folder: Path, base: Ruleset, bots: Sequence[str]) -> tuple[Plan, Store]:
        """Open the folder of a run of a panel with *bots*. Raises StoreError: it has other data; OSError: no access."""
        plan = replace(self, seats=tuple(enumerate(bots, 1))).plan(base, MOST)
        more = {TARGETS: list(self.targets)} if self.targets else None
        return plan, Store(folder, head_of(self.variants, base, plan, more))

    def _leave_out(self, base: Ruleset) -> None:
        """Leave out variants that are the pack as it is, and say so: they would play the same matches again."""
        alike = [one for one in self.variants if changes_nothing(one, base)]
        for one in alike:
            say(f"{one.name} ({one.words}) equals the pack, and is not played again")
        self.variants = [one for one in self.variants if one not in alike]

    def plan(self, base: Ruleset, matches: int) -> Plan:
        """Return how so many matches of a pack are played. Raises click.UsageError: unknown bots, or too few."""
        with _name_origin(self.path):
            players = check_players(base, self.players)
            bots = seat_kinds(self.seats, players, [bot_kind(self.bot, "--bot")] * players)
            try:
                check_kinds(map(kind_of, bots), base, players)
            except ValueError as error:
                raise PlanError(str(error)) from None
        return Plan(players, matches, self.seed, tuple(bots), self.limit or LIMIT)

    def _parse_goal(self, players: int) -> Goal:
        if self.until is None:
            return Goal(self.games or GAMES)
        return Goal(self.games or MOST, *until(self.until, players))


def choose_panel(given: dict[str, Any]) -> tuple[str, ...] | None:
    """Return the bots of a panel, empty for any; None for a run of one bot, or of one for each seat.

    A run with a number of matches, with variants or in parts is played at random, if it names no bot.

    Raises:
        PlanError: The settings do not go with a panel.
    """
    bots = tuple(one.strip() for one in (given["bot"] or "").split(",") if one.strip())
    alone = [name for name in ("until", "vary", "seats", "cluster", "shard") if given.get(name)]
    if len(bots) == 1 or (not bots and (alone or given["games"])):
        return None
    if alone:
        raise PlanError(f"several bots play a panel, which takes no {alone[0]}: name one bot")
    if len(set(bots)) < len(bots):
        raise PlanError(f"a panel has each bot once: {', '.join(bots)}")
    return bots


@contextmanager
def _name_origin(path: Path | None) -> Iterator[None]:
    """Name the file in which something stands that makes no sense, and not the option that says the same.

    Raises:
        PlanError: Something makes no sense, in a file.
        click.UsageError: Something makes no sense on the command line.
    """
    try:
        yield
    except (click.BadParameter, PlanError) as error:
        if path is None:
            raise
        words = error.message if isinstance(error, click.BadParameter) else str(error)
        raise PlanError(f"{path}: {words.removeprefix(f'{path}: ')}") from None


_OPTIONS = {"modules": "with", "settings": "set", "wanted": "until"}


def whole_in(path: Path, found: dict[str, Any], name: str, least: int | None = 1) -> int | None:
    """Return a whole number of a plan; None where it says none. Raises PlanError: it is something else."""
    value = found.get(name)
    if value is None:
        return None
    try:
        number = int(str(value))
    except ValueError:
        number = None
    if number is None or (least is not None and number < least):
        raise PlanError(f"{path}: {name!r} must be a whole number{'' if least is None else f', {least} or more'}")
    return number


def kind_in(path: Path, found: dict[str, Any], name: str, type_: type, words: str) -> Any:
    """Return a list or a mapping of a plan; an empty one where it says none. Raises PlanError: it is something else."""
    value = found.get(name)
    if value is not None and not isinstance(value, type_):
        raise PlanError(f"{path}: {name!r} must be {words}")
    return value or type_()


def read_goals(path: Path, found: dict[str, Any], name: str) -> list[str]:
    """Return the texts of the goals under a key of a plan.

    Raises:
        PlanError: There is no list, or a goal holds a colon and has no quotes, so that YAML takes it for a mapping.
    """
    goals = kind_in(path, found, name, list, "a list of goals, such as [turns 40 to 60]")
    for one in goals:
        if isinstance(one, dict):
            words = ", ".join(f"{key}: {rest}" for key, rest in one.items())
            raise PlanError(f"{path}: put a goal with a colon in quotes: {words!r}")
    return [str(one) for one in goals]


def check_targets(targets: Sequence[str], rules: Ruleset, players: int) -> None:
    """Check that targets can be compared with results. Raises PlanError: one is no goal, or two are contradictory."""
    content = Content(rules, players)
    agree([wish(one, players, content) for one in targets])


def from_plan(path: Path, found: dict[str, Any]) -> dict[str, Any]:
    """Return what a plan says of a run, as the command line gives it. Raises PlanError: a value has a wrong type."""
    whole, kind = partial(whole_in, path, found), partial(kind_in, path, found)

    bots = found.get("bots")
    listed = bots if isinstance(bots, list) else [bots]
    if bots is not None and not all(isinstance(one, str) for one in listed):
        raise PlanError(f"{path}: 'bots' must be the name of a bot, or a list with one bot for each seat")
    vary = kind("vary", dict, "a mapping of addresses, each with a value or a list of values")
    return {
        "pack": found["pack"], "with": kind("with", list, "a list of modules"),
        "set": kind("set", dict, "a mapping of options"),
        "vary": [(name, value if isinstance(value, list) else [value]) for name, value in vary.items()],
        "players": whole("players"), "games": whole("games"), "until": found.get("until"),
        "seed": whole("seed", None) or 0, "bot": listed[0],
        "seats": tuple((n, one) for n, one in enumerate(listed, 1)) if isinstance(bots, list) else (),
        "limit": whole("limit"), "path": path, "targets": read_goals(path, found, TARGETS),
    }  # fmt: skip
