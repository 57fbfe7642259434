"""Code and tables that are made before a match stay small, whatever an author writes."""

from __future__ import annotations

import ast

import pytest

from patolli.run.compiler import constant_folding
from patolli.run.compiler.constant_folding import fold
from patolli.run.compiler.function_inliner import write_out

ROWS = tuple((cell, cell + 1, cell + 2) for cell in range(8))
NEAR = tuple((row, row) for row in ROWS)


def folded(source: str) -> tuple[str, list[object]]:
    """Return a function after folding, and the tables that were made for it."""
    functions, made = ast.parse(source).body, list[object]()
    space = {"T_near": ROWS}

    def keep(table: object) -> str:
        made.append(table)
        space[f"G{len(made)}"] = table
        return f"G{len(made)}"

    fold(functions, space, keep, {})
    return ast.unparse(functions[0]), made


def asks(tests: int) -> str:
    test = " and ".join(f"s[x + 3] != {number}" for number in range(tests))
    return f"def f_safe(s, c):\n    for x in T_near[c]:\n        if {test}:\n            return True\n    return False"


@pytest.mark.parametrize(("tests", "written_out"), [(1, True), (5, True), (40, False)])
def test_a_large_test_is_not_written_out_for_each_item(tests, written_out):
    code, _ = folded(asks(tests))
    assert ("for " not in code) == written_out
    assert code.count("!=") + code.count("==") == tests * (3 if written_out else 1)


@pytest.mark.parametrize(("tests", "written_out"), [(1, True), (40, False)])
def test_a_large_test_of_a_list_stays_a_call(tests, written_out):
    test = " and ".join(f"s[x] != {number}" for number in range(tests))
    looks = f"def f_all(s, xs):\n    for x in xs:\n        if {test}:\n            return True\n    return False\n"
    functions = ast.parse(
        f"{looks}def f_any(s, c):\n    for row in T_near[c]:\n        if f_all(s, row):\n            return True\n"
        "    return False"
    ).body
    write_out(functions, {"T_near": NEAR})
    assert ("f_all(" not in ast.unparse(functions[1])) == written_out


def test_tables_of_one_file_have_a_limit_together(monkeypatch):
    loops = [f"[x + {number} for x in T_near[c] if s[x + {number}]]" for number in range(4, 10)]
    source = f"def f_all(s, c):\n    return [{', '.join(loops)}]"
    assert len(folded(source)[1]) == 6
    monkeypatch.setattr(constant_folding, "ALL", 2 * 24 + 10)
    code, made = folded(source)
    assert (len(made), code.count("T_near")) == (2, 4)
