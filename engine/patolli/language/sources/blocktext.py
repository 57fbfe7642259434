"""Advice for an author who forgot the ``|`` of a text of several lines, the likeliest slip of all."""

from __future__ import annotations

import re

_KEY = re.compile(r" *(?:- +)?[\w.]+(?:\([^()]*\))?:(?: |$)")
"""A line that begins with a key."""
ADVICE = "write '|' after the colon of the key above, if these lines are one text"


def or_block(help_: str, text: str, at: int) -> str:
    """Add to a help that ``|`` may be missing, where the line at *at* is no key, and stands below a bare one."""
    return f"{help_}; or {ADVICE}" if _below_bare_key(text, at) else help_


def _below_bare_key(text: str, at: int) -> bool:
    """Return whether the nearest line above with a smaller margin ends with the colon of a key."""
    lines = text[:at].split("\n")
    own = text[len(text[:at]) - len(lines[-1]) :].partition("\n")[0]
    if _KEY.match(own) or " " not in own.strip():
        return False
    depth = len(own) - len(own.lstrip(" "))
    for line in reversed(lines[:-1]):
        bare = line.partition(" #")[0].rstrip()
        if bare.strip() and len(bare) - len(bare.lstrip(" ")) < depth:
            return bare.endswith(":")
    return False
