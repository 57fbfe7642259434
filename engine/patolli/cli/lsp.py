"""``patolli lsp``."""

from __future__ import annotations

import click


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout, which is the only way there is.")
def lsp(stdio: bool) -> None:
    """Serve an editor: problems while one types, completion, hovers, renaming.

    Editors start this by themselves and speak the Language Server Protocol with it over stdin and stdout.

    Exit status: 0 fine, 2 the extra `lsp` is not installed, or what is sent finds no room.
    """
    try:
        from patolli.server.service import make_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.UsageError("the language server needs an extra: pip install 'patolli[lsp]'") from None
    server = make_server()
    server.start_io()
    if server.unsent is not None:
        raise server.unsent
