"""Every piece of a game as a card, and its boards: on a page, and as the drawings that sheets print."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.routing import BaseRoute


def routes() -> list[BaseRoute]:
    """Return what the studio serves of galleries."""
    from patolli.studio.gallery import doors

    return doors.routes()
