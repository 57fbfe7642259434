"""What other programs may rely on of the objects that they are handed; ``dir()`` and completion name no more.

All else that has no underscore is for the rooms of this program: they share the state of a match, the program that was
compiled and the question that is open without detours, as these are looked at millions of times. It may change with
every version. The page "Use from Python" lists the same names, and a test looks that nothing new slips in between.
"""

from __future__ import annotations

MATCH = (
    "advice", "basis", "broken", "call", "choices", "choose", "clone", "decision", "determinize", "digest", "log",
    "naming", "names", "options", "over", "pick", "players", "ranks", "refused", "ruleset", "score", "score_sheet",
    "scores", "telling", "ties", "to_json", "told", "undo", "value", "view", "why", "winners",
)  # fmt: skip
RULESET = (
    "content_hash", "file_hashes", "id", "module_ids", "players", "replay", "restore", "start", "title",
)  # fmt: skip
DECISION = ("acts", "index", "labels", "options", "player", "prompt", "simultaneous")

INSIDE = {
    "Match": (
        "again", "begin", "decider", "doubt", "edits", "extra", "frame", "go_back", "imagine_match", "labels",
        "let_go", "listen", "memory", "narrating", "pending", "perform_work", "probing", "program", "remark",
        "run", "seat", "secret", "state",
    ),
    "Ruleset": (
        "allow", "begins_alike", "chosen", "entry_hashes", "get_program_key", "fresh", "glance", "labels", "visibility",
        "model", "packs", "plain", "program", "prover", "reads", "resolved_program", "get_seat_view",
    ),
    "Decision": ("keep", "question"),
}  # fmt: skip
"""What the rooms of this program share, by class."""
