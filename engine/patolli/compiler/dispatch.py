"""Find the method that compiles a kind of node: one table per job, read by a test that looks for gaps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from patolli.program.node import Node

Method = TypeVar("Method", bound=Callable[..., Any])
_JOBS = "handled_jobs"


def handles(job: str, *kinds: type[Node]) -> Callable[[Method], Method]:
    """Say of a method that it does a job for some kinds of nodes; one of a subclass takes the place of others."""

    def marked(method: Method) -> Method:
        method.__dict__.setdefault(_JOBS, []).extend((job, kind) for kind in kinds)
        return method

    return marked


class Dispatched:
    """A class whose methods are found by the kind of a node."""

    handlers: ClassVar[dict[str, dict[type[Node], Callable[..., Any]]]] = {}

    def __init_subclass__(cls) -> None:
        """Collect the methods of the class and of those that it builds on, the nearest one last."""
        super().__init_subclass__()
        cls.handlers = {}
        for base in reversed(cls.__mro__):
            for method in vars(base).values():
                for job, kind in getattr(method, _JOBS, ()):
                    cls.handlers.setdefault(job, {})[kind] = method
