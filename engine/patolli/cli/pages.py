"""The pages of ``patolli show``: for each a function that collects data, and one that writes it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from patolli.author.lookup.places import components, near, text_of, where
from patolli.language.diagnostics import Span
from patolli.language.sources import Mapping, Node, Scalar, Sequence
from patolli.language.sources.nodes import text_at

if TYPE_CHECKING:
    from patolli.run.runtime import Ruleset

Data = dict[str, Any]


# ---- overview


def overview(rules: Ruleset) -> Data:
    """Return what a ruleset holds: components, options, modules, rules, and more."""
    from patolli.cli.matrix import modules_of
    from patolli.run.compiler.layout import lay_out

    model = rules.model
    layout = lay_out(rules.resolved_program, rules.players[1])
    return {
        "pack": rules.id,
        "version": rules.packs[0].version,
        "title": rules.title,
        "text": " ".join(rules.packs[0].text("text").split()),
        "players": {"min": rules.players[0], "max": rules.players[1]},
        "modules": rules.module_ids,
        "available_modules": list(modules_of(rules.packs[0])),
        "options": {name: _describe_option(rules, name) for name in model.options},
        "components": components(layout),
        "per_player": [kind.name for kind in model.kinds.values() if kind.per_player],
        "counters": {counter.name: counter.text for counter in model.counters.values()},
        "places": {place.name: place.of for place in model.places.values()},
        "functions": list(model.composition.sections["functions"]),
        "rules": {entry.id: text_of(entry) for entry in model.composition.all("rules")},
        "content_hash": rules.content_hash,
    }


def _describe_option(rules: Ruleset, name: str) -> Data:
    option = rules.model.options[name]
    data: Data = {"choices": list(option.choices)} if option.choices else {"range": [option.low, option.high]}
    return {**data, "default": option.default, "value": rules.chosen.get(name, option.default), "text": option.text}


def overview_text(data: Data) -> str:
    """Write the overview for people."""
    low, high = data["players"].values()
    players = f"{low} players" if low == high else f"{low} to {high} players"
    lines = [f"{data['title']} ({data['pack']} {data['version']}), {players}"]
    lines += textwrap.wrap(data["text"], 78)
    lines += ["", "Pieces (with the most players)"]
    lines += _format_columns([f"{number:>4} {kind}" for kind, number in data["components"].items()])
    if data["options"]:
        lines += ["", "Options"]
        for name, option in data["options"].items():
            values = ", ".join(option["choices"]) if "choices" in option else "{} to {}".format(*option["range"])
            lines += [f"  {name} = {option['value']} ({values})", *_indent_text(option["text"])]
    for title, names in (("Modules in use", data["modules"]), ("Modules", data["available_modules"])):
        lines += ["", title, *_format_columns([f"  {name}" for name in names])] if names else []
    lines += ["", "Counters", *_format_columns([f"  {name}" for name in data["counters"]])]
    if data["places"]:
        lines += ["", "Places", *_format_columns([f"  {name} of {kind}" for name, kind in data["places"].items()])]
    lines += ["", "Rules"]
    for name, text in data["rules"].items():
        lines.append(f"  {name}" + (f": {textwrap.shorten(text, 74 - len(name), placeholder=' ...')}" if text else ""))
    return "\n".join(lines)


def _indent_text(text: str) -> list[str]:
    return textwrap.wrap(text, 78, initial_indent="      ", subsequent_indent="      ")


def _format_columns(cells: list[str]) -> list[str]:
    """Set short texts in columns, down first."""
    width = max((len(cell) for cell in cells), default=1) + 2
    across = max(1, 80 // width)
    down = -(-len(cells) // across)
    return ["".join(cell.ljust(width) for cell in cells[row::down]).rstrip() for row in range(down)]


# ---- layers


def layers(rules: Ruleset) -> Data:
    """Return for each pack, in order of composition, what it wrote and what it changed."""
    entries = [entry for part in rules.model.composition.sections.values() for entry in part.values()]
    found = []
    for pack in rules.packs:
        changes = [
            {"id": text_at(node, how), "how": how, "where": where(node.span), "of": entry.pack}
            for entry in entries
            for by, how, node in entry.changed
            if by == pack.id
        ]
        wrote = {e.section: sum(x.pack == pack.id and x.section == e.section for x in entries) for e in entries}
        found.append(
            {
                "pack": pack.id,
                "version": pack.version,
                "wrote": {s: n for s, n in wrote.items() if n},
                "changed": changes,
            }
        )
    return {"layers": found}


def layers_text(data: Data) -> str:
    """Write the layers for people."""
    lines = []
    for number, layer in enumerate(data["layers"], 1):
        wrote = ", ".join(_format_count(count, section) for section, count in layer["wrote"].items())
        head = f"{number}. {layer['pack']} {layer['version']} wrote {wrote or 'nothing'}"
        lines += textwrap.wrap(head, 100, subsequent_indent="   ")
        lines += [f"   {c['how']} {c['id']} of {c['of']} at {c['where']}" for c in layer["changed"]]
    return "\n".join(lines)


def _format_count(count: int, section: str) -> str:
    one = section.removesuffix("s") if section.endswith("s") else section
    return f"{count} {one if count == 1 else section}"


# ---- assumptions


def assumptions(rules: Ruleset) -> Data:
    """Return every place where no source gives a value: ``source: assumed``, perhaps with words after it.

    What a module changes counts like what it declares; of both, the words of the nearer one are shown.
    """
    found: dict[str, Data] = {}
    for part in rules.model.composition.sections.values():
        for entry in part.values():
            changes = [(node, _read_text(node) or text_of(entry)) for _, _, node in entry.changed]
            for node, text in [(entry.node, text_of(entry)), *changes]:
                for span, source, nearest in _find_assumptions(node):
                    one = {
                        "id": entry.id,
                        "section": entry.section,
                        "where": where(span),
                        "source": source,
                        "text": nearest or text,
                    }
                    found.setdefault(one["where"], one)
    return {"pack": rules.id, "modules": rules.module_ids, "assumptions": list(found.values())}


def _read_text(change: Node) -> str:
    return " ".join(text_at(change, "text").split())


def _find_assumptions(node: Node, inside: bool = False) -> Iterator[tuple[Span, str, str]]:
    """Yield each place without a source, with what it says; in a part of an entry, with the text beside it."""
    if isinstance(node, Mapping):
        source = node.get("source")
        if isinstance(source, Scalar) and source.value.startswith("assumed"):
            yield source.span, " ".join(source.value.split()), _read_text(node) if inside else ""
        for _, value in node.items.values():
            yield from _find_assumptions(value, True)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _find_assumptions(item, True)


def assumptions_text(data: Data) -> str:
    """Write the assumptions for people, one per line, each with its place."""
    lines = []
    for one in data["assumptions"]:
        words = [one["text"]] if one["text"] else []
        words += [f"({one['source']})"] if one["source"] != "assumed" else []
        lines.append(": ".join([one["where"], f"{one['section']}/{one['id']}", *([" ".join(words)] if words else [])]))
    return "\n".join([*lines, f"{len(lines)} assumptions"])


# ---- promises


def promises(rules: Ruleset) -> Data:
    """Return every place where something is promised, with its reason, or else with the condition in words."""
    from patolli.check.proofs.demands import promises_of
    from patolli.check.prose import expressions as say
    from patolli.check.prose.words import Speech

    found: dict[str, Data] = {}
    for section, name, promise in promises_of(rules.resolved_program):
        said = promise.reason or say.condition(promise.condition, Speech(rules.resolved_program))
        one = {"id": name, "section": section, "where": where(promise.span), "text": said}
        found.setdefault(one["where"], one)
    return {"pack": rules.id, "modules": rules.module_ids, "promises": list(found.values())}


def promises_text(data: Data) -> str:
    """Write the promises for people, one per line, each with its place."""
    lines = [f"{one['where']}: {one['section']}/{one['id']}: {one['text']}" for one in data["promises"]]
    return "\n".join([*lines, f"{len(lines)} promise{'' if len(lines) == 1 else 's'}"])


# ---- code


def code(rules: Ruleset, name: str, form: str = "python") -> str:
    """Return what a rule or function is compiled to, as Python or as WebAssembly, with its lines.

    It is that for the least number of players.

    Raises:
        Unsupported: It is to be WebAssembly, and something of the pack cannot be translated.
    """
    seats = rules.players[0] + rules.model.automated
    if form == "wat":
        from patolli.run.native.wasm_listing import listing as as_wat

        return as_wat(rules, seats, name, near)
    from patolli.run.compiler.python_listing import listing

    return listing(rules.resolved_program, rules.prover, seats, name, near)
