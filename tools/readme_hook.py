"""Build hook: the README of a release, with absolute addresses, because PyPI shows it without the repository.

Links lead to the tag of the release, so they show the pages and pictures of that version.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")
"""A picture or link of Markdown to a file of the repository."""


class ReadmeHook(MetadataHookInterface):
    """Sets ``readme`` of the project."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README with absolute addresses to *metadata*."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        text = make_absolute(text, metadata["urls"]["Homepage"], metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def make_absolute(text: str, repository: str, version: str) -> str:
    """Return Markdown with absolute links to the files of a GitHub repository at the tag of a version."""
    picture = repository.replace("https://github.com/", "https://raw.githubusercontent.com/") + f"/v{version}/"
    page = f"{repository}/blob/v{version}/"
    return LINK.sub(lambda found: f"{found[1]}{found[2]}({picture if found[1] else page}{found[3]})", text)
