"""Workers elsewhere play the same matches; when one is ended, nothing is missing."""

from __future__ import annotations

import os
import signal

import pytest
from click.testing import CliRunner

from patolli import load
from patolli.cli.main import main
from patolli.measure.lab import clusters
from patolli.measure.lab.clusters import Cluster, NoCluster, given_of, unpacked
from patolli.measure.lab.run_loop import Goal, Players, run
from patolli.measure.lab.store import Store
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
        there, done = played(rules, tmp_path / "there", ["greedy", "random"], 60, cluster=cluster, tell=tell)

    assert killed
    assert there == alone
    assert done.played == 60


def test_packs_travel_with_the_work(rules):
    given = given_of(rules, Plan(2, 1, 1))

    assert unpacked(given)["base"].content_hash == rules["base"].content_hash
    given["packs"][next(iter(given["packs"]))]["pack.yaml"] += b"# other\n"
    with pytest.raises(RuntimeError, match="differ from those on this machine"):
        unpacked(given)


def test_cluster_that_goes_is_told(rules):
    own = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, protocol="tcp://", **QUIET)

    def pieces():
        yield "base", 0, 1
        own.close()
        yield "base", 1, 2

    with Cluster(own.scheduler_address) as cluster, pytest.raises(NoCluster, match="finished matches are stored"):
        list(cluster.done(rules, Plan(2, MATCHES, 1), Players, pieces()))


def test_missing_cluster_is_told_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 1.0)
    words = ["lab", "run", PACK, "--games", "5", "--out", str(tmp_path / "out"), "--cluster", "tcp://127.0.0.1:9"]
    done = CliRunner().invoke(main, words)

    assert done.exit_code == 2
    assert "no cluster at tcp://127.0.0.1:9" in done.stderr
    assert not (tmp_path / "out").exists()
    both = CliRunner().invoke(main, [*words, "--jobs", "2"])
    assert "use only one of them" in both.stderr


def test_cluster_without_a_worker_is_told(monkeypatch):
    monkeypatch.setattr(clusters, "PATIENCE", 1.0)
    with (
        distributed.LocalCluster(n_workers=0, processes=False, protocol="tcp://", **QUIET) as empty,
        pytest.raises(NoCluster, match="has no processes"),
    ):
        Cluster(empty.scheduler_address)
