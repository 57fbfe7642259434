"""Play matches of a run on a cluster of Dask: the same batches, done by processes on other machines.

Such a process needs this program and nothing else: the files of the packs travel with the work, and are loaded there
once. What they compose is compared by its hash, so that all play the same. When one is ended, others play what it had
in hand. A process that sees the folder of the run writes the file of a whole block itself and returns only its number
and time, so the caller does not limit how many processes are useful. Otherwise it returns the facts, and the caller
writes them.
"""

from __future__ import annotations

import atexit
import logging
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from dataclasses import dataclass
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Protocol

from patolli.author.workspace.processes import EVERY, TRIES, Lost
from patolli.language.packs.archive_writer import content_files
from patolli.language.sources.archive import read_bytes
from patolli.measure.lab.facts import Row
from patolli.measure.lab.store import Shared
from patolli.measure.lab.tables import BLOCK
from patolli.measure.simulation.games import Plan
from patolli.run.runtime import Ruleset

RESPONSE_SECONDS = 10.0
"""Seconds in which a cluster has to answer, and to have a process that plays."""
SECONDS = 2.0
"""How long a batch is to take on a cluster, where handing it out takes longer than on this machine."""
Piece = tuple[str, int, int]


class Plays(Protocol):
    """What plays matches and returns their facts."""

    def play(self, variant: str, numbers: Iterable[int]) -> Iterable[Row]:
        """Play one match."""


Make = Callable[[Mapping[str, Ruleset], Plan], Plays]
Given = dict[str, Any]
"""What rulesets are made from elsewhere: files of packs, which variants there are, and how they are played."""


class NoCluster(ValueError):
    """A cluster is not there, or cannot play; the message says why, and what to do."""


class Cluster:
    """Processes elsewhere that play batches; use it in a ``with``, at whose end the connection is closed."""

    def __init__(self, address: str) -> None:
        """Connect to the scheduler at an address, or to the one that a file of a scheduler names (``.json``).

        Raises:
            NoCluster: No scheduler responds, none of its processes plays, or the library is not installed.
        """
        self.address = address
        self._dask = library()
        for name in ("distributed", "distributed.client"):  # what is worth a report is reported here
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            where = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
            self._client = self._dask.Client(**where, timeout=RESPONSE_SECONDS, set_as_default=False)
        except (OSError, ValueError, TypeError, TimeoutError, ImportError) as error:
            raise NoCluster(
                f"no cluster at {address} ({_first(error)}); start one with 'dask scheduler', which prints its address"
            ) from None
        end = monotonic() + RESPONSE_SECONDS
        while not self._client.nthreads():
            if monotonic() > end:
                self._client.close()
                raise NoCluster(f"the cluster at {address} has no processes")
            sleep(EVERY)

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        """Let go of what is not done, and close the connection; the cluster stays."""
        self._client.close()

    def run_batches(
        self,
        rules: Mapping[str, Ruleset],
        plan: Plan,
        make: Make,
        pieces: Iterable[Piece],
        enough: Callable[[], bool] = lambda: False,
        shared: Shared | None = None,
    ) -> Iterator[tuple[Piece, list[Row] | Written | Lost]]:
        """Let batches be played, and yield each with its facts, in the order in which they are finished.

        A batch that is a whole block is written in the *shared* folder by a process that sees the folder.

        No further batch is begun once there is *enough*; those in hand are finished. There each process plays with what
        *make*, a function of a module, makes of the rulesets and the plan.

        Raises:
            NoCluster: The cluster has gone, or cannot play.
        """
        given = given_of(rules, plan)
        key = f"patolli-{name_of(given)}"
        there = self._client.submit(_itself, given, key=key)  # made again when who holds it is ended
        left, again, tries = iter(pieces), list[Piece](), Counter[Piece]()
        busy: dict[Any, Piece] = {}
        while True:
            most = 0 if enough() else 2 * max(1, sum(self._client.nthreads().values()))
            while len(busy) < most and (piece := again.pop() if again else next(left, None)) is not None:
                tries[piece] += 1
                words = f"{key}-{'-'.join(map(str, piece))}-{tries[piece]}"
                busy[self._client.submit(_play_batch, there, make, key, piece, shared, key=words)] = piece
            if not busy:
                return
            for future in self._wait_finished(busy):
                piece = busy.pop(future)
                found = self._result(future)
                if found is not None:
                    yield piece, found
                elif tries[piece] < TRIES:
                    again.append(piece)
                else:
                    yield piece, GivenUp()

    def _wait_finished(self, busy: Mapping[Any, Piece]) -> Iterable[Any]:
        """Wait a moment for one that is finished."""
        try:
            with self._client.as_current():
                found = self._dask.wait(list(busy), timeout=EVERY, return_when="FIRST_COMPLETED")
        except (TimeoutError, self._dask.TimeoutError):
            self._look()
            return []
        except (OSError, CancelledError) as error:
            raise self._report_lost(error) from None
        finished: Iterable[Any] = found.done
        return finished

    def _look(self) -> None:
        if self._client.status not in ("running", "connecting"):
            raise self._report_lost(self._client.status)

    def _result(self, future: Any) -> list[Row] | Written | None:
        """Return the facts of a batch; None if its process was ended, again and again."""
        try:
            rows: list[Row] | Written = future.result()
        except self._dask.KilledWorker:
            return None
        except (OSError, CancelledError) as error:
            raise self._report_lost(error) from None
        except Exception as error:
            raise NoCluster(
                f"the cluster at {self.address} failed: {_first(error)}; "
                "it needs the same version of Patolli and of the bots"
            ) from None
        return rows

    def _report_lost(self, why: object) -> NoCluster:
        return NoCluster(
            f"lost the cluster at {self.address} ({_first(why)}); finished matches are stored, and the same command "
            "continues the run"
        )


