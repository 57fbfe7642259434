"""A real terminal for a test: the program runs in a child behind a pseudo-terminal, and is played by typed text alone."""

from __future__ import annotations

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
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from calls import _import

SECONDS = 120
"""How long a child may take to answer."""
LONGEST = 900
"""And for a whole match, on a machine with other things to do."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]|[\x01\x02]")
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
    _raw: bytes = field(default=b"")

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
                self._raw += more
                self.text = ESCAPES.sub("", self._raw.decode(errors="ignore")).replace("\r\n", "\n").replace("\r", "")
            elif self.code is not None or (len(self.text) > self.asked and self.text.endswith("> ")):
                said, self.asked = self.text[self.asked :], len(self.text)
                return said
        raise AssertionError(f"nothing is asked:\n{self.text[-3000:]}")

    def type(self, line: str) -> str:
        """Type a line; return what is printed until the next one is asked for."""
        os.write(self._file, f"{line}\n".encode())
        return self.wait()

    def press(self, key: bytes) -> str:
        """Press a key, such as Ctrl-C; return what is printed until the program asks again, or has ended."""
        os.write(self._file, key)
        return self.wait()


def answer(shown: str, draw: Random) -> str:
    """Return what a person would type who sees no more than this: Enter where that goes on, or one of the options."""
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
    cells = re.search(r"Type a marked cell, such as (\S+) or (\S+)\.", shown)
    if cells and (not options or draw.random() < 0.8):
        return cells[draw.randrange(1, 3)]
    assert options, f"there is nothing to choose:\n{shown[-2000:]}"
    tag, words = draw.choice(options).groups()
    words = re.split(r" {2,}|…", words)[0].removesuffix(" (anytime)")
    return draw.choice([tag, words]) if LETTER.search(words) else tag  # signs alone are a picture of the option


def play(terminal: Terminal, most: int, seed: int = 1) -> int:
    """Answer what is asked until the match is over, at most so many times; return how often something was typed."""
    draw, shown = Random(seed), terminal.wait()
    for number in range(most):
        if terminal.code is not None:
            return number
        said = terminal.type(answer(shown, draw))
        assert "there is no option" not in said, said
        shown = shown if "several options begin with" in said else said  # what was asked still stands above it
    return most


def frames(recording: Path) -> str:
    """Return the screens of a recording, each as it stood when something was typed, as text."""
    head, *events = map(json.loads, recording.read_text("utf-8").splitlines())
    width, height = head["width"], head["height"]
    printed, found = "", []
    for _, kind, text in events:
        if kind == "o":
            printed += ESCAPES.sub("", text).replace("\r\n", "\n")
            continue
        lines = printed.split("\n")[-height:]
        found.append(
            "\n".join([f"{' ' + (text.strip() or 'Enter') + ' ':=^{width}}", *(line.rstrip() for line in lines), ""])
        )
    return "".join(found)
