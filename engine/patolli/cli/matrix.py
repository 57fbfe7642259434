"""The page of ``patolli show PACK --matrix``: modules of a pack, and which of them go together.

A combination is valid when it holds what its modules require, in the versions they want, and no two modules that
exclude each other, by their manifests or because ``patolli validate`` refuses them together. Each module is checked
alone and with each other one; what three modules do only together is reported by ``patolli validate``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations as sets_of
from typing import Any

from patolli.author.workspace.module_sets import find_refused_sets
from patolli.cli.status import relative
from patolli.language.diagnostics import ContentError
from patolli.language.packs.discovery import installed
from patolli.language.packs.manifest import Pack, read_manifest, read_pack
from patolli.language.packs.version_ranges import in_range

Data = dict[str, Any]
MOST = 200_000
"""Combinations that are counted; with more modules than that the counting stops."""
LISTED = 40
"""Combinations that the text lists; JSON has all of them."""


def modules_of(base: Pack) -> dict[str, Pack]:
    """Return the installed modules that build on a pack, directly or through others, by id."""
    known = {}
    for folder in installed().values():
        manifest = read_manifest(folder)
        if manifest is not None and manifest.requires and manifest.id != base.id:
            known[manifest.id] = manifest
    found = {base.id}
    while True:
        more = {id_ for id_, pack in known.items() if id_ not in found and found.intersection(pack.requires)}
        if not more:
            return {id_: known[id_] for id_ in sorted(found - {base.id})}
        found |= more


def excludes(modules: dict[str, Pack]) -> dict[str, set[str]]:
    """Return for each module those that it cannot be used with, whichever of the two says so."""
    found: dict[str, set[str]] = {id_: set() for id_ in modules}
    for id_, pack in modules.items():
        for other in pack.conflicts:
            found[id_].add(other)
            if other in found:
                found[other].add(id_)
    return found


def combinations(
    base: Pack, modules: dict[str, Pack], refused: Collection[frozenset[str]] = ()
) -> Iterator[tuple[str, ...]]:
    """Go through all valid sets of modules without *refused* ones, the empty set and early ids first."""
    apart = excludes(modules)
    fitting = [
        id_ for id_, pack in modules.items() if base.id not in apart[id_] and _list_versions(base, modules, pack)
    ]

    def grow(index: int, chosen: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if index == len(fitting):
            there = {base.id, *chosen}
            if all(set(modules[id_].requires) <= there for id_ in chosen):
                yield chosen
            return
        yield from grow(index + 1, chosen)
        here = (*chosen, fitting[index])
        if not apart[fitting[index]].intersection(chosen) and not any(wrong <= {*here} for wrong in refused):
            yield from grow(index + 1, here)

    yield from grow(0, ())


def to_check(base: Pack, modules: dict[str, Pack]) -> set[frozenset[str]]:
    """Return the sets that are checked: each module and each two, with what they require, if the manifests allow it."""
    found = set()
    for several in (*((id_,) for id_ in modules), *sets_of(modules, 2)):
        needed: set[str] = set()
        open_ = list(several)
        while open_:
            id_ = open_.pop()
            if id_ in modules and id_ not in needed:
                needed.add(id_)
                open_ += modules[id_].requires
        if tuple(sorted(needed)) in combinations(base, {id_: modules[id_] for id_ in sorted(needed)}):
            found.add(frozenset(needed))
    return found


def _list_versions(base: Pack, modules: dict[str, Pack], pack: Pack) -> bool:
    known = {base.id: base, **modules}
    return all(id_ in known and in_range(known[id_].version, wanted) for id_, wanted in pack.requires.items())


def matrix(name: str) -> Data:
    """Return the modules of a pack, what each needs and excludes, and all valid combinations. Raises ContentError."""
    base = read_pack(name)
    modules = modules_of(base)
    apart = excludes(modules)
    wrong = find_refused_sets(name, to_check(base, modules))
    valid: list[tuple[str, ...]] = []
    complete = True
    for combination in combinations(base, modules, wrong):
        if len(valid) == MOST:
            complete = False
            break
        valid.append(combination)
    valid.sort(key=lambda combination: (len(combination), combination))
    pairs = {pair for combination in valid for pair in _list_pairs(combination)}
    return {
        "pack": base.id,
        "modules": [
            {
                "id": id_,
                "version": pack.version,
                "title": pack.text("title", id_),
                "needs": pack.requires,
                "excludes": sorted(apart[id_]),
                "same_as": pack.switch,
                "optional": pack.optional,
                "combinations": sum(id_ in combination for combination in valid),
                "goes_with": sorted(other for other in modules if other != id_ and frozenset((id_, other)) in pairs),
            }
            for id_, pack in modules.items()
        ],
        "refused": [
            {
                "modules": sorted(several),
                "problems": [
                    {"code": p.code, "message": p.message, "where": f"{p.span.path}:{p.span.line}"}
                    for p in relative(problems)
                ],
            }
            for several, problems in wrong.items()
        ],
        "count": len(valid),
        "complete": complete,
        "combinations": [list(combination) for combination in valid],
    }


def _list_pairs(combination: tuple[str, ...]) -> Iterator[frozenset[str]]:
    for i, one in enumerate(combination):
        for other in combination[i + 1 :]:
            yield frozenset((one, other))


def matrix_text(data: Data) -> str:
    """Write the page: a table of modules, a table of pairs, and the combinations, or how many there are."""
    rows = data["modules"]
    if not rows:
        return f"{data['pack']}: there is no module for it"
    lines = [
        f"{data['pack']}: {len(rows)} modules, {data['count']:,} valid combinations (including no module)",
        "",
    ]
    wide = max(len(row["id"]) for row in rows)
    for row in rows:
        needs = ", ".join(f"{id_} {wanted}" for id_, wanted in row["needs"].items())
        words = f"  {row['id']:<{wide}}  {row['version']}  needs {needs}"
        words += f"; excludes {', '.join(row['excludes'])}" if row["excludes"] else ""
        words += "".join(f"; same as --set {name}={value}" for name, value in row["same_as"].items())
        lines.append(words)
    lines += ["", "Can be combined: + yes, - no", ""]
    lines += ["  " + " " * wide + "  " + " ".join(f"{i:>2}" for i in range(1, len(rows) + 1))]
    for i, row in enumerate(rows, 1):
        marks = (" ." if other is row else " +" if other["id"] in row["goes_with"] else " -" for other in rows)
        lines.append(f"  {row['id']:<{wide}}  " + " ".join(marks) + f"  {i}")
    for one in data["refused"]:
        first, *more = one["problems"]
        words = f" and {len(more)} more" if more else ""
        lines += ["", f"'patolli validate' refuses {' + '.join(one['modules'])}:"]
        lines += [f"  {first['where']}: {first['code']}: {first['message']}{words}"]
    lines += ["", *_format_combinations(data)]
    return "\n".join(lines)


def _format_combinations(data: Data) -> list[str]:
    valid = [" + ".join(combination) or "(no module)" for combination in data["combinations"]]
    if len(valid) <= LISTED:
        return ["Valid combinations:", "", *(f"  {words}" for words in valid)]
    more = "" if data["complete"] else "; there are more that were not counted"
    return [f"'--format json' lists all {len(valid):,} combinations{more}."]


__all__ = ["ContentError", "combinations", "excludes", "matrix", "matrix_text", "modules_of"]
