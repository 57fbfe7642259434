"""What the lab says, as JSON for other programs."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any


def json_text(data: Any) -> str:
    """Write plain data as JSON; a number that is not known, or has no end, is null: JSON has neither."""
    return json.dumps(_finite(data), indent=1, ensure_ascii=False, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    return [_finite(value) for value in data] if isinstance(data, list | tuple) else data
