"""Writes a match as a scenario, which `patolli test` replays. It passes while the rules lead to the same result."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from patolli.author.scenarios.value_writer import quote_scalar, written_list
from patolli.run.runtime import Match
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.table import Table

WIDE = 110
"""Characters in a line of choices."""


def write_scenario(table: Table, name: str = "") -> str:
    """Return a document with one scenario: choices so far, and the result. Raises Refused: the state was edited."""
    setup, match = table.setup, table.match
    if match.edits:
        raise Refused(409, "the state was edited, which a scenario cannot express; record an earlier moment")
    number = len(match.choices)
    name = name or f"played_{table.id}_{number}"
    lines = ["document: scenarios", "text: A match that was recorded in the studio.", "", "scenarios:"]
    lines += [f"  {name}:", f"    text: The first {number} choices of the match.", f"    players: {setup.players}"]
    lines += [f"    seed: {setup.seed}"]
    if setup.modules:
        lines.append(f"    with: {written_list(list(setup.modules))}")
    if setup.options:
        given = (f"{option}: {quote_scalar(str(value))}" for option, value in sorted(setup.options.items()))
        lines.append(f"    options: {{{', '.join(given)}}}")
    lines.append("    start: set_up")
    if number:
        lines += ["    choose:", *_answers(table)]
    return "\n".join([*lines, *_outcome(match)]) + "\n"


def _answers(table: Table) -> Iterator[str]:
    """Yield the lines of all choices; group consecutive choices of a player."""
    match = table.rules.start(table.setup.players, table.setup.seed)
    answers: list[tuple[int, str]] = []
    for index in table.match.choices:
        decision = match.decision
        assert decision is not None
        answers.append((decision.player, _answer(decision.labels, index)))
        match.pick(index)
    for seat, several in groupby(answers, lambda one: one[0]):
        yield from _row(f"player_{seat + 1}", [answer for _, answer in several])


def _answer(labels: tuple[str, ...], index: int) -> str:
    """Return a choice as text: its label, or its index if the label is not unique."""
    label = labels[index]
    if labels.index(label) == index or str(index) in labels:
        return quote_scalar(label) if not label.isdigit() else f'"{label}"'
    return str(index)


def _row(who: str, answers: list[str]) -> Iterator[str]:
    if len(answers) == 1:
        yield f"      - {who}: {answers[0]}"
        return
    row: list[str] = []
    for answer in answers:
        if row and sum(map(len, row)) + 2 * len(row) + len(answer) > WIDE - 20:
            yield f"      - {who}: {written_list(row)}"
            row = []
        row.append(answer)
    yield f"      - {who}: {written_list(row)}"


def _outcome(match: Match) -> Iterator[str]:
    """Yield the lines of the result: scores, and the winners or the open options."""
    yield f"    scores: {list(match.scores)}"
    if match.over:
        yield "    over: true"
        yield f"    winners: {written_list([f'player_{seat + 1}' for seat in match.winners])}"
    elif match.decision is not None:
        labels = [f'"{label}"' if label.isdigit() else quote_scalar(label) for label in match.decision.labels]
        yield f"    pending: {written_list(labels)}"
