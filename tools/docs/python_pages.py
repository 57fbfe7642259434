"""The pages about Python: signatures and docstrings of the public names, below an example that the tests run."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import patolli
from patolli import environments, observations
from patolli.measure.lab.facts import COLUMNS
from patolli.run.runtime import public

LISTED = {"Match": public.MATCH, "Ruleset": public.RULESET, "Decision": public.DECISION}
"""Classes with some public names. Of the others, all names without an underscore that have a text
are."""


@dataclass(frozen=True)
class Example:
    """A program and what it prints; ``...`` stands for any text."""

    name: str
    program: str
    output: str

    def __str__(self) -> str:
        """Return it as two blocks of a page."""
        shown = f"$ python {self.name}\n{self.output.strip()}"
        return f'```python title="{self.name}"\n{self.program.strip()}\n```\n\n```console\n{shown}\n```'


MATCH = Example(
    "first.py",
    """
import patolli

rules = patolli.load("tic_tac_toe")
match = rules.start(players=2, seed=1)
for label in ("b2", "a1", "c1"):
    match.choose(label)
print(match.decision.player, match.decision.labels)
print(match.view(1)["prompt"])
again = rules.restore(match.to_json())
again.choose("a3")
print(match.over, again.over, again == match)
""",
    """
1 ('b1', 'a2', 'c2', 'a3', 'b3', 'c3')
Which cell?
False False False
""",
)
SIMULATE = Example(
    "many.py",
    """
import patolli

rules = patolli.load("connect_four")
plan = patolli.Plan(players=2, games=20, seed=1, bots=["greedy", "random"])
report = patolli.simulate(rules, plan)
print(report.bots, report.wins[0] > report.wins[1])
print(report.games[0].index, report.games[0].winners)
""",
    """
['greedy', 'random'] True
0 ...
""",
)
ENVIRONMENTS = Example(
    "step.py",
    """
from patolli import environments

env = environments.gym("tic_tac_toe", seat=0, bots="random")
seen, info = env.reset(seed=1)
print(seen.shape, info["action_mask"].sum(), env.table.actions.size)
seen, reward, over, cut, info = env.step(4)
print(reward, over, info["action_mask"].sum())
""",
    """
(...,) 9 9
0.0 False 7
""",
)
FRAMES = Example(
    "frames.py",
    """
import pandas

import patolli

rules = patolli.load("tic_tac_toe")
games = pandas.DataFrame(patolli.simulate(rules, patolli.Plan(players=2, games=50, seed=1)).rows())
print(list(games.columns))
print(len(games), games.groupby("seat")["won"].mean().idxmax())

standings = patolli.tournament(rules, ["greedy", "random"], games=20, seed=1)
print(standings.to_frame()["bot"].tolist())
""",
    """
['game', 'seed', 'seat', 'bot', 'score', 'rank', 'won', 'choices', 'digest', 'fault']
100 0
['greedy', 'random']
""",
)
LAB = """\
## Facts of matches

`patolli lab run` writes one row for each match, in Parquet files of 250 matches: `facts/VARIANT/00000000.parquet` and
so on. Read the folder of a
variant as one frame, and unfold lists of equal length together:

```python
import pandas as pd

matches = pd.read_parquet("runs/plain/facts/base")
options = matches[["match", "option_id", "option_seat", "option_offered", "option_chosen"]]
options = options.explode(["option_id", "option_seat", "option_offered", "option_chosen"])
print(options.groupby("option_id")[["option_offered", "option_chosen"]].sum())
```

The last matches of a run, fewer than 250, are in a file such as `00000250.rest.parquet`. If a run was stopped, the
last matches are lines of text
instead: JSON, the seconds and the hash of the run, with tabs between. The same call of `lab run` continues and
converts them. `end.json` says how
many matches belong to the run; there may be more, kept for a longer run.

