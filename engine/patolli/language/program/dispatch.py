"""Find the method that handles a kind of node: one table per job, filled by what stands above the methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])
_JOBS = "handled_jobs"


def handles(job: str, *kinds: type) -> Callable[[Method], Method]:
    """Say of a method that it does a job for some kinds of nodes; one of a subclass takes the place of others."""

    def mark_method(method: Method) -> Method:
        method.__dict__.setdefault(_JOBS, []).extend((job, kind) for kind in kinds)
        return method

    return mark_method


class Dispatched:
    """A class whose methods are found by the kind of a node."""

    handlers: ClassVar[dict[str, dict[type, Callable[..., Any]]]] = {}

    def __init_subclass__(cls) -> None:
        """Collect the methods of the class and of those that it builds on, the nearest one last."""
        super().__init_subclass__()
        cls.handlers = {}
        for base in reversed(cls.__mro__):
            for method in vars(base).values():
                for job, kind in getattr(method, _JOBS, ()):
                    cls.handlers.setdefault(job, {})[kind] = method

    @classmethod
    def complete(cls, job: str, family: type) -> None:
        """See that a job is done for every kind of a family, by name: slots make classes twice. Raises TypeError."""
        handled = {kind.__qualname__ for kind in cls.handlers[job]}
        kinds: list[type] = family.__subclasses__()
        for kind in kinds:
            if kind.__qualname__ not in handled:
                raise TypeError(f"no method of {cls.__name__} does the job {job!r} for {kind.__qualname__}")
