"""``patolli studio``."""

from __future__ import annotations

from pathlib import Path

import click

from patolli.cli.options import Whole

EXTRA = ("starlette", "uvicorn", "anyio", "h11")


@click.command()
@click.argument("pack", required=False)
@click.option("--port", type=Whole(1, 65535), help="Where it listens; 4711, or any free port, if left out.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Listen on another address, for other machines.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where tables are kept; studio.db in your data folder if left out.",
)
def studio(pack: str | None, port: int | None, host: str, no_browser: bool, store: Path | None) -> None:
    """Play, ask and change games in the browser; with PACK, that game is set up first.

    Other machines are let in with --host alone, and then only by the links that are printed and handed out. Every
    choice is kept at once: what was played is there again when the studio is started the next time.

    Exit status: 0 fine, 1 the content has problems, 2 the call was wrong.
    """
    try:
        from patolli.studio.serving import address, listening, serve, show
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in EXTRA:
            raise
        raise click.UsageError("the studio needs an extra: pip install 'patolli[studio]'") from None
    from patolli.studio.app import make_app
    from patolli.studio.hall import Hall
    from patolli.studio.seats import token
    from patolli.studio.store import Sqlite, StoreError, usual

    try:
        kept = Sqlite(store or usual())
    except StoreError as error:
        raise click.BadParameter(str(error), param_hint="--store") from None
    try:
        sock = listening(host, port)
    except OSError as error:
        raise click.UsageError(f"nobody can listen at {host}, port {port or 'any'}: {error.strerror}") from None
    owner = token()
    link = f"{address(sock, host)}/{f'?pack={pack}' if pack else ''}#{owner}"

    def ready() -> None:
        click.echo(f"The studio is open: {link}\nCtrl-C closes it.")
        if not no_browser:
            show(link)

    serve(make_app(Hall(kept), owner, host), sock, ready)
