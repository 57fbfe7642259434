"""The page of ``patolli show PACK --seams``: what a module can hold on to.

Rules with their steps and menus, payments, and functions: the targets of patches and triggers, as all
packs together have made them.
"""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING, Any

from patolli.author.lookup.entries import author
from patolli.author.lookup.places import text_of, where
from patolli.language.resolve.addresses import own_steps, payments
from patolli.language.syntax import tree as t

if TYPE_CHECKING:
    from patolli.language.packs.composition import Entry
    from patolli.language.resolve.model import Model
    from patolli.run.runtime import Ruleset

Data = dict[str, Any]
NARROW, WIDE = 60, 140
"""Columns that a page takes at least and at most."""


def seams(rules: Ruleset) -> Data:
    """Return the rules, payments and functions of a ruleset that others can change."""
    model = rules.model
    known = {entry.id: entry for entry in model.composition.all("rules")}
    return {
        "pack": rules.id,
        "modules": rules.module_ids,
        "rules": [_describe_rule(model, entry) for entry in known.values()],
        "payments": _list_payments(model, known),
        "functions": [_describe_function(model, entry) for entry in model.composition.all("functions")],
    }


def _describe_rule(model: Model, entry: Entry) -> Data:
    parts = list(own_steps(model.rules[entry.id]))
    return {
        **_list_steps(entry),
        "steps": [step.name for step in parts if step.name != "do"],
        "menus": [
            {"step": "" if step.name == "do" else step.name, "prompt": menu.prompt or "", "lines": len(menu.options)}
            for step in parts
            if (menu := next((one for one in step.block if isinstance(one, t.Menu) and not one.may), None))
        ],
        "joined_by": [
            {"when": when, "step": step, "by": one.design.id if one.design else author(one.name)}
            for when, step, one in model.joining(entry.id)
        ],
    }


def _list_steps(entry: Entry) -> Data:
    changed = list(dict.fromkeys(pack for pack, _, _ in entry.changed))
    return {
        "id": entry.id,
        "signature": entry.key.value,
        "text": text_of(entry),
        "pack": entry.pack,
        "where": where(entry.key.span),
        "changed_by": changed,
    }


def _list_payments(model: Model, known: dict[str, Entry]) -> list[Data]:
    """Return the payments: tags, each with the rules and steps that pay it, then those without, by their place."""
    tags: dict[str, list[str]] = {}
    places: dict[str, list[str]] = {}
    for name in known:
        for step, address, pay in payments(model.rules[name]):
            place = name if step == "do" else f"{name}/{step}"
            there = tags.setdefault(pay.tag, []) if pay.tag else places.setdefault(address, [])
            if place not in there:
                there.append(place)
    return [
        {
            "tag": tag,
            "paid_in": paid_in,
            "discounts": [one.name for one in model.discounts if _names_tag(one.on, tag)],
            "waivers": [one.name for one in model.waivers if _names_tag(one.on, tag)],
        }
        for tag, paid_in in (*sorted(tags.items()), *places.items())
    ]


def _names_tag(on: tuple[str, ...], tag: str) -> bool:
    """Return whether tags and addresses name a tag, or a payment with it by its step."""
    return tag in on or any(one.count("/") == 2 and one.endswith(f"/{tag}") for one in on)


def _describe_function(model: Model, entry: Entry) -> Data:
    made = model.program.functions.get(entry.id) if model.program is not None else None
    return {**_list_steps(entry), "type": str(made.type) if made is not None else ""}


# ---- the page


def seams_text(data: Data, width: int = 0) -> str:
    """Write the page for people, as wide as the terminal unless *width* says how wide."""
    width = min(max(width or shutil.get_terminal_size().columns, NARROW), WIDE)
    base = " + ".join([data["pack"], *data["modules"]])
    counts = [f"{len(data[part])} {part if len(data[part]) != 1 else part[:-1]}" for part in ("rules", "functions")]
    tagged = sum("/" not in pay["tag"] for pay in data["payments"])
    untagged = len(data["payments"]) - tagged
    paid = f"{tagged} payment tags" + (f", {untagged} payments without a tag" if untagged else "")
    lines = textwrap.wrap(f"{base}: {counts[0]}, {paid}, {counts[1]}", width)
    about = (
        "a patch names rules/NAME or rules/NAME/STEP under before, after or instead, and a menu under offer; "
        "a trigger names NAME or NAME/STEP"
    )
    lines += ["", *_format_heading("Rules", about, width)]
    for rule in data["rules"]:
        lines += _format_entry(rule, rule["signature"], width)
        for name, parts in (
            ("steps", rule["steps"]),
            ("menus", _format_menus(rule)),
            ("joined by", _format_triggers(rule)),
        ):
            lines += _format_part(name, parts, width)
    if data["payments"]:
        lines += [
            "",
            *_format_heading(
                "Payments", "'on:' of a discount or waiver names the tag, NAME/STEP, or as here NAME/1", width
            ),
        ]
        for pay in data["payments"]:
            lines.append(f"  {pay['tag']}")
            for name, parts in (
                ("paid in", pay["paid_in"]),
                ("less by", pay["discounts"]),
                ("waived by", pay["waivers"]),
            ):
                lines += _format_part(name, parts, width)
    if data["functions"]:
        lines += [
            "",
            *_format_heading(
                "Functions",
                "a patch names functions/NAME under adjust, with value, or for a number with by, at_least or at_most",
                width,
            ),
        ]
        for function in data["functions"]:
            kind = f": {function['type']}" if function["type"] else ""
            lines += _format_entry(function, f"{function['signature']}{kind}", width)
    return "\n".join(lines)


def _format_heading(title: str, about: str, width: int) -> list[str]:
    return textwrap.wrap(f"{title} ({about})", width, subsequent_indent="  ")


def _format_entry(one: Data, name: str, width: int) -> list[str]:
    """Write a name with what it is for, and who changed it, on one line."""
    by = f"  [{', '.join(one['changed_by'])}]" if one["changed_by"] else ""
    first = f"  {name}{by}"
    room = width - len(first) - 2
    if not one["text"] or room < 12:
        return [first]
    return [f"{first}  {textwrap.shorten(one['text'], room, placeholder=' ..')}"]


def _format_part(name: str, parts: list[str], width: int) -> list[str]:
    lead = f"      {name}: "
    return textwrap.wrap(lead + ", ".join(parts), width, subsequent_indent=" " * len(lead)) if parts else []


def _format_menus(rule: Data) -> list[str]:
    menus = []
    for menu in rule["menus"]:
        lines = f"{menu['lines']} line{'' if menu['lines'] == 1 else 's'}"
        words = f'"{menu["prompt"]}", {lines}' if menu["prompt"] else lines
        menus.append(f"{menu['step']} ({words})" if menu["step"] else words)
    return menus


def _format_triggers(rule: Data) -> list[str]:
    return [
        f"{one['by']} ({' '.join(part for part in (one['when'], one['step']) if part)})" for one in rule["joined_by"]
    ]
