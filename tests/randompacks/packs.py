"""Put a whole pack together: rules, functions, triggers, payments, the match."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from randompacks.changes import Changes
from randompacks.ground import Ground, ground
from randompacks.scope import Scope
from randompacks.templates import weighed
from randompacks.writer import NothingFits, Writer

PARAMETERS = {
    "": ("", 3.0), "int n": ("n:int", 1.0), "player p": ("p:player", 0.5), "card c": ("c:card", 1.0),
    "good g": ("g:good", 0.7), "mood m": ("m:mood", 0.4), "cell at": ("at:cell", 0.4), "card? c": ("c:card?", 0.3),
    "list of card cs": ("cs:card*", 0.3), "int n, player p": ("n:int p:player", 0.3), "space s": ("s:space", 0.4),
}  # fmt: skip
EACH = {
    "int": "1..2", "player": "players", "card": "card", "good": "good", "mood": "mood", "cell": "cell", "space": "space",
    "card?": "[c in card where true]", "card*": "{hand(me), deck}"}  # fmt: skip
ACTIVE = ("players[0]", "player_1", "first(p in players where wood(p) > 0)", "players[seats - 1]")
ME = (("me", "player"),)
ACT = frozenset({"apart", "inert"})


@dataclass
class Pack:
    """Texts of files by path, the first folder is that of the pack itself; and the options of its matches."""

    seed: int
    files: dict[str, str]
    options: dict[str, str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The whole pack as one text."""
        return "".join(f"# {path}\n{text}" for path, text in self.files.items())


def indented(text: str, by: int) -> str:
    """Move lines to the right."""
    return "\n".join(" " * by + line for line in text.split("\n"))


