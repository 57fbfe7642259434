"""``patolli lab compare``: what a change does, pair by pair."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from patolli.cli.labfolders import check_libraries, mistakes, run_at
from patolli.cli.options import NewFile
from patolli.cli.report_output import check_report, write_report
from patolli.cli.status import CALL

if TYPE_CHECKING:
    from patolli.measure.lab.comparison import Comparison, Difference

MOST = 12
"""The maximum number of printed options; JSON contains all."""
NOTE = (
    "pp: percentage points. An interval in this table is right for one number that you look at once.\n"
    "The intervals above are right for all numbers together, however often you look."
)


@click.command()
@click.argument("before", metavar="A[:VARIANT]")
@click.argument("after", metavar="B[:VARIANT]")
@click.option("--out", type=NewFile(), help="Write the result to a file. If that fails, the file does not change.")
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help="Output format."
)
def compare(before: str, after: str, out: Path | None, form: str) -> None:
    """Show what differs between two runs, or two variants of one run, that used the same seeds.

    Matches with the same number are pairs. The command reports a difference if its interval excludes 0. You may compare
    while a run grows, as often as you like, and then stop the run. At most 5 of 100 comparisons report a difference
    that does not exist.

    Exit status: 0 success, 2 usage error, 4 internal error.
    """
    check_report(out, None, "", "")
    with mistakes():
        check_libraries()
        from patolli.measure.lab.comparison import compare as compared
        from patolli.measure.lab.frame import Frame, chosen_variant, open_run

        stores = [(open_run(folder), named) for folder, named in map(run_at, (before, after))]
        chosen = [(store, chosen_variant(store, named)) for store, named in stores]
        implied = not all(named for _, named in stores)  # both may be named, to see that nothing differs
        same = chosen[0][0].folder.resolve() == chosen[1][0].folder.resolve() and chosen[0][1] == chosen[1][1]
        if implied and same:
            others = [str(one["name"]) for one in chosen[0][0].head["variants"] if one["name"] != chosen[0][1]]
            hint = f"name another variant after a colon: {', '.join(others)}" if others else "name another run"
            raise click.UsageError(f"both are the variant {chosen[0][1]!r} of {chosen[0][0].folder}; {hint}")
        found = compared(*(Frame(*one) for one in chosen))
    text = _format_json(found) if form == "json" else _format_text(found, before, after)
    if not write_report(text, out):
        sys.exit(CALL)


def _format_json(found: Comparison) -> str:
    taken = [
        {
            "name": one.name,
            "before": one.before,
            "after": one.after,
            "change": one.change.data(),
            "believed": one.believed,
        }
        for one in found.taken
    ]
    data = {
        "pairs": found.pairs, "same": found.same, "left_out": found.left_out,
        "differences": [one.data() for one in found.differences], "options": taken,
    }  # fmt: skip
    from patolli.measure.lab.plaindata import json_text

    return json_text(data) + "\n"


def _format_text(found: Comparison, before: str, after: str) -> str:
    lines = [f"{after} against {before}: {found.pairs:,} pairs of matches with the same seeds"]
    same = "1 pair is the same" if found.same == 1 else f"{found.same:,} pairs are the same"
    lines.append(f"{same} from beginning to end: {'it' if found.same == 1 else 'they'} never reached the change")
    if found.same == found.pairs:
        return "\n".join(lines) + "\n"
    sure = [one for one in found.differences if one.sure]
    lines += ["", *(f"* {one.words}" for one in sure)] if sure else ["", "No number surely differs."]
    lines += ["", f"{'':<24}{'before':>10}{'after':>10}{'change':>10}   {'95 % interval':<22}{'corr.':>5}"]
    lines += [_line(one) for one in found.differences]
    lines += ["", NOTE]
    gains = [one.unpaired for one in found.differences if one.varies]
    if gains:
        lines += ["", f"Without pairs it would take {min(gains):.1f} to {max(gains):.1f} times as many matches."]
    reported = [one for one in found.taken if one.believed <= 0.05]
    if reported:
        many = "an option" if len(reported) == 1 else f"{len(reported)} options"
        lines += ["", f"Chosen in more or fewer of the matches: {many}; at most 5 of 100 reported ones are random"]
        for one in reported[:MOST]:
            low, value, high = (100 * n for n in (one.change.low, one.change.value, one.change.high))
            was, now = (f"{100 * n / found.pairs:.1f} %" for n in (one.before, one.after))
            lines.append(f"  {one.name:<36}{was:>8} -> {now:>7} {value:+7.1f} pp ({low:+.1f} to {high:+.1f})")
        if len(reported) > MOST:
            lines.append(f"  and {len(reported) - MOST} more: --format json has all")
    return "\n".join(lines) + "\n"


def _line(one: Difference) -> str:
    from patolli.measure.lab.units import between, number, unit

    share, fill = one.share, "" if one.share else "  "
    before, after = (f"{number(n.value, share)}{fill}" for n in (one.before, one.after))
    change = f"{(100 if share else 1) * one.change.value:+,.2f}{unit(share, short=True) or '   '}"
    known = f"{between(one.change.low, one.change.high, share)}{unit(share, short=True)}"
    ends = "equal in all pairs" if one.uniform and not share else known
    mark = " *" if one.sure else ""
    return f"{one.name:<24}{before:>10}{after:>10}{change:>10}   {ends:<22}{one.correlation:>5.2f}{mark}"
