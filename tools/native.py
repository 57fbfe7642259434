"""Play the same random matches in Python and natively, and tell where they differ.

Every combination of modules of each pack is played with every number of players. Of a match both have to make the same
choices, end in the same state, and measure the same; where one fails the other has to fail. A match that is left to
Python though nothing fails there is counted, as are programs that cannot be translated. Where matches are held, an
invariant has to break after the same choice; packs made at random get invariants at random then.

    python tools/native.py                                   all packs, 3 combinations of modules of each, 20 matches
    python tools/native.py city_of_gods --combinations 0 --matches 1000 --seed 7
    python tools/native.py --random 200                      packs made at random, which use the whole language
    python tools/native.py --held --without 5                held against invariants; packs without one statement
    python tools/native.py city_of_gods --combinations 0 --matches 1000 --steps 50 --jobs 2 --out found.tsv
    python tools/native.py --random 20000 --one --limit 1000 --matches 10 --jobs 2 --out found.tsv

The last two take hours: what was found is kept in a file, and what stands there is not played again. Random packs
are played even if the checker refuses them for missing proofs. Some of them fail, in both engines.

Exit status: 0 everything is equal, 1 something is not, or cannot be translated.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "engine"), str(ROOT / "tests"), str(Path(__file__).parent)]

from combinations import sample  # noqa: E402 - the path is set first

import patolli  # noqa: E402
from patolli.kernel.faults import RuleFault  # noqa: E402
from patolli.language.packs.manifest import read_manifest  # noqa: E402
from patolli.measure.simulation import playout  # noqa: E402
from patolli.run.native.heap import Unsupported  # noqa: E402
from patolli.run.native.host import MOST, Machine, Played  # noqa: E402
from patolli.run.native.machines import machine  # noqa: E402
from patolli.run.runtime import Match, MatchError, Ruleset  # noqa: E402
from patolli.run.runtime.invariants import BrokenInvariant  # noqa: E402

LIMIT = 100_000
AT_A_TIME = 50
"""Packs made at random that one process makes and plays before it tells."""


@dataclass
class Compared:
    """What came of the matches of one ruleset with so many players.

    Attributes:
        missing: Why it cannot be translated.
        different: Seeds, each with what differs.
        needless: Seeds of matches that Python had to play for no reason.
        faults: How many matches failed in both.
        broken: How many of these because an invariant did not hold.
        choices: How many choices were made.
        native, python: Seconds of the process.
    """

    missing: str = ""
    different: list[tuple[int, str]] = field(default_factory=list)
    needless: list[int] = field(default_factory=list)
    faults: int = 0
    broken: int = 0
    choices: int = 0
    native: float = 0
    python: float = 0

    @property
    def fine(self) -> bool:
        """Whether everything is equal."""
        return not (self.missing or self.different or self.needless)

    def __str__(self) -> str:
        if self.missing:
            return f"not translated: {self.missing}"
        parts = [f"{self.choices} choices", f"{self.python / max(self.native, 1e-9):.1f} times as fast"]
        parts += [f"{self.faults} fail in both"] * bool(self.faults)
        parts += [f"{self.broken} of them break an invariant"] * bool(self.broken)
        parts += [f"{len(self.needless)} left to Python, such as seed {self.needless[0]}"] if self.needless else []
        for seed, differs in self.different[:1]:
            parts.append(f"{len(self.different)} DIFFER, such as seed {seed}: {differs}")
        return ", ".join(parts)


def compared(
    rules: Ruleset, players: int, seeds: Sequence[int], limit: int = LIMIT, steps: int = 0, held: bool = False
) -> Compared:
    """Play matches both ways; of the first *steps* of them states are compared at every decision.

    They may be *held* against the declared invariants.
    """
    found = Compared()
    try:
        player = machine(rules, players + rules.model.automated, held)
    except Unsupported as error:
        found.missing = str(error)
        return found
    for first in range(0, len(seeds), MOST):
        some = seeds[first : first + MOST]
        began = time.process_time()
        played = list(player.play(some, limit))
        found.native += time.process_time() - began
        for seed, one in zip(some, played, strict=True):
            _compare(found, rules, players, seed, limit, one, player if held else None)
    for seed in seeds[:steps]:
        if differs := step_by_step(rules, players, seed, player):
            found.different.append((seed, differs))
    return found


def step_by_step(rules: Ruleset, players: int, seed: int, player: Machine) -> str:
    """Play a match both ways, one choice after the other; return what differs first, or nothing."""
    try:
        match, draw, number = rules.start(players, seed), Random(seed).random, player.open(seed)
        while True:
            where = f"after {len(match.choices)} choices"
            wanted = -1 if match.pending is None else len(match.pending)
            if wanted != number:
                return f"{wanted} options in Python, {number} natively {where}"
            if match.digest() != sha256(player.state()).hexdigest():
                return f"the state {where}"
            if match.pending is None:
                return ""
            index = int(draw() * wanted)
            match.pick(index)
            number = player.answer(index)
    except MatchError:
        return ""  # that both fail was compared before


def _compare(
    found: Compared, rules: Ruleset, players: int, seed: int, limit: int, one: Played, holding: Machine | None
) -> None:
    began = time.process_time()
    try:
        match = playout(rules, players, seed, limit=limit, invariants=holding is not None)
    except MatchError as error:
        broken = len(error.choices) if isinstance(error, BrokenInvariant) else 0
        if one.status == 2:
            found.faults += 1
            if holding is not None and isinstance(error, BrokenInvariant):
                found.broken += 1
                if differs := _elsewhere(holding, seed, broken):
                    found.different.append((seed, differs))
        else:
            found.different.append((seed, f"only Python fails: {error.reason}"))
        return
    finally:
        found.python += time.process_time() - began
    found.choices += len(match.choices)
    if one.status == 2:
        if _result_fails(match):
            found.faults += 1
        else:
            found.needless.append(seed)
    elif differs := _difference(match, one):
        found.different.append((seed, differs))


def _result_fails(match: Match) -> bool:
    """Return whether a match ends, and its result cannot be computed; natively it is as the match ends."""
    try:
        measures(match)
    except MatchError:
        return match.over
    return False


def _elsewhere(holding: Machine, seed: int, broken: int) -> str:
    """Return what differs where an invariant breaks after so many choices; nothing where it does so natively, too."""
    for number in (broken - 1, broken):
        if number >= 0 and (next(holding.play([seed], number)).status == 2) != (number == broken):
            other = "later" if number == broken else "before"
            return f"an invariant breaks after {broken} choices in Python, and natively {other}"
    return ""


def _difference(match: Match, one: Played) -> str:
    """Return what differs in a match; nothing where nothing does."""
    if len(match.choices) != one.choices:
        return f"{len(match.choices)} choices in Python, {one.choices} natively"
    if match.over != (one.status == 1):
        return f"over in {'Python' if match.over else 'native code'} alone"
    if match.digest() != sha256(one.state).hexdigest():
        return "the state at the end"
    wanted = measures(match) if match.over else []
    if wanted != list(one.measures):
        return f"it counts {wanted} in Python, {list(one.measures)} natively"
    return ""


def measures(match: Match) -> list[int]:
    """Return what the result is made of, in the order in which it comes natively."""
    program = match.program
    parts = [*([program.score] if program.score else []), *program.ties]
    parts += [one for one in (program.among, program.wins) if one is not None]
    return [int(match._evaluate_measure(part, seat)) for part in parts for seat in range(match.players)]


def shipped() -> list[str]:
    """Return all packs that are played by themselves, base packs and those of the gallery."""
    found = sorted((ROOT / "content").glob("*/pack.yaml")) + sorted((ROOT / "content" / "gallery").glob("*/pack.yaml"))
    return [pack.id for file in found if not (pack := read_manifest(file.parent)).requires]


class Kept:
    """What was found before, in a file of lines: name, players, whether all is equal, what was found."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self.lines: dict[tuple[str, int], bool] = {}
        if file is not None and file.exists():
            for line in file.read_text().splitlines():
                name, players, fine, _ = line.split("\t", 3)
                self.lines[name, int(players)] = fine == "equal"

    def add(self, name: str, players: int, found: Compared) -> None:
        """Keep what was found of a ruleset with so many players."""
        self.lines[name, players] = found.fine
        if self._file is not None:
            with self._file.open("a") as out:
                out.write(f"{name}\t{players}\t{'equal' if found.fine else 'DIFFERENT'}\t{found}\n")


