"""Check the documents of a pack that wait for other modules, with these modules.

In:     a pack that was checked without them.
Out:    errors that the pack causes with the modules, and the ids of these modules.
Errors: those of composing and of types. Nothing is proved: ``show --matrix`` and ``validate --with`` do that.

Each condition of a document is one combination: the modules that it names, and for a role an installed pack that fills
it. A combination that manifests exclude cannot occur, and one with a module that is not installed cannot be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from patolli.author.workspace.findings import Request
from patolli.author.workspace.inspection import inspect
from patolli.author.workspace.needs import Requirements
from patolli.language.diagnostics import Problem
from patolli.language.packs.acquaintance import parse_condition
from patolli.language.packs.composition import Composition
from patolli.language.packs.discovery import installed
from patolli.language.packs.manifest import Document, Files, Pack, read_manifest
from patolli.language.packs.name_history import explain_old_names
from patolli.language.sources import Scalar, Sequence


def check_optional(
    request: Request, needs: Requirements, composition: Composition, files: Files
) -> tuple[list[Problem], tuple[str, ...]]:
    """Return what is wrong in the documents of a pack for modules that are not active, and which were tried."""
    pack = files.pack(request.pack)
    waiting = [document for document in pack.documents if any(document.tree is one for one in composition.left_out)]
    if not waiting:
        return [], ()
    active = {name for one in composition.packs for name in (one.id, *one.provides)}
    providers = _list_providers()
    tried: dict[tuple[str, ...], list[Problem]] = {}
    found: list[Problem] = []
    for document in waiting:
        more = _find_modules(document, active, providers)
        if not more:
            continue
        if more not in tried:
            tried[more] = list(_find_errors(request, needs, more, files))
        found += [_place_error(problem, document, pack, more) for problem in tried[more]]
    once = {(one.code, one.span, one.message): one for one in found}
    reported = explain_old_names(once.values(), composition.packs, lambda path: files.text(path)[0])
    return reported, tuple(dict.fromkeys(id_ for more in tried for id_ in more))


def _list_providers() -> dict[str, str]:
    """Return an installed pack for each id and each role."""
    found: dict[str, str] = {}
    for id_, folder in installed().items():
        manifest = read_manifest(folder)
        for name in (id_, *(manifest.provides if manifest is not None else ())):
            found.setdefault(name, id_)
    return found


def _find_modules(document: Document, active: set[str], providers: Mapping[str, str]) -> tuple[str, ...]:
    """Return the modules with which a document is in force; none if it cannot be with what is installed."""
    node = document.tree.get("when_active")
    items = node.items if isinstance(node, Sequence) else ()
    wanted = [parse_condition(item) for item in items if isinstance(item, Scalar)]
    if any(not on and name in active for name, on in wanted):
        return ()
    missing = [name for name, on in wanted if on and name not in active]
    return tuple(sorted({providers[name] for name in missing})) if all(name in providers for name in missing) else ()


def _find_errors(request: Request, needs: Requirements, more: tuple[str, ...], files: Files) -> Iterator[Problem]:
    """Yield the errors of a combination that are not there without the pack."""
    options = dict(request.options)
    tried = inspect(needs.base, [*needs.modules, *request.modules, *more], options, files=files, proofs=False)
    if tried.model is None:
        return  # manifests exclude it
    errors = [problem for problem in tried.problems if problem.severity == "error"]
    if not errors:
        return
    others = [name for name in needs.modules if name != request.pack]
    before = inspect(needs.base, [*others, *request.modules, *more], files=files, proofs=False).problems
    known = {(problem.code, problem.span) for problem in before}
    yield from (problem for problem in errors if (problem.code, problem.span) not in known)


def _place_error(problem: Problem, document: Document, pack: Pack, more: tuple[str, ...]) -> Problem:
    """Return an error with the condition that causes it; one outside of the pack is reported at the condition."""
    condition = document.tree.get("when_active") or document.tree
    names = " and ".join(map(repr, more))
    if pack.holds(problem.span.path):
        return replace(problem, also=(*problem.also, (condition.span, f"this is in force with {names}")))
    also = ((problem.span, "here"), *problem.also)
    return replace(problem, message=f"with {names}: {problem.message}", span=condition.span, also=also)
