"""The digest of a run does not depend on who plays its matches, when it is ended, and how it is cut into parts."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pyarrow
import pyarrow.parquet as parquet
import pytest
from click.testing import CliRunner

from patolli import load
from patolli.cli.labprogress import Known
from patolli.cli.main import main
from patolli.measure.lab import tables
from patolli.measure.lab.facts import COLUMNS
from patolli.measure.lab.frame import Frame, open_run
from patolli.measure.lab.measures import Estimate, measure, measures, until
from patolli.measure.lab.plans import PlanError, parse_variation
from patolli.measure.lab.run_loop import Goal, run
from patolli.measure.lab.store import Store, StoreError, hash_of
from patolli.measure.lab.tables import VALUES, Damaged, join_tables, read_about, read_rows
from patolli.measure.simulation import Plan
from patolli.measure.simulation.estimates import Interrupted

PACK, MATCHES = "content/gallery/pig", 600


@pytest.fixture(scope="module")
def rules():
    return {"base": load(PACK)}


@pytest.fixture(scope="module")
def digest(rules, tmp_path_factory):
    store, _ = played(rules, tmp_path_factory.mktemp("whole"))
    return store.digest("base", MATCHES)


def played(rules, folder, goal=None, **more):
    goal = goal or Goal(MATCHES)
    store = Store(folder, {"pack": PACK})
    try:
        done = run(store, rules, Plan(2, goal.matches, 1), goal, **more)
    finally:
        store.close()
    return store, done


def call(*words):
    return CliRunner().invoke(main, ["lab", "run", *map(str, words)])


@pytest.mark.deep
def test_digest_is_the_same_for_two_processes(rules, digest, tmp_path):
    store, done = played(rules, tmp_path, jobs=2)

    assert store.digest("base", MATCHES) == digest
    assert done.played == MATCHES


def test_shards_that_are_joined_are_the_whole_run(rules, digest, tmp_path):
    for part in range(3):
        played(rules, tmp_path / str(part), shard=(part, 3))
    for part in (1, 2):
        shutil.copytree(tmp_path / str(part), tmp_path / "0", dirs_exist_ok=True)
    store, done = played(rules, tmp_path / "0")

    assert done.played == 0
    assert store.digest("base", MATCHES) == digest


@pytest.mark.deep
def test_run_that_is_killed_goes_on(digest, tmp_path):
    """Kill -9 at random moments; then the run is finished, and nothing but the matches in hand is played again."""
    words = [sys.executable, "-m", "patolli", "lab", "run", PACK, "--players", "2", "--games", str(MATCHES)]
    words += ["--seed", "1", "--jobs", "2", "--out", str(tmp_path)]
    random, there = Random(4), 0
    for _ in range(4):
        one = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        began = time.monotonic()
        while not list(tmp_path.glob("facts/base/*")) and one.poll() is None and time.monotonic() - began < 120:
            time.sleep(0.02)
        time.sleep(random.random() * 0.3)
        one.send_signal(signal.SIGKILL)
        one.wait()
        now = sum(len(path.read_bytes().splitlines()) for path in tmp_path.glob("facts/base/*.jsonl"))
        now += 250 * len(list(tmp_path.glob("facts/base/*.parquet")))
        assert now >= there - 1  # a line may be cut off
        there = now
    done = subprocess.run(words, capture_output=True, text=True, check=True)

    assert digest_of(done.stdout) == digest


def digest_of(text):
    return next(line.split()[1] for line in text.splitlines() if line.strip().startswith("digest"))


def test_line_that_was_cut_off_is_played_again(rules, digest, tmp_path):
    played(rules, tmp_path, Goal(100))
    path = tmp_path / "facts" / "base" / "00000000.jsonl"
    data = path.read_bytes()
    path.write_bytes(data[:-40])
    store, done = played(rules, tmp_path)

    assert done.played == MATCHES - 99
    assert store.digest("base", MATCHES) == digest


def test_full_disk_loses_nothing(rules, digest, tmp_path, monkeypatch):
    store = Store(tmp_path, {"pack": PACK})
    real, left = store.add, [120]

    def add(variant, row):
        if not left[0]:
            raise OSError(28, "No space left on device", "there")
        left[0] -= 1
        real(variant, row)

    monkeypatch.setattr(store, "add", add)
    with pytest.raises(OSError, match="No space"):
        run(store, rules, Plan(2, MATCHES, 1), Goal(MATCHES))
    store.close()
    again, done = played(rules, tmp_path)

    assert done.played == MATCHES - 120
    assert again.digest("base", MATCHES) == digest


def test_parquet_says_what_the_lines_said(rules, tmp_path):
    store, _ = played(rules, tmp_path, Goal(300))
    file = tmp_path / "facts" / "base" / "00000000.parquet"
    rows = parquet.read_table(file).to_pylist()

    assert [row["match"] for row in rows] == list(range(250))
    assert parquet.read_schema(file).names == list(COLUMNS)
    assert file.stat().st_size / 250 < 700
    assert len(list(store.rows("base", 300))) == 300


@pytest.mark.deep
def test_until_ends_at_the_same_match_for_any_number_of_processes(rules, tmp_path):
    goal = Goal(5000, *until("first player +- 4 %", 2))
    one, alone = played(rules, tmp_path / "1", goal)
    two, both = played(rules, tmp_path / "2", goal, jobs=2)

    assert alone.matches == both.matches < 5000
    assert one.digest("base", alone.matches) == two.digest("base", both.matches)
    known = Estimate.over(measure("first player", 2), one.rows("base", alone.matches))
    assert known.half <= 0.04


def test_report_counts_the_matches_of_the_run_alone(tmp_path):
    """Several processes play beyond the end; so does a call for fewer matches than there are."""
    goal = ("--until", "first player +- 4 %")
    done = call(PACK, "--players", 2, "--games", 5000, "--seed", 1, "--jobs", 2, *goal, "--out", tmp_path / "run")
    counted = int(re.search(r"base: .*, ([0-9,]+) matches", done.stdout)[1].replace(",", ""))
    played = int(re.search(r"([0-9,]+) matches played now", done.stdout)[1].replace(",", ""))

    assert frame_of(tmp_path / "run").played == counted
    assert (f"{played - counted:,} more matches are saved" in done.stdout) == (played > counted)

    few = call(PACK, "--players", 2, "--games", 200, "--seed", 1, "--jobs", 1, "--out", tmp_path / "run")
    assert "base: content/gallery/pig, 200 matches" in few.stdout
    assert f"{played - 200:,} more matches are saved for a longer run" in few.stdout
    assert len(frame_of(tmp_path / "run")) == 200


def frame_of(folder):
    return Frame(open_run(folder), "base")


def test_goal_that_matches_did_not_suffice_for_is_reported(tmp_path):
    goal = ("--until", "first player +- 1 %")
    done = call(PACK, "--players", 2, "--games", 100, "--seed", 1, "--jobs", 1, *goal, "--out", tmp_path / "run")

    assert re.search(
        r"first player is known to \+- \d+\.\d %, not yet to \+- 1\.0 %: use a larger --games", done.stdout
    )


def test_facts_of_a_run_that_came_to_its_end_are_parquet_alone(rules, digest, tmp_path):
    for games in (100, MATCHES):
        done = call(PACK, "--players", 2, "--games", games, "--seed", 1, "--jobs", 1, "--out", tmp_path)
        table = parquet.read_table(tmp_path / "facts" / "base")
        assert sorted(table["match"].to_pylist()) == list(range(games))
        assert not list(tmp_path.rglob("*.jsonl"))

    assert digest_of(done.stdout) == digest


def test_rest_goes_on_after_it_was_ended_in_the_middle(rules, digest, tmp_path):
    """Matches of the last block stand in two files then."""
    store, _ = played(rules, tmp_path, Goal(260))
    store.conclude(260)
    played(rules, tmp_path, Goal(280))
    names = sorted(path.name for path in tmp_path.glob("facts/base/*"))
    whole, done = played(rules, tmp_path)

    assert names == ["00000000.parquet", "00000250.jsonl", "00000250.rest.parquet"]
    assert done.played == MATCHES - 280
    assert whole.digest("base", MATCHES) == digest


def _many_rows(monkeypatch):
    return pyarrow.table({"match": pyarrow.nulls(1_000_000, pyarrow.int64()).fill_null(0)})


def _long_list(monkeypatch):
    values = pyarrow.nulls(VALUES + 1, pyarrow.int64()).fill_null(0)
    return pyarrow.table({"course_score": pyarrow.ListArray.from_arrays([0, len(values)], values)})


def _long_text(monkeypatch):
    monkeypatch.setattr(tables, "BYTES", 1_000_000)
    return pyarrow.table({"option_id": [["x" * 1_000_001]]})


@pytest.mark.deep
@pytest.mark.parametrize("table", [_many_rows, _long_list, _long_text])
def test_small_file_that_claims_much_is_damaged(tmp_path, monkeypatch, table):
    path = tmp_path / "00000000.parquet"
    parquet.write_table(table(monkeypatch), path, compression="zstd")
    assert path.stat().st_size < 500_000
    for read in (read_rows, read_about, lambda path: join_tables([path], [], ["match"])):
        with pytest.raises(Damaged, match="delete it"):
            read(path)


@pytest.mark.parametrize("at", [pytest.param(-100, id="truncated"), pytest.param(200, id="in the middle")])
def test_damaged_file_is_reported_with_what_mends_it(digest, at, tmp_path):
    words = (PACK, "--players", 2, "--games", MATCHES, "--seed", 1, "--jobs", 1, "--out", tmp_path)
    call(*words)
    file = tmp_path / "facts" / "base" / "00000000.parquet"
    data = file.read_bytes()
    file.write_bytes(data[:at] if at < 0 else data[:at] + bytes(2000) + data[at + 2000 :])
    again = call(*words)
    assert again.exit_code == 2
    assert "is damaged; delete it, and repeat the command of this run to replay its matches" in " ".join(
        again.stderr.split()
    )
    assert "run the same command again" not in again.stderr
    file.unlink()

    assert digest_of(call(*words).stdout) == digest


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A run of a whole block and a rest of 10 matches."""
    folder = tmp_path_factory.mktemp("kept") / "run"
    assert call(PACK, "--players", 2, "--games", 260, "--jobs", 1, "--out", folder).exit_code == 0
    return folder


