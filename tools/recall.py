"""Measure the checker: plant single random mistakes in shipped content, and count what it says about them.

For each kind of mistake: how many were reported at all, how many at the very line, and how many as a single problem.
What is not reported is listed with ``--missed``. The unchanged content must have no finding at all.

    python tools/recall.py city_of_gods founders --each 40 --seed 1
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from patolli.diagnostics import Problem
from patolli.packs.discovery import shipped
from patolli.sources import Mapping, Scalar, Sequence, read_yaml
from patolli.workspace import inspect

PROSE = frozenset("text source title label authors noun log story phrase told".split())
"""Keys whose values are for people: a slip there changes nothing that could be checked."""
WORDS = (
    "gain lose pay set move swap shuffle draw refill random let break do return stop end match pass to require choose "
    "one if elif else for repeat times loop as otherwise may up simultaneously where in none and or not div mod from "
    "with"
).split()


@dataclass(frozen=True, slots=True)
class Slip:
    """One edit: the text from *start* to *end* becomes *new*."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class File:
    """A file of content: its text, and where its values, keys and lines stand."""

    path: Path
    text: str
    values: list[tuple[int, int]]
    keys: list[tuple[int, int]]

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The lines that hold more than a comment, with their line ends, the first one left out."""
        found = [(line.start(), line.end()) for line in re.finditer(r"[^\n]*\n", self.text)]
        return [(a, b) for a, b in found[1:] if self.text[a:b].split("#")[0].strip() and not self.prose(a, b)]

    def prose(self, start: int, end: int) -> bool:
        """Tell whether a line is for people alone."""
        return self.text[start:end].split(":")[0].strip() in PROSE


def read(path: Path) -> File:
    """Find the values and keys of a file; values for people are left out."""
    text = path.read_text("utf-8")
    tree, _ = read_yaml(text, str(path))
    values: list[tuple[int, int]] = []
    keys: list[tuple[int, int]] = []

    def look(node: object, key: str) -> None:
        if isinstance(node, Scalar) and key not in PROSE and node.source is not None:
            values.append((node.start, node.end))
        elif isinstance(node, Sequence):
            for item in node.items:
                look(item, key)
        elif isinstance(node, Mapping):
            for name, (at, value) in node.items.items():
                if at.source is not None:
                    keys.append((at.start, at.end))
                look(value, name)

    look(tree, "")
    return File(path, text, values, keys)


Kind = Callable[[File, Random], Slip | None]
KINDS: dict[str, Kind] = {}


def kind(name: str) -> Callable[[Kind], Kind]:
    """Enter a kind of mistake under its name."""

    def entered(function: Kind) -> Kind:
        KINDS[name] = function
        return function

    return entered


def among(file: File, draw: Random, pattern: str, where: list[tuple[int, int]] | None = None) -> re.Match[str] | None:
    """Draw a place that fits a pattern inside the values, or inside other stretches."""
    spots = [
        m for a, b in (file.values if where is None else where) for m in re.compile(pattern).finditer(file.text, a, b)
    ]
    spots = [m for m in spots if m.end() > m.start() and not in_quotes(file.text, m.start())]
    return draw.choice(spots) if spots else None


def in_quotes(text: str, at: int) -> bool:
    """Tell whether a place lies in a label: behind an odd number of double quotes within a line of an effect."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return ": |" not in line and line.count('"') % 2 == 1 and not re.search(r': "[^"]*$', line)


def misspelt(word: str, draw: Random) -> str:
    """Leave out, double, exchange or replace a letter."""
    at = draw.randrange(len(word))
    ways = [
        word[:at] + word[at + 1 :],
        word[:at] + word[at] + word[at:],
        word[:at] + draw.choice("aeiourstln") + word[at + 1 :],
    ]
    if at + 1 < len(word):
        ways.append(word[:at] + word[at + 1] + word[at] + word[at + 2 :])
    return next((way for way in draw.sample(ways, len(ways)) if way != word and way), word + "x")


@kind("name misspelt")
def _name(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, rf"(?<![\w.])(?!(?:{'|'.join(WORDS)})\b)[a-z][a-z_0-9]{{3,}}(?!\w)")
    return found and Slip(found.start(), found.end(), misspelt(found[0], draw))


