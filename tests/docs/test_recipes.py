"""The packs in the guides are whole: what stands under a file's name is written there, checked, tested and played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiers import few

from patolli.cli.main import main

GUIDES = Path(__file__).parents[2] / "docs" / "how-to"
BLOCK = re.compile(r'^```yaml title="([\w./]+)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
MANIFEST = "document: pack\nid: {id}\nversion: 1.0.0\nlanguage: 1\ntitle: {id}\nplayers: {{min: 2, max: 3}}\n"


def packs(page: Path) -> dict[str, dict[str, str]]:
    """The packs of a page by id, with the texts of their files; files without a folder belong to one of the page's name."""
    found: dict[str, dict[str, str]] = {}
    for name, text in BLOCK.findall(page.read_text("utf-8")):
        folder, _, file = name.rpartition("/")
        pack = folder.split("/")[0] or page.stem.replace("-", "_")
        found.setdefault(pack, {})[name.removeprefix(f"{pack}/") if folder else file] = text
    return found


CASES = [(page, pack) for page in sorted(GUIDES.glob("*.md")) for pack in packs(page)]


def test_there_are_packs_in_the_guides():
    assert len(CASES) >= 7


@pytest.mark.parametrize(("page", "pack"), few(CASES, 0, 2, 4), ids=[f"{page.stem}:{pack}" for page, pack in CASES])
def test_the_pack_of_a_guide_is_right(page: Path, pack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    for name, files in packs(page).items():
        files = {"pack.yaml": MANIFEST.format(id=name), **files}
        for file, text in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")

    module = "requires:" in (tmp_path / pack / "pack.yaml").read_text("utf-8")
    commands = [["validate", pack, "--strict"], ["test", pack]]
    if not module:
        commands.append(["simulate", pack, "--games", "20", "--seed", "1", "--jobs", "1"])
    for command in commands:
        done = CliRunner().invoke(main, command)
        assert done.exit_code == 0, f"$ patolli {' '.join(command)}\n{done.output}"
