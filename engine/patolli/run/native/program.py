"""What a program is for the back end: its functions, and the tables that the driver reads."""

from __future__ import annotations

import ast
from typing import Any

from patolli.language.diagnostics.memory import without_garbage_collection
from patolli.language.program.effects import Menu
from patolli.language.syntax.depth import room
from patolli.run.compiler import Executable, compile_program
from patolli.run.compiler.affected import bit_of
from patolli.run.native.linker import Source
from patolli.run.runtime import Ruleset
from patolli.run.runtime.errors import before_a_match


def source_of(rules: Ruleset, seats: int, checked: bool = False) -> Source:
    """Compile a program again and return it in its translated form.

    Args:
        rules: What is played.
        seats: The number of seats, automated ones included.
        checked: Whether matches are checked against the declared invariants.
    """
    functions: dict[str, ast.FunctionDef] = {}
    files: dict[str, str] = {}

    def look(path: str, made: list[ast.FunctionDef], origins: dict[str, str]) -> None:
        functions.update((one.name, one) for one in made)
        files.update((one.name, path) for one in made)

    with room(), without_garbage_collection(), before_a_match():
        program = compile_program(
            rules.resolved_program, rules.prover, seats, look=look, indexed=False, checked=checked
        )
    blocks = [one.__name__ for one in program.blocks]
    space = next(one.__globals__ for one in program.blocks if one.__name__ in functions)
    tables = {**_tables(program), **_build_search_tables(rules, program)}
    if checked:
        tables["INVARIANTS"] = tuple((bit_of(n), holds) for n, holds in enumerate(program.invariants.values()))
    return Source(
        functions, space, tables, program.entries, blocks, program.layout, files, program.origins, program.circular
    )


def _tables(program: Executable) -> dict[str, Any]:
    """Return what the names in capitals of ``driver`` stand for, but for the places of the blocks."""
    acting = program.acting
    layout = program.layout
    measures = [*([program.score] if program.score else []), *program.ties]
    measures += [one for one in (program.among, program.wins) if one is not None]
    return {
        "SLOTS": tuple(program.slots),
        "THENS": tuple(program.thens),
        "FRAGILE": tuple(sorted(program.fragile)),
        "PAYING": tuple(sorted(n for n, question in program.questions.items() if question.kind == "pay")),
        "INITIAL": tuple(() if isinstance(one, dict) else one for one in layout.initial),
        "LISTS": tuple(layout.lists),
        "START": tuple(tuple(frame) for frame in program.start),
        "PLAIN_START": tuple(program.plain_start),
        "EFFECTS": tuple(program.space["EFFECTS"]),
        "CANS": tuple(program.space["CANS"]),
        "FINDS": tuple(enumerate(acting.lists)) if acting else (),
        "UNSEEN": tuple((k, find) for k, find in enumerate(acting.lists) if k in program.quiet) if acting else (),
        "RUNS": tuple(acting.runs) if acting else (),
        "BINDS": tuple(map(int, acting.binds)) if acting else (),
        "ACTIVE": acting.active if acting else None,
        "SEVERAL": int(acting.several) if acting else 0,
        "SECRET": tuple(sorted(program.secret)),
        "MEASURES": tuple(measures),
        "INVARIANTS": (),
        "SEATS": layout.seats,
        "HAS_ANYTIME": int(program.anytime is not None),
    }


def _build_search_tables(rules: Ruleset, program: Executable) -> dict[str, Any]:
    """Return what those who search ask of a match: what it is worth, who holds what, which answers others see."""
    visibility = rules.visibility(program)
    answers = rules.labels(program).answers
    unseen: list[tuple[int, ...]] = [()] * len(program.blocks)
    questions = program.questions if visibility.hides or program.secret else {}
    for number, question in questions.items():
        effect = question.effect
        lines = len(effect.options) if isinstance(effect, Menu) else 1
        unseen[number] = tuple([int(effect is not None and answers.secret(effect, line)) for line in range(lines)])
    return {
        "SCORE": program.score,
        "CRITERIA": tuple([one for one in (program.among, program.score, *program.ties) if one is not None]),
        "AMONG": program.among,
        "WINS": program.wins,
        "VALUE": program.values.get("greedy"),
        "HOLDINGS": visibility.holdings() if questions else (),
        "MENUS": tuple(sorted(number for number, question in questions.items() if question.kind == "menu")),
        "UNSEEN_LINES": tuple(unseen),
    }
