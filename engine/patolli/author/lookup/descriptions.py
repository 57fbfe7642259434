"""Say in a few words what a thing is: for hovers and for completions."""

from __future__ import annotations

from pathlib import Path

from patolli.check import prose
from patolli.check.proofs.prover import prover_of
from patolli.language.diagnostics import Span
from patolli.language.program import types as ty
from patolli.language.program.builtins import BUILTINS
from patolli.language.program.model import Program
from patolli.language.resolve.model import Attribute, Counter, Kind, Model, Place, Rule
from patolli.language.sources import Scalar, plain
from patolli.language.syntax import tree as t

WORDS = {
    "me": "the acting player",
    "it": "the piece that this effect or condition stands on",
    "copy": "the number of the copy, from 1",
    "seats": "how many play",
    "players": "all players in the order of seats",
    "player": "the kind of the players",
    "box": "nowhere: pieces in the box take no part",
    "design": "what all copies of a piece have in common",
}


def signature(model: Model, sort: str, id_: str) -> str:
    """Write how a thing is used, on one line."""
    match sort:
        case "rule" | "function":
            thing = model.rules.get(id_) if sort == "rule" else model.functions.get(id_)
            shown = f"{id_}({_format_parameters(thing.parameters, model.bounds_of(id_))})" if thing else id_
            result = model.functions[id_].type if id_ in model.functions else getattr(thing, "returns", None)
            return f"{sort} {shown}" + (f": {plain_type(result)}" if result is not None else "")
        case "counter" if id_ in model.counters:
            return f"counter {id_}" + _format_dims(model.counters[id_].dims)
        case "place" if id_ in model.places:
            return f"place {id_}" + _format_dims(model.places[id_].dims)
        case "fact":
            kind, _, name = id_.partition(".")
            attribute = attribute_of(model, kind, name)
            return f"{kind}.{name}" + (f": {plain_type(attribute.type)}" if attribute else "")
        case "builtin" if id_ in BUILTINS:
            return f"{id_}({', '.join(BUILTINS[id_].parameters)})"
        case "constant" if id_ in model.constants:
            return f"constant {id_}: {plain_type(model.constants[id_].type)}"
        case "piece" | "member" | "choice" if id_ in model.names:
            return f"{model.names[id_][1]} {id_}"
        case "variable":
            return id_.rpartition("'")[2]
    return f"{sort} {id_}"


def _format_parameters(parameters: list[tuple[str, ty.AnyType]], bounds: dict[str, tuple[int, int]]) -> str:
    return ", ".join(_parameter(name, plain_type(type_), bounds.get(name)) for name, type_ in parameters)


def _parameter(name: str, type_: str, bounds: tuple[int, int] | None) -> str:
    if bounds is not None:
        return f"{type_} {bounds[0]}..{bounds[1]} {name}"
    return name if type_ == name else f"{type_} {name}"


def _format_dims(dims: tuple[str, ...]) -> str:
    return f"({', '.join(dims)})" if dims else ""


def plain_type(type_: ty.AnyType) -> str:
    """Write a type as an author writes it."""
    match type_:
        case ty.Maybe():
            return f"{plain_type(type_.of)} or none"
        case ty.Seq():
            return f"list of {plain_type(type_.of)}"
        case ty.Ref() | ty.Design():
            return type_.kind
        case ty.Group() | ty.Type():
            return type_.name
        case ty.Choice():
            return type_.option
    return str(type_)


def attribute_of(model: Model, kind: str, name: str) -> Attribute | None:
    """Return a fact or field of a kind."""
    there = model.kinds.get(kind)
    return there.attributes.get(name) if there else None


# ---- descriptions


