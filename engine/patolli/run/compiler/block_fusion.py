"""Join the blocks of a rule that follow each other, and keep what lies in its frame in variables.

In:     the functions of a program as Python, and the numbers of those that are blocks.
Out:    the same functions. A block that sets the number of the next one and returns does what that one does instead.

The code that runs blocks calls the one whose number the frame holds when a block returns nothing, and does nothing
else but count; so the next block may as well follow at once. Its number is set before, as it would be: who asks, or
fails there, is found at the same place. A block is still there for itself, for who begins with it: after an answer, or
after a save. Only blocks of one file are joined, so that each line stays where its author looks for it; the steps of
what is joined are measured together, behind this pass.

A frame belongs to one call of a rule. While one of its blocks runs, nothing else looks at it or writes to it: rules
that are called stand on frames of their own, and what one returns is written when its frame goes, which is in no block
of this frame. So a slot may be read once and be kept in a variable, which changes where the slot does.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from patolli.run.compiler import build as b
from patolli.run.compiler.indexes import is_block
from patolli.run.compiler.purity import FRAME, copy_tree, nodes_of, size_of, transform_tree

LARGEST, ALL = 220, 500
"""Nodes of the largest block that is joined to others, and of what becomes of all that are joined to one."""


def fuse(functions: Sequence[ast.FunctionDef], blocks: Mapping[int, str]) -> None:
    """Join blocks of one file; *blocks* gives the function of each number."""
    known = {one.name: one for one in functions if is_block(one)}
    bodies = {name: copy_tree(one).body for name, one in known.items()}
    sizes = {name: sum(map(size_of, body)) for name, body in bodies.items()}
    small = {number: name for number, name in blocks.items() if sizes.get(name, ALL) <= LARGEST}
    for name, function in known.items():
        left = ALL - sizes[name]
        seen = {name}
        function.body = _join_blocks(function.body, small, bodies, sizes, [left], seen)


def _join_blocks(
    body: list[ast.stmt], small: Mapping[int, str], bodies: Mapping[str, list[ast.stmt]], sizes: Mapping[str, int],
    left: list[int], seen: set[str],
) -> list[ast.stmt]:  # fmt: skip
    """Return a body in which blocks stand where it would go on with them; *left* is how large they may be."""
    found = list(body)
    match body[-2:]:
        case [*_, ast.If() as branch]:
            branch.body = _join_blocks(branch.body, small, bodies, sizes, left, seen)
            if branch.orelse:
                branch.orelse = _join_blocks(branch.orelse, small, bodies, sizes, left, seen)
        case [go, ast.Return(value=ast.Constant(value=None))]:
            name = small.get(_number(go), "")
            if name and name not in seen and sizes[name] <= left[0]:
                left[0] -= sizes[name]
                more = [copy_tree(one) for one in bodies[name]]
                return [*found[:-1], *_join_blocks(more, small, bodies, sizes, left, {*seen, name})]
    return found


def _number(statement: ast.stmt) -> int:
    """Return the block with which a statement goes on; -1 for any other statement."""
    match statement:
        case ast.Assign(targets=[target], value=ast.Constant(value=int(number))) if _slot(target) == 0:
            return number
    return -1


def _slot(node: ast.AST) -> int:
    """Return which slot of the frame an expression stands for; -1 for anything else."""
    match node:
        case ast.Subscript(value=ast.Name(id="f"), slice=ast.Constant(value=int(slot))):
            return slot
    return -1


def hoist(functions: Sequence[ast.FunctionDef]) -> None:
    """Keep slots of frames in variables where they are read more than once."""
    for function in functions:
        if is_block(function):
            _hoist(function)


def _hoist(function: ast.FunctionDef) -> None:
    reads = Counter[int]()
    for node in nodes_of(function):
        match node:
            case ast.Subscript(ctx=ast.Load()) if _slot(node) > 0:
                reads[_slot(node)] += 1
            case ast.AugAssign(target=target) if _slot(target) > 0:
                reads[_slot(target)] -= 1_000  # it reads and writes at once
            case ast.ListComp() | ast.SetComp() | ast.For():
                inner = (_slot(one) for one in nodes_of(node) if isinstance(one, ast.expr))
                reads.update(slot for slot in inner if slot > 0)
    written = {_slot(part) for one in function.body if isinstance(one, ast.Assign) for part in _targets(one)}
    hoisted = {slot for slot, number in reads.items() if number > 1 or (number == 1 and slot in written)}
    kept = {*hoisted}
    if not kept:
        return
    body: list[ast.stmt] = []
    for statement in function.body:
        used = {_slot(one) for one in nodes_of(statement)} & kept
        if used:
            kept -= used
            unread = _find_assigned_slots(statement)
            for slot in sorted(used):
                if slot not in unread:
                    body.append(b.assign(b.name(f"f{slot}"), b.item(FRAME, slot)))
                    b.place(body[-1], statement.lineno)
        body.append(statement)
    fetched = {id(one) for one in body if _fetches(one)}
    function.body = [
        one if id(one) in fetched else transform_tree(one, lambda node: _rename_slots(node, hoisted)) for one in body
    ]


def _find_assigned_slots(statement: ast.stmt) -> set[int]:
    """Return the slots to which a statement gives a value, whatever happens, and which it does not read before."""
    if not isinstance(statement, ast.Assign):
        return set()
    targets = set(map(_slot, _targets(statement)))
    return set() if -1 in targets else targets - {_slot(one) for one in nodes_of(statement.value)}


def _targets(statement: ast.Assign) -> list[ast.expr]:
    return [one for target in statement.targets for one in _parts(target)]


def _parts(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple) else [target]


def _fetches(statement: ast.stmt) -> bool:
    """Return whether a statement puts a slot of the frame into its variable."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name == f"f{_slot(value)}"
    return False


def _rename_slots(node: Any, slots: set[int]) -> Any:
    """Return what stands for a node where slots are kept in variables."""
    match node:
        case ast.Assign(targets=[target]):
            parts = _parts(target)
            if any(_slot(one) in slots for one in parts):
                also = [ast.Name(f"f{_slot(one)}", ast.Store()) if _slot(one) in slots else one for one in parts]
                node.targets.append(also[0] if len(also) == 1 else ast.Tuple(also, ast.Store()))
        case ast.Subscript(ctx=ast.Load()) if _slot(node) in slots:
            return b.name(f"f{_slot(node)}")
    return node
