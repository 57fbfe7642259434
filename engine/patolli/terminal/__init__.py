"""A match at a terminal: the panels that a pack declares, drawn for one seat, and a person who decides.

Everything here draws from ``Match.view`` of one seat and from what is declared, so nothing hidden can be
seen.
"""

from patolli.terminal.scene import Scene
from patolli.terminal.screen import Screen

__all__ = ["Scene", "Screen"]
