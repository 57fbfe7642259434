"""What compiled rules may call, by the names that they use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from patolli.kernel.budget import look, passes, span, stepping, tick, too_long, whole
from patolli.kernel.chance import drawn, shuffle
from patolli.kernel.faults import no_option
from patolli.kernel.gains import apply_gain, gain_of, mixes
from patolli.kernel.geometry import cell_at, moved_on
from patolli.kernel.narrated import seen_draw, seen_refill, seen_slide, seen_swap
from patolli.kernel.paying import apply_way, leaving, push_spends, tried
from patolli.kernel.payments import payable, ways, with_costs
from patolli.kernel.pieces import (
    draw,
    move,
    move_to_list,
    move_to_spot,
    move_under,
    place_of,
    refill,
    row_pieces,
    slide,
    swap,
    top,
    within,
)  # fmt: skip
from patolli.kernel.regions import connected
from patolli.kernel.state import give_back
from patolli.kernel.values import (
    at_rest,
    by_key,
    default,
    default_list,
    distinct,
    item_of,
    once,
    perhaps_at_rest,
    position,
    product,
    ranged,
    reverse,
    rotate,
    sized,
    take,
    whole_first,
    whole_highest,
    whole_lowest,
    whole_max,
    whole_min,
    whole_sorted,
    without,
)  # fmt: skip

LIBRARY: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        shuffle, drawn,
        move, move_to_list, move_to_spot, move_under, swap, draw, refill, slide, row_pieces, within, place_of, top,
        seen_draw, seen_refill, seen_slide, seen_swap,
        at_rest, perhaps_at_rest, default, default_list, sized, ranged, product,
        item_of, rotate, reverse, take, position, distinct, once, by_key, without,
        whole_min, whole_max, whole_first, whole_lowest, whole_highest, whole_sorted,
        cell_at, moved_on, connected,
        with_costs, payable, ways, apply_way, tried, leaving, push_spends, mixes, apply_gain, gain_of,
        span, tick, look, passes, stepping, whole, too_long, give_back, no_option,
    )
}  # fmt: skip
