"""The two parsers behind ``read_yaml``: libyaml where it is installed, ruamel.yaml's own elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

NextEvent: TypeAlias = Callable[[], Any]

_NO_LETTER = re.compile(r"\\U(?!000|0010)[0-9a-fA-F]{8}")


def events(text: str, *, pure: bool | None = None) -> NextEvent:
    """Give a function that returns the next event of *text* each time it is called.

    Args:
        text: The text of a file, line ends as line feeds.
        pure: Whether to use the parser written in Python; ``None`` takes the
            quick one when it is installed.
    """
    if not pure:
        try:
            from ruamel.yaml.cyaml import CParser  # type: ignore[attr-defined]
        except ImportError:
            if pure is False:
                raise
        else:
            return CParser(text).get_event  # type: ignore[no-any-return]
    return partial(_next_pure, _pure(text), text)


def _pure(text: str) -> Iterator[Any]:
    from ruamel.yaml import YAML

    return iter(YAML(typ="safe", pure=True).parse(text))


def _next_pure(stream: Iterator[Any], text: str) -> Any:
    """Take an event; an escape behind the last letter of Unicode is a syntax error too."""
    try:
        return next(stream)
    except (ValueError, OverflowError) as error:
        from ruamel.yaml.error import MarkedYAMLError, StringMark

        found = _NO_LETTER.search(text)
        at = found.start() if found else 0
        mark = StringMark("", at, 0, 0, text, at)
        raise MarkedYAMLError(problem="unknown escape", problem_mark=mark) from error


def syntax_error() -> type[Exception]:
    """Give the exception that both parsers raise on text that is not YAML."""
    from ruamel.yaml.error import YAMLError

    return YAMLError