def description(model: Model, sort: str, id_: str) -> str:
    """Say in a sentence what a thing is; empty where there is nothing to say."""
    match sort:
        case "counter" if id_ in model.counters:
            return _describe_counter(model.counters[id_])
        case "place" if id_ in model.places:
            return _describe_place(model.places[id_])
        case "kind" if id_ in model.kinds:
            return _describe_kind(model.kinds[id_])
        case "group" if id_ in model.groups:
            return f"One of the counters {', '.join(model.groups[id_])}."
        case "rule" if id_ in model.rules:
            return _describe_rule(model, model.rules[id_])
        case "piece" if id_ in model.designs:
            return _describe_piece(model, id_)
        case "fact":
            return _describe_fact(model, id_)
        case "option" if id_ in model.options:
            option = model.options[id_]
            values = f"one of {', '.join(option.choices)}" if option.choices else f"{option.low} to {option.high}"
            return f"An option of the pack: {values}; {option.default} unless said."
        case "choice" | "member" if id_ in model.names:
            return f"One of {model.names[id_][1]}."
        case "builtin" if id_ in BUILTINS:
            return f"{BUILTINS[id_].text} Example: `{BUILTINS[id_].example}`"
        case "builtin":
            return f"{WORDS[id_].capitalize()}." if id_ in WORDS else "A word of the language."
    return ""


def _describe_counter(counter: Counter) -> str:
    whose = " for the table" if not counter.dims else f" for each {' and '.join(counter.dims)}"
    high = f" to {counter.high.value}" if isinstance(counter.high, t.Number) else " up"
    hidden = "" if counter.visible == "all" else f"; seen by {counter.visible}"
    return f"A number{whose}, from {counter.low}{high}{hidden}."


def _describe_place(place: Place) -> str:
    sorts = {"pile": "A pile", "area": "An area", "spot": "A spot for one piece", "row": "A row of numbered spots"}
    whose = f", one for each {' and '.join(place.dims)}" if place.dims else ""
    seen = "all but its owner" if place.visible == "others" else place.visible
    hidden = "" if seen == "all" else f"; seen by {seen}"
    return f"{sorts.get(place.type, 'A place')} of kind {place.of}{whose}{hidden}."


def _describe_kind(kind: Kind) -> str:
    if kind.grid:
        rows, columns, levels = kind.grid[:3]
        if kind.over:
            return f"A stack of {levels} levels over {kind.over}, with {len(kind.members or ())} positions."
        more = ", with the options as they are" if len(kind.sizes) > 1 else ""
        form = "hexagons in " if kind.grid[3:] == (1,) else ""
        return f"A grid of {form}{rows} rows and {columns} columns{more}."
    if kind.is_record:
        fields = ", ".join(f"{one.name} ({one.type}{_describe_bounds(one)})" for one in kind.facts.values())
        return f"A record of {fields}: `{kind.name}({', '.join(kind.facts)})`."
    if kind.members is not None:
        return f"One of {', '.join(kind.members[:12])}{' ...' if len(kind.members) > 12 else ''}."
    facts, fields = ", ".join([*kind.facts, *kind.formulas]), ", ".join(kind.fields)
    parts = [
        f"{len(kind.designs)} different ones" if len(kind.designs) > 1 else "",
        f"facts {facts}" if facts else "",
        f"fields {fields}" if fields else "",
    ]
    said = "; ".join(part for part in parts if part)
    return f"A kind{', some for each player' if kind.per_player else ''}{': ' if said else ''}{said}."


def _describe_rule(model: Model, rule: Rule) -> str:
    summary = prover_of(model).summaries.rules.get(rule.name) if model.program is not None else None
    was = rule.inner if rule.instead and rule.inner is not None else rule
    steps = [step.name for step in (was.inner or was).steps if "'" not in step.name]
    joining = model.joining(rule.name)
    before, after = (sum(when == one and not step for when, step, _ in joining) for one in ("before", "after"))
    inside = sum(bool(step) for _, step, _ in joining)
    parts = [
        f"A rule in {len(steps)} steps: {', '.join(steps)}" if len(steps) > 1 else "A rule",
        "it may ask a player" if summary is not None and summary.asks else "",
        _format_number(before, "comes", "come") + " before it" if before else "",
        _format_number(inside, "joins", "join") + " its steps" if inside else "",
        _format_number(after, "follows", "follow") + " it" if after else "",
        _format_number(len(rule.instead), "may take", "may take") + " its place" if rule.instead else "",
        "a module has put another in its place" if was.inner else "",
    ]
    return f"{'; '.join(part for part in parts if part)}."


