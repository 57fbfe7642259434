"""Build the tree of one file from the events of a YAML parser.

In:     a source, limits; the parser is chosen by ``events``.
Out:    the root node or ``None``; problems in no order.

Events rather than documents: they keep exact positions, cost little, and leave
the meaning of a value to us. What the two parsers would read differently is
refused here or evened out, so that both give the same tree and places.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NoReturn

from patolli.language.diagnostics.fix_edits import behind, instead
from patolli.language.diagnostics.problem import Problem
from patolli.language.sources.nodes import Mapping, Node, Scalar, Sequence, Source
from patolli.language.sources.signs import BAD_ESCAPED, bad_sign
from patolli.language.sources.words import SUSPECT_SIGNS, SUSPECT_WORDS, in_doubt, readings

if TYPE_CHECKING:
    from patolli.language.sources.events import NextEvent
    from patolli.language.sources.read import Limits

_SURROGATE = re.compile("[\ud800-\udfff]")
_QUOTE = "put the value in quotes"
_ALIAS = "write the value wherever it is used; if text is meant, put it in quotes"


def _count_open_brackets(node: Node) -> int:
    """Return how many brackets a plain value opens and leaves open."""
    plain = isinstance(node, Scalar) and not node.style
    return node.value.count("(") - node.value.count(")") if plain and isinstance(node, Scalar) else 0


class _Stop(Exception):
    """Reading cannot go on; what is wrong has been reported."""


class Builder:
    """Turns the events of one file into nodes."""

    def __init__(self, source: Source, limits: Limits) -> None:
        self.source = source
        self.limits = limits
        self.problems: list[Problem] = []
        self.count = 0
        self.documents = 0
        # Nodes inside the innermost open collection; those of a mapping are its
        # keys and values in turn. ``open`` holds what waits outside of it.
        self.children: list[Node] = []
        self.open: list[tuple[list[Node], Mapping | Sequence]] = []
        self.flow = False

    def run(self) -> Node | None:
        """Read the whole file."""
        from patolli.language.sources.events import events, syntax_error

        try:
            self.build(events(self.source.text))
        except _Stop:
            return None
        except syntax_error() as error:
            from patolli.language.sources.syntax import explain_syntax

            found = explain_syntax(error, self.source)
            # What was odd on the same line has the same cause.
            self.problems = [problem for problem in self.problems if problem.span.line != found.span.line]
            self.problems.append(found)
            return None
        if not self.children:
            self.report("P0009", "the file contains no document", 0, 0, "begin with `document:` and its kind")
            return None
        root = self.children[0]
        if isinstance(root, Scalar) and root.style in ("|", ">"):
            # The parsers differ on where such a block may end.
            self.report("P0059", "the file must begin with the key `document`", root.start, root.start + 1)
            return None
        return root

    def build(self, next_event: NextEvent) -> None:
        """Take events until the file ends. This loop is what reading costs."""
        source, limits = self.source, self.limits
        others = {
            "MappingStartEvent": self.begin_mapping,
            "SequenceStartEvent": self.begin_sequence,
            "MappingEndEvent": self.end,
            "SequenceEndEvent": self.end,
            "DocumentStartEvent": self.document,
            "AliasEvent": self.alias,
        }
        while True:
            event = next_event()
            kind = event.__class__.__name__
            if kind == "ScalarEvent":
                value, style = event.value, event.style or ""
                start = event.start_mark.index
                node = Scalar(value, None, style, source, start, event.end_mark.index)
                if event.tag or event.anchor:
                    self.properties(event)
                if len(value) > limits.scalar:
                    message = f"a value may have at most {limits.scalar:,} characters"
                    self.report("P0016", message, start, start + 1, "split it")
                if not style:
                    if value[:1] in SUSPECT_SIGNS or value in SUSPECT_WORDS or self.flow:
                        self.plain(node)
                    if value[-1:] == '"' or source.text.startswith(" #", node.end):
                        self.tail(node)
                elif style == '"' and (bad := BAD_ESCAPED.search(value)):
                    self.bad_escape(node, bad.start())
                self.children.append(node)
                self.count += 1
                if self.count > limits.nodes:
                    self.stop("P0015", f"the file has more than {limits.nodes:,} values", start, start + 1)
            elif kind in others:
                others[kind](event)
            elif kind == "StreamEndEvent":
                return

    def report(self, code: str, message: str, start: int, end: int, help: str = "") -> None:
        """Note a problem and go on."""
        self.note(Problem(code, message, self.source.span(start, end), help))

    def note(self, problem: Problem) -> None:
        """Keep a problem; with too many of them the reading ends."""
        self.problems.append(problem)
        if len(self.problems) >= self.limits.problems:
            raise _Stop  # the rest of such a file is rarely better

    def stop(self, code: str, message: str, start: int, end: int, help: str = "") -> NoReturn:
        """Note a problem and read no further."""
        self.report(code, message, start, end, help)
        raise _Stop

    def document(self, event: Any) -> None:
        """Refuse every document but the first."""
        self.documents += 1
        if self.documents > 1:
            start = event.start_mark.index
            advice = "move the rest to another file"
            self.stop("P0007", "a file contains one document", start, start + 3, advice)

    def alias(self, event: Any) -> None:
        """Refuse an alias, with an empty value in its place."""
        start = event.start_mark.index
        message = "* begins an anchor or alias, which are not used here"
        self.report("P0004", message, start, start + 1, _ALIAS)
        self.children.append(Scalar("", None, "'", self.source, start, event.end_mark.index))

    def properties(self, event: Any) -> None:
        """Refuse the anchor or the tag before a value, whichever comes first."""
        start = event.start_mark.index
        if self.source.text[start] == "&":
            message = "& begins an anchor or alias, which are not used here"
            self.report("P0004", message, start, start + 1, _ALIAS)
        else:
            self.report("P0005", "! begins a tag, and tags are not used here", start, start + 1, _QUOTE)

    def plain(self, node: Scalar) -> None:
        """Refuse a plain value that could mean something else."""
        key = len(self.children) % 2 == 0 and bool(self.open) and isinstance(self.open[-1][1], Mapping)
        value = node.value
        doubt = in_doubt(value, key=key)
        if doubt:
            span = self.source.span(node.start, node.end)
            fixes = tuple(fix for meant in readings(doubt, value) for fix in instead(span, meant))
            self.note(Problem(doubt.code, f"{value} is not clear: {doubt.looks}", span, doubt.help, fixes=fixes))
        elif self.flow and value.startswith(("// ", "/* ")):
            message = f"a comment begins with #, not with {value[:2]}"
            self.report("P0001", message, node.start, node.start + 2, "write # before every line of the comment")
        elif self.flow and ":" in value:
            at = self.source.text.index(":", node.start)
            if key and re.fullmatch(r"[a-z_]\w*:[^\s:]+", value):
                advice = f"write `{value.replace(':', ': ')}`"
                colon = self.source.span(at, at + 1)
                fixes = behind(colon, " ", sure=True)
                self.note(Problem("P0038", "a blank is missing after this colon", colon, advice, fixes=fixes))
                return
            self.report("P0031", "a colon inside a value without quotes", at, at + 1, _QUOTE)
        elif self.flow and value.count("(") > value.count(")"):
            advice = "in [] and {} a comma begins the next entry; put the whole value in quotes"
            message = f"the value {value!r} ends before its closing )"
            self.report("P0018", message, node.start, node.end, advice)

    def tail(self, node: Scalar) -> None:
        """Refuse a plain value that a comment cuts off, or that ends with a quote which nothing opens."""
        if re.match(r" #[0-9]", self.source.text[node.end : node.end + 3]):
            advice = f"a # after a blank begins a comment; {_QUOTE}"
            line = self.source.text[node.start :].partition("\n")[0].rstrip()
            fixes = (
                ()
                if '"' in line or self.flow
                else instead(self.source.span(node.start, node.start + len(line)), f'"{line}"')
            )
            place = self.source.span(node.end + 1, node.end + 2)
            self.note(Problem("P0028", "the value ends here", place, advice, fixes=fixes))
        elif node.value.endswith('"') and node.value.count('"') % 2:
            advice = "delete it, or put one before the value, too"
            quote = self.source.span(node.end - 1, node.end)
            fixes = instead(quote, "")
            self.note(Problem("P0032", "the quote that ends here was never opened", quote, advice, fixes=fixes))

    def bad_escape(self, node: Scalar, at: int) -> None:
        r"""Refuse ``\x1b`` and its like: what a file may not hold as it is, it may not hold in disguise."""
        if _SURROGATE.search(node.value):
            self.half_letter(node)
        self.note(bad_sign(node.value[at], node.place(at)))

    def half_letter(self, node: Scalar) -> NoReturn:
        r"""Refuse ``\ud83d``: one half of what UTF-16 needs for a letter."""
        from patolli.language.sources.syntax import wrong_escape

        at = re.compile(r"\\u[dD][89a-fA-F]").search(self.source.text, node.start)
        self.note(wrong_escape(self.source, at.start() if at else node.start))
        raise _Stop

    def begin_mapping(self, event: Any) -> None:
        """Open a mapping."""
        self.begin(event, Mapping({}, None, self.source, event.start_mark.index, event.end_mark.index))

    def begin_sequence(self, event: Any) -> None:
        """Open a sequence."""
        self.begin(event, Sequence([], None, self.source, event.start_mark.index, event.end_mark.index))

    def begin(self, event: Any, node: Mapping | Sequence) -> None:
        """Open a collection."""
        self.count += 1
        if event.tag or event.anchor:
            self.properties(event)
        if len(self.open) >= self.limits.depth:
            message = f"more than {self.limits.depth} levels inside each other"
            self.stop("P0014", message, node.start, node.start + 1, "use fewer levels, or name the inner parts")
        self.flow = node.flow = bool(event.flow_style)
        self.open.append((self.children, node))
        self.children = []

    def end(self, event: Any) -> None:
        """Close the innermost collection."""
        inner = self.children
        self.children, node = self.open.pop()
        if node.flow:
            node.end = event.end_mark.index
        if isinstance(node, Mapping):
            self.pairs(node, inner)
        else:
            node.items = inner
        if inner and not node.flow:
            node.end = inner[-1].end
        self.flow = bool(self.open) and self.open[-1][1].flow
        self.children.append(node)

    def pairs(self, node: Mapping, inner: list[Node]) -> None:
        """Make the items of a mapping from its keys and values in turn."""
        items = node.items
        turn = iter(inner)
        cut = 0  # brackets that a comma has left open
        bare: Node | None = None  # the last key of a block with nothing behind it
        twice = False  # whether the key before was given twice, so that a whole entry may be meant
        for key, value in zip(turn, turn, strict=True):
            if node.flow:
                rest, cut = cut, max(0, cut + _count_open_brackets(key) + _count_open_brackets(value))
                if rest:  # what belongs to the value before it, which was reported
                    continue
            if value.__class__ is Scalar and value.start == value.end:
                self.empty(node, key, value, len(inner) == 2)
            if not isinstance(key, Scalar) or not key.value:
                advice = "write an entry for each of the words"
                self.report("P0017", "a key must be a single word", key.start, key.start + 1, advice)
            elif bare is not None and key.value in items and items[key.value][0].start < bare.start:
                message = "nothing is below this key, and the next line is beside it"
                self.note(Problem("P0034", message, bare.span, "check the indentation of this line and the next"))
                break  # all that follows belongs below another key
            elif key.value in items:
                also = ((items[key.value][0].span, "first given here"),)
                message = f"the key {key.value!r} is given twice"
                listed = bool(self.open) and isinstance(self.open[-1][1], Sequence)
                advice = "keep one of them" + ("; the first line of a new entry begins with '- '" if listed else "")
                if not twice:
                    self.note(Problem("P0003", message, key.span, advice, also))
                twice = True
                continue
            elif key.value == "<<" and not key.style:
                advice = "write the keys of the other mapping here"
                self.report("P0006", "<< merges another mapping, which is not done here", key.start, key.end, advice)
            elif not self.rest_of_cut(key, value):
                twice = False
                items[key.value] = (key, value)
                if not node.flow and value.__class__ is Scalar and value.start == value.end:
                    bare = key

    def rest_of_cut(self, key: Scalar, value: Node) -> bool:
        """Return whether a key is what a comma cut off from the value before it, which has been reported."""
        bare = not key.style and value.__class__ is Scalar and value.start == value.end
        return bare and self.flow and _cut_off(key)

    def empty(self, node: Mapping, key: Node, value: Node, alone: bool) -> None:
        """Put a value that is not there right behind its colon; the parsers differ."""
        gap = self.source.text[key.end : value.start]
        colon = gap.find(":")
        value.start = value.end = key.end + colon + 1
        if colon >= 0 or not node.flow or not isinstance(key, Scalar):
            return
        if alone and not key.style:  # a text such as {rank}, which wants its quotes
            span, written = node.span, self.source.text[node.start : node.end]
            message = f"{key.value!r} has no value, and braces without quotes are a mapping"
            advice = f'if text is meant, put it in quotes: "{written}"'
            fixes = instead(span, f'"{written}"' if "\n" not in written else None)
            self.note(Problem("P0018", message, span, advice, fixes=fixes))
        elif not _cut_off(key):
            advice = "in {} a comma begins the next entry; a value with a comma needs quotes"
            self.report("P0018", f"{key.value!r} has no value", key.start, key.end, advice)


def _cut_off(key: Scalar) -> bool:
    """Return whether a bracket ends in a key that begins before it: a comma inside has cut it off."""
    return key.value.count(")") > key.value.count("(")
