"""Write the entries of rule documents: functions, rules, triggers, anytime actions, and what payments may become."""

from __future__ import annotations

import re
from random import Random

from randompacks.ground import Ground, ground
from randompacks.scope import Scope
from randompacks.templates import table, weighed
from randompacks.writer import Writer

PARAMETERS = {
    "": ("", 3.0), "int n": ("n:int", 1.0), "player p": ("p:player", 0.5), "card c": ("c:card", 1.0),
    "good g": ("g:good", 0.7), "mood m": ("m:mood", 0.4), "cell at": ("at:cell", 0.4), "card? c": ("c:card?", 0.3),
    "list of card cs": ("cs:card*", 0.3), "card_design d": ("d:design", 0.5), "int n, player p": ("n:int p:player", 0.3), "space s": ("s:space", 0.4),
    "int 1..3 q": ("q:small", 0.5),
}  # fmt: skip
EACH = {
    "int": "1..2", "small": "1..3", "player": "players", "card": "card", "good": "good", "mood": "mood", "cell": "cell", "space": "space",
    "design": "card_design", "card?": "[c in card where true]", "card*": "{hand(me), deck}"}  # fmt: skip
ACTIVE = (
    "players",
    "others(player_1)",
    "'[p in players where gold(p) < 2]'",
    "players[0]",
    "player_1",
    "first(p in players where wood(p) > 0)",
    "players[seats - 1]",
)
ME = (("me", "player"),)
ACT = frozenset({"apart", "inert"})
MINE = Scope(ME)


def indented(text: str, by: int) -> str:
    """Move lines to the right."""
    return "\n".join(" " * by + line for line in text.split("\n"))


def below(head: str, *lines: str) -> str:
    """Write lines further in, below a head with a colon."""
    return f"{head}:\n" + indented("\n".join(lines), 2)


def quoted(text: str) -> str:
    """Write a text in quotes of YAML."""
    return f"'{text}'"


def literal(key: str, text: str) -> str:
    """Write a text of several lines."""
    return f"{key}: |\n" + indented(text, 2)


