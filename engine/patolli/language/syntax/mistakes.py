"""Say what is wrong with a text that does not follow the grammar.

In:     the text, and what the parser met.
Out:    a problem with code P0101, and help where a likely slip is known.
"""

from __future__ import annotations

import re

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from patolli.language.diagnostics import Edit, Fix, Problem, behind, instead, nearest
from patolli.language.sources.lookalikes import advice, is_unseen, name_character, plain_form
from patolli.language.syntax import tree as t
from patolli.language.syntax.choose_slips import several_problem
from patolli.language.syntax.customs import custom_at
from patolli.language.syntax.forms import FORMS
from patolli.language.syntax.slips import BEGINNINGS, MISSING, NEAR, Slip, slip_at, statement
from patolli.language.syntax.words import NEWEST, help_with_later, words

_WORDS = {
    "COLON": "':'", "RPAR": "')'", "RSQB": "']'", "RBRACE": "'}'", "COMMA": "','", "NAME": "a name", "INT": "a number",
    "STRING": 'a label in double quotes', "TO": "'to'", "IN": "'in'", "ELSE": "'else'", "FROM": "'from'",
    "TIMES": "'times'",
    "EQUAL": "'='", "WITH": "'with'", "MATCH": "'match'", "_LPAR": "'('", "IF": "'if'", "UNLESS": "'unless'",
    "_FOR": "'for'",
    "_INDENT": "an indented block",
}  # fmt: skip

_SIGNS_AT_AN_END = (":", ")", "]", "}")
STRAY = "delete it: an effect ends with its line, or at ';'"


def syntax_problem(text: t.Text, lead: int, start: str, error: UnexpectedInput) -> Problem:
    """Describe where the parser stopped; *lead* spaces of the text were left out, *start* says what it should be."""
    offset = min((error.pos_in_stream or 0) + lead, len(text.value))
    if isinstance(error, UnexpectedCharacters):
        return _character(text, offset, start)
    assert isinstance(error, UnexpectedToken)
    token = error.token
    accepts = {str(a) for a in error.accepts or error.expected or ()}
    if start == "expression" and (problem := _after_names(text, offset)) is not None:
        return problem
    if token.type in ("_NL", "$END", "_DEDENT"):
        return _too_early(text, offset, start, token.type, accepts)
    if token.type == "_INDENT":
        offset += len(text.value[offset:]) - len(text.value[offset:].lstrip())
        message = "this line is indented, but the line before opens no block"
        return Problem(
            "P0101", message, text.place(offset, 1), "a block follows ':'", fixes=_fix_indentation(text, offset)
        )
    word = str(token).strip()
    if start != "effect":
        effect = _effect_for_value(text, start)
        if effect is not None:
            return effect
    if start == "effect" and (several := several_problem(text, offset, word)) is not None:
        return several
    effects = words(text.language).statements
    slip = custom_at(text.value, offset, effects.__contains__) if start == "effect" else None
    slip = slip or slip_at(text.value, offset, start == "effect")
    if slip is not None:
        return _report_slip(text, slip)
    unknown = _unknown_effect(text, offset) if start == "effect" else None
    if unknown is not None:
        return unknown
    help_, meant = _word_help(text.value, offset, word, accepts)
    place = text.place(offset, max(1, len(word)))
    fixes = instead(place, meant) or _with_sign(text, offset, accepts)
    return Problem("P0101", f"unexpected {word!r}", place, help_, fixes=fixes)


def _fix_indentation(text: t.Text, offset: int) -> tuple[Fix, ...]:
    """Give the fix that lets a line, and those below it that stand further right, begin below the line above it."""
    lines = text.value.split("\n")
    at = text.value.count("\n", 0, offset)
    above = next((line for line in reversed(lines[:at]) if line.strip()), "")
    own = len(lines[at]) - len(lines[at].lstrip())
    more = own - (len(above) - len(above.lstrip()))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    edits = []
    for number in range(at, len(lines)):
        if lines[number].strip() and not lines[number].startswith(" " * own):
            break
        if lines[number].strip():
            edits.append(Edit(text.place(starts[number], more), ""))
    return (Fix(tuple(edits)),) if above and more > 0 else ()


def _with_sign(text: t.Text, offset: int, accepts: set[str]) -> tuple[Fix, ...]:
    """Give the fix that puts the one sign that can be missing behind what stands before a place."""
    names = _missing_words(accepts)
    sign = names[0].strip("'") if len(names) == 1 else ""
    end = len(text.value[:offset].rstrip())
    return behind(text.place(end - 1, 1), sign) if end and sign in _SIGNS_AT_AN_END else ()


