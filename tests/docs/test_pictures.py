"""The pictures in the documentation show what the program draws today."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools" / "docs"))

from pictures import FOLDER, PICTURES, drawn  # noqa: E402


@pytest.mark.deep
@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.name)
def test_picture_is_up_to_date(picture, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    text = drawn(picture)
    assert (FOLDER / f"{picture.name}.svg").read_text("utf-8") == text, "python tools/docs/pictures.py draws it again"
    assert "http" not in text.replace("http://www.w3.org/", "")
