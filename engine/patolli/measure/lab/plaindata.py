"""What the lab says, as JSON for other programs."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def json_text(data: Any) -> str:
    """Write plain data as JSON; a number that is not known, or has no end, is null: JSON has neither."""
    return json.dumps(replace_unknown(data), indent=1, ensure_ascii=False, allow_nan=False)


def replace_unknown(data: Any) -> Any:
    """Return data with None instead of numbers that JSON does not have: infinite ones, and those that are not known."""
    if isinstance(data, float):
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {name: replace_unknown(value) for name, value in data.items()}
    return [replace_unknown(value) for value in data] if isinstance(data, list | tuple) else data
