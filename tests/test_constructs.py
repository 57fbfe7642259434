"""Whatever a later version of the language brings is known to all who have to know of it.

Each row of ``constructs/*.yaml`` is one construct, beside a little document that uses it in the sample pack. What has to
be there is taken from the declarations: forms, lines of the grammar, words, built-in functions and keys.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from packmaker import SAMPLE, loaded, problems, spliced
from randompacks.features import wanted
from ruamel.yaml import YAML

from patolli.author.scenarios import Plan, run_scenarios
from patolli.author.scenarios.coverage.measure import report_coverage
from patolli.author.scenarios.scenario_report import failure_text
from patolli.check import prose
from patolli.language.program.builtins import BUILTINS
from patolli.language.syntax.formatter import format_text
from patolli.language.syntax.forms import FORMS
from patolli.language.syntax.words import NEWEST, SINCE
from patolli.serve.lsp.completion import offers_at
from patolli.serve.lsp.hover_text import page_at
from patolli.serve.lsp.project import Project

TABLE = Path(__file__).parent / "constructs"
ROOT = Path(__file__).parents[1]
DOCS, SCHEMAS, ENGINE = ROOT / "docs" / "reference", ROOT / "schemas", ROOT / "engine" / "patolli"
DECISIONS = ROOT / "docs" / "decisions"
DOCUMENTS = ("pack", "model", "pieces", "rules", "patch", "panels")  # scenarios are of no version
RULE = "document: rules\nrules:\n  tested: "
ROWS = {
    what: row
    for file in sorted(TABLE.glob("*.yaml"))
    if file.stem != "first"
    for what, row in YAML(typ="safe").load(file.read_text("utf-8")).items()
}
KNOWN = {name for row in ROWS.values() for name in row["brings"]}
each = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)


# ---- what there is


def keys(document: str) -> Iterator[str]:
    """Yield the keys of a kind of document, and the words that a key takes, as the table of the first version has them."""
    schema = json.loads((SCHEMAS / f"{document}.json").read_text("utf-8"))
    for where, part in ((document, schema), *schema["$defs"].items()):
        for key, value in part.get("properties", {}).items():
            path = f"{document}.{key}" if where == document else f"{document}.{where}.{key}"
            yield path
            yield from (f"{path}={word}" for word in value.get("enum", ()))


def first() -> set[str]:
    """Return the same of the first version."""
    found = YAML(typ="safe").load((TABLE / "first.yaml").read_text("utf-8"))
    return {
        f"{document}.{key}" if where == document else f"{document}.{where}.{key}"
        for document, parts in found.items()
        for where, text in parts.items()
        for key in text.split()
    }


def gates() -> Iterator[str]:
    """Yield the functions of the engine that ask for the version of a text."""
    for file in sorted((ENGINE / "language" / "resolve").glob("*.py")) + sorted(
        (ENGINE / "check" / "proofs").glob("*.py")
    ):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and re.search(
                r"language(_of\(.*\))? [<>]=? ?([0-9]|since)", ast.unparse(node)
            ):
                yield f"gate {file.stem}.{node.name}"


def declared() -> set[str]:
    """Return what later versions have brought, from where it is declared."""
    lines = (ENGINE / "language" / "syntax" / "grammar.lark").read_text("utf-8").splitlines()
    later = (line.partition("//")[0].split() for line in lines if re.search(r"// since [0-9]+$", line))
    words = {word for version, known in SINCE.items() if version > 1 for part in known for word in part}
    return {
        *(f"form {node.__name__}" for node, form in FORMS.items() if form.since > 1),
        *(f"grammar {' '.join(line)}" for line in later),
        *(f"word {word}" for word in words),
        *(f"builtin {name}" for name, builtin in BUILTINS.items() if builtin.since > 1),
        *(f"key {key}" for document in DOCUMENTS for key in {*keys(document)} - first()),
        *gates(),
    }


def test_table_has_all_that_is_declared():
    assert declared() - KNOWN == set()


def test_table_has_nothing_that_is_not_there():
    pages = (
        "0041-language-two",
        "0120-functions-of-players",
        "0123-beginnings",
        "0122-repairs",
        "0137-what-is-meant-by-it",
    )
    decision = " ".join(" ".join((DECISIONS / f"{page}.md").read_text("utf-8").split()) for page in pages)
    odd = {name for name in KNOWN - declared() if not name.startswith("decision ")}
    assert odd == set()
    assert [
        name for name in KNOWN if name.startswith("decision ") and name.removeprefix("decision ") not in decision
    ] == []


def test_random_packs_are_asked_for_all_of_it():
    """That they reach what is wanted is a test of its own, see ``test_random_packs``."""
    assert {feature for row in ROWS.values() for feature in row["reached"]} - wanted() == set()
    assert all(row["reached"] for row in ROWS.values())


# ---- what is known of it


@each
def test_checker_takes_it(row, tmp_path):
    assert [(p.code, p.message) for p in problems(tmp_path, row["pack"])] == []


@each
def test_pages_name_it(row):
    page = " ".join(page.read_text("utf-8") for page in (DOCS.parent / "language").glob("*.md"))
    assert row["page"] in " ".join(page.split())
    for name, words in row["made"].items():
        assert words in (DOCS / f"{name}.md").read_text("utf-8")


@each
def test_formatting_leaves_it_as_it_is(row):
    for text in re.split(r"^# \S+\.yaml\n", row["pack"], flags=re.M):
        formatted = format_text(text, "x.yaml", NEWEST)
        assert formatted == text if "formatted" not in row else row["formatted"] in formatted
        assert format_text(formatted, "x.yaml", NEWEST) == formatted


@each
def test_sentence(row, tmp_path):
    program = loaded(tmp_path, row["pack"]).model.program
    said = [said for _, said in prose.describe_entry(program, *row.get("told", ("rules", "tested")))]
    assert " ".join(" ".join(said).split()) == row["said"]


@each
def test_coverage_counts_it(row, tmp_path):
    folder, _ = spliced(tmp_path, row["pack"])
    first = {key: row[key] for key in ("given", "choose", "then", "options") if key in row}
    scenarios = {f"case_{n}": one for n, one in enumerate([{"call": "tested()", **first}, *row.get("more", ())])}
    with (Path(folder) / "scenarios.yaml").open("w") as file:
        YAML(typ="safe").dump({"document": "scenarios", "scenarios": scenarios}, file)
    result = run_scenarios(Plan((folder,), coverage=True, smoke=False))
    assert result.problems == []
    assert not result.failed_outcomes, "\n".join(failure_text(outcome) for outcome in result.failed_outcomes)
    lines = {
        (Path(path).name, number)
        for path in {point[0] for point in result.marks.points}
        for number, line in enumerate(Path(path).read_text("utf-8").splitlines(), 1)
        if row["here"] in line
    }
    counted = {(Path(point[0]).name, point[1]) for point in result.marks.hits}
    assert lines & counted
    new = set(Path(folder).glob("*.yaml")) - {Path(folder) / file.name for file in SAMPLE.glob("*.yaml")}
    missed = [(path, line) for path, line, way in report_coverage(result.marks).missed if Path(path) in new and not way]
    assert missed == []


@each
def test_completion_offers_it(row, tmp_path):
    model = loaded(tmp_path, row["pack"]).model
    for text, label in row["offered"].items():
        before, _, after = (text if text.startswith("document") else f"{RULE}{text}").rpartition("|")
        offers = offers_at(
            f"{before}{after}".split("\n"), before.count("\n") + 1, len(before) - before.rfind("\n"), model
        )
        assert label in {offer.label for offer in offers}, text


@each
def test_hover_explains_it(row, tmp_path):
    folder = Path(spliced(tmp_path, row["pack"])[0])
    project = Project()
    project.library.add_root(tmp_path)
    index = project.index(folder)
    new = sorted({*folder.glob("*.yaml")} - {folder / file.name for file in SAMPLE.glob("*.yaml")})
    for words, says in row["hovered"].items():
        path, text = next((str(file), text) for file in new if words in (text := file.read_text("utf-8")))
        before = text[: text.index(words)]
        at = before.count("\n") + 1, len(before) - before.rfind("\n")
        said = page_at(index, index.at(path, *at), path, text.split("\n"), at)
        assert said, words
        print(words, said[0])
        assert says in said[0]


@each
def test_mistakes_are_reported_well(row, tmp_path):
    assert row["mistakes"]
    for n, (old, new, code, says, helps) in enumerate(row["mistakes"]):
        assert row["pack"].count(old) == 1, old
        found = problems(tmp_path / str(n), row["pack"].replace(old, new))
        print(new, *(f"\n   {p.code} {p.message} | {p.help}" for p in found))
        first = found[0]
        assert (first.code, says in first.message, helps in first.help) == (code, True, True)
        assert len(found) == 1
