"""Write small documents for the sample pack; see ``patolli.language.diagnostics.codes`` for the form of an example."""

from __future__ import annotations


def rules(text: str) -> str:
    """Write a document of rules."""
    return f"document: rules\n{text}"


def after(effect: str, trigger: str = "earn") -> str:
    """Write a document with one trigger that does *effect*, a line or several."""
    lines = effect.splitlines()
    body = (
        f"|\n{''.join(f'      {line}{chr(10)}' for line in lines)}"
        if len(lines) > 1 or ": " in effect
        else f"{effect}\n"
    )
    return rules(f"triggers:\n  bonus_coin:\n    after: {trigger}\n    do: {body}")


def model(text: str) -> str:
    """Write a document of the model."""
    return f"document: model\n{text}"


def module(name: str, requires: str, more: str = "") -> str:
    """Write the manifest of a module in a folder of its name."""
    head = f"# {name}/pack.yaml\ndocument: pack\nid: {name}\nversion: 1.0.0\nlanguage: 1\ntitle: A module\n"
    return head + (f"requires: {requires}\n" if requires else "") + more


def patched(operation: str, name: str = "extra") -> str:
    """Write a module with one change."""
    return module(name, '{sample: ">=1.0"}') + f"# {name}/change.yaml\ndocument: patch\nchange:\n  - {operation}\n"
