"""Choose one version of each pack that is wanted or required, or explain why there is no such choice.

Usually the best version of each pack will do. Where it will not, the package ``resolvelib`` (extra ``index``) searches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

from patolli.author.distribution.pack_index import Release
from patolli.author.distribution.refusal import Refusal
from patolli.language.packs.version_ranges import in_range, parse_version

TANGLED = "the versions of these packs depend on each other in too many ways; name the versions that you want"
ROUNDS = 5_000
"""Steps of a search; more than any honest index needs."""
COMPARED = 100_000
"""Versions that a search compares with ranges, before it gives up."""
TRIES = 50
"""How often the best versions are chosen again, as each choice may have other requirements."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One version of a pack that could be chosen: it has a place on this machine, or is a release of an index."""

    id: str
    version: str
    requires: tuple[tuple[str, str], ...]
    origin: str
    path: Path | None = None
    release: Release | None = None

    def __hash__(self) -> int:
        return hash((self.id, self.version, self.origin))


class Wish(NamedTuple):
    """A pack in a range of versions."""

    id: str
    wanted: str


Cause = tuple[Wish, Candidate | None]
"""What is wanted, and the pack that requires it; None for the person who calls."""
Find = Callable[[str], Sequence[Candidate]]
"""Returns what could be chosen for an id, the best first."""


def resolve(wishes: Iterable[Wish], find: Find) -> list[Candidate]:
    """Return one version of each pack, behind those that it requires. Raises Refusal: no versions fit together."""
    asked = list(wishes)
    return sort_by_need((_take_best(asked, find) or _search(asked, find)).values())


def sort_by_need(packs: Iterable[Candidate]) -> list[Candidate]:
    """Return each pack once, behind those that it requires. Raises Refusal: packs require each other in a circle."""
    by_id: dict[str, list[Candidate]] = {}
    for one in sorted(dict.fromkeys(packs), key=lambda one: one.id):
        by_id.setdefault(one.id, []).append(one)
    needs = {id_: [needed for one in versions for needed, _ in one.requires] for id_, versions in by_id.items()}
    try:
        return [one for id_ in TopologicalSorter(needs).static_order() for one in by_id.get(id_, ())]
    except CycleError as error:
        circle = " -> ".join(reversed(error.args[1]))
        raise Refusal(f"these packs require each other in a circle, so none can be used: {circle}") from None


def _take_best(wishes: list[Wish], find: Find) -> dict[str, Candidate] | None:
    """Return the best version of each pack in all ranges, or None. Raises Refusal: none is in the range wished for."""
    for wish in wishes:
        if not any(in_range(one.version, wish.wanted) for one in find(wish.id)):
            raise Refusal(_explain_missing(wish, find))
    chosen: dict[str, Candidate] = {}
    for _ in range(TRIES):
        wanted: dict[str, list[str]] = {}
        for id_, part in (*wishes, *(need for one in chosen.values() for need in one.requires)):
            wanted.setdefault(id_, []).append(part)
        before, chosen = chosen, {}
        for id_, parts in wanted.items():
            fits = (one for one in find(id_) if all(in_range(one.version, part) for part in parts))
            best = next(fits, None)
            if best is None:
                return None
            chosen[id_] = best
        if chosen == before:
            return chosen
    return None


def _search(wishes: list[Wish], find: Find) -> Mapping[str, Candidate]:
    """Search all choices of versions for one that satisfies everything."""
    from resolvelib import BaseReporter, ResolutionImpossible, ResolutionTooDeep, Resolver

    try:
        found = Resolver(_make_provider(find), BaseReporter()).resolve(wishes, max_rounds=ROUNDS)
    except ResolutionImpossible as error:
        causes: list[Cause] = [(wish, None) for wish in wishes]
        causes += [(cause.requirement, cause.parent) for cause in error.causes]
        raise Refusal(_explain(causes, find)) from None
    except ResolutionTooDeep:
        raise Refusal(TANGLED) from None
    mapping: Mapping[str, Candidate] = found.mapping
    return mapping


def _make_provider(find: Find) -> Any:
    """Return a provider that gives the resolver packs and versions."""
    from resolvelib import AbstractProvider

    left = COMPARED

    class Provider(AbstractProvider):  # type: ignore[type-arg, misc, unused-ignore]
        """Answers the resolver."""

        def identify(self, requirement_or_candidate: Wish | Candidate) -> str:
            return requirement_or_candidate.id

        def get_preference(self, identifier: str, *_: Any, **__: Any) -> str:
            return identifier

        def find_matches(
            self,
            identifier: str,
            requirements: Mapping[str, Iterator[Wish]],
            incompatibilities: Mapping[str, Iterator[Candidate]],
        ) -> list[Candidate]:
            nonlocal left
            wanted = [wish.wanted for wish in requirements[identifier]]
            left -= len(wanted) * len(find(identifier))
            if left < 0:
                raise Refusal(TANGLED)
            bad = {(one.version, one.origin) for one in incompatibilities[identifier]}
            return [
                one
                for one in find(identifier)
                if (one.version, one.origin) not in bad and all(in_range(one.version, part) for part in wanted)
            ]

        def is_satisfied_by(self, requirement: Wish, candidate: Candidate) -> bool:
            return in_range(candidate.version, requirement.wanted)

        def get_dependencies(self, candidate: Candidate) -> list[Wish]:
            return [Wish(id_, wanted) for id_, wanted in candidate.requires]

    return Provider()


def _explain_missing(wish: Wish, find: Find) -> str:
    """Say that no version of a pack is in the range that is wanted."""
    there = _list_versions(wish.id, find)
    if not there:
        return f"there is no pack {wish.id!r}: it is not installed, and it is not in the index"
    return f"there is no {wish.id} {wish.wanted}; there is {there}"


def _explain(causes: list[Cause], find: Find) -> str:
    """Say which requirements exclude each other, and which versions there are."""
    lines = ["no choice of versions satisfies everything:"]
    for wish, parent in dict.fromkeys(causes):
        by = f"{parent.id} {parent.version} requires" if parent is not None else "you want"
        lines.append(f"  {by} {wish.id}{'' if wish.wanted == '*' else f' {wish.wanted}'}")
    for id_ in dict.fromkeys(wish.id for wish, _ in causes):
        lines.append(f"  versions of {id_}: {_list_versions(id_, find) or 'none'}")
    return "\n".join(lines)


def _list_versions(id_: str, find: Find) -> str:
    """List the versions of a pack, each with where it is first found."""
    there = {one.version: one.origin for one in reversed(newest_first(find(id_)))}
    words = [f"{version} ({origin})" for version, origin in reversed(there.items())]
    return ", ".join([*words[:12], *([".."] if len(words) > 12 else [])])


def newest_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Sort candidates by version; of one version, the first stays the first."""
    return sorted(candidates, key=lambda one: parse_version(one.version), reverse=True)
