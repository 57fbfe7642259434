"""What the checker takes for proven holds in every way through small rules that were made at random."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from proofs.programs import CARDS, MODEL, PACK, Maker, Program, State, everything
from proofs.running import Run
from tiers import few

from patolli.author.workspace import inspect

BATCHES, EACH = 12, 20
STATES, STEPS = 30, 400
PROVEN = ("require", "pay", "choose", "random", "charge", "call")
WRITTEN_WRONGLY = ("P0101", "P0301")
"""What a program may be at random besides: too deep for the checker, or a comparison of a list with a piece."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a pack that waits for its rules."""
    pack = tmp_path_factory.mktemp("programs") / "tiny"
    pack.mkdir()
    for name, text in (("pack", PACK), ("model", MODEL), ("cards", CARDS)):
        (pack / f"{name}.yaml").write_text(text)
    return pack


def reported(folder: Path, program: Program) -> set[int] | None:
    """Return the lines that the checker reports; None where the program is none."""
    (folder / "rules.yaml").write_text(program.text())
    errors = [problem for problem in inspect(str(folder)).problems if problem.severity == "error"]
    if any(problem.code in WRITTEN_WRONGLY for problem in errors):
        return None
    assert {problem.code[:3] for problem in errors} <= {"P04"}, errors
    return {problem.span.line for problem in errors}


def states(draw: Random) -> list[State]:
    """Return states to begin with: each counter within its bounds, each card somewhere."""
    found = []
    for _ in range(STATES):
        counters = {("coin", p): draw.choice((0, 0, 1, 1, 2, 3, 5)) for p in (0, 1)}
        counters |= {("nut", p): draw.randint(0, 3) for p in (0, 1)}
        counters |= {("debt", p): draw.choice((-2, -1, 0, 1, 3)) for p in (0, 1)}
        counters |= {("bell", p): draw.randint(0, 2) for p in (0, 1)}
        counters["pot", 0] = draw.choice((0, 1, 2, 4))
        places: dict[tuple[str, int], tuple[int, ...]] = {}
        cards = [0, 1, 2]
        draw.shuffle(cards)
        places["throne", 0] = (cards.pop(),) if draw.random() < 0.3 else ()
        for place in (("deck", 0), ("hand", 1), ("hand", 0)):
            number = draw.randint(0, len(cards)) if place != ("hand", 0) else len(cards)
            places[place] = tuple(cards.pop() for _ in range(number))
        found.append(State(counters, places, (draw.randint(1, 3), draw.randint(1, 3), draw.randint(1, 3))))
    return found


def follow(folder: Path, seed: int) -> Counter[str]:
    """Go all ways through one program; return how many demands of each kind were proven."""
    draw = Random(seed)
    program = Maker(draw).program()
    lines = reported(folder, program)
    if lines is None:
        return Counter()
    for state in states(draw):
        try:
            Run(program, lines, STEPS).start(state)
        except AssertionError as hole:
            raise AssertionError(f"seed {seed}: {hole}\n{program.text()}") from hole
    steps = [*everything(program.helper), *everything(program.tried)]
    return Counter(step.word for step in steps if step.line not in lines)


@pytest.mark.parametrize("batch", few(range(BATCHES), 0, 4, 8))
def test_what_is_proven_holds(folder, batch):
    proven: Counter[str] = Counter()
    for seed in range(batch * EACH, (batch + 1) * EACH):
        proven += follow(folder, seed)

    assert sum(proven[word] for word in PROVEN) >= 2 * EACH
