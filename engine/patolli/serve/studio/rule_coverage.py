"""Coverage of a match: the rules that it has reached, counted like in ``patolli test --coverage``.

Below ``/api/tables/TABLE``, for clients that may see the whole state:

- ``GET coverage``: ``{lines, reached, ways, taken, files: [{file, lines, reached}]}``, for the rules of all packs of
  the table.
- ``GET coverage?entry=``: also ``entry: {id, file, first, lines: [{text, state, missed: [..]}]}`` for an entry that
  ``source`` finds. ``state`` is ``reached``, ``partly`` (a branch was not taken), ``missed``, or empty for a line
  without a rule.

The choices are replayed with instrumented rules, so the match itself runs at full speed. The instrumented rules are
cached per table, and continue from their last choice.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patolli.author.lookup.entries import find_entry, layers_data, unknown
from patolli.author.scenarios.coverage.marks import Marks
from patolli.author.scenarios.coverage.pages import Page, pages
from patolli.author.workspace import inspect
from patolli.language.sources.read import read_file
from patolli.run.runtime.edits import with_edits
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.wire import answer, at_table, wire
from patolli.serve.studio.workbench import LONGEST

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.run.runtime import Match, Ruleset
    from patolli.serve.studio.acts import Setup
    from patolli.serve.studio.table import Table

KEPT = 4
"""Tables whose instrumented rules are cached. They take as much memory as the rules of a match."""
Data = dict[str, Any]


@dataclass(slots=True)
class CoverageRecord:
    """Instrumented rules, and the match that was replayed with them so far."""

    rules: Ruleset
    hash: str
    marks: Marks
    always: frozenset[tuple[str, int, int, str]]  # marks of code that runs at compile time
    match: Match | None = None


_records: OrderedDict[str, CoverageRecord] = OrderedDict()


async def coverage(request: Request) -> Response:
    """``GET coverage``."""
    table, who = await at_table(request)
    if not table.sees_all(who):
        raise Refused(403, "coverage is available after the end, or to the host of a sandbox")
    entry = request.query_params.get("entry", "")
    if len(entry) > LONGEST:
        raise Refused(422, f"'entry' must be a text of at most {LONGEST} characters")
    registry = wire(request).registry
    record = _records.get(table.id)
    if record is None or record.hash != table.rules.content_hash:
        record = _records[table.id] = await registry.beside(_load_rules, table.setup, table.rules)
        while len(_records) > KEPT:
            _records.popitem(last=False)
    return answer(await registry.beside(_describe_coverage, table, record, entry))


def _load_rules(setup: Setup, played: Ruleset) -> CoverageRecord:
    """Load the rules of a table with instrumentation."""
    rules = inspect(setup.pack, setup.modules, setup.options, warnings=False).ruleset
    if rules is None or rules.content_hash != played.content_hash:
        raise Refused(409, "the files have changed; coverage is available again when the match uses them")
    marks = Marks()
    marks.instrument(rules.resolved_program)
    program = rules.program(setup.players + rules.model.automated, narrate=True)
    marks.watch(program)
    return CoverageRecord(rules, rules.content_hash, marks, frozenset(marks.hits))


def _describe_coverage(table: Table, record: CoverageRecord, id_: str) -> Data:
    _follow(table, record)
    book = pages(record.marks)
    data: Data = {
        "lines": sum(len(page.lines) for page in book.values()),
        "reached": sum(len(page.reached) for page in book.values()),
        "ways": sum(len(page.ways) for page in book.values()),
        "taken": sum(len(page.taken) for page in book.values()),
        "files": [
            {"file": _short(path), "lines": len(page.lines), "reached": len(page.reached)}
            for path, page in sorted(book.items())
        ],
    }
    return {**data, "entry": _entry(table, book, id_)} if id_ else data


def _short(path: str) -> str:
    return "/".join(Path(path).parts[-2:])


def _follow(table: Table, record: CoverageRecord) -> None:
    """Replay the new choices of the table, or all of them after an undo."""
    played, match = table.match, record.match
    wanted, edits = played.choices[:], played.edits
    if match is None or not _leads_to(match, played):
        record.marks.hits.clear()
        record.marks.hits.update(record.always)
        match = record.rules.start(table.setup.players, table.setup.seed, narrate=True)
        match = with_edits(match, edits)
    for choice in wanted[len(match.choices) :]:
        match.pick(choice)
        match = with_edits(match, edits)
    record.match = match


def _leads_to(match: Match, to: Match) -> bool:
    """Return whether one match continues another, without undo or edits in between."""
    made = len(match.choices)
    return to.choices[:made] == match.choices and match.edits == tuple(edit for edit in to.edits if edit.at <= made)


def _entry(table: Table, book: dict[str, Page], id_: str) -> Data:
    """Return the lines of an entry with their coverage."""
    entry = find_entry(table.rules, id_.rpartition(".")[2])
    if entry is None:
        raise Refused(404, unknown(table.rules, id_))
    span, path = entry.key.span, str(Path(entry.key.span.path).absolute())
    words = layers_data(table.rules, entry)["layers"][0]["words"]
    text, _ = read_file(Path(span.path))
    page, number = book.get(path, Page(path)), len(words.splitlines())
    lines = (text or "").splitlines()[span.line - 1 : span.line - 1 + number]
    return {
        "id": entry.id, "file": _short(path), "first": span.line,
        "lines": [_line(page, at, line) for at, line in enumerate(lines, span.line)],
    }  # fmt: skip


def _line(page: Page, at: int, text: str) -> Data:
    missed = [way for arc, way in page.ways.items() if arc[0] == at and arc not in page.taken]
    state = "" if at not in page.lines else "missed" if at not in page.reached else "partly" if missed else "reached"
    return {"text": text, "state": state, "missed": missed if state == "partly" else []}
