"""``patolli studio``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.completing import complete_pack
from patolli.cli.options import Whole

if TYPE_CHECKING:
    from starlette.applications import Starlette

EXTRA = ("starlette", "uvicorn", "anyio", "h11")


@click.command()
@click.argument("pack", shell_complete=complete_pack, required=False)
@click.option("--port", type=Whole(1, 65535), help="Where it listens; 4711, or any free port, if left out.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen at another address, for other machines.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--store",
    metavar="FILE|URL",
    help="Where tables are kept: a file, or postgresql://..; studio.db in your data folder if left out.",
)
@click.option(
    "--lab",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where runs of the lab are kept; 'lab' in your data folder if left out.",
)
def studio(
    pack: str | None, port: int | None, host: str, no_browser: bool, store: str | None, lab: Path | None
) -> None:
    """Play, ask and change games in the browser; with PACK, that game is set up first.

    Other machines are let in with --host alone, and then only by the links that are printed and handed out. Every
    choice is kept at once: what was played is there again when the studio is started the next time.

    Exit status: 2 the call was wrong, 130 it was ended with Ctrl-C.
    """
    try:
        from patolli.studio.front import Front
        from patolli.studio.serving import address, listening, serve, show
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        raise click.UsageError("the studio needs an extra: pip install 'patolli[studio]'") from None
    from patolli.studio.seats import token
    from patolli.studio.store import StoreError
    from patolli.studio.stores import opened, usual_lab

    _look_for(pack)
    try:
        kept = opened(store)
    except StoreError as error:
        raise click.BadParameter(str(error), param_hint="--store") from None
    try:
        sock = listening(host, port)
    except OSError as error:
        kept.close()
        raise click.UsageError(f"nobody can listen at {host}, port {port or 'any'}: {error.strerror}") from None
    owner = token()
    link = f"{address(sock, host)}/{_query(pack)}#{owner}"

    def make() -> Starlette:
        from patolli.studio.app import make_app
        from patolli.studio.hall import Hall

        return make_app(Hall(kept), owner, host, [pack] if pack else [], lab or usual_lab())

    def ready() -> None:
        click.echo(f"The studio is open: {link}\nCtrl-C closes it; what was played is kept.")
        if not no_browser:
            show(link)

    front = Front(make, host)
    serve(front, sock, ready, front.end)


def _look_for(pack: str | None) -> None:
    """Refuse a pack that is not there, or is a module, before a browser is opened for it.

    Raises:
        click.BadParameter: There is none of that name, or it cannot be played by itself.
    """
    from patolli.diagnostics import nearest
    from patolli.diagnostics.text import harmless
    from patolli.packs.discovery import find, installed
    from patolli.packs.manifest import read_manifest

    folder = find(pack) if pack is not None else None
    manifest = read_manifest(folder) if folder is not None else None
    if manifest is not None and manifest.requires:
        base = next(iter(manifest.requires))
        words = f"{pack!r} is a module; 'patolli studio {base}' offers it with the game that it changes"
        raise click.BadParameter(harmless(words), param_hint="PACK")
    if pack is not None and folder is None:
        near = nearest(pack, installed())
        hint = f"; did you mean {near!r}?" if near else "; 'patolli pack list' names those that there are"
        raise click.BadParameter(harmless(f"there is no pack {pack!r}{hint}"), param_hint="PACK")


def _query(pack: str | None) -> str:
    from urllib.parse import urlencode

    return f"?{urlencode({'pack': pack})}" if pack else ""
