"""Record matches as scenarios, as the workbench of the studio does, and run what was recorded.

    python tools/recordings.py                    50 matches, of all packs in turn
    python tools/recordings.py --number 200 founders city_of_gods

Each match has modules, options and players of its own and is left after a random number of choices, or played to its
end. Exit status: 0 when all recordings pass, 1 when one does not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from studio.overheard import opened

import patolli
from patolli.author.scenarios.suites import Plan, run_scenarios
from patolli.cli.matrix import combinations, modules_of
from patolli.language.packs.discovery import find
from patolli.language.packs.manifest import read_pack
from patolli.serve.studio.catalogue import catalogue
from patolli.serve.studio.scenario_export import write_scenario

LONGEST = 400
"""Choices of a match that is not played to its end."""


def record(pack: str, draw: Random, name: str) -> tuple[str, str]:
    """Play a match at a table; return the document that was recorded of it, and what was played in words."""
    base = read_pack(pack)
    modules = draw.choice([(), *combinations(base, modules_of(base))])
    low, high = patolli.load(pack, modules=modules).players
    table = opened(pack, draw.randint(low, high), draw.randrange(2**31), modules)
    most = draw.choice([draw.randrange(1, LONGEST), 100_000])
    while not table.match.over and len(table.match.choices) < most:
        index = draw.randrange(len(table.match.pending or ()))
        table.choose(table.decider, table.revision, index, "")
    said = f"{' + '.join((pack, *modules))}, {table.setup.players} players, {len(table.match.choices)} choices"
    return write_scenario(table, name), said


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("packs", nargs="*")
    parser.add_argument("--number", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    packs = [one for one in given.packs or [each["id"] for each in catalogue()] if find(one).is_dir()]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for pack in packs:
            shutil.copytree(find(pack), Path(folder) / pack)
        os.environ["PATOLLI_PATH"] = folder
        for number in range(given.number):
            pack, name = packs[number % len(packs)], f"played_{number}"
            text, said = record(pack, Random(f"{given.seed} {number}"), name)
            file = Path(folder) / pack / "scenarios" / f"{name}.yaml"
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
            result = run_scenarios(Plan((str(Path(folder) / pack),), select=name, smoke=False))
            passed = len(result.outcomes) == 1 and not result.failed_outcomes and not result.problems
            wrong += not passed
            problems = [str(one) for outcome in result.failed_outcomes for one in outcome.problems]
            print(f"{number + 1}: {said}: {'passes' if passed else problems or result.problems}", flush=True)
            file.unlink()
    print(f"{given.number} recordings, {wrong} do not pass")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
