"""The studio as a web application. What goes over the wire stands here.

All is JSON in UTF-8. A request names its right to be answered by ``Authorization: Bearer TOKEN``; the links to a table
are ``/t/TABLE#TOKEN``, so no token stands in an address that is sent or logged. What is refused has a status of 4xx
and ``{"error": "one clear sentence"}``. Numbers of seats, choices and options count from 0.

Pages: ``GET /`` and ``GET /t/TABLE`` are the same file; what it needs is below ``/static/``; ``/gallery/..`` has its
own.

Studio:

- ``GET /api/packs``: ``[{id, title, text, players: {min, max}, modules: [{id, title, text, requires, conflicts}],
  options: [{id, text, default, values | range: [low, high]}]}]``.
- ``GET /api/bots``: ``["easy", ..]``; also ``mcts:1s`` and the like.
- ``GET /api/tables``: the tables of the store, newest first: ``[{table, pack, title, moves, over, names, tokens}]``,
  ``over`` null where that is not known without playing it again. For the owner of the studio, whose token is in the
  address that the command opens (``/#TOKEN``).
- ``POST /api/tables`` ``{pack, modules?, options?, players, seed?, open?, seats?: [{name?, bot?}]}``, for the owner:
  ``{table, tokens: {seat: [..], host, watch}}``. At an ``open`` table the host sees everything, and all are told so.
  The token of a seat is null where a bot plays or somebody has come: whoever sits there alone holds it.
- ``POST /api/import`` ``{save, seats?, open?, asks?}``, for the owner: a save, as text or as JSON, goes on as a new
  table. Answers as above. Bots play where ``seats`` says so, or else where the save does. With ``asks`` nothing is made
  where neither does, and ``{ask: [name, ..]}`` has the players of whom to say who plays.

A table, below ``/api/tables/TABLE``, each time as the person with the token sees it:

- ``GET``: the **state**: ``{table, revision, stirred, pack: {id, title, modules}, seat, host, away, all, shared,
  players, names, bots, taken, links, open, saved, over, moves, of, decision, scene, telling, told, scores, sheet,
  results, undo, thinking, content}``.

  ``seat`` is with whose eyes it is seen, null for those of everybody. The host sees with the eyes of the seat that
  decides, as long as nobody has come to it by its link; ``shared`` says that several people share this screen and have
  secrets, so that it should be covered before it is handed over. ``all`` says that the whole truth may be asked for
  (``save``, ``inspect``). ``bots`` has the kind of bot on each seat, nothing for a person; ``taken`` whether somebody
  has come to it by its link; ``links`` how often it got a new one. ``away`` is ``{seat, why}`` for who came to a seat
  and only looks on now: ``bot``, one plays there, or ``link``, there is a new one. ``saved`` says that the
  host has kept a save of the whole match before its end.
  ``decision`` is null at the end, else ``{player, prompt, simultaneous, mine, options: [{index, label, words, anytime,
  at: [PLACE, ..]}], several, chosen: [..], later: [..]}``; prompt and options are empty for those who do not decide.
  ``at`` names places of the scene. Where ``several`` things are chosen together, ``chosen`` says in words what was
  taken so far, and ``later`` has further answers that the rules offer only behind others. What all answer at the same
  time is asked of each at once, in whatever order the rules ask; ``answered`` says that somebody has answered before
  they were asked.
  ``telling`` has the last lines ``{level, kind, seat, words, at}`` of ``told`` in all. ``sheet`` is ``{categories,
  points: [row by seat], totals}`` with null for what cannot be known, and ``results`` null or ``{winners, ranks,
  scores}``. ``moves`` is how many choices there are, ``of`` how many in the whole match, for states of the past.
  ``undo`` is ``{may, why, wish: null | {to, by, agreed: [seat, ..]}}``; ``may`` says what is known at once: the
  request may still be refused, and ``may`` is false from then on. ``thinking`` is the seat of a bot that thinks.
  ``content``, for the host: ``{lost: null | {number, seat, label, why}, differs: [number, ..], problems: [{code,
  severity, message, help, file, line}], fault}``: what an edited file has changed.
- ``GET events``: ``text/event-stream``, to be read by ``fetch`` as it needs the header: ``event: state`` with the state
  as ``data`` and the revision as ``id``, at once and whenever something is new. A state may come again with the same
  revision and a greater ``stirred``; older ones never come. Comments are heartbeats. Ends with the server.
- ``POST moves`` ``{revision, index | label, key}``: ``{revision}``. ``key`` is any text, new for every wish: a request
  with a known key does nothing and is answered as before. A stale revision is 409 with ``{error, state}``.
  Several things are chosen together by ``{revision, labels: [..], done, key}``, in any order. Where they are not all
  yet, nothing is chosen, and ``{revision, more: {left: [label, ..], enough}}`` says what can be chosen besides;
  ``enough``, that ``done`` would end it.
- ``POST undo`` ``{revision, key, all?, to?, agree?}``: takes back one's last choice and what bots did since; with
  ``all`` it is a wish, which ``{agree: true}`` of all people carries out and ``{agree: false}`` ends.
- ``POST fork`` ``{at, open?}``: ``{table, tokens}`` of a new table that begins there; for who may see everything.
- ``GET at/N``: the state after so many choices; where the screen goes from hand to hand, as who has it now saw it.
- ``GET telling``: all lines. ``GET preview?index=&chosen=&chosen=``: what is known of an option before it is
  taken, behind the labels of what was chosen before it of several things.
- ``GET save``: the save, for who may see everything; ``?seat=`` only what one seat may keep.
- ``POST seats/N`` ``{key?, name?, bot?, person?, link?}``: ``{revision, tokens?}``; by the host, or by whoever sits
  there. ``link``, for the host, makes a new link of a seat; who came by the one before looks on.
- ``DELETE``: removes the table for good, for the host.
- ``GET tokens``: the tokens that are to be handed out, for the host; for others only ``{watch}``, with which nobody
  sees more than they do.

The workbench, for those who make games: see ``studio.workbench``; changing the state by hand: ``studio.sandbox``;
which rules were reached: ``studio.covering``. Pictures of packs: ``studio.art``. The lab:
``studio.lab.doors``. Without a server: ``studio.offline``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from patolli.studio import art, covering, doors, gallery, offline, sandbox, stream, workbench
from patolli.studio.front import HANDLERS, page_routes
from patolli.studio.guard import Guard
from patolli.studio.lab.doors import routes as lab_routes
from patolli.studio.wire import Wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.studio.hall import Hall


def make_app(
    hall: Hall, owner: str, host: str = "127.0.0.1", packs: Sequence[str] = (), lab: Path | None = None
) -> Starlette:
    """Return the application.

    Args:
        hall: The tables.
        owner: The token of whoever has started the studio. Off the loopback nothing is answered without a token, and
            new tables are for the owner.
        host: The address at which it will listen.
        packs: Paths of packs that are offered besides the installed ones.
        lab: The folder of the runs of the lab; nothing where there is to be none.
    """
    wire = Wire(hall, owner, host, packs, lab)
    app = Starlette(
        routes=routes(), middleware=[Middleware(Guard, host=host)], 
        exception_handlers=HANDLERS,
    )  # fmt: skip
    app.router.redirect_slashes = False  # what is not there is not guessed
    app.state.wire = wire
    return app


def routes() -> list[BaseRoute]:
    """Return what can be asked for."""
    at = "/api/tables/{table}"
    rows: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
        ("GET", "/api/packs", doors.packs),
        ("GET", "/api/bots", doors.bots),
        ("GET", "/api/offline/{pack}", offline.package),
        ("GET", "/api/offline/{pack}/may", offline.may),
        ("GET", "/api/tables", doors.tables),
        ("POST", "/api/tables", doors.create),
        ("POST", "/api/import", doors.take_in),
        ("GET", at, doors.state),
        ("DELETE", at, doors.remove),
        ("GET", f"{at}/events", stream.events),
        ("POST", f"{at}/moves", doors.move),
        ("POST", f"{at}/undo", doors.take_back),
        ("POST", f"{at}/fork", doors.fork),
        ("GET", f"{at}/at/{{number:int}}", doors.at),
        ("GET", "/art/{table}/{section}/{id}", art.picture),
        ("GET", f"{at}/telling", doors.telling),
        ("GET", f"{at}/preview", doors.preview),
        ("GET", f"{at}/save", doors.save),
        ("GET", f"{at}/tokens", doors.tokens),
        ("GET", f"{at}/why", workbench.why),
        ("GET", f"{at}/refused", workbench.refused),
        ("GET", f"{at}/inspect", workbench.inspect),
        ("GET", f"{at}/source", workbench.source),
        ("GET", f"{at}/coverage", covering.coverage),
        ("GET", f"{at}/record", workbench.record),
        ("POST", f"{at}/record", workbench.record),
        ("GET", f"{at}/editable", sandbox.look),
        ("POST", f"{at}/edits", sandbox.change),
        ("POST", f"{at}/seats/{{number:int}}", doors.seat),
    ]  # fmt: skip
    return [
        *(Route(path, door, methods=[method]) for method, path, door in rows),
        *page_routes(),
        *gallery.routes(),
        *lab_routes(),
    ]
