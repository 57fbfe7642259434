"""What the signs of a scene mean."""

from __future__ import annotations

from collections.abc import Iterable

from patolli.play.scene.captions import Caption
from patolli.play.scene.seat_scene import Scene


def entries(scene: Scene, signs: Iterable[str]) -> list[tuple[Caption, str]]:
    """Return signs with what each means, that of the player who looks first."""
    entries: dict[Caption, list[str]] = {}
    for id_ in sorted(
        signs, key=lambda id_: (id_ != scene.me, scene.used[id_][1] != "player", _is_composed(scene, id_))
    ):
        sign, words = scene.used[id_][0], meaning(scene, id_)
        if _is_composed(scene, id_) and any(other.plain == sign.plain for other in entries):
            continue  # what is seen of it now is one of its parts
        if words and words.lower() != sign.plain.lower():
            said = entries.setdefault(sign, [])
            said += [words] if words not in said else []
    return [(sign, ", ".join(said)) for sign, said in entries.items()]


def _is_composed(scene: Scene, id_: str) -> bool:
    """Return whether a sign is made of others."""
    symbol = scene.symbols.get(id_)
    return symbol is not None and bool(symbol.show)


def meaning(scene: Scene, id_: str) -> str:
    """Return words for what a symbol stands for; empty where they would only say what its parts say."""
    symbol, (_, kind, name) = scene.symbols.get(id_), scene.used[id_]
    if symbol is not None and symbol.means:
        return symbol.means
    if kind == "player":
        return "you" if name == scene.me else scene.seat_names.player(int(name.rpartition("_")[2]) - 1)
    if symbol is not None and symbol.show:
        shown = [" or ".join(fact.replace("_", " ") for fact in facts) for facts in symbol.show]
        return f"{scene.seat_names.noun(kind)}: {', '.join(shown)}" if len(shown) > 1 else ""
    if kind:
        return scene.seat_names.noun(kind) if id_ == kind else scene.label(kind, name)
    if id_ in scene.model.counters or id_ in scene.model.places:
        return scene.title(id_)
    return id_.replace("_", " ")
