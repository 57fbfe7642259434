"""The default of a text: what stands there, with or without quotes; nothing is a text, too."""

from __future__ import annotations

import pytest
from packmaker import loaded

KINDS = """# more.yaml
document: model
kinds: {{token: {{name: '{{word}} token', facts: {{word: '{type}'}}}}}}
# tokens.yaml
document: pieces
kind: token
pieces: {{plain_token: {{}}, empty: {{word: ''}}, blue: {{word: blue}}}}
"""


@pytest.mark.parametrize(
    ("type_", "value", "called"),
    [
        ('text = ""', "", "token"),
        ("text = ''", "", "token"),
        ('text = "dark red"', "dark red", "dark red token"),
        ("text = white", "white", "white token"),
        ('text or none = ""', "", "token"),
        ("text or none = none", -1, None),
    ],
)
def test_a_text_has_its_default(tmp_path, type_, value, called):
    example = KINDS.format(type=type_.replace("'", "''"))
    rules = loaded(tmp_path, example)
    match = rules.start(2, seed=1)

    (table,) = (table for name, table in rules.program(2).space.items() if name.endswith("_token_word"))
    assert table == (value, "", "blue")
    if called is not None:
        assert match.naming(0).piece("token", 0) == called
