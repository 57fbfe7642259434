"""Make packs for tests: the sample pack with an example in it, and texts that know their place."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from patolli.author.workspace import inspect, load
from patolli.language.diagnostics import Problem, Span
from patolli.language.diagnostics.codes import UNUSED
from patolli.language.syntax.words import NEWEST
from patolli.run.runtime import Ruleset

DATA = Path(__file__).parent / "data"
SAMPLE = DATA / "sample"
LAB = str(DATA / "lab")


class Text:
    """A text in a file of its own, on which offsets are columns less one."""

    def __init__(self, value: str, language: int = NEWEST) -> None:
        self.value = value
        self.language = language

    def place(self, offset: int, length: int) -> Span:
        before = self.value[:offset]
        line, column = before.count("\n") + 1, offset - before.rfind("\n")
        return Span("text", line, column, line, column + length)


def spliced(folder: Path, example: str) -> tuple[str, list[str]]:
    """Copy the sample pack into *folder* and put an example into it; return the paths of the pack and its modules.

    See ``patolli.language.diagnostics.codes`` for how examples are written.
    """
    pack = folder / "sample"
    if not pack.exists():
        shutil.copytree(SAMPLE, pack)
    parts = re.split(r"^# (\S+\.yaml)\n", example, flags=re.M)
    files = dict(zip(parts[1::2], parts[2::2], strict=True))
    if parts[0]:
        files["example.yaml"] = parts[0]
    modules = sorted(name.partition("/")[0] for name in files if name.endswith("/pack.yaml"))
    for name, text in files.items():
        path = (folder if "/" in name else pack) / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return str(pack), [str(folder / module) for module in modules]


def problems(folder: Path, example: str) -> list[Problem]:
    """Return what is found in the sample pack with an example; no warnings about what an excerpt does not use."""
    found = inspect(*spliced(folder, example)).problems
    return [p for p in found if not (p.severity == "warning" and p.code in UNUSED)]


def loaded(folder: Path, example: str) -> Ruleset:
    """Load the sample pack with an example."""
    return load(*spliced(folder, example))


def trigger(effect: str, rule: str = "earn") -> str:
    """Write an example in which *effect*, at column 7 and below, follows a rule of the sample pack."""
    body = "".join(f"      {line}\n" for line in effect.splitlines())
    return f"document: rules\ntriggers:\n  tested:\n    after: {rule}\n    do: |\n{body}"


def held(rules: Ruleset, *counters: str) -> tuple[int, ...]:
    """Return what the player who begins the sample pack has of some counters after earning."""
    match = rules.start(2, 3)
    for step in ("0", "0", "earn"):
        match.choose(step)
    return tuple(match.view(0)["counters"][name]["player_2"] for name in counters)
