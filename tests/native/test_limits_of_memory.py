"""What plays natively reserves gigabytes of addresses: where a process may not have them, that is said, or Python plays."""

from __future__ import annotations

import resource

import pytest
from calls import call

pytest.importorskip("wasmtime")
CALL = ("simulate", "tic_tac_toe", "--games", "2", "--jobs", "1")


def few() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))


def test_limit_is_named():
    ended = call(*CALL, "--engine", "native", first=few)

    assert ended.code == 2
    assert "this process is limited to 3,145,728 KiB of it (ulimit -v); --engine python needs less" in ended.err


@pytest.mark.parametrize("words", [CALL, ("play", "tic_tac_toe", "--seat", "all=mcts:2000")])
def test_python_plays_where_the_engine_may_be_chosen(words):
    ended = call(*words, first=few)

    assert ended.code == 0, ended.err
