"""Signs that do more than stand for themselves reach no screen: content refuses them, other texts are made harmless."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from calls import Ended, call
from packmaker import SAMPLE
from tiers import few

import patolli
from patolli.author.workspace.inspection import inspect
from patolli.language.diagnostics.text import render_text
from patolli.language.packs.manifest import read_pack
from patolli.run.runtime.seals import add_checksums

SIGNS = [*map(chr, (0, 7, 8, 0x1B, 0x7F, 0x80, 0x85, 0x9B, 0x61C, *range(0x2028, 0x202F), *range(0x2066, 0x2070))), "\u200e", "\u200f", "\ufeff"]  # fmt: skip


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


def reports(pack: Path) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in read_pack(str(pack)).problems]


def unseen(ended: Ended) -> list[str]:
    """Return what was written that is more than a letter or a line end."""
    return [sign for sign in ended.out.decode() + ended.err if sign != "\n" and not sign.isprintable()]


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: f"{ord(sign):04X}")
def test_sign_is_refused_where_it_stands(pack, sign):
    (pack / "more.yaml").write_text(f"document: model\ncounters:\n  gem: {{per: player, text: Go{sign}ld}}\n")

    assert reports(pack) == [("P0012", 3, 30)]
    assert [one for one in render_text(read_pack(str(pack)).problems) if one != "\n" and not one.isprintable()] == []


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: f"{ord(sign):04X}")
def test_escaped_sign_is_refused_where_it_stands(pack, sign):
    (pack / "more.yaml").write_text(f'document: model\ncounters:\n  gem: {{text: "Go\\u{ord(sign):04x}ld"}}\n')

    assert reports(pack) == [("P0012", 3, 18)]


@pytest.mark.parametrize("written", [r"\e", r"\x1b", r"\U0000001b", r"\a", r"\0", r"\r", r"\N", r"\L", r"\P"])
def test_every_way_to_write_a_sign_is_refused(pack, written):
    (pack / "more.yaml").write_text(f'document: model\ncounters:\n  gem: {{text: "Go{written}ld"}}\n')
    (pack / "keys.yaml").write_text(f'document: model\n"coun{written}ters":\n  gem: {{}}\n')

    assert [report for report in reports(pack) if report[0] == "P0012"] == [("P0012", 2, 6), ("P0012", 3, 18)]


def test_what_is_no_such_sign_is_read(pack):
    text = "Sahag\\u00fan, \\t tab, \\n line, \u2191 \u65e5\u672c \U0001f468\u200d\U0001f469 \u05d0\u05d1"
    (pack / "more.yaml").write_text(f'document: model\ncounters:\n  gem: {{per: player, text: "{text}"}}\n')

    assert reports(pack) == []


@pytest.mark.parametrize(
    ("written", "code", "place"),
    [
        ('counters:\n  "gem\\n": {}', "P0057", (3, 3)),
        ('counters:\n  gem: {noun: ["gem", "gems\\n"]}', "P0055", (3, 23)),
        ('counters:\n  gem: {told: "up to\\n{new}"}', "P0055", (3, 15)),
        ('kinds:\n  card: {name: "a\\nb"}', "P0055", (3, 16)),
        ("kinds:\n  card:\n    name: |\n      a\n", "P0055", (4, 11)),
    ],
)
def test_line_break_is_refused_in_ids_and_names(pack, written, code, place):
    (pack / "more.yaml").write_text(f"document: model\n{written}\n")

    assert reports(pack) == [(code, *place)]


@pytest.mark.parametrize(
    "written",
    [
        'constants:\n  hello: {type: text, value: "a\\nb"}',
        'constants:\n  hello: {type: list of text, value: [a, "b\\n"]}',
        "kinds:\n  token: {copies: 2, facts: {hello: 'text = \"a\n\n    b\"'}}",
    ],
)
def test_line_break_is_refused_in_values_of_type_text(pack, written):
    (pack / "more.yaml").write_text(f"document: model\n{written}\n")

    assert [(p.code, p.span.line) for p in inspect(str(pack)).problems if p.severity == "error"] == [("P0055", 3)]


NAME = "evil\x1b]0;title\x07\u202e"


def odd_save(tmp_path: Path, key: str) -> Path:
    data = json.loads(patolli.load("tic_tac_toe").start(2, 1).to_json())
    data[key] = {"modules": [NAME], "options": {NAME: NAME}, "log": [NAME], "files": {NAME: NAME}}.get(key, NAME)
    file = tmp_path / "save.json"
    file.write_text(json.dumps(add_checksums(data)))
    return file


@pytest.mark.parametrize("key", ["pack", "modules", "options", "files", "log", "content"])
def test_save_that_shows_more_than_letters(tmp_path, key):
    ended = call("replay", odd_save(tmp_path, key))

    assert unseen(ended) == []
    assert ended.code == (0 if key in ("log", "files", "content") else 2)  # entries decide, not the hash of all


def test_log_of_a_save_is_not_believed(tmp_path):
    ended = call("play", "tic_tac_toe", "--save", odd_save(tmp_path, "log"), stdin="log\nquit\n")

    assert ended.code == 0
    assert unseen(ended) == []


CALLS = [
    ["validate", NAME],
    ["validate", f"./{NAME}"],
    ["show", NAME],
    ["show", "tic_tac_toe", NAME],
    ["play", "tic_tac_toe", "--with", NAME],
    ["play", "tic_tac_toe", "--set", f"{NAME}={NAME}"],
    ["play", "tic_tac_toe", "--seat", f"1={NAME}"],
    ["play", "tic_tac_toe", "--seat", f"{NAME}=random"],
    ["play", "tic_tac_toe", "--save", f"/nowhere/{NAME}"],
    ["simulate", "tic_tac_toe", "--bot", NAME],
    ["simulate", "tic_tac_toe", "--games", NAME],
    ["simulate", "tic_tac_toe", "--out", f"/nowhere/{NAME}"],
    ["test", "tic_tac_toe", "-k", NAME],
    ["test", "tic_tac_toe", "--junit", f"/nowhere/{NAME}"],
    ["replay", NAME],
    ["new", "pack", NAME],
    ["new", "pack", "fresh", "--in", f"/dev/null/{NAME}"],
    ["new", "module", "fresh", "--for", NAME],
    ["pack", "build", NAME],
    ["pack", "build", "tic_tac_toe", "--out", f"/nowhere/{NAME}"],
    ["pack", NAME],
    ["schema", f"/dev/null/{NAME}"],
    ["fmt", NAME],
    ["explain", NAME],
    [NAME],
    [f"--{NAME}"],
]


@pytest.mark.parametrize(
    "arguments", few(CALLS, 0, 5, 10), ids=lambda arguments: " ".join(arguments).replace(NAME, "NAME")
)
def test_word_of_a_call_that_shows_more_than_letters(arguments):
    ended = call(*arguments)

    assert ended.code == 2, ended
    assert unseen(ended) == []


@pytest.mark.parametrize(
    "arguments", [["validate"], ["test"], ["fmt"], ["fmt", "--check"], ["show"], ["pack", "build"]]
)
def test_file_whose_name_shows_more_than_letters(pack, arguments):
    (pack / f"{NAME}.yaml").write_text("document:   model\ncounters: {gem: {per: player}}\nwrong: 1\n")
    folder = pack.rename(pack.with_name(NAME))

    assert unseen(call(*arguments, folder)) == []


def test_typed_words_that_show_more_than_letters():
    ended = call("play", "tic_tac_toe", "--seed", "1", stdin=f"{NAME}\nshow {NAME}\nwhy {NAME}\nsave /nowhere/{NAME}\n")

    assert ended.code == 0
    assert unseen(ended) == []
