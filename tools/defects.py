"""Measure what a report of the lab finds: plant defects in copies of shipped packs, play them, and read their reports.

Five defects are planted, one in each copy: a dead piece, a dominant one, a seat with about 5 % more of the wins, an
option that lets a losing player decide who wins, and an option that never comes up. A report of each, held
against a run of the pack as it is, has to name it with its line. Then copies without a change are played, with other
seeds: their reports have to say nothing. Folders of runs that are there go on where they were ended.

    python tools/defects.py city_of_gods founders --games 1000 --out runs/defects --same 20 --same-games 400
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from patolli import load
from patolli.language.packs.discovery import find_content_folder
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Finding, Run, findings
from patolli.measure.lab.frame import Frame
from patolli.measure.lab.run_loop import Goal, run
from patolli.measure.lab.store import Store
from patolli.measure.simulation import Plan

PLAYERS = 3
"""With two kingmaking is impossible."""


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect: in which file what text is replaced, and what the report has to say.

    Attributes:
        name: What it is called here.
        file: The file in the pack.
        changes: Old and new texts; an old one stands there once.
        kinds: Kinds of findings; one of them has to be there.
        about: What the name of the finding has to hold.
        line: A text in the line that it has to name.
    """

    name: str
    file: str
    changes: tuple[tuple[str, str], ...]
    kinds: tuple[str, ...]
    about: str
    line: str


KING = '        for p in players where p != me "honour a rival" as "honour {p}": honour(p); '
HONOUR = "  honour(player):\n    text: A present.\n    do: |\n      as player: gain 6 vp\n"

DEFECTS: dict[str, list[Defect]] = {
    "city_of_gods": [
        Defect(
            "dead", "pieces/technology.yaml", (("    number: 5\n    cost: 1 gold", "    number: 5\n    cost: 60 gold"),),
            ("dead",), "tech_5", "tech_5:",
        ),
        Defect("dominant", "pieces/discovery.yaml", (("effect: gain 4 vp", "effect: gain 20 vp"),), ("dominant", "worth more"), "four_points", "four_points:"),
        Defect(
            "seat", "rules/setup.yaml",
            (("else 2) cocoa\n", "else 2) cocoa\n            if number(p) == 1: gain 4 vp\n"),), ("seat",), "seat 1", "setup",
        ),
        Defect(
            "kingmaker", "rules/turn.yaml",
            (
                ('        "collect cocoa": collect(space)\n', f'        "collect cocoa": collect(space)\n{KING}collect(space)\n'),
                ("  collect(space):\n", f"{HONOUR}  collect(space):\n"),
            ),
            ("kingmaker",), "honour a rival", "honour a rival",
        ),
        Defect(
            "never", "rules/power_ups.yaml",
            (('"two temple steps for 3 cocoa": pay 3 cocoa', '"two temple steps for 3 cocoa": pay 70 cocoa'),),
            ("never offered", "never chosen"), "two temple steps", "two temple steps",
        ),
    ],
    "founders": [
        Defect(
            "dead", "pieces/plans.yaml", (("size: 3, shown: {by: seats, 4: 2, else: 1}, text: wood", "size: 9, shown: {by: seats, 4: 2, else: 1}, text: wood"),),
            ("dead",), "wood_3", "wood_3:",
        ),
        Defect("dominant", "pieces/worship.yaml", (("effect: gain 3 vp; grant_influence(it)", "effect: gain 30 vp; grant_influence(it)"),), ("dominant", "worth more"), "w17", "w17:"),
        Defect(
            "seat", "rules/setup.yaml",
            (("          set disks(p) to start_disks\n", "          set disks(p) to start_disks\n          if number(p) == 1: as p: gain 1 vp\n"),),
            ("seat",), "seat 1", "setup",
        ),
        Defect(
            "kingmaker", "rules/turn.yaml",
            (
                ('        "pass": set passed to 1\n', f'        "pass": set passed to 1\n{KING}set passed to 1\n'),
                ("  visit_space(space):\n", f"{HONOUR}  visit_space(space):\n"),
            ),
            ("kingmaker",), "honour a rival", "honour a rival",
        ),
        Defect(
            "never", "rules/turn.yaml",
            (('"gain favor" when column == column_c:', '"gain favor" when column == column_c and round > 90:'),),
            ("never offered", "never chosen"), "act_in: gain favor", "gain favor",
        ),
    ],
}  # fmt: skip


