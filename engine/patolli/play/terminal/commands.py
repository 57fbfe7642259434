"""The commands that a person may type instead of an option: a function for each word of ``prompt.COMMANDS``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from patolli.check.prose.words import join_words
from patolli.language.diagnostics import nearest
from patolli.play.terminal import files, help_page, lookup
from patolli.play.terminal.canvas import DIM
from patolli.play.terminal.news import above, chapters
from patolli.play.terminal.prompt import Question
from patolli.play.terminal.short_log import shorten_lines
from patolli.play.terminal.takeback import undo
from patolli.run.compiler.asked import DONE
from patolli.run.runtime.why import find_label, list_refused_options, why

if TYPE_CHECKING:
    from patolli.play.terminal.session import Session
    from patolli.run.runtime import Match

REFUSED = 24
"""The maximum number of options listed as not offered."""
NAMED = 3
"""How many of them an answer names."""

ADVISER, ADVISED = "medium", 5
"""The default bot for advice, and the number of options that it shows."""


class Left(Exception):
    """Raised when a person leaves the match."""


def obey(session: Session, typed: str) -> None:
    """Run a typed command. Raises Left: the person leaves the match; EOFError: the input has ended."""
    word, _, rest = typed.partition(" ")
    DOES[word](session, rest)


def _show_help(session: Session, rest: str) -> None:
    session.page(help_page.page(session.screen, session.match, session.seat))


def _show_legend(session: Session, rest: str) -> None:
    session.page(session.screen.legend(session.match, session.seat))


def _show_options(session: Session, rest: str) -> None:
    question = Question(session.screen, session.match, chosen=session.chosen)
    session.page(question.listing(question.options))


def _show_about(session: Session, rest: str) -> None:
    """Show everything about an option, another thing with a name, or a sign or word on the screen."""
    question = Question(session.screen, session.match)
    try:
        option = question.find(rest)
    except ValueError as error:
        if not rest:
            session.warn("name an option: 'about 3', or '?3'")
        elif lookup.panel_named(session.screen, rest) or lookup.entry_page(session.match, session.seat, rest):
            _show_panels(session, rest)
        elif said := help_page.signs_page(session.screen, session.match, session.seat, rest):
            session.page(said)
        else:
            session.warn(str(error))
        return
    session.page(lookup.option_page(question, option))


def _show_panels(session: Session, rest: str) -> None:
    """Draw all panels or one panel, or describe something that has a name."""
    panel = lookup.panel_named(session.screen, rest)
    if not rest or panel:
        question = Question(session.screen, session.match)
        session.screen.draw(session.match, session.seat, panel, question.marked_at_first)
        session.shown = not rest or (question.targets is not None and question.targets.panel.id == panel)
        return
    found = lookup.entry_page(session.match, session.seat, rest)
    if found is None:
        session.warn(lookup.unknown(session.screen, session.match, session.seat, rest))
    else:
        session.page(found)


def _show_rules(session: Session, rest: str) -> None:
    question = Question(session.screen, session.match)
    found = lookup.rules_page(session.match, question.decision, rest)
    if found:
        session.page(found)
    else:
        session.warn(f"no rule mentions {rest!r}; 'rules' shows all")


def _show_why(session: Session, rest: str) -> None:
    """Explain why something is not offered, or list what is not offered."""
    if not rest:
        session.say(_format_refused(session))
        return
    try:
        label, words = _find_together(session, rest) or _find_meant(session, rest)
        several = Question(session.screen, session.match).several
        if several is not None and label not in several.decision.labels and several.possible([label]):
            session.say(f"{words!r} can be chosen with others")
            return
        found = why(session.match, label, named=True)
        authors = session.editing is not None  # authors who play while they edit need the places in the files
        session.page(found.format_lines(words, session.writer.player_name(session.seat), authors).split("\n"))
    except ValueError as error:
        session.warn(str(error))


def _find_together(session: Session, typed: str) -> tuple[str, str] | None:
    """Return the labels and words of things that would be chosen together: those in a line and those chosen before.

    Raises:
        ValueError: One of several in the line is no option.
    """
    question = Question(session.screen, session.match)
    if question.several is None:
        return None
    labels = question.together(typed)
    if not labels and session.chosen:
        try:
            option = question.find(typed)
        except ValueError:
            return None
        labels = [option.label] if not option.anytime and option.label != DONE else []
    labels = list(dict.fromkeys([*session.chosen, *labels])) if labels else []
    known = {option.label: option.words for option in question.every}
    return (", ".join(labels), join_words([known[label] for label in labels])) if len(labels) > 1 else None


def _find_meant(session: Session, typed: str) -> tuple[str, str]:
    """Return the label and words of what a person asks about: option or rule call. Raises ValueError: none."""
    question, lower = Question(session.screen, session.match), " ".join(typed.split()).lower()
    not_offered = list_refused_options(session.match)
    known = {option.label: option.words for option in question.decision.options} | not_offered
    for label, words in known.items():
        if lower in (label.lower(), words.lower()):
            return label, words
    rules = session.rules.model.rules
    if (name := typed.partition("(")[0].strip()) in rules and not rules[name].hidden:
        return typed, typed
    ends = [(label, words) for label, words in not_offered.items() if words.lower().endswith(f" {lower}")]
    try:
        option = question.find(typed)
    except ValueError:
        if len(ends) == 1:
            return ends[0]
        if label := find_label(session.match, lower):
            return label, typed
        elsewhere = _find_other_question(session.match, lower)
        raise ValueError(elsewhere or _suggest_other(lower, known, _list_words(not_offered, session.match))) from None
    return option.label, option.words


def _list_words(not_offered: dict[str, str], match: Match) -> list[str]:
    """Return the words of everything that is not offered, once each, without words that an offered option also has."""
    decision = match.decision
    offered = {option.words for option in decision.options} if decision is not None else set()
    return [words for words in dict.fromkeys(not_offered.values()) if words not in offered]


def _find_other_question(match: Match, typed: str) -> str:
    """Say which question has an answer that is not one of the question now; nothing where none has."""
    for question in match.program.questions.values():
        if question.prompt and typed in [words.lower() for words, _ in question.labels if words]:
            return f"{typed!r} is an option of {question.prompt!r}, which is not asked now"
    return ""


def _suggest_other(typed: str, known: dict[str, str], shown: list[str]) -> str:
    """Say what can be asked about instead of what was typed."""
    head = f"there is no option and no rule {typed!r}"
    if near := nearest(typed, list(known.values())):
        return f"{head}; did you mean {near!r}?"
    more = f" and {len(shown) - NAMED} more ('why' lists them)" if len(shown) > NAMED else ""
    return f"{head}; " + (
        f"not offered here: {', '.join(shown[:NAMED])}{more}" if shown else "all options here are offered"
    )


def _show_advice(session: Session, rest: str) -> None:
    """Show how a search rates the options, using only what the acting player knows."""
    from patolli.play.players import adviser

    kind, _, every = rest.partition(" ") if rest != "all" else ("", "", "all")
    if every not in ("", "all"):
        session.warn("'advice', 'advice all', or 'advice BOT' as in 'advice mcts:2000'")
        return
    try:
        shown = session.match.advice(adviser(kind or ADVISER))
    except (TypeError, ValueError) as error:
        session.warn(str(error))
        return
    session.page(shown.table(None if every else ADVISED).split("\n"))
    if not every and (more := len(shown.options) - ADVISED) > 0:
        session.say(f"  and {more} more; '{' '.join(['advice', kind, 'all']).replace('  ', ' ')}' shows them", DIM)


def _format_refused(session: Session) -> str:
    shown = _list_words(list_refused_options(session.match), session.match)
    more = f"\n  and {len(shown) - REFUSED} more" if len(shown) > REFUSED else ""
    listed = "".join(f"\n  {words}" for words in shown[:REFUSED])
    return f"not offered:{listed}{more}" if shown else "every option is offered"


def _show_log(session: Session, rest: str) -> None:
    """Return what happened: the last of it in front of a screen, one chapter, or everything."""
    lines, write = shorten_lines(session.chronicle.lines, session.writer.names), session.writer.line
    height = max(4, session.console.height - 4)
    parts = chapters(lines, height)
    titles = [session.writer.words(part.title) for part in parts]
    if not lines:
        session.say("nothing has happened yet")
    elif rest == "all" or (not rest and not session.in_front):
        session.page([write(line) for line in lines])
    elif not rest:
        last = lines[-height:]
        headings = above(lines, len(lines) - len(last)) if last else []
        session.page([write(line) for line in [*headings, *last]])
        if len(last) < len(lines):
            session.say(f"  'log all' shows everything, and {_describe_chapters(titles)}", DIM)
    elif rest.isdecimal() and 0 < int(rest) <= len(parts):
        session.page([write(line) for line in parts[int(rest) - 1].lines])
    else:
        session.warn(f"'log', 'log all', or {_describe_chapters(titles)}")


def _describe_chapters(titles: list[str]) -> str:
    """Say how one of several chapters is asked for: all by their titles, or the first and the last one."""
    if len(titles) > 6:
        return f"'log 1' to 'log {len(titles)}' a part of it"
    return ", ".join(f"'log {number}' {title}" for number, title in enumerate(titles, 1))


def _quit_match(session: Session, rest: str) -> None:
    raise Left


DOES: dict[str, Callable[[Session, str], None]] = {
    "help": _show_help, "legend": _show_legend, "options": _show_options, "about": _show_about, "show": _show_panels,
    "rules": _show_rules, "why": _show_why, "advice": _show_advice, "log": _show_log, "undo": undo,
    "save": files.save, "reload": files.reload, "quit": _quit_match,
}  # fmt: skip
"""The function of each command; it gets the rest of the line as the user typed it."""