def _keywords(language: int) -> frozenset[str]:
    """Return the words that may have been meant where something else stands."""
    return words(language).joining | words(language).inner | {"none", "otherwise"}


def _after_names(text: t.Text, offset: int) -> Problem | None:
    """Report what is wrong with the lines of a value, or its last one, where it begins with a ``let``."""
    if not re.match(r"\s*let\s", text.value):
        return None
    if text.language < 2:
        first = text.value.index("let")
        help_ = "lines before a value come with 'language: 2'; here, make the part a function"
        return Problem("P0101", "'let' begins an effect; expected a value", text.place(first, 3), help_)
    line = text.value.count("\n", 0, offset)
    lines = text.value.rstrip().split("\n")
    here = sum(len(one) + 1 for one in lines[:line])
    word = re.match(r"\s*(return|set)\s+", lines[line]) if line < len(lines) else None
    if word is not None:
        place = text.place(here + word.start(1), len(word[1]))
        if word[1] == "set":
            return Problem("P0101", "a value cannot change anything", place, "name the other value, too: 'let y = ..'")
        fixes = instead(text.place(here + word.start(1), word.end() - word.start(1)), "")
        return Problem("P0101", "the last line must be the value alone", place, "leave 'return' out", fixes=fixes)
    if line >= len(lines) or offset >= len(text.value.rstrip()):
        help_ = "after the 'let' lines, write the value on its own line"
        return Problem("P0101", "the value is missing", text.place(len(text.value.rstrip()), 1), help_)
    if "\n" not in text.value.strip() and text.value[:offset].count("let ") == 1:
        help_ = "write '|' after the colon, each 'let' on its own line, and the value on the last line"
        return Problem("P0101", "each 'let' needs its own line", text.place(offset, 1), help_)
    return None


def _effect_for_value(text: t.Text, start: str) -> Problem | None:
    """Report an effect that stands where a value or a cost is needed."""
    found = re.match(r"\s*([a-z]+) +(?=[a-z0-9({])", text.value)
    statements = {*words(text.language).statements} - ({"let"} if start == "expression" else set())
    if not found or found[1] not in statements - {"if", "for"}:
        return None
    help_, fixes = f"leave {found[1]!r} out", instead(text.place(found.start(1), found.end() - found.start(1)), "")
    if start == "expression" and found[1] != "return":
        fixes, help_ = (), "only a value can be here; write effects under 'do'"
    what = "a cost" if start == "cost" else "a value"
    place = text.place(found.start(1), len(found[1]))
    return Problem("P0101", f"{found[1]!r} begins an effect; expected {what}", place, help_, fixes=fixes)


def _report_slip(text: t.Text, slip: Slip) -> Problem:
    message = slip.message or f"unexpected {text.value[slip.start : slip.end]!r}"
    place = text.place(slip.start, slip.end - slip.start)
    return Problem("P0101", message, place, slip.help, fixes=instead(place, slip.instead, sure=slip.sure))


def _character(text: t.Text, offset: int, start: str) -> Problem:
    """Report a letter with which nothing begins."""
    value = text.value
    character = value[offset : offset + 1]
    slip = slip_at(value, offset, start == "effect")
    if slip is not None:
        return _report_slip(text, slip)
    if ord(character[:1] or " ") > 127:
        name = f"unexpected {name_character(character) if is_unseen(character) else repr(character)}"
        return Problem("P0101", name, text.place(offset, 1), advice(character), fixes=_plain(text, offset))
    if character.isupper():
        before = value[max(0, offset - NEAR) : offset]
        first = offset - len(before) + len(re.sub(r"\w*\Z", "", before))
        word = re.split(r"\W", value[first:], maxsplit=1)[0]
        lower = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower()
        known = {*_keywords(text.language), *words(text.language).statements, "true", "false"}
        help_ = f"did you mean {lower!r}?" if lower in known else f"names are written in small letters: {lower!r}"
        place = text.place(first, len(word))
        return Problem("P0101", f"unexpected {word!r}", place, help_, fixes=instead(place, lower))
    help_ = "the closing quote is missing" if character == '"' else ""
    return Problem("P0101", f"unexpected character {character!r}", text.place(offset, 1), help_)


