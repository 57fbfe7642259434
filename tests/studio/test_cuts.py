"""Two browsers at one table, whose connections are cut and whose messages come twice and late."""

from __future__ import annotations

from studio.browsing import tool

cuts = tool("cuts")


def test_two_browsers_show_the_same_whatever_the_line_does(base, running):
    choices, cut, fault = cuts.play(base, running, "tic_tac_toe", seed=1)

    assert fault == ""
    assert choices >= 5
    assert cut >= choices
