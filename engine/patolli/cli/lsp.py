"""``patolli lsp``."""

from __future__ import annotations

import click


@click.command()
@click.option("--stdio", is_flag=True, help="Use stdin and stdout; this is the only transport.")
def lsp(stdio: bool) -> None:
    """Give an editor problems while you type, completion, explanations and renaming.

    Editors start this command and use the Language Server Protocol over stdin and stdout.

    Exit status: 0 success, 2 the extra `lsp` is not installed, or the output cannot be written.
    """
    try:
        from patolli.serve.lsp.service import make_server
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise click.UsageError("the language server needs an extra: pip install 'patolli[lsp]'") from None
    server = make_server()
    server.start_io()
    if server.unsent is not None:
        raise server.unsent
