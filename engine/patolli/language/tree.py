"""The syntax tree of expressions and effects.

Nodes are plain data. Each knows where it stands (``at``), which equality ignores. What they mean is told by the
nodes of the program that they are resolved to.
"""

from __future__ import annotations

from patolli.language.effects import (
    AnyEffect,
    As,
    Block,
    Break,
    CallRule,
    Choose,
    Cost,
    Do,
    Draw,
    Effect,
    EndMatch,
    For,
    Gain,
    If,
    Item,
    Let,
    Loop,
    Mark,
    Menu,
    Move,
    Nothing,
    Option,
    PassTo,
    Pause,
    Pay,
    Random,
    Refill,
    Repeat,
    Require,
    Return,
    Say,
    SetTo,
    Shuffle,
    Simultaneously,
    Slide,
    Swap,
    UpTo,
    any_effect,
)
from patolli.language.expressions import (
    AnyExpr,
    Attribute,
    Binary,
    Binder,
    Call,
    Compare,
    Expr,
    IfElse,
    Index,
    Listing,
    Logic,
    Name,
    Negative,
    Nobody,
    Not,
    Number,
    Quantifier,
    SpanOf,
    Truth,
    any_expr,
)
from patolli.language.node import (
    At,
    FixedText,
    Node,
    Text,
)

__all__ = [
    "AnyEffect", "AnyExpr", "As", "At", "Attribute", "Binary", "Binder", "Block", "Break", "Call", "CallRule", "Choose",
    "Compare", "Cost", "Do", "Draw", "Effect", "EndMatch", "Expr", "FixedText", "For", "Gain", "If", "IfElse", "Index",
    "Item", "Let", "Listing", "Logic", "Loop", "Mark", "Menu", "Move", "Name", "Negative", "Nobody", "Node", "Not",
    "Nothing", "Number", "Option", "PassTo", "Pause", "Pay", "Quantifier", "Random", "Refill", "Repeat", "Require",
    "Return", "Say", "SetTo", "Shuffle", "Simultaneously", "Slide", "SpanOf", "Swap", "Text", "Truth", "UpTo",
    "any_effect", "any_expr",
]  # fmt: skip
