"""A match at a terminal: the panels of a pack, drawn for one seat, and a person who decides.

Everything here is drawn from ``Match.view`` of one seat and from declarations, so hidden things cannot be seen.
"""

from patolli.play.scene.seat_scene import Scene
from patolli.play.terminal.screen import Screen

__all__ = ["Scene", "Screen"]