def without_statements(packs: Sequence[str], number: int, seed: int) -> Iterator[tuple[str, Ruleset]]:
    """Yield so many copies of each packthat each lack a statement of its rules and are without errors."""
    from broken_invariants import mutants

    for pack in packs:
        with TemporaryDirectory() as folder:
            for at, copy in enumerate(mutants(Path(folder), pack, Random(seed), number)):
                try:
                    yield f"{pack} without a statement, {seed}.{at}", patolli.load(str(copy))
                except patolli.ContentError:
                    continue


def one_ruleset(pack: str, modules: tuple[str, ...]) -> Iterator[tuple[str, Ruleset]]:
    """Yield a pack with modules, with a name."""
    yield named(pack, modules), patolli.load(pack, modules)


def named(pack: str, modules: tuple[str, ...]) -> str:
    """Return how a pack with modules is called here."""
    return " + ".join((pack, *modules))


def made_by_chance(first: int, number: int, held: bool = False) -> Iterator[tuple[str, Ruleset]]:
    """Yield the rulesets of packs that were made at random and can be compiled, with invariants if *held*."""
    from broken_invariants import random_invariants, without_wrong_ones
    from randompacks.engine import Workshop
    from randompacks.packs import make

    workshop = Workshop()
    try:
        for seed in range(first, first + number):
            if held:
                rules = without_wrong_ones(make(seed, random_invariants), workshop)
                if rules is not None and rules.resolved_program.invariants:
                    yield f"random pack {seed}", rules
                continue
            pack = make(seed)
            found = workshop.checked(pack.files, pack.options)
            if found.rules is not None and (found.accepted or _compiles(found.rules)):
                yield f"random pack {seed}", found.rules
    finally:
        workshop.close()


