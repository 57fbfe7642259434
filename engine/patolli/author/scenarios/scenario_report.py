"""Show the outcomes of scenarios: for people, as JSON, as JUnit XML, and as annotations of GitHub."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

from patolli.author.scenarios.counterexamples import Search
from patolli.author.scenarios.outcome import Outcome
from patolli.language.diagnostics import Problem
from patolli.language.diagnostics.machine import describe_problems, render_github
from patolli.language.diagnostics.text import render_text

SHOWN = 40
"""Sentences of narration that are shown under a failure; the last ones."""


def failure_text(outcome: Outcome, colour: bool = False) -> str:
    """Return what went wrong in one scenario, with the lines of the file, and what had happened."""
    title = f"{outcome.name}" + (f": {outcome.text}" if outcome.text else "")
    problems = render_text(outcome.problems, colour=colour).rstrip("\n").split("\n")
    lines = [title, "", *problems[:-1]]  # the last line counts the problems
    if outcome.log:
        lines.append(outcome.heading)
        if len(outcome.log) > SHOWN:
            lines.append(f"    ... ({len(outcome.log) - SHOWN} lines before)")
        lines += [f"    {sentence}" for sentence in outcome.log[-SHOWN:]]
    return "\n".join(lines) + "\n"


def summary(outcomes: Iterable[Outcome], hindered: bool = False) -> str:
    """Count, in one line; with none it says whether problems have *hindered* them."""
    outcomes = list(outcomes)
    failed = sum(not outcome.is_passed for outcome in outcomes)
    seconds = sum(outcome.seconds for outcome in outcomes)
    number = f"{len(outcomes)} scenario{'s' if len(outcomes) != 1 else ''}"
    none = "none could be run" if hindered else "nothing to do"
    result = f"{failed} failed" if failed else "all passed" if outcomes else none
    return f"{number}: {result} ({seconds:.2f} s)"


def smoke_summary(smoke: list[Outcome]) -> str:
    """Count the matches of the smoke run, in one line."""
    failed = sum(not outcome.is_passed for outcome in smoke)
    seconds = sum(outcome.seconds for outcome in smoke)
    number = f"{len(smoke)} match{'es' if len(smoke) != 1 else ''}"
    stopped = ", stopped early because the matches take long" if any(outcome.stopped for outcome in smoke) else ""
    return f"smoke run, {number}: {f'{failed} failed' if failed else 'all passed'}{stopped} ({seconds:.2f} s)"


def search_summary(search: Search) -> str:
    """Say what a search for matches that fail has found, in one line, and where it never came."""
    held = sum(1 for one in search.demands if one.held and not one.fails)
    missed = [one for one in search.demands if not one.held and not one.fails]
    untested = [one for one in search.demands if one.held and not one.tested and not one.fails]
    failed = sum(one.fails for one in search.demands)
    counted = [
        f"{held} always true",
        *([f"{len(missed)} never reached"] * bool(missed)),
        *([f"{failed} fail"] * bool(failed)),
    ]
    number = f"{search.matches:,} match{'es' if search.matches != 1 else ''}"
    demands = f"{len(search.demands)} demand{'s' if len(search.demands) != 1 else ''} to check"
    first = f"search in {search.pack}, {number}, {search.choices:,} choices, {demands}: {', '.join(counted)}"
    return "\n".join(
        [
            f"{first} ({search.seconds:.2f} s)",
            *(f"  never reached: {one.span} ({one.code})" for one in missed),
            *(f"  reached by no scenario: {one.span} ({one.code})" for one in untested),
            *(f"  this 'otherwise' was never needed: {span}; leave it out, or test it" for span in search.untaken),
        ]
    )


def as_text(
    outcomes: list[Outcome],
    problems: list[Problem],
    smoke: list[Outcome] | None = None,
    colour: bool = False,
    searches: Iterable[Search] = (),
) -> str:
    """Return all failures, and a summary."""
    smoke, searches = smoke or [], list(searches)
    found = [outcome for search in searches for outcome in search.failures]
    parts = [render_text(problems, colour=colour)] if problems else []
    parts += [failure_text(outcome, colour) for outcome in (*smoke, *found, *outcomes) if not outcome.is_passed]
    last = [
        *([smoke_summary(smoke)] if smoke else []),
        *map(search_summary, searches),
        summary(outcomes, bool(problems)),
    ]
    return "\n".join([*parts, "\n".join(last)]) + "\n"


def _as_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "id": outcome.id, "pack": outcome.pack, "path": outcome.path, "line": outcome.line,
        "text": outcome.text, "passed": outcome.is_passed, "seconds": round(outcome.seconds, 6),
        "log": outcome.log,
        "problems": describe_problems(outcome.problems),
    }  # fmt: skip


def as_json(
    outcomes: list[Outcome],
    problems: list[Problem],
    smoke: list[Outcome] | None = None,
    searches: Iterable[Search] = (),
    **more: Any,
) -> str:
    """Return everything as one JSON object; ``passed`` and ``failed`` count scenarios."""
    found = [
        {
            "pack": one.pack, "matches": one.matches, "choices": one.choices,
            "demands": [
                {"code": d.code, "path": d.span.path, "line": d.span.line, "held": d.held, "fails": d.fails}
                for d in one.demands
            ],
            "failures": [_as_data(outcome) for outcome in one.failures],
        }
        for one in searches
    ]  # fmt: skip
    if found:
        more["searches"] = found
    data = {
        "scenarios": [_as_data(outcome) for outcome in outcomes],
        "passed": sum(outcome.is_passed for outcome in outcomes),
        "failed": sum(not outcome.is_passed for outcome in outcomes),
        "smoke": [_as_data(outcome) for outcome in smoke or ()],
        "problems": describe_problems(problems),
        **more,
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def as_github(outcomes: Iterable[Outcome], problems: list[Problem]) -> str:
    """Return workflow commands of GitHub: an annotation at the line of each difference, and of each problem."""
    failed = (
        replace(problem, message=f"{outcome.name}: {problem.message}")
        for outcome in outcomes
        for problem in outcome.problems
    )
    return render_github([*problems, *failed])


def as_junit(outcomes: list[Outcome], problems: list[Problem]) -> str:
    """Return JUnit XML: a suite per file, a case per scenario; packs that do not load are errors."""
    root = ElementTree.Element("testsuites", name="patolli")
    files: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        files.setdefault(outcome.path, []).append(outcome)
    for path, own in files.items():
        failed = sum(not outcome.is_passed for outcome in own)
        seconds = sum(outcome.seconds for outcome in own)
        suite = ElementTree.SubElement(
            root, "testsuite", name=path, tests=str(len(own)), failures=str(failed), errors="0", time=f"{seconds:.3f}"
        )
        for outcome in own:
            case = ElementTree.SubElement(
                suite, "testcase", classname=outcome.pack, name=outcome.id, file=outcome.path,
                line=str(outcome.line), time=f"{outcome.seconds:.3f}",
            )  # fmt: skip
            if not outcome.is_passed:
                first = outcome.problems[0]
                node = ElementTree.SubElement(case, "failure", type=first.code, message=_clean_xml(first.message))
                node.text = _clean_xml(failure_text(outcome))
    if problems:
        suite = ElementTree.SubElement(root, "testsuite", name="packs", tests="1", failures="0", errors="1", time="0")
        case = ElementTree.SubElement(suite, "testcase", classname="packs", name="load", time="0")
        node = ElementTree.SubElement(case, "error", type=problems[0].code, message=_clean_xml(problems[0].message))
        node.text = _clean_xml(render_text(problems))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _clean_xml(text: str) -> str:
    """Leave out what XML cannot hold."""
    return re.sub("[^\t\n -\ud7ff\ue000-\ufffd]", "", text)
