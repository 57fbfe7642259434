"""Follow the tables that lark makes of the grammar, with as little as possible for each token.

In:     lark's parser with its tables, and a text.
Out:    the parse tree as :class:`Branch`; None for a text that does not follow the grammar.
Errors: none; ``parser`` asks lark itself what is wrong with such a text.

Lark's own loop makes a token and a node with six positions for every step, also for the ten steps in which a number
becomes a sum, a range, a comparison and so on. Here the two offsets that somebody asks for stay beside the values, and
steps that only rename what they found change nothing but the state, and are worked out once. Which tokens there are,
what a rule keeps of its parts, and where a node begins and ends follows lark in everything, so that the trees are the
same.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from lark import Lark
from lark.grammar import Rule
from lark.lexer import BasicLexer
from lark.parsers.lalr_analysis import Shift


class Branch:
    """What a rule of the grammar matched: its name, what it keeps, and where it starts and ends in the text."""

    __slots__ = ("children", "data", "end", "start")

    def __init__(self, data: str, children: list[Found], start: int, end: int) -> None:
        self.data = data
        self.children = children
        self.start = start
        self.end = end


Found: TypeAlias = Branch | str | None


class _Reduction:
    """What becomes of the parts of a rule.

    ``kept`` says of each part that is kept its number, whether its own parts take its place, and how many optional
    things were left out before it; ``missing`` were left out behind them. A rule that is ``single`` gives way to its
    only part; one that ``renames`` does so without looking.
    """

    __slots__ = ("data", "kept", "missing", "origin", "renames", "rule", "single", "size")

    def __init__(self, rule: Rule) -> None:
        self.rule = rule  # kept alive: reductions are found by its identity
        self.origin: str = rule.origin.name
        self.data: str = rule.alias or self.origin
        self.size = len(rule.expansion)
        if not self.size:
            raise ValueError(f"{rule} matches nothing, and so stands nowhere")
        self.single = bool(rule.options.expand1 and not rule.alias)
        left_out = _left_out(rule)
        self.kept: list[tuple[int, bool, int]] = []
        gap = 0
        symbols: Any = rule.expansion
        for number, symbol in enumerate(symbols):
            gap += left_out[number]
            if rule.options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
                self.kept.append((number, not symbol.is_term and symbol.name.startswith("_"), gap))
                gap = 0
        self.missing = gap + left_out[-1]
        self.renames = self.single and self.size == 1 and self.kept == [(0, False, 0)] and not self.missing


_Step: TypeAlias = tuple[int, int | None, _Reduction | None]


def _left_out(rule: Rule) -> list[int]:
    """Return how many optional things are left out before each part of a rule, and behind the last."""
    counts = [0]
    for empty in rule.options.empty_indices:
        if empty:
            counts[-1] += 1
        else:
            counts.append(0)
    return counts if len(counts) > len(rule.expansion) else [0] * (len(rule.expansion) + 1)


class _Scanner:
    """What finds the next token in some states: patterns in order, the words that they take too, what is left out."""

    __slots__ = ("ignored", "matches", "words")

    def __init__(self, lexer: BasicLexer) -> None:
        made: Any = lexer.scanner
        self.matches = [pattern.match for pattern in made._mres]
        self.words = {type_: _words(callback) for type_, callback in lexer.callback.items()}
        self.ignored = lexer.ignore_types


def _words(callback: Any) -> dict[str, str]:
    """Return the tokens that a pattern takes too, by their text."""
    return {terminal.pattern.value: terminal.name for terminal in callback.scanner.terminals}


class Driver:
    """Parses texts by the tables of one grammar."""

    def __init__(self, lark: Lark) -> None:
        """Take the tables of an LALR parser that lark has made, with a contextual lexer and an indenter."""
        made: Any = lark.parser
        table = made.parser.parser.parse_table
        self.states: dict[int, dict[str, tuple[Any, Any]]] = table.states
        self.first: dict[str, int] = table.start_states
        self.last: dict[str, int] = table.end_states
        self.blocks: Any = lark.options.postlex
        self._lexers: dict[int, BasicLexer] = made.lexer.lexer.lexers
        self._scanners: dict[int, _Scanner] = {}
        self._reductions: dict[int, _Reduction] = {}
        self.known_steps: dict[tuple[int, int, str], _Step] = {}

    def parse(self, text: str, start: str) -> Branch | None:
        """Return the tree of a text, or None when it does not follow the grammar."""
        run = _Run(self, start)
        if not (run.tokens(text) and run.feed_token("$END", "", *run.token)):
            return None
        assert isinstance(run.result, Branch)
        return run.result

    def step(self, below: int, state: int, type_: str) -> _Step:
        """Rename what was found last as far as a token that follows asks for it.

        A rule that renames takes the last state away and goes on from the one *below*, so that nothing else counts.

        Returns:
            The state then, and what follows: the state that the token leads to, or a reduction, or neither.
        """
        while True:
            action, there = self.states[state].get(type_, (None, None))
            if action is None:
                return state, None, None
            if action is Shift:
                return state, there, None
            reduction = self.reduction(there)
            if not reduction.renames:
                return state, None, reduction
            state = self.states[below][reduction.origin][1]

    def scanner(self, state: int) -> _Scanner:
        """Return what finds the next token in a state."""
        found = self._scanners.get(state)
        if found is None:
            found = self._scanners[state] = _Scanner(self._lexers[state])
        return found

    def reduction(self, rule: Rule) -> _Reduction:
        """Return what becomes of the parts of a rule; lark compares rules by all that they hold, which takes long."""
        found = self._reductions.get(id(rule))
        if found is None:
            found = self._reductions[id(rule)] = _Reduction(rule)
        return found


class _Run:
    """The parse of one text: the states, what was found for each, and the offsets around it."""

    def __init__(self, driver: Driver, start: str) -> None:
        self.driver = driver
        self.end_state = driver.last[start]
        self.states = [driver.first[start]]
        self.values: list[Found] = []
        self.begins: list[int] = []
        self.ends: list[int] = []
        self.token = (0, 0)  # the offsets of the last one
        self.result: Found = None

    def tokens(self, text: str) -> bool:
        """Feed all tokens of a text; False where one does not fit."""
        blocks, scanner_of, states = self.driver.blocks, self.driver.scanner, self.states
        line_end, opening, closing = blocks.NL_type, blocks.OPEN_PAREN_types, blocks.CLOSE_PAREN_types
        position, length, depth, levels = 0, len(text), 0, [0]
        while position < length:
            scanner = scanner_of(states[-1])
            for match in scanner.matches:
                found = match(text, position)
                if found is not None:
                    break
            else:
                return False
            begin, position, type_ = position, found.end(), str(found.lastgroup)
            if type_ in scanner.ignored:
                continue
            value = found[0]
            self.token = begin, position
            type_ = scanner.words.get(type_, _NONE).get(value, type_)
            if type_ == line_end:
                if not depth and not self._line_ends(value, levels):
                    return False
                continue
            if not self.feed_token(type_, value, begin, position):
                return False
            depth += (type_ in opening) - (type_ in closing)
        return all(self.feed_token(blocks.DEDENT_type, "", *self.token) for _ in levels[1:])

    def _line_ends(self, value: str, levels: list[int]) -> bool:
        """Feed the end of a line, and the blocks that open or end there."""
        blocks = self.driver.blocks
        if not self.feed_token(blocks.NL_type, value, *self.token):
            return False
        indent = value.rsplit("\n", 1)[1]
        width = indent.count(" ") + indent.count("\t") * blocks.tab_len
        if width > levels[-1]:
            levels.append(width)
            return self.feed_token(blocks.INDENT_type, indent, *self.token)
        while width < levels[-1]:
            levels.pop()
            if not self.feed_token(blocks.DEDENT_type, indent, *self.token):
                return False
        return bool(width == levels[-1])

    def feed_token(self, type_: str, value: str, begin: int, end: int) -> bool:
        """Take one token, and reduce all that ends before it; False where it does not fit."""
        states, known_steps, table = self.states, self.driver.known_steps, self.driver.states
        while True:
            key = (states[-2] if len(states) > 1 else states[-1], states[-1], type_)
            found = known_steps.get(key)
            if found is None:
                found = known_steps[key] = self.driver.step(*key)
            states[-1], shifted, reduction = found
            if reduction is None:
                break
            self._reduce(reduction)
            states.append(table[states[-1]][reduction.origin][1])
            if states[-1] == self.end_state:
                ((self.result),) = self.values
                return True
        if shifted is None:
            return False
        states.append(shifted)
        self.values.append(value)
        self.begins.append(begin)
        self.ends.append(end)
        return True

    def _reduce(self, reduction: _Reduction) -> None:
        """Put what a rule matched in the place of its parts."""
        size, values = reduction.size, self.values
        kept: list[Found] = []
        for number, opened, gap in reduction.kept:
            if gap:
                kept += [None] * gap
            part = values[number - size]
            if not opened:
                kept.append(part)
            elif kept:
                kept += part.children  # type: ignore[union-attr]
            else:
                kept = part.children  # type: ignore[union-attr]  # a long list grows in its place
        if reduction.missing:
            kept += [None] * reduction.missing
        begin, end = self.begins[-size], self.ends[-1]
        alone = reduction.single and len(kept) == 1
        del self.states[-size:], values[-size:], self.begins[-size:], self.ends[-size:]
        values.append(kept[0] if alone else Branch(reduction.data, kept, begin, end))
        self.begins.append(begin)
        self.ends.append(end)


_NONE: dict[str, str] = {}