def planted(pack: str, defect: Defect | None, folder: Path) -> Path:
    """Make a copy of a shipped pack, with a defect in it, and return where it is.

    Raises:
        ValueError: The text that is to be replaced does not stand there once.
    """
    home = folder / pack
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(find_content_folder() / pack, home, ignore=shutil.ignore_patterns("scenarios"))
    if defect is not None:
        path = home / defect.file
        text = path.read_text(encoding="utf-8")
        for old, new in defect.changes:
            if text.count(old) != 1:
                raise ValueError(f"{path}: {old!r} stands there {text.count(old)} times")
            text = text.replace(old, new)
        path.write_text(text, encoding="utf-8")
    return home


def played(home: Path, folder: Path, games: int, seed: int, bot: str = "random") -> Run:
    """Play a pack, or go on, and return what is known of it."""
    rules = load(str(home))
    plan = Plan(PLAYERS, games, seed, (bot,) * PLAYERS)
    variants = [{"name": "base", "pack": str(home), "modules": [], "options": {}, "vary": {}}]
    head = {"players": PLAYERS, "seed": seed, "bots": [bot] * PLAYERS, "limit": plan.limit, "variants": variants}
    store = Store(folder, {**head, "content": rules.content_hash})
    try:
        run(store, {"base": rules}, plan, Goal(games))
    finally:
        store.close()
    return Run.of(Frame(store, "base"), Content(rules, PLAYERS))


def named(defect: Defect, found: Sequence[Finding]) -> Finding | None:
    """Return the finding that names a defect with its line, if there is one."""
    for one in found:
        if one.kind in defect.kinds and defect.about in one.name and one.where:
            path, _, line = one.where.rpartition(":")
            lines = Path(path).read_text(encoding="utf-8").splitlines()
            if defect.line in lines[int(line) - 1]:
                return one
    return None


def main(words: Sequence[str] | None = None) -> int:
    """Plant, play and tell; 0 when everything is found and nothing else."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+", choices=sorted(DEFECTS))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--same", type=int, default=0, help="copies without a change, with other seeds")
    parser.add_argument("--same-games", type=int, default=400)
    parser.add_argument("--first", type=int, default=2, help="seed of the first copy without a change")
    parser.add_argument("--bot", default="random")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(words)
    missed = 0
    for pack in given.packs:
        out = given.out / pack
        plain = planted(pack, None, out / "packs" / "plain")
        base = played(plain, out / "runs" / "plain", given.games, 1, given.bot)
        for defect in DEFECTS[pack]:
            home = planted(pack, defect, out / "packs" / defect.name)
            one = played(home, out / "runs" / defect.name, given.games, 1, given.bot)
            found = findings(one, base)
            hit = named(defect, found)
            missed += hit is None
            print(f"{pack} {defect.name}: {hit.text + ' ' + hit.where if hit else 'MISSED'}", flush=True)
            for other in found:
                if other is not hit:
                    print(f"    beside it {other.kind}: {other.text} {other.where}")
            alone = named(defect, findings(one))
            print(f"    alone, held against nothing: {'found' if alone else 'not found'}", flush=True)
        said = 0
        for seed in range(given.first, given.first + given.same):
            one = played(plain, out / "runs" / f"same_{seed}", given.same_games, seed, given.bot)
            found = findings(one, base)
            said += bool(found)
            for other in found:
                print(f"    unchanged, seed {seed}: {other.kind}: {other.text}", flush=True)
        if given.same:
            print(f"{pack} unchanged: {given.same - said} of {given.same} reports say nothing", flush=True)
            missed += said > given.same // 20
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
