"""Count in generated Python how deep calls of what can call itself lie inside each other.

In:     a function of a program as Python, whose steps have been measured.
Out:    the same function; a call that lies inside of more than ``DEEPEST`` others fails.

Python has a limit of its own, but that also counts the callers of a match, and it differs from process to process. What
is counted here is the same everywhere: functions and rules of the pack that can call themselves, see
``Summaries.circular``, and rules that a look ahead carries out on frames. The native engine counts the same.
"""

from __future__ import annotations

import ast

from patolli.kernel.budget import DEEPEST
from patolli.run.compiler import build as b


def count_calls(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function that counts its calls as long as they last."""
    depth = b.item("depth", 0)
    check = b.when(b.compare(depth, ">", b.const(DEEPEST)), [b.do(b.call("too_deep"))])
    body: list[ast.stmt] = [
        b.assign(b.name("depth"), ast.Attribute(b.name("meter"), "depth", ast.Load())),
        ast.AugAssign(b.store(depth), ast.Add(), b.const(1)),
        ast.Try([check, *function.body], [], [], [ast.AugAssign(b.store(depth), ast.Sub(), b.const(1))]),
    ]
    for statement in body:
        b.place(statement, function.lineno)
    fields = dict(ast.iter_fields(function)) | {"body": body}
    return ast.copy_location(ast.FunctionDef(**fields), function)
