"""Choose the modules of a ruleset: requirements, conflicts, order.

Errors: P0110 no such pack, P0113 a missing requirement, P0114 a version out of range, P0115 a conflict, P0116 a
        cycle, P0117 a module of another game.
"""

from __future__ import annotations

import re

from patolli.diagnostics import ContentError, Problem
from patolli.packs.manifest import Pack, read_pack


def select(name: str, modules: list[str]) -> tuple[Pack, list[Pack]]:
    """Read a pack and its modules and put the modules in order: depth of what they build on, then id.

    Raises:
        ContentError: They do not fit together; every reason is told.
    """
    base = read_pack(name)
    packs = {base.id: base}
    for module in modules:
        pack = read_pack(module)
        packs.setdefault(pack.id, pack)
    problems: list[Problem] = []
    for pack in list(packs.values()):
        _require(pack, packs, base, problems)
        _conflict(pack, packs, problems)
    if problems:
        raise ContentError(tuple(problems))
    depths = {pack.id: _depth(pack, packs, [], problems) for pack in packs.values()}
    if problems:
        raise ContentError(tuple(problems))
    order = sorted((p for p in packs.values() if p is not base), key=lambda p: (depths[p.id], p.id))
    return base, order


def _require(pack: Pack, packs: dict[str, Pack], base: Pack, problems: list[Problem]) -> None:
    node = pack.manifest.get("requires")
    for id_, wanted in pack.requires.items():
        span = node.items[id_][0].span if node is not None else pack.manifest.span  # type: ignore[union-attr]
        if id_ not in packs:
            help_ = f"add '--with {id_}'" if pack is not base else "load the pack that it needs, with this one as a module"
            problems.append(Problem("P0113", f"{pack.id!r} needs {id_!r}, which is not active", span, help_))
        elif not in_range(packs[id_].version, wanted):
            found = packs[id_].version
            where = packs[id_].manifest.get("version")
            also = ((where.span, "its version is here"),) if where is not None else ()
            problems.append(Problem("P0114", f"{pack.id!r} needs {id_!r} {wanted}, found {found}", span, "", also))
    if pack is not base and not pack.requires:
        problems.append(Problem("P0117", f"{pack.id!r} is no module: it requires nothing", pack.manifest.span, "a module says 'requires: {pack: \">=1.0\"}'"))


def _conflict(pack: Pack, packs: dict[str, Pack], problems: list[Problem]) -> None:
    for id_ in pack.conflicts:
        if id_ in packs and (id_ > pack.id or pack.id not in packs[id_].conflicts):
            node = pack.manifest.get("conflicts")
            span = node.span if node is not None else pack.manifest.span
            problems.append(Problem("P0115", f"{pack.id!r} cannot be used together with {id_!r}", span, "leave one of them out"))


def _depth(pack: Pack, packs: dict[str, Pack], path: list[str], problems: list[Problem]) -> int:
    if pack.id in path:
        chain = " -> ".join([*path[path.index(pack.id) :], pack.id])
        if not any(p.code == "P0116" for p in problems):
            problems.append(Problem("P0116", f"the packs require each other in a circle: {chain}", pack.manifest.span))
        return 0
    inner = [_depth(packs[id_], packs, [*path, pack.id], problems) for id_ in (*pack.requires, *pack.optional) if id_ in packs]
    return 1 + max(inner, default=-1)


def in_range(version: str, wanted: str) -> bool:
    """Tell whether a version such as ``1.2.0`` lies in a range such as ``>=1.0,<2.0``; ``*`` is any."""
    here = _parts(version)
    for part in wanted.split(","):
        found = re.match(r"\s*(>=|<=|==|!=|>|<|=)?\s*([0-9.]+|\*)\s*$", part)
        if not found:
            return False
        if found.group(2) == "*":
            continue
        there = _parts(found.group(2))
        op = found.group(1) or "=="
        good = {">=": here >= there, "<=": here <= there, ">": here > there, "<": here < there, "!=": here != there}
        if not good.get(op, here == there):
            return False
    return True


def _parts(version: str) -> tuple[int, ...]:
    numbers = [int(n) for n in re.findall(r"[0-9]+", version)[:3]]
    return (*numbers, *([0] * (3 - len(numbers))))
