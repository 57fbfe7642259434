"""Whether modules go on working with another version of the pack that they build on.

In:     a pack and modules, by path or name.
Out:    for each module what is wrong: its problems with the pack, or what its tests find. The tests play matches, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from patolli.author.distribution.refusal import Refusal
from patolli.author.scenarios.suites import Plan, run_scenarios
from patolli.author.workspace import Request, check_pack, requirements
from patolli.language.diagnostics import ContentError, Problem
from patolli.language.diagnostics.fault import EngineFault
from patolli.language.packs.discovery import ListPacks, find, installed
from patolli.language.packs.manifest import Files, Kept, read_pack
from patolli.language.packs.version_ranges import split_named


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of a module: its errors, and how many scenarios and matches of the smoke run were played."""

    module: str
    version: str
    problems: tuple[Problem, ...]
    tests: int = 0
    matches: int = 0
    faults: tuple[EngineFault, ...] = ()


class Given(Files):
    """Packs, some of them at given places, whatever is installed and whichever versions are required."""

    def __init__(self, places: dict[str, str]) -> None:
        self._places = places

    def find(self, name: str, there: ListPacks = installed) -> Path | None:
        """Return the folder of a pack by id, path or named range."""
        return find(self._places.get(split_named(name)[0], name), there)


def _list_errors(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    return tuple(one for one in problems if one.severity == "error")


def try_modules(pack: str, modules: tuple[str, ...]) -> Iterator[Trial]:
    """Validate, test and play each module with a pack.

    Raises:
        ContentError: The pack itself has errors, or a manifest cannot be read.
        Refusal: A module does not build on the pack.
    """
    new = read_pack(pack)
    read = {name: read_pack(name) for name in modules}
    places = {one.id: str(one.folder) for one in (new, *read.values())}
    files = Given(places)
    for name, module in read.items():
        if new.id not in {split_named(one)[0] or read_pack(one).id for one in requirements(name, files).names}:
            raise Refusal(
                f"{module.id!r} does not build on {new.id!r}: it requires {', '.join(module.requires) or 'nothing'}"
            )
    if own := _list_errors(check_pack(Request(pack), Kept(files)).problems):
        raise ContentError(own)
    for name, module in read.items():
        findings = check_pack(Request(name), Kept(files))
        errors = _list_errors(findings.problems)
        if errors:
            faults = (findings.fault,) if findings.fault is not None else ()
            yield Trial(module.id, module.version, errors, faults=faults)
            continue
        result = run_scenarios(Plan((name,), search=0), files=files)
        wrong = [*result.problems, *(one for outcome in result.failed_outcomes for one in outcome.problems)]
        tests, matches = len(result.outcomes), len(result.smoke)
        yield Trial(module.id, module.version, tuple(wrong), tests, matches, tuple(result.faults))