@dataclass(frozen=True, slots=True)
class Written:
    """A whole block whose file was written elsewhere, and the seconds that its matches took."""

    seconds: float


class GivenUp(Lost):
    """A batch was given up: every process that had it in hand was ended."""

    def __init__(self) -> None:
        super().__init__(None)
        self.strerror = f"processes of the cluster died {TRIES} times during this match"


def library() -> Any:
    """Import what speaks with a cluster: only who has one needs it. Raises NoCluster: it is not installed."""
    try:
        return import_module("distributed")
    except ImportError:
        raise NoCluster("--cluster needs the package distributed: pip install 'patolli[cluster]'") from None


def given_of(rules: Mapping[str, Ruleset], plan: Plan) -> Given:
    """Return all that is needed to play elsewhere: plain data."""
    packs: dict[str, dict[str, bytes]] = {}
    variants: dict[str, Any] = {}
    for name, one in rules.items():
        for pack in one.packs:
            folder = pack.folder
            packs[str(folder)] = {
                path.relative_to(folder).as_posix(): read_bytes(path) for path in content_files(folder)
            }
        variants[name] = ([str(pack.folder) for pack in one.packs], dict(one.chosen), one.content_hash)
    return {"packs": packs, "variants": variants, "plan": plan}


def name_of(given: Given) -> str:
    """Return a hash of what is played, by which it is known whether it is there already."""
    plan: Plan = given["plan"]
    said = repr((given["variants"], plan.players, plan.seed, plan.limit, list(map(str, plan.kinds()))))
    return blake2b(said.encode(), digest_size=12).hexdigest()


def _first(error: object) -> str:
    """Return the first line of what went wrong."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# ---- what runs elsewhere

_HERE: dict[str, Any] = {}
_ALONE = threading.Lock()
"""Of several threads of a process one plays at a time: they share rulesets, and a ruleset is for one thread."""


def _itself(given: Given) -> Given:
    return given


def _play_batch(given: Given, make: Make, key: str, piece: Piece, shared: Shared | None) -> list[Row] | Written:
    """Play a batch; return its facts, or write them if the batch is a whole block of a shared folder."""
    with _ALONE:
        if key not in _HERE:
            _HERE.clear()  # one run at a time is remembered
            _HERE[key] = make(unpack_rulesets(given), given["plan"])
        variant, first, last = piece
        rows = [*_HERE[key].play(variant, range(first, last))]
    whole = first % BLOCK == 0 and last - first == len(rows) == BLOCK
    if shared is not None and whole and shared.write(variant, rows):
        return Written(sum(row["seconds"] for row in rows))
    return rows


def unpack_rulesets(given: Given) -> dict[str, Ruleset]:
    """Write the packs to a folder of their own and load all variants. Raises RuntimeError: something differs."""
    from patolli.author.workspace import load

    home = Path(tempfile.mkdtemp(prefix="patolli-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    places: dict[str, Path] = {}
    for number, (folder, files) in enumerate(given["packs"].items()):
        places[folder] = home / str(number) / Path(folder).name.removesuffix(".zip")
        for name, data in files.items():
            path = places[folder] / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    found = {}
    for name, (folders, chosen, content) in given["variants"].items():
        base, *modules = (places[folder] for folder in folders)
        found[name] = load(base, modules, chosen)
        if found[name].content_hash != content:
            raise RuntimeError("the packs on the cluster differ from those on this machine")
    return found
