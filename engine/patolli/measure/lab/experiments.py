"""Experiments for findings: commands to paste, how long they take, and the smallest effect that they show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

from patolli.language.sources import Mapping as Pairs
from patolli.language.sources import Scalar
from patolli.measure.lab.plans import as_text
from patolli.measure.lab.run_data import Finding, Run
from patolli.measure.lab.standouts import CERTAINTY
from patolli.measure.lab.units import POINTS
from patolli.measure.simulation.estimates import Z

BUDGET = 120.0
"""Seconds that an experiment may take in one process, if that leaves enough matches."""
FEWEST, MOST = 100, 5000
"""Limits for the matches of an experiment."""
PER_FINDING = 3
REMOVABLE = ("dominant", "weak", "dominated", "no effect", "always chosen", "rarely chosen")
CHANGEABLE = ("dominant", "weak", "dead", "always chosen")
_NUMBER = re.compile(r"(?<![\w.-])[1-9][0-9]*(?![\w.])")


@dataclass(frozen=True, slots=True)
class Experiment:
    """A command, what it is for, its minutes in one process (None if unknown), and the smallest effect on wins."""

    purpose: str
    command: str
    minutes: float | None
    effect: float | None
    changes: dict[str, Any] | None = None
    """What a run with the same plan needs instead: ``vary``, ``bot`` or ``games``; None if another command does it."""

    def data(self) -> dict[str, Any]:
        """Return the line as plain data."""
        return {
            "purpose": self.purpose, "command": self.command, "minutes": self.minutes, "effect": self.effect,
            "text": self.text, **({"changes": self.changes} if self.changes is not None else {}),
        }  # fmt: skip

    @property
    def text(self) -> str:
        """What it is for, and what it takes and shows."""
        if self.minutes is None or self.effect is None:
            return f"{self.purpose} (the time depends on the bot)"
        lasting = "less than a minute" if self.minutes < 1 else f"about {self.minutes:.0f} min"
        return f"{self.purpose} ({lasting} in one process; shows {100 * self.effect:.1f} {POINTS} of the wins)"


def list_experiments(run: Run, one: Finding, alone: bool = True) -> list[Experiment]:
    """Return up to three experiments for a finding; none for a variant, or if different bots play the seats.

    The effect is the one that 8 of 10 such experiments would show if the runs were independent. Runs with the same
    seeds show smaller ones. A run that is not *alone* has been compared with other bots already.
    """
    plan, frame = run.frame.plan, run.frame
    variant = next(each for each in plan["variants"] if each["name"] == frame.variant)
    if variant["vary"] or len(set(plan["bots"])) != 1 or frame.seats < 2:
        return []
    return list(_list_all(run, one, variant, alone))[:PER_FINDING]


def _list_all(run: Run, one: Finding, variant: dict[str, Any], alone: bool) -> Iterator[Experiment]:
    plan, frame = run.frame.plan, run.frame
    words = [shlex.quote(variant["pack"])]
    words += [f"--with {shlex.quote(name)}" for name in variant["modules"]]
    words += [f"--set {shlex.quote(f'{name}={value}')}" for name, value in variant["options"].items()]
    pack, bot, folder = " ".join(words), plan["bots"][0], f"runs/{_slug(one.name)}"
    how = f"--players {frame.seats} --bot {shlex.quote(bot)} --seed {plan['seed'] + 1}"
    seconds = float(frame.column("seconds").mean())

    def size(arms: int) -> tuple[int, float, float]:
        games = min(MOST, max(FEWEST, int(BUDGET / max(1e-6, seconds * arms)) // 50 * 50))
        effect = (Z + CERTAINTY) * float(frame.wins.std()) * sqrt(2 / games)
        return games, games * arms * seconds / 60, effect

    if one.kind in REMOVABLE:
        games, minutes, effect = size(1 + frame.seats)
        name = one.name.rpartition("/")[2]
        command = f"patolli lab worth {pack} --without {shlex.quote(name)} {how} --games {games} --out {folder}-without"
        yield Experiment(f"What a seat wins without {name}", command, minutes, effect)
    if one.kind in CHANGEABLE and "/" in one.name:
        id_ = one.name.rpartition("/")[2]
        for key, changed in _list_numbers(run, id_):
            games, minutes, effect = size(3)
            vary = f"pieces/{id_}/{key}={','.join(map(_quote, changed))}"
            values = shlex.quote(vary)
            out = f"{folder}-{_slug(key)}"
            command = f"patolli lab run {pack} --vary {values} {how} --games {games} --out {out} && "
            command += f"patolli lab compare {out}:base {out}:v1"
            changes: dict[str, Any] = {"vary": [vary], "games": games}
            yield Experiment(f"Change {key} of {id_}", command, minutes, effect, changes)
    if not alone:
        return
    other = "greedy" if bot == "random" else "random"
    again = how.replace(f"--bot {shlex.quote(bot)}", f"--bot {other}")
    command = f"patolli lab run {pack} {again} --games {min(len(frame), MOST)} --out {folder}-{other} && "
    command += f"patolli lab report {folder}-{other} --out {folder}-{other}.html"
    changes = {"bot": other, "games": min(len(frame), MOST)}
    yield Experiment(f"Whether it holds for {other} bots", command, None, None, changes)


def _list_numbers(run: Run, id_: str) -> Iterator[tuple[str, list[str]]]:
    """Yield keys of a piece whose values have one number, and the values with half (if not 0) and twice that number."""
    entry = run.content.rules.model.composition.sections.get("pieces", {}).get(id_)
    if entry is None or not isinstance(entry.node, Pairs):
        return
    for key, (_, node) in entry.node.items.items():
        found = list(_NUMBER.finditer(node.value)) if isinstance(node, Scalar) and key != "copies" else []
        if isinstance(node, Scalar) and len(found) == 1:
            number, (low, high) = int(found[0][0]), found[0].span()
            numbers = [value for value in (number // 2, 2 * number) if value]
            yield key, [f"{node.value[:low]}{value}{node.value[high:]}" for value in numbers]


def _quote(value: str) -> str:
    """Return a value of a variation; one that YAML would cut or read otherwise stands in quotes."""
    return as_text([value])[1:-1] if re.search(r"[,:#\[\]{}\"'\n]", value) else value


def _slug(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_")
