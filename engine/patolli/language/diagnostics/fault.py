"""Faults of the program itself: what no content and no call can be blamed for.

Content that is wrong gives problems, rules that cannot go on give a fault of the match, a wrong call gives a line.
Whatever else goes wrong is the program's own, and is reported so, with all that is needed to find it.
"""

from __future__ import annotations

import sys
import traceback

NOT_THE_CONTENT = "this is an internal error, not a mistake in the content"


class EngineFault(Exception):
    """The program stumbled.

    ``what`` is the exception in a line, ``facts`` say by name what was being done (the pack, the seed ..), ``trace``
    is the traceback. All are texts, so that a fault travels between processes.
    """

    def __init__(self, what: str, facts: dict[str, str], trace: str) -> None:
        self.what = what
        self.facts = facts
        self.trace = trace
        super().__init__(what)

    def __reduce__(self) -> tuple[type[EngineFault], tuple[str, dict[str, str], str]]:
        """Let the exception travel between processes."""
        return (type(self), (self.what, self.facts, self.trace))

    @classmethod
    def of(cls, error: BaseException, **facts: str) -> EngineFault:
        """Make a fault of any exception; one that is a fault already gets the *facts* that it lacks."""
        if isinstance(error, EngineFault):
            return cls(error.what, {**facts, **error.facts}, error.trace)
        what = traceback.format_exception_only(error)[-1].strip()
        return cls(what, facts, "".join(traceback.format_exception(error)))

    def text(self, version: str, **facts: str) -> str:
        """Return the fault of a *version* of the program as a paragraph to be reported, with further *facts*."""
        versions = f"patolli {version}, Python {sys.version.split()[0]}, {sys.platform}"
        shown = {"version": versions, **facts, **self.facts}
        return "\n".join(
            [
                f"{NOT_THE_CONTENT}: {self.what}",
                "please report it, with everything below:",
                *(f"  {name}: {value}" for name, value in shown.items()),
                "",
                self.trace.rstrip("\n"),
            ]
        )
