"""Scenes: the view of one seat on a match, as plain data for drawing: panels, their things, and a legend.

A scene depends only on ``Match.view`` of the seat, on tricks that all players saw before they were taken, and on
declarations, so it cannot reveal hidden information. Equal views and tricks give equal scenes.
``docs/decisions/0060-scene.md`` describes the data.

Each thing that can be selected has an id, ``KIND:NAME``, with the names of views. The places that an option names have
the same ids (:func:`named_by`), so a page can map clicks to options without rules.
"""

from patolli.serve.studio.scene.aims import named_by
from patolli.serve.studio.scene.panels import scene_of

__all__ = ["named_by", "scene_of"]
