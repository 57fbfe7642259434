"""The workbench of a table: explain missing options, inspect the state, look up entries, and record scenarios.

Below ``/api/tables/TABLE``:

- ``GET why?text=``: ``{asked, offered, call, words, reasons: [{holds, what, values, missing?, parts?, ..}]}`` for the
  label of an option, available or not, or a rule with its values; for the acting player. ``words`` has all as text.
- ``GET refused``: ``[{label, words}]``, options that the open question declares but does not offer.
- ``GET inspect``: ``{counters: [{name, of, value}], fields: [{piece, name, value}], places: [{place, holds: [..]}],
  rules: [{rule, seat}], draws: {stream: number}, edits: [{at, words}], seed, digest}``: the whole state, for clients
  that may see it.
- ``GET source?entry=``: the output of ``patolli show PACK ENTRY --layers --format json`` for a piece, rule, and so on:
  ``{id, section, kind, called, text, does: [{part, sentence}], written, layers, triggers_on, followed_by, named_by,
  file, line, card}``. Only the host gets files and lines; ``card`` is the address of an installed piece in the gallery.
- ``GET record``: ``{name, text}``, the match as a scenario; for clients that may see the whole state.
- ``POST record``: writes the scenario into the folder of the pack, for the host of a local studio: ``{path}``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from patolli.author.lookup.entries import entry_data, find_entry, layers_data, unknown
from patolli.language.sources.archive import archive_of
from patolli.language.sources.atomic_files import write_whole
from patolli.run.compiler.layout import DRAWS, FRAMES, SEED
from patolli.run.runtime.why import find_label
from patolli.run.runtime.why import list_refused_options as declared
from patolli.run.runtime.why import why as asked
from patolli.serve.studio.refusals import Refused
from patolli.serve.studio.scenario_export import write_scenario
from patolli.serve.studio.seats import HOST
from patolli.serve.studio.table_requests import ID
from patolli.serve.studio.wire import answer, at_table, wire

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from patolli.run.runtime import Match, Ruleset
    from patolli.serve.studio.table import Table

LONGEST = 300
"""Limit for the characters of a query."""
PLACES = frozenset({"path", "line", "column", "where", "file", "named_by"})
"""Keys with places in the files of the server."""
Data = dict[str, Any]


async def why(request: Request) -> Response:
    """``GET why``."""
    table, who = await at_table(request)
    text = _get_parameter(request, "text")
    return answer(await wire(request).registry.work(_why, table, who, text))


def _why(table: Table, who: int, text: str) -> Data:
    match = _decides(table, who)
    try:
        found = asked(match, text)
    except ValueError as error:
        label = _label(match, text)
        if not label:
            raise Refused(404, str(error)) from None
        found = asked(match, label)
    data: Data = json.loads(found.to_json())
    words = found.format_lines(found.asked, match.names[found.player], places=who == HOST)
    return {**(data if who == HOST else without_places(data)), "words": words}


def _label(match: Match, words: str) -> str:
    """Return the label of the option that the page shows as *words*, available or not; empty if there is none."""
    wanted = " ".join(words.split()).casefold()
    decision = match.decision
    assert decision is not None
    shown = [(option.label, option.words) for option in decision.options]
    rows = (*shown, *declared(match).items())
    return next((label for label, said in rows if said.casefold() == wanted), "") or find_label(match, wanted)


async def get_refused(request: Request) -> Response:
    """``GET refused``."""
    table, who = await at_table(request)
    return answer(await wire(request).registry.work(_list_refused, table, who))


def _list_refused(table: Table, who: int) -> list[Data]:
    return [{"label": label, "words": words} for label, words in declared(_decides(table, who)).items()]


def _decides(table: Table, who: int) -> Match:
    """Return the match of a table, for a client with the acting player's view. Raises Refused: another one decides."""
    decision = table.match.decision
    if decision is None:
        raise Refused(409, "the match is over")
    if table.eye(who) != decision.player:
        raise Refused(403, "only the acting player can ask why")
    return table.match


async def inspect(request: Request) -> Response:
    """``GET inspect``."""
    table, who = await at_table(request)
    _truth(table, who)
    return answer(await wire(request).registry.work(inspect_state, table.match))


def _truth(table: Table, who: int) -> None:
    if not table.sees_all(who):
        raise Refused(403, "the whole state is available after the end, or to the host of a sandbox")


