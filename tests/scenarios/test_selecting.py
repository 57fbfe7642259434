"""Expressions after ``-k``."""

from __future__ import annotations

import pytest

from patolli.author.scenarios.name_filter import compile_filter


@pytest.mark.parametrize(
    ("text", "name", "fits"),
    [
        ("", "market::buy", True),
        ("buy", "market::buy", True),
        ("BUY", "market::buy", True),
        ("sell", "market::buy", False),
        ("not sell", "market::buy", True),
        ("market and buy", "market::buy", True),
        ("sell or buy", "market::buy", True),
        ("not (sell or buy)", "market::buy", False),
        ("sell or buy and not market", "market::sell", True),
    ],
)
def test_expression_selects(text, name, fits):
    assert compile_filter(text)(name) is fits


@pytest.mark.parametrize("text", ["buy sell", "and buy", "not", "(buy", "buy)", "buy or"])
def test_expression_is_refused(text):
    with pytest.raises(ValueError, match=r"expected|early|closed"):
        compile_filter(text)


def test_long_list_of_names_selects():
    """A script may name thousands of scenarios."""
    names = [f"name_{number}_" for number in range(20_000)]
    several, none = compile_filter(" or ".join(names)), compile_filter(" and ".join(f"not {name}" for name in names))

    assert (several("name_19999_"), several("name_20000_")) == (True, False)
    assert (none("name_19999_"), none("name_20000_")) == (False, True)


@pytest.mark.parametrize(
    "text", ["(" * 50_000 + "a" + ")" * 50_000, "(" * 50_000, "not " * 50_000 + "a", "not (" * 900]
)
def test_deep_expression_is_refused(text):
    with pytest.raises(ValueError, match="inside each other"):
        compile_filter(text)
