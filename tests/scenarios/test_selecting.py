"""Expressions after ``-k``."""

from __future__ import annotations

import pytest

from patolli.scenarios.selecting import compile_filter


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
