"""Call the command line in a process of its own, with streams, limits and surroundings that a test chooses.

The child is forked from the test, which has imported everything: a call takes milliseconds. It ends as a program does,
with what is left in its streams written, and a stream that fails then is reported by Python in the words of ``LEFT_OVER``.
"""

from __future__ import annotations

import gc
import io
import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

LEFT_OVER = "Exception ignored in"
SECONDS = 120


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended: its exit code, what it wrote to its files, and whether it was told what it did wrong."""

    code: int
    out: bytes
    err: str

    @property
    def lines(self) -> list[str]:
        """The lines on standard error."""
        return self.err.splitlines()


def call(
    *arguments: object,
    stdin: str | bytes | None = "",
    stdout: str = "",
    stderr: str = "",
    encoding: str = "utf-8",
    cwd: Path | None = None,
    env: dict[str, str | None] | None = None,
    largest: int | None = None,
    first: Callable[[], object] = lambda: None,
) -> Ended:
    """Run ``patolli`` with some arguments.

    Args:
        arguments: The words of the call.
        stdin: What is typed; None for a stream that was closed.
        stdout: Where output goes: a path, ``pipe`` for one without a reader, ``closed``, or nothing for a file that is
            returned.
        stderr: The same for standard error.
        encoding: The encoding of all three streams.
        cwd: Where the call is made.
        env: Variables that are set, or unset where they are None.
        largest: The size in bytes to which files may grow.
        first: Done in the child before the call.
    """
    _import()
    read, said = os.pipe()  # no file: its size may be limited
    with tempfile.TemporaryFile() as typed, tempfile.TemporaryFile() as out, open(read, "rb") as heard:
        typed.write(stdin if isinstance(stdin, bytes) else (stdin or "").encode())
        typed.seek(0)
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                signal.alarm(SECONDS)
                gc.disable()
                os.dup2(typed.fileno(), 0)
                _lead(stdout, 1, out.fileno())
                _lead(stderr, 2, said)
                _streams(encoding, stdin is None, stdout == "closed", stderr == "closed")
                if cwd is not None:
                    os.chdir(cwd)
                for name, value in (env or {}).items():
                    os.environ.pop(name, None) if value is None else os.environ.update({name: value})
                if largest is not None:
                    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
                first()
                code = _ended(_import(), [str(argument) for argument in arguments])
            except BaseException:
                os.write(said, traceback.format_exc().encode())
            finally:
                os._exit(code)
        os.close(said)
        err = heard.read()
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        out.seek(0)
        return Ended(code, out.read(), err.decode("utf-8", "backslashreplace"))


@cache
def _import() -> Callable[..., object]:
    """Import what the commands use, and read what most of them read, once for all calls; return the program."""
    from patolli.author.workspace import check_packs
    from patolli.cli import main
    from patolli.cli.main import COMMANDS
    from patolli.cli.pack import installed_rows
    from patolli.language.sources.hashes import program_hash

    for module, _ in COMMANDS.values():
        import_module(module)
    "".encode("cp437")  # of names in archives; the child may not be allowed to read the library
    for module in (
        "play.terminal.session", "play.terminal.sheet", "measure.simulation", "author.scenarios.coverage.measure",
        "measure.tournaments.tournament_run", "measure.tournaments.certainty",
    ):  # fmt: skip
        with suppress(ModuleNotFoundError):  # of an extra
            import_module(f"patolli.{module}")
    program_hash()
    installed_rows()
    check_packs(("tic_tac_toe",), remember=False)
    gc.collect()
    gc.freeze()  # a child that looks for garbage would copy all of the memory
    return main


def _lead(where: str, stream: int, file: int) -> None:
    if where == "pipe":
        read, write = os.pipe()
        os.close(read)
        os.dup2(write, stream)
    else:
        os.dup2(os.open(where, os.O_WRONLY) if where not in ("", "closed") else file, stream)


def _streams(encoding: str, no_in: bool, no_out: bool, no_err: bool) -> None:
    """Make the streams as Python makes them for a program."""
    sys.stdin = None if no_in else open(0, encoding=encoding, closefd=False)  # noqa: SIM115 - until the child ends
    for name, number, closed in (("stdout", 1, no_out), ("stderr", 2, no_err)):
        errors = "backslashreplace" if name == "stderr" else "strict"
        raw = io.BufferedWriter(io.FileIO(number, "wb", closefd=False))
        stream = io.TextIOWrapper(raw, encoding=encoding, errors=errors, line_buffering=name == "stderr")
        setattr(sys, name, None if closed else stream)


def _ended(main: Callable[..., object], arguments: list[str]) -> int:
    """Run the program, and end it as Python does."""
    code = 0
    try:
        main(arguments, prog_name="patolli")
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 1
    except BaseException:
        code = 1
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError as error:
            code = 120
            if stream is sys.stdout and sys.stderr is not None:
                sys.stderr.write(f"{LEFT_OVER} {stream}: {error}\n")
                sys.stderr.flush()
    return code
