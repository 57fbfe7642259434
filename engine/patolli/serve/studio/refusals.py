"""Exceptions for refused requests: an HTTP status and one clear sentence."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """A refused request.

    Attributes:
        status: The HTTP status.
        words: One sentence: what is wrong, and how to fix it.
        more: Further keys of the response, beside ``error``.
    """

    def __init__(self, status: int, words: str, **more: Any) -> None:
        self.status, self.words, self.more = status, words, more
        super().__init__(words)


class Stale(Refused):
    """A request for an old revision: the table has changed."""

    def __init__(self, revision: int) -> None:
        super().__init__(409, f"the table has changed; its revision is now {revision}")


class Gone(Refused):
    """A write to a deleted table."""

    def __init__(self) -> None:
        super().__init__(404, "this table was deleted")


class Unavailable(Refused):
    """The store failed, or did not respond in time. The next read of the table shows whether the act was written."""

    def __init__(self) -> None:
        super().__init__(503, "the store does not respond; reload the table in a moment")
