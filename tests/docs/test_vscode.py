"""The extension for VS Code: what it colors, its snippets, its client, and what is in its package.

The grammars are tried with the tokenizer of VS Code where node has it, and always with Python over all shipped packs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from xml.etree import ElementTree

import pytest

import patolli
from patolli.language.sources import Mapping, Node, Scalar, Sequence, read_yaml
from patolli.language.syntax.parser import parse_effect
from patolli.language.syntax.words import NEWEST, words

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tools" / "vscode"
TOKENS = ROOT / "tests" / "data" / "vscode_tokens.js"
MANIFEST = json.loads((FOLDER / "package.json").read_text("utf-8"))
SNIPPETS = json.loads((FOLDER / "snippets" / "patolli.json").read_text("utf-8"))
_SPEC = spec_from_file_location("vscode_build", FOLDER / "build.py")
build = module_from_spec(_SPEC)
_SPEC.loader.exec_module(build)
GRAMMARS = {
    one["scopeName"]: json.loads((FOLDER / one["path"]).read_text("utf-8"))
    for one in MANIFEST["contributes"]["grammars"]
}

SAMPLE = """\
document: rules
rules:
  pick(int n): «gain» n apple
  sell: |
    «if» coin > 0: «gain» 1 coin
    «for» p in players: «lose» 1 coin
    «choose» x in S "do it: gain"
  quoted: "«for» p in players: «gain» 1 coin"
  told:
    text: gain is prose
    do: «set» x to 1; «move» a to b
  long:
    text: |
      if this were code
      gain it would be
    do: «stop»
pieces:
  a: {effect: «gain» 1 coin, text: gain some coins}
  b: {text: gain some; lose more, effect: «lose» 1 coin}
  c: {text: "first; gain this: lose", effect: "«nothing»; «gain» 1 coin"}
  set: {gain: 1}
change:
  - text: choose well
    do: «gain» 1 coin
scenarios:
  x:
    choose: pass to
    choose: [stop, gain]
    given: |
      «set» coin to 3