def _plain(text: t.Text, offset: int) -> tuple[Fix, ...]:
    """Give the fix that writes the plain form of a letter, and of all like it in the rest of the line."""
    plain = plain_form(text.value[offset])
    if plain is None:
        return ()
    line = text.value[offset:].partition("\n")[0]
    odd = [at for at, letter in enumerate(line, offset) if plain_form(letter) == plain]
    return (Fix(tuple(Edit(text.place(at, 1), plain) for at in odd), sure=True),)


def _too_early(text: t.Text, offset: int, start: str, token: str, accepts: set[str]) -> Problem:
    """Report a line, or the whole text, that ends where something must follow."""
    value = text.value
    end = len(value[:offset].rstrip()) if token == "_NL" else len(value.rstrip())
    before, first = statement(value, end)
    alone = before == "pass" or (before not in words(text.language).statements and re.fullmatch(r"[a-z_]\w*", before))
    if alone and start == "effect":
        unknown = _no_effect(text, before, first)
        if unknown is not None:
            return unknown
    what = "line" if value[end:].strip() else start
    place = text.place(max(0, end - 1), 1)
    help_, fixes = _missing(accepts), _with_sign(text, end, accepts)
    if before.endswith(".") and start == "effect":
        help_, fixes = STRAY, instead(place, "", sure=True)
    if alone and start == "effect" and "_LPAR" in accepts:
        help_, fixes = f"to call the rule, write '{before}()'", behind(place, "()")
    return Problem("P0101", f"the {what} ends too early", place, help_, fixes=fixes)


def _no_effect(text: t.Text, word: str, start: int) -> Problem | None:
    """Report a word from elsewhere that stands where an effect begins."""
    meant = BEGINNINGS.get(word)
    help_ = f"did you mean {meant!r}?" if meant else MISSING.get(word, "")
    place = text.place(start, len(word))
    fixes = instead(place, meant)
    return Problem("P0101", f"no effect begins with {word!r}", place, help_, fixes=fixes) if help_ else None


def report_later_form(text: t.Text, offset: int, since: int) -> Problem:
    """Report a form of a later version by the new word that begins its statement, or else by the word there."""
    value = text.value
    begun = re.search(r"(?:^|[\n;:])[ ]*([a-z_]+)[^\n;]*$", value[:offset])
    if begun and begun[1] in words(since).statements and begun[1] not in words(text.language).statements:
        word, start, where = begun[1], begun.start(1), ""
    else:
        found = re.compile(r"\w+|\S").match(value, offset)
        word, start, where = found[0] if found else "this", offset, " here"
    message = f"{word!r}{where} comes with a later version of the language"
    return Problem("P0101", message, text.place(start, len(word)), help_with_later(since))


BEGIN = "an effect begins with a word such as gain, pay, move, set or choose; a rule is called as 'name(..)'"


def _unknown_effect(text: t.Text, offset: int) -> Problem | None:
    """Report the word that begins the effect of a place, when it begins none and another value follows it."""
    value = text.value
    found = re.search(r"(?:^|[\n;:])[ ]*([a-z_][a-z0-9_]*)[ ]*(?:\([ ]*)?$", value[:offset])
    statements = words(text.language).statements
    if not found or found[1] in statements or not re.match(r"[a-z0-9_\"]", value[offset : offset + 1]):
        return None
    if found[0].endswith("(") and value[offset] != '"':
        return None
    known = _no_effect(text, found[1], found.start(1))
    if known is not None or found[0][-1] not in " (":
        return known
    near = nearest(found[1], statements)
    help_ = f"did you mean {near!r}?" if near else BEGIN
    place = text.place(found.start(1), len(found[1]))
    return Problem("P0101", f"no effect begins with {found[1]!r}", place, help_, fixes=instead(place, near))


def dedent_problem(text: t.Text) -> Problem:
    """Find the first line that goes back to a depth which no block has."""
    depths, offset = [0], 0
    for line in text.value.split("\n"):
        body = line.lstrip(" \t")
        depth = len(line) - len(body)
        if body and not body.startswith("#"):
            if depth > depths[-1]:
                depths.append(depth)
            while depth < depths[-1]:
                depths.pop()
            if depth != depths[-1]:
                help_ = f"the blocks around it are indented by {', '.join(map(str, depths))} or more"
                return Problem(
                    "P0101", "this line is indented like no line above it", text.place(offset, len(line)), help_
                )
        offset += len(line) + 1
    return Problem("P0101", "the indentation does not fit together", text.place(0, 1))


