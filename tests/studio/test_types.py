"""The modules of the page hold the types that their comments declare, where TypeScript is at hand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "engine" / "patolli" / "serve" / "studio" / "page"


@pytest.fixture(scope="module")
def compiler():
    found = shutil.which("tsc")
    if found is None:
        pytest.skip("no tsc on this machine: npm install -g typescript brings it")
    return found


def run(compiler, *arguments):
    return subprocess.run([compiler, *arguments], capture_output=True, text=True, timeout=300, check=False).stdout


def test_types_of_the_page_hold(compiler):
    assert run(compiler, "-p", str(ROOT / "tools" / "page")) == ""


def test_what_does_not_hold_is_found(compiler, tmp_path):
    """So that silence above means something."""
    for name in ("net.js", "shapes.d.ts"):
        shutil.copy(PAGE / name, tmp_path)
    (tmp_path / "wrong.js").write_text(
        'import { follow } from "./net.js";\nfollow(1, "token", (state) => state.seats, () => {}, () => {});\n'
    )
    told = run(compiler, "--noEmit", "--allowJs", "--checkJs", "--target", "es2022", str(tmp_path / "wrong.js"))

    assert "'number' is not assignable to parameter of type 'string'" in told