def report_of(folder):
    return CliRunner().invoke(main, ["lab", "report", str(folder), "--format", "json"])


def _drop(name):
    def change(folder):
        plan = json.loads((folder / "plan.json").read_text())
        del plan[name]
        (folder / "plan.json").write_text(json.dumps(plan))

    return change


def _put(name, text):
    return lambda folder: (folder / name).write_text(text)


def _flip(folder):
    """Change one bit of the scores, which no compression notices."""
    path = folder / BLOCK_FILE
    parquet.write_table(parquet.read_table(path), path, compression="none", write_page_checksum=True)
    chunk = parquet.ParquetFile(path).metadata.row_group(0).column(list(COLUMNS).index("seat_score"))
    data = bytearray(path.read_bytes())
    data[chunk.dictionary_page_offset + chunk.total_compressed_size - 3] ^= 1
    path.write_bytes(data)


def _forget_plan(folder):
    path = folder / BLOCK_FILE
    parquet.write_table(parquet.read_table(path).replace_schema_metadata({"plan": "0" * 32}), path)


BLOCK_FILE = "facts/base/00000000.parquet"
LINE = "facts/base/00000250.jsonl"
BROKEN = {
    "a plan without its bots": (_drop("bots"), "plan.json is not the plan of a run: the file: 'bots' is a required"),
    "a plan without variants": (_drop("variants"), "plan.json is not the plan of a run"),
    "a deep plan": (_put("plan.json", "[" * 99_999), "plan.json is not the plan of a run"),
    "an end that is no number": (_put("end.json", '{"matches": "all"}'), "end.json is invalid; delete it"),
    "an endless end": (_put("end.json", '{"matches": 1e999}'), "end.json is invalid; delete it"),
    "a line that is no match": (_put(LINE, "{}\t1\tHASH\n"), "00000250.jsonl:1: this line is not a match; delete it"),
    "a line of a match elsewhere": (_put(LINE, '{"match": 9}\t1\tHASH\n'), "this line is not a match"),
    "one bit": (_flip, "00000000.parquet is damaged; delete it"),
    "a file of another run": (_forget_plan, "00000000.parquet belongs to another run; move it"),
    "a deep panel": (_put("panel.json", "[" * 99_999), "panel.json is not a list of bots"),
    "a panel of 1e300 seats": (_put("panel.json", '{"patolli lab panel": 1, "bots": ["a"], "seats": 1e300}'), "list of bots"),
    "a panel of a newer version": (_put("panel.json", '{"patolli lab panel": 9, "bots": ["a"], "seats": 1}'), "another version"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_broken_file_of_a_run_is_named(kept, tmp_path, name):
    change, words = BROKEN[name]
    folder = Path(shutil.copytree(kept, tmp_path / "run"))
    change(folder)
    if (folder / LINE).exists():
        text = (folder / LINE).read_text()
        (folder / LINE).write_text(text.replace("HASH", hash_of(json.loads((folder / "plan.json").read_text()))))
    done = report_of(folder)

    assert done.exit_code == 2, done.stderr
    assert words in " ".join(done.stderr.split())


def test_files_with_other_names_do_not_count(kept, tmp_path):
    folder = Path(shutil.copytree(kept, tmp_path / "run"))
    shutil.copy(folder / BLOCK_FILE, folder / "facts/base/00000000 (1).parquet")
    (folder / "facts" / "base" / "notes.jsonl").write_text("What I think.\n")

    assert report_of(folder).stdout == report_of(kept).stdout.replace(str(kept), str(folder))


def test_examples_are_numbers_of_matches_also_if_some_are_missing(kept, tmp_path):
    folder = Path(shutil.copytree(kept, tmp_path / "run"))
    (folder / BLOCK_FILE).unlink()
    done = report_of(folder)

    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert {n for one in found["options"] for n in one["examples"]} <= {one["match"] for one in found["matches"]}
    assert all(one["match"] >= 250 for one in found["matches"])


def test_run_is_read_from_another_folder(tmp_path, monkeypatch):
    """There a folder of that name is another pack, or none; and the plan is the same wherever the packs lie."""
    home = tmp_path / "home"
    shutil.copytree(PACK, home / "mine")
    shutil.copytree("content/gallery/curios", tmp_path / "away" / "mine")
    monkeypatch.chdir(home)
    done = call("mine", "--games", 40, "--jobs", 1, "--out", "run")
    assert done.exit_code == 0, done.output
    monkeypatch.chdir(tmp_path / "away")
    told = CliRunner().invoke(main, ["lab", "match", str(home / "run"), "3"])
    assert (told.exit_code, told.stderr) == (0, "")

    shutil.move(home, tmp_path / "moved")
    monkeypatch.chdir(tmp_path / "moved")
    again = call("mine", "--games", 40, "--jobs", 1, "--out", "run")
    assert "0 matches played now" in again.stdout
    monkeypatch.chdir(tmp_path)
    told = CliRunner().invoke(main, ["lab", "match", str(tmp_path / "moved" / "run"), "3"])
    assert (told.exit_code, told.stderr) == (0, "")


def test_folder_of_another_run_is_refused(rules, tmp_path):
    played(rules, tmp_path, Goal(10))
    with pytest.raises(StoreError, match="another run, with different pack"):
        Store(tmp_path, {"pack": "other"})


def test_folder_with_something_else_is_refused(tmp_path):
    (tmp_path / "letters.txt").write_text("dear")
    with pytest.raises(StoreError, match="is not empty"):
        Store(tmp_path, {"pack": PACK})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("first palyer +- 1 %", "did you mean 'first player'", id="measure"),
        pytest.param("first player 1 %", "must have the form", id="form"),
        pytest.param("turns +- 1 %", "remove the %", id="no share"),
        pytest.param("first player +- 1", "write %", id="a share"),
        pytest.param("turns +- 0", "must be above 0", id="nothing"),
    ],
)
def test_wrong_goal_is_reported(text, words):
    with pytest.raises(PlanError, match=words):
        until(text, 2)


