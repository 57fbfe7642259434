"""A real terminal for a test: the program runs in a child behind a pseudo-terminal, and is played by typed text alone."""

from __future__ import annotations

import codecs
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import traceback
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from calls import _import

SECONDS = 120
"""How long a child may take to answer."""
LONGEST = 900
"""And for a whole match, on a machine with other things to do."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|[\x01\x02]")
BEGUN = re.compile(r"(\x1b(\[[0-9;?]*|[()])?)?$")
"""The beginning of an escape at the end of what was read."""
BOARD = re.compile("[╭╮╰╯│─]")
FEWEST = 4
"""Lines of boards that are left out of a recording."""
LETTER = re.compile(r"[^\W\d_]")
OPTION = re.compile(r"^ {1,5}(\d+|[a-z]{1,2}) (\S.*)$")


@dataclass(slots=True)
class Terminal:
    """One call of the program at a terminal of its own."""

    arguments: list[object]
    width: int = 80
    height: int = 24
    text: str = ""
    code: int | None = None
    asked: int = 0  # up to where the text was answered
    _pid: int = 0
    _file: int = 0
    _rest: str = ""  # what may be the beginning of an escape
    _bytes: codecs.IncrementalDecoder = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))

    def __enter__(self) -> Terminal:
        main = _import()
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            code = 70
            try:
                signal.alarm(LONGEST)
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", self.height, self.width, 0, 0))
                os.environ.update(TERM="xterm-256color", COLUMNS=str(self.width), LINES=str(self.height))
                os.environ.pop("NO_COLOR", None)
                sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)
                sys.__stdin__, sys.__stdout__ = sys.stdin, sys.stdout  # what asks for a line looks for the real ones
                try:
                    main([str(argument) for argument in self.arguments], prog_name="patolli")
                except SystemExit as ending:
                    code = ending.code if isinstance(ending.code, int) else 1
                sys.stdout.flush()
            except BaseException:
                os.write(1, traceback.format_exc().encode())
            finally:
                os._exit(code)
        fcntl.ioctl(self._file, termios.TIOCSWINSZ, struct.pack("HHHH", self.height, self.width, 0, 0))
        return self

    def __exit__(self, *_: object) -> None:
        if self.code is None:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
        os.close(self._file)

    def wait(self) -> str:
        """Wait until something is asked, or the program has ended; return what was printed since the last time."""
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            if self.code is None and select.select([self._file], [], [], 0.02)[0]:
                try:
                    more = os.read(self._file, 1 << 16)
                except OSError:
                    more = b""
                if not more:
                    self.code = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
                self._read(more)
            elif self.code is not None or (len(self.text) > self.asked and self.text.endswith("> ")):
                said, self.asked = self.text[self.asked :], len(self.text)
                return said
        raise AssertionError(f"nothing is asked:\n{self.text[-3000:]}")

    def _read(self, more: bytes) -> None:
        """Add what was printed to the text, without escapes; a part of one is kept until the rest has come."""
        text = self._rest + self._bytes.decode(more, final=not more)
        self._rest = BEGUN.search(text)[0] if more else ""
        self.text += ESCAPES.sub("", text.removesuffix(self._rest)).replace("\r", "")

    def type(self, line: str) -> str:
        """Type a line; return what is printed until the next one is asked for."""
        os.write(self._file, f"{line}\n".encode())
        return self.wait()

    def press(self, key: bytes) -> str:
        """Press a key, such as Ctrl-C; return what is printed until the program asks again, or has ended."""
        os.write(self._file, key)
        return self.wait()


def answer(shown: str, draw: Random, hasty: float = 0) -> str:
    """Return what a person would type who sees no more than this: Enter where that goes on, or one of the options.

    A *hasty* one takes the last option so often, which mostly leads to the end sooner.
    """
    last = shown.rstrip("\n").split("\n")[-1]
    if "Enter takes it" in shown.split("\n")[-2:][0] or "Enter" in last:
        return ""
    options = []
    for line in reversed(shown.split("\n")[:-1]):
        if found := OPTION.match(line):
            options.append(found)
        elif line and not line.startswith("      ") and options:
            break
    numbers = [found for found in options if found[1].isdigit()]
    options = numbers or options  # in a list with numbers, a short word at the beginning of a line is no letter
    line = re.search(r"^  Type (?:a|the) marked cell, .*", shown, re.M)
    cells = re.findall(r"[a-z]+\d+", line[0]) if line else []
    if cells and (not options or draw.random() < 0.8):
        return draw.choice(cells)
    assert options, f"there is nothing to choose:\n{shown[-2000:]}"
    tag, words = (options[0] if draw.random() < hasty else draw.choice(options)).groups()
    words = re.split(r" {2,}|…", words)[0].removesuffix(" (anytime)")
    return draw.choice([tag, words]) if LETTER.search(words) else tag  # signs alone are a picture of the option


def play(terminal: Terminal, most: int, seed: int = 1, hasty: float = 0) -> int:
    """Answer questions until the match is over, up to a number of times; return how often something was typed."""
    draw, shown = Random(seed), terminal.wait()
    for number in range(most):
        if terminal.code is not None:
            return number
        said = terminal.type(answer(shown, draw, hasty))
        assert "there is no option" not in said, said
        shown = shown if "several options begin with" in said else said  # what was asked still stands above it
    return most


def follow(terminal: Terminal, lines: Iterable[str]) -> None:
    """Type lines, and Enter wherever something is shown first."""
    shown, lines = terminal.wait(), iter(lines)
    while terminal.code is None:
        shown = terminal.type("" if "Enter" in shown.rstrip("\n").split("\n")[-2] else next(lines))
        assert "there is no option" not in shown, shown


def screens(recording: Path) -> list[str]:
    """Return what a recording prints before each line that is typed, and after the last one, as text.

    Each begins with the line that was typed below it.
    """
    head, *events = map(json.loads, recording.read_text("utf-8").splitlines())
    printed, found = "", []
    for _, kind, text in [*events, [0, "i", "the end"]]:
        if kind == "o":
            printed += ESCAPES.sub("", text).replace("\r\n", "\n")
            continue
        lines = [line.rstrip() for line in printed.removesuffix("\n").split("\n")]
        found.append("\n".join([f"{' ' + (text.strip() or 'Enter') + ' ':=^{head['width']}}", *lines, ""]))
        printed = ""
    return found


def frames(recording: Path, every: int = 1) -> str:
    """Return the screens of a recording, one below the other; of most only what stands below the boards.

    The first, the last and *every* so many are whole. What of the others is left out is kept as a sum.
    """
    found = screens(recording)
    whole = {0, len(found) - 1, *range(0, len(found), every)}
    return "".join(screen if number in whole else _below(screen) for number, screen in enumerate(found))


def _below(screen: str) -> str:
    """Return a screen without what stands above the last line of a board, if that is much."""
    head, *lines = screen.split("\n")
    last = max((number for number, line in enumerate(lines) if BOARD.search(line)), default=0)
    if last < FEWEST:
        return screen
    left = zlib.crc32("\n".join(lines[: last + 1]).encode())
    return "\n".join([head, f"({last + 1} lines, {left:08x})", *lines[last + 1 :]])
