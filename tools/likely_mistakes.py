"""Mistakes in thinking for ``recall``: what people get wrong who know how the language is written.

Another player or counter than was meant, an effect that does nothing, a condition that is settled, a margin two blanks
off. What there is to confuse is taken from what the pack declares.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from mistake_kinds import KINDS, File, Kind, Slip, among, kind, misspelt

from patolli.author.workspace import inspect
from patolli.language.program.model import Program

NAMES: list[str] = []
"""The kinds of this module."""


def likely(name: str) -> Callable[[Kind], Kind]:
    """Enter a kind of mistake here and in the table of all."""
    NAMES.append(name)
    return kind(name)


@cache
def _program(folder: Path) -> Program:
    """Return what a pack declares, as it was when it was asked for first."""
    model = inspect(str(folder)).model
    assert model is not None
    assert model.program is not None
    return model.program


def program_of(file: File) -> Program:
    """Return what the pack of a file declares."""
    return _program(next(folder for folder in file.path.parents if (folder / "pack.yaml").is_file()))


def _mine(file: File) -> list[str]:
    return [name for name, counter in program_of(file).counters.items() if counter.dims == ("player",)]


def _acting(file: File, at: int, name: str) -> bool:
    """Return whether a player acts at a place, in the line or in a block around it, so that 'me' is that player."""
    depth, behind = 10_000, True
    for line in reversed(file.text[:at].split("\n")):
        own = len(line) - len(line.lstrip(" "))
        if line.strip() and (behind or own < depth):
            depth, behind = own, False
            if re.search(rf"\bas {name}\b", line):
                return True
    return False


def _replaced(found: re.Match[str] | None, new: str) -> Slip | None:
    return found and Slip(found.start(), found.end(), new)


# ---- another player or counter


@likely("player not said: 'as p:' left out")
def _as(file: File, draw: Random) -> Slip | None:
    return _replaced(among(file, draw, r"(?<=: )as [a-z_]\w*: ?(?=\S)"), "")


@likely("player not said: 'for p' behind a gain left out")
def _for(file: File, draw: Random) -> Slip | None:
    return _replaced(among(file, draw, r"(?<=\w) for [a-z_]\w*(?=\n|$)"), "")


@likely("player not said: counter(p) without p")
def _counter_of(file: File, draw: Random) -> Slip | None:
    names = "|".join(_mine(file))
    found = among(file, draw, rf"(?<![\w.])(?:{names})\([a-z_]\w*\)")
    if found and _acting(file, found.start(), found[0].partition("(")[2].rstrip(")")):
        return None  # it would mean the same
    return _replaced(found, found[0].partition("(")[0] if found else "")


@likely("me for another player")
def _me(file: File, draw: Random) -> Slip | None:
    players = {
        name for m in re.finditer(r"\b([a-z_]\w*) in (?:players|others|turn_order)\b", file.text) for name in m.groups()
    }
    found = among(file, draw, rf"(?<=[(, ])(?:{'|'.join(sorted(players) or ['-'])})(?=\))")
    return None if found and _acting(file, found.start(), found[0]) else _replaced(found, "me")


@likely("counter of a text: another one in the effect")
def _counter(file: File, draw: Random) -> Slip | None:
    mine = _mine(file)
    lines = [(a, b) for a, b in file.lines if re.search(r"effect: gain \d+ \w+,? .*text: ", file.text[a:b])]
    found = among(file, draw, rf"(?<=effect: gain \d )(?:{'|'.join(mine)})\b", lines)
    others = [name for name in mine if found and name != found[0]]
    return _replaced(found, draw.choice(others)) if others else None


@likely("counter of the table gained for a player")
def _table(file: File, draw: Random) -> Slip | None:
    tables = [name for name, counter in program_of(file).counters.items() if not counter.dims]
    found = among(file, draw, rf"(?<=gain \d )(?:{'|'.join(tables) or '-'})\b(?! for)")
    return _replaced(found, f"{found[0]} for players[0]" if found else "")


# ---- what changes or decides nothing


@likely("set to what it is")
def _set(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<![\w])set ([a-z_][\w.]*) to [^\n;,}\"]+")
    return _replaced(found, f"set {found[1]} to {found[1]}" if found else "")


@likely("amount of 0")
def _nothing(file: File, draw: Random) -> Slip | None:
    return _replaced(
        among(file, draw, r"(?<=gain )\d+(?= [a-z])|(?<=lose )\d+(?= [a-z])|(?<=repeat )\d+(?= times)"), "0"
    )


@likely("condition that always holds")
def _always(file: File, draw: Random) -> Slip | None:
    names = "|".join(_mine(file))
    found = among(file, draw, rf"(?<![\w.(])(?:{names}) (?:>|==|!=|>=) [0-9]+(?![\w.])")
    return _replaced(found, f"{found[0].split()[0]} >= 0" if found else "")


@likely("condition that never holds")
def _never(file: File, draw: Random) -> Slip | None:
    names = "|".join(_mine(file))
    found = among(file, draw, rf"(?<![\w.(])(?:{names}) (?:<|<=|==|>|>=) [0-9]+(?![\w.])")
    return _replaced(found, f"{found[0].split()[0]} < 0" if found else "")


@likely("elif with the condition of its if")
def _elif(file: File, draw: Random) -> Slip | None:
    spots = list(re.finditer(r"\n( +)if ([^:\n]+):[^\n]*(?:\n\1 [^\n]*)*\n\1elif ([^:\n]+):", file.text))
    found = draw.choice(spots) if spots else None
    return found and Slip(found.start(3), found.end(3), found[2])


# ---- what is missing or out of place


@likely("result left out")
def _result(file: File, draw: Random) -> Slip | None:
    found = re.search(r"(?m)^result:\n(?:[ #].*\n|\n)*|^result: .*\n", file.text)
    return _replaced(found, "")


@likely("start place of pieces left out")
def _unfilled(file: File, draw: Random) -> Slip | None:
    return _replaced(re.search(r"(?m)^place: .*\n", file.text), "")


@likely("index one too high")
def _index(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<=\w\[)[a-z_]\w*(?:[ ]?[-+] ?\d+)?(?=\])")
    return _replaced(found, f"{found[0]} + 1" if found else "")


@likely("line of a block two blanks to the left")
def _shallow(file: File, draw: Random) -> Slip | None:
    inner = [(a, b) for a, b in file.lines if _depth(file, a) > 2 and _in_block(file, a)]
    start = draw.choice(inner)[0] if inner else None
    return None if start is None else Slip(start, start + 2, "")


@likely("section two blanks to the right")
def _deep(file: File, draw: Random) -> Slip | None:
    heads = list(re.finditer(r"(?m)^[a-z]+:\n(?:[ #].*\n|\n)+", file.text))
    found = draw.choice(heads[1:]) if len(heads) > 1 else None
    return found and Slip(found.start(), found.end(), re.sub(r"(?m)^(?=.)", "  ", found[0]))


@likely("> for |")
def _folded(file: File, draw: Random) -> Slip | None:
    spots = list(re.finditer(r"(?<=: )\|(?=\n( *)[a-z][^\n]*\n\1[a-z])", file.text))
    return _replaced(draw.choice(spots), ">") if spots else None


@likely("no-break space")
def _blank(file: File, draw: Random) -> Slip | None:
    lines = [(a, b) for a, b in file.values if "#" not in file.text[file.text.rfind("\n", 0, a) + 1 : b]]
    return _replaced(among(file, draw, r"(?<=[a-z0-9]) (?=[a-z0-9])", lines), "\u00a0")


@likely("type of a parameter misspelt")
def _type(file: File, draw: Random) -> Slip | None:
    found = among(file, draw, r"(?<=\()[a-z_]{3,}(?=[ ),])", file.keys)
    return _replaced(found, misspelt(found[0], draw) if found else "")


@likely("number without its underscore")
def _joined(file: File, draw: Random) -> Slip | None:
    return _replaced(among(file, draw, r"(?<=[a-z])_(?=\d+\b)"), "")


@likely("label with braces")
def _braces(file: File, draw: Random) -> Slip | None:
    names = "|".join(_mine(file))
    spots = list(re.finditer(rf'"[a-z ]*\b({names})\b[a-z ]*"(?=:| when)', file.text))
    found = draw.choice(spots) if spots else None
    return found and Slip(found.start(1), found.end(1), f"{{{found[1]}}}")


def _depth(file: File, start: int) -> int:
    line = file.text[start : file.text.find("\n", start)]
    return len(line) - len(line.lstrip(" "))


def _in_block(file: File, start: int) -> bool:
    """Return whether a line belongs to a text below ``|``."""
    for line in reversed(file.text[:start].splitlines()):
        if line.rstrip().endswith("|"):
            return len(line) - len(line.lstrip(" ")) < _depth(file, start)
        if (
            line.strip()
            and len(line) - len(line.lstrip(" ")) < _depth(file, start)
            and re.match(r" *[a-z_]+:( |$)", line)
        ):
            return False
    return False


__all__ = ["KINDS", "NAMES", "Kind"]
