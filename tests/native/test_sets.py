"""Sets of bits behind the state are, after every choice, what they would be if they were made anew."""

from __future__ import annotations

import ast
import struct
from random import Random

import pytest

import patolli
from patolli.run.compiler import compile_program
from patolli.run.compiler.bitsets import Bitsets, sets_of
from patolli.run.native import memory
from patolli.run.native.linker import Linker
from patolli.run.native.program import source_of
from patolli.run.native.value_layout import read_word

PACKS = ("tic_tac_toe", "connect_four", "breakthrough", "go")
"""Packs with sets."""
FLIPS = {
    "pack.yaml": "document: pack\nid: flips\nversion: 1.0.0\nlanguage: 2\ntitle: Flips\nauthors: [Nobody]\n"
    "text: Nothing but a test.\nplayers: {min: 2, max: 2}\n",
    "model.yaml": "document: model\ngrids:\n  cell: {rows: 5, columns: 5, fields: {mark: player or none}}\n",
    "rules.yaml": """\
document: rules
functions:
  mine(): size([c in cell where c.mark == me])
rules:
  flip(cell): |
    set cell.mark to me
    for x in adjacent(cell) where x.mark: set x.mark to none
  match: |
    loop:
      choose c in cell where c.mark == none and after(flip(c), mine()) < 12 "Where?"
      otherwise: end match
      flip(c)
      let theirs = [x in cell where x.mark == next(me)]
      choose d in theirs where d.mark == next(me) or "leave" "Which goes?"
      if d: set d.mark to me
      pass to next(me)
result: {score: mine()}
""",
}


def machine_of(rules):
    """Make a machine; return it with the sets of its program, and what their function is."""
    wasmtime = pytest.importorskip("wasmtime", reason="the extra native is not installed")
    from patolli.run.native.host import Machine, engine

    source = source_of(rules, 2)
    linker, runtime = Linker(source), engine()
    return Machine(runtime, wasmtime.Module(runtime, linker.link()), linker.floor, linker.streams()), source


def behind(machine, size):
    """Return the numbers behind the state of the match that is played step by step."""
    store, held = machine.store, machine._memory
    cells = memoryview(bytes(held.read(store, 0, held.data_len(store)))).cast("q")
    (match,) = struct.unpack("<q", held.read(store, memory.MATCH, memory.MATCH + 8))
    state = cells[cells[(match >> 3) + 1] >> 35]
    items = cells[(state >> 3) + 1] >> 35
    number = cells[(state >> 3) + 1] & 0xFFFFFFFF
    return [read_word(cells, word, ()) for word in cells[items + size : items + number]]


def follow(rules, seed, choices):
    """Play a match in both, and compare the sets after every choice; return how many numbers they are."""
    machine, source = machine_of(rules)
    match, draw = rules.start(2, seed), Random(seed).random
    machine.open(seed)
    sets, size = source.space["SETS"], len(source.layout.initial)
    for _ in range(choices):
        wanted = sets_of(sets, match.state)
        assert behind(machine, size) == wanted
        if match.pending is None:
            break
        index = int(draw() * len(match.pending))
        match.pick(index)
        machine.answer(index)
    return len(wanted)


@pytest.mark.parametrize("index", [-1, 9, 1 << 40])
def test_option_that_there_is_not_leaves_the_match_to_python(index):
    wasmtime = pytest.importorskip("wasmtime")
    machine, _ = machine_of(patolli.load("tic_tac_toe"))
    assert machine.open(1) == 9
    with pytest.raises((wasmtime.WasmtimeError, wasmtime.Trap)):
        machine.answer(index)


@pytest.mark.parametrize("pack", PACKS)
def test_sets_are_kept_up(pack):
    assert follow(patolli.load(pack), 3, 60)


@pytest.mark.parametrize("side", [5, 7, 8, 12], ids="one number, 60 and a few, two parts, three pairs".split(", "))
def test_sets_of_any_size_are_kept_up_and_taken_back(tmp_path, side):
    """Rules that look ahead write to the field, and what they wrote is taken back."""
    for name, text in FLIPS.items():
        (tmp_path / name).write_text(text.replace("rows: 5, columns: 5", f"rows: {side}, columns: {side}"))
    rules = patolli.load(str(tmp_path))
    for seed in range(3):
        assert follow(rules, seed, 40)


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        pytest.param("s[t] = 1", ["s[t] = 1", "sets_made(s)"], id="any slot"),
        pytest.param("s[8:12] = t", ["s[8:12] = t", "sets_made(s)"], id="several slots"),
        pytest.param("s[t + 8] += 1", ["s[t + 8] += 1", "sets_made(s)"], id="a sum in the field"),
        pytest.param("s[t + 8] = me", ["kept_up(s, 8, 72, 64, t, me)", "s[t + 8] = me"], id="the field"),
        pytest.param("s[t + 4] = 1", ["s[t + 4] = 1"], id="a counter"),
    ],
)
def test_writes_are_noticed(written, wanted):
    rules = patolli.load("breakthrough")
    program = compile_program(rules.resolved_program, rules.prover, 2)
    indexes = Bitsets(program.layout, dict(program.space), lambda prefix, value: f"{prefix}1")
    block = ast.parse(
        "def b1(s, f):\n    o = [c for c, w in enumerate(s[8:72]) if w == f[1]]\n    return o\n"
        f"def r1(s, t, me):\n    {written}\n"
    ).body
    indexes.keep_up(block)
    assert "numbers_in(s, f[1] * 2 + 74, 64)" in ast.unparse(block[0])
    assert ast.unparse(block[1]).splitlines()[1:] == [f"    {one}" for one in wanted]


def test_a_list_without_items_has_a_head_where_memory_ends(tmp_path):
    rules = """\
document: rules
rules:
  match: |
    choose c in heap where c.worth > 1 or "none" "Which?"
result: {score: size(heap)}
"""
    model = "document: model\nkinds: {chip: {facts: {worth: int}}}\nplaces: {heap: {of: chip, type: area}}\n"
    for name, text in {**FLIPS, "model.yaml": model, "rules.yaml": rules}.items():
        (tmp_path / name).write_text(text)
    machine, _ = machine_of(patolli.load(str(tmp_path)))
    for left in range(0, 1024, 8):
        machine.floor = machine._memory.data_len(machine.store) - left
        assert [one.status for one in machine.play([5], 1)] == [1]