def _format_number(count: int, one: str, many: str) -> str:
    return f"{count} effect {one}" if count == 1 else f"{count} effects {many}"


def _describe_piece(model: Model, id_: str) -> str:
    design = model.designs[id_]
    copies = design.copies
    number = f", {copies.value} copies" if isinstance(copies, t.Number) else ", in copies" if copies else ""
    return f"A piece of kind {design.kind}{number}."


def _describe_fact(model: Model, id_: str) -> str:
    kind, _, name = id_.partition(".")
    attribute = attribute_of(model, kind, name)
    if attribute is None:
        return ""
    hidden = "" if attribute.visible == "all" else f"; seen by {attribute.visible}"
    hidden += f" unless {attribute.unless}" if attribute.unless else ""
    of = "each player" if kind == "player" else kind
    sort = "field that may change" if attribute.mutable else "field" if model.kinds[kind].is_record else "fact"
    return f"A {sort} of {of}: {attribute.type}{_describe_bounds(attribute)}{hidden}."


def _describe_bounds(attribute: Attribute) -> str:
    return f" from {attribute.low} to {attribute.high}" if attribute.low is not None else ""


def text(model: Model, sort: str, id_: str) -> str:
    """Return what the author wrote about a thing."""
    match sort:
        case "fact":
            attribute = attribute_of(model, *id_.split(".", 1))
            return attribute.text if attribute else ""
        case "option":
            return model.options[id_].text if id_ in model.options else ""
    for entries in model.composition.sections.values():
        said = entries[id_].get("text") if id_ in entries else None
        if isinstance(said, Scalar):
            return " ".join(said.value.split())
    return ""


SECTIONS = {"rule": "rules", "function": "functions", "piece": "pieces"}
SAID = 8
"""Sentences of one piece that a hover shows."""


def sentence(model: Model, sort: str, id_: str) -> str:
    """Say in English what a thing does, as Markdown: one quoted line after the other."""
    section, program = SECTIONS.get(sort, ""), model.program
    known = program is not None and _written_text(program, section, id_) == _written_text(model, section, id_)
    reported = prose.describe_entry(program, section, id_) if program is not None and known else []
    lines = [line for _, said in reported[:SAID] for line in said.splitlines()]
    lines += ["..."] if len(reported) > SAID else []
    return "\n".join(f"> {_indent_text(line)}  " for line in lines)


def _written_text(what: Model | Program, section: str, id_: str) -> object:
    """Return the words of an entry; after a mistake the program is of an older text."""
    entry = what.composition.sections.get(section, {}).get(id_)
    return entry and [plain(entry.node), *(plain(node) for *_, node in entry.changed)]


def _indent_text(line: str) -> str:
    """Keep the blanks that open a line, which Markdown would leave out."""
    text = line.lstrip()
    return "\u2003" * ((len(line) - len(text)) // 2) + text


def page(model: Model, sort: str, id_: str, declared: list[Span], type_: str = "") -> str:
    """Write what a hover shows, in Markdown; the *type* of a variable is not known to the model."""
    used = signature(model, sort, id_) + (f": {type_}" if type_ else "")
    parts = [f"```\n{used}\n```", text(model, sort, id_), sentence(model, sort, id_), description(model, sort, id_)]
    if declared and sort != "variable":
        parts.append(f"Declared in `{Path(declared[0].path).name}`, line {declared[0].line}.")
    return "\n\n".join(part for part in parts if part)