""".replace(' "do it: gain"', ' "do it"')
MARK = re.compile(r"«(.*?)»")


def marked() -> tuple[str, list[list[object]]]:
    """Give the sample, and what is to be coloured in it."""
    found: list[list[object]] = []
    for number, line in enumerate(SAMPLE.split("\n"), 1):
        for shift, mark in enumerate(MARK.finditer(line)):
            found.append([number, mark.start() + 1 - 2 * shift, mark[1]])
    return MARK.sub(r"\1", SAMPLE), found


def test_tokenizer_of_vs_code_colours_words_and_no_prose(tmp_path):
    node = shutil.which("node")
    needed = "for (const name of ['vscode-textmate', 'vscode-oniguruma', 'tm-grammars/grammars/yaml.json']) require.resolve(name)"
    if node is None or subprocess.run([node, "-e", needed], capture_output=True, check=False).returncode:
        pytest.skip("node has no vscode-textmate, vscode-oniguruma and tm-grammars")
    text, expected = marked()
    (tmp_path / "sample.yaml").write_text(text, "utf-8")
    call = [node, str(TOKENS), str(FOLDER), str(tmp_path / "sample.yaml")]

    ran = subprocess.run(call, capture_output=True, check=True, text=True)

    assert json.loads(ran.stdout) == expected


def scalars(node: Node | None, key: str = "") -> Iterator[tuple[str, Scalar]]:
    """Yield all values with the key that they belong to."""
    if isinstance(node, Mapping):
        for name, (_, value) in node.items.items():
            yield from scalars(value, name)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item, key)
    elif node is not None:
        yield key, node


def pattern(name: str) -> re.Pattern[str]:
    """Give the one pattern of a grammar; where the text begins, Python says nothing, so that is left to the caller."""
    return re.compile(GRAMMARS[f"patolli.{name}"]["patterns"][0]["match"].replace(r"\G", ""))


def prose() -> set[str]:
    """Give the keys whose values are never coloured."""
    return set(re.search(r"\(([a-z|]+)\)\(:\)", GRAMMARS["patolli.prose"]["patterns"][0]["begin"])[1].split("|"))


def values() -> Iterator[tuple[str, Scalar, str]]:
    """Yield the values of all shipped packs that stand on the line of their key, with that line."""
    for path in sorted((ROOT / "content").rglob("*.yaml")):
        text = path.read_text("utf-8")
        tree, _ = read_yaml(text, str(path))
        lines = text.split("\n")
        for key, scalar in scalars(tree):
            line = lines[scalar.span.line - 1]
            if scalar.style == "" and line[: scalar.span.column - 1].endswith(f"{key}: "):
                yield key, scalar, line


def test_first_words_of_shipped_packs():
    first, keys = pattern("first"), prose()
    begins = re.compile(rf"(?:{'|'.join(words(NEWEST).statements)})\b")
    effects = 0
    for key, scalar, line in values():
        coloured = first.match(line, scalar.span.column - 1)
        if key in keys:
            assert coloured is None, line
        elif key in ("do", "effect", "given") and begins.match(scalar.value):
            assert coloured is not None, line
            effects += 1
        elif coloured is not None and key != "for":  # what a substitution stands for says 'up to', too
            assert parse_effect(scalar)[0] is not None, line
    assert effects > 200


def test_prose_of_shipped_packs_is_for_people():
    """What is kept plain is no effect: each value that begins with a word of an effect is one for people or a label."""
    assert {"text", "title", "source", "label", "note", "phrase", "name", "heading"} <= prose()
    assert not prose() & {"do", "effect", "given", "when", "call", "rules", "steps"}


def test_archive_has_its_parts(tmp_path):
    build.copy_extension(tmp_path / "extension")
    build.write_archive(tmp_path / "extension", tmp_path / "x.vsix")

    with zipfile.ZipFile(tmp_path / "x.vsix") as archive:
        names = set(archive.namelist())
        manifest = ElementTree.fromstring(archive.read("extension.vsixmanifest"))
        types = ElementTree.fromstring(archive.read("[Content_Types].xml"))
    contributed = [one["path"] for key in ("grammars", "snippets") for one in MANIFEST["contributes"][key]]
    paths = ["package.json", MANIFEST["main"], *contributed, "LICENSE", "README.md"]
    assert {f"extension/{path.removeprefix('./')}" for path in paths} | {
        "extension.vsixmanifest",
        "[Content_Types].xml",
    } == names
    assert all(one.get("Path") in names for one in manifest.iter() if one.tag.endswith("Asset"))
    assert next(one.get("Version") for one in manifest.iter() if one.tag.endswith("Identity")) == patolli.__version__
    assert {one.get("Extension") for one in types} >= {".js", ".json", ".md", ".vsixmanifest"}
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def expanded(name: str) -> str:
    """Give a snippet as it is when its placeholders are left as they are."""
    text = "\n".join(SNIPPETS[name]["body"])
    return re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text).replace("$0", "")


def indented(name: str, margin: str) -> str:
    return "".join(f"{margin}{line}\n" for line in expanded(name).rstrip().splitlines())


def test_snippets_make_a_game(tmp_path):
    """All documents and entries together are a pack without a problem that passes its scenario."""
    rules = expanded("Rules").replace("result:", indented("Rule", "  ") + "result:")
    rules = rules.replace("      stop unless drawn\n", "      stop unless drawn\n      income()\n      asked()\n")
    rules = rules.replace("  turn:\n", f"  asked: |\n{indented('Choose', '    ')}{indented('Menu', '    ')}  turn:\n")
    rules += f"triggers:\n{indented('Trigger', '  ')}anytime:\n{indented('Anytime action', '  ')}active: none\n"
    documents = {name: expanded(name) for name in ("Pack", "Model", "Pieces", "Panels")} | {"Rules": rules}
    for name, text in documents.items():
        (tmp_path / f"{name.lower()}.yaml").write_text(text, "utf-8")

    assert patolli.playout(patolli.load(str(tmp_path)), 2, 1).over
    for name in ("Scenarios", "Patch"):
        tree, problems = read_yaml(expanded(name), "x.yaml")
        assert not problems
        assert isinstance(tree, Mapping)


@pytest.mark.deep
def test_client_starts_the_server(tmp_path):
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on this machine")
    shutil.copytree(ROOT / "content" / "tic_tac_toe", tmp_path / "game")
    file = tmp_path / "game" / "rules.yaml"
    file.write_text(file.read_text("utf-8").replace("gain 1 point", "gain 1 pint"), "utf-8")
    client = str(ROOT / "tests" / "data" / "vscode_client.js")
    server = [sys.executable, "-m", "patolli", "lsp"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "engine"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    call = [node, client, str(FOLDER / "extension.js"), str(tmp_path), str(file), *server]

    ran = subprocess.run(call, capture_output=True, text=True, env=env, timeout=120, check=True)

    assert "P0201" in json.loads(ran.stdout.splitlines()[0])
