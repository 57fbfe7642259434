"""What a seat observes of a match, as numbers in a fixed and documented order; see :class:`Observations`.

NumPy is needed, and imported with this room: the extra ``environments``.
"""

from patolli.observations.fields import Field
from patolli.observations.observing import Observations

__all__ = ["Field", "Observations"]
