"""Leave garbage alone where many small objects are made that all live on, or all end at once."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_garbage_collection() -> Iterator[None]:
    """Look for no garbage meanwhile: reading, checking and compiling make next to none before they end.

    Each look goes through all that was made so far; that was a fifth of loading, and two fifths of compiling.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


SELDOM = 50_000
"""How many objects that may be garbage there are to be before it is looked for, where next to none is expected."""


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Look for garbage seldom meanwhile, in processes that are forked, too: for long work that makes almost none.

    Each look goes through what is only held until it is written. Should there be garbage all the same, it is found.
    """
    before = gc.get_threshold()
    if before[0]:
        gc.set_threshold(max(before[0], SELDOM), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def leave_quickly() -> None:
    """When the program ends, leave all that it holds to the system, which takes it back in one piece.

    Python would look through it for garbage again; after a check that took a third of the whole time. It is for
    programs of our own only: what others hold may have to be ended in good order.
    """
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)
