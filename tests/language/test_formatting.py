"""Formatting content files: what changes, what does not, and that the meaning never does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patolli.language.packs.compose import compose
from patolli.language.packs.manifest import read_pack
from patolli.language.sources import read_yaml
from patolli.language.syntax.formatter import NotYaml, format_text, same

CONTENT = Path(__file__).resolve().parents[2] / "content"
FILES = sorted(CONTENT.rglob("*.yaml"))


@pytest.mark.deep
def test_content_keeps_its_meaning(subtests):
    for path in FILES:
        with subtests.test(str(path)):
            text = path.read_text("utf-8")
            formatted = format_text(text)

            assert same(read_yaml(text, "")[0], read_yaml(formatted, "")[0])
            assert format_text(formatted) == formatted
            assert formatted.count("#") == text.count("#")


@pytest.mark.deep
def test_careless_content_comes_out_the_same(subtests):
    """Everything is indented twice as far, with blanks in brackets and at line ends."""
    for path in FILES:
        with subtests.test(str(path)):
            text = format_text(path.read_text("utf-8"))
            if any(line.count("(") > line.count(")") for line in text.split("\n")) or re.search(
                r": [>'\"]-?$|^ *[^#\n]*[\[{,]$|\[[^\]\n]*$|\{[^}\n]*$|>-$|'[^'\n]*$", text, re.M
            ):
                continue  # what goes over several lines keeps its form
            careless = re.sub(r"^( +)", r"\1\1", text, flags=re.M)
            careless = re.sub(r"^( *[a-z_]+):(?= +[^|>#\n ])", r"\1:  ", careless, flags=re.M).replace(
                "\n\n", "\n\n\n\n"
            )
            node, problems = read_yaml(careless, "")
            if problems or not same(read_yaml(text, "")[0], node):
                continue  # the blanks mean something here

            assert format_text(careless) == text


PARTS = st.sampled_from(
    [" ", "  ", "\n", "\n\n", "#", " # x\n", ":", ": ", "- ", ",", "{", "}", "[", "]", "|", "a", '"', "'"]
)


@settings(max_examples=150)
@given(
    st.sampled_from([p for p in FILES if p.stat().st_size < 4000]),
    st.lists(st.tuples(st.floats(0, 1), PARTS), max_size=4),
)
def test_any_change_keeps_its_meaning(path, changes):
    text = path.read_text("utf-8")
    for where, part in changes:
        at = int(where * len(text))
        text = text[:at] + part + text[at:]
    node, problems = read_yaml(text, "")
    if node is None or any(problem.severity == "error" for problem in problems):
        with pytest.raises(NotYaml):
            format_text(text)
        return
    formatted = format_text(text)

    assert same(node, read_yaml(formatted, "")[0])
    assert format_text(formatted) == formatted


CASES = [
    pytest.param("a:   1\nb:2: 3\n", "a: 1\nb:2: 3\n", id="blanks behind a colon"),
    pytest.param("a: { b : 1,c: [ 1,2 , 3 ] }\n", "a: {b: 1, c: [1, 2, 3]}\n", id="blanks in brackets"),
    pytest.param("a: {}\nb: [ ]\n", "a: {}\nb: []\n", id="empty brackets"),
    pytest.param("a: [1,\n    2]\n", "a: [1,\n    2]\n", id="brackets over lines"),
    pytest.param("x:\n    a: [1,\n        2]\n", "x:\n  a: [1,\n      2]\n", id="brackets over lines go along"),
    pytest.param("a:\n    b:\n        c: 1\n", "a:\n  b:\n    c: 1\n", id="indentation"),
    pytest.param("a:\n- 1\n-   b: 2\n    c: 3\n", "a:\n  - 1\n  - b: 2\n    c: 3\n", id="lists"),
    pytest.param("# x\na:\n    # y\n    b: 1 # z\n\n\n\n    c: 2\n# end", "# x\na:\n  # y\n  b: 1 # z\n\n  c: 2\n# end\n", id="comments"),
    pytest.param('a: "x"\nb: \'y\'\nc: "a  ,  b"\n', 'a: "x"\nb: \'y\'\nc: "a  ,  b"\n', id="quotes"),
    pytest.param("a: |\n      gain  1 coin\n      if x:\n            stop\n", "a: |\n  gain 1 coin\n  if x:\n    stop\n", id="effects in blocks"),
    pytest.param("text: |\n  gain  1 coin\n", "text: |\n  gain  1 coin\n", id="words for people"),
    pytest.param("do: gain  1 coin;stop\n", "do: gain 1 coin; stop\n", id="effects on a line"),
    pytest.param("do: [gain  1 coin]\n", "do: [gain 1 coin]\n", id="effects in a list"),
    pytest.param('do: "if x:stop"\n', 'do: "if x: stop"\n', id="effects in quotes"),
    pytest.param("do: if x:stop\n", "do: if x:stop\n", id="effects that would need quotes"),
    pytest.param("a: |\n  not an   effect\n", "a: |\n  not an   effect\n", id="other blocks"),
    pytest.param("a: >-\n    one\n    two\n", "a: >-\n  one\n  two\n", id="folded blocks"),
    pytest.param("a: 1   \n\n\n", "a: 1\n", id="end of the file"),
    pytest.param("a:   1\r\nb: 2\r\n", "a: 1\r\nb: 2\r\n", id="Windows line ends"),
    pytest.param("do: |\r\n    gain  1 coin\r\nb: 2\n", "do: |\r\n  gain 1 coin\r\nb: 2\r\n", id="mostly Windows line ends"),
    pytest.param("a: 1\r\nb: 2\nc: 3\n", "a: 1\nb: 2\nc: 3\n", id="mostly other line ends"),
    pytest.param("a:\n  b:\n  c: 1\n", "a:\n  b:\n  c: 1\n", id="nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_case(text, expected):
    assert format_text(text) == expected
    assert format_text(expected) == expected


@pytest.mark.parametrize("text", ["a: [", "a: 1\na: 2\n", "", "a: &b 1\n"])
def test_what_cannot_be_read_is_refused(text):
    with pytest.raises(NotYaml):
        format_text(text)


def test_composed_entries_stay_the_same(tmp_path):
    """The same entries come out of a whole pack."""
    source = min((p.parent for p in CONTENT.glob("*/pack.yaml")), key=lambda folder: len(list(folder.rglob("*.yaml"))))
    copy = tmp_path / source.name
    shutil.copytree(source, copy)
    for path in copy.rglob("*.yaml"):
        path.write_text(format_text(path.read_text("utf-8")), "utf-8")
    one, two = (compose(read_pack(str(folder)), []).sections for folder in (source, copy))

    assert {s: list(entries) for s, entries in one.items()} == {s: list(entries) for s, entries in two.items()}
    assert all(same(entry.node, two[s][id_].node, id_) for s, entries in one.items() for id_, entry in entries.items())
