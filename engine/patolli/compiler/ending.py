"""Let blocks end a match without an exception.

In:     the blocks of a program as Python, behind all other passes.
Out:    the same blocks. One that ends the match empties the frames and returns, where it raised ``MatchOver``.

Whoever carries out blocks goes on while there are frames, and does with none what it does at the exception; a look
ahead has frames of its own. To raise and to catch takes as long as some choices of a small game. Functions still raise:
they have to come out of all that called them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from patolli.compiler import build as b
from patolli.compiler.layout import FRAMES, OVER


def end_quietly(functions: Sequence[ast.FunctionDef]) -> None:
    """Let the blocks among some functions empty the frames where they end the match."""
    for function in functions:
        if [one.arg for one in function.args.args] == ["s", "f"]:
            function.body = _block(function.body)


def _block(body: list[ast.stmt]) -> list[ast.stmt]:
    for statement in body:
        if isinstance(statement, ast.If):
            statement.body, statement.orelse = _block(statement.body), _block(statement.orelse)
    match body[-2:]:
        case [
            ast.Assign(targets=[ast.Subscript(value=ast.Name(id="s"), slice=ast.Constant(value=slot))]),
            ast.Raise(exc=ast.Name(id="MatchOver")) as raised,
        ] if slot == OVER:
            ends: list[ast.stmt] = [b.do(b.method(b.item("s", FRAMES), "clear")), b.give(b.const(None))]
            for one in ends:
                b.place(one, raised.lineno)
            return [*body[:-1], *ends]
    return body
