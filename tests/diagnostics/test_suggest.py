"""A misspelt name is recognised; a different one is left alone."""

from __future__ import annotations

import pytest

from patolli.language.diagnostics.suggest import nearest

KNOWN = ["coin", "card", "counter", "red_card", "effect", "copies", "me"]


@pytest.mark.parametrize(
    ("name", "near"),
    [
        pytest.param("cion", "coin", id="letters swapped"),
        pytest.param("efect", "effect", id="letter missing"),
        pytest.param("coinn", "coin", id="letter doubled"),
        pytest.param("Coin", "coin", id="capital"),
        pytest.param("red-card", "red_card", id="dash"),
        pytest.param("redcard", "red_card", id="separator missing"),
        pytest.param("copy", "copies", id="singular"),
        pytest.param("my", "me", id="two letters"),
        pytest.param("em", None, id="two other letters"),
        pytest.param("zebra", None, id="nothing near"),
        pytest.param("", None, id="empty"),
        pytest.param("x", None, id="one letter"),
    ],
)
def test_nearest(name: str, near: str | None) -> None:
    assert nearest(name, KNOWN) == near
    assert nearest(name, reversed(KNOWN)) == near


def test_equals_are_decided_by_the_alphabet() -> None:
    assert nearest("ab", {"abx", "aby"}) == "abx"


def test_the_name_itself_is_no_suggestion() -> None:
    assert nearest("coin", ["coin", "coins"]) == "coins"
    assert nearest("coin", ["coin"]) is None
