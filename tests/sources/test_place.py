"""A letter of a value is found where the author wrote it, in every style of YAML."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from patolli.language.sources.nodes import Mapping, Scalar
from patolli.language.sources.read import read_yaml


def scalar_of(text: str) -> Scalar:
    """Read *text*, a mapping with a key ``a``, and give the value at ``a``."""
    root, problems = read_yaml(text, "x.yaml")
    assert problems == []
    assert isinstance(root, Mapping)
    value = root.get("a")
    assert isinstance(value, Scalar)
    return value


@pytest.mark.parametrize(
    ("text", "word", "line", "column"),
    [
        pytest.param("a: gain 2 coin\n", "coin", 1, 11, id="plain"),
        pytest.param("a: gain 2\n   coin\n", "coin", 2, 4, id="plain on two lines"),
        pytest.param("a: gain 2\n\n   coin\n", "coin", 3, 4, id="plain with an empty line"),
        pytest.param("a:\n  gain 2\n  coin\n", "coin", 3, 3, id="plain that starts on the next line"),
        pytest.param("{b: 1, a: gain 2\n coin, c: 1}\n", "coin", 2, 2, id="plain in braces"),
        pytest.param("a: 'gain 2 coin'\n", "coin", 1, 12, id="single quotes"),
        pytest.param("a: 'it''s a coin'\n", "coin", 1, 13, id="single quotes with a quote inside"),
        pytest.param("a: 'gain 2\n   coin'\n", "coin", 2, 4, id="single quotes on two lines"),
        pytest.param('a: "gain 2 coin"\n', "coin", 1, 12, id="double quotes"),
        pytest.param('a: "\\u00e9 \\x41 \\n coin"\n', "coin", 1, 20, id="double quotes with escapes"),
        pytest.param('a: "gain \\\n    2 coin"\n', "coin", 2, 7, id="double quotes, line end escaped"),
        pytest.param('a: "gain\n\n    2 coin"\n', "coin", 3, 7, id="double quotes, empty line"),
        pytest.param("a: |\n  gain 2\n  gain coin\n", "coin", 3, 8, id="literal block"),
        pytest.param("a: |  # why\n  gain 2\n  gain coin\n", "coin", 3, 8, id="literal block, comment after the sign"),
        pytest.param("a: |-2\n    gain 2\n  gain coin\n", "coin", 3, 8, id="literal block, indentation given"),
        pytest.param("a: |+\n\n  gain 2\n\n  gain coin\n\n", "coin", 5, 8, id="literal block, everything kept"),
        pytest.param("a: |\n  if x:\n    gain coin\nb: 1\n", "coin", 3, 10, id="literal block, deeper line"),
        pytest.param("a: >\n  gain 2\n  gain coin\n", "coin", 3, 8, id="folded block"),
        pytest.param("a: >-\n  gain 2\n\n    more\n  gain coin\n", "coin", 5, 8, id="folded block, deeper line"),
        pytest.param(
            "a: |\r\n  gain 2\r\n  gain coin\r\nb: 1\r\n",
            "coin",
            3,
            8,
            id="literal block, line ends of Windows",
        ),
        pytest.param("a: 'gain 2\r\n   coin'\r\n", "coin", 2, 4, id="quotes, line ends of Windows"),
        pytest.param("a: '漢字 \U0001f600 coin'\n", "coin", 1, 10, id="wide letters"),
        pytest.param("\ufeffa: coin\n", "coin", 1, 4, id="byte order mark"),
    ],
)
def test_word_is_placed(text: str, word: str, line: int, column: int) -> None:
    scalar = scalar_of(text)
    span = scalar.place(scalar.value.index(word), len(word))

    assert (span.line, span.column) == (line, column)
    assert (span.end_line, span.end_column) == (line, column + len(word))


@pytest.mark.parametrize(
    ("text", "offset", "length", "expected"),
    [
        pytest.param('a: "\\u0041b"\n', 0, 1, (1, 5, 1, 11), id="an escape is as wide as it is written"),
        pytest.param("a: 'it''s'\n", 2, 1, (1, 7, 1, 9), id="a doubled quote has two columns"),
        pytest.param("a: x\n", 1, 0, (1, 5, 1, 5), id="the end is a point"),
        pytest.param("a: x\n", 9, 4, (1, 5, 1, 5), id="behind the end is the end"),
        pytest.param("a: ''\n", 0, 1, (1, 5, 1, 5), id="an empty text has its point between the quotes"),
        pytest.param("a: |\n  one\n  two\n", 2, 3, (2, 5, 3, 4), id="over a line end"),
        pytest.param("a: |\n  one\n", 4, 0, (3, 1, 3, 1), id="after the last line end"),
        pytest.param("a: one\n  two\n", 3, 1, (1, 7, 2, 1), id="a folded line end"),
    ],
)
def test_edge_is_placed(text: str, offset: int, length: int, expected: tuple[int, int, int, int]) -> None:
    span = scalar_of(text).place(offset, length)

    assert (span.line, span.column, span.end_line, span.end_column) == expected


def test_scalar_without_source_gives_its_span() -> None:
    made = Scalar("coin", scalar_of("a: coin\n").span)

    assert made.place(2, 1) == made.span


WORDS = st.lists(
    st.sampled_from(["coin", "x", "é", "漢", "\U0001f600", "it's", 'a"b', "\\", "a:b", "#", "-", "->", "1"]),
    min_size=1,
    max_size=4,
).map(" ".join)
LINES = st.lists(st.one_of(st.just(""), WORDS, WORDS.map(lambda line: "  " + line)), min_size=1, max_size=6)
END = st.sampled_from(["\n", "\r\n"])


def check_all_places(text: str, scalar: Scalar) -> None:
    """Compare every letter that is not white space with the letter in the file at its place."""
    lines = text.replace("\r\n", "\n").split("\n")
    for offset, letter in enumerate(scalar.value):
        span = scalar.place(offset)
        assert span != scalar.span or len(scalar.value) == 1
        written = lines[span.line - 1][span.column - 1 : span.end_column - 1]
        if letter == "\n" and scalar.style == '"' and written:
            assert written in ("\\n", "")
        elif not letter.isspace():
            assert span.line == span.end_line
            assert written == {"'": {"'": "''"}, '"': {'"': '\\"', "\\": "\\\\"}}.get(scalar.style, {}).get(
                letter, letter
            )


@settings(max_examples=300, derandomize=True)
@given(
    lines=LINES,
    style=st.sampled_from("|>"),
    chomp=st.sampled_from(["", "-", "+"]),
    hint=st.booleans(),
    end=END,
)
@example(lines=["", "  coin", "x"], style=">", chomp="+", hint=True, end="\n")
def test_blocks(lines: list[str], style: str, chomp: str, hint: bool, end: str) -> None:
    first = next((line for line in lines if line), "x")
    sign = style + chomp + ("2" if hint or first.startswith(" ") else "")
    body = [("  " + line) if line else "" for line in [*lines, "x"]]
    text = end.join(["a: " + sign + " # why", *body, "", "b: 1", ""])
    scalar = scalar_of(text)

    assert sum(not letter.isspace() for letter in scalar.value) == sum(
        not letter.isspace() for line in [*lines, "x"] for letter in line
    )
    check_all_places(text, scalar)


def fold(words: list[str], breaks: list[str]) -> str:
    return "".join(word + gap for word, gap in zip(words, [*breaks, ""], strict=False))


GAPS = st.lists(st.sampled_from([" ", "\n  ", "  \n\n   ", " \n \n\n  "]), min_size=5, max_size=5)


@settings(max_examples=300, derandomize=True)
@given(words=st.lists(WORDS, min_size=1, max_size=5), gaps=GAPS, end=END)
def test_single_quotes(words: list[str], gaps: list[str], end: str) -> None:
    text = "a: '" + fold([word.replace("'", "''") for word in words], gaps) + "'\n"
    check_all_places(text, scalar_of(text.replace("\n", end)))


@settings(max_examples=300, derandomize=True)
@given(words=st.lists(WORDS, min_size=1, max_size=5), gaps=GAPS, end=END, slash=st.booleans())
def test_double_quotes(words: list[str], gaps: list[str], end: str, slash: bool) -> None:
    written = [word.replace("\\", "\\\\").replace('"', '\\"') for word in words]
    gaps = [gap.replace("\n", "\\\n", 1) if slash else gap for gap in gaps]
    text = 'a: "' + fold(written, gaps) + '"\n'
    check_all_places(text, scalar_of(text.replace("\n", end)))


PLAIN = st.lists(
    st.sampled_from(["coin", "x", "é", "漢", "\U0001f600", "it's", "a#b", "->"]),
    min_size=1,
    max_size=4,
)


@settings(max_examples=300, derandomize=True)
@given(words=st.lists(PLAIN.map(" ".join), min_size=1, max_size=5), gaps=GAPS, end=END, flow=st.booleans())
def test_plain(words: list[str], gaps: list[str], end: str, flow: bool) -> None:
    value = fold(["a" + word for word in words], gaps)
    text = "{a: " + value + "}\n" if flow else "a: " + value + "\nb: 1\n"
    check_all_places(text, scalar_of(text.replace("\n", end)))