@kind("fact or field misspelt")
def _field(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<=[a-z)\]]\.)[a-z_]{3,}")
    return found and Slip(found.start(), found.end(), misspelt(found[0], draw))


@kind("word of the language misspelt")
def _word(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, rf"(?<![\w.\"])(?:{'|'.join(w for w in WORDS if len(w) > 2)})(?![\w(])")
    return found and Slip(found.start(), found.end(), misspelt(found[0], draw))


@kind("key misspelt")
def _key(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"[a-z_]{3,}", [k for k in file.keys if file.text[k[0] : k[1]] not in PROSE])
    return found and Slip(found.start(), found.end(), misspelt(found[0], draw))


@kind("singular for plural, or the reverse")
def _plural(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<!\w)[a-z][a-z_]{3,}(?![\w])", file.values + file.keys)
    return found and Slip(found.start(), found.end(), found[0][:-1] if found[0].endswith("s") else found[0] + "s")


@kind("another name of the same file")
def _other(file: File, draw: Random) -> Slip | None:
    names = sorted(
        {m[0] for a, b in file.values for m in re.finditer(r"(?<![\w.\"])[a-z][a-z_]{3,}", file.text[a:b])} - {*WORDS}
    )
    found = among(file, draw, r"(?<![\w.\"])[a-z][a-z_]{3,}(?!\w)")
    if found is None or found[0] in WORDS or len(names) < 2:
        return None
    return Slip(found.start(), found.end(), draw.choice([name for name in names if name != found[0]]))


@kind("colon forgotten")
def _colon(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r":(?=\s)", [(a, b) for a, b in file.lines])
    return found and Slip(found.start(), found.end(), "")


@kind("line indented otherwise")
def _indent(file: File, draw: Random) -> Slip | None:
    start, _ = draw.choice(file.lines)
    return (
        Slip(start, start, draw.choice(["  ", " "]))
        if draw.random() < 0.5
        else Slip(start, start + (file.text[start] == " "), "")
    )


@kind("bracket or quote forgotten")
def _bracket(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"[()\[\]{}]", file.lines)
    return found and Slip(found.start(), found.end(), "")


@kind("comma forgotten")
def _comma(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r",", file.lines)
    return found and Slip(found.start(), found.end(), "")


@kind("argument left out")
def _argument(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<=[a-z]\()[a-z_.0-9]+(?:, )?(?=[a-z_.0-9]*\))")
    return found and Slip(found.start(), found.end(), "")


@kind("arguments exchanged")
def _arguments(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<=\()([a-z_.0-9]+), ([a-z_.0-9]+)(?=\))")
    return found and Slip(found.start(), found.end(), f"{found[2]}, {found[1]}")


@kind("= for ==")
def _equal(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"==")
    return found and Slip(found.start(), found.end(), "=")


@kind("a number one higher")
def _number(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<![\w.])\d+(?![\w.])")
    return found and Slip(found.start(), found.end(), str(int(found[0]) + 1))


@kind("number of copies")
def _copies(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<=copies: )\d+", [(0, len(file.text))])
    return found and Slip(found.start(), found.end(), str(int(found[0]) + draw.choice([-1, 1])))


@kind("entry of a list left out")
def _entry(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"[\w ]+, |, [\w ]+(?=\])", [m.span() for m in re.finditer(r"\[[^\[\]\n]*\]", file.text)])
    return found and Slip(found.start(), found.end(), "")


@kind("line left out")
def _line(file: File, draw: Random) -> Slip | None:
    start, end = draw.choice(file.lines)
    return Slip(start, end, "")


@kind("'otherwise' left out")
def _otherwise(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r" *otherwise[^\n]*\n", [(0, len(file.text))])
    return found and Slip(found.start(), found.end(), "")


@kind("line given twice")
def _twice(file: File, draw: Random) -> Slip | None:
    keyed = [(a, b) for a, b in file.lines if re.match(r" *[a-z_0-9]+(\([^)]*\))?:", file.text[a:b])]
    if not keyed:
        return None
    start, end = draw.choice(keyed)
    return Slip(end, end, file.text[start:end])


@dataclass(slots=True)
class Score:
    """What came of the mistakes of one kind."""

    planted: int = 0
    reported: int = 0
    placed: int = 0
    single: int = 0
    missed: list[str] = field(default_factory=list)


