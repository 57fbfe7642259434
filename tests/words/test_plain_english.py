"""Words that readers stumble over do not come back: ``plain_english.yaml`` says what to write instead.

A word with ``at_most`` may occur so often, for the reason in ``why``; a word without it may not occur at all.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import golden
import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[2]
LIST = Path(__file__).with_name("plain_english.yaml")
PLACES = (
    "engine/**/*.py",
    "engine/**/*.js",
    "engine/**/*.html",
    "engine/**/*.md",
    "schemas/*.json",
    "docs/**/*.md",
    "tools/**/*.py",
    "*.md",
)
LEFT_OUT = ("docs/decisions/", "docs/gallery/", "CHANGELOG.md")
"""What was decided long ago is not rewritten, and packs have words of their own."""
PHRASES_ONLY = "tests/**/*.py"
"""Where only phrases of several words are counted, because single words may belong to packs of the tests."""


IRREGULAR = (
    "begun bound built chosen done drawn felt found given gone held kept known left lent lost made meant paid put read said seen sent "
    "shown sold spent spoken stood taken thought told understood won worn written"
).split()
NAMES = ("a function named by a participle", "a module named by a gerund")


CODE = re.compile(r"""[.`"'*]told\b|\bdef told\b|\btold\s*:|\btold\b(?=.{0,200}"\.split\(\))""")
"""Where ``told`` is a key of the language or a method of a match, and no word of a sentence."""


def count_words(words: list[str], text: str) -> Counter[str]:
    """Return how often each word or phrase occurs; words stand apart, so ``hall`` does not occur in ``shall``."""
    text = CODE.sub("", text).lower() if "told" in text else text.lower()
    said = Counter(re.findall(r"[\w-]+", text))
    found = Counter({word: said[word] for word in words if word in said})
    phrases = [phrase.split() for phrase in words if " " in phrase]
    choice = "|".join(r"\s+".join(phrase) for phrase in phrases if said.keys() >= set(phrase))
    every = re.findall(rf"(?<![\w-])({choice})(?![\w-])", text) if choice else ()
    return found + Counter(" ".join(phrase.split()) for phrase in every)


def count_names(path: Path, text: str) -> Counter[str]:
    """Return how many functions of a Python file are a bare participle, and whether its own name is a gerund."""
    names = [name.strip("_") for name in re.findall(r"^ *def (\w+)\(", text, re.MULTILINE)]
    participles = sum("_" not in name and (name.endswith("ed") or name in IRREGULAR) for name in names)
    return Counter({NAMES[0]: participles, NAMES[1]: int(path.stem.endswith("ing") and "_" not in path.stem)})


@pytest.fixture
def rows() -> list[dict[str, object]]:
    """The list."""
    return YAML(typ="safe").load(LIST.read_text("utf-8"))


def count_all(rows: list[dict[str, object]]) -> Counter[str]:
    """Return how often each word of the list occurs now."""
    files = sorted({path for pattern in PLACES for path in ROOT.glob(pattern)})
    total: Counter[str] = Counter()
    for path in files:
        if not path.relative_to(ROOT).as_posix().startswith(LEFT_OUT):
            text = path.read_text("utf-8")
            total += count_words([row["word"] for row in rows], text)
            total += count_names(path, text) if path.suffix == ".py" else Counter()
    phrases = [word for row in rows if " " in (word := str(row["word"]))]
    for path in ROOT.glob(PHRASES_ONLY):
        if path != Path(__file__):
            total += count_words(phrases, path.read_text("utf-8"))
    return total


def test_no_word_of_the_list_becomes_more_frequent(rows: list[dict[str, object]]) -> None:
    total = count_all(rows)
    if golden.updating:
        lines = [_format_row(row, total[str(row["word"])]) for row in rows]
        LIST.write_text("# Run pytest --update after a word has become rarer.\n" + "".join(lines), "utf-8")
        return
    more = {
        f"'{row['word']}' occurs {total[str(row['word'])]} times, {row.get('at_most', 0)} are allowed: write {row['say']}"
        for row in rows
        if total[str(row["word"])] > int(str(row.get("at_most", 0)))
    }

    assert more == set()


def test_each_word_that_may_occur_has_a_reason(rows: list[dict[str, object]]) -> None:
    assert [row["word"] for row in rows if "at_most" in row and not row.get("why")] == []


def _format_row(row: dict[str, object], count: int) -> str:
    allowed = f", at_most: {count}, why: {row.get('why', '')!r}" if count else ""
    return f"- {{word: {row['word']}, say: {row['say']!r}{allowed}}}\n"


def test_names_are_counted() -> None:
    text = "def _told(): ...\ndef found(): ...\ndef find_told(): ...\ndef speed_up(): ..."

    assert count_names(Path("telling.py"), text) == {NAMES[0]: 2, NAMES[1]: 1}


def test_words_are_counted() -> None:
    assert count_words(["hall", "is told"], "A hall; shall. What is\ntold is told.") == {"hall": 1, "is told": 2}
