"""Write an entry as all packs together have made it: YAML in canonical style, with the pack behind what it changed.

What modules put around a rule or a function stands in it as the language applies it: ``before`` and ``after`` with the
pack that says so, steps in their order, and under ``original`` what an ``instead`` or an adjustment has put aside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from patolli.language.packs.composition import Entry
from patolli.language.resolve.model import Function, Model, Rule, Step, Trigger
from patolli.language.sources import Mapping, Node, Scalar, Sequence, read_yaml
from patolli.language.syntax import tree as t
from patolli.language.syntax.formatter import NotYaml, format_text
from patolli.language.syntax.parser import parse_effect
from patolli.language.syntax.printer import print_effect, print_expression
from patolli.run.runtime import Ruleset

WIDE = 100
"""Columns that a mapping or list in braces may take."""
_PLAIN = re.compile(r"[A-Za-z0-9_][^\n]*")
_ASIDE = re.compile(r"\b[a-z]\w*'[\w']*(?=\()")

Data = str | list["Data"] | dict[str, "Data"]


class _Noted(str):
    """A text with the pack that wrote it, where that is not the pack of the entry."""

    by: str = ""


def format_entry(rules: Ruleset, entry: Entry) -> str:
    """Return an entry as YAML."""
    writer = _Writer(rules, entry)
    text = "\n".join(writer.lines({entry.section: {entry.key.value: writer.data()}}, 0)) + "\n"
    try:
        return format_text(text)
    except NotYaml:
        return text


def get_entry_data(rules: Ruleset, entry: Entry) -> Data:
    """Return what :func:`format_entry` writes, as data: texts as they stand in YAML, lists, and tables."""
    return _Writer(rules, entry).data()


class _Writer:
    def __init__(self, rules: Ruleset, entry: Entry) -> None:
        self.model: Model = rules.model
        self.entry = entry
        self.folders = {pack.folder.resolve(): pack.id for pack in rules.packs}

    # -- what there is

    def data(self) -> Data:
        model, entry = self.model, self.entry
        if entry.section == "rules" and entry.id in model.rules:
            return self._rule(model.rules[entry.id])
        if entry.section == "functions" and entry.id in model.functions:
            return self._write_function(model.functions[entry.id])
        return self._write_node(entry.node)

    def _write_node(self, node: Node) -> Data:
        if isinstance(node, Mapping):
            return {key: self._write_node(value) for key, (_, value) in node.items.items()}
        if isinstance(node, Sequence):
            return [self._write_node(item) for item in node.items]
        return self._add_note(_format_scalar(node), node.span.path)

    def _add_note(self, text: str, path: str) -> str:
        noted = _Noted(text)
        noted.by = next((self.folders[f] for f in Path(path).resolve().parents if f in self.folders), "")
        return noted

    def _write_facts(self) -> dict[str, Data]:
        node = self.entry.node
        left = {"do", "steps", "is"}
        return (
            {k: self._write_node(v) for k, (_, v) in node.items.items() if k not in left}
            if isinstance(node, Mapping)
            else {}
        )

    def _rule(self, rule: Rule, facts: bool = True) -> Data:
        found: dict[str, Data] = self._write_facts() if facts else {}
        found.update(self._write_triggers("instead", rule.instead))
        if rule.instead and rule.inner is not None:  # what was written lies behind what may take its place
            found.update(self._write_value(rule.inner))
            found.update(self._write_triggers("after", [*rule.inner.following, *rule.after]))
            return found
        found.update(self._write_value(rule))
        return found

    def _write_value(self, rule: Rule) -> dict[str, Data]:
        found: dict[str, Data] = {}
        found.update(self._write_triggers("before", rule.before))
        if len(rule.steps) == 1 and rule.steps[0].name == "do":
            found["do"] = self._write_effect(rule.steps[0].block, rule.steps[0].span.path)
        else:
            names = _read_steps([step.name for step in rule.steps])
            found["steps"] = {name: self._write_step(rule, step) for name, step in zip(names, rule.steps, strict=True)}
        found.update(self._write_triggers("after", rule.following))
        if rule.inner is not None:
            found["original"] = self._rule(rule.inner, False)
        return found

    def _write_step(self, rule: Rule, step: Step) -> Data:
        """Return what a step does; where nothing but triggers stands, these."""
        joint = self.model.rules.get(f"{rule.name.partition(chr(39))[0]}/{step.name}")
        if joint is None or "'" not in step.name:
            return self._write_effect(step.block, step.span.path)
        return next(data for how in ("before", "after") for _, data in self._write_triggers(how, getattr(joint, how)))

    def _write_effect(self, block: t.Block, path: str) -> str:
        text = block[0].at.text if block else None
        whole = isinstance(text, Scalar) and parse_effect(text)[0] == block
        printed = print_effect(block, text.value if whole and text is not None else None)
        return self._add_note(_format_block(_ASIDE.sub("original", printed)), path)

    def _write_triggers(self, name: str, triggers: list[Trigger]) -> Iterator[tuple[str, Data]]:
        items: list[Data] = []
        for trigger in triggers:
            item: dict[str, Data] = {}
            if trigger.design is not None:
                item["active"] = trigger.design.id
            if trigger.when is not None:
                item["when"] = _quote_text(print_expression(trigger.when))
            item["do"] = self._write_effect(self.model.rules[trigger.body].block, trigger.span.path)
            items.append(item)
        if items:
            yield name, items

    def _write_function(self, function: Function, facts: bool = True) -> Data:
        found: dict[str, Data] = self._write_facts() if facts else {}
        body = function.body
        if body is not None:
            path = body.span.path
            inner = _ASIDE.search(print_expression(body))
            found["is"] = self._add_note(_quote_text(_ASIDE.sub("original", print_expression(body))), path)
            if inner is not None and inner[0] in self.model.functions:
                found["original"] = self._write_function(self.model.functions[inner[0]], False)
        return found

    # -- how it is written

    def lines(self, data: Data, depth: int) -> list[str]:
        if isinstance(data, str):
            return [" " * depth + data]
        flow = self._format_flow(data)
        if flow and depth >= 4 and len(flow) + depth <= WIDE:
            return [" " * depth + flow]
        found: list[str] = []
        if isinstance(data, list):
            for item in data:
                inner = self.lines(item, depth + 2)
                found += [f"{' ' * depth}- {inner[0].lstrip()}", *inner[1:]]
            return found
        for key, value in data.items():
            found += self._format_pair(key, value, depth)
        return found

    def _format_pair(self, key: str, value: Data, depth: int) -> list[str]:
        start = f"{' ' * depth}{_key(key)}:"
        if isinstance(value, str):
            by = getattr(value, "by", "")
            note = f"  # {by}" if by and by != self.entry.pack else ""
            first, *rest = value.split("\n")
            if rest:
                return [f"{start} {first}{note}", *(f"{' ' * (depth + 2)}{line}" if line else "" for line in rest)]
            return [f"{start} {first}{note}" if first else f"{start}{note}"]
        by = _changed_by(value)
        note = f"  # {by}" if by and by != self.entry.pack else ""
        flow = self._format_flow(value, by if note else "")
        if flow and depth >= 2 and len(flow) + len(start) + 1 <= WIDE:
            return [f"{start} {flow}{note}"]
        return [start + note, *self.lines(value, depth + 2)]

    def _format_flow(self, data: Data, named: str = "") -> str:
        """Write data on one line; nothing when it does not fit there, or another pack than *named* is to be named."""
        if isinstance(data, str):
            foreign = getattr(data, "by", self.entry.pack) not in ("", self.entry.pack, named)
            if foreign or "\n" in data or data.startswith(("|", ">")):
                return ""
            plain = data[:1] in ("'", '"') or not re.search(r"[,\[\]{}]", data)
            return data if plain else _quote_text(data, True)
        if isinstance(data, list):
            parts = [self._format_flow(item, named) for item in data]
            return f"[{', '.join(parts)}]" if all(parts) else ""
        pairs = [(key, self._format_flow(value, named)) for key, value in data.items()]
        return "{" + ", ".join(f"{_key(k, True)}: {v}" for k, v in pairs) + "}" if all(v for _, v in pairs) else ""


def _changed_by(data: Data) -> str:
    """Return the pack that wrote all of some data, or nothing."""
    if isinstance(data, str):
        return str(getattr(data, "by", ""))
    packs = {_changed_by(one) for one in (data.values() if isinstance(data, dict) else data)}
    return packs.pop() if len(packs) == 1 else ""


def _read_steps(names: list[str]) -> list[str]:
    """Return the names of steps; one that a module put there says where it stands, and whose it is among several."""
    parts = [(*name.split("'"), "", "")[:3] for name in names]
    shown: list[str] = []
    for name, how, pack in parts:
        several = sum(one[:2] == (name, how) for one in parts) > 1
        words = f"{how} {name}" if how else name
        words += f" ({pack or 'triggers'})" if several else ""
        again = sum(one == words or one.startswith(f"{words}, ") for one in shown)
        shown.append(f"{words}, {again + 1}" if again else words)
    return shown


def _format_scalar(node: Scalar) -> str:
    """Return a scalar as it was written, or one that is read as the same."""
    if node.style in ("|", ">") or "\n" in node.value:
        return _format_block(node.value.rstrip("\n"))
    return _quote_text(node.value, node.style in ("'", '"'))


def _format_block(text: str) -> str:
    return f"|\n{text}" if "\n" in text or text.endswith(":") else _quote_text(text)


def _quote_text(text: str, always: bool = False) -> str:
    """Put quotes round a text that would be read as something else without them."""
    if not always and _PLAIN.fullmatch(text) and _is_same(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if "'" in text or '"' not in text else f"'{text}'"


@cache
def _key(text: str, flow: bool = False) -> str:
    """Put quotes round a key that would be read as something else without them, in braces or not."""
    tree, problems = read_yaml(f"{{{text}: 1}}\n" if flow else f"{text}: 1\n", "")
    plain = not problems and isinstance(tree, Mapping) and list(tree.items) == [text]
    return text if plain else _quote_text(text, True)


def _is_same(text: str) -> bool:
    tree, problems = read_yaml(f"a: {text}\n", "")
    value = tree.get("a") if isinstance(tree, Mapping) else None
    return not problems and isinstance(value, Scalar) and value.value == text