def test_values_are_varied():
    assert parse_variation('pieces/a/cost=1 gold, "1 gold, 1 wood", [1, 2]') == (
        "pieces/a/cost", ["1 gold", "1 gold, 1 wood", [1, 2]],
    )  # fmt: skip
    with pytest.raises(PlanError, match="must have the form"):
        parse_variation("cost=2")


def test_variant_that_changes_nothing_is_not_played_again(tmp_path):
    vary = ("--vary", "constants/tricks/value=8,7")
    done = call("content/gallery/promises", *vary, "--games", 2, "--out", tmp_path, "--jobs", 1)

    assert "v1 (constants/tricks/value = 8) equals the pack" in done.stderr
    assert re.findall(r"^(\w+):.* matches$", done.stdout, re.MULTILINE) == ["base", "v2"]


def test_matches_fit_into_a_time(rules, tmp_path, monkeypatch):
    """A match takes 0.25 s alone, and in two processes half of that: 2 and 4 in the first second, 8 in the next."""
    from types import SimpleNamespace

    from patolli.measure.lab import run_loop

    goals, there, halted = [], 0, False

    def play(store, rules, plan, goal, jobs):
        nonlocal there
        new, there = goal.matches - there, goal.matches
        goals.append(goal.matches)
        return SimpleNamespace(played=new, seconds=0.25 * new / jobs, interrupted=halted)

    monkeypatch.setattr(run_loop, "run", play)

    assert run_loop.fit_matches(None, rules, None, 2.0, 2) == 14
    assert goals == [1, 2, 6]

    there = 0
    assert run_loop.fit_matches(None, rules, None, 0.0, 2) == 1, "no time is left"
    there = 0
    assert run_loop.fit_matches(None, rules, None, 2.0, 2, most=3) == 3
    halted = True
    with pytest.raises(Interrupted):
        run_loop.fit_matches(None, rules, None, 2.0, 2)


