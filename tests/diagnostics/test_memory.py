"""Garbage is looked for seldom where next to none is made, and found all the same."""

from __future__ import annotations

import gc

import pytest

from patolli.language.diagnostics.memory import SELDOM, seldom_collected


@pytest.mark.deep
def test_garbage_is_looked_for_seldom_and_found_all_the_same():
    usual = gc.get_threshold()
    gc.set_threshold(700, 10, 10)  # as Python begins; the tests look more seldom
    before, looks = gc.get_threshold(), []

    def heard(phase, info):
        looks.append((phase, info["collected"]))

    gc.collect()
    gc.callbacks.append(heard)
    try:
        with seldom_collected():
            alive = [[] for _ in range(SELDOM // 2)]
            seldom = len(looks)
            for _ in range(SELDOM):
                one = []
                one.append(one)
        after = gc.get_threshold()
    finally:
        gc.callbacks.remove(heard)
        gc.set_threshold(*usual)

    assert (len(alive), seldom) == (SELDOM // 2, 0)
    assert sum(collected for phase, collected in looks if phase == "stop") > SELDOM // 4
    assert after == before


def test_where_garbage_is_never_looked_for_it_stays_so():
    before = gc.get_threshold()
    gc.set_threshold(0)
    try:
        with seldom_collected():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
