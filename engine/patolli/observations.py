"""Observations and actions as numbers in a fixed and documented order; see :class:`Observations` and :class:`Actions`.

NumPy is needed, and imported with this module: the extra ``environments``.
"""

from patolli.measure.environments.actions import Actions
from patolli.measure.observations.fields import Field
from patolli.measure.observations.seat_observer import Observations

__all__ = ["Actions", "Field", "Observations"]
