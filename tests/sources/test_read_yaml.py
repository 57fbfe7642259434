"""YAML is read strictly, with places, and alike by both parsers."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patolli.language.diagnostics.codes import CODES
from patolli.language.sources import events
from patolli.language.sources.nodes import Mapping, Scalar, Sequence, plain
from patolli.language.sources.read import Limits, read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from patolli.language.diagnostics.problem import Problem
    from patolli.language.sources.nodes import Node

quick = events.events


@pytest.fixture(params=[False, True], ids=["libyaml", "pure"], autouse=True)
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if not request.param:
        pytest.importorskip("ruamel.yaml.cyaml")
    monkeypatch.setattr(events, "events", lambda text: quick(text, pure=request.param))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("a: 1", {"a": 1}, id="number"),
        pytest.param("a: -12\nb: +3\nc: 0", {"a": -12, "b": 3, "c": 0}, id="signs"),
        pytest.param("a: true\nb: false\nc: null\nd:", {"a": True, "b": False, "c": None, "d": None}, id="words"),
        pytest.param("a: '1'\nb: \"true\"", {"a": "1", "b": "true"}, id="quoted words are text"),
        pytest.param("a: 1 coin", {"a": "1 coin"}, id="text that begins with a number"),
        pytest.param("version: 1.0.0", {"version": "1.0.0"}, id="version"),
        pytest.param("a: 1..6", {"a": "1..6"}, id="range"),
        pytest.param("a: 'yes'\nb: \"010\"", {"a": "yes", "b": "010"}, id="quotes settle a doubt"),
        pytest.param("{on: build, no: 1}", {"on": "build", "no": 1}, id="keys may be words"),
        pytest.param("{2: 10, 3: 11}", {"2": 10, "3": 11}, id="keys are text"),
        pytest.param("a: [1, [x], {b: c}]", {"a": [1, ["x"], {"b": "c"}]}, id="nested"),
        pytest.param("give(card, int n): x", {"give(card, int n)": "x"}, id="key with brackets and comma"),
        pytest.param("a: x in {1, 2}", {"a": "x in {1, 2}"}, id="braces inside a plain value"),
        pytest.param("a: {b: 'x, y'}", {"a": {"b": "x, y"}}, id="quoted comma in braces"),
        pytest.param("a: {b: f(x)}", {"a": {"b": "f(x)"}}, id="round brackets in braces"),
        pytest.param("a: {b: }", {"a": {"b": None}}, id="nothing in braces"),
        pytest.param("a: |\n  x\n  y\nb: 1", {"a": "x\ny\n", "b": 1}, id="block"),
        pytest.param("# why\n---\na: 1 # why\n...\n", {"a": 1}, id="marks and comments"),
        pytest.param("a: 1\r\nb: |\r\n  x\r\n  y\r\n", {"a": 1, "b": "x\ny\n"}, id="line ends of Windows"),
        pytest.param("\ufeffa: é\U0001f600", {"a": "é\U0001f600"}, id="byte order mark"),
        pytest.param("- a\n- b", ["a", "b"], id="list"),
        pytest.param("a: 999999999999999999", {"a": 999999999999999999}, id="18 digits"),
    ],
)
def test_accepted(text: str, expected: object) -> None:
    root, problems = read_yaml(text, "x.yaml")

    assert problems == []
    assert root is not None
    assert plain(root) == expected


@pytest.mark.parametrize(
    ("text", "code", "line", "column"),
    [
        pytest.param("a: 1\n\tb: 2\n", "P0002", 2, 1, id="tab"),
        pytest.param("a: 'x\ty'\n", "P0002", 1, 6, id="tab in quotes"),
        pytest.param("a: 1\nb: 2\na: 3\n", "P0003", 3, 1, id="key twice"),
        pytest.param("{a: 1, 'a': 3}\n", "P0003", 1, 8, id="key twice, once quoted"),
        pytest.param("a: &x 1\n", "P0004", 1, 4, id="anchor"),
        pytest.param("a: &x [1]\n", "P0004", 1, 4, id="anchor of a list"),
        pytest.param("a: *x\n", "P0004", 1, 4, id="alias"),
        pytest.param("a: *\n", "P0004", 1, 4, id="star alone"),
        pytest.param("a: !x 1\n", "P0005", 1, 4, id="tag"),
        pytest.param("a: ! 1\n", "P0005", 1, 4, id="empty tag"),
        pytest.param("a: !!int 1\n", "P0005", 1, 4, id="tag of YAML"),
        pytest.param("a:\n  <<: {b: 1}\n", "P0006", 2, 3, id="merge key"),
        pytest.param("a: 1\n---\nb: 2\n", "P0007", 2, 1, id="second document"),
        pytest.param("%YAML 1.1\n---\na: 1\n", "P0008", 1, 1, id="directive"),
        pytest.param("# x\n\n%FOO\n---\na: 1\n", "P0008", 3, 1, id="unknown directive"),
        pytest.param("", "P0009", 1, 1, id="empty"),
        pytest.param("# x\n", "P0009", 1, 1, id="comments only"),
        pytest.param("a: x\x07\n", "P0012", 1, 5, id="bell"),
        pytest.param("a: x\u2028\n", "P0012", 1, 5, id="line separator"),
        pytest.param("a: x\ry\n", "P0012", 1, 5, id="lone carriage return"),
        pytest.param("a: x\ufeff\n", "P0012", 1, 5, id="byte order mark inside"),
        pytest.param("? [a]\n: 1\n", "P0017", 1, 3, id="list as key"),
        pytest.param("{a: 1}: 2\n", "P0017", 1, 1, id="mapping as key"),
        pytest.param(": 2\n", "P0017", 1, 1, id="no key"),
        pytest.param("a: {b: f(x, y)}\n", "P0018", 1, 8, id="value cut at a comma"),
        pytest.param("a: [f(x, y)]\n", "P0018", 1, 5, id="entry cut at a comma"),
        pytest.param("a: {b: x, y}\n", "P0018", 1, 11, id="entry of braces without a value"),
        pytest.param("a: @x\n", "P0030", 1, 4, id="at sign"),
        pytest.param("a: `x`\n", "P0030", 1, 4, id="backtick"),
        pytest.param("a: %x\n", "P0030", 1, 4, id="per cent"),
        pytest.param("a: >=1.0\n", "P0030", 1, 4, id="comparison"),
        pytest.param("a: |x\n", "P0030", 1, 4, id="bar"),
        pytest.param("a: - x\n", "P0030", 1, 4, id="list beside its key"),
        pytest.param("a: -\n", "P0030", 1, 4, id="dash alone"),
        pytest.param("a: , x\n", "P0030", 1, 4, id="comma first"),
        pytest.param("a: [x, , y]\n", "P0030", 1, 8, id="two commas"),
        pytest.param("a: note: x\n", "P0031", 1, 8, id="colon"),
        pytest.param("a: {b: c:d}\n", "P0031", 1, 9, id="colon in braces"),
        pytest.param("a: 'x\nb: 1\n", "P0032", 1, 4, id="quote not closed"),
        pytest.param('a: "x\nb: 1\n', "P0032", 1, 4, id="double quote not closed"),
        pytest.param("a: 'It's x'\n", "P0033", 1, 8, id="apostrophe"),
        pytest.param('a: "x" y\n', "P0033", 1, 8, id="text after a quote"),
        pytest.param("a: {x} y\n", "P0033", 1, 8, id="text after a brace"),
        pytest.param("a: [x] y\n", "P0033", 1, 8, id="text after a bracket"),
        pytest.param("a: x\n  b: 1\n", "P0034", 2, 3, id="key below a value"),
        pytest.param("a:\n    b: 1\n  c: 2\n", "P0034", 3, 3, id="level of nothing"),
        pytest.param("a:\n  - x\n  b: 1\n", "P0034", 3, 3, id="key beside a list"),
        pytest.param("a: [1, 2\nb: 3\n", "P0035", 1, 4, id="bracket not closed"),
        pytest.param("a: {b: 1\n", "P0035", 1, 4, id="brace not closed"),
        pytest.param("a: {b: x in {1, 2}}\n", "P0036", 1, 13, id="brace in braces"),
        pytest.param("a: [1, {b: 2]\n", "P0036", 1, 13, id="wrong bracket"),
        pytest.param('a: "\\q"\n', "P0037", 1, 5, id="escape"),
        pytest.param('a: "\\xZZ"\n', "P0037", 1, 5, id="escape without digits"),
        pytest.param('a: "\\ud83d"\n', "P0037", 1, 5, id="half a letter"),
        pytest.param('a: "x \\ud83d\\ude00"\n', "P0037", 1, 7, id="letter in two halves"),
        pytest.param('a: "\\u00e9 \\ude00\\ud83d"\n', "P0037", 1, 12, id="two halves in the wrong order"),
        pytest.param(
            '{\n  "a": 1,\n  // all\n  "b": 2\n}\n', "P0001", 3, 3, id="comment of another language between entries"
        ),
        pytest.param(
            '{\n  "a": 1, // b: c\n  "b": 2\n}\n', "P0001", 2, 11, id="comment of another language behind an entry"
        ),
        pytest.param('{"a": "x" // y\n}\n', "P0001", 1, 11, id="comment of another language behind a value"),
        pytest.param('{"a": [1, // y\n 2]}\n', "P0001", 1, 11, id="comment of another language as a value"),
        pytest.param('// top\n{\n  "b": 2\n}\n', "P0001", 1, 1, id="comment of another language at the top"),
        pytest.param("a: 1\n/* x\n y */\nb: 2\n", "P0001", 2, 1, id="comment of another language over two lines"),
        pytest.param("a:\n  // x\n  b: 2\n", "P0001", 2, 3, id="comment of another language below a key"),
        pytest.param("a: 1\n-- x\nb: 2\n", "P0001", 2, 1, id="comment that begins with dashes"),
        pytest.param('{"url": "http://x", "b" 2}\n', "P0036", 1, 25, id="two slashes in quotes"),
        pytest.param("a: http://x: y\n", "P0031", 1, 12, id="two slashes in an address"),
        pytest.param('a: "\\U0011ffff"\n', "P0037", 1, 5, id="behind the last letter"),
        pytest.param('a: "\\Uffffffff"\n', "P0037", 1, 5, id="far behind the last letter"),
        pytest.param("a: 1\nb c\nd: 2\n", "P0038", 2, 1, id="line without a colon"),
        pytest.param("a: 1\nb\n  c: 2\n", "P0038", 2, 1, id="key without a colon above others"),
        pytest.param("a:\n  f(int n)  # why\n    c: 2\n", "P0038", 2, 3, id="signature without a colon"),
        pytest.param("a: some\n  words\n    c: 2\n", "P0034", 3, 5, id="key below a value of two lines"),
        pytest.param("a: 1\nb c d\ne: 2\n", "P0038", 2, 1, id="line of words without a colon"),
        pytest.param("a:\n  n: 1\n  b:\n  n: 2\n  m: 3\n", "P0034", 3, 3, id="entries beside their key"),
        pytest.param('a: {b: "x}\nc: {d: "y"}\n', "P0032", 1, 8, id="quote left open in braces"),
        pytest.param("a: {do: f(x, y, z), c: 1}\n", "P0018", 1, 9, id="value cut twice"),
        pytest.param("|\nx\n", "P0059", 1, 1, id="block at the top"),
    ],
)
def test_refused(text: str, code: str, line: int, column: int) -> None:
    _, problems = read_yaml(text, "x.yaml")
    if text.startswith("|"):
        # The parsers end such a block at different places; both refuse it.
        assert problems
        return

    assert [(found.code, found.span.line, found.span.column) for found in problems] == [(code, line, column)]


DOUBTFUL = {
    "P0020": ["010", "00", "-07", "0o17", "08"],
    "P0021": ["0x1f", "0XFF", "0b101", "-0x1"],
    "P0022": ["1_000", "1_", "-1_0"],
    "P0023": [".5", "1.5", "1.", "1e3", "-1.5E-3", ".inf", "-.INF", ".nan", "1.0"],
    "P0024": ["yes", "No", "ON", "off"],
    "P0025": ["2024-01-02", "2024-1-2", "2024-01-02T10:00:00Z", "2024-01-02 10:00:00", "1:30", "12:30:45"],
    "P0026": ["True", "FALSE", "Null", "NULL", "~"],
    "P0027": ["1234567890123456789", "-1234567890123456789"],
}


@pytest.mark.parametrize(("code", "value"), [(code, value) for code, values in DOUBTFUL.items() for value in values])
def test_doubtful_value_is_refused(code: str, value: str) -> None:
    _, problems = read_yaml(f"a: {value}\nb: '{value}'\n", "x.yaml")

    assert [(found.code, found.span.line, found.span.column) for found in problems] == [(code, 1, 4)]
    assert problems[0].span.end_column == 4 + len(value)


@pytest.mark.parametrize(
    "value", ["1-2", "1.2.3", "0 coin", "10 20", "e3", "x1e3", "1a", "+", "yesterday", "-x", "2x3"]
)
def test_clear_value_is_text(value: str) -> None:
    root, problems = read_yaml(f"a: {value}\n", "x.yaml")

    assert problems == []
    assert root is not None
    assert plain(root) == {"a": value}


def test_all_problems_of_a_file_are_found_in_order() -> None:
    text = "a: 010\nb: !x 1\nc: yes\na: *d\ne: {f: 1_0, f: 2}\n"
    root, problems = read_yaml(text, "x.yaml")

    assert [found.code for found in problems] == [
        "P0020",
        "P0005",
        "P0024",
        "P0003",
        "P0004",
        "P0022",
        "P0003",
    ]
    assert isinstance(root, Mapping)
    assert list(root.items) == ["a", "b", "c", "e"]


def test_key_given_twice_shows_both_places() -> None:
    _, (problem,) = read_yaml("coin: 1\ncard: 2\ncoin: 3\n", "x.yaml")

    ((first, words),) = problem.also
    assert (first.line, first.column, words) == (1, 1, "first given here")


def test_syntax_error_comes_with_what_was_found_before() -> None:
    root, problems = read_yaml("a: 010\nb: c: d\n", "x.yaml")

    assert root is None
    assert [found.code for found in problems] == ["P0020", "P0031"]


@pytest.mark.parametrize(
    ("text", "limits", "code"),
    [
        pytest.param("a: [[[1]]]", Limits(depth=3), "P0014", id="levels"),
        pytest.param("a: [1, 2, 3]", Limits(nodes=4), "P0015", id="values"),
        pytest.param("a: xxxxx", Limits(scalar=4), "P0016", id="characters of a value"),
        pytest.param("a: xxxxx", Limits(bytes=7), "P0013", id="bytes"),
        pytest.param("a: ééé", Limits(bytes=8), "P0013", id="bytes, not characters"),
        pytest.param("[" * 100_000, Limits(), "P0014", id="hostile brackets"),
        pytest.param("{a: " * 100_000, Limits(), "P0014", id="hostile braces"),
        pytest.param("- " * 100_000, Limits(), "P0014", id="hostile dashes"),
    ],
)
def test_limit_is_kept(text: str, limits: Limits, code: str) -> None:
    _, problems = read_yaml(text, "x.yaml", limits)

    assert [found.code for found in problems] == [code]


def test_within_limits() -> None:
    limits = Limits(bytes=12, depth=2, nodes=6, scalar=1)

    assert read_yaml("a: [1, 2, 3]", "x.yaml", limits)[1] == []


TREE = """\
document: pieces
list:
  - one
  - {two: 2, three: [3]}
