"""What a pack declares, at random: counters, kinds, pieces, places, grids, constants, options."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

FEATURES = {
    "group": 0.35, "moods": 0.2, "negative": 0.2, "secret": 0.3, "constants": 0.15, "options": 0.15, "cards": 0.5,
    "row": 0.3, "spot": 0.3, "purse": 0.4, "spaces": 0.25, "tokens": 0.15, "grid": 0.25, "shapes": 0.6, "stack": 0.3,
    "plot": 0.08, "chance": 0.3, "spend": 0.12, "automated": 0.04, "module": 0.15, "fields": 0.2,
    "designs": 0.3, "lasting": 0.25, "nouns": 0.15,
    "records": 0.2, "rings": 0.12,
}  # fmt: skip
NEEDS = {
    "row": "cards", "spot": "cards", "purse": "cards", "spaces": "cards", "shapes": "grid", "stack": "grid",
    "spend": "group", "designs": "cards",
}  # fmt: skip
SEATS = ((1, 1), (1, 2), (2, 2), (2, 2), (2, 2), (2, 2), (2, 3), (2, 3), (3, 3), (1, 4))
STILL = "still: {per: player, start: 1}"
"""A counter that no rule changes, unless something is not what it is said to be."""
ENDING = ("rule_1", "rule_1", "match")
"""The rules at whose end something is set back."""
COPIES = ("2", "3", "2", "seats", "seats", "seats - 1", "2 if seats > 2 else 1")


@dataclass
class Ground:
    """What there is, as entries of a model by section, and the names that texts may use, by sort."""

    seats: tuple[int, int]
    features: list[str]
    options: dict[str, str] = field(default_factory=dict)
    sections: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)
    pieces: dict[str, tuple[str, dict[str, list[str]]]] = field(default_factory=dict)

    def has(self, feature: str) -> bool:
        """Return whether the pack has a feature."""
        return feature in self.features

    def entry(self, section: str, text: str) -> None:
        """Add an entry of a section."""
        self.sections.setdefault(section, []).append(text)

    def name(self, sort: str, *names: str) -> None:
        """Add names of a sort."""
        self.names.setdefault(sort, []).extend(names)

    def model(self) -> str:
        """Return the document."""
        lines = ["document: model"]
        for section, entries in self.sections.items():
            lines += [f"{section}:", *(f"  {entry}" for entry in entries)]
        return "\n".join(lines) + "\n"


def ground(random: Random) -> Ground:
    """Draw what a pack declares."""
    found: list[str] = []
    for feature, part in FEATURES.items():
        if random.random() < part and NEEDS.get(feature, feature) in (*found, feature):
            found.append(feature)
    made = Ground(random.choice(SEATS), found)
    most = made.seats[1] + made.has("automated")
    made.name("seat", *(f"player_{number}" for number in range(1, most + 1)))
    _counters(made, random)
    for feature, declare in DECLARE.items():
        if made.has(feature):
            declare(made, random)
    return made


def _counter(random: Random, start: int = 0) -> str:
    """Return the declaration of a counter of every player."""
    most = random.choice(("2", "2", "3", "3", "4", "seats + 1", ""))
    keys = ["per: player"]
    if random.random() < 0.6:
        keys.append(f"start: {random.choice((1, 1, 2, start))}")
    if most:
        keys.append(f"max: {most}")
    return f"{{{', '.join(keys)}}}"


def _counters(made: Ground, random: Random) -> None:
    for name in ("wood", "gold", "iron")[: random.choice((2, 2, 3))]:
        made.entry("counters", f"{name}: {_counter(random)}")
        made.name("counter", name)
    made.entry("counters", "round: {max: 5}")
    made.sections["counters"].insert(random.randint(0, 3), STILL)
    made.name("table", "round")


def _group(made: Ground, random: Random) -> None:
    members = ["wood", "gold"]
    if made.has("negative") and random.random() < 0.5:
        members.append("debt")
    if made.has("spend"):
        members.append("chip")
        made.entry("counters", "chip: {per: player, start: 2, max: 3, spend: take_chip}")
        made.name("counter", "chip")
    if made.has("module"):
        made.entry("counters", "spare: {per: player, max: 2, visible: all}")
    made.entry("groups", f"good: [{', '.join(members)}]")
    made.name("member", *members)


def _moods(made: Ground, random: Random) -> None:
    made.entry("graphs", f"ways: {{of: mood, edges: [{random.choice(('[calm, wild]', ''))}]}}")
    made.entry("enums", "mood: [calm, wild]")
    made.entry("counters", "tally: {per: [player, mood], max: 2}")


def _negative(made: Ground, random: Random) -> None:
    made.entry("counters", f"debt: {{per: player, min: -2, max: 2, start: {random.choice((0, -1, -2))}}}")


def _secret(made: Ground, random: Random) -> None:
    made.entry("counters", "bid: {per: player, visible: owner, max: 2}")
    made.entry("counters", "fate: {per: player, visible: none, max: 2}")


def _constants(made: Ground, random: Random) -> None:
    items = [str(random.randint(0, 3)) for _ in range(random.choice((0, 1, 2, 3)))]
    made.entry("constants", f"prices: {{type: list of int, value: [{', '.join(items)}]}}")
    made.entry("constants", f"most: {{type: int, value: {{by: seats, 2: {random.randint(0, 3)}, else: 2}}}}")
    second = random.choice(("seats", "seats, 3", "seats, 3", "seats, 3"))
    made.entry("constants", f"grids: {{type: list of list of int, value: [[1, 2], [{second}]]}}")


OPTIONS = {"level": ("0", "1", "2"), "style": ("short", "long")}
"""The options of a pack, and what each may be."""


def _options(made: Ground, random: Random) -> None:
    made.options = {name: random.choice(values) for name, values in OPTIONS.items()}


def _named(design: str, copies: str, seats: tuple[int, int]) -> list[str]:
    """Return the names of copies: often those that are always there, seldom those that some numbers of seats lack."""
    least, most = (eval(copies, {"seats": number}) for number in seats)
    return [f"{design}_{n}" for n in range(1, most + 1) for _ in range(4 if n <= least else 1)]


def _cards(made: Ground, random: Random) -> None:
    active = ", active: it in hand(me)" if random.random() < 0.5 else ""
    esteem = random.choice(("it.level + 1", "count(c in hand(me) where c.worth > 1)", "2", "size(hand(next(me)))"))
    facts = "price: cost = none, worth: int 1..3 = 1, risk: int 0..4 = 1, steps: list of int 1..4, act: effect = nothing, acts: list of effect"
    facts += f", esteem: {{type: formula = {random.choice(('0', '1', 'it.worth'))}}}"
    fields = "used: bool = false, level: int 0..2 = 0, holder: player or none"
    if made.has("designs"):
        fields += ", wish: card_design or none"
    if made.has("lasting"):
        fields += f", warm: {{type: int 0..2 = {random.choice((0, 1))}, lasts: {random.choice(ENDING)}}}"
        fields += f", guest: {{type: player or none, lasts: {random.choice(ENDING)}}}"
    fields += ", omen: {type: bool = false, visible: none}, scar: {type: bool = false, visible: all}"
    made.entry("kinds", f"card: {{facts: {{{facts}}}, fields: {{{fields}}}{active}}}")
    made.entry("places", f"deck: {{of: card, type: pile, visible: {random.choice(('all', 'none', 'top'))}}}")
    made.entry(
        "places", f"hand: {{of: card, per: player, type: area, visible: {random.choice(('all', 'owner', 'others'))}}}"
    )
    plain, odd = random.choice(COPIES), random.choice(COPIES)
    made.name("piece", "dear", "dear", *_named("plain", plain, made.seats)[:4], *_named("odd", odd, made.seats))
    steps, odd_steps = random.choice(("[1, 2]", "[2]", "[]")), random.choice(("[1, 2]", "[copy, 3]", "[]", "[seats]"))
    price = random.choice(("1 wood", "2 gold", "1 wood and 1 gold", *(("1 any good",) if made.has("group") else ())))
    made.pieces["card"] = (
        "deck",
        {
            "plain": [
                f"copies: {plain}",
                f"steps: {steps}",
                "acts: [nothing]",
                f"place: {random.choice(('deck', 'deck', 'hand(player_1)'))}",
            ],
            "dear": [
                f"price: {price}",
                f"esteem: {esteem}",
                f"worth: {random.choice((1, 2, 3, '{by: seats, 2: 1, else: 2}'))}",
                "steps: [1]",
            ],
            "odd": [
                f"copies: {odd}",
                f"steps: {odd_steps}",
                f"risk: {random.choice(('seats - 3', 'seats', 'copy', '2'))}",
                "acts: [nothing]",
            ],
        },
    )


def _designs(made: Ground, random: Random) -> None:
    made.entry("counters", "taken: {per: [player, card_design], max: 2}")
    seen = random.choice(("all", "top", "none"))
    made.entry("places", f"supply: {{of: card, per: card_design, type: pile, visible: {seen}}}")


def _lasting(made: Ground, random: Random) -> None:
    keys = ["per: player", f"start: {random.choice((0, 1, 2))}", f"max: {random.choice(('3', 'seats + 1'))}"]
    made.entry("counters", f"brief: {{{', '.join(keys)}, lasts: {random.choice(ENDING)}}}")
    made.name("counter", "brief")
    made.entry("counters", f"storm: {{max: 3, lasts: {random.choice(ENDING)}}}")
    made.name("table", "storm")


def _nouns(made: Ground, random: Random) -> None:
    made.entry("counters", f"crown: {{per: player, start: {random.choice((0, 1, 2))}, max: 3, noun: [point, points]}}")
    made.name("counter", "crown")


def _row(made: Ground, random: Random) -> None:
    made.entry("places", f"shelf: {{of: card, type: row, size: {random.choice((1, 2, 2, 'seats'))}}}")


def _spot(made: Ground, random: Random) -> None:
    made.entry("places", "desk: {of: card, type: spot}")
    made.entry("places", "pouch: {of: card, per: player, type: spot}")


def _purse(made: Ground, random: Random) -> None:
    made.entry("places", "purse: {of: card, per: player, type: area, visible: owner}")


def _spaces(made: Ground, random: Random) -> None:
    made.entry("kinds", "space: {facts: {fee: int = 1}}")
    made.entry("counters", "rent: {per: space, max: 2}")
    made.entry("places", "beside: {of: card, per: space, type: spot}")
    made.entry("graphs", "lanes: {of: space, edges: [[north, south]]}")
    made.pieces["space"] = ("", {"north": ["fee: 2"], "south": ["text: South.", *random.choice(([], ["like: north"]))]})


def _tokens(made: Ground, random: Random) -> None:
    named = random.random() < 0.5
    copies = "" if named else ", copies: 2"
    aim = "aim: {type: int 0..2 = 0, visible: owner, unless: turned}"
    made.entry("kinds", f"token: {{per: player{copies}, fields: {{turned: bool = false, power: int 1..3 = 1, {aim}}}}}")
    made.entry("places", "pool: {of: token, per: player, type: area}")
    if named:
        made.pieces["token"] = ("pool", {"scout": ["copies: 2"]})
    stem = "scout" if named else "token"
    made.name("own_token", "owned(token)[0]", f"player_1.{stem}_1", f"{made.names['seat'][-1]}.{stem}_2")


def _rings(made: Ground, random: Random) -> None:
    copies = random.choice(COPIES)
    made.entry("kinds", f"ring: {{copies: {copies}, fields: {{bent: bool = false}}}}")
    made.entry("places", f"heap: {{of: ring, type: pile, visible: {random.choice(('all', 'top', 'none'))}}}")
    made.entry("places", "finger: {of: ring, per: player, type: spot}")
    made.name("own_ring", *_named("ring", copies, made.seats))


def _grid(made: Ground, random: Random) -> None:
    light, rows, form = "light: bool = true", "2", ""
    if not made.has("stack") and random.random() < 0.5:
        rows = "level + 2" if made.has("options") else "most_rows"
        form = f"form: {random.choice(('square', 'hex', 'hex'))}, "
        made.entry("constants", "most_rows: {type: int, value: 3}")
    elif random.random() < 0.5:
        light = 'light: {type: bool, map: [".#", ".."], legend: {".": true, "#": false}}'
    made.entry(
        "grids",
        f"cell: {{rows: {rows}, columns: 2, {form}facts: {{{light}}}, fields: {{mark: player or none, height: int 0..2 = 0}}}}",
    )
    made.name("square", "a1", "b1", "b2")
    if made.has("shapes"):
        made.entry("shapes", 'bar: ["##"]')
        made.entry("shapes", 'nook: ["##", "#."]')
        made.entry("shapes", 'slab: ["####"]')
    if made.has("stack"):
        made.entry("grids", "slot: {over: cell, levels: 1, block: 2, fields: {full: bool = false}}")


def _plot(made: Ground, random: Random) -> None:
    made.entry("grids", "plot: {per: player, rows: 1, columns: 2, prefix: t_, fields: {sown: bool = false}}")


def _fields(made: Ground, random: Random) -> None:
    made.entry("table", "mode: int 0..2 = 1")
    made.entry("table", "dusk: {type: bool = false, told: true}")
    made.entry("table", "last: player or none = none")
    if made.has("lasting"):
        made.entry("table", f"calm_now: {{type: bool = true, lasts: {random.choice(ENDING)}}}")
        made.entry("table", f"heard: {{type: 'list of player', lasts: {random.choice(ENDING)}}}")
    made.entry("table", f"runs: {{type: 'list of int', visible: {random.choice(('all', 'none'))}}}")
    made.entry("table", "past: list of list of int")
    made.entry("player", "rival: player or none")
    made.entry("player", f"wish: {{type: int 0..2 = 1, visible: {random.choice(('all', 'owner', 'none'))}}}")
    made.entry("player", "met: list of player")


def _records(made: Ground, random: Random) -> None:
    whose = random.choice(("player", "player or none"))
    made.entry("records", f"lot: {{fields: {{size: int {random.choice((0, -1))}..2, dear: bool, whose: {whose}}}}}")
    made.entry("records", "pair: {fields: {one: lot, two: lot}, name: '{one} and {two}'}")
    made.entry("counters", "marked: {per: [player, lot], max: 2}")
    made.entry("table", "deal: lot or none")
    made.entry("table", "both: pair")
    made.entry("player", f"vow: {{type: lot, visible: {random.choice(('all', 'owner', 'none'))}}}")


DECLARE = {
    "moods": _moods, "negative": _negative, "group": _group, "secret": _secret, "constants": _constants,
    "options": _options, "cards": _cards, "row": _row, "spot": _spot, "purse": _purse, "spaces": _spaces,
    "tokens": _tokens, "grid": _grid, "plot": _plot, "fields": _fields, "designs": _designs, "lasting": _lasting,
    "nouns": _nouns, "records": _records, "rings": _rings,
}  # fmt: skip
