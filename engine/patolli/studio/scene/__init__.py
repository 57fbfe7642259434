"""A match as one seat sees it, as plain data from which a page draws: panels, the things in them, and what they mean.

A scene follows from ``Match.view`` of the seat and from what is declared, and from nothing else, so it cannot tell what
the seat may not know; the same view gives the same scene. ``docs/decisions/0060-scene.md`` says what it is made of.

Everything to which a person can point has an id, ``KIND:NAME`` with the names of views. What an answer of the open
question names has the same ids (:func:`named_by`), so a page needs no rule to find out what a click means.
"""

from patolli.studio.scene.aims import named_by
from patolli.studio.scene.panels import scene_of

__all__ = ["named_by", "scene_of"]
