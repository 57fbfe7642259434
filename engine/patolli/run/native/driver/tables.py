"""What the driver reads of a program: stand-ins for tables that ``program.tables`` makes of each.

A match is a list: its state, its open options, how many of the last of them are anytime actions, and how many choices
were made.
"""

from __future__ import annotations

from typing import Any

Frame = list[Any]
Match = list[Any]
PROBES, STEPS = 2000, 50

BLOCKS: Any = None
ENDED: Any = None
SLOTS: Any = None
THENS: Any = None
FRAGILE: Any = None
PAYING: Any = None
INITIAL: Any = None
LISTS: Any = None
START: Any = None
PLAIN_START: Any = None
EFFECTS: Any = None
CANS: Any = None
FINDS: Any = None
UNSEEN: Any = None
RUNS: Any = None
BINDS: Any = None
ACTIVE: Any = None
SEVERAL: Any = None
SECRET: Any = None
MEASURES: Any = None
INVARIANTS: Any = None
SEATS: Any = None
HAS_ANYTIME: Any = None
SCORE: Any = None
CRITERIA: Any = None
AMONG: Any = None
WINS: Any = None
VALUE: Any = None
HOLDINGS: Any = None
MENUS: Any = None
UNSEEN_LINES: Any = None