class Maker:
    """Makes one pack; entries of rule documents are collected by section and id."""

    def __init__(self, seed: int) -> None:
        """Draw what the pack declares."""
        self.random = Random(seed)
        self.seed = seed
        self.ground: Ground = ground(self.random)
        self.writer = Writer(self.random, self.ground.features, self.random.choice((4, 7, 10, 14)))
        for sort, names in self.ground.names.items():
            for name in names:
                self.writer.add(sort, name)
        self.sections: dict[str, dict[str, str]] = {}
        self.parameters: dict[str, str] = {}
        self.functions: dict[str, tuple[Scope, str]] = {}
        self.scopes: dict[str, Scope] = {}
        self.lines: list[str] = []
        self.steps: dict[str, list[str]] = {}
        self.singles: list[str] = []

    # -- parts

    def add(self, section: str, id_: str, text: str) -> None:
        """Add an entry."""
        self.sections.setdefault(section, {})[id_] = text

    def value(self, sort: str, scope: Scope = Scope(ME)) -> str:
        """Write an expression as a YAML text."""
        return "'" + self.writer.write(sort, scope) + "'"

    def signature(self) -> tuple[str, Scope, str]:
        """Draw parameters: as they are written, the scope with them, and the template of the arguments."""
        usable = {
            text: weight
            for text, (names, weight) in PARAMETERS.items()
            if all(self.writer.table.get(name.partition(":")[2]) for name in names.split())
        }
        text = weighed(self.random, usable)
        pairs = [(name, sort) for name, _, sort in (part.partition(":") for part in PARAMETERS[text][0].split())]
        return text, Scope((*ME, *pairs)), ", ".join(f"@{sort}" for _, sort in pairs)

    def function(self, number: int) -> None:
        """Write a function; later ones, and rules, may call it."""
        text, scope, arguments = self.signature()
        name, sort = f"fun_{number}", self.random.choice(("int", "int", "bool"))
        if "n" in dict(scope.variables) and sort == "int" and self.writer.chance(0.4):
            given = ", ".join("n - 1" if variable == "n" else variable for variable, _ in scope.variables[1:])
            body = f"0 if n <= 0 or n > 9 else {self.writer.write('small', scope)} + {name}({given})"
        else:
            body = self.writer.write(sort, scope)
        self.add("functions", name, f"{name}({text}): {{is: '{body}', type: {sort}}}" if text else f"{name}: '{body}'")
        self.functions[name] = (scope, sort)
        self.writer.add(sort, f"{name}({arguments})", 1.5)

    def rule(self, number: int) -> None:
        """Write a rule; later ones, and the match, may call it."""
        sort = weighed(self.random, {"plain": 5, "steps": 1.5, "giver": 0.8, "falling": 0.6, "finder": 0.4})
        getattr(self, f"_{sort}")(f"rule_{number}")

    def _plain(self, name: str) -> None:
        text, scope, arguments = self.signature()
        body = self.writer.beginning(scope, 4)[0]
        lines = f" |\n{indented(body, 2)}" if self.writer.chance(0.8) else f"\n  do: |\n{indented(body, 4)}"
        self._finished(name, text, scope, arguments, lines)

    def _steps(self, name: str) -> None:
        text, scope, arguments = self.signature()
        behind, parts = scope, []
        self.steps[name] = ["dawn", "noon", "dusk"][: self.random.choice((2, 3))]
        for step in self.steps[name]:
            body, behind = self.writer.beginning(behind, 2) if not parts else self.writer.effects(behind, 2)
            parts.append(f"    {step}: |\n{indented(body, 6)}")
        self._finished(name, text, scope, arguments, "\n  steps:\n" + "\n".join(parts))

    def _finished(self, name: str, text: str, scope: Scope, arguments: str, body: str) -> None:
        self.add("rules", name, f"{name}({text}):{body}" if text else f"{name}:{body}")
        self.parameters[name], self.scopes[name] = text, scope
        self.shown(name, text, scope, name)
        self.writer.add("call", f"{name}({arguments})")

    def shown(self, name: str, text: str, scope: Scope, call: str) -> None:
        """Add a line to the menu of the match, with one option for each value of the parameters."""
        binders = [f"k_{variable} in {EACH[sort]}" for variable, sort in scope.variables[1:]]
        head = f"for {', '.join(binders)} " if binders else ""
        given = ", ".join(f"k_{variable}" for variable, _ in scope.variables[1:])
        self.lines.append(f'{head}"{name}": {call}({given})')

    def _giver(self, name: str) -> None:
        """Write a rule that returns a number."""
        text, scope, arguments = self.signature()
        body, behind = self.writer.beginning(scope, 2)
        body += f"\nreturn {self.writer.write('int', behind)}"
        if self.writer.chance(0.4):
            body = f"if {self.writer.write('cond', scope)}: return {self.writer.write('int', scope)}\n{body}"
        self.add("rules", name, f"{name}({text}): |\n{indented(body, 2)}" if text else f"{name}: |\n{indented(body, 2)}")
        self.writer.add("giver", f"{name}({arguments})")
        self.shown(name, text, scope, f"let got = {name}")

    def _falling(self, name: str) -> None:
        """Write a rule that calls itself, for less and less."""
        scope = Scope((*ME, ("n", "int")))
        body = self.writer.effects(scope.inside("apart"), 2)[0]
        last = self.writer.effects(Scope(ME).inside("apart"), 1)[0]
        lines = f"if n > 0 and n < 9:\n{indented(body, 2)}\n  {name}(n - 1)\nelse:\n{indented(last, 2)}"
        self.add("rules", name, f"{name}(int n): |\n{indented(lines, 2)}")
        self.parameters[name], self.scopes[name] = "int n", scope
        self.shown(name, "int n", scope, name)
        self.writer.add("call", f"{name}(@int)")

    def _finder(self, name: str) -> None:
        """Write a rule that returns a piece, or what itself returns."""
        if not self.ground.has("cards"):
            return self._plain(name)
        scope = Scope((*ME, ("n", "int")))
        gap = self.writer.effects(scope.having([("got", "card?")]).inside("apart"), 1)[0]
        use = self.random.choice(("move got to hand(me)", "if got: move got to deck", "nothing"))
        lines = f"if n > 0 and n < 9:\n  let got = {name}(n - 1)\n{indented(gap, 2)}\n  {use}\n  return got\nreturn {self.writer.write('card?', scope)}"
        self.add("rules", name, f"{name}(int n): |\n{indented(lines, 2)}")
        self.writer.add("finder", f"{name}(@digit)")
        self.shown(name, "int n", scope, f"let got = {name}")
        return None

    # -- what follows, and what is paid

    def trigger(self, number: int) -> None:
        """Write what comes before or after a rule."""
        name = self.random.choice(list(self.parameters))
        self.add("triggers", f"hook_{number}", f"hook_{number}:\n{indented(self.hook(name), 2)}")

    def scope_of(self, name: str) -> Scope:
        """Return what is known in a rule."""
        return self.scopes[name]

    def hook(self, name: str, *more: tuple[str, str]) -> str:
        """Write the lines of a trigger of a rule."""
        scope = self.scope_of(name).having(more)
        lines = [f"{self.random.choice(('after', 'before'))}: {name}"]
        if self.writer.chance(0.5):
            lines.append(f"when: {self.value('cond', scope)}")
        body = self.writer.effects(scope.inside("apart"), 2)[0]
        return "\n".join([*lines, "do: |", indented(body, 2)])

    def anytime(self, number: int) -> None:
        """Write an anytime action."""
        name, scope, lines = f"action_{number}", Scope(ME), [f"label: act {number}"]
        if self.ground.has("cards") and self.writer.chance(0.4):
            lines, scope = [*lines, "each: tile in hand(me)"], scope.having([("tile", "card")])
        test = self.random.choice((f"round < {self.random.randint(1, 3)}", "wood > 0", self.writer.write("cond", scope)))
        body = self.random.choice(("gain 1 round", "lose 1 wood\ngain 1 gold", "pay 1 wood", ""))
        body = body or self.writer.effects(scope.inside("apart"), 2)[0]
        self.add("anytime", name, f"{name}:\n{indented(chr(10).join([*lines, f'when: {chr(39)}{test}{chr(39)}', 'do: |', indented(body, 2)]), 2)}")

    def aid(self, number: int) -> None:
        """Write a substitution, discount or waiver."""
        sort = self.random.choice(("substitution", "discount", "waiver"))
        name, things = f"{sort}_{number}", ["wood", "gold", *(("good", "wood or gold") if self.ground.has("group") else ("wood or gold",))]
        pick = self.random.choice
        when = [f"when: {self.value('cond')}"] if self.writer.chance(0.5) else []
        quiet = Scope(ME).inside("quiet", *ACT)
        if sort == "substitution":
            lines = [f"give: {pick((1, 1, 2))} {pick(('wood', 'gold'))}", f"for: {pick(('', 'up to '))}{pick((1, 2, 3))} {pick(things)}", *when]
        elif sort == "discount":
            lines = [f"on: {pick(('fee', 'toll'))}", f"less: {pick((1, 2))} of {pick(things)}", *when]
            lines += [f"do: |\n{indented(self.writer.effects(quiet, 1)[0], 2)}"] if self.writer.chance(0.5) else []
        else:
            lines, of = [], pick([thing for thing in things if " " not in thing])
            if self.ground.has("cards") and self.writer.chance(0.5):
                lines, quiet = ["each: tile in hand(me)"], quiet.having([("tile", "card")])
                when = ["when: 'not tile.used'"] if self.writer.chance(0.6) else when
            lines += [f"on: {pick(('fee', '[fee, toll]'))}", f"of: {of}", *when]
            lines += [f"do: |\n{indented(self.writer.effects(quiet, 1)[0], 2)}"] if self.writer.chance(0.7) else []
        self.add(f"{sort}s", name, f"{name}:\n{indented(chr(10).join(lines), 2)}")

    def taking(self) -> None:
        """Write the rule that is carried out for a counter that is paid."""
        body = {
            "take_chip(good)": "lose 1 good",
            "take_chip(good, int n)": "lose n good",
            "take_chip(good g)": '|\n  choose k in 1..2 "From where?"\n  gain k round\n  lose 1 g',
        }
        text = self.random.choice(sorted(body))
        self.add("rules", "take_chip", f"{text}: {body[text]}")

    # -- the match

    def setup(self) -> None:
        """Write what happens first."""
        lines = []
        if self.ground.has("cards"):
            lines.append("for p in players: as p: draw 1 from deck to hand(me)" if self.writer.chance(0.7) else "nothing")
        if self.writer.chance(0.2):
            lines.append(self.writer.effects(Scope(ME).inside(), 1)[0])
        self.add("rules", "setup", "setup: |\n" + indented("\n".join(lines or ["nothing"]), 2))

    def match(self) -> None:
        """Write the match: effects in a row, a menu of rules in turn, or both."""
        way = weighed(self.random, {"row": 3.0, "turns": 4.0, "passing": 1.0})
        start = self.start() if self.writer.chance(0.85) else []
        body = getattr(self, f"_match_of_{way}")()
        self.add("rules", "match", "match: |\n" + indented("\n".join([*start, body]), 2))

    def start(self) -> list[str]:
        """Write a choice between a beginning where hardly anything is there, and others."""
        poor = [f"set {name}(p) to 0" for name in self.ground.names["counter"]]
        rich = [f"set {name} to {self.random.choice((1, 2))}" for name in self.ground.names["counter"]]
        if self.ground.has("cards"):
            poor.append("for c in hand(p): move c to deck bottom")
            rich += self.random.sample(["for c in deck: move c to hand(me)", "set dear.used to true", "set dear.holder to me", "set dear.level to 1"], 2)
        if self.ground.has("moods"):
            rich.append("set tally(wild) to 1")
        others = ["for c in cell: set c.mark to p"] if self.ground.has("grid") else []
        others += ["if not desk: move dear to desk"] if self.ground.has("spot") else []
        others += ["if not beside(north): move dear to beside(north)"] if self.ground.has("spaces") else []
        block = "for p in players:\n" + indented("\n".join(poor + others), 2)
        lines = ["choose one:", f'  "poor":\n{indented(block, 4)}', f'  "rich":\n{indented(chr(10).join(rich), 4)}']
        return ["\n".join([*lines, '  "plain": nothing'] if self.writer.chance(0.3) else lines)]

    def _match_of_row(self) -> str:
        body = self.writer.effects(Scope(ME), 4, 2)[0]
        return f"{body}\n{self.menu()}" if self.lines else body

    def _match_of_turns(self) -> str:
        rounds, who = self.random.choice((1, 1, 2)), self.random.choice(("for p in players: as p:", "as me:"))
        return f"repeat {rounds} times:\n  {who}\n{indented(self.menu(), 4)}"

    def _match_of_passing(self) -> str:
        return f"loop:\n  if round > {self.random.choice((1, 2))}: break\n  gain 1 round\n{indented(self.menu(), 2)}\n  pass to next(me)"

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
                designs[name].append(f"act: |\n{indented(self.writer.beginning(scope, 2)[0], 2)}")
        acts = ", ".join("'" + self.writer.write("only", scope) + "'" for _ in range(self.random.choice((1, 2))))
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
        if self.writer.chance(0.3):
            self.add("invariants", "sane", "sane: {always: 'all(wood(p) >= 0 for p in players)', text: Sane.}")
        if self.ground.has("cards") and self.writer.chance(0.3):
            self.add("invariants", "kept", "kept: 'size(deck) + sum(size(hand(p)) for p in players) <= count(card)'")
        if "anytime" in self.sections:
            self.singles.append(f"active: {self.random.choice(ACTIVE)}")

    def documents(self) -> dict[str, str]:
        """Return the files of the pack."""
        low, high = self.ground.seats
        lines = [
            "document: pack", "id: base", "version: 1.0.0", "language: 1", "title: Base",
            f"players: {{min: {low}, max: {high}}}",
        ]  # fmt: skip
        if self.ground.has("options"):
            lines += ["options:", "  level: {range: [0, 2], default: 1}", "  style: {choices: [short, long]}"]
        if self.ground.has("automated"):
            lines.append("automated: 1")
        files = {"base/pack.yaml": "\n".join(lines) + "\n", "base/model.yaml": self.ground.model()}
        for kind, (place, designs) in self.ground.pieces.items():
            lines = ["document: pieces", f"kind: {kind}", *([f"place: {place}"] if place else []), "pieces:"]
            lines += [f"  {name}:\n" + "\n".join(indented(fact, 4) for fact in facts) for name, facts in designs.items()]
            files[f"base/{kind}.yaml"] = "\n".join(lines) + "\n"
        lines = ["document: rules"]
        for section, entries in self.sections.items():
            lines += [f"{section}:", *(indented(text, 2) for text in entries.values())]
        files["base/rules.yaml"] = "\n".join([*lines, *self.singles]) + "\n"
        return files


def make(seed: int) -> Pack:
    """Make the pack of a seed."""
    maker = Maker(seed)
    chance, random = maker.writer.chance, maker.random
    if maker.ground.has("spend"):
        maker.taking()
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
    maker.measures()
    files = maker.documents()
    if maker.ground.has("module"):
        files.update(Changes(maker).files(random.choice((1, 2, 3))))
    return Pack(seed, files, maker.ground.options)


__all__ = ["Maker", "NothingFits", "Pack", "make"]
