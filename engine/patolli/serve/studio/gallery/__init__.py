"""The gallery of a game: each piece as a card, and its boards, on a page and as drawings for printed sheets."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


def routes() -> list[BaseRoute]:
    """Return the routes of the gallery."""
    from patolli.serve.studio.gallery import handlers

    return handlers.routes()
