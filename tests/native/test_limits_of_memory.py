"""What plays natively reserves gigabytes of addresses: where a process may not have them, that is said, or Python plays."""

from __future__ import annotations

import re
import resource

import pytest
from calls import call
from fuzz import taken

pytest.importorskip("wasmtime")
CALL = ("simulate", "tic_tac_toe", "--games", "2", "--jobs", "1")


def few() -> None:
    """Leave a process a gigabyte more than what it has, which may be much in a process that runs tests."""
    most = taken() + (1 << 30)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def test_limit_is_named():
    ended = call(*CALL, "--engine", "native", first=few)

    assert ended.code == 2
    assert re.search(
        r"this process is limited to [\d,]+ KiB of it \(ulimit -v\); --engine python does not need it", ended.err
    )


@pytest.mark.parametrize("words", [CALL, ("play", "tic_tac_toe", "--seat", "all=mcts:2000")])
def test_python_plays_where_the_engine_may_be_chosen(words):
    ended = call(*words, first=few)

    assert ended.code == 0, ended.err