def _missing_words(accepts: set[str]) -> list[str]:
    """Return what may stand where the parser stopped, in words."""
    if "ADD" in accepts:  # a value may go on with any operator, so these two say nothing
        accepts = accepts - {"IN", "IF"}
    return [word for key, word in _WORDS.items() if key in accepts]


def _missing(accepts: set[str]) -> str:
    names = _missing_words(accepts)
    if {"NAME", "INT"} <= accepts:
        return "a value is missing"
    return f"expected {' or '.join(names[:3])}" if names else ""


def _begins(value: str, offset: int) -> str:
    """Return the word with which the effect around a place begins."""
    words = re.split(r"[\n;:]", value[:offset])[-1].split()
    return words[0] if words else ""


def _is_amount(value: str, offset: int) -> bool:
    """Return whether an amount stands before a place: that of a text, or of an effect that has one."""
    head = re.split(r"[\n;:]", value[:offset])[-1]
    behind = re.match(r"\s*(?:repeat|draw|choose|up to|[0-9]+\s*$)(?P<rest>.*)", head)
    return behind is not None and not re.search(r"\b(?:in|from|of|where|times)\b", behind["rest"])


def _lists(value: str, offset: int, word: str) -> str:
    """Say how lists are put together, where a word seems to do so; empty where it does something else."""
    line = value[value.rfind("\n", 0, offset) + 1 : offset]
    if word == "and" and re.search(r"\b(?:for|choose)\b[^:\"]*\bin\s+[^:\"]*$", line):
        return "two lists are put together by '+', as in 'xs + ys'"
    if word == "," and re.search(r"\[[^\[\]]*$", line):
        return "a list of some things is written {a, b}, and lists are put together by '+': 'xs + ys'"
    return ""


def _no_block(value: str, offset: int) -> str:
    """Say of a colon behind an effect that no block follows it; empty where one may."""
    word = _begins(value, offset)
    simple = {form.words[0] for form in FORMS.values() if not form.block} - {"choose"} | {
        "gain",
        "lose",
        "return",
        "stop",
    }
    rest = value[offset + 1 :].partition("\n")[0].strip()
    return f"{word!r} opens no block; leave the ':' out" if word in simple - {"pay"} and not rest else ""


def _word_help(value: str, offset: int, word: str, accepts: set[str]) -> tuple[str, str | None]:
    """Say what to do about a word that may not stand where it does, and what to write in its place."""
    paying = _begins(value, offset) in ("gain", "lose", "pay") or re.fullmatch(r"\s*[0-9]+ \w+\s*", value[:offset])
    if word in (",", "+") and paying:
        blank = "" if value[:offset].endswith(" ") else " "
        return "amounts are joined by 'and'", f"{blank}and"
    if word in ("and", ",") and (lists := _lists(value, offset, word)):
        return lists, None
    if word in ("or", "if") and (paying or _is_amount(value, offset)):
        return "put brackets around the amount", None
    rest = value[offset + len(word) :].partition("\n")[0].strip()
    if word in (",", "."):
        return (STRAY, "") if not rest else (_missing(accepts), None)
    if word == ":" and re.search(r"\bafter\((?:[^()]|\([^()]*\))*$", value[:offset]):
        return "write a comma between the rule and the value", ","
    if word == ":" and (alone_ := _no_block(value, offset)):
        return alone_, ""
    if word.startswith('"'):
        if not statement(value, offset)[0]:
            return "write the lines of a menu below 'choose one:', and indent them", None
        if {"NAME", "INT"} <= accepts:
            return "a text in quotes is not a value; write names and numbers without quotes", None
    if word in ("else", "elif") and not _begins(value, offset):
        return f"there is no 'if' above this {word!r}, at the same depth", None
    if word in ("else", "elif", "otherwise"):
        return f"{word!r} comes at the beginning of a line", None
    line = value[value.rfind("\n", 0, offset) + 1 : offset]
    tail = line[-NEAR:]
    before = re.search(r"([a-z_][a-z0-9_]*)\s*$", tail)
    alone = before is not None and len(line) == len(tail) and tail[: before.start()].strip() == ""
    if before is not None and alone and before.group(1) in ("else", "elif"):
        return f"there is no 'if' above this {before.group(1)!r}, at the same depth", None
    near = nearest(word, {accepted.strip("_").lower() for accepted in accepts} & _keywords(NEWEST))
    if near:
        return f"did you mean {near!r}?", near
    return _missing(accepts), None