def inspect_state(match: Match) -> Data:
    """Return the whole state of a match, by name."""
    layout, labels, state = match.program.layout, match.labels, match.state
    instances = layout.instances
    questions = match.program.questions
    return {
        "counters": [
            {"name": name, "of": of, "value": state[slot]} for slot, (name, of) in sorted(labels.counters.items())
        ],
        "fields": [
            {"piece": instances[kind][number].id, "name": name, "value": state[slot]}
            for slot, (kind, name, number) in sorted(labels.fields.items())
        ],
        "places": [
            {"place": place, "holds": _list_held(match, slot)} for slot, place in sorted(labels.holders.items()) if slot
        ],
        "rules": [
            {"rule": questions[frame[0]].rule.rstrip("#") if frame[0] in questions else "", "seat": frame[1]}
            for frame in reversed(state[FRAMES])
        ],
        "draws": {str(stream): number for stream, number in state[DRAWS].items()},
        "edits": [{"at": edit.at, "words": edit.words} for edit in match.edits],
        "seed": state[SEED], "choices": list(match.choices), "digest": match.digest(),
    }  # fmt: skip


def _list_held(match: Match, slot: int) -> list[str]:
    """Return the pieces in the slot of a place."""
    layout, held = match.program.layout, match.state[slot]
    of = layout.model.places[layout.holders[slot]].of
    numbers = held if isinstance(held, list) else [held] if held >= 0 else []
    return [layout.instances[of][number].id for number in numbers]


async def source(request: Request) -> Response:
    """``GET source``."""
    table, who = await at_table(request)
    entry = _get_parameter(request, "entry")
    data = await wire(request).registry.begin(_source, table.rules, who, entry)
    card = card_of(table, data["section"], data["id"]) if wire(request).local else ""
    return answer({**data, "card": card} if card else data)


def _source(rules: Ruleset, who: int, id_: str) -> Data:
    """Return all data of an entry. The name of a piece may start with its owner."""
    id_ = id_.rpartition(".")[2]
    entry = find_entry(rules, id_)
    if entry is None:
        raise Refused(404, unknown(rules, id_))
    data = {**entry_data(rules, entry), "layers": layers_data(rules, entry)["layers"]}
    span = entry.key.span
    data |= {"file": str(Path(span.path).absolute()), "line": span.line, "column": span.column}
    return data if who == HOST else without_places(data)


def card_of(table: Table, section: str, id_: str) -> str:
    """Return the address of a piece in the gallery, which shows installed packs; empty without a card."""
    names = (table.setup.pack, *table.setup.modules)
    if section != "pieces" or not all(map(ID.fullmatch, names)):
        return ""
    more = f"?modules={','.join(names[1:])}" if names[1:] else ""
    return f"/gallery/{names[0]}{more}#pieces-{id_}"


def without_places(data: Any) -> Any:
    """Return data without places in files."""
    if isinstance(data, dict):
        return {name: without_places(one) for name, one in data.items() if name not in PLACES}
    return [without_places(one) for one in data] if isinstance(data, list) else data


async def record(request: Request) -> Response:
    """``GET record`` and ``POST record``."""
    table, who = await at_table(request)
    _truth(table, who)
    registry = wire(request).registry
    name = f"played_{table.id}_{len(table.match.choices)}"
    text = await registry.work(write_scenario, table, name)
    if request.method == "GET":
        return answer({"name": f"{name}.yaml", "text": text})
    if who != HOST or not wire(request).local:
        raise Refused(403, "only the host of a studio on the same machine can write files of packs")
    return answer({"path": await registry.run_in_thread(_store_scenario, table.rules.packs[0].folder, name, text)}, 201)


def _store_scenario(folder: Path, name: str, text: str) -> str:
    """Write a recording beside the other scenarios of a pack; return the path."""
    if archive_of(folder) is not None:
        raise Refused(409, "cannot write into the pack, because it is an archive; download the scenario instead")
    path = folder / "scenarios" / f"{name}.yaml"
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text)
    except OSError as error:
        raise Refused(409, f"cannot write {path}: {error.strerror}") from None
    return str(path)


def _get_parameter(request: Request, name: str) -> str:
    text = request.query_params.get(name, "")
    if not text or len(text) > LONGEST:
        raise Refused(422, f"'{name}' must be a text of at most {LONGEST} characters")
    return text
