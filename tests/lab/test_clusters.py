"""Workers elsewhere play the same matches; when one is ended, nothing is missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import replace

import pytest
from click.testing import CliRunner

from patolli import load
from patolli.cli.main import main
from patolli.measure.lab import clusters
from patolli.measure.lab.clusters import Cluster, NoCluster, given_of, unpack_rulesets
from patolli.measure.lab.facts import COLUMNS
from patolli.measure.lab.run_loop import Goal, Players, run
from patolli.measure.lab.store import MARK, Store
from patolli.measure.lab.tables import BLOCK
from patolli.measure.simulation import Plan

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.deep,
    pytest.mark.filterwarnings("ignore"),  # of event loops that a cluster leaves behind
]
PACK, MATCHES = "content/gallery/pig", 600
QUIET = {"dashboard_address": None, "host": "127.0.0.1", "silence_logs": 50}


@pytest.fixture(scope="module")
def rules():
    return {"base": load(PACK)}


@pytest.fixture(scope="module")
def workers():
    """Two workers, each a process; one that ends is not replaced."""
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, **QUIET) as there:
        yield there


def played(rules, folder, bots=(), matches=MATCHES, **more):
    store = Store(folder, {"pack": PACK})
    try:
        done = run(store, rules, Plan(2, matches, 1, bots), Goal(matches), **more)
    finally:
        store.close()
    return store.digest("base", matches), done


def test_digest_is_the_same_on_two_workers(rules, workers, tmp_path):
    alone, _ = played(rules, tmp_path / "alone")
    with Cluster(workers.scheduler_address) as cluster:
        there, done = played(rules, tmp_path / "there", cluster=cluster)

    assert there == alone
    assert done.played == MATCHES


def test_worker_that_is_killed_costs_nothing(rules, workers, tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "SECONDS", 0.2)
    alone, _ = played(rules, tmp_path / "alone", ["greedy", "random"], 60)
    with distributed.Client(workers.scheduler_address, set_as_default=False) as client:
        pid = next(iter(client.run(os.getpid).values()))
    killed = []

    def tell(there):
        if there >= 10 and not killed:
            killed.append(os.kill(pid, signal.SIGKILL))

    with Cluster(workers.scheduler_address) as cluster:
        there, done = played(rules, tmp_path / "there", ["greedy", "random"], 60, cluster=cluster, report_progress=tell)

    assert killed
    assert there == alone
    assert done.played == 60


def test_packs_travel_with_the_work(rules):
    given = given_of(rules, Plan(2, 1, 1))

    assert unpack_rulesets(given)["base"].content_hash == rules["base"].content_hash
    given["packs"][next(iter(given["packs"]))]["pack.yaml"] += b"# other\n"
    with pytest.raises(RuntimeError, match="differ from those on this machine"):
        unpack_rulesets(given)


def test_cluster_that_goes_is_reported(rules):
    own = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", **QUIET)

    def pieces():
        yield "base", 0, 1
        own.close()
        yield "base", 1, 2

    with Cluster(own.scheduler_address) as cluster, pytest.raises(NoCluster, match="finished matches are stored"):
        list(cluster.run_batches(rules, Plan(2, MATCHES, 1), Players, pieces()))


def test_missing_cluster_is_reported_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "RESPONSE_SECONDS", 1.0)
    words = ["lab", "run", PACK, "--games", "5", "--out", str(tmp_path / "out"), "--cluster", "tcp://127.0.0.1:9"]
    done = CliRunner().invoke(main, words)

    assert done.exit_code == 2
    assert "no cluster at tcp://127.0.0.1:9" in done.stderr
    assert not (tmp_path / "out").exists()
    both = CliRunner().invoke(main, [*words, "--jobs", "2"])
    assert "use only one of them" in both.stderr


def test_cluster_without_a_worker_is_reported(monkeypatch):
    monkeypatch.setattr(clusters, "RESPONSE_SECONDS", 1.0)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp://", **QUIET) as empty,
        pytest.raises(NoCluster, match="has no processes"),
    ):
        Cluster(empty.scheduler_address)


def test_workers_write_whole_blocks_and_the_caller_only_the_others(rules, workers, tmp_path, monkeypatch):
    alone, _ = played(rules, tmp_path / "alone", matches=2100)
    added, noted = [], []
    add, note = Store.add, Store.note_block
    monkeypatch.setattr(Store, "add", lambda self, name, row: (added.append(row["match"]), add(self, name, row)))
    monkeypatch.setattr(Store, "note_block", lambda self, name, at: (noted.append(at), note(self, name, at)))
    with Cluster(workers.scheduler_address) as cluster:
        there, done = played(rules, tmp_path / "there", matches=2100, cluster=cluster)

    assert there == alone
    assert done.played == 2100
    assert len(noted) >= 5
    assert len(added) + BLOCK * len(noted) == 2100
    assert not list((tmp_path / "there").glob(f"facts/{MARK}*"))


def test_workers_that_do_not_see_the_folder_return_the_facts(rules, workers, tmp_path, monkeypatch):
    monkeypatch.setattr(Store, "note_block", lambda *given: pytest.fail("written elsewhere"))
    share = Store.share

    @contextmanager
    def elsewhere(self):
        with share(self) as shared:
            yield replace(shared, mark=str(tmp_path / "other" / "facts" / "mark"))

    monkeypatch.setattr(Store, "share", elsewhere)
    with Cluster(workers.scheduler_address) as cluster:
        there, _ = played(rules, tmp_path / "there", cluster=cluster)

    assert there == played(rules, tmp_path / "alone")[0]


CALLER = """
import sys
from pathlib import Path
from patolli import load
from patolli.measure.lab.clusters import Cluster
from patolli.measure.lab.run_loop import Goal, run
from patolli.measure.lab.store import Store
from patolli.measure.simulation import Plan

address, folder, pack, matches = sys.argv[1:]
store = Store(Path(folder), {"pack": pack})
with Cluster(address) as cluster:
    run(store, {"base": load(pack)}, Plan(2, int(matches), 1), Goal(int(matches)), cluster=cluster,
        report_progress=lambda played: print(played, flush=True))
"""


def test_killed_caller_loses_and_duplicates_nothing(rules, workers, tmp_path):
    words = [sys.executable, "-c", CALLER, workers.scheduler_address, str(tmp_path / "there"), PACK, "5000"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as caller:
        for line in caller.stdout:
            if int(line) >= 1000:
                caller.kill()
                break
    kept = Store(tmp_path / "there", {"pack": PACK})
    found = sum(len(kept.list_played("base", block)) for block in range(20))
    with Cluster(workers.scheduler_address) as cluster:
        there, done = played(rules, tmp_path / "there", matches=5000, cluster=cluster)

    assert 1000 <= found < 5000
    assert done.played <= 5000 - found  # a worker may have finished the block in hand
    assert there == played(rules, tmp_path / "alone", matches=5000)[0]
    rows = [row["match"] for row in Store(tmp_path / "there", {"pack": PACK}).rows("base", 5000, ["match"])]
    assert rows == list(range(5000))
    assert not list((tmp_path / "there").glob(f"facts/{MARK}*"))


def test_full_disk_of_a_worker_leaves_the_block_to_the_caller(tmp_path, monkeypatch):
    store = Store(tmp_path / "there", {"pack": PACK})

    def full(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("patolli.measure.lab.store.write_rows", full)
    with store.share() as shared:
        assert not shared.write("base", [dict.fromkeys(COLUMNS, 0)])
