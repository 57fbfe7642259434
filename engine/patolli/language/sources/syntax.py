"""Say in an author's words what is wrong with text that is not YAML.

In:     the complaint of either parser, and the text.
Out:    one problem, P0001 or the one of P0004 to P0008 and P0030 to P0038 that
        names the usual cause.

Both parsers complain in the terms of YAML's grammar ("expected <block end>"),
each in its own wording. A row of ``CAUSES`` goes by a phrase of theirs and by
the text around the place, and asks what an author most likely did.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from patolli.language.diagnostics.fix_edits import instead
from patolli.language.diagnostics.problem import Edit, Fix, Problem
from patolli.language.sources.blocktext import or_block
from patolli.language.sources.lookalikes import advice, name_character, plain_form
from patolli.language.sources.margins import margin, too_shallow
from patolli.language.sources.nodes import Source

QUOTE = "put the value in quotes"
_KEY = r" *(?:- +)*(?:- +|[a-z_]\w*(?:\([^()]*\))?: +)"
_HALF = re.compile(r"(\\u[dD][89a-fA-F][0-9a-fA-F]{2})((?<=\\u[dD][89abAB]..)\\u[dD][c-fC-F][0-9a-fA-F]{2})?")
"""A letter that is written as UTF-16 writes it, in two halves, or one half of it alone."""
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'[^'\n]*'")
_COMMENT = re.compile(r"(?:^\s*|[\s,\[{])(//|/\*|<!--|(?<![^\s])--(?= ))")
"""How other languages begin a comment."""


class Complaint(NamedTuple):
    """What a parser said, and where: ``at`` the trouble itself, ``opened`` what it was reading."""

    source: Source
    said: str
    at: int
    opened: int

    @property
    def before(self) -> str:
        """The line of the trouble, up to the trouble."""
        return self.source.text[self.source.text.rfind("\n", 0, self.at) + 1 : self.at]

    @property
    def sign(self) -> str:
        """The letter at the trouble; empty at the end of the file."""
        return self.source.text[self.at : self.at + 1].strip()

    @property
    def at_end(self) -> bool:
        """Whether nothing but blank lines and comments follows."""
        return not re.sub(r"#.*", "", self.source.text[self.at :]).strip()

    def problem(
        self, code: str, message: str, help: str = "", *, at: int | None = None, fixes: tuple[Fix, ...] = ()
    ) -> Problem:
        """Report one letter, that at the trouble unless *at* says another."""
        start = self.at if at is None else at
        text = self.source.text
        end = start + 1 if text[start : start + 1].strip() else start
        return Problem(code, message, self.source.span(start, end), help, fixes=fixes)

    def replace_text(self, at: int, text: str, taken: int = 0, *, sure: bool = True) -> tuple[Fix, ...]:
        """Give the fix that writes *text* at a place, in place of so many letters."""
        return instead(self.source.span(at, at + taken), text, sure=sure)

    def quote_value(self, at: int) -> tuple[Fix, ...]:
        """Give the fix that puts the value of the line of a place in quotes; none inside brackets."""
        text = self.source.text
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        line = text[start : end if end >= 0 else None]
        found = re.match(
            r"(?P<head> *(?:- +)*(?:- +|[a-z_]\w*(?:\([^()]*\))?: +))(?P<value>[^\s\"'\[{#][^#]*?)\s*(?: #.*)?$", line
        )
        if not found or "\\" in found["value"]:
            return ()
        value = found["value"]
        quote = '"' if '"' not in value else "'"
        if quote in value:
            return ()
        return self.replace_text(start + found.start("value"), f"{quote}{value}{quote}", len(value), sure=False)


Cause: TypeAlias = Callable[[Complaint], Problem | None]


def explain_syntax(error: Any, source: Source) -> Problem:
    """Turn the exception of a parser into one problem."""
    at = getattr(error, "problem_mark", None)
    opened = getattr(error, "context_mark", None) or at
    size = len(source.text)
    said = f"{getattr(error, 'context', '')} | {getattr(error, 'problem', error)}"
    complaint = Complaint(source, said, min(at.index if at else 0, size), min(opened.index if opened else 0, size))
    merged = re.match(r"<{7}|={7}|>{7}", complaint.source.text[complaint.at - len(complaint.before) :])
    mark = merged or re.match(r"<{7}", source.text[complaint.opened : complaint.opened + 7])
    if mark:
        at = complaint.at - len(complaint.before) if merged else complaint.opened
        return complaint.problem("P0001", "two versions of this file were merged here, and disagree",
                                 "keep one of them, and delete the lines of signs", at=at)  # fmt: skip
    for phrase, cause in CAUSES:
        if re.search(phrase, said):
            problem = cause(complaint)
            if problem:
                return problem
    return complaint.problem("P0001", "this is not YAML", "compare the line and the one above it with lines that work")


def anchor(it: Complaint) -> Problem:
    """``&`` or ``*`` before something that is no name."""
    sign = it.source.text[it.opened : it.opened + 1]
    return it.problem(
        "P0004",
        f"{sign} begins an anchor or alias, which are not used here",
        QUOTE,
        at=it.opened,
        fixes=it.quote_value(it.opened),
    )


def tag(it: Complaint) -> Problem:
    """``!`` at the start of a value."""
    return it.problem(
        "P0005", "! begins a tag, and tags are not used here", QUOTE, at=it.opened, fixes=it.quote_value(it.opened)
    )


def directive(it: Complaint) -> Problem:
    """``%`` at the start of a line."""
    return it.problem("P0008", "a line may not begin with %", "delete the line", at=it.opened)


def escape(it: Complaint) -> Problem:
    """A backslash in double quotes before a letter that means nothing there."""
    text = it.source.text
    return wrong_escape(it.source, it.at if text[it.at : it.at + 1] == "\\" else text.rfind("\\", 0, it.at))


def wrong_escape(source: Source, at: int) -> Problem:
    """Report an escape that stands for no letter; for two halves of one, as JSON has them, say which one is meant."""
    half = _HALF.match(source.text, at)
    if half is None:
        words, place = f"{source.text[at : at + 2]} means nothing in double quotes", source.span(at, at + 2)
        help_ = "write \\\\ for a backslash, or use single quotes"
        return Problem("P0037", words, place, help_, fixes=instead(source.span(at, at), "\\"))
    words, place = f"{half[1]} is half of a letter (a surrogate)", source.span(at, half.end())
    if half[2] is None:
        help_ = "write the letter itself, or \\U with its eight digits"
        return Problem("P0037", words, source.span(at, at + len(half[1])), help_)
    letter = (half[1] + half[2]).encode().decode("unicode_escape").encode("utf-16", "surrogatepass").decode("utf-16")
    whole = f"\\U{ord(letter):08X}"
    return Problem(
        "P0037", words, place, f"write the letter itself, or {whole}", fixes=instead(place, whole, sure=True)
    )


def foreign_comment(it: Complaint) -> Problem | None:
    """A comment of another language: from the line above what was being read to the trouble, or at the top."""
    text = it.source.text
    above = text.rfind("\n", 0, min(it.opened, it.at))
    start, end = text.rfind("\n", 0, max(above, 0)) + 1, text.find("\n", it.at)
    if re.match(r"\s*(//|/\*)", text):
        start = 0
    for line in re.finditer(r"[^\n]+", text[start : end if end >= 0 else None]):
        found = _COMMENT.search(_QUOTED.sub(lambda quoted: "x" * len(quoted[0]), line[0]).partition("#")[0])
        if found:
            at, sign = start + line.start() + found.start(1), found[1]
            words = f"a comment begins with #, not with {sign}"
            return Problem(
                "P0001",
                words,
                it.source.span(at, at + len(sign)),
                "write # before every line of the comment",
                fixes=it.replace_text(at, "#", len(sign), sure=False) if sign in ("//", "--") else (),
            )
    return None


def open_quote(it: Complaint) -> Problem:
    """A quote that is never closed."""
    text = it.source.text
    fixes: tuple[Fix, ...] = ()
    start, end = text.rfind("\n", 0, it.opened) + 1, text.find("\n", it.opened)
    line = text[start : end if end >= 0 else None].rstrip()
    if re.fullmatch(_KEY, text[start : it.opened]) and "#" not in line:
        fixes = it.replace_text(start + len(line), text[it.opened], sure=False)
    words = "the quote that begins here is never closed"
    return it.problem("P0032", words, "add the closing quote", at=it.opened, fixes=fixes)


def block_sign(it: Complaint) -> Problem | None:
    """``>`` or ``|`` that was meant as the first letter of a value."""
    sign = it.source.text[it.opened : it.opened + 1]
    if sign not in ("|", ">") or "\n" in it.source.text[it.opened : it.at]:
        return None
    several = it.source.text[it.opened + 1 : it.opened + 2] == " "
    help_ = f"a text of several lines begins on the line below; else {QUOTE}" if several else QUOTE
    words = f"a value may not begin with {sign!r}"
    return it.problem("P0030", words, help_, at=it.opened, fixes=it.quote_value(it.opened))


def first_letter(it: Complaint) -> Problem | None:
    """A value that begins with a letter that YAML keeps for itself."""
    if not it.sign or it.sign in "-." or (it.sign in "]}" and it.said.startswith("while parsing a flow")):
        return None
    return it.problem("P0030", f"a value may not begin with {it.sign!r}", QUOTE, fixes=it.quote_value(it.at))


def _line_above(it: Complaint) -> Problem | None:
    """A line above whose colon has no blank behind it, or is none, or whose blanks are none."""
    text = it.source.text
    end = text.rfind("\n", 0, it.at)
    start = text.rfind("\n", 0, max(end, 0)) + 1
    return _odd_colon(it, start, text[start : max(end, 0)])


def _odd_colon(it: Complaint, start: int, above: str) -> Problem | None:
    """Find what is odd in a line of a key and its value, which begins at *start*."""
    tight = re.match(r" *(?:- )?[a-z_]\w*(:)\S", above)
    if tight:
        at = start + tight.start(1)
        fixes = it.replace_text(at + 1, " ")
        return it.problem("P0038", "a blank is missing after this colon", "write `key: value`", at=at, fixes=fixes)
    odd = re.match(r" *(?:- )?(?:[a-z_]\w*:?)?([^\x00-\x7f])", above)
    plain = plain_form(odd[1]) if odd else None
    if odd and plain in (" ", ":"):
        code = "P0034" if not above[: odd.start(1)].strip() else "P0038"
        message = f"this is a {name_character(odd[1])}, which YAML takes for a letter"
        fixes = it.replace_text(start + odd.start(1), plain, 1)
        return it.problem(code, message, advice(odd[1]), at=start + odd.start(1), fixes=fixes)
    return None


def _bare_key_above(it: Complaint, at: int) -> Problem | None:
    """A key without its colon in the line above, further to the left.

    A word alone may also go on with the value of the line before it, which is then further to the left and has one.
    """
    text = it.source.text
    start = text.rfind("\n", 0, at) + 1
    found = re.search(r"(?:^|\n)( *)([a-z_]\w*(?:\([^()\n]*\))?)[ ]*(?:#[^\n]*)?\n$", text[:start])
    if found is None or len(found[1]) >= at - start:
        return None
    before = re.search(r"(?:^|\n)( *)[^ \n#][^\n]*$", text[: found.start(1)].rstrip("\n"))
    if before is not None and len(before[1]) < len(found[1]) and not before[0].rstrip().endswith(":"):
        return None
    span, fixes = it.source.span(found.start(2), found.end(2)), it.replace_text(found.end(2), ":")
    return Problem("P0038", "a colon is missing after this key", span, "write it before the lines below", fixes=fixes)


def colon(it: Complaint) -> Problem:
    """A colon inside a value without quotes, or a key below a value."""
    if re.fullmatch(r"[ \u00a0]*[\w.-]+ *", it.before):
        start = it.at - len(it.before.lstrip(" "))
        odd = _line_above(it)
        if odd is not None:
            return odd
        above = re.search(r"\n( *)([a-z_]\w*) +[^\n#]*\n[^\n]*$", it.source.text[: it.at])
        if above and len(above[1]) == len(it.before) - len(it.before.lstrip(" ")) and ": " not in above[0]:
            return Problem(
                "P0038",
                "a colon is missing after this key",
                it.source.span(above.start(2), above.end(2)),
                "write `key: value`",
                fixes=it.replace_text(above.end(2), ":"),
            )
        return _bare_key_above(it, start) or it.problem(
            "P0034", "this key is below a line that already has a value", "check its indentation", at=start
        )
    parameter = re.match(r" *[a-z_]\w*\([^:()]*(:)", it.before)
    if parameter:
        at = it.at - len(it.before) + parameter.start(1)
        return it.problem("P0031", "a colon inside a signature", "a parameter is written 'type name'", at=at)
    tight = re.search(r"[{,]\s*([a-z_]\w*)$", it.before)
    if tight and it.source.text[it.at + 1 : it.at + 2].strip():
        fixes = it.replace_text(it.at + 1, " ")
        return it.problem("P0038", "a blank is missing after this colon", "write `key: value`", fixes=fixes)
    value = re.search(r"[\w\"']: +(\(|[\u2018-\u201f])", it.before)
    help_, fixes = QUOTE, it.quote_value(it.at)
    if value:
        fixes = ()
        help_ = "write entries with their values in braces: {..}" if value[1] == "(" else f"{QUOTE}; {advice(value[1])}"
    help_ = or_block(help_, it.source.text, it.at)
    return it.problem("P0031", "a colon inside a value without quotes", help_, fixes=fixes)


def entry(it: Complaint) -> Problem:
    """``- `` on the line of its key."""
    return it.problem(
        "P0030", "a value may not begin with '- '", f"begin the list on the next line; if text is meant, {QUOTE}"
    )


def odd_blank(it: Complaint) -> Problem | None:
    """A blank that YAML takes for a letter, in the line of the trouble or the one above."""
    text = it.source.text
    here = text.rfind("\n", 0, it.at) + 1
    end = text.find("\n", it.at)
    start = text.rfind("\n", 0, max(here - 1, 0)) + 1
    for found in re.finditer(r"[^\x00-\x7f]", text[start : end if end >= 0 else None]):
        line = text[start : start + found.start()].rpartition("\n")[2]
        if plain_form(found[0]) == " " and "#" not in line and not (line.count('"') % 2 or line.count("'") % 2):
            at, code = start + found.start(), "P0038" if line.strip() else "P0034"
            message = f"this is a {name_character(found[0])}, which YAML takes for a letter"
            rest = text[at:]
            run = len(rest) - len(rest.lstrip(found[0])) if code == "P0034" else 1
            return it.problem(code, message, advice(found[0]), at=at, fixes=it.replace_text(at, " " * run, run))
    return None


def no_colon(it: Complaint) -> Problem:
    """A line without a colon among keys."""
    end = it.source.text.find("\n", it.opened)
    start = it.source.text.rfind("\n", 0, it.opened) + 1
    line = it.source.text[start : end if end >= 0 else None]
    odd = _odd_colon(it, start, line)
    if odd is not None:
        return odd
    key = re.match(r" *(?:- +)?[a-z_]\w*(?:\([^()]*\))?(?= |$)", line)
    fixes = it.replace_text(start + key.end(), ":", sure=False) if key else ()
    help_ = or_block("write `key: value`", it.source.text, it.opened)
    return it.problem("P0038", "a colon is missing after this key", help_, at=it.opened, fixes=fixes)


def text_of_line(it: Complaint) -> str:
    """Return the whole line of the trouble."""
    text, start = it.source.text, it.at - len(it.before)
    return text[start:].partition("\n")[0]


def after_close(it: Complaint) -> Problem | None:
    """More text after the quote or bracket that closed the value."""
    last = it.before.rstrip(" ")[-1:]
    if last in ("'", '"'):
        escaped = last * 2 if last == "'" else f"\\{last}"
        how = f"inside {last} write {escaped} for the sign itself"
        fixes: tuple[Fix, ...] = ()
        start = it.at - len(it.before)
        if len(re.findall(last, text_of_line(it))) == 3:
            fixes = it.replace_text(start + it.before.rindex(last), escaped, 1, sure=False)
        return it.problem("P0033", f"there is more text after the closing {last}", how, fixes=fixes)
    if last in ("]", "}"):
        return it.problem(
            "P0033", f"there is more text after the closing {last}", f"if all of it is the value, {QUOTE}"
        )
    return None


def indentation(it: Complaint) -> Problem | None:
    """A line that fits none of the levels above it."""
    if it.before.strip(" -"):
        return None
    if it.sign == ":":
        return it.problem("P0017", "a key must be a single word", "write the key before the colon")
    bare = _bare_key_above(it, it.at) if re.match(r"[a-z_][^\n:]*:", it.source.text[it.at :]) else None
    if bare:
        return bare
    help_, fixes = "align it with its neighbors", _align_line(it)
    text, depth = it.source.text, len(it.before)
    beside = re.findall(rf"(?m)^ {{{depth}}}(- |[\w\"'])", text[: it.at - depth])
    if text.startswith("- ", it.at) and beside and beside[-1] != "- ":
        help_, fixes = "the lines around it are not a list: remove '- '", it.replace_text(it.at, "", 2, sure=False)
    elif not text.startswith("-", it.at) and beside and beside[-1] == "- ":
        help_, fixes = "the entries of this list begin with '- '", it.replace_text(it.at, "- ", sure=False)
    return it.problem("P0034", "the indentation of this line fits no line above it", help_, fixes=fixes)


def _align_line(it: Complaint) -> tuple[Fix, ...]:
    """Give the fix that moves a line, with what is below it, to the nearest margin of the blocks above it."""
    lines, start = it.source.text.split("\n"), it.at - len(it.before)
    at = it.source.text.count("\n", 0, start)
    own = margin(lines[at])
    depths: list[int] = []
    for line in lines[:at]:
        if line.strip() and not line.lstrip().startswith("#"):
            depths = [one for one in depths if one < margin(line)] + [margin(line)]
    if not depths:
        return ()
    meant = min(depths, key=lambda one: (abs(one - own), -one))
    edits: list[Edit] = []
    for line in lines[at:]:
        if edits and line.strip() and margin(line) <= own:
            break
        if line.strip():
            gap = it.source.span(start, start + max(0, own - meant))
            edits.append(Edit(gap, " " * max(0, meant - own)))
        start += len(line) + 1
    return (Fix(tuple(edits)),)


def _odd_quote(text: str, start: int) -> int | None:
    """Return the quote that opens a value behind *start* and is not closed on its line."""
    end = text.find("\n", start)
    for found in re.finditer(r"""(?<=[\[{,:] )(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|(["']))""", text[start:end]):
        if found[1]:
            return start + found.start(1)
    return None


def bracket(it: Complaint) -> Problem:
    """A bracket that is never closed, or a value in it that needs quotes."""
    text = it.source.text
    mark = re.search(r"[:,\[{] +(![^\s'\"]*)[^,'\"\[{]*$", it.before)
    if mark:
        return tag(it._replace(opened=it.at - len(it.before) + mark.start(1)))
    quote = _odd_quote(text, it.opened)
    if quote is not None:
        return open_quote(it._replace(opened=quote))
    if it.before[-1:] in ("'", '"'):
        return after_close(it) or it.problem("P0001", "this is not YAML")
    opener = text[it.opened : it.opened + 1]
    if opener not in ("[", "{"):
        opened = max(text.rfind("[", 0, it.at), text.rfind("{", 0, it.at))
        opener, it = text[opened : opened + 1], it._replace(opened=max(opened, 0))
    if it.at_end or "\n" in text[it.opened : it.at]:
        hash_ = re.search(r"[\s\[{,]#", text[it.opened : text.find("\n", it.opened)])
        help_ = "a # begins a comment; quote a value that contains one" if hash_ else "add the closing one"
        end = text.find("\n", it.opened)
        line = text[it.opened : end if end >= 0 else None]
        closing = "]" if opener == "[" else "}"
        fixes = (
            ()
            if hash_ or line.rstrip()[-1:] in ",[{:"
            else it.replace_text(it.opened + len(line.rstrip()), closing, sure=False)
        )
        return it.problem("P0035", f"the {opener} that begins here is never closed", help_, at=it.opened, fixes=fixes)
    close = "]" if opener == "[" else "}"
    how = f"inside {opener}{close} a value with any of , : [ ] {{ }} needs quotes"
    return it.problem("P0036", f"a comma or {close} is missing here", how)


CAUSES: tuple[tuple[str, Cause], ...] = (
    (r"scanning an (alias|anchor)", anchor),
    (r"(scanning|parsing) a tag|undefined tag handle", tag),
    (r"directive", directive),
    (r"escape|hexdecimal|Unicode character", escape),
    (r"quoted scalar \| found unexpected (end|document)", open_quote),
    (r"", odd_blank),
    (r"", foreign_comment),
    (r"scanning a block scalar", block_sign),
    (r"':'|mapping values|block end|expected key", lambda it: too_shallow(it.source, min(it.opened, it.at))),
    (r"found unexpected ':'|mapping values are not allowed", colon),
    (r"sequence entries are not allowed", entry),
    (r"could not find expected ':'", no_colon),
    (r"parsing a flow (mapping|sequence)", bracket),
    (r"parsing a flow node.*(stream end)", bracket),
    (r"cannot start any token|node content|mapping keys are not allowed", first_letter),
    (r"parsing a flow node", bracket),
    (r"expected key|block end|'-' indicator|document start", after_close),
    (r"expected key|block end|'-' indicator|document start", indentation),
)