def test_time_stands_in_place_of_a_number_of_matches(tmp_path):
    both = call(PACK, "--minutes", 1, "--games", 5, "--out", tmp_path / "out")

    assert (both.exit_code, "--minutes decides how many" in both.stderr) == (2, True)


def test_plan_in_a_file(tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(f"pack: {PACK}\nplayers: 2\ngames: 20\nseed: 1\nbots: [random, random]\n")
    filed = call(plan, "--out", tmp_path / "filed", "--jobs", 1)
    typed = call(PACK, "--players", 2, "--games", 20, "--seed", 1, "--out", tmp_path / "typed", "--jobs", 1)

    assert filed.exit_code == 0, filed.output
    assert digest_of(filed.stdout) == digest_of(typed.stdout)


def test_mistaken_value_leaves_the_folder_free(tmp_path):
    wrong = call(PACK, "--vary", "constants/nothing/value=3", "--games", 5, "--out", tmp_path)
    right = call(PACK, "--games", 5, "--out", tmp_path, "--jobs", 1)

    assert (wrong.exit_code, right.exit_code) == (1, 0)


def test_wrong_plan_is_reported_with_its_line(tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text("pack: pig\ngame: 3\n")
    done = call(plan, "--out", tmp_path / "out")

    assert done.exit_code == 2
    assert f"{plan}:2: unknown key 'game'" in done.stderr
    both = call(plan, "--games", 3, "--out", tmp_path / "out")
    assert "write --games there" in both.stderr


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("", "the plan is empty; start with 'pack: ID'", id="empty"),
        pytest.param("# to do\n\n", "the plan is empty; start with 'pack: ID'", id="remarks alone"),
        pytest.param(f"pack: {PACK}\nplayers: 99\n", "players, not 99", id="players"),
        pytest.param(
            f"pack: {PACK}\nbots: [random, random, random]\n", "there is no seat 3; the match has 2 seats", id="seats"
        ),
        pytest.param(f"pack: {PACK}\nbots: gredy\n", "gredy", id="bot"),
        pytest.param(f"pack: {PACK}\nuntil: frist player +- 1 %\n", "did you mean 'first player'", id="measure"),
    ],
)
def test_fault_of_a_plan_names_its_file(text, words, tmp_path):
    plan = tmp_path / "plan.yaml"
    plan.write_text(text)
    done = call(plan, "--out", tmp_path / "out")
    said = " ".join(done.stderr.split())

    assert done.exit_code == 2
    assert f"{plan}: " in said
    assert words in said
    assert "--" not in said.partition("Error: ")[2]
    assert not (tmp_path / "out").exists()


def test_what_is_known_so_far_is_reported_while_it_runs():
    """A mean with its interval for each number, by variant where there are several; of one match nothing is known."""
    known = Known({"base": None, "v1": None}, [measures(2)["seat 1 wins"], measures(2)["choices"]])
    row = {"seat_won": [True, False], "choices": 10, "digest": "d"}
    known.add("base", row)
    assert known.words() == ""
    known.add("base", {**row, "choices": 12})
    known.add("base", {**row, "seat_won": [False, True], "choices": 14})

    assert known.words() == "base: seat 1 wins 66.7 +- 65.3 %, choices 12.00 +- 2.26"
