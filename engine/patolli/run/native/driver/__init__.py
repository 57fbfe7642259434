"""Plays matches: what ``runtime`` does, over plain lists. This is translated like the rest.

The names in capitals are tables of the program (``tables``).
"""

from __future__ import annotations

from patolli.run.native.driver import acting, checking, going, judging, looking, playing, searching

MODULES = (looking, acting, going, checking, playing, judging, searching)

__all__ = ["MODULES", "acting", "checking", "going", "judging", "looking", "playing", "searching"]