A type with `*` is a list. Lists whose names begin with the same word are equally long, and items at the same position
belong together."""
LIMITS = """\
Scores are recorded before turns. Pieces are recorded before rounds and at the end, so what comes and goes within a
round is not seen. `option_points`
is the growth of the score between a choice and the next question, whichever rule gave it. Score sheets are made for
one match in 1,000, or one in 50 if
bots think. The metadata of a file has the hash of the plan, the variant, and a fingerprint of each row."""


def _plain(text: str) -> str:
    """Turn the marks of a docstring into those of a page."""
    text = re.sub(r":\w+:`~?\.?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


def _sections(thing: Any) -> dict[str, str]:
    """Return the parts of a docstring: "" for what comes before the first heading."""
    parts = re.split(r"^(Args|Returns|Raises|Attributes):\n", inspect.getdoc(thing) or "", flags=re.MULTILINE)
    return {"": parts[0].strip(), **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _entries(section: str) -> dict[str, str]:
    """Return the names of a section with their texts."""
    found = re.findall(r"^    (\w[\w.]*): ((?:.*\n?)(?:^ {8}.*\n?)*)", section, re.MULTILINE)
    return {name: _plain(" ".join(text.split())) for name, text in found}


def _signature(name: str, thing: Any) -> str:
    """Return how something is called, without types, which the table has."""
    found = inspect.signature(thing)
    parameters = [one.replace(annotation=inspect.Parameter.empty) for one in found.parameters.values()]
    kept = [one for one in parameters if one.name != "self"]
    return f"{name}{found.replace(parameters=kept, return_annotation=inspect.Signature.empty)}"


def _described(text: str) -> str:
    """Return paragraphs of a docstring without examples, which read like a console."""
    return _plain("\n\n".join(part for part in text.split("\n\n") if ">>>" not in part))


def document_function(name: str, thing: Any) -> str:
    """Describe a function: its call, what it does, its parameters, and its errors."""
    sections = _sections(thing)
    parts = [f"## {name}", f"```text\n{_signature(name, thing)}\n```", _described(sections[""])]
    if "Args" in sections:
        rows = [f"| `{one}` | {text} |" for one, text in _entries(sections["Args"]).items()]
        parts.append("\n".join(["| parameter | meaning |", "| --- | --- |", *rows]))
    if "Returns" in sections:
        parts.append(f"**Returns:** {_plain(' '.join(sections['Returns'].split()))}")
    if "Raises" in sections:
        rows = [f"| `{one}` | {text} |" for one, text in _entries(sections["Raises"]).items()]
        parts.append("\n".join(["| error | when |", "| --- | --- |", *rows]))
    return "\n\n".join(parts)


def _members(found: type, names: Iterable[str], attributes: dict[str, str]) -> Iterator[str]:
    """Yield a row for each public name of a class.

    Raises:
        KeyError: A public name has neither a docstring nor a line under ``Attributes``.
    """
    for name in names:
        thing = getattr(found, name, None)
        if callable(thing):
            sections = _sections(thing)
            said = " ".join(_described(sections[""]).split("\n\n")[0].split())
            given = "".join(f" `{key}`: {text}" for key, text in _entries(sections.get("Args", "")).items())
            yield f"| `{_signature(name, thing)}` | {said}{given} |"
        elif name in attributes:
            yield f"| `{name}` | {attributes[name]} |"
        elif isinstance(thing, property) or hasattr(thing, "attrname"):
            yield f"| `{name}` | {' '.join(_described(_sections(thing)['']).split())} |"
        else:
            raise KeyError(f"{found.__name__}.{name} has no text")


def document_class(name: str, found: type) -> str:
    """Describe a class: what it is, and its public names."""
    sections = _sections(found)
    attributes = _entries(sections.get("Attributes", ""))
    own = [one for one in dir(found) if one[0] != "_" and (one in attributes or _has_text(found, one))]
    names = LISTED.get(found.__name__) or sorted({*own, *attributes})
    rows = "\n".join(["| name | meaning |", "| --- | --- |", *_members(found, names, attributes)])
    about = [_described(sections[""])] if found.__name__ not in LISTED else [_plain(sections[""].split("\n\n")[0])]
    return "\n\n".join([f"## {name}", *about, rows])


def _has_text(found: type, name: str) -> bool:
    thing = inspect.getattr_static(found, name)
    return isinstance(thing, property) or inspect.isfunction(thing) or hasattr(thing, "attrname")


def _page(title: str, about: str, example: Example, *parts: str) -> str:
    return "\n\n".join([f"# {title}", about, str(example), *parts]) + "\n"


def match_page() -> str:
    """Describe what loads packs and plays matches."""
    about = (
        "This page is the reference of `patolli.load`, `Match` and what belongs to them. [Use from Python]"
        "(../how-to/use-from-python.md) introduces them step by step."
    )
    called = ("load", "installed", "adviser")
    functions = [document_function(f"patolli.{name}", getattr(patolli, name)) for name in called]
    names = "Ruleset Match Decision Option Line ScoreSheet Advice Considered Problem".split()
    classes = [document_class(name, getattr(patolli, name)) for name in names]
    return _page("Load and play", about, MATCH, *functions, *classes)


def simulate_page() -> str:
    """Describe what plays many matches."""
    functions = [
        document_function(f"patolli.{name}", getattr(patolli, name)) for name in ("simulate", "playout", "tournament")
    ]
    classes = [
        document_class(name, getattr(patolli, name)) for name in ("Plan", "Report", "Game", "Standings", "Bot", "Turn")
    ]
    about = (
        "This page is the reference of `patolli.simulate`, tournaments and bots. [Use from Python]"
        "(../how-to/use-from-python.md#a-bot-of-your-own) shows how to write a bot."
    )
    return _page("Simulate", about, SIMULATE, *functions, *classes)


def environments_page() -> str:
    """Describe the environments, observations and actions."""
    functions = [
        document_function(f"environments.{name}", getattr(environments, name)) for name in ("aec", "gym", "open_spiel")
    ]
    classes = [
        document_class(f"observations.{name}", getattr(observations, name)) for name in ("Observations", "Actions")
    ]
    about = (
        "This page is the reference of `patolli.environments` and `patolli.observations`. [Environments]"
        "(../reference/environments.md) explains steps, observations, actions and rewards."
    )
    return _page("Environments: reference", about, ENVIRONMENTS, *functions, *classes)


def frames_page() -> str:
    """Describe the tables of simulations, tournaments and lab runs."""
    about = (
        "This page says how results become data frames. It needs pandas (`pip install pandas`); `rows()` gives plain "
        "tables for other packages."
    )
    functions = [
        document_function("Report.rows", patolli.Report.rows),
        document_function("Standings.to_frame", patolli.Standings.to_frame),
    ]
    rows = [f"| `{name}` | {what.replace('*', ' `*`')} | {text} |" for name, (what, text) in COLUMNS.items()]
    table = "\n".join(["| column | type | meaning |", "| --- | --- | --- |", *rows])
    return _page("Data frames", about, FRAMES, *functions, LAB, table, LIMITS)
