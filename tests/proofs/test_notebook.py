"""Nothing is worked out otherwise by the way, in some hundred packs that are in the tests for other reasons.

``known.txt`` holds a sum of what ``notebook`` writes of each. Where a change of the proofs is meant, write it anew; to
see what differs, let the notebooks be written before and after it::

    PATOLLI_GOLDEN=write python -m pytest tests/proofs/test_notebook.py -n 0
    PATOLLI_NOTEBOOKS=FOLDER python -m pytest tests/proofs/test_notebook.py -n 0
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest
from goldencases import Case, read
from proofs.notebook import opened
from randompacks.packs import make

from patolli.packs import discovery
from patolli.workspace.inspecting import inspect

TESTS = Path(__file__).resolve().parents[1]
PACKS = TESTS.parent / "content"
SUMS = Path(__file__).with_name("known.txt")
KNOWN = dict(line.split() for line in SUMS.read_text("utf-8").splitlines()) if SUMS.exists() else {}
FIRST, RANDOM = 8_000_000, 160
"""Which packs made by chance there are, and how many; another generator makes others, which have to be written anew."""
WRITE = os.environ.get("PATOLLI_GOLDEN") == "write"
FOLDER = os.environ.get("PATOLLI_NOTEBOOKS")


def _cases() -> dict[str, Case | Path]:
    """Give the packs by name: cases of the checker, packs of the tests, and small ones that are shipped."""
    files = [path for where in ("golden", "odd") for path in sorted((TESTS / "diagnostics" / where).iterdir())]
    cases = {path.stem: read(path) for path in files}
    found: dict[str, Case | Path] = {name: case for name, case in cases.items() if "pack.yaml" in case.files}
    folders = [TESTS / "data" / name for name in "boxes convoy fair hunt kuhn lab mosaic patience sample".split()]
    folders += [PACKS / name for name in "breakthrough city_of_gods connect_four founders patolli tic_tac_toe".split()]
    folders += [path for path in sorted((PACKS / "gallery").iterdir()) if path.is_dir()]
    found |= {f"pack_{folder.name}": folder for folder in folders}
    made = {f"random_{seed}": make(seed).files for seed in range(FIRST, FIRST + RANDOM)}
    alone = {name: files for name, files in made.items() if all(path.startswith("base/") for path in files)}
    texts = {
        name: {path.removeprefix("base/"): text.encode() for path, text in files.items()}
        for name, files in alone.items()
    }
    return found | {name: Case(files, "") for name, files in texts.items()}


CASES = _cases()


def worked_out(case: Case | Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give all that is worked out about a pack; nothing where it is not looked at closely."""
    if isinstance(case, Case):
        case.lay(folder)
        case = folder
    with opened(monkeypatch) as book:
        inspect(str(case))
    return book.text


@pytest.mark.parametrize("name", CASES if WRITE else [name for name in CASES if name in KNOWN])
def test_what_is_worked_out_is_as_it_was(name, tmp_path, monkeypatch):
    monkeypatch.setattr(discovery, "shipped", lambda: tmp_path / "nowhere")
    text = worked_out(CASES[name], tmp_path / name, monkeypatch)
    if FOLDER:
        (Path(FOLDER) / f"{name}.txt").write_text(text, "utf-8")
    found = sha256(text.encode()).hexdigest()[:16]
    if WRITE:
        KNOWN.pop(name, None)
        KNOWN.update({name: found} if text else {})
        SUMS.write_text("".join(f"{one} {KNOWN[one]}\n" for one in sorted(KNOWN)), "utf-8")

    assert found == KNOWN.get(name, found), (
        "what is worked out about this pack has changed; the file says how to see it"
    )


def test_packs_are_known():
    assert set(KNOWN) <= set(CASES)
    assert len(KNOWN) > 200
