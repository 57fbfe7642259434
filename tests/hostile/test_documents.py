"""Documents that were made to break the checker: each is refused at its place, in little time and memory."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from fuzz import ended, warm
from packmaker import SAMPLE, trigger
from tiers import few

M, R, P = "document: model\n", "document: rules\n", "document: pieces\nkind: charm\nplace: bag\npieces:\n"
MANY = 20_000


def blocks(number: int) -> str:
    lines = (f"{'  ' * i}if coin > {i}:" for i in range(number))
    return trigger("\n".join([*lines, "  " * number + "nothing"]))


def chain(section: str, number: int, one: str, last: str) -> str:
    rows = "".join(f"  x{i}{one.replace('NEXT', f'x{i + 1}')}\n" for i in range(number))
    return f"{R}{section}:\n{rows}  x{number}{last}\n"


def rising(head: str, number: int, first: str, one: str) -> str:
    """Declare the innermost entry first."""
    rows = "".join(f"  x{i}{one.replace('LAST', f'x{i - 1}')}\n" for i in range(1, number))
    return f"{head}:\n  x0{first}\n{rows}"


BOMB = (
    M
    + "a: &a [x, x]\n"
    + "".join(f"{b}: &{b} [{', '.join([f'*{a}'] * 9)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)
TOWER = "".join(f"  t{i}: {{type: int, value: t{i + 1} * t{i + 1}}}\n" for i in range(60))
CHAIN = chain("functions", 3_000, "(int n): NEXT(n)", "(int n): n")
CIRCLE = "  k1: {type: int, value: k2}\n  k2: {type: int, value: k1}\n"
SECRET = "  gnat: {per: player, copies: 1000000000}\nplaces:\n  gnats: {of: gnat, per: player, type: area}\n"

DOCUMENTS = [
    pytest.param(BOMB, "P0004:2:4", id="aliases of aliases"),
    pytest.param(M + "counters: " + "[" * 100_000, "P0014:2:50", id="brackets in YAML"),
    pytest.param(M + "".join(" " * i + "a:\n" for i in range(1_500)), "P0014:42:41", id="indentation in YAML"),
    pytest.param(M + "counters:\n  " + "- " * 5_000 + "x\n", "P0014:3:81", id="dashes in YAML"),
    pytest.param(trigger("gain " + "-" * MANY + "1 coin"), "P0101:6:128", id="minus signs"),
    pytest.param(trigger("if " + "not " * 9_000 + "true: nothing"), "P0101:6:486", id="negations"),
    pytest.param(trigger("gain " + "1 + " * 9_000 + "1 coin"), "P0101:6:35552", id="sums"),
    pytest.param(trigger("gain ladder" + "[0]" * MANY + " coin"), "P0101:6:59671", id="indices"),
    pytest.param(trigger("gain me" + ".x" * MANY + " coin"), "P0101:6:12", id="attributes"),
    pytest.param(trigger("gain " + "abs(" * 9_000 + "1" + ")" * 9_000 + " coin"), "P0101:6:244", id="calls"),
    pytest.param(trigger("if coin > 1: nothing\n" + "elif coin > 2: nothing\n" * 2_000), "P0101:6:7", id="branches"),
    pytest.param(blocks(150), "P0101:66:127", id="blocks"),
    pytest.param(M + "kinds:\n  k: {facts: {a: " + "list of " * 5_000 + "int}}\n", "P0103:3:18", id="lists in a type"),
    pytest.param(CHAIN, "P0101:3:3", id="functions in a row"),
    pytest.param(chain("rules", 2_000, ": NEXT()", ": gain 1 coin\ntriggers:\n  t: {after: earn, do: x0()}"), "P0101:3:3", id="rules in a row"),
    pytest.param(rising(R + "functions", 2_000, ": coin", ": LAST + LAST"), "P0101:104:3", id="functions in a row, from the end"),
    pytest.param(rising(R + "rules", 1_000, ": pay 1 coin", ": 'if can(LAST()): LAST()'"), "P0101:104:3", id="rules in a row, from the end"),
    pytest.param(rising(M + "constants", 1_000, ": {type: int, value: 1}", ": {type: int, value: LAST + LAST}"), "P0101:104:3", id="constants in a row"),
    pytest.param(M + "constants:\n  x: {type: int, value: 0x" + "f" * 60_000 + "}\n", "P0021:3:25", id="hexadecimal number"),
    pytest.param(M + "counters:\n  gem: {max: " + "9" * 5_000 + "}\n", "P0027:3:14", id="number in YAML"),
    pytest.param(P + "  big: {copies: 1000000000}\n", "P0054:5:17", id="copies"),
    pytest.param(P + "  big: {copies: 100000 * 100000 * seats}\n", "P0054:5:17", id="product of copies"),
    pytest.param(P + "  big: {copies: -3}\n", "P0054:5:17", id="negative copies"),
    pytest.param(P + "".join(f"  big{i}: {{copies: 9999}}\n" for i in range(11)), "P0054:14:3", id="pieces altogether"),
    pytest.param(M + "kinds:\n" + SECRET, "P0054:3:31", id="copies of a kind"),
    pytest.param(M + "grids:\n  huge: {rows: 100000, columns: 100000}\n", "P0054:3:16", id="grid"),
    pytest.param(M + "kinds:\n  gnat: {}\nplaces:\n  gnats: {of: gnat, type: row, size: 1000000000}\n", "P0054:5:38", id="row"),
    pytest.param(M + "grids:\n  huge: {rows: 40, columns: 40, prefix: h}\n  wide: {rows: 40, columns: 40, prefix: w}\ncounters:\n  gnat: {per: [huge, wide]}\n", "P0054:6:3", id="counters"),
    pytest.param(M + "kinds:\n  gnat: {per: player, copies: 9999, fields: {" + ", ".join(f"f{i}: int = 0" for i in range(150)) + "}}\n", "P0054:3:391", id="fields of pieces"),
    pytest.param(M + "grids:\n" + "".join(f"  g{i}: {{rows: 100, columns: 100, prefix: g{i}_}}\n" for i in range(300)), "P0054:13:3", id="grids"),
    pytest.param(M + "grids:\n  g: {rows: 60, columns: 60, prefix: g_}\n" + "".join(f"  s{i}: {{over: g, levels: 20, block: 2, prefix: s{i}_}}\n" for i in range(300)), "P0054:7:3", id="stacks"),
    pytest.param(M + "constants:\n" + TOWER + "  t60: {type: int, value: 9}\nkinds:\n  gnat: {per: player, copies: t0}\n", "P0054:65:31", id="constants that multiply each other"),
    pytest.param(M + "constants:\n" + CIRCLE + "kinds:\n  gnat: {per: player, copies: k1}\n", "P0411:3:3", id="constants in a circle"),
    pytest.param(M + 'counters:\n  gem: {text: "' + "x" * 1_500_000 + '"}\n', "P0016:3:15", id="long line"),
    pytest.param("document: rules\nfunctions:\n  gnat(): " + "x" * 60_000 + "-y z\n", "P0101:3:60014", id="long name"),
    pytest.param(M + "# " + "x" * 3_000_000 + "\n", "P0013:1:1", id="large file"),
    pytest.param(M + "counters:\n" + "".join(f"  c{i}: {{text: a}}\n" for i in range(60_000)), "P0015:50001:18", id="many values"),
    pytest.param(M + "groups:\n  g: [" + "a," * 50_000 + "a]\n", "P0056:3:9", id="the same value again and again"),
    pytest.param(M + "counters:\n" * 30_000, "P0003:3:1", id="the same key again and again"),
    pytest.param(M + "counters:\n  gem: {}\0\n", "P0012:3:10", id="NUL"),
    pytest.param(M + "counters:\n  ge\ufeffm: {}\n", "P0012:3:5", id="byte order mark inside"),
    pytest.param(M + "grids:\n  wide: {rows: 60, columns: 60}\n", "P0203:26:3", id="names of cells that are taken"),
    pytest.param(M.encode() + b"counters:\n  gem: {text: \xff}\n", "P0011:3:15", id="invalid UTF-8"),
    pytest.param(M.encode("utf-16"), "P0011:1:1", id="UTF-16"),
    pytest.param(M.encode() + b'counters:\n  gem: {text: "\xed\xa0\x80"}\n', "P0011:3:16", id="lone surrogate"),
    pytest.param(M + 'counters:\n  gem: {text: "\\ud800"}\n', "P0037:3:16", id="escaped surrogate"),
    pytest.param("", "P0009:1:1", id="empty"),
    pytest.param("\n# nothing\n", "P0009:1:1", id="comment alone"),
    pytest.param("document: scenarios\nscenarios:\n  one: {players: 999999999999, call: gain 1 coin, then: {coin: 1}}\n", "P0054:3:18", id="players of a scenario"),
    pytest.param("document: scenarios\nscenarios: [\n", "P0035:2:12", id="scenarios that are no YAML"),
]  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    warm()


@pytest.fixture
def pack(tmp_path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "sample"))


@pytest.mark.parametrize(("document", "report"), few(DOCUMENTS, 0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40))
def test_document_is_refused_at_its_place(pack, document, report):
    data = document if isinstance(document, bytes) else document.encode("utf-8")
    (pack / "hostile.yaml").write_bytes(data)

    end = ended(pack, seconds=20)

    assert end.fine, end.said
    assert report in end.reports
    assert len(end.reports) <= 1_000


@pytest.mark.parametrize(
    "document",
    few([
        pytest.param("\ufeff" + M + "counters:\n  gem: {per: player}\n", id="byte order mark"),
        pytest.param(trigger("gain " + "(" * 5_000 + "1" + ")" * 5_000 + " coin"), id="parentheses"),
        pytest.param(trigger("if coin > 1: nothing\n" + "elif coin > 2: nothing\n" * 59), id="branches"),
        pytest.param(blocks(20), id="blocks"),
        pytest.param(trigger("gain 1 coin\n" * 3_000), id="lines"),
        pytest.param(trigger("repeat 1000000000000 times: gain 1 coin"), id="repetitions"),
        pytest.param(chain("rules", 95, ": |\n    if coin > 1:\n      for p in players: NEXT()", ": gain 1 coin\ntriggers:\n  t: {after: earn, do: x0()}"), id="rules in a row"),
        pytest.param(chain("functions", 95, "(int n): max(NEXT(n), NEXT(n + 1)) if n > 1 else n", "(int n): n\nvalues:\n  greedy: x0(1)"), id="functions in a row"),
    ], 0, 4),
)  # fmt: skip
def test_large_document_is_checked(pack, document):
    (pack / "large.yaml").write_text(document, "utf-8")

    end = ended(pack, seconds=20)

    assert end.fine, end.said
    assert all(report.startswith(("P043", "P0419", "P0450", "P0461", "P0468")) for report in end.reports)


def test_directory_with_the_name_of_a_document(pack):
    (pack / "folder.yaml").mkdir()
    assert ended(pack).reports == ["P0010:1:1"]


def test_links_in_a_circle(pack):
    (pack / "all").symlink_to(pack)
    (pack / "one.yaml").symlink_to("two.yaml")
    (pack / "two.yaml").symlink_to("one.yaml")
    assert ended(pack).reports == ["P0010:1:1"] * 2


def test_link_to_nowhere(pack):
    (pack / "gone.yaml").symlink_to(pack / "nowhere")
    assert ended(pack).reports == ["P0010:1:1"]


def test_pipe_and_device(pack):
    os.mkfifo(pack / "pipe.yaml")
    (pack / "zero.yaml").symlink_to("/dev/zero")
    assert ended(pack, seconds=10).reports == ["P0010:1:1"] * 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(pack):
    (pack / "secret.yaml").touch(0)
    assert ended(pack).reports == ["P0010:1:1"]


def test_name_that_is_no_text(pack):
    with open(os.fsencode(pack) + b"/\xff.yaml", "w") as file:
        file.write("document: modle\n")
    assert ended(pack).reports == ["P0059:1:11"]


def test_name_that_is_too_long():
    assert ended(Path("x" * 5_000)).reports == ["P0110:1:1"]
