"""What is refused, and in which words: a status of HTTP, and one clear sentence."""

from __future__ import annotations

from typing import Any


class Refused(Exception):
    """A request that is not granted.

    Attributes:
        status: The status of HTTP.
        words: One sentence: what is wrong, and how to mend it.
        more: What stands beside ``error`` in the answer.
    """

    def __init__(self, status: int, words: str, **more: Any) -> None:
        self.status, self.words, self.more = status, words, more
        super().__init__(words)


class Stale(Refused):
    """Somebody has answered what is not asked any more: the table has gone on."""

    def __init__(self, revision: int) -> None:
        super().__init__(409, f"the table has changed; its revision is now {revision}")


class Gone(Refused):
    """The table was removed while somebody was about to write to it."""

    def __init__(self) -> None:
        super().__init__(404, "this table was deleted")


class Unavailable(Refused):
    """The store fails, or does not answer in time.

    Whether the act was kept shows when the table is read again.
    """

    def __init__(self) -> None:
        super().__init__(503, "the store does not respond; reload the table in a moment")
