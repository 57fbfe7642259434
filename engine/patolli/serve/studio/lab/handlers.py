"""The request handlers of the lab, for the owner of the studio.

- ``GET /api/lab``: ``[{id, state, made, pack, modules, options, vary, players, bots, games, until, variants}]``, the
  newest first. ``state`` is ``running``, ``done``, ``stopped``, ``failed`` (then with ``said``) or ``lost``.
- ``POST /api/lab`` ``{pack, modules?, options?, vary?: ["ADDRESS=VALUE,.."], players, bots?: [kind, ..], games?,
  until?}``: ``{id}`` of a new run, in its own process.
- ``GET /api/lab/ID``: one run; its ``variants`` have ``{name, words, matches, measures: [{name, share, mean, half}]}``.
- ``POST /api/lab/ID/stop`` and ``POST /api/lab/ID/on``: stop and continue it. Finished matches are stored.
- ``GET /api/lab/ID/report?variant=``: the output of ``patolli lab report --format json``; ``GET
  /api/lab/ID/page`` the HTML page.
- ``POST /api/lab/ID/matches/N`` ``{variant?}``: ``{table, tokens}`` of a new table with this match.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from patolli.language.diagnostics import ContentError
from patolli.run.runtime.errors import MatchError
from patolli.serve.studio.lab import figures
from patolli.serve.studio.lab.runs import Runs, state_of
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.wire import answer, read_json, wire

if TYPE_CHECKING:
    from starlette.requests import Request

Handler = Callable[["Request"], Awaitable[Response]]


def routes() -> list[BaseRoute]:
    """Return the routes of the lab."""
    rows: list[tuple[str, str, Handler]] = [
        ("GET", "/api/lab", every),
        ("POST", "/api/lab", start),
        ("GET", "/api/lab/{run}", one),
        ("POST", "/api/lab/{run}/stop", stop),
        ("POST", "/api/lab/{run}/on", go_on),
        ("GET", "/api/lab/{run}/report", report),
        ("GET", "/api/lab/{run}/page", page),
        ("POST", "/api/lab/{run}/matches/{number:int}", match),
    ]
    return [Route(path, handler, methods=[method]) for method, path, handler in rows]


def _runs(request: Request) -> Runs:
    wire(request).own(request)
    return wire(request).lab


async def _run_work(request: Request, function: Callable[..., Any], *given: Any) -> Any:
    """Run work on files of the lab in its own thread; turn errors of content into one sentence."""
    try:
        return await wire(request).registry.beside(function, *given)
    except ContentError as error:
        raise Refused(422, error.problems[0].message) from None
    except MatchError as error:
        raise Refused(409, f"the rules fail in this match: {error.reason}") from None


async def every(request: Request) -> Response:
    """``GET /api/lab``."""
    runs = _runs(request)
    return answer(await _run_work(request, lambda: [figures.run_state(runs.at(name)) for name in runs.all()]))


async def start(request: Request) -> Response:
    """``POST /api/lab``."""
    runs = _runs(request)
    data = await read_json(request)
    known = ("pack", "modules", "options", "vary", "players", "bots", "games", "until")
    wanted = {key: data[key] for key in known if data.get(key) not in (None, "", [])}
    return answer({"id": await _run_work(request, runs.start, wanted)}, 201)


async def one(request: Request) -> Response:
    """``GET /api/lab/ID``."""
    return answer(await _run_work(request, figures.run_state, _at(request), True))


def _at(request: Request) -> Path:
    return _runs(request).at(request.path_params["run"])


def _parse_request(request: Request) -> tuple[Path, str | None, bool]:
    """Return the facts folder and the variant of a request, and whether the run is still active."""
    folder = _at(request)
    return folder / "facts", request.query_params.get("variant"), state_of(folder) == "running"


async def stop(request: Request) -> Response:
    """``POST stop``."""
    await _run_work(request, _runs(request).stop, request.path_params["run"])
    return answer({})


async def go_on(request: Request) -> Response:
    """``POST on``."""
    await _run_work(request, _runs(request).go_on, request.path_params["run"])
    return answer({})


async def report(request: Request) -> Response:
    """``GET report``."""
    return answer(await _run_work(request, figures.report_data, *_parse_request(request)))


async def page(request: Request) -> Response:
    """``GET page``."""
    text = await _run_work(request, figures.page_of, *_parse_request(request))
    return Response(text, 200, {"cache-control": "no-store"}, "text/html; charset=utf-8")


async def match(request: Request) -> Response:
    """``POST matches/N``."""
    folder, data = _at(request), await read_json(request)
    variant = data.get("variant")
    if variant is not None and not isinstance(variant, str):
        raise Refused(422, "'variant' must be the name of a variant")
    registry = wire(request).registry
    played, where = await _run_work(
        request,
        figures.match_of,
        folder / "facts",
        variant,
        request.path_params["number"],
        state_of(folder) == "running",
    )
    table = await registry.take_in({"save": played.to_json(), "open": True}, where)
    registry.stir(table)
    return answer({"table": table.id, "tokens": table.seats.tokens()}, 201)
