"""Modules are kept on the disk: whole, private, as many as there is room for; whatever is odd there counts for nothing."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor

import pytest

pytest.importorskip("wasmtime", reason="the extra native is not installed")

import patolli
from patolli.run.native import kept, machines
from patolli.run.native.machines import PLAYING, known_before, machine

TOLD, MODULE = {"floor": 7, "streams": {"dice": 1}}, b"code\nwith lines"


@pytest.fixture(autouse=True)
def place(own_cache):
    return own_cache / "patolli" / "native"


def files(place):
    return sorted(place.glob("*.module"))


def test_what_is_kept_comes_back(place):
    kept.keep("one", TOLD, MODULE)
    assert kept.recall("one") == (TOLD, MODULE)
    assert kept.holds("one")
    assert kept.recall("two") is None
    assert not kept.holds("two")
    assert os.name == "nt" or place.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda data: data[:-1], id="cut off"),
        pytest.param(lambda data: data[:-1] + b"X", id="another byte"),
        pytest.param(lambda data: data.replace(b'"floor": 7', b'"floor": 8'), id="another address"),
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: b"[]\ncode", id="no table"),
        pytest.param(lambda data: b"\xff\xfe", id="no text"),
    ],
)
def test_broken_file_counts_for_nothing(place, spoil):
    kept.keep("one", TOLD, MODULE)
    (file,) = files(place)
    file.write_bytes(spoil(file.read_bytes()))
    assert kept.recall("one") is None


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_what_others_may_write_counts_for_nothing(place):
    kept.keep("one", TOLD, MODULE)
    (file,) = files(place)
    file.chmod(0o666)
    assert kept.recall("one") is None
    file.chmod(0o644)
    assert kept.recall("one") is not None
    place.chmod(0o777)
    assert kept.recall("one") is None
    assert not kept.holds("one")
    kept.keep("two", TOLD, MODULE)
    assert len(files(place)) == 1


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_link_counts_for_nothing(place, tmp_path):
    kept.keep("one", TOLD, MODULE)
    (file,) = files(place)
    file.rename(tmp_path / "elsewhere")
    file.symlink_to(tmp_path / "elsewhere")
    assert kept.recall("one") is None


def test_folder_that_cannot_be_used_keeps_nothing(place):
    place.parent.mkdir(parents=True)
    place.write_text("no folder")
    kept.keep("one", TOLD, MODULE)
    assert kept.recall("one") is None
    assert machine(patolli.load("tic_tac_toe"), 2)


def test_oldest_go_first(place, monkeypatch):
    monkeypatch.setattr(kept, "MOST", 3)
    for number in range(5):
        kept.keep(f"key{number}", TOLD, MODULE)
        os.utime(place / f"key{number}.module", (number, number))
    kept.recall("key2")  # it was used just now
    kept.keep("key5", TOLD, MODULE)
    assert [file.stem for file in files(place)] == ["key2", "key4", "key5"]


def test_no_more_than_there_is_room_for(place, monkeypatch):
    monkeypatch.setattr(kept, "ROOM", 1000)
    for number in range(3):
        kept.keep(f"key{number}", TOLD, bytes(600))
        os.utime(place / f"key{number}.module", (number, number))
    assert [file.stem for file in files(place)] == ["key2"]


def kept_and_recalled(number):
    kept.keep("one", TOLD, MODULE)
    return kept.recall("one")


@pytest.mark.deep
def test_many_may_write_at_once(place):
    with ProcessPoolExecutor(8) as pool:
        found = list(pool.map(kept_and_recalled, range(64)))
    assert found == [(TOLD, MODULE)] * 64
    assert [file.name for file in place.iterdir()] == ["one.module"]


# ---- machines


def again(rules):
    """A ruleset of the same content, that is new to this process."""
    machines._ready.clear()
    return rules


def test_program_is_translated_once(monkeypatch):
    rules = patolli.load("tic_tac_toe")
    assert not known_before(rules, 2)
    first = list(machine(rules, 2).play(range(5), 100))
    assert known_before(rules, 2)
    monkeypatch.setattr(machines, "_translate_search", lambda *_: pytest.fail("it was translated before"))
    assert list(machine(again(rules), 2).play(range(5), 100)) == first


def test_module_that_is_none_is_translated_again(place):
    rules = patolli.load("tic_tac_toe")
    machine(rules, 2)
    (file,) = files(place)
    good = file.read_bytes()
    kept.keep(file.stem, {"floor": 1, "streams": {}}, b"no machine code")
    assert machine(again(rules), 2)
    assert kept.recall(file.stem)[0] != {"floor": 1, "streams": {}}
    assert len(file.read_bytes()) == len(good)


def test_key_follows_from_content_and_seats():
    one, other = patolli.load("tic_tac_toe"), patolli.load("connect_four")
    keys = {kept.key_of(one, 2, PLAYING), kept.key_of(one, 3, PLAYING), kept.key_of(other, 2, PLAYING)}
    assert len(keys) == 3
    assert kept.key_of(patolli.load("tic_tac_toe"), 2, PLAYING) in keys
