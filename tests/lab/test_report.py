"""What a report finds was put into the facts; of facts with nothing in them it says nothing; its page is whole."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import numpy as np
import pytest
from click.testing import CliRunner
from synthetic import OPTIONS, row
from tiers import few

from patolli import load
from patolli.cli.main import main
from patolli.measure.lab.content import Content
from patolli.measure.lab.findings import Run, findings
from patolli.measure.lab.frame import Frame, open_run
from patolli.measure.lab.page import page
from patolli.measure.lab.plaindata import json_text
from patolli.measure.lab.plots import pictures
from patolli.measure.lab.report import nothing, report
from patolli.measure.lab.store import Store, StoreError
from patolli.measure.lab.worth import Thing

PACK = "content/gallery/curios"


@pytest.fixture(scope="module")
def content():
    return Content(load("content/gallery/pig"), 2)


def made_up(folder, content, seed, matches=400, **more):
    """Return a run of made-up matches; see synthetic.py."""
    seats = more.get("seats", 2)
    head = {"variants": [{"name": "base", "pack": "made_up", "modules": [], "options": {}, "vary": {}}]}
    head |= {"players": seats, "bots": ["random"] * seats, "seed": seed, "limit": 100, "content": "none"}
    store, random = Store(folder, head), Random(seed)
    for number in range(matches):
        store.add("base", row(number, random, **more))
    store.close()
    return Run.of(Frame(store, "base"), content)


AGAINST = {"dominant": "worth more", "weak": "worth less"}
"""What a kind of finding is called where it is held against another run."""


def kinds(run, against=None):
    return [(one.kind, one.name) for one in findings(run, against)]


@pytest.mark.deep
def test_of_nothing_nothing_is_found(content, tmp_path):
    """At least 19 of 20 reports of made-up matches in which all options and seats are alike say nothing."""
    silent = sum(not kinds(made_up(tmp_path / str(n), content, n, 200)) for n in range(20))

    assert silent >= 19


@pytest.mark.parametrize(
    ("put_in", "found"),
    few(
        [
            pytest.param({"worth": {OPTIONS[3]: 6}}, ("dominant", OPTIONS[3]), id="dominant"),
            pytest.param({"worth": {OPTIONS[3]: -6}}, ("weak", OPTIONS[3]), id="weak"),
            pytest.param({"advantage": 3}, ("seat", "seat 1"), id="seat"),
            pytest.param({"never": (OPTIONS[5],)}, ("never chosen", "build: tile_5"), id="never chosen"),
            pytest.param({"seats": 3, "gift": 9}, ("kingmaker", OPTIONS[0]), id="kingmaker"),
        ],
        0,
    ),
)
def test_what_was_put_in_is_found(content, tmp_path, put_in, found):
    run = made_up(tmp_path / "with", content, 1, 800, **put_in)
    plain = made_up(tmp_path / "without", content, 2, 800, seats=put_in.get("seats", 2))

    assert found in kinds(run)
    assert (AGAINST.get(found[0], found[0]), found[1]) in kinds(run, plain)
    assert kinds(run, made_up(tmp_path / "same", content, 3, 800, **put_in)) == []


def test_game_that_all_win_or_lose_together_has_no_better_seat(content, tmp_path):
    run = made_up(tmp_path, content, 1, 300)
    run.frame.wins[:] = 0
    run.frame.wins[:5] = 0.5

    assert kinds(run) == []


def test_options_of_real_facts_are_counted_as_the_rows_say(played):
    store, run = played
    rows = list(store.rows("base", 300))
    for one in run.options:
        assert one.offered == count(rows, one.name, "offered")
        assert one.chosen == count(rows, one.name, "chosen")
        assert one.seen == sum(one.name in row["option_id"] for row in rows)
        shown = next(row for row in rows if row["match"] == one.examples[0])
        assert not one.chosen or count([shown], one.name, "chosen")


def count(rows, name, column):
    return sum(
        n for row in rows for option, n in zip(row["option_id"], row[f"option_{column}"], strict=True) if option == name
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """300 matches of a small game: one whole block and one that is not."""
    folder = tmp_path_factory.mktemp("played")
    words = ["lab", "run", PACK, "--games", "300", "--jobs", "1", "--out", str(folder)]
    assert CliRunner().invoke(main, words).exit_code == 0
    store = open_run(folder)
    return store, Run.of(Frame(store, "base"), Content(load(PACK), int(store.head["players"])))


@pytest.fixture(scope="module")
def drawn(played):
    return pictures(played[1])


def test_numbers_are_those_of_the_rows(played):
    store, run = played
    rows = list(store.rows("base", 300))
    said = {one["name"]: one for one in report(run)["numbers"]}

    assert said["turns"]["value"] == pytest.approx(sum(row["turns"] for row in rows) / 300, rel=1e-5)
    assert said["seat 1 wins"]["value"] == pytest.approx(
        sum(row["seat_won"][0] / max(1, sum(row["seat_won"])) for row in rows) / 300, rel=1e-5
    )
    assert said["score of seat 2"]["value"] == pytest.approx(sum(row["seat_score"][1] for row in rows) / 300, rel=1e-5)
    least, _, most = said["turns"]["examples"]
    turns = {row["match"]: row["turns"] for row in rows}
    assert (turns[least], turns[most]) == (min(turns.values()), max(turns.values()))


def test_every_number_says_what_it_means_and_its_limits(played):
    for one in report(played[1])["numbers"]:
        assert one["means"].endswith(".")
        assert one["limits"].endswith(".")
        assert np.isnan(one["value"]) or one["low"] <= one["value"] <= one["high"]


def test_options_and_pieces_have_their_lines(played):
    data = report(played[1])

    assert data["options"]
    assert data["pieces"]
    for one in [*data["options"], *data["pieces"]]:
        path, _, line = one["where"].rpartition(":")
        with open(path, encoding="utf-8") as file:
            text = file.read().splitlines()[int(line) - 1]
        assert one["name"].partition("/")[2] in text or ":" in one["name"]


class Reader(HTMLParser):
    """Collects identifiers and what points at them, or out of the page."""

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.out = [], set(), []

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href", "src") and value.startswith("#"):
                self.links.add(value[1:])
            elif name in ("href", "xlink:href", "src"):
                self.out.append(value)
            elif name == "aria-labelledby":
                self.links.add(value)


def test_page_needs_nothing_else_and_every_link_leads_somewhere(played, drawn):
    text = page(report(played[1]), drawn)
    reader = Reader()
    reader.feed(text)

    assert reader.out == []
    assert reader.links <= set(reader.ids)
    assert len(set(reader.ids)) == len(reader.ids)
    assert "<script" not in text
    assert not re.search(r"url\((?!#p)", text)
    assert {"match-" + str(n) for one in report(played[1])["numbers"] for n in one["examples"]} <= set(reader.ids)


def test_pictures_have_no_colours_of_their_own(drawn):
    """Light and dark are matters of the page, and lines differ in how they are dashed."""
    for words, svg in drawn:
        assert words
        colours = set(re.findall(r"#[0-9a-f]{6}\b", svg)) - {"#000000", "#ffffff"}
        assert not colours
    scores = next(svg for words, svg in drawn if words.startswith("Mean scores"))
    assert len(set(re.findall(r"stroke-dasharray: [^;\"]+", scores))) >= 1


@pytest.mark.deep
def test_page_is_fit_for_everybody(played, drawn, tmp_path):
    """No finding of axe, and nothing to push aside on a telephone, light and dark."""
    sync_api, axe = (
        pytest.importorskip("playwright.sync_api"),
        pytest.importorskip("axe_playwright_python.sync_playwright"),
    )
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("no Chromium on this machine")
    file = tmp_path / "report.html"
    file.write_text(page(report(played[1]), drawn), encoding="utf-8")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for width, scheme in ((360, "light"), (1280, "dark")):
            shown = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
            shown.goto(file.as_uri())
            assert [one["id"] for one in axe.Axe().run(shown).response["violations"]] == []
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
        browser.close()


def call(*words):
    return CliRunner().invoke(main, ["lab", *map(str, words)])


def test_report_is_written(played, tmp_path):
    folder = played[0].folder
    done = call("report", folder, "--out", tmp_path / "a.html")
    plain = call("report", folder, "--format", "json")

    assert (done.exit_code, plain.exit_code) == (0, 0), done.output
    assert (tmp_path / "a.html").stat().st_size < 1_000_000
    assert json.loads(plain.stdout)["about"]["matches"] == 300
    assert call("report", folder, "--format", "json", "--against", folder).exit_code == 0


def test_match_of_a_report_is_played_again(played, tmp_path):
    folder = played[0].folder
    kept = next(row for row in played[0].rows("base", 300) if row["match"] == 7)
    save = tmp_path / "match.json"
    done = call("match", folder, 7, "--out", save)

    assert done.exit_code == 0, done.output
    assert load(PACK).restore(save.read_text()).digest() == kept["digest"]
    assert call("match", folder, 7).stdout.strip()
    assert CliRunner().invoke(main, ["replay", str(save)]).exit_code == 0


@pytest.mark.deep
@pytest.mark.parametrize("words", [["report"], ["match"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_what_can_be_made_again_is_not_poured_out_where_there_is_no_room(played, words):
    done = call(*words, played[0].folder, *(["7"] if words == ["match"] else []), "--out", "/dev/full")

    assert done.exit_code == 2
    assert "No space left" in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) <= 2


def test_match_of_a_pack_that_lies_somewhere_is_replayed_as_is_reported(played, tmp_path):
    """The call that is reported names the folder of the pack where its id does not lead there."""
    done = call("match", played[0].folder, 7, "--out", tmp_path / "match.json")
    told = re.search(r"'patolli (replay .*)' shows it", done.stdout)

    assert told, done.stdout
    assert CliRunner().invoke(main, shlex.split(told[1])).exit_code == 0


def test_match_that_ends_otherwise_now_is_reported(played, tmp_path):
    folder = tmp_path / "changed"
    shutil.copytree(played[0].folder, folder)
    head = json.loads((folder / "plan.json").read_text())
    other = Store(tmp_path / "other", {**{k: v for k, v in head.items() if k != "patolli lab"}, "seed": 5})
    other.add("base", dict(next(played[0].rows("base", 1))))
    other.close()
    done = call("match", tmp_path / "other", 0)

    assert done.exit_code == 3
    assert "ends differently" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(("report", "nowhere", "--out", "a.html"), "nowhere has no run", id="no run"),
        pytest.param(("report", "HERE"), "--out FILE.html", id="no file"),
        pytest.param(
            ("report", "HERE", "--format", "json", "--variant", "v3"),
            "has no variant 'v3'; variants: base",
            id="variant",
        ),
        pytest.param(("report", "HERE", "--format", "json", "--against", "x"), "x has no run", id="against"),
        pytest.param(("match", "HERE", "300"), "has no match 300", id="match"),
    ],
)
def test_wrong_call_is_one_clear_line(played, words, told):
    done = call(*(str(played[0].folder) if word == "HERE" else word for word in words))

    assert done.exit_code == 2
    assert told in done.stderr


def test_run_without_an_end_says_so(tmp_path):
    folder = tmp_path / "short"
    call("run", PACK, "--games", 5, "--limit", 3, "--jobs", 1, "--out", folder)
    done = call("report", folder, "--format", "json")

    assert done.exit_code == 2
    assert "none of the 5 matches" in done.stderr
    with pytest.raises(StoreError):
        Frame(open_run(folder), "base")


def test_missing_package_is_reported(played, monkeypatch, tmp_path):
    from patolli.measure.lab import plots

    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(plots, "import_module", missing)
    done = call("report", played[0].folder, "--out", tmp_path / "a.html")

    assert done.exit_code == 2
    assert "pip install 'patolli[lab]'" in done.stderr


def test_thing_without_rows_is_worth_nothing_known():
    assert Thing("a: b", "a").main is None


@pytest.mark.deep
def test_heat_maps_show_where_pieces_came_and_what_was_chosen(tmp_path):
    """On the boards of a pack; a number is the mean of the facts, and lies in its interval."""
    folder = tmp_path / "run"
    assert call("run", "city_of_gods", "--players", 2, "--games", 6, "--jobs", 1, "--out", folder).exit_code == 0
    store = open_run(folder)
    data = json.loads(call("report", folder, "--format", "json").stdout)
    rows = list(store.rows("base", 6))
    came = {(one["title"], one["shows"]): one for one in data["boards"]}
    ring = came["Action boards", "arrivals of pieces"]["layers"][0]["rows"][0]
    times = sum(
        times
        for one in rows
        for place, times in zip(one["came_place"], one["came_times"], strict=True)
        if place.endswith("/forest")
    )
    forest = next(cell for cell in ring if cell["name"] == "forest")

    assert forest["value"] == pytest.approx(times / 6, rel=1e-4)
    assert all(cell["low"] <= cell["value"] <= cell["high"] for cell in ring)
    levels = came["Pyramid", "arrivals of pieces"]["layers"]
    assert [len(layer["rows"]) for layer in levels] == [4, 3, 2, 1]


@pytest.mark.deep
def test_measures_and_used_pieces_are_reported(tmp_path):
    folder = tmp_path / "run"
    assert call("run", "city_of_gods", "--players", 2, "--games", 6, "--jobs", 1, "--out", folder).exit_code == 0
    data = json.loads(call("report", folder, "--format", "json").stdout)
    rows = list(open_run(folder).rows("base", 6))
    numbers = {one["name"]: one for one in data["numbers"] if one["group"] == "Measures of the pack"}
    steps = [
        v
        for one in rows
        for name, v in zip(one["measure_id"], one["measure_value"], strict=True)
        if name == "temple_steps"
    ]
    used = {piece for one in rows for piece in one["used_piece"]}

    assert numbers["temple steps"]["value"] == pytest.approx(sum(steps) / len(steps), rel=1e-4)
    assert numbers["temple steps: lead of the winner"]["low"] <= numbers["temple steps: lead of the winner"]["high"]
    assert {"pyramid tiles, time 1", "topped"} <= numbers.keys()
    assert {one["name"] for one in data["pieces"] if one["used"]} == used


def test_report_is_of_what_was_there_when_it_was_begun(content, tmp_path):
    """A run that goes on writes lines, makes files of blocks, and is in the middle of a line; that stays."""
    made_up(tmp_path, content, 5, 300)
    reading, writing, random = open_run(tmp_path), open_run(tmp_path), Random(9)
    lines = tmp_path / "facts/base/00000250.jsonl"
    with lines.open("ab") as file:
        file.write(b'{"match": 3')
    size = lines.stat().st_size
    frame = Frame(reading, "base")

    assert (len(frame), lines.stat().st_size) == (300, size)

    for number in range(300, 600):
        writing.add("base", row(number, random))
    writing.close()

    assert not lines.exists()
    assert len(frame.table("option", ("id", "seat")).match) == 300 * 2 * len(OPTIONS)
    assert len(Frame(open_run(tmp_path), "base")) == 600


def test_block_that_is_made_a_file_meanwhile_counts_once(content, tmp_path):
    made_up(tmp_path, content, 5, 300)
    lines = tmp_path / "facts/base/00000250.jsonl"
    text = lines.read_bytes()
    store = open_run(tmp_path)
    for number in range(300, 500):
        store.add("base", row(number, Random(1)))
    store.close()
    lines.write_bytes(text)  # the moment before they are deleted

    assert len(Frame(open_run(tmp_path), "base")) == 500


def test_values_of_things_are_added_up_by_match(content, tmp_path, monkeypatch):
    """What is computed some matches at a time is what a sum match by match gives."""
    monkeypatch.setattr("patolli.measure.lab.frame.CELLS", 100)
    frame = made_up(tmp_path, content, 5, 300).frame
    table = frame.table("option", ("id", "seat", "offered"))
    total, squares = table.sums(table["id"], table["offered"], len(table.names), len(frame))
    by_hand = np.zeros((len(table.names), len(frame)))
    np.add.at(by_hand, (table["id"], table.match), table["offered"])

    assert total.tolist() == by_hand.sum(axis=1).tolist()
    assert squares.tolist() == (by_hand**2).sum(axis=1).tolist()


def test_data_of_one_match_is_json(content, tmp_path):
    """One match says no interval; JSON knows no number without an end."""

    def refused(word):
        raise AssertionError(word)

    data = json.loads(json_text(report(made_up(tmp_path, content, 5, 1))), parse_constant=refused)

    assert any(one["low"] is None for one in data["numbers"])


@pytest.mark.parametrize(("matches", "words"), [(1, "1 match is too few"), (40, "40 matches are too few")])
def test_too_few_matches_are_counted_in_english(matches, words):
    assert words in nothing({"about": {"matches": matches, "against": None}, "never": {"offered": []}})


@pytest.mark.deep
def test_picture_without_data_is_left_out(content, tmp_path):
    few_matches = pictures(made_up(tmp_path, content, 1, matches=3))

    assert not any("sole leader" in words for words, _ in few_matches)
    assert all(drawn.count("<path") > 2 for _, drawn in few_matches)
