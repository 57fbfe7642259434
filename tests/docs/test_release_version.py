"""The version of a release is the same wherever it is written, and the sdist has what its pages name."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import patolli

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_version_is_the_same_everywhere() -> None:
    found = {
        "pyproject.toml": PROJECT["project"]["version"],
        "CITATION.cff": re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE)[1],
        "CHANGELOG.md": re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)[1],
        "tools/vscode/package.json": json.loads((ROOT / "tools/vscode/package.json").read_text("utf-8"))["version"],
        "tools/vscode/README.md": re.search(
            r"patolli-(\S+)\.vsix", (ROOT / "tools/vscode/README.md").read_text("utf-8")
        )[1],
        "docs/how-to/run-in-ci.md": re.search(
            r"patolli@v(\S+)", (ROOT / "docs/how-to/run-in-ci.md").read_text("utf-8")
        )[1],
    }
    assert {name: version for name, version in found.items() if version != patolli.__version__} == {}


def test_sdist_has_what_it_names() -> None:
    included = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [name for name in included if not (ROOT / name.lstrip("/")).exists()] == []
    linked = re.findall(r"\]\(((?!http)[^)#]+)\)", (ROOT / "README.md").read_text("utf-8"))
    packed = (*included, "/README.md", "/LICENSE")  # hatchling adds these
    assert [name for name in linked if not f"/{name}".startswith(packed)] == []


def test_extras_have_a_row_on_the_page_about_installing() -> None:
    page = (ROOT / "docs" / "learn" / "install.md").read_text("utf-8")
    inner = {"docs", "test", "dev", "referee"}  # for contributors
    assert [
        name
        for name in PROJECT["project"]["optional-dependencies"]
        if name not in inner and f"patolli[{name}]" not in page
    ] == []
