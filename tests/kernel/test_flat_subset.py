"""What generated code may call of the kernel is written in the part of Python that is translated."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from types import FunctionType

import patolli.kernel.flat_map  # noqa: F401 - enters the twins
from patolli.kernel import geometry
from patolli.kernel.library import LIBRARY, NATIVE

ELSEWHERE = {"ahead", "draw_one", "look", "no_option", "passes", "shuffle", "stepping", "tick", "too_long", "whole"}
"""What is translated by hand: the step budget, chance, and what goes on behind a fault."""
NARRATED = {"lying", "list_moved"}
"""What only programs call that narrate; they are not translated."""
BUILT_IN = {
    "abs", "all", "any", "bool", "enumerate", "int", "isinstance", "len", "list", "max", "min", "range", "sorted",
    "sum", "tuple", "zip",
}  # fmt: skip
METHODS = {"append", "copy", "count", "extend", "fromkeys", "index", "insert", "pop", "remove"}
FIELDS = {"substitutions", "discounts", "waivers", "surcharges", "sides", "spent", "events", "__class__"}
NODES = (
    ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.If, ast.While,
    ast.For, ast.Break, ast.Continue, ast.Pass, ast.Expr, ast.Raise, ast.JoinedStr, ast.FormattedValue, ast.BinOp,
    ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.UnaryOp, ast.USub, ast.Not, ast.BoolOp, ast.And, ast.Or,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn, ast.Is, ast.IsNot, ast.IfExp,
    ast.NamedExpr, ast.ListComp, ast.GeneratorExp, ast.comprehension, ast.List, ast.Tuple, ast.Starred, ast.Subscript,
    ast.Slice, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Lambda, ast.Call, ast.keyword, ast.Attribute,
    ast.Delete, ast.Del,
)  # fmt: skip


def standing_for(function: Callable) -> Callable:
    return NATIVE.get(function.__name__, function)


def wanted() -> Iterator[Callable]:
    """Yield what is translated, without what that calls."""
    for name, function in LIBRARY.items():
        if name not in ELSEWHERE | NARRATED:
            yield standing_for(function)
    yield from (geometry.shift, geometry.drawn_ray, geometry.drawn_lines)


def body(function: Callable) -> ast.FunctionDef:
    (found,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(found, ast.FunctionDef)
    found.decorator_list, found.returns = [], None
    for argument in found.args.args:
        argument.annotation = None
    return found


def nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield nodes inside, but not what is only for types."""
    yield node
    for name, value in ast.iter_fields(node):
        if name != "annotation":
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, ast.AST):
                    yield from nodes(one)


def strange(function: Callable) -> Iterator[str]:
    """Yield what stands in a function and is not translated."""
    for node in nodes(body(function)):
        where = f"{function.__name__}: {ast.unparse(node)[:60]}"
        match node:
            case ast.Attribute(attr=name) if name not in METHODS | FIELDS:
                yield where
            case ast.Call(func=ast.Name(id="min" | "max" | "sorted" | "zip"), keywords=keywords):
                if {word.arg for word in keywords} - {"default", "key", "strict"}:
                    yield where
            case ast.Call(keywords=[_, *_]) | ast.Call(args=[*_, ast.Starred()]):
                yield where
            case ast.arguments(vararg=None, kwonlyargs=[], kwarg=None, defaults=[]):
                pass
            case ast.arguments():
                yield where
            case ast.AnnAssign(value=None):
                yield where
            case _ if not isinstance(node, NODES):
                yield where


def called(function: Callable) -> Iterator[Callable]:
    """Yield the functions of the kernel that a function calls or hands on."""
    for node in nodes(body(function)):
        if isinstance(node, ast.Name):
            found = function.__globals__.get(node.id)
            if isinstance(found, FunctionType) and found.__name__ not in ELSEWHERE:
                yield standing_for(found)


def translated() -> list[Callable]:
    found, open_ = {}, list(wanted())
    while open_:
        function = open_.pop()
        key = function.__module__, function.__name__
        if key not in found:
            found[key] = function
            open_ += called(function)
    return list(found.values())


def test_function_can_be_translated(subtests):
    for function in translated():
        with subtests.test(f"{function.__module__}.{function.__name__}"):
            assert list(strange(function)) == []


def test_names_lead_to_something_known():
    """A free name is a function of the kernel, one of the few of Python, a constant, or a fault."""
    unknown = [
        f"{function.__name__}: {node.id}"
        for function in translated()
        for node in nodes(body(function))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if node.id not in function.__globals__ and node.id not in BUILT_IN | {"dict"}
        if node.id not in names_of(function)
    ]
    assert unknown == []


def names_of(function: Callable) -> set[str]:
    inside = list(nodes(body(function)))
    return {one.arg for one in inside if isinstance(one, ast.arg)} | {
        one.id for one in inside if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }


def test_what_is_not_translated_is_noticed():
    assert list(strange(nodes))  # a generator


def test_twins_stand_for_what_is_there():
    modules = [one for name, one in sys.modules.items() if name.startswith("patolli.kernel.") and ".flat" not in name]
    assert modules
    kernel = {name for module in modules for name in vars(module)}
    assert set(NATIVE) <= kernel
    assert all(twin.__module__.startswith("patolli.kernel.flat_map") for twin in NATIVE.values())
