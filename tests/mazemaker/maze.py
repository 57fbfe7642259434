"""Put a pack together, and take out of it what the checker refuses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mazemaker.changes import Changes
from mazemaker.ground import CARDS, CHIPS, MATCH, MODEL, MODULE, PACK, TAKING
from mazemaker.rules import indented
from patolli.diagnostics import Problem
from patolli.runtime import Ruleset
from patolli.workspace import inspect

BINDERS = {"int n": "k in 1..3", "card": "k in card", "good g": "k in good"}
REFUSED = re.compile(r"P04\d\d|P030[39]")
"""What the checker may say of a maze: that something may be impossible, or shows what is hidden."""

Lines = list[tuple[str, str]]
"""The lines of a document, each with the name of the entry that it belongs to."""


@dataclass
class Maze:
    """Entries as lines, by section and name; in its match each rule may be chosen."""

    parameters: dict[str, str]
    sections: dict[str, dict[str, list[str]]]
    effects: dict[str, list[str]]
    later: Callable[[set[str]], dict[str, list[str]]]  # writes the changes, when it is known what is left to change
    taking: str = ""
    changes: dict[str, list[str]] = field(default_factory=dict)

    def rules(self) -> Lines:
        """Return the document of rules."""
        found = [("", line) for line in ("document: rules", "rules:", *MATCH.splitlines())]
        for name in self.sections["rules"]:
            binder = BINDERS.get(self.parameters[name])
            line = f'for {binder} "{name}": {name}(k)' if binder else f'"{name}": {name}()'
            found.append(("", f"          {line}"))
        found += [("", line) for line in self.taking.splitlines()]
        for section in ("rules", *(s for s in self.sections if s != "rules" and self.sections[s])):
            found += [("", f"{section}:")] if section != "rules" else []
            entries = self.sections[section]
            found += [(name, f"  {line}") for name, lines in entries.items() for line in lines]
        return found

    def cards(self) -> Lines:
        """Return the document of cards."""
        found = [("", line) for line in CARDS.splitlines()]
        for name, lines in self.effects.items():
            at = next(i for i, (_, line) in enumerate(found) if line.startswith(f"  {name}: "))
            facts = found[at][1].partition("{")[2].rstrip("}").split(", ")
            effect = [(name, f"    {line}") for line in (*facts, "effect: |", *indented(lines, 2))]
            found[at : at + 1] = [("", f"  {name}:"), *effect]
        return found

    def patch(self) -> Lines:
        """Return the document of changes."""
        found = [("", "document: patch"), ("", "change:")]
        for name, lines in self.changes.items():
            found += [(name, f"  {'- ' if i == 0 else '  '}{line}") for i, line in enumerate(lines)]
        return found

    def write(self, folder: Path) -> None:
        """Write the pack and its module."""
        base, module = folder / "maze", folder / "detour"
        base.mkdir(parents=True, exist_ok=True)
        module.mkdir(parents=True, exist_ok=True)
        texts = {base / "pack": PACK, base / "model": MODEL, module / "pack": MODULE}
        documents = {base / "rules": self.rules(), base / "cards": self.cards(), module / "patch": self.patch()}
        (base / "chips.yaml").unlink(missing_ok=True)
        if self.taking:
            texts[base / "chips"] = CHIPS
        texts.update({path: "".join(f"{line}\n" for _, line in lines) for path, lines in documents.items()})
        for path, text in texts.items():
            path.with_suffix(".yaml").write_text(text)

    def drop(self, bad: set[str]) -> None:
        """Take entries out, with those that mention them."""
        while more := {n for n, lines in self._entries() if n not in bad and bad & set(re.findall(r"\w+", str(lines)))}:
            bad |= more
        for entries in (*self.sections.values(), self.effects, self.changes):
            for name in bad & entries.keys():
                del entries[name]

    def _entries(self) -> Iterator[tuple[str, list[str]]]:
        for entries in (*self.sections.values(), self.effects, self.changes):
            yield from entries.items()

    def sound_part(self, folder: Path) -> Ruleset | None:
        """Take out what the checker refuses, and load the rest; None when there is none."""
        while self.sections["rules"]:
            self.write(folder)
            found = inspect(str(folder / "maze"))
            bad = _errors(found.problems)
            if not bad:
                break
            self._blame(bad)
        else:
            return None
        self.changes = self.later({name for name, _ in self._entries()})
        while self.changes:
            self.write(folder)
            found = inspect(str(folder / "maze"), [str(folder / "detour")])
            bad = _errors(found.problems)
            if not bad:
                break
            self._blame(bad, max(self.changes, key=lambda name: int(name.rpartition("_")[2])))
        return found.ruleset

    def _blame(self, problems: list[Problem], change: str = "") -> None:
        """Take out what has problems; where a change is to blame, that alone."""
        owners = set()
        documents = {"rules": self.rules(), "cards": self.cards(), "patch": self.patch()}
        for problem in problems:
            document = Path(problem.span.path).stem
            owner = documents[document][problem.span.line - 1][0] if document in documents else ""
            owners.add(change if change and document != "patch" else owner)
        assert owners - {""}, [(p.code, p.message, p.span) for p in problems]
        self.drop(owners - {""})


def _errors(problems: list[Problem]) -> list[Problem]:
    errors = [p for p in problems if p.severity == "error"]
    strange = [(p.code, p.message, p.span.path, p.span.line) for p in errors if not REFUSED.fullmatch(p.code)]
    assert not strange, strange
    return errors


def make(maker: Changes, rules: int, extras: int = 0, changes: int = 0) -> Maze:
    """Make a maze of so many rules, with so many of everything else, and of changes by a module."""
    pick = maker.source.pick
    maker.chips = extras > 0 and pick((False, True, False))
    taking = TAKING[pick(sorted(TAKING))] if maker.chips else ""
    sections: dict[str, dict[str, list[str]]] = {
        s: {} for s in ("functions", "rules", "triggers", "anytime", "substitutions", "discounts", "waivers")
    }
    sections["functions"] = dict(maker.function() for _ in range(extras))
    sections["rules"] = dict(maker.rule() for _ in range(rules))
    parameters = dict(maker.rules)
    if extras:
        sections["triggers"] = dict(maker.trigger(number) for number in range(pick((0, 1, extras))))
        sections["anytime"] = dict(maker.anytime(number) for number in range(pick((0, 0, 1, 2))))
        for number in range(pick((0, extras, 1))):
            section, name, lines = maker.aid(number)
            sections[section][name] = lines
    effects = {name: maker.effect_of_a_card() for name in ("plain", "dear") if extras and pick((False, True))}

    def later(left: set[str]) -> dict[str, list[str]]:
        maker.keep(left)
        return {f"change_{number}": maker.change() for number in range(changes)}

    return Maze(parameters, sections, effects, later, taking)
