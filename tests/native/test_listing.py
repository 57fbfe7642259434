"""The WebAssembly of a rule is printed with the lines of its author."""

from __future__ import annotations

from click.testing import CliRunner

from patolli.cli import main


def shown(*arguments: str):
    return CliRunner().invoke(main, ["show", *arguments, "--code", "wat"])


def test_rule_stands_under_its_lines():
    result = shown("connect_four", "has_line")
    assert result.exit_code == 0
    assert result.output.startswith("(func $f_has_line (param i64 i64 i64) (result i64)\n")
    assert ";; content/connect_four/rules.yaml:5: is: any(line in lines(cell, 4)" in result.output
    assert result.output.count("loop\n") >= 1


def test_unknown_name_is_reported():
    result = shown("connect_four", "nothing_of_that_name")
    assert result.exit_code == 2
    assert "there is no rule or function 'nothing_of_that_name'" in result.output


def test_calling_upon_a_seat_takes_no_call():
    """A call in a block that has none else takes a fifth of the time of small games, whatever it does."""
    result = shown("breakthrough", "match")
    assert result.exit_code == 0
    assert "pass to next(me)" in result.output
    assert "call $called_upon" not in result.output
