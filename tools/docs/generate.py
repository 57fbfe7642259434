"""Write what is made from the source: pages of ``docs/reference`` and ``docs/gallery``, and what VS Code colours.

    python tools/docs/generate.py            write them
    python tools/docs/generate.py --check    exit with 1 when one of them is not up to date

Built-in functions come from the checker's register, the grammar from the parser, the keys of documents from the
schemas, problems from the register behind ``patolli explain``, commands from their own help texts, and games of the
gallery from their packs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click

from patolli.cli.main import COMMANDS, main
from patolli.language.diagnostics.codes import DEMANDS, FAMILIES, OF_DEMANDS, Code
from patolli.language.program.builtins import BUILTINS
from patolli.language.sources.documents import KINDS
from patolli.language.syntax.forms import FORMS
from patolli.language.syntax.parser import grammar_text
from patolli.language.syntax.words import SINCE

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tools" / "docs")]

import gallery  # noqa: E402 - the path is set first
import python_pages  # noqa: E402

SPECIAL = {"owned": "kind", "place_of": "piece, place", "number": "instance"}
"""Arguments that read better than the words of the register."""


def fenced(text: str, language: str = "text") -> str:
    """Put *text* into a block."""
    return f"```{language}\n{text.rstrip()}\n```"


def page(title: str, about: str, *parts: str) -> str:
    """Make a page of its parts."""
    return "\n\n".join((f"# {title}", about, *parts)) + "\n"


def builtins() -> str:
    """List the functions of the engine, with signature, text and example."""
    about = (
        "These functions are part of the language. Each example is true in a little pack with a few cards, tokens and "
        "a grid of three by three cells, and is tried there by the tests."
    )
    parts = []
    for name in sorted(BUILTINS):
        builtin = BUILTINS[name]
        arguments = SPECIAL.get(name, ", ".join(builtin.parameters))
        parts.append(f"## {name}\n\n{fenced(f'{name}({arguments})')}\n\n{builtin.text}\n\nExample: `{builtin.example}`")
    return page("Built-in functions", about, *parts)


def grammar() -> str:
    """Show the grammar of effects, expressions and costs."""
    about = (
        "The small texts inside YAML documents (effects, expressions, costs) follow this grammar, in the notation of "
        "[Lark](https://lark-parser.readthedocs.io/en/stable/grammar.html). [The language]"
        "(../language/index.md) says what they mean."
    )
    return page("Grammar", about, fenced(grammar_text()))


def _value(example: Any) -> str:
    return json.dumps(example, ensure_ascii=False) if not isinstance(example, str) else example


def _kind(schema: dict[str, Any]) -> str:
    """Say which definition the value of a key follows, as a link where there is one."""
    for place in (schema, schema.get("items"), schema.get("additionalProperties")):
        if isinstance(place, dict) and "$ref" in place:
            return str(place["$ref"]).rpartition("/")[2]
    return ""


def _code(text: str) -> str:
    """Write *text* as code in a cell of a table."""
    mark = "``" if "`" in text else "`"
    return f"{mark}{' '.join(text.split())}{mark}".replace("|", "\\|")


def _table(document: str, schema: dict[str, Any], definitions: dict[str, Any]) -> str:
    rows = ["| key | what it says | example |", "| --- | --- | --- |"]
    needed = schema.get("required", [])
    for key, value in schema["properties"].items():
        target = _kind(value)
        said = value.get("description", definitions.get(target, {}).get("description", "")).replace("|", "\\|")
        if definitions.get(target, {}).get("properties"):
            said += f" See [{target}](#{document}-{target})."
        values = value.get("enum", definitions.get(target, {}).get("enum", []))
        if any(f"`{one}`" not in said for one in values):
            said += f" One of {', '.join(f'`{one}`' for one in values)}."
        if key in needed:
            said += " **Required.**"
        examples = value.get("examples") or definitions.get(target, {}).get("examples") or [""]
        example = _code(_value(examples[0])) if examples[0] != "" else ""
        rows.append(f"| `{key}` | {said} | {example} |")
    return "\n".join(rows)


def _document(name: str) -> Iterator[str]:
    schema = json.loads((ROOT / "schemas" / f"{name}.json").read_text("utf-8"))
    definitions = schema.get("$defs", {})
    yield f"## {name}\n\n{schema['description']}\n\n{_table(name, schema, definitions)}"
    for key, definition in definitions.items():
        if definition.get("properties"):
            heading = f"### {name}: {key} {{#{name}-{key}}}"
            yield f"{heading}\n\n{definition.get('description', '')}\n\n{_table(name, definition, definitions)}"
        for case in definition.get("allOf", ()):
            ((which, value),) = case["if"]["properties"].items()
            said = f"**`{which}: {value['const']}`**: {case['then']['description']}"
            yield f"{said}\n\n{_table(name, case['then'], definitions)}"


def documents() -> str:
    """List the keys of all documents, with what they say and an example."""
    about = (
        "Every file of a pack is a document; its first key, `document`, says its kind. An example is written as "
        "JSON, which is YAML, too."
    )
    return page("Documents", about, *(part for name in KINDS for part in _document(name)))


def _problem(code: Code) -> Iterator[str]:
    """Say what ``patolli explain`` says."""
    yield f"### {code.code}: {code.title} {{#{code.code}}}"
    yield f"*{code.severity.capitalize()}.* {code.meaning} {code.why}".rstrip()
    if code.code in DEMANDS:
        yield OF_DEMANDS
    for heading, example in (("Wrong:", code.wrong), ("Right:", code.right)):
        if example:
            yield f"{heading}\n\n{fenced(example, 'yaml')}"


def errors() -> str:
    """List all codes, family by family."""
    rows = ["| codes | about |", "| --- | --- |"]
    parts = []
    for family in FAMILIES:
        ranges = ", ".join("{} to {}".format(*one.split("-")) for one in family.ranges)
        rows.append(f"| {ranges} | {family.title} |")
        parts.append(f"## {family.title}")
        parts.extend(part for code in family.codes.values() for part in _problem(code))
    about = (
        "All problems that the checker reports, by code. `patolli explain CODE` says the same at the terminal. A code "
        "keeps its meaning for ever. A new one takes the first free number of its subject. Codes never move, so some "
        "subjects have more than one range, and one without room in its hundred goes on a thousand higher: P14xx after "
        "P04xx."
    )
    return page("Problems", about, "\n".join(rows), *parts)


def _commands(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
    context = click.Context(command, parent, name, terminal_width=80, help_option_names=["-h", "--help"])
    level = "##" if parent is None or parent.parent is None else "###"
    yield f"{level} {context.command_path}\n\n{fenced(command.get_help(context))}"
    if isinstance(command, click.Group):
        for key in command.list_commands(context):
            inner = command.get_command(context, key)
            assert inner is not None
            yield from _commands(inner, key, context)


def cli() -> str:
    """Show the help of every command."""
    about = f"`patolli` has {len(COMMANDS)} commands. This is what each says with `--help`."
    return page("Commands", about, *_commands(main, "patolli", None))


FOR_PEOPLE = (
    "text title source label note phrase name noun heading cause told category authors means choose pending".split()
)
"""Keys whose values are words for people, or labels."""


def _coloured(name: str, into: str, patterns: list[dict[str, Any]]) -> str:
    scope = f"patolli.{name}"
    return json.dumps({"scopeName": scope, "injectionSelector": into, "patterns": patterns}, indent=2) + "\n"


def _words() -> str:
    """Return a pattern for the words that begin an effect."""
    formed = [r"\s+".join(form.parts[0].words).replace("~", r"\s+") for form in FORMS.values()]
    words = dict.fromkeys([*(word for added in SINCE.values() for word in added.statements), *formed])
    return rf"({'|'.join(sorted(words, key=len, reverse=True))})\b"


def _pattern(comment: str, before: str, after: str = "") -> dict[str, Any]:
    colour = {"1": {"name": "keyword.control.patolli"}}
    return {"comment": comment, "match": f"{before}{_words()}{after}", "captures": colour}


def first_words() -> str:
    """Write the pattern by which VS Code colours the first word of an effect on the line of its key.

    A scalar of YAML is a string from its second letter on, so this has to come before it is one.
    """
    before = "(?<=: )" + "".join(rf"(?<!\b{key}: )" for key in (*FOR_PEOPLE, r"player_\d"))
    pattern = _pattern(
        "A value that begins with a word of an effect; no key, and nothing for people.", before, "(?! *:)"
    )
    return _coloured("first", "L:source.yaml -string -comment", [pattern])


def later_words() -> str:
    """Write the pattern for the words inside texts: behind a semicolon, a colon or the quote that opens the text."""
    opened = r"\G" + "".join(rf"(?<!\b{key}: [\"'])" for key in FOR_PEOPLE)
    pattern = _pattern("Where an effect can begin inside a text.", rf"(?:{opened}|(?<=; )|(?<=: ))")
    return _coloured("later", "L:source.yaml string -entity.name.tag -string.prose", [pattern])


def block_words() -> str:
    """Write the pattern for the words that begin the lines of a block."""
    pattern = _pattern("The beginning of a line in a block.", r"(?:\G|^ *)")
    return _coloured("block", "L:source.yaml string.unquoted.block", [pattern])


def prose() -> str:
    """Write the patterns that keep texts for people plain.

    In blocks that is the line of their key and what stands further right, inside braces the value up to its end.
    """
    keys = "|".join(FOR_PEOPLE)
    kept = {"2": {"name": "entity.name.tag.yaml"}, "3": {"name": "punctuation.separator.key-value.mapping.yaml"}}
    patterns: list[dict[str, Any]] = [
        {"begin": rf"^( *){dash}({keys})(:)(?= +[^ \[{{])", "end": rf"^(?!\1{deeper} |\s*$)", "beginCaptures": kept,
         "contentName": "string.prose.patolli"}
        for dash, deeper in (("", ""), ("- ", "  "))
    ]  # fmt: skip
    quoted = r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[^\"'\[{,}\]][^,}\]]*"
    inside = {**kept, "2": kept["3"], "1": kept["2"], "3": {"name": "string.prose.patolli"}}
    patterns.append({"match": rf"(?<=[{{,] |[{{,])({keys})(:) +({quoted})", "captures": inside})
    return _coloured("prose", "L:source.yaml -string -comment", patterns)


GENERATED: dict[str, Callable[[], str]] = {
    "docs/reference/builtins.md": builtins,
    "docs/reference/grammar.md": grammar,
    "docs/reference/documents.md": documents,
    "docs/reference/errors.md": errors,
    "docs/reference/cli.md": cli,
    "docs/python/match.md": python_pages.match_page,
    "docs/python/simulate.md": python_pages.simulate_page,
    "docs/python/environments.md": python_pages.environments_page,
    "docs/python/frames.md": python_pages.frames_page,
    "tools/vscode/syntaxes/patolli.first.json": first_words,
    "tools/vscode/syntaxes/patolli.later.json": later_words,
    "tools/vscode/syntaxes/patolli.block.json": block_words,
    "tools/vscode/syntaxes/patolli.prose.json": prose,
    **gallery.pages(),
}
"""Path of a file: the function that makes its text."""


def stale() -> list[str]:
    """Return the paths of the files that differ from the source."""
    return [
        name
        for name, make in GENERATED.items()
        if not (ROOT / name).exists() or (ROOT / name).read_text("utf-8") != make()
    ]


def run(arguments: list[str]) -> int:
    """Write the files, or only look at them."""
    found = stale()
    for name in found:
        if "--check" not in arguments:
            (ROOT / name).write_text(GENERATED[name](), "utf-8")
        print(f"{name}: {'not up to date' if '--check' in arguments else 'written'}")
    return int(bool(found) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
