"""Plays matches: what ``runtime`` does, over plain lists. This is translated like the rest.

The names in capitals are tables of the program (``tables``).
"""

from __future__ import annotations

from patolli.native.driver import acting, going, looking, playing

MODULES = (looking, acting, going, playing)

__all__ = ["MODULES", "acting", "going", "looking", "playing"]
