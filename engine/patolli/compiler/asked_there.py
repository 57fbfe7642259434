"""Put a search through rows where it is asked for, if what follows leaves.

In:     the functions of a program as Python, behind all other passes; those of one file together.
Out:    the same functions. ``if is_there(s, me, c): .. return``, where ``is_there`` goes through rows until one passes,
        becomes that loop, with what follows inside: a call takes as long as it takes to look at two rows.

Nothing changes by it: the loop is left where the function would have given that there is such a row. The function
draws nothing on the step budget, and what it is given are names that the loop does not write.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from patolli.compiler import build as b
from patolli.compiler.calm import filled, nodes_of


def ask_there(functions: Sequence[ast.FunctionDef]) -> None:
    """Put loops of the functions of one file where they are asked for in others of them."""
    loops = {one.name: loop for one in functions if (loop := _loop(one)) is not None}
    number = 0
    for function in functions if loops else ():
        parts = [getattr(node, part, None) for node in nodes_of(function) for part in ("body", "orelse")]
        blocks: list[list[ast.AST]] = [one for one in parts if isinstance(one, list)]
        for block in blocks:
            for position, statement in enumerate(block):
                if (put := _put(statement, loops, number)) is not None:
                    block[position] = put
                    number += 1
                    b.complete(put, put.lineno)


def _loop(function: ast.FunctionDef) -> tuple[list[str], ast.For] | None:
    """Return the parameters and the loop of a function that tells whether one of some rows passes."""
    match function.body:
        case [
            ast.For(
                target=ast.Tuple(elts=items), iter=ast.Subscript(), orelse=[],
                body=[ast.If(body=[ast.Return(value=ast.Constant(value=True))], orelse=[])],
            ) as loop,
            ast.Return(value=ast.Constant(value=False)),
        ]:  # fmt: skip
            plain = all(isinstance(one, ast.Name) for one in items)
            if plain and not any(
                isinstance(one, ast.Call | ast.NamedExpr | ast.comprehension) for one in nodes_of(loop)
            ):
                return [one.arg for one in function.args.args], loop
    return None


def _put(statement: ast.AST, loops: Mapping[str, tuple[list[str], ast.For]], number: int) -> ast.For | None:
    """Return the loop that stands for a condition with what follows; None where it is not one of these."""
    match statement:
        case ast.If(
            test=ast.Call(func=ast.Name(id=name), args=given), body=[*_, ast.Return()] as following, orelse=[]
        ) if name in loops and all(isinstance(one, ast.Name) for one in given):
            parameters, loop = loops[name]
            own = [one.id for one in b.inside(loop.target) if isinstance(one, ast.Name)]
            values: dict[str, ast.expr] = dict(zip(parameters, given, strict=True))
            values.update((one, b.name(f"r{number}_{one}")) for one in own)
            test = loop.body[0]
            assert isinstance(test, ast.If)
            targets: list[ast.expr] = [ast.Name(f"r{number}_{one}", ast.Store()) for one in own]
            inner = ast.If(filled(test.test, values), following, [])
            put = ast.For(ast.Tuple(targets, ast.Store()), filled(loop.iter, values), [inner], [])
            return ast.copy_location(put, statement)
    return None


__all__ = ["ask_there"]
