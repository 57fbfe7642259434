"""Random mistakes for ``recall``: where one can be made in a file, and those that are slips of the hand.

A kind is a function behind ``@kind(NAME)``: it gets a file and draws one edit in it, or none where there is no place.
Those that are mistakes in thinking are in ``likely_mistakes``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

from patolli.language.sources import Mapping, Scalar, Sequence, plain, read_yaml
from patolli.language.syntax.words import NEWEST, words

PROSE = frozenset(
    "text source title label authors noun log story phrase told name heading cause category note means sign".split()
)
"""Keys whose values are for people: a slip there changes nothing that could be checked."""
_ALL = words(NEWEST)
WORDS = tuple(sorted({*_ALL.statements, *_ALL.joining, *_ALL.inner} - {"bottom", "by", "copy"}))
"""The words with which effects and expressions are written; those left out are names as well."""


@dataclass(frozen=True, slots=True)
class Slip:
    """One edit: the text from *start* to *end* becomes *new*."""

    start: int
    end: int
    new: str

    def made_in(self, text: str) -> str:
        """Return a text with the slip in it."""
        return text[: self.start] + self.new + text[self.end :]


@dataclass(frozen=True, slots=True)
class File:
    """A file of content: its text, and where its values for rules and for people, keys and lines stand."""

    path: Path
    text: str
    values: list[tuple[int, int]]
    keys: list[tuple[int, int]]
    words: list[tuple[int, int]]
    """Values for people."""

    @property
    def lines(self) -> list[tuple[int, int]]:
        """The lines that hold more than a comment, with their line ends, the first one left out."""
        found = [(line.start(), line.end()) for line in re.finditer(r"[^\n]*\n", self.text)]
        return [(a, b) for a, b in found[1:] if self.text[a:b].split("#")[0].strip() and not self.prose(a, b)]

    def prose(self, start: int, end: int) -> bool:
        """Return whether a line is for people alone."""
        return for_people(self.text[start:end].split(":")[0].strip())

    def means_the_same(self, slip: Slip) -> bool:
        """Return whether a slip is none, since the file says the same as before."""
        if self.text[slip.start : slip.end] == slip.new:
            return True
        before, after = (read_yaml(text, "")[0] for text in (self.text, slip.made_in(self.text)))
        return before is not None and after is not None and plain(before) == plain(after)


def for_people(key: str) -> bool:
    """Return whether what stands behind a key is for people alone; facts of pieces may be such texts, too."""
    return key in PROSE or key.endswith(("_text", "_texts"))


def read(path: Path) -> File:
    """Find the values and keys of a file."""
    text = path.read_text("utf-8")
    tree, _ = read_yaml(text, str(path))
    values: list[tuple[int, int]] = []
    keys: list[tuple[int, int]] = []
    words: list[tuple[int, int]] = []

    def look(node: object, key: str) -> None:
        if isinstance(node, Scalar) and node.source is not None:
            (words if for_people(key) else values).append((node.start, node.end))
        elif isinstance(node, Sequence):
            for item in node.items:
                look(item, key)
        elif isinstance(node, Mapping):
            for name, (at, value) in node.items.items():
                if at.source is not None:
                    keys.append((at.start, at.end))
                look(value, name)

    look(tree, "")
    return File(path, text, values, keys, words)


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
    spots = [m for m in spots if not in_comment(file.text, m.start())]
    return draw.choice(spots) if spots else None


def in_quotes(text: str, at: int) -> bool:
    """Return whether a place lies in a label: behind an odd number of double quotes within a line of an effect."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return ": |" not in line and line.count('"') % 2 == 1 and not re.search(r': "[^"]*$', line)


def in_comment(text: str, at: int) -> bool:
    """Return whether a place lies in a comment."""
    return re.search(r"(?:^|\s)#", text[text.rfind("\n", 0, at) + 1 : at]) is not None


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
    if found and any(a <= found.start() < b for a, b in file.words):
        return None  # it belongs to a sentence
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
    if found and found[0] == "me":
        return None  # what is there for each player is mine where nothing is said
    return found and Slip(found.start(), found.end(), "")


@kind("arguments exchanged")
def _arguments(file: File, draw: Random) -> Slip | None:
    either = r"(?<!min\()(?<!max\()"  # where the order makes no difference
    found = among(file, draw, rf"(?<=\(){either}([a-z_.0-9]+), ([a-z_.0-9]+)(?=\))")
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
