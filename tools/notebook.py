"""Write down all that is computed about packs on the way to their proofs, to compare it before and after a change.

    python tools/notebook.py build/before
    python tools/notebook.py build/after
    diff -r build/before build/after

FOLDER gets a file for each pack: by rule what it reads, writes and demands, by expression its values, by effect what
is known there. The packs are the golden cases of the checker, packs of the tests, small ones that are shipped, and some
random ones. A notebook says what is computed and not whether that is right: for this, packs are played. What it is for
is to see that nothing is lost or added by accident.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from goldencases import Case, read
from randompacks.packs import make

from patolli.author.workspace import inspect
from patolli.check.proofs import check, flow
from patolli.check.proofs.differences import Differences
from patolli.check.proofs.domain import Domain
from patolli.check.proofs.facts import Facts
from patolli.check.proofs.prover import Prover
from patolli.language.program import effects as e
from patolli.language.program import expressions as x
from patolli.language.program.node import Node, walk


class Notebook:
    """What was written down, each line once."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._lines: set[str] = set()

    @property
    def text(self) -> str:
        """All lines, sorted: how often something is worked out, and when, is not what counts."""
        return "".join(f"{line}\n" for line in sorted(self._lines))

    def note(self, what: str, *given: object) -> None:
        """Add a line."""
        self._lines.add(" | ".join([what, *map(plain, given)]))

    # -- what is noted when all is proven

    def program(self, prover: Prover) -> None:
        """Note what is known of a whole program."""
        program, summaries, domain = prover.program, prover.summaries, prover.domain
        for name in ("substituted", "spent", "tags", "mixed_costs", "named_by_costs", "purse_conditions"):
            found = getattr(summaries, name)
            self.note(name, found() if callable(found) else found)
        self.note("costs", [(one.rule, one.span.line) for one in summaries.costs if hasattr(one, "rule")])
        for rule in program.rules.values():
            self.note("rule", rule.name, summaries.rules[rule.name], summaries.runs_itself(rule), summaries.names(rule))
            demand = prover.preconditions.of(rule.block)
            self.note("demands", rule.name, demand)
            self.note("looks at", prover.preconditions.looked_at(demand), prover.preconditions.basis(demand))
            self.note("reaches", rule.name, summaries.list_reachable_rules(rule.name))
            for node in walk(rule.block):
                if isinstance(node, e.Effect):
                    self._effect(prover, node)
        trees: list[Node] = [function.body for function in program.functions.values()]
        trees += [rule.given for rule in program.rules.values() if rule.given is not None]
        trees += [formula.body for formula in program.formulas]
        for expr in walk(*trees, *(rule.block for rule in program.rules.values())):
            if isinstance(expr, x.Expr):
                self.note("may be", expr.span.line, expr, domain.of(expr), summaries.read_by(expr))
        for counter in program.counters.values():
            own = domain.declared
            self.note("counter", counter.name, own.counter(counter.name), own.top(counter.name), own.start(counter))
            self.note("begins inside", counter.name, own.starts_inside(counter.name))
        for kind in program.kinds:
            self.note("kind", kind, domain.declared.instances(kind), domain.declared.count_owned_instances(kind))

    def _effect(self, prover: Prover, effect: e.Effect) -> None:
        summaries = prover.summaries
        found: list[object] = [summaries.of(effect), summaries.asks(effect), summaries.changes(effect)]
        found.append(prover.preconditions.ends(effect))
        if isinstance(effect, e.Pay):
            found += [summaries.plain(effect), summaries.payment_asks(effect), summaries.spends(effect)]
            found.append(summaries.given_for(effect))
        self.note("effect", effect.span.line, type(effect), *found)


def plain(value: object) -> str:
    """Say something in the same words in every process."""
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(plain, value))) + "}"
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{plain(key)}: {plain(one)}" for key, one in value.items())) + "}"
    if isinstance(value, list | tuple):
        return "(" + ", ".join(map(plain, value)) + ")"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, x.Variable):
        return f"{value!r} of line {value.span.line}"
    if isinstance(value, Node) or not hasattr(value, "__dataclass_fields__"):
        return repr(value)
    fields = (f"{name}={plain(getattr(value, name))}" for name in value.__dataclass_fields__)
    return f"{type(value).__name__}({', '.join(fields)})"


def known(facts: Facts) -> str:
    """Say what is known at a place."""
    literals, lists = sorted(map(plain, facts.literals)), sorted(plain((s.source, s.where)) for s in facts.lists)
    named, open_ = plain({**facts.aliases, **facts.meanings}), [plain(one[:2]) for one in facts.open]
    return plain((facts.dead, facts.solution(), facts.differences, literals, lists, named, open_))


@contextmanager
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    """Open a notebook, into which is written whatever is inspected meanwhile."""
    book = Notebook()

    def followed(self: flow.Flow, effect: e.Effect, here: flow.Here, rest: Any) -> None:
        book.note("before", effect.span.line, type(effect), here.covered, rest)
        book.note("known", effect.span.line, known(here.facts))
        effect_(self, effect, here, rest)

    def given(self: Domain, expr: x.Expr, *more: Any) -> Any:
        found = of(self, expr, *more)
        book.note("may be here", expr.span.line, expr, found)
        return found

    def proven(self: Differences, left: x.Expr, right: x.Expr, least: int) -> bool:
        found = proves(self, left, right, least)
        book.note("is proven", left, right, least, found)
        return found

    def proved(program: Any, summaries: Any) -> Any:
        prover, problems = proved_(program, summaries)
        for problem in problems:
            book.note("problem", problem.code, problem.span.line, problem.message)
        book.program(prover)
        return prover, problems

    effect_, of, proves, proved_ = flow.Flow.effect, Domain.of, Differences.proves, check._prove_program
    with monkeypatch.context() as patched:
        patched.setattr(flow.Flow, "effect", followed)
        patched.setattr(Domain, "of", given)
        patched.setattr(Differences, "proves", proven)
        patched.setattr(check, "_prove_program", proved)
        yield book


# ---- the packs

ROOT = Path(__file__).resolve().parents[1]
RANDOM = range(8_000_000, 8_000_160)
"""Seeds of random packs."""


def cases() -> dict[str, Case | Path]:
    """Return the packs by name."""
    files = [path for where in ("golden", "odd") for path in sorted((ROOT / "tests/diagnostics" / where).iterdir())]
    read_cases = {path.stem: read(path) for path in files}
    found: dict[str, Case | Path] = {name: case for name, case in read_cases.items() if "pack.yaml" in case.files}
    names = "boxes convoy fair hunt kuhn lab mosaic patience sample".split()
    folders = [ROOT / "tests/data" / name for name in names]
    folders += [path.parent for path in sorted((ROOT / "content").glob("*/pack.yaml"))]
    folders += [path.parent for path in sorted((ROOT / "content/gallery").glob("*/pack.yaml"))]
    found |= {f"pack_{folder.name}": folder for folder in folders}
    for seed in RANDOM:
        pack = make(seed).files
        if all(path.startswith("base/") for path in pack):
            texts = {path.removeprefix("base/"): text.encode() for path, text in pack.items()}
            found[f"random_{seed}"] = Case(texts, "")
    return found


def main(folder: Path) -> None:
    """Write a notebook of each pack that is checked closely."""
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as work, pytest.MonkeyPatch.context() as patch:
        for name, case in cases().items():
            if isinstance(case, Case):
                case.lay(Path(work, name))
                case = Path(work, name)
            with opened(patch) as book:
                inspect(str(case))
            if book.text:
                (folder / f"{name}.txt").write_text(book.text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
