"""The extension for VS Code: what it colours, and what is in its package.

The grammars are tried with the tokenizer of VS Code where node has it, and always with Python over all shipped packs.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from patolli.language.sources import Mapping, Node, Scalar, Sequence, read_yaml
from patolli.language.syntax.parser import parse_effect
from patolli.language.syntax.words import NEWEST, words

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tools" / "vscode"
TOKENS = ROOT / "tests" / "data" / "vscode_tokens.js"
MANIFEST = json.loads((FOLDER / "package.json").read_text("utf-8"))
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


def test_package_has_its_parts():
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert MANIFEST["license"] == "MIT"
    ignored = (FOLDER / ".vscodeignore").read_text("utf-8").split()
    needed = ["extension.js", "package.json", "LICENSE", "README.md"]
    needed += [one["path"].removeprefix("./") for one in MANIFEST["contributes"]["grammars"]]
    for name in needed:
        assert (FOLDER / name).is_file()
        assert not any(Path(name).match(line) for line in ignored)
    assert os.path.basename(MANIFEST["main"]) in needed
