"""Hold a function of the kernel against its twin: what it gives, what it calls and when, and what it draws."""

from __future__ import annotations

import copy
from contextlib import contextmanager

import patolli.kernel.flat  # noqa: F401 - enters the twins
from patolli.kernel.budget import meter, renew
from patolli.kernel.faults import RuleFault
from patolli.kernel.library import NATIVE

PLENTY = 10**12


class Heard:
    """What is handed over as a function: it notes when it was called, with what, and how much was drawn by then."""

    def __init__(self):
        self.calls = []

    def of(self, name, work):
        """Return a function that does the same, and is heard."""

        def heard(*arguments):
            self.calls.append((name, copy.deepcopy(arguments), meter.budget[0]))
            return work(*arguments)

        return heard


@contextmanager
def left(steps):
    """Let so many steps be left, and no more."""
    meter.budget[:] = [steps, 0, 0, 0, 0]
    try:
        yield
    finally:
        renew()


def outcome(work, given, steps=PLENTY):
    """Return all that can be told of a call: *given* makes the arguments, with an ear for those that are functions."""
    heard = Heard()
    arguments = given(heard)
    with left(steps):
        try:
            result = work(*arguments)
        except RuleFault as fault:
            return "fault", fault.code, heard.calls
        return result, [one for one in arguments if isinstance(one, list)], heard.calls, meter.budget[0]


def alike(original, given, *, name=None):
    """Assert that a function and its twin do the same, with plenty of steps, and where they run out on the way."""
    twin = NATIVE[name or original.__name__]
    whole = outcome(original, given)
    assert outcome(twin, given) == whole
    if whole[0] == "fault":
        return whole
    drawn = PLENTY - whole[-1]
    for steps in {drawn - 1, drawn // 2, drawn // 7} - {-1}:
        assert outcome(twin, given, steps) == outcome(original, given, steps)
    return whole
