"""Packs that look odd and are right: the checker has nothing to say of them.

Every file in ``odd/`` is a case in the form of ``goldencases``. Mistakes that look much like these are in ``golden/``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from goldencases import Case, read

from patolli.cli import main
from patolli.language.packs import discovery

ODD = Path(__file__).parent / "odd"
CASES = {path.stem: read(path) for path in sorted(ODD.iterdir())}


@pytest.mark.parametrize("name", CASES)
def test_odd_pack_is_clean(name, tmp_path, monkeypatch):
    monkeypatch.setattr(discovery, "find_content_folder", lambda: tmp_path / "home")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    case: Case = CASES[name]
    case.lay(tmp_path / name)
    monkeypatch.chdir(tmp_path / name)

    result = CliRunner().invoke(main, case.call.split())

    assert f"$ patolli {case.call}\n{result.output}[exit status {result.exit_code}]\n" == case.expected


def test_there_are_many():
    assert len(CASES) >= 38
