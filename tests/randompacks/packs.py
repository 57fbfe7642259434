"""Put a whole pack together: the match, the effects of cards, what is measured, and the files."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from randompacks.changes import Changes
from randompacks.rules import ACT, ACTIVE, ME, Rules, below, indented, literal, quoted
from randompacks.scope import Scope
from randompacks.templates import weighed

BEGINNINGS: dict[str, tuple[list[str], list[str]]] = {
    "cards": (
        ["for c in hand(p): move c to deck bottom"],
        ["for c in deck: move c to hand(me)", "set dear.used to true", "set dear.holder to me", "set dear.level to 1"],
    ),
    "moods": ([], ["set tally(wild) to 1"]),
    "grid": (["for c in cell: set c.mark to p"], []),
    "spot": (["if not desk: move dear to desk"], []),
    "designs": (["for c in hand(p): move c to supply(c.design)"], ["set dear.wish to plain"]),
    "spaces": (["if not beside(north): move dear to beside(north)"], []),
}
"""What begins a match where almost nothing is possible, and one where much is, for each feature."""
GIVEN = ("gain 1", "gain 2", "gain 5", "lose 3")
"""What changes a counter at the beginning."""
PROMISED = re.compile(r"stop unless (.*)  # promised")
"""What is looked at in a pack whose demands are proven, and promised in one that leaves them open."""
OF_THE_TABLE = ("seats", "sum(still(p) for p in players)", "any(still(p) == 1 for p in players)")
"""What can be measured where no player acts."""


@dataclass
class Pack:
    """Texts of files by path, the first folder is that of the pack itself; and the options of its matches.

    ``opening`` is the beginning of the match as it is written, which only brings about various states; ``promise`` is a
    line that may stand before it where demands are left open.
    """

    seed: int
    files: dict[str, str]
    options: dict[str, str] = field(default_factory=dict)
    opening: str = ""
    promise: str = ""

    @property
    def bare(self) -> dict[str, str]:
        """The files without the opening of the match."""
        return {path: text.replace(self.opening, "") if self.opening else text for path, text in self.files.items()}

    @property
    def opened(self) -> Pack:
        """The same pack, in which what cannot be proven is left to matches, and something is promised."""
        promise = f"  match: |\n    {self.promise}\n" if self.promise else "  match: |\n"
        files = {
            path: re.sub("language: [123]\nproofs: full\n", "language: 3\nproofs: open\n", text).replace(
                "  match: |\n", promise
            )
            for path, text in self.files.items()
        }
        files = {path: PROMISED.sub(r"expect \1", text) for path, text in files.items()}
        rules = files.get("base/rules.yaml", "")
        functions, found, rest = rules.partition("\nrules:\n")
        line = r'\1expect seats > 0 "somebody plays"\n\2' if self.seed // OPENED % 2 else r"\1expect seats > 0\n\2"
        functions = re.sub(r"(?m)^( +)(let \w+ = )", line.replace(r"\2", r"\1\2"), functions, count=1)
        return replace(self, files={**files, "base/rules.yaml": f"{functions}{found}{rest}"} if rules else files)

    @property
    def text(self) -> str:
        """The whole pack as one text."""
        return "".join(f"# {path}\n{text}" for path, text in self.files.items())


class Maker(Rules):
    """Makes one pack."""

    # -- the match

    opening = ""

    def relation(self) -> None:
        """Write a function that tells which cells lie side by side, in some sense."""
        lies = self.random.choice(("d.mark == c.mark", "d.light", "d.height <= c.height", "d.mark == player_1"))
        self.add("functions", "near", f"near(cell c): '[d in adjacent(c) where {lies}]'")

    def setup(self) -> None:
        """Write what happens first."""
        lines = []
        if self.ground.has("cards"):
            lines.append(
                "for p in players: as p: draw 1 from deck to hand(me)" if self.writer.chance(0.7) else "nothing"
            )
        if self.writer.chance(0.2):
            lines.append(self.writer.effects(Scope(ME).inside(), 1)[0])
        self.add("rules", "setup", "setup: |\n" + indented("\n".join(lines or ["nothing"]), 2))

    def match(self) -> None:
        """Write the match: effects in a row, a menu of rules in turn, or both."""
        way = weighed(self.random, {"row": 3.0, "turns": 4.0, "passing": 1.0})
        start = self.start() if self.writer.chance(0.92) else []
        body = getattr(self, f"_match_of_{way}")()
        self.add("rules", "match", "match: |\n" + indented("\n".join([*start, body]), 2))
        self.opening = "".join(f"{indented(text, 4)}\n" for text in start)

    def start(self) -> list[str]:
        """Write a choice between a beginning where almost nothing is there, and others."""
        poor = [f"set {name}(p) to 0" for name in self.ground.names["counter"]]
        rich = [
            self.random.choice((f"set {name} to 1", f"set {name} to 2", f"gain 5 {name}"))
            for name in self.ground.names["counter"]
        ]
        for nothing, plenty in self._beginnings():
            poor += nothing
            rich += self.random.sample(plenty, min(2, len(plenty)))
        lines = ["choose one:", indented(below('"poor"', below("for p in players", *poor)), 2)]
        lines.append(indented(below('"rich"', *rich), 2))
        for name in ("some", "many"):
            names = self.ground.names["counter"]
            given = [f"{self.random.choice(GIVEN)} {counter} for p" for counter in names]
            moved = [effect for _, plenty in self._beginnings() for effect in plenty if self.writer.chance(0.5)]
            lines.append(indented(below(f'"{name}"', below("for p in players: as p", *given), *moved), 2))
        return ["\n".join([*lines, '  "plain": nothing'] if self.writer.chance(0.4) else lines)]

    def _beginnings(self) -> list[tuple[list[str], list[str]]]:
        return [both for feature, both in BEGINNINGS.items() if self.ground.has(feature)]

    def _match_of_row(self) -> str:
        body = self.writer.effects(Scope(ME), 4, 2)[0]
        return f"{body}\n{self.menu()}" if self.lines else body

    def _match_of_turns(self) -> str:
        rounds, who = self.random.choice((1, 1, 2)), self.random.choice(("for p in players: as p:", "as me:"))
        return f"repeat {rounds} times:\n  {who}\n{indented(self.menu(), 4)}"

    def _match_of_passing(self) -> str:
        """Write turns that go round; what counts them is changed by nothing else, so that they come to an end."""
        self.ground.entry("counters", "lap: {max: 5}")
        last = f"if lap > {self.random.choice((1, 2))}: break"
        return below("loop", last, "gain 1 lap", self.menu(), "pass to next(me)")

    def menu(self) -> str:
        """Write the menu of all rules."""
        lines = ["choose one:", *(f"  {line}" for line in self.lines)]
        more = {
            '  "take": gain 1 wood and 1 gold': 1, '  "drop": lose 1 wood; lose 1 gold': 1,
            '  otherwise: nothing': 1, '  "leave": end match': 0.3,
        }  # fmt: skip
        if self.ground.has("cards"):
            more['  "draw": draw 1 from deck to hand(me)'] = 1
            more['  for k in hand(me) "use": do k.act'] = 1.3
            more['  "put": for c in hand(me): move c to deck'] = 1
        chosen = [text for text, part in more.items() if self.writer.chance(part * 0.6)]
        if len(lines) + len(chosen) == 1:
            chosen = ['  "take": gain 1 wood']
        return "\n".join([*lines, *sorted(chosen, key=lambda text: "otherwise" in text)])

    # -- the rest

    def acts(self) -> None:
        """Write the effects of the cards, and their triggers."""
        if not self.ground.has("cards"):
            return
        scope = Scope((*ME, ("it", "card"))).inside(*ACT)
        designs = self.ground.pieces["card"][1]
        for name in ("plain", "dear"):
            if self.writer.chance(0.5):
                designs[name].append(literal("act", self.writer.beginning(scope, 2)[0]))
        acts = ", ".join(self.value("only", scope) for _ in range(self.random.choice((1, 2))))
        designs["dear"].append(f"acts: [{acts}]")
        if "active" in self.ground.sections["kinds"][0] and self.parameters:
            target = self.random.choice(list(self.parameters))
            designs["odd"].append(f"triggers:\n  -\n{indented(self.hook(target, ('it', 'card')), 4)}")

    def measures(self) -> None:
        """Write the result, values and invariants."""
        score = self.writer.write("int", Scope(ME))
        ties = f", ties: [{self.value('int')}]" if self.writer.chance(0.3) else ""
        self.singles.append(f"result: {{score: '{score}'{ties}}}")
        if self.writer.chance(0.2):
            value = self.value("int")
            self.add("values", "greedy", self.random.choice((f"greedy: {value}", f"greedy: {{is: {value}}}")))
        always = "all(still(p) == 1 for p in players)"
        self.add("invariants", "as_said", f"as_said: {{always: {quoted(always)}, text: All is what it is.}}")
        if self.ground.has("cards") and self.writer.chance(0.3):
            self.add("invariants", "kept", "kept: 'size(deck) + sum(size(hand(p)) for p in players) <= count(card)'")
        if self.writer.chance(0.3):
            self.measured()
        if "anytime" in self.sections:
            self.singles.append(f"active: {self.random.choice(ACTIVE)}")

    def measured(self) -> None:
        """Write what is measured, at the end or at a rule, for each player or, where no player acts, for the table."""
        self.add("measures", "known", f"known: {{per: player, is: {self.value('int')}}}")
        for number, name in enumerate(list(self.parameters)[:2]):
            moment = self.random.choice(("before", "after"))
            each = ", per: player" if number else ""
            value = self.value("int") if number else quoted(self.random.choice(OF_THE_TABLE))
            self.add("measures", f"at_{name}", f"at_{name}: {{{moment}: {name}{each}, is: {value}}}")

    def called_for(self) -> None:
        """Leave out functions that nothing calls: what cannot happen is not written by anybody."""
        for name in reversed(list(self.functions)):
            texts = [text for entries in self.sections.values() for id_, text in entries.items() if id_ != name]
            texts += [
                *self.singles,
                *(fact for _, designs in self.ground.pieces.values() for d in designs.values() for fact in d),
            ]
            if not any(f"{name}(" in text for text in texts):
                del self.functions[name], self.sections["functions"][name]
        if not self.sections.get("functions"):
            self.sections.pop("functions", None)

    def documents(self) -> dict[str, str]:
        """Return the files of the pack."""
        low, high = self.ground.seats
        lines = [
            "document: pack", "id: base", "version: 1.0.0", "language: 3", "proofs: full", "title: Base",
            f"players: {{min: {low}, max: {high}}}",
        ]  # fmt: skip
        if self.ground.has("options"):
            lines += ["options:", "  level: {range: [0, 2], default: 1}", "  style: {choices: [short, long]}"]
        if self.ground.has("automated"):
            lines.append("automated: 1")
        files = {"base/pack.yaml": "\n".join(lines) + "\n", "base/model.yaml": self.ground.model()}
        for kind, (place, designs) in self.ground.pieces.items():
            lines = ["document: pieces", f"kind: {kind}", *([f"place: {place}"] if place else []), "pieces:"]
            lines += [indented(below(name, *facts), 2) for name, facts in designs.items()]
            files[f"base/{kind}.yaml"] = "\n".join(lines) + "\n"
        lines = ["document: rules"]
        for section, entries in self.sections.items():
            lines += [f"{section}:", *(indented(text, 2) for text in entries.values())]
        files["base/rules.yaml"] = "\n".join([*lines, *self.singles]) + "\n"
        return files


OPENED = 8
"""One of so many packs leaves demands open."""


def make(seed: int, last: Callable[[Maker], None] = Maker.measures) -> Pack:
    """Make the pack of a seed; what comes *last* but for what was called for are measures, or something else."""
    maker = Maker(seed)
    chance, random = maker.writer.chance, maker.random
    if maker.ground.has("spend"):
        maker.taking()
    if maker.ground.has("grid"):
        maker.relation()
    for number in range(random.choice((0, 0, 0, 1, 2))):
        maker.function(number + 1)
    for number in range(random.choice((1, 1, 2, 2, 3))):
        maker.rule(number + 1)
    for number in range(random.choice((1, 2)) if chance(0.3) and maker.parameters else 0):
        maker.trigger(number + 1)
    for number in range(random.choice((1, 2)) if chance(0.15) else 0):
        maker.anytime(number + 1)
    for number in range(random.choice((1, 2, 3)) if chance(0.25) else 0):
        maker.aid(number + 1)
    maker.setup()
    maker.match()
    maker.acts()
    last(maker)
    maker.called_for()
    files = maker.documents()
    if maker.ground.has("module"):
        files.update(Changes(maker).files(random.choice((1, 2, 3))))
    reason = ' "so it is"' if chance(0.5) else ""
    promise = f"expect {maker.writer.write('cond', Scope(ME))}{reason}"
    pack = Pack(seed, files, maker.ground.options, maker.opening, promise)
    return pack if seed % OPENED else pack.opened
