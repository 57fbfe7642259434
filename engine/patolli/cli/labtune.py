"""``patolli lab tune``: settings of a game that reach goals, near to what it is."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from patolli.cli.labfolders import connect_cluster, mistakes, playing
from patolli.cli.labprogress import format_estimate
from patolli.cli.options import NewFile, Whole
from patolli.cli.status import CONTENT, FINE, say
from patolli.measure.lab.units import many

if TYPE_CHECKING:
    from patolli.measure.lab.tuning_search import Search, Trial, Tuning
    from patolli.run.runtime import Ruleset

KEYS = ("pack", "with", "set", "players", "bots", "seed", "games", "trials", "check", "limit", "parameters", "goals")
GAMES, TRIALS, MORE = 200, 40, 4
"""Matches of a trial, trials, and how many times as many matches check the best, where the plan says nothing."""


@click.command()
@click.argument("plan", metavar="PLAN.yaml", type=NewFile())
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the trials.")
@click.option("--module", type=click.Path(file_okay=False, path_type=Path), help="Folder for the resulting module.")
@click.option("--jobs", type=Whole(1), help="Number of processes (default: one per processor).")
@click.option("--cluster", metavar="ADDRESS", help="Play on a Dask cluster.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
def tune(plan: Path, out: Path, module: Path | None, jobs: int | None, cluster: str | None, form: str) -> None:
    """Search for values and options with which a game reaches goals, close to its current rules.

    PLAN.yaml declares under 'parameters' what may change, such as pieces/inn/cost: [3 coin, 4 coin], and under
    'goals' what you want, such as turns 40 to 60. The page 'Tune a game' of the documentation shows a whole plan.

    All settings are played with the same
    seeds, and the best ones again with other seeds. The result is written as a module; the pack does not change. If the
    search was stopped, run the same command again to continue.

    Exit status: 0 success, 1 the content has problems, 2 usage error, 4 internal error.
    """
    with mistakes(), connect_cluster(cluster, jobs) as there:
        from patolli.measure.lab.proposals import library
        from patolli.measure.lab.tables import libraries
        from patolli.measure.lab.tuning_search import Search

        libraries()
        library()
        wanted, rules = read_tuning(plan, out)
        with playing(jobs, there, None) as pool:
            search = Search(wanted, out, rules, pool.play)
            sys.exit(_run_search(search, rules, module or out / f"{rules.id}_tuned", form == "json"))


def read_tuning(path: Path, out: Path) -> tuple[Tuning, Ruleset]:
    """Read a plan, and load what it is about. Raises PlanError: it makes no sense; ContentError: pack problems."""
    from patolli.cli.labplans import Wanted, from_plan, kind_in, read_goals, whole_in
    from patolli.measure.lab.content import Content
    from patolli.measure.lab.goals import agree, wish
    from patolli.measure.lab.parameters import space_of
    from patolli.measure.lab.plans import PlanError, read_plan
    from patolli.measure.lab.tuning_search import Tuning
    from patolli.measure.lab.variant_modules import load_variant

    found = read_plan(path, KEYS)
    what = Wanted.from_options(from_plan(path, found))
    games = what.games or GAMES
    trials, check = whole_in(path, found, "trials") or TRIALS, whole_in(path, found, "check") or MORE * games
    base = what.variants[0]
    rules = load_variant(base, out)
    how = what.plan(rules, games)
    content = Content(rules, how.players)
    try:
        goals = read_goals(path, found, "goals")
        wishes = tuple(wish(one, how.players, content) for one in goals)
        if not wishes:
            raise PlanError("'goals' is empty: say what you want, such as first player 50 +- 1 %")
        agree(wishes)
        space = space_of(kind_in(path, found, "parameters", dict, "a mapping of what may change"), rules)
    except PlanError as error:
        raise PlanError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from None
    return Tuning(base, space, wishes, how, games, trials, check), rules


def _run_search(search: Search, rules: Ruleset, module: Path, as_json: bool) -> int:
    tuning = search.tuning
    reported = say if as_json else click.echo

    def report_progress(trial: Trial) -> None:
        reported(_format_trial(search, trial))

    reported(f"{rules.title}: {tuning.space.size:,} settings, {len(search.trials)} of {tuning.trials} trials done")
    search.run(report_progress)
    reported(f"\nThe best, with {many(tuning.check)} with other seeds each:")
    checked = search.check_front(report_progress)
    best = search.choose_best(checked)
    home, sound = _write_result(search, best, rules, module)
    if as_json:
        from patolli.measure.lab.plaindata import json_text

        click.echo(json_text(_collect_data(search, checked, best, home)))
    else:
        click.echo(_format_result(search, checked, best, home))
    return FINE if sound else CONTENT


def _format_trial(search: Search, trial: Trial) -> str:
    """Say what came of a trial."""
    head = f"trial {trial.number}: {_describe_setting(search, trial)}"
    if trial.broken:
        return f"{head}\n  {trial.left}"
    goals = "; ".join(
        f"{wish.measure.name} {format_estimate(mean, half, wish.measure.share)}"
        for wish, (mean, half, _) in zip(search.tuning.wishes, trial.known, strict=True)
    )
    why = f"\n  abandoned after {many(trial.matches)}: {trial.left}" if trial.left else ""
    return f"{head}\n  miss {trial.miss:.2f}, distance {trial.moved:.2f}: {goals}{why}"


def _list_changes(search: Search, trial: Trial) -> dict[str, Any]:
    if not trial.setting:
        return {}
    return {parameter.name: value for parameter, value in search.tuning.space.list_changes(trial.setting)}


def _describe_setting(search: Search, trial: Trial) -> str:
    from patolli.measure.lab.parameters import format_value

    return (
        ", ".join(f"{name} = {format_value(value)}" for name, value in _list_changes(search, trial).items())
        or "unchanged"
    )


def _list_verdicts(search: Search, trial: Trial) -> list[str]:
    return [wish.verdict(mean, half) for wish, (mean, half, _) in zip(search.tuning.wishes, trial.known, strict=True)]


def _format_result(search: Search, checked: list[Trial], best: Trial, home: Path | None) -> str:
    """Say what can be had for what, and what was written."""
    lines = ["", f"{'distance':>8}  {'miss':>6}  {'goals':>7}  changes"]
    for one in sorted(checked, key=lambda one: one.moved):
        reached = sum(word.endswith("reached") for word in _list_verdicts(search, one))
        mark = "*" if one is best else " "
        lines.append(
            f"{one.moved:>8.2f}  {one.miss:>6.2f}  {reached:>2} of {len(one.known)} {mark} "
            f"{_describe_setting(search, one)}"
        )
    lines.append("")
    for wish, verdict in zip(search.tuning.wishes, _list_verdicts(search, best), strict=True):
        lines.append(f"{wish.text}: {verdict}")
    turned = _list_changes(search, best)
    if not turned:
        lines.append("No setting is better than the unchanged pack.")
    if home is not None:
        lines.append(f"written as a module: {home}")
    options = [f"--set {name}={value}" for name, value in turned.items() if "/" not in name]
    if options:
        lines.append(f"options are set, not patched; play it with {' '.join(options)}")
    return "\n".join(lines)


def _collect_data(search: Search, checked: list[Trial], best: Trial, home: Path | None) -> dict[str, Any]:
    def one(trial: Trial) -> dict[str, Any]:
        known = [
            {"goal": wish.text, "mean": mean, "half": half, "matches": count, "verdict": said}
            for wish, (mean, half, count), said in zip(
                search.tuning.wishes, trial.known, _list_verdicts(search, trial) if trial.known else (), strict=True
            )
        ] if trial.known else []  # fmt: skip
        return {
            "trial": trial.number, "turned": _list_changes(search, trial), "miss": trial.miss, "distance": trial.moved,
            "matches": trial.matches, "left": trial.left, "goals": known,
        }  # fmt: skip

    return {
        "trials": [one(trial) for trial in search.trials], "checked": [one(trial) for trial in checked],
        "best": best.number, "module": str(home) if home is not None else None,
    }  # fmt: skip


def _write_result(search: Search, best: Trial, rules: Ruleset, home: Path) -> tuple[Path | None, bool]:
    """Write the module of a trial, nothing where no value is another; return whether it is valid.

    Raises:
        StoreError: Something else is there.
        OSError: It cannot be written.
    """
    from patolli.author.workspace.inspection import inspect
    from patolli.measure.lab.parameters import format_value
    from patolli.measure.lab.store import StoreError
    from patolli.measure.lab.variant_modules import write_module

    space, base = search.tuning.space, search.tuning.base
    turned = dict(space.list_changes(best.setting)) if best.setting else {}
    vary = {parameter.name: value for parameter, value in turned.items() if not parameter.is_option}
    if not vary:
        return None, True
    if home.exists() and any(one.name not in ("pack.yaml", "changes.yaml") for one in home.iterdir()):
        raise StoreError(f"{home} is not empty, and not a module of an earlier search; use another --module")
    if not home.name.isidentifier() or not home.name.islower():
        raise StoreError(f"the name of {home} becomes a module id: use lower-case letters, digits and _")
    variant = search.variant(best.number, best.setting)
    before = {parameter.name: parameter.before for parameter in turned if not parameter.is_option}
    text = ", ".join(
        f"{parameter.name}: {format_value(value)} for {format_value(parameter.before)}"
        for parameter, value in turned.items()
    )
    write_module(home, rules, vary, f"{rules.title}, tuned", text, before)
    found = inspect(base.pack, [*base.modules, str(home)], dict(variant.options))
    for problem in found.problems:
        say(f"{problem.severity} in {home}: {problem.message}")
    return home, not found.errors