block: |
  gain 1 coin

# a comment

after:
  deep: x

"""


def test_spans() -> None:
    root, problems = read_yaml(TREE, "x.yaml")
    assert problems == []
    assert isinstance(root, Mapping)

    def bounds(node: Node | None) -> tuple[int, int, int, int]:
        assert node is not None
        span = node.span
        return span.line, span.column, span.end_line, span.end_column

    items = root.get("list")
    assert isinstance(items, Sequence)
    assert bounds(root) == (1, 1, 11, 10)
    assert bounds(root.key("block")) == (5, 1, 5, 6)
    assert bounds(root.get("document")) == (1, 11, 1, 17)
    assert bounds(items) == (3, 3, 4, 25)
    assert bounds(items.items[1]) == (4, 5, 4, 25)
    assert bounds(root.get("block")) == (5, 8, 6, 14)
    assert bounds(root.get("after")) == (11, 3, 11, 10)


def test_missing_value_stands_behind_its_colon() -> None:
    root, _ = read_yaml("a:  # why\n\nb: 1\n", "x.yaml")

    assert isinstance(root, Mapping)
    value = root.get("a")
    assert isinstance(value, Scalar)
    assert (value.span.line, value.span.column) == (1, 3)


def test_nodes_compare_without_place() -> None:
    one, _ = read_yaml("a: [1, x]\nb: {c: d}", "x.yaml")
    two, _ = read_yaml("\n\nb:\n  c: d\na:\n- 1\n- x", "y.yaml")
    other, _ = read_yaml("a: ['1', x]\nb: {c: d}", "x.yaml")

    assert one == two
    assert one != other


RUNNABLE = [code for code in CODES.values() if code.wrong and code.code < "P0050"]


@pytest.mark.parametrize("code", RUNNABLE, ids=lambda code: code.code)
def test_examples_of_the_register(code: object) -> None:
    entry = CODES[getattr(code, "code", "")]
    wrong = {found.code for found in read_yaml(entry.wrong, "x.yaml")[1]}

    assert entry.code in wrong
    assert read_yaml(entry.right, "x.yaml")[1] == []


def test_parser_in_python_is_taken_when_the_other_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "events", quick)
    monkeypatch.setitem(sys.modules, "ruamel.yaml.cyaml", None)
    root, problems = read_yaml("a: [1, x]", "x.yaml")

    assert problems == []
    assert root is not None
    assert plain(root) == {"a": [1, "x"]}


def test_importing_the_room_loads_no_library() -> None:
    heavy = "{'ruamel.yaml', 'jsonschema', 'rich', 'difflib', 'json'}"
    code = f"import sys, patolli.language.sources, patolli.language.sources.schema; print({heavy} & set(sys.modules) - {{'json'}})"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


PIECES = st.sampled_from(
    [
        "a: ",
        "b: ",
        "c:\n",
        "d: x\n",
        "  ",
        "- ",
        "x",
        "y z",
        "'it''s'",
        "'open",
        '"q"',
        "@",
        "{",
        "}",
        "[",
        "]",
        ", ",
        ": ",
        "&a ",
        "*a ",
        "!t ",
        "---\n",
        "é",
        "😀",
        "<<: ",
        "010",
        "~",
        "{a: 1}",
        "[x, y]\n",
        "\n  k: v\n",
        "\n",
        "g(x, y)",
        "yes",
        "a:b",
        "# c\n",
        "1",
        "|\n  foo\n",
        "|-\n  foo\n",
        ">\n  foo\n  bar\n",
    ]
)


def dump(node: Node | None) -> Iterator[object]:
    """Give every value with its place."""
    if node is None:
        return
    yield node.span
    if isinstance(node, Scalar):
        yield node.value, node.style
    elif isinstance(node, Mapping):
        for key, value in node.items.values():
            yield from dump(key)
            yield from dump(value)
    else:
        for value in node.items:
            yield from dump(value)


@pytest.mark.deep
@settings(max_examples=500, derandomize=True)
@given(pieces=st.lists(PIECES, min_size=1, max_size=9))
def test_parsers_agree(pieces: list[str]) -> None:
    text = "k: 1\n" + "".join(pieces)
    results: list[tuple[list[object], list[Problem]]] = []
    with pytest.MonkeyPatch.context() as patch:
        for pure in (False, True):
            patch.setattr(events, "events", lambda text, pure=pure: quick(text, pure=pure))
            root, problems = read_yaml(text, "x.yaml")
            results.append((list(dump(root)), problems))

    (tree, problems), (pure_tree, pure_problems) = results
    assert bool(problems) == bool(pure_problems)
    if not problems:
        assert tree == pure_tree