class Rules:
    """Writes what a pack does; entries of rule documents are collected by section and id."""

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
        self.paid: list[str] = []
        self.singles: list[str] = []

    # -- parts

    def add(self, section: str, id_: str, text: str) -> None:
        """Add an entry."""
        self.sections.setdefault(section, {})[id_] = text

    def value(self, sort: str, scope: Scope = MINE) -> str:
        """Write an expression as a YAML text."""
        return quoted(self.writer.write(sort, scope))

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
        head = f"{name}({text})" if text else name
        if self.writer.chance(0.25):
            first = self.writer.write("int", scope)
            behind = scope.having([("first", "int")])
            second = self.writer.write("bool", behind)
            last = self.writer.write(sort, behind.having([("second", "bool")]))
            lines = f"let first = {first}\nlet second = {second}\n{last} if second or first > 0 else {body}"
            self.add("functions", name, below(head, literal("is", lines), f"type: {sort}"))
        else:
            self.add("functions", name, f"{head}: {{is: '{body}', type: {sort}}}" if text else f"{name}: '{body}'")
        self.functions[name] = (scope, sort)
        self.writer.add(sort, f"{name}({arguments})", 1.5)
        if re.search(r"\bme\b", self.sections["functions"][name]):  # so that it has something of a player
            self.writer.add(sort, f"{name}({', '.join(filter(None, ('@player', arguments)))})", 0.5)

    def rule(self, number: int) -> None:
        """Write a rule; later ones, and the match, may call it."""
        sorts = {
            "plain": 5,
            "steps": 1.5,
            "giver": 0.8,
            "falling": 0.6,
            "finder": 0.4,
            "quiet": 0.8,
            "counting": 0.15,
            "doubling": 0.1,
        }
        if self.ground.has("secret"):
            sorts["bidding"] = 1
        sort = weighed(self.random, sorts)
        getattr(self, f"_{sort}")(f"rule_{number}")

    def _plain(self, name: str) -> None:
        text, scope, arguments = self.signature()
        body = self.writer.beginning(scope, 4)[0]
        self._numbered(name, body)
        lines = f" |\n{indented(body, 2)}" if self.writer.chance(0.8) else f"\n  do: |\n{indented(body, 4)}"
        self._finished(name, text, scope, arguments, lines)

    def _steps(self, name: str) -> None:
        text, scope, arguments = self.signature()
        behind, parts = scope, []
        self.steps[name] = ["dawn", "noon", "dusk"][: self.random.choice((2, 3))]
        for step in self.steps[name]:
            body, behind = self.writer.beginning(behind, 2) if not parts else self.writer.effects(behind, 2)
            parts.append(f"    {step}: |\n{indented(body, 6)}")
            if any(line.lstrip().startswith("pay ") for line in body.split("\n")):
                self.paid.append(f"{name}/{step}")
                self._numbered(name, body)
        order = "\n  triggers: in any order" if self.writer.chance(0.4) else ""
        self._finished(name, text, scope, arguments, f"{order}\n  steps:\n" + "\n".join(parts))
        self.writer.add("call", f"{name}/dawn({arguments})", 0.5)

    def _numbered(self, name: str, body: str) -> None:
        """Note a payment without a tag, which has a number in its rule."""
        if f"{name}/1" not in self.paid and re.search(r"(?m)^ *pay (?!.* as )", body):
            self.paid.append(f"{name}/1")

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
        self.add(
            "rules", name, f"{name}({text}): |\n{indented(body, 2)}" if text else f"{name}: |\n{indented(body, 2)}"
        )
        self.writer.add("giver", f"{name}({arguments})")
        if self.writer.chance(0.3):
            same = f"original({', '.join(variable for variable, _ in scope.variables[1:])})"
            given = self.random.choice((f"return {same}", f"let was = {same}\nreturn was + 1", "return 1"))
            when = [f"when: {self.value('cond', scope)}"] if self.writer.chance(0.5) else []
            self.add("triggers", f"not_{name}", below(f"not_{name}", f"instead: {name}", *when, literal("do", given)))
        self.shown(name, text, scope, f"{'set round to' if self.writer.chance(0.1) else 'let got ='} {name}")

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
        inner = below("if n > 0 and n < 9", f"let got = {name}(n - 1)", gap, use, "return got")
        self.add("rules", name, literal(f"{name}(int n)", f"{inner}\nreturn {self.writer.write('card?', scope)}"))
        self.writer.add("finder", f"{name}(@digit)")
        self.shown(name, "int n", scope, f"let got = {name}")
        return None

    def _quiet(self, name: str) -> None:
        """Write a rule that asks no question and draws nothing, and look ahead with it."""
        lines = ["gain n wood", "set gold to max(0, n)", "as next(me): gain 1 wood", "lose 1 wood"]
        lines += (
            ["if deck: move top(deck) to hand(me)", "for c in hand(me): move c to deck"]
            if self.ground.has("cards")
            else []
        )
        body = self.random.sample(lines, 2)
        if self.writer.chance(0.3):
            body.insert(0, f"require {self.writer.write('cond', Scope((*ME, ('n', 'int'))))}")
        self.add("rules", name, literal(f"{name}(int n)", "\n".join(body)))
        self.parameters[name], self.scopes[name] = "int n", Scope((*ME, ("n", "int")))
        self.writer.add("call", f"{name}(@int)")
        asked = f"can({name}(0)) and " if body[0].startswith("require") else ""
        for sort in ("int", "bool", "player"):
            ahead = f"after({name}({'0' if asked else '@int'}), @{sort})"
            self.writer.add(sort, f"({ahead} if {asked[:-5]} else @{sort})" if asked else ahead, 0.6)

        if not asked:
            inner = f"any($p:player in players where after({name}($n), @cond<$n,$p>))"
            text = f'choose 0 to 2 of $n:int in @sure_int* where {inner} as $k:int* "Which?"\npay size($k) @counter  !k'
            self.writer.table["do"].append(table(("do:: -quiet", text + "\n\n"))["do"][0])

    def _counting(self, name: str) -> None:
        """Write a rule that pays what many conditions add up to."""
        lines = ["let n = 0"]
        for _ in range(self.random.choice((3, 6, 10, 16))):
            lines.append(f"if {self.writer.write('cond', Scope(ME))}: set n to n + 1")
        body = "\n".join([*lines, self.random.choice(("pay n gold", "gain n gold", "choose k in 1..n"))])
        self._finished(name, "", Scope(ME), "", f" |\n{indented(body, 2)}")

    def _doubling(self, name: str) -> None:
        """Write rules that each call the one before twice."""
        many = self.random.choice((3, 6, 10))
        self.add("rules", f"{name}_0", f"{name}_0: {self.writer.write('only', Scope(ME))}")
        for number in range(1, many):
            self.add("rules", f"{name}_{number}", f"{name}_{number}: {name}_{number - 1}(); {name}_{number - 1}()")
        self._finished(name, "", Scope(ME), "", f" {name}_{many - 1}()")

    def _bidding(self, name: str) -> None:
        """Write a rule that every player can carry out in secret."""
        body = self.writer.write("secret_do", Scope(ME).inside("together", "apart"))
        self.add("rules", name, f"{name}: |\n{indented(body, 2)}")
        self.shown(name, "", Scope(ME), name)
        self.writer.add("answer", f"{name}()", 3)

    # -- triggers, and what is paid

    def trigger(self, number: int) -> None:
        """Write what comes before or after a rule."""
        if self.writer.chance(0.2):
            return self._happening()
        name = self.random.choice(list(self.parameters))
        self.add("triggers", f"hook_{number}", below(f"hook_{number}", self.hook(name)))

    def _happening(self) -> None:
        """Write the trigger of a counter or a move; it calls no rule, which might start it again."""
        cards = self.ground.has("cards") and self.writer.chance(0.5)
        lines = ["gain 1 gold", "lose 1 gold", "set gold to 2", "lose 1 wood", "gain 1 wood"]
        lines += (
            ["set it.used to true", "move it to deck", "set it.holder to me", "gain it.worth gold"]
            if cards
            else ["gain n gold", "if n > 1: lose n wood"]
        )
        followed = f"move card {self.random.choice(('to', 'from'))} hand" if cards else "gain wood"
        when = ["when: gold < 3"] if self.writer.chance(0.5) else []
        name = f"after_{'move' if cards else 'gain'}"
        self.add("triggers", name, below(name, f"after: {followed}", *when, f"do: '{self.random.choice(lines)}'"))

    def scope_of(self, name: str) -> Scope:
        """Return what is known in a rule."""
        return self.scopes[name]

    def hook(self, name: str, *more: tuple[str, str]) -> str:
        """Write the lines of a trigger of a rule; it may call the rules before that one."""
        scope = self.scope_of(name).having(more)
        moment = self.random.choice(("after", "before", "instead"))
        lines = [f"{moment}: {name}"]
        if self.writer.chance(0.5):
            lines.append(f"when: {self.value('cond', scope)}")
        calls = self.writer.table.get("call", [])
        earlier = [call for call in calls if call.text.partition("(")[0] < name]
        self.writer.table["call"] = earlier
        body = self.writer.effects(scope.inside(*([] if earlier else ["apart"])), 2)[0]
        self.writer.table["call"] = calls
        if moment == "instead":
            body = self._going_on(body, scope, [one for one, _ in self.scope_of(name).variables[1:]])
        return "\n".join([*lines, literal("do", body)])

    def _going_on(self, body: str, scope: Scope, given: list[str]) -> str:
        """Write what is done in place of a rule, which may go on with it first, or ask."""
        original = f"original({', '.join(given)})"
        asking = f'choose one "Instead?":\n  "yes":\n{indented(body, 4)}\n  "no": {original}\n  otherwise: nothing'
        return self.random.choice((body, f"{original}\n{body}", asking, f'may "as ever": {original}'))

    def anytime(self, number: int) -> None:
        """Write an anytime action."""
        scope, lines = Scope(ME), [f"label: act {number}"]
        if self.ground.has("cards") and self.writer.chance(0.4):
            lines, scope = [*lines, "each: tile in hand(me)"], scope.having([("tile", "card")])
        tests = (f"round < {self.random.randint(1, 3)}", "wood > 0", self.writer.write("cond", scope))
        bodies = ("gain 1 round", "lose 1 wood\ngain 1 gold", "pay 1 wood", "")
        body = self.random.choice(bodies) or self.writer.effects(scope.inside("apart"), 2)[0]
        if self.writer.chance(0.3):
            lines.append("as: use {tile}" if "tile" in dict(scope.variables) else "as: act so")
        lines += [f"when: {quoted(self.random.choice(tests))}", literal("do", body)]
        self.add("anytime", f"action_{number}", below(f"action_{number}", *lines))

    def aid(self, number: int) -> None:
        """Write a substitution, discount or waiver."""
        sort = self.random.choice(("substitution", "discount", "waiver"))
        lines = getattr(self, f"_{sort}")()
        self.add(f"{sort}s", f"{sort}_{number}", below(f"{sort}_{number}", *lines))

    def _thing(self) -> str:
        """Draw what is paid otherwise, or less of."""
        return self.random.choice(("wood", "gold", "wood or gold", *(("good",) if self.ground.has("group") else ())))

    def _given(self) -> list[str]:
        return [f"when: {self.value('cond')}"] if self.writer.chance(0.5) else []

    def _beside(self, part: float, *more: tuple[str, str]) -> list[str]:
        """Perhaps write what happens with a payment; no player is asked meanwhile."""
        scope = Scope((*ME, *more)).inside("quiet", *ACT)
        return [literal("do", self.writer.effects(scope, 1)[0])] if self.writer.chance(part) else []

    def _substitution(self) -> list[str]:
        pick = self.random.choice
        given = f"give: {pick((1, 1, 2))} {pick(('wood', 'gold'))}"
        stands = f"for: {pick(('', 'up to '))}{pick((1, 2, 3))} {self._thing()}"
        if self._crafts():
            return [given, stands, "on: craft", *self._about_it()]
        return [given, stands, *self._given()]

    def _crafts(self) -> bool:
        """Perhaps say that a payment for a card is meant, if there is one."""
        return self.writer.chance(0.5) and any(" as craft" in rule for rule in self.sections.get("rules", {}).values())

    def _about_it(self) -> list[str]:
        """Write a condition about the card that is paid for."""
        return [f"when: {self.random.choice(('it.worth > 1', 'not it.used', 'it in hand(me) and it.level < 2'))}"]

    def _discount(self) -> list[str]:
        pick = self.random.choice
        if self._crafts():
            way = pick(("less", "less", "more"))
            return ["on: craft", f"{way}: {pick((1, 2))} of {self._thing()}", *self._about_it()]
        on = f"on: {pick(('fee', 'toll', *self.paid))}"
        if self.writer.chance(0.3):
            return [on, f"more: {pick((1, 2))} of {self._thing()}", *self._given()]
        lines = [on, f"less: {pick((1, 2))} of {self._thing()}"]
        return [*lines, *self._given(), *self._beside(0.5)]

    def _waiver(self) -> list[str]:
        of = self._thing().partition(" ")[0]
        if self._crafts():
            return ["on: craft", f"of: {of}", *self._about_it()]
        lines = [f"on: {self.random.choice(('fee', '[fee, toll]'))}", f"of: {of}"]
        if not (self.ground.has("cards") and self.writer.chance(0.5)):
            return [*lines, *self._given(), *self._beside(0.7)]
        once = ["when: 'not tile.used'"] if self.writer.chance(0.6) else self._given()
        return ["each: tile in hand(me)", *lines, *once, *self._beside(0.7, ("tile", "card"))]

    def taking(self) -> None:
        """Write the rule that is carried out for a counter that is paid."""
        body = {
            "take_chip(good)": "lose 1 good",
            "take_chip(good, int n)": "lose n good",
            "take_chip(good g)": '|\n  choose k in 1..2 "From where?"\n  gain k round\n  lose 1 g',
        }
        text = self.random.choice(sorted(body))
        self.add("rules", "take_chip", f"{text}: {body[text]}")
