"""``patolli studio``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.completion_words import complete_pack
from patolli.cli.options import Whole

if TYPE_CHECKING:
    from starlette.applications import Starlette

EXTRA = ("starlette", "uvicorn", "anyio", "h11")


@click.command()
@click.argument("pack", shell_complete=complete_pack, required=False)
@click.option("--port", type=Whole(1, 65535), help="Port to listen on (default: 4711, or any free port).")
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="Address to listen on, so that other machines can connect."
)
@click.option(
    "--address",
    "public",
    metavar="URL",
    help="Where people reach the studio through a proxy, such as https://games.example.org.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--store",
    metavar="FILE|URL",
    help="Store of the tables: a file, or postgresql://.. (default: studio.db in your data folder).",
)
@click.option(
    "--lab",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for runs of the lab (default: 'lab' in your data folder).",
)
def studio(
    pack: str | None,
    port: int | None,
    host: str,
    public: str | None,
    no_browser: bool,
    store: str | None,
    lab: Path | None,
) -> None:
    """Play games, ask questions about them and change them in the browser. With PACK, the browser opens this game.

    Other machines can connect only with --host, and only with the links that the studio prints. Every choice is saved
    at once. When you start the studio again, all tables are still there.

    Exit status: 2 usage error, 130 ended with Ctrl-C.
    """
    try:
        from patolli.serve.studio.connections import FEWEST_FILES, file_limit
        from patolli.serve.studio.front import Front
        from patolli.serve.studio.http_server import address, listening, serve, show
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        raise click.UsageError("the studio needs an extra: pip install 'patolli[studio]'") from None
    from patolli.serve.studio.seats import token
    from patolli.serve.studio.store import StoreError
    from patolli.serve.studio.stores import default_lab_folder, open_store

    limit = file_limit()
    if limit is not None and limit < FEWEST_FILES:
        words = f"the studio needs {FEWEST_FILES} open files, and this process may open {limit}"
        raise click.UsageError(f"{words}: raise the limit with 'ulimit -n {FEWEST_FILES}'")
    _check_pack(pack)
    name = _read_name(public) if public is not None else None
    try:
        kept = open_store(store)
    except StoreError as error:
        raise click.BadParameter(str(error), param_hint="--store") from None
    try:
        sock = listening(host, port)
    except OSError as error:
        kept.close()
        raise click.UsageError(f"cannot bind to {host}, port {port or 'any'}: {error.strerror}") from None
    owner = token()
    link = f"{public.rstrip('/') if public else address(sock, host)}/{_make_query(pack)}#{owner}"

    def make() -> Starlette:
        from patolli.serve.studio.app import make_app
        from patolli.serve.studio.table_registry import TableRegistry

        return make_app(TableRegistry(kept), owner, host, [pack] if pack else [], lab or default_lab_folder(), name)

    def ready() -> None:
        click.echo(f"The studio is open: {link}\nPress Ctrl-C to close it; all matches are saved.")
        if not no_browser:
            show(link)

    front = Front(make, host, name)
    serve(front, sock, ready, front.end)


def _check_pack(pack: str | None) -> None:
    """Refuse a pack that is not there, or is a module, before a browser is opened for it.

    Raises:
        click.BadParameter: There is none of that name, or it cannot be played by itself.
        ContentError: It is a selection file that cannot be read.
    """
    from patolli.language.diagnostics import nearest
    from patolli.language.diagnostics.text import harmless
    from patolli.language.packs.discovery import find, installed
    from patolli.language.packs.manifest import read_manifest
    from patolli.language.packs.selection_file import is_selection, read_selection

    if pack is not None and is_selection(pack):
        read_selection(pack)
        return
    folder = find(pack) if pack is not None else None
    manifest = read_manifest(folder) if folder is not None else None
    if manifest is not None and manifest.requires:
        base = next(iter(manifest.requires))
        words = f"{pack!r} is a module; 'patolli studio {base}' offers it with its game"
        raise click.BadParameter(harmless(words), param_hint="PACK")
    if pack is not None and folder is None:
        near = nearest(pack, installed())
        hint = f"; did you mean {near!r}?" if near else "; 'patolli pack list' shows the installed packs"
        raise click.BadParameter(harmless(f"there is no pack {pack!r}{hint}"), param_hint="PACK")


def _read_name(public: str) -> str:
    """Return the host name of a public address. Raises click.BadParameter: it is no address of a whole site."""
    from urllib.parse import urlsplit

    try:
        found = urlsplit(public)
        name = found.hostname
    except ValueError:
        name = None
    if not name or found.scheme not in ("http", "https") or found.path.strip("/") or found.query or found.fragment:
        raise click.BadParameter(
            "must be http:// or https:// and a host name; the studio needs its own host name", param_hint="--address"
        )
    return name


def _make_query(pack: str | None) -> str:
    from urllib.parse import urlencode

    return f"?{urlencode({'pack': pack})}" if pack else ""
