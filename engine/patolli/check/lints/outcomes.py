"""Find results that cannot decide who has won: what decides is the same for everybody, always, or not asked at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

from patolli.check.lints.check import Reviewed, check
from patolli.check.proofs.terms import key, substitute_variables
from patolli.language.diagnostics import Problem
from patolli.language.program import expressions as x
from patolli.language.program.model import Formula, Function, Program
from patolli.language.program.node import walk
from patolli.language.sources import Mapping


@check("P0467")
def result_that_decides_nothing(reviewed: Reviewed) -> Iterator[Problem]:
    """Find what is wrong with a result as a whole."""
    program = reviewed.program
    for entry in program.composition.all("result"):
        node = entry.node
        if not isinstance(node, Mapping) or not reviewed.looked_at(entry):
            continue
        for name, message, help_ in _doubts(program, reviewed):
            if name == "ties" and name in node and not reviewed.written_here(node.key(name).span):
                continue  # a module that says who wins may leave the score of the required pack as it is
            yield Problem("P0467", message, (node.key(name) if name in node else entry.key).span, help_, (), "warning")


def _doubts(program: Program, reviewed: Reviewed) -> Iterator[tuple[str, str, str]]:
    """Yield the key that is wrong, what is wrong with it, and how it is mended."""
    if program.wins is not None:
        if program.among is not None:
            yield "among", "'among' decides nothing beside 'wins'", "put the condition into 'wins'"
        if program.ties:
            yield "ties", "'ties' decides nothing beside 'wins'", "write the tie-break in 'wins', and remove 'ties'"
        if _is_constant(program.wins, reviewed):
            yield "wins", "whether a player has won is the same in every match", "name what decides it"
        return
    if program.score is None:
        key = "ties" if program.ties else "among"
        yield key, f"{key!r} decides nothing without a score", "add 'score', or say who wins with 'wins'"
    elif _for_all(program):
        message = "all players always have the same score, so all of them win"
        yield "score", message, "say who wins with 'wins'; it may be false for all players"
    else:
        yield from _same_for_all(program)
        again = _said_before(program)
        if again is not None:
            yield "ties", again, "players who tie there still tie here; use another value, or remove it"


def _same_for_all(program: Program) -> Iterator[tuple[str, str, str]]:
    """Yield the score, or a tie-break, that cannot differ between players, where another one can."""
    if _alone(program):
        return
    assert program.score is not None
    if not _personal(program, program.score, {}):
        message = "all players always have the same score, so only the tie-breaks decide"
        yield "score", message, "use a value of each player, such as 'coin', not of one certain player"
    for number, formula in enumerate(program.ties, 1):
        if not _personal(program, formula, {}):
            message = f"tie-break {number} is always the same for all players, so it breaks no tie"
            yield "ties", message, "use a value of each player, such as 'coin', not of one certain player"


def _said_before(program: Program) -> str | None:
    """Say which tie-break asks for what was asked before, if one does."""
    known: dict[Hashable, str] = {}
    for number, formula in enumerate((program.score, *program.ties)):
        assert formula is not None
        words = f"tie-break {number}" if number else "the score"
        asked = key(formula.body, {formula.me: x.NoValue(type=formula.body.type, span=formula.body.span)})
        if asked in known:
            return f"{words} is the same as {known[asked]}"
        known[asked] = words
    return None


def _for_all(program: Program) -> bool:
    """Return whether the players cannot differ in what decides, where there are several."""
    known: dict[str, bool] = {}
    formulas = [part for part in (program.score, *program.ties, program.among) if part is not None]
    return not _alone(program) and not any(_personal(program, formula, known) for formula in formulas)


def _alone(program: Program) -> bool:
    """Return whether there is never more than one player."""
    return program.players[1] + program.automated == 1


def _personal(program: Program, formula: Formula | Function, known: dict[str, bool]) -> bool:
    """Return whether a computation depends on who is me; a function that does not read it passes it on without need.

    What is *known* of functions is kept there; one that is being looked at counts as one that depends on it.
    """
    handed_on = set()
    for node in walk(formula.body):
        if isinstance(node, x.FunctionCall):
            if node.function not in known:
                known[node.function] = True
                known[node.function] = _personal(program, program.functions[node.function], known)
            if not known[node.function]:
                handed_on.add(id(node.me))
    handed_on.update(id(node) for part in _of_everybody(formula) for node in walk(part))
    return any(
        isinstance(node, x.Local) and node.variable is formula.me and id(node) not in handed_on
        for node in walk(formula.body)
    )


def _of_everybody(formula: Formula | Function) -> Iterator[x.Expr]:
    """Yield parts that are the same for all: over all players from me on, and over the others and me."""
    for node in walk(formula.body):
        match node:
            case x.Quantifier(op="sum" | "count" | "any" | "all" | "min" | "max"):
                sources = [binder.source for binder in node.binders]
                yield from (s for s in sources if isinstance(s, x.BuiltinCall) and s.builtin == "turn_order")
            case x.Arithmetic(op="+"):
                yield from _others_and_me(_terms(node), formula.me)


def _others_and_me(terms: list[x.Expr], me: x.Variable) -> Iterator[x.Expr]:
    """Yield the terms of a sum that add up what the others have, and the same of me."""
    for term in terms:
        match term:
            case x.Quantifier(op="sum", binders=(binder,), where=None, value=x.Expr() as value):
                source = binder.source
                if not isinstance(source, x.BuiltinCall) or source.builtin != "others":
                    continue
                mine = x.Local(me, type=binder.variable.type, span=term.span)
                wanted = Counter(key(one) for one in _terms(substitute_variables(value, {binder.variable: mine})))
                same = [one for one in terms if one is not term and key(one) in wanted]
                if Counter(map(key, same)) == wanted:
                    yield from (term, *same)


def _terms(expr: x.Expr) -> list[x.Expr]:
    if isinstance(expr, x.Arithmetic) and expr.op == "+":
        return [*_terms(expr.left), *_terms(expr.right)]
    return [expr]


def _is_constant(formula: Formula, reviewed: Reviewed) -> bool:
    """Return whether a condition looks at nothing that changes."""
    return not any(location[0] != "variable" for location in reviewed.summaries.reads(formula.body))
