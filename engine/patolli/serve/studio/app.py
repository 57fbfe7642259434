"""The studio as a web application, and its protocol.

All bodies are JSON in UTF-8. A request carries its token as ``Authorization: Bearer TOKEN``. The links to a table are
``/t/TABLE#TOKEN``, so no address that is sent or logged contains a token. A refused request gets a status of 4xx and
``{"error": "one clear sentence"}``. Numbers of seats, choices and options start at 0.

Pages: ``GET /`` and ``GET /t/TABLE`` return the same file; its files are below ``/static/``. ``/gallery/..`` has
pages of its own.

Studio:

- ``GET /api/packs``: ``[{id, title, text, players: {min, max}, modules: [{id, title, text, requires, conflicts}],
  options: [{id, text, default, values | range: [low, high]}]}]``.
  A pack or module may also have ``minutes`` and ``weight`` (1 to 5).
- ``GET /api/covers/PACK``: ``{scene: null | {players, panels: [PANEL], nouns}}``, the picture of a game.
- ``GET /api/bots``: ``["easy", ..]``; also ``mcts:1s`` and the like.
- ``GET /api/tables``: the tables of the store, newest first: ``[{table, pack, title, moves, over, next, yours, latest,
  names, tokens}]``. ``next`` is the seat that decides, ``yours`` whether the host plays it. ``over`` and ``next`` are
  null if a replay would be needed to know them. ``latest`` is the last public line of the log, if it is in memory. For
  the owner of the studio, whose token is in the address that the command opens (``/#TOKEN``).
- ``POST /api/tables`` ``{pack, modules?, options?, players, seed?, open?, clock?: {seconds, increment?}, seats?:
  [{name?, bot?}]}``, for the owner: ``{table, tokens: {seat: [..], host, watch}}``. With a ``clock``, each seat has
  so many seconds, and gets some more with each choice. An ``open`` table is a sandbox: the host sees everything, and
  all clients are notified. The token of a seat is null if a bot plays there, or if a player has opened the link.
- ``POST /api/import`` ``{save, seats?, open?, asks?}``, for the owner: creates a table from a save, given as text or
  as JSON. Responds as above. ``seats`` says where bots play, otherwise the save does. If neither does and ``asks`` is
  set, no table is created, and ``{ask: [name, ..]}`` lists the players for which the client has to choose.

A table, below ``/api/tables/TABLE``, each time as the client with the token sees it:

- ``GET``: the **state**: ``{table, revision, stirred, pack: {id, title, modules, text, points}, seat, host, away, all,
  shared, players, names, bots, taken, links, open, saved, over, moves, of, decision, scene, telling, told, scores,
  sheet, results, undo, thinking, clock, content}``.

  ``seat`` is the seat whose view this is, null for the public view. The host gets the view of the acting seat, unless
  a player has opened the link of that seat. ``shared`` says that several people share this screen and have secrets,
  so the page has to cover it between turns. ``all`` says that the client may request the whole state (``save``,
  ``inspect``). ``bots`` has the kind of bot on each seat, empty for a person; ``taken`` whether a player has opened
  the link of the seat; ``links`` how many new links it got. ``away`` is ``{seat, why}`` for a former player who is a
  spectator now: ``bot`` if a bot plays there, ``link`` if there is a new link. ``saved`` says that the host has saved
  the whole match before its end.
  ``decision`` is null at the end, else ``{player, prompt, simultaneous, mine, options: [{index, label, words, anytime,
  at: [PLACE, ..]}], several, chosen: [..], later: [..]}``. Only the acting player gets prompt and options. ``at`` names
  places of the scene; ``also`` maps pieces with the same meaning to these places, if there are any. If ``several``
  things are chosen together, ``chosen`` lists those taken so far, in words, and
  ``later`` has further options that the rules offer only after others. ``rule`` is the text of the rule that asks. All
  seats of a simultaneous decision can choose at once, in any order. ``answered`` says that this seat has made its
  choice early.
  ``telling`` has the last lines ``{level, kind, seat, words, at}`` of the log, ``told`` their total number. ``sheet``
  is ``{categories, points: [row by seat], totals}`` with null for unknown values, and ``results`` null or ``{winners,
  ranks, scores}``. ``moves`` is the number of choices, ``of`` that of the whole match, for past states.
  ``undo`` is ``{may, why, wish: null | {to, by, agreed: [seat, ..]}}``. ``may`` is what is known at once: a request
  may still be refused, and then ``may`` becomes false. ``thinking`` is the seat of a bot that is searching.
  ``clock`` is null or ``{seconds, increment, left: [seconds by seat], running: [seat, ..]}``: the time of each seat
  when the state was made, and for whom it runs.
  ``content``, for the host: ``{lost: null | {number, seat, label, why}, differs: [number, ..], problems: [{code,
  severity, message, help, file, line}], fault}``: the changes by an edited file.
- ``GET events``: ``text/event-stream``, read with ``fetch`` because of the header: ``event: state`` with the state as
  ``data`` and the revision as ``id``, at once and after each change. A state may come again with the same revision
  and a greater ``stirred``; older states never come. ``event: chat`` has ``{room, after, lines: [{seat, words}]}``: the
  messages of the client's room after so many, all of them at first. ``room`` is ``players`` or ``spectators``, and
  ``seat`` is -1 for spectators. Comments are heartbeats. The stream ends with the server.
- ``POST moves`` ``{revision, index | label, key}``: ``{revision}``. ``key`` is any text, new for each action: a request
  with a known key does nothing and gets the same response. A stale revision gets 409 with ``{error, state}``.
  Several things are chosen together by ``{revision, labels: [..], done, key}``, in any order. While the choice is
  incomplete, nothing is chosen, and ``{revision, more: {left: [label, ..], enough}}`` lists further options.
  ``enough`` says that ``done`` would complete it.
- ``POST undo`` ``{revision, key, all?, to?, agree?}``: undoes the client's last choice and those of bots since. With
  ``all``, it asks all players: ``{agree: true}`` of all people runs it, ``{agree: false}`` of one ends it.
- ``POST fork`` ``{at, open?}``: ``{table, tokens}`` of a new table that starts there; for clients that see everything.
- ``POST rematch``: ``{table}`` of a new table at which the tokens of this one are valid, for players after the end. The
  ``rematch`` of a state names it.
- ``GET at/N``: the state after N choices; on a shared screen, as the current player saw it.
- ``GET telling``: all lines of the log. ``GET preview?index=&chosen=&chosen=``: the known effects of an option, after
  the labels of other things that are chosen with it. ``GET previews``: ``{revision, options: {INDEX: {changes: [{words,
  amount, icon?, colour?}], asks, random, lies: {PLACE: [MARK]}}}}``, what the first options change, losses first, and
  what certainly lies where after them.
- ``GET hint``: ``{revision, index, words, reason}``: the option that a search would choose for the acting player.
- ``GET save``: the save, for clients that see everything; with ``?seat=``, the save of one seat.
- ``POST seats/N`` ``{key?, name?, bot?, person?, link?}``: ``{revision, tokens?}``; by the host or the player of the
  seat. ``link``, for the host, makes a new link; the old one becomes a spectator link.
- ``POST chat`` ``{words, key}``: ``{room}``; sends a message to the client's room.
- ``DELETE``: deletes the table, for the host.
- ``GET tokens``: for the host, all tokens to share; for others ``{watch}``, which shows no more than they see.

See ``studio.workbench`` for the workbench, ``studio.sandbox`` for edits of the state, ``studio.rule_coverage`` for
coverage, ``studio.art`` for pictures, ``studio.lab.handlers`` for the lab, and ``studio.offline`` for offline play.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from patolli.serve.studio import (
    advice_hints,
    art,
    covers,
    gallery,
    handlers,
    offline,
    rule_coverage,
    sandbox,
    stream,
    workbench,
)
from patolli.serve.studio.front import HANDLERS, page_routes
from patolli.serve.studio.guard import Guard
from patolli.serve.studio.lab.handlers import routes as lab_routes
from patolli.serve.studio.wire import Wire

if TYPE_CHECKING:
    from starlette.requests import Request

    from patolli.serve.studio.table_registry import TableRegistry


def make_app(
    registry: TableRegistry,
    owner: str,
    host: str = "127.0.0.1",
    packs: Sequence[str] = (),
    lab: Path | None = None,
    name: str | None = None,
) -> Starlette:
    """Return the application.

    Args:
        registry: The tables.
        owner: The token of the user who started the studio. Only the owner can create tables. Unless the server is
            local, every request needs a token.
        host: The address of the server.
        name: Its public host name, see :class:`Guard`.
        packs: Paths of packs to offer in addition to the installed ones.
        lab: The folder for runs of the lab; None without a lab.
    """
    wire = Wire(registry, owner, name or host, packs, lab)  # behind a proxy all requests seem to be local
    app = Starlette(
        routes=routes(), middleware=[Middleware(Guard, host=host, name=name)], 
        exception_handlers=HANDLERS,
    )  # fmt: skip
    app.router.redirect_slashes = False  # unknown addresses get 404
    app.state.wire = wire
    return app


def routes() -> list[BaseRoute]:
    """Return the routes of the application."""
    at = "/api/tables/{table}"
    rows: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
        ("GET", "/api/packs", handlers.packs),
        ("GET", "/api/covers/{pack:path}", covers.cover),
        ("GET", "/api/bots", handlers.bots),
        ("GET", "/api/offline/{pack}", offline.package),
        ("GET", "/api/offline/{pack}/may", offline.may),
        ("GET", "/api/tables", handlers.tables),
        ("POST", "/api/tables", handlers.create),
        ("POST", "/api/import", handlers.take_in),
        ("GET", at, handlers.state),
        ("DELETE", at, handlers.remove),
        ("GET", f"{at}/events", stream.events),
        ("POST", f"{at}/moves", handlers.move),
        ("POST", f"{at}/undo", handlers.take_back),
        ("POST", f"{at}/fork", handlers.fork),
        ("POST", f"{at}/rematch", handlers.rematch),
        ("GET", f"{at}/at/{{number:int}}", handlers.at),
        ("GET", "/art/{table}/{section}/{id}", art.picture),
        ("GET", f"{at}/telling", handlers.telling),
        ("GET", f"{at}/preview", handlers.preview),
        ("GET", f"{at}/previews", handlers.previews),
        ("GET", f"{at}/hint", advice_hints.hint),
        ("GET", f"{at}/save", handlers.save),
        ("GET", f"{at}/tokens", handlers.tokens),
        ("GET", f"{at}/why", workbench.why),
        ("GET", f"{at}/refused", workbench.get_refused),
        ("GET", f"{at}/inspect", workbench.inspect),
        ("GET", f"{at}/source", workbench.source),
        ("GET", f"{at}/coverage", rule_coverage.coverage),
        ("GET", f"{at}/record", workbench.record),
        ("POST", f"{at}/record", workbench.record),
        ("GET", f"{at}/editable", sandbox.look),
        ("POST", f"{at}/edits", sandbox.change),
        ("POST", f"{at}/chat", handlers.chat),
        ("POST", f"{at}/seats/{{number:int}}", handlers.seat),
    ]  # fmt: skip
    return [
        *(Route(path, handler, methods=[method]) for method, path, handler in rows),
        *page_routes(),
        *gallery.routes(),
        *lab_routes(),
    ]
