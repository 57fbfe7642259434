"""The types of the language.

Values at run time are whole numbers (pieces, players, members of enumerations are indices, ``none`` is -1), truth
values, and lists of these. Types exist only before a match.
"""

from __future__ import annotations

from dataclasses import dataclass


def article(noun: str) -> str:
    """Return a noun with ``a`` or ``an``."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


@dataclass(frozen=True, slots=True)
class Type:
    """A type without parts: ``int``, ``bool``, ``text``, ``effect``, ``cost``, ``none``, ``box`` or ``any``."""

    name: str

    def __str__(self) -> str:
        return {"int": "a number", "bool": "true or false", "none": "none", "cost": "a cost", "effect": "an effect",
                "text": "a text", "any": "anything"}.get(self.name, self.name)  # fmt: skip


INT, BOOL, TEXT, EFFECT, COST, NONE, ANY = (Type(n) for n in ("int", "bool", "text", "effect", "cost", "none", "any"))


@dataclass(frozen=True, slots=True)
class Ref:
    """One instance of a kind."""

    kind: str

    def __str__(self) -> str:
        return f"{'an' if self.kind[0] in 'aeiou' else 'a'} {self.kind}"


@dataclass(frozen=True, slots=True)
class Design:
    """What several copies of a piece have in common."""

    kind: str

    def __str__(self) -> str:
        return f"a design of {self.kind}"


@dataclass(frozen=True, slots=True)
class Group:
    """One counter of a group."""

    name: str

    def __str__(self) -> str:
        return f"one of {self.name}"


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of an option of the pack."""

    option: str

    def __str__(self) -> str:
        return f"a choice of {self.option}"


@dataclass(frozen=True, slots=True)
class Maybe:
    """A value, or none."""

    of: AnyType

    def __str__(self) -> str:
        return f"{self.of} or none"


@dataclass(frozen=True, slots=True)
class Seq:
    """A finite list."""

    of: AnyType

    def __str__(self) -> str:
        return "a list" if self.of == ANY else f"a list of {_several(self.of)}"


@dataclass(frozen=True, slots=True)
class Many:
    """Several values chosen together."""

    of: tuple[AnyType, ...]

    def __str__(self) -> str:
        return " and ".join(map(str, self.of))


def _several(type_: AnyType) -> str:
    """Name several values of a type."""
    match type_:
        case Type():
            return {"int": "numbers", "bool": "truth values"}.get(type_.name, f"{type_.name}s")
        case Ref():
            return "players" if type_.kind == "player" else type_.kind
        case Design():
            return f"designs of {type_.kind}"
        case Group():
            return f"counters of {type_.name}"
        case Choice():
            return f"choices of {type_.option}"
        case Maybe():
            return f"{_several(type_.of)} or none"
        case Seq():
            return "lists" if type_.of == ANY else f"lists of {_several(type_.of)}"
    return str(type_)


AnyType = Type | Ref | Design | Group | Choice | Maybe | Seq | Many


def strip(type_: AnyType) -> AnyType:
    """Return the type without ``or none``."""
    return type_.of if isinstance(type_, Maybe) else type_


def is_list(type_: AnyType) -> bool:
    """Return whether values of a type are lists, or none."""
    return isinstance(strip(type_), Seq)


def vague(type_: AnyType) -> bool:
    """Return whether it is not known what something is, or what is in it."""
    return vague(type_.of) if isinstance(type_, Maybe | Seq) else type_ == ANY


def fits(found: AnyType, wanted: AnyType) -> bool:
    """Return whether a value of one type may stand where another is wanted."""
    if found == wanted or ANY in (found, wanted):
        return True
    if isinstance(wanted, Maybe):
        return found == NONE or fits(strip(found), wanted.of)
    if isinstance(wanted, Seq) and isinstance(found, Seq):
        return fits(found.of, wanted.of)
    return found == NONE and wanted == COST


def join(left: AnyType, right: AnyType) -> AnyType | None:
    """Return the type that both fit, or None; an empty list takes the type of the other one."""
    if isinstance(left, Seq) and isinstance(right, Seq) and ANY in (left.of, right.of):
        return right if left.of == ANY else left
    if fits(left, right):
        return right
    if fits(right, left):
        return left
    if right == NONE:
        return Maybe(left)
    if left == NONE:
        return Maybe(right)
    if isinstance(left, Seq) and isinstance(right, Seq):
        inner = join(left.of, right.of)
        return None if inner is None else Seq(inner)
    return None
