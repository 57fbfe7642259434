"""The error of everything that is shared: one sentence for people."""

from __future__ import annotations


class Refusal(Exception):
    """An index, an archive or a wish that is refused; the text says what is wrong, where, and what to do."""
