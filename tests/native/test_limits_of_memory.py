"""What plays natively reserves gigabytes of addresses: where a process may not have them, that is said, or Python plays."""

from __future__ import annotations

import re
import resource

import pytest
from calls import call
from fuzz import taken

import patolli

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


@pytest.mark.parametrize("index", [-1, 9, 1 << 40])
def test_option_that_there_is_not_leaves_the_match_to_python(index):
    import wasmtime

    from patolli.run.native.machines import machine

    plays = machine(patolli.load("tic_tac_toe"), 2)
    assert plays.open(1) == 9
    with pytest.raises((wasmtime.WasmtimeError, wasmtime.Trap)):
        plays.answer(index)


HEAP = {
    "pack.yaml": "document: pack\nid: heaps\nversion: 1.0.0\nlanguage: 2\ntitle: Heaps\nauthors: [Nobody]\n"
    "text: Nothing but a test.\nplayers: {min: 2, max: 2}\n",
    "model.yaml": "document: model\nkinds: {chip: {facts: {worth: int}}}\nplaces: {heap: {of: chip, type: area}}\n",
    "rules.yaml": """\
document: rules
rules:
  match: |
    choose c in heap where c.worth > 1 or "none" "Which?"
result: {score: size(heap)}
""",
}


def test_a_list_without_items_has_a_head_where_memory_ends(tmp_path):
    from patolli.run.native.machines import machine

    for name, text in HEAP.items():
        (tmp_path / name).write_text(text)
    plays = machine(patolli.load(str(tmp_path)), 2)
    for left in range(0, 1024, 8):
        plays.floor = plays._memory.data_len(plays.store) - left
        assert [one.status for one in plays.play([5], 1)] == [1]