def plant(file: File, slip: Slip, pack: Path) -> tuple[list[Problem], bool]:
    """Make a slip for a while; return what is found, and whether some of it stands at the line of the slip."""
    text = file.text[: slip.start] + slip.new + file.text[slip.end :]
    file.path.write_text(text, "utf-8")
    try:
        found = inspect(str(pack)).problems
    finally:
        file.path.write_text(file.text, "utf-8")
    line = file.text.count("\n", 0, slip.start) + 1
    near = {line, line - 1, line + 1} if slip.new.endswith("\n") or "\n" in file.text[slip.start : slip.end] else {line}
    spans = [(problem.span, *(span for span, _ in problem.also)) for problem in found]
    return found, any(
        s.path == str(file.path) and near & set(range(s.line, s.end_line + 1)) for all_ in spans for s in all_
    )


def measure(name: str, each: int, seed: int, kinds: list[str] | None = None) -> Iterator[tuple[str, Score]]:
    """Yield the score of each kind of mistake in a shipped pack.

    Raises:
        ValueError: There is a finding in the pack as it is.
    """
    with tempfile.TemporaryDirectory() as folder:
        pack = Path(shutil.copytree(shipped() / name, Path(folder) / name))
        findings = inspect(str(pack)).problems
        if findings:
            raise ValueError(f"{name} is not clean: {findings[0].message}")
        paths = [path for path in sorted(pack.rglob("*.yaml")) if "scenarios" not in path.parts]
        files = [read(path) for path in paths]
        for what in kinds or KINDS:
            draw, score = Random(f"{seed} {name} {what}"), Score()
            for _ in range(20 * each):
                if score.planted == each:
                    break
                file = draw.choices(files, [len(file.text) for file in files])[0]
                slip = KINDS[what](file, draw)
                if slip is None or file.text[slip.start : slip.end] == slip.new:
                    continue
                found, placed = plant(file, slip, pack)
                score.planted += 1
                score.reported += bool(found)
                score.placed += placed
                score.single += len({(problem.code, problem.message) for problem in found}) == 1
                if not found:
                    score.missed.append(_described(file, slip, pack))
                elif not placed or len(found) > 3:
                    said = "; ".join(f"{p.code} {Path(p.span.path).name}:{p.span.line} {p.message}" for p in found[:3])
                    score.missed.append(f"({len(found)}) {_described(file, slip, pack)} => {said}")
            yield what, score


def _described(file: File, slip: Slip, pack: Path) -> str:
    line = file.text.count("\n", 0, slip.start) + 1
    start = file.text.rfind("\n", 0, slip.start) + 1
    words = file.text[start : file.text.find("\n", slip.start)].strip()
    return (
        f"{file.path.relative_to(pack)}:{line}: {file.text[slip.start : slip.end]!r} -> {slip.new!r} in: {words[:100]}"
    )


def main() -> int:
    """Print a table of each pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packs", nargs="+")
    parser.add_argument("--each", type=int, default=40, help="mistakes of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append", choices=list(KINDS))
    parser.add_argument("--missed", action="store_true", help="list what was not reported, or elsewhere")
    given = parser.parse_args()
    for name in given.packs:
        print(f"{name}, {given.each} of each kind, seed {given.seed}\n")
        print("| mistake | planted | reported | at its line | one problem |\n| --- | --- | --- | --- | --- |")
        total = Score()
        lost: list[tuple[str, str]] = []
        for what, score in measure(name, given.each, given.seed, given.kind):
            print(_row(what, score), flush=True)
            for part in ("planted", "reported", "placed", "single"):
                setattr(total, part, getattr(total, part) + getattr(score, part))
            lost += [(what, words) for words in score.missed]
        print(_row("all", total) + "\n")
        for what, words in lost if given.missed else ():
            print(f"{what}: {words}")
    return 0


def _row(what: str, score: Score) -> str:
    parts = (f"{part} ({part / max(1, score.planted):.0%})" for part in (score.reported, score.placed, score.single))
    return f"| {what} | {score.planted} | {' | '.join(parts)} |"


if __name__ == "__main__":
    sys.exit(main())
