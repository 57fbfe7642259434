"""Mistakes as people make them, each planted alone in a copy of City of Gods."""

from __future__ import annotations

from planted.meaning import MEANING
from planted.naming import NAMING
from planted.writing import WRITING

PACK = "city_of_gods"
MISTAKES = (*WRITING, *NAMING, *MEANING)