def _compiles(rules: Ruleset) -> bool:
    """Return whether a pack that is refused has a program at all: a table of it may fail before there is a match."""
    try:
        rules.program(rules.players[0])
    except (ArithmeticError, LookupError, RuleFault):
        return False
    return True


Some = Callable[[], Iterator[tuple[str, Ruleset]]]
"""Makes some rulesets, each with a name; what a process does at a time."""


def work(given: argparse.Namespace) -> Iterator[tuple[set[str], Some]]:
    """Yield what is to be played in parts, each with the names of its rulesets where they are known."""
    packs = given.packs or shipped()
    if given.random:
        for first in range(given.seed, given.seed + given.random, AT_A_TIME):
            number = min(AT_A_TIME, given.seed + given.random - first)
            yield set(), partial(made_by_chance, first, number, given.held)
    elif given.without:
        for pack in packs:
            yield set(), partial(without_statements, [pack], given.without, given.seed)
    else:
        for pack in packs:
            for modules in sample(pack, given.combinations or sys.maxsize):
                yield {named(pack, modules)}, partial(one_ruleset, pack, modules)


def played(some: Some, kept: set[tuple[str, int]], given: argparse.Namespace) -> list[tuple[str, int, Compared]]:
    """Compare some rulesets with every number of players but for what was *kept*."""
    seeds = range(given.seed, given.seed + given.matches)
    found = []
    for name, rules in some():
        numbers: Sequence[int] = range(rules.players[0], rules.players[1] + 1)
        if given.one:
            numbers = [Random(name).choice(numbers)]
        found += [
            (name, players, compared(rules, players, seeds, given.limit, given.steps, given.held))
            for players in numbers
            if (name, players) not in kept
        ]
    return found


def main() -> int:
    """Run the command line; the status is 1 when something is not equal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="*", help="packs, else all that come with this program")
    parser.add_argument("--combinations", type=int, default=3, help="combinations of modules, 0 for all (default 3)")
    parser.add_argument("--matches", type=int, default=20, help="matches of each (default 20)")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--steps", type=int, default=2, help="matches whose states are all compared (default 2)")
    parser.add_argument("--limit", type=int, default=LIMIT, help="choices after which a match is left")
    parser.add_argument("--random", type=int, default=0, metavar="PACKS", help="packs made at random, instead of these")
    parser.add_argument("--held", action="store_true", help="hold matches against the declared invariants")
    parser.add_argument("--without", type=int, default=0, metavar="PACKS", help="packs that lack a statement, of each")
    parser.add_argument("--one", action="store_true", help="with one number of players of each, at random")
    parser.add_argument("--out", type=Path, help="a file that keeps what was found; what stands there is left out")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    given = parser.parse_args()
    kept = Kept(given.out)
    with ProcessPoolExecutor(given.jobs) as pool:
        tasks = []
        for names, some in work(given):
            own = {cell for cell in kept.lines if cell[0] in names} if names else set(kept.lines)
            tasks.append(pool.submit(played, some, own, given))
        for done in as_completed(tasks):
            for name, players, found in done.result():
                kept.add(name, players, found)
                if not found.fine or not given.random:
                    print(f"{name}, {players} players: {found}", flush=True)
    bad = sum(not fine for fine in kept.lines.values())
    print(f"{len(kept.lines) - bad} of {len(kept.lines)} equal in every match")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
