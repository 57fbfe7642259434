"""Choose the modules of a ruleset: requirements, conflicts, order.

Errors: P0110 no such pack, P0113 a missing requirement, P0114 a version out of range, P0115 a conflict, P0117
        a module of another game, P0128 a role that two packs fill; and those of ``precedence``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from patolli.language.diagnostics import ContentError, Problem, Span, instead, nearest
from patolli.language.packs.acquaintance import STANDARD, beside, switches
from patolli.language.packs.discovery import explain_folder_name, installed, list_renamed
from patolli.language.packs.manifest import DISK, Files, Pack
from patolli.language.packs.precedence import Precedence
from patolli.language.packs.selection_file import check_order
from patolli.language.packs.version_ranges import in_range, join_named
from patolli.language.sources import Mapping, Scalar


def select(
    name: str, modules: list[str], files: Files = DISK, order: tuple[Scalar, ...] = ()
) -> tuple[Pack, list[Pack]]:
    """Read a pack and its modules and put the modules in order: depth of what they build on, then id.

    What the player wants as the *order* of some modules is stronger than their ids. Modules that a module requires
    come along when they are installed. Of a pack that is named by its id alone, that installed version counts which the
    others require.

    Raises:
        ContentError: They do not fit together; every reason is named.
    """
    base = _find_base(name, modules, files)
    packs = {base.id: base}
    for module in modules:
        pack = files.pack(module)
        packs.setdefault(pack.id, pack)
    _bring_along(packs, base, files)
    base = _fit_versions(packs, base, {name, *modules}, files)
    problems: list[Problem] = []
    for pack in list(packs.values()):
        _require_packs(pack, packs, base, problems)
        _report_conflict(pack, packs, problems)
        _check_roles(pack, packs, problems)
    problems += check_order(order, packs)
    if problems:
        raise ContentError(tuple(problems))
    depths = Precedence(packs, order).depths(problems)
    if problems:
        raise ContentError(tuple(problems))
    applied = sorted((p for p in packs.values() if p is not base), key=lambda p: (depths[p.id], p.id))
    return base, applied


def _find_base(name: str, modules: list[str], files: Files) -> Pack:
    """Read the pack at the bottom; when it is a requirement that is not there, say whose."""
    if files.find(name) is None:
        for module in modules:
            pack = files.pack(module)
            if name in pack.requires:
                raise ContentError(absent(pack, [name]))
    return files.pack(name)


def _bring_along(packs: dict[str, Pack], base: Pack, files: Files) -> None:
    """Add the installed modules that active modules require."""
    open_ = [pack for pack in packs.values() if pack is not base]
    while open_:
        for id_ in open_.pop().requires:
            if id_ not in packs and files.find(id_) is not None:
                packs[id_] = files.pack(id_)
                open_.append(packs[id_])


def _fit_versions(packs: dict[str, Pack], base: Pack, names: set[str], files: Files) -> Pack:
    """Replace each pack that is not in the range of another one by an installed version that is; return the base.

    A pack that was named by a path or with a range stays what it is. What fits nothing stays, too, and is reported.
    """
    for _ in range(len(packs)):  # a version may require others, which have ranges of their own
        swapped = False
        for id_, pack in list(packs.items()):
            wanted = [one.requires[id_] for one in packs.values() if id_ in one.requires]
            if all(in_range(pack.version, one) for one in wanted) or not _is_free(pack, names, files):
                continue
            found = join_named(id_, wanted)
            if files.find(found) not in (None, pack.folder):
                packs[id_] = files.pack(found)
                swapped = True
        if not swapped:
            break
        _bring_along(packs, packs[base.id], files)
    return packs[base.id]


def _is_free(pack: Pack, names: set[str], files: Files) -> bool:
    """Return whether any installed version of a pack may be meant: it came along, or was named by its id alone."""
    if pack.id in names:
        return pack.folder != Path(pack.id)  # else it lies in the current folder
    return not any(files.pack(name).id == pack.id for name in names)


def switched_on(base: str, options: dict[str, Any], files: Files = DISK) -> tuple[list[str], dict[str, Any]]:
    """Find the modules that option values stand for.

    A module may offer itself as a choice: ``switch: {start: short}`` in its manifest makes ``start=short`` another way
    to ask for it. So a pack gets options without naming the modules that bring them.

    Returns:
        The ids of these modules, and the options that are left.
    """
    if not options:
        return [], {}
    pack = files.pack(base)
    own = {option.name for option in pack.options()}
    left = {name: value for name, value in options.items() if name in own}
    found: list[str] = []
    wanted = {name: str(value) for name, value in options.items() if name not in own}
    for id_, offered in switches(pack.id).items() if wanted else ():
        for name, value in offered.items():
            if wanted.get(name) == value:
                found.append(id_)
                del wanted[name]
    known = {name for offered in (switches(pack.id).values() if wanted else ()) for name in offered}
    for name, value in list(wanted.items()):
        if name in known and value == STANDARD:
            del wanted[name]
    return found, {**left, **{name: options[name] for name in wanted}}


def _require_packs(pack: Pack, packs: dict[str, Pack], base: Pack, problems: list[Problem]) -> None:
    node = pack.manifest.get("requires")
    gone: list[str] = []
    for id_, wanted in pack.requires.items():
        span = node.key(id_).span if isinstance(node, Mapping) else pack.manifest.span
        if id_ not in packs and pack is base:
            words = f"{pack.id!r} needs {id_!r}, which is not active"
            help_ = "load the pack that it needs, with this one as a module"
            problems.append(Problem("P0113", words, span, help_))
        elif id_ not in packs:
            gone.append(id_)
        elif pack.whole and not in_range(packs[id_].version, wanted):
            found = packs[id_].version
            where = packs[id_].manifest.get("version")
            also = ((where.span, "its version is here"),) if where is not None else ()
            help_ = f"use another version of {id_!r} or of {pack.id!r}"
            problems.append(Problem("P0114", f"{pack.id!r} needs {id_!r} {wanted}, found {found}", span, help_, also))
    problems += absent(pack, gone) if gone else ()
    if pack is not base and not pack.requires and pack.whole:
        problems.append(_no_module(pack, packs, base))


def _no_module(pack: Pack, packs: dict[str, Pack], base: Pack) -> Problem:
    """Report a pack that stands alone and was named as a module, or came along with a module of it."""
    by = next((one for one in packs.values() if pack.id in one.requires), None)
    if by is not None:
        words = f"{by.id!r} is a module of {pack.id!r}, not of {base.id!r}"
        return Problem("P0117", words, by.place_of("requires", pack.id), f"leave it out, or load {pack.id!r} with it")
    words, span = f"{pack.id!r} is not a module: it requires nothing", (pack.manifest.get("id") or pack.manifest).span
    return Problem("P0117", words, span, "a module says 'requires: {pack: \">=1.0\"}'")


def absent(pack: Pack, ids: list[str]) -> tuple[Problem, ...]:
    """Report what a pack needs and does not get; what is installed, or lies beside it, comes along by itself."""
    there, around = installed(), beside(pack)
    renamed = list_renamed([*around, *there.values()])
    known = {*there, *(path.name for path in around)}
    return tuple(_report_absent(pack, id_, renamed.get(id_), known) for id_ in ids)


def _report_absent(pack: Pack, id_: str, holder: Path | None, known: set[str]) -> Problem:
    near = nearest(id_, known) if holder is None else None
    help_ = f"did you mean {near!r}?" if near else "'patolli pack list' shows what is installed"
    if holder is not None:
        help_ = explain_folder_name(id_, holder)
    span = pack.place_of("requires", id_)
    needs = pack.manifest.get("requires")
    fixes = instead(span, near) if isinstance(needs, Mapping) and id_ in needs else ()
    return Problem("P0113", f"{pack.id!r} needs {id_!r}, which is not installed", span, help_, fixes=fixes)


def _report_conflict(pack: Pack, packs: dict[str, Pack], problems: list[Problem]) -> None:
    for id_ in pack.conflicts:
        if id_ in packs and (id_ > pack.id or pack.id not in packs[id_].conflicts):
            span = pack.place_of("conflicts", id_)
            words = f"{pack.id!r} cannot be used together with {id_!r}"
            problems.append(Problem("P0115", words, span, "leave one of them out", _explain_need(pack, id_, packs)))


def _check_roles(pack: Pack, packs: dict[str, Pack], problems: list[Problem]) -> None:
    """Report a role that two active packs fill; the id of a pack is a role that it fills itself."""
    for role in pack.provides:
        for other in packs.values():
            first = list(packs).index(other.id) < list(packs).index(pack.id)
            if other is pack or not (role == other.id or (role in other.provides and first)):
                continue
            words = f"{pack.id!r} and {other.id!r} both fill the role {role!r}"
            there = other.place_of("provides", role) if role in other.provides else _pack_id(other)
            help_ = "use only one of them"
            both = ((there, f"{other.id!r} fills it here"),)
            problems.append(Problem("P0128", words, pack.place_of("provides", role), help_, both))


def _pack_id(pack: Pack) -> Span:
    return (pack.manifest.get("id") or pack.manifest).span


def _explain_need(pack: Pack, other: str, packs: dict[str, Pack]) -> tuple[tuple[Span, str], ...]:
    """Say where the other side of a conflict says so too, and who brought each of the two along."""
    found = []
    if pack.id in packs[other].conflicts:
        found.append((packs[other].place_of("conflicts", pack.id), f"{other!r} says so, too"))
    for id_ in (pack.id, other):
        for by in packs.values():
            if id_ in by.requires:
                found.append((by.place_of("requires", id_), f"{by.id!r} needs {id_!r}"))
    if not found:
        found.append((_pack_id(packs[other]), f"{other!r} is this pack"))
    return tuple(found)
