"""A piece with one copy has its own id, whether that is written or not."""

from __future__ import annotations

import pytest
from packmaker import loaded

GEMS = """# model2.yaml
document: model
kinds:
  gem: {facts: {worth: int}}
places:
  chest: {of: gem, type: pile}
# gems.yaml
document: pieces
kind: gem
place: chest
pieces:
  ruby: {COPIESworth: copy + 1}
"""


@pytest.mark.parametrize(
    ("copies", "ids"),
    [
        ("", ["ruby"]), ("copies: 1, ", ["ruby"]), ("copies: '1', ", ["ruby"]), ("copies: 2, ", ["ruby_1", "ruby_2"]),
        ("copies: 2 - 1, ", ["ruby_1"]), ("copies: seats - 1, ", ["ruby_1"]),
    ],
)  # fmt: skip
def test_ids_of_copies(copies, ids, tmp_path):
    match = loaded(tmp_path, GEMS.replace("COPIES", copies)).start(2, seed=1)

    assert match.view(0)["places"]["chest"] == ids
