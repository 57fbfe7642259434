"""``patolli explain``."""

from __future__ import annotations

import click


@click.command()
@click.argument("code")
def explain(code: str) -> None:
    """Explain the CODE of a problem: what it means, why it matters, and how to mend it."""
    from patolli.diagnostics import nearest
    from patolli.diagnostics.codes import CODES
    from patolli.diagnostics.codes import explain as page

    code = code.upper()
    if code not in CODES:
        near = nearest(code, CODES)
        hint = f"; did you mean {near}?" if near else ""
        raise click.BadParameter(f"there is no code {code!r}{hint}", param_hint="CODE")
    click.echo(page(code), nl=False)
