"""Archives that are damaged in any way are refused, or read."""

from __future__ import annotations

import random
import zipfile
from pathlib import Path

import pytest
from fuzz import ended, warm
from packmaker import SAMPLE
from tiers import few


@pytest.fixture(scope="module", autouse=True)
def _loaded():
    warm()


def archived(path: Path, more: dict[str, str] | None = None) -> Path:
    files = {str(file.relative_to(SAMPLE)): file.read_text("utf-8") for file in sorted(SAMPLE.rglob("*.yaml"))}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {**files, **(more or {})}.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return path


def test_archive_is_read(tmp_path):
    assert ended(archived(tmp_path / "good.zip")).reports == []


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"big.yaml": "a" * 1_900_000}, id="bomb"),
        pytest.param({f"m{i}.yaml": "" for i in range(2_000)}, id="too many files"),
        pytest.param({"../up.yaml": ""}, id="name that leads outside"),
    ],
)
def test_archive_is_refused(tmp_path, more):
    assert ended(archived(tmp_path / "bad.zip", more)).reports == ["P0112:1:1"]


@pytest.mark.parametrize("name", ["x/" * 30_000 + "a.yaml", "x" * 60_000 + ".yaml"], ids=["deep", "long"])
def test_name_takes_no_more_memory_than_it_is_long(tmp_path, name):
    """Some ways to go through the folders of one such name take more than a thousand million bytes."""
    path = archived(tmp_path / "name.zip", {name: ""})
    assert path.stat().st_size < 200_000
    assert ended(path, memory=60_000_000, seconds=10).reports == ["P0112:1:1"]


@pytest.mark.parametrize("size", [0, 1, 700, -30])
def test_part_of_an_archive(tmp_path, size):
    path = archived(tmp_path / "part.zip")
    path.write_bytes(path.read_bytes()[:size])
    assert ended(path).reports == ["P0112:1:1"]


@pytest.mark.parametrize("seed", few(range(20), 0, 5, 10, 15))
def test_damaged_archive(tmp_path, seed):
    path, draw = archived(tmp_path / "damaged.zip"), random.Random(seed)
    data = bytearray(path.read_bytes())
    for _ in range(draw.randint(1, 12)):
        data[draw.randrange(len(data))] = draw.randrange(256)
    path.write_bytes(data)

    end = ended(path, seconds=20)

    assert end.fine, end.said
