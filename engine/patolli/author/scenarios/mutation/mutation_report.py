"""Return what became of mutants: for people and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from patolli.author.scenarios.mutation.mutant import KINDS, NOTICED, REFUSED, SAME, SURVIVED, Mutant, Verdict
from patolli.author.scenarios.mutation.mutation_run import CODE, Mutation
from patolli.author.scenarios.scenario_report import failure_text
from patolli.language.diagnostics.machine import render_json
from patolli.language.diagnostics.text import render_text

WIDTH = 80
"""Letters of a line that is shown; the rest is cut off around the change."""


def as_text(done: list[Mutation]) -> str:
    """Return the survivors of all packs, and a table for each."""
    return "\n".join(_pack(mutation) for mutation in done)


def _pack(mutation: Mutation) -> str:
    if mutation.problems or mutation.failed:
        parts = [render_text(mutation.problems)] if mutation.problems else []
        parts += [failure_text(outcome) for outcome in mutation.failed]
        return "\n".join([*parts, f"{mutation.pack}: no mutant was tried, as the scenarios do not pass\n"])
    if not mutation.scenarios:
        return f"{mutation.pack}: no mutant was tried, as there are no scenarios\n"
    blocks = [_survivor(mutant, verdict) for mutant, verdict in mutation.unexplained]
    if mutation.explained:
        blocks.append("\n".join(["explained:", *_list_explained(mutation)]))
    if mutation.unused:
        lines = [
            f"{_near(c.span.path)}:{c.span.line}: nothing survives here, delete the comment" for c in mutation.unused
        ]
        blocks.append("\n".join(lines))
    blocks.append("\n".join(_table(mutation)))
    return "\n\n".join(blocks) + "\n"


def _survivor(mutant: Mutant, verdict: Verdict) -> str:
    before, after = _cut(mutant.before, mutant.after)
    return "\n".join(
        [
            f"{_near(mutant.path)}:{mutant.span.line}:{mutant.span.column}: warning[{CODE}]: {KINDS[mutant.kind]} goes "
            f"unnoticed{_count_reaching(verdict)}",
            f"  - {before}",
            f"  + {after}",
        ]
    )


def _count_reaching(verdict: Verdict) -> str:
    if verdict.reached is None:
        return ""
    if verdict.reached == 0:
        return "; no scenario reaches it"
    return f"; {verdict.reached} scenario{'s reach' if verdict.reached != 1 else ' reaches'} it"


def _list_explained(mutation: Mutation) -> list[str]:
    lines = []
    for mutant, comment in mutation.explained.items():
        _, after = _cut(mutant.before, mutant.after)
        lines.append(f"{_near(mutant.path)}:{mutant.span.line}: {after}")
        lines.append(f"  {comment.reason}")
    return lines


def _cut(before: str, after: str) -> tuple[str, str]:
    """Cut lines that are too long, so that what differs is still seen."""
    room = WIDTH - 4
    pairs = enumerate(zip(before, after, strict=False))
    start = next((at for at, (one, other) in pairs if one != other), min(len(before), len(after)))
    first = max(0, start - room // 2) if max(len(before), len(after)) > room else 0

    def cut(line: str) -> str:
        shown = f"..{line[first + 2 :]}" if first else line
        return f"{shown[: room - 2]}.." if len(shown) > room else shown

    return cut(before), cut(after)


def _table(mutation: Mutation) -> list[str]:
    head = f"{'':<12}{'made':>8}{'refused':>9}{'noticed':>9}{'survived':>10}{'share':>8}"
    rows = [head]
    for kind in KINDS:
        if any(mutant.kind == kind and verdict.status != SAME for mutant, verdict in mutation.tried):
            rows.append(_row(kind, mutation, kind))
    rows.append(_row("all", mutation, None))
    number = f"{mutation.planned} of {mutation.found}" if mutation.planned < mutation.found else f"{mutation.found}"
    same = mutation.count(SAME)
    rows.append("")
    rows.append(
        f"{mutation.pack}: {number} changes tried with {mutation.scenarios} scenarios"
        + (f", {same} change nothing" if same else "")
    )
    explained = len(mutation.explained)
    rows.append(
        f"{len(mutation.unexplained)} survived without a reason ({mutation.share:.1%} of what the checker accepts)"
        + (f", {explained} explained" if explained else "")
    )
    if mutation.interrupted:
        rows.append(f"interrupted after {len(mutation.tried)} of {mutation.planned}")
    return rows


def _row(name: str, mutation: Mutation, kind: str | None) -> str:
    refused, noticed, survived = (mutation.count(status, kind) for status in (REFUSED, NOTICED, SURVIVED))
    share = survived / (noticed + survived) if noticed + survived else 0.0
    return f"{name:<12}{refused + noticed + survived:>8}{refused:>9}{noticed:>9}{survived:>10}{share:>8.1%}"


def _near(path: str) -> str:
    return Path(path).relative_to(Path.cwd()).as_posix() if Path(path).is_relative_to(Path.cwd()) else path


def as_json(done: list[Mutation]) -> str:
    """Return everything as one JSON object."""
    return json.dumps({"packs": [_data(mutation) for mutation in done]}, indent=2, ensure_ascii=False) + "\n"


def _data(mutation: Mutation) -> dict[str, Any]:
    return {
        "pack": mutation.pack,
        "scenarios": mutation.scenarios,
        "found": mutation.found,
        "tried": len(mutation.tried),
        "interrupted": mutation.interrupted,
        "refused": mutation.count(REFUSED),
        "noticed": mutation.count(NOTICED),
        "survived": mutation.count(SURVIVED),
        "same": mutation.count(SAME),
        "explained": len(mutation.explained),
        "share": round(mutation.share, 4),
        "mutants": [_mutant(mutation, mutant, verdict) for mutant, verdict in mutation.tried],
        "problems": json.loads(render_json([*mutation.problems, *(p for o in mutation.failed for p in o.problems)]))[
            "problems"
        ],
    }


def _mutant(mutation: Mutation, mutant: Mutant, verdict: Verdict) -> dict[str, Any]:
    comment = mutation.explained.get(mutant)
    return {
        "path": mutant.path, "line": mutant.span.line, "column": mutant.span.column, "kind": mutant.kind,
        "before": mutant.before, "after": mutant.after, "status": verdict.status, "by": verdict.by,
        "reached": verdict.reached, "reason": comment.reason if comment is not None else "",
    }  # fmt: skip
