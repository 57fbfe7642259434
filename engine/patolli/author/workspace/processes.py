"""Do pieces of work in several processes that others may end at any time.

Each process has one piece in hand and a pipe of its own, with no lock that it shares with others. So when one is ended
from outside, by a person or by a system without memory left, it is known which piece is lost, and that piece alone is
done again in a new process. And no process outlives the one that began it, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Concatenate, Generic, TypeVar

from patolli.language.diagnostics import ContentError
from patolli.language.diagnostics.fault import EngineFault

if TYPE_CHECKING:
    from multiprocessing.context import BaseContext
    from multiprocessing.process import BaseProcess

Begin = Callable[..., tuple[Any, ...]]
Piece = TypeVar("Piece")
Result = TypeVar("Result")
TRIES = 5
"""How often a piece is begun before it is given up."""
EVERY = 0.2
"""Seconds after which it is asked again whether more work is wanted."""


class Lost(ChildProcessError):
    """A piece of work was given up: the process that worked on it was ended from outside, again and again."""

    def __init__(self, code: int | None) -> None:
        """Return how the last process ended."""
        how = f"by signal {-code}" if code is not None and code < 0 else f"with {code}"
        super().__init__(0, f"a process of this program was ended from outside {TRIES} times, at last {how}")


def count_processes(pieces: int, least: int) -> int:
    """Return how many forked processes are worth their start; 1 if there are fewer than *least* pieces of work."""
    if pieces < least or multiprocessing.get_start_method() != "fork":
        return 1
    return min(count_processors(), pieces)


def count_processors() -> int:
    """Return how many processors there are for this program."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def keep_given(*given: Any) -> tuple[Any, ...]:
    """Return what a process is given as it is; it has a name, by which a process that begins again finds it."""
    return given


@dataclass(slots=True)
class Child:
    """A process that does pieces of work, and the pipe to it.

    A piece is sent; received is whether it was done, what came of it or was raised, and of what it has warned.
    """

    process: BaseProcess
    pipe: Connection

    def receive(self) -> tuple[bool, Any]:
        """Return what it sends; of what it has warned this process warns. Raises OSError or EOFError: it has ended."""
        good, result, warned = self.pipe.recv()
        for warning in warned:
            warnings.warn(warning, stacklevel=2)
        return good, result

    @classmethod
    def start(
        cls, context: BaseContext, do: Callable[..., Any], begin: Begin = keep_given, given: tuple[Any, ...] = ()
    ) -> Child:
        """Start one; it ends with the process that has started it."""
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve_pieces, args=(theirs, do, begin, given), daemon=True)  # type: ignore[attr-defined]
        process.start()
        theirs.close()  # so that it closes when the process ends
        return cls(process, ours)

    def bury(self) -> int | None:
        """End it, whatever it has in hand; return the code with which it has ended."""
        self.pipe.close()
        self.process.kill()
        self.process.join()
        code: int | None = self.process.exitcode
        return code


class Pool(Generic[Piece, Result]):
    """Processes that do pieces of work; use it in a ``with``, at whose end none is left."""

    def __init__(
        self,
        context: BaseContext,
        processes: int,
        do: Callable[Concatenate[Piece, ...], Result],
        begin: Begin = keep_given,
        given: tuple[Any, ...] = (),
    ) -> None:
        """Take what each process does: first ``state = begin(*given)``, and ``do(piece, *state)`` for each piece."""
        self._context = context
        self._processes = processes
        self._task = (do, begin, given)
        self._idle: list[Child] = []
        self._busy: dict[Connection, tuple[Child, Piece]] = {}

    def __enter__(self) -> Pool[Piece, Result]:
        """Begin without a process; each is started when there is something to do for it."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes, whatever they have in hand."""
        children = [*self._idle, *(child for child, _ in self._busy.values())]
        for child in children:
            child.process.kill()
        for child in children:
            child.process.join()
            child.pipe.close()
        self._idle.clear()
        self._busy.clear()

    def run_pieces(
        self, pieces: Iterable[Piece], enough: Callable[[], bool] = lambda: False
    ) -> Iterator[tuple[Piece, Result | Lost]]:
        """Do pieces of work, and yield each with what came of it, in the order in which they are finished.

        No further piece is begun once there is *enough*; those in hand are finished.

        Raises:
            Exception: What the work raised.
        """
        left = iter(pieces)
        again: list[Piece] = []
        tries: Counter[Piece] = Counter()
        while True:
            while len(self._busy) < self._processes and not enough():
                piece = again.pop() if again else next(left, None)
                if piece is None:
                    break
                tries[piece] += 1
                if not self._hand_out(piece):
                    again.append(piece)
            if not self._busy:
                return
            for pipe in wait(list(self._busy), timeout=EVERY):
                assert isinstance(pipe, Connection)
                child, piece = self._busy.pop(pipe)
                try:
                    good, result = child.receive()
                except (EOFError, OSError):
                    code = child.bury()
                    if tries[piece] < TRIES:
                        again.append(piece)
                    else:
                        yield piece, Lost(code)
                    continue
                self._idle.append(child)
                if not good:
                    raise result
                yield piece, result

    def _hand_out(self, piece: Piece) -> bool:
        """Give a piece to a process; return whether it could be given."""
        child = self._idle.pop() if self._idle else Child.start(self._context, *self._task)
        try:
            child.pipe.send(piece)
        except OSError:
            child.bury()
            return False
        self._busy[child.pipe] = (child, piece)
        return True


# ---- what runs in the other processes


def _serve_pieces(pipe: Connection, do: Callable[..., Any], begin: Begin, given: tuple[Any, ...]) -> None:
    """Do pieces of work until no more come; Ctrl-C is left to the process that hands them out."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, daemon=True).start()
    state: tuple[Any, ...] | None = None
    with suppress(EOFError, OSError), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("once")
        while True:  # until the process that hands out work has ended
            piece = pipe.recv()
            answer: tuple[bool, object]
            try:
                state = begin(*given) if state is None else state
                answer = True, do(piece, *state)
            except Exception as error:
                answer = False, _make_portable(error)
            pipe.send((*answer, [one.message for one in warned]))
            warned.clear()


def end_with_parent() -> None:
    """End this process when the one that began it has ended, even in the middle of a piece."""
    from multiprocessing import parent_process

    above = parent_process()
    if above is not None:
        wait([above.sentinel])
    os._exit(1)


def _make_portable(error: Exception) -> Exception:
    """Return what was raised as it can be sent; an internal error keeps its traceback."""
    return error if isinstance(error, ContentError | OSError | MemoryError) else EngineFault.of(error)
