"""Plays matches: what ``runtime`` does, over plain lists. This is translated like the rest.

The names in capitals are tables of the program (``tables``).
"""

from __future__ import annotations

from patolli.native.driver import acting, going, holding, judging, looking, playing, searching

MODULES = (looking, acting, going, holding, playing, judging, searching)

__all__ = ["MODULES", "acting", "going", "holding", "judging", "looking", "playing", "searching"]
