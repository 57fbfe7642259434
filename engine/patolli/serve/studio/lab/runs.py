"""Runs of the lab that were started on the page: one folder for each, below the folder of the studio.

In:     a request for a run.
Out:    folders with ``wanted.json`` (the request), ``facts`` (the folder of ``patolli lab run``), and the files of
        ``run_process``. The folder has the whole state of a run, so any studio can continue it.
Errors: :class:`Refused`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Any

from patolli.language.sources.atomic_files import write_whole
from patolli.measure.lab.plans import PlanError, parse_variation
from patolli.serve.studio.lab.run_process import ALIVE, ENDED, LOG, STOP, WANTED
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.seats import NAME, new_name
from patolli.serve.studio.table_requests import ID

Data = dict[str, Any]
LATE = 5.0
"""Seconds without a sign of life after which a run counts as killed."""
MOST, VARIED, LONGEST = 1_000_000, 8, 200
"""Limits for matches per variant, varied values, and characters of a value."""
NEEDED = "the lab needs an extra: pip install 'patolli[lab]'"


class Runs:
    """The runs below one folder.

    Args:
        folder: The folder of the runs; the first run creates it. None without a lab.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def start(self, data: Data) -> str:
        """Start a run; return its name. Raises Refused: the request is invalid, or the folder cannot be written."""
        home = self._home()
        for library in ("pyarrow", "numpy"):
            try:
                import_module(library)
            except ImportError:
                raise Refused(409, NEEDED) from None
        arguments = arguments_of(data)
        name = new_name()
        folder = home / name
        try:
            folder.mkdir(parents=True)
            write_whole(folder / WANTED, json.dumps({**data, "arguments": arguments, "made": time.time()}))
            _begin(folder)
        except OSError as error:
            raise Refused(409, f"cannot write {folder}: {error.strerror}") from None
        return name

    def go_on(self, name: str) -> None:
        """Continue a run that was stopped or killed. Raises Refused: there is no such run, or it is active."""
        folder = self.at(name)
        if state_of(folder) == "running":
            raise Refused(409, "this run has not stopped")
        for file in (STOP, ENDED):
            (folder / file).unlink(missing_ok=True)
        _begin(folder)

    def stop(self, name: str) -> None:
        """Request a run to stop. Finished matches are stored."""
        (self.at(name) / STOP).touch()

    def at(self, name: str) -> Path:
        """Return the folder of a run. Raises Refused: there is no run of this name."""
        folder = self._home() / name
        if not NAME.fullmatch(name) or not (folder / WANTED).is_file():
            raise Refused(404, "unknown run")
        return folder

    def all(self) -> list[str]:
        """Return the names of all runs, newest first."""
        home = self._home()
        there = [one for one in home.iterdir() if (one / WANTED).is_file()] if home.is_dir() else []
        return [one.name for one in sorted(there, key=lambda one: -(one / WANTED).stat().st_mtime)]

    def _home(self) -> Path:
        if self.folder is None:
            raise Refused(404, "this studio stores no runs; start it with 'patolli studio --lab FOLDER'")
        return self.folder


def _begin(folder: Path) -> None:
    """Start the process of a run, detached from this one, so that it outlives the studio."""
    (folder / ALIVE).touch()
    apart: Data = {"creationflags": 0x208} if sys.platform == "win32" else {"start_new_session": True}
    process = subprocess.Popen(
        [sys.executable, "-m", "patolli.serve.studio.lab.run_process", str(folder)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **apart,
    )  # fmt: skip
    Thread(target=process.wait, daemon=True).start()  # avoids a zombie process


def state_of(folder: Path) -> str:
    """Return the state of a run: ``running``, ``done``, ``stopped``, ``failed``, or ``lost`` if it was killed."""
    if (folder / ENDED).is_file():
        ended = json.loads((folder / ENDED).read_text("utf-8"))
        return "done" if ended["status"] == 0 else "stopped" if ended["stopped"] else "failed"
    try:
        return "running" if abs(time.time() - (folder / ALIVE).stat().st_mtime) < LATE else "lost"
    except OSError:
        return "lost"


def wanted_of(folder: Path) -> Data:
    """Return the request of a run."""
    data: Data = json.loads((folder / WANTED).read_text("utf-8"))
    return data


def said_by(folder: Path) -> str:
    """Return the last lines of the output of a run."""
    try:
        text = (folder / LOG).read_text("utf-8", "replace")
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-30:])


def arguments_of(data: Data) -> list[str]:
    """Return the arguments of ``patolli lab run`` for a request. Raises Refused: the request is invalid."""
    pack, modules, options = data.get("pack"), data.get("modules", []), data.get("options", {})
    if not isinstance(pack, str) or not ID.fullmatch(pack):
        raise Refused(422, "'pack' must be the id of an installed pack")
    if not isinstance(modules, list) or not all(isinstance(one, str) and ID.fullmatch(one) for one in modules):
        raise Refused(422, "'modules' must be a list of ids")
    if not isinstance(options, dict) or not all(isinstance(one, str | int) for one in options.values()):
        raise Refused(422, "'options' must map names to numbers or texts")
    found = [pack, *(word for one in modules for word in ("--with", one))]
    found += [word for name, value in options.items() for word in ("--set", f"{name}={_text(value)}")]
    return [*found, *_list_variations(data.get("vary", [])), *_who(data), *_how_long(data)]


def _text(value: str | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list_variations(vary: Any) -> list[str]:
    if not isinstance(vary, list) or len(vary) > VARIED or not all(_short(one) for one in vary):
        raise Refused(422, f"'vary' must have at most {VARIED} texts such as 'pieces/card_1/cost=2,3'")
    for one in vary:
        try:
            parse_variation(one)
        except PlanError as error:
            raise Refused(422, str(error)) from None
    return [word for one in vary for word in ("--vary", one)]


def _who(data: Data) -> list[str]:
    from patolli.serve.studio.bots import kind_for

    players, bots = data.get("players"), data.get("bots", [])
    if type(players) is not int or not 1 <= players <= 100:
        raise Refused(422, "'players' must be the number of players")
    if not isinstance(bots, list) or len(bots) > players or not all(_short(one) for one in bots):
        raise Refused(422, "'bots' must be a list with at most one kind of bot per seat")
    seats = [word for at, one in enumerate(bots, 1) for word in ("--seat", f"{at}={kind_for(one)}")]
    return ["--players", str(players), "--bot", "random", *seats]  # without a bot, a panel would play


def _how_long(data: Data) -> list[str]:
    games, until = data.get("games"), data.get("until")
    found = []
    if games is not None:
        if type(games) is not int or not 1 <= games <= MOST:
            raise Refused(422, f"'games' must be a number of matches from 1 to {MOST:,}")
        found += ["--games", str(games)]
    if until:
        if not _short(until) or until.startswith("-"):
            raise Refused(422, "'until' must be a text such as 'first player +- 1 %'")
        found += ["--until", until]
    return found


def _short(one: Any) -> bool:
    return isinstance(one, str) and 0 < len(one) <= LONGEST and not one.startswith("-")
