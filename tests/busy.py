"""How much work something is, and how long it may take on a machine that is slow, or that others use, too."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Callable

USUAL = 0.055
"""Seconds that the work below takes on a usual machine."""


def calls(work: Callable[[], object]) -> int:
    """Do some work and return how many functions it calls, those of Python's library included.

    Unlike seconds this is the same on every machine and at every moment.
    """
    number = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return number


def within(seconds: float) -> float:
    """Return how long something may take that takes so many seconds on a usual machine where nothing else runs.

    Making many small things, as a check does, shows how slow this machine is at the moment: a loop that makes nothing may
    be as fast as ever while the memory is slow. The load shows how many programs want each core.
    """
    collects = gc.isenabled()
    gc.disable()  # how much lives in this process must not count
    began = time.perf_counter()
    made = [{"name": str(number), "inner": [number, (number, number)]} for number in range(60_000)]
    slower = (time.perf_counter() - began) / USUAL
    del made
    if collects:
        gc.enable()
    return seconds * max(1.0, slower, os.getloadavg()[0] / (os.cpu_count() or 1))


def until(true: Callable[[], object], seconds: float = 60) -> bool:
    """Wait until something is true; return whether it became true in so many seconds."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True
